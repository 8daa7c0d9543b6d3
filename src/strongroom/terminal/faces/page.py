"""The drawn face: a game is one page, redrawn in place at every event."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any, Final, Self

from rich.text import Text

from strongroom.contract import (
    CHANCE,
    NAMES,
    YOU,
    Names,
    Question,
    Refusal,
    Seat,
    View,
    Words,
    turn_of,
)
from strongroom.players import Leaves
from strongroom.record import Record
from strongroom.terminal.faces.face import ALONE, COME_BACK, HIDE, Face, Wish
from strongroom.terminal.faces.last_page import LastPage, closing_words
from strongroom.terminal.faces.scene import Scene
from strongroom.terminal.faces.stepping import Stepping
from strongroom.terminal.filenames import named
from strongroom.terminal.lines import Beside, InputEnded, plain_text, wait_at_keyboard
from strongroom.terminal.screen import pager
from strongroom.terminal.screen.display import Display
from strongroom.terminal.screen.editor import Editor
from strongroom.terminal.screen.keys import Key
from strongroom.terminal.screen.layout import arranged
from strongroom.terminal.screen.palette import BRIGHT
from strongroom.terminal.screen.wrapping import wrapped

SPINNING, ASCII_SPINNING = "◐◓◑◒", "|/-\\"
FRAME: Final = 0.09
"""How many seconds a picture of something that moves is shown."""
SPIN: Final = 1.0
"""How many seconds the coin is in the air."""
SECOND: Final = 1.0
"""How often a clock that runs is drawn again."""
LIT: Final = 1.4
"""How many seconds the winning board is shown before the end is."""
MOST_SAID: Final = 6
"""What the referee says in more lines gets a page of its own."""


class Foot:
    """The foot of a page as a source of lines."""

    interactive = True
    beside: Beside | None = None

    def __init__(self, page: Page) -> None:
        self._page = page

    def read(self, prompt: str, unseen: bool = False) -> str:
        """A line typed there."""
        return self._page.ask(prompt, unseen)

    def hold(self, prompt: str) -> str:
        """A line typed there; whoever types it sees it."""
        return self.read(prompt)

    def release(self, seen: bool, move: str = "") -> None:
        """Nothing is held back: the page shows what is typed."""

    def wait_for(self, other: int) -> None:
        """Wait until something else can be read, before there is a page."""
        wait_at_keyboard(other)


class Page(Face):
    """A terminal that can draw."""

    def __init__(
        self,
        words: Words[Any],
        names: Names = NAMES,
        aids: bool = True,
        motion: bool = True,
        fast: bool = False,
    ) -> None:
        super().__init__(Foot(self), words, names)
        self.aids = aids
        self._motion = motion and not fast
        self._fast = fast
        self.display = Display()
        self._epilogue: list[str] = []
        """What stands below the shell's prompt when the page is gone."""
        self._draft = Editor()
        """What was typed at a question that was broken off."""
        self._start()

    def _start(self) -> None:
        """A page for the next game."""
        self.scene = Scene(self, self.display.unicode)
        self._heard = True
        """Whether somebody was asked since the last announcement."""
        self._end: list[str] = []
        """How the match ended, in lines."""
        self._last_page: LastPage | None = None

    def __enter__(self) -> Self:
        self.display.__enter__()
        return self

    def __exit__(self, *_: object) -> None:
        """Give the shell its screen back, and leave the results on it."""
        self.display.__exit__()
        if text := "\n".join(self._epilogue).strip():
            with contextlib.suppress(OSError):  # the terminal is gone
                print(text, flush=True)

    # --- in the open ---

    def forget(self) -> None:
        """An empty page."""
        self._start()

    def begin(self, view: View, sitters: list[str]) -> None:
        """The first page: the welcome, how one wins, and where help is."""
        kept = [] if self._end else self.scene.says  # of the game before nothing is kept
        self._start()
        self.scene.view = view
        welcome = self.words.say(view, self.names, self.here).strip()
        self.scene.says = [*kept, " ".join([welcome, self.words.goal]).strip()]
        self._heard = False
        self._draw()

    def resume(self, view: View, sitters: list[str]) -> None:
        """The page where a game was broken off."""
        self._start()
        self.scene.view = view
        self._announce(f"Back at {self.words.title}.")
        self._draw()

    def happened(self, view: View) -> None:
        """Show what happened last in the open; a coin spins before it falls."""
        if view.history[-1].actor is CHANCE and self._motion:
            self._spin()
        self.scene.view = view
        self.scene.scrolled = 0
        self._announce(self.words.say(view, self.names, self.here).strip())
        self._draw()
        if view.outcome is not None and not self._fast:
            self._wait(LIT)

    def thinks(self, view: View, seconds: float) -> None:
        """Show that a bot is at its move."""
        assert isinstance(view.actor, Seat)
        thinking = f"{self.names[view.actor]} is thinking"
        self.scene.heading, self.scene.typed = turn_of(self.names[view.actor]), []
        self.scene.actor = view.actor
        said, until = self.scene.says, time.monotonic() + seconds
        step = 0
        while time.monotonic() < until:
            dots = "." * (step % 4) if self._motion else "..."
            self.scene.says = [*said, f"{thinking}{dots}"]
            self._draw()
            self._wait(min(0.2, max(0.0, until - time.monotonic())))
            step += 1
        self.scene.says = said

    def _spin(self) -> None:
        frames = SPINNING if self.display.unicode else ASCII_SPINNING
        said = self.scene.says
        for step in range(round(SPIN / FRAME)):
            self.scene.says = [*said, f"The coin spins  {frames[step % len(frames)]}"]
            self._draw()
            self._wait(FRAME)
        self.scene.says = said

    def _wait(self, seconds: float) -> None:
        """Let a moment pass; a new size is drawn in it, and keys are for whoever is asked next."""
        until = time.monotonic() + seconds
        while (left := until - time.monotonic()) > 0:
            if not self.display.stale(left):
                return
            self._draw()

    def asks(self, view: View, heading: str) -> None:
        """Whose turn it is stands above the prompt."""
        first, *choices = heading.strip().split("\n")
        self.scene.heading = "\n".join([first.rstrip(":"), "   ".join(choices)]).strip()

    def has_board(self, view: View) -> bool:
        """The page has one of every game that draws its own."""
        return super().has_board(view) or self.words.drawing(view, Seat.ONE) is not None

    def position(self, view: View) -> None:
        """The board is always in sight; an older part of the record goes."""
        self.scene.scrolled = 0

    def write(self, text: str) -> None:
        """Say something that everyone may read."""
        self._announce(text.strip())
        self._draw()

    def note(self, text: str) -> None:
        """Say something, and leave it below the shell's prompt as well."""
        self._epilogue.append(text.strip())
        if self._end:
            self._end.append(text.strip())
        self.write(text)

    def saved(self, file: Path, resume: str) -> None:
        """Where an unfinished game is, and how to go on: below the shell's prompt."""
        self._epilogue.append(f"Saved. Go on with: {resume}")

    def left(self, come_back: str) -> None:
        """How to come back to a game that goes on elsewhere: below the shell's prompt."""
        self._epilogue.append(f"{COME_BACK} {come_back}")

    def _announce(self, text: str) -> None:
        if self._heard:
            self.scene.says, self._heard = [], False
        self.scene.notice = None
        self.scene.says.append(text.replace("\n\n", "\n"))

    # --- the person who is asked ---

    def read(self, view: View, question: Question, unseen: bool) -> str:
        """Ask for a line at the foot of the page."""
        scene = self.scene
        scene.actor = view.actor
        scene.secret = "" if self.shared else "".join(map(self.words.text, view.secret[:1]))
        if not question.given:
            scene.typed = []
            if not question.heading:
                name = self.names[view.actor] if isinstance(view.actor, Seat) else ""
                scene.heading = "" if view.setting_up or name == YOU else name
        line = self.ask(question.prompt, unseen)
        scene.typed.append(question.prompt if unseen else question.prompt + line)
        scene.notice = None
        self._heard = True
        return line

    def ask(self, prompt: str, unseen: bool = False) -> str:
        """A line that the person types."""
        line = Editor() if unseen else self._draft
        self._draft = Editor()
        self._draw(prompt, line, unseen, whole=True)
        patience = SECOND if any(map(self.clock, Seat)) else None
        while True:
            key = self.display.key(patience, self.lines.beside)
            match key:
                case Key.ENTER:
                    return plain_text(line.text)
                case Key.END_OF_INPUT:
                    if not line.text:
                        raise InputEnded
                case Key.NEWS:
                    self._hear(Editor() if unseen else line)
                case Key.TAB:
                    self.scene.hides_secret = not self.scene.hides_secret
                case Key.PAGE_UP | Key.UP:
                    self.scene.scroll(5 if key is Key.PAGE_UP else 1)
                case Key.PAGE_DOWN | Key.DOWN:
                    self.scene.scroll(-5 if key is Key.PAGE_DOWN else -1)
                case None:
                    pass
                case _:
                    line.press(key)
            if not self.display.is_pasted_into:
                self._draw(prompt, line, unseen)

    def _hear(self, line: Editor) -> None:
        """Say what happened meanwhile; a line that it breaks off goes on at the next question."""
        if self.lines.beside is None:
            return
        try:
            said = self.lines.beside.heard()
        except Leaves:
            self._draft = line
            raise
        if said:
            self.scene.notice = Text(said)

    def tell(self, view: View, text: str) -> None:
        """Answer in the referee's place, or on a page of its own if that is too small."""
        columns, _ = self.display.size
        if len(wrapped(text, columns - 2)) > MOST_SAID:
            self._page(self.words.title, pager.plain(text))
        else:
            self.scene.notice = Text(text)

    def show_page(self, view: View, title: str, page: str) -> None:
        """A long page, which is Markdown, to be scrolled and searched."""
        self._page(title, pager.markdown(page, self.display.unicode))

    def _page(self, title: str, lines: pager.Lines) -> None:
        pager.Pager(self.display, title, lines).read()

    def refuse(self, view: View, refusal: Refusal) -> None:
        """Why a line is not accepted, in the referee's place."""
        self.scene.notice = Text(str(refusal), BRIGHT)

    def reveal(self, view: View, text: str, prompt: str = HIDE) -> str:
        """What depends on a secret; between two people on a page that is hidden again."""
        if not self.shared:
            self.tell(view, text)
            return ""
        self.scene.cover = [text]
        try:
            return self.ask(prompt)
        finally:
            self.scene.cover = []

    # --- between two people ---

    def hand_over(self, view: View, name: str) -> str:
        """A page without anything hidden, until the person who may look sits there alone."""
        self.scene.typed, self.scene.heading, self.scene.notice = [], "", None
        said = [] if self._heard else self.scene.says  # what nobody was alone with yet
        self.scene.cover = [*said, *self.hand_over_words(view, name)]
        self.display.forget_typed()
        try:
            typed = self.ask(ALONE)
        finally:
            self.scene.cover = []
        self.display.forget_typed()
        self.display.private = True
        return typed

    def clear(self) -> None:
        """Leave nothing private on the page."""
        self.display.private = False
        self.scene.notice, self.scene.typed, self.scene.cover = None, [], []
        self._draw()

    def wipe(self) -> None:
        """A page that is drawn again has nothing left of the last one."""

    # --- the end ---

    def ended(self, view: View, lines: list[str], file: Path | None = None) -> None:
        """Keep how the match ended, for the last page and for the shell."""
        self.scene.view = view
        first, *rest = lines
        self._end = [first, *closing_words(self, view), *rest]
        self._epilogue += ["", *lines]
        if file is not None:
            self._epilogue.append(f"Record: {named(file)}")

    def wish(self, record: Record, analysis: bool) -> Wish:
        """The last page, until a key says what people want."""
        if self._last_page is None:
            shown = (self.display, self.scene, self._end, record, analysis)
            self._last_page = LastPage(*shown, self.lines)
        return self._last_page.wish()

    def show_analysis(self, record: Record) -> None:
        """What each move cost, on a page of its own."""
        from strongroom.analysis import analyze
        from strongroom.terminal.faces.analysis import report

        analysis = analyze(record)
        lines = partial(report, analysis, unicode=self.display.unicode)
        self._page(f"{self.words.title}: what each move cost", lines)

    def go_through(self, moments: Sequence[View], sitters: list[str]) -> None:
        """Let people go through the moments of a game with keys."""
        Stepping(self, self.display, self.show, moments).read()

    # --- drawing ---

    def show(self, view: View, said: str, keys: Sequence[str], foot: str) -> None:
        """Draw the page of a moment at which nobody is asked."""
        scene = self.scene
        scene.view, scene.says, scene.keys, scene.heading = view, [said], tuple(keys), foot
        scene.notice, scene.typed, scene.scrolled, scene.secret = None, [], 0, ""
        scene.actor = None
        self._draw()

    def _draw(
        self,
        prompt: str = "",
        line: Editor | None = None,
        unseen: bool = False,
        whole: bool = False,
    ) -> None:
        columns, rows = self.display.size
        sheet = self.scene.sheet(prompt, line, unseen)
        drawn, cursor = arranged(sheet, columns, rows)
        self.display.draw(drawn, cursor, whole)
