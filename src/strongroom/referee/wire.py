"""What is sent of a match: the journal's entries for each viewer, and the changes to the view.

A viewer gets a whole view once. After that, a frame carries the changes (`View.changes_since`), and
`fold` applies them, so that the result is always the view that the referee has. `fold_words` does
the same with the words that go with a view.
"""

from __future__ import annotations

from typing import Final

from strongroom.contract import Json, Seat, View
from strongroom.contract.rules import parts, require_list
from strongroom.referee.record import Entry, Record, Step

PROTOCOL: Final = 2
"""The version of the protocol between a server and its clients."""

RESTART, BAD_FRAMES, TAKEN = 1012, 4000, 4001
BAD_TOKEN, NO_GAME, WITHDRAWN, TOO_SLOW = 4003, 4004, 4005, 4008
"""The server's close codes: it restarts; too many bad frames; another connection took the seat;
the token fits no seat; there is no such game, or not any more; it was withdrawn before it began;
the client reads too slowly."""


def entry_for(record: Record, entry: Entry, viewer: Seat | None) -> Json:
    """A line of the journal as sent to a seat or a spectator; a hidden step lacks its move."""
    if isinstance(entry, Step) and record.outcome is None:
        entry = entry.seen_by(viewer)
    return record.entry_to_json(entry)


def fold(view: View, frame: Json) -> View:
    """The view after the next frame of entries, or a refusal; its cost grows only with the frame.

    >>> from strongroom import load
    >>> at = load("digit-deductions").start().view(None)
    >>> step = {"step": 1, "seat": 1, "move": "5-5", "answer": 4, "time": 0.0}
    >>> after = fold(at, {"entries": [step], "view": {"turns": 1}})
    >>> after.turns, [str(event.move) for event in after.history]
    (1, ['5-5'])
    """
    entries, changes = parts(frame, "entries", "view")
    events = [
        view.game.event_from_json(entry)
        for entry in require_list(entries)
        if "step" in entry and "keeper" not in entry
    ]
    return view.apply_changes(events, changes)


def fold_words(words: Json, changes: Json) -> Json:
    """The words as JSON data after the changes in the next frame.

    >>> rows = [{"seat": 1, "text": "5-5: 4", "result": "", "mark": ""}]
    >>> at = {"prompt": "Input Guess:", "count": "", "turns": {"from": 0, "rows": []}}
    >>> after = fold_words(at, {"count": "9 left.", "turns": {"from": 0, "rows": rows}})
    >>> after["prompt"], after["count"], after["turns"]["rows"] == rows
    ('Input Guess:', '9 left.', True)
    """
    turns = words["turns"]
    if (came := changes.get("turns")) is not None:
        turns = {"from": 0, "rows": [*turns["rows"][: came["from"]], *came["rows"]]}
    return {**words, **changes, "turns": turns}
