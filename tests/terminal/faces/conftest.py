"""Analyses to be shown."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest

from strongroom import load
from strongroom.analysis import Analysis, analyze
from strongroom.contract import Seat
from strongroom.drive import Drive
from strongroom.match import Match
from strongroom.players import player
from strongroom.players.scripted import ScriptedPlayer
from strongroom.randomness import draws
from strongroom.sitter import Sitter

SITTERS = (Sitter("Ada"), Sitter("Bob"))

Between = Callable[..., Analysis]
"""Lets two bots play: the game, the bots, and perhaps a seed, a turn limit and who they are."""


@pytest.fixture(scope="session")
def between() -> Between:
    def analyzed(
        name: str,
        one: str,
        two: str,
        seed: int = 1,
        turns: int = 40,
        sitters: tuple[Sitter, Sitter] = SITTERS,
    ) -> Analysis:
        game = load(name)
        seats = {
            seat: player(kind, game, Random(f"{seed} {seat}"))
            for seat, kind in zip(Seat, (one, two), strict=True)
        }
        match = Match.start(game, sitters, turn_limit=turns, draw=draws(seed))
        return analyze(Drive(match, seats).run().record)

    return analyzed


@pytest.fixture(scope="session")
def wasted() -> Analysis:
    """Ada guesses the same again, which tells nothing, and wins all the same."""
    game = load("safe-cracker")
    one, two = ["1-1-1", "1-2-3", "1-2-3", "2-2-2"], ["2-2-2", "3-3-3", "3-3-2"]
    scripts = {Seat.ONE: ScriptedPlayer(game, one), Seat.TWO: ScriptedPlayer(game, two)}
    return analyze(Drive(Match.start(game, SITTERS, draw=draws(1)), scripts).run().record)
