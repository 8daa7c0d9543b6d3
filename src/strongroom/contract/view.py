"""Views: all that anyone but the referee ever sees of a state."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from strongroom.contract.history import History
from strongroom.contract.moves import Actor, Event, Json, Move, Outcome, Seat, actor_of, seat_of
from strongroom.contract.refusal import Refusal, shown_value
from strongroom.contract.rules import Rules, listed, parts

if TYPE_CHECKING:  # importing numpy takes longer than everything else here combined
    import numpy as np
    from numpy.typing import NDArray

MOST_TEXTS = 100
"""A view with more legal moves than this gives their numbers only, not their texts."""


class View(NamedTuple):
    """What one seat, or a spectator (`seat` None), may know of a state.

    A named tuple, like a state, because two are created for every move.
    """

    game: Rules
    """The game being played."""
    seat: Seat | None
    """Whose view it is; None if it is a spectator's."""
    actor: Actor | None
    """Who is to move; None if the game is over."""
    number: int
    """How many moves have been made, private ones included."""
    setting_up: bool
    """Whether secrets are still being chosen or dealt."""
    private: bool
    """Whether refusing the actor's line could reveal something hidden to the opponent."""
    turns: int
    """How many turns have been completed, by both players together."""
    moves: Sequence[Move]
    """This seat's legal moves; never another seat's, which can depend on secrets."""
    history: History[Event]
    """All public events, in order."""
    secret: tuple[Move, ...]
    """What this seat itself chose or was dealt privately, in order."""
    board: Any
    """The public board: a typed value of the game, or None."""
    outcome: Outcome | None
    """How the game or the match ended, or None while it goes on."""
    secrets: tuple[tuple[Move, ...], tuple[Move, ...]] | None
    """Both players' secrets once the game is over; None before."""

    @property
    def mask(self) -> NDArray[np.bool_]:
        """For every action of the game, whether this seat may make it now."""
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
        """This seat's legal moves as texts; None if there are too many."""
        few = len(self.moves) <= MOST_TEXTS
        return [str(move) for move in self.moves] if few else None

    def moment_to_json(self) -> Json:
        """The parts of the view that a move can replace, as JSON data; the history only grows."""
        return {name: write(self.game, self[field]) for name, field, write in _PARTS}

    def changes_since(self, earlier: View) -> Json:
        """The parts of the moment that differ from an earlier view of the game, as JSON data."""
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
        """The view of this game for which `to_json` gave this data, or a refusal."""
        if parts(data, "game", "options") != [game.name, game.options.to_json()]:
            raise Refusal(f"This is not a view of {game!r}.")
        seat, history, *moment = parts(data, "seat", "history", *MOMENT)
        return cls(
            game=game,
            seat=None if seat is None else seat_of(seat),
            history=History(*map(game.event_from_json, listed(history))),
            **_read(game, dict(zip(MOMENT, moment, strict=True))),
        )

    def followed(self, events: Iterable[Event], changes: Any) -> View:
        """The view after further public events, with the changes that `changes_since` gave.

        The cost depends on what is new, not on the length of the history. Bad data is refused.
        """
        parts(changes)  # refuses anything but an object
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
"""The field of a view that holds each part of a moment."""
_PARTS: Final = [(name, View._fields.index(_FIELDS[name]), MOMENT[name]) for name in MOMENT]
"""For each part of a moment: its name, the index of its field in a view, and its writer."""


def _checked(name: str, kind: type[int]) -> Callable[[Rules, Any], Any]:
    def read(game: Rules, part: Any) -> Any:
        if type(part) is not kind or part < 0:
            raise Refusal(f"{name} cannot be {shown_value(part)}.")
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
    """The fields of a view from the parts of a moment."""
    return {_FIELDS[name]: READERS[name](game, part) for name, part in moment.items()}
