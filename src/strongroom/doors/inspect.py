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

from strongroom.accounts.account import PERFECT, Account, Decision, account
from strongroom.contract import Game, Json, Refusal, Seat, quote
from strongroom.contract.moves import seat_of
from strongroom.doors.sitting import TextSitting, legal_move_in
from strongroom.measuring.protocol import MOST_ROUNDS, Protocol
from strongroom.minds.dialogue import Dialogue, Style
from strongroom.players import CERTIFIED, check, player
from strongroom.plugins.extras import extra
from strongroom.plugins.registry import load
from strongroom.puzzles.sets import Exercise, exercises, score
from strongroom.referee.randomness import stream
from strongroom.referee.record import Record
from strongroom.report.text import in_points
from strongroom.theory.shelf import solution_of
from strongroom.theory.worth import WEIGHING

with extra("inspect", "strongroom.doors.inspect"):
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


@task(name="play")
def strongroom_play(
    game: str = "quantum-duel",
    opponent: str = CERTIFIED,
    games: int = 20,
    seat: int | None = None,
    seed: int = 1,
    disguise: bool | str = False,
    legal_moves: bool = False,
    scratch: bool = True,
    **options: Any,
) -> Task:
    """Whole games, one a sample: in one seat, or in both by turns if none is named."""
    with _refusals_as_prerequisites():
        style = _style(disguise=disguise, legal_moves=legal_moves, scratch=scratch)
        chosen = load(game, **options)
        check(player(opponent, chosen, stream(seed, "opponent")))
        if seat not in (None, 1, 2):
            raise Refusal(f"There is no seat {quote(str(seat))}.", "Seats are 1 and 2.")
        seats = tuple(Seat) if seat is None else (seat_of(seat),)
        protocol = Protocol("", (chosen,), _check_count("games", games), seats, opponent, seed)
        opening = Dialogue(chosen, style).opening
    every = {
        "game": game,
        "options": chosen.options.to_json(),
        "opponent": opponent,
        "seats": [each.value for each in seats],
        "style": str(style),
    }
    samples = [
        Sample(
            id=f"round {each.round}, Player {each.seat.value}",
            input=[ChatMessageSystem(content=opening)],
            metadata={**every, "seat": each.seat.value, "seed": each.own_seed},
        )
        for each in islice(protocol.fixtures, games)
    ]
    return Task(samples, solver=plays(), scorer=game_scorer())


@task(name="puzzles")
def strongroom_puzzles(
    game: str | None = None,
    count: int = 20,
    seed: int = 1,
    disguise: bool | str = False,
    legal_moves: bool = False,
    scratch: bool = True,
    **options: Any,
) -> Task:
    """Positions with a certified answer, one a sample: of one game, or of several by turns."""
    with _refusals_as_prerequisites():
        style = _style(disguise=disguise, legal_moves=legal_moves, scratch=scratch)
        if game is None and options:
            raise Refusal("Options are for one game.", "Name it: game=...")
        games = None if game is None else [load(game, **options)]
        found = [*exercises(seed, _check_count("count", count), games, disguised=disguise)]
        if not found:
            raise Refusal(f"There are no puzzles of {game}.", "Choose another game.")
    samples = [
        Sample(
            id=number,
            input=[
                ChatMessageSystem(content=dialogue.opening_with(each.rules)),
                ChatMessageUser(content=each.question_in(dialogue)),
            ],
            target=[str(move) for move in each.best],
            metadata={"puzzle": each.to_json(), "style": str(style)},
        )
        for number, each in enumerate(found, 1)
        for dialogue in [each.dialogue(style)]
    ]
    return Task(samples, solver=generate(), scorer=puzzle_scorer())


@contextmanager
def _refusals_as_prerequisites() -> Iterator[None]:
    """Let Inspect show only the message of a refusal, which a task's arguments caused."""
    from rich.markup import escape

    try:
        yield
    except Refusal as refusal:
        raise PrerequisiteError(escape(str(refusal))) from None


