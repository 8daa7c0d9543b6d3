"""Tournaments and measurements in batches agree with single games, and say what they lack."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from math import hypot, sqrt
from pathlib import Path
from typing import Any

import jax
import pytest

from strongroom import load
from strongroom.arena.in_batches import heats, play_in_batches
from strongroom.arena.score import Score
from strongroom.arena.standings import NO_COST
from strongroom.arena.tournament import Schedule
from strongroom.contract import Game, Seat
from strongroom.measuring.in_batches import BatchedResult, Tally, measure_in_batches
from strongroom.measuring.measure import measure
from strongroom.measuring.protocol import Protocol
from strongroom.measuring.result import exact_score
from strongroom.terminal.main import main
from strongroom.vector.matches import Matches, MeanCost

DUEL = "safecracker-duel"
PAIR = ("master", "random")
BATCH = 256
"""The same in all tests, so that each game is compiled once."""


def score_of(schedule: Schedule) -> Score:
    """The score of the only pair at the only game."""
    scores = [score for _, score in play_in_batches(schedule, batch=BATCH)]
    return sum(scores[1:], scores[0])


def measured(name: str, player: str, rounds: int, against: str = "master") -> BatchedResult:
    """The result at one game, over both seats."""
    protocol = Protocol(player, (load(name),), rounds, against=against)
    return measure_in_batches(protocol, batch=BATCH).results[name]


# --- scores and estimates ---


def test_the_score_of_very_many_games_is_the_exact_one_and_follows_from_the_seed() -> None:
    game = load("quantum-duel")
    found = score_of(Schedule((game,), ("random", "master"), 20_000))
    exact = exact_score(game, "random", tuple(Seat))
    assert exact is not None
    assert exact == pytest.approx(0.00724, abs=5e-6)
    assert found.games == 20_000
    assert abs(found.mean - exact) < 3 * found.error
    scores = [score_of(Schedule((load(DUEL),), PAIR, 1024, seed)) for seed in (1, 1, 2, 3)]
    assert scores[0] == scores[1]
    assert len({each.mean for each in scores}) > 1


def test_the_two_of_a_pair_alternate_in_the_seats() -> None:
    played = heats(Schedule((load(DUEL),), ("master", "response", "random"), 7))
    assert [(each.sitting, each.games) for each in played[:2]] == [
        (("master", "response"), 4),
        (("response", "master"), 3),
    ]
    assert len(played) == 6
    assert len({each.own_seed for each in played}) == 6
    assert len(heats(Schedule((load(DUEL),), PAIR, 1))) == 1


def test_counting_and_costs_agree_with_each_other_and_with_single_games() -> None:
    found = measured(DUEL, "random", 2048)
    counted, by_costs = found.counted, found.by_costs
    assert by_costs is not None
    assert abs(counted.mean - by_costs.mean) < 3 * hypot(counted.error, by_costs.error)
    single = measure("random", DUEL, rounds=100, seed=1, workers=1).figures[DUEL]
    # Few games may show no win at all, so how much they vary is taken from the many.
    fewer = sqrt(1 + 4096 / single["games"])
    assert abs(counted.mean - single["counted"]) < 3 * counted.error * fewer
    assert abs(by_costs.mean - single["by_costs"]) < 3 * by_costs.error * fewer
    per_game = single["cost_per_decision"] * single["decisions"] / single["games"]
    assert found.cost == pytest.approx(per_game, abs=3 * by_costs.error * fewer)


def test_random_against_random_is_even_over_both_seats() -> None:
    found = measured(DUEL, "random", 4096, against="random")
    low, high = found.counted.interval
    assert low < 0.5 < high
    assert (found.by_costs, found.cost, found.exact) == (None, None, None)


def test_the_estimates_follow_from_the_sums() -> None:
    tallies = {
        Seat.ONE: Tally(60, 20, 20, 0.6, MeanCost(0.1, 0.01)),
        Seat.TWO: Tally(30, 0, 70, 0.4, MeanCost(0.3, 0.02)),
    }
    found = BatchedResult(load(DUEL), Protocol("random", (load(DUEL),), 100), tallies)
    assert found.counted.mean == pytest.approx(0.5)
    variances = (0.65 - 0.7**2) / 99, (0.3 - 0.3**2) / 99
    assert found.counted.error == pytest.approx(sum(variances) ** 0.5 / 2)
    assert found.by_costs is not None
    assert found.by_costs.mean == pytest.approx(0.3)
    assert found.by_costs.error == pytest.approx(hypot(0.01, 0.02) / 2, rel=0.01)
    assert found.cost == pytest.approx(0.2)


# --- the commands ---


def test_a_tournament_is_shown_and_written_and_says_that_no_game_is_kept(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    file, page = tmp_path / "all.json", tmp_path / "all.html"
    typed = ["tournament", DUEL, "--games", "1024", "--batches", "--batch-size", f"{BATCH}"]
    assert main([*typed, "--json", str(file), "--html", str(page)]) == 0
    shown = capsys.readouterr().out
    assert "| | master | random |" in shown  # they are all bots that play in batches
    assert NO_COST in shown
    data = json.loads(file.read_text())
    assert (data["batches"], data["games"], data["jax"]) == (True, [], jax.__version__)
    (pair,) = data["results"][DUEL]["pairs"]
    assert pair["wins"] + pair["undecided"] + pair["losses"] == 1024
    assert pair == pair | {"player": "master", "opponent": "random", "forfeits": 0}
    assert pair["interval"][0] < pair["score"] < pair["interval"][1]
    assert data["results"][DUEL]["players"]["random"]["cost"] is None
    told = page.read_text()
    assert "1,024 games" in told
    assert NO_COST in told


def test_a_measurement_is_shown_and_written(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    file = tmp_path / "random.json"
    typed = f"measure random --only {DUEL} --rounds 2048 --seed 1 --batches --batch-size {BATCH}"
    assert main([*typed.split(), "--json", str(file)]) == 0
    shown = capsys.readouterr().out
    assert shown.startswith("random against master\n")
    assert "4,096 games on " in shown
    assert "no profile and no worst move" in shown
    report = json.loads(file.read_text())
    assert report["format"] == "strongroom measurement in batches"
    assert report["jax"] == jax.__version__
    assert (report["player"], report["against"], report["seed"]) == ("random", "master", 1)
    figures = report["results"][DUEL]
    assert figures == measured(DUEL, "random", 2048).to_json()
    assert f"{figures['counted']:.5f} (" in shown
    assert figures["wins"] + figures["undecided"] + figures["losses"] == figures["games"] == 4096
    for reading in (["measure", "--check"], ["compare", str(file)]):
        assert main([*reading, str(file)]) == 2
        assert "It has only sums of games in batches" in capsys.readouterr().err
    typed = f"measure random --against random --seats 1 --rounds 1 --batches --only {DUEL}"
    assert main([*typed.split(), "--batch-size", f"{BATCH}"]) == 0
    assert "\n1 game on " in capsys.readouterr().out


def test_of_all_games_those_are_played_that_the_players_play_in_batches(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    played: list[str] = []

    def heard(schedule: Schedule, **_: object) -> Iterator[tuple[Game, Score]]:
        for game in schedule.games:
            played.append(game.name)
            yield game, Score(*PAIR, wins=schedule.rounds, undecided=0, losses=0)

    monkeypatch.setattr("strongroom.arena.in_batches.play_in_batches", heard)
    assert main(["tournament", "--all", "--batches"]) == 0
    told = capsys.readouterr().err
    assert re.search(r"^Left out: .*Safe Code.*\. Not all of these players play them", told, re.M)
    assert DUEL in played
    assert "safe-code" not in played


@pytest.mark.parametrize(
    "typed", [f"tournament {DUEL} --batches", f"measure random --only {DUEL} --batches"]
)
def test_an_interrupted_run_says_that_nothing_is_kept(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, typed: str
) -> None:
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    for module in ("arena", "measuring"):
        monkeypatch.setattr(f"strongroom.{module}.in_batches.play", interrupted)
    leaving: list[tuple[object, ...]] = []
    monkeypatch.setattr("atexit.register", lambda *what: leaving.append(what))
    assert main(typed.split()) == 130
    assert [code for _, code in leaving] == [130]
    told = capsys.readouterr()
    assert told.err.endswith("\nInterrupted; nothing is kept of games in batches.\n")
    assert told.out == ""


AT_MOST = " is at most 1,000,000, unless games are played in batches. Choose a smaller "
IN_BATCHES_ONLY = "response plays only in batches. Add --batches."


REFUSED = [
    (f"{DUEL} --batches --players random expert", "There is no player 'expert' in batches. "),
    ("digit-deductions --batches", "Digit Deductions has no master in batches. Name other "),
    (
        "safe-code --batches --players random response",
        "Safe Code has no table of costs in batches. Name other games or players.\n",
    ),
    (f"{DUEL} --batches --csv a", "--csv cannot be used with --batches. Leave it out."),
    (f"{DUEL} --batches --cluster local", "--cluster cannot be used with --batches."),
    (f"{DUEL} --batches --players random", "A tournament needs two players."),
    (f"{DUEL} --batch-size 8", "--batch-size is for games in batches. Add --batches."),
    (f"{DUEL} --games 1000001", f"--games{AT_MOST}"),
    (f"{DUEL} --players random response", IN_BATCHES_ONLY),
    ("measure expert --batches", "There is no player 'expert' in batches. "),
    (
        "measure random --batches --only safe-code",
        "Safe Code has no master in batches. --against can be random, or leave --batches out.",
    ),
    (
        "measure random --batches --only safe-cracker --set attempts=3",
        "Nothing is certified for safe-cracker,attempts=3. --against can be random.\n",
    ),
    ("measure random --batches --html a", "--html cannot be used with --batches. Leave it "),
    ("measure random --batches --puzzles a", "--batches cannot be used with --puzzles."),
    ("measure random --batches --set digits=4", "--set is for one game. Name it with --only."),
    ("measure random --batch-size 8", "--batch-size is for games in batches. Add --batches."),
    (f"measure random --only {DUEL} --rounds 1000001", f"--rounds{AT_MOST}"),
    ("measure response", IN_BATCHES_ONLY),
    ("measure random --against response", IN_BATCHES_ONLY),
]


def test_what_cannot_be_played_in_batches_is_refused_in_a_line(
    capsys: pytest.CaptureFixture[str], subtests: pytest.Subtests
) -> None:
    for typed, told in REFUSED:
        line = typed.split()
        with subtests.test(typed):
            assert main(line if line[0] == "measure" else ["tournament", *line]) == 2
            refused = capsys.readouterr().err
            assert refused.startswith(f"strongroom: {told}")
            assert refused.count("\n") == 1


@pytest.mark.parametrize(
    "typed", [f"tournament {DUEL} --games", f"measure random --only {DUEL} --rounds"]
)
def test_billions_of_games_in_large_batches_are_accepted(
    monkeypatch: pytest.MonkeyPatch, typed: str
) -> None:
    asked: list[tuple[int, object]] = []

    def heard(*given: Any, batch: int | None = None, **_: object) -> Matches:
        asked.append((given[3], batch))
        return Matches(given[3], given[3], 0, 0, given[3])

    for module in ("arena", "measuring"):
        monkeypatch.setattr(f"strongroom.{module}.in_batches.play", heard)
    most = f"{2**31 - 1} --batches --batch-size {2**24}".split()
    assert main([*typed.split(), *most]) == 0
    assert sum(games for games, _ in asked) in (2**31 - 1, 2 * (2**31 - 1))
    assert {batch for _, batch in asked} == {2**24}
    assert main([*typed.split(), f"{2**31}", *most[1:]]) == 2


def test_the_help_says_who_plays_in_batches(capsys: pytest.CaptureFixture[str]) -> None:
    for command in ("tournament", "measure"):
        assert main([command, "--help"]) == 0
        shown = " ".join(capsys.readouterr().out.split())
        assert "--batches" in shown
        assert "master, expert, casual, random, response, engine:..." in shown
        assert "response, a best response to master" in shown
        assert "interrupted" in shown.partition("With --batches, ")[2]  # it starts again
