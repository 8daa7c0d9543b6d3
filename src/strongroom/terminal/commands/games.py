"""`strongroom games`: which games there are."""

from __future__ import annotations

import argparse

from strongroom import registry
from strongroom.terminal.arguments import Commands, command

WORDS = "example:\n  strongroom games\n\nList the games: the five, and those that are added.\n"


def add(commands: Commands) -> None:
    """Add the command to the command line."""
    parser = command(commands, "games", WORDS)
    parser.add_argument("--names", action="store_true", help="the names alone, one a line")
    parser.set_defaults(run=run)


def run(chosen: argparse.Namespace) -> int:
    """Print a line a game."""
    names = registry.names("game")
    width = max(map(len, names))
    for name in names:
        print(name if chosen.names else f"{name:{width}}  {registry.summary('game', name)}")
    return 0
