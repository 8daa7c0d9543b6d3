"""A table: one game of the server as a process knows it. It does no I/O and tells nobody."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Final, NamedTuple

import orjson

from strongroom import tokens, wire
from strongroom.contract import (
    Json,
    Move,
    NotUnderstood,
    Outcome,
    Seat,
)
from strongroom.match import Match
from strongroom.record import Entry, Hint, Step
from strongroom.server.clocks import NONE, Clocks, Pauses, Span
from strongroom.server.messages import Moves, Reads, WireError
from strongroom.server.store import Kept, Request
from strongroom.server.viewing import Kind, Viewing

WITHDRAWN_TEXT: Final = "This game was taken back before it began."
TURN_LIMIT: Final = 1000
"""After so many turns of both a match is undecided, so that none is stored without end."""


class Proposal(NamedTuple):
    """What a request would bring: the match after it, and what there is to be stored."""

    match: Match
    request: Request
    entries: list[Json]
    """What is to be stored, as JSON data."""


class Table:
    """A game with its match, and what its viewers have been shown."""

    def __init__(
        self,
        kept: Kept,
        requests: Sequence[Request] = (),
        pauses: Pauses = NONE,
        own: Mapping[Seat, Pauses] = MappingProxyType({}),
    ) -> None:
        self.kept = kept
        self.match: Match | None = None
        self.asked: dict[str, Request] = {}
        """What each request brought, by its id."""
        self._pauses = pauses
        self._own = dict(own)
        self._clocks: Clocks | None = None
        self._viewing: Viewing | None = None
        self._begin()
        if requests:
            self.follow(requests)

    def _begin(self) -> None:
        """Start the match, once both players are there and have given their seeds."""
        kept = self.kept
        if not kept.is_complete:
            return
        one, two = (chair.sitter for chair in kept.chairs)
        self.match = Match.start(
            kept.deal.game,
            (one, two),
            TURN_LIMIT,
            nonce=lambda number: tokens.fresh() if number else kept.id,
            aids=kept.deal.aids,
            score=kept.deal.score,
            coins=kept.coins(kept.server_seed),
        )
        self.reckon_clocks()
        names = {Seat.ONE: one.name, Seat.TWO: two.name}
        self._viewing = Viewing(kept.deal, names, self.match)

    def reckon_clocks(self) -> None:
        """Reckon the clocks from the start, by the pauses that are known now."""
        kept = self.kept
        if kept.deal.clock is not None and self.match is not None:
            assert kept.started is not None
            self._clocks = Clocks(kept.deal.clock, kept.started, self._pauses, self._own)
            self._run_clocks(self.match.record.entries)

    def _run_clocks(self, entries: Sequence[Entry]) -> None:
        assert self._clocks is not None
        for entry in entries:
            if isinstance(entry, Step):
                self._clocks.step(entry)
            elif isinstance(entry, Outcome):
                self._clocks.end(entry)

    def learn(self, kept: Kept) -> bool:
        """Take over who sits here now; whether the match begins with it."""
        self.kept = kept
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
        """Who is to move; None: nobody."""
        return None if self.match is None else self.match.actor

    # --- what is asked for ---

    def moved(self, seat: Seat, asked: Moves, now: float) -> Proposal:
        """What a player's move would bring; or a refusal."""
        self._check_number(asked.number, asked.id)
        if self.actor is seat and self.time_left(now) == 0.0:
            raise WireError("over", "Your time has run out.", asked.id)
        return self.made(seat, self._understood(seat, asked.move), asked.id, now)

    def read(self, seat: Seat, asked: Reads) -> Json:
        """The move that a player's words mean, as text to send and to show; or a refusal.

        A legal move is not tried: how long that takes could tell what the other one hides.
        """
        self._check_number(asked.number, asked.id)
        words, view = self.kept.deal.game.words, self.playing.view(seat)
        move = words.parse(asked.move, view)
        if move not in view.moves:
            self.playing.step(seat, move)  # refuses, and says why
        return {"type": "read", "id": asked.id, "move": str(move), "text": words.text(move)}

    def made(self, seat: Seat, move: Move, id: str, now: float) -> Proposal:
        """What a move would bring; or a refusal."""
        match, _ = self.playing.step(seat, move, self._at(now))
        return self._proposed(match, id)

    def settled(self, now: float) -> Proposal:
        """What chance decides before anybody moves."""
        match, _ = self.playing.settle(self._at(now))
        return self._proposed(match, None)

    def resigned(self, seat: Seat, id: str) -> Proposal:
        """What a resignation would bring."""
        return self._proposed(self._going_on(id).resign(seat), id)

    def forfeited(self, seat: Seat, why: str, id: str) -> Proposal:
        """What it would bring if a seat lost for a reason outside the rules."""
        return self._proposed(self._going_on(id).forfeit(seat, why), id)

    def hinted(self, seat: Seat, number: int, id: str) -> Proposal | None:
        """What it would bring if a seat were given a hint; nothing, if it has had it already."""
        self._check_number(number, id)
        match = self._going_on(id)
        if match.actor is not seat:
            raise WireError("no-hint", "A hint is for whoever is to move.", id)
        has_had_it = self.number and isinstance(match.record.entries[-1], Hint)
        return None if has_had_it else self._proposed(match.hinted(seat), id)

    def was_hinted(self, seat: Seat, request: Request) -> bool:
        """Whether a request was for a hint, which the journal says was given to a seat."""
        return self.playing.record.entries[request.number - 1] == Hint(seat)

    def _at(self, now: float) -> float:
        """The time of a step that is made now, never before the last one: processes may differ."""
        steps = self.playing.record.steps
        return max(round(now, 3), steps[-1].time if steps else 0.0)

    def _going_on(self, id: str) -> Match:
        if self.playing.outcome is not None:
            raise WireError("over", "The game is over.", id)
        return self.playing

    def _check_number(self, number: int, id: str) -> None:
        if self._going_on(id) and number != self.number + 1:
            text = f"The next entry is {self.number + 1}; yours was for {number}."
            raise WireError("stale", text, id)

    def _understood(self, seat: Seat, text: str) -> Move:
        game = self.kept.deal.game
        try:
            return game.move(text)
        except NotUnderstood:
            return game.words.parse(text, self.playing.view(seat))

    def _proposed(self, match: Match, id: str | None) -> Proposal:
        record, number = match.record, self.number
        new = [record.entry_to_json(entry) for entry in record.entries[number:]]
        lines = b"".join(orjson.dumps(each, option=orjson.OPT_APPEND_NEWLINE) for each in new)
        return Proposal(match, Request(number + 1, number + len(new), id, lines.decode()), new)

    # --- what was stored ---

    def advance(self, stored: Proposal) -> None:
        """Go on to what was proposed, now that it is stored."""
        self._keep(stored.request)
        self._go_on(stored.match, stored.entries)

    def follow(self, requests: Sequence[Request]) -> None:
        """Go on with what was stored elsewhere."""
        match = self.playing
        for request in requests:
            if request.last <= len(match.record.entries):
                continue
            for line in request.lines.splitlines():
                match = match.followed(match.record.entry_from_json(orjson.loads(line)))
            self._keep(request)
        self._go_on(match)

    def follow_entry(self, entry: Entry) -> None:
        """Go on with a single entry that was stored, as somebody who replays the game does."""
        self._go_on(self.playing.followed(entry))

    def _keep(self, request: Request) -> None:
        if request.id is not None:
            self.asked[request.id] = Request(request.number, request.last, request.id, "")

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
        """The seats that a process lets play, each with that of the person for whom it does."""
        for chair in self.kept.chairs if self.has_clocks else ():
            host = chair.seat.other if chair.is_bot else chair.seat
            if self.kept.chairs[host.index].process == process:
                yield chair.seat, host

    def pause(self, seat: Seat, span: Span) -> None:
        """Let the clock of a seat have stood still for some time."""
        self.take_pauses({seat: Pauses([span])})

    def take_pauses(self, own: Mapping[Seat, Pauses]) -> None:
        """Take over the pauses of single seats that are stored; one of ours may not be yet."""
        self._own = {
            seat: Pauses([*self._own.get(seat, NONE), *own.get(seat, NONE)]) for seat in Seat
        }
        self.reckon_clocks()

    def time_left(self, now: float) -> float | None:
        """How many seconds the mover has left; None: there is no clock."""
        if self._clocks is None or not isinstance(actor := self.actor, Seat):
            return None
        return self._clocks.left(actor, actor, now)

    # --- what viewers are sent ---

    def welcome(self, kind: Kind, info: Json, now: float) -> Json:
        """The first frame: the whole view, once there is one."""
        frame: Json = {
            "type": "welcome",
            "protocol": wire.PROTOCOL,
            "game": info,
            "seat": kind[0] and kind[0].value,
            "number": self.number,
            "view": None,
        }
        if self._viewing is None:
            return frame
        return frame | self._viewing.whole(kind) | self._clock(now)

    def frame(self, kind: Kind, now: float) -> Json:
        """What a kind of viewers gets of what came last."""
        assert self._viewing is not None
        return self._viewing.frame(kind) | self._clock(now)

    def missed(self, begin: int, kind: Kind, now: float) -> Json:
        """The entries after a number, and the whole moment."""
        assert self._viewing is not None
        return self._viewing.missed(begin, kind) | self._clock(now)

    def _clock(self, now: float) -> Json:
        return {} if self._clocks is None else {"clock": self._clocks.to_json(self.actor, now)}
