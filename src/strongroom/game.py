"""The contract between a game and everyone who plays, referees, shows or studies it.

A game is a value, its states are values, and its rules are pure: no I/O, no clock, no randomness.
Whoever sits outside sees a state only through `State.view`, which lists what one seat may know.
"""

from __future__ import annotations

import sys
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cached_property
from pathlib import Path
from types import MappingProxyType
from typing import Any, ClassVar, Final, Generic, NamedTuple, NoReturn, Self, TypeVar

from strongroom.options import Options, option
from strongroom.refusal import Ambiguous, BadOption, NotLegal, NotUnderstood, Refusal, shown

__all__ = [
    "CHANCE",
    "NAMES",
    "Actor",
    "Ambiguous",
    "BadOption",
    "Chance",
    "Event",
    "Game",
    "Json",
    "Move",
    "Names",
    "NotLegal",
    "NotUnderstood",
    "Options",
    "Outcome",
    "Refusal",
    "Scalar",
    "Seat",
    "State",
    "View",
    "option",
]

Scalar = int | str | None
Json = dict[str, Any]


class Seat(Enum):
    """One of the two places at the table; Seat.ONE moves first.

    >>> Seat.ONE.other
    <Seat.TWO: 2>
    """

    ONE = 1
    TWO = 2

    # Plain attributes, because every move asks for them and an enum's own look-ups are slow.
    index: int
    """Where this seat stands in a pair: 0 or 1."""
    other: Seat
    """The opponent's seat."""

    def __init__(self, number: int) -> None:
        self.index = number - 1


Seat.ONE.other, Seat.TWO.other = Seat.TWO, Seat.ONE


class Chance(Enum):
    """The actor of a state where nobody decides and the odds are known."""

    CHANCE = "chance"


CHANCE: Final = Chance.CHANCE
Actor = Seat | Chance
Names = Mapping[Seat, str]
NAMES: Final[Names] = MappingProxyType({Seat.ONE: "Player 1", Seat.TWO: "Player 2"})


@dataclass(frozen=True, slots=True)
class Move:
    """Something an actor does; `str(move)` is its one text."""


