"""What each viewer of a match is sent: the viewer's own view, with words on request."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, cached_property
from typing import Final

from strongroom.contract import (
    YOU,
    Candidates,
    CandidateTracker,
    Game,
    Json,
    Ledger,
    Move,
    Names,
    Seat,
    Turn,
    View,
)
from strongroom.contract.codec import to_json
from strongroom.referee import wire
from strongroom.referee.match import Match
from strongroom.referee.record import Entry, Step
from strongroom.server.files import BOARDS
from strongroom.server.store import Deal

MOST_LEFT: Final = 200
"""Up to this many possible secrets are listed; beyond that, only their number is sent."""
NOTHING_LEFT: Final[Json] = {"left": None, "codes": None, "count": ""}


class Audience:
    """The viewers that get the same words: the player of a seat, or all spectators."""

    def __init__(self, game: Game, viewer: Seat | None, names: Names) -> None:
        self._game = game
        self._words = game.words
        self._seat = viewer
        self._names = names if viewer is None else {**names, viewer: YOU}
        self._here = frozenset(seat for seat in Seat if self._names[seat] == YOU)
        # A drawing costs more than all the rest, so only the generic board is sent one.
        self._needs_drawing = game.name not in BOARDS
        self._left: Candidates | None = None
        self._left_sent = NOTHING_LEFT
        """The candidates that were sent last, as JSON data."""

    def say(self, views: Sequence[View]) -> str:
        """What the referee says about some views."""
        said = [self._words.say(view, self._names, self._here).strip() for view in views]
        return "\n".join(filter(None, said))

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
    return {
        "from": begin,
        "rows": [
            {
                "seat": turn.seat and turn.seat.value,
                "text": turn.text,
                "result": turn.result,
                "mark": turn.mark,
            }
            for turn in turns[begin:]
        ],
    }


Viewer = Seat | None
"""The player of a seat, or None for a spectator."""
FrameVariant = tuple[Viewer, bool]
"""Which viewers get the same frames: those of a seat or spectators, with or without words."""


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

    def missed(self, begin: int, variant: FrameVariant) -> Json:
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
        said = self._audience(view.seat).say([view])
        return {"said": said, **self._shown(view), "turns": ledger_rows(turns, begin)}

    def _new_words(self, view: View) -> Json:
        """What is said about the new entries, and all other words that have changed."""
        words: Json = {}
        if said := self._audience(view.seat).say(self._views_on_the_way(view)):
            words["said"] = said
        earlier = self._earlier.shown.get(view.seat, {})
        for name, shown in self._shown(view).items():
            if name not in earlier or earlier[name] != shown:
                words[name] = shown
        turns = self._rows_that_came(view)
        if turns["rows"]:
            words["turns"] = turns
        return words

    def _shown(self, view: View) -> Json:
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
        """Note that a reader has the texts of these moves and of no others."""
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
