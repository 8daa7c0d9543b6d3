"""`strongroom solve`: the value of a game, computed and certified."""

from __future__ import annotations

import argparse

from strongroom.terminal.arguments import add_games, add_settings, typed_games

WORDS = """\
examples:
  strongroom solve quantum-duel      its value and bounds, from scratch
  strongroom solve --all --verify    prove the five shipped tables
  strongroom solve safe-cracker --set digits=4 --json

Compute a game's strategy from scratch, then what it guarantees against anybody,
by a full best response over the game's own rules. With --verify, the shipped
table itself is proved, and the output says whether solving from scratch gives
the same table.
"""


def add(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments to its parser."""
    add_games(parser)
    add_settings(parser)
    parser.add_argument(
        "--verify", action="store_true", help="prove the shipped table; exit code 1 if that fails"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object per game")
    parser.add_argument("--write", action="store_true", help="replace the shipped table")


def run(chosen: argparse.Namespace) -> int:
    """Solve the named games."""
    from strongroom.terminal.solving import solve

    return solve(typed_games(chosen), chosen.verify, chosen.json, chosen.write)
