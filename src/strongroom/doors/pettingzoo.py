"""The games as environments of PettingZoo, for agents in both seats; no rule is written here.

They are registered on import: `pettingzoo.make("aec", "strongroom/quantum_duel_v0")` is
`env("quantum-duel")`. It needs the extra `pettingzoo`.
"""

from __future__ import annotations

from math import inf
from operator import index
from random import Random
from typing import Any, Final

import numpy as np

from strongroom.contract import (
    CHANCE,
    AnyState,
    Ending,
    Game,
    NotLegal,
    Outcome,
    Refusal,
    Seat,
)
from strongroom.doors.sitting import check_choice
from strongroom.minds.knowledge import Observation, observer_of
from strongroom.plugins.extras import extra
from strongroom.plugins.registry import load, names
from strongroom.referee.bout import TURN_LIMIT, UNDECIDED, Bout
from strongroom.referee.randomness import Seed, draws, stream

with extra("pettingzoo", "strongroom.doors.pettingzoo"):
    from gymnasium import spaces
    from pettingzoo import AECEnv, register
    from pettingzoo.utils.env_logger import EnvLogger

AGENTS: Final = ("player_1", "player_2")
"""The agents: those in Seat.ONE and in Seat.TWO."""
SEATS: Final = dict(zip(AGENTS, Seat, strict=True))
RENDER_MODES: Final = ("ansi", "human")
ILLEGAL_REWARD: Final = -1.0
"""What an illegal action is rewarded with where it ends the game."""


