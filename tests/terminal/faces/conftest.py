"""A page to sit at, and analyses for the tests of their faces."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

import pytest

from strongroom import load
from strongroom.analysis import Analysis, analyze
from strongroom.contract import Seat
from strongroom.players import player
from strongroom.players.drive import Drive
from strongroom.players.scripted import ScriptedPlayer
from strongroom.referee.match import Match
from strongroom.referee.randomness import draws
from strongroom.referee.sitter import Sitter
from strongroom.terminal.faces import page
from tests.terminal.screen.at_page import AtPage
from tests.terminal.screen.paper import Paper

if TYPE_CHECKING:
    from tests.terminal.conftest import Clean

SITTERS = (Sitter("Ada"), Sitter("Bob"))

Between = Callable[..., Analysis]
"""Lets two bots play: takes the game, the bots, and optionally a seed, a turn limit and names."""


@pytest.fixture(scope="session")
def between() -> Between:
    @cache
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


SitAtPage = Callable[..., AtPage]
"""Runs the command at a page: takes its arguments, and optionally a size."""


@pytest.fixture
def at_page(clean: Clean, tmp_path: Path) -> Iterator[SitAtPage]:
    sittings: list[AtPage] = []

    def sit_down(*arguments: str, size: tuple[int, int] = (80, 24)) -> AtPage:
        for each in sittings:  # one at a time
            each.leaves()
        sittings.append(AtPage(arguments, clean(), tmp_path, size))
        return sittings[-1]

    yield sit_down
    for each in sittings:
        each.close()


@pytest.fixture
def face(monkeypatch: pytest.MonkeyPatch) -> page.PageFace:
    """A page on paper, for a game that is set afterwards."""
    monkeypatch.setattr(page, "Display", Paper)
    return page.PageFace(load("quantum-duel").words, fast=True)
