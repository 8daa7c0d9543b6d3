"""The clue language of Safe Code: true English sentences about a number from 1 to 30.

It is one table, `KINDS`: what can be said, how it is printed, in which everyday wordings it is
understood, what its contrary is and what the help shows. A new kind of clue is a new entry there,
and nothing else; `reading` understands sentences with it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import combinations, compress, repeat
from typing import Final

from strongroom.contract import Move, NotLegal, NotUnderstood, Rule, shown, shown_value

LOWEST: Final = 1
HIGHEST: Final = 30
NUMBERS: Final = range(LOWEST, HIGHEST + 1)
EVERY: Final = frozenset(NUMBERS)


class SafeCodeRule(Rule):
    """The rules that can forbid a clue, or a request for one."""

    TRUE_CLUES = "a clue is true"
    TELLING_CLUES = "a clue rules something out"
    DIFFERENT_CLUES = "clues differ in meaning"
    NO_FOURTH_CLUE = "no fourth clue"


# --- the table ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of clue; `{0}` and `{1}` in its texts stand for the clue's numbers.

    A wording is a regular expression over what `reading` leaves of a sentence: lower case, digits
    for number words, "not" for every negation, and no articles, copulas or names of the number.
    Words that two kinds list as a wording are ambiguous.
    """

    name: str
    subject: str
    says: str
    contrary: str  # the predicate, or the name of the kind, that says the contrary; or nothing
    true: Callable[..., bool]
    wordings: tuple[str, ...]
    brief: str  # the shortest usual wording, for the help
    choices: tuple[tuple[int, ...], ...] = ((),)  # what its clues can be about, ascending
    example: tuple[int, ...] = ()
    fact: Callable[..., str] | None = None  # the truth, where the contrary would only hint at it

    @property
    def negatable(self) -> bool:
        """Whether the contrary is said by a clue of this same kind, negated."""
        return " not " in self.contrary


def _each(numbers: Iterable[int]) -> tuple[tuple[int, ...], ...]:
    return tuple((number,) for number in numbers)


def _is_prime(x: int) -> bool:
    return x > 1 and all(x % d for d in range(2, x))


def _digit_sum(x: int) -> int:
    return sum(map(int, str(x)))


def _tell_digit_sum(x: int, _: int) -> str:
    return f"The digit sum of {x} is {_digit_sum(x)}."


GREATER: Final = "((greater|bigger|larger|higher|more) than|over|above|exceeds?|>)"
LESS: Final = "((less|smaller|lower|fewer) than|under|below|<)"
AT_LEAST: Final = f"(at least|minimum( of)?|>=|{GREATER} or)"
AT_MOST: Final = f"(at most|maximum( of)?|<=|{LESS} or)"
OR_MORE: Final = "(or|and) (more|greater|bigger|larger|higher|above|over|up)"
OR_LESS: Final = "(or|and) (less|fewer|smaller|lower|below|under)"
DIGIT_SUM: Final = "((has )?digit sum( of)?|sum of digits( of)?|digits (add|sum|total)( up)?( to)?)"
DIVIDED: Final = "((when|if|after|on|upon) )?(divided|division|dividing) by"

