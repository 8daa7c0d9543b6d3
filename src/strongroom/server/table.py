"""A table: one game of the server as a process knows it, and what each of its viewers is sent.

It does no I/O and notifies nobody.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache, cached_property
from types import MappingProxyType
from typing import Final, NamedTuple

import orjson

from strongroom.contract import (
    REPEATS,
    YOU,
    Candidates,
    CandidateTracker,
    Game,
    Json,
    Ledger,
    Move,
    Names,
    NotUnderstood,
    Outcome,
    Repetition,
    Seat,
    Turn,
    View,
)
from strongroom.contract.codec import to_json
from strongroom.referee import wire
from strongroom.referee.match import Match
from strongroom.referee.randomness import fresh_token
from strongroom.referee.record import Entry, Hint, Step
from strongroom.server.clocks import NO_PAUSES, Clocks, Pauses, Span
from strongroom.server.files import BOARDS
from strongroom.server.messages import MoveRequest, ReadRequest, WireError
from strongroom.server.store import Deal, StoredGame, StoredRequest

WITHDRAWN_TEXT: Final = "This game was taken back before it began."
TURN_LIMIT: Final = 1000
"""The turn at which a match is called undecided, so that none goes on for ever."""
MOST_LEFT: Final = 200
"""Up to this many possible secrets are listed; beyond that, only their number is sent."""
NOTHING_LEFT: Final[Json] = {"left": None, "codes": None, "count": ""}

Viewer = Seat | None
"""The player of a seat, or None for a spectator."""
FrameVariant = tuple[Viewer, bool]
"""Which viewers get the same frames: those of a seat or spectators, with or without words."""


class Proposal(NamedTuple):
    """The result of a request before it is stored: the match after it, and what to store."""

    match: Match
    request: StoredRequest
    entries: list[Json]
    """The entries to store, as JSON data."""


class HostedGame:
    """A game on a server: what is stored of it, its match, its clocks, and what its viewers know.

    The match begins when both players have sat down and given their seeds. A request becomes a
    `Proposal`, which changes nothing here. Once it is stored, `advance` takes the match on;
    `follow` does so for what another process has stored.
    """

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
        if requests and self.match is not None:
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
        return None if has_had_it else self.proposal(match.with_hint(seat), id)

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
                match = match.follow(match.record.entry_from_json(orjson.loads(line)))
            self._keep(request)
        self._go_on(match)

    def follow_entry(self, entry: Entry) -> None:
        """Apply a single stored entry, as in a replay."""
        self._go_on(self.playing.follow(entry))

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

    def since(self, begin: int, variant: FrameVariant, now: float) -> Json:
        """The entries after a number, and the whole current moment."""
        assert self._viewing is not None
        return self._viewing.since(begin, variant) | self._clock(now)

    def _clock(self, now: float) -> Json:
        return {} if self._clocks is None else {"clock": self._clocks.to_json(self.actor, now)}


# --- what viewers are sent ---


class Audience:
    """The viewers that get the same words: the player of a seat, or all spectators."""

    def __init__(self, game: Game, viewer: Seat | None, names: Names) -> None:
        self._game = game
        self._words = game.words
        self._seat = viewer
        self._names = names if viewer is None else {**names, viewer: YOU}
        # A drawing costs more than all the rest, so only the generic board is sent one.
        self._needs_drawing = game.name not in BOARDS
        self._left: Candidates | None = None
        self._left_sent = NOTHING_LEFT
        """The candidates that were sent last, as JSON data."""

    def say(self, views: Sequence[View], repeated: bool) -> str:
        """What the referee says of some views to this audience, of its own acts as of others'.

        The sentence about what happened last stands last, after that about a repetition.
        """
        words, names = self._words, self._names
        said = [
            words.narrate(view, names) if view.history else words.goal or words.welcome(view)
            for view in views
        ]
        said[-1:-1] = [REPEATS] * repeated
        return "\n".join(filter(None, map(str.strip, said)))

    def show(self, view: View, left: Candidates | None) -> Json:
        """What is shown besides what the referee says; `left` is what the aids count."""
        words, names, seat = self._words, self._names, self._seat
        asked = words.question(view, names) if isinstance(view.actor, Seat) else None
        own = asked if seat is view.actor else None
        drawing = None
        if self._needs_drawing:
            drawing = words.drawing(view, seat or Seat.ONE, names, left)
        return {
            "heading": asked.heading if asked else "",
            "prompt": asked.prompt.strip() if asked else "",
            "accepted": own.accepted if own else "",
            "secrecy": words.secrecy(view, names) if own and view.setting_up else "",
            "ending": words.ending(view.outcome, names) if view.outcome else "",
            "picture": words.picture(view),
            "drawing": to_json(drawing),
            **self._count(left),
        }

    def _count(self, left: Candidates | None) -> Json:
        """What is left, serialized again only when it has changed."""
        if left is not self._left:
            self._left, self._left_sent = left, NOTHING_LEFT
            if left is not None:
                assert self._seat is not None
                self._left_sent = {
                    "left": self._list(left),
                    "codes": self._codes,
                    "count": self._words.count(self._seat, self._names, left),
                }
        return self._left_sent

    @cached_property
    def _codes(self) -> list[str] | None:
        """All that could be hidden from this player before the first turn."""
        assert self._seat is not None
        candidates = self._game.candidates(self._seat)
        return None if candidates is None else self._list(candidates)

    def _list(self, left: Candidates) -> list[str] | None:
        """Candidates as texts, in the order of their numbers; None if there are too many."""
        if len(left) > MOST_LEFT:
            return None
        return [str(self._game.secret_of(each)) for each in sorted(left)]


def ledger_rows(turns: Sequence[Turn], begin: int) -> Json:
    """The rows of the running record from `begin` on."""
    return {"from": begin, "rows": to_json(turns[begin:])}


class Moment:
    """A match between two steps, and what has been computed for its viewers so far."""

    def __init__(self, match: Match) -> None:
        self.match = match
        self.view = cache(match.view)
        """What a viewer may know."""
        self.shown: dict[Viewer, Json] = {}
        """What each audience is shown besides what is said, computed on demand."""


class Viewing:
    """What the viewers of one match are sent: the whole view once, then each viewer's changes.

    The cost of a frame depends on the new entries, never on the length of the match.
    """

    def __init__(self, deal: Deal, names: Names, match: Match) -> None:
        self._audience = cache(lambda viewer: Audience(deal.game, viewer, names))
        self._candidates = CandidateTracker(deal.game) if deal.aids else None
        self._ledger = Ledger(deal.game.words)
        self._earlier = self._now = Moment(match)
        """The moment that viewers already know, and the one that they are told of now."""
        self._begin = len(match.record.entries)
        """How many entries came before the new ones."""
        self._came: tuple[Entry, ...] = ()
        """The new entries."""
        self._open_lines: list[Json] | None = None
        """The new entries as JSON data, once computed, if all of them are public."""
        self._repetition = Repetition()
        self._repeated: list[bool] = []
        """Which new open steps brought about a position for the third time."""
        self._known: tuple[int, Turn | None] = (0, None)
        """How many rows the running record had before the new entries, and the last of them."""
        self._new_rows: Json | None = None
        """The new or changed rows, computed on demand."""
        self._listed: dict[Viewer, tuple[Sequence[Move], list[str] | None]] = {}
        """For each viewer, the legal moves whose texts every reader has, and those texts."""

    def go_on(self, match: Match, entries: list[Json] | None = None) -> None:
        """Advance to a match with new entries; `entries` are the same as JSON data, if known."""
        self._earlier, self._now = self._now, Moment(match)
        self._begin += len(self._came)
        self._came = match.record.entries[self._begin :]
        self._open_lines = None if any(map(_is_hidden, self._came)) else entries
        turns = self._ledger.turns
        self._known, self._new_rows = (len(turns), turns[-1] if turns else None), None
        views = self._views_on_the_way(self._now.view(None))
        self._repeated = [self._repetition.noticed(view) for view in views]

    def whole(self, variant: FrameVariant) -> Json:
        """The whole view of a viewer."""
        viewer, in_words = variant
        view = self._now.view(viewer)
        frame: Json = {"view": view.to_json()}
        if in_words:
            frame["words"] = self._all_words(view)
            self._welcome_reader(view)
        return frame

    def frame(self, variant: FrameVariant) -> Json:
        """The new entries and changes, for a viewer who already has everything before them."""
        viewer, in_words = variant
        view = self._now.view(viewer)
        changes = view.changes_since(self._earlier.view(viewer))
        frame = _entries(self._begin, self._lines(viewer), changes)
        if in_words:
            frame["words"] = self._new_words(view)
            self._list_moves(view, changes)
        return frame

    def since(self, begin: int, variant: FrameVariant) -> Json:
        """The entries after a number, and the whole current moment."""
        viewer, in_words = variant
        view, record = self._now.view(viewer), self._now.match.record
        entries = record.entries[begin:]
        lines = [wire.entry_for(record, entry, viewer) for entry in entries]
        frame = _entries(begin, lines, view.moment_to_json())
        if in_words:
            frame["words"] = self._all_words(view, sum(map(_is_open, entries)))
            frame["view"]["moves"] = view.texts()
            self._welcome_reader(view)
        return frame

    # --- entries ---

    def _lines(self, viewer: Viewer) -> list[Json]:
        """The new entries as a viewer gets them; if all are public, built once for everybody."""
        if self._open_lines is not None:
            return self._open_lines
        record = self._now.match.record
        lines = [wire.entry_for(record, entry, viewer) for entry in self._came]
        if not any(map(_is_hidden, self._came)):
            self._open_lines = lines
        return lines

    def _views_on_the_way(self, view: View) -> list[View]:
        """A viewer's view at each new open step; at the last one, the current view."""
        open_steps = sum(map(_is_open, self._came))
        if open_steps < 2:
            return [view] * open_steps
        earlier, views = self._earlier.match, []
        state = earlier.state
        for step in self._now.match.record.steps[len(earlier.record.steps) :]:
            assert step.move is not None  # the referee knows every move
            state = state.play(step.move)
            if step.keeper is None:
                views.append(state.view(view.seat))
        return [*views[:-1], view]

    # --- words ---

    def _all_words(self, view: View, missed: int | None = None) -> Json:
        """All words of this moment, with the rows that `missed` open steps can have changed.

        Without `missed`, it includes all rows of the running record.
        """
        self._ledger.read(view.history)
        turns = self._ledger.turns
        # A step starts a row or continues the one before.
        changed = len(turns) if missed is None else missed and missed + 1
        begin = max(0, len(turns) - changed)
        said = self._audience(view.seat).say([view], self._repeated[-1:] == [True])
        return {"said": said, **self._view_json(view), "turns": ledger_rows(turns, begin)}

    def _new_words(self, view: View) -> Json:
        """What is said about the new entries, and all other words that have changed."""
        words: Json = {}
        if said := self._audience(view.seat).say(self._views_on_the_way(view), any(self._repeated)):
            words["said"] = said
        earlier = self._earlier.shown.get(view.seat, {})
        for name, shown in self._view_json(view).items():
            if name not in earlier or earlier[name] != shown:
                words[name] = shown
        turns = self._rows_that_came(view)
        if turns["rows"]:
            words["turns"] = turns
        return words

    def _view_json(self, view: View) -> Json:
        shown = self._now.shown
        if view.seat not in shown:
            shown[view.seat] = self._audience(view.seat).show(view, self._left(view))
        return shown[view.seat]

    def _left(self, view: View) -> Candidates | None:
        """The candidates left for a player, if they are shown."""
        if self._candidates is None or view.seat is None:
            return None
        if view.setting_up or view.outcome is not None:
            return None
        return self._candidates.left_for(view.seat, view.history)

    def _rows_that_came(self, view: View) -> Json:
        """The new or changed rows of the running record, serialized once for all viewers."""
        if self._new_rows is None:
            self._ledger.read(view.history)
            turns, (count, last) = self._ledger.turns, self._known
            goes_on = count and turns[count - 1] is not last
            self._new_rows = ledger_rows(turns, count - 1 if goes_on else count)
        return self._new_rows

    def _welcome_reader(self, view: View) -> None:
        """Take into account that a reader who has just come was sent the moves of this view.

        `_list_moves` sends no texts that every reader of a seat has. If the readers before were
        sent those of other moves last, no texts are common to all, and the next go to everybody.
        """
        listed, _ = self._listed.get(view.seat, ((), None))
        if listed is not view.moves:
            self._listed.pop(view.seat, None)

    def _list_moves(self, view: View, changes: Json) -> None:
        """Send readers the texts of the legal moves, once; programs identify moves by number."""
        listed, texts = self._listed.get(view.seat, ((), None))
        if view.moves and view.moves is not listed:
            new = view.texts()
            if not listed or new != texts:
                changes["moves"] = new
            self._listed[view.seat] = (view.moves, new)


def _is_open(entry: Entry) -> bool:
    return isinstance(entry, Step) and entry.keeper is None


def _is_hidden(entry: Entry) -> bool:
    return isinstance(entry, Step) and entry.keeper is not None


def _entries(begin: int, lines: list[Json], moment: Json) -> Json:
    return {"type": "entries", "number": begin + 1, "entries": lines, "view": moment}
