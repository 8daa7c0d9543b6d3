"""Safecracker Duel, solved exactly: a linear programme over the first three turns, then a draw.

Whoever is to move can bring the safe back to what the opponent moved away from. From the fourth
turn on that is riskless: the opponent had the very same safe on a turn that was not their first and
could not win from it, so they cannot win from it later either. Hence, once nobody has won by the
fourth turn, both can hold the game for ever, and it is worth 1/2 to both. What remains is small:
two codes, turns one to three, and a win on the spot for whoever's code is one change away.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import pairwise
from math import gcd, lcm
from typing import Any

import numpy as np
from numpy.typing import NDArray

from strongroom.game import Game, Move, Seat, View
from strongroom.games.codes import Code
from strongroom.games.safecracker_duel import Change, SafecrackerDuel
from strongroom.theory import Report
from strongroom.theory.rational_programme import Programme

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Table = Mapping[str, Ints]


# --- the table at which the theory sits: codes and safes as numbers ---


@dataclass(frozen=True, eq=False)
class Dial:
    """Every combination by its number, and which one turn leads to from each."""

    codes: tuple[Code, ...]
    number: dict[str, int]
    home: int
    near: Ints
    """near[s]: the safes that a turn can leave after s, in order."""
    change: dict[tuple[int, int], Change]
    ball: NDArray[np.bool_]
    """ball[s, c]: code c is shown at s or one turn away from it."""
    far: Ints
    """far[s, c]: in how many digits s and c differ."""

    def slot(self, before: int, after: int) -> int:
        """Where `after` stands among the safes that a turn can leave after `before`."""
        return int(np.searchsorted(self.near[before], after))


@cache
def dial_of(game: Game) -> Dial:
    """The dial of this game, read from its rules."""
    assert isinstance(game, SafecrackerDuel)
    start = game.start()
    codes = tuple(code for code in start.moves if isinstance(code, Code))
    number = {str(code): n for n, code in enumerate(codes)}
    change: dict[tuple[int, int], Change] = {}
    for n, code in enumerate(codes):
        for each in game.changes[code.digits]:
            change.setdefault((n, number[str(each.applied_to(code))]), each)
    near = np.array([sorted(t for s, t in change if s == n) for n in range(len(codes))])
    ball = np.eye(len(codes), dtype=bool)
    for s, t in change:
        ball[s, t] = True
    digits = np.array([code.digits for code in codes])
    far = (digits[:, None] != digits[None]).sum(axis=2)
    return Dial(codes, number, number[str(start.board)], near, change, ball, far)


def shape(dial: Dial, *numbers: int) -> tuple[tuple[int, ...], ...]:
    """What is left of combinations when positions, and digits other than home's, lose their names.

    The rules treat positions alike, and all digits but the one a position starts with.
    """
    columns = []
    for home, *column in zip(*(dial.codes[n].digits for n in (dial.home, *numbers)), strict=True):
        seen = {home: 0}
        columns.append(tuple(seen.setdefault(digit, len(seen)) for digit in column))
    return tuple(sorted(columns))


# --- the two linear programmes ---

# Against a careless opponent who takes a win but otherwise turns at random, restoring the safe at
# this distance from one's own code sooner or later wins, at three digits never: in tenths.
_LURE = {1: 10, 2: 9}


def _solve_one(dial: Dial) -> dict[Hashable, Fraction]:
    """Seat.ONE's best mixture of code and first turn (q) and second turn (x)."""
    lp, done, hope = Programme(), set[Hashable](), defaultdict[Hashable, int](int)
    codes, near, ball = range(len(dial.codes)), dial.near, dial.ball
    starts = [(s1, c) for s1 in near[dial.home] for c in codes if c != s1]
    lp.at_most(1, [(("q", shape(dial, s1, c)), 1) for s1, c in starts])
    kinds = defaultdict(list)
    for c in codes:
        kinds[shape(dial, c)].append(c)
    for kind in kinds.values():
        gains = [(("v", shape(dial, s1, c)), -1) for s1, c in starts if c in kind]
        lp.at_most(0, [("value", len(kind)), *gains])
    for s1 in near[dial.home]:
        for s2 in near[s1]:
            wins = [(("q", shape(dial, s1, c)), 1) for c in codes if ball[s2, c] and c != s1]
            for key, _ in wins:
                hope[key] += 20 * len(codes)
            seconds = defaultdict(list)
            for c1 in (c for c in codes if not ball[s2, c] and c != s1):
                turns = [(("x", shape(dial, s1, c1, s2, s3)), s3) for s3 in near[s2]]
                for key, s3 in turns:
                    seconds[s3].append(key)
                    hope[key] += int((~ball[s3]).sum()) * (10 + _LURE.get(dial.far[s3, c1], 0))
                if (seen := shape(dial, s1, c1, s2)) not in done:
                    done.add(seen)
                    mass = ("q", shape(dial, s1, c1))
                    lp.at_most(0, [(mass, -1), *((key, 1) for key, _ in turns)])
            # Seat.TWO sees s1 and answers s2 so that v is the least it leaves to Seat.ONE.
            for c2 in (c for c in codes if c not in (s1, s2)):
                if ("v", seen := shape(dial, s1, c2, s2)) not in done:
                    done.add(("v", seen))
                    holds = [(k, -1) for s3 in seconds if not ball[s3, c2] for k in seconds[s3]]
                    won = [(key, -2 * weight) for key, weight in wins]
                    lp.at_most(0, [(("v", shape(dial, s1, c2)), 2), *won, *holds])
    return lp.solve({"value": 1}, hope)


