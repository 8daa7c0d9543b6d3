"""Safe Cracker: guess the other's code from the number of exact matches."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from operator import eq
from typing import Self

from strongroom.contract import (
    Actions,
    Block,
    Event,
    Game,
    History,
    Move,
    NotLegal,
    NotUnderstood,
    Options,
    Outcome,
    Phase,
    Reason,
    Seat,
    State,
    option,
)
from strongroom.games.codes import LISTED, Code, CodeSpace
from strongroom.games.guessing import Unguessed


class Cracked(Reason):
    """Who cracks the code wins; with limited attempts, who came nearest, or first as near."""

    CRACKED = "cracked"
    MOST_MATCHES = "most matches"
    REACHED_FIRST = "reached first"


@dataclass(frozen=True)
class SafeCrackerOptions(Options):
    """The book's variations, freely combined."""

    digits: int = option(3, "digits run from 1 to this", low=3, high=9)
    length: int = option(3, "how many digits a code has", low=3, high=6)
    attempts: int | None = option(None, "how many guesses each player has", low=1, high=100)


def exact_matches(code: Code, guess: Code) -> int:
    """The feedback: how many digits are right and in the right position.

    >>> exact_matches(Code((2, 1, 3)), Code((1, 2, 3)))
    1
    """
    return sum(map(eq, code.digits, guess.digits))


class SafeCracker(Game):
    """Crack a three-digit code from its exact matches."""

    name = "safe-cracker"
    options: SafeCrackerOptions
    options_type = SafeCrackerOptions
    reasons = Cracked
    secrets_each = 1

    @cached_property
    def space(self) -> CodeSpace:
        """The codes that can be hidden and guessed."""
        return CodeSpace(self.options.length, self.options.digits)

    def candidates(self, seat: Seat) -> Unguessed:
        """The codes that fit the feedback to a seat's guesses; before the first, all of them."""
        return Unguessed.all_of(self.space, seat, eq)

    def start(self) -> SafeCrackerState:
        """The set-up: nobody has chosen a code."""
        return SafeCrackerState.first(self, None)

    @cached_property
    def actions(self) -> Actions:
        """The codes: each is hidden in the set-up and guessed in a turn."""
        return Actions(Block(self.space.codes, Phase.SET_UP | Phase.TURN))

    def move(self, text: str) -> Move:
        """The code with exactly this text, found without listing half a million."""
        if len(self.space.codes) <= LISTED:
            return super().move(text)
        try:
            code = self.space.parse(text) if isinstance(text, str) else None
        except NotUnderstood:
            code = None
        return code if code is not None and str(code) == text else self.no_move(text)


class SafeCrackerState(State[SafeCracker, None, Code]):
    """Both codes, and every guess with its feedback; there is no board."""

    __slots__ = ()

    @property
    def moves(self) -> Sequence[Move]:
        """Any code may be chosen and any code may be guessed, repeats too."""
        return () if self.actor is None else self.game.space.codes

    def play(self, move: Move) -> Self:
        """A secret code in the set-up, a guess in a turn."""
        if self.actor is None:
            raise NotLegal("The game is over.")
        if not isinstance(move, Code) or move not in self.game.space:
            raise NotLegal(f"{move} is not a code here.", self.game.space.accepts)
        return self._guess(move) if self.secrets[1] else self.keep(move)

    def _guess(self, guess: Code) -> Self:
        """Making a guess and receiving feedback: all is announced, and the turn is over."""
        seat, options = self.actor, self.game.options
        assert isinstance(seat, Seat)
        matches = exact_matches(self.secrets[seat.other.index][0], guess)
        event = Event(seat, guess, matches)
        if matches == options.length:
            return self.after(event, None, None, Outcome(seat, Cracked.CRACKED))
        if options.attempts is not None and self.turns + 1 == 2 * options.attempts:
            return self.after(event, None, None, most_exact_matches(self.log.then(event)))
        return self.after(event, None, seat.other)


def most_exact_matches(log: History[Event]) -> Outcome:
    """Limited attempts: who wins when both have used all theirs and nobody cracked the code."""
    matches = [event.answer for event in log if isinstance(event.answer, int)]
    reached = [event.actor for event in log if event.answer == max(matches)]
    winner = reached[0]
    assert isinstance(winner, Seat)
    shared = winner.other in reached
    return Outcome(winner, Cracked.REACHED_FIRST if shared else Cracked.MOST_MATCHES)
