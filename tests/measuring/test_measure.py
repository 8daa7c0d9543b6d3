"""Measurements: honest estimates, reports to be checked, and forecasts."""

from __future__ import annotations

import copy
import json
import math
import re
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from itertools import count, product
from pathlib import Path
from random import Random
from typing import Any
from unittest.mock import Mock

import numpy as np
import pytest

import strongroom
from strongroom import load
from strongroom.contests.schedule import Schedule
from strongroom.contract import Game, Move, Refusal, Seat, View
from strongroom.measuring.estimator import (
    Sample,
    Scale,
    adjusted_estimate,
    balance_seats,
    multiples,
    plain_estimate,
    student,
    weighted_mean,
)
from strongroom.measuring.forecast import (
    PILOT,
    SAMPLE,
    SPREADS,
    Forecast,
    forecast,
    forecast_tournament,
    rounds_by_others,
    rounds_by_pilot,
    rounds_for,
)
from strongroom.measuring.measure import Measurement, play_games
from strongroom.measuring.page import html
from strongroom.measuring.protocol import Fixture, Protocol
from strongroom.measuring.reports import Difference, check, compare, read
from strongroom.measuring.result import NO_ANSWER, ODD_LUCK, Baselines, Figures, policy_of
from strongroom.minds.allowance import Prices, in_tokens
from strongroom.minds.dialogue import Dialogue, Message, Reply, Style, TextPlayer
from strongroom.players import player
from strongroom.referee.randomness import stream

ROOT = Path(__file__).parents[2]
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
    """A copy of a report with other values at some places."""
    changed = copy.deepcopy(report)
    for path, value in edits:
        place: Any = changed
        for step in path[:-1]:
            place = place[step]
        place[path[-1]] = value
    return changed


@pytest.mark.proof
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


@pytest.mark.proof
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
    assert (
        drawn.protocol.seed != strongroom.measure("random", **asked | {"rounds": 1}).protocol.seed
    )
    assert drawn.figures["safe-cracker"]["by_costs"] < 0.7


@pytest.mark.proof
def test_figures_that_were_edited_are_named(casual: Report) -> None:
    edits: list[tuple[tuple[str | int, ...], object]] = [
        (("results", "quantum-duel", "score"), 0.9),
        (("results", "quantum-duel", "exact"), 0.5),
        (("results", "safe-cracker", "worst", 0, "cost"), 0.0),
        (("results", "safe-cracker", "profile", 0, "decisions"), 1000),
        (("results", "safe-cracker", "seconds"), 0.0),
        (("records", "quantum-duel", 3, "value"), 1.0),
    ]
    troubles = check(edited(casual, *edits))
    assert len(troubles) == len(edits)
    for path, value in edits:
        assert any(f"{path[-1]}' is {value}, but " in trouble for trouble in troubles), path
    (told,) = check(edited(casual, (("results", "quantum-duel", "by_costs"), 10**400)))
    assert told.startswith("'results.quantum-duel.by_costs' is 1000")


def test_a_game_that_was_replaced_by_a_luckier_one_or_left_out_is_named(casual: Report) -> None:
    luckier = casual["records"]["quantum-duel"][6]["record"]
    replaced = edited(casual, (("records", "quantum-duel", 4, "record"), luckier))
    told = "Round 2 in seat 1 at Quantum Duel is not the game that its seed leads to."
    assert check(replaced) == [told]
    rest = casual["records"]["safe-cracker"][1:]
    left_out = edited(casual, (("records", "safe-cracker"), rest))
    assert check(left_out) == ["Round 0 in seat 1 at Safe Cracker is missing."]


def test_what_is_no_report_is_refused() -> None:
    no_reports = {
        **dict.fromkeys(("", "[" * 100_000), "It is not JSON"),
        "{}": "It is not a report",
        '{"format": "strongroom measurement", "version": 99}': "It has version",
        '{"format": "strongroom measurement", "version": 2}': "A part is missing: player",
    }
    for text, told in no_reports.items():
        with pytest.raises(Refusal, match=told):
            read(text)