def _style(**settings: Any) -> Style:
    seed = settings["disguise"]  # a number on the command line is one
    if type(seed) in (int, str):
        settings["disguise"] = str(seed)
    for name, setting in settings.items():
        if type(setting) is not bool and (name != "disguise" or type(setting) is not str):
            raise Refusal(f"{name} must be true or false.")
    return Style(**settings)


def _check_count(name: str, number: Any) -> int:
    if type(number) is not int or not 0 < number <= MOST_ROUNDS:
        raise Refusal(f"{name} must be a number from 1 to {MOST_ROUNDS}.")
    return number


# --- how samples are played and scored ------------------------------------------------------------


@solver
def plays() -> Solver:
    """Asks the model for every move; if the sample ends before the game does, the game is lost."""

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        sitting = await run_sync(_sit_down, state.metadata)
        try:
            while not sitting.is_over:
                state.messages.append(ChatMessageUser(content=sitting.question))
                state = await generate(state, tool_calls="none")
                await run_sync(sitting.answer, state.output.completion, _is_cut_off(state.output))
        finally:
            sitting.give_up("The sample ended before the game did.")
            state.store.set(GAME, _game_data(sitting))
        return state

    return solve


def _sit_down(sample: Json) -> TextSitting:
    game, style = load(sample["game"], **sample["options"]), Style.read(sample["style"])
    return TextSitting(game, sample["opponent"], seat_of(sample["seat"]), sample["seed"], style)


def _game_data(sitting: TextSitting) -> Json:
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
        own, start = await run_sync(_account, played["record"], state.metadata)
        value |= {"cost": own.cost, "result_without_luck": 2 * (start - own.cost) - 1}
        told = "\n".join(
            [played["closing"], "What each move cost:", *map(_describe, own.decisions)]
        )
        return Score(value=value, explanation=told, metadata={"moves": _moves(own)})

    return scored


def _account(journal: str, sample: Json) -> tuple[Account, float]:
    """A seat's account of a game, and what games in these seats are worth before they begin."""
    record = Record.loads(journal)
    worth = solution_of(record.game).worth
    with WEIGHING:
        starts = [worth.start(seat_of(seat), record.turn_limit) for seat in sample["seats"]]
    return account(record, seat_of(sample["seat"]), worth), fmean(starts)


def _moves(own: Account) -> list[Json]:
    return [
        {
            "number": each.number,
            "move": None if each.move is None else str(each.move),
            "cost": each.cost,
            "best": str(each.best),
        }
        for each in own.decisions
    ]


def _describe(each: Decision) -> str:
    game = each.view.game
    assert isinstance(game, Game)
    said = "gave up" if each.move is None else game.words.mention(each.move)
    better = f"; best: {game.words.mention(each.best)}" if each.cost > PERFECT else ""
    return f"{each.number}. {said}: {in_points(each.cost)}{better}"


@scorer(metrics=MEANS)
def puzzle_scorer() -> Scorer:
    """Whether an answer is right, what it costs, and whether it is no legal move."""

    async def scored(state: TaskState, target: Target) -> Score:
        return await run_sync(_puzzle_score, state.metadata, state.output)

    return scored


def _puzzle_score(sample: Json, output: ModelOutput) -> Score:
    puzzle = Exercise.from_json(sample["puzzle"])
    dialogue = puzzle.dialogue(Style.read(sample["style"]))
    answer = legal_move_in(output.completion, puzzle.view, dialogue, _is_cut_off(output))
    found = score([puzzle], lambda _: answer)
    told = [f"{answer or 'No legal move'}: {in_points(found.cost)}"]
    told.append(f"Right: {', '.join(map(str, puzzle.best))}")
    told += [f"{bot} loses {in_points(cost)} on average" for bot, cost in puzzle.losses.items()]
    value = {"solved": found.solved, "cost": found.cost, "illegal": float(found.illegal)}
    return Score(value=value, answer=answer, explanation="\n".join(told))


def _is_cut_off(output: ModelOutput) -> bool:
    return output.stop_reason in ("max_tokens", "model_length")
