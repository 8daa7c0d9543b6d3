"""What each move cost: the solution of a game, held against what was played."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from strongroom.contract import Json, Move, Refusal, Seat, View
from strongroom.record import Record
from strongroom.theory.shelf import solution_of

MARKS = ((0.15, "blunder"), (0.10, "mistake"), (0.05, "inaccuracy"))
"""From which cost on, in win probability, a move is called what; as in chess."""

TIE = 1e-9
"""What rounding may make of two equal win probabilities."""


@dataclass(frozen=True, slots=True)
class Advice:
    """A move with the win probability it gives, and one sentence why."""

    move: Move
    chance: float
    why: str


def advise(view: View, most: int = 3) -> list[Advice]:
    """The best moves for the seat whose view this is, best first."""
    solution = solution_of(view.game)
    values, policy = solution.values(view), solution.policy(view)
    # Among equals, what the certified player itself would play.
    best = sorted(values, key=lambda move: (-round(values[move], 9), -float(policy.get(move, 0))))
    return [Advice(move, values[move], solution.why(view, move)) for move in best[:most]]


@dataclass(frozen=True, slots=True)
class Decision:
    """One decision: what the mover could have had, what the move gave, and what came of it."""

    number: int
    """Which move of the record it is, from 1."""
    seat: Seat
    move: Move
    before: float
    """The win probability of the best move, given what the mover knew."""
    after: float
    """The win probability of the move played, given the same."""
    best: Move
    why: str
    """Why the best move is best."""
    luck: float
    """How the answer, which the hidden things decided, and the reply moved the probability."""

    @property
    def cost(self) -> float:
        """What the move gave away."""
        return max(0.0, self.before - self.after)

    @property
    def mark(self) -> str:
        """What such a move is called, or nothing."""
        return next((mark for least, mark in MARKS if self.cost >= least - TIE), "")

    def to_json(self) -> Json:
        """The decision as JSON data."""
        return {
            "number": self.number,
            "seat": self.seat.value,
            "move": str(self.move),
            "before": round(self.before, 6),
            "after": round(self.after, 6),
            "cost": round(self.cost, 6),
            "mark": self.mark or None,
            "best": str(self.best),
            "why": self.why,
            "luck": round(self.luck, 6),
        }


@dataclass(frozen=True, slots=True)
class Analysis:
    """Every decision of a finished match."""

    record: Record
    decisions: tuple[Decision, ...]

    def cost(self, seat: Seat) -> float:
        """What a player gave away in all, in games: 1 is a whole game."""
        return sum(decision.cost for decision in self.decisions if decision.seat is seat)

    def to_json(self) -> Json:
        """The analysis as JSON data."""
        outcome = self.record.outcome
        return {
            "game": self.record.game.name,
            "options": self.record.game.options.to_json(),
            "seats": [
                {"name": sitter.name, "player": sitter.player, "cost": round(self.cost(seat), 6)}
                for seat, sitter in zip(Seat, self.record.sitters, strict=True)
            ],
            "outcome": outcome and self.record.game.outcome_to_json(outcome),
            "decisions": [decision.to_json() for decision in self.decisions],
        }


def analyze(record: Record) -> Analysis:
    """What each decision of a finished match cost, given what the mover knew."""
    if record.outcome is None:
        raise Refusal("The game is not over; its analysis would show what is hidden.")
    solution = solution_of(record.game)
    judged: list[tuple[int, View, Move, Mapping[Move, float]]] = []
    for state, step in zip(record.states(), record.steps, strict=False):
        if isinstance(step.actor, Seat) and step.move is not None:
            view = state.view(step.actor)
            judged.append((step.number, view, step.move, solution.values(view)))
    decisions: list[Decision] = []
    later: dict[Seat, float] = {}  # what each seat had before its next decision, or in the end
    if record.outcome.reason in record.game.reasons:  # else nobody was lucky or unlucky at the end
        later = {seat: _result(record, seat) for seat in Seat}
    for number, view, move, values in reversed(judged):
        assert view.seat is not None
        best = _best(values, move)
        decisions.append(
            Decision(
                number=number,
                seat=view.seat,
                move=move,
                before=values[best],
                after=values[move],
                best=best,
                why=solution.why(view, best),
                luck=later.get(view.seat, values[move]) - values[move],
            )
        )
        later[view.seat] = values[best]
    return Analysis(record, tuple(reversed(decisions)))


def _best(values: Mapping[Move, float], played: Move) -> Move:
    """The best move; the played one if it is as good."""
    best = max(values, key=values.__getitem__)
    return played if values[played] >= values[best] - TIE else best


def _result(record: Record, seat: Seat) -> float:
    assert record.outcome is not None
    winner = record.outcome.winner
    return 0.5 if winner is None else float(winner is seat)


def curve(analysis: Analysis) -> Sequence[tuple[int, float]]:
    """The first player's win probability before each decision, and at the end."""
    points = [
        (each.number, each.before if each.seat is Seat.ONE else 1 - each.before)
        for each in analysis.decisions
    ]
    end = len(analysis.record.steps) + 1
    return [*points, (end, _result(analysis.record, Seat.ONE))]
