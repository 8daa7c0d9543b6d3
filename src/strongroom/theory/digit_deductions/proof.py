"""The proof for Digit Deductions: the best response to a shipped player, and what it leaves."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from fractions import Fraction
from math import inf
from operator import add
from typing import NamedTuple

from strongroom.theory.digit_deductions.player import (
    ALL,
    CODES,
    CORNERS,
    Cases,
    Cell,
    DiagonalPlayer,
    Trials,
    candidates,
    distinct,
    split,
    useful,
)
from strongroom.theory.solution import NotProved, Report

BEFORE = (0.0, 0.83, 0.95, 0.97, 1.0)
"""The share of time spent before each corner: later corners mostly reuse earlier results."""


def within(turns: float, enough: int) -> float:
    """The turns left, or infinitely many if there are enough for the player to finish.

    Every guess of the player rules out a candidate, so `n` candidates need at most `n` guesses.
    """
    return inf if turns >= enough else turns


class Reach:
    """The player's realization weight of a position for each of its secrets, in integers."""

    __slots__ = ("masses", "missed", "secrets", "total")

    def __init__(self, masses: Mapping[int, int]) -> None:
        self.masses, self.secrets = masses, tuple(masses)
        self.total = sum(masses.values())
        self.missed = self.total - max(masses.values())
        """What the player keeps if the responder shoots at the likeliest secret."""


class Part(NamedTuple):
    """The player's secrets that remain after an answer to the responder."""

    reach: Reach
    theirs: Trials
    cases: Cases | None


