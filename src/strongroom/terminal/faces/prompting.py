"""The prompt at the bottom of a page: a line that is typed, chosen on the board, or one key."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from rich.text import Text

from strongroom.contract import Control, Seat
from strongroom.players import Leaves
from strongroom.terminal.faces.answering import Answering
from strongroom.terminal.lines import InputEnded, LineSource
from strongroom.terminal.screen.editor import Editor
from strongroom.terminal.screen.keys import Key

if TYPE_CHECKING:
    from strongroom.terminal.faces.page import PageFace

SECOND: Final = 1.0
"""How often a running clock is redrawn, in seconds."""


class PageInput(LineSource):
    """The bottom of a page as a source of lines."""

    def __init__(self, page: PageFace) -> None:
        self._page = page

    def read(self, prompt: str, unseen: bool = False) -> str:
        """The next line typed there."""
        return self._page.asks_for(prompt, unseen)


class Prompting:
    """Reads answers at the bottom of a page."""

    def __init__(self, page: PageFace) -> None:
        self._page = page
        self._draft = Editor()
        """The line typed so far at an interrupted question."""
        self.answering: Answering | None = None
        """The answer being given, if somebody is asked."""

    def ask(
        self,
        prompt: str,
        unseen: bool,
        control: Control | None,
        silent: bool,
        suggested: str | None,
    ) -> str:
        """Read a line; `suggested` is what a hint would answer."""
        page = self._page
        line, self._draft = Editor() if unseen or silent else self._draft, Editor()
        words = [*page.commands, *(each for each in page.accepted if each not in page.commands)]
        clicks = not (unseen and page.shared)
        answering = Answering(
            prompt, line, unseen, silent, control, page.commands, words, clicks=clicks
        )
        if control is not None and suggested is not None:
            answering.hint = control.find(suggested)
        self.answering = answering
        page.draw(whole=True)
        try:
            given = self._given(answering)
        finally:
            self.answering = None
            page.chosen = answering.chosen
            if answering.chosen:  # nothing of it stays on the board
                page.draw()
        return given

    def _given(self, answering: Answering) -> str:
        """Apply keys to an answer until it is given."""
        page = self._page
        patience = SECOND if any(map(page.clock, Seat)) else None
        while True:
            key = page.display.key(patience, page.lines.beside)
            match key:
                case Key.END_OF_INPUT:
                    if not answering.line.text:
                        raise InputEnded
                case Key.NEWS:
                    hidden = answering.unseen or answering.silent or answering.chosen
                    self._hear(Editor() if hidden else answering.line)
                case Key.HIDE:
                    page.scene.hides_secret = not page.scene.hides_secret
                case Key.PAGE_UP | Key.PAGE_DOWN:
                    page.scene.scroll(5 if key is Key.PAGE_UP else -5)
                case Key.SCROLL_UP | Key.SCROLL_DOWN:
                    page.scene.scroll(1 if key is Key.SCROLL_UP else -1)
                case Key.UP | Key.DOWN if answering.control is None and answering.marked is None:
                    page.scene.scroll(1 if key is Key.UP else -1)
                case None:
                    pass
                case _:
                    if (given := answering.press(key)) is not None:
                        return given
                    if answering.note:
                        page.scene.notice = Text(answering.note)
            if not page.display.is_pasted_into:
                page.draw()

    def _hear(self, line: Editor) -> None:
        """Show what happened meanwhile; if it ends the question, the next one keeps the line."""
        page = self._page
        if page.lines.beside is None:
            return
        try:
            said = page.lines.beside.heard()
        except Leaves:
            self._draft, page.scene.notice = line, None
            raise
        if said:
            page.scene.notice = Text(said)
