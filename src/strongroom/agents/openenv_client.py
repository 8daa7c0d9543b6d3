"""What an agent and the OpenEnv server say to each other, and the client that says it.

It needs the extra `openenv`.
"""

from __future__ import annotations

from typing import Any

from strongroom.agents.sitting import REWARDS
from strongroom.plugins.extras import extra

with extra("openenv", "strongroom.agents.openenv_client"):
    from openenv.core.client_types import StepResult
    from openenv.core.env_client import EnvClient
    from openenv.core.env_server.types import Action, Observation, State
    from pydantic import Field, StrictInt, StrictStr


class StrongroomAction(Action):
    """What the agent does: an answer in text, or the number of a move."""

    answer: StrictStr | StrictInt = Field(
        description="A text with a move between <move> and </move>, or a move's number"
    )


class StrongroomObservation(Observation):
    """What the agent is told, which is all that its seat knows."""

    opening: str = Field(default="", description="The rules and how to answer; only after reset")
    question: str = Field(description="What the seat knows and is asked; at the end, how it ended")
    legal: list[tuple[int, int]] = Field(
        description="The numbers of the legal moves, as ranges: the first, and one past the last"
    )


class StrongroomState(State):
    """Where a session stands, without what only the opponent knows."""

    game: str = ""
    options: dict[str, Any] = Field(default_factory=dict)
    opponent: str = ""
    seat: int = 1
    reward: str = REWARDS[0]
    illegal: int = Field(default=0, description="How many answers were no legal moves")
    result: float | None = Field(default=None, description="1 won, -1 lost, 0 nobody; at the end")


class StrongroomEnv(EnvClient[StrongroomAction, StrongroomObservation, StrongroomState]):
    """The client of one session; see OpenEnv for how it connects."""

    def _step_payload(self, action: StrongroomAction) -> dict[str, Any]:
        payload: dict[str, Any] = action.model_dump()
        return payload

    def _parse_result(self, payload: dict[str, Any]) -> StepResult[StrongroomObservation]:
        reward, done = payload["reward"], payload["done"]
        told = StrongroomObservation(**payload["observation"], reward=reward, done=done)
        return StepResult(told, reward, done)

    def _parse_state(self, payload: dict[str, Any]) -> StrongroomState:
        return StrongroomState(**payload)