class DiagonalResponse:
    """The best response to a player, over every secret and guess, in integers, without symmetry.

    Unless `every` is set, it leaves out guesses that the shipped player treats as a finer one: they
    meet the same play and tell less. What the player wins is listed by the responder's secret, in
    the order of `known`, the secrets still possible. A game still open after `turns` more turns of
    both players counts as half a win.
    """

    def __init__(self, player: DiagonalPlayer, every: bool = False) -> None:
        self.player, self.guesses = player, distinct if every else useful
        self._reaches: dict[tuple[tuple[int, int], ...], Reach] = {}
        self._cases: dict[Cases, Cases] = {}
        self._tries: dict[tuple[Reach, Trials], list[list[Part]]] = {}
        self._computed: dict[tuple[Cell, Reach, Hashable, float], list[int]] = {}

    def reach(self, masses: Mapping[int, int]) -> Reach:
        """The unique reach with these masses, so that equal reaches are identical objects."""
        key = tuple(masses.items())
        if key not in self._reaches:
            self._reaches[key] = Reach(masses)
        return self._reaches[key]

    def after_guess(
        self,
        guess: int,
        known: Cell,
        reach: Reach,
        own: Trials,
        theirs: Trials,
        turns: float = inf,
    ) -> list[int]:
        """What the player still wins after the responder's guess, the first of these turns."""
        return self._after(self._parts(guess, reach, theirs), known, own, turns - 1)

    def follow(
        self, known: Cell, reach: Reach, own: Trials, theirs: Trials, turns: float = inf
    ) -> list[int]:
        """The responder to move, knowing its secret: what the player wins at worst."""
        if turns == 0:
            return [reach.total // 2] * len(known)
        if len(reach.secrets) == 1:  # the player's secret is found out
            return [0] * len(known)
        if turns == 1:
            return [reach.missed // 2] * len(known)
        if len(known) == 1:  # the responder's is found out: it shoots at the likeliest secret
            return [reach.missed]
        return self.search(known, reach, own, theirs, turns)

    def search(
        self, known: Cell, reach: Reach, own: Trials, theirs: Trials, turns: float
    ) -> list[int]:
        """The same, where it takes a search over the responder's guesses."""
        key = reach, theirs
        if key not in self._tries:
            # Off its plan the player may have hidden what the plan never hides.
            planned = all(self.player.secrets[s] for s in reach.secrets)
            among = self.player.support if planned else ALL
            guesses = self.guesses(candidates(theirs, among))
            self._tries[key] = [self._parts(guess, reach, theirs) for guess in guesses]
        return self._worst(self._tries[key], known, reach, own, turns)

    def _worst(
        self, tries: list[list[Part]], known: Cell, reach: Reach, own: Trials, turns: float
    ) -> list[int]:
        worst = [reach.total] * len(known)
        for parts in tries:
            worst = [*map(min, worst, self._after(parts, known, own, turns - 1))]
        return worst

    def _parts(self, guess: int, reach: Reach, theirs: Trials) -> list[Part]:
        """What remains after each answer to the responder's guess."""
        return [
            self._part({s: reach.masses[s] for s in cell}, (*theirs, (guess, answer)))
            for answer, cell in split(reach.secrets, guess)
            if answer
        ]

    def _part(self, masses: Mapping[int, int], theirs: Trials) -> Part:
        reach = self.reach(masses)
        cases = self.player.cases(theirs, reach.secrets)
        return Part(reach, theirs, cases and self._cases.setdefault(cases, cases))

    def _after(self, parts: Sequence[Part], known: Cell, own: Trials, turns: float) -> list[int]:
        total = [0] * len(known)
        for part in parts:
            total = [*map(add, total, self._lead(known, part, own, turns))]
        return total

    def lead(self, known: Cell, reach: Reach, own: Trials, theirs: Trials) -> list[int]:
        """The player to move: what its shipped strategy wins."""
        return self._lead(known, self._part(reach.masses, theirs), own, inf)

    def _lead(self, known: Cell, part: Part, own: Trials, turns: float) -> list[int]:
        reach, theirs, cases = part
        if turns == 0:
            return [reach.total // 2] * len(known)
        if len(known) == 1:
            return [reach.total]
        turns = within(turns, 2 * len(known) - 1)
        alike = (known, reach, self.player.looks(own, theirs, cases), turns)
        won = self._computed.get(alike)
        if won is None:
            won = self._computed[alike] = self._led(known, reach, own, theirs, turns)
        return won

    def _led(
        self, known: Cell, reach: Reach, own: Trials, theirs: Trials, turns: float
    ) -> list[int]:
        after: dict[int, dict[int, int]] = {}
        for s, mass in reach.masses.items():
            weights = self.player.weights(own, theirs, s)
            total = sum(weights.values())
            for guess, weight in weights.items():
                # Rounded down at the player's expense, so that its result is never overstated.
                after.setdefault(guess, {})[s] = mass * weight // total
        won = dict.fromkeys(known, 0)
        for guess, masses in after.items():
            left = self.reach(masses)
            for answer, cell in split(known, guess):
                if answer == 0:
                    won[guess] += left.total
                elif len(cell) == 1 and turns > 2:
                    won[cell[0]] += left.missed
                else:
                    value = self.follow(cell, left, (*own, (guess, answer)), theirs, turns - 1)
                    for t, each in zip(cell, value, strict=True):
                        won[t] += each
        return [*won.values()]


def masses(player: DiagonalPlayer) -> dict[int, int]:
    """How often the player hides each number, in units so fine that its plan cuts none."""
    parts = player.grain * (64 if player.first else 128 * sum(player.shot))
    return {s: player.secrets[s] * parts for s in player.support}


def guarantee(player: DiagonalPlayer, report: Report, every: bool = False) -> Fraction:
    """The player's worst result against a responder who knows the strategy and may do anything."""
    if player.lightest < 0:
        raise NotProved("A strategy of Digit Deductions has a negative weight.")
    response = DiagonalResponse(player, every)
    reach = response.reach(masses(player))
    worst = (_worst_of_one if player.first else _worst_of_two)(response, reach, report)
    return Fraction(min(worst), reach.total)


def _worst_of_one(response: DiagonalResponse, reach: Reach, report: Report) -> list[int]:
    """What ONE wins at worst, by the responder's secret, when it guesses a corner first."""
    worst = [0] * len(ALL)
    quarter = response.reach({s: mass // len(CORNERS) for s, mass in reach.masses.items()})
    for i, corner in enumerate(CORNERS):
        parts = split(ALL, corner)
        for k, (answer, known) in enumerate(parts):
            done = BEFORE[i] + (BEFORE[i + 1] - BEFORE[i]) * k / len(parts)
            report(done, f"trying everything against Player 1, first {CODES[corner]}")
            won = [quarter.total]
            if answer:
                won = response.follow(known, quarter, ((corner, answer),), ())
            for t, each in zip(known, won, strict=True):
                worst[t] += each
    return worst


def _worst_of_two(response: DiagonalResponse, reach: Reach, report: Report) -> list[int]:
    """What TWO wins at worst, by the responder's secret, whatever the responder guesses first."""
    worst = [reach.total] * len(ALL)
    for i, guess in enumerate(ALL):
        report(i / len(ALL), f"trying everything against Player 2, first {CODES[guess]}")
        worst = [*map(min, worst, response.after_guess(guess, ALL, reach, (), ()))]
    return worst
