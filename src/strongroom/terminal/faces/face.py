"""The plain face: the rule book's lines; the other faces show the same in their own ways."""

from __future__ import annotations

import contextlib
import os
import shutil
import sys
from pathlib import Path
from typing import Any

from strongroom.contract import NAMES, Move, Names, Question, Refusal, Seat, View, Words
from strongroom.terminal.filenames import named
from strongroom.terminal.lines import Lines

CLEAR = "\x1b[2J\x1b[3J\x1b[H"
"""Clears the screen and its scroll-back, and goes to the top."""


class Face:
    """The plain face: the rule book's lines, and no decoration."""

    def __init__(
        self, lines: Lines, words: Words[Any], names: Names = NAMES, shared: bool = False
    ) -> None:
        self.lines = lines
        self.words = words
        self.names = names
        self.shared = shared
        """Whether two people look at this one screen."""

    # --- in the open ---

    def begin(self, view: View, sitters: list[str]) -> None:
        """Welcome the players."""
        self.write(self.words.say(view, self.names))

    def resume(self, view: View, sitters: list[str]) -> None:
        """Say where a game that was broken off stands."""
        parts = [f"Back at {self.words.title}.", *self.words.notes(view, self.names)]
        self.write("\n".join(parts))
        if not view.setting_up:
            self.position(view)

    def happened(self, view: View) -> None:
        """Announce what happened last in the open."""
        self.write(self.words.say(view, self.names))

    def asks(self, view: View, heading: str) -> None:
        """Say whose turn it is, above the first question of a turn."""
        self.write("\n" + heading)

    def chose(self, view: View, move: Move) -> None:
        """Show an answer that nobody typed here as if it had been."""
        question = self.words.question(view, self.names)
        if question.heading:
            self.asks(view, question.heading)
        self.write(question.prompt + self.words.text(move))

    def position(self, view: View) -> None:
        """Show the board, on a screen that was cleared."""
        if picture := self.words.picture(view):
            self.write(picture)

    def ended(self, view: View, lines: list[str], file: Path | None = None) -> None:
        """Say how the match ended, and where its record is."""
        self.write("\n" + "\n".join(lines))
        if file is not None:
            self.write(f"Record: {named(file)}")

    def the_end(self, view: View) -> list[str]:
        """Who won and why, both secrets, and how many turns it took."""
        assert view.outcome is not None
        secrets = [
            f"{self.names[seat]}'s secret: {' / '.join(map(self.words.text, secret))}"
            for seat, secret in zip(Seat, view.secrets or ((), ()), strict=True)
            if secret
        ]
        ending = self.words.ending(view.outcome, self.names)
        return [f"Game over: {ending}", *secrets, f"Turns: {view.turns}"]

    def saved(self, file: Path, resume: str) -> None:
        """Say where an unfinished game is, and how to go on."""
        self.write(f"\nSaved. Go on with: {resume}")

    def write(self, text: str) -> None:
        """Print words that everyone may read."""
        print(text, flush=True)

    # --- for the person who is asked ---

    def read(self, view: View, question: Question, unseen: bool) -> str:
        """Ask for a line; a script's line stays unseen wherever it could tell something hidden."""
        if not self.lines.interactive:
            unseen = view.setting_up or self._is_secret(view)
        return self.lines.read(question.prompt, unseen)

    def tell(self, view: View, text: str) -> None:
        """Answer the person who is asked, where only that person reads it."""
        if not self._is_secret(view):
            self.write(text)
        elif not self.lines.interactive:
            print(text, file=sys.stderr, flush=True)
        else:
            self.aside(text)

    def show_rules(self, view: View, page: str) -> None:
        """Answer with the rules page, which is Markdown."""
        self.tell(view, page)

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
            self.write(self.words.say(view, self.names).strip() + "\n")
        self.write("\n".join(self.hand_over_words(view, name)))

    def hand_over_words(self, view: View, name: str) -> list[str]:
        """Who is next, and why in private."""
        if view.setting_up:
            reason = [f"{name} is next, to choose in private."]
        elif view.private:
            reason = [f"{name} is next, and moves in private.", self.words.why_private(view)]
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
