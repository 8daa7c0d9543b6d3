"""`strongroom verify`: whether a record fits its commitments, the rules and its coins."""

from __future__ import annotations

import argparse
import json
from typing import TYPE_CHECKING

from strongroom.terminal.arguments import SAVED, Commands, command, saved_game
from strongroom.terminal.exits import FAILED, FINISHED

if TYPE_CHECKING:
    from strongroom.fairness import Check

WORDS = """\
examples:
  strongroom verify                 the game last played
  strongroom verify 3               the third of strongroom list
  strongroom verify my-game.jsonl   this one, saved here or at a server
  strongroom verify my-game.jsonl --json

Check that the secrets of a game fit their commitments, that every answer, clue
and ending is the one that the rules give, that the server's seed fits its hash,
and that the coins fell as the seeds say. A dash stands where the record cannot
tell. A game played at one keyboard was bound to nothing, so there this finds
accidents, not forgeries.
"""


def add(commands: Commands) -> None:
    """Add the command to the command line."""
    parser = command(commands, "verify", WORDS)
    parser.add_argument("file", metavar="FILE", nargs="?", help=SAVED)
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.set_defaults(run=run)


def run(chosen: argparse.Namespace) -> int:
    """Check a record and print what came out; what does not fit is a failure."""
    from strongroom.fairness import check, holds
    from strongroom.terminal import store

    checks = check(store.read_text(saved_game(chosen.file, store.latest)))
    fits = holds(checks)
    if chosen.json:
        print(json.dumps({"holds": fits, "checks": [each.to_json() for each in checks]}))
    else:
        _print(checks)
        print()
        print("Nothing is wrong with this record." if fits else "This record does not hold.")
    return FINISHED if fits else FAILED


def _print(checks: list[Check]) -> None:
    from strongroom.terminal.signs import has_unicode
    from strongroom.terminal.tables import Column, print_table

    signs = ("–", "✗", "✓") if has_unicode() else ("-", "NO", "ok")
    rows = [
        [signs[0] if each.ok is None else signs[1 + each.ok], each.name, each.text]
        for each in checks
    ]
    print_table([Column(""), Column(""), Column("")], rows)
