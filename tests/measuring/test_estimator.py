"""Estimates with luck taken out: unbiased, and with honest errors."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

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


def test_no_result_changes_the_multiple_that_is_applied_to_it() -> None:
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


def test_results_that_are_nothing_but_luck_leave_no_error() -> None:
    seats, results = np.arange(100) % 2, np.random.default_rng(6).integers(0, 2, 100) / 1
    found = adjusted(seats, results, (results - 0.4)[:, None], EVEN)
    assert found.mean == pytest.approx(0.4, abs=1e-12)
    assert found.error == 0.0


def test_games_without_any_luck_are_counted() -> None:
    seats, results = np.arange(10) % 2, np.tile([1.0, 0.0], 5)
    found = adjusted(seats, results, np.zeros((10, 1)), EVEN)
    assert found == counted(seats, results)
    assert found.mean == 0.5
    assert found.error == 0.0


def test_both_seats_weigh_the_same() -> None:
    seats = np.array([0, 0, 0, 1])
    assert counted(seats, np.array([1.0, 1.0, 1.0, 0.0])).mean == 0.5


@pytest.mark.parametrize(("freedom", "quantile"), [(5, 2.571), (10, 2.228), (30, 2.042)])
def test_students_quantiles_are_those_of_the_tables(freedom: int, quantile: float) -> None:
    assert student(freedom) == pytest.approx(quantile, abs=0.002)


@pytest.mark.parametrize("mean", [-0.02, 0.003, 0.997, 1.02])
def test_an_interval_contains_its_mean_and_reaches_no_further_than_the_scale(mean: float) -> None:
    found = balanced([Sample(50, mean, 0.001), Sample(50, mean, 0.001)])
    low, high = found.interval
    assert min(0, mean) <= low <= found.mean <= high <= max(1, mean)


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


def test_nobody_is_said_to_win_more_than_a_best_response() -> None:
    seats, results, lucks = rare(np.random.default_rng(8), 100, 0.0)
    low, high = adjusted(seats, results, lucks, (0.5, 0.5)).interval
    assert high == 0.5
    assert low == pytest.approx(0.5 - 2.96 * 0.5 / 101, abs=0.001)  # the rule of three


def test_only_the_side_on_which_something_can_be_missed_is_wide() -> None:
    low, high = balanced([Sample(100, 0.45, 0.0001)], Scale([0.0], [0.5])).interval
    assert 0.45 - low > 3 * (high - 0.45)


def test_a_sample_with_one_more_game_is_that_of_all_its_games() -> None:
    values = np.array([0.2, 0.9, 0.4])
    more = np.append(values, 1.0)
    found = Sample(3, values.mean(), values.var()).with_more(1, 1.0)
    assert found == pytest.approx((4, more.mean(), more.var()))


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


def test_the_interval_of_a_mean_of_means_keeps_to_its_wide_side() -> None:
    mean, (low, high) = weighted_mean([(0.5, (0.4, 0.5)), (0.3, (0.3, 0.4))], [0.5, 0.5])
    assert (mean, low, high) == pytest.approx((0.4, 0.35, 0.45))


def test_whoever_wins_more_than_anybody_can_is_shown_to() -> None:
    seats, lucks = np.arange(100) % 2, np.random.default_rng(10).choice([-0.5, 0.5], (100, 1))
    found = adjusted(seats, np.ones(100), lucks, (0.5, 0.5))
    low, high = found.interval
    assert 0.9 < low <= found.mean == high == 1.0
