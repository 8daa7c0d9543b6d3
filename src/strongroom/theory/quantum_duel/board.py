"""The positions of Quantum Duel: the board, who acts, and the contested cell, if any.

Nothing is hidden in this game, so nothing else about the past matters.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from strongroom.contract import CHANCE, Actor, Game, Move, Seat, View
from strongroom.contract.history import linked
from strongroom.games.quantum_duel.rules import OPEN, Board, Observe, QuantumDuel, QuantumDuelState

ENDLESS = Fraction(1, 2)
"""The payoff of a game that goes on for ever."""

_ACTORS: tuple[Actor, ...] = (Seat.ONE, Seat.TWO, CHANCE)
_HOLDERS = (None, Seat.ONE, Seat.TWO)
_OPEN_EVENTS = 2  # an observation and its challenge: no rule looks further back


@dataclass(frozen=True, slots=True)
class QuantumPosition:
    """All that matters about an unfinished game."""

    board: Board
    actor: Actor
    contested: int
    """The cell whose symbol may still be taken back, or 0."""

    @property
    def key(self) -> int:
        """The position as a single integer."""
        number = 0
        for holder in self.board:
            number = 3 * number + _HOLDERS.index(holder)
        return (number * 3 + _ACTORS.index(self.actor)) * 8 + self.contested


def position_of(view: View) -> QuantumPosition:
    """The position that a view shows, the same for every viewer."""
    assert view.actor is not None
    contested = 0
    recent = view.history[-_OPEN_EVENTS:]
    if recent and recent[-1].answer is OPEN:
        contested = next(e.move.cell for e in reversed(recent) if isinstance(e.move, Observe))
    return QuantumPosition(view.board, view.actor, contested)


def view_after(view: View, move: Move) -> View:
    """The public view after a move, by the game's own rules."""
    assert isinstance(view.game, QuantumDuel)
    recent = linked(view.history[-_OPEN_EVENTS:])
    state = QuantumDuelState(view.game, view.board, ((), ()), recent, 0, view.actor, view.outcome)
    return state.play(move).view(None)


@dataclass(frozen=True)
class PositionGraph:
    """All reachable positions, and where each move leads.

    Two further indices, after the positions, stand for a win and a loss of Seat.ONE.
    """

    positions: list[QuantumPosition]
    after: list[tuple[int, ...]]

    @property
    def size(self) -> int:
        """The number of non-terminal positions."""
        return len(self.positions)

    @cached_property
    def actors(self) -> list[Actor]:
        """Who acts in each position."""
        return [position.actor for position in self.positions]

    @cached_property
    def near(self) -> NDArray[np.int64]:
        """Where each move leads, as rows of equal length, padded with the first move."""
        widest = max(map(len, self.after))
        return np.array([row + row[:1] * (widest - len(row)) for row in self.after])


def explore(game: Game) -> PositionGraph:
    """Visit all positions with the game's own rules."""
    assert isinstance(game, QuantumDuel)
    found: dict[QuantumPosition, int] = {}
    states: list[QuantumDuelState] = []

    def number(state: QuantumDuelState) -> int:
        if state.outcome is not None:
            return -1 if state.outcome.winner is Seat.ONE else -2
        position = position_of(state.view(None))
        if position not in found:
            found[position] = len(states)
            states.append(state)
        return found[position]

    number(game.start())
    moves: list[list[int]] = []
    for state in states:  # the list grows during the loop
        moves.append([number(state.play(move)) for move in state.moves])
    ends = {-1: len(states), -2: len(states) + 1}
    return PositionGraph(
        list(found), [tuple(ends.get(each, each) for each in row) for row in moves]
    )
