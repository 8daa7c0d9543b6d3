"""Players by ideas, who play each game by an idea told in two sentences.

Below are what casual and expert share: mixtures of moves, a search at any game, what fits all that
was told, and what is worth knowing of a game's board.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import ItemsView, Iterable, Iterator, Mapping, Sequence, ValuesView
from functools import cached_property, lru_cache, reduce
from itertools import islice
from math import prod
from random import Random
from typing import ClassVar, Final

import numpy as np
from numpy.typing import NDArray

from strongroom.contract import CHANCE, AnyState, Event, Game, Move, Rules, Seat, View
from strongroom.games.codes import Code
from strongroom.games.digit_deductions.rules import NUMBERS
from strongroom.games.guessing import Unguessed, code_digits
from strongroom.games.safe_code.clues import EVERY
from strongroom.games.safe_code.rules import numbers_after
from strongroom.games.safecracker_duel.rules import INITIAL_SAFE, Change
from strongroom.referee.bout import Bout

Mixture = Mapping[Move, float]
"""The probability of each move; a missing move has probability 0."""


class Uniform(Mapping[Move, float]):
    """The same probability for each of some moves, which may be half a million.

    >>> from strongroom import load
    >>> len(Uniform(load("safe-cracker", digits=9, length=6).start().moves))
    531441
    """

    def __init__(self, moves: Sequence[Move]) -> None:
        self.moves = moves

    def __getitem__(self, move: Move) -> float:
        if move not in self.moves:
            raise KeyError(move)
        return 1 / len(self.moves)

    def __iter__(self) -> Iterator[Move]:
        return iter(self.moves)

    def __len__(self) -> int:
        return len(self.moves)

    # The inherited methods look up each move among the others, which takes quadratic time.

    def items(self) -> ItemsView[Move, float]:
        """Each move with its probability."""
        return dict.fromkeys(self.moves, 1 / len(self.moves)).items()

    def values(self) -> ValuesView[float]:
        """The probability of each move."""
        return dict.fromkeys(self.moves, 1 / len(self.moves)).values()


class UniformByKind(Mapping[Move, float]):
    """A kind of moves drawn uniformly, then one of its moves drawn uniformly."""

    def __init__(self, kinds: Sequence[Uniform]) -> None:
        self.kinds = kinds

    @cached_property
    def _blend(self) -> dict[Move, float]:
        return blend(*((1 / len(self.kinds), kind) for kind in self.kinds))

    def __getitem__(self, move: Move) -> float:
        return self._blend[move]

    def __iter__(self) -> Iterator[Move]:
        return iter(self._blend)

    def __len__(self) -> int:
        return len(self._blend)


def blend(*parts: tuple[float, Mixture]) -> dict[Move, float]:
    """The mixture that plays each of these mixtures with its probability."""
    blended: dict[Move, float] = {}
    for weight, mixture in parts:
        for move, chance in mixture.items():
            blended[move] = blended.get(move, 0.0) + weight * chance
    return blended


def in_proportion(weights: Mapping[Move, float]) -> dict[Move, float]:
    """The mixture in proportion to these weights."""
    total = sum(weights.values())
    return {move: weight / total for move, weight in weights.items() if weight}


def draw(mixture: Mixture, rng: Random) -> Move:
    """A move drawn from a mixture."""
    if isinstance(mixture, UniformByKind):
        return draw(rng.choice(mixture.kinds), rng)
    if isinstance(mixture, Uniform):
        return rng.choice(mixture.moves)
    return rng.choices([*mixture], [*mixture.values()])[0]


class Idea(ABC):
    """How one game is played, with a stated mixture of moves in every view.

    So best responses can be computed. Each seat gets a new idea, which may keep state.
    """

    def __init__(self, rng: Random) -> None:
        self._rng = rng

    def choose(self, view: View) -> Move:
        """A move drawn from the mixture."""
        return draw(self.policy(view), self._rng)

    @abstractmethod
    def policy(self, view: View) -> Mixture:
        """The exact probability of each move."""


class PlayerByIdeas:
    """Plays each game by its idea in `ideas`, and any other game by its `usual` one."""

    ideas: ClassVar[Mapping[str, type[Idea]]]
    """The idea for each game, by name."""
    usual: ClassVar[type[Idea]]
    """The idea for a game from another package."""

    def __init__(self, game: Game, rng: Random) -> None:
        self._idea = self.ideas.get(game.name, self.usual)(rng)

    def choose(self, view: View) -> Move:
        """The move that the idea of the game leads to."""
        return self._idea.choose(view)

    def policy(self, view: View) -> Mixture:
        """The exact probability of each move, {} out of turn."""
        return self._idea.policy(view) if view.moves else {}


# --- any game, by its contract alone ---

STATES: Final = 12
"""How many states are sampled for each decision, at most."""
DRAWN_MOVES: Final = 10_000
"""How many moves are played to find these states, at most, so that a server waits no second."""
MOVES: Final = 30
"""The most moves that are tried in each of them; of more, a sample."""
PLAYED_ON: Final = 20
"""How many further turns are played at random before a game counts as undecided."""


class Searches(Idea):
    """Hides any secret; then searches states that fit its view.

    It hides any secret, and then tries its moves in a dozen states that fit its view, or in those
    that are soon found, plays on at random, and makes the move that won most often. If none is
    found, it makes any move. What it draws for a search follows from the
    view, so that in the same view it always finds the same moves.
    """

    def policy(self, view: View) -> Mixture:
        """The mixture of secrets, or of the moves that won most often."""
        game, rng, seat = view.game, Random(repr(view.to_json())), view.seat
        assert isinstance(game, Game)
        assert seat is not None
        if view.setting_up:
            return Uniform(view.moves)
        states = [*islice(game.samples(view, rng, DRAWN_MOVES // max(1, view.number)), STATES)]
        if not states:  # a game may hide what is too hard to guess
            return Uniform(view.moves)
        tried = view.moves if len(view.moves) <= MOVES else rng.sample(view.moves, MOVES)
        won = {move: sum(_wins(each.play(move), seat, rng) for each in states) for move in tried}
        most = max(won.values())
        return Uniform([move for move in tried if won[move] == most])


def _wins(state: AnyState, seat: Seat, rng: Random) -> float:
    """What a seat wins if both play on at random: 1, 0, or a half if it takes too long."""
    bout = Bout(state, state.turns + PLAYED_ON)
    while bout.outcome is None:
        odds = bout.state.odds if bout.actor is CHANCE else None
        bout = bout.play(rng.choices(bout.state.moves, odds)[0])
    return bout.outcome.score(seat)


# --- codes and numbers that fit all public answers and clues ---

Codes = NDArray[np.int8]
"""Codes as rows of digits."""
Guess = tuple[tuple[int, ...], int]
"""The digits of a guess, and the referee's answer to it."""


