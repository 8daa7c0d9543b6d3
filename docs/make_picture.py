"""Draws the README's picture: the screen of a real game, played through the real table."""

from __future__ import annotations

import sys
import tempfile
from io import StringIO
from pathlib import Path
from random import Random

from rich.console import Console
from rich.terminal_theme import MONOKAI
from rich.text import Text

from strongroom import load
from strongroom.game import Seat
from strongroom.match import Match
from strongroom.record import Sitter
from strongroom.terminal.screen import Screen
from strongroom.terminal.sitting import the_end
from strongroom.terminal.table import Table

# The frame of the picture; rich's own would fetch a font from a host.
FRAME = """\
<svg class="rich-terminal" viewBox="0 0 {width} {height}" xmlns="http://www.w3.org/2000/svg">
<style>
.{unique_id}-matrix {{ font-family: monospace; font-size: {char_height}px;
  line-height: {line_height}px; font-variant-east-asian: full-width; }}
{styles}
</style>
<defs>
<clipPath id="{unique_id}-clip-terminal">
<rect x="0" y="0" width="{terminal_width}" height="{terminal_height}" /></clipPath>
{lines}
</defs>
{chrome}
<g transform="translate({terminal_x}, {terminal_y})" clip-path="url(#{unique_id}-clip-terminal)">
{backgrounds}
<g class="{unique_id}-matrix">{matrix}</g>
</g>
</svg>
"""


NAMES = {Seat.ONE: "Ada", Seat.TWO: "Bob"}
TYPED = ["3", "7", "4", "no", "1", "5", "yes", "6", "no", "2", "yes"]
SHOWN = 4
"""How many of the last lines typed are in the picture."""


class Typist:
    """Types a script at the prompts, and starts the picture when few lines are left."""

    interactive = False

    def __init__(self, console: Console) -> None:
        self._console = console
        self._typed = list(TYPED)

    def read(self, prompt: str, unseen: bool = False) -> str:
        """The next line of the script."""
        line = self._typed.pop(0)
        self._console.record = len(self._typed) < SHOWN
        self._console.print(Text(prompt).append(line, style="bold"))
        return line


def main(file: str) -> None:
    """Play the game and draw its last turns."""
    console = Console(width=76, height=40, force_terminal=True, highlight=False, file=StringIO())
    screen = Screen(Typist(console), NAMES, console)
    match = Match(load("quantum-duel"), Random(4), (Sitter("Ada"), Sitter("Bob")))
    with tempfile.TemporaryDirectory() as folder:
        table = Table(match, screen, Path(folder) / "game.json", Random(1))
        match.watch = table.watch
        table.play()
    view = match.view(None)
    screen.ended(view, the_end(view, NAMES))
    svg = console.export_svg(
        title="strongroom play quantum-duel",
        theme=MONOKAI,
        code_format=FRAME,
        unique_id="strongroom",
    )
    Path(file).write_text(svg, encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1])
