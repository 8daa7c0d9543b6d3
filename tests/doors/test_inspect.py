"""The games and puzzles in Inspect: its mock model and a local endpoint play, its logs are read."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from inspect_ai import Task, eval, score
from inspect_ai._util.error import PrerequisiteError
from inspect_ai.log import EvalLog, EvalSample, read_eval_log
from inspect_ai.model import ChatMessage, ModelOutput, ModelUsage, get_model

from strongroom.contract import Json, Move, Seat, View
from strongroom.doors.inspect import game_scorer, puzzle_scorer, strongroom_play, strongroom_puzzles
from strongroom.doors.sitting import TextSitting
from strongroom.measuring.on_puzzles import measure_on_puzzles
from strongroom.measuring.protocol import Protocol, Trial
from strongroom.measuring.result import judge
from strongroom.minds.dialogue import TRIES, Style, move_answer
from strongroom.plugins.registry import GAMES, load
from strongroom.puzzles.finding import SOURCES
from strongroom.puzzles.sets import read
from strongroom.referee.record import Record
from strongroom.terminal.main import main
from tests.docs.pages import page, run_example
from tests.doors import test_conformance

Answers = Callable[[Sequence[ChatMessage]], str]

pytestmark = test_conformance.pytestmark


def run(task: Task | str, answers: Answers, stop: str = "stop", **settings: Any) -> EvalLog:
    """The log of a task with Inspect's mock model giving these answers, read from its file."""

    def output(messages: list[ChatMessage], *_: object) -> ModelOutput:
        made = ModelOutput.from_content("mockllm/model", answers(messages), stop)
        made.usage = ModelUsage()  # told usage, it does not count tokens online
        return made

    model = get_model("mockllm/model", custom_outputs=output, memoize=False)
    (log,) = eval(task, model=model, display="none", **settings)
    assert log.status == "success", log.error
    return read_eval_log(log.location)


def samples(log: EvalLog) -> list[EvalSample]:
    return [*(log.samples or ())]


def found(sample: EvalSample) -> Json:
    assert sample.scores
    (one,) = sample.scores.values()
    return {"value": one.value, "told": one.explanation, **(one.metadata or {})}


def figures(log: EvalLog) -> dict[str, dict[str, float]]:
    assert log.results
    return {
        each.name: {name: metric.value for name, metric in each.metrics.items()}
        for each in log.results.scores
    }


def as_played(trials: Sequence[Trial]) -> Answers:
    """Answers with the moves of games already played, by seat."""
    moves = {
        trial.fixture.seat: [
            step.move for step in trial.record.steps if step.actor is trial.fixture.seat
        ]
        for trial in trials
    }

    def answer(messages: Sequence[ChatMessage]) -> str:
        said = [each.role for each in messages].count("assistant")
        seat = Seat.ONE if "You are Player 1" in messages[1].text else Seat.TWO
        return f"As before. {move_answer(str(moves[seat][said]))}"

    return answer


@pytest.mark.parametrize("name", GAMES)
def test_the_games_and_costs_are_those_of_a_measurement(name: str) -> None:
    protocol = Protocol("casual", (load(name),), rounds=1)
    trials = [each.play("casual", "master") for each in protocol.fixtures]
    log = run(strongroom_play(name, games=2), as_played(trials))
    for sample, trial in zip(samples(log), trials, strict=True):
        record = Record.loads(sample.store["game"]["record"])
        assert [(each.actor, each.move) for each in record.steps] == [
            (each.actor, each.move) for each in trial.record.steps
        ]
        assert record.outcome == trial.record.outcome
        judged, score = judge(protocol, trial), found(sample)
        assert score["value"]["result"] == 2 * judged.result - 1
        assert score["value"]["cost"] == pytest.approx(judged.cost)
        assert [each["number"] for each in score["moves"]] == [
            each.number for each in judged.choices
        ]
        assert sum(each["cost"] for each in score["moves"]) == pytest.approx(judged.cost)
    told = figures(log)
    assert {*told} == {"result", "illegal", "cost", "result_without_luck"}
    assert all({*each} == {"mean", "stderr"} for each in told.values())
    result, cost = told["result_without_luck"], told["cost"]  # varies only with costs
    start = sum(judge(protocol, trial).start for trial in trials) / 2
    assert result["mean"] == pytest.approx(2 * (start - cost["mean"]) - 1)
    assert result["stderr"] == pytest.approx(2 * cost["stderr"])


def test_the_model_is_told_what_a_seat_in_text_is_told() -> None:
    heard: list[list[str]] = []

    def first(messages: Sequence[ChatMessage]) -> str:
        heard.append([each.text for each in messages])
        return move_answer("1-1-1")

    task = strongroom_play("safe-cracker", "random", games=1, disguise=True, legal_moves=True)
    (sample,) = samples(run(task, first))
    style = Style(disguise=True, legal_moves=True)
    seed = sample.metadata["seed"]
    sitting = TextSitting(load("safe-cracker"), "random", seed=seed, style=style)
    told = [sitting.opening]
    for each in heard:
        told.append(sitting.question)
        assert each == told
        sitting.answer(move_answer("1-1-1"))
        told.append(move_answer("1-1-1"))
    assert sitting.is_over
    assert {"cost", "result_without_luck"}.isdisjoint(found(sample)["value"])


