"""The value of Safecracker Duel, found in several ways."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from strongroom.contract import Seat
from strongroom.games.safecracker_duel.rules import (
    SafecrackerDuel,
    SafecrackerDuelOptions,
    SafecrackerDuelState,
)
from strongroom.theory.safecracker_duel.board import Dial
from strongroom.theory.safecracker_duel.solution import SafecrackerDuelSolution
from strongroom.theory.shelf import fingerprint, read

VALUE = Fraction(8752, 15553)


@pytest.mark.proof
@pytest.mark.parametrize(("same", "value"), [(False, "8752/15553"), (True, "302876/533811")])
def test_both_readings_of_changing_a_digit_are_solved_to_the_shipped_tables(
    same: bool, value: str
) -> None:
    game, words = SafecrackerDuel(SafecrackerDuelOptions(allow_same_digit=same)), [""]
    table = SafecrackerDuelSolution.solve(game, lambda done, each: words.append(each))
    assert words[-1] == f"value {value}"
    assert fingerprint(table) == fingerprint(read(game)[0])


@pytest.mark.proof
def test_a_linear_programme_without_symmetry_has_the_same_value(game: SafecrackerDuel) -> None:
    optimize = pytest.importorskip("scipy.optimize")
    sparse = pytest.importorskip("scipy.sparse")
    dial = Dial.of(game)
    columns: dict[Hashable, int] = {}
    less: list[dict[int, float]] = []
    equal: list[dict[int, float]] = []

    def at(*key: int | str) -> int:
        return columns.setdefault(key, len(columns))

    codes, firsts = range(len(dial.codes)), dial.near[dial.home].tolist()
    for s1 in firsts:
        everyone = {at("q", s1, c): 1.0 for c in codes if c != s1}
        equal.append({**everyone, at("m", s1): -1})
        for s2 in dial.near[s1].tolist():
            turns = {s3: at("y", s1, s2, s3) for s3 in dial.near[s2].tolist()}
            near = [at("q", s1, c) for c in codes if c != s1 and dial.ball[s2, c]]
            equal.append({at("m", s1): -1, **dict.fromkeys([*near, *turns.values()], 1.0)})
            for c2 in (c for c in codes if c not in (s1, s2)):
                holds = {y: -0.5 for s3, y in turns.items() if not dial.ball[s3, c2]}
                less.append({at("v", s1, c2): 1, **dict.fromkeys(near, -1.0), **holds})
    equal.append({at("m", s1): 1.0 for s1 in firsts})
    less += [{at("V"): 1, **{at("v", s, c): -1.0 for s in firsts if s != c}} for c in codes]

    def matrix(rows: list[dict[int, float]]) -> Any:
        entries = [(i, j, x) for i, row in enumerate(rows) for j, x in row.items()]
        i, j, x = zip(*entries, strict=True)
        return sparse.csr_matrix((x, (i, j)), shape=(len(rows), len(columns)))

    goal = np.zeros(len(columns))
    goal[at("V")] = -1
    found = optimize.linprog(
        goal,
        A_ub=matrix(less),
        b_ub=np.zeros(len(less)),
        A_eq=matrix(equal),
        b_eq=[0.0] * (len(equal) - 1) + [1.0],
        method="highs-ipm",
    )
    assert found.fun == pytest.approx(-float(VALUE), abs=1e-9)


def sequence_form_value(game: SafecrackerDuel, horizon: int) -> float:
    """The value by brute force: every code, every turn, and 1/2 for games open at the horizon."""
    optimize = pytest.importorskip("scipy.optimize")
    sparse = pytest.importorskip("scipy.sparse")
    plans: tuple[dict[Hashable, int], ...] = ({(): 0}, {(): 0})
    asked: tuple[dict[Hashable, set[int]], ...] = ({}, {})
    parents: tuple[dict[Hashable, int], ...] = ({}, {})
    payoff: dict[tuple[int, int], float] = defaultdict(float)

    def grow(state: SafecrackerDuelState, last: tuple[int, int]) -> None:
        if state.outcome or state.turns == horizon:
            won = 0.5 if not state.outcome else float(state.outcome.winner is Seat.ONE)
            payoff[last] += won
            return
        assert isinstance(state.actor, Seat)
        me = state.actor.index
        knows = (state.secrets[me], state.log)
        parents[me][knows] = last[me]
        for move in state.moves:
            plan = plans[me].setdefault((knows, move), len(plans[me]))
            asked[me].setdefault(knows, set()).add(plan)
            grow(state.play(move), (plan, last[1]) if me == 0 else (last[0], plan))

    grow(game.start(), (0, 0))
    # Seat.ONE maximises the root value of TWO's dual: E'v <= A'x, F x = f.
    n, m, k = len(plans[0]), len(plans[1]), len(asked[1]) + 1
    flow = sparse.lil_matrix((len(asked[0]) + 1, n + k))
    flow[0, 0] = 1
    for row, (knows, moves) in enumerate(asked[0].items(), 1):
        flow[row, parents[0][knows]] = -1
        for plan in moves:
            flow[row, plan] = 1
    less = sparse.lil_matrix((m, n + k))
    less[0, n] = 1
    for row, (knows, moves) in enumerate(asked[1].items(), n + 1):
        less[parents[1][knows], row] = -1
        for plan in moves:
            less[plan, row] = 1
    for (mine, theirs), won in payoff.items():
        less[theirs, mine] = -won
    goal = np.zeros(n + k)
    goal[n] = -1
    found = optimize.linprog(
        goal,
        A_ub=less.tocsr(),
        b_ub=np.zeros(m),
        A_eq=flow.tocsr(),
        b_eq=[1.0] + [0.0] * len(asked[0]),
        bounds=[(0, None)] * n + [(None, None)] * k,
        method="highs",
    )
    return -float(found.fun)


@pytest.mark.parametrize(
    ("length", "highest", "horizons"),
    [
        (2, 2, (4, 5, 6, 7)),
        (2, 3, (4, 5)),
        (3, 2, (4, 5, 6)),
        pytest.param(2, 4, (4,), marks=pytest.mark.proof),
    ],
)
def test_smaller_games_agree_with_brute_force_at_any_horizon(
    resized: Callable[..., SafecrackerDuel], length: int, highest: int, horizons: tuple[int, ...]
) -> None:
    game = resized(length, highest)
    words: list[str] = []
    SafecrackerDuelSolution.solve(game, lambda done, each: words.append(each))
    value = Fraction(words[-1].removeprefix("value "))
    for horizon in horizons:
        assert sequence_form_value(game, horizon) == pytest.approx(float(value), abs=1e-8)