def _solve_two(dial: Dial) -> dict[Hashable, Fraction]:
    """Seat.TWO's best mixture of codes (p) and first turns (r)."""
    lp, done, hope = Programme(), set[Hashable](), defaultdict[Hashable, int](int)
    codes, near, ball = range(len(dial.codes)), dial.near, dial.ball
    lp.at_most(1, [(("p", shape(dial, c)), 1) for c in codes])
    for s1 in near[dial.home]:
        handed = ("p", shape(dial, s1))
        hope[handed] += 20 * len(codes) * len(near[s1])
        for c in (c for c in codes if c != s1):
            turns = [(("r", shape(dial, s1, c, s2)), s2) for s2 in near[s1] if s2 != c]
            for key, s2 in turns:
                win = int(ball[near[s2], c].sum())
                hold = (len(near[s2]) - win) * (10 + _LURE.get(int(dial.far[s2, c]), 0))
                hope[key] += int((~ball[s2]).sum()) * (20 * win + hold)
            if (seen := shape(dial, s1, c)) not in done:
                done.add(seen)
                lp.at_most(0, [(("p", shape(dial, c)), -1), *((key, 1) for key, _ in turns)])
                # The same c as Seat.ONE's code: all is lost to it where s2 leaves it in reach.
                held = [(("g", shape(dial, s1, s2)), -1) for s2 in near[s1] if not ball[s2, c]]
                lp.at_most(0, [("value", 1), (handed, -1), *held])
        # Otherwise Seat.ONE turns to the s3 where g, what Seat.TWO gains, is least.
        for s2 in near[s1]:
            for s3 in near[s2]:
                if (seen := shape(dial, s1, s2, s3)) not in done:
                    done.add(seen)
                    held = [
                        (("r", shape(dial, s1, c, s2)), -2 if ball[s3, c] else -1)
                        for c in codes
                        if c not in (s1, s2)
                    ]
                    lp.at_most(0, [(("g", shape(dial, s1, s2)), 2), *held])
    return lp.solve({"value": 1}, hope)


# --- the table ---


def solve(game: Game, report: Report) -> dict[str, Ints]:
    """Recompute both certified strategies from nothing, as whole-number weights of every choice."""
    dial = dial_of(game)
    report(0.0, "linear programme of Player 1")
    one = defaultdict(Fraction, _solve_one(dial))
    report(0.5, "linear programme of Player 2")
    two = defaultdict(Fraction, _solve_two(dial))
    if one["value"] + two["value"] != 1:
        raise ArithmeticError(f"the programmes disagree: {one['value']}, 1 - {two['value']}")
    report(0.7, "writing out every position")
    near, home, (n, k) = dial.near, dial.home, dial.near.shape
    table: dict[str, Ints] = {
        "one_code": np.zeros(n, np.int64),
        "one_first": np.zeros((n, k), np.int64),
        "one_second": np.zeros((n, k, k, k), np.int64),
        "two_code": np.array(_whole([two["p", shape(dial, c)] for c in range(n)])),
        "two_first": np.zeros((n, k, k), np.int64),
    }
    firsts = [[one["q", shape(dial, s1, c)] * int(c != s1) for s1 in near[home]] for c in range(n)]
    table["one_code"][:] = _whole([sum(row, Fraction()) for row in firsts])
    for c in range(n):
        table["one_first"][c] = _whole(firsts[c])
        for i, s1 in enumerate(near[home]):
            turns = [two["r", shape(dial, s1, c, s2)] * int(c not in (s1, s2)) for s2 in near[s1]]
            table["two_first"][c, i] = _whole(turns)
    for i, s1 in enumerate(near[home]):
        for j, s2 in enumerate(near[s1]):
            open_codes = [c for c in range(n) if c != s1 and not dial.ball[s2, c]]
            rows = [[one["x", shape(dial, s1, c, s2, s3)] for s3 in near[s2]] for c in open_codes]
            # A code that is never hidden here turns as all the others together do.
            common = [sum(column, Fraction()) for column in zip(*rows, strict=True)]
            if not any(common):
                belief = _joint_two(table)[:, i, j]
                common = [Fraction(int(b)) for b in _best((~dial.ball[near[s2]]) @ belief)]
            for c, row in zip(open_codes, rows, strict=True):
                table["one_second"][c, i, j] = _whole(row if any(row) else common)
    # Codes that are never hidden still need a first turn: the best against the other's strategy.
    for i, s1 in enumerate(near[home]):
        idle = ~table["two_first"][:, i].any(axis=1) & (np.arange(n) != s1)
        table["two_first"][idle, i] = _best(_reply_values(dial, table, i))[idle]
    idle = ~table["one_first"].any(axis=1)
    table["one_first"][idle] = _best(_first_values(dial, table))[idle]
    report(1.0, f"value {one['value']}")
    return table


