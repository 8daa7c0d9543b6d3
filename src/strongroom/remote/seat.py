"""The game as one seat, or a spectator, sees it: a view that the server's frames update."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from strongroom.contract import AnyState, Json, Refusal, Seat, View
from strongroom.contract.moves import seat_of
from strongroom.contract.rules import listed, parts
from strongroom.referee.fairness import Seen
from strongroom.referee.wire import PROTOCOL, fold
from strongroom.remote.clock import RemoteClock
from strongroom.remote.info import GameInfo, understood


class Gap(Exception):
    """Entries are missing between those known here and those that arrived."""


@dataclass(frozen=True, slots=True)
class News:
    """What a frame has brought."""

    moments: Sequence[View] = ()
    """The views after each new public event, as a spectator sees them."""
    missed: int = 0
    """How many new public events before these have no view any more."""
    hints: Sequence[Seat] = ()
    """Who took a hint."""


@dataclass
class RemoteSeat:
    """What one viewer knows of a game on a server."""

    info: GameInfo
    seat: Seat | None = None
    """The viewer's seat, as the welcome says; None for a spectator."""
    number: int = 0
    """How many entries of the journal are known here."""
    view: View | None = None
    """What this viewer may know; None until both players are seated."""
    clock: RemoteClock | None = None
    """The players' clocks, if they have any."""
    commitments: dict[int, str] = field(default_factory=dict)
    """The commitment that was published with each private step."""
    secrets: dict[int, str] = field(default_factory=dict)
    """The private moves that this seat made itself."""
    hash: str = ""
    """The hash of the server's seed as it was first published."""
    seed: str | None = None
    """The seed that this seat gave for the coins."""
    _state: AnyState | None = None
    """In games without secrets, the state after some beginning of the view's history."""

    def __post_init__(self) -> None:
        self.hash = self.hash or self.info.coins.hash
        self._game = self.info.game  # as agreed on, whatever the server says later

    @property
    def have(self) -> int | None:
        """How many entries a hello can claim to have; None without a view."""
        return None if self.view is None else self.number

    @property
    def is_over(self) -> bool:
        """Whether the match has ended."""
        return self.view is not None and self.view.outcome is not None

    @understood()
    def welcome(self, frame: Json) -> News:
        """Take over the whole view in a welcome."""
        protocol, info, seat, number, view = parts(
            frame, "protocol", "game", "seat", "number", "view"
        )
        if protocol != PROTOCOL:
            raise Refusal(
                "The server and this program use different versions of the protocol.",
                "Update the older of the two.",
            )
        self.info = GameInfo.from_json(info)
        self.seat = None if seat is None else seat_of(seat)
        self._set_clock(frame)
        self._state = None
        return News() if view is None else self._see(View.from_json(self._game, view), number)

    @understood()
    def entries(self, frame: Json) -> News:
        """Apply entries; those that are already known change nothing."""
        first, came, changed = parts(frame, "number", "entries", "view")
        known = self.number + 1 - first
        if known < 0 or self.view is None:
            raise Gap
        new = listed(came)[known:]
        if not new and known:
            return News()
        self._set_clock(frame)
        self._remember(new)
        view = fold(self.view, {"entries": new, "view": changed})
        news = self._see(view, self.number + len(new))
        hints = tuple(seat_of(entry["hint"]) for entry in new if "hint" in entry)
        return replace(news, hints=hints)

    def _set_clock(self, frame: Json) -> None:
        if frame.get("clock") is not None:
            self.clock = RemoteClock.from_json(frame["clock"])

    def _remember(self, entries: Sequence[Any]) -> None:
        for entry in entries:
            if "keeper" in entry:
                number, commitment, move = parts(entry, "step", "commitment", "move")
                if isinstance(commitment, str):
                    self.commitments.setdefault(number, commitment)
                if self.seat is not None and entry["seat"] == self.seat.value and move is not None:
                    self.secrets.setdefault(number, str(move))

    def _see(self, view: View, number: int) -> News:
        fresh = 0 if self.view is None else len(view.history) - len(self.view.history)
        self.number, self.view = number, view
        moments = self._moments(public(view), fresh)
        return News(moments, fresh - len(moments))

    def _moments(self, view: View, fresh: int) -> tuple[View, ...]:
        """The views after each of the `fresh` latest public events.

        Without secrets, all of them follow from the moves; otherwise only the last is known.
        """
        if fresh <= 1 or self._game.secrets_each:
            return (view,) if fresh else ()
        state = self._state or self._game.start()
        views = []
        for event in view.history[len(state.log) :]:
            state = state.play(event.move)
            views.append(state.view(None))
        self._state = state
        return (*views[-fresh:-1], view)

    @property
    def seen(self) -> Seen:
        """All that was shown here, to compare the record with."""
        seeds: list[str | None] = list(self.info.coins.seeds)
        if self.seat is not None and self.seed is not None:
            seeds[self.seat.index] = self.seed
        view = self.view
        outcome = None if view is None else view.outcome
        return Seen(
            id=self.info.id,
            game=self._game.name,
            options=self._game.options.to_json(),
            hash=self.hash,
            seeds=(seeds[0], seeds[1]),
            commitments=self.commitments,
            secrets=self.secrets,
            events=[] if view is None else [*map(self._game.event_to_json, view.history)],
            end=None if outcome is None else self._game.outcome_to_json(outcome),
        )


def public(view: View) -> View:
    """A view reduced to what a spectator may know."""
    return view._replace(seat=None, moves=(), secret=())
