"""How the strategies of Safecracker Duel were found: one linear programme per seat, solved exactly.

After the third turn a game is won at once or worth 1/2. What remains is small: two codes, turns
one to three, and a win for the player whose code is one change away.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Sequence
from fractions import Fraction
from math import gcd, lcm

import numpy as np

from strongroom.theory.safecracker_duel.player import Dial
from strongroom.theory.safecracker_duel.worth import DuelWorth, TableStrategy
from strongroom.theory.solution import Floats, Ints, Report, Table
from strongroom.theory.solvers.linear_programmes import ExactProgramme

# How often, in tenths, restoring the safe at this distance from one's own code eventually beats a
# careless opponent, who takes a win but otherwise turns at random; at three digits, never.
_LURE = {1: 10, 2: 9}


def _solve_one(dial: Dial) -> dict[Hashable, Fraction]:
    """Seat.ONE's optimal weights of code and first turn (q) and of second turn (x)."""
    lp, done, hope = ExactProgramme(), set[Hashable](), defaultdict[Hashable, int](int)
    codes, near, ball = range(len(dial.codes)), dial.near.tolist(), dial.ball
    spared = (~ball).sum(axis=1).tolist()  # by safe, the codes that are not in its reach
    starts = [(s1, c) for s1 in near[dial.home] for c in codes if c != s1]
    lp.at_most(1, [(("q", dial.shape(s1, c)), 1) for s1, c in starts])
    kinds = defaultdict(list)
    for c in codes:
        kinds[dial.shape(c)].append(c)
    for kind in kinds.values():
        gains = [(("v", dial.shape(s1, c)), -1) for s1, c in starts if c in kind]
        lp.at_most(0, [("value", len(kind)), *gains])
    for s1 in near[dial.home]:
        for s2 in near[s1]:
            wins = [(("q", dial.shape(s1, c)), 1) for c in codes if ball[s2, c] and c != s1]
            for key, _ in wins:
                hope[key] += 20 * len(codes)
            seconds = defaultdict(list)
            for c1 in (c for c in codes if not ball[s2, c] and c != s1):
                turns = [(("x", dial.shape(s1, c1, s2, s3)), s3) for s3 in near[s2]]
                for key, s3 in turns:
                    seconds[s3].append(key)
                    hope[key] += spared[s3] * (10 + _LURE.get(dial.far[s3, c1], 0))
                if (seen := dial.shape(s1, c1, s2)) not in done:
                    done.add(seen)
                    mass = ("q", dial.shape(s1, c1))
                    lp.at_most(0, [(mass, -1), *((key, 1) for key, _ in turns)])
            # Seat.TWO sees s1 and answers with the s2 that minimises v, what Seat.ONE gets.
            for c2 in (c for c in codes if c not in (s1, s2)):
                if ("v", seen := dial.shape(s1, c2, s2)) not in done:
                    done.add(("v", seen))
                    holds = [(k, -1) for s3 in seconds if not ball[s3, c2] for k in seconds[s3]]
                    won = [(key, -2 * weight) for key, weight in wins]
                    lp.at_most(0, [(("v", dial.shape(s1, c2)), 2), *won, *holds])
    return lp.solve({"value": 1}, hope)


def _solve_two(dial: Dial) -> dict[Hashable, Fraction]:
    """Seat.TWO's optimal weights of codes (p) and first turns (r)."""
    lp, done, hope = ExactProgramme(), set[Hashable](), defaultdict[Hashable, int](int)
    codes, near, ball = range(len(dial.codes)), dial.near.tolist(), dial.ball
    spared = (~ball).sum(axis=1).tolist()  # by safe, the codes that are not in its reach
    lp.at_most(1, [(("p", dial.shape(c)), 1) for c in codes])
    for s1 in near[dial.home]:
        handed = ("p", dial.shape(s1))
        hope[handed] += 20 * len(codes) * len(near[s1])
        for c in (c for c in codes if c != s1):
            turns = [(("r", dial.shape(s1, c, s2)), s2) for s2 in near[s1] if s2 != c]
            for key, s2 in turns:
                win = int(ball[near[s2], c].sum())
                hold = (len(near[s2]) - win) * (10 + _LURE.get(int(dial.far[s2, c]), 0))
                hope[key] += spared[s2] * (20 * win + hold)
            if (seen := dial.shape(s1, c)) not in done:
                done.add(seen)
                lp.at_most(0, [(("p", dial.shape(c)), -1), *((key, 1) for key, _ in turns)])
                # With c as Seat.ONE's code, Seat.TWO loses wherever s2 leaves c in reach.
                held = [(("g", dial.shape(s1, s2)), -1) for s2 in near[s1] if not ball[s2, c]]
                lp.at_most(0, [("value", 1), (handed, -1), *held])
        # Otherwise Seat.ONE turns to the s3 that minimises g, what Seat.TWO gains.
        for s2 in near[s1]:
            for s3 in near[s2]:
                if (seen := dial.shape(s1, s2, s3)) not in done:
                    done.add(seen)
                    held = [
                        (("r", dial.shape(s1, c, s2)), -2 if ball[s3, c] else -1)
                        for c in codes
                        if c not in (s1, s2)
                    ]
                    lp.at_most(0, [(("g", dial.shape(s1, s2)), 2), *held])
    return lp.solve({"value": 1}, hope)


