"""A game as another package may write it: the text of a secret is not its numbers."""

from __future__ import annotations

from typing import Any, Self

from strongroom.contract import Cells, Control, Event, NotUnderstood, Seat, View
from strongroom.games.codes import Code, CodeSpace
from strongroom.games.digit_deductions.rules import DigitDeductions, DigitDeductionsState
from strongroom.games.digit_deductions.words import DigitDeductionsWords


class Letter(Code):
    __slots__ = ()

    def __str__(self) -> str:
        return "ABCDE"[self.digits[0] - 1]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Code) and other.digits == self.digits

    __hash__ = Code.__hash__


ALL = tuple(Letter((number,)) for number in range(1, 6))
BOARD: Any = 0


class Letters(CodeSpace):
    codes = ALL
    accepts = "Type a letter from A to E."

    def parse(self, text: str) -> Code:
        for letter in ALL:
            if str(letter) == text.upper():
                return letter
        raise NotUnderstood("That is not a letter.", self.accepts)


class LetteredState(DigitDeductionsState):
    """Guesses beside a board that stays as it is."""

    __slots__ = ()

    def after_guess(self, seat: Seat, event: Event) -> Self:
        return super().after_guess(seat, event)._replace(board=BOARD)


class LetteredWords(DigitDeductionsWords):
    title, rules = "Lettered", "Find the letter."

    def control(self, view: View) -> Control:
        return Cells([[*map(str, ALL)]])


class Lettered(DigitDeductions):
    name = "lettered"
    space = Letters(1, 5, "letter")
    words_type = LetteredWords

    def start(self) -> LetteredState:
        return LetteredState.first(self, BOARD)

    def board_from_json(self, data: Any) -> Any:
        return data

    @staticmethod
    def digit_feedback(hidden: Any, guessed: Any, /) -> Any:
        return hidden != guessed
