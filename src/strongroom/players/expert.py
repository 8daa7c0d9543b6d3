"""The player who knows one or two good ideas per game, and follows them without a slip."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from typing import ClassVar, Final

import numpy as np

from strongroom.contract import Event, Move, Seat, View
from strongroom.games.codes import Code
from strongroom.games.guessing import GuessingGame, code_digits
from strongroom.games.quantum_duel.rules import (
    Board,
    Observe,
    Reply,
    adjacent,
    chained,
    possible_observations,
    settle_board,
    with_cell,
)
from strongroom.games.safe_code.clues import Clue
from strongroom.games.safe_code.rules import REQUEST, Number
from strongroom.games.safecracker_duel.rules import INITIAL_SAFE
from strongroom.players.ideas import (
    CORNERS,
    TOWARDS_THE_MIDDLE,
    Codes,
    Guess,
    Idea,
    Mixture,
    PlayerByIdeas,
    Searches,
    Uniform,
    UniformByKind,
    codes_left,
    guesses_of,
    numbers_left,
    rather_in_the_middle,
    results,
    turn_back,
)

# --- Safecracker Duel ---

RISKLESS: Final = 3
"""After this many turns changing back is safe: the opponent has just failed to win from there."""

IN_SIGHT: Final = 2
"""How far from its own code it may leave the safe, so that a careless opponent can help it."""


class DrawsThenChangesBack(Idea):
    """Hides near the first safe; then takes a win, draws a turn, or undoes the opponent's.

    It hides any code one digit from 1-1-1 and takes a win if there is one. Otherwise it draws
    its turns uniformly from those that leave its code at most two digits away, so that nobody
    can read it, until from the fourth turn of the game on it undoes the opponent's change
    instead.
    """

    def policy(self, view: View) -> Mixture:
        """The mixture of codes, or of changes."""
        if view.setting_up:
            return Uniform([code for code in view.moves if _apart(code, INITIAL_SAFE) == 1])
        own = view.secret[0]
        turns = results(view)
        winning = [turn for turn, safe in turns.items() if safe == own]
        if winning:
            return Uniform(winning[:1])
        if view.turns >= RISKLESS:
            return Uniform([turn_back(view)])
        return Uniform([turn for turn, safe in turns.items() if _apart(own, safe) <= IN_SIGHT])


def _apart(one: Move, other: Move) -> int:
    """The number of digits in which two codes differ."""
    assert isinstance(one, Code)
    assert isinstance(other, Code)
    return sum(a != b for a, b in zip(one.digits, other.digits, strict=True))


# --- Safe Cracker and Digit Deductions ---

CLOSE: Final = 2
"""With at most this many codes or numbers left, the opponent is likely to win next turn."""
JUDGED: Final = 256
"""More codes than this are judged by a sample of this size, for speed."""


class Splits(Idea):
    """Hides any code; then makes the guess that best splits the codes left.

    It hides any code and makes the guess that is expected to leave the fewest codes; between
    equals it prefers one that may be right. When the opponent has at most two codes left to
    try, or it has one guess left itself, it guesses only codes that may be right.
    """

    def policy(self, view: View) -> Mixture:
        """The mixture of codes, to hide or to guess."""
        if view.setting_up:
            return Uniform(view.moves)
        return Uniform(splitting_guesses(view, must_hit(view)))


def splitting_guesses(view: View, hit: bool) -> list[Move]:
    """The mover's guesses that leave the fewest codes; with `hit`, only possible ones."""
    assert view.seat is not None
    assert isinstance(view.game, GuessingGame)
    return [*map(Code, best_guesses(view.game, guesses_of(view, view.seat), hit))]


def must_hit(view: View) -> bool:
    """Whether there will probably be no next turn."""
    game = view.game
    assert view.seat is not None
    if game.most_turns is not None and view.turns >= game.most_turns - 2:
        return True
    return len(codes_left(game, guesses_of(view, view.seat.other))) <= CLOSE


