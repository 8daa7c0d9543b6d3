"""The theory of Quantum Duel: exact values, brute force on small boards, the shipped player."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cache, partial
from typing import Any
from unittest.mock import Mock

import numpy as np
import pytest

from strongroom.contract import AnyState, Game, Seat
from strongroom.games.quantum_duel import rules
from strongroom.games.quantum_duel.rules import QuantumDuel
from strongroom.testing import perft
from strongroom.theory.certificate import certify, recompute
from strongroom.theory.quantum_duel import proof
from strongroom.theory.quantum_duel.player import PositionGraph, explore, graph_of, position_of
from strongroom.theory.quantum_duel.proof import guaranteed
from strongroom.theory.quantum_duel.solution import QuantumDuelSolution
from strongroom.theory.shelf import fingerprint, read
from strongroom.theory.solution import NotProved, Table
from tests.theory.progress import quiet

HALF = Fraction(1, 2)
GAME = QuantumDuel()
SOLUTION = QuantumDuelSolution(GAME, read(GAME)[0])
after = partial(perft.after, GAME.name)


def worth(state: AnyState, name: str = "value") -> Fraction:
    return SOLUTION.tablebase.worth_of(state.view(None), name)


def states() -> Iterator[rules.QuantumDuelState]:
    graph = graph_of(GAME)
    yield from map(graph.state, graph.positions)


def board(drawn: str) -> rules.Board:
    return tuple({"X": Seat.ONE, "O": Seat.TWO, "_": None}[symbol] for symbol in drawn)


@pytest.mark.proof
def test_values_are_exact_and_nobody_can_force_a_win_from_the_start() -> None:
    values = Counter(map(worth, states()))
    assert sum(values.values()) == 10_866
    assert max(value.denominator for value in values) == 72
    # The sides mirror each other, so equally many positions are good for each.
    assert all(values[value] == values[1 - value] for value in values)
    three = after("2", "7", "3", "no", "6", "no", "4", "no")
    assert three.board == board("_XXX_OO")
    assert worth(three) == Fraction(5, 6)
    assert worth(three, "one_forces") == Fraction(2, 3)
    assert worth(three, "two_allows") == 1  # O sits on cell 5 and fills the board
    open_four = after("3", "1", "5", "7")
    assert open_four.board == board("O_X_X_O")
    assert worth(open_four) == Fraction(25, 36)
    assert SOLUTION.certify(quiet) == (HALF, HALF)
    start = after()
    assert worth(start, "one_forces") == 0
    assert worth(start, "two_allows") == 1


@pytest.mark.proof
def test_hints_and_policy_agree_and_what_each_side_can_force_brackets_the_value() -> None:
    for state in states():
        forced = worth(state, "one_forces")
        assert forced <= worth(state) <= worth(state, "two_allows")
        if isinstance(state.actor, Seat):
            view = state.view(state.actor)
            hints = SOLUTION.worth.judge(view).moves
            assert all(hints[m] == max(hints.values()) for m in SOLUTION.policy(view))
            assert SOLUTION.effect(view, next(iter(hints))).why.endswith(".")
    losing = after("2", "7", "3", "no", "6", "no", "4", "no", "1", "5")
    assert [str(m) for m in SOLUTION.policy(losing.view(Seat.TWO))] == ["yes"]
    assert [SOLUTION.effect(losing.view(Seat.TWO), move).why for move in losing.moves] == [
        "Tails takes the four in a row back; it wins 17%.",
        "Letting it stand loses at once; it wins 0%.",
    ]


@pytest.mark.proof
def test_a_spoiled_table_is_found_out(
    subtests: pytest.Subtests, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(proof, "explore", cache(explore))  # the same for the proofs of all tables
    table = SOLUTION.table
    fourth = after("2", "7", "3", "no", "6", "no", "4", "no", "1", "5").view(Seat.TWO)
    assert [str(move) for move in fourth.moves] == ["yes", "no"]
    either, no_move = table["moves"].copy(), table["moves"].copy()
    either[table["keys"].tolist().index(position_of(fourth).key)] = 3  # as bits
    no_move[100] = 0
    wrong: dict[str, Table] = {
        "another strategy": {"moves": np.roll(table["moves"], 1)},
        "letting the fourth symbol stand, one bit": {"moves": either},
        "a position without a move": {"moves": no_move},
        "Player 1 wins everywhere": {"value": np.ones_like(table["value"])},
    }
    for name, arrays in wrong.items():
        with subtests.test(name), pytest.raises(NotProved, match="does not hold"):
            certify(QuantumDuelSolution(GAME, {**table, **arrays}), quiet)
    for name in ("keys", "moves", "value", "one_forces", "two_allows"):
        with subtests.test(f"too few {name}"), pytest.raises(NotProved):
            certify(QuantumDuelSolution(GAME, {**table, name: table[name][:-1]}), quiet)
    without = {key: array for key, array in table.items() if key != "moves"}
    with subtests.test("without moves"), pytest.raises(NotProved):
        certify(QuantumDuelSolution(GAME, without), quiet)


def test_moves_that_keep_a_win_in_reach_for_ever_guarantee_nothing() -> None:
    actors: Any = [Mock(actor=Seat.ONE), Mock(actor=Seat.TWO)]
    graph = PositionGraph(GAME, actors, [(1, 2), (0,)])  # go round once more, or win
    values = [*map(Fraction, (1, 1, 1, 0))]
    for chosen, holds in ((0, False), (1, True)):
        assert guaranteed(graph, values, Seat.ONE, [(chosen,), (0,)], HALF) is holds


Shortened = Callable[[int, int], Game]


@pytest.fixture
def shortened(monkeypatch: pytest.MonkeyPatch) -> Shortened:
    def made(cells: int, chain: int) -> Game:
        monkeypatch.setattr(rules, "CELLS", cells)
        monkeypatch.setattr(rules, "CHAIN", chain)
        monkeypatch.setattr(rules, "INITIAL_BOARD", board("_" * cells))
        monkeypatch.setattr(rules, "OBSERVATIONS", rules.OBSERVATIONS[:cells])
        return rules.QuantumDuel()

    return made


def test_a_table_computed_from_scratch_is_proved_and_always_the_same(shortened: Shortened) -> None:
    """At full size `proofs/solutions.py` finds the shipped table."""
    game = shortened(5, 3)
    table = recompute(game, quiet)
    certificate = certify(QuantumDuelSolution(game, table), quiet)
    assert (certificate.lower, certificate.upper) == (HALF, HALF)
    assert fingerprint(table).startswith("5c99c0c42846da6c")
