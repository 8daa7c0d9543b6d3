"""Quantum Duel: four of your symbols in a row of seven cells, against challenges and a coin."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Self

from strongroom.game import (
    CHANCE,
    NAMES,
    Actor,
    Event,
    Game,
    Move,
    Names,
    NotLegal,
    NotUnderstood,
    Outcome,
    Seat,
    State,
    View,
)
from strongroom.refusal import shown, whole_number

CELLS = 7
CHAIN = 4
UNOBSERVED = "_"
SYMBOLS = ("X", "O")
CHAINS = tuple(symbol * CHAIN for symbol in SYMBOLS)
INITIAL_BOARD = UNOBSERVED * CELLS

CHAINED = f"made an unbroken chain of {CHAIN}"

# What the referee answers to each event: whether the symbol stands, and what became of the board.
OPEN = "open"  # the placement may still be challenged, or the coin is in the air
STANDS = "stands"
FAILS = "fails"
FULL = "stands, and the full board is cleared"


@dataclass(frozen=True, slots=True)
class Observe(Move):
    """An observation: the active player's symbol goes into a cell, written `3`."""

    cell: int

    def __post_init__(self) -> None:
        if not 1 <= self.cell <= CELLS:
            reason = f"Cells run from 1 to {CELLS}; you typed {self.cell}."
            raise NotUnderstood(reason, "Type the number of an unobserved cell.")

    def __str__(self) -> str:
        return str(self.cell)


@dataclass(frozen=True, slots=True)
class Reply(Move):
    """Whether the opponent challenges the observation, written `yes` or `no`."""

    challenge: bool

    def __str__(self) -> str:
        return "yes" if self.challenge else "no"


@dataclass(frozen=True, slots=True)
class Coin(Move):
    """The randomizer's result, written `heads` or `tails`."""

    heads: bool

    def __str__(self) -> str:
        return "heads" if self.heads else "tails"


OBSERVATIONS = tuple(Observe(cell) for cell in range(1, CELLS + 1))
REPLIES = (Reply(True), Reply(False))
COIN = (Coin(True), Coin(False))


@cache
def unobserved(board: str) -> tuple[Observe, ...]:
    """The observations that a board leaves open."""
    return tuple(observe for observe in OBSERVATIONS if board[observe.cell - 1] == UNOBSERVED)


def adjacent(board: str, cell: int, symbol: str) -> tuple[int, ...]:
    """The cells immediately next to a cell that hold the symbol.

    >>> adjacent("__X_X__", 4, "X")
    (3, 5)
    """
    near = (each for each in (cell - 1, cell + 1) if 1 <= each <= CELLS)
    return tuple(each for each in near if board[each - 1] == symbol)


def with_cell(board: str, cell: int, symbol: str) -> str:
    """The board with one cell changed."""
    return board[: cell - 1] + symbol + board[cell:]


def settled(board: str) -> tuple[str, str]:
    """The board after a symbol stands without a chain: a full one is cleared."""
    return (board, STANDS) if UNOBSERVED in board else (INITIAL_BOARD, FULL)


@cache
def observation(board: str, cell: int, index: int) -> tuple[str, Event]:
    """The board with a player's symbol in a cell: open to a challenge next to an own one."""
    seat, symbol, move = tuple(Seat)[index], SYMBOLS[index], OBSERVATIONS[cell - 1]
    placed = with_cell(board, cell, symbol)
    if adjacent(board, cell, symbol):
        return placed, Event(seat, move, OPEN)
    after, answer = settled(placed)
    return after, Event(seat, move, answer)


def draw(board: str) -> str:
    """The board as the book draws it, with the cells' numbers below."""
    cells = " ".join(f"[ {symbol} ]" for symbol in board)
    return f"{cells}\n  {'     '.join(str(cell) for cell in range(1, CELLS + 1))}"


