"""Safe Cracker: guess the other's code from the number of exact matches."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from operator import eq
from typing import Self

from strongroom.game import (
    NAMES,
    Event,
    Game,
    Move,
    Names,
    NotLegal,
    NotUnderstood,
    Options,
    Outcome,
    Seat,
    State,
    View,
    option,
)
from strongroom.games.codes import Code, CodeSpace

CRACKED = "cracked the code"
MOST_MATCHES = "had the most exact matches in one guess"
REACHED_FIRST = "was the first to reach the most exact matches in one guess"


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


def matches_text(guess: Event) -> str:
    """The feedback to a guess as it is announced."""
    return "1 exact match" if guess.answer == 1 else f"{guess.answer} exact matches"


class SafeCracker(Game):
    """Safe Cracker with its options chosen."""

    name = "safe-cracker"
    options_type = SafeCrackerOptions
    secrets_each = 1

    def __init__(self, options: SafeCrackerOptions | None = None) -> None:
        self.options: SafeCrackerOptions = options or SafeCrackerOptions()
        self.space = CodeSpace(self.options.length, self.options.digits)
        self.attempts = self.options.attempts

    def start(self) -> SafeCrackerState:
        """The set-up: nobody has chosen a code."""
        return SafeCrackerState(self, board="")

    @cached_property
    def actions(self) -> tuple[Move, ...]:
        """The codes: each is hidden in the set-up and guessed in a turn."""
        return self.space.codes

    def move(self, text: str) -> Move:
        """The code with exactly this text, found without listing half a million."""
        try:
            code = self.space.parse(text)
        except NotUnderstood:
            return self.no_move(text)
        return code if str(code) == text else self.no_move(text)

    # --- what is said at the table ---

    def parse(self, text: str, view: View) -> Move:
        """A code, typed in any of its forms."""
        return self.space.parse(text)

    def accepts(self, view: View, lines: Sequence[str] = ()) -> str:
        """How to type a code."""
        return self.space.accepts

    def ask(self, view: View, lines: Sequence[str] = (), names: Names = NAMES) -> str:
        """The question for a secret code, or for a guess."""
        name = names[view.actor] if isinstance(view.actor, Seat) else ""
        if view.setting_up:
            return f"{name}, choose your secret code ({self.space.form}): "
        return f"\n{name}'s Turn:\nEnter your guess ({self.space.form}): "

    def say(self, view: View, names: Names = NAMES) -> str:
        """The feedback to the last guess."""
        if not view.history:
            return f"Welcome to {self.title}!"
        return f"Feedback: {matches_text(view.history[-1])}"

    def note(self, event: Event) -> str:
        """A guess with its feedback."""
        return f"{event.move}: {matches_text(event)}"


class SafeCrackerState(State[SafeCracker, str, Code]):
    """Both codes, and every guess with its feedback; there is no board."""

    __slots__ = ()

    @property
    def moves(self) -> tuple[Move, ...]:
        """Any code may be chosen and any code may be guessed, repeats too."""
        return () if self.actor is None else self.game.actions

    def play(self, move: Move) -> Self:
        """A secret code in the set-up, a guess in a turn."""
        if self.actor is None:
            raise NotLegal("The game is over.")
        if not isinstance(move, Code) or move not in self.game.space:
            raise NotLegal(f"{move} is not a code here.", self.game.space.accepts)
        return self._guess(move) if self.secrets[1] else self.keep(move)

    def _guess(self, guess: Code) -> Self:
        """Making a guess and receiving feedback: all is announced, and the turn is over."""
        game, seat = self.game, self.actor
        assert isinstance(seat, Seat)
        matches = exact_matches(self.secrets[seat.other.index][0], guess)
        log = self.log + (Event(seat, guess, matches),)
        outcome = None
        if matches == game.options.length:
            outcome = Outcome(seat, CRACKED)
        elif game.attempts is not None and len(log) == 2 * game.attempts:
            outcome = most_exact_matches(log)
        actor = seat.other if outcome is None else None
        return type(self)(game, "", self.secrets, log, actor, outcome)


def most_exact_matches(log: tuple[Event, ...]) -> Outcome:
    """Limited attempts: who wins when both have used all theirs and nobody cracked the code."""
    best = max(int(event.answer or 0) for event in log)
    reached = [event.actor for event in log if event.answer == best]
    winner = reached[0]
    assert isinstance(winner, Seat)
    return Outcome(winner, REACHED_FIRST if winner.other in reached else MOST_MATCHES)
