"""A player measured on a set of puzzles: one call a puzzle, and no opponent."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from itertools import count
from math import hypot, sqrt
from statistics import fmean, stdev

from strongroom.contract import Json, Move
from strongroom.measuring.protocol import SeatsPlayer
from strongroom.plugins.foreign import FAILURES
from strongroom.puzzles.sets import Exercise, score
from strongroom.referee.randomness import stream


@dataclass(frozen=True, slots=True)
class PuzzleResult:
    """How a player answered the puzzles of one game."""

    title: str
    puzzles: int
    solved: float
    """The share answered right."""
    cost: float
    """The mean cost of an answer."""
    error: float | None
    """The standard error of the mean; None for a single puzzle."""
    illegal: int
    """How many answers were no legal moves; each costs as much as the worst move."""
    bots: dict[str, float]
    """What bots lose on the same puzzles, on average."""

    def to_json(self) -> Json:
        """The result as JSON data."""
        return asdict(self)


def together(results: Sequence[PuzzleResult]) -> PuzzleResult:
    """The results at several games as one, each puzzle weighing alike."""
    count = sum(each.puzzles for each in results)
    errors = [each.puzzles * (each.error or 0.0) for each in results]

    def mean(figures: Iterable[float]) -> float:
        return fmean(figures, [each.puzzles for each in results])

    bots = dict.fromkeys(bot for each in results for bot in each.bots)
    return PuzzleResult(
        title="all",
        puzzles=count,
        solved=mean(each.solved for each in results),
        cost=mean(each.cost for each in results),
        error=hypot(*errors) / count,
        illegal=sum(each.illegal for each in results),
        bots={bot: mean(each.bots.get(bot, 0.0) for each in results) for bot in bots},
    )


def measure_on_puzzles(
    seated: SeatsPlayer,
    puzzles: Sequence[Exercise],
    *,
    seed: int = 1,
    progress: Callable[[int, int], None] | None = None,
) -> dict[str, PuzzleResult]:
    """What a player's answers cost, game by game."""
    numbers = count(1)

    def answer(asked: Exercise) -> Move | str:
        number = next(numbers)
        if progress is not None:
            progress(number, len(puzzles))
        player = seated(asked.game, stream(f"{seed}, puzzle {number}", "player"))
        try:
            return player.choose(asked.view)
        except FAILURES:
            return ""  # whoever fails gives no legal move

    found: dict[str, PuzzleResult] = {}
    for name in dict.fromkeys(each.game.name for each in puzzles):
        those = [each for each in puzzles if each.game.name == name]
        scored = score(those, answer)
        bots = dict.fromkeys(bot for each in those for bot in each.losses)
        found[name] = PuzzleResult(
            title=those[0].game.title,
            puzzles=len(those),
            solved=scored.solved,
            cost=scored.cost,
            error=stdev(scored.costs) / sqrt(len(those)) if len(those) > 1 else None,
            illegal=scored.illegal,
            bots={bot: fmean(each.losses.get(bot, 0.0) for each in those) for bot in bots},
        )
    return found