@lru_cache(maxsize=1 << 14)
def best_guesses(
    game: GuessingGame, own: tuple[Guess, ...], hit: bool
) -> tuple[tuple[int, ...], ...]:
    """The guesses that leave the fewest codes on average; with `hit`, only possible ones."""
    left = codes_left(game, own)
    judged = _sample(left)
    tried = judged if hit else np.concatenate([judged, _sample(code_digits(game.space))])
    # Guesses that may be right come first in `tried`; a bonus of a half breaks ties for them.
    expense = _squares(game, tried, judged).astype(float)
    expense[: len(judged)] -= 0.5
    best = tried[expense == expense.min()]
    return tuple(sorted({tuple(map(int, digits)) for digits in best}))


def _squares(
    game: GuessingGame, guesses: Codes, codes: Codes
) -> np.ndarray[tuple[int], np.dtype[np.intp]]:
    """For each guess, the sum of the squares of the parts into which it splits the codes."""
    told = game.answers_to(guesses[:, np.newaxis], codes[np.newaxis])
    kinds = int(told.max()) + 1
    rows = kinds * np.arange(len(guesses))[:, np.newaxis]
    parts = np.bincount((told + rows).ravel(), minlength=kinds * len(guesses))
    return np.asarray((parts.reshape(-1, kinds) ** 2).sum(axis=1))


def _sample(codes: Codes) -> Codes:
    """The codes, or a fixed sample of them if there are too many."""
    if len(codes) <= JUDGED:
        return codes
    return codes[np.random.default_rng(0).choice(len(codes), JUDGED, replace=False)]


class CornersThenSplits(Idea):
    """Hides near the middle; opens with a corner, then guesses what splits best, or shoots.

    It hides two digits, each likelier the nearer it is to 5, opens with any corner, and then
    makes the guess that is expected to leave the fewest numbers; between equals it prefers one
    that may be right. When the opponent has at most two numbers left to try, it guesses any
    number that may be right, with a preference for the middle of the board over its edge.
    """

    def policy(self, view: View) -> Mixture:
        """The mixture of numbers, to hide or to guess."""
        if view.setting_up:
            return TOWARDS_THE_MIDDLE
        assert view.seat is not None
        own = guesses_of(view, view.seat)
        if not own:
            return Uniform(CORNERS)
        if not must_hit(view):
            return Uniform(splitting_guesses(view, hit=False))
        return rather_in_the_middle(
            Code(tuple(map(int, digits))) for digits in codes_left(view.game, own)
        )


# --- Safe Code ---

SHARE_AT_FIRST: Final = 0.5
LOST_TURN: Final = 2
"""Trying n numbers takes (n + 1) / 2 turns, so a turn spent must save two numbers."""


class AsksWhileItPays(Idea):
    """Hides any number and writes weak clues; asks where it pays, else guesses what fits.

    It hides any number, writes clues that rule out one number each, and guesses what fits. It
    asks for a clue while the next one, if it is as strong as the last (the first: half of the
    numbers), should rule out more than the two numbers that a turn is worth, and the opponent
    has more than two numbers to try.
    """

    def policy(self, view: View) -> Mixture:
        """The mixture of numbers or of clues, or the request for one."""
        if view.setting_up:
            return weakest_clues(view.moves) if view.secret else Uniform(view.moves)
        own = [event for event in view.history if event.actor is view.seat]
        others = [event for event in view.history if event.actor is not view.seat]
        left = numbers_left(own)
        opponent_is_close = len(numbers_left(others)) <= CLOSE
        if not opponent_is_close and REQUEST in view.moves and asking_pays(own, len(left)):
            return Uniform([REQUEST])
        return Uniform([*map(Number, sorted(left))])


def weakest_clues(moves: Sequence[Move]) -> Mixture:
    """The clues that rule out least: uniform over what they rule out, then over wordings."""
    clues = [move for move in moves if isinstance(move, Clue)]
    weakest = max(len(clue.meaning) for clue in clues)
    words: dict[frozenset[int], list[Clue]] = {}
    for clue in clues:
        if len(clue.meaning) == weakest:
            words.setdefault(clue.meaning, []).append(clue)
    # A uniform draw over all sentences would favour what has most wordings, and tell something.
    return UniformByKind([*map(Uniform, words.values())])


def asking_pays(own: Sequence[Event], left: int) -> bool:
    """Whether one more clue, as sharp as the last one, is worth more than the turn it costs."""
    return left * (1 - _share_left_by_last_clue(own)) > LOST_TURN


