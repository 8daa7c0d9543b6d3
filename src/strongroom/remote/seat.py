"""The game as one seat, or a spectator, sees it: a view that the server's frames update."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Annotated, Any, Final

from strongroom.contract import AnyState, Game, Json, Refusal, Seat, View
from strongroom.contract.codec import from_json, json_form, number_from, read_object, to_json
from strongroom.contract.moves import seat_of
from strongroom.contract.rules import parts, require_list
from strongroom.plugins.registry import load
from strongroom.referee.fairness import Seen
from strongroom.referee.randomness import Coins, Token
from strongroom.referee.record import Sitter
from strongroom.referee.wire import PROTOCOL, fold


@contextmanager
def refuse_malformed() -> Iterator[None]:
    """Turn any error in the data that a server sent into a refusal."""
    try:
        yield
    except Refusal:
        raise
    except (LookupError, TypeError, ValueError, AttributeError, OverflowError):
        told = "The server's answer is not understood."
        raise Refusal(told, "Check that it is a strongroom server of this version.") from None


@json_form("*sitter here")
@dataclass(frozen=True, slots=True)
class SeatInfo:
    """A seat that somebody has taken."""

    sitter: Sitter
    """Who sits there."""
    here: bool
    """Whether that player is connected now."""


def _read_game(data: Any, _: object) -> Game:
    name, options = parts(data, "game", "options")
    return load(name, **options)


@json_form("id *game state seats coins score claim_after aids? watch? rematch?")
@dataclass(frozen=True, slots=True)
class GameInfo:
    """A game on a server, without any of its moves."""

    id: Token
    game: Annotated[Game, _read_game]
    """The game being played."""
    state: str
    """`waiting`, `playing`, `over` or `withdrawn`."""
    seats: tuple[SeatInfo | None, SeatInfo | None]
    """Who sits in each seat; None if it is free."""
    coins: Coins
    """The source of the coins, as far as it is published."""
    score: tuple[float, float]
    """The points of each seat's player from earlier games between the two."""
    claim_after: float
    """How long a player may be away before the opponent may claim the game, in seconds."""
    aids: bool = False
    """Whether the players get hints, and a notebook of what is still possible."""
    watch: bool = False
    """Whether spectators are allowed."""
    rematch: Token | None = None
    """The id of the game that follows this one, once a player has asked for it."""

    @classmethod
    @refuse_malformed()
    def from_json(cls, data: Any) -> GameInfo:
        """The information from a server's data; a refusal if it is not understood here."""
        return read_object(cls, data)

    @property
    def sitters(self) -> list[Sitter | None]:
        """Who sits in each seat; None if it is free."""
        return [None if seat is None else seat.sitter for seat in self.seats]

    def name(self, seat: Seat) -> str | None:
        """The name of the player in a seat; None if it is free."""
        taken = self.seats[seat.index]
        return None if taken is None else taken.sitter.name


@refuse_malformed()
def read_seat(answer: Json) -> tuple[GameInfo, Seat]:
    """The game that a server created or let somebody join, and which seat they have."""
    game, seat = parts(answer, "game", "seat")
    return GameInfo.from_json(game), seat_of(seat)


LONGEST_TIME: Final = 10**9
"""The most seconds that a player can have left."""
Seconds = Annotated[float, number_from(0, LONGEST_TIME)]


@json_form("left running")
@dataclass(frozen=True, slots=True)
class RemoteClock:
    """Each player's remaining time at the server's last update, and whose clock has run since."""

    left: tuple[Seconds, Seconds]
    running: Seat | None
    at: float = field(default_factory=time.monotonic)
    """When the update arrived, by this computer's clock."""

    def time_text(self, seat: Seat, now: float | None = None) -> str:
        """A player's remaining time, in minutes and seconds.

        >>> clock = RemoteClock((300.0, 65.0), Seat.TWO, at=10.0)
        >>> clock.time_text(Seat.ONE, now=20.0), clock.time_text(Seat.TWO, now=20.0)
        ('5:00', '0:55')
        """
        minutes, seconds = divmod(round(self._left(seat, now)), 60)
        return f"{minutes}:{seconds:02}"

    def stop(self, now: float | None = None) -> RemoteClock:
        """The clock, stopped now: without a connection nobody knows how it goes on.

        >>> clock = RemoteClock((300.0, 65.0), Seat.TWO, at=10.0).stop(now=20.0)
        >>> clock.time_text(Seat.TWO, now=30.0)
        '0:55'
        """
        return RemoteClock((self._left(Seat.ONE, now), self._left(Seat.TWO, now)), None)

    def _left(self, seat: Seat, now: float | None) -> float:
        now = time.monotonic() if now is None else now
        spent = max(0.0, now - self.at) if seat is self.running else 0.0
        return max(0.0, self.left[seat.index] - spent)


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
    is_welcome: bool = False
    """Whether the server has said which seat this is, and how the game stands."""
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

    @refuse_malformed()
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
        self.is_welcome = True
        self._set_clock(frame)
        self._state = None
        return News() if view is None else self._see(View.from_json(self._game, view), number)

    @refuse_malformed()
    def entries(self, frame: Json) -> News:
        """Apply entries; those that are already known change nothing."""
        first, came, changed = parts(frame, "number", "entries", "view")
        known = self.number + 1 - first
        if known < 0 or self.view is None:
            raise Gap
        new = require_list(came)[known:]
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
            self.clock = from_json(RemoteClock, frame["clock"])

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
    def evidence(self) -> Seen:
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
            end=to_json(outcome),
        )


def public(view: View) -> View:
    """A view reduced to what a spectator may know."""
    return view._replace(seat=None, moves=(), secret=())