class Event(NamedTuple):
    """One public happening: who did what, and what the referee answered."""

    actor: Actor
    move: Move
    answer: Scalar = None

    def to_json(self) -> Json:
        """The event as JSON data."""
        return {"seat": self.actor.value, "move": str(self.move), "answer": self.answer}

    @classmethod
    def from_json(cls, game: Game, data: Json) -> Event:
        """The event whose `to_json` gave this data."""
        actor = CHANCE if data["seat"] == CHANCE.value else Seat(data["seat"])
        return cls(actor, game.move(data["move"]), data["answer"])


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a game or a match ended: who won (None: undecided) and why, in words."""

    winner: Seat | None
    reason: str

    def to_json(self) -> Json:
        """The outcome as JSON data."""
        return {"winner": self.winner and self.winner.value, "reason": self.reason}

    @classmethod
    def from_json(cls, data: Json) -> Outcome:
        """The outcome whose `to_json` gave this data."""
        winner = data["winner"]
        return cls(None if winner is None else Seat(winner), data["reason"])


class Game(ABC):
    """A rule book with its options chosen: where play starts, what can be played, and its words."""

    name: ClassVar[str]
    options_type: ClassVar[type[Options]] = Options
    secrets_each: ClassVar[int] = 0
    """How many private moves each player makes in the set-up."""

    def __init__(self, options: Options | None = None) -> None:
        self.options = options if options is not None else self.options_type()

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and other.options == self.options

    def __hash__(self) -> int:
        return hash((self.name, self.options))

    def __repr__(self) -> str:
        chosen = "".join(f", {k}={v!r}" for k, v in self.options.to_json().items())
        return f"load({self.name!r}{chosen})"

    @property
    def title(self) -> str:
        """The game's name as people write it."""
        return self.name.replace("-", " ").title()

    @property
    def rules(self) -> str:
        """The rules page: the Markdown file beside the game's module."""
        module = sys.modules[type(self).__module__].__file__
        assert module is not None
        page = Path(module).with_suffix(".md")
        if not page.is_file():
            return f"There is no rules page for {self.title}.\n"
        return page.read_text(encoding="utf-8")

    @abstractmethod
    def start(self) -> State[Any, Any, Any]:
        """The state before the first move."""

    @cached_property
    @abstractmethod
    def actions(self) -> tuple[Move, ...]:
        """Every move the game has, in a fixed order, so that an index is a number for it."""

    @cached_property
    def _by_text(self) -> dict[str, Move]:
        return {str(move): move for move in self.actions}

    def move(self, text: str) -> Move:
        """The move with exactly this canonical text."""
        return self._by_text.get(text) or self.no_move(text)

    def no_move(self, text: str) -> NoReturn:
        """Refuse a text that is no move of this game."""
        raise NotUnderstood(f"{shown(text)} is no move of {self.title}.")

    # What is said at the table. The words are the rule book's own where it shows any.

    @abstractmethod
    def parse(self, text: str, view: View) -> Move:
        """The move that a person's text means here, or a refusal."""

    @abstractmethod
    def accepts(self, view: View, lines: Sequence[str] = ()) -> str:
        """What the next line may be, with an example."""

    @abstractmethod
    def ask(self, view: View, lines: Sequence[str] = (), names: Names = NAMES) -> str:
        """The words that ask the actor for the next line, after `lines` of the same move."""

    def answer(self, view: View, lines: Sequence[str]) -> Move:
        """The move that the lines typed at the questions mean; Ambiguous: ask for one more."""
        return self.parse(" ".join(lines), view)

    @abstractmethod
    def say(self, view: View, names: Names = NAMES) -> str:
        """What the referee says of the last public event; before the first, the welcome."""

    def picture(self, view: View) -> str:
        """The board as the rule book draws it; empty where there is none."""
        return view.board

    def note(self, event: Event) -> str:
        """An event's line in the running record of the game."""
        return str(event.move) if event.answer is None else f"{event.move}: {event.answer}"


G = TypeVar("G", bound=Game)
B = TypeVar("B")
S = TypeVar("S", bound=Move)


class Position(NamedTuple, Generic[G, B, S]):
    """The fields of a state: a named tuple, because a state is made for every single move."""

    game: G
    board: B
    """What lies open on the table, besides the log."""
    secrets: tuple[tuple[S, ...], tuple[S, ...]] = ((), ())
    """What each player chose privately, in order."""
    log: tuple[Event, ...] = ()
    """All that happened in the open."""
    actor: Actor | None = Seat.ONE
    outcome: Outcome | None = None


class State(Position[G, B, S], ABC):
    """One moment of a game, whole; only the referee holds it, everyone else gets a view."""

    __slots__ = ()

    @property
    @abstractmethod
    def moves(self) -> tuple[Move, ...]:
        """The actor's legal moves, in a fixed order."""

    @abstractmethod
    def play(self, move: Move) -> Self:
        """The state after the actor's move, or a refusal."""

    @property
    def odds(self) -> tuple[float, ...]:
        """At a chance state, the probability of each of `moves`."""
        raise NotLegal("Nothing is drawn by chance here.")

    @property
    def turns(self) -> int:
        """How many turns have been completed, both players' together."""
        return len(self.log)

    @property
    def setting_up(self) -> bool:
        """Whether private choices are still being made."""
        return len(self.secrets[1]) < self.game.secrets_each

    @property
    def private(self) -> bool:
        """Whether a refusal of the actor's line could tell the opponent something hidden."""
        return self.setting_up

    def keep(self, secret: S) -> Self:
        """The state after the actor has privately chosen `secret` in the set-up."""
        one, two = self.secrets
        if self.actor is Seat.ONE:
            one = (*one, secret)
            actor = Seat.ONE if len(one) < self.game.secrets_each else Seat.TWO
        else:
            two = (*two, secret)
            actor = Seat.TWO if len(two) < self.game.secrets_each else Seat.ONE
        return type(self)(self.game, self.board, (one, two), self.log, actor)

    def view(self, seat: Seat | None, ended: Outcome | None = None) -> View:
        """What that seat may know; for None, what a spectator may know.

        `ended` is how a match ended where the rules did not end the game: by resignation, say.
        """
        outcome = self.outcome or ended
        actor = self.actor if outcome is None else None
        return View(
            game=self.game,
            seat=seat,
            actor=actor,
            setting_up=self.setting_up,
            private=self.private and outcome is None,
            turns=self.turns,
            moves=self.moves if seat is not None and seat is actor else (),
            history=self.log,
            secret=self.secrets[seat.index] if seat is not None else (),
            board=str(self.board),
            outcome=outcome,
            secrets=self.secrets if outcome is not None else None,
        )


