"""The games as games of OpenSpiel, so that its algorithms can play them; no rule is written here.

A player's action is the number of its move; a chance outcome is counted from the first move of
chance. It needs the extra `openspiel`.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import numpy as np
import pyspiel

from strongroom.contract import CHANCE, AnyState, Game, Move, Phase, Seat, View
from strongroom.referee.bout import TURN_LIMIT, Bout, moves_to


class OpenSpielGame(pyspiel.Game):
    """One of our games, as OpenSpiel sees it: a win is 1, a loss -1, an undecided game 0.

    >>> from strongroom import load
    >>> state = OpenSpielGame(load("quantum-duel")).new_initial_state()
    >>> state.apply_action(3)
    >>> state.legal_actions(), state.action_to_string(4)
    ([0, 1, 2, 4, 5, 6], '5')
    """

    def __init__(self, rules: Game, turn_limit: int = TURN_LIMIT) -> None:
        self.rules = rules
        self.turn_limit = turn_limit
        own, chance = (rules.actions.section(each) for each in (Phase.TURN, Phase.CHANCE))
        self.first_of_chance = chance.start
        kind = pyspiel.GameType
        chances, information = kind.ChanceMode, kind.Information
        game_type = kind(
            short_name=f"strongroom_{rules.name.replace('-', '_')}",
            long_name=rules.title,
            dynamics=kind.Dynamics.SEQUENTIAL,
            chance_mode=chances.EXPLICIT_STOCHASTIC if chance else chances.DETERMINISTIC,
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
            provides_information_state_tensor=False,
            provides_observation_string=False,
            provides_observation_tensor=False,
        )
        info = pyspiel.GameInfo(
            num_distinct_actions=max(own.stop, rules.actions.section(Phase.SET_UP).stop),
            max_chance_outcomes=len(chance),
            num_players=2,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=rules.longest_game(turn_limit) or 0,
        )
        super().__init__(game_type, info, {})

    def new_initial_state(self) -> OpenSpielState:
        """The state before the first move."""
        return OpenSpielState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Knowledge:
        """What writes the information states."""
        return Knowledge()

    def state_at(self, state: AnyState) -> OpenSpielState:
        """The state that one of our states is here, with its whole history."""
        reached = self.new_initial_state()
        for move in moves_to(state):
            number = self.rules.actions.index(move)
            reached.apply_action(number - self.first_of_chance * reached.is_chance_node())
        return reached


class OpenSpielState(pyspiel.State):
    """The state of a game; our own is in `bout`."""

    def __init__(self, game: OpenSpielGame) -> None:
        super().__init__(game)
        self.bout = Bout.start(game.rules, game.turn_limit)
        self._first_of_chance = game.first_of_chance

    def current_player(self) -> int:
        """Who is to move: 0, 1, or OpenSpiel's numbers for chance and for the end."""
        actor = self.bout.actor
        if isinstance(actor, Seat):
            return actor.index
        found: int = pyspiel.PlayerId.CHANCE if actor is CHANCE else pyspiel.PlayerId.TERMINAL
        return found

    def _legal_actions(self, player: int) -> list[int]:
        state = self.bout.state
        runs = state.game.actions.ranges(state.moves)
        return [number for first, end in runs for number in range(first, end)]

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """What chance can decide, with the probabilities."""
        state = self.bout.state
        numbers = (state.game.actions.index(move) - self._first_of_chance for move in state.moves)
        return list(zip(numbers, state.odds, strict=True))

    def _apply_action(self, number: int) -> None:
        self.bout = self.bout.play(self._move(number, self.bout.actor is CHANCE))

    def _action_to_string(self, player: int, number: int) -> str:
        return str(self._move(number, player == pyspiel.PlayerId.CHANCE))

    def _move(self, number: int, by_chance: bool) -> Move:
        offset = self._first_of_chance if by_chance else 0
        move: Move = self.bout.state.game.actions[number + offset]
        return move

    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return self.bout.outcome is not None

    def returns(self) -> list[float]:
        """Each player's result; 0 as long as nobody has won."""
        return results(self.bout)

    def resample_from_infostate(self, player: int, draw: Callable[[], float]) -> OpenSpielState:
        """A state that looks the same to a player, with what is hidden drawn again."""
        game: OpenSpielGame = self.get_game()
        view = self.bout.view(list(Seat)[player])
        return game.state_at(game.rules.sample(view, Random(draw())))

    def __str__(self) -> str:
        return " ".join(map(str, moves_to(self.bout.state)))


class Knowledge:
    """Writes what a player knows: everything in its view, and nothing else."""

    def __init__(self) -> None:
        self.tensor = np.zeros(0, np.float32)
        self.dict: dict[str, Any] = {}

    def set_from(self, state: OpenSpielState, player: int) -> None:
        """Nothing: there are no tensors yet."""

    def string_from(self, state: OpenSpielState, player: int) -> str:
        """The information state of a player."""
        return knowledge(state.bout.view(list(Seat)[player]))


def results(bout: Bout) -> list[float]:
    """What each player has won."""
    winner = bout.outcome and bout.outcome.winner
    return [0.0 if winner is None else 1.0 if winner is seat else -1.0 for seat in Seat]


def knowledge(view: View) -> str:
    """All that a view tells, in one line: two views are equal if and only if their lines are.

    >>> from strongroom import load
    >>> game = load("safe-cracker")
    >>> state = game.start().play(game.move("1-1-1")).play(game.move("1-2-3"))
    >>> knowledge(state.play(game.move("1-3-3")).view(Seat.TWO))
    'seat 2, move 3, own 1-2-3, board None: 1 1-3-3 2'
    """
    board = view.game.board_to_json(view.board)
    own = " and ".join(map(str, view.secret))
    told = [f"seat {view.seat and view.seat.value}, move {view.number}, own {own}, board {board}:"]
    told += [f"{event.actor.value} {event.move} {event.answer}" for event in view.history]
    if view.secrets is not None:
        told += [f"over {view.outcome}", *(str(each) for both in view.secrets for each in both)]
    return " ".join(told)
