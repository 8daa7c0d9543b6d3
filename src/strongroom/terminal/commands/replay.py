"""`strongroom replay`: a recorded game, turn by turn."""

from __future__ import annotations

import argparse

from strongroom.terminal.arguments import Commands, add_faces, chosen_words, command

WORDS = """\
example:
  strongroom replay my-game.jsonl

Show a recorded game turn by turn. Secrets are shown only if it is over.
"""


def add(commands: Commands) -> None:
    """Add the command to the command line."""
    parser = command(commands, "replay", WORDS)
    parser.add_argument("file", metavar="FILE", help="a saved game")
    add_faces(parser)
    parser.set_defaults(run=run)


def run(chosen: argparse.Namespace) -> int:
    """Read the record and show it."""
    from pathlib import Path

    from strongroom.terminal import store
    from strongroom.terminal.faces import make_face
    from strongroom.terminal.table.replay import Nobody, replay

    record = store.read(Path(chosen.file))
    words = chosen_words(record.game, chosen.words)
    replay(record, make_face(Nobody(), words, chosen.plain, chosen.json))
    return 0
