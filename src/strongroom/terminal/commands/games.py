"""`strongroom games` and `strongroom rules`: which games there are, and their rules."""

from __future__ import annotations

import argparse
import os
import sys

from strongroom.plugins import registry
from strongroom.terminal.arguments import add_game, add_option, named_game

GAMES_HELP = """\
examples:
  strongroom games
  strongroom games --options safe-cracker

List the games, with those that other packages add.
"""

MOST_VALUES = 1000
"""The most values of an option that are listed."""


def define_games(parser: argparse.ArgumentParser) -> None:
    """Define the arguments of `strongroom games`."""
    add_option(parser, "--names", "print only the names, one per line")
    add_option(parser, "--options GAME", "print what --set accepts for a game")


def run_games(chosen: argparse.Namespace) -> int:
    """Print one line per game."""
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
        from strongroom.terminal.reports.tables import Column, print_table

        rows = [[name, registry.summary("game", name)] for name in names]
        print_table([Column(""), Column("")], rows)
    else:
        print("\n".join(lines))
    return 0


def _settings(name: str) -> list[str]:
    """Every option of a game with each value that it takes, as typed after --set."""
    from dataclasses import fields

    settings = []
    for option in fields(registry.find_entry("game", registry.find(name)).options_type):
        allowed = range(option.metadata["low"], option.metadata["high"] + 1)
        values = list(map(str, allowed[:MOST_VALUES]))
        if len(allowed) > MOST_VALUES:
            told = f"{option.name} is a number from {allowed[0]} to {allowed[-1]}"
            print(f"{told}; here are its first {MOST_VALUES}.", file=sys.stderr)
        if isinstance(option.default, bool):
            values = ["yes", "no"]
        elif option.default is None:
            values = ["none", *values]
        settings += [f"{option.name}={value}" for value in values]
    return settings


RULES_HELP = """\
examples:
  strongroom rules quantum-duel
  PAGER=cat strongroom rules safe-code

Show a game's rules, with every ruling. On a terminal they open in $PAGER, or in
less; PAGER=cat or NO_PAGER=1 simply prints them.
"""


def define_rules(parser: argparse.ArgumentParser) -> None:
    """Define the arguments of `strongroom rules`."""
    add_game(parser)


def run_rules(chosen: argparse.Namespace) -> int:
    """Show the page."""
    page = registry.load(registry.find(named_game(chosen.game))).rules_page
    if sys.stdout.isatty():
        from strongroom.terminal.screen.pager import show_in_users_pager

        show_in_users_pager(page)
    else:
        print(page.removesuffix("\n"), flush=True)
    return 0
