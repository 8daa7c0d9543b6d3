from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Hashable, Iterator
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import pytest

from strongroom.game import Move, Seat
from strongroom.games import safecracker_duel as rules
from strongroom.games.codes import Code, CodeSpace
from strongroom.games.safecracker_duel import (
    SafecrackerDuel,
    SafecrackerDuelOptions,
    SafecrackerDuelState,
)
from strongroom.theory import safecracker_duel as theory
from strongroom.theory.rational_programme import Programme

VALUE = Fraction(8752, 15553)
HALF, SURE = Fraction(1, 2), Fraction(1)


def quiet(done: float, words: str) -> None:
    assert 0 <= done <= 1
    assert words


@pytest.fixture(scope="module")
def game() -> SafecrackerDuel:
    return SafecrackerDuel()


@pytest.fixture(scope="module")
def table(game: SafecrackerDuel) -> theory.Table:
    return theory.solve(game, quiet)


def resize(
    patch: pytest.MonkeyPatch, length: int, highest: int, same: bool = False
) -> SafecrackerDuel:
    """The same rules with shorter codes or fewer digits."""
    codes = CodeSpace(length=length, highest=highest)
    patch.setattr(rules, "CODES", codes)
    patch.setattr(rules, "INITIAL_SAFE", Code((1,) * length))
    changes = product(range(1, length + 1), range(1, highest + 1))
    patch.setattr(rules, "CHANGES", tuple(rules.Change(*each) for each in changes))
    theory.dial_of.cache_clear()
    return SafecrackerDuel(SafecrackerDuelOptions(allow_same_digit=same))


@pytest.fixture
def patch() -> Iterator[pytest.MonkeyPatch]:
    with pytest.MonkeyPatch.context() as patch:
        yield patch
    theory.dial_of.cache_clear()


# --- the value ---


def test_both_strategies_are_certified_to_the_same_fraction(
    game: SafecrackerDuel, table: theory.Table
) -> None:
    assert theory.certify(game, table, quiet) == (VALUE, VALUE)


def test_the_other_reading_of_changing_a_digit_is_solved_too() -> None:
    game, words = SafecrackerDuel(SafecrackerDuelOptions(allow_same_digit=True)), [""]
    theory.solve(game, lambda done, each: words.append(each))
    assert words[-1] == "value 302876/533811"


def test_uniform_play_is_certified_lower(patch: pytest.MonkeyPatch) -> None:
    game = resize(patch, 3, 3)
    table = theory.solve(game, quiet)
    (value, _) = theory.certify(game, table, quiet)
    uniform = {name: (weights > 0).astype(np.int64) for name, weights in table.items()}
    lower, upper = theory.certify(game, uniform, quiet)
    assert lower < value < upper


def test_the_programme_solves_goals_in_order() -> None:
    programme = Programme()
    programme.at_most(4, [("x", 1), ("y", 2)])
    programme.at_most(3, [("x", 3), ("y", 1)])
    assert programme.solve({"x": 1}, {"y": 1}) == {"x": 1, "y": 0}
    assert programme.solve({"x": 1, "y": 1}) == {"x": Fraction(2, 5), "y": Fraction(9, 5)}


def test_a_linear_programme_without_symmetry_has_the_same_value(game: SafecrackerDuel) -> None:
    optimize = pytest.importorskip("scipy.optimize")
    sparse = pytest.importorskip("scipy.sparse")
    dial = theory.dial_of(game)
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
    """The value by brute force: every code, every turn, 1/2 for what is open at the horizon."""
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
    [(2, 2, (4, 5, 6, 7)), (2, 3, (4, 5)), (3, 2, (4, 5, 6)), (2, 4, (4,))],
)
def test_smaller_games_agree_with_brute_force_however_long_they_last(
    patch: pytest.MonkeyPatch, length: int, highest: int, horizons: tuple[int, ...]
) -> None:
    game = resize(patch, length, highest)
    words: list[str] = []
    theory.solve(game, lambda done, each: words.append(each))
    value = Fraction(words[-1].removeprefix("value "))
    for horizon in horizons:
        assert sequence_form_value(game, horizon) == pytest.approx(float(value), abs=1e-8)


@pytest.mark.parametrize(("length", "highest"), [(2, 3), (2, 5), (3, 3)])
@pytest.mark.parametrize("same", [False, True])
def test_smaller_games_are_certified_in_both_readings(
    patch: pytest.MonkeyPatch, length: int, highest: int, same: bool
) -> None:
    game = resize(patch, length, highest, same)
    lower, upper = theory.certify(game, theory.solve(game, quiet), quiet)
    assert lower == upper


# --- what is certified is what is played ---


def mixture(table: theory.Table, state: SafecrackerDuelState) -> dict[Move, Fraction]:
    assert isinstance(state.actor, Seat)
    return theory.policy(table, state.view(state.actor))


def late(table: theory.Table, state: SafecrackerDuelState, me: Seat) -> Fraction:
    """What a responder to move gets in the end, walking the real game against `policy`."""
    seen: set[object] = set()
    safe_for_ever = False
    waiting = [state]
    while waiting:
        here = waiting.pop()
        for move in here.moves:
            after = here.play(move)
            if not after.outcome:
                ((answer, chance),) = mixture(table, after).items()
                assert chance == 1
                after = after.play(answer)
            if after.outcome and after.outcome.winner is me:
                return SURE
            if not after.outcome:
                safe_for_ever |= after.board in seen or after.board == here.board
                if after.board not in seen | {here.board}:
                    waiting.append(after)
        seen.add(here.board)
    return HALF if safe_for_ever else Fraction(0)


