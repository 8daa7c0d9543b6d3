"""Digit Deductions: guess the other's two digits from how far off each guess is."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Self

from strongroom.contract import (
    Actions,
    Block,
    Event,
    Game,
    Move,
    NotLegal,
    Outcome,
    Phase,
    Reason,
    Seat,
    State,
)
from strongroom.games.codes import Code, CodeSpace
from strongroom.games.guessing import Unguessed

NUMBERS = CodeSpace(length=2, highest=9, noun="number")
"""Two digits from 1 to 9, alike or different; zero never."""


class Guessed(Reason):
    """Who guesses the other's number wins."""

    GUESSED = "guessed"


def difference(hidden: int, guessed: int) -> int:
    """What one digit adds to the feedback."""
    return abs(hidden - guessed)


def distance(secret: Code, guess: Code) -> int:
    """The feedback: the sum of the absolute differences, digit by digit.

    >>> distance(NUMBERS.parse("6 8"), NUMBERS.parse("5 7"))
    2
    """
    a, b = secret.digits
    c, d = guess.digits
    return difference(a, c) + difference(b, d)


class DigitDeductions(Game):
    """Find two digits from how far off each guess is."""

    name = "digit-deductions"
    reasons = Guessed
    secrets_each = 1

    def candidates(self, seat: Seat) -> Unguessed:
        """The numbers that fit the feedback to a seat's guesses; before the first, all of them."""
        return Unguessed.all_of(NUMBERS, seat, difference)

    def start(self) -> DigitDeductionsState:
        """The set-up: nobody has chosen a number."""
        return DigitDeductionsState.first(self, None)

    @cached_property
    def actions(self) -> Actions:
        """The two-digit numbers: each is hidden in the set-up and guessed in a turn."""
        return Actions(Block(NUMBERS.codes, Phase.SET_UP | Phase.TURN))


class DigitDeductionsState(State[DigitDeductions, None, Code]):
    """Both numbers, and every guess with its feedback; there is no board."""

    __slots__ = ()

    @property
    def moves(self) -> Sequence[Move]:
        """Any number may be chosen and any number may be guessed, repeats too."""
        return () if self.actor is None else NUMBERS.codes

    def play(self, move: Move) -> Self:
        """A secret number in the set-up, a guess in a turn."""
        if self.actor is None:
            raise NotLegal("The game is over.")
        if not isinstance(move, Code) or move not in NUMBERS:
            raise NotLegal(f"{move} is not a number here.", NUMBERS.accepts)
        return self._guess(move) if self.secrets[1] else self.keep(move)

    def _guess(self, guess: Code) -> Self:
        """Announcing a guess and receiving feedback; a correct guess wins immediately."""
        seat = self.actor
        assert isinstance(seat, Seat)
        feedback = distance(self.secrets[seat.other.index][0], guess)
        event = Event(seat, guess, feedback)
        if feedback == 0:
            return self.after(event, None, None, Outcome(seat, Guessed.GUESSED))
        return self.after(event, None, seat.other)
