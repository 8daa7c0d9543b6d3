"""The drawn face: a game on one page, redrawn in place at every event, and the page at its end."""

from __future__ import annotations

import contextlib
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Self

from rich.text import Text

from strongroom.contract import (
    CHANCE,
    REPEATS,
    YOU,
    Control,
    Look,
    Move,
    Question,
    Refusal,
    Repetition,
    Seat,
    View,
    Words,
    before_number,
    possessive,
    turn_of,
)
from strongroom.referee.record import Record
from strongroom.terminal.faces.face import (
    HIDE,
    MEANINGS,
    Aside,
    Face,
    Looks,
    Wish,
)
from strongroom.terminal.faces.scene import Answering, Scene
from strongroom.terminal.lines import ALONE, InputEnded, Leaves, LineSource
from strongroom.terminal.printing import file_label, fit, spell
from strongroom.terminal.screen import pager
from strongroom.terminal.screen.display import Display
from strongroom.terminal.screen.keys import Editor, Key, Kind, Pressed, Target
from strongroom.terminal.screen.layout import (
    AIRY,
    FRAME,
    WIDE,
    arrange,
    board_height,
    centre,
    draw_input,
    key_rows,
    margin,
    paragraph,
    rule,
    shows_whole,
    side_by_side,
    wrap,
)
from strongroom.terminal.screen.palette import BRASS, BRIGHT, PLAYERS, SOFT

if TYPE_CHECKING:
    from strongroom.accounts.analysis import Analysis

LIT: Final = 1.4
"""How long the winning board is shown before the last page, in seconds."""
MOST_SAID: Final = 6
"""An answer with more lines gets its own page."""
SECOND: Final = 1.0
"""How often a running clock is redrawn, in seconds."""
SPINNING: Final = "◐◓◑◒"
FRAME_TIME: Final = 0.09
"""How long one frame of the coin is shown, in seconds."""
SPIN: Final = 1.0
"""How long the coin spins, in seconds."""
DOT_TIME: Final = 0.2
"""How long it takes until another dot is shown, in seconds."""
KEYS: Final = ("→ next", "← back", "End last", "Home first", "p play", "q leave")
ASCII_KEYS: Final = ("n next", "b back", "e last", "a first", "p play", "q leave")
VERDICT_KEYS: Final = ("p play it on", "c copy the squares", "y yesterday's", "q leave")
VERDICT_HELP: Final = """\
p       play on from here against master
c       your result in lines to send: they do not tell the answer
y       yesterday's puzzle
↑ ↓     all that is said of your answer
q       leave; Enter and Esc do, too

★ is right, and your answer is in round brackets.
In your week, ■ was solved with the first answer and □ was not.
"""
PACE: Final = 1.2
"""How long a moment is shown in automatic replay, in seconds."""