class raw_env(AECEnv[str, dict[str, Any], int]):  # noqa: N801 - PettingZoo's name for it
    """A game between two agents, who get 1 for a win, -1 for a loss and 0 if nobody wins.

    An observation holds a vector of what the agent knows, and a mask of its legal actions; an
    illegal one is refused and changes nothing. The turn limit truncates a game. With a memory,
    vectors hold only so many of the latest events. Vectors are numbers, or flags as in batches.
    """

    def __init__(
        self,
        name: str,
        turn_limit: int | None = TURN_LIMIT,
        memory: int | None = None,
        render_mode: str | None = None,
        observation: Observation = "numbers",
        **options: Any,
    ) -> None:
        if render_mode is not None:
            check_choice("render_mode", render_mode, RENDER_MODES)
        game = load(name, **options)
        self.observer = observer = observer_of(game, observation, turn_limit, memory)
        """What writes the observations."""
        self.turn_limit, self.render_mode = turn_limit, render_mode
        self._last_turn = inf if turn_limit is None else turn_limit
        self.metadata = {
            "name": id_of(name),
            "render_modes": [*RENDER_MODES],
            "is_parallelizable": False,
        }
        self.possible_agents = [*AGENTS]
        size, actions = observer.size, observer.actions
        self.observation_spaces = {
            agent: spaces.Dict(
                observation=spaces.Box(
                    observer.least, observer.largest, (size,), observer.dtype.type
                ),
                action_mask=spaces.Box(0, 1, (actions,), np.int8),
            )
            for agent in AGENTS
        }
        self.action_spaces = {agent: spaces.Discrete(actions) for agent in AGENTS}
        self._seeds: Random | None = None

    @property
    def game(self) -> Game:
        """The game, with its options."""
        return self.observer.game

    def observation_space(self, agent: str) -> spaces.Dict:
        """The space of an agent's observations."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete[Any]:
        """The space of an agent's actions: the numbers of the moves that players can make."""
        return self.action_spaces[agent]

    def reset(self, seed: Seed = None, options: dict[str, Any] | None = None) -> None:
        """Start a game; after a seed, further games without one follow from it, too."""
        if seed is not None:
            self._seeds = stream(seed, "games")
        fresh = self._seeds or stream(None, "games")
        self._seed = fresh.getrandbits(63) if seed is None else seed
        self.agents = [*AGENTS]
        self.rewards = dict.fromkeys(AGENTS, 0.0)
        self._cumulative_rewards = dict.fromkeys(AGENTS, 0.0)
        self.terminations = dict.fromkeys(AGENTS, False)
        self.truncations = dict.fromkeys(AGENTS, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in AGENTS}
        self._go_on(self.game.start())

    def observe(self, agent: str) -> dict[str, Any]:
        """What an agent knows, and which actions it may take now.

        Once the game is over the mask is all ones: nothing is asked any more, and whoever divides
        by the number of legal actions can go on doing so.
        """
        observer, over = self.observer, self._outcome
        view = self._state.view(SEATS[agent], over)
        mask = observer.mask(view)
        if over is not None:
            mask[:] = 1
        return {"observation": observer.observe(view), "action_mask": mask}

    def step(self, action: int | None) -> None:
        """Take the selected agent's action, and let chance go on; None if the game is over."""
        if not self.agents:
            EnvLogger.warn_step_after_terminated_truncated()
        elif self._outcome is not None:
            self._was_dead_step(action)
        elif action is None or not 0 <= (number := index(action)) < self.observer.actions:
            told = f"{self.game.title} has no action {action}."
            raise Refusal(told, f"Actions run from 0 to {self.observer.actions - 1}.")
        else:
            try:
                state = self._state.play(self.observer.moves[number])
            except NotLegal as refusal:
                self._refuse(refusal)
            else:
                self._go_on(state)
            if self.render_mode == "human":
                self.render()

    @property
    def bout(self) -> Bout:
        """The game as the referee has it; no agent may know all of it."""
        return Bout(self._state, self.turn_limit)

    def _refuse(self, refusal: NotLegal) -> None:
        raise refusal

    def _go_on(self, state: AnyState) -> None:
        """Settle what chance decides, and select the agent to move; or end the game."""
        self._state = state
        self._outcome: Outcome | None = None
        if state.actor is CHANCE:
            self._state = state = self.bout.settle(draws(self._seed)).state
        if isinstance(state.actor, Seat) and state.turns < self._last_turn:
            self.agent_selection = AGENTS[state.actor.index]
            return
        outcome = self.bout.outcome
        assert outcome is not None
        self.rewards = {agent: outcome.reward(seat) for agent, seat in SEATS.items()}
        self._end(outcome, self.truncations if outcome is UNDECIDED else self.terminations)

    def _end(self, outcome: Outcome, ended: dict[str, bool]) -> None:
        self._outcome = outcome
        ended.update(dict.fromkeys(AGENTS, True))
        self._accumulate_rewards()
        self._deads_step_first()

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(f"There is no {name} here, or not yet: call reset first.")

    def render(self) -> str | None:
        """What a spectator may know, as text: returned, or printed in the mode `human`."""
        view, words = self.bout.view(None), self.game.words
        told = (
            words.page(view) if view.outcome is None else f"{words.page(view)}\n{words.say(view)}"
        )
        if self.render_mode == "human":
            print(told)
            return None
        return told

    def close(self) -> None:
        """Do nothing, because nothing is open."""


class env(raw_env):  # noqa: N801 - PettingZoo's name for it
    """A game in which an illegal action is the agent's last: it gets -1, and the other gets 0.

    So do the wrappers of PettingZoo's own games, at several times the cost of a move.

    >>> duel = env("quantum-duel", turn_limit=20)
    >>> duel.reset(seed=1)
    >>> duel.step(3)
    >>> duel.agent_selection, duel.last()[0]["action_mask"].tolist()
    ('player_2', [1, 1, 1, 0, 1, 1, 1, 0, 0])
    """

    def _refuse(self, refusal: NotLegal) -> None:
        EnvLogger.warn_on_illegal_move()
        loser = SEATS[self.agent_selection]
        self.rewards[self.agent_selection] = ILLEGAL_REWARD
        self._end(Outcome(loser.other, Ending.FORFEITED, str(refusal)), self.terminations)


def id_of(name: str) -> str:
    """The name of a game among PettingZoo's environments.

    >>> id_of("quantum-duel")
    'quantum_duel_v0'
    """
    return f"{name.replace('-', '_')}_v0"


for _name in names("game"):
    register("aec", f"strongroom/{id_of(_name)}", f"{__name__}:env", kwargs={"name": _name})
