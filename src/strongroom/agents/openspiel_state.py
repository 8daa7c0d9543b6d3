"""The states of the games in OpenSpiel: our own, with moves by number.

OpenSpiel's C++ asks the same few things at every step, so they are answered quickly.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import TYPE_CHECKING, Any, Final

from strongroom.agents.observation import kept
from strongroom.contract import CHANCE, Game, Move, NotLegal, Phase, Seat, Sublist
from strongroom.plugins.extras import extra
from strongroom.referee.bout import UNDECIDED, Bout, moves_to

with extra("openspiel", "strongroom.agents.openspiel"):
    import pyspiel

if TYPE_CHECKING:  # it imports this file
    from strongroom.agents.openspiel import OpenSpielGame

BY_CHANCE, OVER = int(pyspiel.PlayerId.CHANCE), int(pyspiel.PlayerId.TERMINAL)
ACTORS: Final = {Seat.ONE: 0, Seat.TWO: 1, CHANCE: BY_CHANCE, None: OVER}


class OpenSpielState(pyspiel.State):
    """The state of a game; our own is in `bout`."""

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
        return replayed, (self.get_game(), self.history())


def replayed(game: OpenSpielGame, actions: list[int]) -> OpenSpielState:
    """The state to which a history leads."""
    state = game.new_initial_state()
    for action in actions:
        state.apply_action(action)
    return state


def results(bout: Bout) -> list[float]:
    """What each player has won."""
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
            kept(self._held, id(moves), (moves, numbers.copy()))
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
