"""Safe Code: crack the opponent's number with guesses and with clues that they had to write."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from random import Random
from typing import Any, NamedTuple, Self

from strongroom.contract import (
    Actions,
    Answer,
    Answers,
    AnyState,
    Block,
    Candidates,
    Event,
    Game,
    Move,
    NotLegal,
    Outcome,
    Phase,
    Reason,
    Refusal,
    Seat,
    State,
    View,
    quote,
    require_int,
    shown_value,
)
from strongroom.games.safe_code.clues import (
    CLUES,
    EVERY,
    FIRST_CLUES,
    LATER_CLUES,
    Clue,
    SafeCodeRule,
    check_clue,
    clues_left,
)
from strongroom.games.safe_code.kinds import HIGHEST, LOWEST

CLUES_EACH = 3
PREPARED = 1 + CLUES_EACH
"""How many secrets a player has prepared when the game starts: a code and its clues."""


class SafeCodeReason(Reason):
    """The player who guesses the opponent's code wins."""

    CRACKED = "cracked"


@dataclass(frozen=True, slots=True)
class Number(Move):
    """A safe code in the set-up, a guess in a turn, written `16`."""

    value: int

    def __post_init__(self) -> None:
        require_int(self.value, LOWEST, HIGHEST, "A code")

    def __str__(self) -> str:
        return str(self.value)


@dataclass(frozen=True, slots=True)
class RequestClue(Move):
    """Asking the opponent for the next clue, written `clue`."""

    def __str__(self) -> str:
        return "clue"


NUMBERS: tuple[Move, ...] = tuple(map(Number, range(LOWEST, HIGHEST + 1)))
WRONG_GUESSES = {
    seat: {value: Event(seat, number, False) for value, number in enumerate(NUMBERS, LOWEST)}
    for seat in Seat
}
"""The events that announce a wrong guess, by who makes it and the number."""
REQUEST = RequestClue()
GUESSES_AND_REQUEST = (*NUMBERS, REQUEST)


class CluesGiven(NamedTuple):
    """How many clues each player has been given so far."""

    one: int = 0
    two: int = 0


class SafeCode(Game):
    """Find a number from 1 to 30 with guesses and true clues."""

    name = "safe-code"
    reasons = SafeCodeReason
    secrets_each = PREPARED

    def candidates(self, seat: Seat) -> NumbersLeft:
        """The numbers that fit the clues given to a seat and its wrong guesses."""
        return NumbersLeft(seat)

    def sample_secret(self, state: AnyState, view: View, rng: Random) -> Move:
        """A code that fits the view, the clues that were given, and any true ones after them."""
        keeper = state.keeper
        assert keeper is not None
        written = len(state.secrets[keeper.index])
        asked = [event for event in view.history if event.actor is keeper.other]
        given = [event.answer for event in asked if isinstance(event.answer, Clue)]
        if 1 <= written <= len(given):
            return given[written - 1]
        return super().sample_secret(state, view, rng)

    def start(self) -> SafeCodeState:
        """The set-up: nobody has chosen a code or written a clue."""
        return SafeCodeState.first(self, CluesGiven())

    @cached_property
    def actions(self) -> Actions:
        """The clues, the numbers and the request for a clue; then clues that were added later."""
        blocks = [
            Block(FIRST_CLUES, Phase.SET_UP),
            Block(NUMBERS, Phase.SET_UP | Phase.TURN),
            Block((REQUEST,), Phase.TURN),
        ]
        if LATER_CLUES:  # the request lies within the numbers of the set-up, and is illegal there
            blocks[-1] = Block((REQUEST,), Phase.SET_UP | Phase.TURN)
            blocks.append(Block(LATER_CLUES, Phase.SET_UP))
        return Actions(*blocks)

    @cached_property
    def answers(self) -> Answers:
        """Whether a guess is correct, then every clue."""
        return Answers((False, True, *CLUES))

    def board_to_json(self, board: CluesGiven) -> list[int]:
        """How many clues each player has been given."""
        return list(board)

    def board_from_json(self, data: Any) -> CluesGiven:
        """How many clues each player has been given."""
        if isinstance(data, list) and len(data) == 2:
            if all(type(each) is int and 0 <= each <= CLUES_EACH for each in data):
                return CluesGiven(*data)
        raise Refusal(f"{shown_value(data)} are not two numbers of clues.")

    def answer_from_json(self, move: Move, data: Any) -> Answer:
        """The clue that was given, or whether a guess was correct."""
        if isinstance(move, RequestClue) and isinstance(clue := self.move(data), Clue):
            return clue
        if isinstance(move, Number) and type(data) is bool:
            return data
        raise Refusal(f"{shown_value(data)} is not an answer to {move}.")


