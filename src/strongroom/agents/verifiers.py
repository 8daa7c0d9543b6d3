"""The games as environments of verifiers: a model plays a seat in text, against one of our players.

It needs the extra `verifiers`. Puzzles are in `strongroom.agents.verifiers_puzzles`.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Iterator
from random import Random
from typing import Any, Final, Literal

from strongroom.agents.dialogue import Dialogue, Style
from strongroom.agents.sitting import REWARDS, Reward, no_exact_costs
from strongroom.agents.text_sitting import TextSitting
from strongroom.agents.verifiers_chat import (
    ChatHarness,
    SeatEnv,
    SeatEnvConfig,
    StyledConfig,
    cut_off,
    settled,
    weighted,
)
from strongroom.contract import Json, Seat
from strongroom.players import CERTIFIED, check, player
from strongroom.plugins.extras import extra
from strongroom.plugins.registry import load

with extra("verifiers", "strongroom.agents.verifiers"):
    import verifiers.v1 as vf
    from pydantic import Field, model_validator

__all__ = ["ChatHarness", "DuelEnv", "DuelTaskset", "load_environment"]

DUELS: Final = "strongroom_duels"
"""The name by which verifiers finds these games."""
sys.modules.setdefault(DUELS, sys.modules[__name__])  # verifiers only imports top-level modules


class DuelsConfig(StyledConfig):
    """Which games are played, and how."""

    game: str = "quantum-duel"
    """The name of an installed game."""
    options: dict[str, Any] = Field(default_factory=dict)
    """The options of the game."""
    opponent: str = CERTIFIED
    """The name of a player."""
    reward: Reward = "result"
    """Which of `result` and `cost` has the weight 1; the others have 0."""
    seat: Literal[1, 2] | None = None
    """Where the model sits; by default in either seat by turns."""
    games: int = Field(100, ge=1)
    """How many games there are."""
    seed: int = 1
    """The same seed gives the same games."""

    @property
    def dialogue(self) -> Dialogue:
        """How the game is put to the model; or a refusal."""
        return Dialogue(load(self.game, **self.options), self.style)

    @model_validator(mode="after")
    def _can_be_played(self) -> DuelsConfig:
        check(player(self.opponent, self.dialogue.game, Random(1)))
        if self.reward == "cost" and self.opponent != CERTIFIED:
            raise no_exact_costs()
        return self


class DuelData(vf.TaskData):
    """One game before it is played."""

    game: str
    options: dict[str, Any]
    opponent: str
    seat: int
    seed: str
    style: str
    """The settings that differ from the usual, as in `disguise&no-scratch`."""
    reward: Reward


class DuelTask(vf.Task[DuelData, vf.State, vf.TaskConfig]):
    """One game, and what it was worth; every reward is the better the greater it is."""

    def __init__(self, data: DuelData, config: vf.TaskConfig | None = None) -> None:
        super().__init__(data, weighted(config, {each: each == data.reward for each in REWARDS}))

    def sit_down(self) -> TextSitting:
        """The seat at its first question."""
        row = self.data
        game, style = load(row.game, **row.options), Style.read(row.style)
        return TextSitting(game, row.opponent, Seat(row.seat), row.seed, style)

    @vf.reward
    async def result(self, trace: vf.Trace) -> float:
        """1 for a win, -1 for a loss, 0 if nobody won."""
        return float(trace.info["game"]["result"])

    @vf.reward(weight=0.0)
    async def cost(self, trace: vf.Trace) -> dict[str, float]:
        """Minus what all moves cost in win probability; only against master."""
        costs = trace.info["game"]["costs"]
        return {} if costs is None else {"cost": 0.0 - sum(costs)}

    @vf.reward(weight=0.0)
    async def illegal(self, trace: vf.Trace) -> float:
        """Minus how many answers were no legal moves."""
        return 0.0 - float(trace.info["game"]["illegal"])


class DuelTaskset(vf.Taskset[DuelTask, DuelsConfig]):
    """Games that differ in chance, in the opponent's choices and in the seat."""

    def load(self) -> Iterator[DuelTask]:
        """The games, the same for the same settings."""
        config = self.config
        dialogue = config.dialogue
        for number in range(config.games):
            data = DuelData(
                name=f"{config.game}, game {number + 1}",
                system_prompt=dialogue.opening,
                game=config.game,
                options=config.options,
                opponent=config.opponent,
                seat=config.seat or 1 + number % 2,
                seed=f"{config.seed}, game {number + 1}",
                style=str(dialogue.style),
                reward=config.reward,
            )
            yield DuelTask(data, config.task)


class DuelEnv(SeatEnv):
    """A model in one seat of a game; whoever stops answering loses it."""

    async def run(self, task: DuelTask, agents: vf.Agents) -> None:
        """Play one game; the opponent thinks in a thread, so that other games go on."""
        sitting = await asyncio.to_thread(task.sit_down)
        thinking: asyncio.Future[None] | None = None
        try:
            async with agents.agent.interaction(task) as interaction:
                while not sitting.over:
                    said = await interaction.turn(sitting.question)
                    if said.terminated:
                        sitting.give_up("The player gave no answer.")
                    else:
                        short = cut_off(interaction.trace)
                        answering = asyncio.to_thread(sitting.answer, said.last_reply, short)
                        thinking = asyncio.ensure_future(answering)
                        await asyncio.shield(thinking)
                interaction.trace.info["game"] = await asyncio.to_thread(account, sitting)
        finally:
            await asyncio.shield(_leave(sitting, thinking))


async def _leave(sitting: TextSitting, thinking: asyncio.Future[None] | None) -> None:
    """Leave a game once its opponent has stopped thinking, which a broken-off turn does not do."""
    if thinking is not None:
        await asyncio.wait([thinking])
    await asyncio.to_thread(sitting.leave)


def account(sitting: TextSitting) -> Json:
    """What a finished game was worth, move by move, with its record."""
    return {
        "result": sitting.result,
        "costs": sitting.costs if sitting.certified else None,
        "illegal": sitting.illegal,
        "record": sitting.record.dumps(),
    }


def load_environment(game: str = "quantum-duel", **settings: Any) -> DuelEnv:
    """The environment in which a model plays a game.

    Settings are the fields of `DuelsConfig`; any other keyword is an option of the game. Unknown
    names are refused, and so is the reward `cost` against another opponent than master.
    """
    known = {name: settings.pop(name) for name in DuelsConfig.model_fields if name in settings}
    config = settled(DuelsConfig, **{"id": DUELS, "game": game, "options": settings} | known)
    return DuelEnv(SeatEnvConfig(taskset=config))
