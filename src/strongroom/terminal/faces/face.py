"""The plain face, which prints the rule book's lines; the other faces derive from it."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from enum import Enum
from pathlib import Path
from typing import Any, Final, Self, TextIO

from strongroom.contract import (
    NAMES,
    Move,
    Names,
    Question,
    Refusal,
    Seat,
    View,
    Words,
    does,
    owned,
    shown,
    whom,
)
from strongroom.referee.record import Record
from strongroom.terminal.faces.private_page import PrivatePage, to_terminal
from strongroom.terminal.faces.repetition import REPEATS, Repetition
from strongroom.terminal.filenames import named
from strongroom.terminal.lines import ALONE, InputEnded, LineSource, is_typed
from strongroom.terminal.modes import forget_typed
from strongroom.terminal.signs import fitted, has_second_screen, has_unicode, spelled
from strongroom.terminal.waiting import print_if_slow
from strongroom.text.quoting import printable_lines

HIDE = "Press Enter to hide it: "
UNSEEN = "Typing is hidden: each key shows a dot."
KEPT = "This terminal cannot be cleared: what is shown now can be scrolled back to."
COME_BACK = "Your place is kept. Come back with:"
NOTICED: Final = 0.5
"""After how long somebody notices that an answer takes a while, in seconds."""
YES, NO = ("y", "yes"), ("n", "no")
LISTED = ("help", "rules", "hint", "aids", "history", "resign", "save", "quit")
"""The commands listed on a page, which shows the board anyway; the help has the rest."""


class Wish(Enum):
    """What the players want after a game."""

    REMATCH = "rematch"
    ANALYSIS = "analysis"
    REPLAY = "replay"
    SAVE = "save as"
    COPY = "copy"
    LEAVE = "leave"


class Face:
    """The plain face: the rule book's lines, and no decoration."""

    aids = False
    """Whether the players have hints and a notebook."""

    def __init__(self, lines: LineSource, words: Words[Any]) -> None:
        self.lines = lines
        self.words = words
        self.names: Names = NAMES
        self.here: frozenset[Seat] = frozenset(Seat)
        """The seats of the people at this screen."""
        self.score: dict[Seat, float] = dict.fromkeys(Seat, 0.0)
        """The points of each seat's player in this sitting, before the current game."""
        self.commands: Sequence[str] = LISTED
        """The commands that are listed."""
        self.accepted: Sequence[str] = LISTED
        """All commands that the prompt accepts."""
        self.terms = ""
        """What the players agreed on, if it is worth saying."""
        self.clock: Callable[[Seat], str] = lambda seat: ""
        """How long a player has left; empty if there is no limit."""
        self.chosen = False
        """Whether the last line was chosen in sight of the person, and not typed unseen."""
        self._analyzed = False
        self.repetition = Repetition()
        self._private = PrivatePage(lines)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        """Leave the screen as it was found."""
        self._private.leave()

    @property
    def shared(self) -> bool:
        """Whether two people share this screen."""
        return len(self.here) == 2

    # --- public ---

    def forget(self, start: View | None = None) -> None:
        """Remove the previous game from the screen; `start`: what to show of the next one."""

    def begin(self, view: View, sitters: list[str]) -> None:
        """Welcome the players."""
        self._analyzed = False
        self.repetition.clear()
        self._say(view)
        if self.lines.interactive and self.here:
            self.write("\n".join([self.words.goal, "Type help at any prompt."]).strip())

    def resume(self, view: View, sitters: list[str]) -> None:
        """Say where an interrupted game stands."""
        parts = [f"Back at {self.words.title}.", *self.words.notes(view, self.names)]
        self.write("\n".join(parts))
        if not view.setting_up:
            self.position(view)

    def happened(self, view: View) -> None:
        """Announce the last public event."""
        # The lines typed for this move are public now.
        self.lines.release(seen=True, move=self.words.text(view.history[-1].move))
        self._say(view)
        if self.repetition.noticed(view) and self.lines.interactive:
            self.write(REPEATS)

    def _say(self, view: View) -> None:
        announced = self.words.announce(view, self.names) if view.history else ""
        said = self.words.say(view, self.names, self.here)
        if view.history and said != announced:
            said = f"\n{said}"  # the narrator's text is a separate paragraph
        self.write("\n\n".join(part for part in (said, self.words.board_shown(view)) if part))

    def thinks(self, view: View, seconds: float) -> None:
        """Show that a bot is choosing its move."""
        time.sleep(seconds)

    def asks(self, view: View, heading: str) -> None:
        """Say whose turn it is, above the first question of a turn."""
        self.write("\n" + heading)
        if any(map(self.clock, Seat)):
            left = ", ".join(f"{self.names[seat]} {self.clock(seat)}" for seat in Seat)
            self.write(f"Time left: {left}")

    def has_board(self, view: View) -> bool:
        """Whether there is a board to show."""
        return bool(self.words.picture(view))

    def position(self, view: View) -> None:
        """Show the board."""
        if picture := self.words.picture(view):
            self.write(picture)

    def ended(self, view: View, lines: list[str], file: Path | None = None) -> None:
        """Say how the match ended, and where its record is."""
        self.write("\n" + "\n".join(lines))
        if file is not None:
            self._print(f"Record: {named(file)}")

    def the_end(self, view: View) -> list[str]:
        """Who won and why, both secrets, and how many turns it took."""
        assert view.outcome is not None
        secrets = [
            f"{owned(self.names[seat])} secret: {' / '.join(map(self.words.text, secret))}"
            for seat, secret in zip(Seat, view.secrets or ((), ()), strict=True)
            if secret
        ]
        ending = self.words.ending(view.outcome, self.names)
        return [f"Game over: {ending}", *secrets, f"Turns: {view.turns}"]

    def saved(self, file: Path, resume: str) -> None:
        """Say how to resume an unfinished game."""
        self._print(f"\nSaved. Resume with: {resume}")

    def invites(self, link: str) -> None:
        """Print the link for the other player."""
        self._print(link)

    def left(self, come_back: str) -> None:
        """Say how to return to a game that continues on the server."""
        self._print(f"\n{COME_BACK} {come_back}")

    def write(self, text: str) -> None:
        """Print public text."""
        self._print(fitted(text, sys.stdout) if self.lines.interactive else text)

    def _print(self, text: str) -> None:
        self.lines.release(seen=False)
        self._private.keep(text)
        _print(text)

    def note(self, text: str) -> None:
        """Print public text that later text should not push away."""
        self.write(text)

    def retract(self, text: str) -> None:
        """Remove an announcement that no longer holds, where that is possible."""

    def tell_terms(self) -> None:
        """Say what was agreed, unless it can always be seen."""
        self.write(f"{self.terms}.")

    def go_through(self, moments: Sequence[View], sitters: list[str]) -> None:
        """Replay a game from its first moment to its last."""
        first, *rest = moments
        self.begin(first, sitters)
        for view in rest:
            self.happened(view)
        if moments[-1].outcome is None:
            self.write("\nThe game is not over.")
        else:
            self.ended(moments[-1], self.the_end(moments[-1]))

    # --- after a game ---

    def wish(self, record: Record, analysis: bool) -> Wish:
        """What the players want after a game; `analysis`: whether one is available."""
        if not self.lines.interactive:
            return Wish.LEAVE
        if analysis and not self._analyzed:
            self._analyzed = True
            if self._asks("\nAnalyze the game? (yes/no): "):
                return Wish.ANALYSIS
        again = self._asks("\nRematch with seats swapped? (yes/no): ")
        return Wish.REMATCH if again else Wish.LEAVE

    def show_analysis(self, record: Record) -> None:
        """Show what each move of a finished game cost."""
        from rich.console import Console

        from strongroom.accounts.analysis import analyze
        from strongroom.terminal.faces.analysis import show

        show(analyze(record), Console(markup=False, highlight=False))

    def _asks(self, question: str) -> bool:
        """Ask until the answer is yes or no; quitting means no."""
        try:
            while (typed := self.lines.read(question).strip().lower()) not in (*YES, *NO):
                if typed in ("q", "quit"):
                    return False
                said = f"{shown(typed)} is neither" if typed else "Type"
                self.write(f"{said} yes {'nor' if typed else 'or'} no.")
        except (InputEnded, KeyboardInterrupt):
            return False
        return typed in YES

    # --- for the person being asked ---

    def read(self, view: View, question: Question, unseen: bool) -> str:
        """Ask for a line; a script's line stays hidden if it could reveal something hidden."""
        secret = self._is_secret(view)
        if not self.lines.interactive:
            if secret and not view.setting_up:
                return self.lines.hold(question.prompt)
            return self.lines.read(question.prompt, unseen=view.setting_up)
        unseen = unseen or self.hides(view)
        if unseen:
            self.forget_typed()  # it was shown, so it is not meant for this prompt
            self.aside(UNSEEN)
        line = self.lines.read(question.prompt, unseen)
        self._private.keep(question.prompt + ("" if unseen else line))
        return line

    def hides(self, view: View) -> bool:
        """Whether lines typed now are hidden because this terminal could not remove them."""
        return self.lines.interactive and self._is_secret(view) and self._keeps_everything

    def forget_typed(self) -> None:
        """Discard what was typed before a prompt."""
        if is_typed():
            forget_typed(sys.stdin.fileno())

    def asks_in_parts(self, view: View) -> bool:
        """Whether a move may be asked for in several lines."""
        return True

    def tell(self, view: View, text: str) -> None:
        """Answer the person being asked, so that only that person can read it."""
        self.lines.release(seen=False)
        if not self._is_secret(view):
            self.write(text)
        elif not self.lines.interactive:
            _print(text, sys.stderr)
        else:
            self.aside(text)

    def working(self, text: str) -> AbstractContextManager[None]:
        """Say that something is being computed for the person, if it takes a while."""
        return print_if_slow(text, NOTICED) if self.lines.interactive else nullcontext()

    def suggest(self, move: Move) -> None:
        """Mark on the board what a hint suggests, where only its taker can see it."""

    def show_page(self, view: View, title: str, page: str) -> None:
        """Answer with a long page, which is Markdown."""
        self.tell(view, page)

    def reveal(self, view: View, text: str, prompt: str = HIDE) -> str:
        """Show text that depends on a secret, then hide it; returns what was typed to hide it.

        With two people at the screen, `hand_over` comes first, so that its reader is alone.
        """
        if not self.shared:
            self.tell(view, text)
            return ""
        if not self.lines.interactive:
            _print(text, sys.stderr)
            return ""
        self.aside(text)
        return self.lines.read(prompt, unseen=self._keeps_everything)

    def refuse(self, view: View, refusal: Refusal) -> None:
        """Say why a line is not accepted; in private if the refusal would reveal something."""
        if self._is_secret(view) and not self.lines.interactive:
            # The same line, whatever was wrong: in a transcript, a mistyped answer must look like
            # one that a hidden code forbids. The reason goes to standard error.
            self.write("That line was not accepted.")
        self.tell(view, str(refusal))

    def _is_secret(self, view: View) -> bool:
        return self.shared and view.private

    # --- between two people at one screen ---

    def hand_over(self, view: View, name: str) -> str:
        """Wait until the person who may look is alone at the screen; returns what was typed."""
        self.clear()
        self._private.show()
        if view.history:
            self.aside(self.words.say(view, self.names).strip() + "\n")
        self.aside("\n".join(self.hand_over_words(view, name)))
        self.forget_typed()  # an extra key press is not an answer
        typed = self.lines.pause(ALONE)
        self.wipe()
        return typed

    def hand_over_words(self, view: View, name: str) -> list[str]:
        """Who is next, and why it is private."""
        next_one = does(name, "is next", "are next")
        if view.setting_up:
            reason = [f"{next_one}, to choose in private."]
        elif view.private:
            reason = [f"{next_one}, in private.", self.words.why_private(view)]
        else:
            reason = [f"{does(name, 'is', 'are')} going to look at something in private."]
        kept = [KEPT] if self._keeps_everything else []
        return [*reason, *kept, f"Everyone but {whom(name)}: look away."]

    def aside(self, text: str) -> None:
        """Show text on the terminal only, even if standard output goes elsewhere."""
        if sys.stdout.isatty():
            self.write(text)
        else:
            self._private.keep(text)
            to_terminal(printable_lines(fitted(text, sys.stdin)) + "\n")

    def clear(self) -> None:
        """Remove everything private from the screen and its scrollback."""
        self._private.leave()

    def wipe(self) -> None:
        """Clear a private page when what follows is private too."""
        self._private.wipe()

    @property
    def _keeps_everything(self) -> bool:
        """Whether this terminal cannot remove what it has shown."""
        return not has_second_screen()


def _print(text: str, stream: TextIO | None = None) -> None:
    print(spelled(printable_lines(text), has_unicode()), file=stream, flush=True)
