"""What share of a set the rungs of the ladder solve."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from strongroom import load
from strongroom.contract import Seat
from strongroom.games.quantum_duel.rules import Observe
from strongroom.puzzles.ladder import LADDER, asks_yes_or_no, misses, rules_of, shares

if TYPE_CHECKING:
    from tests.puzzles.conftest import Found


def test_every_simple_rule_solves_a_small_share_of_a_set(found: Found) -> None:
    every = [(each.view, each.costs) for some in found.values() for each in some]
    shown = shares(every)
    simple = {name: share for name, share in shown.items() if name not in LADDER}
    assert max(simple, key=lambda name: simple[name]) == "any legal move"
    assert simple["any legal move"] < 0.3
    assert simple["any secret that fits"] < 0.15
    assert simple["the likeliest secret"] < 0.05
    assert simple["casual"] < 0.25
    assert 0.5 < shown["expert"] < 0.9


def test_a_share_is_the_mean_over_what_a_rule_may_choose() -> None:
    view = load("quantum-duel").start().view(Seat.ONE)
    costs = {move: float(move != Observe(4)) for move in view.moves}
    shown = shares([(view, costs)])
    assert shown["any legal move"] == pytest.approx(1 / 7)
    assert shown["the cell nearest the middle"] == 1
    assert "the likeliest secret" not in shown


def test_a_rule_that_is_right_half_of_the_time_misses() -> None:
    view = load("quantum-duel").start().view(Seat.ONE)
    rule = rules_of(load("quantum-duel"))["any legal move"]
    half = {move: float(move not in view.moves[:3]) for move in view.moves}
    most = {move: float(move not in view.moves[:4]) for move in view.moves}
    assert misses(rule, view, half)
    assert not misses(rule, view, most)


def test_a_challenge_is_a_yes_or_no_question() -> None:
    state = load("quantum-duel").start()
    assert not asks_yes_or_no(state.view(Seat.ONE))
    state = state.play(Observe(4)).play(Observe(1)).play(Observe(5))
    assert asks_yes_or_no(state.view(Seat.TWO))
