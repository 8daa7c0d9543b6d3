"""The player who plays sensibly and errs like a person: it forgets, overlooks and is impatient."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from functools import reduce
from itertools import takewhile
from math import comb
from random import Random
from typing import ClassVar, Final, TypeVar

import numpy as np
from numpy.typing import NDArray

from strongroom.contract import Move, Seat, View
from strongroom.games.codes import Code
from strongroom.games.guessing import Unguessed
from strongroom.games.quantum_duel.rules import (
    CELLS,
    CHAIN,
    Board,
    Observe,
    Reply,
    chained,
    with_cell,
)
from strongroom.games.safe_code.clues import EVERYDAY_NUMBERS, Clue
from strongroom.games.safe_code.rules import REQUEST, Number, numbers_after
from strongroom.games.safecracker_duel.rules import Change, count_positions
from strongroom.players.ideas import (
    EDGE,
    TOWARDS_THE_MIDDLE,
    Codes,
    Guess,
    Idea,
    Mixture,
    PlayerByIdeas,
    Searches,
    Uniform,
    all_codes,
    blend,
    codes_left,
    draw,
    guesses_of,
    in_proportion,
    list_codes,
    numbers_left,
    rather_in_the_middle,
    results,
    turn_back,
)

T = TypeVar("T")
S = TypeVar("S", bound=Hashable)

FORGETS: Final = 0.2
"""How often it forgets, for a turn, each thing that it was told except the latest."""
OVERLOOKS: Final = 0.2
"""How often it does not see what is on the board: a win, a block, a reason to challenge."""


def recall(told: Sequence[T], known: S, learn: Callable[[S, T], S]) -> dict[S, float]:
    """What the player may know this turn, and how likely, if it may forget what it was told."""
    states = {known: 1.0}
    for each in told:
        then: dict[S, float] = {}
        for state, chance in states.items():
            for after, share in ((learn(state, each), 1 - FORGETS), (state, FORGETS)):
                then[after] = then.get(after, 0.0) + chance * share
        states = then
    return states


def remember(told: Sequence[T], rng: Random) -> tuple[T, ...]:
    """What the player remembers this turn; it never forgets the last thing told."""
    return (*(each for each in told[:-1] if rng.random() >= FORGETS), *told[-1:])


# --- Safecracker Duel ---

EAGER: Final = 4
"""It experiments in this many first turns of the game, which include its own first two."""
SETS_OWN_DIGIT: Final = 1 / 3
"""How often it then turns towards its own code, instead of at random."""


OFTEN: Final = 2
"""A position that came up this often is not brought back while another turn is left."""


class TakesTurnsBack(Idea):
    """Hides any code; takes a win that it sees, tries a turn or two, then changes back.

    It takes a win that it sees; otherwise its first two turns are random or, one time in three,
    set a digit of its own code, and later it undoes the opponent's change, or turns towards its
    own code rather than bring about a position for a third time. One turn in five it does not
    look for a win.
    """

    def __init__(self, rng: Random) -> None:
        super().__init__(rng)
        self._positions = count_positions()

    def policy(self, view: View) -> Mixture:
        """The mixture of codes, or of changes."""
        if view.setting_up:
            return Uniform(view.moves)
        (own,) = view.secret
        assert isinstance(own, Code)
        turns = results(view)
        winning = [turn for turn, safe in turns.items() if safe == own]
        blind = (_tries if view.turns < EAGER else self._take_back)(own, view, turns)
        return blend((1 - OVERLOOKS, Uniform(winning)), (OVERLOOKS, blind)) if winning else blind

    def _take_back(self, own: Code, view: View, turns: Mapping[Change, Code]) -> Mixture:
        """The opponent's change undone, or a turn towards its own code if that repeats too much."""
        assert view.seat is not None
        seen, other, back = self._positions.after(view.history), view.seat.other, turn_back(view)
        new = [turn for turn, safe in turns.items() if seen.get((safe, other), 0) < OFTEN]
        if back in new:
            return {back: 1.0}
        new = new or [*turns]
        return Uniform([turn for turn in new if sets_digit_of(own, turn, view)] or new)


def _tries(own: Code, view: View, turns: Iterable[Change]) -> Mixture:
    """Any turn, or one towards its own code."""
    any_turn = Uniform(view.moves)
    setting = [turn for turn in turns if sets_digit_of(own, turn, view)]
    towards = Uniform(setting) if setting else any_turn
    return blend((SETS_OWN_DIGIT, towards), (1 - SETS_OWN_DIGIT, any_turn))


def sets_digit_of(code: Code, turn: Change, view: View) -> bool:
    """Whether a turn sets a digit of the code that the safe does not show yet."""
    digit = code.digits[turn.position - 1]
    shown: int = view.board.digits[turn.position - 1]
    return turn.digit == digit != shown


# --- Safe Cracker and Digit Deductions ---

