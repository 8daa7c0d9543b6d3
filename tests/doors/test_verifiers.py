"""Models in verifiers: what they are told, what their answers lead to, and what that is worth."""

from __future__ import annotations

import asyncio
import json
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any
from unittest.mock import MagicMock

import pytest
import verifiers.v1 as vf
from starting import PATIENCE

from strongroom import load
from strongroom.contract import Game, Json, Refusal, Seat
from strongroom.doors.sitting import TextSitting
from strongroom.doors.verifiers import load_environment
from strongroom.doors.verifiers_puzzles import load_puzzles
from strongroom.measuring.on_puzzles import measure_on_puzzles
from strongroom.minds.dialogue import LONGEST_ANSWER, Dialogue, Reply, Style, TextPlayer
from strongroom.minds.settings import Settings
from strongroom.plugins import registry
from strongroom.puzzles.sets import exercises
from strongroom.referee.bout import UNDECIDED
from strongroom.referee.record import Record
from tests.docs.pages import page, run_example
from tests.doors.test_conformance import seat_meets
from tests.minds.api_server import MODEL, ApiServer, Deed, Fails, Says
from tests.minds.hears import seat_hears

EXAMPLES = Path(__file__).parents[2] / "examples" / "verifiers"
PAGE = page("doors.md#verifiers")


def asked(body: Json) -> str:
    return str(body["messages"][-1]["content"])


def answered(question: str) -> str:
    first = re.search(r"Legal moves: ([^,.]+)", question)
    return f"This one. <move>{first[1] if first else 'none'}</move>"


def first_listed(body: Json) -> Deed:
    return Says(answered(asked(body)), streams=bool(body.get("stream")))


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[ApiServer]:
    """An endpoint whose model takes the first legal move."""
    with ApiServer(first_listed, in_json=False) as running:
        for name, value in running.environment.items():
            monkeypatch.setenv(name, value)
        yield running


def played(environment: vf.Env, server: ApiServer, at_once: int = 99) -> list[vf.Trace]:
    """The traces of all tasks, so many of which are played at the same time."""
    client = vf.EvalClientConfig(base_url=server.address, api_key_var="OPENAI_API_KEY")
    model, turns = vf.ModelContext(model=MODEL, client=client), asyncio.Semaphore(at_once)

    async def run_one(task: Any) -> list[vf.Trace]:
        async with turns:
            return [*(await environment.run_episode(task, model)).traces]

    async def run() -> list[vf.Trace]:
        async with environment.serving():
            each = await asyncio.gather(*map(run_one, environment.taskset))
        return [trace for traces in each for trace in traces]

    return asyncio.run(run())


def scores(trace: vf.Trace, what: str = "score") -> dict[str, float]:
    return {name: getattr(reward, what) for name, reward in trace.rewards.items()}


def rows(environment: vf.Env) -> list[Json]:
    return [task.data.model_dump() for task in environment.taskset]


@pytest.mark.parametrize("game", registry.GAMES)
def test_a_game_is_the_one_that_a_seat_in_text_plays(game: str, server: ApiServer) -> None:
    environment = load_environment(game, legal_moves=True, games=2, seed=7)
    environment.config.agent.max_turns = 4
    for trace in played(environment, server):
        row = trace.task.data
        style = Style(legal_moves=True)
        sitting = TextSitting(load(game), "master", Seat(row.seat), row.seed, style)
        said = [(each.role, each.content) for each in trace.messages]
        expected = [("system", sitting.opening)]
        for _ in range(4):
            if not sitting.is_over:
                answer = answered(sitting.question)
                expected += [("user", sitting.question), ("assistant", answer)]
                sitting.answer(answer)
        sitting.give_up("The player gave no answer.")
        assert said == expected
        assert trace.info["game"]["costs"] == sitting.costs
        assert scores(trace) == {
            "result": sitting.result,
            "cost": -sum(sitting.costs),
            "illegal": -sitting.illegal,
        }
        assert Record.loads(trace.info["game"]["record"]).outcome == sitting.outcome


