"""The theory of Quantum Duel: exact values, brute force on small boards, the shipped player."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable
from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from strongroom import load
from strongroom.contract import CHANCE, Game, Seat, View
from strongroom.games.quantum_duel import rules
from strongroom.theory.certificate import certify, recompute
from strongroom.theory.quantum_duel import proof, solver
from strongroom.theory.quantum_duel.board import PositionGraph, explore, position_of
from strongroom.theory.quantum_duel.solution import QuantumDuelSolution
from strongroom.theory.shelf import fingerprint, read
from strongroom.theory.solution import NotProved, Table
from tests.theory.conftest import Proved, quiet

HALF = Fraction(1, 2)


@pytest.fixture(scope="module")
def game() -> Game:
    return load("quantum-duel")


@pytest.fixture(scope="module")
def solution(game: Game) -> QuantumDuelSolution:
    """The shipped solution."""
    return QuantumDuelSolution(game, read(game)[0])


@pytest.fixture(scope="module")
def graph(game: Game) -> PositionGraph:
    return explore(game)


@pytest.fixture
def _walked_once(graph: PositionGraph, monkeypatch: pytest.MonkeyPatch) -> None:
    """Share the explored positions, which are the same for the proofs of all tables."""
    monkeypatch.setattr(proof, "explore", lambda game: graph)


def worth(
    solution: QuantumDuelSolution, state: rules.QuantumDuelState, name: str = "value"
) -> Fraction:
    return solution.tablebase.worth_of(state.view(None), name)


@pytest.fixture(scope="module")
def states(game: Game) -> list[rules.QuantumDuelState]:
    """A state for every reachable position."""
    start = game.start()
    assert isinstance(start, rules.QuantumDuelState)
    found, seen, todo = [], set(), deque([start])
    while todo:
        state = todo.popleft()
        key = (state.board, state.actor, len(state.log) and _cell(state))
        if state.outcome is None and key not in seen:
            seen.add(key)
            found.append(state)
            todo += [state.play(move) for move in state.moves]
    return found


def _cell(state: rules.QuantumDuelState) -> int:
    if state.log[-1].answer is not rules.OPEN:
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


def board(drawn: str) -> rules.Board:
    return tuple({"X": Seat.ONE, "O": Seat.TWO, "_": None}[symbol] for symbol in drawn)


def test_nobody_can_force_a_win_from_the_start(
    game: Game, solution: QuantumDuelSolution, proved: Proved
) -> None:
    assert proved(solution) == (HALF, HALF)
    start = after(game)
    assert worth(solution, start, "one_forces") == 0
    assert worth(solution, start, "two_allows") == 1


def test_values_of_positions_are_exact(
    game: Game, solution: QuantumDuelSolution, states: list[rules.QuantumDuelState]
) -> None:
    values = Counter(worth(solution, state) for state in states)
    assert sum(values.values()) == 10_866
    assert max(value.denominator for value in values) == 72
    # The sides mirror each other, so equally many positions are good for each.
    assert all(values[value] == values[1 - value] for value in values)
    three = after(game, "2", "7", "3", "no", "6", "no", "4", "no")
    assert three.board == board("_XXX_OO")
    assert worth(solution, three) == Fraction(5, 6)
    assert worth(solution, three, "one_forces") == Fraction(2, 3)
    assert worth(solution, three, "two_allows") == 1  # O sits on cell 5 and fills the board
    open_four = after(game, "3", "1", "5", "7")
    assert open_four.board == board("O_X_X_O")
    assert worth(solution, open_four) == Fraction(25, 36)


def test_everywhere_hints_and_policy_agree_and_what_each_side_can_force_brackets_the_value(
    game: Game, states: list[rules.QuantumDuelState], solution: QuantumDuelSolution
) -> None:
    for state in states:
        forced = worth(solution, state, "one_forces")
        assert forced <= worth(solution, state) <= worth(solution, state, "two_allows")
        if isinstance(state.actor, Seat):
            view = state.view(state.actor)
            hints = solution.values(view)
            assert all(hints[m] == max(hints.values()) for m in solution.policy(view))
            assert solution.why(view, next(iter(hints))).endswith(".")
    losing = after(game, "2", "7", "3", "no", "6", "no", "4", "no", "1", "5")
    assert [str(m) for m in solution.policy(losing.view(Seat.TWO))] == ["yes"]


def in_row(solution: QuantumDuelSolution, view: View, chosen: int) -> np.ndarray:
    """The moves of the table with others, as bits, in this view."""
    moves = solution.table["moves"].copy()
    moves[solution.table["keys"].tolist().index(position_of(view).key)] = chosen
    return moves


@pytest.mark.proof
@pytest.mark.usefixtures("_walked_once")
def test_a_spoiled_table_is_found_out(
    game: Game, solution: QuantumDuelSolution, subtests: pytest.Subtests
) -> None:
    table = solution.table
    fourth = after(game, "2", "7", "3", "no", "6", "no", "4", "no", "1", "5").view(Seat.TWO)
    assert [str(move) for move in fourth.moves] == ["yes", "no"]
    no_move = table["moves"].copy()
    no_move[100] = 0
    wrong: dict[str, Table] = {
        "another strategy": {"moves": np.roll(table["moves"], 1)},
        "letting the fourth symbol stand, one bit": {"moves": in_row(solution, fourth, 3)},
        "a position without a move": {"moves": no_move},
        "Player 1 wins everywhere": {"value": np.ones_like(table["value"])},
    }
    for name, arrays in wrong.items():
        with subtests.test(name), pytest.raises(NotProved, match="does not hold"):
            certify(QuantumDuelSolution(game, {**table, **arrays}), quiet)
    for name in ("keys", "moves", "value", "one_forces", "two_allows"):
        with subtests.test(f"too few {name}"), pytest.raises(NotProved):
            certify(QuantumDuelSolution(game, {**table, name: table[name][:-1]}), quiet)
    without = {key: array for key, array in table.items() if key != "moves"}
    with subtests.test("without moves"), pytest.raises(NotProved):
        certify(QuantumDuelSolution(game, without), quiet)


@pytest.mark.usefixtures("_walked_once")
def test_another_good_strategy_is_proved_too(game: Game, solution: QuantumDuelSolution) -> None:
    """All seven first cells are worth one half, whichever of them the table marks."""
    view = game.start().view(Seat.ONE)
    table = {**solution.table, "moves": in_row(solution, view, 0b1001001)}
    other = QuantumDuelSolution(game, table)
    assert [str(move) for move in other.policy(view)] == ["1", "4", "7"]
    told: list[float] = []
    certificate = certify(other, lambda done, words: told.append(done))
    assert (certificate.lower, certificate.upper) == (HALF, HALF)
    assert told == sorted(told)
    assert (told[0], told[-1]) == (0, 1)


Shortened = Callable[[int, int], Game]


@pytest.fixture
def shortened(monkeypatch: pytest.MonkeyPatch) -> Shortened:
    """Makes the game with fewer cells and shorter chains."""

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


def test_no_strategy_beats_the_exact_values_on_a_small_board(shortened: Shortened) -> None:
    graph = explore(shortened(3, 2))  # small enough to try every strategy
    exact = np.array(solver.solve_exactly(graph, HALF), dtype=float)
    best = {}
    for seat in Seat:
        mine = [i for i, actor in enumerate(graph.actors) if actor is seat]
        moves = solver.tempting(graph, [Fraction(v).limit_denominator(72) for v in exact], seat)
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


def _play_out(graph: PositionGraph, choice: list[int]) -> np.ndarray:
    """Exact results of two fixed strategies; play that cannot reach an end counts one half."""
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
