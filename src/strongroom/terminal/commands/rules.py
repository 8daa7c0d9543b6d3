"""`strongroom rules`: the rules page of a game."""

from __future__ import annotations

import argparse
import sys

from strongroom.plugins import registry
from strongroom.terminal.arguments import add_game, named_game

WORDS = """\
examples:
  strongroom rules quantum-duel
  PAGER=cat strongroom rules safe-code

Show a game's rules, with every ruling. On a terminal they open in $PAGER, or in
less; PAGER=cat or NO_PAGER=1 simply prints them.
"""


def add(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments to its parser."""
    add_game(parser)


def run(chosen: argparse.Namespace) -> int:
    """Show the page."""
    page = registry.load(registry.find(named_game(chosen.game))).rules_page
    if sys.stdout.isatty():
        from strongroom.terminal.screen.pager import show_in_users_pager  # it imports rich

        show_in_users_pager(page)
    else:
        print(page.removesuffix("\n"), flush=True)
    return 0
