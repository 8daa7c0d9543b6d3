"""`strongroom verify`: whether a record fits its commitments, the rules and its coins."""

from __future__ import annotations

import argparse
import json
from typing import TYPE_CHECKING

from strongroom.terminal.arguments import add_saved, saved_game
from strongroom.terminal.exits import FAILED, FINISHED, UNCHECKED, USAGE

if TYPE_CHECKING:
    from strongroom.referee.fairness import Check

WORDS = """\
examples:
  strongroom verify                 the game you played last
  strongroom verify 3               the third game in strongroom list
  strongroom verify my-game.jsonl   this file, saved here or on a server
  strongroom verify my-game.jsonl --json
  strongroom verify my-game.jsonl --strict   fail if anything is missing

Check that a game's secrets fit their commitments, that every answer, clue and
ending follows from the rules, that the server's seed fits its hash, and that
the coins fell as the seeds say. A dash marks what the record cannot tell. A
game played at one keyboard published nothing beforehand, so there the check
finds accidents, not forgeries. The last line says what could not be checked and
why it matters; with --strict, that is exit code 5.
"""


def add(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments to its parser."""
    add_saved(parser)
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument(
        "--strict", action="store_true", help="exit with 5 if anything could not be checked"
    )


def run(chosen: argparse.Namespace) -> int:
    """Check a record and print the result; a failed check is a failure."""
    from strongroom.referee.fairness import check, holds, unchecked
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
    if checks[0].ok is False:  # unreadable, for which every command has the same code
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
    return f"Nothing that could be checked is wrong. {why}"


def _print(checks: list[Check]) -> None:
    from strongroom.terminal.signs import has_unicode
    from strongroom.terminal.text_tables import Column, print_table

    signs = ("–", "✗", "✓") if has_unicode() else ("-", "NO", "ok")
    rows = [
        [signs[0] if each.ok is None else signs[1 + each.ok], each.name, each.text]
        for each in checks
    ]
    print_table([Column(""), Column(""), Column("")], rows)
