"""Ratings: known strengths are found again, and clean sweeps give bounds."""

from __future__ import annotations

from itertools import combinations
from math import log
from random import Random

import pytest

from strongroom.arena.ratings import Rating, ratings
from strongroom.arena.score import Score


def test_ratings_are_on_elos_scale_with_the_anchor_at_zero() -> None:
    rated = ratings(["casual", "master"], [Score("casual", "master", wins=10, losses=100)])
    assert rated["master"] == Rating(0.0, 0.0, 0.0)
    assert rated["casual"].value == pytest.approx(-400)


def test_an_undecided_game_is_half_a_win_for_each() -> None:
    halves = ratings(["a", "b"], [Score("a", "b", wins=20, undecided=40, losses=40)])
    wins = ratings(["a", "b"], [Score("a", "b", wins=40, losses=60)])
    assert halves["b"].value == pytest.approx(wins["b"].value)


def test_two_players_have_the_interval_of_the_logarithm_of_their_odds() -> None:
    rated = ratings(["a", "b"], [Score("a", "b", wins=30, losses=70)])["b"]
    half = 1.96 * (1 / 30 + 1 / 70) ** 0.5 * 400 / log(10)
    assert rated.value is not None
    assert rated.low == pytest.approx(rated.value - half, abs=0.1)
    assert rated.high == pytest.approx(rated.value + half, abs=0.1)


def test_intervals_contain_true_strengths_about_as_often_as_they_say() -> None:
    rng, true = Random(1), {"a": 0.0, "b": -60.0, "c": -250.0, "d": 110.0}
    inside = tried = 0
    for _ in range(100):
        scores = []
        for one, two in combinations(true, 2):
            chance = 1 / (1 + 10 ** ((true[two] - true[one]) / 400))
            wins = sum(rng.random() < chance for _ in range(60))
            scores.append(Score(one, two, wins=wins, losses=60 - wins))
        for name, rated in ratings([*true], scores).items():
            if name != "a":
                assert rated.low is not None
                assert rated.high is not None
                inside += rated.low <= true[name] <= rated.high
                tried += 1
    assert 0.91 <= inside / tried <= 0.99


def test_who_won_or_lost_everything_has_a_bound_at_a_chance_of_one_in_twenty() -> None:
    scores = [Score("master", "best", losses=10), Score("master", "worst", wins=30)]
    rated = ratings(["master", "best", "worst"], [*scores, Score("best", "worst", wins=30)])
    best, worst = rated["best"], rated["worst"]
    assert (best.value, best.high) == (None, None)
    assert (worst.value, worst.low) == (None, None)
    assert best.low is not None
    assert worst.high is not None
    assert (1 / (1 + 10 ** (-best.low / 400))) ** 10 == pytest.approx(0.05, rel=1e-3)
    assert (1 / (1 + 10 ** (worst.high / 400))) ** 30 == pytest.approx(0.05, rel=1e-3)
    assert str(best).startswith("over ")
    assert str(worst).startswith("under −")


def test_a_player_beaten_by_all_does_not_disturb_the_others() -> None:
    among = [Score("a", "b", wins=60, losses=40)]
    swept = [Score("a", "c", wins=50), Score("b", "c", wins=50)]
    alone, together = ratings(["a", "b"], among), ratings(["a", "b", "c"], among + swept)
    assert together["b"].value == pytest.approx(alone["b"].value)
    assert together["c"].value is None


def test_who_has_met_nobody_that_is_rated_has_no_rating() -> None:
    scores = [Score("a", "b", wins=5, losses=5), Score("c", "d", wins=5, losses=3)]
    rated = ratings(["a", "b", "c", "d"], scores)
    assert rated["b"].value == pytest.approx(0)
    assert rated["c"] == rated["d"] == Rating()
    assert str(rated["c"]) == "–"
