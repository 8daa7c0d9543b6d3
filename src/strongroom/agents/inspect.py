"""The games and puzzles as tasks of Inspect: `inspect eval strongroom/play`, `strongroom/puzzles`.

The games are those that `strongroom measure` plays with the same seed, the puzzles those that
`strongroom puzzles export` writes. It needs the extra `inspect`.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from itertools import islice
from statistics import fmean
from typing import Any

from strongroom.agents.dialogue import Dialogue, Style
from strongroom.agents.text_sitting import TextSitting
from strongroom.contract import Game, Json, Refusal, Seat
from strongroom.contract.seat import seat_of
from strongroom.measuring.account import Account, Decision, account
from strongroom.measuring.protocol import Protocol
from strongroom.measuring.result import PERFECT
from strongroom.players import CERTIFIED, check, player
from strongroom.plugins.extras import extra
from strongroom.plugins.registry import load
from strongroom.puzzles.finding import puzzles
from strongroom.puzzles.puzzle import in_points
from strongroom.puzzles.sets import Exercise, exercise, score
from strongroom.referee.randomness import stream
from strongroom.referee.record import Record
from strongroom.theory.shelf import solution_of
from strongroom.theory.worth import WEIGHING

with extra("inspect", "strongroom.agents.inspect"):
    from anyio.to_thread import run_sync
    from inspect_ai import Task, task
    from inspect_ai._util.error import PrerequisiteError
    from inspect_ai.dataset import Sample
    from inspect_ai.model import ChatMessageSystem, ChatMessageUser, ModelOutput
    from inspect_ai.scorer import Score, Scorer, Target, mean, scorer, stderr
    from inspect_ai.solver import Generate, Solver, TaskState, generate, solver

MEANS = {"*": [mean(), stderr()]}
"""Of every figure, the mean over samples and its standard error."""
GAME = "game"
"""Where a sample stores the game that was played."""


@contextmanager
def _arguments(disguise: Any) -> Iterator[None]:
    """Around what reads a task's arguments: of a refusal, Inspect shows only the message."""
    from rich.markup import escape

    try:
        if type(disguise) is not bool:
            raise Refusal("disguise must be true or false.")
        yield
    except Refusal as refusal:
        raise PrerequisiteError(escape(str(refusal))) from None


def _cut_off(output: ModelOutput) -> bool:
    return output.stop_reason in ("max_tokens", "model_length")


# --- games --------------------------------------------------------------------------------------


@task(name="play")
def strongroom_play(
    game: str = "quantum-duel",
    opponent: str = CERTIFIED,
    rounds: int = 10,
    seat: int | None = None,
    seed: int = 1,
    disguise: bool = False,
    **options: Any,
) -> Task:
    """Whole games, one a sample: `rounds` in a seat, or in each of the two if none is named."""
    with _arguments(disguise):
        chosen = load(game, **options)
        check(player(opponent, chosen, stream(seed, "opponent")))
        seats = tuple(Seat) if seat is None else (seat_of(seat),)
        protocol = Protocol("model", (chosen,), rounds, seats, opponent, seed)
        opening = Dialogue(chosen, Style(disguise)).opening
    every = {
        "game": game,
        "options": chosen.options.to_json(),
        "opponent": opponent,
        "seats": [each.value for each in seats],
        "disguise": disguise,
    }
    samples = [
        Sample(
            id=f"round {each.round}, Player {each.seat.value}",
            input=[ChatMessageSystem(content=opening)],
            metadata={**every, "seat": each.seat.value, "seed": each.own_seed},
        )
        for each in protocol.fixtures
    ]
    return Task(samples, solver=plays(), scorer=game_scorer(), name="play")


@solver
def plays() -> Solver:
    """Asks the model for every move; if the sample ends before the game does, the game is lost."""

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        sitting = await run_sync(_seated, state.metadata)
        try:
            while not sitting.over:
                state.messages.append(ChatMessageUser(content=sitting.question))
                state = await generate(state, tool_calls="none")
                await run_sync(sitting.answer, state.output.completion, _cut_off(state.output))
        finally:
            sitting.give_up("The sample ended before the game did.")
            state.store.set(GAME, _played(sitting))
        return state

    return solve


def _seated(sample: Json) -> TextSitting:
    game, style = load(sample["game"], **sample["options"]), Style(sample["disguise"])
    return TextSitting(game, sample["opponent"], seat_of(sample["seat"]), sample["seed"], style)


