"""What decisions are worth to a player who faces the certified player.

Against a known strategy a player with perfect recall faces a Markov decision process on what it
knows. `value` is a function V on it that equals the result at the end; `moves` gives Q(I, a), the
mean of V after a move, over the certified player's exact mixtures, chance and what is hidden.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import cache, cached_property
from threading import RLock
from typing import Final, NamedTuple

from strongroom.contract import Game, Move, Refusal, Seat, View
from strongroom.theory.solvers.small_games import Response, Tree, best_response

Probability = Fraction | float
"""A probability, exact where the proof is exact."""
Turns = int | None
"""How many turns of both players are left, the one being played included; None: no limit."""

Policy = Callable[[View], Mapping[Move, Probability]]
"""A player's probability of each move in each view."""
WEIGHING: Final = RLock()
"""What decisions are worth is computed on demand, for one thread at a time."""


def turns_left(limit: Turns, view: View) -> Turns:
    """How many turns of a match with this limit are left."""
    return None if limit is None else limit - view.turns


def one_fewer(turns: Turns) -> Turns:
    """The turns left after one more."""
    return None if turns is None else turns - 1


class Unpredictable(Refusal):
    """A policy that looks at more than the situations in which it can be evaluated."""


class Unreachable(Refusal):
    """A view to which the certified player cannot have led, so that nothing is worth anything."""

    def __init__(self) -> None:
        super().__init__("The certified player never leads to this position.")


class Judgement(NamedTuple):
    """What each move is worth, and on which basis."""

    moves: Mapping[Move, float]
    """Q of each legal move, without a turn limit."""
    assumes: str
    """What that assumes about the opponent, as the rest of "if ..."."""


class Worth(ABC):
    """What each decision is worth against the certified player, to a player in either seat.

    A match that is open at its turn limit, and endless play, count as half a win.
    """

    baseline: str = "what a best response wins"
    """What `value` is, as the rest of "V is ..."."""
    optimal: bool = True
    """Whether V is what a best response wins; then no move is worth more than V."""
    assumes: str = "the opponent plays like Master"
    """What Q assumes, as the rest of "if ..."."""
    horizons: tuple[int, ...] = ()
    """Over how many turns luck is counted after each decision, besides that of the whole game.

    With 1, the luck of a decision is what its own turn brought; with 2, also what the opponent's
    next turn brought. More would include the player's next decision, which is no luck.
    """

    _judged: tuple[View | None, Judgement | None] = None, None
    """The view that was judged last, and how: a hint and its reasons ask for the same."""

    further: tuple[Worth, ...] = ()
    """Other functions V by which luck is taken out as well."""

    @abstractmethod
    def start(self, seat: Seat, turns: Turns) -> float:
        """V before the first move, to a player in this seat."""

    def ceiling(self, seat: Seat, turns: Turns) -> float:
        """The most that any player can expect to win from this seat."""
        return self.start(seat, turns) if self.optimal else 1.0

    @abstractmethod
    def move_values(self, view: View, turns: Turns) -> Mapping[Move, float]:
        """Q of each legal move of the viewer, who is to move."""

    def value(self, view: View, turns: Turns) -> float:
        """V of what the viewer knows when it is to move; a best move's Q, unless V is another."""
        return max(self.move_values(view, turns).values())

    def weigh(self, view: View, limit: Turns) -> tuple[float, Mapping[Move, float]]:
        """V, and Q of each legal move, in a match with this turn limit; safe in threads."""
        left = turns_left(limit, view)
        with WEIGHING:
            moves = self.move_values(view, left)
            return max(moves.values()) if self.optimal else self.value(view, left), moves

    def judge(self, view: View) -> Judgement:
        """Q of each legal move, whoever sits opposite; safe in threads.

        Where the certified player cannot have led here, it is an estimate, by a belief.
        """
        with WEIGHING:
            seen, judgement = self._judged
            if seen is not view or judgement is None:
                judgement = self._judge(view)
                self._judged = view, judgement
            return judgement

    def _judge(self, view: View) -> Judgement:
        try:
            return Judgement({**self.move_values(view, None)}, self.assumes)
        except Unreachable:
            return self.suppose(view)

    def suppose(self, view: View) -> Judgement:
        """What each move is worth by a belief about an opponent who left the certified strategy."""
        raise Unreachable

    def best_response(self, view: View) -> Mapping[Move, float] | None:
        """What each move wins if a best response follows it, without a turn limit.

        None where that is not known, because V is another function.
        """
        return self.move_values(view, None) if self.optimal else None

    def odds(self, view: View) -> Mapping[Move, float] | None:
        """How likely the certified player hides each secret, given all that the viewer knows.

        None if that has not been worked out.
        """
        return None

    def following(self, policy: Policy) -> Worth | None:
        """The worth of decisions to a player who goes on by a policy, if it can be computed.

        Its `start` is the policy's exact score. Unpredictable, if the policy looks at too much.
        """
        return None


def costs_of(worth: Mapping[Move, float]) -> dict[Move, float]:
    """What each move costs: how much less it wins than the best one."""
    best = max(worth.values())
    return {move: best - each for move, each in worth.items()}


def equally_likely(view: View) -> dict[Move, float]:
    """The odds of a player who hides uniformly and whose moves tell nothing about its secret."""
    assert view.seat is not None
    possible = view.game.candidates(view.seat)
    assert possible is not None
    left = sorted(possible.after_all(view.history))
    return {view.game.secret_of(each): 1 / len(left) for each in left}


class TreeWorth(Worth):
    """The worth of decisions in a game that can be expanded into a small tree."""

    def __init__(self, game: Game, policy: Policy) -> None:
        self.game, self._policy = game, policy
        self._responses = cache(self._response)

    @cached_property
    def _tree(self) -> Tree:
        return Tree.of(self.game)

    def _response(self, seat: Seat) -> Response:
        return best_response(self._tree, seat, self._exact)

    def _exact(self, view: View) -> dict[Move, Fraction]:
        """The mixture in fractions that add up to 1, as floats seldom do."""
        weights = {move: Fraction(weight) for move, weight in self._policy(view).items()}
        total = sum(weights.values())
        return {move: weight / total for move, weight in weights.items()}

    def start(self, seat: Seat, turns: Turns) -> float:
        """What a best response wins from this seat."""
        self._check(turns)
        return float(self._responses(seat).value)

    def move_values(self, view: View, turns: Turns) -> dict[Move, float]:
        """What each move wins if a best response follows it."""
        self._check(None if turns is None else turns + view.turns)
        assert view.seat is not None
        values = self._responses(view.seat).values.get(view)
        if values is None:
            raise Unreachable
        return {move: float(value) for move, value in values.items()}

    def _check(self, limit: Turns) -> None:
        longest = self.game.most_turns
        if limit is not None and (longest is None or longest > limit):
            raise Refusal(f"{self.game.title} can last longer than a limit of {limit} turns.")
