"""The games as environments of verifiers: a model plays a seat in text, against one of our players.

It needs the extra `verifiers`. Puzzles are in `strongroom.doors.verifiers_puzzles`.
"""

from __future__ import annotations

import asyncio
import ssl
import sys
from collections.abc import Iterator
from random import Random
from typing import Any, Final, Literal, TypeVar

from strongroom.contract import Json, Refusal, Seat
from strongroom.doors.sitting import REWARDS, Reward, TextSitting, check_reward
from strongroom.minds.dialogue import Dialogue, Style
from strongroom.minds.settings import Conversation
from strongroom.players import CERTIFIED, check, player
from strongroom.plugins.extras import extra
from strongroom.plugins.registry import load

with extra("verifiers", "strongroom.doors.verifiers"):
    import openai
    import verifiers.v1 as vf
    from pydantic import Field, ValidationError, model_validator
    from verifiers.v1.dialects.chat import message_to_wire

__all__ = ["ChatHarness", "DuelEnv", "DuelTaskset", "load_environment"]

DUELS: Final = "strongroom_duels"
"""The name by which verifiers finds these games."""
sys.modules.setdefault(DUELS, sys.modules[__name__])  # verifiers only imports top-level modules
CERTIFICATES: Final = ssl.create_default_context()
"""Read once, because that takes longer than a question."""
Config = TypeVar("Config")


# --- what games and puzzles share -----------------------------------------------------------------


class ChatHarness(vf.Harness[vf.HarnessConfig]):
    """Puts each question to the model, in this process: a game in text needs no sandbox."""

    APPENDS_SYSTEM_PROMPT = SUPPORTS_RESUME = True
    EXECUTES_CODE = NEEDS_CONTAINER = False

    async def launch(
        self,
        ctx: vf.ModelContext,
        trace: vf.Trace,
        runtime: vf.Runtime,
        endpoint: str,
        secret: str,
        mcp_urls: dict[str, str],
        data: vf.TaskData,
    ) -> vf.ProgramResult:
        """Ask the model once, with all that was said before."""
        system, prompt = self.resolve_prompt(data)
        said: list[Any] = [{"role": "system", "content": system}] if system else []
        if isinstance(prompt, str):
            said.append({"role": "user", "content": prompt})
        else:
            said += [message_to_wire(message) for message in prompt or ()]
        async with openai.AsyncOpenAI(  # it repeats what fails for a moment
            base_url=endpoint,
            api_key=secret,
            timeout=None,  # a run has its own limits
            http_client=openai.DefaultAsyncHttpxClient(verify=CERTIFICATES),
        ) as client:
            try:
                await client.chat.completions.create(model=ctx.model, messages=said)
            except openai.OpenAIError as error:
                return vf.ProgramResult(1, stdout="", stderr=str(error))
        return vf.ProgramResult(0, stdout="", stderr="")


class StyledConfig(vf.TasksetConfig):
    """How games and puzzles are put to the model."""

    disguise: bool | str = False
    """Whether they are told in other words, or the seed of those, so that a name does not help."""
    legal_moves: bool = False
    """Whether the legal moves are listed."""
    scratch: bool = True
    """Whether the model may think in its answer, before the move."""

    @property
    def style(self) -> Style:
        """The same as a seat in text has it."""
        return Style(self.disguise, self.legal_moves, self.scratch)


class SeatEnvConfig(vf.SingleAgentEnvConfig):
    """The settings of a run: one seat, which needs no sandbox."""

    agent: vf.AgentConfig = vf.AgentConfig(runtime=vf.SubprocessConfig())
    """The model that is asked."""


class SeatEnv(vf.SingleAgentEnv, vf.Env[SeatEnvConfig]):
    """One model that is asked about one position."""


def is_cut_off(trace: vf.Trace) -> bool:
    """Whether the latest answer ends where the model ran out of tokens."""
    answered = [call for call in trace.calls if call.error is None]
    return bool(answered) and answered[-1].finish_reason == "length"


def make_config(kind: type[Config], **settings: Any) -> Config:
    """A configuration with these settings, or a refusal that says in a line what is wrong."""
    try:
        return kind(**settings)
    except ValidationError as error:
        wrong = error.errors()[0]
        refusal = wrong.get("ctx", {}).get("error")
        if isinstance(refusal, Refusal):
            raise refusal from None
        raise Refusal(f"{'.'.join(map(str, wrong['loc']))}: {wrong['msg']}.") from None


def weigh(config: vf.TaskConfig | None, weights: dict[str, float]) -> vf.TaskConfig:
    """The configuration of a task with these weights for its rewards, unless it has its own."""
    config = config or vf.TaskConfig()
    usual = {name: vf.RewardFunctionConfig(weight=weight) for name, weight in weights.items()}
    return config.model_copy(update={"rewards": usual | config.rewards})


# --- games ----------------------------------------------------------------------------------------


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
        check_reward(self.reward, self.opponent)
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
        super().__init__(data, weigh(config, {each: each == data.reward for each in REWARDS}))

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
                while not sitting.is_over:
                    said = await interaction.turn(sitting.question)
                    if said.terminated:
                        sitting.give_up("The player gave no answer.")
                    else:
                        short = is_cut_off(interaction.trace)
                        answering = asyncio.to_thread(sitting.answer, said.last_reply, short)
                        thinking = asyncio.ensure_future(answering)
                        await asyncio.shield(thinking)
                interaction.trace.info["game"] = await asyncio.to_thread(game_data, sitting)
        finally:
            await asyncio.shield(_leave(sitting, thinking))


async def _leave(sitting: TextSitting, thinking: asyncio.Future[None] | None) -> None:
    """Leave a game once its opponent has stopped thinking, which a broken-off turn does not do."""
    if thinking is not None:
        await asyncio.wait([thinking])
    await asyncio.to_thread(sitting.leave)


def game_data(sitting: TextSitting) -> Json:
    """The figures of a finished game, move by move, and its record."""
    return {
        "result": sitting.result,
        "costs": sitting.costs if sitting.certified else None,
        "illegal": sitting.illegal,
        "conversation": Conversation.KEPT.value,
        "record": sitting.record.dumps(),
    }


def load_environment(game: str = "quantum-duel", **settings: Any) -> DuelEnv:
    """The environment in which a model plays a game.

    Settings are the fields of `DuelsConfig`; any other keyword is an option of the game. Unknown
    names are refused, and so is the reward `cost` against another opponent than master.
    """
    known = {name: settings.pop(name) for name in DuelsConfig.model_fields if name in settings}
    config = make_config(DuelsConfig, **{"id": DUELS, "game": game, "options": settings} | known)
    return DuelEnv(SeatEnvConfig(taskset=config))