def guesses_of(view: View, seat: Seat) -> tuple[Guess, ...]:
    """A player's guesses with their answers."""
    return tuple(
        (move.digits, answer)
        for actor, move, answer in view.history
        if actor is seat and isinstance(move, Code) and isinstance(answer, int)
    )


def codes_left(game: Rules, guesses: Iterable[Guess]) -> Codes:
    """The codes that fit these guesses and answers."""
    left = all_codes(game)
    for guess in dict.fromkeys(guesses):
        left = left.after_answer(*guess)
    return list_codes(left)


def all_codes(game: Rules) -> Unguessed:
    """All codes, before any guess."""
    left = game.candidates(Seat.ONE)
    assert isinstance(left, Unguessed)
    return left


def list_codes(left: Unguessed) -> Codes:
    """The codes left, one by one."""
    codes = code_digits(left.space)
    size = -(-len(codes) // 8)
    packed = np.frombuffer(left.bits.to_bytes(size, "little"), dtype=np.uint8)
    fits = np.unpackbits(packed, count=len(codes), bitorder="little")
    return codes[np.flatnonzero(fits)]


def numbers_left(events: Iterable[Event]) -> frozenset[int]:
    """The numbers of Safe Code that fit these clues and wrong guesses of one player."""
    return reduce(numbers_after, events, EVERY)


# --- the safe of Safecracker Duel ---


def results(view: View) -> Mapping[Change, Code]:
    """The safe that each legal turn leaves."""
    return _results(view.board, tuple(view.moves))


@lru_cache(maxsize=256)
def _results(safe: Code, moves: tuple[Move, ...]) -> Mapping[Change, Code]:
    return {move: move.applied_to(safe) for move in moves if isinstance(move, Change)}


def safe_before(view: View) -> Code:
    """The safe before the last turn; before the first turn, the initial safe."""
    before = view.history[-2].answer if len(view.history) > 1 else INITIAL_SAFE
    assert isinstance(before, Code)
    return before


def turn_back(view: View) -> Change:
    """The turn that undoes the opponent's change, legal from the fourth turn on."""
    before = safe_before(view)
    return next(turn for turn, safe in results(view).items() if safe == before)


# --- the board of Digit Deductions, in whose middle a random guess seldom hits ---


def inwards(code: Code) -> list[int]:
    """The distance of each digit from the lowest or highest digit, whichever is nearer."""
    return [min(digit - 1, NUMBERS.highest - digit) for digit in code.digits]


AT_THE_EDGE: Final = 3
"""The weight of a guess at the edge of the board; every step inwards adds one, up to 7 at 5-5."""
EDGE: Final = tuple(code for code in NUMBERS.codes if min(inwards(code)) == 0)
"""The numbers at the edge of the board."""
CORNERS: Final = tuple(code for code in NUMBERS.codes if max(inwards(code)) == 0)
"""The numbers in the corners of the board."""


def rather_in_the_middle(codes: Iterable[Code]) -> Mixture:
    """A mixture of these numbers that favours the middle over the edge."""
    return in_proportion({code: AT_THE_EDGE + min(inwards(code)) for code in codes})


TOWARDS_THE_MIDDLE: Final = in_proportion(
    {code: prod(1 + steps for steps in inwards(code)) for code in NUMBERS.codes}
)
"""Digits are likelier the nearer they are to 5: a 5 comes up five times as often as a 1."""