@pytest.mark.proof
def test_the_same_seeds_are_paired_and_the_better_player_is_named(casual: Report) -> None:
    expert = report_of("expert")
    duel, safe = compare(casual, expert)
    assert (duel.pairs, duel.better, safe.title) == (12, "expert", "Safe Cracker")
    assert duel.score.mean == pytest.approx(duel.scores[0] - duel.scores[1])
    costs = [
        found["results"]["quantum-duel"]["start"] - found["results"]["quantum-duel"]["by_costs"]
        for found in (casual, expert)
    ]
    assert sum(each.mean for each in duel.kinds.values()) == pytest.approx(costs[0] - costs[1])
    (same, _) = compare(casual, casual)
    assert (same.score.mean, same.better) == (0, "")
    costs_more, less = Difference(0.1, (0.05, 0.2)), Difference(-0.1, (-0.2, -0.05))
    told = replace(duel, kinds={"observing": costs_more, "replying": less})
    assert [told.better_at(kind) for kind in told.kinds] == ["expert", "casual"]
    later = expert | {"seed": 2}
    (apart, _), (back, _) = compare(casual, later), compare(later, casual)
    assert apart.pairs == 0
    low, high = apart.score.interval
    assert back.score.interval == pytest.approx((-high, -low))


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


class Clumsy:
    """Says that each move took it one illegal answer and 20 tokens."""

    illegal = tokens = 0

    def __init__(self, *_: object) -> None: ...

    def choose(self, view: View) -> Any:
        self.illegal += 1
        self.tokens += 20
        return view.moves[0]


def test_any_function_that_seats_a_player_can_be_measured_but_not_under_the_name_of_a_bot() -> None:
    measured = strongroom.measure(Clumsy, ["quantum-duel"], rounds=2, seed=1)
    found = measured.figures["quantum-duel"]
    assert measured.protocol.player == "Clumsy"
    assert found["illegal"] == found["decisions"] > 0
    assert found["tokens"] == 20 * found["decisions"]
    assert found["exact"] is None
    assert check(read(json.dumps(measured.to_json()))) == []
    fails = Mock(spec=["choose"], choose=Mock(side_effect=ZeroDivisionError("division by zero")))
    told = str(strongroom.measure(lambda *_: fails, "quantum-duel", rounds=2, seed=1))
    assert "4 of 4 games forfeited: it failed: ZeroDivisionError: division by zero" in told
    with pytest.raises(Refusal, match="casual is the name of a registered player"):
        strongroom.measure(type("casual", (Clumsy,), {}), ["quantum-duel"], rounds=1, seed=1)


class Stubborn:
    """Answers with a cell until its third decision, and never with a legal move from then on."""

    def __init__(self, game: Game, rng: Random) -> None:
        self.asked = 0

    def speak(self, dialogue: Dialogue, opening: str, talk: Sequence[Message]) -> Reply:
        self.asked += len(talk) == 1
        if self.asked > 2 or (self.asked == 2 and len(talk) == 1):
            return Reply("I give no answer.")
        return Reply(f"<move>{legal(talk[0].text)}</move>")


def legal(question: str) -> str:
    """A legal answer at Quantum Duel."""
    cells = re.findall(r"\[ (.) \]", question)
    return "no" if "yes" in question.rpartition("\n")[2].lower() else str(cells.index("_") + 1)


