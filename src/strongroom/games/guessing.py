"""Guessing codes: the game whose guesses are answered digit by digit, and the codes still possible.

A set of codes is a bit set: bit n stands for `space.codes[n]`.
"""

from __future__ import annotations

from abc import abstractmethod
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from itertools import product
from operator import eq
from typing import TYPE_CHECKING, Any, Final, Self, TypeVar

from strongroom.contract import (
    Actions,
    Answers,
    Block,
    Candidates,
    Event,
    Game,
    Left,
    Move,
    NotLegal,
    NotUnderstood,
    Phase,
    Seat,
    State,
)
from strongroom.games.codes import Code, CodeSpace

if TYPE_CHECKING:  # importing numpy takes longer than everything else here combined
    import numpy as np
    from numpy.typing import NDArray

DigitFeedback = Callable[[Any, Any], Any]
"""What one position adds to the answer, given the hidden digit and the guessed digit."""
TABLED: Final = 10_000
"""The most codes whose answers to each other are tabled: a byte per pair, 100 MB at most."""


class GuessingGame(Game):
    """A game in which each player hides a code, and guesses the other's until it is found."""

    secrets_each = 1

    @property
    @abstractmethod
    def space(self) -> CodeSpace:
        """The codes that can be hidden and guessed."""

    @staticmethod
    @abstractmethod
    def digit_feedback(hidden: Any, guessed: Any, /) -> Any:
        """What one digit adds to the answer; given arrays of digits, it returns an array."""

    def answer(self, guess: Code, secret: Code) -> int:
        """The referee's answer to a guess: what its digits add up to."""
        return sum(map(self.digit_feedback, secret.digits, guess.digits))

    @cached_property
    def actions(self) -> Actions:
        """The codes: each is hidden in the set-up and guessed in a turn."""
        return Actions(Block(self.space.codes, Phase.SET_UP | Phase.TURN))

    @cached_property
    def answers(self) -> Answers:
        """The numbers from 0 to the highest answer; each is its own number."""
        most = max(self.digit_feedback(*pair) for pair in product(self.space.digits, repeat=2))
        return Answers(range(self.space.length * most + 1))

    def candidates(self, seat: Seat) -> Unguessed:
        """The codes that fit the answers to a seat's guesses; before the first guess, all."""
        return Unguessed(self.space, every_code(self.space), seat, self.digit_feedback)

    def answers_to(self, guesses: NDArray[np.int8], codes: NDArray[np.int8]) -> NDArray[np.int8]:
        """The answers to guesses at codes, each given by its digits along the last axis."""
        import numpy as np

        told = np.zeros(np.broadcast_shapes(codes.shape, guesses.shape)[:-1], dtype=np.int8)
        # Digit by digit, because numpy is slow at summing rows as short as a code.
        for place in range(self.space.length):
            told += self.digit_feedback(codes[..., place], guesses[..., place])
        return told

    @cached_property
    def answer_table(self) -> NDArray[np.int8]:
        """The answer to every guess at every code: `answer_table[guess, secret]`, by number."""
        if len(self.space.codes) > TABLED:
            raise ValueError(f"There are too many codes for a table: {len(self.space.codes):,}.")
        codes = code_digits(self.space)
        return self.answers_to(codes[:, None], codes[None])


GG = TypeVar("GG", bound=GuessingGame)

new_tuple = tuple.__new__  # the named tuple's own constructor costs one more call at every guess


class GuessingState(State[GG, None, Code]):
    """Both codes, and every guess with its answer; there is no board."""

    __slots__ = ()

    @property
    def moves(self) -> Sequence[Move]:
        """Any code may be chosen, and any code may be guessed, even repeatedly."""
        return () if self.actor is None else self.game.space.codes

    def play(self, move: Move) -> Self:
        """Choose a secret code in the set-up; make a guess in a turn."""
        game, _, secrets, _, _, seat, _ = self
        if not isinstance(seat, Seat):
            raise NotLegal("The game is over.")
        if not isinstance(move, Code) or move not in game.space:
            raise NotLegal(f"{move} is not a {game.space.noun} here.", game.space.accepts)
        if not secrets[1]:
            return self.keep(move)
        answer = game.answer(move, secrets[seat.other.index][0])
        return self.after_guess(seat, new_tuple(Event, (seat, move, answer)))

    @abstractmethod
    def after_guess(self, seat: Seat, event: Event) -> Self:
        """The state after a player's guess with its answer."""


