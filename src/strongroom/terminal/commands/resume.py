"""`strongroom resume`: a game that was broken off."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from strongroom.terminal.arguments import (
    SAVED,
    Commands,
    add_faces,
    add_strict,
    chosen_looks,
    chosen_words,
    command,
    saved_game,
)
from strongroom.terminal.filenames import quoted

if TYPE_CHECKING:
    from pathlib import Path

    from strongroom.terminal.faces import Looks

WORDS = """\
examples:
  strongroom resume                 go on with the unfinished game last played
  strongroom resume 3               go on with the third of strongroom list
  strongroom resume my-game.jsonl   go on with this one
"""


def add(commands: Commands) -> None:
    """Add the command to the command line."""
    parser = command(commands, "resume", WORDS)
    parser.add_argument("file", metavar="FILE", nargs="?", help=SAVED)
    add_faces(parser)
    add_strict(parser)
    parser.set_defaults(run=run)


def run(chosen: argparse.Namespace) -> int:
    """Sit down again and play on."""
    from strongroom.terminal import store

    file = saved_game(chosen.file, store.latest_unfinished)
    called = chosen.file or str(file)
    return go_on(file, chosen_looks(chosen), chosen.words, chosen.strict, called)


def go_on(
    file: Path, looks: Looks, words: str | None = None, strict: bool = False, called: str = ""
) -> int:
    """Play on with the game in a file; `called`: what the person calls it, if not by its name."""
    from strongroom.contract import Refusal
    from strongroom.terminal import store
    from strongroom.terminal.table.local_sitting import LocalSitting, Wishes

    journal, record = store.Journal.resume(file)
    if record.outcome is not None:
        journal.close()
        raise Refusal(
            "That game is over.", f"Look at it: strongroom replay {quoted(called or file)}"
        )
    wishes = Wishes(
        game=record.game,
        sitters=record.sitters,
        words=chosen_words(record.game, words),
        turn_limit=record.turn_limit,
        looks=looks,
        strict=strict,
    )
    return LocalSitting(wishes).resume(record, journal)
