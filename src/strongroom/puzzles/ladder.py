"""The ladder of players, from one-line rules to a search, that puzzles are admitted and graded by.

Each rung is a mixture of moves in a view. It misses a position if its move is right there at most
half of the time.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from random import Random
from typing import Final

from strongroom.contract import Game, Move, Refusal, View
from strongroom.games.codes import Code
from strongroom.games.quantum_duel.rules import CELLS, Observe, Reply
from strongroom.games.safecracker_duel.rules import Change
from strongroom.players import CERTIFIED, player
from strongroom.players.ideas import Mixture, PlayerByIdeas, Uniform, safe_before
from strongroom.theory.shelf import solution_of
from strongroom.theory.solution import TIE

Rung = Callable[[View], Mixture | None]
"""The probability of each move in a view; None where the player has nothing to say."""
RIGHT: Final = 1e-9
"""A move that costs no more than this is right."""
MISSES: Final = 0.5
"""A player misses a position if it is right there at most this often."""
EQUAL: Final = 1e-9
"""Odds that differ by less are equal."""


def _among(moves: Sequence[Move]) -> Mixture | None:
    """Any of these moves; None if there is none."""
    return Uniform(moves) if moves else None


# --- one-line rules -----------------------------------------------------------------------------


def _any_move(view: View) -> Mixture | None:
    return Uniform(view.moves)


def _any_that_fits(view: View) -> Mixture | None:
    return _among([*_odds(view)])


def _likeliest(view: View) -> Mixture | None:
    odds = _odds(view)
    return _among([*(likeliest(odds) or odds)] if odds else [])


def likeliest(chances: Mapping[Move, float]) -> set[Move]:
    """The secrets that are likelier than others; empty if all are equally likely."""
    most, least = max(chances.values()), min(chances.values())
    if most - least < EQUAL:
        return set()
    return {move for move, chance in chances.items() if chance > most - EQUAL}


def _odds(view: View) -> Mapping[Move, float]:
    """How likely each secret is; empty where nothing is hidden or the odds are not known."""
    assert isinstance(view.game, Game)
    return solution_of(view.game).worth.odds(view) or {}


def _replies(view: View, challenge: bool) -> Mixture | None:
    return _among([move for move in view.moves if move == Reply(challenge)])


def _cells(view: View) -> list[Observe]:
    return [move for move in view.moves if isinstance(move, Observe)]


def _nearest_the_middle(view: View) -> Mixture | None:
    away = {move: abs(2 * move.cell - CELLS - 1) for move in _cells(view)}
    return _among([move for move, far in away.items() if far == min(away.values())])


def _beside(view: View, own: bool, wanted: bool = True) -> Mixture | None:
    """Any cell with a symbol of one player in a neighbouring cell, or any without."""
    assert view.seat is not None
    owner = view.seat if own else view.seat.other

    def is_beside(move: Observe) -> bool:
        near = [cell for cell in (move.cell - 1, move.cell + 1) if 1 <= cell <= CELLS]
        return any(view.board[cell - 1] is owner for cell in near)

    return _among([move for move in _cells(view) if is_beside(move) is wanted])


def _turns(view: View) -> list[Change]:
    return [move for move in view.moves if isinstance(move, Change)]


def _towards_own_code(view: View) -> Mixture | None:
    digits = [each.digits for each in view.secret if isinstance(each, Code)]
    return _among([move for move in _turns(view) if digits[0][move.position - 1] == move.digit])


def _undoes_the_last_turn(view: View) -> Mixture | None:
    turns = _turns(view) if view.history else []
    return _among([move for move in turns if move.applied_to(view.board) == safe_before(view)])


EVERYWHERE: Final[Mapping[str, Rung]] = {
    "any legal move": _any_move,
    "any secret that fits": _any_that_fits,
    "the likeliest secret": _likeliest,
}
"""The one-line rules of every game."""
OF_GAMES: Final[Mapping[str, Mapping[str, Rung]]] = {
    "quantum-duel": {
        "the cell nearest the middle": _nearest_the_middle,
        "a cell beside your own": partial(_beside, own=True),
        "a cell beside the opponent's": partial(_beside, own=False),
        "a cell away from your own": partial(_beside, own=True, wanted=False),
    },
    "safecracker-duel": {
        "towards your own code": _towards_own_code,
        "undo the last turn": _undoes_the_last_turn,
    },
}
"""The further one-line rules of a game, by its name."""
CONSTANT: Final[Mapping[str, Rung]] = {
    "always challenge": partial(_replies, challenge=True),
    "never challenge": partial(_replies, challenge=False),
}
"""The answers to a yes/no question. One of them is right, so no position has both miss it."""


def asks_yes_or_no(view: View) -> bool:
    """Whether the question has the same two answers in every position."""
    return any(rule(view) for rule in CONSTANT.values())


def rules_of(game: Game) -> Mapping[str, Rung]:
    """The one-line rules that have to miss every puzzle of a game, by name."""
    return {**EVERYWHERE, **OF_GAMES.get(game.name, {})}


# --- players ------------------------------------------------------------------------------------


def bot(name: str, view: View) -> Mixture:
    """A bot's mixture of moves."""
    assert isinstance(view.game, Game)
    seated = player(name, view.game, Random(name))
    assert isinstance(seated, PlayerByIdeas)
    return {move: float(chance) for move, chance in seated.policy(view).items()}


def _certified_mixture(view: View) -> Mixture:
    assert isinstance(view.game, Game)
    return {move: float(p) for move, p in solution_of(view.game).policy(view).items()}


def _search(view: View, turns: int) -> Mixture | None:
    """The best moves if the game, still open after so many turns, counts as half a win."""
    assert isinstance(view.game, Game)
    worth = solution_of(view.game).worth
    try:
        values = worth.moves(view, turns)
    except Refusal:
        return None  # nothing is known of this game with a limit
    most = max(values.values())
    return _among([move for move, value in values.items() if value > most - TIE])


CASUAL: Final = "casual"
"""The bot that has to miss every puzzle, like the one-line rules."""
LADDER: Final[Mapping[str, Rung]] = {
    "expert": partial(bot, "expert"),
    "a search of 3 turns": partial(_search, turns=3),
    "a search of 4 turns": partial(_search, turns=4),
    CERTIFIED: _certified_mixture,
}
"""The players by whom a puzzle is graded: each that misses it adds a lamp to the first one."""


# --- who misses ---------------------------------------------------------------------------------


def share_right(rung: Rung, view: View, costs: Mapping[Move, float]) -> float:
    """How often a player is right in a position; 0 where it has nothing to say."""
    mixture = rung(view) or {}
    return sum(chance for move, chance in mixture.items() if costs[move] <= RIGHT)


def misses(rung: Rung, view: View, costs: Mapping[Move, float]) -> bool:
    """Whether a player is right at most half of the time."""
    return share_right(rung, view, costs) <= MISSES + RIGHT


def shares(positions: Sequence[tuple[View, Mapping[Move, float]]]) -> dict[str, float]:
    """What share of some positions each rung of the ladder solves, on average over its choices.

    Rungs that have nothing to say about any of them are left out.
    """
    further = {name: rung for rungs in OF_GAMES.values() for name, rung in rungs.items()}
    casual = {CASUAL: partial(bot, CASUAL)}
    rungs: dict[str, Rung] = {**EVERYWHERE, **further, **CONSTANT, **casual, **LADDER}
    return {
        name: sum(share_right(rung, *each) for each in positions) / len(positions)
        for name, rung in rungs.items()
        if any(rung(view) for view, _ in positions)
    }
