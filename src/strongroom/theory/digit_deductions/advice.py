"""Advice for Digit Deductions: what a move does, and its worth against the certified player."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import numpy as np

from strongroom.contract import Move, Seat
from strongroom.theory.digit_deductions.board import (
    ALL,
    CODES,
    CORNER,
    CORNERS,
    DIAGONALS,
    HALF,
    LAST,
    ORBIT,
    ORBITS,
    Cell,
    Trials,
    candidates,
    fold,
    folded,
    frames,
    labels,
    split,
)
from strongroom.theory.digit_deductions.knowledge import Knowledge, number
from strongroom.theory.digit_deductions.player import DiagonalPlayer
from strongroom.theory.digit_deductions.proof import DiagonalResponse
from strongroom.theory.move_effect import SPLITS, MoveEffect, guess
from strongroom.theory.solution import Table

FINE = 10**24
"""Probabilities are scaled by this, so that a response's rounding does not show."""


def first_guesses(one: DiagonalPlayer, two: DiagonalPlayer) -> Table:
    """The best win probability by secret and first guess: ONE's by the orbits of both, TWO's, after
    a corner by ONE, by its secret folded into the near half and the orbit of its guess."""
    count = len(ORBITS)
    result = {"one_first": np.zeros((count, count)), "two_first": np.zeros((len(ALL), count))}
    response = DiagonalResponse(two)
    reach = response.reach({s: two.secrets[s] * FINE for s in two.support})
    for o, orbit in enumerate(ORBITS):
        won = response.answered(orbit[0], ALL, reach, (), ())
        result["one_first"][:, o] = [1 - won[each[0]] / reach.total for each in ORBITS]
    response = DiagonalResponse(one)
    reach = response.reach({s: one.secrets[s] * FINE for s in one.support})
    for f, known in [*DIAGONALS, (2 * HALF, (LAST,))]:
        for o, orbit in enumerate(ORBITS):
            won = response.answered(orbit[0], known, reach, ((CORNER, f),), ())
            for t, each in zip(known, won, strict=True):
                result["two_first"][fold(t), o] = 1 - each / reach.total
    return {name: array.astype(np.float32) for name, array in result.items()}


def belief(them: DiagonalPlayer, own: Trials, theirs: Trials) -> dict[int, Fraction]:
    """The belief about the certified player's secret after its guesses and its answers.

    If the player never guesses like that, its guesses are ignored; if it never hides a number that
    fits, all numbers that fit are equally likely.
    """
    likely = {s: Fraction(them.secrets[s]) for s in candidates(theirs)}
    for belief in (_guessed(them, own, theirs), likely, dict.fromkeys(likely, Fraction(1))):
        if total := sum(belief.values()):
            return {s: n / total for s, n in belief.items() if n}
    raise ValueError("No number fits these answers.")


def _guessed(them: DiagonalPlayer, own: Trials, theirs: Trials) -> dict[int, Fraction]:
    """How often the certified player hides each number that fits and then guesses like that."""
    often = {s: Fraction(them.secrets[s]) for s in candidates(theirs)}
    for i, (tried, _) in enumerate(own):
        seen = theirs[: i + (not them.first)]
        for s in [s for s in often if often[s]]:
            weights = them.weights(own[:i], seen, s)
            often[s] *= Fraction(weights.get(tried, 0), sum(weights.values()))
    return often