class PageFace(Face):
    """The face for a terminal that can draw."""

    shows_terms = True

    def __init__(self, words: Words[Any], looks: Looks) -> None:
        super().__init__(PageInput(self), words)
        self.aids = looks.aids
        self._fast = looks.fast
        self.display = Display(mouse=looks.mouse)
        self._moves = looks.motion and not looks.fast
        self._epilogue: list[str] = []
        """The text left in the shell when the page is closed."""
        self._control: Control | None = None
        """The control of the last question."""
        self._draft = Editor()
        """The line typed so far at an interrupted question."""
        self._answering: Answering | None = None
        """The answer being given, if somebody is asked."""
        self._answered: Answering | None = None
        """The last answer that was given, whose prompt most likely comes again."""
        self._is_spoilt = False
        """Whether the whole page is to be written, whatever the screen is thought to show."""
        self.forget()

    def forget(self, start: View | None = None) -> None:
        """Start a page for the next game, empty or with its board."""
        self.scene = Scene(self, self.display.unicode)
        self.scene.view = start
        self._was_asked = True
        """Whether anybody was asked since the last announcement."""
        self._announced = ""
        """The announcement of the last event."""
        self._welcome: list[str] = []
        """The welcome, until the first private move is made, or the first turn after them."""
        self._end: list[str] = []
        """The lines that say how the match ended."""
        self._last_page: LastPage | None = None
        self._asked = -1
        """The number of the view for which a line was read last."""
        self._hint: Move | None = None
        """The move that a hint suggests for this turn."""
        self._withheld = False
        """Whether Tab takes no hint, because the other person at the screen would see it."""

    def __enter__(self) -> Self:
        self.display.__enter__()
        return self

    def __exit__(self, *_: object) -> None:
        """Restore the shell's screen, and leave the results on it."""
        self.display.__exit__()
        if text := "\n".join(self._epilogue).strip():
            with contextlib.suppress(OSError):  # the terminal is gone
                print(spell(text, self.display.unicode), flush=True)

    # --- public ---

    def begin(self, view: View, sitters: list[str]) -> None:
        """The first page: the welcome and the goal of the game."""
        kept = [] if self._end else self.scene.says  # nothing is kept from the previous game
        self._repetition = Repetition()
        self.forget()
        self.scene.view = view
        welcome = self.words.say(view, self.names, self.here).strip()
        self._welcome = [*kept, " ".join([welcome, self.words.goal]).strip()]
        self.scene.says = [*self._welcome]  # the goal is what a low page keeps
        self._was_asked = False
        self.draw()

    def resume(self, view: View, sitters: list[str]) -> None:
        """The page of an interrupted game."""
        self.forget()
        self.scene.view = view
        self._announce(f"Back at {self.words.title}.")
        if view.history and view.outcome is None:
            self._announced = self.words.say(view, self.names, self._addressees(view)).strip()
            self._announce(self._announced)
        self.draw()

    def happened(self, view: View) -> None:
        """Show the last public event; a coin spins before it lands."""
        if view.history[-1].actor is CHANCE:
            self._spin()
        self.scene.view = view
        self.scene.scrolled = 0
        self.scene.lesson = ""
        if view.outcome is not None:
            self.scene.heading, self.scene.typed = "", []
        self._hint, self._withheld = None, False
        if self.words.restates_board or view.history[-1].actor is CHANCE:  # the coin has landed
            self.scene.says = [each for each in self.scene.says if each != self._announced]
        self._announced = self.words.say(view, self.names, self._addressees(view)).strip()
        self._announce(self._announced)
        if self._repetition.noticed(view):
            self._announce(REPEATS)
        self.draw()
        if view.outcome is not None and not self._fast:
            self._wait(LIT)

    def _addressees(self, view: View) -> frozenset[Seat]:
        """The seats spoken to: of two people, the one asked next, until the game is over."""
        if self.shared and isinstance(view.actor, Seat):
            return frozenset({view.actor})
        return self.here

    def thinks(self, view: View, seconds: float) -> None:
        """Show that a bot is choosing its move."""
        assert isinstance(view.actor, Seat)
        name = self.names[view.actor]
        self.scene.heading, self.scene.typed, self.scene.actor = turn_of(name), [], view.actor
        until, step = time.monotonic() + seconds, 0
        with self._passing() as say:
            while time.monotonic() < until:
                say(f"{name} is thinking{'.' * (step % 4) if self._moves else '...'}")
                self._wait(min(DOT_TIME, max(0.0, until - time.monotonic())))
                step += 1

    def _spin(self) -> None:
        """Show the coin in the air, behind what is said of it."""
        *said, last = self.scene.says or [""]
        for step in range(round(SPIN / FRAME_TIME) if self._moves else 0):
            self.scene.says = [*said, f"{last} {SPINNING[step % len(SPINNING)]}"]
            self.draw()
            self._wait(FRAME_TIME)
        self.scene.says = [*said, last]

    def _wait(self, seconds: float) -> None:
        """Wait, redrawing if the terminal is resized; keys are left for the next question."""
        until = time.monotonic() + seconds
        while (left := until - time.monotonic()) > 0 and self.display.stale(left):
            self.draw()

    @contextlib.contextmanager
    def working(self, text: str) -> Iterator[None]:
        """Show at once that something is being computed for the person."""
        with self._passing() as say:
            say(text)
            yield

    @contextlib.contextmanager
    def _passing(self) -> Iterator[Callable[[str], None]]:
        """Say something below the announcements that passes."""
        said = self.scene.says

        def say(sentence: str) -> None:
            self.scene.says = [*said, sentence]
            self.draw()

        try:
            yield say
        finally:
            self.scene.says = said

    def teach(self, view: View) -> None:
        """Show beside the board what a beginner is told."""
        self.scene.lesson = self.lesson(view)

    def asks(self, view: View, heading: str) -> None:
        """Show whose turn it is above the prompt."""
        first, *choices = heading.strip().split("\n")
        self.scene.heading = "\n".join([first.rstrip(":"), "   ".join(choices)]).strip()

    def position(self, view: View) -> bool:
        """The board is always visible; scroll the record to its newest turn."""
        self.scene.scrolled = 0
        return bool(self.words.picture(view) or self.words.drawing(view, Seat.ONE))

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

    def _leave(self, text: str) -> None:
        self._epilogue.append(text)

    def _announce(self, text: str) -> None:
        if self._was_asked:
            self.scene.says, self._was_asked = [], False
        self.scene.notice = None
        self.scene.says.append(text.replace("\n\n", "\n"))

    # --- for the person being asked ---

    def read(self, view: View, question: Question, unseen: bool) -> str:
        """Ask for a line at the bottom of the page."""
        scene = self.scene
        if view.number != self._asked:
            self._asked, self._hint, self._withheld = view.number, None, False
        if isinstance(view.actor, Seat) and view.actor not in self.here:
            scene.lesson = ""
        if self.words.game.secrets_each and (view.secret or not view.setting_up):
            for said in self._welcome:
                self.retract(said)
        scene.actor = view.actor
        scene.secret = "" if self.shared else "".join(map(self.words.text, view.secret[:1]))
        scene.typed = scene.typed[: len(question.given)]  # without those that were refused
        if not (question.given or question.heading):
            name = self.names[view.actor] if isinstance(view.actor, Seat) else ""
            scene.heading = "" if view.setting_up or name == YOU else name
        scene.preview = partial(scene.preview_text, view, question)
        control = self._control = scene.live(question.control)
        hint = None if isinstance(question, Aside) else self._hint
        hinted = "" if hint is None else self._hint_line(view, question, hint)
        line = self.ask(question.prompt, unseen, control, hinted=hinted)
        scene.typed.append(question.prompt if unseen else question.prompt + line)
        scene.notice = None
        self._was_asked = True
        return line

    def _hint_line(self, view: View, question: Question, hint: Move) -> str:
        """The line by which a question is answered with a hint; empty if none does."""
        text = self.words.text(hint)
        for line in (text, f"guess {text}", text.removeprefix(" ".join(question.given)).strip()):
            with contextlib.suppress(Refusal):
                if self.words.answer(line, view, question) == hint:
                    return line
        return ""

    def asks_for(self, prompt: str, unseen: bool) -> str:
        """Read a line that answers no question of a game, also below the last page."""
        return self._last_page.ask(prompt) if self._last_page else self.ask(prompt, unseen)

    def ask(
        self,
        prompt: str,
        unseen: bool = False,
        control: Control | None = None,
        silent: bool = False,
        hinted: str = "",
    ) -> str:
        """Read a line that the user types or chooses on the board."""
        line, self._draft = Editor() if unseen or silent else self._draft, Editor()
        words = [*self.commands, *(each for each in self.accepted if each not in self.commands)]
        clicks = not (unseen and self.shared)
        answering = Answering(
            prompt, line, unseen, silent, control, self.commands, words, clicks=clicks
        )
        answering.withheld = WITHHELD if self._withheld else ""
        if hinted:
            answering.hint = None if control is None else control.find(hinted)
            answering.hint_line = hinted
        self._answering = self._answered = answering
        self._is_spoilt = True
        try:
            return self._read_answer(answering)
        finally:
            self._answering = None
            self.chosen = answering.chosen
            if answering.chosen:  # nothing of it stays on the board
                self.draw()

    def _read_answer(self, answering: Answering) -> str:
        """Apply keys to an answer until it is given."""
        timeout = SECOND if any(map(self.clock, Seat)) else None
        for key in self.display.keys(self.draw, timeout, self.lines.beside):
            match key:
                case Key.END_OF_INPUT:
                    if not answering.line.text:
                        raise InputEnded
                case Key.NEWS:
                    hidden = answering.unseen or answering.silent or answering.chosen
                    self._hear(Editor() if hidden else answering.line)
                case Key.HIDE:
                    self.scene.hides_secret = not self.scene.hides_secret
                case Key.PAGE_UP | Key.PAGE_DOWN:
                    self.scene.scroll(5 if key is Key.PAGE_UP else -5)
                case Key.SCROLL_UP | Key.SCROLL_DOWN:
                    self.scene.scroll(1 if key is Key.SCROLL_UP else -1)
                case Key.UP | Key.DOWN if answering.control is None and answering.marked is None:
                    self.scene.scroll(1 if key is Key.UP else -1)
                case None:
                    pass
                case _:
                    if key is Key.HELP and not (answering.unseen or answering.silent):
                        self._draft = answering.line  # it is typed still after the help
                    if (given := answering.press(key)) is not None:
                        return given
                    if answering.note:
                        self.scene.notice = Text(answering.note)
        raise InputEnded

    def _hear(self, line: Editor) -> None:
        """Show what happened meanwhile; if it ends the question, the next one keeps the line."""
        if self.lines.beside is None:
            return
        try:
            said = self.lines.beside.hear()
        except Leaves:
            self._draft, self.scene.notice = line, None
            raise
        if said:
            self.scene.notice = Text(said)

    def tell(self, view: View, text: str) -> None:
        """Answer in the referee's area, or on a separate page if it does not fit."""
        columns, rows = self.display.size
        self.scene.notice = Text(text)
        whole = shows_whole(self.scene.sheet(self._answered), columns, rows)
        if len(wrap(text, columns - 2)) > MOST_SAID or not whole:
            self.scene.notice = None
            self._page(self.words.title, pager.plain(text))

    def explain(self, view: View, told: Sequence[str], commands: Sequence[str]) -> None:
        """Show what is accepted here, and every key and word, on one page."""
        control = self._control
        arrows = control.keys if control else "scroll the record"
        first = control.click_spot(None, 0, 0) if control else None
        turns = control is not None and first != control.click_spot(first, 0, 0)
        keys = [
            ("← ↑ ↓ →", arrows if control is None else arrows.replace("   ", ", ")),
            ("Enter", "do what is chosen or typed"),
            ("Tab", "take the hint; finish a word"),
            ("Esc", "single keys; again: words"),
            ("^X", "hide or show your own secret"),
            ("^Z  ^C", "step out; nothing is lost"),
            ("PgUp PgDn", "scroll the record"),
            ("? or F1", "this page"),
            ("mouse", "turn; click on Enter: to take" if turns else "choose; a second click takes"),
        ]
        words = [(each, MEANINGS[each]) for each in MEANINGS if each in commands]

        def lines(width: int) -> list[Text]:
            wide = width >= WIDE - 2
            left, right = (
                [
                    Text.assemble((line[:10], BRASS), line[10:])
                    for word, meaning in column
                    for line in wrap(f"{word:10}{meaning}", width // 2 if wide else width)
                ]
                for column in (keys, words)
            )
            both = side_by_side(left, right, width // 2 + 2) if wide else [*left, *right]
            here = [Text(line, SOFT) for each in told for line in wrap(each, width)]
            return [*both, Text(), *here]

        self._page("Keys and words", lines)

    def suggest(self, move: Move) -> None:
        """Mark on the board what a hint suggests, unless the other person would learn from it."""
        self._withheld = self.shared and bool(self.words.game.secrets_each)
        self._hint = None if self._withheld else move

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
        said = [] if self._was_asked else self.scene.says  # not shown at a prompt yet
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
        self._end = [*headline(self, view), first, *closing_words(self, view), *rest]
        self._epilogue += ["", *lines]
        if file is not None:
            self._epilogue.append(f"Record: {file_label(file)}")

    def conclude(self, view: View, told: str, right: Sequence[Move], own: Move, copy: str) -> str:
        """Show the board with the right places starred and the own one ringed, until a key."""
        self._epilogue.append(fit(f"\n{told}\n\n{copy}", sys.stdout))
        scene = self.scene
        scene.control = self.words.question(view, self.names).control
        scene.looks = {self.words.text(own): Look.OWN}
        scene.looks |= {self.words.text(move): Look.BEST for move in right}
        scene.keys, scene.says, scene.typed, scene.heading = VERDICT_KEYS, [], [], ""
        head, *rest = told.split("\n")
        squares = copy.split("\n")[1:]
        low = self.display.size[1] < AIRY[True]
        lines = [head, *rest, *squares] if low else [head, *squares, *rest]
        scene.actor, scene.notice = None, Text("\n".join(lines))
        for key in self.display.keys(self.draw):
            if key in ("?", Key.HELP):
                self._page("Keys", pager.plain(VERDICT_HELP))
            elif key in (Key.UP, Key.DOWN, Key.PAGE_UP, Key.PAGE_DOWN):
                self._page(self.words.title, pager.plain("\n".join(lines)))
            elif key == "c":
                pager.Pager(self.display, "The result, to copy", pager.plain(copy)).read()
            elif key in ("p", "y", "q", "Q", Key.ENTER, Key.ESCAPE, Key.END_OF_INPUT):
                return key if isinstance(key, str) else ""
        return ""

    def wish(self, record: Record, analysis: bool) -> Wish:
        """Show the last page until a key is chosen."""
        if self._last_page is None:
            self._last_page = LastPage(self, self._end, record, analysis)
            self.display.forget_typed()  # keys meant for the game choose nothing here
        return self._last_page.wish()

    def show_analysis(self, record: Record) -> None:
        """Show what each move cost, on a separate page."""
        from strongroom.accounts.analysis import analyze
        from strongroom.terminal.reports.analysis import report

        analysis = analyze(record)
        lines = partial(report, analysis)
        self._page(f"{self.words.title}: what each move cost", lines)

    def go_through(self, moments: Sequence[View], sitters: list[str]) -> None:
        """Let the user step through a game with keys, and then show what was shown before."""
        scene, last = self.scene, len(moments) - 1
        shown = scene.view, scene.heading
        at, playing = 0, False
        while True:
            foot = f"Moment {at} of {last}"
            self._show_moment(moments, at, f"{foot}, playing" if playing else foot)
            key = self.display.key(PACE if playing else None)
            if key is not None and key is not Key.REDRAW:
                playing = key == "p" and not playing and at < last
            match key:
                case Key.RIGHT | Key.DOWN | Key.ENTER | Key.PAGE_DOWN | " " | "n":
                    at += 1
                case Key.LEFT | Key.UP | Key.BACKSPACE | Key.PAGE_UP | "b":
                    at -= 1
                case Key.END | "e" | "G":
                    at = last
                case Key.HOME | "a" | "g":
                    at = 0
                case None:
                    at += 1
                    playing = at < last
                case "?" | Key.HELP:
                    self._page("Keys", pager.plain("\n".join(scene.keys)))
                case "q" | "Q" | Key.ESCAPE | Key.END_OF_INPUT:
                    break
            at = max(0, min(at, last))
        scene.view, scene.heading = shown

    def _show_moment(self, moments: Sequence[View], at: int, foot: str) -> None:
        """Draw the page for a moment of a replay."""
        scene, view = self.scene, moments[at]
        said = [self.words.say(view, self.names, frozenset()).strip()]
        if view.outcome is not None:
            said += self.the_end(view)
        elif view is moments[-1]:
            said.append("The game is not over.")
        scene.keys = KEYS if self.display.unicode else ASCII_KEYS
        scene.view, scene.says, scene.heading = view, ["\n".join(said)], foot
        scene.notice, scene.typed, scene.scrolled, scene.secret = None, [], 0, ""
        scene.actor = None
        self.draw()

    # --- drawing ---

    def draw(self) -> None:
        """Draw the page as it stands."""
        columns, rows = self.display.size
        self.display.swapped = next(iter(self.score)) is Seat.TWO  # who sat first keeps a colour
        sheet = self.scene.sheet(self._answering)
        drawn, cursor = arrange(sheet, columns, rows)
        self.display.draw(drawn, cursor, self._is_spoilt)
        self._is_spoilt = False


class PageInput(LineSource):
    """The bottom of a page as a source of lines."""

    def __init__(self, page: PageFace) -> None:
        self._page = page

    def read(self, prompt: str, unseen: bool = False) -> str:
        """The next line typed there."""
        return self._page.asks_for(prompt, unseen)


# --- the last page --------------------------------------------------------------------------------


WISHES: Final = {
    "r": Wish.REMATCH,
    "a": Wish.ANALYSIS,
    "p": Wish.REPLAY,
    "s": Wish.SAVE,
    "c": Wish.COPY,
    "q": Wish.LEAVE,
}
PLOT: Final = 7
"""The rows of the curve, if there is room."""
AXIS: Final = 2
"""The rows of the curve's axis."""
LEAST_PLOT: Final = 3
LEAST_MARKED: Final = 6
"""The fewest decisions of each player for marks, if the game was broken off."""
UNSOLVED: Final = "No analysis: this game or variation has not been solved."
MOST_COMMENTS: Final = 3
WIDEST: Final = 110
"""From this width on, the curve is shown beside the board."""
WITHHELD: Final = "Tab takes no hint here: the other player would see it. Type it."
STEPS: Final = {Key.LEFT: -1, Key.UP: -1, Key.RIGHT: 1, Key.DOWN: 1, Key.TAB: 1}
"""How far a key leads along the choices."""


def headline(face: Face, view: View) -> list[str]:
    """Who won, said to the person if only one is at this screen, unless the ending says it."""
    winner = None if view.outcome is None else view.outcome.winner
    if view.outcome is None or winner is None:
        return []
    if len(face.here) == 1 and winner not in face.here:
        return ["You lost."]
    won = f"{face.names[winner]} won"
    says_it = face.words.ending(view.outcome, face.names).startswith(won)
    return [] if says_it else ["You won." if len(face.here) == 1 else f"{won}."]


def closing_words(face: Face, view: View) -> list[str]:
    """The announcement of the end, in lines, if the rules of the game ended it.

    The game's page shows it too briefly, and with --fast not at all. The same is true of the answer
    to the last turn of a player at this screen whose opponent ends the game.
    """
    if view.outcome is None or view.outcome.reason not in view.game.reasons:
        return []
    said = face.words.closing(view, face.names, face.here).split("\n")
    *others, ending = face.words.turns(view.history)
    last = {turn.seat: turn for turn in others}
    answered = [
        f"{possessive(face.names[seat])} last turn: {last[seat].text}"
        for seat in Seat
        if seat in face.here and seat in last and seat is not ending.seat
    ]
    return [*filter(None, said), *(answered if face.words.answers_turns else [])]


class LastPage:
    """The page shown after a game."""

    def __init__(self, face: PageFace, end: list[str], record: Record, solved: bool) -> None:
        self._face, self._display, self._scene = face, face.display, face.scene
        self._end = end
        """The lines that say how the game ended."""
        self._record, self._solved = record, solved
        self._studied = False
        self._marked: int | None = None
        """Which of the choices is marked, if any."""

    def ask(self, prompt: str) -> str:
        """Read a line below the page; Escape gives an empty one."""
        return self._display.read_line(lambda line: self._draw(prompt, line))

    @cached_property
    def _analysis(self) -> Analysis:
        from strongroom.accounts.analysis import analyze

        return analyze(self._record)

    def wish(self) -> Wish:
        """Wait for a key, and return what it means."""
        if self._solved and not self._studied:
            self._draw()
            self._studied = True
            self._end += filter(None, [self._marks()])
        beside = self._face.lines.beside
        for key in self._display.keys(self._draw, beside=beside):
            if key is Key.NEWS and beside is not None:
                self._end += filter(None, [beside.hear()])
            if key in (Key.ESCAPE, Key.END_OF_INPUT):
                break
            wish = self._choose(key)
            if wish is Wish.COPY:
                result = pager.plain(self._result_text())
                pager.Pager(self._display, "The result, to copy", result).read()
            elif wish is not None:
                return wish
        return Wish.LEAVE

    def _marks(self) -> str:
        """The mark of each player, with luck taken out; empty if there is none."""
        if not (self._studied and self._scene.view and self._scene.view.turns):
            return ""
        outcome, decisions = self._record.outcome, self._analysis.decisions
        if outcome is None or outcome.reason not in self._record.game.reasons:
            if any(sum(1 for x in decisions if x.seat is seat) < LEAST_MARKED for seat in Seat):
                return ""
        marks = (
            f"{before_number(self._face.names[seat])} {max(0, round(100 - 100 * cost))}"
            for seat, cost in zip(Seat, map(self._analysis.cost, Seat), strict=True)
        )
        return f"Play, out of 100: {', '.join(marks)}"

    def _result_text(self) -> str:
        """The result as text to copy; it contains no secret."""
        record, words = self._record, self._face.words
        names = {seat: record.sitters[seat.index].name for seat in Seat}
        ending = "" if record.outcome is None else words.ending(record.outcome, names)
        turns = 0 if self._scene.view is None else self._scene.view.turns
        lines = [f"strongroom: {words.title}", ending, f"Turns: {turns}", self._marks()]
        return "\n".join(filter(None, lines))

    @property
    def _wishes(self) -> dict[str, Wish]:
        return {key: wish for key, wish in WISHES.items() if self._solved or key != "a"}

    def _choose(self, key: Pressed | None) -> Wish | None:
        """The choice of a key; arrows and a click only mark one, for Enter or a second click."""
        wishes = [*self._wishes.values()]
        match key:
            case str():
                return self._wishes.get(key.lower())
            case Key.ENTER if self._marked is not None:
                wish, self._marked = wishes[self._marked], None
                return wish
            case Target(kind=Kind.CHOICE, at=(at,)) if at == self._marked:
                return self._choose(Key.ENTER)
            case Target(kind=Kind.CHOICE, at=(at,)):
                self._marked = at
            case Key() if (step := STEPS.get(key)) is not None:
                before = min(0, -step) if self._marked is None else self._marked
                self._marked = (before + step) % len(wishes)
        return None

    def _draw(self, prompt: str = "", line: Editor | None = None) -> None:
        width, height = self._display.size
        top = [*self._scene.top(width), Text()]
        keys = [f"{key} {wish.value}" for key, wish in self._wishes.items()]
        bottom, cursor = key_rows(keys, width, self._marked), None
        if line is not None:
            bottom, (column, _) = draw_input(prompt, line.text, line.at, width)
            cursor = (column, height - 1)
        bottom = [rule(width), *bottom]
        room = height - len(top) - len(bottom)
        body = self._stage(width, room)
        if not body:
            body = self._verdict(width, room)
            body += self._study(width, room - len(body))
        body = [*[Text()] * ((room - len(body)) // 3), *body]
        body += [Text()] * (room - len(body))
        self._display.draw([*top, *body, *bottom], cursor, whole=True)

    def _stage(self, width: int, room: int) -> list[Text]:
        """The result above the board and the curve; empty if they do not fit side by side."""
        result = self._result(width, room)
        half, left = width // 2, room - len(result) - 1
        if width < WIDEST or left < 4:
            return []
        board = self._scene.board(half - 3, left)
        study = self._study(width - half, left + 1)[1:]
        if not (board and study) or len(board) > left:
            return []
        return [*result, Text(), *side_by_side(centre(board, half - 3), study, half)]

    def _verdict(self, width: int, room: int) -> list[Text]:
        """The result, and beside it, or below it if there is room, the board as it ended."""
        height = self._display.size[1]
        if width < WIDE:
            result = self._result(width, room)
            left = room - len(result) - 1
            board = self._scene.board(width - 2, board_height(left, height))
            fits = board and len(board) <= left
            return [*result, Text(), *centre(board, width - 2)] if fits else result
        half = width // 2
        board = self._scene.board(half - 3, board_height(room, height))[:room]
        result = self._result(width - half if board else width, room)
        return side_by_side(centre(board, half - 3), result, half) if board else result

    def _result(self, width: int, room: int) -> list[Text]:
        outcome = self._record.outcome
        winner = outcome.winner if outcome else None
        style = PLAYERS[winner.index] if winner else SOFT
        inner = min(width - 6, max(len(line) for line in self._end))
        lines: list[str] = []
        for each in self._end:  # whole sentences, as far as there is room
            more = wrap(each, inner, 2)
            if lines and len(lines) + len(more) > room - 2:
                break
            lines += more
        corner, across, other, side, low, last = FRAME
        rows = [Text(f" {corner}{across * (inner + 2)}{other}", style)]
        for number, line in enumerate(lines):
            bold = f"bold {BRIGHT}" if number == 0 else ""
            row = Text.assemble(
                (f" {side} ", style), (f"{line:{inner}}", bold), (f" {side}", style)
            )
            rows.append(row)
        return [*rows, Text(f" {low}{across * (inner + 2)}{last}", style)]

    def _study(self, width: int, room: int) -> list[Text]:
        """The curve and the costliest moves, as far as there is room."""
        if room < 4:
            return []
        if not self._studied:
            told = "Looking at how it went ..." if self._solved else UNSOLVED
            return [Text(), *paragraph(told, width, SOFT)]
        from strongroom.terminal.reports.analysis import comments, heading, plot

        seat: Seat | None = None
        if len(self._face.here) == 1:
            (seat,) = self._face.here
        told = f"How it went: {heading(self._analysis, seat, YOU if seat else '')}"
        headed = paragraph(told, width, SOFT)
        curve = room - 1 - len(headed) - AXIS
        said: list[Text] = []
        for most in range(MOST_COMMENTS, -1, -1):  # the costliest is dropped last
            remarks = comments(self._analysis, seat, most) if most else []
            said = [row for each in remarks for row in paragraph(each, width, indent=3)]
            if len(said) + LEAST_PLOT <= curve or most == 1:
                break
        high = min(PLOT, curve - len(said))
        rows = [Text()]
        if high >= LEAST_PLOT:
            curved = plot(self._analysis, seat, width - 2, high)
            if len(curved) + len(said) > room - 1 - len(headed):  # its note does not fit
                curved = curved[: high + AXIS]
            rows += [*(headed if curved else []), *map(margin, curved)]
        rows += said if len(said) <= room - len(rows) else []
        return rows if len(rows) > 1 else []
