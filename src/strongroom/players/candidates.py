"""What can still be hidden: the codes and numbers that fit everything said aloud so far."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from strongroom.game import Event, Game, Seat, View
from strongroom.games.clues import EVERY, Clue
from strongroom.games.codes import Code
from strongroom.games.digit_deductions import NUMBERS, DigitDeductions
from strongroom.games.safe_code import Number, RequestClue
from strongroom.games.safe_cracker import SafeCracker

Codes = NDArray[np.int8]
"""Codes as rows of digits."""
Guess = tuple[tuple[int, ...], int]
"""The digits of a guess, and the referee's answer to it."""


def guesses_of(view: View, seat: Seat) -> tuple[Guess, ...]:
    """What a player has guessed, with the answers."""
    return tuple(
        (event.move.digits, int(event.answer or 0))
        for event in view.history
        if event.actor is seat and isinstance(event.move, Code)
    )


@lru_cache(maxsize=8)
def all_codes(game: Game) -> Codes:
    """Every code that can be hidden in a game of guessing codes."""
    space = game.space if isinstance(game, SafeCracker) else NUMBERS
    rows = np.indices((space.highest,) * space.length, dtype=np.int8)
    return rows.reshape(space.length, -1).T + np.int8(1)


def answers(game: Game, codes: Codes, guess: Codes) -> NDArray[np.int8]:
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


# Few are kept, because at nine digits and length six each may take megabytes.
@lru_cache(maxsize=64)
def codes_left(game: Game, guesses: tuple[Guess, ...]) -> Codes:
    """The codes that would have been answered like this."""
    if not guesses:
        return all_codes(game)
    digits, answer = guesses[-1]
    codes = codes_left(game, guesses[:-1])
    left: Codes = codes[answers(game, codes, np.array(digits, dtype=np.int8)) == answer]
    return left


def numbers_left(game: Game, events: Iterable[Event]) -> frozenset[int]:
    """The numbers of Safe Code that fit these clues and wrong guesses of one player."""
    left = EVERY
    for event in events:
        if isinstance(event.move, Number):
            left -= {event.move.value}
        elif isinstance(event.move, RequestClue):
            left &= clue_given(game, event).meaning
    return left


def clue_given(game: Game, request: Event) -> Clue:
    """The clue that answered a request."""
    clue = game.move(str(request.answer))
    assert isinstance(clue, Clue)
    return clue
