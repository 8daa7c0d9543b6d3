"""The drawn face: the same words with colour, the board, and the running record beside it."""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path

from rich import box
from rich.columns import Columns
from rich.console import Console, ConsoleRenderable, Group
from rich.markdown import Markdown
from rich.panel import Panel
from rich.table import Table as Grid
from rich.text import Text

from strongroom.game import NAMES, Move, Names, Refusal, Seat, View
from strongroom.record import Played
from strongroom.terminal.face import Face
from strongroom.terminal.lines import Lines

STYLES = ("bold cyan", "bold magenta")
"""Seat.ONE's colour and Seat.TWO's; a name or a symbol always says the same without colour."""


def can_draw() -> bool:
    """Whether the terminal can do more than print lines."""
    return os.environ.get("TERM", "dumb") != "dumb"


def has_unicode() -> bool:
    """Whether box-drawing characters will be shown: not in the C locale, whatever Python does."""
    return (sys.stdout.encoding or "").lower().startswith("utf") and not sys.flags.utf8_mode


class Screen(Face):
    """A terminal that can draw."""

    def __init__(self, lines: Lines, names: Names = NAMES, console: Console | None = None) -> None:
        super().__init__(lines, names)
        self.console = console or Console(highlight=False, markup=False)
        self._box = box.ROUNDED if has_unicode() else box.ASCII

    def begin(self, view: View, sitters: list[str]) -> None:
        """Welcome the players and show the empty board."""
        title = Text(view.game.title, style="bold")
        self.console.rule(title, characters="-" if self._ascii else "─")
        self._announce(view)

    def resume(self, view: View, sitters: list[str]) -> None:
        """Show where a game that was broken off stands."""
        self.console.print(Text(f"Back at {view.game.title}.", style="bold"))
        if not view.setting_up:
            self.position(view)

    def happened(self, view: View, played: Played) -> None:
        """Announce a public move, then show the board and the record."""
        self._announce(view)

    def asks(self, view: View, heading: str) -> None:
        """Say whose turn it is, in that player's colour."""
        style = STYLES[view.actor.index] if isinstance(view.actor, Seat) else ""
        self.console.print(Text(heading, style=style))

    def chose(self, view: View, move: Move) -> None:
        """Show an answer that nobody typed here as if it had been."""
        heading, _, prompt = view.game.ask(view, names=self.names).rpartition("\n")
        if heading:
            self.asks(view, heading)
        self.console.print(Text(prompt).append(str(move), style="bold"))

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
            self.console.print(Text(f"Record: {file}", style="dim"), soft_wrap=True)

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
        """Words; a rules page is set as Markdown."""
        is_page = text.startswith("# ") and not self._ascii
        if is_page:
            self.console.print(Markdown(text))
        else:
            self.console.print(Text(text), soft_wrap=True)

    def _announce(self, view: View) -> None:
        words = view.game.say(view, self.names)
        picture = view.game.picture(view)
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
        picture = view.game.picture(view)
        if not re.fullmatch("[0-9XO_]([-]?[0-9XO_])*", view.board):
            return Text(picture) if picture else None  # no row of dials or cells
        cells = [*view.board.replace("-", "")]
        if len(cells) * 5 > self.console.width:
            numbers = "".join(str(number) for number in range(1, len(cells) + 1))
            return Text("".join(cells) + "\n" + numbers)
        grid = Grid.grid(padding=0)
        boxes, labels = [], []
        for number, symbol in enumerate(cells, 1):
            style = STYLES["XO".index(symbol)] if symbol in "XO" else "bold"
            shown = " " if symbol == "_" and not self._ascii else symbol
            boxes.append(
                Panel(Text(shown, style=style), box=self._box, width=5, border_style="dim")
            )
            labels.append(Text(f"  {number}", style="dim"))
        grid.add_row(*boxes)
        grid.add_row(*labels)
        return grid

    def _record(self, view: View) -> ConsoleRenderable:
        columns: tuple[list[str], list[str]] = ([], [])
        column = columns[0]
        for event in view.history:
            if isinstance(event.actor, Seat):
                column = columns[event.actor.index]
            column.append(view.game.note(event))
        rows = max(map(len, columns))
        room = max(4, self.console.height - 14)
        grid = Grid(box=self._box, border_style="dim", pad_edge=True)
        for seat in Seat:
            name = Text(self.names[seat], style=STYLES[seat.index])
            grid.add_column(name, min_width=min(12, (self.console.width - 7) // 2))
        if rows > room:
            grid.add_row(*[Text("(type history for all)", style="dim")] * 2)
        for row in range(max(0, rows - room), rows):
            grid.add_row(*(Text(each[row] if row < len(each) else "") for each in columns))
        return grid


def print_page(page: str) -> None:
    """Print a rules page: set on a terminal that can draw it, else as it is."""
    if sys.stdout.isatty() and can_draw() and has_unicode():
        Console().print(Markdown(page))
    else:
        print(page, end="")