class QuantumDuel(Game):
    """Quantum Duel; it has no options and no secrets."""

    name = "quantum-duel"

    def start(self) -> QuantumDuelState:
        """An unobserved board."""
        return QuantumDuelState(self, INITIAL_BOARD)

    @cached_property
    def actions(self) -> tuple[Move, ...]:
        """The cells, then the opponent's replies, then the coin."""
        return OBSERVATIONS + REPLIES + COIN

    # --- what is said at the table ---

    def parse(self, text: str, view: View) -> Move:
        """A cell; or, when a challenge is offered, yes or no."""
        word = text.strip().lower()
        if self._is_challenge(view):
            if word in ("y", "yes", "challenge"):
                return Reply(True)
            if word in ("n", "no"):
                return Reply(False)
            reason = f"{shown(text)} is neither yes nor no."
            raise NotUnderstood(reason, self.accepts(view))
        number = word.removeprefix("cell").strip()
        if not (number.isascii() and number.isdigit()):
            raise NotUnderstood(f"{shown(text)} is not a cell.", self.accepts(view))
        return Observe(whole_number(number))

    def accepts(self, view: View, lines: Sequence[str] = ()) -> str:
        """How to type a cell, or a reply."""
        if self._is_challenge(view):
            return "Type yes (or y) to challenge, no (or n) to let it stand."
        free = ", ".join(str(observe) for observe in unobserved(view.board))
        return f"Type the number of an unobserved cell, like {free.split(',')[0]}: {free}."

    def ask(self, view: View, lines: Sequence[str] = (), names: Names = NAMES) -> str:
        """The question for a cell, or whether to challenge."""
        if not isinstance(view.actor, Seat):
            return ""
        name = names[view.actor]
        if self._is_challenge(view):
            return f"{name}, do you want to challenge? (yes/no): "
        turn = f"\n{name} ({SYMBOLS[view.actor.index]}), it's your turn."
        return f"{turn}\nEnter the cell number you want to observe: "

    def say(self, view: View, names: Names = NAMES) -> str:
        """What became of the last observation, and the board."""
        if not view.history:
            return f"Welcome to {self.title}!\n\nInitial Board:\n{draw(view.board)}"
        event = view.history[-1]
        if isinstance(event.move, Observe) and event.answer == OPEN:
            assert isinstance(event.actor, Seat)
            near = adjacent(view.board, event.move.cell, SYMBOLS[event.actor.index])
            cells = " and ".join(map(str, near))
            words = "symbols at cells" if len(near) > 1 else "symbol at cell"
            return f"\nCell {event.move} is adjacent to your {words} {cells}."
        if event.answer == OPEN:
            return "\nChallenge initiated!\nFlipping a coin..."
        cell = next(e.move for e in reversed(view.history) if isinstance(e.move, Observe))
        if not isinstance(event.move, Coin):
            result = f"\nYou have observed cell {cell}."
        elif event.move.heads:
            result = f"Result: Heads\n\nObservation successful! Cell {cell} is now yours."
        else:
            result = f"Result: Tails\n\nObservation failed! Cell {cell} is unobserved again."
        if event.answer == FULL:
            result += f"\n\nThe board is full without a chain of {CHAIN}: all cells are cleared."
        return f"{result}\n\nCurrent Board:\n{draw(view.board)}"

    def picture(self, view: View) -> str:
        """The seven cells with their numbers."""
        return draw(view.board)

    def note(self, event: Event) -> str:
        """An observation, a reply or the coin, and what came of it."""
        if isinstance(event.move, Observe):
            return f"cell {event.move}" + (", adjacent" if event.answer == OPEN else "")
        if isinstance(event.move, Reply):
            return "challenges" if event.move.challenge else "no challenge"
        return f"{event.move}: {event.answer}"

    @staticmethod
    def _is_challenge(view: View) -> bool:
        return bool(view.history) and view.history[-1].answer == OPEN


class QuantumDuelState(State[QuantumDuel, str, Move]):
    """The board as seven symbols, a contested one included."""

    __slots__ = ()

    @property
    def moves(self) -> tuple[Move, ...]:
        """Any unobserved cell; or, if the placement may be challenged, a reply; or the coin."""
        if self.actor is None:
            return ()
        if self.actor is CHANCE:
            return COIN
        if self.log and self.log[-1].answer == OPEN:
            return REPLIES
        return unobserved(self.board)

    @property
    def odds(self) -> tuple[float, ...]:
        """A fair coin."""
        return (0.5, 0.5) if self.actor is CHANCE else super().odds

    @property
    def turns(self) -> int:
        """How many observations have stood or failed."""
        return sum(event.answer != OPEN for event in self.log)

    def play(self, move: Move) -> Self:
        """An observation, a reply to it, or the coin's fall, whichever is due."""
        actor, log = self.actor, self.log
        if actor is None:
            raise NotLegal("The game is over.")
        if actor is CHANCE:
            return self._resolve_challenge(move)
        if log and log[-1].answer == OPEN:
            return self._reply(actor, move)
        return self._observe(actor, move)

    def _observe(self, seat: Seat, move: Move) -> Self:
        """Observation: the symbol is placed; the opponent may challenge it next to an own one."""
        if not isinstance(move, Observe):
            raise NotLegal(f"{move} is not a cell.", f"Cells run from 1 to {CELLS}.")
        if self.board[move.cell - 1] != UNOBSERVED:
            holder = self.board[move.cell - 1]
            free = ", ".join(map(str, unobserved(self.board)))
            raise NotLegal(f"Cell {move} already holds {holder}.", f"Unobserved: {free}.")
        board, event = observation(self.board, move.cell, seat.index)
        return type(self)(self.game, board, self.secrets, self.log + (event,), seat.other)

    def _reply(self, opponent: Seat, move: Move) -> Self:
        """The opponent declares a challenge, or lets the observation stand."""
        if not isinstance(move, Reply):
            raise NotLegal(f"{move} is no reply to an observation.", "Reply yes or no.")
        if move.challenge:
            log = self.log + (Event(opponent, move, OPEN),)
            return type(self)(self.game, self.board, self.secrets, log, CHANCE)
        return self._stands(opponent.other, opponent, move)

    def _resolve_challenge(self, move: Move) -> Self:
        """Heads: the observation succeeds. Tails: the cell reverts to unobserved."""
        if not isinstance(move, Coin):
            raise NotLegal(f"{move} is no side of a coin.", "The coin falls heads or tails.")
        observer, observation, _ = self.log[-2]
        assert isinstance(observer, Seat)
        assert isinstance(observation, Observe)
        if move.heads:
            return self._stands(observer, CHANCE, move)
        board = with_cell(self.board, observation.cell, UNOBSERVED)
        log = self.log + (Event(CHANCE, move, FAILS),)
        return type(self)(self.game, board, self.secrets, log, observer.other)

    def _stands(self, observer: Seat, decider: Actor, move: Move) -> Self:
        """The contested symbol stays: four in a row win; a full board without them is cleared."""
        if CHAINS[observer.index] in self.board:
            log = self.log + (Event(decider, move, STANDS),)
            outcome = Outcome(observer, CHAINED)
            return type(self)(self.game, self.board, self.secrets, log, None, outcome)
        board, answer = settled(self.board)
        log = self.log + (Event(decider, move, answer),)
        return type(self)(self.game, board, self.secrets, log, observer.other)
