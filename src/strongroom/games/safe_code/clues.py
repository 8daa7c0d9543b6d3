"""The clues of Safe Code: true English sentences about a number from 1 to 30.

The table in `kinds` lists what they can say.
"""

from __future__ import annotations

from array import array
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Final

from strongroom.contract import (
    Move,
    NotLegal,
    NotUnderstood,
    Rule,
    Run,
    Sublist,
    quote,
    shown_value,
)
from strongroom.games.safe_code.kinds import (
    FIRST_KINDS,
    HIGHEST,
    KINDS,
    LOWEST,
    NEGATED,
    NUMBERS,
    Kind,
    numbers_that_pass,
)

EVERY: Final = frozenset(NUMBERS)
EVERYDAY_NUMBERS: Final = frozenset({2, 3, 4, 5, 10, 15, 20, 25})
"""The numbers that people think of first."""
LEFT_BY_A_DRAWN_CLUE: Final = 26
"""How many numbers a clue that is drawn for a player leaves possible, at least: so weak a clue is
never an error."""
_ODD_DENIALS: Final = ("factor", "remainder", "divisors", "power")
"""The kinds whose contraries nobody would think of."""
_SAID_BY_MOST: Final = {"a", "and", "by", "is", "not", "of"}
"""Words that tell no clue from another."""
_BY_NAME: Final = {kind.name: kind for kind in KINDS}
_CHOICES: Final = {kind.name: frozenset(kind.choices) for kind in KINDS}


class SafeCodeRule(Rule):
    """The rules that can forbid a clue, or a request for one."""

    TRUE_CLUES = "a clue is true"
    TELLING_CLUES = "a clue rules something out"
    DIFFERENT_CLUES = "clues differ in meaning"
    NO_FOURTH_CLUE = "no fourth clue"


# --- clues --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Clue(Move):
    """A statement about the number; `str(clue)` is its canonical sentence.

    >>> str(Clue("divisible", (3,), negated=True))
    'It is not divisible by 3.'
    """

    kind: str
    numbers: tuple[int, ...] = ()
    negated: bool = False
    meaning: frozenset[int] = field(init=False, repr=False, compare=False)
    """The numbers from 1 to 30 of which the clue is true."""
    is_sensible: bool = field(init=False, repr=False, compare=False)
    """Whether it is among CLUES; computed once, because it is checked for every clue written."""

    def __post_init__(self) -> None:
        kind = _BY_NAME.get(self.kind) if isinstance(self.kind, str) else None
        if (
            kind is None
            or type(self.numbers) is not tuple
            or [*map(type, self.numbers)] != [int] * len(kind.example)
            or type(self.negated) is not bool
            or (self.negated and kind.contrary != NEGATED)
        ):
            raise NotUnderstood(f"No clue can be made of {shown_value(self.kind)} and the rest.")
        meaning = numbers_that_pass(kind.term, kind.test_for(*self.numbers))
        meaning = EVERY - meaning if self.negated else meaning
        object.__setattr__(self, "meaning", meaning)
        object.__setattr__(self, "is_sensible", self.numbers in _CHOICES[self.kind])

    def __str__(self) -> str:
        return f"{_BY_NAME[self.kind].subject} {self.predicate}."

    @property
    def predicate(self) -> str:
        """What the sentence says of its subject."""
        kind = _BY_NAME[self.kind]
        return (kind.denies if self.negated else kind.says).format(*self.numbers)

    def holds(self, number: int) -> bool:
        """Whether the clue is true of this number."""
        return number in self.meaning

    @property
    def contrary(self) -> Clue | None:
        """The clue that is true exactly where this one is false, if the language can express it."""
        kind = _BY_NAME[self.kind]
        if kind.contrary == NEGATED:
            return Clue(self.kind, self.numbers, not self.negated)
        return Clue(kind.contrary, self.numbers) if kind.contrary else None


def _list_clues(kinds: Sequence[Kind]) -> Iterator[Clue]:
    """The clues of these kinds, those with the same meaning together."""
    groups: dict[frozenset[int], list[Clue]] = {}
    for kind in kinds:
        for numbers in kind.choices:
            for negated in (False, True) if kind.contrary == NEGATED else (False,):
                clue = Clue(kind.name, numbers, negated)
                groups.setdefault(clue.meaning, []).append(clue)
    for clues in groups.values():
        yield from clues


FIRST_CLUES: Final[tuple[Clue, ...]] = tuple(_list_clues(KINDS[:FIRST_KINDS]))
LATER_CLUES: Final[tuple[Clue, ...]] = tuple(
    clue for kind in KINDS[FIRST_KINDS:] for clue in _list_clues([kind])
)
CLUES: Final = (*FIRST_CLUES, *LATER_CLUES) if LATER_CLUES else FIRST_CLUES
"""Every clue; a kind that is added to the table moves none of them."""


def _places() -> dict[frozenset[int], list[Run]]:
    runs: dict[frozenset[int], list[Run]] = {}
    for place, clue in enumerate(CLUES):
        found = runs.setdefault(clue.meaning, [])
        first = found.pop()[0] if found and found[-1][1] == place else place
        found.append((first, place + 1))
    return runs


PLACES: Final = _places()
"""Where the clues of each meaning stand among CLUES."""
MEANINGS: Final = {
    meaning: [clue for first, end in runs for clue in CLUES[first:end]]
    for meaning, runs in PLACES.items()
}
"""Every meaning that can be expressed, with the clues that express it."""


class TrueClues(Sublist[Clue]):
    """Clues that are true of a code, found by their meanings."""

    def __contains__(self, clue: object) -> bool:
        if not isinstance(clue, Clue) or not clue.is_sensible:
            return False
        return self.has_place(PLACES[clue.meaning][0][0])


