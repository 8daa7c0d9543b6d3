"""Measurements of any player: figures that add up, reports to be checked, and forecasts."""

from __future__ import annotations

import copy
import json
import re
from functools import cache
from itertools import count
from random import Random
from typing import Any

import pytest

import strongroom
from strongroom import load
from strongroom.agents.allowance import Prices, in_tokens
from strongroom.agents.dialogue import Dialogue, Style
from strongroom.contract import Game, Move, Refusal, Seat, View
from strongroom.measuring.checking import check, read
from strongroom.measuring.comparison import compare
from strongroom.measuring.figures import ODD_LUCK
from strongroom.measuring.forecast import SAMPLE, Forecast, forecast
from strongroom.measuring.protocol import Fixture, Protocol
from strongroom.players import Patient, Player, player
from strongroom.referee.randomness import stream

Report = dict[str, Any]


@cache
def report_of(player: str) -> Report:
    """The report of a bot, as it is read from a file."""
    games = ["quantum-duel", "safe-cracker"]
    measured = strongroom.measure(player, games, rounds=6, seed=1, workers=1)
    return read(json.dumps(measured.to_json()))


@pytest.fixture
def casual() -> Report:
    return report_of("casual")


def edited(report: Report, *edits: tuple[tuple[str | int, ...], object]) -> Report:
    """A copy of a report with other values at some places; `...` deletes what stands there."""
    changed = copy.deepcopy(report)
    for path, value in edits:
        place: Any = changed
        for step in path[:-1]:
            place = place[step]
        if value is ...:
            del place[path[-1]]
        else:
            place[path[-1]] = value
    return changed


def test_the_figures_of_a_report_hold_and_add_up_and_the_luck_of_bots_is_not_suspicious(
    casual: Report,
) -> None:
    for report in (casual, report_of("expert")):
        assert check(report) == []
        assert all(abs(each["luck_z"]) < ODD_LUCK for each in report["results"].values())
    for name, found in casual["results"].items():
        games = casual["records"][name]
        assert found["games"] == len(games) == 12
        assert found["decisions"] == sum(found["costs"].values())
        assert found["decisions"] == sum(each["decisions"] for each in found["profile"])
        total = sum(each["cost"] for each in found["profile"])
        assert found["cost_per_decision"] * found["decisions"] == pytest.approx(total)
        assert found["by_costs"] == pytest.approx(found["start"] - total / len(games))
        assert found["score"] == pytest.approx(sum(each["value"] for each in games) / len(games))
        assert [each["cost"] for each in found["worst"]] == sorted(
            (each["cost"] for each in found["worst"]), reverse=True
        )


def test_the_costs_of_safe_code_add_up_and_nothing_is_at_stake_in_its_set_up() -> None:
    measured = strongroom.measure("random", "safe-code", rounds=4, seed=1, workers=1)
    found = measured.figures["safe-code"]
    total = sum(each["cost"] for each in found["profile"])
    assert found["by_costs"] == pytest.approx(found["start"] - total / found["games"])
    kinds = {each["kind"]: each for each in found["profile"]}
    assert kinds["writing a clue"]["cost"] == pytest.approx(0, abs=1e-12)
    assert kinds["writing a clue"]["perfect"] is None
    assert 0 < kinds["asking for a clue"]["perfect"] < 1


class KnowsTheSeed:
    """Plays Player 1 at Safe Cracker, and tries first what the certified player hides."""

    rounds = count()

    def __init__(self, game: Game, rng: Random) -> None:
        self._game = game
        self._fixture = Fixture(game, next(self.rounds), Seat.ONE, 1)

    def choose(self, view: View) -> Move:
        if view.setting_up:
            return view.moves[0]
        opponent = player("master", self._game, stream(self._fixture.own_seed, "opponent"))
        state = self._game.start().play(view.secret[0])
        return opponent.choose(state.view(Seat.TWO))


def test_a_player_who_knows_the_seed_wins_every_game_and_is_suspected() -> None:
    KnowsTheSeed.rounds = count()
    asked: dict[str, Any] = {"games": "safe-cracker", "rounds": 30, "seats": [1], "workers": 1}
    measured = strongroom.measure(KnowsTheSeed, **asked, seed=1)
    report = read(json.dumps(measured.to_json()))
    found = report["results"]["safe-cracker"]
    assert (found["counted"], report["seed_known"], check(report)) == (1.0, True, [])
    assert found["luck_z"] > ODD_LUCK
    assert "it may have known what was hidden" in str(measured)
    KnowsTheSeed.rounds = count()
    drawn = strongroom.measure(KnowsTheSeed, **asked)
    assert drawn.protocol.seed_known is False
    assert drawn.figures["safe-cracker"]["by_costs"] < 0.7


