"""The positions of Quantum Duel, and the certified player, who looks them up in its table.

A position is the board, who acts, and the contested cell, if any. Nothing is hidden in this game,
so nothing else about the past matters.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cache, cached_property

import numpy as np

from strongroom.contract import CHANCE, Actor, Event, Game, Move, Seat, View
from strongroom.contract.history import link_items
from strongroom.games.quantum_duel.rules import OPEN, Board, Observe, QuantumDuel, QuantumDuelState
from strongroom.theory.solution import Flags, Ints, Table

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
    recent = link_items(view.history[-_OPEN_EVENTS:])
    state = QuantumDuelState(view.game, view.board, ((), ()), recent, 0, view.actor, view.outcome)
    return state.play(move).view(None)


@dataclass(frozen=True)
class PositionGraph:
    """All reachable positions, and where each move leads.

    Two further indices, after the positions, stand for a win and a loss of Seat.ONE.
    """

    game: QuantumDuel
    positions: list[QuantumPosition]
    after: list[tuple[int, ...]]

    @property
    def size(self) -> int:
        """The number of non-terminal positions."""
        return len(self.positions)

    @cached_property
    def numbers(self) -> dict[int, int]:
        """The index of each position, by its key."""
        return {position.key: number for number, position in enumerate(self.positions)}

    @cached_property
    def actors(self) -> list[Actor]:
        """Who acts in each position."""
        return [position.actor for position in self.positions]

    @cached_property
    def mine(self) -> dict[Seat, Flags]:
        """In which positions each seat acts."""
        return {seat: np.array([actor is seat for actor in self.actors]) for seat in Seat}

    @cached_property
    def near(self) -> Ints:
        """Where each move leads, as rows of equal length, padded with the first move."""
        widest = max(map(len, self.after))
        return np.array([row + row[:1] * (widest - len(row)) for row in self.after])

    @cached_property
    def same_turn(self) -> Flags:
        """Whether a position belongs to the turn that led there."""
        return np.array([*(position.contested > 0 for position in self.positions), False, False])

    @cached_property
    def unroll(self) -> Ints:
        """Where each move leads; positions of the next turn are numbered after all of this one."""
        return self.near + np.where(self.same_turn, 0, len(self.same_turn))[self.near]

    @cached_property
    def stages(self) -> list[Ints]:
        """Within a turn, backwards: the coin, the reply to a placement, and placements."""
        chance = np.array([actor is CHANCE for actor in self.actors])
        contested = self.same_turn[: self.size]
        return [np.flatnonzero(stage) for stage in (chance, contested & ~chance, ~contested)]

    def state(self, position: QuantumPosition) -> QuantumDuelState:
        """A state with this position, without the history before it."""
        actor, cell = position.actor, position.contested
        events = []
        if cell:
            holder = position.board[cell - 1]
            assert holder is not None
            events = [Event(holder, Observe(cell), OPEN)]
        fields = (self.game, position.board, ((), ()), link_items(events), 0, actor, None)
        return QuantumDuelState(*fields)


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
    after = [tuple(ends.get(each, each) for each in row) for row in moves]
    return PositionGraph(game, list(found), after)


@cache  # two options at most
def graph_of(game: Game) -> PositionGraph:
    """The positions of a game, explored once."""
    return explore(game)


class Tablebase:
    """The contents of a table by position: the moves to make there, and exact values."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self._rows = {key: row for row, key in enumerate(table["keys"].tolist())}

    @property
    def size(self) -> int:
        """The number of positions in the table."""
        return len(self._rows)

    def _row(self, position: QuantumPosition) -> int:
        if position.key not in self._rows:
            raise ValueError("no such position in the table of quantum-duel")
        return self._rows[position.key]

    def marked_moves(self, position: QuantumPosition, moves: int) -> tuple[int, ...]:
        """The indices of the moves to make in a position."""
        mask = int(self._table["moves"][self._row(position)])
        return tuple(m for m in range(moves) if mask >> m & 1)

    def worth(self, position: QuantumPosition, name: str = "value") -> Fraction:
        """A position's value to Seat.ONE, or what ONE can force, or what TWO must allow."""
        numerator, denominator = self._table[name][self._row(position)]
        return Fraction(int(numerator), int(denominator))

    def worth_of(self, view: View, name: str = "value") -> Fraction:
        """The same for the position in a view, which may be terminal."""
        if view.outcome is not None:
            return Fraction(view.outcome.winner is Seat.ONE)
        return self.worth(position_of(view), name)

    def policy(self, view: View) -> dict[Move, Fraction]:
        """The marked moves of the view's position, with equal probability."""
        if not view.moves:
            return {}
        marked = self.marked_moves(position_of(view), len(view.moves))
        return {view.moves[m]: Fraction(1, len(marked)) for m in marked}

    def value_of_move(self, view: View, move: Move) -> Fraction:
        """The actor's win probability after a move; endless play counts half."""
        value = self.worth_of(view_after(view, move))
        return value if view.actor is Seat.ONE else 1 - value
