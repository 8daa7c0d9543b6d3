"""The games and puzzles as tasks of Inspect: `inspect eval strongroom/play`, `strongroom/puzzles`.

The games are those that `strongroom measure` plays with the same seed, the puzzles those that
`strongroom puzzles export` writes. It needs the extra `inspect`.
"""

from __future__ import (annotations)
from collections.abc import (Iterator)
from contextlib import (contextmanager)
from itertools import (islice)
from strongroom.agents.dialogue import (Dialogue, Style)
from strongroom.agents.inspect_scoring import (game_scorer, plays, puzzle_scorer)
from strongroom.contract import (Refusal, Seat)
from strongroom.contract.moves import (seat_of)
from strongroom.measuring.protocol import (MOST_ROUNDS, Protocol)
from strongroom.players import (CERTIFIED, check, player)
from strongroom.plugins.extras import (extra)
from strongroom.plugins.registry import (load)
from strongroom.puzzles.sets import (exercises)
from strongroom.referee.randomness import (stream)
from typing import (Any)

with extra("inspect", "strongroom.agents.inspect"):
    from inspect_ai import Task, task
    from inspect_ai._util.error import PrerequisiteError
    from inspect_ai.dataset import Sample
    from inspect_ai.model import ChatMessageSystem, ChatMessageUser
    from inspect_ai.solver import generate


@task(name="play")
def strongroom_play(
    game: str = "quantum-duel",
    opponent: str = CERTIFIED,
    games: int = 20,
    seat: int | None = None,
    seed: int = 1,
    disguise: bool = False,
    legal_moves: bool = False,
    scratch: bool = True,
    **options: Any,
) -> Task:
    """Whole games, one a sample: in one seat, or in both by turns if none is named."""
    with _arguments():
        style = _style(disguise=disguise, legal_moves=legal_moves, scratch=scratch)
        chosen = load(game, **options)
        check(player(opponent, chosen, stream(seed, "opponent")))
        seats = tuple(Seat) if seat is None else (seat_of(seat),)
        protocol = Protocol("", (chosen,), _counted("games", games), seats, opponent, seed)
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
    disguise: bool = False,
    legal_moves: bool = False,
    scratch: bool = True,
    **options: Any,
) -> Task:
    """Positions with a certified answer, one a sample: of one game, or of several by turns."""
    with _arguments():
        style = _style(disguise=disguise, legal_moves=legal_moves, scratch=scratch)
        if game is None and options:
            raise Refusal("Options are for one game.", "Name it: game=...")
        games = None if game is None else [load(game, **options)]
        found = [*exercises(seed, _counted("count", count), games, disguised=disguise)]
        if not found:
            raise Refusal(f"There are no puzzles of {game}.", "Choose another game.")
    samples = [
        Sample(
            id=number,
            input=[
                ChatMessageSystem(content=dialogue.opened(each.rules)),
                ChatMessageUser(content=each.question_in(dialogue)),
            ],
            target=[str(move) for move in each.best],
            metadata={"puzzle": each.to_json(), "style": str(style)},
        )
        for number, each in enumerate(found, 1)
        for dialogue in [Dialogue(each.game, style)]
    ]
    return Task(samples, solver=generate(), scorer=puzzle_scorer())


@contextmanager
def _arguments() -> Iterator[None]:
    """Around what reads a task's arguments: of a refusal, Inspect shows only the message."""
    from rich.markup import escape

    try:
        yield
    except Refusal as refusal:
        raise PrerequisiteError(escape(str(refusal))) from None


def _style(**settings: Any) -> Style:
    for name, setting in settings.items():
        if type(setting) is not bool:
            raise Refusal(f"{name} must be true or false.")
    return Style(**settings)


def _counted(name: str, number: Any) -> int:
    if type(number) is not int or not 0 < number <= MOST_ROUNDS:
        raise Refusal(f"{name} must be a number from 1 to {MOST_ROUNDS}.")
    return number
