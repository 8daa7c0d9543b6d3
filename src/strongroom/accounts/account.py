"""Accounts of games against the certified player: what every decision cost, and what was luck.

With V, a function of what the player knows, and Q, its exact mean after a move, the result of a
game is V at the start, plus the sum of Q - V over the player's decisions, plus the sum of V - Q
from each decision to the next. The last sum is luck: its mean is zero, whoever plays.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from strongroom.contract import Ending, Move, Refusal, Seat, View
from strongroom.referee.record import Record
from strongroom.theory.worth import WEIGHING, Policy, Probability, Turns, Worth, turns_left

PERFECT: Final = 1e-9
"""A decision that costs no more than this is perfect."""
MARKS: Final = ((0.15, "blunder"), (0.10, "mistake"), (0.05, "inaccuracy"))
"""The least cost, in win probability, at which a move gets each mark; as in chess."""


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

    @property
    def at_stake(self) -> float:
        """How much more the best move is worth than the worst."""
        return max(self.moves.values()) - min(self.moves.values())


def decide(worth: Worth, view: View, move: Move | None, limit: Turns) -> Decision:
    """A decision in a match with this turn limit, and what its moves are worth."""
    return Decision(view.number + 1, view, move, *worth.weigh(view, limit))


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
    """What the player's own draws gained in all, if its policy is known."""
    turns: int = 0
    """How many turns the game lasted."""
    turn_limit: int | None = None

    @property
    def cost(self) -> float:
        """What all decisions cost together."""
        return sum(each.cost for each in self.decisions)

    @property
    def luck(self) -> float:
        """What chance, hidden answers and the opponent's draws gave, in all."""
        return self.result - self.start + self.cost


def account(record: Record, seat: Seat, worth: Worth, policy: Policy | None = None) -> Account:
    """The account of a seat in a finished record; `policy` is the player's, if it is known."""
    outcome = record.outcome
    if outcome is None:
        raise Refusal("The game is not over; an account would reveal what is hidden.")
    decided = list[tuple[View, Move | None]]()
    steps = iter(record.steps)
    for state in record.states():
        step = next(steps, None)
        if step is not None and step.actor is seat:
            decided.append((state.view(seat), step.move))
        elif step is None and state.actor is seat and outcome.reason in GIVEN_UP:
            decided.append((state.view(seat), None))
    score = outcome.score(seat)
    return _weigh(decided, seat, score, state.turns, record.turn_limit, worth, policy)


GIVEN_UP = (Ending.FORFEITED, Ending.RESIGNED)
"""How a game ends when a player gives up."""


def revalue(worth: Worth, own: Account, policy: Policy | None = None) -> Account:
    """The account of the same game, valued by another function V."""
    decided = [(each.view, each.move) for each in own.decisions]
    return _weigh(decided, own.seat, own.result, own.turns, own.turn_limit, worth, policy)


def _weigh(
    decided: Iterable[tuple[View, Move | None]],
    seat: Seat,
    result: float,
    turns: int,
    limit: int | None,
    worth: Worth,
    policy: Policy | None,
) -> Account:
    decisions, mixed = list[Decision](), 0.0
    with WEIGHING:
        for view, move in decided:
            decisions.append(decide(worth, view, move, limit))
            if policy is not None and move is not None:
                moves = decisions[-1].moves
                mixed += moves[move] - _mean(moves, policy(view))
        start = worth.start(seat, limit)
    return Account(seat, start, tuple(decisions), result, mixed, turns, limit)


def short_term_luck(
    worth: Worth, horizon: int, own: Account, policy: Policy | None = None
) -> float:
    """Luck in what the next few turns brought after each decision, known draws included.

    Each decision is compared with a game cut off so many turns later, before the player decides
    again. Whatever it does then, the mean of each difference is zero.
    """
    luck = 0.0
    gave_up = bool(own.decisions) and own.decisions[-1].move is None
    for each in own.decisions:
        if each.view.setting_up or each.move is None:
            continue
        ended = own.turns - each.view.turns <= horizon and not gave_up
        left = turns_left(own.turn_limit, each.view)
        moves = worth.move_values(each.view, horizon if left is None else min(left, horizon))
        luck += (own.result if ended else 0.5) - moves[each.move]
        if policy is not None:
            luck += moves[each.move] - _mean(moves, policy(each.view))
    return luck


def _mean(moves: Mapping[Move, float], mixture: Mapping[Move, Probability]) -> float:
    """The mean worth of a move drawn from a mixture."""
    return sum(float(chance) * moves[each] for each, chance in mixture.items())
