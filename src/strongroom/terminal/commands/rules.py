"""`strongroom rules`: the rules page of a game."""

from __future__ import annotations

import argparse
import sys

from strongroom import registry
from strongroom.terminal.arguments import GAME, Commands, command, named_game

WORDS = """\
examples:
  strongroom rules quantum-duel
  PAGER=cat strongroom rules safe-code

Show a game's rules, with every ruling. On a terminal $PAGER shows them, or
less; PAGER=cat or NO_PAGER=1 just prints them.
"""


def add(commands: Commands) -> None:
    """Add the command to the command line."""
    parser = command(commands, "rules", WORDS)
    parser.add_argument("game", metavar="GAME", nargs="?", help=GAME)
    parser.set_defaults(run=run)


def run(chosen: argparse.Namespace) -> int:
    """Show the page."""
    from strongroom.terminal.pager import page

    page(_drawn(registry.load(registry.find(named_game(chosen.game))).rules_page))
    return 0


def _drawn(text: str) -> str:
    """A page set for the terminal, if there is one that can draw it; else as it is."""
    from strongroom.terminal.screen.display import can_draw
    from strongroom.terminal.signs import has_unicode

    if not (sys.stdout.isatty() and can_draw() and has_unicode()):
        return text
    from rich.console import Console
    from rich.markdown import Markdown

    console = Console()
    with console.capture() as drawn:
        console.print(Markdown(text))
    return drawn.get()
