"""The door to OpenEnv: its server in a process of its own, and its client over a real socket."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from socket import SHUT_RDWR
from typing import Any

import httpx
import pytest
from fastapi import FastAPI
from openenv.cli._cli_utils import validate_env_structure
from openenv.cli._validation import validate_multi_mode_deployment, validate_running_environment
from starting import PATIENCE
from uvicorn.importer import import_from_string
from websockets.sync.client import ClientConnection, connect

from strongroom.contract import Refusal
from strongroom.doors import openenv
from strongroom.doors.openenv import StrongroomAction, StrongroomEnv, StrongroomEnvironment
from strongroom.doors.sitting import Sitting
from strongroom.minds.dialogue import LONGEST_ANSWER, TRIES, move_answer
from strongroom.plugins.registry import load
from strongroom.referee.bout import UNDECIDED
from tests.docs.pages import page, run_example
from tests.minds.hears import seat_hears

EXAMPLE = Path(__file__).parents[2] / "examples" / "openenv"


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A real server, as the example's folder starts it."""
    log = tmp_path_factory.mktemp("server") / "log"
    command = [sys.executable, "-m", "server.app", "--host", "127.0.0.1", "--port", "0"]
    with log.open("wb") as out, subprocess.Popen(command, cwd=EXAMPLE, stderr=out) as server:
        try:
            until = time.monotonic() + PATIENCE
            while not (running := re.search(r"running on (http://[\d.:]+)", log.read_text())):
                assert server.poll() is None, log.read_text()
                assert time.monotonic() < until, log.read_text()
                time.sleep(0.1)
            yield running[1]
        finally:
            server.terminate()
    assert "Traceback" not in log.read_text()


@pytest.fixture
def env(address: str) -> Iterator[Any]:
    with StrongroomEnv(base_url=address).sync() as client:
        yield client


def connected(address: str) -> ClientConnection:
    """The socket itself, for what no client would send."""
    return connect(address.replace("http", "ws") + "/ws", open_timeout=PATIENCE)


@pytest.fixture
def wire(address: str) -> Iterator[ClientConnection]:
    with connected(address) as socket:
        yield socket


def sent(wire: ClientConnection, kind: str, **data: Any) -> Any:
    message = {"type": kind} | ({"data": data} if kind != "state" else {})
    wire.send(json.dumps(message))
    return json.loads(wire.recv(timeout=PATIENCE))


def test_rules_are_told_at_reset_and_a_question_at_every_step(address: str, env: Any) -> None:
    with pytest.raises(RuntimeError, match=r"No game has begun in this session\. Call reset"):
        env.step(StrongroomAction(answer=0))
    assert env.state().episode_id is None
    result = env.reset(game="quantum-duel", opponent="random", seed=1, style="legal-moves")
    assert isinstance(result.observation, openenv.StrongroomObservation)
    assert "<move>" in result.observation.opening
    with StrongroomEnv(base_url=address).sync() as other:
        other.reset(game="safe-cracker", opponent="casual", seed=2)
        other.step(StrongroomAction(answer=move_answer("3-1-2")))
    assert (env.state().game, env.state().step_count) == ("quantum-duel", 0)
    result = env.step(StrongroomAction(answer="The middle. <move>4</move>"))
    assert result.observation.opening == ""
    assert "You: 4" in result.observation.question
    assert "Legal moves:" in result.observation.question


def test_against_master_the_reward_can_be_minus_the_cost_of_each_move(env: Any) -> None:
    sitting = Sitting(load("quantum-duel"), "master", seed=2)
    result = env.reset(game="quantum-duel", reward="cost", seed=2)
    rewards = []
    while not result.done:
        last = result.observation.legal[-1][1] - 1
        sitting.play(sitting.game.actions[last])
        assert env.step(StrongroomAction(answer="?")).reward == 0.0
        result = env.step(StrongroomAction(answer=last))
        rewards.append(result.reward)
    assert rewards == [pytest.approx(-cost) for cost in sitting.costs]
    assert min(rewards) < 0
    assert result.observation.legal == []
    env.reset(game="quantum-duel", reward="cost", seed=2)
    rewards = [env.step(StrongroomAction(answer="?")).reward for _ in range(TRIES)]
    assert rewards[:-1] == [0.0] * (TRIES - 1)
    assert rewards[-1] < -0.4  # all that was left
    assert (env.state().illegal, env.state().result) == (TRIES, -1.0)
    with pytest.raises(Refusal, match="Only against master"):
        StrongroomEnvironment().reset(reward="cost", opponent="expert")


def test_an_answer_that_is_refused_can_be_repeated_until_the_third_loses(env: Any) -> None:
    fresh = env.reset(game="quantum-duel", opponent="random", seed=1)
    assert fresh.reward is None
    result = env.step(StrongroomAction(answer=move_answer("9")))
    assert result.observation.question.startswith("Cells run from 1 to 7; you typed 9.")
    result = env.step(StrongroomAction(answer=3))
    assert (result.done, result.reward) == (False, 0.0)
    for _ in range(TRIES):
        assert not result.done
        result = env.step(StrongroomAction(answer="x" * (LONGEST_ANSWER + 1)))
    assert (result.done, result.reward) == (True, -1.0)
    assert result.observation.question == "You lost. None of 3 answers was a legal move."
    for answer in (0, move_answer("4")):
        with pytest.raises(RuntimeError, match=r"The game is over\. Call reset first\."):
            env.step(StrongroomAction(answer=answer))
    assert env.state().step_count == 2 + TRIES
    # A new game begins with nothing of the last.
    assert env.reset(game="quantum-duel", opponent="random", seed=1) == fresh
    assert (env.state().step_count, env.state().illegal) == (0, 0)