def test_a_seed_is_drawn_for_each_measurement_unless_it_is_given(casual: Report) -> None:
    one, two = (strongroom.measure("random", "quantum-duel", rounds=1).to_json() for _ in range(2))
    assert one["seed"] != two["seed"]
    assert (one["seed_known"], casual["seed_known"]) == (False, True)
    assert check(read(json.dumps(one))) == []


EDITS: list[tuple[tuple[str | int, ...], object]] = [
    (("results", "quantum-duel", "score"), 0.9),
    (("results", "quantum-duel", "exact"), 0.5),
    (("results", "safe-cracker", "worst", 0, "cost"), 0.0),
    (("results", "safe-cracker", "profile", 0, "decisions"), 1000),
    (("results", "safe-cracker", "seconds"), 0.0),
    (("records", "quantum-duel", 3, "value"), 1.0),
]


def test_figures_that_were_edited_are_named(casual: Report) -> None:
    troubles = check(edited(casual, *EDITS))
    assert len(troubles) == len(EDITS)
    for path, value in EDITS:
        assert any(f"{path[-1]}' is {value}, but " in trouble for trouble in troubles), path
    (told,) = check(edited(casual, (("results", "quantum-duel", "by_costs"), 10**400)))
    assert told.startswith("'results.quantum-duel.by_costs' is 1000")


def test_a_game_that_was_replaced_by_a_luckier_one_or_left_out_is_named(casual: Report) -> None:
    luckier = casual["records"]["quantum-duel"][6]["record"]
    replaced = edited(casual, (("records", "quantum-duel", 4, "record"), luckier))
    told = "Round 2 in seat 1 at Quantum Duel is not the game that its seed leads to."
    assert check(replaced) == [told]
    left_out = edited(casual, (("records", "safe-cracker", 0), ...))
    assert check(left_out) == ["Round 0 in seat 1 at Safe Cracker is missing."]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "It is not JSON"),
        ("[" * 100_000, "It is not JSON"),
        ("{}", "It is not a report"),
        ('{"format": "strongroom measurement", "version": 99}', "It has version"),
        ('{"format": "strongroom measurement", "version": 2}', "A part is missing: player"),
    ],
)
def test_what_is_no_report_is_refused(text: str, told: str) -> None:
    with pytest.raises(Refusal, match=told):
        read(text)


def test_the_same_seeds_are_paired_and_the_better_player_is_named(casual: Report) -> None:
    expert = report_of("expert")
    duel, safe = compare(casual, expert)
    assert duel.pairs == len(casual["records"]["quantum-duel"])
    assert duel.better == "expert"
    assert duel.score.mean == pytest.approx(duel.scores[0] - duel.scores[1])
    total = sum(each.mean for each in duel.kinds.values())
    costs = [
        found["results"]["quantum-duel"]["start"] - found["results"]["quantum-duel"]["by_costs"]
        for found in (casual, expert)
    ]
    assert total == pytest.approx(costs[0] - costs[1])
    (same, _) = compare(casual, casual)
    assert same.score.mean == 0
    assert same.better == ""
    (apart, _) = compare(casual, expert | {"seed": 2})
    assert apart.pairs == 0
    assert safe.title == "Safe Cracker"


def test_reports_of_other_versions_opponents_seats_or_rounds_are_not_compared(
    casual: Report,
) -> None:
    with pytest.raises(Refusal, match=r"made by strongroom '0\.0\.1'"):
        check(casual | {"strongroom": "0.0.1"})
    with pytest.raises(Refusal, match="One player met master, the other random"):
        compare(casual, casual | {"against": "random"})
    with pytest.raises(Refusal, match="different seats"):
        compare(casual, casual | {"seats": [1]})
    later = copy.deepcopy(casual)
    for games in later["records"].values():
        for each in games:
            each["round"] += 1000
    assert not any(each.paired for each in compare(casual, later))


class Stubborn(Patient):
    """Answers with rubbish before each move, and tells what it spends."""

    tokens = 0

    def __init__(self, game: Game, rng: Random) -> None:
        self._player = player("random", game, rng)
        self._fails = True

    def choose(self, view: View) -> Any:
        self.tokens += 10
        self._fails = not self._fails
        return self._player.choose(view) if self._fails else None

    def refused(self, refusal: Refusal) -> None:
        assert refusal.reason


class Fails:
    """Cannot play at all."""

    def choose(self, view: View) -> Move:
        raise ZeroDivisionError("division by zero")


def test_any_function_that_seats_a_player_can_be_measured_but_not_under_the_name_of_a_bot() -> None:
    measured = strongroom.measure(Stubborn, ["quantum-duel"], rounds=2, seed=1)
    found = measured.figures["quantum-duel"]
    assert measured.protocol.player == "Stubborn"
    assert found["illegal"] == found["decisions"] > 0
    assert found["tokens"] == 20 * found["decisions"]
    assert found["exact"] is None
    assert check(read(json.dumps(measured.to_json()))) == []
    told = str(strongroom.measure(lambda *_: Fails(), "quantum-duel", rounds=2, seed=1))
    assert "4 of 4 games forfeited: it failed: ZeroDivisionError: division by zero" in told

    def casual(game: Game, rng: Random) -> Player:
        return player("random", game, rng)

    with pytest.raises(Refusal, match="casual is the name of a registered player"):
        strongroom.measure(casual, ["quantum-duel"], rounds=1, seed=1)


