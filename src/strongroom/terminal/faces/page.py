"""The drawn face: a game on one page, redrawn in place at every event."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Final, Self

from rich.text import Text

from strongroom.contract import (
    CHANCE,
    YOU,
    Control,
    Move,
    Question,
    Refusal,
    Seat,
    View,
    Words,
    turn_of,
)
from strongroom.referee.record import Record
from strongroom.terminal.faces.face import COME_BACK, HIDE, Face, Wish
from strongroom.terminal.faces.last_page import LastPage, closing_words
from strongroom.terminal.faces.motion import Motion
from strongroom.terminal.faces.prompting import PageInput, Prompting
from strongroom.terminal.faces.repetition import REPEATS
from strongroom.terminal.faces.scene import Scene
from strongroom.terminal.faces.stepping import Stepping
from strongroom.terminal.filenames import named
from strongroom.terminal.lines import ALONE
from strongroom.terminal.screen import pager
from strongroom.terminal.screen.display import Display
from strongroom.terminal.screen.layout import arranged
from strongroom.terminal.screen.palette import BRIGHT
from strongroom.terminal.screen.wrapping import wrapped

LIT: Final = 1.4
"""How long the winning board is shown before the last page, in seconds."""
MOST_SAID: Final = 6
"""An answer with more lines gets its own page."""


class PageFace(Face):
    """The face for a terminal that can draw."""

    def __init__(
        self,
        words: Words[Any],
        aids: bool = True,
        motion: bool = True,
        fast: bool = False,
        mouse: bool = True,
    ) -> None:
        super().__init__(PageInput(self), words)
        self.aids = aids
        self._fast = fast
        self.display = Display(mouse=mouse)
        self._motion = Motion(self.display, self.draw, motion and not fast)
        self._epilogue: list[str] = []
        """The text left in the shell when the page is closed."""
        self._prompting = Prompting(self)
        self.forget()

    def forget(self, start: View | None = None) -> None:
        """Start a page for the next game, empty or with its board."""
        self.scene = Scene(self, self.display.unicode)
        self.scene.view = start
        self._heard = True
        """Whether anybody was asked since the last announcement."""
        self._told = ""
        """The announcement of the last event."""
        self._welcome = ""
        """What was said at the beginning, until the first turn after a set-up."""
        self._end: list[str] = []
        """How the match ended, in lines."""
        self._last_page: LastPage | None = None
        self._hint: Move | None = None
        """What a hint suggests for this turn."""

    def __enter__(self) -> Self:
        self.display.__enter__()
        return self

    def __exit__(self, *_: object) -> None:
        """Restore the shell's screen, and leave the results on it."""
        self.display.__exit__()
        if text := "\n".join(self._epilogue).strip():
            with contextlib.suppress(OSError):  # the terminal is gone
                print(text, flush=True)

    # --- public ---

    def begin(self, view: View, sitters: list[str]) -> None:
        """The first page: the welcome and the goal of the game."""
        kept = [] if self._end else self.scene.says  # nothing is kept from the previous game
        self.repetition.clear()
        self.forget()
        self.scene.view = view
        welcome = self.words.say(view, self.names, self.here).strip()
        self._welcome = " ".join([welcome, self.words.goal]).strip()
        self.scene.says = [self._welcome, *kept]
        self._heard = False
        self.draw()

    def resume(self, view: View, sitters: list[str]) -> None:
        """The page of an interrupted game."""
        self.forget()
        self.scene.view = view
        self._announce(f"Back at {self.words.title}.")
        if view.history and view.outcome is None:
            self._told = self.words.say(view, self.names, self._addressed(view)).strip()
            self._announce(self._told)
        self.draw()

    def happened(self, view: View) -> None:
        """Show the last public event; a coin spins before it lands."""
        if view.history[-1].actor is CHANCE:
            with self._passing() as say:
                self._motion.spin(say)
        self.scene.view = view
        self.scene.scrolled = 0
        self._hint = None
        if self.words.restates_board:
            self.scene.says = [each for each in self.scene.says if each != self._told]
        self._told = self.words.say(view, self.names, self._addressed(view)).strip()
        self._announce(self._told)
        if self.repetition.noticed(view):
            self._announce(REPEATS)
        self.draw()
        if view.outcome is not None and not self._fast:
            self._motion.wait(LIT)

    def _addressed(self, view: View) -> frozenset[Seat]:
        """Who is spoken to: of two people, the one who is asked next, until the game is over."""
        if self.shared and isinstance(view.actor, Seat):
            return frozenset({view.actor})
        return self.here

    def thinks(self, view: View, seconds: float) -> None:
        """Show that a bot is choosing its move."""
        assert isinstance(view.actor, Seat)
        self.scene.heading, self.scene.typed = turn_of(self.names[view.actor]), []
        self.scene.actor = view.actor
        with self._passing() as say:
            self._motion.thinking(self.names[view.actor], seconds, say)

    @contextlib.contextmanager
    def working(self, text: str) -> Iterator[None]:
        """Show at once that something is being computed for the person."""
        with self._passing() as say:
            say(text)
            self.draw()
            yield

    @contextlib.contextmanager
    def _passing(self) -> Iterator[Callable[[str], None]]:
        """Say something below the announcements that passes."""
        said = self.scene.says

        def say(sentence: str) -> None:
            self.scene.says = [*said, sentence]

        try:
            yield say
        finally:
            self.scene.says = said

    def asks(self, view: View, heading: str) -> None:
        """Show whose turn it is above the prompt."""
        first, *choices = heading.strip().split("\n")
        self.scene.heading = "\n".join([first.rstrip(":"), "   ".join(choices)]).strip()

    def has_board(self, view: View) -> bool:
        """Whether there is a board, in text or as the game's own drawing."""
        return super().has_board(view) or self.words.drawing(view, Seat.ONE) is not None

    def position(self, view: View) -> None:
        """The board is always visible; scroll the record to its newest turn."""
        self.scene.scrolled = 0

    def write(self, text: str) -> None:
        """Show public text."""
        self._announce(text.strip())
        self.draw()

    def note(self, text: str) -> None:
        """Show public text, and leave it in the shell as well."""
        self._epilogue.append(text.strip())
        if self._end:
            self._end.append(text.strip())
        self.write(text)

    def retract(self, text: str) -> None:
        """Remove an announcement that no longer holds."""
        self.scene.says = [each for each in self.scene.says if each != text]
        if self.scene.notice is not None and self.scene.notice.plain == text:
            self.scene.notice = None

    def tell_terms(self) -> None:
        """Nothing to do: the title says it."""

    def saved(self, file: Path, resume: str) -> None:
        """Say in the shell how to resume an unfinished game."""
        self._epilogue.append(f"Saved. Resume with: {resume}")

    def left(self, come_back: str) -> None:
        """Say in the shell how to return to a game that continues on the server."""
        self._epilogue.append(f"{COME_BACK} {come_back}")

    def _announce(self, text: str) -> None:
        if self._heard:
            self.scene.says, self._heard = [], False
        self.scene.notice = None
        self.scene.says.append(text.replace("\n\n", "\n"))

    # --- for the person being asked ---

    def read(self, view: View, question: Question, unseen: bool) -> str:
        """Ask for a line at the bottom of the page."""
        scene = self.scene
        if not view.setting_up and self.words.game.secrets_each:
            self.retract(self._welcome)
        scene.actor = view.actor
        scene.secret = "" if self.shared else "".join(map(self.words.text, view.secret[:1]))
        scene.typed = scene.typed[: len(question.given)]  # without those that were refused
        if not (question.given or question.heading):
            name = self.names[view.actor] if isinstance(view.actor, Seat) else ""
            scene.heading = "" if view.setting_up or name == YOU else name
        scene.preview = partial(scene.previewed, view, question)
        line = self.ask(question.prompt, unseen, scene.live(question.control))
        scene.typed.append(question.prompt if unseen else question.prompt + line)
        scene.notice = None
        self._heard = True
        return line

    def asks_for(self, prompt: str, unseen: bool) -> str:
        """Read a line that answers no question of a game, also below the last page."""
        return self._last_page.ask(prompt) if self._last_page else self.ask(prompt, unseen)

    def ask(
        self,
        prompt: str,
        unseen: bool = False,
        control: Control | None = None,
        silent: bool = False,
    ) -> str:
        """Read a line that the user types or chooses on the board."""
        suggested = None if self._hint is None else self.words.text(self._hint)
        return self._prompting.ask(prompt, unseen, control, silent, suggested)

    def tell(self, view: View, text: str) -> None:
        """Answer in the referee's area, or on a separate page if it does not fit."""
        columns, _ = self.display.size
        if len(wrapped(text, columns - 2)) > MOST_SAID:
            self._page(self.words.title, pager.plain(text))
        else:
            self.scene.notice = Text(text)

    def suggest(self, move: Move) -> None:
        """Mark on the board what a hint suggests, unless two people share it."""
        self._hint = None if self.shared else move

    def show_page(self, view: View, title: str, page: str) -> None:
        """Show a long Markdown page, which can be scrolled and searched."""
        self._page(title, pager.markdown(page, self.display.unicode))

    def _page(self, title: str, lines: pager.LinesAtWidth) -> None:
        pager.Pager(self.display, title, lines).read()

    def refuse(self, view: View, refusal: Refusal) -> None:
        """Say in the referee's area why a line is not accepted."""
        del self.scene.typed[-1:]  # the refused line is no part of the move
        self.scene.notice = Text(str(refusal), BRIGHT)

    def reveal(self, view: View, text: str, prompt: str = HIDE) -> str:
        """Show text that depends on a secret; on a shared screen, hide it afterwards."""
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
        """Cover everything hidden until the person who may look is alone at the screen."""
        self.scene.typed, self.scene.heading, self.scene.notice = [], "", None
        said = [] if self._heard else self.scene.says  # not shown at a prompt yet
        self.scene.cover = [*said, *self.hand_over_words(view, name)]
        self.forget_typed()
        try:
            typed = self.ask(ALONE, silent=True)
        finally:
            self.scene.cover = []
        self.forget_typed()
        self.display.private = True
        return typed

    def forget_typed(self) -> None:
        """Discard keys that were pressed before a prompt."""
        self.display.forget_typed()

    def clear(self) -> None:
        """Remove everything private from the page."""
        self.display.private = False
        self.scene.notice, self.scene.typed, self.scene.cover = None, [], []
        self.draw()

    def wipe(self) -> None:
        """Nothing to do: a redrawn page keeps nothing of the last one."""

    # --- the end ---

    def ended(self, view: View, lines: list[str], file: Path | None = None) -> None:
        """Store how the match ended, for the last page and for the shell."""
        self.scene.view = view
        first, *rest = lines
        self._end = [first, *closing_words(self, view), *rest]
        self._epilogue += ["", *lines]
        if file is not None:
            self._epilogue.append(f"Record: {named(file)}")

    def wish(self, record: Record, analysis: bool) -> Wish:
        """Show the last page until a key is chosen."""
        if self._last_page is None:
            shown = (self.display, self.scene, self._end, record, analysis, self.lines)
            self._last_page = LastPage(*shown)
            self.display.forget_typed()  # keys meant for the game choose nothing here
        return self._last_page.wish()

    def show_analysis(self, record: Record) -> None:
        """Show what each move cost, on a separate page."""
        from strongroom.accounts.analysis import analyze
        from strongroom.terminal.faces.analysis import report

        analysis = analyze(record)
        lines = partial(report, analysis, unicode=self.display.unicode)
        self._page(f"{self.words.title}: what each move cost", lines)

    def go_through(self, moments: Sequence[View], sitters: list[str]) -> None:
        """Let the user step through a game with keys, and then show what was shown before."""
        shown = self.scene.view, self.scene.heading
        Stepping(self, self.display, self.show, moments).read()
        self.scene.view, self.scene.heading = shown

    # --- drawing ---

    def show(self, view: View, said: str, keys: Sequence[str], foot: str) -> None:
        """Draw the page for a moment without a question."""
        scene = self.scene
        scene.view, scene.says, scene.keys, scene.heading = view, [said], tuple(keys), foot
        scene.notice, scene.typed, scene.scrolled, scene.secret = None, [], 0, ""
        scene.actor = None
        self.draw()

    def draw(self, whole: bool = False) -> None:
        """Draw the page as it stands."""
        columns, rows = self.display.size
        self.display.swapped = next(iter(self.score)) is Seat.TWO  # who sat first keeps a colour
        sheet = self.scene.sheet(self._prompting.answering)
        drawn, cursor = arranged(sheet, columns, rows)
        self.display.draw(drawn, cursor, whole)