@dataclass(frozen=True, slots=True)
class View:
    """What one seat, or a spectator (`seat` None), may know of a state."""

    game: Game
    seat: Seat | None
    actor: Actor | None
    setting_up: bool
    private: bool
    turns: int
    moves: tuple[Move, ...]
    """This seat's legal moves; nobody sees another's, which can depend on hidden things."""
    history: tuple[Event, ...]
    secret: tuple[Move, ...]
    """What this seat itself chose privately."""
    board: str
    outcome: Outcome | None
    secrets: tuple[tuple[Move, ...], tuple[Move, ...]] | None
    """What both chose, once the game is over."""

    @property
    def prompt(self) -> str:
        """What is asked now, in the rule book's words."""
        return self.game.ask(self).strip() if isinstance(self.actor, Seat) else ""

    def notes(self, names: Names = NAMES) -> list[str]:
        """The running record of the game, a line an event."""
        return [
            f"{names[actor] if isinstance(actor, Seat) else 'Chance'}: {self.game.note(event)}"
            for event in self.history
            for actor in [event.actor]
        ]

    def __str__(self) -> str:
        notes = "\n".join(self.notes())
        parts = [self.game.title, self.game.picture(self), notes, self.prompt]
        return "\n\n".join(part for part in parts if part)

    def to_json(self) -> Json:
        """The view as JSON data."""
        return {
            "game": self.game.name,
            "options": self.game.options.to_json(),
            "seat": self.seat and self.seat.value,
            "actor": self.actor and self.actor.value,
            "setting_up": self.setting_up,
            "private": self.private,
            "turns": self.turns,
            "prompt": self.prompt,
            "moves": [str(move) for move in self.moves],
            "history": [event.to_json() for event in self.history],
            "secret": [str(move) for move in self.secret],
            "board": self.board,
            "outcome": self.outcome and self.outcome.to_json(),
            "secrets": self.secrets and [[str(move) for move in each] for each in self.secrets],
        }

    @classmethod
    def from_json(cls, game: Game, data: Json) -> View:
        """The view whose `to_json` gave this data, at a table of this game."""

        def moves(texts: list[str]) -> tuple[Move, ...]:
            return tuple(game.move(text) for text in texts)

        seat, actor, secrets = data["seat"], data["actor"], data["secrets"]
        return cls(
            game=game,
            seat=seat and Seat(seat),
            actor=CHANCE if actor == CHANCE.value else actor and Seat(actor),
            setting_up=data["setting_up"],
            private=data["private"],
            turns=data["turns"],
            moves=moves(data["moves"]),
            history=tuple(Event.from_json(game, event) for event in data["history"]),
            secret=moves(data["secret"]),
            board=data["board"],
            outcome=data["outcome"] and Outcome.from_json(data["outcome"]),
            secrets=None if secrets is None else (moves(secrets[0]), moves(secrets[1])),
        )
