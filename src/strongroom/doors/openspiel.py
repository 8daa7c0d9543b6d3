"""The games as games of OpenSpiel, registered on import: `strongroom_safe_cracker` and so on.

No rule is written here. A player's action is the number of its move; a chance outcome is counted
from the first move of chance. It needs the extra `openspiel`. Its searches as players are in
`openspiel_bots`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import Field, fields
from random import Random
from typing import Any, Final

import numpy as np

from strongroom.contract import (
    CHANCE,
    AnyState,
    Game,
    Move,
    NotLegal,
    Options,
    Phase,
    Refusal,
    Seat,
    Sublist,
    View,
)
from strongroom.minds.observation import EVENT, Observer, remember
from strongroom.players.master import MasterPlayer
from strongroom.plugins.extras import extra
from strongroom.plugins.foreign import FAILURES
from strongroom.plugins.registry import GAMES, load, names
from strongroom.referee.bout import TURN_LIMIT, UNDECIDED, Bout, moves_to
from strongroom.theory.worth import Policy

with extra("openspiel", "strongroom.doors.openspiel"):
    import pyspiel
    from open_spiel.python import policy as openspiel_policy

LONGEST: Final = 1_000_000
"""The highest turn limit."""
BY_CHANCE, OVER = int(pyspiel.PlayerId.CHANCE), int(pyspiel.PlayerId.TERMINAL)
ACTORS: Final = {Seat.ONE: 0, Seat.TWO: 1, CHANCE: BY_CHANCE, None: OVER}
PRIVATE = ("seat", "own")
"""Which parts of a vector only its seat may know; everybody may know the others."""


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


# --- states ---------------------------------------------------------------------------------------


class OpenSpielState(pyspiel.State):
    """The state of a game as OpenSpiel sees it; `bout` is our own."""

    def __init__(self, game: OpenSpielGame) -> None:
        super().__init__(game)
        self._numbering = game.numbering
        self._state = game.numbering.start
        self._actor = ACTORS[self._state.actor]

    @property
    def bout(self) -> Bout:
        """Our state, with the turn limit."""
        return Bout(self._state, self._numbering.turn_limit)

    def current_player(self) -> int:
        """Who is to move: 0, 1, or OpenSpiel's numbers for chance and for the end."""
        return self._actor

    # OpenSpiel's own versions of the next three call back from C++ several times for one answer.

    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return self._actor == OVER

    def is_chance_node(self) -> bool:
        """Whether chance is to move."""
        return self._actor == BY_CHANCE

    def legal_actions(self, player: int | None = None) -> list[int]:
        """The actions of the player who is to move, or what chance can decide."""
        if self._actor < 0 or (player is not None and player != self._actor):
            return self._legal_actions_otherwise(player)
        return self._numbering.numbers(self._state.moves)

    def _legal_actions_otherwise(self, player: int | None) -> list[int]:
        actions: list[int] = super().legal_actions(*() if player is None else (player,))
        return actions

    def _legal_actions(self, player: int) -> list[int]:
        return self._numbering.numbers(self._state.moves)

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """What chance can decide, with the probabilities."""
        state, first = self._state, self._numbering.first_of_chance
        numbers = self._numbering.numbers(state.moves)
        return [(number - first, odds) for number, odds in zip(numbers, state.odds, strict=True)]

    def _apply_action(self, number: int) -> None:
        numbering = self._numbering
        if self._actor < 0:
            if self._actor == OVER:
                raise NotLegal("The game is over.")
            number += numbering.first_of_chance
        self._state = state = self._state.play(numbering.moves[number])
        self._actor = ACTORS[state.actor] if state.turns < numbering.turn_limit else OVER

    def _action_to_string(self, player: int, number: int) -> str:
        first = self._numbering.first_of_chance if player == BY_CHANCE else 0
        return str(self._numbering.moves[number + first])

    def returns(self) -> list[float]:
        """Each player's result; 0 as long as nobody has won."""
        return results(self.bout)

    def resample_from_infostate(self, player: int, draw: Callable[[], float]) -> OpenSpielState:
        """A state that looks the same to a player, with what is hidden drawn again."""
        view = self.bout.view(Seat(player + 1))
        state: OpenSpielState = self.get_game().fitting(view, Random(draw()))
        return state

    def __str__(self) -> str:
        return " ".join(map(str, moves_to(self._state)))

    def __reduce__(self) -> tuple[Any, ...]:
        return replay_actions, (self.get_game(), self.history())


def replay_actions(game: OpenSpielGame, actions: list[int]) -> OpenSpielState:
    """The state to which actions lead."""
    state = game.new_initial_state()
    for action in actions:
        state.apply_action(action)
    return state


def results(bout: Bout) -> list[float]:
    """Each player's result, 0 as long as nobody has won."""
    outcome = bout.outcome or UNDECIDED
    return [outcome.reward(seat) for seat in Seat]


class Numbering:
    """The moves of a game by number, and the numbers of legal moves."""

    def __init__(self, rules: Game, turn_limit: int) -> None:
        self.turn_limit = turn_limit
        self.moves = Moves(rules)
        self._actions = rules.actions
        chance = rules.actions.section(Phase.CHANCE)
        self.first_of_chance, self.chances = chance.start, len(chance)
        self._held: dict[int, tuple[Sequence[Move], list[int]]] = {}
        self.start = rules.start()

    def __deepcopy__(self, memo: object) -> Numbering:
        return self  # a state is cloned with it

    def numbers(self, moves: Sequence[Move]) -> list[int]:
        """The numbers of legal moves."""
        held = self._held.get(id(moves))  # nothing else has their id as long as they are held
        if held is not None:
            return held[1].copy()
        numbers = self._actions.numbers(moves)
        if not isinstance(moves, Sublist):
            remember(self._held, id(moves), (moves, numbers.copy()))
        return numbers


