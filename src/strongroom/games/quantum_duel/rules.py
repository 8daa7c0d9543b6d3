"""Quantum Duel: four of your symbols in a row of seven cells, against challenges and a coin."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cache, cached_property
from typing import Any, Self

from strongroom.contract import (
    CHANCE,
    Actions,
    Actor,
    Answers,
    Block,
    Event,
    Game,
    Move,
    NotLegal,
    NotUnderstood,
    Outcome,
    Phase,
    Reason,
    Refusal,
    Rule,
    Seat,
    State,
    require_int,
    shown_value,
)

CELLS = 7
CHAIN = 4

Board = tuple[Seat | None, ...]
"""Whose symbol each cell holds; an unobserved cell holds none."""
INITIAL_BOARD: Board = (None,) * CELLS


class QuantumDuelRule(Rule):
    """The rules that can forbid an observation."""

    UNOBSERVED_CELL = "only an unobserved cell"


class QuantumDuelReason(Reason):
    """The player with an unbroken chain of four wins."""

    CHAINED = "chained"


class Fate(Enum):
    """What became of an observation: whether the symbol stands and whether the board is cleared."""

    OPEN = "open"
    """It may still be challenged, or the coin is in the air."""
    STANDS = "stands"
    FAILS = "fails"
    CLEARED = "cleared"
    """It stands and fills the board, which is cleared."""


OPEN, STANDS, FAILS, CLEARED = Fate


@dataclass(frozen=True, slots=True)
class Observe(Move):
    """An observation: the active player's symbol goes into a cell, written `3`."""

    cell: int

    def __post_init__(self) -> None:
        require_int(self.cell, 1, CELLS, "A cell")

    def __str__(self) -> str:
        return str(self.cell)


@dataclass(frozen=True, slots=True)
class Reply(Move):
    """Whether the opponent challenges the observation, written `yes` or `no`."""

    challenge: bool

    def __post_init__(self) -> None:
        _yes_or_no(self.challenge)

    def __str__(self) -> str:
        return "yes" if self.challenge else "no"


@dataclass(frozen=True, slots=True)
class Coin(Move):
    """The randomizer's result, written `heads` or `tails`."""

    heads: bool

    def __post_init__(self) -> None:
        _yes_or_no(self.heads)

    def __str__(self) -> str:
        return "heads" if self.heads else "tails"


def _yes_or_no(value: object) -> None:
    if type(value) is not bool:
        raise NotUnderstood(f"{shown_value(value)} is neither true nor false.")


OBSERVATIONS = tuple(Observe(cell) for cell in range(1, CELLS + 1))
REPLIES = (Reply(True), Reply(False))
COIN = (Coin(True), Coin(False))


@cache
def possible_observations(board: Board) -> tuple[Observe, ...]:
    """The observations that are possible on a board."""
    return tuple(observe for observe in OBSERVATIONS if board[observe.cell - 1] is None)


def adjacent(board: Board, cell: int, seat: Seat) -> tuple[int, ...]:
    """The cells immediately next to a cell that hold a player's symbol.

    >>> adjacent((None, None, Seat.ONE, None, Seat.ONE, None, None), 4, Seat.ONE)
    (3, 5)
    """
    near = (each for each in (cell - 1, cell + 1) if 1 <= each <= CELLS)
    return tuple(each for each in near if board[each - 1] is seat)


def with_cell(board: Board, cell: int, seat: Seat | None) -> Board:
    """The board with one cell changed."""
    return (*board[: cell - 1], seat, *board[cell:])


@cache
def chained(board: Board, seat: Seat) -> bool:
    """Whether a player has an unbroken chain of four."""
    rows = (board[start : start + CHAIN] for start in range(CELLS - CHAIN + 1))
    return (seat,) * CHAIN in rows


def settle_board(board: Board) -> tuple[Board, Fate]:
    """The board after a symbol stands without a chain: a full board is cleared."""
    return (board, STANDS) if None in board else (INITIAL_BOARD, CLEARED)


@cache
def observation(board: Board, cell: int, seat: Seat) -> tuple[Board, Event]:
    """The board and event of an observation, open to challenge next to the player's own symbol."""
    placed = with_cell(board, cell, seat)
    if adjacent(board, cell, seat):
        return placed, Event(seat, OBSERVATIONS[cell - 1], OPEN)
    after, fate = settle_board(placed)
    return after, Event(seat, OBSERVATIONS[cell - 1], fate)


