"""What environments of verifiers share: a model that is asked in text, and how it is scored."""

from __future__ import annotations

import ssl
from typing import Any, Final, TypeVar

from strongroom.agents.dialogue import Style
from strongroom.contract import Refusal
from strongroom.plugins.extras import extra

with extra("verifiers", "strongroom.agents.verifiers"):
    import openai
    import verifiers.v1 as vf
    from pydantic import ValidationError
    from verifiers.v1.dialects.chat import message_to_wire

Config = TypeVar("Config")
CERTIFICATES: Final = ssl.create_default_context()
"""Read once, because that takes longer than a question."""


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

    disguise: bool = False
    """Whether they are told in other words, so that knowing a game's name does not help."""
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


def cut_off(trace: vf.Trace) -> bool:
    """Whether the latest answer ends where the model ran out of tokens."""
    answered = [call for call in trace.calls if call.error is None]
    return bool(answered) and answered[-1].finish_reason == "length"


def settled(kind: type[Config], **settings: Any) -> Config:
    """The configuration with these settings; or a refusal that says in a line what is wrong."""
    try:
        return kind(**settings)
    except ValidationError as error:
        wrong = error.errors()[0]
        refusal = wrong.get("ctx", {}).get("error")
        if isinstance(refusal, Refusal):
            raise refusal from None
        raise Refusal(f"{'.'.join(map(str, wrong['loc']))}: {wrong['msg']}.") from None


def weighted(config: vf.TaskConfig | None, weights: dict[str, float]) -> vf.TaskConfig:
    """How a task is scored: with these weights, unless the configuration has its own."""
    config = config or vf.TaskConfig()
    usual = {name: vf.RewardFunctionConfig(weight=weight) for name, weight in weights.items()}
    return config.model_copy(update={"rewards": usual | config.rewards})
