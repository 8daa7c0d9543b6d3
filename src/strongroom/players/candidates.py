"""What can still be hidden: the codes and numbers that fit everything said aloud so far."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from strongroom.contract import Event, Rules, Seat, View
from strongroom.games.codes import Code
from strongroom.games.digit_deductions.rules import NUMBERS, DigitDeductions
from strongroom.games.guessing import Unguessed
from strongroom.games.safe_code.clues import EVERY
from strongroom.games.safe_code.rules import numbers_after
from strongroom.games.safe_cracker.rules import SafeCracker

Codes = NDArray[np.int8]
"""Codes as rows of digits."""
Guess = tuple[tuple[int, ...], int]
"""The digits of a guess, and the referee's answer to it."""


def guesses_of(view: View, seat: Seat) -> tuple[Guess, ...]:
    """What a player has guessed, with the answers."""
    return tuple(
        (move.digits, answer)
        for actor, move, answer in view.history
        if actor is seat and isinstance(move, Code) and isinstance(answer, int)
    )


@lru_cache(maxsize=8)
def all_codes(game: Rules) -> Codes:
    """Every code that can be hidden in a game of guessing codes."""
    space = game.space if isinstance(game, SafeCracker) else NUMBERS
    rows = np.indices((space.highest,) * space.length, dtype=np.int8)
    return rows.reshape(space.length, -1).T + np.int8(1)


def answers(game: Rules, codes: Codes, guess: Codes) -> NDArray[np.int8]:
    """What the referee would answer to a guess, for each code that may be hidden.

    It is the game's own feedback written for whole arrays, and tested against it.
    """
    told = np.zeros(np.broadcast_shapes(codes.shape, guess.shape)[:-1], dtype=np.int8)
    # Digit by digit, because numpy is slow at sums over rows as short as a code.
    for place in range(codes.shape[-1]):
        hidden, guessed = codes[..., place], guess[..., place]
        if isinstance(game, SafeCracker):
            told += hidden == guessed
        else:
            assert isinstance(game, DigitDeductions)
            told += np.abs(hidden - guessed)
    return told


def codes_left(game: Rules, guesses: Iterable[Guess]) -> Codes:
    """The codes that would have been answered like this."""
    left = game.candidates(Seat.ONE)
    assert isinstance(left, Unguessed)
    for guess in dict.fromkeys(guesses):
        left = left.answered(*guess)
    codes = all_codes(game)
    size = -(-len(codes) // 8)
    packed = np.frombuffer(left.bits.to_bytes(size, "little"), dtype=np.uint8)
    fits = np.unpackbits(packed, count=len(codes), bitorder="little")
    return codes[np.flatnonzero(fits)]


def numbers_left(events: Iterable[Event]) -> frozenset[int]:
    """The numbers of Safe Code that fit these clues and wrong guesses of one player."""
    left = EVERY
    for event in events:
        left = numbers_after(left, event)
    return left
