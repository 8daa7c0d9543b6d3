"""The games as environments of gg-bench: one environment, which both players step in turn.

gg-bench (arXiv 2505.07215) trains and asks its agents through files that each have a `CustomEnv`;
five of its games are ours. `benchmark_files` are such files, with what its prompts say of them. It
needs the extra `gg-bench`, which is Gymnasium.
"""

from __future__ import annotations

from operator import index
from pathlib import PurePosixPath
from random import Random
from typing import Any, Final, Literal, Self

import numpy as np

from strongroom.contract import Move, NotLegal, Phase, Seat, names_for
from strongroom.doors.sitting import check_choice
from strongroom.minds.dialogue import Dialogue
from strongroom.minds.observation import Observer, Vector, check_number
from strongroom.plugins.extras import extra
from strongroom.plugins.registry import load
from strongroom.referee.bout import TURN_LIMIT, UNDECIDED, Bout
from strongroom.referee.randomness import Seed, draws, stream

with extra("gg-bench", "strongroom.doors.gg_bench"):
    import gymnasium

Secrets = Literal["drawn", "chosen"]
SECRETS: Final[tuple[Secrets, ...]] = ("drawn", "chosen")
"""Whether a game begins after the set-up, with secrets that the environment draws, or with it."""
GAMES: Final = {
    175: "safe-code",
    275: "safecracker-duel",
    276: "digit-deductions",
    681: "quantum-duel",
    825: "safe-cracker",
}
"""The games by gg-bench's numbers."""
STEP_LIMIT: Final = 99
"""The most steps in a game; at the hundredth, gg-bench's wrapper raises an error."""
WON, NOTHING, ILLEGAL = 1.0, 0.0, -10.0
"""The rewards of gg-bench, each for the player who made the step."""

CARD: Final = """\
# Five duels for gg-bench

Written by `strongroom gg-bench`. Copy `gg_bench` into a clone of gg-bench, beside whose other games
these five then stand, instead of its own of the same numbers.
"""
"""The README of a folder of `benchmark_files`."""

Stepped = tuple[Vector, float, bool, bool, dict[str, Any]]


class SelfPlayEnv(gymnasium.Env[Vector, np.int64]):
    """A game whose players step in strict turn; who has nothing to decide can only `wait`.

    Observations and `render` tell what the player knows whose step is next. The player who wins is
    rewarded with 1 at a step of its own, after the other's if that one decided the game, and never
    at the very first step. An illegal action ends the game with -10. One that is undecided at a
    limit is terminated and truncated with 0, because gg-bench's scripts see `terminated` alone.

    A deep copy goes on from a state drawn from all that fit what that player knows, with other
    chance, because gg-bench's tree search plays on in copies: it shall see no secret and no coin.

    >>> env = SelfPlayEnv("quantum-duel")
    >>> observation, info = env.reset(seed=1)
    >>> env.valid_moves(), env.wait
    ([0, 1, 2, 3, 4, 5, 6], 9)
    """

    metadata = {"render_modes": []}  # noqa: RUF012 - the base class has it so

    def __init__(
        self,
        name: str,
        *,
        secrets: Secrets = "drawn",
        turn_limit: int | None = TURN_LIMIT,
        step_limit: int = STEP_LIMIT,
        **options: Any,
    ) -> None:
        check_choice("secrets", secrets, SECRETS)
        check_number("step_limit", step_limit, least=2)
        self.game = game = load(name, **options)
        self.turn_limit, self.step_limit = turn_limit, step_limit
        self.is_set_up = secrets == "drawn"
        """Whether a game begins after the set-up."""
        self.observer = observer = Observer(game, turn_limit)
        """What turns views into observations; its `layout` says where what stands."""
        turn, players = game.actions.section(Phase.TURN), range(observer.actions)
        self.numbers = turn if self.is_set_up else players
        """The numbers in the game of the environment's actions, before `wait`."""
        self.wait = len(self.numbers)
        """The action of a player who has nothing to decide."""
        bound, shape = observer.largest, (observer.size,)
        self.observation_space = gymnasium.spaces.Box(-bound, bound, shape, observer.dtype.type)
        self.action_space = gymnasium.spaces.Discrete(self.wait + 1)
        self._seeds = stream(None, "games")
        self._begin(None)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Vector, dict[str, Any]]:
        """Start the game of a seed; further games without one follow from the last seed."""
        super().reset(seed=seed)
        if seed is not None:
            self._seeds = stream(seed, "games")
        self._begin(self._seeds.getrandbits(63) if seed is None else seed)
        return self._observe(), {}

    def _begin(self, seed: Seed) -> None:
        self._draw, self._copies = draws(seed), stream(seed, "copies")
        self.seat = Seat.ONE
        """The player whose step is next."""
        self.steps = 0
        """How many steps were made."""
        self.is_over = False
        """Whether the game is over, and a player who has won it was rewarded."""
        rng = stream(seed, "secrets")
        bout = Bout.start(self.game, self.turn_limit).settle(self._draw)
        while self.is_set_up and bout.state.setting_up:
            bout = bout.play(rng.choice(bout.state.moves)).settle(self._draw)
        self.bout = bout
        """The game as the referee has it; no player may know all of it."""

    def step(self, action: Any) -> Stepped:
        """Make the step of the player whose turn it is; after the end, nothing changes."""
        number, seat, bout = index(action), self.seat, self.bout
        if self.is_over:
            return self._observe(), NOTHING, True, False, {}
        try:
            if bout.actor is not seat:
                self._check_wait(number)
            else:
                self.bout = bout.play(self._move(number)).settle(self._draw)
        except NotLegal as refusal:
            self.is_over = True
            return self._observe(), ILLEGAL, True, False, {"reason": str(refusal)}
        self.steps, self.seat = self.steps + 1, seat.other
        outcome = self.bout.outcome
        if outcome is None and self.steps >= self.step_limit - 1:  # a last one is for the winner
            outcome = UNDECIDED
        if outcome is None or outcome.winner is seat.other or self.steps == 1:
            return self._observe(), NOTHING, False, False, {}
        self.is_over, won = True, outcome.winner is seat
        info = {"reason": outcome.detail or outcome.reason.value}
        return self._observe(), WON if won else NOTHING, True, not won, info

    def _move(self, number: int) -> Move:
        if not 0 <= number < self.wait:
            raise NotLegal(f"Action {number} is not legal.", f"Legal are {self.valid_moves()}.")
        move: Move = self.game.actions[self.numbers[number]]
        return move

    def _check_wait(self, number: int) -> None:
        if number != self.wait:
            raise NotLegal("There is nothing to decide.", f"Only action {self.wait} is legal.")

    def valid_moves(self) -> list[int]:
        """The actions that are legal now; `wait` if there is nothing to decide, or any more."""
        if self.bout.actor is not self.seat or self.is_over:
            return [self.wait]
        first = self.numbers.start
        return [number - first for number in self.game.actions.numbers(self.bout.state.moves)]

    def render(self) -> str:
        """What the player knows whose step is next, its own secrets included."""
        view, words = self.bout.view(self.seat), self.game.words
        end = [words.closing(view, names_for(view))] if view.outcome else []
        return "\n".join([*Dialogue(self.game).position(view), *end])

    def _observe(self) -> Vector:
        return self.observer.observe(self.bout.view(self.seat))

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        copy = type(self).__new__(type(self))
        copy.__dict__.update(self.__dict__)
        rng = Random(self._copies.getrandbits(63))
        copy._copies, copy._draw, copy._seeds = rng, draws(rng.getrandbits(63)), rng
        if self.bout.outcome is None:
            state = self.game.sample(self.bout.view(self.seat), rng)
            copy.bout = self.bout._replace(state=state)
        return copy