class QuantumDuel(Game):
    """Four in a row of seven cells, and a coin."""

    name = "quantum-duel"
    reasons = QuantumDuelReason
    longest_turn = 3  # an observation, a challenge and the coin

    def start(self) -> QuantumDuelState:
        """A board of unobserved cells."""
        return QuantumDuelState.first(self, INITIAL_BOARD)

    @cached_property
    def actions(self) -> Actions:
        """The cells, then the opponent's replies, then the coin."""
        return Actions(
            Block(OBSERVATIONS, Phase.TURN), Block(REPLIES, Phase.TURN), Block(COIN, Phase.CHANCE)
        )

    @cached_property
    def answers(self) -> Answers:
        """What can become of an observation."""
        return Answers(Fate)

    def board_to_json(self, board: Board) -> list[int | None]:
        """For each cell, whose symbol it holds."""
        return [seat and seat.value for seat in board]

    def board_from_json(self, data: Any) -> Board:
        """The board with these players' symbols."""
        if isinstance(data, list) and len(data) == CELLS:
            if all(each is None or (type(each) is int and each in (1, 2)) for each in data):
                return tuple(None if each is None else Seat(each) for each in data)
        raise Refusal(f"{shown_value(data)} are not {CELLS} cells.")


class QuantumDuelState(State[QuantumDuel, Board, Move]):
    """The board, including a contested symbol."""

    __slots__ = ()

    @property
    def moves(self) -> Sequence[Move]:
        """Any unobserved cell; or, if the observation may be challenged, a reply; or the coin."""
        actor = self.actor
        if actor is None:
            return ()
        if actor is CHANCE:
            return COIN
        return REPLIES if self._may_be_challenged else possible_observations(self.board)

    @property
    def odds(self) -> tuple[float, ...]:
        """A fair coin."""
        return (0.5, 0.5) if self.actor is CHANCE else super().odds

    @property
    def _may_be_challenged(self) -> bool:
        event: Event | None = self.past[1]
        return event is not None and event.answer is OPEN

    def play(self, move: Move) -> Self:
        """Make an observation, reply to one, or flip the coin, whichever is due."""
        actor = self.actor
        if actor is None:
            raise NotLegal("The game is over.")
        if actor is CHANCE:
            return self._resolve_challenge(move)
        if self._may_be_challenged:
            return self._reply(actor, move)
        return self._observe(actor, move)

    def _observe(self, seat: Seat, move: Move) -> Self:
        """Observation: the symbol is placed, open to challenge next to another of the player's."""
        if not isinstance(move, Observe):
            raise NotLegal(f"{move} is not a cell.", f"Cells run from 1 to {CELLS}.")
        if self.board[move.cell - 1] is not None:
            free = ", ".join(map(str, possible_observations(self.board)))
            reason, accepted = f"Cell {move} is already observed.", f"Unobserved: {free}."
            raise NotLegal(reason, accepted, QuantumDuelRule.UNOBSERVED_CELL)
        board, event = observation(self.board, move.cell, seat)
        return self.after(event, board, seat.other, turn_goes_on=event.answer is OPEN)

    def _reply(self, opponent: Seat, move: Move) -> Self:
        """The opponent declares a challenge, or lets the observation stand."""
        if not isinstance(move, Reply):
            raise NotLegal(f"{move} is not a reply to an observation.", "Reply yes or no.")
        if move.challenge:
            return self.after(Event(opponent, move, OPEN), self.board, CHANCE, turn_goes_on=True)
        return self._stands(opponent.other, opponent, move)

    def _resolve_challenge(self, move: Move) -> Self:
        """Resolving a challenge: heads, the symbol stays; tails, the cell is unobserved again."""
        if not isinstance(move, Coin):
            raise NotLegal(f"{move} is not a side of a coin.", "The coin falls heads or tails.")
        observer, observation, _ = self.log[-2]
        assert isinstance(observer, Seat)
        assert isinstance(observation, Observe)
        if move.heads:
            return self._stands(observer, CHANCE, move)
        board = with_cell(self.board, observation.cell, None)
        return self.after(Event(CHANCE, move, FAILS), board, observer.other)

    def _stands(self, observer: Seat, decider: Actor, move: Move) -> Self:
        """The contested symbol stays: four in a row win; a full board without four is cleared."""
        if chained(self.board, observer):
            outcome = Outcome(observer, QuantumDuelReason.CHAINED)
            return self.after(Event(decider, move, STANDS), self.board, None, outcome)
        board, fate = settle_board(self.board)
        return self.after(Event(decider, move, fate), board, observer.other)