def test_the_state_tells_how_the_session_stands_and_nothing_hidden(env: Any) -> None:
    env.reset(game="safe-cracker", opponent="random", seat=2, seed=1, episode_id="first", digits=4)
    env.step(StrongroomAction(answer=move_answer("1-2-3")))
    state = env.state()
    assert isinstance(state, openenv.StrongroomState)
    assert state.model_dump() == {
        "episode_id": "first",
        "step_count": 1,
        "opponent": "random",
        "seat": 2,
        "game": "safe-cracker",
        "options": {"digits": 4, "length": 3, "attempts": None},
        "reward": "result",
        "illegal": 0,
        "result": None,
    }


def test_the_opponent_is_told_that_its_game_was_left(monkeypatch: pytest.MonkeyPatch) -> None:
    ends, session = seat_hears(monkeypatch), StrongroomEnvironment()
    for seed in (1, 2):
        session.reset(seed, opponent="hears")
    session.close()
    assert [end.outcome for end in ends] == [UNDECIDED] * 2


def test_a_bad_parameter_is_named_and_neither_it_nor_a_bad_action_changes_a_thing(
    wire: ClientConnection, subtests: pytest.Subtests
) -> None:
    assert sent(wire, "reset", opponent="random", episode_id="kept")["type"] == "observation"
    bad: dict[str, list[Any]] = {
        "opponent": ["engine:touch owned", "model:gpt", ["master"], None],
        "seat": [0, 3, True, "1", 1.0, None],
        "seed": ["one", 1.5, True],
        "reward": ["win", 1, None],
        "episode_id": ["x" * 256, 7, "\x1b[31m"],
        "game": ["poker", ["quantum-duel"], None],
        "style": ["rhyme", 7],
        "colours": [4],
        "digits": ["four", 10**6, [3]],
    }
    for name, value in ((name, value) for name, values in bad.items() for value in values):
        with subtests.test(name, value=value):
            answer = sent(wire, "reset", **{name: value})
            assert (answer["type"], answer["data"]["code"]) == ("error", "EXECUTION_ERROR")
            assert name in answer["data"]["message"] or name in ("colours", "style")
            assert "\n" not in answer["data"]["message"]
            assert sent(wire, "state")["data"]["episode_id"] == "kept"
    assert not (EXAMPLE / "owned").exists()  # no program is run for a client
    sent(wire, "reset", game="quantum-duel", opponent="random")
    answers: list[Any] = [None, True, 4.0, ["4"]]
    for junk in (*({"answer": each} for each in answers), {}, {"answer": "4", "more": 1}):
        answer = sent(wire, "step", **junk)
        assert (answer["type"], answer["data"]["code"]) == ("error", "VALIDATION_ERROR"), junk
    for number in (-1, 7, 10**6, -(10**30)):
        answer = sent(wire, "step", answer=number)
        assert answer["data"]["message"].startswith("This number is no legal move here."), number
    state = sent(wire, "state")["data"]
    assert (state["step_count"], state["illegal"]) == (0, 0)
    assert sent(wire, "step", answer=3)["type"] == "observation"


def test_an_odd_message_is_an_error_and_a_client_that_left_leaves_no_trace(address: str) -> None:
    for text in ("{", "[]", '{"type": "steal"}', ""):
        with connected(address) as wire:
            wire.send(text)
            assert json.loads(wire.recv(timeout=PATIENCE))["type"] == "error", text
    for _ in range(3):
        with connected(address) as wire:
            wire.send(json.dumps({"type": "reset", "data": {"game": "digit-deductions"}}))
            wire.socket.shutdown(SHUT_RDWR)  # the fixture reads the log


def test_plain_http_has_no_session_and_says_so(address: str) -> None:
    def post(path: str, **data: Any) -> httpx.Response:
        return httpx.post(f"{address}/{path}", json=data, timeout=PATIENCE)

    assert post("reset", game="quantum-duel", seed=1).json()["observation"]["legal"] == [[0, 7]]
    stepped = post("step", action={"answer": 3})
    assert stepped.status_code == 422
    assert stepped.json() == {"detail": "No game has begun in this session. Call reset first."}
    assert post("step", action={}).status_code == 422
    assert post("reset", game="poker").json()["detail"].startswith("There is no game 'poker'.")


def test_the_server_and_its_files_pass_openenvs_own_validation(address: str) -> None:
    report = validate_running_environment(address, timeout_s=PATIENCE)
    assert report["passed"], report["criteria"]
    assert validate_env_structure(EXAMPLE) == ["Recommended directory missing: outputs/"]
    _, issues = validate_multi_mode_deployment(EXAMPLE)
    assert [issue for issue in issues if "uv.lock" not in issue] == []


def test_the_command_and_the_examples_of_the_page_and_of_the_folder_run(address: str) -> None:
    (target,) = re.findall(r"uvicorn --factory (\S+)", page("doors.md#OpenEnv"))
    assert isinstance(import_from_string(target)(), FastAPI)
    here = {"http://localhost:8000": address}
    printed, told = run_example(page("doors.md#OpenEnv"), here)
    assert printed == told
    here["openenv_strongroom"] = "examples.openenv"
    printed, _ = run_example((EXAMPLE / "README.md").read_text(encoding="utf-8"), here)
    assert "1. You: 4" in printed
