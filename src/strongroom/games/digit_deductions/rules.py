"""Digit Deductions: guess the opponent's two digits from how far off each guess is."""

from __future__ import annotations

from typing import Any, Self

from strongroom.contract import Event, Outcome, Reason, Seat
from strongroom.games.codes import CodeSpace
from strongroom.games.guessing import GuessingGame, GuessingState

NUMBERS = CodeSpace(length=2, highest=9, noun="number")
"""Two digits from 1 to 9, the same or different; never zero."""


class DigitDeductionsReason(Reason):
    """The player who guesses the opponent's number wins."""

    GUESSED = "guessed"


class DigitDeductions(GuessingGame):
    """Find two digits from how far off each guess is."""

    name = "digit-deductions"
    reasons = DigitDeductionsReason
    space = NUMBERS

    @staticmethod
    def digit_feedback(hidden: Any, guessed: Any, /) -> Any:
        """What one digit adds to the feedback, the sum of the absolute differences.

        >>> DigitDeductions().answer(NUMBERS.parse("5 7"), NUMBERS.parse("6 8"))
        2
        """
        return abs(hidden - guessed)

    def start(self) -> DigitDeductionsState:
        """The set-up: nobody has chosen a number."""
        return DigitDeductionsState.first(self, None)


class DigitDeductionsState(GuessingState[DigitDeductions]):
    """Both numbers, and every guess with its feedback."""

    __slots__ = ()

    def after_guess(self, seat: Seat, event: Event) -> Self:
        """Announcing a guess and receiving feedback; a correct guess wins immediately."""
        if event.answer == 0:
            return self.after(event, None, None, Outcome(seat, DigitDeductionsReason.GUESSED))
        return self.after(event, None, seat.other)
