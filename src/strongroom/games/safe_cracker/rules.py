"""Safe Cracker: guess the opponent's code from the number of exact matches."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from operator import eq
from typing import Self

from strongroom.contract import (
    Event,
    History,
    Move,
    NotUnderstood,
    Options,
    Outcome,
    Reason,
    Seat,
    option,
)
from strongroom.games.codes import LISTED, Code, CodeSpace
from strongroom.games.guessing import GuessingGame, GuessingState


class SafeCrackerReason(Reason):
    """Cracking the code wins; with limited attempts, the best guess, or the first of equals."""

    CRACKED = "cracked"
    MOST_MATCHES = "most matches"
    REACHED_FIRST = "reached first"


@dataclass(frozen=True)
class SafeCrackerOptions(Options):
    """The rule book's variations, in any combination."""

    digits: int = option(3, "the highest digit", low=3, high=9)
    length: int = option(3, "how many digits a code has", low=3, high=6)
    attempts: int | None = option(None, "how many guesses each player has", low=1, high=100)


class SafeCracker(GuessingGame):
    """Crack a three-digit code from its exact matches: how many digits are right, and in place.

    >>> game = SafeCracker()
    >>> game.answer(game.space.parse("213"), game.space.parse("123"))
    1
    """

    name = "safe-cracker"
    options: SafeCrackerOptions
    options_type = SafeCrackerOptions
    reasons = SafeCrackerReason
    digit_feedback = staticmethod(eq)
    """Whether one digit is an exact match: right, and in the right position."""

    @cached_property
    def space(self) -> CodeSpace:
        """The codes that can be hidden and guessed."""
        return CodeSpace(self.options.length, self.options.digits)

    @cached_property
    def most_turns(self) -> int | None:
        """Both players' attempts, if they are limited."""
        attempts = self.options.attempts
        return None if attempts is None else 2 * attempts

    def start(self) -> SafeCrackerState:
        """The set-up: nobody has chosen a code."""
        return SafeCrackerState.first(self, None)

    def move(self, text: str) -> Move:
        """The code with exactly this text, found without listing half a million codes."""
        if len(self.space.codes) <= LISTED:
            return super().move(text)
        try:
            code = self.space.parse(text) if isinstance(text, str) else None
        except NotUnderstood:
            code = None
        return code if code is not None and str(code) == text else self.no_move(text)

    def secret_of(self, candidate: tuple[int, ...]) -> Code:
        """The code of these digits, found without listing half a million codes."""
        return self.space.read([*candidate])


class SafeCrackerState(GuessingState[SafeCracker]):
    """Both codes, and every guess with its feedback."""

    __slots__ = ()

    def after_guess(self, seat: Seat, event: Event) -> Self:
        """Making a guess and receiving feedback: both are announced, and the turn is over."""
        if event.answer == self.game.options.length:
            return self.after(event, None, None, Outcome(seat, SafeCrackerReason.CRACKED))
        if self.turns + 1 == self.game.most_turns:
            return self.after(event, None, None, most_exact_matches(self.log.then(event)))
        return self.after(event, None, seat.other)


def most_exact_matches(log: History[Event]) -> Outcome:
    """Limited attempts: who wins when both players have used theirs and nobody cracked the code."""
    matches = [event.answer for event in log if isinstance(event.answer, int)]
    reached = [event.actor for event in log if event.answer == max(matches)]
    winner = reached[0]
    assert isinstance(winner, Seat)
    shared = winner.other in reached
    reasons = SafeCrackerReason
    return Outcome(winner, reasons.REACHED_FIRST if shared else reasons.MOST_MATCHES)
