"""Games that are small enough to solve by hand, or whose solutions are published."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, Self

import pytest

from strongroom.contract import (
    CHANCE,
    Actions,
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

Matrix = Sequence[Sequence[Seat | None]]


@dataclass(frozen=True, slots=True)
class Named(Move):
    name: str

    def __str__(self) -> str:
        return self.name


class Over(Reason):
    OVER = "over"


SHOW = Named("show")


class MatrixGame(Game):
    """Both choose in private, one a row and one a column, and then show them."""

    name = "matrix"
    reasons = Over
    secrets_each = 1
    winners: Matrix

    def start(self) -> MatrixState:
        return MatrixState.first(self, None)

    @cached_property
    def lines(self) -> tuple[tuple[Move, ...], tuple[Move, ...]]:
        rows = tuple(Named(f"row {number}") for number in range(len(self.winners)))
        columns = tuple(Named(f"column {number}") for number in range(len(self.winners[0])))
        return rows, columns

    @cached_property
    def actions(self) -> Actions:
        one, two = self.lines
        return Actions(Block((*one, *two), Phase.SET_UP), Block((SHOW,), Phase.TURN))


class MatrixState(State[MatrixGame, None, Move]):
    __slots__ = ()

    @property
    def moves(self) -> Sequence[Move]:
        if not isinstance(self.actor, Seat):
            return ()
        return self.game.lines[self.actor.index] if self.setting_up else (SHOW,)

    def play(self, move: Move) -> Self:
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
        return KuhnState.first(self, None, CHANCE)

    @cached_property
    def actions(self) -> Actions:
        cards = Block(CARDS, Phase.SET_UP | Phase.CHANCE)
        return Actions(cards, Block((PASS, BET), Phase.TURN), Block((WIN, LOSE), Phase.CHANCE))


class KuhnState(State[KuhnPoker, None, Move]):
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
        if self.actor is None:
            return ()
        if self.actor is not CHANCE:
            return (PASS, BET)
        if self.setting_up:
            return tuple(card for card in CARDS if card not in self.secrets[0])
        return (WIN, LOSE)

    @property
    def odds(self) -> tuple[float, ...]:
        if self.setting_up:
            return (1 / len(self.moves),) * len(self.moves)
        assert self.units is not None
        win = (self.units + 2) / 4
        return (win, 1 - win)

    def play(self, move: Move) -> Self:
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


@pytest.fixture
def matrix_game() -> Callable[[Matrix], Game]:
    """Makes a game with a winner for each row of Seat.ONE and column of Seat.TWO."""

    def made(winners: Matrix) -> Game:
        return type("Matrix", (MatrixGame,), {"winners": winners})()  # type: ignore[no-any-return]

    return made


@pytest.fixture
def kuhn() -> Game:
    return KuhnPoker()


@pytest.fixture
def kuhn_value() -> Fraction:
    """Kuhn's value of -1/18 of a unit for the first player, scaled from -2..2 to 0..1."""
    return (Fraction(-1, 18) + 2) / 4


@pytest.fixture
def forgetful() -> Game:
    """A game whose second view does not show what the player did first."""

    class Forgetful(MatrixGame):
        winners = ((Seat.ONE,),)
        secrets_each = 0

        def start(self) -> Any:
            return Twice.first(self, None)

    class Twice(State[Forgetful, None, Move]):
        __slots__ = ()

        @property
        def moves(self) -> Sequence[Move]:
            return () if self.actor is None else (PASS, BET)

        def play(self, move: Move) -> Self:
            if self.turns:
                return self.after(Event(Seat.ONE, move), None, None, Outcome(None, Over.OVER))
            return self.after(Event(Seat.ONE, PASS), None, Seat.ONE)

    return Forgetful()
