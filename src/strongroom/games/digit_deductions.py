"""Digit Deductions: guess the other's two digits from how far off each guess is."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Self

from strongroom.game import (
    NAMES,
    Event,
    Game,
    Move,
    Names,
    NotLegal,
    Outcome,
    Seat,
    State,
    View,
)
from strongroom.games.codes import Code, CodeSpace

NUMBERS = CodeSpace(length=2, highest=9)
"""Two digits from 1 to 9, alike or different; zero never."""

GUESSED = "guessed the secret number"


def distance(secret: Code, guess: Code) -> int:
    """The feedback: the sum of the absolute differences, digit by digit.

    >>> distance(NUMBERS.parse("6 8"), NUMBERS.parse("5 7"))
    2
    """
    a, b = secret.digits
    c, d = guess.digits
    return abs(a - c) + abs(b - d)


class DigitDeductions(Game):
    """Digit Deductions; it has no options."""

    name = "digit-deductions"
    secrets_each = 1

    def start(self) -> DigitDeductionsState:
        """The set-up: nobody has chosen a number."""
        return DigitDeductionsState(self, board="")

    @cached_property
    def actions(self) -> tuple[Move, ...]:
        """The two-digit numbers: each is hidden in the set-up and guessed in a turn."""
        return NUMBERS.codes

    # --- what is said at the table ---

    def parse(self, text: str, view: View) -> Move:
        """A two-digit number: `5 7`, `57` and `5-7` are the same."""
        return NUMBERS.parse(text)

    def accepts(self, view: View, lines: Sequence[str] = ()) -> str:
        """How to type a number."""
        return NUMBERS.accepts

    def ask(self, view: View, lines: Sequence[str] = (), names: Names = NAMES) -> str:
        """The question for a secret number, or for a guess."""
        name = names[view.actor] if isinstance(view.actor, Seat) else ""
        if view.setting_up:
            return f"{name}, choose your secret number ({NUMBERS.form}): "
        return f"\n{name}'s Turn:\nInput Guess: "

    def say(self, view: View, names: Names = NAMES) -> str:
        """The feedback to the last guess."""
        if not view.history:
            return f"Welcome to {self.title}!"
        feedback = f"Feedback: {view.history[-1].answer}"
        if view.outcome is not None and view.outcome.winner is not None:
            return f"{feedback}\n{names[view.outcome.winner]} Wins"
        return feedback


class DigitDeductionsState(State[DigitDeductions, str, Code]):
    """Both numbers, and every guess with its feedback; there is no board."""

    __slots__ = ()

    @property
    def moves(self) -> tuple[Move, ...]:
        """Any number may be chosen and any number may be guessed, repeats too."""
        return () if self.actor is None else self.game.actions

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
        log = self.log + (Event(seat, guess, feedback),)
        if feedback == 0:
            return type(self)(self.game, "", self.secrets, log, None, Outcome(seat, GUESSED))
        return type(self)(self.game, "", self.secrets, log, seat.other)
