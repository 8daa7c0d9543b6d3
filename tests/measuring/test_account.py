"""Accounts add up to the result; estimates with luck taken out are unbiased, with honest errors."""

from __future__ import annotations

from collections import defaultdict
from itertools import product
from random import Random

import numpy as np
import pytest

from strongroom import load
from strongroom.contract import Game, Move, Seat, View
from strongroom.measuring.account import account, by, soon
from strongroom.measuring.estimator import (
    Sample,
    Scale,
    adjusted,
    balanced,
    counted,
    multiples,
    student,
    weighted_mean,
)
from strongroom.measuring.protocol import Fixture, Protocol
from strongroom.measuring.yardstick import Played, Yardstick, policy_of
from strongroom.players import player
from strongroom.referee.record import Record
from strongroom.theory.shelf import solution_of

GAMES = ["quantum-duel", "safecracker-duel", "safe-cracker", "safe-code", "digit-deductions"]


def played(game: Game, name: str, seat: Seat, number: int = 0) -> Record:
    """A game of a bot against the certified player."""
    return Fixture(game, number, seat, 1).play(name, "master").record


@pytest.mark.parametrize("name", GAMES)
def test_costs_and_luck_add_up_to_the_result_and_the_certified_player_pays_nothing(
    name: str,
) -> None:
    game = load(name)
    worth = solution_of(game).worth
    first = defaultdict[Seat, set[Move | None]](set)
    for seat, who in product(Seat, ("random", "casual", "expert", "master")):
        record = played(game, who, seat)
        found = account(record, seat, worth)
        first[seat].add(record.steps[0].move)
        assert found.start == worth.start(seat, found.turn_limit)
        assert found.start - found.cost + found.luck == pytest.approx(found.result, abs=1e-9)
        if worth.optimal:
            assert min(each.cost for each in found.decisions) > -1e-12
        if who == "master":
            assert found.cost == pytest.approx(0, abs=1e-9)
    assert len(first[Seat.TWO]) == 1  # the same seed makes master begin alike, whoever plays


class GivesUp:
    """Fails on its third decision."""

    def __init__(self, game: Game, rng: Random) -> None:
        self._player, self._left = player("expert", game, rng), 2

    def choose(self, view: View) -> Move:
        if not self._left:
            raise RuntimeError("no idea")
        self._left -= 1
        return self._player.choose(view)


def test_a_forfeit_costs_all_that_was_left_and_is_no_bad_luck() -> None:
    game = load("quantum-duel")
    record = Fixture(game, 0, Seat.ONE, 1).play("fails", "master", GivesUp).record
    found = account(record, Seat.ONE, solution_of(game).worth)
    last = found.decisions[-1]
    assert last.move is None
    assert last.cost == last.value > 0
    assert found.start - found.cost + found.luck == pytest.approx(0, abs=1e-12)
    # Neither is it within a turn or two.
    game = load("safe-cracker")
    record = Fixture(game, 0, Seat.ONE, 1).play("fails", "master", GivesUp).record
    worth = solution_of(game).worth
    own = account(record, Seat.ONE, worth)
    guess = own.decisions[1]
    assert guess.move is not None
    cut_off = worth.moves(guess.view, 2)[guess.move]
    assert soon(worth, 2, own) == pytest.approx(0.5 - cut_off, abs=1e-12)


@pytest.mark.parametrize("name", ["safe-cracker", "safe-code", "safecracker-duel"])
def test_luck_within_a_turn_or_two_has_the_mean_zero(name: str) -> None:
    game = load(name)
    worth, lucks = solution_of(game).worth, list[list[float]]()
    for fixture in Protocol("random", (game,), rounds=25).fixtures:
        own = account(played(game, "random", fixture.seat, fixture.round), fixture.seat, worth)
        lucks.append([soon(worth, turns, own) for turns in worth.horizons])
    found = np.array(lucks)
    assert (abs(found.mean(axis=0)) < 3 * found.std(axis=0) / np.sqrt(len(found))).all()
    assert (found.std(axis=0) > 0.01).all()


def test_an_account_by_the_players_own_way_of_going_on_leaves_nothing_but_draws_and_luck() -> None:
    game = load("quantum-duel")
    policy = policy_of(player("casual", game, Random(1)))
    assert policy is not None
    worth = solution_of(game).worth
    other = worth.following(policy)
    assert other is not None
    own = by(other, account(played(game, "casual", Seat.ONE), Seat.ONE, worth), policy)
    assert own.result - own.luck - own.mixed == pytest.approx(own.start, abs=1e-9)


