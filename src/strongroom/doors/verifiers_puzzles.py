"""Puzzles as an environment of verifiers: one question, one answer, and what it costs.

It needs the extra `verifiers`. It stands apart from the games, because verifiers takes one taskset
from a module.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from itertools import islice
from typing import Annotated, Any, Final, Literal, get_args

from strongroom.contract import Json
from strongroom.doors.sitting import legal_move_in
from strongroom.doors.verifiers import (
    ChatHarness,
    SeatEnv,
    SeatEnvConfig,
    StyledConfig,
    is_cut_off,
    make_config,
    weigh,
)
from strongroom.minds.dialogue import Style
from strongroom.plugins.extras import extra
from strongroom.plugins.registry import load
from strongroom.puzzles.sets import HARDEST, Exercise, Score, exercises, read, score
from strongroom.theory.shelf import solution_of

with extra("verifiers", "strongroom.doors.verifiers_puzzles"):
    import verifiers.v1 as vf
    from pydantic import Field, model_validator

__all__ = ["ChatHarness", "PuzzleEnv", "PuzzleTaskset", "load_puzzles"]

PUZZLES: Final = "strongroom_puzzles"
"""The name by which verifiers finds these puzzles."""
sys.modules.setdefault(PUZZLES, sys.modules[__name__])  # verifiers only imports top-level modules

PuzzleReward = Literal["solved", "cost"]


class PuzzlesConfig(StyledConfig):
    """Which puzzles are put, and how."""

    file: str | None = None
    """A set that `strongroom puzzles export` wrote; by default, puzzles are found by the seed."""
    games: list[str] = Field(default_factory=list)
    """Only puzzles of these games."""
    count: int = Field(20, ge=1)
    """How many puzzles there are, at most."""
    seed: int = 1
    """The same seed gives the same puzzles."""
    lamps: list[Annotated[int, Field(ge=1, le=HARDEST)]] = Field(default_factory=list)
    """Only puzzles that are so difficult, from 1 to 5."""
    reward: PuzzleReward = "solved"
    """Which of them has the weight 1; the others have 0."""

    @model_validator(mode="after")
    def _can_be_found(self) -> PuzzlesConfig:
        for each in self.games:
            solution_of(load(each))
        if self.file is not None:
            for _ in read(self.file):
                pass  # a line that is no puzzle is refused
        return self

    def exercises(self) -> Iterator[Exercise]:
        """The puzzles."""
        if self.file is None:
            games = [load(each) for each in self.games] or None
            return exercises(self.seed, self.count, games, self.lamps, self.disguise)
        fitting = (
            each
            for each in read(self.file)
            if (not self.games or each.game.name in self.games)
            and (not self.lamps or each.difficulty in self.lamps)
        )
        return islice(fitting, self.count)


class PuzzleData(vf.TaskData):
    """One puzzle."""

    puzzle: Json
    """As a line of a set has it, with what each move costs."""
    style: str
    """The settings that differ from the usual, as in `legal-moves&no-scratch`."""
    reward: PuzzleReward


class PuzzleTask(vf.Task[PuzzleData, vf.State, vf.TaskConfig]):
    """One puzzle, and what the answer costs; every reward is the better the greater it is."""

    def __init__(self, data: PuzzleData, config: vf.TaskConfig | None = None) -> None:
        weights = {each: each == data.reward for each in get_args(PuzzleReward)}
        super().__init__(data, weigh(config, weights))

    def answer_score(self, trace: vf.Trace) -> Score:
        """What the answer is worth; one that is no legal move costs as much as the worst."""
        puzzle = Exercise.from_json(self.data.puzzle)
        dialogue = puzzle.dialogue(Style.read(self.data.style))
        move = legal_move_in(trace.last_reply, puzzle.view, dialogue, is_cut_off(trace))
        return score([puzzle], lambda _: move)

    @vf.reward
    async def solved(self, trace: vf.Trace) -> float:
        """1 if the answer is right, otherwise 0."""
        return self.answer_score(trace).solved

    @vf.reward(weight=0.0)
    async def cost(self, trace: vf.Trace) -> float:
        """Minus what the answer costs in win probability."""
        return 0.0 - self.answer_score(trace).cost

    @vf.reward(weight=0.0)
    async def illegal(self, trace: vf.Trace) -> float:
        """-1 if the answer is no legal move, otherwise 0."""
        return 0.0 - self.answer_score(trace).illegal


class PuzzleTaskset(vf.Taskset[PuzzleTask, PuzzlesConfig]):
    """Puzzles whose answers are certified."""

    def load(self) -> Iterator[PuzzleTask]:
        """The puzzles, the same for the same settings."""
        config = self.config
        style = config.style
        for number, puzzle in enumerate(config.exercises(), 1):
            dialogue = puzzle.dialogue(style)
            data = PuzzleData(
                name=f"{puzzle.game.name}, puzzle {number}",
                system_prompt=dialogue.opening_with(puzzle.rules),
                prompt=puzzle.question_in(dialogue),
                puzzle=puzzle.to_json(),
                style=str(style),
                reward=config.reward,
            )
            yield PuzzleTask(data, config.task)


class PuzzleEnv(SeatEnv):
    """A model that is asked for the best move in one position."""


def load_puzzles(**settings: Any) -> PuzzleEnv:
    """The environment in which a model solves puzzles; settings are those of `PuzzlesConfig`."""
    return PuzzleEnv(
        SeatEnvConfig(taskset=make_config(PuzzlesConfig, **{"id": PUZZLES} | settings))
    )
