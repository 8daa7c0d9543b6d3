"""How the samples of `strongroom.agents.inspect` are played and scored."""

from __future__ import (annotations)
from statistics import (fmean)
from strongroom.accounts.account import (Account, Decision, PERFECT, account)
from strongroom.agents.dialogue import (Dialogue, Style)
from strongroom.agents.text_sitting import (TextSitting)
from strongroom.contract import (Game, Json, Refusal)
from strongroom.contract.moves import (seat_of)
from strongroom.players import (CERTIFIED)
from strongroom.plugins.extras import (extra)
from strongroom.plugins.registry import (load)
from strongroom.puzzles.sets import (Exercise, score)
from strongroom.referee.record import (Record)
from strongroom.report.text import (in_points)
from strongroom.theory.shelf import (solution_of)
from strongroom.theory.worth import (WEIGHING)

with extra("inspect", "strongroom.agents.inspect"):
    from anyio.to_thread import run_sync
    from inspect_ai.model import ChatMessageUser, ModelOutput
    from inspect_ai.scorer import Score, Scorer, Target, mean, scorer, stderr
    from inspect_ai.solver import Generate, Solver, TaskState, solver

MEANS = {"*": [mean(), stderr()]}
"""Of every figure, the mean over samples and its standard error."""
GAME = "game"
"""Where a sample stores the game that was played."""


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
    game, style = load(sample["game"], **sample["options"]), Style.read(sample["style"])
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
        return Score(value=value, explanation=told, metadata={"moves": _moves(own)})

    return scored


def _accounted(journal: str, sample: Json) -> tuple[Account, float]:
    """What was decided in a game, and what the games of its seats are worth before they begin."""
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


def _told(each: Decision) -> str:
    game = each.view.game
    assert isinstance(game, Game)
    said = "gave up" if each.move is None else game.words.spoken(each.move)
    better = f"; best: {game.words.spoken(each.best)}" if each.cost > PERFECT else ""
    return f"{each.number}. {said}: {in_points(each.cost)}{better}"


@scorer(metrics=MEANS)
def puzzle_scorer() -> Scorer:
    """Whether an answer is right, what it costs, and whether it is no legal move."""

    async def scored(state: TaskState, target: Target) -> Score:
        return await run_sync(_puzzle_score, state.metadata, state.output)

    return scored


def _puzzle_score(sample: Json, output: ModelOutput) -> Score:
    puzzle = Exercise.from_json(sample["puzzle"])
    dialogue = Dialogue(puzzle.game, Style.read(sample["style"]))
    try:
        answer = str(dialogue.read(output.completion, puzzle.view, _cut_off(output)))
    except Refusal:
        answer = ""
    found = score([puzzle], lambda _: answer)
    told = [f"{answer or 'No legal move'}: {in_points(found.cost)}"]
    told.append(f"Right: {', '.join(map(str, puzzle.best))}")
    told += [f"{bot} loses {in_points(cost)} on average" for bot, cost in puzzle.losses.items()]
    value = {"solved": found.solved, "cost": found.cost, "illegal": float(found.illegal)}
    return Score(value=value, answer=answer, explanation="\n".join(told))


def _cut_off(output: ModelOutput) -> bool:
    return output.stop_reason in ("max_tokens", "model_length")
