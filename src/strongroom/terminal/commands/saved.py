"""`strongroom list`, `replay`, `analyze` and `verify`: what was played."""

from __future__ import annotations

import argparse
import json
import sys
from functools import partial
from typing import TYPE_CHECKING

from strongroom.terminal.arguments import (
    add_faces,
    add_option,
    add_saved,
    chosen_looks,
    chosen_words,
    saved_game,
)
from strongroom.terminal.exits import FAILED, FINISHED, UNCHECKED, USAGE
from strongroom.terminal.printing import file_label, has_unicode, paste

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from strongroom.referee.fairness import Check
    from strongroom.terminal.store.games import SavedGame
    from strongroom.terminal.store.seats import KeptSeat

LIST_HELP = """\
examples:
  strongroom list
  strongroom list --all --json

List the saved games, most recently played first. Each has a number, which
resume, replay, analyze and verify accept. Below them are your games on servers;
strongroom join accepts their numbers.
"""

NEWEST = 20
"""How many games are listed by default."""


def define_list(parser: argparse.ArgumentParser) -> None:
    """Define the arguments of `strongroom list`."""
    add_option(parser, "--all", f"list all, not only the last {NEWEST}")
    face = parser.add_mutually_exclusive_group()
    add_option(face, "--json", "print one JSON object per game")
    add_option(face, "--files", "print only the files, one per line")


def run_list(chosen: argparse.Namespace) -> int:
    """Print the games; files that are not games are reported separately."""
    from itertools import islice

    from strongroom.terminal.store import games
    from strongroom.terminal.store.seats import unfinished_seats

    most = None if chosen.all else NEWEST
    if chosen.files:
        for file in games.list_files()[:most]:
            if file.name.isprintable():  # otherwise it is not one line, and cannot be copied
                print(file)
        return 0
    found = dict(enumerate(islice(games.summaries(), most), 1))
    listed = {number: each for number, each in found.items() if isinstance(each, games.SavedGame)}
    seats = unfinished_seats()[:most]
    if chosen.json:
        for number, game in listed.items():
            print(json.dumps({"number": number, **game.to_json()}))
        for number, seat in enumerate(seats, 1):
            print(json.dumps({"join": number, "title": seat.title, "server": seat.link.base}))
    else:
        _print_games(listed, len(games.list_files()) - len(found))
        if seats:
            _print_seats(seats)
    sys.stdout.flush()
    for number, each in found.items():
        if number not in listed:
            print(f"{number}: {each}", file=sys.stderr)
    return 0


def _print_games(games: Mapping[int, SavedGame], more: int) -> None:
    from strongroom.terminal.reports.tables import Column, print_table

    if not games:
        print(paste("There are no saved games. Start one: strongroom play GAME"))
        return
    columns = [
        Column("", right=True),
        Column("played", worth=1, right=True),
        Column("game"),
        Column("who"),
        Column("turns", worth=2, right=True),
        Column("status"),
    ]
    rows = [
        [str(number), game.when, game.game, game.sitters, str(game.turns), game.standing]
        for number, game in games.items()
    ]
    print_table(columns, rows)
    print()
    if more:
        print(paste(f"{more} more: strongroom list --all"))
    print(paste("Resume a game:  strongroom resume NUMBER"))
    print(paste("Look at a game: strongroom replay NUMBER, strongroom analyze NUMBER"))


def _print_seats(seats: Sequence[KeptSeat]) -> None:
    from urllib.parse import urlsplit

    from strongroom.terminal.reports.tables import Column, print_table

    print("\nYour games on servers:\n")
    columns = [Column("", right=True), Column("game"), Column("at")]
    rows = [
        [str(number), seat.title or "a game", urlsplit(seat.link.base).netloc]
        for number, seat in enumerate(seats, 1)
    ]
    print_table(columns, rows)
    print(paste("\nResume a game: strongroom join NUMBER"))


