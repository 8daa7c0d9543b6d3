"""Draws the pictures of the documentation: pages of real games, played at a real terminal.

Every character has a place of its own, and frames are drawn as lines, so that a picture is the
same in every viewer, whatever font that has.
"""

from __future__ import annotations

import os
import re
import signal
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from xml.sax.saxutils import escape

import pexpect  # type: ignore[import-untyped]
import pyte
from pyte.screens import Char

from strongroom.terminal.screen.display import END_FRAME
from strongroom.terminal.screen.palette import INK, LINE, PAPER, SOFT

COLUMNS, ROWS = 80, 24
WIDE, HIGH = 9.6, 20
"""The place of a character."""
MARGIN, BAR = 12, 36
"""Around the screen, and the bar with the title above it."""
PATIENCE = 120
"""Seconds until a page that never comes is a failure."""
ON_A_DAY = """
import sys
from datetime import date

from strongroom.terminal import setup_page
from strongroom.terminal.main import main

class Then(date):
    @classmethod
    def today(cls):
        return cls(2026, 11, 19)

setup_page.date = Then
sys.exit(main())
"""
"""Runs the program as it is on one day, because the first page shows that day's puzzle."""


@dataclass(frozen=True)
class Shot:
    """A picture: what is typed at which pages, and the page that is drawn."""

    name: str
    title: str
    arguments: tuple[str, ...]
    typed: tuple[tuple[str, str], ...]
    """What the page has to show, as a pattern, before the keys beside it are pressed."""
    end: str
    """What the page shows that is drawn."""


SHOTS = (
    Shot(
        "safecracker-duel",
        "A game of Safecracker Duel against a bot",
        ("play", "safecracker-duel", "--vs", "master", "--seed", "4", "--fast"),
        (
            (r"choose your secret|Choose your secret", "342\r"),
            (r"Your turn", "1 3\r"),
            (r"(?s) 2 +dial .*Your turn", "2 5\r"),
            (r"(?s) 4 +dial .*Your turn", "3 2\r"),
            (r"(?s) 6 +dial .*Your turn", "2\r"),
        ),
        r"Enter new digit \(1-5\):",
    ),
    Shot(
        "quantum-duel",
        "Two people play Quantum Duel at one keyboard",
        ("play", "quantum-duel", "--names", "Ada", "Bob", "--seed", "6", "--fast"),
        (
            (r"Ada \(X\), it's your turn", "3\r"),
            (r"Bob \(O\), it's your turn", "7\r"),
            (r"Ada \(X\), it's your turn", "4\r"),
            (r"Bob, do you want to challenge", "no\r"),
            (r"Bob \(O\), it's your turn", "1\r"),
            (r"Ada \(X\), it's your turn", "5\r"),
            (r"Bob, do you want to challenge", "yes\r"),
            (r"Bob \(O\), it's your turn", "6\r"),
            (r"Ada, do you want to challenge", "no\r"),
            (r"Ada \(X\), it's your turn", "2\r"),
        ),
        r"Bob, do you want to challenge",
    ),
    Shot(
        "safe-code",
        "A game of Safe Code against a bot",
        ("play", "safe-code", "--vs", "casual", "--seed", "3", "--fast"),
        (
            (r"hoose your safe code", "18\r"),
            (r"clue 1 of 3", "it is even\r"),
            (r"keep it", "\r"),
            (r"clue 2 of 3", "a multiple of 3\r"),
            (r"keep it", "\r"),
            (r"clue 3 of 3", "less than 20\r"),
            (r"keep it", "\r"),
            (r"Enter 1 or 2", "1\r"),
            (r"(?s) 2 .*Enter 1 or 2", "1\r"),
            (r"(?s) 4 .*Enter 1 or 2", "2\r"),
        ),
        r"Enter your guess",
    ),
    Shot(
        "digit-deductions",
        "A game of Digit Deductions against a bot",
        ("play", "digit-deductions", "--vs", "casual", "--seed", "2", "--fast"),
        (
            (r"hoose your secret", "47\r"),
            (r"Input Guess", "33\r"),
            (r"(?s) 2 .*Input Guess", "77\r"),
        ),
        r"(?s) 4 .*Input Guess: +$",
    ),
    Shot(
        "the-end",
        "The last page of a game of Safe Cracker",
        ("play", "safe-cracker", "--vs", "casual", "--seed", "2", "--fast"),
        (
            (r"hoose your secret", "213\r"),
            (r"Enter your guess", "111\r"),
            (r"(?s) 2 .*Enter your guess", "122\r"),
            (r"(?s) 4 .*Enter your guess", "123\r"),
        ),
        r"(?s)How it went.*q leave",
    ),
    Shot("menu", "The set-up page", (), ((r"› Safe Cracker", "3\x1b[C"),), r"› Against"),
)

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