def result(state: SafecrackerDuelState, me: Seat) -> Fraction | None:
    return None if not state.outcome else Fraction(state.outcome.winner is me)


@pytest.mark.parametrize("text", ["1-1-1", "1-1-3", "2-1-4", "4-2-5"])
def test_a_responder_in_seat_two_gets_the_value_by_walking_the_real_game(
    game: SafecrackerDuel, table: theory.Table, text: str
) -> None:
    opening = game.start()
    gains: dict[Move, dict[Move, Fraction]] = defaultdict(lambda: defaultdict(Fraction))
    handed = Fraction(0)
    for code, p in mixture(table, opening).items():
        state = opening.play(code).play(game.move(text))
        for first, q in mixture(table, state).items():
            second = state.play(first)
            if second.outcome:
                handed += p * q
                continue
            for answer in second.moves:
                third = second.play(answer)
                gain = result(third, Seat.TWO)
                if gain is None:
                    gain = Fraction(0)
                    for move, r in mixture(table, third).items():
                        fourth = third.play(move)
                        over = result(fourth, Seat.TWO)
                        gain += r * (late(table, fourth, Seat.TWO) if over is None else over)
                gains[first][answer] += p * q * gain
    assert handed + sum(max(each.values()) for each in gains.values()) == 1 - VALUE


@pytest.mark.parametrize("text", ["2-2-1"])
def test_a_responder_in_seat_one_gets_the_value_by_walking_the_real_game(
    game: SafecrackerDuel, table: theory.Table, text: str
) -> None:
    opening = game.start().play(game.move(text))
    best = Fraction(0)
    for first in opening.play(game.move("1-1-1")).moves:
        total = Fraction(0)
        options: dict[Move, dict[Move, Fraction]] = defaultdict(lambda: defaultdict(Fraction))
        for code, p in mixture(table, opening).items():
            second = opening.play(code).play(first)
            if second.outcome:
                continue
            for answer, q in mixture(table, second).items():
                third = second.play(answer)
                if third.outcome:
                    total += p * q * (third.outcome.winner is Seat.ONE)
                    continue
                for move in third.moves:
                    after = third.play(move)
                    if not after.outcome:
                        ((reply, _),) = mixture(table, after).items()
                        after = after.play(reply)
                    over = result(after, Seat.ONE)
                    gain = late(table, after, Seat.ONE) if over is None else over
                    options[answer][move] += p * q * gain
        best = max(best, total + sum(max(each.values()) for each in options.values()))
    assert best == VALUE


def test_every_view_has_a_policy_whatever_either_side_did(
    game: SafecrackerDuel, table: theory.Table
) -> None:
    dice = random.Random(7)
    for _ in range(150):
        state = game.start()
        while isinstance(state.actor, Seat) and state.turns < 12:
            view = state.view(state.actor)
            chances = theory.policy(table, view)
            assert sum(chances.values()) == 1
            assert set(chances) <= set(view.moves)
            assert theory.policy(table, state.view(state.actor.other)) == {}
            worth = theory.values(table, view)
            assert list(worth) == list(view.moves)
            assert all(-1e-12 <= each <= 1 + 1e-12 for each in worth.values())
            move = dice.choice(view.moves)
            assert theory.why(table, view, move).endswith(".")
            state = state.play(move)


def test_a_win_on_offer_is_always_taken_and_otherwise_the_safe_is_changed_back(
    game: SafecrackerDuel, table: theory.Table
) -> None:
    dice, wins = random.Random(11), 0
    for _ in range(400):
        state, boards = game.start(), []
        while isinstance(state.actor, Seat) and state.turns < 12:
            boards.append(state.board)
            if not state.setting_up and state.turns >= 2:
                own = state.secrets[state.actor.index][0]
                chances = mixture(table, state)
                shows = {str(move.applied_to(state.board)) for move in chances}  # type: ignore[attr-defined]
                winning = [m for m in state.moves if m.applied_to(state.board) == own]  # type: ignore[attr-defined]
                wins += len(winning)
                if winning:
                    assert chances == {winning[0]: 1}
                elif state.turns >= 3:
                    assert shows == {str(boards[-2])}
            state = state.play(dice.choice(state.moves))
    assert wins > 50


# --- hints ---


def test_the_first_hints_are_the_value_itself(game: SafecrackerDuel, table: theory.Table) -> None:
    state = game.start()
    one = theory.values(table, state.view(Seat.ONE))
    assert max(one.values()) == pytest.approx(float(VALUE))
    assert one[game.move("3-4-5")] < float(VALUE) - 0.09
    two = theory.values(table, state.play(game.move("1-1-1")).view(Seat.TWO))
    assert list(two.values()) == pytest.approx([1 - float(VALUE)] * 125)


def test_the_certified_player_plays_only_moves_of_the_highest_value(
    game: SafecrackerDuel, table: theory.Table
) -> None:
    dice = random.Random(3)
    for _ in range(300):
        state = game.start()
        while isinstance(state.actor, Seat) and state.turns < 6:
            worth = theory.values(table, state.view(state.actor))
            chances = mixture(table, state)
            for move in chances:
                assert worth[move] == pytest.approx(max(worth.values()), abs=1e-9)
            state = state.play(dice.choices(list(chances), [float(p) for p in chances.values()])[0])
