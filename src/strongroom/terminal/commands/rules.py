"""`strongroom rules`: the rules page of a game."""

from __future__ import annotations

import argparse

from strongroom import registry
from strongroom.terminal.arguments import GAME, Commands, command

WORDS = "example:\n  strongroom rules quantum-duel\n\nPrint a game's rules, with every ruling.\n"


def add(commands: Commands) -> None:
    """Add the command to the command line."""
    parser = command(commands, "rules", WORDS)
    parser.add_argument("game", metavar="GAME", help=GAME)
    parser.set_defaults(run=run)


def run(chosen: argparse.Namespace) -> int:
    """Print the page."""
    from strongroom.terminal.faces.screen import print_page

    print_page(registry.load(registry.find(chosen.game)).rules_page)
    return 0
