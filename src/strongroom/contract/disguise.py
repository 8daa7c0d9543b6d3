"""Disguises: a game in other words, which tell exactly what its own words tell.

A disguise lets words change places, in everything that a player is told and says: `code` with
`plan`, say, and `plan` with `code`. Doing that twice gives the first text again, so no two texts
become alike, and length and layout stay. Which words, a seed draws from the game's table.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from random import Random
from typing import Any, ClassVar, Final

from strongroom.contract.moves import NAMES, Move, Names
from strongroom.contract.refusal import Refusal
from strongroom.contract.view import View
from strongroom.contract.words import Question, R, Turn, Words

FIXED: Final = "0"
"""The seed of the disguise that is always the same: the first words, the symbols as they are."""
ALPHABETS: Final = ("BCDEFGH", "JKLMN", "PQRSTUVWXYZ")
"""Where letters for symbols are drawn from: in order, because symbols may have one."""
KEPT: Final = r"(?m:^\d+\. )|\bPlayer \d|\d+ exact\b"
"""Numbers that are no symbols: of lines, of players, and of matches."""


class Swap:
    """Words, and symbols, that change places in a text; done twice, it gives the text again.

    >>> swap = Swap({"code": "plan", "guess": "probe"}, {"1": "P", "2": "Q"})
    >>> swap("Your code: 1-2. Guess again."), swap(swap("The Code 1 of Player 1"))
    ('Your plan: P-Q. Probe again.', 'The Code 1 of Player 1')
    """

    def __init__(self, words: Mapping[str, str], symbols: Mapping[str, str] | None = None) -> None:
        self._words = {**words, **{new: old for old, new in words.items()}}
        symbols = symbols or {}
        self._symbols = str.maketrans({**symbols, **{new: old for old, new in symbols.items()}})
        longest_first = sorted(self._words, key=len, reverse=True)
        forms = "|".join(map(re.escape, longest_first))
        parts = [f"(?<![^\\W\\d_])((?i:{forms}))(?![^\\W\\d_])"]
        if symbols:
            kinds = ("".join(symbols), "".join(symbols.values()))
            runs = "|".join(f"[{kind}]+" for kind in kinds)
            parts = [parts[0], KEPT, f"(?<!\\w)(?:{runs})(?!\\w)"]
        self._pattern = re.compile("|".join(parts))
        self._kept = re.compile(KEPT)

    def __call__(self, text: str) -> str:
        """The text with the words and symbols in each other's places."""
        return self._pattern.sub(self._other, text)

    def _other(self, found: re.Match[str]) -> str:
        text = found[0]
        if found[1] is None:
            return text if self._kept.fullmatch(text) else text.translate(self._symbols)
        other = self._words[text.lower()]
        if text.isupper():
            return other.upper()
        if text.istitle():
            return other.title()
        return other[:1].upper() + other[1:] if text[:1].isupper() else other


def _retold(name: str) -> Callable[..., Any]:
    """What the game's own words say, retold in other ones."""

    def tell(self: Disguise[Any], *given: Any, **more: Any) -> Any:
        return self.retell(getattr(self.plain, name)(*given, **more))

    tell.__doc__ = f"The same as `Words.{name}`, in other words."
    return tell


