"""Games that are small enough to solve by hand, or whose solutions are published.

`in_open_spiel` hands any small game and its solution to OpenSpiel, which finds what it is worth.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, Self

from strongroom.contract import (
    CHANCE,
    Actions,
    Actor,
    AnyState,
    Block,
    Event,
    Game,
    Move,
    NotLegal,
    Outcome,
    Phase,
    Reason,
    Seat,
    State,
)
from strongroom.theory.solvers.small_games import Equilibrium, exact_odds, payoffs


@dataclass(frozen=True, slots=True)
class Named(Move):
    """A move that has nothing but a name."""

    name: str

    def __str__(self) -> str:
        return self.name


class Over(Reason):
    """The only way in which these games end."""

    OVER = "over"


SHOW = Named("show")


class MatrixGame(Game):
    """Both choose in private, one a row and one a column, and then show them."""

    name = "matrix"
    reasons = Over
    secrets_each = 1
    winners: Sequence[Sequence[Seat | None]]

    def start(self) -> MatrixState:
        """Nothing is chosen yet."""
        return MatrixState.first(self, None)

    @cached_property
    def lines(self) -> tuple[tuple[Move, ...], tuple[Move, ...]]:
        """The rows and the columns."""
        rows = tuple(Named(f"row {number}") for number in range(len(self.winners)))
        columns = tuple(Named(f"column {number}") for number in range(len(self.winners[0])))
        return rows, columns

    @cached_property
    def actions(self) -> Actions:
        """Every move."""
        one, two = self.lines
        return Actions(Block((*one, *two), Phase.SET_UP), Block((SHOW,), Phase.TURN))


class MatrixState(State[MatrixGame, None, Move]):
    """A matrix game in progress."""

    __slots__ = ()

    @property
    def moves(self) -> Sequence[Move]:
        """What the actor may do."""
        if not isinstance(self.actor, Seat):
            return ()
        return self.game.lines[self.actor.index] if self.setting_up else (SHOW,)

    def play(self, move: Move) -> Self:
        """The state after a move."""
        if self.setting_up:
            return self.keep(move)
        row, column = (
            lines.index(kept) for lines, (kept,) in zip(self.game.lines, self.secrets, strict=True)
        )
        outcome = Outcome(self.game.winners[row][column], Over.OVER)
        return self.after(Event(Seat.ONE, move), None, None, outcome)


CARDS = J, Q, K = tuple(map(Named, "JQK"))
PASS, BET = Named("pass"), Named("bet")
WIN, LOSE = Named("win"), Named("lose")
SHOWDOWNS = {"pp": 1, "bb": 2, "pbb": 2}
FOLDS = {"bp": 1, "pbp": -1}


class KuhnPoker(Game):
    """Kuhn poker; units won become the odds of a final lottery, so that somebody wins."""

    name = "kuhn"
    reasons = Over
    secrets_each = 1

    def start(self) -> KuhnState:
        """The cards are dealt first."""
        return KuhnState.first(self, None, CHANCE)

    @cached_property
    def actions(self) -> Actions:
        """Every move."""
        cards = Block(CARDS, Phase.SET_UP | Phase.CHANCE)
        return Actions(cards, Block((PASS, BET), Phase.TURN), Block((WIN, LOSE), Phase.CHANCE))


class KuhnState(State[KuhnPoker, None, Move]):
    """Kuhn poker in progress."""

    __slots__ = ()

    @property
    def units(self) -> int | None:
        """The units that Seat.ONE has won, once the betting is over."""
        betting = "".join(str(event.move)[0] for event in self.log)
        if betting in FOLDS:
            return FOLDS[betting]
        one, two = (CARDS.index(card) for (card,) in self.secrets)
        stake = SHOWDOWNS.get(betting)
        return stake if stake is None or one > two else -stake

    @property
    def moves(self) -> Sequence[Move]:
        """What the actor may do."""
        if self.actor is None:
            return ()
        if self.actor is not CHANCE:
            return (PASS, BET)
        if self.setting_up:
            return tuple(card for card in CARDS if card not in self.secrets[0])
        return (WIN, LOSE)

    @property
    def odds(self) -> tuple[float, ...]:
        """Even odds of the cards, then the odds of the lottery."""
        if self.setting_up:
            return (1 / len(self.moves),) * len(self.moves)
        assert self.units is not None
        win = (self.units + 2) / 4
        return (win, 1 - win)

    def play(self, move: Move) -> Self:
        """The state after a move."""
        if move not in self.moves:
            raise NotLegal("Not now.")
        if self.setting_up:
            return self.keep(move)
        assert self.actor is not None
        event = Event(self.actor, move)
        if self.actor is CHANCE:
            winner = Seat.ONE if move == WIN else Seat.TWO
            return self.after(event, None, None, Outcome(winner, Over.OVER))
        after = self.after(event, None, self.actor.other)
        return after if after.units is None else self.after(event, None, CHANCE)


def matrix_game(*winners: Sequence[Seat | None]) -> Game:
    """A game with a winner for each row of Seat.ONE and column of Seat.TWO."""
    return type("Matrix", (MatrixGame,), {"winners": winners})()  # type: ignore[no-any-return]


KUHN = KuhnPoker()
KUHN_VALUE = (Fraction(-1, 18) + 2) / 4
"""Kuhn's value of -1/18 of a unit for the first player, scaled from -2..2 to 0..1."""


