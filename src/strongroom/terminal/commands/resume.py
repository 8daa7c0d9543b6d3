"""`strongroom resume`: a game that was broken off."""

from __future__ import annotations

import argparse

from strongroom.terminal.arguments import Commands, add_faces, add_strict, chosen_words, command
from strongroom.terminal.filenames import named, quoted

WORDS = """\
examples:
  strongroom resume                 go on with the unfinished game last played
  strongroom resume my-game.jsonl   go on with this one
"""


def add(commands: Commands) -> None:
    """Add the command to the command line."""
    parser = command(commands, "resume", WORDS)
    parser.add_argument("file", metavar="FILE", nargs="?", help="a saved game")
    add_faces(parser)
    add_strict(parser)
    parser.set_defaults(run=run)


def run(chosen: argparse.Namespace) -> int:
    """Sit down again and play on."""
    from pathlib import Path

    from strongroom.contract import Refusal
    from strongroom.terminal import store
    from strongroom.terminal.table.sitting import Sitting, Wishes

    file = Path(chosen.file) if chosen.file else store.latest_unfinished()
    journal, record = store.Journal.resume(file)
    if record.outcome is not None:
        journal.close()
        look = f"Look at it: strongroom replay {quoted(file)}"
        raise Refusal(f"The game in {named(file)} is over.", look)
    wishes = Wishes(
        game=record.game,
        sitters=record.sitters,
        words=chosen_words(record.game, chosen.words),
        turn_limit=record.turn_limit,
        plain=chosen.plain,
        json=chosen.json,
        strict=chosen.strict,
    )
    return Sitting(wishes).resume(record, journal)
