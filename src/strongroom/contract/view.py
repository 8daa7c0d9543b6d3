"""Views: all that anyone but the referee ever sees of a state."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Annotated, Any, Final, NamedTuple

from strongroom.contract.codec import (
    Accepted,
    from_json,
    json_form,
    read_fields,
    read_object,
    to_json,
)
from strongroom.contract.history import History
from strongroom.contract.moves import Actor, Event, Json, Move, Outcome, Seat
from strongroom.contract.rules import Rules

if TYPE_CHECKING:  # importing numpy takes longer than everything else here combined
    import numpy as np
    from numpy.typing import NDArray

MOST_TEXTS = 100
"""A view with more legal moves than this gives their numbers only, not their texts."""
Count = Annotated[int, Accepted("a number from 0", lambda number: number >= 0)]
"""How often something has happened."""


def _read_legal(ranges: Any, game: Rules) -> Sequence[Move]:
    return game.actions.moves_in(from_json(list[Any], ranges))


def _read_history(events: Any, game: Rules) -> History[Event]:
    return History(*map(game.event_from_json, from_json(list[Any], events)))


def _read_board(board: Any, game: Rules) -> Any:
    return game.board_from_json(board)


@json_form(
    "*game seat actor number setting_up private turns legal=moves history secret board outcome "
    "secrets"
)
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
    number: Count
    """How many moves have been made, private ones included."""
    setting_up: bool
    """Whether secrets are still being chosen or dealt."""
    private: bool
    """Whether refusing the actor's line could reveal something hidden to the opponent."""
    turns: Count
    """How many turns have been completed, by both players together."""
    moves: Annotated[Sequence[Move], _read_legal]
    """This seat's legal moves; never another seat's, which can depend on secrets."""
    history: Annotated[History[Event], _read_history]
    """All public events, in order."""
    secret: tuple[Move, ...]
    """What this seat itself chose or was dealt privately, in order."""
    board: Annotated[Any, _read_board]
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
        return read_object(cls, data, game)

    def apply_changes(self, events: Iterable[Event], changes: Any) -> View:
        """The view after further public events, with the changes that `changes_since` gave.

        The cost depends on what is new, not on the length of the history. Bad data is refused.
        """
        changed = read_fields(View, changes, self.game)
        history = self.history
        for event in events:
            history = history.then(event)
        return self._replace(**changed | {"history": history, "seat": self.seat})


MOMENT: Final[dict[str, Callable[[Rules, Any], Any]]] = {
    "actor": lambda game, actor: to_json(actor),
    "number": lambda game, number: number,
    "setting_up": lambda game, setting_up: setting_up,
    "private": lambda game, private: private,
    "turns": lambda game, turns: turns,
    "legal": lambda game, moves: game.actions.ranges(moves),
    "secret": lambda game, secret: to_json(secret),
    "board": lambda game, board: game.board_to_json(board),
    "outcome": lambda game, outcome: to_json(outcome),
    "secrets": lambda game, both: to_json(both),
}
"""How each part of a moment is written as JSON data."""
_FIELDS: Final = {name: "moves" if name == "legal" else name for name in MOMENT}
"""The field of a view that holds each part of a moment."""
_PARTS: Final = [(name, View._fields.index(_FIELDS[name]), MOMENT[name]) for name in MOMENT]
"""For each part of a moment: its name, the index of its field in a view, and its writer."""