def test_no_legal_answer_is_a_kind_of_its_own_whose_cost_is_told_apart() -> None:
    def seated(game: Game, rng: Random) -> TextPlayer:
        return TextPlayer(game, Stubborn(game, rng).speak)

    measured = strongroom.measure(seated, "quantum-duel", rounds=3, seed=1, name="stubborn")
    report = read(json.dumps(measured.to_json()))
    assert check(report) == []
    found = measured.report.results["quantum-duel"]
    form, games = found.form, found.games
    assert form is not None
    assert (form.asked, form.first_try, form.answered) == (3 * games, games, 2 * games)
    (kind,) = (each for each in found.profile or () if each.name == NO_ANSWER)
    assert (kind.decisions, kind.cost, kind.perfect) == (games, form.cost, 0.0)
    assert form.score == pytest.approx(found.score + kind.cost / games)
    assert "over the decisions that were answered" in str(measured)
    assert not {"set-up", "gave up"} & {*re.findall("set-up|gave up", html(report))}
    assert {each.said for each in found.worst or () if each.move is None} == {NO_ANSWER}
    assert all(each.turn for each in found.worst or ())
    (compared,) = compare(report, report_of("casual"))
    assert compared.answered is not None
    assert compared.answered.mean > compared.score.mean
    assert [each.is_clean for each in compared.forms if each] == [False, True]
    del report["results"]["quantum-duel"]["form"]  # as an earlier version wrote it
    assert check(read(json.dumps(report))) == []
    assert Figures.read(report).with_form == []


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
    forged = json.loads(json.dumps(casual).replace('"casual"', '"random"'))
    assert "is not the game that its seed leads to." in check(forged)[0]


def test_the_moves_of_the_opponent_have_to_be_those_that_the_seed_leads_to(casual: Report) -> None:
    """Also where another game ends alike."""
    forged = copy.deepcopy(casual)
    other = strongroom.measure("casual", ["quantum-duel"], rounds=6, seed=2).to_json()
    exchanged = 0
    places = (report["records"]["quantum-duel"] for report in (forged, other))
    for mine, theirs in zip(*places, strict=True):
        (_, *steps, end), (_, *taken, same) = mine["record"], theirs["record"]
        if end == same and steps != taken:
            mine["record"][1:-1] = taken
            exchanged += 1
    assert exchanged >= 2
    assert sum("the game that its seed leads to" in told for told in check(forged)) == exchanged


def test_a_mutilated_report_is_refused(casual: Report, subtests: pytest.Subtests) -> None:
    mutilations: list[tuple[tuple[str | int, ...], object]] = [
        *(((name,), None) for name in ("player", "against", "seed", "rounds", "turn_limit")),
        *(((name,), None) for name in ("seats", "seed_known")),
        (("seats",), [3]),
        (("rounds",), 10**400),
        (("results", "quantum-duel", "options"), None),
        (("results", "quantum-duel", "options"), []),
        (("results", "quantum-duel", "title"), 7),
        (("results", "quantum-duel", "games"), 10**400),
        (("results", "quantum-duel", "counted_interval"), [0]),
        (("records", "quantum-duel"), []),
    ]
    for path, value in mutilations:
        text = json.dumps(edited(casual, (path, value)))
        with subtests.test(str(path)), pytest.raises(Refusal):
            check(read(text))


@pytest.mark.proof
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
    two, three = (
        forecast_tournament(Schedule((game,), players, 4), {"random": Style()}).calls
        for players in (("random", "casual"), ("random", "casual", "expert"))
    )
    assert three == 2 * two  # as many games against each of the others
    told = Forecast(10, 20_000_000, 5_000)
    assert told.sentence(None) == "About 10 calls with 20.0m tokens in and 5,000 out."
    assert told.sentence(Prices(1, 1)).endswith(", about $20.00.")