@cache
def clues_about(code: int) -> TrueClues:
    """The clues that are true of this code, in the order of CLUES."""
    true = (place for place, clue in enumerate(CLUES) if code in clue.meaning)
    return TrueClues(CLUES, array("q", true))


def clues_left(code: int, earlier: Sequence[Clue]) -> TrueClues:
    """The clues about a code, except those that mean the same as an earlier one."""
    about = clues_about(code)
    gaps = [run for clue in earlier for run in PLACES[clue.meaning]]
    return about.without(gaps) if gaps else about


DRAWN: Final = tuple(
    clue
    for clue in CLUES
    if EVERYDAY_NUMBERS.issuperset(clue.numbers)
    and len(clue.meaning) >= LEFT_BY_A_DRAWN_CLUE
    and not (clue.negated and clue.kind in (*_ODD_DENIALS, "between"))
    and clue.kind != "different"
)
"""The clues that every face draws or suggests: plain, and so weak that none gives a number away.

"It is not equal to 10." is not among them: it is the weakest there is, so nothing would be left to
decide, and every draw would be much like the last one.
"""
EVERYDAY: Final = (Clue("even"), Clue("odd"), Clue("greater", (10,)), Clue("less", (20,)))
"""Clues of which at least two are true of any number."""


# --- which clues may be given -------------------------------------------------------------------


def check_clue(clue: Clue, code: int, earlier: Sequence[Clue]) -> None:
    """Refuse a clue that is false of the code, or that says the same as an earlier one."""
    check_sense(clue, code)
    if code not in clue.meaning:
        contrary = clue.contrary
        truth = _BY_NAME[clue.kind].truth(code, *clue.numbers)
        truth = truth or f"{code} {contrary and contrary.predicate}."
        accepted = f'This is true: "{contrary}"' if contrary else "Name another number."
        raise NotLegal(truth, accepted, SafeCodeRule.TRUE_CLUES)
    for other in earlier:
        if other.meaning == clue.meaning:
            reason = f'That says the same as your clue "{other}"'
            raise NotLegal(reason, "Say something new.", SafeCodeRule.DIFFERENT_CLUES)


def check_sense(clue: Clue, code: int | None = None) -> None:
    """Refuse a clue that rules out nothing or everything, or uses numbers that no clue may use."""
    if clue.is_sensible:
        return
    reason = f"{quote(str(clue), 60)} {sense_problem(clue.meaning)}."
    raise NotLegal(reason, offer([clue], code), SafeCodeRule.TELLING_CLUES)


def sense_problem(meaning: frozenset[int]) -> str:
    """Why what is true of these numbers makes no clue."""
    bounds = f"number from {LOWEST} to {HIGHEST}"
    problems = {0: f"fits no {bounds}", len(NUMBERS): f"rules out no {bounds}"}
    return problems.get(len(meaning), "uses numbers that no clue may use")


def closest_clue(meaning: frozenset[int], heard: Collection[str] = ()) -> Clue | None:
    """The clue with this meaning that has most of the words heard; the table's first of several.

    >>> str(closest_clue(frozenset({11, 22})))
    'It is divisible by 11.'
    >>> str(closest_clue(frozenset({11, 22}), ["two", "equal", "digits"]))
    'It has two equal digits.'
    """
    clues = MEANINGS.get(meaning, ())
    return max(clues, key=lambda clue: len(_told_by(clue).intersection(heard)), default=None)


def _told_by(clue: Clue) -> set[str]:
    return {*filter(str.isalpha, clue.predicate.split())} - _SAID_BY_MOST


def strongest(meaning: frozenset[int], heard: Collection[str] = ()) -> list[Clue]:
    """The clues that follow from what is true of these numbers, none weaker than another.

    Of clues that mean the same it is the one closest to the words heard.

    >>> [str(clue) for clue in strongest(frozenset({3, 9, 15, 21, 27}))]
    ['It leaves remainder 3 when divided by 6.']
    """
    wider = sorted((each for each in MEANINGS if meaning <= each and len(each) > 1), key=len)
    minimal: list[frozenset[int]] = []
    for each in wider:
        if not any(smaller <= each for smaller in minimal):
            minimal.append(each)
    clues = [clue for each in minimal if (clue := closest_clue(each, heard))]
    return sorted(clues, key=lambda clue: clue.negated and clue.kind in _ODD_DENIALS)


def offer(clues: Iterable[Clue], code: int | None = None) -> str:
    """A few sentences to try, each with the nearest numbers that make sense.

    If the code is known, all are true of it.
    """
    near = (_nearest_true(clue, code) for clue in clues)
    found = [*dict.fromkeys(clue for clue in near if clue)]
    if not found and code is not None:
        found = [clue for clue in EVERYDAY if code in clue.meaning]
    *most, last = [f'"{clue}"' for clue in found[:3]]
    return f"Try: {', '.join(most)} or {last}" if most else f"Try: {last}"


def _nearest_true(clue: Clue, code: int | None) -> Clue | None:
    for near in nearest(_BY_NAME[clue.kind], clue.numbers, clue.negated):
        if code is None or (code in near.meaning and len(near.meaning) > 1):
            return near
    return None


def nearest(kind: Kind, numbers: Sequence[int], negated: bool = False) -> Iterator[Clue]:
    """The clues of this kind, those nearest to these numbers (or to the example's) first."""
    wanted = sorted(numbers) if len(numbers) == len(kind.example) else kind.example

    def distance(choice: tuple[int, ...]) -> int:
        return sum(abs(a - b) for a, b in zip(choice, wanted, strict=True))

    for choice in sorted(kind.choices, key=distance):
        yield Clue(kind.name, choice, negated)