def benchmark_files(secrets: Secrets = "drawn") -> dict[PurePosixPath, str]:
    """The environments, descriptions and actions of the five games, as gg-bench lays them out.

    >>> [str(path) for path in benchmark_files()][:3]
    ['gg_bench/data/envs/env_175.py', 'gg_bench/data/descriptions/175.txt', \
'gg_bench/data/actions/175.txt']
    """
    data, files = PurePosixPath("gg_bench", "data"), {}
    for number, name in GAMES.items():
        env = SelfPlayEnv(name, secrets=secrets)
        files[data / "envs" / f"env_{number}.py"] = ENVIRONMENT.format(
            title=env.game.title, number=number, name=name, secrets=secrets
        )
        files[data / "descriptions" / f"{number}.txt"] = describe_game(env)
        files[data / "actions" / f"{number}.txt"] = describe_actions(env)
    return files


ENVIRONMENT: Final = '''\
"""{title} as gg-bench's game {number}, refereed by strongroom."""

from strongroom.doors.gg_bench import SelfPlayEnv


class CustomEnv(SelfPlayEnv):
    """{title}; its secrets, if it has any, are {secrets}."""

    def __init__(self):
        super().__init__("{name}", secrets="{secrets}")
'''


def describe_game(env: SelfPlayEnv) -> str:
    """The rules of a game, and how it is played in its environment."""
    hidden = env.is_set_up and env.game.secrets_each
    lines = [
        *(["The set-up is done: what each player hides was drawn at random."] if hidden else []),
        f"The players act strictly in turn. A player with nothing to decide plays {env.wait}.",
        f"A player whose win was decided by the other's action plays {env.wait}, too.",
        "An action that is not legal loses the game.",
        f"After {env.step_limit - 1} actions of both players together nobody has won.",
    ]
    told = "\n".join(f"- {line}" for line in lines)
    return f"{env.game.words.told_rules}\n\n## Playing by numbers\n\n{told}\n"


def describe_actions(env: SelfPlayEnv) -> str:
    """What each number of an environment's actions means, a line for each."""
    mention, actions = env.game.words.mention, env.game.actions
    lines = [f"{action}: {mention(actions[number])}" for action, number in enumerate(env.numbers)]
    return "\n".join(["Each number is an action:", *lines, f"{env.wait}: wait", ""])
