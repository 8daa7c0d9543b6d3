"""Standings: what the games of a tournament say, in every form in which it is told."""

from __future__ import annotations

import csv
import io
import json
from random import Random

import pytest

from strongroom.agents.dialogue import marked
from strongroom.agents.text_player import Reply, TextPlayer
from strongroom.arena import tournament
from strongroom.arena.page import html
from strongroom.arena.score import Score
from strongroom.arena.standings import Results, Standings, markdown
from strongroom.arena.tournament import Played, Schedule, play_all
from strongroom.arena.workers import Threads
from strongroom.contract import CHANCE, Game, Move, Refusal, Seat, View
from strongroom.measuring.measure import measure
from strongroom.players import Player, player
from strongroom.plugins.registry import load

NAMES = ("master", "casual", "random")


@pytest.fixture(scope="module")
def played() -> Standings:
    """A small tournament."""
    games = (load("quantum-duel"), load("safe-cracker"))
    schedule = Schedule(games, NAMES, 6)
    return Standings(schedule, play_all(schedule, workers=1))


class Broken:
    """Fails as soon as it is asked."""

    def choose(self, view: View) -> Move:
        raise ZeroDivisionError("<b>nothing</b>")


def make(name: str, game: Game, rng: Random) -> Player:
    return Broken() if name == "broken" else player(name, game, rng)


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
        return Reply(marked("4"), tokens_in=10, tokens_out=2, money=0.25)

    return TextPlayer(game, speak) if name == "talker" else player(name, game, rng)


def test_what_was_said_is_kept_and_what_it_took_is_told() -> None:
    schedule = Schedule((load("quantum-duel"),), ("talker", "random"), 2)
    played = list(play_all(schedule, talks, workers=1))
    assert all(each.said["talker"].exchanges[0]["answered"] == marked("4") for each in played)
    again = [Played.from_json(json.loads(json.dumps(each.to_json())), schedule) for each in played]
    assert again == played
    (results,) = Standings(schedule, played).tables
    asked = sum(len(each.said["talker"].exchanges) for each in played)
    told = f"talker took {12 * asked:,} tokens and ${0.25 * asked:,.2f}."
    assert markdown(results).endswith(told)


def test_a_player_who_plays_in_threads_is_not_sent_elsewhere(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class Seats:
        concurrency = 4

    monkeypatch.setattr(tournament, "find_entry", lambda kind, name: Seats())
    schedule = Schedule((load("quantum-duel"),), ("model:x", "random"), 2)
    with pytest.raises(Refusal, match="plays from this machine alone"):
        next(play_all(schedule, pool=Threads(1)))


def test_every_game_can_be_read_back_and_played_again(
    played: Standings,
) -> None:
    for each in json.loads(json.dumps(played.to_json()))["games"]:
        game = load(each["game"])
        state = game.start()
        for text in each["moves"]:
            state = state.play(game.move(text))
        (second,) = {*each["pair"]} - {each["first"]}
        seats = {Seat.ONE: each["first"], Seat.TWO: second}
        if each["reason"] != "undecided":
            assert state.outcome is not None
            winner = state.outcome.winner
            assert each["winner"] == (None if winner is None else seats[winner])
        assert state.turns == each["turns"]
        assert state.actor is not CHANCE
    for game_played in played.played:
        data = json.loads(json.dumps(game_played.to_json()))
        assert Played.from_json(data, played.schedule) == game_played
    with pytest.raises(Refusal, match="none of this tournament"):
        Played.from_json(data | {"number": 6}, played.schedule)


def test_nothing_depends_on_the_order_in_which_games_are_finished(
    played: Standings, broken: Standings
) -> None:
    for each in (played, broken):
        games = [*each.played]
        Random(1).shuffle(games)
        shuffled = Standings(each.schedule, games)
        assert shuffled.to_csv() == each.to_csv()
        assert json.dumps(shuffled.to_json()) == json.dumps(each.to_json())
        assert html(shuffled) == html(each)


def test_the_results_of_all_games_together_are_the_sum_and_the_rows_stand_in_order(
    played: Standings,
) -> None:
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


def test_costs_are_those_that_the_measure_finds(played: Standings) -> None:
    results = played.results["safe-cracker"]
    assert results.cost("master") is None
    casual, random = results.cost("casual"), results.cost("random")
    assert casual is not None
    assert random is not None
    assert 0 < casual < random
    (found,) = measure("random", "safe-cracker", rounds=40, seed=1, workers=1).figures.values()
    assert random == pytest.approx(found["cost_per_decision"], rel=0.5)


def test_the_page_needs_nothing_else_and_shows_every_player(played: Standings) -> None:
    page = html(played)
    assert page.count('<svg class="plot"') == 3
    assert page.count('<table class="heat">') == 3
    assert "http" not in page
    assert "<script" not in page
    assert all(f">{name}<" in page for name in NAMES)


def test_players_who_have_not_met_have_no_score() -> None:
    results = Results("Nothing", NAMES)
    assert results.total("master") is None
    assert results.score("master", "casual") is None
    assert results.cost("casual") is None


@pytest.mark.parametrize(
    ("games", "players", "told"),
    [
        (("safe-code",), ("random",), "needs two players"),
        (("safe-code",), ("random", "casual", "random"), "'random' is named"),
        (
            ("safe-code",),
            ("random", "engine:./\x1b[31mbot"),
            r"'engine:\./\?\[31mbot' has characters",
        ),
        (("safe-code", "safe-code"), NAMES, "'safe-code' is named twice"),
    ],
    ids=repr,
)
def test_a_schedule_has_two_different_players_and_every_game_once(
    games: tuple[str, ...], players: tuple[str, ...], told: str
) -> None:
    with pytest.raises(Refusal, match=told):
        Schedule(tuple(map(load, games)), players, 5)
