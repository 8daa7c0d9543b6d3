"""Measurements in batches: two estimates that agree with each other and with single games."""

from __future__ import annotations

import json
from math import hypot, sqrt
from pathlib import Path

import jax
import pytest

from strongroom import load
from strongroom.contract import Seat
from strongroom.measuring.in_batches import BatchedResult, Tally, measure_in_batches
from strongroom.measuring.measure import measure
from strongroom.measuring.protocol import Protocol
from strongroom.terminal.main import main
from strongroom.vector.matches import MeanCost

DUEL = "safecracker-duel"
BATCH = 256
"""The same in all tests, so that each game is compiled once."""


def measured(name: str, player: str, rounds: int, against: str = "master") -> BatchedResult:
    """The result at one game, over both seats."""
    protocol = Protocol(player, (load(name),), rounds, against=against)
    return measure_in_batches(protocol, batch=BATCH).results[name]


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
    found = measured("safe-cracker", "random", 4096, against="random")
    low, high = found.counted.interval
    assert low < 0.5 < high
    assert (found.by_costs, found.cost, found.exact) == (None, None, None)


def test_the_estimates_follow_from_the_sums() -> None:
    tallies = {
        Seat.ONE: Tally(60, 20, 20, 0.6, MeanCost(0.1, 0.01)),
        Seat.TWO: Tally(30, 0, 70, 0.4, MeanCost(0.3, 0.02)),
    }
    protocol = Protocol("random", (load(DUEL),), 100)
    found = BatchedResult(load(DUEL), protocol, tallies)
    assert found.counted.mean == pytest.approx(0.5)
    variances = (0.65 - 0.7**2) / 99, (0.3 - 0.3**2) / 99
    assert found.counted.error == pytest.approx(sum(variances) ** 0.5 / 2)
    assert found.by_costs is not None
    assert found.by_costs.mean == pytest.approx(0.3)
    assert found.by_costs.error == pytest.approx(hypot(0.01, 0.02) / 2, rel=0.01)
    assert found.cost == pytest.approx(0.2)


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


def test_a_single_game_is_one_game(capsys: pytest.CaptureFixture[str]) -> None:
    typed = "measure random --against random --seats 1 --rounds 1 --batches --only"
    assert main([*typed.split(), DUEL]) == 0
    assert "\n1 game on " in capsys.readouterr().out


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        ("expert --batches", "There is no player 'expert' in batches. "),
        (
            "random --batches --only safe-code",
            "Safe Code has no master in batches. --against can be random, or leave --batches out.",
        ),
        (
            "random --batches --only safe-cracker --set attempts=3",
            "Nothing is certified for safe-cracker,attempts=3. --against can be random.\n",
        ),
        ("random --batches --html a", "--html cannot be used with --batches. Leave it out."),
        ("random --batches --puzzles a", "--batches cannot be used with --puzzles."),
        ("random --batches --set digits=4", "--set is for one game. Name it with --only."),
        ("random --batch-size 8", "--batch-size is for games in batches. Add --batches."),
        (
            f"random --only {DUEL} --rounds 1000001",
            "--rounds is at most 1,000,000, unless games are played in batches. Choose a smaller ",
        ),
        ("response", "response plays only in batches. Add --batches."),
        ("random --against response", "response plays only in batches. Add --batches."),
    ],
)
def test_what_cannot_be_measured_in_batches_is_refused_in_a_line(
    capsys: pytest.CaptureFixture[str], typed: str, told: str
) -> None:
    assert main(["measure", *typed.split()]) == 2
    refused = capsys.readouterr().err
    assert refused.startswith(f"strongroom: {told}")
    assert refused.count("\n") == 1