class SafeCodeState(State[SafeCode, CluesGiven, Any]):
    """Both codes with their clues, in this order, and every request and guess."""

    __slots__ = ()

    @property
    def moves(self) -> Sequence[Move]:
        """In the set-up, a code, then true clues; in a turn, any guess or a clue request."""
        seat = self.actor
        if not isinstance(seat, Seat):
            return ()
        if len(self.secrets[1]) < PREPARED:
            code, *clues = self.secrets[seat.index] or (None,)
            if code is None:
                return NUMBERS
            return clues_left(code.value, clues)
        return GUESSES_AND_REQUEST if self.board[seat.index] < CLUES_EACH else NUMBERS

    def play(self, move: Move) -> Self:
        """Choose a code and write three clues in the set-up; request a clue or guess in a turn."""
        seat = self.actor
        if not isinstance(seat, Seat):
            raise NotLegal("The game is over.")
        if len(self.secrets[1]) < PREPARED:
            return self._prepare(seat, move)
        if isinstance(move, Number):
            return self._guess(seat, move)
        if isinstance(move, RequestClue):
            return self._request(seat)
        raise NotLegal(f"{quote(str(move))} is not a turn.", "Request a clue or guess a number.")

    def _prepare(self, seat: Seat, move: Move) -> Self:
        """Secret code selection, then clue creation: three true clues with different meanings."""
        prepared = self.secrets[seat.index]
        if not prepared:
            if not isinstance(move, Number):
                raise NotLegal("First choose your code.", f"A number from {LOWEST} to {HIGHEST}.")
        else:
            if not isinstance(move, Clue):
                raise NotLegal("Your code is chosen; now write a clue.", "For example: It is even.")
            check_clue(move, prepared[0].value, prepared[1:])
        return self.keep(move)

    def _request(self, seat: Seat) -> Self:
        """Clue provision: the next clue in the order written; a fourth cannot be requested."""
        one, two = self.board
        given = self.board[seat.index]
        if given == CLUES_EACH:
            reason, rule = "All three clues have been given.", SafeCodeRule.NO_FOURTH_CLUE
            raise NotLegal(reason, "Make a guess.", rule)
        clue = self.secrets[seat.other.index][1 + given]
        board = CluesGiven(one + 1, two) if seat is Seat.ONE else CluesGiven(one, two + 1)
        return self.after(Event(seat, REQUEST, clue), board, seat.other)

    def _guess(self, seat: Seat, guess: Number) -> Self:
        """A correct guess wins; an incorrect one ends the turn."""
        other, value = seat.other, guess.value
        if value == self.secrets[other.index][0].value:
            event = Event(seat, guess, True)
            return self.after(event, self.board, None, Outcome(seat, SafeCodeReason.CRACKED))
        return self.after(WRONG_GUESSES[seat][value], self.board, other)


@dataclass(frozen=True)
class NumbersLeft(Candidates):
    """The numbers that one seat has not ruled out yet."""

    seat: Seat
    numbers: frozenset[int] = EVERY

    def __len__(self) -> int:
        return len(self.numbers)

    def __iter__(self) -> Iterator[tuple[int, ...]]:
        return ((number,) for number in sorted(self.numbers))

    def after(self, event: Event) -> NumbersLeft:
        """The numbers that fit the clue given to the seat, or its wrong guess."""
        if event.actor is not self.seat:
            return self
        left = numbers_after(self.numbers, event)
        return self if left == self.numbers else NumbersLeft(self.seat, left)


def numbers_after(numbers: frozenset[int], event: Event) -> frozenset[int]:
    """The numbers, out of these, that fit the clue or the wrong guess of an event."""
    if isinstance(event.answer, Clue):
        return numbers & event.answer.meaning
    return numbers - {event.move.value} if isinstance(event.move, Number) else numbers
