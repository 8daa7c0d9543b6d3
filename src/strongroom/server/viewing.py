"""Viewing: what those who look at a match are sent of it, each by their own view."""

from __future__ import annotations

from collections.abc import Sequence

from strongroom import wire
from strongroom.contract import Json, Ledger, Names, Seat, View
from strongroom.match import Match
from strongroom.record import Step
from strongroom.server import telling
from strongroom.server.deal import Deal

Kind = tuple[Seat | None, bool]
"""Which viewers get the same: those of a seat, or spectators; and whether they want words."""


class Viewing:
    """What the viewers of one match are sent: all of it once, then what changes for each."""

    def __init__(self, deal: Deal, names: Names, match: Match) -> None:
        self._deal = deal
        self._names = names
        self._ledger = Ledger(deal.game.words)
        self._row = 0
        """The row of the running record from which on viewers may not have had it."""
        self._earlier = self._match = match
        """What viewers have been told of, and what they are told of now."""
        self._earlier_views: dict[Seat | None, View] = {}
        self._views: dict[Seat | None, View] = {}
        self._open_lines: list[Json] | None = None
        """What came, if all may know it."""

    def go_on(self, match: Match, entries: list[Json] | None = None) -> None:
        """Turn to what came after all that viewers have been told of; entries: the same as JSON."""
        self._earlier, self._match = self._match, match
        self._earlier_views, self._views = self._views, {}
        is_open = entries is not None and not any("keeper" in entry for entry in entries)
        self._open_lines = entries if is_open else None
        self._row = max(0, len(self._ledger.turns) - 1)

    def whole(self, kind: Kind) -> Json:
        """All that a viewer sees."""
        view = self._view(kind[0])
        frame = {"view": view.to_json()}
        return frame | self._words(view, [view], 0) if kind[1] else frame

    def frame(self, kind: Kind) -> Json:
        """What a viewer who has been told of everything before gets of what came."""
        viewer, in_words = kind
        view = self._view(viewer)
        earlier = self._earlier_views.get(viewer) or self._earlier.view(viewer)
        begin = len(self._earlier.record.entries)
        frame = _entries(begin, self._lines(begin, viewer), view.changes_since(earlier))
        if in_words:
            self._add_words(frame, view, self._open_steps(view), self._row)
        return frame

    def missed(self, begin: int, kind: Kind) -> Json:
        """The entries after a number, and the whole moment."""
        viewer, in_words = kind
        view, record = self._view(viewer), self._match.record
        lines = [wire.entry_for(record, entry, viewer) for entry in record.entries[begin:]]
        frame = _entries(begin, lines, view.moment_to_json())
        if in_words:
            self._add_words(frame, view, [view], 0)
        return frame

    def _view(self, viewer: Seat | None) -> View:
        view = self._views.get(viewer)
        if view is None:
            view = self._views[viewer] = self._match.view(viewer)
        return view

    def _lines(self, begin: int, viewer: Seat | None) -> list[Json]:
        """What came, as a viewer gets it; what all may know is written once for all of them."""
        if self._open_lines is not None:
            return self._open_lines
        record = self._match.record
        entries = record.entries[begin:]
        lines = [wire.entry_for(record, entry, viewer) for entry in entries]
        if not any(isinstance(entry, Step) and entry.keeper for entry in entries):
            self._open_lines = lines
        return lines

    def _open_steps(self, view: View) -> list[View]:
        """What a viewer saw at each open step that came; at the last one, the view there is now."""
        entries = self._match.record.entries[len(self._earlier.record.entries) :]
        steps = [entry for entry in entries if isinstance(entry, Step)]
        count = sum(step.keeper is None for step in steps)
        if count < 2:
            return [view] * count
        state, views = self._earlier.state, []
        for step in steps:
            assert step.move is not None  # the referee knows them all
            state = state.play(step.move)
            if step.keeper is None:
                views.append(state.view(view.seat))
        return [*views[:-1], view]

    def _add_words(self, frame: Json, view: View, moments: Sequence[View], row: int) -> None:
        """Programs know moves by their numbers; who reads words needs texts."""
        frame |= self._words(view, moments, row)
        frame["view"]["moves"] = view.texts()

    def _words(self, view: View, moments: Sequence[View], row: int) -> Json:
        """The sentences to some moments, and the running record from one of its rows on."""
        words = self._deal.game.words
        names = telling.names_for(view.seat, self._names)
        self._ledger.read(view.history)
        return {
            "words": {
                "said": telling.sentences(words, moments, names),
                **telling.told(words, view, names, self._deal.aids),
                "turns": telling.rows(self._ledger.turns, row),
            }
        }


def _entries(begin: int, lines: list[Json], moment: Json) -> Json:
    return {"type": "entries", "number": begin + 1, "entries": lines, "view": moment}
