"""What the checks play and try: games at random, and lines that somebody will type one day."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import NamedTuple

from strongroom.contract import CHANCE, AnyState, Game, Move, Refusal, Seat

VIEWERS = (Seat.ONE, Seat.TWO, None)

JUNK = ("", "?", "0", "-1", "99", "1 2 3 4 5 6 7", "yes no", "½ é \x00", "x" * 500)
"""Lines that somebody will type one day; a game answers each with a move or a refusal."""


class Playout(NamedTuple):
    """A game played at random: every state, and the move made in each but the last."""

    states: list[AnyState]
    moves: list[Move]


def playout(game: Game, rng: Random, longest: int = 400) -> Playout:
    """One game with every choice drawn from `rng`, to the end or for `longest` moves."""
    return playout_from(game.start(), rng, longest)


def playout_from(state: AnyState, rng: Random, longest: int) -> Playout:
    """The rest of a game with every choice drawn from `rng`."""
    states = [state]
    moves: list[Move] = []
    while states[-1].outcome is None and len(moves) < longest:
        moves.append(_draw(states[-1], rng))
        try:
            states.append(states[-1].play(moves[-1]))
        except Refusal as refusal:
            raise AssertionError(f"{moves[-1]} is listed, but refused: {refusal}") from refusal
    return Playout(states, moves)


def _draw(state: AnyState, rng: Random) -> Move:
    assert state.moves, f"The game goes on, but {state.actor} has no move:\n{state!r}"
    weights = state.odds if state.actor is CHANCE else None
    move: Move = rng.choices(state.moves, weights)[0]
    return move


def refusal_of(attempt: Callable[[], object]) -> Refusal | None:
    """The refusal of an attempt; None if it succeeds."""
    try:
        attempt()
    except Refusal as refusal:
        return refusal
    return None