@lru_cache(maxsize=8)
def code_digits(space: CodeSpace) -> NDArray[np.int8]:
    """The digits of every code: a row a code, in the order of `space.codes`."""
    import numpy as np

    rows = np.indices((space.highest,) * space.length, dtype=np.int8)
    return rows.reshape(space.length, -1).T + np.int8(1)


# An entry takes up to 66 kB with nine digits and length six; most take a few bytes.
@lru_cache(maxsize=1024)
def fitting(highest: int, feedback: DigitFeedback, guess: tuple[int, ...], answer: int) -> int:
    """The codes for which a guess gets this answer, as a bit set.

    >>> bin(fitting(3, eq, (2,), 1)), bin(fitting(3, eq, (2,), 0))
    ('0b10', '0b101')
    """
    if not guess:
        return int(answer == 0)
    first, rest = guess[0], guess[1:]
    size, bits = highest ** len(rest), 0
    for digit in range(highest, 0, -1):
        bits <<= size
        if (missing := answer - feedback(digit, first)) >= 0:
            bits |= fitting(highest, feedback, rest, missing)
    return bits


def every_code(space: CodeSpace) -> int:
    """All codes of a space, as a bit set."""
    return (1 << len(space.codes)) - 1


@dataclass(frozen=True)
class CodesLeft(Candidates):
    """The codes of a space that can still be hidden."""

    space: CodeSpace
    bits: int

    @cached_property
    def _count(self) -> int:
        return self.bits.bit_count()

    def __len__(self) -> int:
        return self._count

    def __iter__(self) -> Iterator[tuple[int, ...]]:
        codes, written = self.space.codes, f"{self.bits:b}"
        place = last = len(written) - 1
        while (place := written.rfind("1", 0, place + 1)) >= 0:
            yield codes[last - place].digits
            place -= 1

    def nth(self, number: int) -> tuple[int, ...]:
        """The code with this number among those left, found by halving."""
        place = bisect_right(
            range(len(self.space.codes)),
            number,
            key=lambda place: (self.bits & ((2 << place) - 1)).bit_count(),
        )
        return self.space.codes[place].digits

    def __contains__(self, digits: object) -> bool:
        try:
            code = Code(digits) if isinstance(digits, tuple) else None
        except NotUnderstood:
            return False
        if code is None or code not in self.space:
            return False
        return bool(self.bits >> self.space.codes.index(code) & 1)

    @cached_property
    def digits_at(self) -> tuple[frozenset[int], ...]:
        """For each position of a code, the digits that are still possible there."""
        length, highest = self.space.length, self.space.highest

        def those_with(digit: int, place: int) -> int:
            return fitting(highest, eq, tuple(digit * (at == place) for at in range(length)), 1)

        return tuple(
            frozenset(d for d in self.space.digits if self.bits & those_with(d, place))
            for place in range(length)
        )

    def keep(self, bits: int) -> Self:
        """The codes that are also in another bit set."""
        kept = self.bits & bits
        return self if kept == self.bits else replace(self, bits=kept)


@dataclass(frozen=True)
class Unguessed(CodesLeft):
    """The codes that are consistent with the answers to one seat's guesses."""

    seat: Seat
    digit_feedback: DigitFeedback

    def after(self, event: Event) -> Self:
        """The codes that are consistent with the event, if it is the seat's own guess."""
        if event.actor is not self.seat or not isinstance(event.move, Code):
            return self
        assert isinstance(event.answer, int)
        return self.after_answer(event.move.digits, event.answer)

    def after_answer(self, guess: tuple[int, ...], answer: int) -> Self:
        """The codes for which a guess gets this answer."""
        if len(self) == 1:
            return self  # the hidden code itself; no true answer rules it out
        return self.keep(fitting(self.space.highest, self.digit_feedback, guess, answer))


@dataclass(frozen=True)
class Unshown(CodesLeft):
    """The codes that have never been shown."""

    def after(self, event: Event) -> Self:
        """All codes but the one shown now."""
        return self.keep(~(1 << self.space.codes.index(event.answer)))


def possible_digits(left: Left) -> tuple[frozenset[int], ...]:
    """For each position of a code, the digits that are possible there, given the codes left.

    >>> possible_digits({(1, 2), (1, 3)}) == ({1}, {2, 3})
    True
    """
    if isinstance(left, CodesLeft):
        return left.digits_at
    return tuple(map(frozenset, zip(*left, strict=True)))