def test_only_results_are_counted_against_others_than_the_certified_player() -> None:
    measured = strongroom.measure("random", ["quantum-duel"], rounds=2, seed=1, against="casual")
    found = measured.figures["quantum-duel"]
    assert found["score"] == found["counted"]
    assert found["cost_per_decision"] is None
    assert check(read(json.dumps(measured.to_json()))) == []


def test_what_cannot_be_measured_is_refused(subtests: pytest.Subtests) -> None:
    wrong: list[dict[str, Any]] = [
        *({"rounds": 0}, {"seats": []}, {"seats": [1, 1]}, {"seats": [3]}),
        *({"games": ["quantum-duel", "quantum-duel"]}, {"player": "nobody"}),
    ]
    for asked in wrong:
        whole = {"player": "random", "games": ["quantum-duel"], **asked}
        with subtests.test(str(asked)), pytest.raises(Refusal):
            strongroom.measure(**whole)


def test_the_moves_of_a_bot_have_to_be_its_own(casual: Report) -> None:
    forged = casual | {"player": "random"}
    for games in (forged := copy.deepcopy(forged))["records"].values():
        for each in games:
            for sitter in each["record"][0]["seats"]:
                if sitter["player"] == "casual":
                    sitter["player"] = "random"
    assert "is not the game that its seed leads to." in check(forged)[0]


MUTILATIONS: list[tuple[tuple[str | int, ...], object]] = [
    *(((name,), None) for name in ("player", "against", "seed", "rounds", "seats", "turn_limit")),
    (("seed_known",), None),
    (("seats",), [3]),
    (("rounds",), 10**400),
    (("results", "quantum-duel", "options"), None),
    (("results", "quantum-duel", "options"), []),
    (("results", "quantum-duel", "title"), 7),
    (("results", "quantum-duel", "games"), 10**400),
    (("results", "quantum-duel", "counted_interval"), [0]),
    (("records", "quantum-duel"), []),
]


def test_a_mutilated_report_is_refused(casual: Report, subtests: pytest.Subtests) -> None:
    for path, value in MUTILATIONS:
        text = json.dumps(edited(casual, (path, value)))
        with subtests.test(str(path)), pytest.raises(Refusal):
            check(read(text))


def test_several_processes_find_the_same_as_one_and_a_single_game_has_no_error() -> None:
    one, two = (
        strongroom.measure("random", ["quantum-duel"], rounds=11, seed=1, workers=workers).figures
        for workers in (1, 2)
    )
    for each in (one, two):
        del each["quantum-duel"]["seconds"]
    assert one == two
    found = strongroom.measure("casual", ["quantum-duel"], rounds=1, seed=1, seats=[2]).to_json()
    assert found["results"]["quantum-duel"]["error"] is None
    assert check(read(json.dumps(found, allow_nan=False))) == []
    told = str(strongroom.measure("casual", ["quantum-duel"], rounds=1, seed=1))
    assert re.fullmatch(r"Quantum Duel +0\.\d{3} \(0\.\d{3} to 0\.\d{3}\), \d+ % perfect", told)


def test_a_forecast_counts_what_casual_would_be_asked_and_more_in_proportion() -> None:
    game = load("safe-cracker")
    few, many = (
        Protocol("model:tester", (game,), rounds=rounds, against="random")
        for rounds in (SAMPLE // 2, 10 * SAMPLE // 2)
    )
    fixtures = [*few.fixtures]
    found = forecast(few, fixtures, Style())
    records = [each.play("casual", "random").record for each in fixtures]
    asked = [
        Dialogue(game).ask(state.view(fixture.seat))
        for fixture, record in zip(fixtures, records, strict=True)
        for state, step in zip(record.states(), record.steps, strict=False)
        if step.actor is fixture.seat
    ]
    opening = in_tokens(Dialogue(game).opening)
    assert found.calls == len(asked)
    assert found.tokens_in == sum(opening + in_tokens(text) for text in asked)
    ten = forecast(many, [*many.fixtures], Style())
    assert (ten.calls, ten.tokens_in) == (10 * found.calls, 10 * found.tokens_in)
    assert forecast(few, [], Style()) == Forecast()  # all games were played
    told = Forecast(10, 20_000_000, 5_000)
    assert told.told(None) == "About 10 calls with 20.0m tokens in and 5,000 out."
    assert told.told(Prices(1, 1)).endswith(", about $20.00.")
