"""How the expert plays Quantum Duel."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache
from typing import Final

from strongroom.contract import Move, Seat, View
from strongroom.games.quantum_duel.rules import (
    Board,
    Observe,
    Reply,
    adjacent,
    chained,
    settled,
    unobserved,
    with_cell,
)
from strongroom.players.ideas import MixedIdea, Mixture, Uniform

AHEAD: Final = 6
SLIPS: Final = 0.2
"""How often the opponent is assumed to move at random."""


class LooksAhead(MixedIdea):
    """Makes the move with the best chance to win within its search depth.

    It looks six placements ahead, with every challenge and both sides of the coin, and takes
    the best chance to win; a position beyond that counts one half. It assumes that the opponent
    does the same but moves at random one time in five, so it sets traps where nothing can be
    forced.
    """

    def policy(self, view: View) -> Mixture:
        """The best cells, or the best replies to an observation."""
        assert view.seat is not None
        worth = {move: round(_worth(view, view.seat, move), 9) for move in view.moves}
        most = max(worth.values())
        return Uniform([move for move in view.moves if worth[move] == most])


def _worth(view: View, me: Seat, move: Move) -> float:
    if isinstance(move, Observe):
        return _placed(view.board, move.cell, me, me, AHEAD)
    assert isinstance(move, Reply)
    placed = view.history[-1].move
    assert isinstance(placed, Observe)
    before = with_cell(view.board, placed.cell, None)
    unchallenged, challenged = _replies(before, placed.cell, me.other, me, AHEAD)
    return challenged if move.challenge else unchallenged


@lru_cache(maxsize=1 << 16)
def _to_move(board: Board, mover: Seat, me: Seat, ahead: int) -> float:
    """My chance to win on the mover's turn, looking this many placements ahead."""
    if ahead == 0:
        return 0.5
    chances = [_placed(board, each.cell, mover, me, ahead) for each in unobserved(board)]
    return _choice(chances, mover is me)


def _placed(board: Board, cell: int, mover: Seat, me: Seat, ahead: int) -> float:
    """My chance to win when the mover places a symbol."""
    if adjacent(board, cell, mover):
        return _choice(_replies(board, cell, mover, me, ahead), mover is not me)
    return _stands(board, cell, mover, me, ahead)


def _replies(board: Board, cell: int, mover: Seat, me: Seat, ahead: int) -> tuple[float, float]:
    """My chances to win when a placement is not challenged, and when it is."""
    stands = _stands(board, cell, mover, me, ahead)
    fails = _after(board, mover.other, me, ahead - 1)
    return stands, (stands + fails) / 2


def _stands(board: Board, cell: int, mover: Seat, me: Seat, ahead: int) -> float:
    """My chance to win when a placement stands."""
    after = with_cell(board, cell, mover)
    if chained(after, mover):
        return float(mover is me)
    return _after(settled(after)[0], mover.other, me, ahead - 1)


def _after(board: Board, mover: Seat, me: Seat, ahead: int) -> float:
    return _to_move(_turned(board), mover, me, ahead)


@cache
def _turned(board: Board) -> Board:
    """A board or its mirror image: they are worth the same, so only one is searched."""
    return min(board, board[::-1], key=lambda cells: [each.value if each else 3 for each in cells])


def _choice(chances: Sequence[float], mine: bool) -> float:
    """The value of a choice: mine is the best for me, the opponent's the worst but for slips."""
    if mine:
        return max(chances)
    return (1 - SLIPS) * min(chances) + SLIPS * sum(chances) / len(chances)
