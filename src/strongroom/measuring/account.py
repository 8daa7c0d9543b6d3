"""Accounts of games against the certified player: what every decision cost, and what was luck.

With V, a function of what the player knows, and Q, its exact mean after a move, the result of a
game is V at the start, plus the sum of Q - V over the player's decisions, plus the sum of V - Q
from each decision to the next. The last sum is luck: its mean is zero, whoever plays.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from strongroom.contract import Ending, Move, Refusal, Seat, View
from strongroom.referee.record import Record
from strongroom.theory.worth import Policy, Worth

CERTIFIED: Final = "master"
"""The opponent against whom every decision has an exact worth."""


@dataclass(frozen=True, slots=True)
class Decision:
    """One decision, and what its moves are worth."""

    number: int
    """The number of its step in the record, from 1."""
    view: View
    move: Move | None
    """The move made; None if the player forfeited or resigned instead."""
    value: float
    """V before the decision."""
    moves: Mapping[Move, float]
    """Q of each legal move."""

    @property
    def worth(self) -> float:
        """Q of what was done; giving up is worth nothing."""
        return 0.0 if self.move is None else self.moves[self.move]

    @property
    def cost(self) -> float:
        """What the decision cost; below zero only where V is not what a best response wins."""
        return self.value - self.worth

    @property
    def best(self) -> Move:
        """A move of the highest worth."""
        return max(self.moves, key=self.moves.__getitem__)


@dataclass(frozen=True, slots=True)
class Account:
    """A player's decisions in one game against the certified player."""

    seat: Seat
    start: float
    """V before the first move."""
    decisions: tuple[Decision, ...]
    result: float
    """1 for a win, 0 for a loss, 1/2 if nobody won."""
    mixed: float = 0.0
    """What the draws of a player who tells its mixtures gave it, in all."""

    @property
    def cost(self) -> float:
        """What all decisions cost together."""
        return sum(each.cost for each in self.decisions)

    @property
    def luck(self) -> float:
        """What chance, hidden answers and the opponent's draws gave, in all."""
        return self.result - self.start + self.cost


def account(record: Record, seat: Seat, worth: Worth, policy: Policy | None = None) -> Account:
    """The account of a seat in a finished record; `policy` is that of a player who tells it."""
    outcome = record.outcome
    if outcome is None:
        raise Refusal("The game is not over; an account would reveal what is hidden.")
    limit, decisions, mixed = record.turn_limit, list[Decision](), 0.0
    steps = iter(record.steps)
    for state in record.states():
        step = next(steps, None)
        gave_up = step is None and state.actor is seat and outcome.reason in GIVEN_UP
        if not gave_up and (step is None or step.actor is not seat):
            continue
        view = state.view(seat)
        turns = None if limit is None else limit - view.turns
        moves = worth.moves(view, turns)
        value = max(moves.values()) if worth.optimal else worth.value(view, turns)
        move = None if step is None else step.move
        decision = Decision(view.number + 1, view, move, value, moves)
        decisions.append(decision)
        if policy is not None and move is not None:
            mean = sum(float(chance) * moves[each] for each, chance in policy(view).items())
            mixed += decision.worth - mean
    result = 0.5 if outcome.winner is None else float(outcome.winner is seat)
    return Account(seat, worth.start(seat, limit), tuple(decisions), result, mixed)


GIVEN_UP = (Ending.FORFEITED, Ending.RESIGNED)
"""How a game ends if a player gives it up."""


def luck_of(record: Record, seat: Seat, baselines: Sequence[Worth]) -> tuple[float, ...]:
    """A player's luck in a game, measured by each of several functions V."""
    return tuple(account(record, seat, worth).luck for worth in baselines)
