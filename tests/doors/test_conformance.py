"""What holds at every door: the same game everywhere, and no seat learns more than its view.

A seat of the same game is driven through every door to a framework that is installed here: each
driver sits down by the terms, makes the moves, and says what the seat was told before each of them
and after the last, what was played, and what the framework itself calls the result. Frameworks that
are heavy to install are imported where they are driven.
"""

from __future__ import annotations

import asyncio
import sys
import tomllib
from collections.abc import Callable, Sequence
from importlib import import_module
from itertools import takewhile
from pathlib import Path
from random import Random
from threading import Barrier
from typing import Any, ClassVar, NamedTuple

import gymnasium
import pyspiel
import pytest
from mcp import Client
from starting import PATIENCE

import strongroom.doors.gymnasium  # noqa: F401 - registers the games
from strongroom.contract import Event, Game, Move, Outcome, Phase, Seat, View
from strongroom.doors.gg_bench import SelfPlayEnv
from strongroom.doors.mcp import make_server
from strongroom.doors.openspiel import parameters, short_name
from strongroom.doors.pettingzoo import AGENTS
from strongroom.doors.pettingzoo import env as pettingzoo_env
from strongroom.doors.sitting import Sitting
from strongroom.minds.dialogue import move_answer
from strongroom.players import player
from strongroom.plugins.extras import MissingExtra
from strongroom.plugins.installed import EXTRAS
from strongroom.plugins.registry import GAMES, PLAYERS, env_id, load
from strongroom.referee.bout import TURN_LIMIT, Bout, moves_to
from strongroom.referee.randomness import draws, stream
from strongroom.referee.record import Record
from strongroom.terminal.arguments import COMMANDS
from tests.docs.pages import coded, rows
from tests.doors.missing import MISSING


class Terms(NamedTuple):
    """Which game is played, against whom, from which seat, and with which chance."""

    game: str
    opponent: str
    seat: Seat
    seed: int
    options: tuple[tuple[str, Any], ...] = ()

    @property
    def rules(self) -> Game:
        return load(self.game, **dict(self.options))


class Played(NamedTuple):
    told: list[str]  # all that the seat was told before each of its moves, and after the last
    moves: list[str]  # every move: private ones and those of chance, too
    events: list[Event]  # what everybody knows of them, with the referee's answers
    outcome: Outcome | None
    result: float


class Hider:
    """An opponent that hides the first or the last it may, and then makes the first legal move."""

    hides: ClassVar = 0

    def __init__(self, *_: object) -> None: ...

    def choose(self, view: View) -> Move:
        return view.moves[Hider.hides if view.setting_up else 0]


class Meets:
    """An opponent that makes its first move only when another makes one in another game."""

    meeting: ClassVar[Barrier]

    def __init__(self, game: Game, rng: Random) -> None:
        self._rng, self._waits = rng, True

    def choose(self, view: View) -> Move:
        if self._waits:
            self.meeting.wait(PATIENCE)
            self._waits = False
        return self._rng.choice(view.moves)


