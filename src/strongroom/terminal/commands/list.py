"""`strongroom list`: the saved games, the one last played first, and those on servers."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

from strongroom.terminal.arguments import Commands, command

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from strongroom.terminal.store import Saved
    from strongroom.terminal.store.seats import KeptSeat

WORDS = """\
examples:
  strongroom list
  strongroom list --all --json

List the saved games, the one last played first. Each has a number, by which
resume, replay, analyze and verify take it. Below them are the games on servers
at which you have a seat; strongroom join takes those by their number.
"""

NEWEST = 20
"""So many games are listed, unless all are asked for."""


def add(commands: Commands) -> None:
    """Add the command to the command line."""
    parser = command(commands, "list", WORDS)
    parser.add_argument("--all", action="store_true", help=f"all, not the last {NEWEST} alone")
    face = parser.add_mutually_exclusive_group()
    face.add_argument("--json", action="store_true", help="print one JSON object a game")
    face.add_argument("--files", action="store_true", help="the files alone, one a line")
    parser.set_defaults(run=run)


def run(chosen: argparse.Namespace) -> int:
    """Print the games; what is no game is named apart."""
    import json
    from itertools import islice

    from strongroom.terminal import store
    from strongroom.terminal.store.seats import unfinished

    most = None if chosen.all else NEWEST
    if chosen.files:
        for file in store.played()[:most]:
            if file.name.isprintable():  # else it is no line, and nothing to copy
                print(file)
        return 0
    found = enumerate(islice(store.saved_games(), most), 1)
    games, troubles = {}, {}
    for number, each in found:
        if isinstance(each, store.Saved):
            games[number] = each
        else:
            troubles[number] = each
    seats = unfinished()[:most]
    if chosen.json:
        for number, game in games.items():
            print(json.dumps({"number": number, **game.to_json()}))
        for number, seat in enumerate(seats, 1):
            print(json.dumps({"join": number, "title": seat.title, "server": seat.link.base}))
    else:
        _print(games, len(store.played()) - len(games) - len(troubles))
        if seats:
            _print_seats(seats)
    sys.stdout.flush()
    for number, trouble in troubles.items():
        print(f"{number}: {trouble}", file=sys.stderr)
    return 0


def _print(games: Mapping[int, Saved], more: int) -> None:
    from strongroom.terminal.tables import Column, print_table

    if not games:
        print("There is no saved game. Start one: strongroom play GAME")
        return
    columns = [
        Column("", right=True),
        Column("played", worth=1, right=True),
        Column("game"),
        Column("who"),
        Column("turns", worth=2, right=True),
        Column("how it stands"),
    ]
    rows = [
        [str(number), game.when, game.game, game.sitters, str(game.turns), game.standing]
        for number, game in games.items()
    ]
    print_table(columns, rows)
    print()
    if more:
        print(f"{more} more: strongroom list --all")
    print("Go on with one: strongroom resume NUMBER")
    print("Look at one:    strongroom replay NUMBER, strongroom analyze NUMBER")


def _print_seats(seats: Sequence[KeptSeat]) -> None:
    from urllib.parse import urlsplit

    from strongroom.terminal.tables import Column, print_table

    print("\nYour games on servers:\n")
    columns = [Column("", right=True), Column("game"), Column("at")]
    rows = [
        [str(number), seat.title or "a game", urlsplit(seat.link.base).netloc]
        for number, seat in enumerate(seats, 1)
    ]
    print_table(columns, rows)
    print("\nGo on with one: strongroom join NUMBER")
