"""Puzzles are sound, fresh and the same everywhere."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from itertools import islice, pairwise
from typing import TYPE_CHECKING

import pytest
from starting import PATIENCE

from strongroom import load
from strongroom.contract import CandidateTracker, Game, Move, Refusal, Seat, View
from strongroom.puzzles import finding
from strongroom.puzzles.finding import (
    CLEAR,
    NEARBY,
    SOURCES,
    TEMPTING,
    WEEK,
    idea_of,
    losses,
    positions,
    puzzle_of,
    puzzles,
    puzzles_of,
    todays,
    worth_of,
)
from strongroom.puzzles.ladder import (
    EVERYWHERE,
    LADDER,
    OF_GAMES,
    RIGHT,
    asks_yes_or_no,
    rules_of,
    solved,
)
from strongroom.puzzles.puzzle import Puzzle
from strongroom.puzzles.symmetry import symmetry_of
from strongroom.theory.shelf import solution_of

if TYPE_CHECKING:
    from tests.puzzles.conftest import Found

MONDAY = date(2026, 11, 16)


@pytest.fixture(scope="module")
def week() -> Sequence[Puzzle]:
    return [todays(MONDAY + timedelta(days)) for days in range(7)]


@pytest.mark.parametrize("name", SOURCES)
def test_one_idea_is_right_and_every_other_move_costs_clearly(found: Found, name: str) -> None:
    assert len(found[name]) == 5
    for each in found[name]:
        assert {*each.worth} == {*each.view.moves}
        worth = solution_of(each.game).worth
        assert worth.optimal
        assert worth.moves(each.view, None) == each.worth
        assert len({symmetry_of(each.game).idea(each.view, move) for move in each.best}) == 1
        assert len(each.best) <= max(1, len(each.worth) / 3)
        wrong = [cost for move, cost in each.costs.items() if move not in each.best]
        assert min(wrong) >= CLEAR
        assert all(each.costs[move] == pytest.approx(0, abs=RIGHT) for move in each.best)
    assert len({(each.game, idea_of(each)) for each in found[name]}) == len(found[name])


@pytest.mark.parametrize("name", SOURCES)
def test_a_bot_is_tempted_and_one_line_rules_and_casual_miss_every_puzzle(
    found: Found, name: str
) -> None:
    for each in found[name]:
        (bot,) = (bot for bot in each.bots if bot.player == each.tempted)
        assert each.costs[each.tempting] >= TEMPTING
        assert bot.moves[each.tempting] > 0
        assert bot.cost > 0
        assert bot.solved < 1
        assert sum(bot.moves.values()) == pytest.approx(1)
        rules = rules_of(each.game)
        assert all(solved(rule, each.view, each.costs) <= 1 / 2 for rule in rules.values())
        assert each.bots[0].player == "casual"
        assert each.bots[0].solved <= 1 / 2


def test_each_player_of_the_ladder_who_misses_a_puzzle_adds_a_lamp(found: Found) -> None:
    every = [each for some in found.values() for each in some]
    for each in every:
        shares = {name: solved(rung, each.view, each.costs) for name, rung in LADDER.items()}
        assert [*each.missed] == [name for name, share in shares.items() if share <= 1 / 2]
        assert each.lamps == 1 + len(each.missed) <= 5
    assert len({each.lamps for each in every}) >= 3


def costly(game: Game, games: int) -> Iterator[tuple[View, dict[Move, float]]]:
    """Positions of some games in which a move costs something, with what each costs."""
    for number in range(games):
        for view in positions(game, f"costly {number}"):
            worth = worth_of(view)
            if worth is not None and max(worth.values()) - min(worth.values()) >= TEMPTING:
                yield view, {move: max(worth.values()) - each for move, each in worth.items()}


def test_in_safe_code_any_number_that_is_left_is_right() -> None:
    """So it has no puzzles."""
    rule, some = EVERYWHERE["any secret that fits"], [*costly(load("safe-code"), 60)]
    assert len(some) >= 10
    assert all(solved(rule, *each) == pytest.approx(1) for each in some)


def test_in_safecracker_duel_undoing_the_last_turn_is_nearly_always_right() -> None:
    """So it has next to no puzzles."""
    rule = OF_GAMES["safecracker-duel"]["undo the last turn"]
    some = [*costly(load("safecracker-duel"), 100)]
    later = [solved(rule, *each) for each in some if each[0].turns > 2]
    assert len(later) >= 200
    assert sum(later) >= 0.99 * len(later)
    key = symmetry_of(load("safecracker-duel")).key
    assert len({key(view) for view, _ in some if puzzle_of(view) is not None}) == 1


def test_what_a_bot_loses_is_the_mean_over_its_mixture() -> None:
    view = next(view for view in positions(load("quantum-duel"), "1") if view.turns > 3)
    costs = {move: float(number) for number, move in enumerate(view.moves)}
    casual = losses("casual", view, costs)
    assert casual.cost == pytest.approx(sum(p * costs[move] for move, p in casual.moves.items()))
    assert casual.solved == pytest.approx(casual.moves.get(view.moves[0], 0.0))


def test_a_position_in_which_all_moves_are_equally_good_is_no_puzzle() -> None:
    assert puzzle_of(load("quantum-duel").start().view(Seat.ONE)) is None


def test_yes_is_right_as_often_as_no() -> None:
    some = islice(puzzles_of(load("quantum-duel"), 3), 16)
    answers = Counter(str(each.best[0]) for each in some if asks_yes_or_no(each.view))
    assert answers["yes"] == answers["no"] > 0


def test_another_seed_gives_other_puzzles_and_those_of_several_games_come_by_turns() -> None:
    game = load("digit-deductions")
    one, other = ([each.view for each in islice(puzzles_of(game, seed), 3)] for seed in (1, 2))
    assert one != other
    games = [load("quantum-duel"), load("safe-cracker", digits=4)]
    assert [each.game for each in islice(puzzles(1, games), 4)] == games * 2


def test_puzzles_do_not_depend_on_the_order_of_hashes() -> None:
    command = [sys.executable, "-m", "strongroom", "puzzles", "export", "--count", "3"]
    written = set()
    for seed in ("1", "2"):
        env = {**os.environ, "PYTHONHASHSEED": seed}
        ran = subprocess.run(command, env=env, capture_output=True, check=True, timeout=PATIENCE)
        written.add(ran.stdout)
    assert len(written) == 1


# --- today's ------------------------------------------------------------------------------------


def test_the_puzzles_get_harder_from_monday_to_sunday(week: Sequence[Puzzle]) -> None:
    lamps = [each.lamps for each in week]
    assert lamps == sorted(lamps) == [slot.lamps for slot in WEEK]
    assert lamps[0] < lamps[2] < lamps[6]
    assert {each.game.name for each in week} == {*SOURCES}
    assert all(one.game.name != other.game.name for one, other in pairwise(week))


def test_nearby_days_have_different_ideas(week: Sequence[Puzzle]) -> None:
    some = [*week, *(todays(MONDAY + timedelta(days)) for days in (8, 10, 12, 15, 17))]
    for name in SOURCES:
        ideas = [idea_of(each) for each in some if each.game.name == name]
        assert len(ideas) >= NEARBY
        assert all(len({*ideas[at : at + NEARBY]}) == NEARBY for at in range(len(ideas) - 2))


def test_the_puzzle_of_a_day_follows_from_the_date_and_the_game_alone(
    week: Sequence[Puzzle], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert todays(MONDAY).to_json() == week[0].to_json()
    assert todays(MONDAY + timedelta(35)).day != week[0].day
    assert todays(MONDAY, load("digit-deductions")).game == load("digit-deductions")
    monkeypatch.setattr(finding, "BARREN", 3)
    with pytest.raises(Refusal, match="There are no puzzles of Safe Code"):
        todays(MONDAY, load("safe-code"))


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