def find_table(dial: Dial, report: Report) -> Table:
    """Both certified strategies from scratch, as integer weights of every choice."""
    report(0.0, "looking for Player 1's strategy")
    one = defaultdict(Fraction, _solve_one(dial))
    report(0.5, "looking for Player 2's strategy")
    two = defaultdict(Fraction, _solve_two(dial))
    if one["value"] + two["value"] != 1:
        raise ArithmeticError(f"the programmes disagree: {one['value']}, 1 - {two['value']}")
    report(0.57, "writing out every position")
    near, home, (n, k) = dial.near, dial.home, dial.near.shape
    table: dict[str, Ints] = {
        "one_code": np.zeros(n, np.int64),
        "one_first": np.zeros((n, k), np.int64),
        "one_second": np.zeros((n, k, k, k), np.int64),
        "two_code": np.array(_whole([two["p", dial.shape(c)] for c in range(n)])),
        "two_first": np.zeros((n, k, k), np.int64),
    }
    firsts = [[one["q", dial.shape(s1, c)] * int(c != s1) for s1 in near[home]] for c in range(n)]
    table["one_code"][:] = _whole([sum(row, Fraction()) for row in firsts])
    for c in range(n):
        table["one_first"][c] = _whole(firsts[c])
        for i, s1 in enumerate(near[home]):
            turns = [two["r", dial.shape(s1, c, s2)] * int(c not in (s1, s2)) for s2 in near[s1]]
            table["two_first"][c, i] = _whole(turns)
    strategy = TableStrategy(dial, table)
    for i, s1 in enumerate(near[home]):
        answered = strategy.turns((home, s1), strategy.hidden[1])
        for j, s2 in enumerate(near[s1]):
            open_codes = [c for c in range(n) if c != s1 and not dial.ball[s2, c]]
            rows = [[one["x", dial.shape(s1, c, s2, s3)] for s3 in near[s2]] for c in open_codes]
            # A code that is never hidden here turns like all the others combined.
            common = [sum(column, Fraction()) for column in zip(*rows, strict=True)]
            if not any(common):
                held = (~dial.ball[near[s2]]) @ answered[j]
                common = [Fraction(int(weight)) for weight in _best(held)]
            for c, row in zip(open_codes, rows, strict=True):
                table["one_second"][c, i, j] = _whole(row if any(row) else common)
    # Codes that are never hidden still need a first turn: a best response to the other strategy.
    answers = DuelWorth(TableStrategy(dial, table)).answers()
    for i, s1 in enumerate(near[home]):
        idle = ~table["two_first"][:, i].any(axis=1) & (np.arange(n) != s1)
        table["two_first"][idle, i] = _best(answers[i])[idle]
    idle = ~table["one_first"].any(axis=1)
    table["one_first"][idle] = _best(DuelWorth(TableStrategy(dial, table)).first_turns())[idle]
    report(1.0, f"value {one['value']}")
    return table


def _whole(weights: Sequence[Fraction]) -> list[int]:
    """The smallest integers in the same proportions."""
    scale = lcm(*(weight.denominator for weight in weights))
    numbers = [weight.numerator * (scale // weight.denominator) for weight in weights]
    return [number // (gcd(*numbers) or 1) for number in numbers]


def _best(worth: Floats) -> Ints:
    """Equal weights on the maxima along the last axis."""
    return np.asarray(worth > worth.max(axis=-1, keepdims=True) - 1e-12, dtype=np.int64)
