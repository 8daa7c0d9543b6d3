"""Puzzles are sound, fresh and the same everywhere."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from datetime import date, timedelta
from itertools import islice
from typing import TYPE_CHECKING

import pytest
from starting import PATIENCE

from strongroom import load
from strongroom.contract import CandidateTracker, Seat, View
from strongroom.games.safe_code.rules import REQUEST
from strongroom.plugins.registry import GAMES
from strongroom.puzzles.finding import (
    CLEAR,
    TEMPTING,
    WEEK,
    losses,
    positions,
    puzzle_of,
    puzzles,
    puzzles_of,
    todays,
)
from strongroom.puzzles.puzzle import RIGHT, Puzzle
from strongroom.puzzles.symmetry import symmetry_of
from strongroom.theory.shelf import solution_of

if TYPE_CHECKING:
    from tests.puzzles.conftest import Found

MONDAY = date(2026, 11, 16)


@pytest.fixture(scope="module")
def week() -> Sequence[Puzzle]:
    return [todays(MONDAY + timedelta(days)) for days in range(7)]


@pytest.mark.parametrize("name", GAMES)
def test_one_move_is_right_and_every_other_costs_clearly(found: Found, name: str) -> None:
    assert len(found[name]) == 4
    for each in found[name]:
        assert {*each.worth} == {*each.view.moves}
        assert len({symmetry_of(each.game).alike(each.view, move) for move in each.best}) == 1
        wrong = [cost for move, cost in each.costs.items() if move not in each.best]
        assert min(wrong) >= CLEAR
        assert all(each.costs[move] == pytest.approx(0, abs=RIGHT) for move in each.best)


@pytest.mark.parametrize("name", GAMES)
def test_a_bot_is_tempted_by_a_move_that_costs_much(found: Found, name: str) -> None:
    for each in found[name]:
        (bot,) = (bot for bot in each.bots if bot.player == each.tempted)
        assert each.costs[each.tempting] >= TEMPTING
        assert bot.moves[each.tempting] > 0
        assert bot.cost > 0
        assert bot.solved < 1
        assert sum(bot.moves.values()) == pytest.approx(1)


@pytest.mark.parametrize("name", [name for name in GAMES if name != "safe-code"])
def test_a_puzzles_costs_are_those_of_the_exact_worth(found: Found, name: str) -> None:
    for each in found[name]:
        worth = solution_of(each.game).worth
        assert worth.optimal
        assert worth.moves(each.view, None) == each.worth


def test_asking_is_never_right_against_the_weakest_clues(found: Found) -> None:
    assert all(REQUEST not in each.best for each in found["safe-code"])
    assert any(REQUEST in each.worth for each in found["safe-code"])


def test_difficulty_follows_how_often_the_bots_miss(found: Found) -> None:
    every = [each for some in found.values() for each in some]
    for each in every:
        casual, expert = each.bots
        assert (each.lamps == 1) == (casual.solved > 0.7 and expert.solved > 0.9)
        if each.lamps == 5:
            assert expert.solved <= 0.4
    assert len({each.lamps for each in every}) >= 3


def test_what_a_bot_loses_is_the_mean_over_its_mixture() -> None:
    view = next(view for view in positions(load("quantum-duel"), "1") if view.turns > 3)
    costs = {move: float(number) for number, move in enumerate(view.moves)}
    casual = losses("casual", view, costs)
    assert casual.cost == pytest.approx(sum(p * costs[move] for move, p in casual.moves.items()))
    assert casual.solved == pytest.approx(casual.moves.get(view.moves[0], 0.0))


def test_a_position_in_which_all_moves_are_equally_good_is_no_puzzle() -> None:
    assert puzzle_of(load("quantum-duel").start().view(Seat.ONE)) is None


def test_no_two_puzzles_of_a_set_are_alike() -> None:
    game = load("quantum-duel")
    keys = [symmetry_of(game).key(each.view) for each in puzzles_of(game, 3)]
    assert len({*keys}) == len(keys) > 20


def test_another_seed_gives_other_puzzles() -> None:
    game = load("digit-deductions")
    one, other = ([each.view for each in islice(puzzles_of(game, seed), 3)] for seed in (1, 2))
    assert one != other


def test_puzzles_of_several_games_come_by_turns() -> None:
    games = [load("safecracker-duel"), load("safe-code")]
    assert [each.game for each in islice(puzzles(1, games), 4)] == games * 2


def test_puzzles_do_not_depend_on_the_order_of_hashes() -> None:
    command = [sys.executable, "-m", "strongroom", "puzzles", "export", "--count", "5"]
    written = {
        subprocess.run(
            command,
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
            timeout=PATIENCE,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(written) == 1


# --- today's ------------------------------------------------------------------------------------


def test_every_game_has_its_day_and_difficulty_grows_over_the_week(week: Sequence[Puzzle]) -> None:
    assert {each.game.name for each in week[:5]} == {*GAMES}
    assert [each.game for each in week[5:]] == [each.game for each in week[:2]]
    assert all(abs(each.lamps - wanted) <= 2 for each, wanted in zip(week, WEEK, strict=True))
    assert week[0].lamps < week[6].lamps


def test_the_puzzle_of_a_day_follows_from_the_date_alone(week: Sequence[Puzzle]) -> None:
    friday = next(each for each in week if each.game.name == "safecracker-duel")
    assert friday.day is not None
    again = todays(friday.day)
    assert again.to_json() == friday.to_json()
    assert todays(friday.day + timedelta(35)).view != friday.view


def test_a_game_can_be_chosen_for_a_day() -> None:
    assert todays(MONDAY, load("safe-code")).game == load("safe-code")


def test_a_puzzle_as_json_has_what_a_page_shows(week: Sequence[Puzzle]) -> None:
    for each in week:
        assert each.view.seat is not None
        told = json.loads(json.dumps(each.to_json()))
        assert View.from_json(each.game, told["view"]) == each.view
        assert told["day"] == (each.day and each.day.isoformat())
        costs = {move["move"]: move["cost"] for move in told["moves"]}
        assert [move for move, cost in costs.items() if cost <= RIGHT] == told["best"]
        assert costs[told["tempting"]["move"]] == told["tempting"]["cost"]
        assert told["question"].endswith("?")
        counted = CandidateTracker(each.game).left_for(each.view.seat, each.view.history)
        left = {"-".join(map(str, code)) for code in counted or ()}
        assert told["odds"] is None or {*told["odds"]} <= left
        assert 1 <= told["lamps"] <= 5


def test_the_nudge_does_not_give_the_move_and_the_answer_does(week: Sequence[Puzzle]) -> None:
    for each in week:
        words = each.game.words
        assert not any(f" {words.spoken(move)} " in f"{each.nudge} " for move in each.best)
        assert words.spoken(each.best[0]).lower() in each.answer.lower()
        assert words.spoken(each.tempting) in each.answer