def _whole(weights: Sequence[Fraction]) -> list[int]:
    """The smallest whole numbers in the same proportions."""
    scale = lcm(*(weight.denominator for weight in weights))
    numbers = [int(weight * scale) for weight in weights]
    return [number // (gcd(*numbers) or 1) for number in numbers]


def _best(worth: Floats) -> Ints:
    """Equal weight on the best along the last axis."""
    return np.asarray(worth > worth.max(axis=-1, keepdims=True) - 1e-12, dtype=np.int64)


def _shares(weights: NDArray[Any]) -> Floats:
    """The weights as probabilities along the last axis; where all are zero, zeros."""
    total = weights.sum(axis=-1, keepdims=True)
    return np.asarray(weights / np.where(total > 0, total, 1), dtype=np.float64)


def _joint_one(table: Table) -> Floats:
    """The probability that Seat.ONE hides c and turns the safe to s1: [c, s1]."""
    return _shares(table["one_code"])[:, None] * _shares(table["one_first"])


def _joint_two(table: Table) -> Floats:
    """The probability that Seat.TWO hides c and answers s1 with s2: [c, s1, s2]."""
    return _shares(table["two_code"])[:, None, None] * _shares(table["two_first"])


def certify(game: Game, table: Table, report: Report) -> tuple[Fraction, Fraction]:
    """What each strategy of the table holds against every opponent, as bounds on the value."""
    from strongroom.theory.safecracker_duel_proof import bounds

    return bounds(game, table, report)


# --- playing ---


def policy(table: Table, view: View) -> dict[Move, Fraction]:
    """The exact probabilities with which the certified player moves; empty if it is not asked."""
    if view.seat is None or view.actor is not view.seat:
        return {}
    seat = view.seat.name.lower()
    if view.setting_up:
        return _mixture(table[f"{seat}_code"], view.moves)
    dial, own, shown = _read(view)
    here, turn = shown[-1], view.turns
    if (here, own) in dial.change and dial.change[here, own] in view.moves:
        return {dial.change[here, own]: Fraction(1)}
    if turn >= 3:
        return {dial.change[here, shown[-2]]: Fraction(1)}
    slots = [dial.slot(before, after) for before, after in pairwise(shown)]
    name = "second" if turn == 2 else "first"
    weights = table[f"{seat}_{name}"][(own, *slots)]
    return _mixture(weights, [dial.change[here, after] for after in dial.near[here]])


def _mixture(weights: Ints, moves: Sequence[Move]) -> dict[Move, Fraction]:
    total = int(weights.sum())
    pairs = zip(moves, weights.tolist(), strict=True)
    return {move: Fraction(weight, total) for move, weight in pairs if weight}


def _read(view: View) -> tuple[Dial, int, list[int]]:
    """The dial, the viewer's own code, and every safe from the start to now, by number."""
    dial = dial_of(view.game)
    shown = [dial.home, *(dial.number[str(event.answer)] for event in view.history)]
    return dial, dial.number[str(view.secret[0])], shown


# --- hints ---


def values(table: Table, view: View) -> dict[Move, float]:
    """The actor's win probability after each legal move, as far as the actor can know.

    The opponent's code is believed to be what the certified strategy would have there by the
    first three turns, less the codes that have been shown and those that would have won already;
    if nothing is left of that, any code not so excluded, all alike. From then on the opponent
    is careful: it plays the certified strategy and, from the third turn on, wins where it can;
    a game that goes on is worth 1/2.
    """
    if view.seat is None or view.actor is not view.seat:
        return {}
    if view.setting_up:
        return dict(zip(view.moves, _code_values(table, view).tolist(), strict=True))
    dial, own, shown = _read(view)
    here = shown[-1]
    if view.turns == 0:
        after = _first_values(dial, table)[own]
    elif view.turns == 1:
        after = _reply_values(dial, table, dial.slot(dial.home, here))[own]
    else:
        after = (~dial.ball[dial.near[here]]) @ _belief(table, view) / 2
        after[dial.near[here] == own] = 1
    worth_of = dict(zip(dial.near[here].tolist(), after.tolist(), strict=True))
    board = dial.codes[here]
    return {
        move: worth_of[dial.number[str(move.applied_to(board))]]
        for move in view.moves
        if isinstance(move, Change)
    }


def _code_values(table: Table, view: View) -> Floats:
    """What each code is worth to the player who is about to hide in one."""
    dial = dial_of(view.game)
    if view.seat is Seat.ONE:
        return np.asarray(_first_values(dial, table).max(axis=1))
    odds, worth = _joint_one(table).sum(axis=0), np.zeros(len(dial.codes))
    for i, s1 in enumerate(dial.near[dial.home]):
        best = _reply_values(dial, table, i).max(axis=1)
        best[s1] = 1  # handed over
        worth += odds[i] * best
    return worth


def _first_values(dial: Dial, table: Table) -> Floats:
    """What each first turn is worth to Seat.ONE with each code: [code, turn]."""
    joint, result = _joint_two(table), np.zeros(dial.near.shape)
    for i, s1 in enumerate(dial.near[dial.home]):
        for j, s2 in enumerate(dial.near[s1]):
            belief = joint[:, i, j]
            hold = ((~dial.ball[dial.near[s2]]) @ belief).max() / 2
            result[:, i] += np.where(dial.ball[s2], belief.sum(), hold)
        result[s1, i] = -1  # the first-turn limitation
    return result


def _reply_values(dial: Dial, table: Table, slot: int) -> Floats:
    """What each answer to a first turn is worth to Seat.TWO with each code: [code, turn]."""
    s1 = dial.near[dial.home, slot]
    belief = _joint_one(table)[:, slot]
    belief = _shares(belief if belief.any() else np.arange(len(belief)) != s1)
    result = np.zeros(dial.near.shape)
    for j, s2 in enumerate(dial.near[s1]):
        turns = (belief * ~dial.ball[s2]) @ _shares(table["one_second"][:, slot, j])
        result[:, j] = turns @ np.where(dial.ball[dial.near[s2]], 1, 0.5)
        result[s2, j] = -1  # the first-turn limitation
    return result


def _belief(table: Table, view: View) -> Floats:
    """How probable each code of the opponent is, after at least one of its turns."""
    dial, _, shown = _read(view)
    slots = [dial.slot(before, after) for before, after in pairwise(shown)][:3]
    possible = np.ones(len(dial.codes), dtype=bool)
    possible[shown[1:]] = False
    unmissed = possible.copy()
    for turn, event in enumerate(view.history):
        if event.actor is not view.seat and turn >= 2:
            unmissed &= ~dial.ball[shown[turn]]
    if view.seat is Seat.ONE:
        belief = _joint_two(table)[:, slots[0], slots[1]]
    else:
        belief = _joint_one(table)[:, slots[0]]
        if len(slots) == 3:
            belief = belief * _shares(table["one_second"][:, slots[0], slots[1]])[:, slots[2]]
    for choice in (belief * unmissed, unmissed, possible):
        if choice.any():
            break
    return _shares(choice)


def why(table: Table, view: View, move: Move) -> str:
    """One short sentence about a move for a hint."""
    if view.setting_up:
        chance = float(policy(table, view).get(move, 0))
        return f"The certified player hides in this code {chance:.1%} of the time."
    dial, own, shown = _read(view)
    assert isinstance(move, Change)
    safe = move.applied_to(dial.codes[shown[-1]])
    after = dial.number[str(safe)]
    if after == own:
        return "It sets the safe to your code."
    if view.turns >= 3 and after == shown[-2]:
        return f"It changes back to {safe}, from where the opponent has just failed to win."
    if view.turns == 0:
        handed = float(_shares(table["two_code"])[after])
        digits = int(dial.far[after, own])
        away = "1 digit" if digits == 1 else f"{digits} digits"
        return f"Your code is then {away} away; it is the opponent's with {handed:.1%}."
    risk = float(_belief(table, view) @ dial.ball[after])
    return f"The opponent can win from {safe} with {risk:.0%} of the codes it may have."
