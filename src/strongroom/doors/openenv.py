"""The games as an environment of OpenEnv: the server, its client, and what they exchange.

A session is one seat against one of our bots. It needs the extra `openenv`; `uvicorn --factory
strongroom.doors.openenv:app` serves it.
"""

from __future__ import annotations

from typing import Any, Final
from uuid import uuid4

from strongroom.contract import NotLegal, Refusal, Seat
from strongroom.doors.sitting import REWARDS, TextSitting, check_reward
from strongroom.minds.dialogue import Style
from strongroom.players import CERTIFIED
from strongroom.plugins.extras import extra
from strongroom.plugins.registry import load, names
from strongroom.version import __version__

with extra("openenv", "strongroom.doors.openenv"):
    from fastapi import FastAPI, Request, WebSocket, WebSocketDisconnect
    from fastapi.responses import JSONResponse
    from fastapi.websockets import WebSocketState
    from openenv.core.client_types import StepResult
    from openenv.core.env_client import EnvClient
    from openenv.core.env_server.http_server import create_app
    from openenv.core.env_server.interfaces import Environment
    from openenv.core.env_server.types import Action, EnvironmentMetadata, Observation, State
    from pydantic import Field, StrictInt, StrictStr

SESSIONS: Final = 64
"""How many sessions a server has at once."""
LONGEST_ID: Final = 255
"""The most characters in the name of an episode."""


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


class StrongroomEnvironment(Environment[StrongroomAction, StrongroomObservation, StrongroomState]):
    """One session: a seat at one game after the other."""

    SUPPORTS_CONCURRENT_SESSIONS = True

    def __init__(self) -> None:
        super().__init__()
        self._sitting: TextSitting | None = None
        self._state = StrongroomState()

    def reset(
        self,
        seed: int | None = None,
        episode_id: str | None = None,
        game: str = "safe-cracker",
        opponent: str = CERTIFIED,
        seat: int = 1,
        reward: str = REWARDS[0],
        style: str = "",
        **options: Any,
    ) -> StrongroomObservation:
        """Begin a game; a refusal leaves the session as it was."""
        _check("seed", "a whole number", type(seed) is int or seed is None)
        _check("episode_id", "a short, printable text", episode_id is None or _is_name(episode_id))
        _check("seat", "1 or 2", type(seat) is int and seat in (1, 2))
        _check("reward", " or ".join(REWARDS), reward in REWARDS)
        _check("style", "a text", isinstance(style, str))
        bots = names("player")  # no schemes: a client shall run no program here
        _check("opponent", f"one of {', '.join(bots)}", opponent in bots)
        rules = load(game, **options)
        sitting = TextSitting(rules, opponent, Seat(seat), seed, Style.read(style))
        check_reward(reward, opponent)
        self._leave_game()
        self._sitting = sitting
        self._state = StrongroomState(
            episode_id=episode_id or str(uuid4()),
            game=rules.name,
            options=rules.options.to_json(),
            opponent=opponent,
            seat=seat,
            reward=reward,
        )
        return self._observation(sitting, None, sitting.opening)

    def step(
        self, action: StrongroomAction, timeout_s: float | None = None, **kwargs: Any
    ) -> StrongroomObservation:
        """Make a move; an answer in text that is no legal move can be repeated a few times."""
        sitting = self._sitting
        if sitting is None or sitting.is_over:
            told = "The game is over." if sitting else "No game has begun in this session."
            raise Refusal(told, "Call reset first.")
        decided = len(sitting.decided)
        if isinstance(action.answer, str):
            sitting.answer(action.answer)
        else:
            if not any(first <= action.answer < end for first, end in _legal(sitting)):
                raise NotLegal("This number is no legal move here.", "Choose one in `legal`.")
            sitting.play(sitting.game.actions[action.answer])
        self._state.step_count += 1
        self._state.illegal = sitting.illegal
        self._state.result = sitting.result if sitting.is_over else None
        if self._state.reward == "result":
            return self._observation(sitting, sitting.result)
        cost = sitting.cost() if len(sitting.decided) > decided else 0.0
        return self._observation(sitting, 0.0 - cost)

    def close(self) -> None:
        """Leave the game of this session, if it is not over."""
        self._leave_game()

    def _leave_game(self) -> None:
        if self._sitting is not None:
            self._sitting.leave()

    @property
    def state(self) -> StrongroomState:
        """Where the session stands."""
        return self._state

    def get_metadata(self) -> EnvironmentMetadata:
        """What OpenEnv's pages say about the environment."""
        told = "Two-player duels of codes and nerve, with exact costs for every move."
        return EnvironmentMetadata(name="strongroom", description=told, version=__version__)

    def _observation(
        self, sitting: TextSitting, reward: float | None, opening: str = ""
    ) -> StrongroomObservation:
        return StrongroomObservation(
            opening=opening,
            question=sitting.question,
            legal=_legal(sitting),
            reward=reward,
            done=sitting.is_over,
        )


def app(sessions: int = SESSIONS) -> FastAPI:
    """The server, in which at most so many sessions run at once."""
    served: FastAPI = create_app(
        StrongroomEnvironment,
        StrongroomAction,
        StrongroomObservation,
        env_name="strongroom",
        max_concurrent_envs=sessions,
    )
    served.add_exception_handler(Refusal, _refusal_response)
    for error in (WebSocketDisconnect, RuntimeError):
        served.add_exception_handler(error, _ignore_leaving)
    return served


async def _refusal_response(request: Request, refusal: Exception) -> JSONResponse:
    return JSONResponse({"detail": str(refusal)}, status_code=422)


async def _ignore_leaving(client: Request | WebSocket, error: Exception) -> None:
    """Log nothing if the client has left: OpenEnv answers and closes every socket all the same."""
    states = {getattr(client, name, None) for name in ("client_state", "application_state")}
    if WebSocketState.DISCONNECTED not in states:
        raise error


def _check(name: str, wanted: str, fits: bool) -> None:
    if not fits:
        raise Refusal(f"The {name} must be {wanted}.")


def _is_name(text: object) -> bool:
    return isinstance(text, str) and len(text) <= LONGEST_ID and text.isprintable()


def _legal(sitting: TextSitting) -> list[tuple[int, int]]:
    return [] if sitting.is_over else sitting.game.actions.ranges(sitting.view.moves)
