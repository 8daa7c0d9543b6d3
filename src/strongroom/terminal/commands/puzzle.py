"""`strongroom puzzle`: the puzzle of the day."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from strongroom.plugins import registry
from strongroom.terminal.arguments import typed_game
from strongroom.text.quoting import shown

if TYPE_CHECKING:
    from datetime import date

WORDS = """\
examples:
  strongroom puzzle                      today's, the same for everybody
  strongroom puzzle --day 2027-01-31     that of another day
  strongroom puzzle --game safe-cracker  today's of a game that you choose
  echo 4-6 | strongroom puzzle --game digit-deductions

A position in which one move is right: find it. Your move is judged by what it
costs against master, in points: hundredths of a win. At the prompt, hint gives
a nudge without naming the right move. The puzzles get harder from Monday to
Sunday; Safe Code and Safecracker Duel have next to none.
"""


def add(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments to its parser."""
    parser.add_argument("--day", metavar="DATE", help="the day, like 2027-01-31; by default today")
    names = registry.names("theory")
    parser.add_argument(
        "--game",
        dest="only",
        metavar="GAME",
        choices=names,
        help=f"the puzzle of one game: {', '.join(names)}",
    )
    parser.add_argument(
        "--plain", action="store_true", help="plain lines, without colour or drawing"
    )


def run(chosen: argparse.Namespace) -> int:
    """Put the puzzle to the person."""
    day = _typed_day(chosen.day)
    game = typed_game(chosen.only, []) if chosen.only else None

    from strongroom.puzzles import todays  # it loads numpy
    from strongroom.terminal.faces import Looks
    from strongroom.terminal.preferences import is_on
    from strongroom.terminal.table.puzzle import PuzzleTable

    looks = Looks(chosen.plain, motion=is_on("motion"), mouse=is_on("mouse"))
    return PuzzleTable(todays(day, game), looks).solve()


def _typed_day(typed: str | None) -> date:
    from datetime import date

    from strongroom.contract import Refusal

    if typed is None:
        return date.today()
    try:
        return date.fromisoformat(typed)
    except ValueError:
        raise Refusal(f"{shown(typed)} is not a day.", "For example: --day 2027-01-31") from None