class Disguise(Words[R]):
    """A game in other words, for players who would know it by its own.

    A game registers its disguise as the set of words `GAME.disguise`.
    """

    title = "A game in other words"
    terms: ClassVar[str] = ""
    """A line for each word of the game, like `code codes: plan plans | tune tunes`.

    After its forms follow others that may stand for it, each in the same forms and none of them a
    word of the game's own texts; `_` is a blank. A word may have several lines.
    """
    lettered: ClassVar[str] = ""
    """The digits of moves, in order, that a seed may write as letters if no option is chosen."""

    def __init__(self, game: R, seed: str = FIXED) -> None:
        super().__init__(game)
        plain: Any = game
        self.seed = seed
        self.plain: Words[R] = plain.words_type(game)
        """The game's own words."""
        usual: Any = type(game)
        rng = Random(f"disguise {seed} of {plain.name}")
        words = self._draw_words(rng)
        symbols = self._draw_symbols(rng) if plain.options == usual().options else {}
        self.swap = Swap(words, symbols)
        """The words and symbols that change places."""
        small = "".join(symbols.values()).lower()
        self._small = re.compile(f"(?<!\\w)[{small}]+(?!\\w)" if small.isalpha() else "(?!)")
        self._order = rng.random()
        told = self.retell
        self.title, self.goal = told(self.plain.title), told(self.plain.goal)  # type: ignore[misc]
        self.secret_name = told(self.plain.secret_name)  # type: ignore[misc]
        self.result_name = told(self.plain.result_name)  # type: ignore[misc]

    @classmethod
    def alternatives(cls) -> Mapping[tuple[str, ...], Sequence[tuple[str, ...]]]:
        """For the forms of each word of the table, those of the words that may stand for it."""
        found: dict[tuple[str, ...], list[tuple[str, ...]]] = {}
        for line in filter(None, map(str.strip, cls.terms.splitlines())):
            own, _, others = line.partition(":")
            found.setdefault(_forms(own), []).extend(map(_forms, others.split("|")))
        return found

    def _draw_words(self, rng: Random) -> dict[str, str]:
        words: dict[str, str] = {}
        for own, others in self.alternatives().items():
            new = others[0] if self.seed == FIXED else rng.choice(others)
            words.update(zip(own, new, strict=True))
        return words

    def _draw_symbols(self, rng: Random) -> dict[str, str]:
        """Letters for the symbols, in their order; in a share of the disguises, none."""
        own, size = self.lettered, len(self.lettered)
        rows = [row[at : at + size] for row in ALPHABETS for at in range(len(row) - size + 1)]
        free = [row for row in rows if not {*row} & {*"".join(self.plain.symbols)}]
        drawn = rng.choice(["", *free])
        return {} if self.seed == FIXED else dict(zip(own, drawn, strict=False))

    def retell(self, told: Any) -> Any:
        """A text, or what is made of texts, in other words; anything else as it is."""
        if isinstance(told, str):
            return self.swap(told)
        if isinstance(told, list):
            return [self.retell(each) for each in told]
        if isinstance(told, Refusal):
            told.reason, told.accepted = self.swap(told.reason), self.swap(told.accepted)
        elif isinstance(told, Turn):
            given = [self.retell(each) for each in told]
            return Turn(*given)
        return told

    @property
    def told_rules(self) -> str:
        """The rules in other words, with their sections in an order drawn by the seed."""
        first, *sections = self.plain.told_rules.split("\n\n## ")
        last = [each for each in sections if each.startswith("Options")]
        others = [each for each in sections if each not in last]
        if self.seed != FIXED:
            Random(self._order).shuffle(others)
        told: str = self.retell("\n\n## ".join([first, *others, *last]))
        return told

    def question(self, view: View, names: Names = NAMES) -> Question:
        """The question for a whole move."""
        asked = self.asked_at_once(view, names)
        prompt, *accepted = re.split("(?<=[?:]) ", asked, maxsplit=1)
        return Question(prompt, accepted[0] if accepted else asked)

    def heard(self, text: str) -> str:
        """What a player said, in the game's own words; letters for symbols may be small ones."""
        return self.swap(self._small.sub(lambda found: found[0].upper(), text))

    def parse(self, text: str, view: View) -> Move:
        """The move that the game's own words read; a refusal is retold."""
        with self._retelling():
            return self.plain.parse(self.heard(text), view)

    def legal_move(self, text: str, view: View) -> Move:
        """The same, if it is legal."""
        with self._retelling():
            return self.plain.legal_move(self.heard(text), view)

    @contextmanager
    def _retelling(self) -> Iterator[None]:
        try:
            yield
        except Refusal as refusal:
            raise self.retell(refusal) from None

    def understand(self, text: str, view: View) -> Move:
        """The same: a typed line has to name the move."""
        return self.parse(text, view)

    def reword_refusal(self, refusal: Refusal, view: View) -> Refusal:
        """A refusal by the rules, in other words."""
        told: Refusal = self.retell(self.plain.reword_refusal(refusal, view))
        return told

    text = _retold("text")
    mention = _retold("mention")
    asked_at_once = _retold("asked_at_once")
    known_lines = _retold("known_lines")
    notes = _retold("notes")
    note = _retold("note")
    turn = _retold("turn")
    written = _retold("written")
    announce = _retold("announce")
    narrate = _retold("narrate")
    picture = _retold("picture")
    ending = _retold("ending")
    win_text = _retold("win_text")

    def closing(self, view: View, names: Names = NAMES, here: object = None) -> str:
        """Nothing: the record tells how it ended."""
        return ""


def _forms(word: str) -> tuple[str, ...]:
    return tuple(form.replace("_", " ") for form in word.split())