# fmt: off
KINDS: Final = (
    Kind("even", "The number", "is even", "odd", lambda x: x % 2 == 0, ("even",), "even"),
    Kind("odd", "The number", "is odd", "even", lambda x: x % 2 == 1, ("odd",), "odd"),
    Kind("prime", "The number", "is a prime", "is not a prime", _is_prime, ("prime",), "prime"),
    Kind("composite", "The number", "is composite", "is not composite",
         lambda x: x > 1 and not _is_prime(x), ("composite",), "composite"),
    Kind("greater", "It", "is greater than {0}", "at most", lambda x, n: x > n,
         (GREATER + " {0}", "{0} <", "{0}"), "> {0}", _each(range(1, 30)), (15,)),
    Kind("less", "It", "is less than {0}", "at least", lambda x, n: x < n,
         (LESS + " {0}", "{0} >", "{0}"), "< {0}", _each(range(2, 31)), (10,)),
    Kind("at least", "It", "is at least {0}", "less", lambda x, n: x >= n,
         (AT_LEAST + " {0}", "{0} " + OR_MORE, "{0} <="), ">= {0}", _each(range(2, 31)), (12,)),
    Kind("at most", "It", "is at most {0}", "greater", lambda x, n: x <= n,
         (AT_MOST + " {0}", "up to {0}", "{0} " + OR_LESS, "{0} >="), "<= {0}",
         _each(range(1, 30)), (20,)),
    Kind("between", "It", "is between {0} and {1}, inclusive",
         "is not between {0} and {1}, inclusive", lambda x, a, b: a <= x <= b,
         ("between {0} (and|to|&) {1}", "((in )?range )?(from )?{0} (to|through) {1}",
          "{0} <= <= {1}"), "{0} to {1}",
         tuple(pair for pair in combinations(NUMBERS, 2) if pair != (LOWEST, HIGHEST)), (5, 9)),
    Kind("divisible", "It", "is divisible by {0}", "is not divisible by {0}",
         lambda x, n: n != 0 and x % n == 0,
         ("divisible by {0}", "multiple of {0}", "(divides?|can divided) by {0}",
          "{0} (divides|factor of|divisor of|goes into)", "has {0} as (factor|divisor)",
          "in {0} times table", "{0}"), "multiple of {0}", _each(range(2, 31)), (3,)),
    Kind("factor", "It", "is a factor of {0}", "is not a factor of {0}", lambda x, n: n % x == 0,
         ("(factor|divisor) of {0}", "(divides?|goes|go)( into)? {0}",
          "{0} (divisible by|multiple of)"), "divides {0}", _each(range(1, 101)), (24,)),
    Kind("square", "The number", "is a perfect square", "is not a perfect square",
         {1, 4, 9, 16, 25}.__contains__, ("(perfect )?square",), "square"),
    Kind("cube", "The number", "is a perfect cube", "is not a perfect cube",
         {1, 8, 27}.__contains__, ("(perfect )?(cube|cubic)",), "cube"),
    Kind("triangular", "The number", "is a triangular number", "is not a triangular number",
         {1, 3, 6, 10, 15, 21, 28}.__contains__, ("triangular", "triangle"), "triangular"),
    Kind("fibonacci", "The number", "is a Fibonacci number", "is not a Fibonacci number",
         {1, 2, 3, 5, 8, 13, 21}.__contains__, ("(in )?fibonacci( sequence)?",), "Fibonacci"),
    Kind("one digit", "The number", "has one digit", "two digits", lambda x: x < 10,
         ("(has )?(only )?(1|single) digits?", "of digits 1"), "one digit"),
    Kind("two digits", "The number", "has two digits", "one digit", lambda x: x > 9,
         ("(has )?(2|double) digits?", "of digits 2"), "two digits"),
    Kind("digit sum", "Its digit sum", "is {0}", "is not {0}", lambda x, n: _digit_sum(x) == n,
         (DIGIT_SUM + " {0}", "digit {0}"), "digits add up to {0}",
         _each(range(1, 12)), (9,), _tell_digit_sum),
    Kind("digit sum greater", "Its digit sum", "is greater than {0}", "digit sum at most",
         lambda x, n: _digit_sum(x) > n, (f"{DIGIT_SUM} {GREATER} {{0}}",),
         "digit sum > {0}", _each(range(1, 11)), (6,), _tell_digit_sum),
    Kind("digit sum less", "Its digit sum", "is less than {0}", "digit sum at least",
         lambda x, n: _digit_sum(x) < n, (f"{DIGIT_SUM} {LESS} {{0}}",),
         "digit sum < {0}", _each(range(2, 12)), (4,), _tell_digit_sum),
    Kind("digit sum at least", "Its digit sum", "is at least {0}", "digit sum less",
         lambda x, n: _digit_sum(x) >= n, (f"{DIGIT_SUM} {AT_LEAST} {{0}}",),
         "digit sum >= {0}", _each(range(2, 12)), (7,), _tell_digit_sum),
    Kind("digit sum at most", "Its digit sum", "is at most {0}", "digit sum greater",
         lambda x, n: _digit_sum(x) <= n, (f"{DIGIT_SUM} {AT_MOST} {{0}}",),
         "digit sum <= {0}", _each(range(1, 11)), (5,), _tell_digit_sum),
    Kind("last digit", "Its last digit", "is {0}", "is not {0}", lambda x, d: x % 10 == d,
         ("(has )?(last|final|units?|ones) digit( of)? {0}",
          "(ends?|ending) (in|with|on) (digit )?{0}", "digit {0}"), "ends in {0}",
         _each(range(10)), (8,), fact=lambda x, d: f"The last digit of {x} is {x % 10}."),
    Kind("contains", "It", "contains the digit {0}", "does not contain the digit {0}",
         lambda x, d: 0 <= d <= 9 and str(d) in str(x),
         ("(contains?|includes?|has|with|uses?) digit {0}( in)?",
          "(contains?|includes?) {0}( as digit)?", "((has|with|there) )?{0} in",
          "has {0} (as|among) digits?", "1 of digits {0}", "digit {0}"), "has a {0} in it",
         _each(range(10)), (2,)),
    Kind("remainder", "It", "leaves remainder {0} when divided by {1}",
         "does not leave remainder {0} when divided by {1}",
         lambda x, r, m: m != 0 and x % m == r,
         ("((leaves?|gives?|has) )?(remainder( of)? )?{0} " + DIVIDED + " {1}",
          DIVIDED + " {1} ((leaves?|gives?|has) )?(remainder( of)? )?{0}",
          "remainder " + DIVIDED + " {1} {0}", "(remainder )?(mod|modulo|%) {1} {0}",
          "(remainder |congruent to )?{0} (mod|modulo) {1}"), "n mod {1} = {0}",
         tuple((r, m) for m in range(2, HIGHEST // 2 + 1) for r in range(m)), (2, 5),
         fact=lambda x, r, m: f"{x} leaves remainder {x % m} when divided by {m}."),
    Kind("different", "It", "is not equal to {0}", "", lambda x, n: x != n,
         ("not {0}", "(!=|different from|other than|unequal to) {0}"), "not {0}",
         _each(NUMBERS), (7,), fact=lambda x, n: f"The number is {x}."),
)
# fmt: on
_BY_NAME: Final = {kind.name: kind for kind in KINDS}
_CHOICES: Final = {kind.name: frozenset(kind.choices) for kind in KINDS}

# --- clues --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Clue(Move):
    """A statement about the number; `str(clue)` is its one canonical sentence.

    >>> str(Clue("divisible", (3,), negated=True))
    'It is not divisible by 3.'
    """

    kind: str
    numbers: tuple[int, ...] = ()
    negated: bool = False
    meaning: frozenset[int] = field(init=False, repr=False, compare=False)
    """The numbers from 1 to 30 of which the clue is true."""
    is_sensible: bool = field(init=False, repr=False, compare=False)
    """Whether it is among CLUES: known at once, because every clue that is written is asked."""

    def __post_init__(self) -> None:
        kind = _BY_NAME.get(self.kind) if isinstance(self.kind, str) else None
        if (
            kind is None
            or type(self.numbers) is not tuple
            or [*map(type, self.numbers)] != [int] * len(kind.example)
            or type(self.negated) is not bool
            or (self.negated and not kind.negatable)
        ):
            raise NotUnderstood(f"No clue can be made of {shown_value(self.kind)} and the rest.")
        meaning = frozenset(compress(NUMBERS, map(kind.true, NUMBERS, *map(repeat, self.numbers))))
        meaning = EVERY - meaning if self.negated else meaning
        object.__setattr__(self, "meaning", meaning)
        object.__setattr__(self, "is_sensible", self.numbers in _CHOICES[self.kind])

    def __str__(self) -> str:
        return f"{_BY_NAME[self.kind].subject} {self.predicate}."

    @property
    def predicate(self) -> str:
        """What the sentence says of its subject."""
        kind = _BY_NAME[self.kind]
        return (kind.contrary if self.negated else kind.says).format(*self.numbers)

    def holds(self, number: int) -> bool:
        """Whether the clue is true of this number."""
        return _BY_NAME[self.kind].true(number, *self.numbers) is not self.negated

    @property
    def contrary(self) -> Clue | None:
        """The clue that is true exactly where this one is false, if the language can say it."""
        kind = _BY_NAME[self.kind]
        if kind.negatable:
            return Clue(self.kind, self.numbers, not self.negated)
        return Clue(kind.contrary, self.numbers) if kind.contrary else None


def _meanings() -> dict[frozenset[int], list[Clue]]:
    groups: dict[frozenset[int], list[Clue]] = {}
    for kind in KINDS:
        for numbers in kind.choices:
            for negated in (False, True) if kind.negatable else (False,):
                clue = Clue(kind.name, numbers, negated)
                groups.setdefault(clue.meaning, []).append(clue)
    return groups


MEANINGS: Final = _meanings()
"""Every meaning that can be expressed, with the clues that express it."""

CLUES: Final[tuple[Clue, ...]] = tuple(clue for clues in MEANINGS.values() for clue in clues)


@cache
def clues_about(code: int) -> tuple[Clue, ...]:
    """The clues that are true of this code, in the order of CLUES."""
    groups = (clues for meaning, clues in MEANINGS.items() if code in meaning)
    return tuple(clue for clues in groups for clue in clues)


# --- which clues may be given -------------------------------------------------------------------


def check_clue(clue: Clue, code: int, earlier: Sequence[Clue]) -> None:
    """Refuse a clue that is false of the code, or says the same as an earlier one."""
    check_sense(clue)
    if code not in clue.meaning:
        contrary, fact = clue.contrary, _BY_NAME[clue.kind].fact
        truth = fact(code, *clue.numbers) if fact else f"{code} {contrary and contrary.predicate}."
        accepted = f'True is: "{contrary}"' if contrary else "Name another number."
        raise NotLegal(truth, accepted, SafeCodeRule.TRUE_CLUES)
    for other in earlier:
        if other.meaning == clue.meaning:
            reason = f'That says the same as your clue "{other}"'
            raise NotLegal(reason, "Say something new.", SafeCodeRule.DIFFERENT_CLUES)


def check_sense(clue: Clue) -> None:
    """Refuse a clue that rules out nothing or everything, or uses numbers that none may use."""
    if clue.is_sensible:
        return
    bounds = f"number from {LOWEST} to {HIGHEST}"
    problems = {0: f"fits no {bounds}", len(NUMBERS): f"rules out no {bounds}"}
    problem = problems.get(len(clue.meaning), "uses numbers that no clue may use")
    reason = f"{shown(str(clue), 60)} {problem}."
    raise NotLegal(reason, offer([clue]), SafeCodeRule.TELLING_CLUES)


def offer(clues: Iterable[Clue]) -> str:
    """A few sentences to try, each brought to the nearest numbers that make sense."""
    near = [with_numbers(_BY_NAME[clue.kind], clue.numbers, clue.negated) for clue in clues]
    *most, last = [f'"{clue}"' for clue in dict.fromkeys(near)][:3]
    return f"Try: {', '.join(most)} or {last}" if most else f"Try: {last}"


def with_numbers(kind: Kind, numbers: Sequence[int], negated: bool = False) -> Clue:
    """The clue of this kind nearest to these numbers; without fitting numbers, the example."""
    if len(numbers) != len(kind.example):
        return Clue(kind.name, kind.example, negated)

    def distance(choice: tuple[int, ...]) -> int:
        return sum(abs(a - b) for a, b in zip(choice, sorted(numbers), strict=True))

    return Clue(kind.name, min(kind.choices, key=distance), negated)