COME_TO_MIND: Final = 5
"""It draws this many codes and hides the most varied one."""


class FirstThatFits(Idea):
    """Hides a varied code; then guesses any code that fits what it remembers.

    It hides a code that looks random, mostly of different digits, and guesses any code that
    fits what it remembers. Every turn it forgets each answer but the last with a chance of one
    in five.
    """

    def choose(self, view: View) -> Move:
        """A code."""
        if view.setting_up:
            return max(self._rng.sample(view.moves, COME_TO_MIND), key=_variety)
        left = fitting(view, self._rng)
        return _code(left[self._rng.randrange(len(left))])

    def policy(self, view: View) -> Mixture:
        """The mixture of codes, to hide or to guess."""
        if view.setting_up:
            return most_varied(view.moves, COME_TO_MIND)
        return blend(*((chance, Uniform(codes)) for codes, chance in recalled_codes(view)))


class EdgeThenFits(Idea):
    """Hides near the middle; opens at the edge, then guesses what fits what it remembers.

    It hides two digits, each likelier the nearer it is to 5, opens with any number at the edge
    of the board, and then guesses a number that fits what it remembers, with a preference for
    the middle. Every turn it forgets each answer but the last with a chance of one in five.
    """

    def choose(self, view: View) -> Move:
        """A number."""
        if view.setting_up:
            return draw(TOWARDS_THE_MIDDLE, self._rng)
        if view.turns < 2:
            return self._rng.choice(EDGE)
        return draw(rather_in_the_middle(map(_code, fitting(view, self._rng))), self._rng)

    def policy(self, view: View) -> Mixture:
        """The mixture of numbers, to hide or to guess."""
        if view.setting_up:
            return TOWARDS_THE_MIDDLE
        if view.turns < 2:
            return Uniform(EDGE)
        known = recalled_codes(view)
        return blend(*((chance, rather_in_the_middle(codes)) for codes, chance in known))


def fitting(view: View, rng: Random) -> Codes:
    """The codes that fit what the player remembers this turn."""
    assert view.seat is not None
    return codes_left(view.game, remember(guesses_of(view, view.seat), rng))


def recalled_codes(view: View) -> list[tuple[list[Code], float]]:
    """The codes that fit what the player may remember this turn, and how likely that is."""
    assert view.seat is not None

    def learn(left: Unguessed, guess: Guess) -> Unguessed:
        return left.after_answer(*guess)

    told = guesses_of(view, view.seat)
    known = reduce(learn, told[-1:], all_codes(view.game))
    left = recall(told[:-1], known, learn)
    return [([*map(_code, list_codes(each))], chance) for each, chance in left.items()]


def most_varied(codes: Sequence[Move], count: int) -> Mixture:
    """The mixture of the most varied of some codes, of which so many are drawn."""
    kinds: dict[int, list[Move]] = {}
    for code in codes:
        kinds.setdefault(_variety(code), []).append(code)
    mixture: dict[Move, float] = {}
    below = 0
    for _, alike in sorted(kinds.items()):
        draws = comb(below + len(alike), count) - comb(below, count)
        if draws:
            mixture |= dict.fromkeys(alike, draws / comb(len(codes), count) / len(alike))
        below += len(alike)
    return mixture


def _code(row: NDArray[np.int8]) -> Code:
    return Code(tuple(map(int, row)))


def _variety(code: Move) -> int:
    """The number of different digits in a code; the more, the safer it looks."""
    return len(set(code.digits)) if isinstance(code, Code) else 0


# --- Safe Code ---

ENOUGH: Final = 6
"""With at most this many numbers left, it guesses instead of asking for a clue."""
ROUNDING: Final = 1e-12
"""What is less likely is an error of rounding."""
EVERYDAY_KINDS: Final = frozenset(
    {"even", "odd", "prime", "greater", "less", "divisible", "one digit", "two digits"}
)


class AsksForEverything(Idea):
    """Writes everyday clues; asks for all the clues it needs, then guesses a number that fits.

    It writes everyday clues, asks for the opponent's while more than six numbers are left, and
    then guesses any number that fits what it remembers. Every turn it forgets each clue and
    each guess but the last with a chance of one in five.
    """

    def choose(self, view: View) -> Move:
        """A number, a clue, or a request for one."""
        rng = self._rng
        if view.setting_up:
            return rng.choice(everyday(view.moves) if view.secret else view.moves)
        own = [event for event in view.history if event.actor is view.seat]
        left = numbers_left(remember(own, rng))
        if len(left) > ENOUGH and REQUEST in view.moves:
            return REQUEST
        return Number(rng.choice(sorted(left)))

    def policy(self, view: View) -> Mixture:
        """The mixture of numbers or of clues, and the request for one."""
        if view.setting_up:
            return Uniform(everyday(view.moves) if view.secret else view.moves)
        own = [event for event in view.history if event.actor is view.seat]
        clues = [event for event in own[:-1] if event.move == REQUEST]
        tried = Counter(event.move.value for event in own[:-1] if isinstance(event.move, Number))
        known, may_ask = numbers_left(own[-1:]), REQUEST in view.moves
        left = recall(clues, known, numbers_after)
        return blend(*((chance, _turn(each, tried, may_ask)) for each, chance in left.items()))


