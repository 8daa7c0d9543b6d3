"""The theory of Quantum Duel: exact values, brute force on small boards, the player as shipped."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from pathlib import Path

import numpy as np
import pytest

from strongroom import load
from strongroom.game import CHANCE, Game, Seat
from strongroom.games import quantum_duel as rules

sys.path.insert(0, str(Path(__file__).parent))
from strongroom.theory import quantum_duel as theory
from strongroom.theory import quantum_duel_proof as proof

HALF = Fraction(1, 2)


def quiet(done: float, words: str) -> None:
    pass


@pytest.fixture(scope="module")
def game() -> Game:
    return load("quantum-duel")


@pytest.fixture(scope="module")
def table(game: Game) -> theory.Table:
    return theory.solve(game, quiet)


def all_states(game: Game) -> Iterator[rules.QuantumDuelState]:
    start = game.start()
    assert isinstance(start, rules.QuantumDuelState)
    seen, todo = set(), [start]
    while todo:
        state = todo.pop(0)
        key = (state.board, state.actor, len(state.log) and _cell(state))
        if state.outcome is None and key not in seen:
            seen.add(key)
            yield state
            todo += [state.play(move) for move in state.moves]


def _cell(state: rules.QuantumDuelState) -> int:
    if state.log[-1].answer != rules.OPEN:
        return 0
    placed = state.log[-1 if state.actor is not CHANCE else -2].move
    assert isinstance(placed, rules.Observe)
    return placed.cell


def after(game: Game, *texts: str) -> rules.QuantumDuelState:
    state = game.start()
    for text in texts:
        state = state.play(game.move(text))
    assert isinstance(state, rules.QuantumDuelState)
    return state


def test_nobody_can_force_a_win_from_the_start(game: Game, table: theory.Table) -> None:
    assert theory.certify(game, table, quiet) == (HALF, HALF)
    start = after(game)
    assert theory.worth(table, start, "one_forces") == 0
    assert theory.worth(table, start, "two_allows") == 1


def test_values_of_positions_are_exact(game: Game, table: theory.Table) -> None:
    values = Counter(theory.worth(table, state) for state in all_states(game))
    assert sum(values.values()) == 10_866
    assert max(value.denominator for value in values) == 72
    # The sides mirror each other, so as many positions are good for one as for the other.
    assert all(values[value] == values[1 - value] for value in values)
    three = after(game, "2", "7", "3", "no", "6", "no", "4", "no")
    assert three.board == "_XXX_OO"
    assert theory.worth(table, three) == Fraction(5, 6)
    assert theory.worth(table, three, "one_forces") == Fraction(2, 3)
    assert theory.worth(table, three, "two_allows") == 1  # O sits on cell 5 and fills the board
    open_four = after(game, "3", "1", "5", "7")
    assert open_four.board == "O_X_X_O"
    assert theory.worth(table, open_four) == Fraction(25, 36)


def test_what_is_forced_brackets_the_value(game: Game, table: theory.Table) -> None:
    for state in all_states(game):
        forced = theory.worth(table, state, "one_forces")
        assert forced <= theory.worth(table, state) <= theory.worth(table, state, "two_allows")


def test_value_iteration_from_both_ends_agrees(game: Game) -> None:
    graph = proof.explore(game)
    near, chance = _arrays(graph)
    one = np.array([actor is Seat.ONE for actor in graph.actors])
    two = np.array([actor is Seat.TWO for actor in graph.actors])
    for endless in (0, 1):
        values = np.full(graph.size + 2, float(endless))
        values[-2:] = 1, 0
        for _ in range(600):
            options = values[near]
            drawn = (chance * options).sum(axis=1)
            decided = np.where(one, options.max(axis=1), options.min(axis=1))
            values[:-2] = np.where(one | two, decided, drawn)
        exact = proof.solve_exactly(graph, Fraction(endless))
        assert np.abs(values - np.array(exact, dtype=float)).max() < 1e-12


def _arrays(graph: proof.Graph) -> tuple[np.ndarray, np.ndarray]:
    """Where each move leads, rows filled up with the first move, and all moves equally likely."""
    widest = max(map(len, graph.after))
    near = np.array([[*row, *[row[0]] * (widest - len(row))] for row in graph.after])
    chance = np.array(
        [[1 / len(row)] * len(row) + [0] * (widest - len(row)) for row in graph.after]
    )
    return near, chance


def test_a_best_response_to_what_policy_plays_gains_nothing(
    game: Game, table: theory.Table
) -> None:
    """Another method: stop each move with a small chance, so that values simply converge."""
    graph = proof.explore(game)
    near, even = _arrays(graph)
    states = {proof.key_of(s.board, s.actor, s.log): s for s in all_states(game) if s.actor}
    exact = np.array([theory.worth(table, states[key]) for key in graph.keys], dtype=float)
    for seat in Seat:
        chance = even.copy()
        mixed = np.array([actor is not seat.other for actor in graph.actors])
        for i, key in enumerate(graph.keys):
            if graph.actors[i] is seat:
                state = states[key]
                played = theory.policy(table, state.view(seat))
                assert sum(played.values()) == 1
                chance[i, : len(state.moves)] = [float(played.get(m, 0)) for m in state.moves]
        stop, values = 1e-3, np.full(graph.size + 2, 0.5)
        values[-2:] = 1, 0
        for _ in range(4_000):
            options = values[near]
            best = options.min(axis=1) if seat is Seat.ONE else options.max(axis=1)
            values[:-2] = stop / 2 + (1 - stop) * np.where(mixed, (chance * options).sum(1), best)
        assert np.abs(values[:-2] - exact).max() < 0.01


def test_hints_and_policy_agree_everywhere(game: Game, table: theory.Table) -> None:
    for state in all_states(game):
        if isinstance(state.actor, Seat):
            view = state.view(state.actor)
            hints = theory.values(table, view)
            assert all(hints[m] == max(hints.values()) for m in theory.policy(table, view))
            assert theory.why(table, view, next(iter(hints))).endswith(".")


def test_a_losing_chain_is_challenged(game: Game, table: theory.Table) -> None:
    state = after(game, "2", "7", "3", "no", "6", "no", "4", "no", "1", "5")
    assert [str(m) for m in theory.policy(table, state.view(Seat.TWO))] == ["yes"]


def test_a_damaged_table_is_refused(game: Game, table: theory.Table) -> None:
    damaged = dict(table)
    damaged["moves"] = np.roll(table["moves"], 1)
    with pytest.raises(ValueError, match="quantum-duel"):
        theory.certify(game, damaged, quiet)


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> Game:
    """Three cells, chains of two: small enough to try every strategy."""
    monkeypatch.setattr(rules, "CELLS", 3)
    monkeypatch.setattr(rules, "CHAINS", ("XX", "OO"))
    monkeypatch.setattr(rules, "INITIAL_BOARD", "___")
    monkeypatch.setattr(rules, "OBSERVATIONS", tuple(map(rules.Observe, (1, 2, 3))))
    return rules.QuantumDuel()


def test_every_strategy_on_a_small_board(small: Game) -> None:
    graph = proof.explore(small)
    exact = np.array(proof.solve_exactly(graph, HALF), dtype=float)
    best = {}
    for seat in Seat:
        mine = [i for i, actor in enumerate(graph.actors) if actor is seat]
        moves = proof.tempting(graph, [Fraction(v).limit_denominator(72) for v in exact], seat)
        theirs = [i for i, actor in enumerate(graph.actors) if actor is seat.other]
        choice = [row[0] if row else 0 for row in moves]
        assert mine
        results = []
        for others in product(*(range(len(graph.after[i])) for i in theirs)):
            for i, m in zip(theirs, others, strict=True):
                choice[i] = m
            results.append(_play_out(graph, choice))
        best[seat] = np.min(results, 0) if seat is Seat.ONE else np.max(results, 0)
    assert np.allclose(best[Seat.ONE], exact, atol=1e-9)
    assert np.allclose(best[Seat.TWO], exact, atol=1e-9)


def _play_out(graph: proof.Graph, choice: list[int]) -> np.ndarray:
    """Exact results of two fixed strategies: where no end is reachable, play is endless."""
    size = graph.size
    step = np.zeros((size + 2, size + 2))
    for i, row in enumerate(graph.after):
        for m, each in enumerate(row):
            step[i, each] += 1 / len(row) if graph.actors[i] is CHANCE else m == choice[i]
    reach = np.linalg.matrix_power(np.eye(size + 2) + (step > 0), size) > 0
    ends = reach[:size, size:].any(axis=1)
    values = np.full(size + 2, 0.5)
    values[-2:] = 1, 0
    live = np.flatnonzero(ends)
    known = np.setdiff1d(np.arange(size + 2), live)
    values[live] = np.linalg.solve(
        np.eye(len(live)) - step[np.ix_(live, live)], step[np.ix_(live, known)] @ values[known]
    )
    return values
