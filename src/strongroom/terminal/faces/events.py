"""The face for programs: one JSON event per line."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from strongroom.contract import NotLegal, Question, Refusal, Seat, View
from strongroom.terminal.faces.face import Face


class JsonFace(Face):
    """One JSON event per line.

    With two people at the table, no event contains anything hidden before the end. With one
    person, the answers to that person's commands are notes, which may contain their own secret.
    """

    def begin(self, view: View, sitters: list[str]) -> None:
        """The first event: the game, its options and the players."""
        names = [self.names[seat] for seat in Seat]
        game = {"game": view.game.name, "options": view.game.options.to_json()}
        self._event("start", **game, names=names, players=sitters)

    def resume(self, view: View, sitters: list[str]) -> None:
        """The same first event; the moves so far are in the file."""
        self.begin(view, sitters)

    def happened(self, view: View) -> None:
        """A public move with the referee's answer and announcement."""
        self._event(
            "move",
            number=view.number,
            **view.game.event_to_json(view.history[-1]),
            board=view.game.board_to_json(view.board),
            turns=view.turns,
            announcement=self.words.say(view, self.names, self.here).strip(),
        )

    def asks(self, view: View, heading: str) -> None:
        """The question's own event has the heading."""

    def ended(self, view: View, lines: list[str], file: Path | None = None) -> None:
        """The last event: the outcome and everything revealed."""
        assert view.outcome is not None
        self._event(
            "end",
            **view.game.outcome_to_json(view.outcome),
            words=self.words.ending(view.outcome, self.names),
            turns=view.turns,
            secrets=[[str(move) for move in each] for each in view.secrets or ()],
            file=None if file is None else str(file),
        )

    def saved(self, file: Path, resume: str) -> None:
        """Where the unfinished game is."""
        self._event("saved", file=str(file), resume=resume)

    def invites(self, link: str) -> None:
        """The link for the other player; empty if anyone in the lobby may join."""
        self._event("waiting", invitation=link)

    def left(self, come_back: str) -> None:
        """How to return to a game that continues on the server."""
        self._event("left", resume=come_back)

    def write(self, text: str) -> None:
        """Text outside the game's own events."""
        self._event("note", text=text.strip())

    def read(self, view: View, question: Question, unseen: bool) -> str:
        """A question, then its answer from standard input."""
        self._event(
            "ask",
            seat=view.actor.value if isinstance(view.actor, Seat) else None,
            heading=question.heading,
            prompt=question.prompt.strip(),
            accepted=question.accepted,
            private=view.private,
        )
        return self.lines.read("", unseen)

    def asks_in_parts(self, view: View) -> bool:
        """Not in private, where the events would reveal which question's line was refused."""
        return not self._is_secret(view)

    def refuse(self, view: View, refusal: Refusal) -> None:
        """A refused line, with the reason unless that could reveal something hidden."""
        if self._is_secret(view):
            self._event("refused", kind="private", rule=None, reason=None, accepted=None)
            print(refusal, file=sys.stderr, flush=True)
        else:
            rule = refusal.rule if isinstance(refusal, NotLegal) else None
            told = {"kind": type(refusal).__name__, "rule": rule and rule.value}
            self._event("refused", **told, reason=refusal.reason, accepted=refusal.accepted)

    def clear(self) -> None:
        """A stream of events has no screen to clear."""

    def _event(self, event: str, **data: Any) -> None:
        # Escaped to ASCII, whatever the locale and whatever a file name contains.
        print(json.dumps({"event": event, **data}), flush=True)
