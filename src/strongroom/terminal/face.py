"""What the table shows: plain lines, or one JSON event a line; `screen.py` draws the third way."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import sys
from pathlib import Path
from typing import Any

from strongroom.game import CHANCE, NAMES, Move, Names, Refusal, Seat, View
from strongroom.record import Played
from strongroom.terminal.lines import Lines

CLEAR = "\x1b[2J\x1b[3J\x1b[H"
"""Clears the screen and its scroll-back, and goes to the top."""


class Face:
    """The plain face: the rule book's lines, and no decoration."""

    def __init__(self, lines: Lines, names: Names = NAMES, shared: bool = False) -> None:
        self.lines = lines
        self.names = names
        self.shared = shared
        """Whether two people look at this one screen."""

    # --- in the open ---

    def begin(self, view: View, sitters: list[str]) -> None:
        """Welcome the players."""
        self.write(view.game.say(view, self.names))

    def resume(self, view: View, sitters: list[str]) -> None:
        """Say where a game that was broken off stands."""
        parts = [f"Back at {view.game.title}.", *view.notes(self.names)]
        self.write("\n".join(parts))
        if not view.setting_up:
            self.position(view)

    def happened(self, view: View, played: Played) -> None:
        """Announce a public move."""
        self.write(view.game.say(view, self.names))

    def asks(self, view: View, heading: str) -> None:
        """Say whose turn it is, above the first question of a turn."""
        self.write(heading)

    def chose(self, view: View, move: Move) -> None:
        """Show an answer that nobody typed here as if it had been."""
        self.write(view.game.ask(view, names=self.names) + str(move))

    def position(self, view: View) -> None:
        """Show the board, on a screen that was cleared."""
        if picture := view.game.picture(view):
            self.write(picture)

    def ended(self, view: View, lines: list[str], file: Path | None = None) -> None:
        """Say how the match ended, and where its record is."""
        self.write("\n" + "\n".join(lines))
        if file is not None:
            self.write(f"Record: {file}")

    def saved(self, file: Path, resume: str) -> None:
        """Say where an unfinished game is, and how to go on."""
        self.write(f"\nSaved. Go on with: {resume}")

    def write(self, text: str) -> None:
        """Print words that everyone may read."""
        print(text, flush=True)

    # --- for the person who is asked ---

    def read(self, view: View, prompt: str, unseen: bool) -> str:
        """Ask for a line; a script's line stays unseen wherever it could tell something hidden."""
        if not self.lines.interactive:
            unseen = view.setting_up or self._is_secret(view)
        return self.lines.read(prompt, unseen)

    def tell(self, view: View, text: str) -> None:
        """Answer the person who is asked, where only that person reads it."""
        if not self._is_secret(view):
            self.write(text)
        elif not self.lines.interactive:
            print(text, file=sys.stderr, flush=True)
        else:
            self.aside(text)

    def refuse(self, view: View, refusal: Refusal) -> None:
        """Say why a line is not accepted; where a refusal itself would tell, in private."""
        if self._is_secret(view) and not self.lines.interactive:
            # One and the same line, whatever was wrong: a transcript must not tell a mistyped
            # answer from one that a hidden code forbids. The reason goes to the other stream.
            self.write("That line was not accepted.")
        self.tell(view, str(refusal))

    def _is_secret(self, view: View) -> bool:
        return self.shared and view.private

    # --- between two people at one screen ---

    def hand_over(self, view: View, name: str) -> None:
        """Clear the screen and wait until the person who may look sits there alone."""
        self.clear()
        self.hand_over_page(view, name)
        self.lines.read("Press Enter when nobody else is looking: ")
        self.clear()

    def hand_over_page(self, view: View, name: str) -> None:
        """What stands between two people while the keyboard is handed over."""
        if view.history:
            self.write(view.game.say(view, self.names).strip() + "\n")
        self.write("\n".join(self.hand_over_words(view, name)))

    def hand_over_words(self, view: View, name: str) -> list[str]:
        """Who is next, and why in private."""
        if view.setting_up:
            reason = [f"{name} is next, to choose in private."]
        elif view.private:
            refusals = "On a first turn even a refused move would tell something."
            reason = [f"{name} is next, and moves in private.", refusals]
        else:
            reason = [f"{name} is going to look at something in private."]
        return [*reason, f"Everyone but {name}: look away."]

    def aside(self, text: str) -> None:
        """Words for the eyes at the keyboard alone, even where the output goes elsewhere too."""
        if sys.stdout.isatty():
            self.write(text)
        else:
            self._to_terminal(text + "\n")

    def clear(self) -> None:
        """Leave nothing on the screen or in its scroll-back."""
        if not self.lines.interactive:
            return
        if os.environ.get("TERM", "dumb") == "dumb":
            self._to_terminal("\n" * (2 * shutil.get_terminal_size().lines))
        else:
            self._to_terminal(CLEAR)

    def _to_terminal(self, text: str) -> None:
        """Write to the screen before the person, though standard output may be a pipe."""
        if sys.stdout.isatty():
            print(text, end="", flush=True)
            return
        with contextlib.suppress(OSError), open("/dev/tty", "w", encoding="utf-8") as screen:
            screen.write(text)


class JsonFace(Face):
    """One JSON event a line; nothing hidden is in any of them before the end."""

    def begin(self, view: View, sitters: list[str]) -> None:
        """The first event: the game, its options, who plays."""
        names = [self.names[seat] for seat in Seat]
        game = {"game": view.game.name, "options": view.game.options.to_json()}
        self._event("start", **game, names=names, players=sitters)

    def resume(self, view: View, sitters: list[str]) -> None:
        """The same first event; the moves so far are in the file."""
        self.begin(view, sitters)

    def happened(self, view: View, played: Played) -> None:
        """A public move with the referee's answer."""
        self._event("move", **view.history[-1].to_json(), board=view.board, turns=view.turns)

    def asks(self, view: View, heading: str) -> None:
        """The question itself names the seat."""

    def chose(self, view: View, move: Move) -> None:
        """The move's own event follows."""

    def ended(self, view: View, lines: list[str], file: Path | None = None) -> None:
        """The last event: the outcome and everything revealed."""
        assert view.outcome is not None
        secrets = [[str(move) for move in each] for each in view.secrets or ()]
        record = None if file is None else str(file)
        end = {"turns": view.turns, "secrets": secrets, "file": record}
        self._event("end", **view.outcome.to_json(), **end)

    def saved(self, file: Path, resume: str) -> None:
        """Where the unfinished game is."""
        self._event("saved", file=str(file), resume=resume)

    def write(self, text: str) -> None:
        """Words outside the game's own events."""
        self._event("note", text=text.strip())

    def read(self, view: View, prompt: str, unseen: bool) -> str:
        """A question, then its answer from standard input."""
        words = prompt.strip().splitlines()[-1]
        seat = None if view.actor in (None, CHANCE) else view.actor and view.actor.value
        self._event("ask", seat=seat, prompt=words, private=view.private)
        return self.lines.read("", unseen)

    def refuse(self, view: View, refusal: Refusal) -> None:
        """A refused line: the reason, unless it could tell something hidden."""
        if self._is_secret(view):
            self._event("refused", kind="private", reason=None, accepted=None)
            print(refusal, file=sys.stderr, flush=True)
        else:
            kind = type(refusal).__name__
            self._event("refused", kind=kind, reason=refusal.reason, accepted=refusal.accepted)

    def clear(self) -> None:
        """A stream of events has no screen."""

    def _event(self, event: str, **data: Any) -> None:
        print(json.dumps({"event": event, **data}, ensure_ascii=False), flush=True)
