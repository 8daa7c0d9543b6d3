"""`strongroom games`: which games there are."""

from __future__ import annotations

import argparse
import os
import sys

from strongroom import registry
from strongroom.terminal.arguments import Commands, command

WORDS = """\
examples:
  strongroom games
  strongroom games --options safe-cracker

List the games: the five, and those that are added.
"""

MOST_VALUES = 1000
"""Of an option with a longer range, the first so many values are listed, and that it has more."""


def add(commands: Commands) -> None:
    """Add the command to the command line."""
    parser = command(commands, "games", WORDS)
    parser.add_argument("--names", action="store_true", help="the names alone, one a line")
    parser.add_argument("--options", metavar="GAME", help="what --set takes at a game, one a line")
    parser.set_defaults(run=run)


def run(chosen: argparse.Namespace) -> int:
    """Print a line a game."""
    if chosen.options is not None:
        for setting in _settings(chosen.options):
            print(setting)
        return 0
    names = registry.names("game")
    if chosen.names:
        print("\n".join(names))
        return 0
    width = max(map(len, names))
    lines = [f"{name:{width}}  {registry.summary('game', name)}" for name in names]
    if sys.stdout.isatty() and max(map(len, lines)) > os.get_terminal_size().columns:
        from strongroom.terminal.tables import Column, print_table  # only who needs it waits for it

        rows = [[name, registry.summary("game", name)] for name in names]
        print_table([Column(""), Column("")], rows)
    else:
        print("\n".join(lines))
    return 0


def _settings(name: str) -> list[str]:
    """Every option of a game with the values that it takes, as they are typed."""
    from dataclasses import fields

    settings = []
    for option in fields(registry.find_entry("game", registry.find(name)).options_type):
        allowed = range(option.metadata["low"], option.metadata["high"] + 1)
        values = list(map(str, allowed[:MOST_VALUES]))
        if len(allowed) > MOST_VALUES:
            told = (
                f"{option.name} is a number from {allowed[0]} to {allowed[-1]}; here are its first"
            )
            print(f"{told} {MOST_VALUES}.", file=sys.stderr)
        if isinstance(option.default, bool):
            values = ["yes", "no"]
        elif option.default is None:
            values = ["none", *values]
        settings += [f"{option.name}={value}" for value in values]
    return settings