def test_scores_that_can_be_computed_are_exact() -> None:
    for who, score in (("random", 0.00724), ("casual", 0.19745)):
        exact = Yardstick(load("quantum-duel")).exact(who, tuple(Seat))
        assert exact == pytest.approx(score, abs=5e-6)


def test_a_mixture_that_is_told_takes_the_draws_out() -> None:
    game = load("safecracker-duel")
    yardstick = Yardstick(game)
    policy = policy_of(player("expert", game, Random(1)))
    told: list[Played] = []
    untold: list[Played] = []
    fixtures = list(Protocol("expert", (game,), rounds=15).fixtures)
    for each in fixtures:
        record = each.play("expert", "master").record
        for found, mixtures in ((told, policy), (untold, None)):
            found.append(yardstick.judge(record, each.seat, mixtures))
    seats = np.array([each.seat.index for each in fixtures])
    results = np.array([each.account.result for each in untold])
    with_mixtures, without = (
        adjusted(seats, results, np.array([each.lucks for each in found]), (1.0, 1.0))
        for found in (told, untold)
    )
    assert with_mixtures.error < without.error < counted(seats, results).error / 3
    assert with_mixtures.mean == pytest.approx(without.mean, abs=4 * without.error)


# --- estimates ---


EVEN = (1.0, 1.0)
"""A game in which everything can be won from both seats."""


