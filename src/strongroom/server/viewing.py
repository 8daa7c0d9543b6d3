"""Viewing: what those who look at a match are sent of it, each by their own view."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from strongroom import wire
from strongroom.contract import Json, Ledger, Names, Seat, View
from strongroom.match import Match
from strongroom.record import Step
from strongroom.server import telling
from strongroom.server.deal import Deal

Kind = tuple[Seat | None, bool]
"""Which viewers get the same: those of a seat, or spectators; and whether they want words."""


class Viewing:
    """What the viewers of one match have been shown, so that they are told only what changes."""

    def __init__(self, deal: Deal, names: Names, match: Match) -> None:
        self._deal = deal
        self._names = names
        self._ledger = Ledger(deal.game.words)
        self._moments: dict[Seat | None, Json] = {}
        """What each seat, or a spectator, was last shown."""
        self.look(match)

    def look(self, match: Match) -> None:
        """Note what viewers who come now are shown: what changes later is told against it."""
        self._moments = {viewer: match.view(viewer).moment_to_json() for viewer in (None, *Seat)}

    def whole(self, match: Match, kind: Kind) -> Json:
        """All that a viewer sees."""
        view = match.view(kind[0])
        return {"view": view.to_json()} | self._words(view, kind, [view], 0)

    def frames(
        self, earlier: Match, match: Match, kinds: Sequence[Kind]
    ) -> Iterable[tuple[Kind, Json]]:
        """What each kind of viewer gets of what came after an earlier moment, which all have had.

        Viewers of a kind see the same, so it is looked at once for all of them.
        """
        before, after = self._moments, dict[Seat | None, Json]()
        self._moments = after
        begin, row = len(earlier.record.entries), len(self._ledger.turns) - 1
        for kind in kinds:
            viewer = kind[0]
            view = match.view(viewer)
            if viewer not in after:
                after[viewer] = view.moment_to_json()
            changed = wire.changes(before.get(viewer, {}), after[viewer])
            frame = self._entries(match, kind, begin, changed)
            if kind[1]:
                frame |= self._words(view, kind, _open_steps(earlier, match, viewer), row)
                self._add_moves(frame, view)
            yield kind, frame

    def missed(self, match: Match, kind: Kind, begin: int) -> Json:
        """The entries after a number, and the whole moment."""
        view = match.view(kind[0])
        frame = self._entries(match, kind, begin, view.moment_to_json())
        if kind[1]:
            frame |= self._words(view, kind, [view], 0)
            self._add_moves(frame, view)
        return frame

    def _entries(self, match: Match, kind: Kind, begin: int, moment: Json) -> Json:
        record = match.record
        lines = [wire.entry_for(record, entry, kind[0]) for entry in record.entries[begin:]]
        return {"type": "entries", "number": begin + 1, "entries": lines, "view": moment}

    def _add_moves(self, frame: Json, view: View) -> None:
        """Programs know moves by their numbers; who reads words needs texts."""
        frame["view"] = {**frame["view"], "moves": view.texts()}

    def _words(self, view: View, kind: Kind, moments: list[View], row: int) -> Json:
        """The sentences to some moments, and the running record from one of its rows on."""
        if not kind[1]:
            return {}
        words = self._deal.game.words
        names = telling.names_for(kind[0], self._names)
        self._ledger.read(view.history)
        return {
            "words": {
                "said": telling.sentences(words, moments, names),
                **telling.told(words, view, names, self._deal.aids),
                "turns": telling.rows(self._ledger.turns, max(0, row)),
            }
        }


def _open_steps(earlier: Match, match: Match, viewer: Seat | None) -> list[View]:
    """What a viewer saw of each open step that came after an earlier moment."""
    state, views = earlier.state, []
    for entry in match.record.entries[len(earlier.record.entries) :]:
        if isinstance(entry, Step) and entry.move is not None:
            state = state.play(entry.move)
            if entry.keeper is None:
                views.append(state.view(viewer))
    return [*views[:-1], match.view(viewer)] if views else []
