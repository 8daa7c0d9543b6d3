"""Views: all that anybody but the referee ever gets of a state."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from strongroom.contract.history import History
from strongroom.contract.move import Event, Json, Move
from strongroom.contract.outcome import Outcome
from strongroom.contract.refusal import Refusal, shown_value
from strongroom.contract.rules import Rules, listed, parts
from strongroom.contract.seat import Actor, Seat, actor_of, seat_of

if TYPE_CHECKING:  # numpy takes longer to import than everything else here together
    import numpy as np
    from numpy.typing import NDArray

MOST_TEXTS = 100
"""More legal moves than this are told by their numbers alone."""


class View(NamedTuple):
    """What one seat, or a spectator (`seat` None), may know of a state.

    A named tuple, like a state, because two are made for every step.
    """

    game: Rules
    """What is played."""
    seat: Seat | None
    """Whose view it is; None: a spectator's."""
    actor: Actor | None
    """Who is to move; None: the game is over."""
    number: int
    """How many steps have been made, hidden ones included."""
    setting_up: bool
    """Whether private things are still being chosen or dealt."""
    private: bool
    """Whether a refusal of the actor's line could tell the opponent something hidden."""
    turns: int
    """How many turns have been completed, both players' together."""
    moves: Sequence[Move]
    """This seat's legal moves; nobody sees another's, which can depend on hidden things."""
    history: History[Event]
    """All that happened in the open."""
    secret: tuple[Move, ...]
    """What this seat itself chose privately or was dealt."""
    board: Any
    """What lies open on the table: a typed value of the game, or None."""
    outcome: Outcome | None
    """How it ended, or None while it goes on."""
    secrets: tuple[tuple[Move, ...], tuple[Move, ...]] | None
    """What both have, once the game is over."""

    @property
    def mask(self) -> NDArray[np.bool_]:
        """For every action of the game whether this seat may make it now."""
        return self.game.actions.mask(self.moves)

    def to_json(self) -> Json:
        """The view as JSON data: values, no sentences; `Words.tell` adds those."""
        return {
            "game": self.game.name,
            "options": self.game.options.to_json(),
            "seat": self.seat and self.seat.value,
            "history": [self.game.event_to_json(event) for event in self.history],
            "moves": self.texts(),
            **self.moment_to_json(),
        }

    def texts(self) -> list[str] | None:
        """This seat's legal moves as texts; None: there are too many."""
        few = len(self.moves) <= MOST_TEXTS
        return [str(move) for move in self.moves] if few else None

    def moment_to_json(self) -> Json:
        """What a step can change of the view, as JSON data; the history only ever goes on."""
        return {name: write(self.game, self[field]) for name, field, write in _PARTS}

    def changes_since(self, earlier: View) -> Json:
        """Of the moment as JSON data what differs from an earlier one of the same game."""
        changes: Json = {}
        for name, field, write in _PARTS:
            before, now = earlier[field], self[field]
            if before is not now:
                written = write(self.game, now)
                if written != write(self.game, before):
                    changes[name] = written
        return changes

    @classmethod
    def from_json(cls, game: Rules, data: Any) -> View:
        """The view whose `to_json` gave this data, at a table of this game; or a refusal."""
        if parts(data, "game", "options") != [game.name, game.options.to_json()]:
            raise Refusal(f"This is no view of {game!r}.")
        seat, history, *moment = parts(data, "seat", "history", *MOMENT)
        return cls(
            game=game,
            seat=None if seat is None else seat_of(seat),
            history=History(*map(game.event_from_json, listed(history))),
            **_read(game, dict(zip(MOMENT, moment, strict=True))),
        )

    def followed(self, events: Iterable[Event], changes: Any) -> View:
        """The view after further public events, with the changes that `changes_since` gave.

        It costs what came, however long the history is; or it is a refusal.
        """
        parts(changes)  # or a refusal: it is no object
        changed = {name: part for name, part in changes.items() if name in MOMENT}
        history = self.history
        for event in events:
            history = history.then(event)
        return self._replace(history=history, **_read(self.game, changed))


def _as_it_is(game: Rules, part: Any) -> Any:
    return part


MOMENT: Final[dict[str, Callable[[Rules, Any], Any]]] = {
    "actor": lambda game, actor: actor and actor.value,
    "number": _as_it_is,
    "setting_up": _as_it_is,
    "private": _as_it_is,
    "turns": _as_it_is,
    "legal": lambda game, moves: game.actions.ranges(moves),
    "secret": lambda game, secret: [str(move) for move in secret],
    "board": lambda game, board: game.board_to_json(board),
    "outcome": lambda game, outcome: outcome and game.outcome_to_json(outcome),
    "secrets": lambda game, both: both and [[str(move) for move in each] for each in both],
}
"""How each part of a moment is written as JSON data."""
_FIELDS: Final = {name: "moves" if name == "legal" else name for name in MOMENT}
"""The field of a view that each part of a moment is."""
_PARTS: Final = [(name, View._fields.index(_FIELDS[name]), MOMENT[name]) for name in MOMENT]
"""The name of each part of a moment, the place of its field in a view, and how it is written."""


def _checked(name: str, kind: type[int]) -> Callable[[Rules, Any], Any]:
    def read(game: Rules, part: Any) -> Any:
        if type(part) is not kind or part < 0:
            raise Refusal(f"{name} is {shown_value(part)}, which it cannot be.")
        return part

    return read


def _secrets(game: Rules, both: Any) -> tuple[tuple[Move, ...], tuple[Move, ...]]:
    if len(listed(both)) != 2:
        raise Refusal("There are two players' secrets, or none.")
    return game.moves(both[0]), game.moves(both[1])


READERS: Final[dict[str, Callable[[Rules, Any], Any]]] = {
    "actor": lambda game, actor: None if actor is None else actor_of(actor),
    "number": _checked("number", int),
    "setting_up": _checked("setting_up", bool),
    "private": _checked("private", bool),
    "turns": _checked("turns", int),
    "legal": lambda game, ranges: game.actions.listed(listed(ranges)),
    "secret": lambda game, secret: game.moves(secret),
    "board": lambda game, board: game.board_from_json(board),
    "outcome": lambda game, outcome: None if outcome is None else game.outcome_from_json(outcome),
    "secrets": lambda game, both: None if both is None else _secrets(game, both),
}
"""How each part of a moment is read from JSON data."""


def _read(game: Rules, moment: Json) -> dict[str, Any]:
    """The fields of a view that parts of a moment are."""
    return {_FIELDS[name]: READERS[name](game, part) for name, part in moment.items()}