class Moves(dict[int, Move]):
    """Moves by number, each created when it is first asked for."""

    def __init__(self, rules: Game) -> None:
        super().__init__()
        self._rules = rules

    def __missing__(self, number: int) -> Move:
        if number not in range(len(self._rules.actions)):
            raise NotLegal(f"{number} is not the number of an action of {self._rules.name}.")
        move: Move = self._rules.actions[number]
        self[number] = move
        return move


# --- what players know ----------------------------------------------------------------------------


class OpenSpielObserver:
    """Writes what a player may know of a state, as OpenSpiel's observers do.

    With perfect recall it is everything in the player's view; without, only the latest event of its
    history. What only the others may know is never in it. With perfect recall, two views are equal
    if and only if their texts are.

    >>> state = pyspiel.load_game("strongroom_safe_cracker").new_initial_state()
    >>> for number in 0, 5, 8:
    ...     state.apply_action(number)
    >>> state.information_state_string(1)
    'seat 2, own 1-2-3, move 3, board None: 1 1-3-3 2'
    """

    def __init__(self, rules: Game, turn_limit: int, kind: Any = None, params: Any = None) -> None:
        if params:
            raise ValueError(f"These observers have no parameters; {params} was given.")
        kind = kind or pyspiel.IIGObservationType(perfect_recall=False)
        if kind.private_info == pyspiel.PrivateInfoType.ALL_PLAYERS:
            raise ValueError("No observer shows what several players keep private.")
        self._private = kind.private_info == pyspiel.PrivateInfoType.SINGLE_PLAYER
        self._public = kind.public_info
        self._memory = None if kind.perfect_recall else 1
        self._observer = Observer(rules, turn_limit, self._memory)
        self._parts = [
            (name, at)
            for name, at in self._observer.layout.items()
            if (self._private if name in PRIVATE else self._public) and at.start < at.stop
        ]
        self.tensor = np.zeros(sum(at.stop - at.start for _, at in self._parts), np.float32)
        self.dict: dict[str, Any] = {}
        start = 0
        for name, at in self._parts:
            part = self.tensor[start : start + at.stop - at.start]
            self.dict[name] = part.reshape(-1, EVENT) if name == "history" else part
            start += len(part)

    def set_from(self, state: Any, player: int) -> None:
        """Write what a player knows into `tensor`, and so into the parts in `dict`."""
        vector = self._observer.observe(state.bout.view(Seat(player + 1)))
        for name, at in self._parts:
            self.dict[name].flat = vector[at]

    def string_from(self, state: Any, player: int) -> str:
        """The same in one line of text."""
        view = state.bout.view(Seat(player + 1))
        told = [private_text(view)] if self._private else []
        told += [public_text(view, self._memory)] if self._public else []
        return ", ".join(told)


def private_text(view: View) -> str:
    """What only the viewer may know, as text."""
    return f"seat {view.seat and view.seat.value}, own {' and '.join(map(str, view.secret))}"


def public_text(view: View, memory: int | None = None) -> str:
    """What everybody may know, as text; `memory` limits it to so many of the latest events."""
    told = [f"move {view.number}, board {view.game.board_to_json(view.board)}:"]
    events = view.history if memory is None else view.history[-memory:]
    told += [f"{event.actor.value} {event.move} {event.answer}" for event in events]
    if view.secrets is not None:
        told += [f"over {view.outcome}", *(str(each) for both in view.secrets for each in both)]
    return " ".join(told)


# --- policies -------------------------------------------------------------------------------------


class OpenSpielPolicy(openspiel_policy.Policy):
    """A policy on views as a policy of OpenSpiel; it lists only actions that it may take."""

    def __init__(self, game: OpenSpielGame, policy: Policy) -> None:
        super().__init__(game, [0, 1])
        self._policy = policy

    def action_probabilities(
        self, state: OpenSpielState, player_id: int | None = None
    ) -> dict[int, float]:
        """The probability of each action."""
        player = state.current_player() if player_id is None else player_id
        view = state.bout.view(Seat(player + 1))
        index = view.game.actions.index
        return {index(move): float(odds) for move, odds in self._policy(view).items() if odds}


def master(game: OpenSpielGame) -> OpenSpielPolicy:
    """The certified player's policy, or a refusal if nothing is certified for these options.

    >>> duel = pyspiel.load_game("strongroom_quantum_duel")
    >>> master(duel).action_probabilities(duel.new_initial_state())
    {3: 1.0}
    """
    return OpenSpielPolicy(game, MasterPlayer(game.rules, Random()).policy)


class OpenSpielPlayer:
    """A policy or a bot of OpenSpiel as a player; it chooses at states that fit the player's view.

    A bot must choose by the state it is given, because that is a new one every time.
    """

    def __init__(self, decides: Any, game: OpenSpielGame, rng: Random) -> None:
        self._decides, self._game, self._rng = decides, game, rng

    def choose(self, view: View) -> Move:
        """The bot's move, or one drawn by the policy."""
        state = self._game.fitting(view, self._rng)
        if isinstance(self._decides, pyspiel.Bot):
            number = self._decides.step(state)
        else:
            odds = self._decides.action_probabilities(state)
            number = self._rng.choices([*odds], [*odds.values()])[0]
        move: Move = self._game.rules.actions[int(number)]
        return move


# --- registration ---------------------------------------------------------------------------------


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
