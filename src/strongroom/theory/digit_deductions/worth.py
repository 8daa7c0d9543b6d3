"""What decisions in Digit Deductions are worth against the certified player.

The player knows its own number, both players' guesses and their answers. The certified player's
guesses depend on its own number, so what it guessed tells something about that: by Bayes' rule,
`posterior` weighs its numbers. How it goes on depends on both players' trials and its own number,
and what the player can still win depends on that, on the player's own number and on the turns left.
So these are the state. Two groups of symmetries act on it and change nothing: one on the player's
number and the guesses at it, the other on the certified player's number and the guesses at that.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from math import inf
from typing import Any

from numpy.typing import NDArray

from strongroom.contract import Move, Seat, View
from strongroom.theory.digit_deductions.board import (
    ALL,
    CODES,
    CORNER,
    ORBIT,
    ORBITS,
    Cell,
    Trials,
    candidates,
    fold,
    folded,
    frames,
)
from strongroom.theory.digit_deductions.knowledge import Knowledge, in_turn
from strongroom.theory.digit_deductions.opening import PLACE, SECOND_TURNS, firsts_with_seconds
from strongroom.theory.digit_deductions.player import DiagonalPlayer
from strongroom.theory.digit_deductions.proof import within
from strongroom.theory.digit_deductions.response import FullResponse, Rows, guesses, posterior
from strongroom.theory.solution import Table
from strongroom.theory.worth import Turns, Unreachable, Worth

REMEMBERED = 1 << 13
"""How many positions are remembered."""


def _standard(trials: Trials) -> tuple[Trials, Cell]:
    """Trials in the first frame of their first guess, and the symmetry that leads there.

    Only one of the frames will do: TWO looks at no other one off the main line.
    """
    if not trials:
        return trials, ALL
    first = folded(trials[0])
    turn = frames(first[0])[0]
    return tuple((turn[guess], answer) for guess, answer in (first, *trials[1:])), turn


class DiagonalWorth(Worth):
    """The worth of decisions: early guesses are read from the table, later ones are computed."""

    horizons = (1, 2)

    def __init__(self, table: Table, players: Mapping[Seat, DiagonalPlayer]) -> None:
        self.players = players
        self._first: dict[Seat, list[list[list[float]]]] = {
            seat: table[f"{seat.name.lower()}_first"].tolist() for seat in Seat
        }
        self._second: NDArray[Any] = table["one_second"]
        firsts = firsts_with_seconds(players[Seat.TWO])
        self._firsts_with_seconds = {first: i for i, first in enumerate(firsts)}
        self._guesses = lru_cache(maxsize=REMEMBERED)(self._computed)

    def start(self, seat: Seat, turns: Turns) -> float:
        """What a best response wins from this seat."""
        return max(self.numbers(Knowledge(seat, None, (), ()), turns))

    def moves(self, view: View, turns: Turns) -> dict[Move, float]:
        """What each move wins if a best response follows it."""
        return dict(zip(CODES, self.numbers(in_turn(view), turns), strict=True))

    def numbers(self, here: Knowledge, turns: Turns) -> list[float]:
        """What hiding or guessing each number wins if a best response follows it."""
        left = inf if turns is None else turns
        if here.secret is None:
            hidden = self._of_one if here.seat is Seat.ONE else self._of_two
            worth = [hidden(orbit, left) for orbit in ORBITS]
            return [worth[ORBIT[s]] for s in ALL]
        theirs, turn = _standard(here.theirs)
        secret = turn[here.secret]
        if not here.own and here.seat is Seat.ONE:
            return self._by_orbit(Seat.ONE, ORBIT[secret], left)
        if not here.own and theirs[0][0] == CORNER:
            return self._by_orbit(Seat.TWO, secret, left)
        own, turn = _standard(here.own)
        left = within(left, 2 * len(candidates(theirs)))
        row = self._later(here.seat, own, theirs, secret, left)
        return [row[g] for g in turn]

    def odds(self, view: View) -> dict[Move, float]:
        """How likely the certified player hides each number, by Bayes' rule."""
        here = in_turn(view)
        (theirs, _), (own, turn) = _standard(here.theirs), _standard(here.own)
        found = posterior(self.players[here.seat.other], theirs, own)
        if not found:
            raise Unreachable("The certified player never leads to this position.")
        return {CODES[n]: float(found[turn[n]]) for n in ALL if turn[n] in found}

    def _later(
        self, seat: Seat, own: Trials, theirs: Trials, secret: int, turns: float
    ) -> list[float]:
        """What each guess but a first one wins."""
        tabled = seat is Seat.ONE and own in self._firsts_with_seconds and turns in SECOND_TURNS
        if tabled and theirs[0][0] == CORNER and secret in PLACE:
            first = self._firsts_with_seconds[own]
            return [*self._second[SECOND_TURNS.index(turns), first, :, PLACE[secret]].tolist()]
        rows = self._guesses(seat, own, theirs, turns)
        if not rows:
            raise Unreachable("The certified player never leads to this position.")
        return rows[secret]

    def _by_orbit(self, seat: Seat, row: int, turns: float) -> list[float]:
        first = self._firsts(seat, turns)[row]
        return [first[ORBIT[g]] for g in ALL]

    def _firsts(self, seat: Seat, turns: float) -> list[list[float]]:
        by_turns = self._first[seat]
        return by_turns[int(min(turns, len(by_turns))) - 1]

    def _of_one(self, orbit: Cell, turns: float) -> float:
        return max(self._firsts(Seat.ONE, turns)[ORBIT[orbit[0]]])

    def _of_two(self, orbit: Cell, turns: float) -> float:
        """TWO's mean over the corners, or over the symmetries of its number before one corner."""
        if turns == 1:
            return sum(0.0 if t == CORNER else 0.5 for t in orbit) / len(orbit)
        first = self._firsts(Seat.TWO, turns - 1)
        return sum(0.0 if t == CORNER else max(first[fold(t)]) for t in orbit) / len(orbit)

    def _computed(self, seat: Seat, own: Trials, theirs: Trials, turns: float) -> Rows:
        them = self.players[seat.other]
        odds = posterior(them, theirs, own)
        return guesses(FullResponse(them), odds, theirs, own, turns) if odds else {}
