"""Games and their states: where play starts, what can be played, and what each seat sees of it."""

from __future__ import annotations

import sys
from abc import ABC, abstractmethod
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar, Generic, NamedTuple, Self, TypeVar

from strongroom.contract.history import NOTHING, History, Link, linked
from strongroom.contract.move import Event, Move
from strongroom.contract.outcome import Outcome
from strongroom.contract.refusal import NotLegal
from strongroom.contract.rules import Rules
from strongroom.contract.seat import CHANCE, Actor, Seat
from strongroom.contract.view import View
from strongroom.contract.words import Words


class Game(Rules):
    """A game: rules that can be played, and words to play it with."""

    words_type: ClassVar[type[Words[Any]]]
    """The words that the rule book uses."""

    @abstractmethod
    def start(self) -> State[Any, Any, Any]:
        """The state before the first move."""

    @cached_property
    def words(self) -> Words[Any]:
        """What is said at the table, in the rule book's words."""
        return self.words_type(self)

    def in_words(self, words_type: type[Words[Any]]) -> Self:
        """The same game, equal to this one, with another set of words."""
        other = type(self)(self.options)
        other.__dict__["words"] = words_type(other)
        return other

    @property
    def title(self) -> str:
        """The game's name as people write it."""
        return self.words.title

    @property
    def rules_page(self) -> str:
        """The rules in Markdown: `rules.md` beside the game's module, or a file of its name."""
        module = Path(sys.modules[type(self).__module__].__file__ or "")
        for page in (module.with_suffix(".md"), module.with_name("rules.md")):
            if page.is_file():
                return page.read_text(encoding="utf-8")
        return f"There is no rules page for {self.title}.\n"


G = TypeVar("G", bound=Game)
B = TypeVar("B")
S = TypeVar("S", bound=Move)


class Position(NamedTuple, Generic[G, B, S]):
    """The fields of a state: a named tuple, because a state is made for every single move."""

    game: G
    """What is played."""
    board: B
    """What lies open on the table, besides the log."""
    secrets: tuple[tuple[S, ...], tuple[S, ...]]
    """What each player chose or was dealt privately, in order."""
    past: Link
    """All that happened in the open, linked from the latest event back to the first."""
    turns: int
    """How many turns have been completed, both players' together."""
    actor: Actor | None
    """Who is to move; None: the game is over."""
    outcome: Outcome | None
    """How the game ended, or None while it goes on."""


new_tuple = tuple.__new__  # the named tuple's own way to make one is a call more, at every move


class State(Position[G, B, S], ABC):
    """One moment of a game, whole; only the referee holds it, everyone else gets a view."""

    __slots__ = ()

    @classmethod
    def first(cls, game: G, board: B, actor: Actor = Seat.ONE) -> Self:
        """The state before the first move."""
        return cls(game, board, ((), ()), NOTHING, 0, actor, None)

    @property
    @abstractmethod
    def moves(self) -> Sequence[Move]:
        """The actor's legal moves, in the order of their numbers."""

    @abstractmethod
    def play(self, move: Move) -> Self:
        """The state after the actor's move, or a refusal."""

    @property
    def odds(self) -> tuple[float, ...]:
        """At a chance state, the probability of each of `moves`."""
        raise NotLegal("Nothing is drawn by chance here.")

    @property
    def log(self) -> History[Event]:
        """All that happened in the open."""
        return History.of(self.past)

    @property
    def keeper(self) -> Seat | None:
        """Who alone will know the move that is made now; nobody: it is made in the open."""
        one, two = self.secrets
        if len(one) < self.game.secrets_each:
            return Seat.ONE
        return Seat.TWO if len(two) < self.game.secrets_each else None

    @property
    def setting_up(self) -> bool:
        """Whether private things are still being chosen or dealt."""
        return len(self.secrets[1]) < self.game.secrets_each

    @property
    def private(self) -> bool:
        """Whether a refusal of the actor's line could tell the opponent something hidden."""
        return self.setting_up

    @property
    def number(self) -> int:
        """How many moves have been made, private ones included."""
        return len(self.secrets[0]) + len(self.secrets[1]) + self.past[2]

    # --- making the next state ---

    def keep(self, secret: S) -> Self:
        """The state after `secret` has been chosen by, or dealt to, the keeper."""
        one, two = self.secrets
        each = self.game.secrets_each
        if len(one) < each:
            one = (*one, secret)
        else:
            two = (*two, secret)
        if len(two) == each:
            actor: Actor = Seat.ONE
        elif self.actor is CHANCE:
            actor = CHANCE
        else:
            actor = Seat.ONE if len(one) < each else Seat.TWO
        fields = (self.game, self.board, (one, two), NOTHING, 0, actor, None)
        return new_tuple(type(self), fields)

    def after(
        self,
        event: Event,
        board: B,
        actor: Actor | None,
        outcome: Outcome | None = None,
        turn_goes_on: bool = False,
    ) -> Self:
        """The state after something happened in the open, which completes a turn or not."""
        game, _, secrets, past, turns, _, _ = self
        past = (past, event, past[2] + 1)
        if not turn_goes_on:
            turns += 1
        return new_tuple(type(self), (game, board, secrets, past, turns, actor, outcome))

    # --- what others see ---

    def view(self, seat: Seat | None, ended: Outcome | None = None) -> View:
        """What that seat may know; for None, what a spectator may know.

        `ended` is how a match ended where the rules did not end the game: by resignation, say.
        """
        game, board, secrets, past, turns, actor, outcome = self
        outcome = outcome or ended
        if outcome is not None:
            actor = None
        one, two = secrets
        fields: tuple[Any, ...] = (
            game,
            seat,
            actor,
            len(one) + len(two) + past[2],  # number
            len(two) < game.secrets_each,  # setting_up
            outcome is None and self.private,  # private
            turns,
            self.moves if seat is not None and seat is actor else (),
            History.of(past),
            () if seat is None else secrets[seat.index],
            board,
            outcome,
            None if outcome is None else secrets,
        )
        return new_tuple(View, fields)

    # --- a state is its fields, with the log as far as it goes ---

    def _value(self) -> tuple[Any, ...]:
        return (*self[:3], self.log, *self[4:])

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and self._value() == other._value()

    def __ne__(self, other: object) -> bool:
        return (
            not self == other
        )  # a tuple would compare its links, nested as deep as the game is long

    def __hash__(self) -> int:
        return hash(self._value())

    def __repr__(self) -> str:
        return f"{type(self).__name__}{self._value()!r}"

    def __reduce__(self) -> tuple[Any, ...]:
        return _remade, (type(self), self._value())


def _remade(kind: type[AnyState], value: tuple[Any, ...]) -> AnyState:
    """The state that went through pickle without its links, which would be nested too deep."""
    game, board, secrets, log, turns, actor, outcome = value
    return kind(game, board, secrets, linked(log), turns, actor, outcome)


AnyState = State[Any, Any, Any]
"""A state of whichever game."""
