"""The player who plays sensibly and errs like a person: it forgets, overlooks and is impatient."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from random import Random
from types import MappingProxyType
from typing import Final, TypeVar

from strongroom.game import Move, View
from strongroom.games.clues import Clue
from strongroom.games.codes import Code
from strongroom.games.quantum_duel import (
    CELLS,
    CHAIN,
    OPEN,
    SYMBOLS,
    UNOBSERVED,
    Observe,
    Reply,
    with_cell,
)
from strongroom.games.safe_code import REQUEST, Number
from strongroom.games.safecracker_duel import CODES, INITIAL_SAFE, Change
from strongroom.players.candidates import codes_left, guesses_of, numbers_left
from strongroom.refusal import UnknownName

FORGETS: Final = 0.2
"""How often it forgets, for a turn, one thing that it was told before its last turn."""
OVERLOOKS: Final = 0.2
"""How often it does not see what is on the board: a win, a block, a reason to challenge."""
SETS_OWN_DIGIT: Final = 1 / 3
"""How often it goes for its own code when it could change back what the opponent changed."""
COME_TO_MIND: Final = 5
"""Of so many codes it hides the most varied one."""
ENOUGH: Final = 6
"""With so few numbers left, it guesses instead of asking for a clue."""

GUESSING: Final = (
    "It hides a code that looks random, one of different digits mostly, and guesses the first code "
    "that comes to its mind and fits all the answers it remembers. "
    "Each answer but the last one slips its memory one turn in five."
)
IDEAS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "safecracker-duel": (
            "It takes a win if it sees one; otherwise it changes back what the opponent changed, "
            "or, one turn in three, sets a digit of its own code. "
            "One turn in five it does not look for a win at all."
        ),
        "safe-cracker": GUESSING,
        "safe-code": (
            "It writes everyday clues, asks for all three of the opponent's while more than six "
            "numbers are left, and guesses the first number that fits what it remembers. "
            "Each clue and each guess but the last one slips its memory one turn in five."
        ),
        "digit-deductions": GUESSING,
        "quantum-duel": (
            "It completes a chain, else blocks one, else places where a chain of its own can still "
            "grow, and challenges a placement that makes three in a row or more, others at whim. "
            "One turn in five it does not see what is on the board."
        ),
    }
)
"""How it plays each game and where it errs, in two sentences."""

EVERYDAY_KINDS: Final = frozenset(
    {"even", "odd", "prime", "greater", "less", "divisible", "one digit", "two digits"}
)
EVERYDAY_NUMBERS: Final = frozenset({2, 3, 4, 5, 10, 15, 20, 25})

T = TypeVar("T")


class CasualPlayer:
    """Plays each game as `IDEAS` says; its slips and its tastes are drawn from `rng`."""

    def __init__(self, rng: Random) -> None:
        self._rng = rng

    def choose(self, view: View) -> Move:
        """A sensible move, most of the time."""
        name = view.game.name
        if name not in _CHOICES:
            known = ", ".join(IDEAS)
            raise UnknownName(f"The casual player does not know {name!r}.", f"Known: {known}.")
        return _CHOICES[name](view, self._rng)


def _remembered(told: Sequence[T], rng: Random) -> tuple[T, ...]:
    """What is not forgotten just now; the last thing told is fresh in memory."""
    return (*(each for each in told[:-1] if rng.random() >= FORGETS), *told[-1:])


# --- Safe Cracker and Digit Deductions ------------------------------------------------------------


def _guess_code(view: View, rng: Random) -> Move:
    if view.setting_up:
        return max(rng.sample(view.moves, COME_TO_MIND), key=_variety)
    assert view.seat is not None
    left = codes_left(view.game, _remembered(guesses_of(view, view.seat), rng))
    return Code(tuple(map(int, left[rng.randrange(len(left))])))


def _variety(code: Move) -> int:
    """How many different digits a code has; the more, the safer it looks."""
    return len(set(code.digits)) if isinstance(code, Code) else 0


# --- Safe Code ------------------------------------------------------------------------------------


def _guess_number(view: View, rng: Random) -> Move:
    if view.setting_up:
        return rng.choice(_everyday(view.moves) if view.secret else view.moves)
    own = [event for event in view.history if event.actor is view.seat]
    left = numbers_left(view.game, _remembered(own, rng))
    if REQUEST in view.moves and len(left) > ENOUGH:
        return REQUEST
    return Number(rng.choice(sorted(left)))


def _everyday(moves: Sequence[Move]) -> list[Clue]:
    """The clues that a person thinks of first."""
    return [
        move
        for move in moves
        if isinstance(move, Clue)
        and move.kind in EVERYDAY_KINDS
        and EVERYDAY_NUMBERS.issuperset(move.numbers)
    ]


# --- Safecracker Duel -----------------------------------------------------------------------------


def _turn_digit(view: View, rng: Random) -> Move:
    if view.setting_up:
        return rng.choice(view.moves)
    own, *_ = view.secret
    assert isinstance(own, Code)
    turns = [move for move in view.moves if isinstance(move, Change)]
    results = {turn: str(turn.applied_to(CODES.parse(view.board))) for turn in turns}
    winning = [turn for turn in turns if results[turn] == str(own)]
    if winning and rng.random() >= OVERLOOKS:
        return winning[0]
    back = [turn for turn in turns if results[turn] == _safe_before(view)]
    if back and rng.random() >= SETS_OWN_DIGIT:
        return back[0]
    return rng.choice([turn for turn in turns if _sets_digit_of(own, turn, view)] or turns)


def _safe_before(view: View) -> str | None:
    """What the safe showed before the opponent's last turn."""
    shown = [str(INITIAL_SAFE), *(str(event.answer) for event in view.history[-2:])]
    return shown[-2] if view.history else None