def test_the_spreads_of_the_forecast_are_those_of_the_page() -> None:
    page = (ROOT / "docs" / "measure.md").read_text(encoding="utf-8")
    table = page.partition("| ratio |")[2].partition("\n\n")[0]
    most: dict[str, float] = {}
    for line in re.findall(r"^\| ([A-Z].*) \|$", table, re.MULTILINE):
        title, _, games, _, counted_error, *_, untold, _, _ = line.split(" | ")
        name = title.lower().replace(" ", "-")
        ratio = 1.0 if untold == "–" else float(untold.replace(",", ""))
        spread = float(counted_error) * math.sqrt(float(games) / ratio)
        most[name] = max(most.get(name, 0.0), spread)
    assert most.keys() == SPREADS.keys()
    for name, spread in most.items():
        assert spread <= SPREADS[name] <= spread + 0.011, name


def test_a_precision_takes_as_many_games_as_the_first_ones_show_and_the_report_holds() -> None:
    protocol = Protocol("casual", (load("quantum-duel"), load("safe-cracker")), seed=1)
    guess = rounds_by_others(protocol, 0.05)
    assert guess.rounds_at is not None
    assert guess.rounds == max(guess.rounds_at.values())
    few, more = (rounds_for(each, [(0.25, 0.15)] * 2) for each in (0.04, 0.02))
    assert 3 * few < more < 4.5 * few  # about four times as many for half of the width
    first = replace(protocol, rounds=PILOT, games=(load("quantum-duel"),))
    pilot = Measurement(first, play_games(first, "casual", workers=1))
    wanted = rounds_by_pilot(first, 0.06, pilot)
    trials = [each.trial for each in pilot.results["quantum-duel"].judged]
    measured = Measurement(wanted, play_games(wanted, "casual", kept=trials, workers=1))
    low, high = measured.report.results["quantum-duel"].interval
    assert high - low < 2.5 * 0.06
    report = read(json.dumps(measured.to_json()))
    assert report["rounds_at"] == {"quantum-duel": wanted.rounds}
    assert check(report) == []
    with pytest.raises(Refusal, match="needs more than 1,000,000 rounds"):
        rounds_for(1e-9, [(0.25, 0.15)])


def test_scores_that_can_be_computed_are_exact() -> None:
    for who, score in (("random", 0.00724), ("casual", 0.19745)):
        exact = Baselines(load("quantum-duel")).exact(who, tuple(Seat))
        assert exact == pytest.approx(score, abs=5e-6)


@pytest.mark.proof
def test_a_mixture_that_is_told_takes_the_draws_out() -> None:
    game = load("safecracker-duel")
    baselines, policy = Baselines(game), policy_of(player("expert", game, Random(1)))
    fixtures = Protocol("expert", (game,), rounds=15).fixtures
    rows = [(each.play("expert", "master").record, each.seat) for each in fixtures]
    seats = np.array([seat.index for _, seat in rows])
    told, untold = (
        [baselines.judge(*row, mixtures) for row in rows] for mixtures in (policy, None)
    )
    results = np.array([each.account.result for each in untold])
    with_mixtures, without = (
        adjusted_estimate(seats, results, np.array([each.lucks for each in found]), (1.0, 1.0))
        for found in (told, untold)
    )
    assert with_mixtures.error < without.error < plain_estimate(seats, results).error / 3
    assert with_mixtures.mean == pytest.approx(without.mean, abs=4 * without.error)


EVEN = (1.0, 1.0)
"""A game in which everything can be won from both seats."""