def _played(sitting: TextSitting) -> Json:
    return {
        "result": sitting.result,
        "illegal": sitting.illegal,
        "closing": sitting.closing,
        "record": sitting.record.dumps(),
    }


@scorer(metrics=MEANS)
def game_scorer() -> Scorer:
    """How a game ended, how many answers were illegal and, against master, what the moves cost."""

    async def scored(state: TaskState, target: Target) -> Score:
        played = state.store.get(GAME)
        if played is None:
            told = "The sample holds no game: only the solver strongroom/plays plays one."
            return Score.unscored(reason="scoring_failed", explanation=told)
        value = {"result": played["result"], "illegal": played["illegal"]}
        if state.metadata["opponent"] != CERTIFIED:
            return Score(value=value, explanation=played["closing"])
        own, start = await run_sync(_accounted, played["record"], state.metadata)
        value |= {"cost": own.cost, "result_without_luck": 2 * (start - own.cost) - 1}
        told = "\n".join([played["closing"], "What each move cost:", *map(_told, own.decisions)])
        moves = [
            {"number": each.number, "move": each.move and str(each.move), "cost": each.cost}
            for each in own.decisions
        ]
        return Score(value=value, explanation=told, metadata={"moves": moves})

    return scored


def _accounted(journal: str, sample: Json) -> tuple[Account, float]:
    """What was decided in a game, and what the games of its seats are worth before they begin."""
    record = Record.loads(journal)
    worth = solution_of(record.game).worth
    with WEIGHING:
        starts = [worth.start(seat_of(seat), record.turn_limit) for seat in sample["seats"]]
    return account(record, seat_of(sample["seat"]), worth), fmean(starts)


def _told(each: Decision) -> str:
    game = each.view.game
    assert isinstance(game, Game)
    said = "gave up" if each.move is None else game.words.spoken(each.move)
    better = f"; best: {game.words.spoken(each.best)}" if each.missed > PERFECT else ""
    return f"{each.number}. {said}: {in_points(each.cost)}{better}"


# --- puzzles ------------------------------------------------------------------------------------


@task(name="puzzles")
def strongroom_puzzles(
    game: str | None = None,
    count: int = 20,
    seed: int = 1,
    disguise: bool = False,
    **options: Any,
) -> Task:
    """Positions with a certified answer, one a sample: of one game, or of the five by turns."""
    with _arguments(disguise):
        if type(count) is not int or count < 1:
            raise Refusal("count must be a number from 1 on.")
        if game is None and options:
            raise Refusal("Options are for one game.", "Name it: game=...")
        games = None if game is None else [load(game, **options)]
        names = stream(seed, "disguise") if disguise else None
        found = [exercise(each, names) for each in islice(puzzles(seed, games), count)]
        if not found:
            raise Refusal(f"There are no puzzles of {game}.", "Choose another game.")
    samples = [
        Sample(
            id=number,
            input=[
                ChatMessageSystem(content=Dialogue(each.game).opened(each.rules)),
                ChatMessageUser(content=each.text),
            ],
            target=[str(move) for move in each.best],
            metadata={"puzzle": each.to_json()},
        )
        for number, each in enumerate(found, 1)
    ]
    return Task(samples, solver=generate(), scorer=puzzle_scorer(), name="puzzles")


@scorer(metrics=MEANS)
def puzzle_scorer() -> Scorer:
    """Whether an answer is right, what it costs, and whether it is no legal move."""

    async def scored(state: TaskState, target: Target) -> Score:
        return await run_sync(_puzzle_score, state.metadata["puzzle"], state.output)

    return scored


def _puzzle_score(line: Json, output: ModelOutput) -> Score:
    puzzle = Exercise.from_json(line)
    try:
        read = Dialogue(puzzle.game).read(output.completion, puzzle.view, _cut_off(output))
        answer = str(read)
    except Refusal:
        answer = ""
    found = score([puzzle], lambda _: answer)
    told = [f"{answer or 'No legal move'}: {in_points(found.cost)}"]
    told.append(f"Right: {', '.join(map(str, puzzle.best))}")
    told += [f"{bot} loses {in_points(cost)} on average" for bot, cost in puzzle.losses.items()]
    value = {"solved": found.solved, "cost": found.cost, "illegal": float(found.illegal)}
    return Score(value=value, answer=answer, explanation="\n".join(told))
