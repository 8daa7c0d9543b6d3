"""A player measured on puzzles: what its answers cost, game by game and together."""

from __future__ import annotations

from itertools import islice
from random import Random
from typing import NoReturn

import pytest

from strongroom import load
from strongroom.contract import Game, View
from strongroom.measuring.on_puzzles import (
    Answered,
    PuzzleResult,
    measure_on_puzzles,
    together,
    unanswered,
)
from strongroom.measuring.protocol import Spent
from strongroom.players import Player, player
from strongroom.puzzles import Exercise, exercise
from strongroom.puzzles.finding import puzzles_of


@pytest.fixture(scope="module")
def puzzles() -> list[Exercise]:
    found = puzzles_of(load("safe-cracker", digits=4), 1)
    return [exercise(each) for each in islice(found, 3)]


class Fails:
    """Breaks at every question."""

    def choose(self, view: View) -> NoReturn:
        raise RuntimeError("no idea")


def master(game: Game, rng: Random) -> Player:
    return player("master", game, rng)


def test_the_certified_player_solves_puzzles_of_safe_cracker(puzzles: list[Exercise]) -> None:
    (found,) = measure_on_puzzles(master, puzzles).values()
    assert (found.puzzles, found.solved, found.cost, found.illegal) == (3, 1.0, 0.0, 0)


def test_a_player_who_fails_is_charged_with_the_worst_move(puzzles: list[Exercise]) -> None:
    (found,) = measure_on_puzzles(lambda *_: Fails(), puzzles).values()
    worst = [max(each.costs.values()) for each in puzzles]
    assert found.illegal == 3
    assert found.cost == pytest.approx(sum(worst) / 3)


def test_only_puzzles_without_an_answer_are_asked_for(puzzles: list[Exercise]) -> None:
    kept = [Answered(number, "", Spent()) for number in (1, 3)]
    assert unanswered(puzzles, kept) == [(2, puzzles[1])]
    (found,) = measure_on_puzzles(master, puzzles, kept=kept).values()
    assert (found.solved, found.illegal) == (1 / 3, 2)


def test_each_puzzle_weighs_alike_in_all_games_together() -> None:
    one = PuzzleResult("One", 1, 1.0, 0.0, None, (0.0, 0.4), 0, {"casual": 0.1})
    three = PuzzleResult("Three", 3, 0.0, 0.4, 0.2, (0.2, 0.8), 2, {"casual": 0.5, "expert": 0.4})
    found = together([one, three])
    assert (found.puzzles, found.solved, found.illegal) == (4, 0.25, 2)
    assert found.cost == pytest.approx(0.3)
    assert found.error == pytest.approx(0.15)
    assert found.interval == pytest.approx((0.15, 0.3 + (0.1**2 + 0.3**2) ** 0.5))
    assert found.bots == pytest.approx({"casual": 0.4, "expert": 0.3})