def sample(rng: np.random.Generator, games: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Games of a player who wins three in ten, half of whose variance is luck."""
    seats = np.arange(games) % 2
    luck = rng.choice([-1.0, 1.0], games) * 0.3
    results = (rng.random(games) < 0.3 + luck).astype(float)
    noise = rng.normal(0, 1, games)
    return seats, results, np.stack([luck, noise], axis=1)


def test_intervals_cover_the_truth_as_often_as_they_say() -> None:
    rng = np.random.default_rng(2)
    covered = 0
    for _ in range(300):
        low, high = adjusted_estimate(*sample(rng, 100), EVEN).interval
        covered += low <= 0.3 <= high
    assert 0.92 < covered / 300 < 0.98


def test_luck_is_not_fitted_to_the_games_it_is_taken_from() -> None:
    """With as many columns of noise as games, a fit to all of them would explain every result."""
    rng = np.random.default_rng(3)
    seats, results = np.arange(40) % 2, rng.integers(0, 2, 40).astype(float)
    found = adjusted_estimate(seats, results, rng.normal(0, 1, (40, 30)), EVEN)
    assert found.error > 0.5 * plain_estimate(seats, results).error
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
        mean += chances.prod() * adjusted_estimate(seats, results, lucks[:, None], EVEN).mean
    assert mean == pytest.approx(0.45, abs=1e-12)


def test_results_that_are_all_alike_leave_room_for_a_game_that_was_not_seen() -> None:
    seats, lucks = np.arange(20) % 2, np.random.default_rng(5).normal(0, 1, (20, 2))
    for result in (0.0, 0.5, 1.0):
        found = adjusted_estimate(seats, np.full(20, result), lucks, EVEN)
        assert found.mean == result
        assert found.error == 0.0
        low, high = found.interval
        assert low <= result <= high
        assert 0.1 < high - low < 0.2  # up to three games of twenty


def test_nothing_but_luck_or_none_leaves_no_error_and_both_seats_weigh_the_same() -> None:
    seats, results = np.arange(100) % 2, np.random.default_rng(6).integers(0, 2, 100) / 1
    found = adjusted_estimate(seats, results, (results - 0.4)[:, None], EVEN)
    assert found.mean == pytest.approx(0.4, abs=1e-12)
    assert found.error == 0.0
    seats, results = np.arange(10) % 2, np.tile([1.0, 0.0], 5)
    found = adjusted_estimate(seats, results, np.zeros((10, 1)), EVEN)
    assert found == plain_estimate(seats, results)
    assert (found.mean, found.error) == (0.5, 0.0)
    assert plain_estimate(np.array([0, 0, 0, 1]), np.array([1.0, 1.0, 1.0, 0.0])).mean == 0.5


def test_intervals_contain_their_means_reach_no_further_than_the_scale_and_are_students() -> None:
    for mean in (-0.02, 0.003, 0.997, 1.02):
        found = balance_seats([Sample(50, mean, 0.001), Sample(50, mean, 0.001)])
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


@pytest.mark.proof
@pytest.mark.parametrize("expected", [0.5, 1, 2, 2.7, 4, 8])
def test_intervals_cover_players_whose_losses_are_rare(expected: float) -> None:
    """Whatever the number of expected losses, also where most measurements see none."""
    rng, games = np.random.default_rng(7), 100
    chance, covered = expected / games, 0
    for _ in range(300):
        low, high = adjusted_estimate(*rare(rng, games, chance), (0.5, 0.5)).interval
        covered += low <= 0.5 * (1 - chance) <= high
    assert covered / 300 > 0.93


def test_nobody_is_said_to_win_more_than_a_best_response_but_who_does_is_shown_to() -> None:
    seats, results, lucks = rare(np.random.default_rng(8), 100, 0.0)
    low, high = adjusted_estimate(seats, results, lucks, (0.5, 0.5)).interval
    assert high == 0.5
    assert low == pytest.approx(0.5 - 2.96 * 0.5 / 101, abs=0.001)  # the rule of three
    # Only the side on which something can be missed is wide.
    low, high = balance_seats([Sample(100, 0.45, 0.0001)], Scale([0.0], [0.5])).interval
    assert 0.45 - low > 3 * (high - 0.45)
    seats, lucks = np.arange(100) % 2, np.random.default_rng(10).choice([-0.5, 0.5], (100, 1))
    found = adjusted_estimate(seats, np.ones(100), lucks, (0.5, 0.5))
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
        found, plain = (
            adjusted_estimate(seats, results, lucks, EVEN),
            plain_estimate(seats, results),
        )
        wider += found.error > 1.05 * plain.error
    assert wider < 10