class Forgetful(MatrixGame):
    """A game whose second view does not show what the player did first."""

    winners = ((Seat.ONE,),)
    secrets_each = 0

    def start(self) -> Any:
        """The first of two moves."""
        return Twice.first(self, None)


class Twice(State[Forgetful, None, Move]):
    """One player moves twice."""

    __slots__ = ()

    @property
    def moves(self) -> Sequence[Move]:
        """What the actor may do."""
        return () if self.actor is None else (PASS, BET)

    def play(self, move: Move) -> Self:
        """The state after a move."""
        if self.turns:
            return self.after(Event(Seat.ONE, move), None, None, Outcome(None, Over.OVER))
        return self.after(Event(Seat.ONE, PASS), None, Seat.ONE)


Numbers = defaultdict[Actor | None, dict[Hashable, int]]


def in_open_spiel(game: Game, found: Equilibrium) -> tuple[float, float]:
    """What Seat.ONE wins by OpenSpiel's count, and how much both strategies can be exploited."""
    import pyspiel

    head = f'EFG 2 R "{game.name}" {{ "one" "two" }}'
    theirs = pyspiel.load_efg_game("\n".join([head, *_nodes(game.start(), defaultdict(dict))]))
    policy = dict(_named_theirs(game.start(), theirs.new_initial_state(), found))
    assert len(policy) == sum(map(len, found.strategies))
    start, tabular = theirs.new_initial_state(), pyspiel.TabularPolicy(policy)
    one, two = pyspiel.expected_returns(start, tabular, -1, True)
    assert abs(one + two - 1) < 1e-9
    return one, pyspiel.nash_conv(theirs, policy)


def _nodes(state: AnyState, numbers: Numbers) -> Iterator[str]:
    """A game in the extensive-form format that Gambit and OpenSpiel read."""
    actor = state.actor
    known = state.view(actor) if isinstance(actor, Seat) else state
    number = numbers[actor].setdefault(known, len(numbers[actor]) + 1)
    if actor is None:
        one, two = map(float, payoffs(state))
        yield f't "" {number} "" {{ {one} {two} }}'
    elif isinstance(actor, Seat):
        moves = " ".join(f'"{move}"' for move in state.moves)
        yield f'p "" {actor.value} {number} "" {{ {moves} }} 0'
    else:
        odds = zip(state.moves, exact_odds(state), strict=True)
        falls = " ".join(f'"{move}" {chance}' for move, chance in odds)
        yield f'c "" {number} "" {{ {falls} }} 0'
    for move in state.moves:
        yield from _nodes(state.play(move), numbers)


def _named_theirs(ours: AnyState, theirs: Any, found: Equilibrium) -> Iterator[tuple[str, Any]]:
    """Our strategies under OpenSpiel's names of information sets, by walking both games."""
    if ours.actor is None:
        assert theirs.is_terminal()
        return
    numbers = {theirs.action_to_string(action): action for action in theirs.legal_actions()}
    assert [*numbers] == [str(move) for move in ours.moves]
    if isinstance(ours.actor, Seat):
        mixture = found.policy(ours.view(ours.actor))
        weights = [(numbers[str(move)], float(weight)) for move, weight in mixture.items()]
        yield theirs.information_state_string(), weights
    for move in ours.moves:
        yield from _named_theirs(ours.play(move), theirs.child(numbers[str(move)]), found)
