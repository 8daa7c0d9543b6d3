"""`strongroom verify`: whether a record fits its commitments, the rules and its coins."""

from __future__ import annotations

import argparse
import json
from typing import TYPE_CHECKING

from strongroom.terminal.arguments import SAVED, Commands, command, saved_game
from strongroom.terminal.exits import FAILED, FINISHED, UNCHECKED, USAGE

if TYPE_CHECKING:
    from strongroom.fairness import Check

WORDS = """\
examples:
  strongroom verify                 the game last played
  strongroom verify 3               the third of strongroom list
  strongroom verify my-game.jsonl   this one, saved here or at a server
  strongroom verify my-game.jsonl --json
  strongroom verify my-game.jsonl --strict   fail if anything is missing

Check that the secrets of a game fit their commitments, that every answer, clue
and ending is the one that the rules give, that the server's seed fits its hash,
and that the coins fell as the seeds say. A dash stands where the record cannot
tell. A game played at one keyboard was bound to nothing, so there this finds
accidents, not forgeries. The last line says what is missing that could have
been checked, and why that matters; with --strict that is exit code 5.
"""


def add(commands: Commands) -> None:
    """Add the command to the command line."""
    parser = command(commands, "verify", WORDS)
    parser.add_argument("file", metavar="FILE", nargs="?", help=SAVED)
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument(
        "--strict", action="store_true", help="fail, with exit code 5, if not all could be checked"
    )
    parser.set_defaults(run=run)


def run(chosen: argparse.Namespace) -> int:
    """Check a record and print what came out; what does not fit is a failure."""
    from strongroom.fairness import check, holds, unchecked
    from strongroom.terminal import store

    checks = check(store.read_text(saved_game(chosen.file, store.latest)))
    fits, missing = holds(checks), unchecked(checks)
    if chosen.json:
        found = [each.to_json() for each in checks]
        print(json.dumps({"holds": fits, "complete": not missing, "checks": found}))
    else:
        _print(checks)
        print()
        print(_verdict(fits, missing))
    if checks[0].ok is False:  # it cannot be read, and every command says so alike
        return USAGE
    if not fits:
        return FAILED
    return UNCHECKED if missing and chosen.strict else FINISHED


def _verdict(fits: bool, missing: dict[str, list[str]]) -> str:
    """The last line: whether anything is wrong, and what could not be checked."""
    if not fits:
        return "This record does not hold."
    if not missing:
        return "Nothing is wrong with this record."
    why = " ".join(f"Not checked: {', '.join(names)}. {text}" for text, names in missing.items())
    return f"Nothing is wrong in what could be checked. {why}"


def _print(checks: list[Check]) -> None:
    from strongroom.terminal.signs import has_unicode
    from strongroom.terminal.tables import Column, print_table

    signs = ("–", "✗", "✓") if has_unicode() else ("-", "NO", "ok")
    rows = [
        [signs[0] if each.ok is None else signs[1 + each.ok], each.name, each.text]
        for each in checks
    ]
    print_table([Column(""), Column(""), Column("")], rows)
