"""A bout: a game played on its own, with a turn limit, and nothing recorded."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from strongroom.contract import (
    CHANCE,
    Actor,
    AnyState,
    Ending,
    Game,
    Move,
    NotLegal,
    Outcome,
    Seat,
    View,
)
from strongroom.referee.randomness import Draw

UNDECIDED: Final = Outcome(None, Ending.UNDECIDED)
TURN_LIMIT: Final = 100
"""After how many turns of both players together games of agents are undecided."""


class Bout(NamedTuple):
    """A state and the turn limit under which it is played; a match is a bout with a record.

    >>> from strongroom import load
    >>> from strongroom.referee.randomness import draws
    >>> bout = Bout.start(load("quantum-duel"), turn_limit=1)
    >>> bout = bout.play(bout.view(Seat.ONE).moves[0]).settle(draws(seed=1))
    >>> bout.outcome == UNDECIDED
    True
    """

    state: AnyState
    """The complete state of the game, for the referee only."""
    turn_limit: int | None = None
    """After how many turns of both players together it is undecided; None for no limit."""

    @classmethod
    def start(cls, game: Game, turn_limit: int | None = None) -> Bout:
        """A bout before its first move."""
        return cls(game.start(), turn_limit)

    @property
    def outcome(self) -> Outcome | None:
        """How the bout ended, by the rules or undecided; None while it goes on."""
        state, limit = self
        if state.outcome is None and limit is not None and state.turns >= limit:
            return UNDECIDED
        return state.outcome

    @property
    def actor(self) -> Actor | None:
        """Who is to move; None once the bout is over."""
        return None if self.outcome is not None else self.state.actor

    def view(self, seat: Seat | None) -> View:
        """What that seat may know of the bout."""
        return self.state.view(seat, self.outcome)

    def play(self, move: Move) -> Bout:
        """The bout after the actor's move, which may be chance's; or a refusal."""
        if self.outcome is not None:
            raise NotLegal("The game is over.")
        return Bout(self.state.play(move), self.turn_limit)

    def draw_chance(self, draw: Draw) -> Move:
        """What chance decides, if it is to move."""
        return draw(self.state.number + 1, self.state.moves, self.state.odds)

    def __deepcopy__(self, memo: object) -> Bout:
        return self  # it never changes

    def settle(self, draw: Draw) -> Bout:
        """The bout after all pending chance moves."""
        bout = self
        while bout.actor is CHANCE:
            bout = bout.play(bout.draw_chance(draw))
        return bout


def moves_to(state: AnyState) -> Iterator[Move]:
    """The moves that led to a state, private ones and those of chance included.

    >>> from strongroom import load
    >>> game = load("safe-cracker")
    >>> state = game.start().play(game.move("1-1-1")).play(game.move("1-2-3"))
    >>> [str(move) for move in moves_to(state.play(game.move("3-3-3")))]
    ['1-1-1', '1-2-3', '3-3-3']
    """
    at, events = state.game.start(), iter(state.log)
    while at.number < state.number:
        keeper = at.keeper
        if keeper is None:
            move = next(events).move
        else:
            move = state.secrets[keeper.index][len(at.secrets[keeper.index])]
        yield move
        at = at.play(move)
