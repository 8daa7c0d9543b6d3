"""The engine on the page plays, and the page describes the messages that are sent."""

from __future__ import annotations

import json
import re
import shlex
import sys
from collections.abc import Callable
from pathlib import Path
from random import Random

from strongroom import load
from strongroom.agents.engine import PROTOCOL, asked, new_game, seats
from strongroom.agents.engine_check import check
from strongroom.agents.engine_process import LONGEST_LINE
from strongroom.contract import Seat
from strongroom.players import Player
from strongroom.players.drive import Drive
from strongroom.players.random import RandomPlayer
from strongroom.plugins.registry import GAMES
from strongroom.referee.match import Match
from tests.docs.pages import named, page


def test_the_engine_of_the_page_is_fine_as_the_page_says(written: Callable[[str], Path]) -> None:
    fox = written("engines.md") / "fox.py"
    report = check(
        seats(f"{shlex.join([sys.executable, str(fox)])}?seconds=60"),
        [load(name) for name in GAMES],
    )
    assert report.all_faults == []
    assert report.notes == []
    told = page("engines.md")
    assert f"It says hello: {report.name}, protocol {PROTOCOL}." in told
    for played in report.games:
        assert re.search(rf"^{played.game.title} +fine: {played.moves} moves", told, re.MULTILINE)


def test_the_engine_of_the_page_is_good_at_safe_cracker(written: Callable[[str], Path]) -> None:
    fox = seats(shlex.join([sys.executable, str(written("engines.md") / "fox.py")]))
    game, won = load("safe-cracker"), 0
    for number in range(20):
        players: dict[Seat, Player] = {
            Seat.ONE: RandomPlayer(game, Random(number)),
            Seat.TWO: fox(game, Random(number)),
        }
        outcome = Drive(Match.start(game), players).run().outcome
        won += outcome is not None and outcome.winner is Seat.TWO
    assert won > 12


def test_the_page_lists_the_messages_and_what_is_in_them() -> None:
    kinds = named("engines.md", "message", "what is in it", "what to do")
    assert kinds == ["hello", "new", "choose", "over", "bye"]
    told = page("engines.md")
    view = Match.start(load("quantum-duel")).view(Seat.ONE)
    for message in (new_game(view, 1), asked(view, 10.0)):
        for name in message:
            assert f'"{name}"' in told
    shown = [
        json.loads(line.replace("{…}", "{}")) for line in re.findall(r"^[→←] (.*)", told, re.M)
    ]
    assert [each["type"] for each in shown] == [
        *("hello", "hello", "new", "choose", "move", "choose", "move", "over", "bye")
    ]
    assert f"{LONGEST_LINE:,} bytes" in told
