"""`strongroom replay`: a recorded game, turn by turn."""

from __future__ import annotations

import argparse

from strongroom.terminal.arguments import (
    add_faces,
    add_saved,
    chosen_looks,
    chosen_words,
    saved_game,
)

WORDS = """\
examples:
  strongroom replay                 the game you played last
  strongroom replay 3               the third game in strongroom list
  strongroom replay my-game.jsonl   the game in this file

Show a recorded game turn by turn. Secrets are shown only if the game is over.
"""


def add(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments to its parser."""
    add_saved(parser)
    add_faces(parser)


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
