"""The games as games of OpenSpiel, registered on import: `strongroom_safe_cracker` and so on.

No rule is written here. A player's action is the number of its move; a chance outcome is counted
from the first move of chance. It needs the extra `openspiel`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import Field, fields
from random import Random
from typing import Any, Final

from strongroom.agents.openspiel_observer import OpenSpielObserver
from strongroom.agents.openspiel_state import Numbering, OpenSpielState
from strongroom.contract import AnyState, Game, Options, Phase, Refusal, View
from strongroom.plugins.extras import extra
from strongroom.plugins.foreign import FAILURES
from strongroom.plugins.registry import GAMES, load, names
from strongroom.referee.bout import TURN_LIMIT, moves_to

with extra("openspiel", "strongroom.agents.openspiel"):
    import pyspiel

LONGEST: Final = 1_000_000
"""The highest turn limit."""


class OpenSpielGame(pyspiel.Game):
    """One of our games, as OpenSpiel sees it: a win is 1, a loss -1, an undecided game 0.

    >>> state = pyspiel.load_game("strongroom_quantum_duel").new_initial_state()
    >>> state.apply_action(3)
    >>> state.legal_actions(), state.action_to_string(4)
    ([0, 1, 2, 4, 5, 6], '5')
    """

    def __init__(self, rules: Game, turn_limit: int = TURN_LIMIT) -> None:
        if not 1 <= turn_limit <= LONGEST:
            raise Refusal(
                f"turn_limit must be a number from 1 to {LONGEST}; you gave {turn_limit}."
            )
        self.rules, self.turn_limit = rules, turn_limit
        self.numbering = Numbering(rules, turn_limit)
        info = pyspiel.GameInfo(
            num_distinct_actions=rules.actions.by_players,
            max_chance_outcomes=self.numbering.chances,
            num_players=2,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=rules.longest_game(turn_limit) or 0,
        )
        super().__init__(game_type(rules), info, parameters(rules.options, turn_limit))

    def new_initial_state(self) -> OpenSpielState:
        """The state before the first move."""
        return OpenSpielState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> OpenSpielObserver:
        """What writes information states and observations, as numbers and as text."""
        return OpenSpielObserver(self.rules, self.turn_limit, iig_obs_type, params)

    def state_at(self, state: AnyState) -> OpenSpielState:
        """The state that one of our states is here, with its whole history."""
        reached, first = self.new_initial_state(), self.numbering.first_of_chance
        for move in moves_to(state):
            number = self.rules.actions.index(move)
            reached.apply_action(number - first * reached.is_chance_node())
        return reached

    def fitting(self, view: View, rng: Random) -> OpenSpielState:
        """A state that looks like a view to its seat, with what is hidden drawn at random."""
        return self.state_at(self.rules.sample(view, rng))

    def __reduce__(self) -> tuple[Any, ...]:
        return OpenSpielGame, (self.rules, self.turn_limit)


def game_type(rules: Game) -> Any:
    """What OpenSpiel is told about a game: its name, its parameters and what it offers."""
    kind = pyspiel.GameType
    by_chance = len(rules.actions.section(Phase.CHANCE)) > 0
    chances, information = kind.ChanceMode, kind.Information
    return kind(
        short_name=short_name(rules.name),
        long_name=rules.title,
        dynamics=kind.Dynamics.SEQUENTIAL,
        chance_mode=chances.EXPLICIT_STOCHASTIC if by_chance else chances.DETERMINISTIC,
        information=(
            information.IMPERFECT_INFORMATION
            if rules.secrets_each
            else information.PERFECT_INFORMATION
        ),
        utility=kind.Utility.ZERO_SUM,
        reward_model=kind.RewardModel.TERMINAL,
        max_num_players=2,
        min_num_players=2,
        provides_information_state_string=True,
        provides_information_state_tensor=True,
        provides_observation_string=True,
        provides_observation_tensor=True,
        provides_factored_observation_string=True,
        parameter_specification=parameters(rules.options_type(), TURN_LIMIT),
    )


def short_name(name: str) -> str:
    """The name of one of our games in OpenSpiel.

    >>> short_name("safe-cracker")
    'strongroom_safe_cracker'
    """
    return re.sub(r"\W", "_", f"strongroom_{name}")


def parameters(options: Options, turn_limit: int) -> dict[str, Any]:
    """Options and a turn limit as OpenSpiel's parameters, of which none can be None."""
    given = {each.name: getattr(options, each.name) for each in fields(options)}
    for each in fields(options):
        if given[each.name] is None:
            given[each.name] = _none(each)
    return {**given, "turn_limit": turn_limit}


def _none(option: Field[Any]) -> int:
    """The number that stands for None: the one below those that an option can have."""
    below: int = option.metadata["low"] - 1
    return below


def _creator(name: str) -> type:
    """What OpenSpiel calls with all the parameters of a game.

    It is a class, because OpenSpiel drops it after Python has shut down: a function would crash.
    """

    class Creator:
        def __new__(cls, given: Mapping[str, Any]) -> OpenSpielGame:
            values = dict(given)
            turn_limit = values.pop("turn_limit")
            for each in fields(load(name).options):
                if each.default is None and values[each.name] == _none(each):
                    values[each.name] = None
            return OpenSpielGame(load(name, **values), turn_limit)

    return Creator


def register() -> None:
    """Register every game with OpenSpiel, also those of other packages that load."""
    known = {*pyspiel.registered_names()}
    for name in names("game"):
        if short_name(name) in known:
            continue
        try:
            kind = game_type(load(name))
        except FAILURES:
            if name in GAMES:
                raise
            continue  # what is wrong with another package is told to whoever asks for its game
        pyspiel.register_game(kind, _creator(name))


register()