def sample(
    rng: np.random.Generator, games: int, skill: float = 0.3
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Games of a player with a known chance to win, half of whose variance is luck."""
    seats = np.arange(games) % 2
    luck = rng.choice([-1.0, 1.0], games) * 0.3
    results = (rng.random(games) < skill + luck).astype(float)
    noise = rng.normal(0, 1, games)
    return seats, results, np.stack([luck, noise], axis=1)


def test_taking_luck_out_leaves_the_mean_and_lowers_the_error() -> None:
    rng = np.random.default_rng(1)
    means, ratios = [], []
    for _ in range(150):
        seats, results, lucks = sample(rng, 100)
        found, plain = adjusted(seats, results, lucks, EVEN), counted(seats, results)
        means.append(found.mean)
        ratios.append((plain.error / found.error) ** 2)
    assert np.mean(means) == pytest.approx(0.3, abs=3 * np.std(means) / np.sqrt(150))
    assert np.mean(ratios) > 1.3


@pytest.mark.parametrize("games", [100, 300])
def test_intervals_cover_the_truth_as_often_as_they_say(games: int) -> None:
    rng = np.random.default_rng(2)
    covered = 0
    for _ in range(300):
        seats, results, lucks = sample(rng, games)
        low, high = adjusted(seats, results, lucks, EVEN).interval
        covered += low <= 0.3 <= high
    assert 0.92 < covered / 300 < 0.98


def test_luck_is_not_fitted_to_the_games_it_is_taken_from() -> None:
    """With as many columns of noise as games, a fit to all of them would explain every result."""
    rng = np.random.default_rng(3)
    seats, results = np.arange(40) % 2, rng.integers(0, 2, 40).astype(float)
    found = adjusted(seats, results, rng.normal(0, 1, (40, 30)), EVEN)
    assert found.error > 0.5 * counted(seats, results).error
    # No result changes the multiple that is applied to it.
    seats, results, lucks = sample(np.random.default_rng(4), 60)
    before = multiples(seats, results, lucks)
    for game in range(10):  # fold 0 has games 0 and 1, fold 1 the next two, and so on
        changed = results.copy()
        changed[game] = 1 - changed[game]
        after = multiples(seats, changed, lucks)
        fold = game // 2
        assert np.array_equal(after[fold], before[fold])
        assert not np.array_equal(np.delete(after, fold, axis=0), np.delete(before, fold, axis=0))


def test_the_mean_over_all_that_can_happen_is_exact() -> None:
    """Each game is won with 0.2 after bad luck and with 0.7 after good luck; both are as likely."""
    seats, mean = np.arange(5) % 2, 0.0
    one_game = [(-0.25, 0, 0.4), (-0.25, 1, 0.1), (0.25, 0, 0.15), (0.25, 1, 0.35)]
    for games in product(one_game, repeat=5):
        lucks, results, chances = np.array(games).T
        mean += chances.prod() * adjusted(seats, results, lucks[:, None], EVEN).mean
    assert mean == pytest.approx(0.45, abs=1e-12)


def test_results_that_are_all_alike_leave_room_for_a_game_that_was_not_seen() -> None:
    seats, lucks = np.arange(20) % 2, np.random.default_rng(5).normal(0, 1, (20, 2))
    for result in (0.0, 0.5, 1.0):
        found = adjusted(seats, np.full(20, result), lucks, EVEN)
        assert found.mean == result
        assert found.error == 0.0
        low, high = found.interval
        assert low <= result <= high
        assert 0.1 < high - low < 0.2  # up to three games of twenty


def test_nothing_but_luck_or_none_leaves_no_error_and_both_seats_weigh_the_same() -> None:
    seats, results = np.arange(100) % 2, np.random.default_rng(6).integers(0, 2, 100) / 1
    found = adjusted(seats, results, (results - 0.4)[:, None], EVEN)
    assert found.mean == pytest.approx(0.4, abs=1e-12)
    assert found.error == 0.0
    seats, results = np.arange(10) % 2, np.tile([1.0, 0.0], 5)
    found = adjusted(seats, results, np.zeros((10, 1)), EVEN)
    assert found == counted(seats, results)
    assert (found.mean, found.error) == (0.5, 0.0)
    assert counted(np.array([0, 0, 0, 1]), np.array([1.0, 1.0, 1.0, 0.0])).mean == 0.5


def test_intervals_contain_their_means_reach_no_further_than_the_scale_and_are_students() -> None:
    for mean in (-0.02, 0.003, 0.997, 1.02):
        found = balanced([Sample(50, mean, 0.001), Sample(50, mean, 0.001)])
        low, high = found.interval
        assert min(0, mean) <= low <= found.mean <= high <= max(1, mean)
    for freedom, quantile in ((5, 2.571), (10, 2.228), (30, 2.042)):  # those of the tables
        assert student(freedom) == pytest.approx(quantile, abs=0.002)


def rare(
    rng: np.random.Generator, games: int, chance: float
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Games of a perfect player who sometimes resigns; luck explains all else."""
    seats = np.arange(games) % 2
    luck = rng.choice([-0.5, 0.5], games)
    gone = rng.random(games) < chance
    return seats, np.where(gone, 0.0, 0.5 + luck), np.where(gone, 0.0, luck)[:, None]


@pytest.mark.parametrize("expected", [0.5, 1, 2, 2.7, 4, 8])
def test_intervals_cover_players_whose_losses_are_rare(expected: float) -> None:
    """Whatever the number of expected losses, also where most measurements see none."""
    rng, games = np.random.default_rng(7), 100
    chance, covered = expected / games, 0
    for _ in range(300):
        low, high = adjusted(*rare(rng, games, chance), (0.5, 0.5)).interval
        covered += low <= 0.5 * (1 - chance) <= high
    assert covered / 300 > 0.93


def test_nobody_is_said_to_win_more_than_a_best_response_but_who_does_is_shown_to() -> None:
    seats, results, lucks = rare(np.random.default_rng(8), 100, 0.0)
    low, high = adjusted(seats, results, lucks, (0.5, 0.5)).interval
    assert high == 0.5
    assert low == pytest.approx(0.5 - 2.96 * 0.5 / 101, abs=0.001)  # the rule of three
    # Only the side on which something can be missed is wide.
    low, high = balanced([Sample(100, 0.45, 0.0001)], Scale([0.0], [0.5])).interval
    assert 0.45 - low > 3 * (high - 0.45)
    seats, lucks = np.arange(100) % 2, np.random.default_rng(10).choice([-0.5, 0.5], (100, 1))
    found = adjusted(seats, np.ones(100), lucks, (0.5, 0.5))
    low, high = found.interval
    assert 0.9 < low <= found.mean == high == 1.0


def test_one_more_game_makes_the_sample_of_all_and_means_of_means_keep_their_intervals() -> None:
    values = np.array([0.2, 0.9, 0.4])
    more = np.append(values, 1.0)
    found = Sample(3, values.mean(), values.var()).with_more(1, 1.0)
    assert found == pytest.approx((4, more.mean(), more.var()))
    mean, (low, high) = weighted_mean([(0.5, (0.4, 0.5)), (0.3, (0.3, 0.4))], [0.5, 0.5])
    assert (mean, low, high) == pytest.approx((0.4, 0.35, 0.45))  # it keeps to its wide side


def test_counting_is_kept_where_taking_luck_out_would_add_noise() -> None:
    """Games that are nearly always lost vary less than any luck in them."""
    rng = np.random.default_rng(9)
    wider = 0
    for _ in range(100):
        seats, results = np.arange(100) % 2, (rng.random(100) < 0.03).astype(float)
        lucks = rng.normal(0, 0.5, (100, 3)) + 0.2 * results[:, None]
        found, plain = adjusted(seats, results, lucks, EVEN), counted(seats, results)
        wider += found.error > 1.05 * plain.error
    assert wider < 10
