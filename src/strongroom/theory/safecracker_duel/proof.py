"""The proof for Safecracker Duel: a full best response to both strategies as they are played.

Wins and legal moves come from the game, the certified players' moves from `policy`; nothing here
knows about symmetry or the linear programmes. The responder picks any code, and up to the fourth
turn conditions every turn on its code and the safes shown. From then on it is even told the
certified player's code. That can only help it, so the bounds hold; since they meet, it does not
help.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import partial
from math import lcm

import numpy as np
from numpy.typing import NDArray

from strongroom.contract import Move, Seat, View
from strongroom.games.safecracker_duel.rules import SafecrackerDuel, SafecrackerDuelState
from strongroom.theory.safecracker_duel.player import DialPlayer, PolicyByNumber
from strongroom.theory.solution import Flags, Ints, NotProved, Report

Payoffs = NDArray[np.int8]
"""Seat.ONE's payoff, doubled: 2 won, 1 still open or endless, 0 lost."""
OPEN = 1
SEATS = (Seat.ONE, Seat.TWO)


def duel_bounds(
    game: SafecrackerDuel, player: DialPlayer, report: Report
) -> tuple[Fraction, Fraction]:
    """Seat.ONE's guarantee, and one minus Seat.TWO's."""
    response = DuelResponse(game, player, report)
    report(0.97, "trying everything against Player 1")
    lower = response.least_of_one()
    report(0.98, "trying everything against Player 2")
    upper = response.most_against_two()
    report(1.0, "done")
    return lower, upper


