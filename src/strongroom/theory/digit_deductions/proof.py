"""The proof for Digit Deductions: the best response to a player as shipped, and what it leaves."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from fractions import Fraction

from strongroom.theory.digit_deductions.board import (
    ALL,
    CODES,
    CORNERS,
    Cell,
    Trials,
    candidates,
    distinct,
    split,
    useful,
)
from strongroom.theory.digit_deductions.player import DiagonalPlayer
from strongroom.theory.solution import NotProved, Report

BEFORE = (0.0, 0.83, 0.95, 0.97, 1.0)
"""Which part of the time has passed before each corner: most is known from those before it."""


class DiagonalResponse:
    """The best response to one player, over every secret and guess, in integers, no symmetry used.

    Unless `every` is set it leaves out guesses that the player, as shipped, treats as a finer one:
    whoever makes them meets the same play and knows less.
    """

    def __init__(self, player: DiagonalPlayer, every: bool = False) -> None:
        self.player, self.guesses = player, distinct if every else useful
        self._computed: dict[
            tuple[Cell, tuple[tuple[int, int], ...], Hashable], dict[int, int]
        ] = {}

    def answered(
        self, guess: int, known: Cell, reach: Mapping[int, int], own: Trials, theirs: Trials
    ) -> dict[int, int]:
        """What the player still wins, by the responder's secret, after the responder's guess."""
        total = dict.fromkeys(known, 0)
        for answer, cell in split(tuple(reach), guess):
            if answer:
                left = {s: reach[s] for s in cell}
                for t, won in self.lead(known, left, own, (*theirs, (guess, answer))).items():
                    total[t] += won
        return total

    def follow(
        self, known: Cell, reach: Mapping[int, int], own: Trials, theirs: Trials
    ) -> dict[int, int]:
        """The responder to move, knowing its secret: what the player wins at worst."""
        if len(reach) == 1:  # the player's secret is found out
            return dict.fromkeys(known, 0)
        if len(known) == 1:  # so is the responder's, which therefore shoots at the likeliest
            return {known[0]: sum(reach.values()) - max(reach.values())}
        worst: dict[int, int] = {}
        for guess in self.guesses(candidates(theirs, self.player.support)):
            for t, won in self.answered(guess, known, reach, own, theirs).items():
                worst[t] = min(worst.get(t, won), won)
        return worst

    def lead(
        self, known: Cell, reach: Mapping[int, int], own: Trials, theirs: Trials
    ) -> dict[int, int]:
        """The player to move, as it is shipped: what it wins by the responder's secret."""
        if len(known) == 1:
            return {known[0]: sum(reach.values())}
        alike = (known, tuple(reach.items()), self.player.looks(own, theirs, reach.keys()))
        if alike not in self._computed:
            self._computed[alike] = self._led(known, reach, own, theirs)
        return self._computed[alike]

    def _led(
        self, known: Cell, reach: Mapping[int, int], own: Trials, theirs: Trials
    ) -> dict[int, int]:
        after: dict[int, dict[int, int]] = {}
        for s, mass in reach.items():
            weights = self.player.weights(own, theirs, s)
            total = sum(weights.values())
            for guess, weight in weights.items():
                # What is rounded off is lost to the player, so that its result is never too good.
                after.setdefault(guess, {})[s] = mass * weight // total
        won = dict.fromkeys(known, 0)
        for guess, left in after.items():
            for answer, cell in split(known, guess):
                if answer == 0:
                    won[guess] += sum(left.values())
                else:
                    value = self.follow(cell, left, (*own, (guess, answer)), theirs)
                    for t in cell:
                        won[t] += value[t]
        return won


def masses(player: DiagonalPlayer) -> dict[int, int]:
    """How often the player hides each number, in parts so fine that its plan cuts none of them."""
    parts = player.grain * (64 if player.first else 128 * sum(player.shot))
    return {s: player.secrets[s] * parts for s in player.support}


def guarantee(player: DiagonalPlayer, report: Report, every: bool = False) -> Fraction:
    """The player's worst result against a responder who knows the strategy and is free in all."""
    if player.lightest < 0:
        raise NotProved("A strategy of Digit Deductions has a negative weight.")
    response, reach = DiagonalResponse(player, every), masses(player)
    worst = (_worst_of_one if player.first else _worst_of_two)(response, reach, report)
    return Fraction(min(worst.values()), sum(reach.values()))


def _worst_of_one(
    response: DiagonalResponse, reach: Mapping[int, int], report: Report
) -> dict[int, int]:
    """What ONE wins at worst, by the responder's secret, when it guesses a corner first."""
    worst = dict.fromkeys(ALL, 0)
    quarter = {s: mass // len(CORNERS) for s, mass in reach.items()}
    for i, corner in enumerate(CORNERS):
        parts = split(ALL, corner)
        for k, (answer, known) in enumerate(parts):
            done = BEFORE[i] + (BEFORE[i + 1] - BEFORE[i]) * k / len(parts)
            report(done, f"trying everything against Player 1, first {CODES[corner]}")
            if answer == 0:
                won = {corner: sum(quarter.values())}
            else:
                won = response.follow(known, quarter, ((corner, answer),), ())
            for t in known:
                worst[t] += won[t]
    return worst


def _worst_of_two(
    response: DiagonalResponse, reach: Mapping[int, int], report: Report
) -> dict[int, int]:
    """What TWO wins at worst, by the responder's secret, whatever the responder guesses first."""
    worst = dict.fromkeys(ALL, sum(reach.values()))
    for i, guess in enumerate(ALL):
        report(i / len(ALL), f"trying everything against Player 2, first {CODES[guess]}")
        for t, won in response.answered(guess, ALL, reach, (), ()).items():
            worst[t] = min(worst[t], won)
    return worst