class Adviser:
    """Values the moves of a seat whose opponent is the certified player."""

    def __init__(self, table: Table, players: Mapping[Seat, DiagonalPlayer]) -> None:
        self.players = players
        self.first = {seat: table[f"{seat.name.lower()}_first"] for seat in Seat}

    def values(self, here: Knowledge) -> dict[Move, float]:
        """The win probability of each move against the certified opponent, with best play after it.

        Values before the first guess are read from the table, later ones are computed. If the
        opponent has left its strategy, `belief` weighs its numbers and `DiagonalPlayer.weights`
        predicts its guesses; before TWO's first guess, `race` then gives an estimate.
        """
        if here.secret is None:
            return self._of_secrets(here.seat)
        first = self.first[here.seat]
        if not here.own and here.seat is Seat.ONE:
            return {CODES[g]: float(first[ORBIT[here.secret], ORBIT[g]]) for g in ALL}
        if not here.own and here.theirs[0][0] in CORNERS:
            near = frames(folded(here.theirs[0])[0])[0][here.secret]
            return {CODES[g]: float(first[near, ORBIT[g]]) for g in ALL}
        odds = belief(self.players[here.seat.other], here.theirs, here.own)
        if not here.own:
            return {CODES[g]: race(g, odds, candidates(here.theirs)) for g in ALL}
        return self._of_guesses(here, here.secret, odds)

    def _of_secrets(self, seat: Seat) -> dict[Move, float]:
        first = self.first[seat]
        if seat is Seat.ONE:
            return {CODES[s]: float(first[ORBIT[s]].max()) for s in ALL}
        best = [float(first[fold(t)].max()) if t != CORNER else 0.0 for t in ALL]
        return {CODES[s]: float(np.mean([best[t] for t in ORBITS[ORBIT[s]]])) for s in ALL}

    def _of_guesses(
        self, here: Knowledge, secret: int, odds: Mapping[int, Fraction]
    ) -> dict[Move, float]:
        response = DiagonalResponse(self.players[here.seat.other])
        reach = response.reach({s: int(FINE * n) for s, n in odds.items()})
        hidden = candidates(here.theirs)
        place = hidden.index(secret)
        likely: dict[tuple[Any, int | None], float] = {}
        values: dict[Move, float] = {}
        for g in ALL:
            told = (labels(reach.secrets, g), g if g in odds else None)
            if told not in likely:
                lost = response.answered(g, hidden, reach, here.theirs, here.own)[place]
                likely[told] = 1 - lost / reach.total
            values[CODES[g]] = likely[told]
        return values

    def told(self, here: Knowledge, move: Move) -> MoveEffect:
        """What a move does: what it can hit, and how it splits the candidates."""
        guessed = number(move)
        if here.secret is None:
            secrets = self.players[here.seat].secrets
            games = f"hidden in {secrets[guessed] / sum(secrets):.1%} of perfectly played games"
            return MoveEffect(f"It is {games}.", f"is {games}")
        known, hidden = candidates(here.own), candidates(here.theirs)
        sizes = [len(cell) for _, cell in split(known, guessed)]
        return guess(sizes, "numbers", guessed in known, len(hidden) == 1)

    def plainly(self, here: Knowledge, move: Move) -> str:
        """Why to make a move; it "splits best" if it leaves the fewest numbers on average."""
        plain = self.told(here, move).plain
        if not plain.endswith(SPLITS):
            return plain
        known = candidates(here.own)
        left = [sum(len(cell) ** 2 for _, cell in split(known, g)) for g in ALL]
        return f"{plain} best" if left[number(move)] == min(left) else plain

    def assumes(self, here: Knowledge) -> str:
        """What the values assume about the opponent."""
        them = self.players[here.seat.other]
        if here.secret is None or any(_guessed(them, here.theirs, here.own).values()):
            return "the opponent plays the certified strategy"
        if not here.own:
            return "the opponent left the certified strategy but hid by it, and both now race"
        return "the opponent left the certified strategy but hid by it, and still follows its rules"


def race(tried: int, odds: Mapping[int, Fraction], hidden: Cell) -> float:
    """An estimate: hit now, or survive and hit next time, or survive twice and know everything."""
    cells = split(tuple(odds), tried)
    now = float(odds.get(tried, 0))
    then = sum(float(max(odds[s] for s in cell)) for answer, cell in cells if answer)
    missed_once = 1 - 1 / len(hidden)
    told = max(len(split(hidden, g)) for g in hidden)
    return now + missed_once * (then + (1 - now - then) * max(0.0, 1 - told / len(hidden)))
