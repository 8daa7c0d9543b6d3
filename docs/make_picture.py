"""Draws the README's picture: the last screen of a real game, played through the real table.

Every character has a place of its own, and frames are drawn as lines, so that the picture is the
same in every viewer, whatever font that has.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator
from io import StringIO
from pathlib import Path
from xml.sax.saxutils import escape

import pyte
from pyte.screens import Char
from rich.console import Console
from rich.text import Text

from strongroom import load
from strongroom.contract import Seat
from strongroom.match import Match
from strongroom.randomness import draws
from strongroom.record import Sitter
from strongroom.terminal.faces.screen import Screen
from strongroom.terminal.store import Journal
from strongroom.terminal.table.table import Table

COLUMNS, ROWS = 80, 24
WIDE, HIGH = 9.6, 20
"""The place of a character."""
MARGIN, BAR = 12, 36
"""Around the screen, and the bar with the title above it."""
SEED = 6
TYPED = ["3", "7", "4", "no", "1", "5", "yes", "6", "no", "2", "yes"]
COLOURS = {"default": "#d6d7d2", "cyan": "#4fc3d9", "magenta": "#e07ad0", "yellow": "#e6c547"}
DIM = "#85898a"

FRAMES = {
    "─": "M{left} {y}H{right}",
    "│": "M{x} {top}V{bottom}",
    "╭": "M{x} {bottom}Q{x} {y} {right} {y}",
    "╮": "M{x} {bottom}Q{x} {y} {left} {y}",
    "╰": "M{x} {top}Q{x} {y} {right} {y}",
    "╯": "M{x} {top}Q{x} {y} {left} {y}",
    "├": "M{x} {top}V{bottom}M{x} {y}H{right}",
    "┤": "M{x} {top}V{bottom}M{x} {y}H{left}",
    "┬": "M{left} {y}H{right}M{x} {y}V{bottom}",
    "┴": "M{left} {y}H{right}M{x} {y}V{top}",
    "┼": "M{left} {y}H{right}M{x} {top}V{bottom}",
}
"""Characters that frames are made of, as lines through their place."""


class Typist:
    """Types a script at the prompts."""

    interactive = False

    def __init__(self, console: Console) -> None:
        self._console = console
        self._typed = iter(TYPED)

    def read(self, prompt: str, unseen: bool = False) -> str:
        """The next line of the script."""
        line = next(self._typed)
        self._console.print(Text(prompt).append(line, style="bold"))
        return line


def last_screen() -> pyte.Screen:
    """Play the game; what a terminal shows at its end."""
    game = load("quantum-duel")
    console = Console(
        width=COLUMNS, height=ROWS, force_terminal=True, highlight=False, file=StringIO()
    )
    names = {Seat.ONE: "Ada", Seat.TWO: "Bob"}
    face = Screen(Typist(console), game.words, names, console)
    match = Match.start(game, (Sitter("Ada"), Sitter("Bob")), draw=draws(SEED))
    table = Table(match, face)
    with tempfile.TemporaryDirectory() as folder:
        table.play(Journal.create(Path(folder) / "game.json", match.record))
    end = table.match.view(None)
    face.ended(end, face.the_end(end))
    screen = pyte.Screen(COLUMNS, ROWS)
    stream = pyte.Stream(screen)
    written = console.file
    assert isinstance(written, StringIO)
    stream.feed(written.getvalue().strip("\n").replace("\n", "\r\n"))
    return screen


def drawn(screen: pyte.Screen) -> Iterator[str]:
    """The characters of a screen, each in its place."""
    for row in range(ROWS):
        for column in range(COLUMNS):
            char = screen.buffer[row][column]
            if not char.data.isspace():
                yield drawn_char(char, column * WIDE, row * HIGH)


def drawn_char(char: Char, left: float, top: float) -> str:
    """A character whose place has this corner."""
    colour = COLOURS.get(char.fg, DIM)
    x, y = left + WIDE / 2, top + HIGH / 2
    if char.data in FRAMES:
        place = {"left": left, "right": left + WIDE, "top": top, "bottom": top + HIGH}
        rounded = {name: f"{value:.1f}" for name, value in {**place, "x": x, "y": y}.items()}
        return f'<path d="{FRAMES[char.data].format(**rounded)}" stroke="{DIM}"/>'
    bold = ' font-weight="bold"' if char.bold else ""
    return f'<text x="{x:.1f}" y="{y + 5:.1f}" fill="{colour}"{bold}>{escape(char.data)}</text>'


def main(file: str) -> None:
    """Draw the screen into a file."""
    wide, high = COLUMNS * WIDE + 2 * MARGIN, ROWS * HIGH + BAR + MARGIN
    lights = "".join(
        f'<circle cx="{22 + 20 * place}" cy="18" r="6" fill="{colour}"/>'
        for place, colour in enumerate(("#ff5f57", "#febc2e", "#28c840"))
    )
    svg = "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide:.0f} {high:.0f}"'
            ' font-family="monospace" font-size="15" text-anchor="middle">',
            "<title>The end of a game of Quantum Duel at a terminal</title>",
            f'<rect width="{wide:.0f}" height="{high:.0f}" rx="8" fill="#1e2022"/>',
            lights,
            f'<text x="{wide / 2:.0f}" y="23" fill="{DIM}">strongroom play quantum-duel</text>',
            f'<g transform="translate({MARGIN} {BAR})" fill="none">',
            *drawn(last_screen()),
            "</g>",
            "</svg>",
        ]
    )
    Path(file).write_text(svg + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1])
