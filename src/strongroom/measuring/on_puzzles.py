"""A player measured on a set of puzzles, with as many tries as in a game, and no opponent."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from math import hypot
from statistics import fmean, pvariance

from strongroom.contests.workers import Progress, each_done, pool_for
from strongroom.contract.codec import json_form
from strongroom.measuring.estimator import Sample, Scale, balance_seats, weighted_mean
from strongroom.measuring.protocol import SeatsPlayer, Spent, Watched
from strongroom.minds.dialogue import TextPlayer, Transcript, Whole
from strongroom.plugins.foreign import FAILURES
from strongroom.puzzles.sets import Exercise, score
from strongroom.referee.randomness import stream
from strongroom.report.text import Interval


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
    interval: Interval
    """Of the mean cost."""
    illegal: int
    """How many puzzles got no legal move at any try; each costs as much as the worst move."""
    first_try: int
    """How many were answered with a legal move at the first try."""
    answered_cost: float | None
    """The mean cost of the answers that were legal moves; None if there were none."""
    bots: dict[str, float]
    """What bots lose on the same puzzles, on average."""
    tokens: int | None = None
    money: float | None = None
    """In dollars."""
    transcripts: tuple[Transcript, ...] = ()
    """What was said about each puzzle, if the player was asked in text."""


@json_form("number move transcript *spent")
@dataclass(frozen=True, slots=True)
class Answered:
    """What a player answered to a puzzle, and what that took."""

    number: Whole
    """The puzzle's, from 1."""
    move: str
    """Empty if it was no legal move."""
    spent: Spent
    transcript: Transcript | None = None


def combine(results: Sequence[PuzzleResult]) -> PuzzleResult:
    """The results at several games as one, each puzzle weighing alike."""
    count = sum(each.puzzles for each in results)
    shares = [each.puzzles / count for each in results]
    cost, interval = weighted_mean([(each.cost, each.interval) for each in results], shares)

    def mean(figures: Iterable[float]) -> float:
        return fmean(figures, shares)

    bots = dict.fromkeys(bot for each in results for bot in each.bots)
    return PuzzleResult(
        title="all",
        puzzles=count,
        solved=mean(each.solved for each in results),
        cost=cost,
        error=hypot(
            *(share * (each.error or 0.0) for share, each in zip(shares, results, strict=True))
        ),
        interval=interval,
        illegal=sum(each.illegal for each in results),
        first_try=sum(each.first_try for each in results),
        answered_cost=_mean_answered(
            [(each.answered_cost, each.puzzles - each.illegal) for each in results]
        ),
        bots={bot: mean(each.bots.get(bot, 0.0) for each in results) for bot in bots},
    )


def _mean_answered(costs: Sequence[tuple[float | None, int]]) -> float | None:
    known = [(cost, count) for cost, count in costs if cost is not None and count]
    return fmean(*zip(*known, strict=True)) if known else None


def measure_on_puzzles(
    seated: SeatsPlayer,
    puzzles: Sequence[Exercise],
    *,
    seed: int = 1,
    kept: Iterable[Answered] = (),
    keep: Callable[[Answered], None] | None = None,
    progress: Progress | None = None,
) -> dict[str, PuzzleResult]:
    """What a player's answers cost, game by game; those already `kept` are not asked for again."""
    answers = {answer.number: answer for answer in kept}
    left = open_exercises(puzzles, answers.values())
    pool = pool_for([seated], len(left), workers=1)
    for answer in each_done(partial(_ask, seated, seed), left, pool):
        answers[answer.number] = answer
        if keep is not None:
            keep(answer)
        if progress is not None:
            progress(len(answers), len(puzzles))
    by_game: dict[str, list[tuple[Exercise, Answered]]] = {}
    for number, puzzle in enumerate(puzzles, 1):
        by_game.setdefault(puzzle.game.name, []).append((puzzle, answers[number]))
    return {name: _result(those) for name, those in by_game.items()}


def open_exercises(
    puzzles: Sequence[Exercise], answers: Iterable[Answered]
) -> list[tuple[int, Exercise]]:
    """The puzzles to which there is no answer, with their numbers."""
    numbers = {answer.number for answer in answers}
    return [each for each in enumerate(puzzles, 1) if each[0] not in numbers]


def _ask(seated: SeatsPlayer, seed: int, asked: tuple[int, Exercise]) -> Answered:
    """Put a puzzle to a player; one that is asked in text, in the words of the set."""
    number, puzzle = asked
    player = seated(puzzle.game, stream(f"{seed}, puzzle {number}", "player"))
    watched = Watched(player)
    text = ""  # whoever fails gives no legal move
    with contextlib.suppress(*FAILURES):
        if isinstance(player, TextPlayer):
            asked_in = player.dialogue
            player.dialogue = puzzle.dialogue(asked_in.style, asked_in.in_json)
            question = puzzle.question_in(player.dialogue)
            move = player.answer(puzzle.rules, question, puzzle.view, player.tries)
        else:
            move = watched.choose(puzzle.view)
        text = str(move) if move in puzzle.costs else ""
    return Answered(number, text, watched.spent, watched.transcript)


def _result(answered: Sequence[tuple[Exercise, Answered]]) -> PuzzleResult:
    those, answers = [each for each, _ in answered], [each for _, each in answered]
    moves = iter(answers)
    scored = score(those, lambda _: next(moves).move)
    bots = dict.fromkeys(bot for each in those for bot in each.losses)
    spent = sum((each.spent for each in answers), Spent())
    sample = Sample(len(those), scored.cost, pvariance(scored.costs))
    # One more puzzle costs at most what the worst move of any costs.
    found = balance_seats([sample], Scale([0.0], [max(max(each.costs.values()) for each in those)]))
    return PuzzleResult(
        title=those[0].game.title,
        puzzles=len(those),
        solved=scored.solved,
        cost=scored.cost,
        error=found.known_error,
        interval=found.interval,
        illegal=scored.illegal,
        first_try=sum(bool(each.move) and not each.spent.illegal for each in answers),
        answered_cost=_mean_answered(
            [(cost, 1) for cost, each in zip(scored.costs, answers, strict=True) if each.move]
        ),
        bots={bot: fmean(each.losses.get(bot, 0.0) for each in those) for bot in bots},
        tokens=spent.tokens,
        money=spent.money,
        transcripts=tuple(each.transcript for each in answers if each.transcript is not None),
    )