def seat_meets(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(PLAYERS, "meets", (f"{__name__}:Meets", ""))
    monkeypatch.setattr(Meets, "meeting", Barrier(2), raising=False)


MOST_COMPARED = 7
Drives = Callable[[Terms, Sequence[Move]], Played]


def finished(told: list[str], record: Record, result: float) -> Played:
    """A game whose record a door gives away."""
    state = record.replay()
    return Played(told, [*map(str, moves_to(state))], [*state.log], record.outcome, result)


def sitting(terms: Terms) -> Sitting:
    return Sitting(terms.rules, *terms[1:4])


def answers(terms: Terms, moves: Sequence[Move]) -> list[str]:
    at, found = sitting(terms), []
    for move in moves:
        found.append(words_for(at.game, at.view, move))
        at.play(move)
    return found


def words_for(game: Game, view: View, move: Move) -> str:
    for text in (str(move), game.words.text(move), game.words.mention(move)):
        if game.words.parse(text, view) == move:
            return text
    raise AssertionError(f"no words for {move}")


def by_gymnasium(terms: Terms, moves: Sequence[Move]) -> Played:
    """Actions are numbers, and what is told is a vector and a mask."""
    settings = {"opponent": terms.opponent, "seat": terms.seat.value, **dict(terms.options)}
    env = gymnasium.make(env_id(terms.game), **settings)
    observation, info = env.reset(seed=terms.seed)
    told, result = [numbers(observation, info["action_mask"])], 0.0
    for move in moves:
        observation, reward, _, _, info = env.step(terms.rules.actions.index(move))
        told.append(numbers(observation, info["action_mask"]))
        result += float(reward)
    seat: Any = env.unwrapped
    return finished(told, seat.sitting.record, result)


def numbers(*arrays: Any) -> str:
    """Arrays as text that two of them share only if they are equal."""
    return " ".join(str(array.tolist()) for array in arrays)


def by_openenv(terms: Terms, moves: Sequence[Move]) -> Played:
    """Actions are numbers or answers in text, by turns, and what is told is text and ranges."""
    from strongroom.doors.openenv import StrongroomAction, StrongroomEnvironment

    env, rules, result = StrongroomEnvironment(), terms.rules, 0.0
    settings = {"game": terms.game, "opponent": terms.opponent, "seat": terms.seat.value}
    observed = env.reset(seed=terms.seed, **settings, **dict(terms.options))
    told = [observed.model_dump_json()]
    for turn, (move, text) in enumerate(zip(moves, answers(terms, moves), strict=True)):
        answer = move_answer(text) if turn % 2 else rules.actions.index(move)
        observed = env.step(StrongroomAction(answer=answer))
        told.append(observed.model_dump_json())
        result += observed.reward
    assert env._sitting is not None
    return finished(told, env._sitting.record, result)


def by_verifiers(terms: Terms, moves: Sequence[Move]) -> Played:
    """A task sits down as it does for a model, and is answered in text."""
    from strongroom.doors.verifiers import DuelData, DuelTask, game_data

    seated = {"opponent": terms.opponent, "seat": terms.seat.value, "seed": str(terms.seed)}
    settings = {"options": dict(terms.options), "style": "", "reward": "result"}
    sitting = DuelTask(DuelData(name="game", game=terms.game, **seated, **settings)).sit_down()
    told = [sitting.question]
    for text in answers(terms, moves):
        sitting.answer(move_answer(text))
        told.append(sitting.question)
    assert sitting.illegal == 0
    result = game_data(sitting)["result"] if sitting.is_over else sitting.result
    return finished(told, sitting.record, result)


def by_inspect(terms: Terms, moves: Sequence[Move]) -> Played:
    """Inspect's mock model gives the answers; afterwards it has none, and gives up."""
    from inspect_ai import eval as evaluate
    from inspect_ai.model import ModelOutput, ModelUsage, get_model

    from strongroom.doors.inspect import strongroom_play

    asked: list[str] = []
    to_say = iter(answers(terms, moves))

    def says(messages: list[Any], *_: object) -> Any:
        asked.append("\n".join(each.text for each in messages if each.role != "assistant"))
        output = ModelOutput.from_content("mockllm/model", move_answer(next(to_say, "pass")))
        output.usage = ModelUsage()  # otherwise Inspect fetches what it counts tokens with
        return output

    task = strongroom_play(
        terms.game, terms.opponent, games=1, seat=terms.seat.value, **dict(terms.options)
    )
    (sample,) = task.dataset
    assert sample.metadata is not None
    sample.metadata["seed"] = terms.seed
    model = get_model("mockllm/model", custom_outputs=says, memoize=False)
    (log,) = evaluate(task, model=model, display="none", log_realtime=False, score=False)
    assert log.status == "success", log.error
    assert log.samples
    (played,) = log.samples
    game = played.store["game"]
    told = asked[: len(moves) + 1]
    if len(told) == len(moves):
        told.append(game["closing"])
    return finished(told, Record.loads(game["record"]), game["result"])


def by_mcp(terms: Terms, moves: Sequence[Move]) -> Played:
    """A client of the protocol plays; the ids of games differ, and tell nothing."""

    async def plays() -> Played:
        async with Client(make_server(lambda record: ("", []))) as client:

            async def call(tool: str, **arguments: Any) -> dict[str, Any]:
                answer = await client.call_tool(tool, arguments)
                assert not answer.is_error, answer.content
                return dict(answer.structured_content or {})

            seated = {"opponent": terms.opponent, "seat": terms.seat.value, "seed": terms.seed}
            at = await call("start_game", game=terms.game, options=dict(terms.options), **seated)
            number, told = at["game_id"], list[str]()

            async def tell() -> None:
                """Hear all that a client can be told while the game goes on."""
                heard = [str(at)]
                if not at["over"] and len(told) < MOST_COMPARED:
                    for tool, more in ("hint", {}), ("review", {}), ("move", {"move": "nonsense"}):
                        answer = await client.call_tool(tool, {"game_id": number, **more})
                        heard.append(answer.model_dump_json())
                    heard.append(str(await call("list_my_games")))
                told.append("\n".join(heard).replace(number, ""))

            await tell()
            for text in answers(terms, moves):
                at = await call("move", game_id=number, move=text)
                await tell()
            if not at["over"]:
                return Played(told, [], [], None, 0.0)
            (read,) = (await client.read_resource(f"strongroom://records/{number}")).contents
            result = {None: 0.0, terms.seat.value: 1.0}.get(at["winner"], -1.0)
            return finished(told, Record.loads(read.model_dump()["text"]), result)

    return asyncio.run(plays())


def drive(
    terms: Terms,
    moves: Sequence[Move],
    bout: Callable[[], Bout],
    told: Callable[[], str],
    play: Callable[[Move], object],
    result: Callable[[], float],
) -> Played:
    """Make the moves of a seat, and let our player make those of the other one.

    `bout` is the game, for the referee only; `told` is all that the seat is told now; `play` makes
    the move of whoever is to move, and lets chance go on; `result` is what the seat won.
    """
    other = player(terms.opponent, terms.rules, stream(terms.seed, "opponent"))
    heard, to_make = list[str](), [*moves]
    while (actor := bout().actor) is not None:
        if actor is not terms.seat:
            play(other.choose(bout().view(terms.seat.other)))
            continue
        heard.append(told())
        if not to_make:
            break
        play(to_make.pop(0))
    else:
        heard.append(told())
    state, moved = bout().state, [*map(str, moves_to(bout().state))]
    return Played(heard, moved, [*state.log], bout().outcome, result())


def by_pettingzoo(terms: Terms, moves: Sequence[Move]) -> Played:
    """Actions are numbers, and what is told is a vector and a mask."""
    env: Any = pettingzoo_env(terms.game, **dict(terms.options))
    env.reset(seed=terms.seed)
    own, won, rules = AGENTS[terms.seat.index], [0.0], terms.rules

    def told() -> str:
        seen = env.observe(own)
        return numbers(seen["observation"], seen["action_mask"])

    def play(move: Move) -> None:
        env.step(rules.actions.index(move))
        won.append(env.rewards.get(own, 0.0))

    return drive(terms, moves, lambda: env.unwrapped.bout, told, play, lambda: sum(won))


def by_gg_bench(terms: Terms, moves: Sequence[Move]) -> Played:
    """Actions are numbers, players wait by one, and what is told is a vector, a list and text."""
    settings: Any = {"secrets": "chosen", "step_limit": 10 * TURN_LIMIT, **dict(terms.options)}
    env, won = SelfPlayEnv(terms.game, **settings), [0.0]
    told_now, _ = env.reset(seed=terms.seed)

    def step(action: int) -> None:
        nonlocal told_now
        sign = 1 if env.seat is terms.seat else -1
        told_now, reward, *_ = env.step(action)
        won.append(sign * reward)

    def told() -> str:
        while env.seat is not terms.seat and not env.is_over:
            step(env.wait)
        return f"{numbers(told_now)} {env.valid_moves()} {env.render()}"

    def play(move: Move) -> None:
        while env.seat is not env.bout.actor:
            step(env.wait)
        step(terms.rules.actions.index(move))

    def result() -> float:
        while not env.is_over and env.bout.outcome:
            step(env.wait)
        return sum(won)

    return drive(terms, moves, lambda: env.bout, told, play, result)


def by_openspiel(terms: Terms, moves: Sequence[Move]) -> Played:
    """Actions are numbers, and chance is asked for at nodes of its own."""
    rules, draw, at = terms.rules, draws(terms.seed), terms.seat.index
    given = parameters(rules.options, TURN_LIMIT)
    state = pyspiel.load_game(short_name(terms.game), given).new_initial_state()

    def told() -> str:
        tensors = [*state.information_state_tensor(at), *state.observation_tensor(at)]
        return f"{state.information_state_string(at)} {state.observation_string(at)} {tensors}"

    def play(move: Move | None) -> None:
        if move is not None:
            state.apply_action(rules.actions.index(move))
        first = rules.actions.section(Phase.CHANCE).start
        while state.is_chance_node():
            state.apply_action(rules.actions.index(state.bout.draw_chance(draw)) - first)

    play(None)
    return drive(terms, moves, lambda: state.bout, told, play, lambda: float(state.returns()[at]))


def by_textarena(terms: Terms, moves: Sequence[Move]) -> Played:
    """Answers are text, and what is told are messages, kept here because they are told once."""
    import_module("strongroom.doors.textarena")
    env: Any = import_module("textarena").make(f"{env_id(terms.game)}-raw", **dict(terms.options))
    env.reset(num_players=2, seed=terms.seed)
    at, heard, rules = terms.seat.index, list[str](), terms.rules

    def told() -> str:
        messages = env.state.observations[at]
        heard.extend(f"{speaker} {text} {kind}" for speaker, text, kind in messages)
        env.state.observations[at] = []
        return "\n".join(heard)

    def play(move: Move) -> None:
        env.step(move_answer(words_for(rules, env.bout.view(env.bout.actor), move)))

    def result() -> float:
        rewards, _ = env.close()
        return float((rewards or {}).get(at, 0))

    return drive(terms, moves, lambda: env.bout, told, play, result)


ALL: dict[str, Drives] = {
    "gg-bench": by_gg_bench,
    "gymnasium": by_gymnasium,
    "inspect": by_inspect,
    "mcp": by_mcp,
    "openenv": by_openenv,
    "openspiel": by_openspiel,
    "pettingzoo": by_pettingzoo,
    "textarena": by_textarena,
    "verifiers": by_verifiers,
}
DOORS = {name: drives for name, drives in ALL.items() if name not in MISSING}


PLAYED: list[tuple[str, dict[str, Any]]] = [(name, {}) for name in GAMES]
PLAYED += [("safe-cracker", {"digits": 4, "attempts": 3}), *([] if MISSING else [("bluff", {})])]
"""Games with their options; the last is a game of another package, where all doors know it."""

pytestmark = [
    pytest.mark.filterwarnings("ignore:The 'initial' parameter is deprecated:DeprecationWarning"),
    pytest.mark.filterwarnings("ignore:Unclosed <MemoryObject:ResourceWarning"),  # Inspect's own
]


@pytest.mark.parametrize("number", range(len(PLAYED)))
@pytest.mark.parametrize("door", DOORS)
def test_the_same_seed_and_moves_give_the_same_game(door: str, number: int) -> None:
    game, options = PLAYED[number]
    seat = [*Seat][(number + [*DOORS].index(door)) % 2]
    terms = Terms(game, "random", seat, 11, tuple(options.items()))
    reference, rng = sitting(terms), Random(7)
    while not reference.is_over:
        reference.play(rng.choice(reference.view.moves))
    own = [move for _, move in reference.decided if move is not None]
    played = DOORS[door](terms, own)
    state = reference.record.replay()
    assert played.moves == [*map(str, moves_to(state))]
    assert played.events == [*state.log]
    assert played.outcome == reference.outcome
    assert played.result == reference.result
    assert len(played.told) == len(own) + 1


@pytest.mark.parametrize("seat", Seat, ids=str)
@pytest.mark.parametrize("game", [name for name in GAMES if load(name).secrets_each])
@pytest.mark.parametrize("door", DOORS)
def test_a_seat_is_told_the_same_whatever_it_may_not_know(
    door: str, game: str, seat: Seat, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(PLAYERS, "hider", (f"{__name__}:Hider", ""))
    terms = Terms(game, "hider", seat, 5)
    secrets, seen, told = [], list[list[View]](), list[list[str]]()
    for hides in (0, -1):
        monkeypatch.setattr(Hider, "hides", hides)
        twin, rng, own = sitting(terms), Random(3), list[Move]()
        seen.append([])
        while not twin.is_over and len(own) < MOST_COMPARED:
            seen[-1].append(twin.view)
            own.append(rng.choice(twin.view.moves))
            twin.play(own[-1])
        secrets.append(twin.record.replay().secrets[seat.other.index])
        told.append(DOORS[door](terms, own[:-1]).told)
    alike = sum(1 for _ in takewhile(lambda both: both[0] == both[1], zip(*seen, strict=False)))
    assert secrets[0] != secrets[1]
    assert min(map(len, told)) >= alike > load(game).secrets_each
    assert told[0][:alike] == told[1][:alike]


LIBRARIES = {
    "gg-bench": "gymnasium",
    "inspect": "inspect_ai",
    "openspiel": "pyspiel",
    "openenv": "openenv.core.env_server.types",
}
"""The libraries that are called otherwise than their doors."""


@pytest.mark.parametrize("door", [door for door in DOORS if door in EXTRAS])
def test_without_its_library_a_door_says_in_a_line_what_to_install(
    door: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    prefix = f"strongroom.doors.{door.replace('-', '_')}"
    for name in [each for each in sys.modules if each.startswith(prefix)]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, LIBRARIES.get(door, door), None)
    told = rf"^{prefix}\w* needs the extra .*pip install 'strongroom\[{door}\]'$"
    with pytest.raises(MissingExtra, match=told):
        import_module(prefix)


TABLE = {
    framework.partition("](#")[2].removesuffix(")"): (coded(extra), coded(line)[0])
    for framework, extra, _, line in rows(
        "doors.md", "framework", "extra", "who plays", "how it begins"
    )
}
"""For each door its extra, unless it needs no library, and a line that opens it."""


def test_every_door_is_on_the_page_with_a_section_and_a_line_that_opens_it() -> None:
    file = Path(__file__).parents[2] / "pyproject.toml"
    project = tomllib.loads(file.read_text())["project"]
    installed = [door for door in sorted(ALL) if door in EXTRAS]
    assert project["optional-dependencies"]["doors"] == [f"strongroom[{','.join(installed)}]"]
    assert list(TABLE) == sorted(ALL)
    for door, (extra, line) in TABLE.items():
        assert extra == [each for each in installed if each == door]
        if door in {*DOORS} - {"inspect", "mcp"}:  # whose lines are commands
            exec(line, {})
    assert TABLE["mcp"][1].split() == ["strongroom", *{"mcp"} & COMMANDS.keys()]
    assert "strongroom" in project["entry-points"]["inspect_ai"]
    assert TABLE["inspect"][1] == "inspect eval strongroom/play"
