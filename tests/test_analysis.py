from __future__ import annotations

import json
import re

import pytest

from strongroom import load, registry
from strongroom.analysis import Decision, advise, analyze, curve
from strongroom.contract import Refusal, Seat
from strongroom.drive import Drive
from strongroom.games.quantum_duel.rules import Observe
from strongroom.match import Match
from strongroom.players.scripted import ScriptedPlayer
from strongroom.randomness import draws
from strongroom.record import Record


def played(name: str, one: list[str], two: list[str], seed: int = 1) -> Record:
    game = load(name)
    scripts = {Seat.ONE: ScriptedPlayer(game, one), Seat.TWO: ScriptedPlayer(game, two)}
    return Drive(Match.start(game, draw=draws(seed)), scripts).run().record


def decision(before: float, after: float) -> Decision:
    return Decision(1, Seat.ONE, Observe(1), before, after, Observe(2), "", 0.0)


def test_a_hint_takes_the_win_on_offer() -> None:
    state = load("safecracker-duel").start()
    for text in ("3-4-2", "5-5-5", "1 3", "1 2", "1 3", "3 2", "2 3", "2 2"):
        state = state.play(state.game.move(text))
    best = advise(state.view(Seat.ONE))[0]
    assert str(best.move) == "2 4"
    assert best.chance == 1.0


@pytest.mark.parametrize("name", registry.GAMES)
def test_hints_come_best_first_and_each_says_why_in_a_sentence(name: str) -> None:
    state = load(name).start()
    for _ in range(10):
        assert isinstance(state.actor, Seat)
        hints = advise(state.view(state.actor), most=7)
        chances = [round(hint.chance, 9) for hint in hints]
        assert chances == sorted(chances, reverse=True)
        assert all(re.match(r"[A-Z].*\.$", hint.why) for hint in hints)
        state = state.play(hints[-1].move)
        if state.outcome or not isinstance(state.actor, Seat):
            break


def test_letting_four_in_a_row_stand_is_a_blunder() -> None:
    # X takes 2, 3, 4, 5; O never challenges, not even the fourth.
    record = played("quantum-duel", ["3", "4", "5", "no", "2"], ["7", "no", "1", "no", "6", "no"])
    assert record.outcome is not None
    assert record.outcome.winner is Seat.ONE
    last = analyze(record).decisions[-1]
    assert (str(last.move), str(last.best), last.mark) == ("no", "yes", "blunder")
    assert last.after == 0
    assert last.cost == last.before > 0.15


@pytest.mark.parametrize(
    ("before", "after", "mark"),
    [
        (0.5, 0.5, ""),
        (0.5, 0.46, ""),
        (0.5, 0.45, "inaccuracy"),
        (0.5, 0.40, "mistake"),
        (0.5, 0.35, "blunder"),
        (0.04, 0.0, ""),
    ],
)
def test_marks_begin_at_5_10_and_15_points(before: float, after: float, mark: str) -> None:
    assert decision(before, after).mark == mark


def test_nothing_is_marked_in_a_lost_position() -> None:
    assert decision(0.0, 0.0).mark == ""


def test_luck_is_what_the_coin_and_the_answers_did_and_sums_up_to_the_result() -> None:
    record = played("quantum-duel", ["3", "4", "5", "no", "2"], ["7", "no", "1", "no", "6", "no"])
    analysis = analyze(record)
    own = [each for each in analysis.decisions if each.seat is Seat.ONE]
    # Start, less what was given away, plus luck: that is the result, whatever was played.
    end = own[0].before + sum(each.luck - each.cost for each in own)
    assert end == pytest.approx(1.0)


def test_resigning_is_not_bad_luck() -> None:
    record = played("quantum-duel", ["4"], ["1"])
    assert [each.luck for each in analyze(record).decisions] == [0.0, 0.0]


def test_an_unfinished_game_is_not_analyzed() -> None:
    with pytest.raises(Refusal, match="not over"):
        analyze(Match.start(load("quantum-duel")).record)


def test_an_analysis_goes_to_json_with_a_number_for_everything() -> None:
    record = played("quantum-duel", ["3", "4", "5", "no", "2"], ["7", "no", "1", "no", "6", "no"])
    data = json.loads(json.dumps(analyze(record).to_json()))
    assert data["game"] == "quantum-duel"
    assert data["outcome"]["winner"] == 1
    assert len(data["decisions"]) == 11
    costs = [sum(d["cost"] for d in data["decisions"] if d["seat"] == s) for s in (1, 2)]
    assert [seat["cost"] for seat in data["seats"]] == pytest.approx(costs, abs=1e-5)


def test_the_curve_ends_at_the_result() -> None:
    record = played("quantum-duel", ["3", "4", "5", "no", "2"], ["7", "no", "1", "no", "6", "no"])
    points = curve(analyze(record))
    assert points[0] == (1, 0.5)
    assert points[-1] == (len(record.steps) + 1, 1.0)