def _share_left_by_last_clue(own: Sequence[Event]) -> float:
    asked = [number for number, event in enumerate(own) if event.move == REQUEST]
    if not asked:
        return SHARE_AT_FIRST
    before, after = (numbers_left(own[:end]) for end in (asked[-1], asked[-1] + 1))
    return len(after) / len(before)


# --- Quantum Duel ---

AHEAD: Final = 6
SLIPS: Final = 0.2
"""How often the opponent is assumed to move at random."""


class LooksAhead(Idea):
    """Makes the move with the best chance to win within its search depth.

    It looks six placements ahead, with every challenge and both sides of the coin, and takes
    the best chance to win; a position beyond that counts one half. It assumes that the opponent
    does the same but moves at random one time in five, so it sets traps where nothing can be
    forced.
    """

    def policy(self, view: View) -> Mixture:
        """The best cells, or the best replies to an observation."""
        assert view.seat is not None
        worth = {move: round(_worth(view, view.seat, move), 9) for move in view.moves}
        most = max(worth.values())
        return Uniform([move for move in view.moves if worth[move] == most])


def _worth(view: View, me: Seat, move: Move) -> float:
    if isinstance(move, Observe):
        return _chance_after(view.board, move.cell, me, me, AHEAD)
    assert isinstance(move, Reply)
    placed = view.history[-1].move
    assert isinstance(placed, Observe)
    before = with_cell(view.board, placed.cell, None)
    unchallenged, challenged = _replies(before, placed.cell, me.other, me, AHEAD)
    return challenged if move.challenge else unchallenged


@lru_cache(maxsize=1 << 16)
def _to_move(board: Board, mover: Seat, me: Seat, ahead: int) -> float:
    """My chance to win on the mover's turn, looking this many placements ahead."""
    if ahead == 0:
        return 0.5
    chances = [
        _chance_after(board, each.cell, mover, me, ahead) for each in possible_observations(board)
    ]
    return _choice(chances, mover is me)


def _chance_after(board: Board, cell: int, mover: Seat, me: Seat, ahead: int) -> float:
    """My chance to win when the mover places a symbol."""
    if adjacent(board, cell, mover):
        return _choice(_replies(board, cell, mover, me, ahead), mover is not me)
    return _stands(board, cell, mover, me, ahead)


def _replies(board: Board, cell: int, mover: Seat, me: Seat, ahead: int) -> tuple[float, float]:
    """My chances to win when a placement is not challenged, and when it is."""
    stands = _stands(board, cell, mover, me, ahead)
    fails = _after(board, mover.other, me, ahead - 1)
    return stands, (stands + fails) / 2


def _stands(board: Board, cell: int, mover: Seat, me: Seat, ahead: int) -> float:
    """My chance to win when a placement stands."""
    after = with_cell(board, cell, mover)
    if chained(after, mover):
        return float(mover is me)
    return _after(settle_board(after)[0], mover.other, me, ahead - 1)


def _after(board: Board, mover: Seat, me: Seat, ahead: int) -> float:
    return _to_move(_mirror(board), mover, me, ahead)


@cache
def _mirror(board: Board) -> Board:
    """A board or its mirror image: they are worth the same, so only one is searched."""
    return min(board, board[::-1], key=lambda cells: [each.value if each else 3 for each in cells])


def _choice(chances: Sequence[float], mine: bool) -> float:
    """The value of a choice: mine is the best for me, the opponent's the worst but for slips."""
    if mine:
        return max(chances)
    return (1 - SLIPS) * min(chances) + SLIPS * sum(chances) / len(chances)


# --- all games ---


class ExpertPlayer(PlayerByIdeas):
    """Plays each game by a good idea; where a habit would be predictable, it draws from `rng`."""

    ideas: ClassVar[Mapping[str, type[Idea]]] = {
        "safecracker-duel": DrawsThenChangesBack,
        "safe-cracker": Splits,
        "safe-code": AsksWhileItPays,
        "digit-deductions": CornersThenSplits,
        "quantum-duel": LooksAhead,
    }
    usual = Searches
