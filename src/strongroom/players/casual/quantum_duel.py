"""How the casual player plays Quantum Duel."""

from __future__ import annotations

from itertools import takewhile

from strongroom.contract import Move, Seat, View
from strongroom.games.quantum_duel.rules import (
    CELLS,
    CHAIN,
    Board,
    Observe,
    Reply,
    chained,
    with_cell,
)
from strongroom.players.casual.slips import OVERLOOKS
from strongroom.players.ideas import Idea


class CompletesOrBlocks(Idea):
    """A cell that makes, stops or starts a chain; a challenge where one threatens."""

    told = (
        "It completes a chain, else blocks one, else places where a chain of its own can still "
        "grow, and challenges a placement that makes three in a row or more, others at whim. "
        "One turn in five it does not see what is on the board."
    )

    def choose(self, view: View) -> Move:
        """A cell, or the reply to an observation."""
        rng, seat = self._rng, view.seat
        if rng.random() < OVERLOOKS:
            return rng.choice(view.moves)
        assert seat is not None
        if isinstance(view.moves[0], Reply):
            placed = view.history[-1].move
            assert isinstance(placed, Observe)
            threatens = row_through(view.board, placed.cell) >= CHAIN - 1
            return Reply(threatens or rng.random() < 0.5)
        cells = [move for move in view.moves if isinstance(move, Observe)]
        for owner in (seat, seat.other):
            completing = [each for each in cells if completes(view.board, each.cell, owner)]
            if completing:
                return rng.choice(completing)
        return rng.choice(
            [each for each in cells if can_grow(view.board, each.cell, seat)] or cells
        )


def row_through(board: Board, cell: int) -> int:
    """How many symbols like the one in a cell stand in a row through it."""
    owner = board[cell - 1]

    def run(cells: Board) -> int:
        return len([*takewhile(lambda each: each is owner, cells)])

    return run(board[: cell - 1][::-1]) + 1 + run(board[cell:])


def completes(board: Board, cell: int, seat: Seat) -> bool:
    """Whether a player's symbol in this cell makes a chain."""
    return chained(with_cell(board, cell, seat), seat)


def can_grow(board: Board, cell: int, seat: Seat) -> bool:
    """Whether a player's chain through this cell is still possible."""
    starts = range(max(0, cell - CHAIN), min(cell, CELLS - CHAIN + 1))
    return any(seat.other not in board[start : start + CHAIN] for start in starts)
