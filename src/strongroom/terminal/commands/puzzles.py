"""`strongroom puzzles export`: a set of puzzles as JSON Lines."""

from __future__ import annotations

import argparse
import errno
import json
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from strongroom.plugins import registry
from strongroom.terminal.arguments import add_number, typed_game
from strongroom.terminal.filenames import named

if TYPE_CHECKING:
    from strongroom.puzzles.sets import Exercise

WORDS = """\
examples:
  strongroom puzzles export --count 100 --seed 7 --output set.jsonl
  strongroom puzzles export --only quantum-duel safe-cracker
  strongroom puzzles export --difficulty 4 5 --disguised

Write puzzles, one JSON object a line: the rules, what the player knows as text and
as values, and what every legal move costs against master. The same seed gives
the same puzzles; no two of them are alike. In a disguised set the values are
renamed and the games told in other words, so that a set cannot be memorised.
"""


def add(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments to its parser."""
    parser.add_argument("action", choices=("export",), help="what to do with the puzzles")
    add_number(parser, "--count", "how many puzzles", 20)
    parser.add_argument(
        "--seed", type=int, default=1, metavar="N", help="the same seed gives the same puzzles"
    )
    names = registry.names("theory")
    parser.add_argument(
        "--only",
        nargs="+",
        choices=names,
        metavar="GAME",
        help=f"only these games: {', '.join(names)}",
    )
    parser.add_argument(
        "--difficulty",
        nargs="+",
        type=int,
        choices=range(1, 6),
        metavar="LAMPS",
        help="only puzzles of so many lamps, 1 to 5",
    )
    parser.add_argument(
        "--disguised", action="store_true", help="under other names and in other words"
    )
    parser.add_argument("--output", metavar="FILE", help="write to a file")


def run(chosen: argparse.Namespace) -> int:
    """Find the puzzles and write them."""
    from strongroom.terminal.progress import Bars

    written = 0
    with _opened(chosen.output) as output, Bars() as bars:
        work = bars.wait_for("Puzzles")
        bars.hear(work, 0.0)
        for each in _exercises(chosen):
            print(json.dumps(each.to_json(), ensure_ascii=False), file=output, flush=True)
            written += 1
            bars.hear(work, written / chosen.count, f"{written} of {chosen.count}")
    if written < chosen.count:
        print(f"There are no more: {written} different puzzles were found.", file=sys.stderr)
    if chosen.output:
        print(f"Written: {named(chosen.output)}", file=sys.stderr)
    return 0


def _exercises(chosen: argparse.Namespace) -> Iterator[Exercise]:
    from random import Random

    from strongroom.puzzles import puzzles
    from strongroom.puzzles.sets import exercise

    games = [typed_game(name, []) for name in chosen.only] if chosen.only else None
    disguised = Random(f"disguise of {chosen.seed}") if chosen.disguised else None
    left = chosen.count
    for puzzle in puzzles(chosen.seed, games):
        if not chosen.difficulty or puzzle.lamps in chosen.difficulty:
            yield exercise(puzzle, disguised)
            left -= 1
            if not left:
                return


@contextmanager
def _opened(name: str | None) -> Iterator[TextIO]:
    """Standard output, or a file that is replaced once all is written."""
    from strongroom.contract import Refusal

    if name is None:
        yield sys.stdout
        return
    file, part = Path(name), None
    try:
        _check_replaceable(file)
        part = file.with_name(f".{file.name}.{os.getpid()}.part")
        with part.open("x", encoding="utf-8") as output:
            yield output
        part.replace(file)
    except OSError as error:
        raise Refusal(f"Cannot write {named(name)}: {error.strerror}.") from None
    finally:
        if part is not None:
            part.unlink(missing_ok=True)


def _check_replaceable(file: Path) -> None:
    """Let a set replace an empty file or an earlier set, but nothing else."""
    from strongroom.puzzles.sets import BEGIN

    if file.is_dir():
        raise IsADirectoryError(errno.EISDIR, "it is a folder")
    if file.exists() and not file.is_file():
        raise OSError(errno.EINVAL, "it is not a plain file")
    if file.is_file():
        with file.open("rb") as there:
            if there.read(len(BEGIN)) not in (b"", BEGIN):
                raise FileExistsError(errno.EEXIST, "the file contains something else")
