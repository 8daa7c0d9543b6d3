"""A table: one game of the server as a process knows it. It does no I/O and notifies nobody."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Final, NamedTuple

import orjson

from strongroom.contract import Json, Move, NotUnderstood, Outcome, Seat
from strongroom.referee import wire
from strongroom.referee.match import Match
from strongroom.referee.randomness import fresh_token
from strongroom.referee.record import Entry, Hint, Step
from strongroom.server.clocks import NO_PAUSES, Clocks, Pauses, Span
from strongroom.server.messages import MoveRequest, ReadRequest, WireError
from strongroom.server.store import StoredGame, StoredRequest
from strongroom.server.viewing import FrameVariant, Viewing

WITHDRAWN_TEXT: Final = "This game was taken back before it began."
TURN_LIMIT: Final = 1000
"""The turn at which a match is called undecided, so that none goes on for ever."""


class Proposal(NamedTuple):
    """The result of a request before it is stored: the match after it, and what to store."""

    match: Match
    request: StoredRequest
    entries: list[Json]
    """The entries to store, as JSON data."""


class Table:
    """A game with its match, and what its viewers have been shown."""

    def __init__(
        self,
        stored: StoredGame,
        requests: Sequence[StoredRequest] = (),
        pauses: Pauses = NO_PAUSES,
        seat_pauses: Mapping[Seat, Pauses] = MappingProxyType({}),
    ) -> None:
        self.stored = stored
        self.match: Match | None = None
        self.requests: dict[str, StoredRequest] = {}
        """Where each request is in the journal, by its id."""
        self._pauses = pauses
        self._seat_pauses = dict(seat_pauses)
        self._clocks: Clocks | None = None
        self._viewing: Viewing | None = None
        self._begin()
        if requests:
            self.follow(requests)

    def _begin(self) -> None:
        """Start the match, once both players are there and have given their seeds."""
        stored = self.stored
        if not stored.is_complete:
            return
        one, two = (each.sitter for each in stored.seats)
        self.match = Match.start(
            stored.deal.game,
            (one, two),
            TURN_LIMIT,
            nonce=lambda number: fresh_token() if number else stored.id,
            aids=stored.deal.aids,
            score=stored.deal.score,
            coins=stored.coins(stored.server_seed),
        )
        self.reckon_clocks()
        names = {Seat.ONE: one.name, Seat.TWO: two.name}
        self._viewing = Viewing(stored.deal, names, self.match)

    def reckon_clocks(self) -> None:
        """Recompute the clocks from the start, with the pauses that are known now."""
        clock, started = self.stored.deal.clock, self.stored.started
        if clock is not None and self.match is not None:
            assert started is not None
            self._clocks = Clocks(clock, started, self._pauses, self._seat_pauses)
            self._run_clocks(self.match.record.entries)

    def _run_clocks(self, entries: Sequence[Entry]) -> None:
        assert self._clocks is not None
        for entry in entries:
            if isinstance(entry, Step):
                self._clocks.step(entry)
            elif isinstance(entry, Outcome):
                self._clocks.end(entry)

    def learn(self, stored: StoredGame) -> bool:
        """Take over the stored game; return whether the match begins with it."""
        self.stored = stored
        if self.match is None:
            self._begin()
            return self.match is not None
        return False

    @property
    def number(self) -> int:
        """How many entries the journal has."""
        return 0 if self.match is None else len(self.match.record.entries)

    @property
    def playing(self) -> Match:
        """The match, or an error while there is none."""
        if self.match is None:
            raise WireError("waiting", "The other player is not here yet.")
        return self.match

    @property
    def actor(self) -> object:
        """The player to move, or chance; None before the beginning and after the end."""
        return None if self.match is None else self.match.actor

    # --- requests ---

    def propose_move(self, seat: Seat, request: MoveRequest, now: float) -> Proposal:
        """The proposal for a player's move, or a refusal."""
        self._check_number(request.number, request.id)
        if self.actor is seat and self.time_left(now) == 0.0:
            raise WireError("over", "Your time has run out.", request.id)
        move = self._parse_move(seat, request.move)
        return self.proposal(self.playing.step(seat, move, self.at(now)), request.id)

    def read(self, seat: Seat, request: ReadRequest) -> Json:
        """The move that a player's words mean, as text to send and to show, or a refusal.

        A legal move is not tried: how long that takes could reveal what the opponent hides.
        """
        self._check_number(request.number, request.id)
        words, view = self.stored.deal.game.words, self.playing.view(seat)
        move = words.parse(request.move, view)
        if move not in view.moves:
            self.playing.step(seat, move)  # refuses, and says why
        return {"type": "read", "id": request.id, "move": str(move), "text": words.text(move)}

    def propose_hint(self, seat: Seat, number: int, id: str) -> Proposal | None:
        """The proposal for giving a seat a hint; None if it has had the hint already."""
        self._check_number(number, id)
        match = self.unfinished(id)
        if match.actor is not seat:
            raise WireError("no-hint", "Only the player to move may ask for a hint.", id)
        has_had_it = self.number and isinstance(match.record.entries[-1], Hint)
        return None if has_had_it else self.proposal(match.hinted(seat), id)

    def was_hinted(self, seat: Seat, request: StoredRequest) -> bool:
        """Whether the journal says that a request gave a seat a hint."""
        return self.playing.record.entries[request.number - 1] == Hint(seat)

    def at(self, now: float) -> float:
        """The time of a step made now, never before the last one: processes' times may differ."""
        steps = self.playing.record.steps
        return max(round(now, 3), steps[-1].time if steps else 0.0)

    def unfinished(self, id: str) -> Match:
        """The match that a request wants to end, or a refusal if it is over."""
        if self.playing.outcome is not None:
            raise WireError("over", "The game is over.", id)
        return self.playing

    def _check_number(self, number: int, id: str) -> None:
        if self.unfinished(id) and number != self.number + 1:
            text = f"The next entry is {self.number + 1}; yours was for {number}."
            raise WireError("stale", text, id)

    def _parse_move(self, seat: Seat, text: str) -> Move:
        game = self.stored.deal.game
        try:
            return game.move(text)
        except NotUnderstood:
            return game.words.parse(text, self.playing.view(seat))

    def proposal(self, match: Match, id: str | None) -> Proposal:
        """The proposal that leads to a match with new entries, and answers a request if any."""
        record, number = match.record, self.number
        new = [record.entry_to_json(entry) for entry in record.entries[number:]]
        lines = b"".join(orjson.dumps(each, option=orjson.OPT_APPEND_NEWLINE) for each in new)
        request = StoredRequest(number + 1, number + len(new), id, lines.decode())
        return Proposal(match, request, new)

    # --- stored entries ---

    def advance(self, stored: Proposal) -> None:
        """Advance to a proposal, now that it is stored."""
        self._keep(stored.request)
        self._go_on(stored.match, stored.entries)

    def follow(self, requests: Sequence[StoredRequest]) -> None:
        """Apply requests from the stored journal."""
        match = self.playing
        for request in requests:
            if request.last <= len(match.record.entries):
                continue
            for line in request.lines.splitlines():
                match = match.followed(match.record.entry_from_json(orjson.loads(line)))
            self._keep(request)
        self._go_on(match)

    def follow_entry(self, entry: Entry) -> None:
        """Apply a single stored entry, as in a replay."""
        self._go_on(self.playing.followed(entry))

    def _keep(self, request: StoredRequest) -> None:
        if request.id is not None:
            self.requests[request.id] = StoredRequest(request.number, request.last, request.id, "")

    def _go_on(self, match: Match, entries: list[Json] | None = None) -> None:
        begin, self.match = self.number, match
        assert self._viewing is not None
        self._viewing.go_on(match, entries)
        if self._clocks is not None:
            self._run_clocks(match.record.entries[begin:])

    # --- the clocks ---

    @property
    def has_clocks(self) -> bool:
        """Whether the players' time is limited, and the match has begun."""
        return self._clocks is not None

    def sitting_at(self, process: str) -> Iterator[tuple[Seat, Seat]]:
        """The seats that depend on a process, bots' included, each with its connected person's."""
        for each in self.stored.seats if self.has_clocks else ():
            host = each.seat.other if each.is_bot else each.seat
            if self.stored.seats[host.index].process == process:
                yield each.seat, host

    def pause(self, seat: Seat, span: Span) -> None:
        """Add a span in which the clock of a seat stood still."""
        self.take_pauses({seat: Pauses([span])})

    def take_pauses(self, seat_pauses: Mapping[Seat, Pauses]) -> None:
        """Add stored pauses of single seats to our own, which may not all be stored yet."""
        both = self._seat_pauses, seat_pauses
        self._seat_pauses = {
            seat: Pauses(span for each in both for span in each.get(seat, ())) for seat in Seat
        }
        self.reckon_clocks()

    def time_left(self, now: float) -> float | None:
        """How many seconds the mover has left; None if there is no clock or no mover."""
        if self._clocks is None or not isinstance(actor := self.actor, Seat):
            return None
        return self._clocks.left(actor, actor, now)

    # --- what viewers are sent ---

    def welcome(self, variant: FrameVariant, info: Json, now: float) -> Json:
        """The first frame: the whole view, once there is one."""
        frame: Json = {
            "type": "welcome",
            "protocol": wire.PROTOCOL,
            "game": info,
            "seat": variant[0] and variant[0].value,
            "number": self.number,
            "view": None,
        }
        if self._viewing is None:
            return frame
        return frame | self._viewing.whole(variant) | self._clock(now)

    def frame(self, variant: FrameVariant, now: float) -> Json:
        """The newest entries, in the variant for some viewers."""
        assert self._viewing is not None
        return self._viewing.frame(variant) | self._clock(now)

    def missed(self, begin: int, variant: FrameVariant, now: float) -> Json:
        """The entries after a number, and the whole current moment."""
        assert self._viewing is not None
        return self._viewing.missed(begin, variant) | self._clock(now)

    def _clock(self, now: float) -> Json:
        return {} if self._clocks is None else {"clock": self._clocks.to_json(self.actor, now)}