def _sets_digit_of(code: Code, turn: Change, view: View) -> bool:
    """Whether a turn sets a digit of the code that the safe does not show yet."""
    digit = code.digits[turn.position - 1]
    return turn.digit == digit != CODES.parse(view.board).digits[turn.position - 1]


# --- Quantum Duel ---------------------------------------------------------------------------------


def _place_or_reply(view: View, rng: Random) -> Move:
    if rng.random() < OVERLOOKS:
        return rng.choice(view.moves)
    assert view.seat is not None
    own, other = SYMBOLS[view.seat.index], SYMBOLS[view.seat.other.index]
    if isinstance(view.moves[0], Reply):
        placed = next(event.move for event in reversed(view.history) if event.answer == OPEN)
        assert isinstance(placed, Observe)
        threatens = _row_through(view.board, placed.cell, other) >= CHAIN - 1
        return Reply(threatens or rng.random() < 0.5)
    cells = [move for move in view.moves if isinstance(move, Observe)]
    for symbol in (own, other):
        completing = [each for each in cells if _completes(view.board, each.cell, symbol)]
        if completing:
            return rng.choice(completing)
    return rng.choice([each for each in cells if _can_grow(view.board, each.cell, own)] or cells)


def _row_through(board: str, cell: int, symbol: str) -> int:
    """How many of a symbol stand in a row through a cell that holds it."""
    before, after = board[: cell - 1], board[cell:]
    left = len(before) - len(before.rstrip(symbol))
    return left + 1 + len(after) - len(after.lstrip(symbol))


def _completes(board: str, cell: int, symbol: str) -> bool:
    """Whether a symbol in this cell makes a chain."""
    return symbol * CHAIN in with_cell(board, cell, symbol)


def _can_grow(board: str, cell: int, symbol: str) -> bool:
    """Whether a chain through this cell is still possible."""
    starts = range(max(0, cell - CHAIN), min(cell, CELLS - CHAIN + 1))
    return any(set(board[start : start + CHAIN]) <= {symbol, UNOBSERVED} for start in starts)


_CHOICES: Final[Mapping[str, Callable[[View, Random], Move]]] = {
    "safecracker-duel": _turn_digit,
    "safe-cracker": _guess_code,
    "safe-code": _guess_number,
    "digit-deductions": _guess_code,
    "quantum-duel": _place_or_reply,
}
