"""`strongroom list`: the saved games, the one last played first, and those on servers."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from strongroom.terminal.store import Saved
    from strongroom.terminal.store.seats import KeptSeat

WORDS = """\
examples:
  strongroom list
  strongroom list --all --json

List the saved games, most recently played first. Each has a number, which
resume, replay, analyze and verify accept. Below them are your games on servers;
strongroom join accepts their numbers.
"""

NEWEST = 20
"""How many games are listed by default."""


def add(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments to its parser."""
    parser.add_argument("--all", action="store_true", help=f"list all, not only the last {NEWEST}")
    face = parser.add_mutually_exclusive_group()
    face.add_argument("--json", action="store_true", help="print one JSON object per game")
    face.add_argument("--files", action="store_true", help="print only the files, one per line")


def run(chosen: argparse.Namespace) -> int:
    """Print the games; files that are not games are reported separately."""
    import json
    from itertools import islice

    from strongroom.terminal import store
    from strongroom.terminal.store.seats import unfinished

    most = None if chosen.all else NEWEST
    if chosen.files:
        for file in store.played()[:most]:
            if file.name.isprintable():  # otherwise it is not one line, and cannot be copied
                print(file)
        return 0
    found = dict(enumerate(islice(store.saved_games(), most), 1))
    games = {number: each for number, each in found.items() if isinstance(each, store.Saved)}
    seats = unfinished()[:most]
    if chosen.json:
        for number, game in games.items():
            print(json.dumps({"number": number, **game.to_json()}))
        for number, seat in enumerate(seats, 1):
            print(json.dumps({"join": number, "title": seat.title, "server": seat.link.base}))
    else:
        _print(games, len(store.played()) - len(found))
        if seats:
            _print_seats(seats)
    sys.stdout.flush()
    for number, each in found.items():
        if number not in games:
            print(f"{number}: {each}", file=sys.stderr)
    return 0


def _print(games: Mapping[int, Saved], more: int) -> None:
    from strongroom.terminal.text_tables import Column, print_table

    if not games:
        print("There are no saved games. Start one: strongroom play GAME")
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
        print(f"{more} more: strongroom list --all")
    print("Resume a game:  strongroom resume NUMBER")
    print("Look at a game: strongroom replay NUMBER, strongroom analyze NUMBER")


def _print_seats(seats: Sequence[KeptSeat]) -> None:
    from urllib.parse import urlsplit

    from strongroom.terminal.text_tables import Column, print_table

    print("\nYour games on servers:\n")
    columns = [Column("", right=True), Column("game"), Column("at")]
    rows = [
        [str(number), seat.title or "a game", urlsplit(seat.link.base).netloc]
        for number, seat in enumerate(seats, 1)
    ]
    print_table(columns, rows)
    print("\nResume a game: strongroom join NUMBER")
