"""Players by ideas: they play each game that they know by an idea told in two sentences."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import ItemsView, Iterator, Mapping, Sequence, ValuesView
from functools import cached_property
from random import Random
from typing import ClassVar

from strongroom.contract import Game, Move, Refusal, UnknownName, View

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
    def _blended(self) -> dict[Move, float]:
        return blend(*((1 / len(self.kinds), kind) for kind in self.kinds))

    def __getitem__(self, move: Move) -> float:
        return self._blended[move]

    def __iter__(self) -> Iterator[Move]:
        return iter(self._blended)

    def __len__(self) -> int:
        return len(self._blended)


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


class UnknownMixture(Refusal):
    """A player whose move probabilities are not stated."""


class Idea(ABC):
    """How one game is played; each seat gets a new one, so that it may keep state."""

    def __init__(self, rng: Random) -> None:
        self._rng = rng

    @abstractmethod
    def choose(self, view: View) -> Move:
        """The move that the idea leads to."""


class MixedIdea(Idea):
    """An idea with a stated mixture of moves in every view, so best responses can be computed."""

    def choose(self, view: View) -> Move:
        """A move drawn from the mixture."""
        return draw(self.policy(view), self._rng)

    @abstractmethod
    def policy(self, view: View) -> Mixture:
        """The exact probability of each move."""


class PlayerByIdeas:
    """Plays each game by its idea in `ideas`, and refuses any other game."""

    name: ClassVar[str]
    ideas: ClassVar[Mapping[str, type[Idea]]]
    """The idea for each game, by name."""

    def __init__(self, game: Game, rng: Random) -> None:
        if game.name not in self.ideas:
            raise UnknownName(f"{self.name} cannot play {game.name}.", "random plays every game.")
        self._idea = self.ideas[game.name](rng)

    def choose(self, view: View) -> Move:
        """The move that the idea of the game leads to."""
        return self._idea.choose(view)

    def policy(self, view: View) -> Mixture:
        """The exact probability of each move, {} out of turn; UnknownMixture if none is stated."""
        if not view.moves:
            return {}
        if not isinstance(self._idea, MixedIdea):
            raise UnknownMixture(f"{self.name} does not state the probabilities of its moves.")
        return self._idea.policy(view)
