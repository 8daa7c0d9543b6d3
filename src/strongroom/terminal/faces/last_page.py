"""The last page of a game: how it ended, how it went, and what to do next."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Final

from rich.text import Text

from strongroom.contract import YOU, Seat, View, counted, owned
from strongroom.referee.record import Record
from strongroom.terminal.faces.face import Face, Wish
from strongroom.terminal.faces.scene import Scene
from strongroom.terminal.lines import LineSource
from strongroom.terminal.screen.boards import FRAME
from strongroom.terminal.screen.display import Display
from strongroom.terminal.screen.keys import Editor, Key, Kind, Pressed, Target
from strongroom.terminal.screen.layout import (
    WIDE,
    board_height,
    centre,
    draw_input,
    key_rows,
    rule,
    side_by_side,
)
from strongroom.terminal.screen.pager import Pager, plain
from strongroom.terminal.screen.palette import BRIGHT, PLAYERS, SOFT
from strongroom.terminal.screen.wrapping import wrap

if TYPE_CHECKING:
    from strongroom.accounts.analysis import Analysis

KEYS: Final = {
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
UNSOLVED: Final = "No analysis: this game or variation has not been solved."
MOST_COMMENTS: Final = 3
WIDEST: Final = 110
"""From this width on, the curve is shown beside the board."""
STEPS: Final = {Key.LEFT: -1, Key.UP: -1, Key.RIGHT: 1, Key.DOWN: 1, Key.TAB: 1}
"""How far a key leads along the choices."""


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
        f"{owned(face.names[seat])} last turn: {last[seat].text}"
        for seat in Seat
        if seat in face.here and seat in last and seat is not ending.seat
    ]
    return [*filter(None, said), *(answered if face.words.answers_turns else [])]


@dataclass
class LastPage:
    """The page shown after a game."""

    display: Display
    scene: Scene
    end: list[str]
    """The lines that say how the game ended."""
    record: Record
    solved: bool
    lines: LineSource
    studied: bool = False
    marked: int | None = None
    """Which of the choices is marked, if any."""

    def ask(self, prompt: str) -> str:
        """Read a line below the page; Escape gives an empty one."""
        return self.display.read_line(lambda line: self._draw(prompt, line))

    @cached_property
    def _analysis(self) -> Analysis:
        from strongroom.accounts.analysis import analyze

        return analyze(self.record)

    def wish(self) -> Wish:
        """Wait for a key, and return what it means."""
        if self.solved and not self.studied:
            self._draw()
            self.studied = True
            self.end += filter(None, [self._marks()])
        for key in self.display.keys(self._draw, beside=self.lines.beside):
            if key is Key.NEWS and self.lines.beside is not None:
                self.end += filter(None, [self.lines.beside.heard()])
            if key in (Key.ESCAPE, Key.END_OF_INPUT):
                break
            wish = self._choose(key)
            if wish is Wish.COPY:
                Pager(self.display, "The result, to copy", plain(self._result_text())).read()
            elif wish is not None:
                return wish
        return Wish.LEAVE

    def _marks(self) -> str:
        """The mark of each player, with luck taken out; empty if there is none."""
        if not (self.studied and self.scene.view and self.scene.view.turns):
            return ""
        names, costs = self.scene.face.names, map(self._analysis.cost, Seat)
        marks = [max(0, round(100 - 100 * cost)) for cost in costs]
        told = (f"{counted(names[seat])} {mark}" for seat, mark in zip(Seat, marks, strict=True))
        return f"Play, out of 100: {', '.join(told)}"

    def _result_text(self) -> str:
        """The result as text to copy; it contains no secret."""
        record, words = self.record, self.scene.face.words
        names = {seat: record.sitters[seat.index].name for seat in Seat}
        ending = "" if record.outcome is None else words.ending(record.outcome, names)
        turns = 0 if self.scene.view is None else self.scene.view.turns
        lines = [f"strongroom: {words.title}", ending, f"Turns: {turns}", self._marks()]
        return "\n".join(filter(None, lines))

    @property
    def _choices(self) -> dict[str, Wish]:
        """The choices, each with its key."""
        return {key: wish for key, wish in KEYS.items() if self.solved or wish is not Wish.ANALYSIS}

    def _choose(self, key: Pressed | None) -> Wish | None:
        """The choice of a key; arrows and clicks only mark one, for Enter."""
        wishes = self._choices
        match key:
            case str():
                return wishes.get(key.lower())
            case Key.ENTER if self.marked is not None:
                wish, self.marked = list(wishes.values())[self.marked], None
                return wish
            case Target(kind=Kind.CHOICE, at=(at,)):
                self.marked = at
            case Key() if (step := STEPS.get(key)) is not None:
                last = 0 if step > 0 else len(wishes) - 1
                self.marked = last if self.marked is None else (self.marked + step) % len(wishes)
        return None

    def _draw(self, prompt: str = "", line: Editor | None = None) -> None:
        width, height = self.display.size
        top = self.scene.top(width)
        keys = [f"{key} {wish.value}" for key, wish in self._choices.items()]
        bottom = [rule(width), *key_rows(keys, width, self.marked)]
        cursor = None
        if line is not None:
            bottom[1:], (column, _) = draw_input(prompt, line.text, line.at, width)
            cursor = (column, height - 1)
        room = height - len(top) - len(bottom) - 1
        body = self._stage(width, room)
        if not body:
            body = self._verdict(width, room)
            body += self._study(width, room - len(body))
        body = [*[Text()] * ((room - len(body)) // 3), *body]
        body += [Text()] * (room - len(body))
        self.display.draw([*top, Text(), *body, *bottom], cursor, whole=True)

    def _stage(self, width: int, room: int) -> list[Text]:
        """The result above the board and the curve; empty if they do not fit side by side."""
        result = self._result(width, room)
        half, left = width // 2, room - len(result) - 1
        if width < WIDEST or left < 4:
            return []
        board = self.scene.board(half - 3, left)
        study = self._study(width - half, left + 1)[1:]
        if not (board and study) or len(board) > left:
            return []
        return [*result, Text(), *side_by_side(centre(board, half - 3), study, half)]

    def _verdict(self, width: int, room: int) -> list[Text]:
        """The result, and beside it, or below it if there is room, the board as it ended."""
        if width < WIDE:
            result = self._result(width, room)
            board = self.scene.board(width - 2, self._board_height(room - len(result) - 1))
            fits = board and len(result) + 1 + len(board) <= room
            return [*result, Text(), *centre(board, width - 2)] if fits else result
        half = width // 2
        board = centre(self.scene.board(half - 3, self._board_height(room))[:room], half - 3)
        result = self._result(width - half if board else width, room)
        return side_by_side(board, result, half if board else 0)

    def _board_height(self, room: int) -> int:
        return board_height(room, self.display.size[1])

    def _result(self, width: int, room: int) -> list[Text]:
        outcome = self.record.outcome
        winner = outcome.winner if outcome else None
        style = PLAYERS[winner.index] if winner else SOFT
        inner = min(width - 6, max(len(line) for line in self.end))
        lines: list[str] = []
        for each in self.end:  # whole sentences, as far as there is room
            more = wrap(each, inner, 2)
            if lines and len(lines) + len(more) > room - 2:
                break
            lines += more
        corner, across, other, side, low, last = FRAME
        rows = [Text(f" {corner}{across * (inner + 2)}{other}", style)]
        for number, line in enumerate(lines):
            row = Text().append(f" {side} ", style)
            row.append(f"{line:{inner}}", f"bold {BRIGHT}" if number == 0 else "")
            rows.append(row.append(f" {side}", style))
        return [*rows, Text(f" {low}{across * (inner + 2)}{last}", style)]

    def _study(self, width: int, room: int) -> list[Text]:
        """The curve and the costliest moves, as far as there is room."""
        if room < 4:
            return []
        if not self.solved:
            return [Text(), *(Text(f" {line}", SOFT) for line in wrap(UNSOLVED, width - 2))]
        if not self.studied:
            return [Text(), Text(" Looking at how it went ...", SOFT)]
        from strongroom.terminal.reports.analysis import comments, heading, plot

        seat: Seat | None = None
        if len(self.scene.face.here) == 1:
            (seat,) = self.scene.face.here
        shown = f"How it went: {heading(self._analysis, seat, YOU if seat else '')}"
        headed = [Text(f" {each}", SOFT) for each in wrap(shown, width - 2)]
        curve = room - 1 - len(headed) - AXIS
        said: list[Text] = []
        for most in range(MOST_COMMENTS, -1, -1):  # the costliest is dropped last
            told = comments(self._analysis, seat, most) if most else []
            said = [Text(f" {line}") for each in told for line in wrap(each, width - 2, 3)]
            if len(said) + LEAST_PLOT <= curve or (most == 1 and curve < LEAST_PLOT):
                break
        high = min(PLOT, curve - len(said))
        drawn: list[Text] = []
        if high >= LEAST_PLOT:
            curved = plot(self._analysis, seat, width - 2, high)
            if len(curved) + len(said) > room - 1 - len(headed):  # its note does not fit
                curved = curved[: high + AXIS]
            drawn = [Text(" ").append_text(row) for row in curved]
        rows = [Text(), *(headed if drawn else []), *drawn]
        rows += said if len(said) <= room - len(rows) else []
        return rows if len(rows) > 1 else []
