"""Candidates: the codes and numbers that fit all public answers and clues so far."""

from __future__ import annotations

from collections.abc import Iterable
from functools import reduce

import numpy as np
from numpy.typing import NDArray

from strongroom.contract import Event, Rules, Seat, View
from strongroom.games.codes import Code
from strongroom.games.guessing import Unguessed, code_digits
from strongroom.games.safe_code.clues import EVERY
from strongroom.games.safe_code.rules import numbers_after

Codes = NDArray[np.int8]
"""Codes as rows of digits."""
Guess = tuple[tuple[int, ...], int]
"""The digits of a guess, and the referee's answer to it."""


def guesses_of(view: View, seat: Seat) -> tuple[Guess, ...]:
    """A player's guesses with their answers."""
    return tuple(
        (move.digits, answer)
        for actor, move, answer in view.history
        if actor is seat and isinstance(move, Code) and isinstance(answer, int)
    )


def codes_left(game: Rules, guesses: Iterable[Guess]) -> Codes:
    """The codes that fit these guesses and answers."""
    left = unguessed(game)
    for guess in dict.fromkeys(guesses):
        left = left.answered(*guess)
    return listed(left)


def unguessed(game: Rules) -> Unguessed:
    """All codes, before any guess."""
    left = game.candidates(Seat.ONE)
    assert isinstance(left, Unguessed)
    return left


def listed(left: Unguessed) -> Codes:
    """The codes left, one by one."""
    codes = code_digits(left.space)
    size = -(-len(codes) // 8)
    packed = np.frombuffer(left.bits.to_bytes(size, "little"), dtype=np.uint8)
    fits = np.unpackbits(packed, count=len(codes), bitorder="little")
    return codes[np.flatnonzero(fits)]


def numbers_left(events: Iterable[Event]) -> frozenset[int]:
    """The numbers of Safe Code that fit these clues and wrong guesses of one player."""
    return reduce(numbers_after, events, EVERY)