REPLAY_HELP = """\
examples:
  strongroom replay                 the game you played last
  strongroom replay 3               the third game in strongroom list
  strongroom replay my-game.jsonl   the game in this file

Show a recorded game turn by turn. Secrets are shown only if the game is over.
"""


def define_replay(parser: argparse.ArgumentParser) -> None:
    """Define the arguments of `strongroom replay`."""
    add_saved(parser)
    add_faces(parser, strict=False)


def run_replay(chosen: argparse.Namespace) -> int:
    """Read the record and show it."""
    from strongroom.terminal.faces import make_face
    from strongroom.terminal.store import games
    from strongroom.terminal.table.series import replay

    record = games.read(saved_game(chosen.file, games.latest))
    words = chosen_words(record.game, chosen.words)
    with make_face(words, chosen_looks(chosen)) as face:
        replay(record, face)
    return 0


ANALYZE_HELP = """\
examples:
  strongroom analyze                 the finished game you played last
  strongroom analyze 3               the third game in strongroom list
  strongroom analyze my-game.jsonl --plot my-game.svg
  strongroom analyze my-game.jsonl --json

Show each player's chance to win, first by what that player knew and then by the
actual secrets, what each move of a finished game cost, and what would have been
better. Against master costs are exact; against anybody else they are those of a
hint, and the analysis says which. Luck is the effect of chance and of hidden
answers; what the opponent gave away is counted separately, as gifts.
"""


def define_analyze(parser: argparse.ArgumentParser) -> None:
    """Define the arguments of `strongroom analyze`."""
    add_saved(parser)
    add_option(parser, "--plot FILE", "draw the curves as an SVG file")
    add_option(parser, "--json", "print JSON")


def run_analyze(chosen: argparse.Namespace) -> int:
    """Analyze a record and print or draw the result."""
    from rich.console import Console

    from strongroom.accounts.analysis import analyze
    from strongroom.terminal.lines import can_page
    from strongroom.terminal.reports.analysis import draw, report, show
    from strongroom.terminal.screen import pager
    from strongroom.terminal.store import games
    from strongroom.terminal.store.files import write_output

    analysis = analyze(games.read(saved_game(chosen.file, games.latest_finished)))
    if chosen.plot:
        write_output(chosen.plot, draw(analysis))
    if chosen.json:
        print(json.dumps(analysis.to_json(), indent=1))
        return 0
    if can_page():
        title = f"{analysis.record.game.title}: what each move cost"
        pager.show(title, partial(report, analysis))
    else:
        width = None if sys.stdout.isatty() else 110
        show(analysis, Console(markup=False, highlight=False, width=width))
    if chosen.plot:
        print(f"Drawn: {file_label(chosen.plot)}")
    return 0


VERIFY_HELP = """\
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


def define_verify(parser: argparse.ArgumentParser) -> None:
    """Define the arguments of `strongroom verify`."""
    add_saved(parser)
    add_option(parser, "--json", "print one JSON object")
    add_option(parser, "--strict", "exit with 5 if anything could not be checked")


def run_verify(chosen: argparse.Namespace) -> int:
    """Check a record and print the result; a failed check is a failure."""
    from strongroom.referee.fairness import check, holds, open_checks
    from strongroom.terminal.store import games

    checks = check(games.read_text(saved_game(chosen.file, games.latest)))
    fits, missing = holds(checks), open_checks(checks)
    if chosen.json:
        found = [each.to_json() for each in checks]
        print(json.dumps({"holds": fits, "complete": not missing, "checks": found}))
    else:
        _print_checks(checks)
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


def _print_checks(checks: list[Check]) -> None:
    from strongroom.terminal.reports.tables import Column, print_table

    signs = ("–", "✗", "✓") if has_unicode() else ("-", "NO", "ok")
    rows = [
        [signs[0] if each.ok is None else signs[1 + each.ok], each.name, each.text]
        for each in checks
    ]
    print_table([Column(""), Column(""), Column("")], rows)
