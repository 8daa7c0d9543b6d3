"""What decisions are worth at Safe Code against the certified player, measured by the race.

What a best response wins depends on all that has happened, because the certified player keeps a
promise and spends what it gains. So V is not that, but the value of the race between the numbers
that each has left. Q is its exact mean over the certified player's next turn: its number is
uniformly distributed over those left, and its guesses tell nothing about it.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from enum import Enum
from fractions import Fraction
from functools import cache
from typing import Generic, TypeVar

from strongroom.contract import Event, Move, Seat, View
from strongroom.games.safe_code.rules import CLUES_EACH, REQUEST, Number
from strongroom.theory.safe_code.player import PromiseKeeper, Standing
from strongroom.theory.worth import Turns, Worth

HALF = Fraction(1, 2)
K = TypeVar("K", bound=Hashable)

Replied = Callable[[Move, Move | bool], Fraction]
"""The mean value after a move, its answer, and the certified player's turn."""


class Kind(Enum):
    """What a move does; all moves of a kind are worth the same."""

    OPEN = "tries a number that is still possible"
    CLOSED = "tries one that is not"
    REQUEST = "asks for a clue"


class WorthByKind(Mapping[Move, float], Generic[K]):
    """The worth of each move, computed for its kind when it is first looked up."""

    def __init__(
        self, kinds: Mapping[Move, K], worth_of: Callable[[K], float], moves: Sequence[Move] = ()
    ) -> None:
        self._kinds, self._worth_of, self._moves = kinds, cache(worth_of), moves or [*kinds]

    def __getitem__(self, move: Move) -> float:
        return self._worth_of(self._kinds[move])

    def __iter__(self) -> Iterator[Move]:
        return iter(self._moves)

    def __len__(self) -> int:
        return len(self._moves)

    def __reduce__(self) -> tuple[type, tuple[dict[Move, float]]]:
        return dict, ({**self},)


class RaceWorth(Worth):
    """The value of the race, and its mean after each move."""

    baseline = "the value of the race between the numbers left"
    optimal = False
    horizons = (1, 2)

    def __init__(self, player: PromiseKeeper) -> None:
        self.player, self.race, self.language = player, player.race, player.language

    def start(self, seat: Seat, turns: Turns) -> float:
        """The value of the whole race."""
        root = self.race.to_move if seat is Seat.ONE else self.race.waiting
        return float(root(self.race.size, self.race.size))

    def value(self, view: View, turns: Turns) -> float:
        """The value of the race from here on."""
        assert view.seat is not None
        if view.setting_up:
            return self.start(view.seat, turns)
        now = self._standing(view)
        return float(self._to_move(len(now.open), len(now.left), turns))

    def moves(self, view: View, turns: Turns) -> Mapping[Move, float]:
        """The mean value of the race after each move."""
        assert view.seat is not None
        if view.setting_up:
            return self._set_up(view, turns)
        now, later = self._standing(view), None if turns is None else turns - 1
        numbers = self.language.numbers
        own, clues = view.secret[0], self._clues_left(view, view.secret[1:])

        def replied(move: Move, answer: Move | bool) -> Fraction:
            assert view.seat is not None
            event = Event(view.seat, move, answer)
            return self._reply(self.player.after(view.seat.other, now, event), own, clues, later)

        possible = {numbers[x] for x in now.open}
        closed = [x for x in range(len(numbers)) if numbers[x] not in possible]

        def worth_of(kind: Kind) -> float:
            if kind is Kind.REQUEST:
                return float(self._asked(view, now, closed, replied))
            if kind is Kind.CLOSED:
                return float(replied(numbers[closed[0]], False))
            hit = Fraction(1, len(now.open))
            missed = replied(numbers[now.open[0]], False) if hit < 1 else 0
            return float(hit + (1 - hit) * missed)

        kinds: dict[Move, Kind] = {
            move: Kind.OPEN if move in possible else Kind.CLOSED
            for move in view.moves
            if isinstance(move, Number)
        }
        if REQUEST in view.moves:
            kinds[REQUEST] = Kind.REQUEST
        return WorthByKind(kinds, worth_of)

    def _asked(
        self, view: View, now: Standing, closed: Sequence[int], replied: Replied
    ) -> Fraction:
        """The mean after asking: a clue rules out a uniformly drawn number that no other has.

        It tells nothing if that number has been tried already.
        """
        assert view.seat is not None
        seen = view.board[view.seat.index]
        fresh = Fraction(len(now.open) - 1, self.race.size - seen - 1)
        weakest, numbers = self.language.weakest, self.language.numbers
        worth = Fraction(0)
        if fresh:
            worth += fresh * replied(REQUEST, weakest[numbers[now.open[0]].value])
        if fresh < 1:
            worth += (1 - fresh) * replied(REQUEST, weakest[numbers[closed[0]].value])
        return worth

    def _set_up(self, view: View, turns: Turns) -> Mapping[Move, float]:
        """In the set-up every choice is worth the race; it shows later what a clue gave away."""
        assert view.seat is not None
        if view.seat is Seat.ONE or len(view.secret) < CLUES_EACH:
            return dict.fromkeys(view.moves, self.start(view.seat, turns))
        now = self.player.start(view.seat.other)
        worth = self._reply(now, view.secret[0], (), turns)
        return dict.fromkeys(view.moves, float(worth))

    def _reply(self, now: Standing, own: Move, clues: Sequence[Move], turns: Turns) -> Fraction:
        """The mean value after the certified player's turn, given one's own number and clues."""
        if turns == 0:
            return HALF
        mixture = self.player.mixture(now)
        later = None if turns is None else turns - 1
        mine, theirs = len(now.open), len(now.left)
        ask, hit = mixture.get(REQUEST, Fraction(0)), mixture.get(own, Fraction(0))
        worth = Fraction(0)
        if ask:
            true = self.language.true[self.language.index[clues[0]]]
            told = sum(bool(true[x]) for x in now.left)
            worth += ask * self._to_move(mine, told, later)
        if ask + hit < 1:
            worth += (1 - ask - hit) * self._to_move(mine, theirs - 1, later)
        return worth

    def _to_move(self, mine: int, theirs: int, turns: Turns) -> Fraction:
        return HALF if turns == 0 else self.race.to_move(mine, theirs)

    def _standing(self, view: View) -> Standing:
        """The certified player's standing: its `open` are the viewer's numbers left."""
        assert view.seat is not None
        return self.player.standing(view, view.seat.other)

    def _clues_left(self, view: View, clues: Sequence[Move]) -> Sequence[Move]:
        assert view.seat is not None
        return clues[view.board[view.seat.other.index] :]