def _turn(left: frozenset[int], tried: Counter[int], may_ask: bool) -> Mixture:
    """The mixture of a turn, if each attempt at a number may be forgotten, but no clue."""
    alike, chances = Counter(tried[number] for number in left), dict[int, float]()
    for times in alike:
        others = np.ones(1)
        for each, many in (alike - Counter([times])).items():
            for _ in range(many):
                others = np.convolve(others, [1 - FORGETS**each, FORGETS**each])
        sizes = 1 + np.arange(len(others))
        guesses = sizes <= (ENOUGH if may_ask else len(sizes))
        chances[times] = FORGETS**times * float((others / sizes)[guesses].sum())
    mixture: dict[Move, float] = {Number(each): chances[tried[each]] for each in sorted(left)}
    if may_ask:
        mixture[REQUEST] = 1 - sum(mixture.values())
    return {move: chance for move, chance in mixture.items() if chance > ROUNDING}


def everyday(moves: Sequence[Move]) -> list[Clue]:
    """The clues that a person thinks of first."""
    return [
        move
        for move in moves
        if isinstance(move, Clue)
        and move.kind in EVERYDAY_KINDS
        and EVERYDAY_NUMBERS.issuperset(move.numbers)
    ]


# --- Quantum Duel ---


class CompletesOrBlocks(Idea):
    """Completes, blocks or starts a chain; challenges where one threatens.

    It completes a chain, or else blocks one, or else prefers cells where more chains, its own
    or the opponent's, can still grow, and it challenges placements that make three in a row or
    more, and others at random. One turn in five it does not see what is on the board.
    """

    def policy(self, view: View) -> Mixture:
        """The mixture of cells, or of replies to an observation."""
        seen = _reply(view) if isinstance(view.moves[0], Reply) else _cells(view)
        return blend((OVERLOOKS, Uniform(view.moves)), (1 - OVERLOOKS, seen))


def _reply(view: View) -> Mixture:
    """A challenge where a chain threatens, else either reply."""
    placed = view.history[-1].move
    assert isinstance(placed, Observe)
    threatens = row_through(view.board, placed.cell) >= CHAIN - 1
    return Uniform([Reply(True)] if threatens else view.moves)


def _cells(view: View) -> Mixture:
    """Cells that complete a chain, else cells that block one, else any where chains can grow."""
    cells = [move for move in view.moves if isinstance(move, Observe)]
    board, seat = view.board, view.seat
    assert seat is not None
    for owner in (seat, seat.other):
        completing = [each for each in cells if chained(with_cell(board, each.cell, owner), owner)]
        if completing:
            return Uniform(completing)
    chains: dict[Move, float] = {
        each: float(sum(open_chains(board, each.cell, owner) for owner in Seat)) for each in cells
    }
    return in_proportion(chains) if any(chains.values()) else Uniform(cells)


def row_through(board: Board, cell: int) -> int:
    """The length of the run of equal symbols through a cell."""
    owner = board[cell - 1]

    def run(cells: Board) -> int:
        return len([*takewhile(lambda each: each is owner, cells)])

    return run(board[: cell - 1][::-1]) + 1 + run(board[cell:])


def open_chains(board: Board, cell: int, seat: Seat) -> int:
    """The number of a player's chains through this cell that are still possible."""
    starts = range(max(0, cell - CHAIN), min(cell, CELLS - CHAIN + 1))
    return sum(seat.other not in board[start : start + CHAIN] for start in starts)


# --- any other game ---


class SearchesOrOverlooks(Searches):
    """Hides any secret; then searches states that fit its view, or sees nothing.

    It hides any secret, and then makes the move that wins most often in a search of states that
    fit its view. One turn in five it does not search, and makes any move.
    """

    def policy(self, view: View) -> Mixture:
        """The mixture of secrets, or of all moves and those that won most often."""
        searched = super().policy(view)
        return blend((OVERLOOKS, Uniform(view.moves)), (1 - OVERLOOKS, searched))


# --- all games ---


class CasualPlayer(PlayerByIdeas):
    """Plays each game as people do; its slips and its preferences are drawn from `rng`."""

    ideas: ClassVar[Mapping[str, type[Idea]]] = {
        "safecracker-duel": TakesTurnsBack,
        "safe-cracker": FirstThatFits,
        "safe-code": AsksForEverything,
        "digit-deductions": EdgeThenFits,
        "quantum-duel": CompletesOrBlocks,
    }
    usual = SearchesOrOverlooks
