"""`strongroom solve`: the value of a game, computed and certified."""

from __future__ import annotations

import argparse

from strongroom.terminal.arguments import GAME, Commands, add_settings, command, typed_games

WORDS = """\
examples:
  strongroom solve quantum-duel      its value and bounds, from nothing
  strongroom solve --all --verify    prove the shipped tables of all five
  strongroom solve safe-cracker --set digits=4 --json

Compute a game's strategy from nothing, then what it guarantees against anybody,
by a full best response over the game's own rules. With --verify that is done to
the shipped table as it is; whether solving from nothing gives the same table is
said beside it.
"""


def add(commands: Commands) -> None:
    """Add the command to the command line."""
    parser = command(commands, "solve", WORDS)
    parser.add_argument("game", metavar="GAME", nargs="?", help=GAME)
    parser.add_argument("--all", action="store_true", help="all five games")
    add_settings(parser)
    parser.add_argument(
        "--verify", action="store_true", help="prove what is shipped; exit code 1 if it fails"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object a game")
    parser.add_argument("--write", action="store_true", help="put the table on the shelf")
    parser.set_defaults(run=run)


def run(chosen: argparse.Namespace) -> int:
    """Solve the games that were named."""
    from strongroom.terminal.solving import solve

    return solve(typed_games(chosen), chosen.verify, chosen.json, chosen.write)
