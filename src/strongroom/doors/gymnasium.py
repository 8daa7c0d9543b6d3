"""The games as environments of Gymnasium: one agent in a seat against any of our players.

Importing this module registers every game, `quantum-duel` as `strongroom/QuantumDuel-v0`. It needs
the extra `gymnasium`.
"""

from __future__ import annotations

from operator import index
from random import Random
from typing import Any

from strongroom.contract import NotLegal, Refusal, Seat
from strongroom.contract.moves import seat_of
from strongroom.doors.sitting import REWARDS, Reward, Sitting, check_choice, check_reward
from strongroom.minds.dialogue import Dialogue
from strongroom.minds.knowledge import Observation, observer_of
from strongroom.minds.observation import Vector
from strongroom.players import CERTIFIED, Player, check, player
from strongroom.plugins.extras import extra
from strongroom.plugins.registry import env_id, load, names
from strongroom.referee.bout import TURN_LIMIT, UNDECIDED
from strongroom.referee.randomness import stream

with extra("gymnasium", "strongroom.doors.gymnasium"):
    import gymnasium
    import numpy as np
    from numpy.typing import NDArray

SEEDS = 2**31
"""How many seeds an environment draws from for episodes that are given none."""


class SeatEnv(gymnasium.Env[Vector, np.int64]):
    """A seat of a game; actions are the numbers of moves, observations those of an `Observer`.

    Without a seat, each episode's seed tosses for one. The reward is the result at the end, or
    after each move minus what it cost in win probability, which is exact and known only against
    master. An action that is not legal loses the game; a game at its turn limit is truncated.

    >>> env = gymnasium.make("strongroom/QuantumDuel-v0", opponent="random", seat=1)
    >>> observation, info = env.reset(seed=1)
    >>> info["action_mask"].tolist()
    [1, 1, 1, 1, 1, 1, 1, 0, 0]
    >>> env.step(7)[1:]
    (-1.0, True, False, {'action_mask': array([0, 0, 0, 0, 0, 0, 0, 0, 0], dtype=int8), \
'result': -1.0, 'reason': 'yes is not a cell. Cells run from 1 to 7.'})
    """

    metadata = {"render_modes": ["ansi"], "render_fps": 1}  # noqa: RUF012 - the base class has it so

    def __init__(
        self,
        name: str,
        *,
        opponent: str | Player = CERTIFIED,
        seat: int | None = None,
        reward: Reward = "result",
        observation: Observation = "numbers",
        memory: int | None = None,
        turn_limit: int | None = TURN_LIMIT,
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        self.game = load(name, **options)
        self.opponent, self.turn_limit, self.render_mode = opponent, turn_limit, render_mode
        self.seat = None if seat is None else seat_of(seat)
        self.by_cost = reward == "cost"
        check_choice("reward", reward, REWARDS)
        if render_mode is not None:
            check_choice("render_mode", render_mode, self.metadata["render_modes"])
        check_reward(reward, opponent)
        if isinstance(opponent, str):
            check(player(opponent, self.game, Random(0)))
        elif isinstance(opponent, type) or not callable(getattr(opponent, "choose", None)):
            raise Refusal("The opponent must be a player's name, or an object with choose(view).")
        self.observer = observer = observer_of(self.game, observation, turn_limit, memory)
        """What turns views into observations; its `layout` says where what stands."""
        most, shape, dtype = observer.largest, (observer.size,), observer.dtype.type
        self.observation_space = gymnasium.spaces.Box(observer.least, most, shape, dtype)
        self.action_space = gymnasium.spaces.Discrete(observer.actions)
        self.sitting: Sitting | None = None
        """The game of this episode, with its view, its costs and its record."""

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Vector, dict[str, Any]]:
        """Start the game of a seed; without one, the next of the environment's own seeds."""
        super().reset(seed=seed)
        if seed is None:
            seed = int(self.np_random.integers(SEEDS))
        self._leave_game()
        seat = self.seat or stream(seed, "toss").choice([*Seat])
        self.sitting = Sitting(self.game, self.opponent, seat, seed, self.turn_limit)
        view = self.sitting.view
        return self.observer.observe(view), {"action_mask": self.observer.mask(view)}

    def step(self, action: Any) -> tuple[Vector, float, bool, bool, dict[str, Any]]:
        """Make a move, and let chance and the opponent go on until it is this seat's turn again."""
        sitting, number = self.sitting, index(action)
        if sitting is None or sitting.view.outcome is not None:
            raise gymnasium.error.ResetNeeded("The game is over or has not begun: call reset.")
        if 0 <= number < self.observer.actions:
            try:
                sitting.play(self.observer.moves[number])
            except NotLegal as refusal:
                sitting.give_up(str(refusal))
        else:
            sitting.give_up(
                f"There is no action {number}: they run to {self.observer.actions - 1}."
            )
        view = sitting.view
        info: dict[str, Any] = {"action_mask": self.observer.mask(view)}
        ended = view.outcome
        reward = -sitting.cost() if self.by_cost else 0.0 if ended is None else sitting.result
        if ended is None:
            return self.observer.observe(view), reward, False, False, info
        info |= {"result": sitting.result, "reason": ended.detail or ended.reason.value}
        if self.by_cost:
            info["costs"] = tuple(sitting.costs)
        undecided = ended is UNDECIDED
        return self.observer.observe(view), reward, not undecided, undecided, info

    def close(self) -> None:
        """Leave the game of this episode, if it is not over."""
        self._leave_game()

    def _leave_game(self) -> None:
        if self.sitting is not None:
            self.sitting.leave()

    def action_masks(self) -> NDArray[np.bool_]:
        """For every action, whether it is legal now, as sb3-contrib's MaskablePPO asks for it."""
        return self.observer.mask(self._sitting.view).astype(bool)

    def render(self) -> str | None:
        """What the seat knows now, in words and with the board."""
        if self.render_mode is None:
            return None
        return "\n".join(Dialogue(self.game).position(self._sitting.view))

    @property
    def _sitting(self) -> Sitting:
        if self.sitting is None:
            raise gymnasium.error.ResetNeeded("Call reset first.")
        return self.sitting


for _name in names("game"):
    if env_id(_name) not in gymnasium.registry:
        # The environment enforces the order of calls itself, without a wrapper around each step.
        gymnasium.register(
            env_id(_name), f"{__name__}:SeatEnv", order_enforce=False, kwargs={"name": _name}
        )
