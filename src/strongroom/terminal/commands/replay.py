"""`strongroom replay`: a recorded game, turn by turn."""

from __future__ import annotations

import argparse

from strongroom.terminal.arguments import (
    SAVED,
    Commands,
    add_faces,
    chosen_looks,
    chosen_words,
    command,
    saved_game,
)

WORDS = """\
examples:
  strongroom replay                 the game last played
  strongroom replay 3               the third of strongroom list
  strongroom replay my-game.jsonl   this one

Show a recorded game turn by turn. Secrets are shown only if it is over.
"""


def add(commands: Commands) -> None:
    """Add the command to the command line."""
    parser = command(commands, "replay", WORDS)
    parser.add_argument("file", metavar="FILE", nargs="?", help=SAVED)
    add_faces(parser)
    parser.set_defaults(run=run)


def run(chosen: argparse.Namespace) -> int:
    """Read the record and show it."""
    from strongroom.terminal import store
    from strongroom.terminal.faces import make_face
    from strongroom.terminal.table.replay import replay

    record = store.read(saved_game(chosen.file, store.latest))
    words = chosen_words(record.game, chosen.words)
    with make_face(words, chosen_looks(chosen)) as face:
        replay(record, face)
    return 0
