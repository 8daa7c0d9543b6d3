"""Tournaments: games that a seed fixes; standings, pages and ratings."""

from __future__ import annotations

import csv
import io
import json
from collections import defaultdict
from math import log
from random import Random
from unittest.mock import Mock

import pytest

from strongroom.arena.standings import Rating, Results, Standings, html, markdown, ratings
from strongroom.arena.tournament import Played, play_all, tournament
from strongroom.contests.schedule import Schedule, Score
from strongroom.contract import CHANCE, Game, Refusal, Seat
from strongroom.contract.codec import from_json, to_json
from strongroom.measuring.measure import measure
from strongroom.minds.dialogue import Reply, TextPlayer, move_answer
from strongroom.players import Player, Resigns, player
from strongroom.plugins.registry import load
from strongroom.testing.perft import after

NAMES = ("master", "casual", "random")
FAILURES = {"quitter": Resigns, "broken": ZeroDivisionError("<b>nothing</b>")}
"""What two players raise as soon as they are asked."""


def make(name: str, game: Game, rng: Random) -> Player:
    if name in FAILURES:
        return Mock(spec=["choose"], choose=Mock(side_effect=FAILURES[name]))
    return player("random", game, rng)


def test_every_pair_plays_all_its_games_and_progress_is_told_to_the_end() -> None:
    told: list[int] = []
    names, game = ["a", "b", "c"], load("quantum-duel")

    def tell(done: int, of: int) -> None:
        told.append(done * 120 // of)

    scores = tournament(game, names, make, 40, turn_limit=5, workers=1, progress=tell)
    pairs = [(score.player, score.opponent, score.games) for score in scores]
    assert pairs == [("a", "b", 40), ("a", "c", 40), ("b", "c", 40)]
    assert told == [*range(1, 121)]


def test_a_win_counts_one_and_an_undecided_game_one_half_and_who_resigns_loses() -> None:
    score = Score("a", "b", wins=5, undecided=2, losses=3)
    assert (score.games, score.mean) == (10, 0.6)
    assert score.swap_sides == Score("b", "a", wins=3, undecided=2, losses=5)
    assert score.error == pytest.approx(((5.5 / 10 - 0.36) / 10) ** 0.5)
    (score,) = tournament(load("safe-code"), ["quitter", "random"], make, 5, workers=1)
    assert score == Score("quitter", "random", losses=5)
    (score,) = tournament(load("safe-code"), ["a", "b"], make, 4, turn_limit=1, workers=1)
    assert score.undecided >= 3


@pytest.mark.proof
def test_the_same_seed_gives_the_same_scores_with_any_number_of_workers() -> None:
    def played(seed: int, workers: int) -> list[Score]:
        game, games = load("digit-deductions"), 101
        return tournament(game, ["casual", "random"], player, games, seed=seed, workers=workers)

    assert played(1, 1) == played(1, 2)
    assert played(1, 1) != played(2, 1)


@pytest.fixture(scope="module")
def played() -> Standings:
    games = (load("quantum-duel"), load("safe-cracker"))
    schedule = Schedule(games, NAMES, 6)
    return Standings(schedule, play_all(schedule, workers=1))


@pytest.fixture(scope="module")
def broken() -> Standings:
    """A tournament with a player who always fails."""
    schedule = Schedule((load("safe-code"),), ("random", "broken"), 5)
    return Standings(schedule, play_all(schedule, make, workers=1))


def test_who_fails_forfeits_every_game_and_every_form_says_why(broken: Standings) -> None:
    (results,) = broken.tables
    assert results.score("random", "broken") == Score("random", "broken", wins=5, gifts=5)
    assert results.score("broken", "random") == Score("broken", "random", losses=5, forfeits=5)
    told = "Forfeited by broken: 5; it failed: ZeroDivisionError: <b>nothing</b> (5)."
    assert markdown(results).endswith(told)
    assert markdown(results).splitlines()[:4] == [
        "| | random | broken |",
        "|---|---|---|",
        "| random | – | 1.000 (0.566 to 1.000) |",
        "| broken | 0.000 (0.000 to 0.434) | – |",
    ]
    found = broken.to_json()["results"]["safe-code"]["players"]["broken"]
    assert found["reasons"] == {"it failed: ZeroDivisionError: <b>nothing</b>": 5}
    assert "ZeroDivisionError: &lt;b&gt;nothing" in html(broken)
    assert "<b>" not in html(broken)


def talks(name: str, game: Game, rng: Random) -> Player:
    def speak(*_: object) -> Reply:
        return Reply(move_answer("4"), tokens_in=10, tokens_out=2, money=0.25)

    return TextPlayer(game, speak) if name == "talker" else player(name, game, rng)


def test_what_was_said_is_kept_and_what_it_took_is_told() -> None:
    schedule = Schedule((load("quantum-duel"),), ("talker", "random"), 2)
    played = list(play_all(schedule, talks, workers=1))
    assert all(each.said["talker"].exchanges[0].reply.text == move_answer("4") for each in played)
    written = json.loads(json.dumps(to_json(played)))
    again = [from_json(Played, each, schedule) for each in written]
    assert again == played
    (results,) = Standings(schedule, played).tables
    asked = sum(len(each.said["talker"].exchanges) for each in played)
    told = f"talker took {12 * asked:,} tokens and ${0.25 * asked:,.2f}."
    assert markdown(results).endswith(told)


def test_every_game_can_be_read_back_and_played_again(played: Standings) -> None:
    for each, written in zip(played.played, played.to_json()["games"], strict=True):
        data = json.loads(json.dumps(to_json(each)))
        assert from_json(Played, data, played.schedule) == each
        state = after(written["game"], *written["moves"])
        assert (state.turns, state.actor is CHANCE) == (written["turns"], False)
        if state.outcome is not None:
            first = (state.outcome.winner is Seat.ONE) == (written["winner"] == written["first"])
            assert first
            assert written["winner"] in written["pair"]
    with pytest.raises(Refusal, match="none of this tournament"):
        from_json(Played, data | {"number": 6}, played.schedule)


def test_only_games_that_are_not_kept_are_played(played: Standings) -> None:
    kept, left = played.played[::2], played.played[1::2]
    found = [*play_all(played.schedule, kept=kept, costs=False, workers=1)]
    assert {each.pairing for each in found} == {each.pairing for each in left}
    assert len(found) == len(left)


def test_nothing_depends_on_the_order_of_the_games(played: Standings, broken: Standings) -> None:
    for each in (played, broken):
        games = [*each.played]
        Random(1).shuffle(games)
        shuffled = Standings(each.schedule, games)
        assert shuffled.to_csv() == each.to_csv()
        assert json.dumps(shuffled.to_json()) == json.dumps(each.to_json())
        assert html(shuffled) == html(each)


def test_the_results_of_all_games_are_the_sum_and_rows_stand_in_order(played: Standings) -> None:
    found = list(csv.DictReader(io.StringIO(played.to_csv())))
    assert len(found) == 2 * 3 * 6
    firsts = [each["first"] for each in found if {each["first"], each["second"]} == {*NAMES[:2]}]
    assert firsts == ["master", "casual"] * 6
    pair = NAMES[:2]
    apart = [results.score(*pair) for results in played.results.values()]
    together = played.together.score(*pair)
    assert together is not None
    assert together.games == 12
    assert together.wins == sum(each.wins for each in apart if each is not None)
    assert [results.title for results in played.tables][-1] == "All games"


def test_costs_are_those_of_the_measure_and_who_has_not_met_has_no_score(played: Standings) -> None:
    results = played.results["safe-cracker"]
    casual, random = results.cost("casual"), results.cost("random")
    assert results.cost("master") is None
    assert 0 < (casual or 0) < (random or 0)
    (found,) = measure("random", "safe-cracker", rounds=40, seed=1, workers=1).figures.values()
    assert random == pytest.approx(found["cost_per_decision"], rel=0.5)
    nothing = Results("Nothing", NAMES)
    assert nothing.score("master", "casual") is None
    assert (nothing.total("master"), nothing.cost("casual")) == (None, None)


def test_the_page_needs_nothing_else_and_shows_every_player(played: Standings) -> None:
    page = html(played)
    assert page.count('<svg class="plot"') == 3
    assert page.count('<table class="heat">') == 3
    assert "http" not in page
    assert "<script" not in page
    assert all(f">{name}<" in page for name in NAMES)


def test_each_game_of_a_tournament_has_its_own_coins(played: Standings) -> None:
    fallen = defaultdict[int, set[str]](set)
    for each in played.played:
        for number, move in enumerate(each.moves):
            fallen[number] |= {move} & {"heads", "tails"}
    assert {"heads", "tails"} in fallen.values()  # at the same step


def test_a_schedule_has_two_different_players_and_every_game_once() -> None:
    for games, players, told in (
        (["safe-code"], ("random",), "needs two players"),
        (["safe-code"], ("random", "casual", "random"), "'random' is named"),
        (["safe-code"], ("random", "engine:./\x1b[31mbot"), r"'engine:\./\?\[31mbot' has char"),
        (["safe-code", "safe-code"], NAMES, "'safe-code' is named twice"),
    ):
        with pytest.raises(Refusal, match=told):
            Schedule(tuple(map(load, games)), players, 5)


def test_ratings_are_on_elos_scale_with_the_anchor_at_zero_and_the_interval_of_the_odds() -> None:
    rated = ratings(["casual", "master"], [Score("casual", "master", wins=10, losses=100)])
    assert rated["master"] == Rating(0.0, 0.0, 0.0)
    assert rated["casual"].value == pytest.approx(-400)
    halves = ratings(["a", "b"], [Score("a", "b", wins=20, undecided=40, losses=40)])
    wins = ratings(["a", "b"], [Score("a", "b", wins=40, losses=60)])
    assert halves["b"].value == pytest.approx(wins["b"].value)
    one = ratings(["a", "b"], [Score("a", "b", wins=30, losses=70)])["b"]
    half = 1.96 * (1 / 30 + 1 / 70) ** 0.5 * 400 / log(10)
    assert one.value is not None
    assert one.low == pytest.approx(one.value - half, abs=0.1)
    assert one.high == pytest.approx(one.value + half, abs=0.1)
    # Among three who are even, each pair's games tell of the third, too.
    even = [Score(one, two, wins=20, losses=20) for one, two in ("ab", "ac", "bc")]
    for name in "bc":
        found = ratings(["a", "b", "c"], even)[name]
        assert found.value == pytest.approx(0, abs=1e-6)
        assert found.high == pytest.approx(1.96 * (8 / 3 / 40) ** 0.5 * 400 / log(10), abs=0.1)


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


def test_who_is_beaten_by_all_disturbs_nobody_and_who_met_nobody_rated_has_no_rating() -> None:
    among = [Score("a", "b", wins=60, losses=40)]
    swept = [Score("a", "c", wins=50), Score("b", "c", wins=50)]
    alone, together = ratings(["a", "b"], among), ratings(["a", "b", "c"], among + swept)
    assert together["b"].value == pytest.approx(alone["b"].value)
    assert together["c"].value is None
    scores = [Score("a", "b", wins=5, losses=5), Score("c", "d", wins=5, losses=3)]
    rated = ratings(["a", "b", "c", "d"], scores)
    assert rated["b"].value == pytest.approx(0)
    assert rated["c"] == rated["d"] == Rating()
    assert str(rated["c"]) == "–"