def test_a_log_says_which_move_was_a_mistake_and_scoring_it_again_gives_the_same() -> None:
    mistaken = {1: "4", 2: "1"}

    def quits(messages: Sequence[ChatMessage]) -> str:
        return move_answer(mistaken.get(len(messages) // 2, "none"))

    log = run(strongroom_play(games=1), quits)
    (one,) = samples(log)
    scored = found(one)
    assert scored["value"] == pytest.approx(
        {"result": -1, "illegal": TRIES, "cost": 0.5, "result_without_luck": -1}, abs=0.02
    )
    *_, last = scored["told"].splitlines()
    assert "gave up" in last
    assert "points; best: " in last
    assert scored["moves"][-1]["move"] is None
    assert f"None of {TRIES} answers" in scored["told"]
    again = score(log, game_scorer(), action="overwrite", display="none")
    assert [found(each) for each in samples(again)] == [scored]
    assert figures(again) == figures(log)


def test_an_answer_that_is_cut_off_is_no_move_and_a_game_that_a_limit_ends_is_lost() -> None:
    log = run(strongroom_play(games=1), lambda _: move_answer("4"), "max_tokens")
    assert found(samples(log)[0])["value"]["illegal"] == TRIES
    log = run(strongroom_puzzles("quantum-duel", count=1), lambda _: move_answer("4"), "max_tokens")
    assert found(samples(log)[0])["value"]["illegal"] == 1
    log = run(strongroom_play(games=1), lambda _: move_answer("4"), message_limit=4)
    (sample,) = samples(log)
    assert sample.limit is not None
    assert found(sample)["value"]["result"] == -1
    assert "ended before the game" in found(sample)["told"]


def test_no_game_waits_for_the_opponent_of_another(monkeypatch: pytest.MonkeyPatch) -> None:
    test_conformance.seat_meets(monkeypatch)
    task = strongroom_play("safe-cracker", "meets", games=2, seat=2)
    log = run(task, lambda _: "I would rather not.")
    assert [found(each)["value"]["result"] for each in samples(log)] == [-1, -1]


@pytest.mark.parametrize("disguise", [False, True])
def test_puzzles_are_an_exported_set_and_score_as_in_a_measurement(disguise: bool) -> None:
    only = ["--only", "quantum-duel", "--count", "3", "--seed", "7", "--output", "set.jsonl"]
    assert main(["puzzles", "export", *only, *["--disguised"] * disguise]) == 0
    puzzles = [*read("set.jsonl")]
    worst = str(max(puzzles[1].costs, key=lambda move: puzzles[1].costs[move]))
    answers = (str(puzzles[0].best[0]), worst, "nowhere")
    chosen = {each.text: answer for each, answer in zip(puzzles, answers, strict=True)}
    moves = {each.view: chosen[each.text] for each in puzzles}

    class Chooses:
        def __init__(self, *_: object) -> None: ...

        def choose(self, view: View) -> Move:
            return view.game.move(moves[view])

    measured = measure_on_puzzles(Chooses, puzzles)["quantum-duel"]
    log = run(
        strongroom_puzzles("quantum-duel", count=3, seed=7, disguise=disguise),
        lambda messages: move_answer(chosen[messages[1].text]),
    )
    asked = [each.metadata["puzzle"] for each in samples(log)]
    assert asked == [*map(json.loads, Path("set.jsonl").read_text(encoding="utf-8").splitlines())]
    told = figures(log)
    assert told["solved"]["mean"] == pytest.approx(measured.solved) == pytest.approx(1 / 3)
    assert told["cost"] == pytest.approx({"mean": measured.cost, "stderr": measured.error})
    assert told["illegal"]["mean"] == pytest.approx(measured.illegal / 3) == pytest.approx(1 / 3)
    assert [each.target for each in samples(log)] == [[*map(str, p.best)] for p in puzzles]
    assert f"Right: {chosen[puzzles[0].text]}" in found(samples(log)[0])["told"]
    again = score(log, puzzle_scorer(), action="overwrite", display="none")
    assert [found(each) for each in samples(again)] == [found(each) for each in samples(log)]
    task = strongroom_puzzles(count=len(SOURCES) + 1)  # without a game, from all of them by turns
    games = [each.metadata["puzzle"]["game"] for each in task.dataset]
    assert games == [*SOURCES, next(iter(SOURCES))]


def test_bad_arguments_are_refused_in_a_line() -> None:
    wrong: list[tuple[Callable[..., Task], Json, str]] = [
        (strongroom_play, {"opponent": "[red]"}, r"There is no player '\[red]'."),
        (strongroom_play, {"games": 0}, "games must be a number from 1 to"),
        (strongroom_play, {"seat": 3}, "Seats are 1 and 2."),
        (strongroom_play, {"seed": "x"}, "seed must be a number"),
        (strongroom_play, {"disguise": "a b"}, "'a b' is no seed of a disguise."),
        (strongroom_play, {"digits": 4}, "There is no option 'digits'."),
        (strongroom_puzzles, {"count": "many"}, "count must be a number from 1 to"),
        (strongroom_puzzles, {"digits": 4}, "Options are for one game. Name it: game=..."),
    ]
    for task, arguments, told in wrong:
        with pytest.raises(PrerequisiteError) as refused:
            task(**arguments)
        assert told in str(refused.value.message)
        assert "\n" not in str(refused.value.message)


def test_inspect_finds_the_tasks_by_their_names() -> None:
    given = {"game": "safe-cracker", "games": 1, "digits": 4}
    (sample,) = samples(run("strongroom/play", lambda _: "Hm.", task_args=given))
    assert sample.metadata["options"]["digits"] == 4
    assert found(sample)["value"]["illegal"] == TRIES
    only = {"game": "quantum-duel", "count": 1}
    (sample,) = samples(run("strongroom/puzzles", lambda _: "Hm.", task_args=only))
    assert found(sample)["value"]["illegal"] == 1


def test_the_example_of_the_page_prints_what_the_page_says() -> None:
    printed, told = run_example(page("doors.md#Inspect"))
    assert printed == told