def test_games_at_the_same_time_are_those_played_one_by_one_and_no_other_waits(
    server: ApiServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    environment = load_environment("safe-cracker", games=2, legal_moves=True)
    together, in_order = (played(environment, server, at_once) for at_once in (2, 1))
    assert [(each.info, each.messages) for each in together] == [
        (each.info, each.messages) for each in in_order
    ]
    seat_meets(monkeypatch)  # an opponent who takes long
    environment = load_environment("safe-cracker", opponent="meets", games=2, legal_moves=True)
    environment.config.agent.max_turns = 2
    assert all(trace.ok for trace in played(environment, server))


def test_the_same_settings_give_the_same_games_by_turns_in_either_seat() -> None:
    games = rows(load_environment(games=4, seed=3))
    assert games == rows(load_environment(games=4, seed=3))
    assert [each["seat"] for each in games] == [1, 2, 1, 2]
    other = {each["seed"] for each in rows(load_environment(games=4, seed=4))}
    assert len(other | {each["seed"] for each in games}) == 8
    assert {each["seat"] for each in rows(load_environment(games=2, seat=2))} == {2}


def test_the_reward_that_is_chosen_counts_unless_weights_are_given(server: ApiServer) -> None:
    settings: dict[str, Any] = {"game": "safe-cracker", "games": 1, "legal_moves": True}
    (by_result,) = played(load_environment(**settings), server)
    assert scores(by_result, "weight") == {"result": 1, "cost": 0, "illegal": 0}
    assert by_result.reward == by_result.info["game"]["result"]
    environment = load_environment(**settings, reward="cost")
    (task,), (by_cost,) = environment.taskset, played(environment, server)
    assert scores(by_cost, "weight") == {"result": 0, "cost": 1, "illegal": 0}
    assert by_cost.reward == -sum(by_cost.info["game"]["costs"]) < 0
    by_cost.rewards.clear()
    asyncio.run(type(task)(task.data).score(by_cost))  # as vf-replay does it
    assert by_cost.reward == -sum(by_cost.info["game"]["costs"])
    own = {"rewards": {"illegal": {"weight": 0.1}}}
    (penalised,) = played(load_environment(**settings, task=own), server)
    assert scores(penalised, "weight") == {"result": 1, "cost": 0, "illegal": 0.1}


def test_an_answer_of_any_length_or_cut_off_is_only_refused_and_the_third_loses(
    server: ApiServer,
) -> None:
    said = iter(["<move>" * LONGEST_ANSWER, "\x1b[2J\x00", "<move>4</move>"])
    server.behaviour = lambda body: Says(next(said, "I would rather not."), streams=False)
    (trace,) = played(load_environment(games=1, seat=1, opponent="casual"), server)
    assert scores(trace) == {"result": -1, "illegal": -2 - 3}
    assert '"move":"4"' in trace.info["game"]["record"]
    server.behaviour = lambda _: Says("Hm.", streams=False)  # which a puzzle hears once
    (trace,) = played(load_puzzles(count=1), server)
    worst = max(trace.task.data.puzzle["moves"].values())
    assert scores(trace) == {"solved": 0, "cost": -worst, "illegal": -1}
    assert trace.reward == 0
    ends = iter(["length"])

    def says(body: Json) -> Deed:
        return Says(answered(asked(body)), finish=next(ends, "stop"), streams=False)

    server.behaviour = says
    (trace,) = played(load_environment(games=1, opponent="random", legal_moves=True), server)
    assert "Your answer was cut off." in trace.messages[3].content
    assert trace.info["game"]["illegal"] >= 1
    ends = iter(["length"])
    (trace,) = played(load_puzzles(count=1, legal_moves=True), server)
    assert scores(trace)["illegal"] == -1


def test_a_model_that_runs_into_a_limit_loses_its_disguised_game(server: ApiServer) -> None:
    environment = load_environment("safe-cracker", disguise=True, games=1, legal_moves=True)
    environment.config.agent.max_turns = 2
    (trace,) = played(environment, server)
    assert trace.stop_condition == "max_turns"
    assert (scores(trace)["result"], trace.info["game"]["illegal"]) == (-1, 0)
    assert len(trace.info["game"]["costs"]) == 3
    assert "crack" not in trace.transcript.lower()


def test_a_question_is_repeated_once_and_then_its_game_is_an_error(server: ApiServer) -> None:
    deeds = iter([Fails(503)])
    server.behaviour = lambda body: next(deeds, first_listed(body))
    (trace,) = played(load_environment("safe-cracker", games=1, legal_moves=True), server)
    assert trace.ok
    assert trace.info["game"]["illegal"] == 0
    server.behaviour = lambda _: Fails(400)
    (trace,) = played(load_environment(games=1), server)
    assert not trace.ok
    assert trace.rewards == {}
    assert trace.errors[-1].type == "ProviderError"


def test_the_opponent_is_told_that_a_game_broke_off(monkeypatch: pytest.MonkeyPatch) -> None:
    ends = seat_hears(monkeypatch)
    environment: Any = load_environment(opponent="hears", games=1)
    (task,) = environment.taskset.load()
    model = MagicMock()  # whose conversation breaks off at the first question
    model.interaction().__aenter__.return_value.turn.side_effect = asyncio.CancelledError
    model.interaction().__aexit__.return_value = False
    with pytest.raises(asyncio.CancelledError):
        asyncio.run(environment.run(task, SimpleNamespace(agent=model)))
    assert [end.outcome for end in ends] == [UNDECIDED]


@pytest.mark.parametrize("disguise", [False, True])
def test_puzzles_are_put_and_scored_as_they_are_measured(disguise: bool, server: ApiServer) -> None:
    settings: dict[str, Any] = {"count": 6, "seed": 5, "disguise": disguise}
    traces = played(load_puzzles(**settings, legal_moves=True, reward="cost"), server)
    told: list[tuple[str, str]] = []

    def speak(_: Dialogue, opening: str, talk: Any) -> Reply:
        told.append((opening, talk[-1].text))
        return Reply(answered(talk[-1].text))

    def seated(game: Game, _: Random) -> TextPlayer:
        once = Settings(tries=1)  # as the environment asks
        return TextPlayer(game, speak, Style(disguise, legal_moves=True), settings=once)

    measured = measure_on_puzzles(seated, [*exercises(5, 6, disguised=disguise)]).values()
    assert sorted((each.messages[0].content, each.messages[1].content) for each in traces) == (
        sorted(told)
    )
    cost = sum(each.cost * each.puzzles for each in measured)
    solved = sum(each.solved * each.puzzles for each in measured)
    assert sum(each.reward for each in traces) == pytest.approx(-cost)
    assert sum(scores(each)["solved"] for each in traces) == pytest.approx(solved)
    assert {each.num_turns for each in traces} == {1}


def test_a_set_of_puzzles_is_read_from_a_file(tmp_path: Path) -> None:
    file = tmp_path / "set.jsonl"
    puzzles = [each.to_json() for each in exercises(2, 4)]
    file.write_text("".join(f"{json.dumps(each)}\n" for each in puzzles), encoding="utf-8")
    assert [each["puzzle"] for each in rows(load_puzzles(file=str(file)))] == puzzles
    game = puzzles[1]["game"]
    (only,) = rows(load_puzzles(file=str(file), games=[game], count=1))
    assert only["puzzle"] == puzzles[1]


def test_settings_that_cannot_be_are_refused_in_a_line() -> None:
    wrong: list[tuple[Callable[..., vf.Env], Json, str]] = [
        (load_environment, {"reward": "fame"}, "reward: Input should be 'result' or 'cost'."),
        (load_environment, {"reward": "cost", "opponent": "random"}, "Only against master"),
        (load_environment, {"games": 0}, "games: Input should be greater than or equal to 1."),
        (load_environment, {"colour": "red"}, "There is no option 'colour'."),
        (load_puzzles, {"games": ["chess"]}, "There is no game 'chess'."),
        (load_puzzles, {"lamps": [6]}, "lamps.0: Input should be less than or equal to 5."),
        (load_puzzles, {"colour": "red"}, "colour: Extra inputs are not permitted."),
    ]
    for make, settings, told in wrong:
        with pytest.raises(Refusal) as refused:
            make(**settings)
        assert told in str(refused.value)
        assert "\n" not in str(refused.value)


def test_the_command_and_the_example_of_the_page_run(server: ApiServer, tmp_path: Path) -> None:
    server.model = "gpt-4o-mini"
    printed, _ = run_example(PAGE)
    assert [line.partition(" -0.")[0] for line in printed.splitlines()] == [
        f"safe-cracker, game {number}" for number in range(1, 5)
    ]
    (line,) = re.findall(r"^vf-eval .*", PAGE, re.MULTILINE)
    program, *arguments = shlex.split(os.path.expandvars(line))
    command = [str(Path(sys.executable).with_name(program)), *arguments, "-o", str(tmp_path)]
    known = os.pathsep.join([str(EXAMPLES / "strongroom_duels"), *sys.path])
    env = os.environ | {"PYTHONPATH": known}
    ran = subprocess.run(
        command, env=env, cwd=tmp_path, capture_output=True, text=True, timeout=PATIENCE
    )
    assert ran.returncode == 0, ran.stderr
    (file,) = tmp_path.glob("*/traces.jsonl")
    for episode in map(json.loads, file.read_text(encoding="utf-8").splitlines()):
        (trace,) = episode["traces"]
        assert trace["ok"]
        costs = trace["info"]["game"]["costs"]
        assert trace["rewards"]["cost"] == {"score": -sum(costs), "weight": 1}


@pytest.mark.parametrize("name", ["strongroom_duels", "strongroom_puzzles"])
def test_the_package_has_what_verifiers_finds_under_its_name(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    ours = vf.import_taskset(name)
    monkeypatch.delitem(sys.modules, name)
    monkeypatch.syspath_prepend(EXAMPLES / name)
    package = vf.import_taskset(name.replace("_", "-"))
    assert package.__file__ == str(EXAMPLES / name / name / "__init__.py")
    assert package.__all__ == ours.__all__
    assert all(getattr(package, each) is getattr(ours, each) for each in ours.__all__)
    for base in (vf.Taskset, vf.Env, vf.Harness):
        members = (getattr(package, each) for each in package.__all__)
        assert sum(isinstance(each, type) and issubclass(each, base) for each in members) == 1
