"""`strongroom resume`: a game that was broken off."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from strongroom.terminal.arguments import (
    add_faces,
    add_saved,
    add_strict,
    chosen_looks,
    chosen_words,
    saved_game,
)
from strongroom.terminal.filenames import quoted

if TYPE_CHECKING:
    from pathlib import Path

    from strongroom.terminal.faces import Looks

LONGEST_SHOWN = 80
"""How much of a command is shown."""

WORDS = """\
examples:
  strongroom resume                 the unfinished game you played last
  strongroom resume 3               the third game in strongroom list
  strongroom resume my-game.jsonl   the game in this file
"""


def add(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments to its parser."""
    add_saved(parser)
    add_faces(parser)
    add_strict(parser)
    parser.add_argument(
        "--trust",
        action="store_true",
        help="let the engine or model play that a file from elsewhere names",
    )


def run(chosen: argparse.Namespace) -> int:
    """Resume the game."""
    from strongroom.terminal import store

    file = saved_game(chosen.file, store.latest_unfinished)
    called = chosen.file or str(file)
    if not chosen.trust and file.resolve().parent != store.folder().resolve():
        _refuse_programs(file, called)
    code, _ = go_on(file, chosen_looks(chosen), chosen.words, chosen.strict, called)
    return code


def _refuse_programs(file: Path, called: str) -> None:
    """Refuse a game from elsewhere whose file names a program to run, or a model to pay for."""
    from strongroom.contract import Refusal, shown
    from strongroom.plugins.registry import is_by_scheme
    from strongroom.terminal import store

    for sitter in store.read(file).sitters:
        if is_by_scheme(sitter.player):
            raise Refusal(
                f"The file lets {shown(sitter.player, LONGEST_SHOWN)} play, and it is not one of "
                "your saved games.",
                f"If you trust it: strongroom resume {quoted(called)} --trust",
            )


def go_on(
    file: Path, looks: Looks, words: str | None = None, strict: bool = False, called: str = ""
) -> tuple[int, bool]:
    """Resume the game in a file; return the exit code, and whether the player quit.

    `called`: what the user typed for it, if not the file's name.
    """
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
    sitting = LocalSitting(wishes)
    return sitting.resume(record, journal), sitting.was_quit