def page(shot: Shot) -> pyte.Screen:
    """What a terminal shows when the game has come to the page that is wanted."""
    screen = pyte.Screen(COLUMNS, ROWS)
    stream = pyte.ByteStream(screen)
    with tempfile.TemporaryDirectory() as home:
        folders = dict.fromkeys(("HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME"), home)
        kept = {name: os.environ[name] for name in ("PATH", "PYTHONPATH") if name in os.environ}
        game = pexpect.spawn(
            sys.executable,
            ["-c", ON_A_DAY, *shot.arguments],
            env={**kept, **folders, "TERM": "xterm-256color", "COLORTERM": "truecolor"}
            | {"LANG": "C.UTF-8"},
            dimensions=(ROWS, COLUMNS),
            timeout=PATIENCE,
        )
        try:
            for pattern, keys in (*shot.typed, (shot.end, "")):
                _feed(stream, screen, game, pattern)
                game.send(keys)
        finally:
            game.kill(signal.SIGKILL)
            game.wait()  # however long it takes; pexpect itself waits for a tenth of a second
            game.close()
    return screen


def _feed(stream: pyte.ByteStream, screen: pyte.Screen, game: pexpect.spawn, pattern: str) -> None:
    """Let the screen show all that comes, up to the first whole page with a pattern in it."""
    output = b""
    while not (
        output.endswith(END_FRAME.encode()) and re.search(pattern, "\n".join(screen.display))
    ):
        output = game.read_nonblocking(4096, PATIENCE)
        stream.feed(output)


def drawn(screen: pyte.Screen) -> Iterator[str]:
    """The characters of a screen, each in its place."""
    for row in range(ROWS):
        for column in range(COLUMNS):
            char = screen.buffer[row][column]
            if char.reverse:
                place = f'x="{column * WIDE:.1f}" y="{row * HIGH}" width="{WIDE}" height="{HIGH}"'
                yield f'<rect {place} fill="{_colour(char.fg, INK)}"/>'
            if not char.data.isspace():
                yield drawn_char(char, column * WIDE, row * HIGH)


def _colour(name: str, otherwise: str) -> str:
    return f"#{name}" if re.fullmatch("[0-9a-f]{6}", name) else otherwise


def drawn_char(char: Char, left: float, top: float) -> str:
    """A character whose place has this corner."""
    colour = PAPER if char.reverse else _colour(char.fg, INK)
    x, y = left + WIDE / 2, top + HIGH / 2
    if char.data in FRAMES:
        place = {"left": left, "right": left + WIDE, "top": top, "bottom": top + HIGH}
        rounded = {name: f"{value:.1f}" for name, value in {**place, "x": x, "y": y}.items()}
        return f'<path d="{FRAMES[char.data].format(**rounded)}" stroke="{colour}"/>'
    bold = ' font-weight="bold"' if char.bold else ""
    return f'<text x="{x:.1f}" y="{y + 5:.1f}" fill="{colour}"{bold}>{escape(char.data)}</text>'


def picture(shot: Shot) -> str:
    """The page as an SVG."""
    wide, high = COLUMNS * WIDE + 2 * MARGIN, ROWS * HIGH + BAR + MARGIN
    command = " ".join(("strongroom", *shot.arguments)).partition(" --seed")[0]
    lights = "".join(
        f'<circle cx="{22 + 20 * place}" cy="18" r="6" fill="{LINE}"/>' for place in range(3)
    )
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide:.0f} {high:.0f}"'
            ' font-family="monospace" font-size="15" text-anchor="middle">',
            f"<title>{escape(shot.title)}</title>",
            f'<rect width="{wide:.0f}" height="{high:.0f}" rx="8" fill="{PAPER}"/>',
            lights,
            f'<text x="{wide / 2:.0f}" y="23" fill="{SOFT}">{escape(command)}</text>',
            f'<g transform="translate({MARGIN} {BAR})" fill="none">',
            *drawn(page(shot)),
            "</g>",
            "</svg>\n",
        ]
    )


def main(folder: str) -> None:
    """Draw every picture into a folder."""
    for shot in SHOTS:
        (Path(folder) / f"{shot.name}.svg").write_text(picture(shot), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1])