class DuelResponse:
    """The rules and the certified players' late turns, queried once and tabulated."""

    def __init__(self, game: SafecrackerDuel, player: DialPlayer, report: Report) -> None:
        self.dial = player.dial
        self.asked = PolicyByNumber(game, player.dial, partial(_mixture, player))
        self.near, self.home, self.n = self.dial.near, self.dial.home, len(self.dial.codes)
        self.result: Payoffs = np.zeros((2, self.n, self.n, self.n), np.int8)
        """[mover, safe it leaves, code of ONE, code of TWO]"""
        self.reply: Ints = np.zeros((2, *self.near.shape, self.n), np.int64)
        """[certified seat, safe it left, slot of the answer, its code]: the safe it leaves next"""
        paths = {self.home: [self.home]}
        for _ in range(3):
            paths = self._longer(paths)
        # After three turns every safe can be left by ONE, after four by TWO.
        for seat, before, after in (
            (Seat.ONE, self._longer(paths), paths),
            (Seat.TWO, paths, self._longer(paths)),
        ):
            for safe in range(self.n):
                report(
                    0.47 * (seat.index + safe / self.n),
                    f"asking the rules of every turn of Player {seat.value}",
                )
                self._ask_results(seat, safe, before)
                self._ask_replies(seat, safe, after[safe])
        report(0.94, "looking at endless play")
        self.late = tuple(self._late(seat) for seat in SEATS)
        """[responder to move at a safe that the certified player left, code of ONE, of TWO]"""

    def _longer(self, paths: dict[int, list[int]]) -> dict[int, list[int]]:
        return {t: [*path, t] for s, path in paths.items() for t in self.near[s].tolist()}

    def _ask_results(self, seat: Seat, safe: int, paths: dict[int, list[int]]) -> None:
        befores = [self.asked.state(paths[s]) for s in self.near[safe].tolist()]
        changes = [self.dial.change[s, safe] for s in self.near[safe].tolist()]
        worth = {None: OPEN, Seat.ONE: 2, Seat.TWO: 0}
        codes = [(code,) for code in self.dial.codes]
        for one, first in enumerate(codes):
            row = []
            for two, second in enumerate(codes):
                # The safe before the turn does not matter, so each pair of codes tries only one.
                k = (one + two) % len(befores)
                game, board, _, past, turns, actor, outcome = befores[k]
                secrets = (first, second)
                state = SafecrackerDuelState(game, board, secrets, past, turns, actor, outcome)
                outcome = state.play(changes[k]).outcome
                row.append(worth[outcome.winner if outcome else None])
            self.result[seat.index, safe, one] = row

    def _ask_replies(self, seat: Seat, safe: int, path: list[int]) -> None:
        for k, answer in enumerate(self.near[safe].tolist()):
            state = self.asked.state([*path, answer])
            for own in range(self.n):
                left = self.asked.left(state, own)
                (self.reply[seat.index, safe, k, own],) = left  # it no longer mixes
        assert len(path) % 2 == seat.index

    def turns(self, path: Sequence[int], own: int) -> dict[int, Fraction]:
        """The probability that the certified player with this code leaves each safe."""
        left = self.asked.left(self.asked.state(path), own)
        return {safe: Fraction(chance) for safe, chance in left.items()}

    def legal(self, path: Sequence[int], own: int) -> list[bool]:
        """Which safes the player to move, with this code, may leave."""
        state = self.asked.state(path, own, own)
        allowed = {self.dial.leaves[path[-1], move] for move in state.moves}
        return [safe in allowed for safe in self.near[path[-1]].tolist()]

    def codes(self, seat: Seat) -> dict[int, Fraction]:
        """The probability that the certified player hides each code."""
        return {code: Fraction(chance) for code, chance in self.asked.hidden(seat).items()}

    def _late(self, responder: Seat) -> Payoffs:
        """The best result for a responder to move, from every safe and for all codes.

        The certified player no longer mixes, so the responder walks a finite graph: it gets 2 if a
        win can be reached, else 1 if it can walk for ever without losing.
        """
        shape = (self.n, self.n, self.n)
        reach = np.zeros(shape, dtype=bool)
        while (more := self._walk(responder, reach)).sum() > reach.sum():
            reach = more
        hold = np.ones(shape, dtype=bool)
        while (less := self._walk(responder, hold)).sum() < hold.sum():
            hold = less
        gain = hold.astype(np.int8) + reach
        return gain if responder is Seat.ONE else 2 - gain

    def _walk(self, responder: Seat, good: Flags) -> Flags:
        """Where some turn, after the certified reply, wins or leads to a good position."""
        mine, theirs, own = responder.index, responder.other.index, np.arange(self.n)
        won, result = (2 if responder is Seat.ONE else 0), self.result
        found = np.zeros_like(good)
        for safe in range(self.n):
            for k, mid in enumerate(self.near[safe]):
                end = self.reply[theirs, safe, k]
                if responder is Seat.ONE:  # the certified code is the last axis
                    answer, then = result[theirs, end, :, own].T, good[end, :, own].T
                else:
                    answer, then = result[theirs, end, own], good[end, own]
                turn = result[mine, mid]
                stays = (answer == won) | ((answer == OPEN) & then)
                found[safe] |= (turn == won) | ((turn == OPEN) & stays)
        return found

    def least_of_one(self) -> Fraction:
        """What Seat.ONE's strategy gets against the best responder in Seat.TWO."""
        plan: dict[tuple[int, int], dict[tuple[int, ...], Fraction]] = {}
        for one, chance in self.codes(Seat.ONE).items():
            for s1, p in self.turns([self.home], one).items():
                plan[s1, one] = {(): chance * p}
                for s2 in self.near[s1].tolist():
                    if s2 != one:
                        for s3, q in self.turns([self.home, s1, s2], one).items():
                            plan[s1, one][s2, s3] = chance * p * q
        scale = _unit(p for turns in plan.values() for p in turns.values())
        after = np.where(self.result[0] == OPEN, self.late[1], self.result[0]).astype(np.int64)
        total = np.zeros(self.n, np.int64)
        for s1 in self.near[self.home].tolist():
            worth = np.zeros((self.n, self.near.shape[1]), np.int64)
            for (_, one), turns in ((key, turns) for key, turns in plan.items() if key[0] == s1):
                mass, first = int(turns[()] * scale), self.result[0, s1, one].astype(np.int64)
                for k, s2 in enumerate(self.near[s1].tolist()):
                    second = self.result[1, s2, one].astype(np.int64)
                    third = sum(
                        int(turns.get((s2, s3), 0) * scale) * after[s3, one]
                        for s3 in self.near[s2].tolist()
                    )
                    on = np.where(second == OPEN, third, second * mass)
                    worth[:, k] += np.where(first == OPEN, on, first * mass)
            legal = np.array([self.legal([self.home, s1], two) for two in range(self.n)])
            total += np.where(legal, worth, 2 * scale).min(axis=1)
        return Fraction(int(total.min()), 2 * scale)

    def most_against_two(self) -> Fraction:
        """What the best responder in Seat.ONE gets against Seat.TWO's strategy."""
        hidden = self.codes(Seat.TWO)
        plan = {
            (two, s1, s2): chance * p
            for two, chance in hidden.items()
            for s1 in self.near[self.home].tolist()
            if s1 != two
            for s2, p in self.turns([self.home, s1], two).items()
        }
        scale = _unit((*plan.values(), *hidden.values()))
        mass = np.array([int(hidden.get(two, 0) * scale) for two in range(self.n)])
        worth = np.zeros((self.n, self.near.shape[1]), np.int64)
        for i, s1 in enumerate(self.near[self.home].tolist()):
            first = self.result[0, s1]
            worth[:, i] = (first * (first != OPEN)) @ mass
            for s2 in self.near[s1].tolist():
                part = np.array([int(plan.get((c, s1, s2), 0) * scale) for c in range(self.n)])
                second, alive = self.result[1, s2], first == OPEN
                worth[:, i] += (second * (alive & (second != OPEN))) @ part
                alive &= second == OPEN
                options = [(self._third(s2, k) * alive) @ part for k in range(self.near.shape[1])]
                worth[:, i] += np.max(options, axis=0)
        legal = np.array([self.legal([self.home], one) for one in range(self.n)])
        return Fraction(int(np.where(legal, worth, 0).max()), 2 * scale)

    def _third(self, s2: int, k: int) -> Payoffs:
        """Seat.ONE's payoff of a turn from s2, for all codes, after the certified reply."""
        own, end = np.arange(self.n), self.reply[1, s2, k]
        third, fourth = self.result[0, self.near[s2, k]], self.result[1, end, :, own].T
        on = np.where(fourth == OPEN, self.late[0][end, :, own].T, fourth)
        return np.where(third == OPEN, on, third)


def _mixture(player: DialPlayer, view: View) -> dict[Move, Fraction]:
    """The certified player's mixture in a view, checked to be one of legal moves."""
    mixture = player.policy(view)
    if sum(mixture.values()) != 1 or min(mixture.values()) < 0:
        raise NotProved("The chances of some moves do not add up to 1.")
    if not all(move in view.moves for move in mixture):
        raise NotProved("The strategy makes a move that is not legal.")
    return mixture


def _unit(chances: Iterable[Fraction]) -> int:
    """The number of units in a win that makes all chances integers, small enough for int64 sums."""
    parts = lcm(*(chance.denominator for chance in chances))
    if parts >= 2**60:
        raise NotProved("Some chances are too fine for the proof to count.")
    return parts
