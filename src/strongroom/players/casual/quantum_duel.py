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
from strongroom.players.ideas import Evenly, MixedIdea, Mixture, blend, in_proportion


class CompletesOrBlocks(MixedIdea):
    """A cell that makes, stops or starts a chain; a challenge where one threatens."""

    told = (
        "It completes a chain, else blocks one, else places the likelier where the more chains, "
        "its own or the opponent's, can still grow, and challenges a placement that makes three in "
        "a row or more, others at whim. "
        "One turn in five it does not see what is on the board."
    )

    def policy(self, view: View) -> Mixture:
        """The mixture of cells, or of replies to an observation."""
        seen = _reply(view) if isinstance(view.moves[0], Reply) else _cells(view)
        return blend((OVERLOOKS, Evenly(view.moves)), (1 - OVERLOOKS, seen))


def _reply(view: View) -> Mixture:
    """A challenge where a chain threatens, else either reply."""
    placed = view.history[-1].move
    assert isinstance(placed, Observe)
    threatens = row_through(view.board, placed.cell) >= CHAIN - 1
    return Evenly([Reply(True)] if threatens else view.moves)


def _cells(view: View) -> Mixture:
    """Cells that complete a chain, else cells that block one, else any where chains can grow."""
    cells, seat = [move for move in view.moves if isinstance(move, Observe)], view.seat
    assert seat is not None
    for owner in (seat, seat.other):
        completing = [each for each in cells if completes(view.board, each.cell, owner)]
        if completing:
            return Evenly(completing)
    chains: dict[Move, float] = {
        each: float(sum(growing(view.board, each.cell, owner) for owner in Seat)) for each in cells
    }
    return in_proportion(chains) if any(chains.values()) else Evenly(cells)


def row_through(board: Board, cell: int) -> int:
    """How many symbols like the one in a cell stand in a row through it."""
    owner = board[cell - 1]

    def run(cells: Board) -> int:
        return len([*takewhile(lambda each: each is owner, cells)])

    return run(board[: cell - 1][::-1]) + 1 + run(board[cell:])


def completes(board: Board, cell: int, seat: Seat) -> bool:
    """Whether a player's symbol in this cell makes a chain."""
    return chained(with_cell(board, cell, seat), seat)


def growing(board: Board, cell: int, seat: Seat) -> int:
    """How many chains of a player through this cell are still possible."""
    starts = range(max(0, cell - CHAIN), min(cell, CELLS - CHAIN + 1))
    return sum(seat.other not in board[start : start + CHAIN] for start in starts)
