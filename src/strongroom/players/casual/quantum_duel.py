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
from strongroom.players.ideas import MixedIdea, Mixture, Uniform, blend, in_proportion


class CompletesOrBlocks(MixedIdea):
    """Completes, blocks or starts a chain; challenges where one threatens.

    It completes a chain, or else blocks one, or else prefers cells where more chains, its own
    or the opponent's, can still grow, and it challenges placements that make three in a row or
    more, and others at random. One turn in five it does not see what is on the board.
    """

    def policy(self, view: View) -> Mixture:
        """The mixture of cells, or of replies to an observation."""
        seen = _reply(view) if isinstance(view.moves[0], Reply) else _cells(view)
        return blend((OVERLOOKS, Uniform(view.moves)), (1 - OVERLOOKS, seen))


def _reply(view: View) -> Mixture:
    """A challenge where a chain threatens, else either reply."""
    placed = view.history[-1].move
    assert isinstance(placed, Observe)
    threatens = row_through(view.board, placed.cell) >= CHAIN - 1
    return Uniform([Reply(True)] if threatens else view.moves)


def _cells(view: View) -> Mixture:
    """Cells that complete a chain, else cells that block one, else any where chains can grow."""
    cells = [move for move in view.moves if isinstance(move, Observe)]
    board, seat = view.board, view.seat
    assert seat is not None
    for owner in (seat, seat.other):
        completing = [each for each in cells if chained(with_cell(board, each.cell, owner), owner)]
        if completing:
            return Uniform(completing)
    chains: dict[Move, float] = {
        each: float(sum(growing(board, each.cell, owner) for owner in Seat)) for each in cells
    }
    return in_proportion(chains) if any(chains.values()) else Uniform(cells)


def row_through(board: Board, cell: int) -> int:
    """The length of the run of equal symbols through a cell."""
    owner = board[cell - 1]

    def run(cells: Board) -> int:
        return len([*takewhile(lambda each: each is owner, cells)])

    return run(board[: cell - 1][::-1]) + 1 + run(board[cell:])


def growing(board: Board, cell: int, seat: Seat) -> int:
    """The number of a player's chains through this cell that are still possible."""
    starts = range(max(0, cell - CHAIN), min(cell, CELLS - CHAIN + 1))
    return sum(seat.other not in board[start : start + CHAIN] for start in starts)
