"""Viewing: what those who look at a match are sent of it, each by their own view."""

from __future__ import annotations

from collections.abc import Sequence

from strongroom import wire
from strongroom.aids import CandidateTracker
from strongroom.contract import Candidates, Json, Ledger, Move, Names, Seat, Turn, View
from strongroom.match import Match
from strongroom.record import Entry, Step
from strongroom.server.deal import Deal
from strongroom.server.telling import Audience, rows

Viewer = Seat | None
"""Whoever plays for a seat, or a spectator."""
Kind = tuple[Viewer, bool]
"""Which viewers get the same: those of a seat, or spectators; and whether they want words."""


class Moment:
    """A match between two steps, and what was made of it for viewers so far."""

    def __init__(self, match: Match) -> None:
        self.match = match
        self.shown: dict[Viewer, Json] = {}
        """What each audience reads besides what is said, as far as anybody asked for it."""
        self._views: dict[Viewer, View] = {}

    def view(self, viewer: Viewer) -> View:
        """What a viewer may know."""
        view = self._views.get(viewer)
        if view is None:
            view = self._views[viewer] = self.match.view(viewer)
        return view


class Viewing:
    """What the viewers of one match are sent: all of it once, then what changes for each.

    What a frame costs depends on what came, never on how long the match has been.
    """

    def __init__(self, deal: Deal, names: Names, match: Match) -> None:
        self._deal = deal
        self._names = names
        self._audiences: dict[Viewer, Audience] = {}
        self._candidates = CandidateTracker(deal.game) if deal.aids else None
        self._ledger = Ledger(deal.game.words)
        self._earlier = self._now = Moment(match)
        """What viewers have been told of, and what they are told of now."""
        self._begin = len(match.record.entries)
        """How many entries came earlier."""
        self._came: tuple[Entry, ...] = ()
        """The entries that came since."""
        self._open_lines: list[Json] | None = None
        """These as JSON data, once somebody wants it, if all may know it."""
        self._known: tuple[int, Turn | None] = (0, None)
        """How many rows of the running record were there earlier, and the last of them."""
        self._new_rows: Json | None = None
        """The rows that came or changed, once somebody wants them."""
        self._listed: dict[Viewer, tuple[Sequence[Move], list[str] | None]] = {}
        """For each viewer, the legal moves whose texts every reader has, and these texts."""

    def go_on(self, match: Match, entries: list[Json] | None = None) -> None:
        """Turn to what came after all that viewers have been told of; entries: the same as JSON."""
        self._earlier, self._now = self._now, Moment(match)
        self._begin += len(self._came)
        self._came = match.record.entries[self._begin :]
        self._open_lines = None if any(map(_is_hidden, self._came)) else entries
        turns = self._ledger.turns
        self._known, self._new_rows = (len(turns), turns[-1] if turns else None), None

    def whole(self, kind: Kind) -> Json:
        """All that a viewer sees."""
        viewer, in_words = kind
        view = self._now.view(viewer)
        frame: Json = {"view": view.to_json()}
        if in_words:
            frame["words"] = self._all_words(view)
            self._welcome_reader(view)
        return frame

    def frame(self, kind: Kind) -> Json:
        """What a viewer who has been told of everything before gets of what came."""
        viewer, in_words = kind
        view = self._now.view(viewer)
        changes = view.changes_since(self._earlier.view(viewer))
        frame = _entries(self._begin, self._lines(viewer), changes)
        if in_words:
            frame["words"] = self._new_words(view)
            self._list_moves(view, changes)
        return frame

    def missed(self, begin: int, kind: Kind) -> Json:
        """The entries after a number, and the whole moment."""
        viewer, in_words = kind
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
        """What came, as a viewer gets it; what all may know is written once for all of them."""
        if self._open_lines is not None:
            return self._open_lines
        record = self._now.match.record
        lines = [wire.entry_for(record, entry, viewer) for entry in self._came]
        if not any(map(_is_hidden, self._came)):
            self._open_lines = lines
        return lines

    def _views_on_the_way(self, view: View) -> list[View]:
        """What a viewer saw at each open step that came; at the last one, the view there is now."""
        open_steps = sum(map(_is_open, self._came))
        if open_steps < 2:
            return [view] * open_steps
        earlier, views = self._earlier.match, []
        state = earlier.state
        for step in self._now.match.record.steps[len(earlier.record.steps) :]:
            assert step.move is not None  # the referee knows them all
            state = state.play(step.move)
            if step.keeper is None:
                views.append(state.view(view.seat))
        return [*views[:-1], view]

    # --- words ---

    def _audience(self, viewer: Viewer) -> Audience:
        audience = self._audiences.get(viewer)
        if audience is None:
            audience = Audience(self._deal.game, viewer, self._names)
            self._audiences[viewer] = audience
        return audience

    def _all_words(self, view: View, missed: int | None = None) -> Json:
        """All words of this moment; of the running record what so many open steps can have changed.

        Without `missed`, all of that, too.
        """
        self._ledger.read(view.history)
        turns = self._ledger.turns
        # A step opens a row, or goes on with the one before.
        changed = len(turns) if missed is None else missed and missed + 1
        begin = max(0, len(turns) - changed)
        said = self._audience(view.seat).said([view])
        return {"said": said, **self._shown(view), "turns": rows(turns, begin)}

    def _new_words(self, view: View) -> Json:
        """What is said of what came, and all other words that are not what they were."""
        words: Json = {}
        if said := self._audience(view.seat).said(self._views_on_the_way(view)):
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
        shown = self._now.shown.get(view.seat)
        if shown is None:
            shown = self._audience(view.seat).shown(view, self._left(view))
            self._now.shown[view.seat] = shown
        return shown

    def _left(self, view: View) -> Candidates | None:
        """What a player is shown of what is left."""
        if self._candidates is None or view.seat is None:
            return None
        if view.setting_up or view.outcome is not None:
            return None
        return self._candidates.left_for(view.seat, view.history)

    def _rows_that_came(self, view: View) -> Json:
        """The rows of the running record that came or changed, written once for all viewers."""
        if self._new_rows is None:
            self._ledger.read(view.history)
            turns, (count, last) = self._ledger.turns, self._known
            goes_on = count and turns[count - 1] is not last
            self._new_rows = rows(turns, count - 1 if goes_on else count)
        return self._new_rows

    def _welcome_reader(self, view: View) -> None:
        """Take note that somebody has the texts of these moves and of no others."""
        listed, _ = self._listed.get(view.seat, ((), None))
        if listed is not view.moves:
            self._listed.pop(view.seat, None)

    def _list_moves(self, view: View, changes: Json) -> None:
        """Send readers the texts of the legal moves, once; programs know moves by their numbers."""
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
