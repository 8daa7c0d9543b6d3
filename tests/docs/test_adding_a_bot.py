"""The bot on the page can play."""

from __future__ import annotations

import runpy
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from strongroom.contract import Seat
from strongroom.players.drive import Drive
from strongroom.plugins.registry import GAMES, load
from strongroom.referee.match import Match
from strongroom.referee.randomness import draws


def test_the_test_of_the_page_passes(written: Callable[[str], Path]) -> None:
    folder = written("adding-a-bot.md")
    runpy.run_path(str(folder / "test_fresh_player.py"))[
        "test_it_plays_and_guesses_nothing_twice"
    ]()


@pytest.mark.parametrize("name", GAMES)
def test_the_bot_of_the_page_plays_every_game(name: str, written: Callable[[str], Path]) -> None:
    bot = runpy.run_path(str(written("adding-a-bot.md") / "fresh_player.py"))["FreshPlayer"]
    game = load(name)
    players = {seat: bot(game, Random(seat.value)) for seat in Seat}
    match = Drive(Match.start(game, turn_limit=30, draw=draws(1)), players).run()
    assert match.outcome is not None
    assert match.outcome.detail == ""
