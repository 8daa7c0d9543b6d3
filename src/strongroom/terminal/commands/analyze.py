"""`strongroom analyze`: what each move of a finished game cost."""

from __future__ import annotations

import argparse
import json
import sys
from functools import partial

from strongroom.terminal.arguments import add_saved, saved_game
from strongroom.terminal.filenames import named

WORDS = """\
examples:
  strongroom analyze                 the finished game you played last
  strongroom analyze 3               the third game in strongroom list
  strongroom analyze my-game.jsonl --plot my-game.svg
  strongroom analyze my-game.jsonl --json

Show each player's chance to win, first by what that player knew and then by the
actual secrets, what each move of a finished game cost, and what would have been
better. Against master costs are exact; against anybody else they are estimates,
and the analysis says which. Luck is the effect of chance and of hidden answers;
what the opponent gave away is counted separately, as gifts.
"""


def add(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments to its parser."""
    add_saved(parser)
    parser.add_argument("--plot", metavar="FILE", help="draw the curves as an SVG file")
    parser.add_argument("--json", action="store_true", help="print JSON")


def run(chosen: argparse.Namespace) -> int:
    """Analyze a record and print or draw the result."""
    from rich.console import Console

    from strongroom.accounts.analysis import analyze
    from strongroom.terminal import store
    from strongroom.terminal.faces.analysis import report, show
    from strongroom.terminal.faces.drawing import draw
    from strongroom.terminal.lines import can_page
    from strongroom.terminal.outputs import write_output
    from strongroom.terminal.screen import pager
    from strongroom.terminal.signs import has_unicode

    analysis = analyze(store.read(saved_game(chosen.file, store.latest_finished)))
    if chosen.plot:
        write_output(chosen.plot, draw(analysis))
    if chosen.json:
        print(json.dumps(analysis.to_json(), indent=1))
        return 0
    if can_page():
        title = f"{analysis.record.game.title}: what each move cost"
        pager.show(title, partial(report, analysis, unicode=has_unicode()))
    else:
        width = None if sys.stdout.isatty() else 110
        show(analysis, Console(markup=False, highlight=False, width=width))
    if chosen.plot:
        print(f"Drawn: {named(chosen.plot)}")
    return 0
