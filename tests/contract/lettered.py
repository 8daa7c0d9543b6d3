"""A game as another package may write it: the text of a secret is not its numbers."""

from __future__ import annotations

from typing import Any

from strongroom.contract import Cells, Control, Move, NotUnderstood, View
from strongroom.games.codes import Code, CodeSpace
from strongroom.games.digit_deductions.rules import DigitDeductions
from strongroom.games.digit_deductions.words import DigitDeductionsWords


class Letter(Code):
    """A letter from A to E, hidden or guessed."""

    __slots__ = ()

    def __str__(self) -> str:
        return "ABCDE"[self.digits[0] - 1]


ALL = tuple(Letter((number,)) for number in range(1, 6))


class Letters(CodeSpace):
    """The letters; each is typed as itself."""

    codes = ALL
    accepts = "Type a letter from A to E."

    def parse(self, text: str) -> Code:
        for letter in ALL:
            if str(letter) == text.upper():
                return letter
        raise NotUnderstood("That is not a letter.", self.accepts)


class LetteredWords(DigitDeductionsWords):
    """What is said."""

    title = "Lettered"

    def control(self, view: View) -> Control:
        return Cells([[*map(str, ALL)]])


class Lettered(DigitDeductions):
    """Guess the other's letter."""

    name = "lettered"
    space = Letters(1, 5, "letter")
    words_type = LetteredWords

    @staticmethod
    def digit_feedback(hidden: Any, guessed: Any, /) -> Any:
        return hidden != guessed

    def secret_of(self, candidate: tuple[int, ...]) -> Move:
        return ALL[candidate[0] - 1]
