"""The drawn face: the same words with colour, the board, and the running record beside it."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from itertools import zip_longest
from pathlib import Path
from typing import Any

from rich import box
from rich.columns import Columns
from rich.console import Console, ConsoleRenderable, Group
from rich.markdown import Markdown
from rich.panel import Panel
from rich.table import Table as Grid
from rich.text import Text

from strongroom.contract import (
    NAMES,
    Event,
    History,
    Move,
    Names,
    Refusal,
    Seat,
    View,
    Words,
)
from strongroom.games.codes import Code
from strongroom.terminal.faces.face import Face
from strongroom.terminal.filenames import named
from strongroom.terminal.lines import Lines

STYLES = ("bold cyan", "bold magenta")
"""Seat.ONE's colour and Seat.TWO's; a name or a symbol always says the same without colour."""
EMPTY = "_"


def can_draw() -> bool:
    """Whether the terminal can do more than print lines."""
    return os.environ.get("TERM", "dumb") != "dumb"


def has_unicode() -> bool:
    """Whether box-drawing characters will be shown: not in the C locale, whatever Python does."""
    return (sys.stdout.encoding or "").lower().startswith("utf") and not sys.flags.utf8_mode


class Notes:
    """The running record in a column a seat, read on from where it was last drawn."""

    def __init__(self, note: Callable[[Event], str]) -> None:
        self.columns: tuple[list[str], list[str]] = ([], [])
        self._note = note
        self._read = 0
        self._column = self.columns[0]

    def read(self, history: History[Event]) -> None:
        """Note what happened since; what chance decides stands below the move it belongs to."""
        for event in history[self._read :]:
            if isinstance(event.actor, Seat):
                self._column = self.columns[event.actor.index]
            self._column.append(self._note(event))
        self._read = len(history)


class Screen(Face):
    """A terminal that can draw."""

    def __init__(
        self,
        lines: Lines,
        words: Words[Any],
        names: Names = NAMES,
        console: Console | None = None,
    ) -> None:
        super().__init__(lines, words, names)
        self.console = console or Console(highlight=False, markup=False)
        self._box = box.ROUNDED if has_unicode() else box.ASCII
        self._notes = Notes(words.note)

    def begin(self, view: View, sitters: list[str]) -> None:
        """Welcome the players and show the empty board."""
        self._notes = Notes(self.words.note)
        title = Text(self.words.title, style="bold")
        self.console.rule(title, characters="-" if self._ascii else "─")
        self._announce(view)

    def resume(self, view: View, sitters: list[str]) -> None:
        """Show where a game that was broken off stands."""
        self._notes = Notes(self.words.note)
        self.console.print(Text(f"Back at {self.words.title}.", style="bold"))
        if not view.setting_up:
            self.position(view)

    def happened(self, view: View) -> None:
        """Announce a public move, then show the board and the record."""
        self._announce(view)

    def asks(self, view: View, heading: str) -> None:
        """Say whose turn it is, in that player's colour."""
        style = STYLES[view.actor.index] if isinstance(view.actor, Seat) else ""
        self.console.print(Text("\n" + heading, style=style))

    def chose(self, view: View, move: Move) -> None:
        """Show an answer that nobody typed here as if it had been."""
        question = self.words.question(view, self.names)
        if question.heading:
            self.asks(view, question.heading)
        self.console.print(Text(question.prompt).append(self.words.text(move), style="bold"))

    def position(self, view: View) -> None:
        """The board and the record."""
        self.console.print(self._position(view))

    def ended(self, view: View, lines: list[str], file: Path | None = None) -> None:
        """How the match ended, framed in the winner's colour."""
        winner = view.outcome and view.outcome.winner
        style = STYLES[winner.index] if winner else "bold"
        text = Text("\n".join(lines))
        text.stylize(style, 0, len(lines[0]))
        self.console.print()
        self.console.print(Panel(text, box=self._box, border_style=style, expand=False))
        if file is not None:
            self.console.print(Text(f"Record: {named(file)}", style="dim"), soft_wrap=True)

    def hand_over_page(self, view: View, name: str) -> None:
        """The open part of the table, then who is next."""
        self._announce(view)
        text = Text("\n".join(self.hand_over_words(view, name)))
        style = STYLES[view.actor.index] if isinstance(view.actor, Seat) else ""
        text.stylize(style, 0, len(name))
        self.console.print()
        self.console.print(Panel(text, box=self._box, expand=False, padding=(1, 3)))

    def refuse(self, view: View, refusal: Refusal) -> None:
        """Why a line is not accepted, and what would be."""
        self.console.print(Text("! " + refusal.reason, style="yellow"))
        if refusal.accepted:
            self.console.print(Text("  " + refusal.accepted, style="dim"))

    def write(self, text: str) -> None:
        """Print words that everyone may read."""
        self.console.print(Text(text), soft_wrap=True)

    def show_rules(self, view: View, page: str) -> None:
        """The rules page, set where the screen can draw it."""
        if self._ascii:
            super().show_rules(view, page)
        else:
            self.console.print(Markdown(page))

    def _announce(self, view: View) -> None:
        words = self.words.say(view, self.names)
        picture = self.words.picture(view)
        self.console.print(Text(words.replace(picture, "").rstrip(), style="bold"))
        if picture in words if picture else view.history:
            self.position(view)

    # --- drawing ---

    @property
    def _ascii(self) -> bool:
        return self._box is box.ASCII

    def _position(self, view: View) -> ConsoleRenderable:
        board, record = self._board(view), self._record(view)
        if board is None or self.console.width < 70:
            return record if board is None else Group(board, record)
        return Columns([board, record], padding=(0, 3))

    def _board(self, view: View) -> ConsoleRenderable | None:
        symbols = self._symbols(view.board)
        if symbols is None:
            picture = self.words.picture(view)
            return Text(picture) if picture else None
        if len(symbols) * 5 > self.console.width:
            numbers = "".join(str(number) for number in range(1, len(symbols) + 1))
            return Text("".join(str(symbol) for symbol in symbols) + "\n" + numbers)
        grid = Grid.grid(padding=0)
        grid.add_row(*map(self._cell, symbols))
        grid.add_row(*(Text(f"  {n}", style="dim") for n in range(1, len(symbols) + 1)))
        return grid

    def _cell(self, symbol: Text) -> Panel:
        shown = Text(" ") if symbol.plain == EMPTY and not self._ascii else symbol
        return Panel(shown, box=self._box, width=5, border_style="dim")

    def _symbols(self, board: object) -> list[Text] | None:
        """What stands in each place of a board that is a row of dials or of cells."""
        if isinstance(board, Code):
            return [Text(str(digit), style="bold") for digit in board.digits]
        if not isinstance(board, tuple) or not {Seat, type(None)}.issuperset(map(type, board)):
            return None
        marks = self.words.symbols
        return [
            Text(EMPTY) if seat is None else Text(marks[seat.index], style=STYLES[seat.index])
            for seat in board
        ]

    def _record(self, view: View) -> ConsoleRenderable:
        self._notes.read(view.history)
        columns = self._notes.columns
        rows = max(map(len, columns))
        room = max(4, self.console.height - 14)
        grid = Grid(box=self._box, border_style="dim", pad_edge=True)
        for seat in Seat:
            name = Text(self.names[seat], style=STYLES[seat.index])
            grid.add_column(name, min_width=min(12, (self.console.width - 7) // 2))
        if rows > room:
            grid.add_row(*[Text("(type history for all)", style="dim")] * 2)
        # Turn stands beside turn, unless one has much more to tell: then each shows its own last.
        last = [each[max(0, min(rows, len(each) + 1) - room) :] for each in columns]
        for notes in zip_longest(*last, fillvalue=""):
            grid.add_row(*map(Text, notes))
        return grid


def print_page(page: str) -> None:
    """Print a rules page: set on a terminal that can draw it, else as it is."""
    if sys.stdout.isatty() and can_draw() and has_unicode():
        Console().print(Markdown(page))
    else:
        print(page, end="")
