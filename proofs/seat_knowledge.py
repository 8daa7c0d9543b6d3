"""What each seat of a game knows, written from the rules' views: the expected observations.

The parts are those that the packed games promise, computed here from what a view lists. Nothing
comes from strongroom.vector.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from strongroom.contract import Candidates, Game, Seat, View
from strongroom.games.guessing import CodesLeft
from strongroom.games.quantum_duel.rules import CELLS, Fate
from strongroom.games.safecracker_duel.rules import CODES, INITIAL_SAFE

Flags = NDArray[np.bool_]
Parts = dict[str, Flags]
Left = Mapping[Seat, Candidates | None]
"""For each seat, what its opponent can still hide, by the rules' own count."""


class SeatKnowledge:
    """Writes what a view tells its seat, in parts by name, each some booleans."""

    def __init__(self, game: Game, turn_limit: int) -> None:
        longest = game.longest_game(turn_limit)
        assert longest is not None
        self.game = game
        self.number_bits: int = longest.bit_length()
        self.turn_bits: int = turn_limit.bit_length()
        self._write: Callable[[View, Left], Parts] = {
            "digit-deductions": self.guessing,
            "quantum-duel": self.quantum_duel,
            "safe-cracker": self.safe_cracker,
            "safecracker-duel": self.safecracker_duel,
        }[game.name]

    def parts(self, view: View, left: Left) -> Parts:
        """What a seat knows, given what can still be hidden from each seat."""
        return {"to move": one_bit(view.actor is view.seat), **self._write(view, left)}

    def guessing(self, view: View, left: Left) -> Parts:
        """The moves made, one's code, and what the answers to each seat's guesses leave."""
        assert view.seat is not None
        own = [view.game.actions.index(code) for code in view.secret]
        size = view.game.actions.by_players
        return {
            "number": bits(view.number, self.number_bits),
            "own code": one_of(own[0] if own else None, size),
            "left to me": codes_left(left[view.seat], size),
            "left to the other": codes_left(left[view.seat.other], size),
        }

    def safe_cracker(self, view: View, left: Left) -> Parts:
        """With limited attempts also the most matches of a miss, and whose guess had them first."""
        parts = self.guessing(view, left)
        chosen = view.game.options.to_json()
        if chosen["attempts"] is None:
            return parts
        missed = [event for event in view.history if event.answer != chosen["length"]]
        most = max((event.answer for event in missed), default=None)
        first = next((event.actor for event in missed if event.answer == most), None)
        parts["best"] = bits(0 if most is None else most + 1, 3)
        parts["best is mine"] = one_bit(first is view.seat)
        return parts

    def safecracker_duel(self, view: View, left: Left) -> Parts:
        """The moves made, one's code, the safe now, before and early, and what it has shown."""
        assert view.seat is not None
        unshown = left[view.seat]
        assert isinstance(unshown, CodesLeft)
        safes = [event.answer for event in view.history]
        earlier = [INITIAL_SAFE, *safes][-2:-1]
        size = len(CODES.codes)
        return {
            "number": bits(view.number, self.number_bits),
            "own code": digit_flags(view.secret),
            "safe": digit_flags((view.board,)),
            "previous safe": digit_flags(earlier),
            "first safe": digit_flags(safes[:1]),
            "second safe": digit_flags(safes[1:2]),
            "shown": ~bits(unshown.bits, size),
        }

    def quantum_duel(self, view: View, left: Left) -> Parts:
        """The turns made, whose symbol each cell holds, and the cell that may be challenged."""
        assert view.seat is not None
        latest = view.history[-1] if view.history else None
        contested = latest is not None and latest.answer is Fate.OPEN
        return {
            "turns": bits(view.turns, self.turn_bits),
            "my cells": np.array([cell is view.seat for cell in view.board]),
            "the other's cells": np.array([cell is view.seat.other for cell in view.board]),
            "contested": one_of(latest.move.cell - 1 if latest and contested else None, CELLS),
        }


def codes_left(left: Candidates | None, size: int) -> Flags:
    """A flag for each code, whether it can still be hidden."""
    assert isinstance(left, CodesLeft)
    return bits(left.bits, size)


def digit_flags(codes: Sequence[Any]) -> Flags:
    """A flag for each digit at each position of a code; none is set if there is no code."""
    return _digit_flags(codes[0].digits if codes else ())


@lru_cache(maxsize=1024)
def _digit_flags(digits: tuple[int, ...]) -> Flags:
    flags = np.zeros((CODES.length, CODES.highest), bool)
    for position, digit in enumerate(digits):
        flags[position, digit - 1] = True
    return flags.ravel()


@lru_cache(maxsize=2**17)
def bits(number: int, width: int) -> Flags:
    """The bits of a number, the lowest first.

    >>> bits(6, 4).tolist()
    [False, True, True, False]
    """
    data = np.frombuffer(number.to_bytes(-(-width // 8), "little"), np.uint8)
    return np.unpackbits(data, bitorder="little", count=width).view(np.bool_)


@lru_cache(maxsize=2**14)
def one_of(number: int | None, size: int) -> Flags:
    """Only the flag with this number is set; none if it is None."""
    return np.arange(size) == (-1 if number is None else number)


@lru_cache(maxsize=2)
def one_bit(flag: bool) -> Flags:
    """A flag on its own."""
    return np.array([flag])
