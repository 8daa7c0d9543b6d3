"""Safe Code with four numbers: every response to the certified player is tried."""

from __future__ import annotations

import random
from fractions import Fraction
from functools import cached_property
from itertools import permutations
from typing import Any

import pytest

from strongroom.contract import Actions, Block, Game, Move, Phase, Seat, State
from strongroom.games.safe_code.clues import Clue
from strongroom.games.safe_code.rules import (
    NUMBERS,
    REQUEST,
    CluesGiven,
    Number,
    SafeCode,
    SafeCodeState,
)
from strongroom.theory.safe_code.player import PromiseKeeper
from strongroom.theory.safe_code.solution import SafeCodeSolution

AnyState = State[Any, Any, Any]


def quiet(done: float, words: str) -> None:
    pass


def small_game(size: int, extra: tuple[Clue, ...]) -> Game:
    """The game's own rules with fewer numbers and clues to choose from."""
    clues = (*(Clue("different", (n,)) for n in range(1, size + 1)), *extra)
    kept = Actions(
        Block(clues, Phase.SET_UP),
        Block(NUMBERS[:size], Phase.SET_UP | Phase.TURN),
        Block((REQUEST,), Phase.TURN),
    )
    legal = frozenset(kept)

    class SmallState(SafeCodeState):
        __slots__ = ()

        @property
        def moves(self) -> tuple[Move, ...]:
            return tuple(move for move in super().moves if move in legal)

    class Small(SafeCode):
        name = f"safe-code-{size}-{len(extra)}"

        @cached_property
        def actions(self) -> Actions:
            return kept

        def start(self) -> SafeCodeState:
            return SmallState.first(self, CluesGiven())

    return Small()


def set_ups(
    state: AnyState, solution: SafeCodeSolution, seat: Seat
) -> list[tuple[AnyState, Fraction]]:
    """Every set-up of the certified player from here, with its probability."""
    if state.actor is not seat or not state.setting_up:
        return [(state, Fraction(1))]
    return [
        (done, chance * then)
        for move, chance in solution.policy(state.view(seat)).items()
        for done, then in set_ups(state.play(move), solution, seat)
    ]


def best_response(
    states: list[tuple[AnyState, Fraction]],
    solution: SafeCodeSolution,
    seat: Seat,
    memo: dict[Any, Any],
) -> Fraction:
    """The most that an opponent with fixed secrets wins against the certified player in `seat`."""
    # The player looks only at its standing, so all ways to the same standing are one.
    live, total = states[0][0], sum(weight for _, weight in states)
    hidden = frozenset((state.secrets[seat.index], weight / total) for state, weight in states)
    standing = solution.player.standing(live.view(seat), seat)
    key = (live.actor, standing, live.board, hidden)
    if key not in memo:
        likely = [(state, weight / total) for state, weight in states]
        walk = _answered if live.actor is seat else _responded
        memo[key] = walk(likely, solution, seat, memo)
    return total * Fraction(memo[key])


def _answered(
    states: list[tuple[AnyState, Fraction]],
    solution: SafeCodeSolution,
    seat: Seat,
    memo: dict[Any, Any],
) -> Fraction:
    won = Fraction(0)
    for move, chance in solution.policy(states[0][0].view(seat)).items():
        after = [(state.play(move), weight) for state, weight in states]
        if after[0][0].outcome is None:
            won += chance * best_response(after, solution, seat, memo)
    return won


def _responded(
    states: list[tuple[AnyState, Fraction]],
    solution: SafeCodeSolution,
    seat: Seat,
    memo: dict[Any, Any],
) -> Fraction:
    best = Fraction(0)
    for move in states[0][0].moves:
        won = Fraction(0)
        groups: dict[Any, list[tuple[AnyState, Fraction]]] = {}
        for state, weight in states:
            after_move = state.play(move)
            if after_move.outcome is not None:
                won += weight
            else:
                groups.setdefault(after_move.log, []).append((after_move, weight))
        for group in groups.values():
            won += best_response(group, solution, seat, memo)
        best = max(best, won)
    return best


def responders(game: Game, sample: int) -> list[tuple[Move, ...]]:
    """For every code, a sample of the lists of three true clues with different meanings."""
    draw = random.Random(7)
    found: list[tuple[Move, ...]] = []
    clues = [move for move in game.actions if isinstance(move, Clue)]
    for number in [move for move in game.actions if isinstance(move, Number)]:
        true = [clue for clue in clues if clue.holds(number.value)]
        lists = [
            three for three in permutations(true, 3) if len({clue.meaning for clue in three}) == 3
        ]
        found += [(number, *three) for three in draw.sample(lists, min(sample, len(lists)))]
    return found


EXTRA = (Clue("even"), Clue("odd"), Clue("greater", (2,)), Clue("prime"), Clue("less", (3,)))


@pytest.mark.proof
@pytest.mark.parametrize("extra", [EXTRA[:2], EXTRA], ids=["parity", "more"])
@pytest.mark.parametrize("eager", [False, True], ids=["as shipped", "asks whenever it may"])
def test_no_response_beats_the_race_on_small_ranges(
    extra: tuple[Clue, ...], eager: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With so few numbers the player never asks; the promise must hold for an eager one too."""
    if eager:
        monkeypatch.setattr(PromiseKeeper, "_would_ask", lambda *_: True)
    size, sample = 4, 1
    game = small_game(size, extra)
    solution = SafeCodeSolution(game, SafeCodeSolution.solve(game, quiet))
    value = Fraction(size + 1, 2 * size)
    assert solution.certify(quiet) == (value, value)
    for seat, owed in ((Seat.ONE, value), (Seat.TWO, 1 - value)):
        reached = Fraction(0)
        for secrets in responders(game, sample):
            memo: dict[Any, Any] = {}
            start = game.start()
            if seat is Seat.TWO:
                for move in secrets:
                    start = start.play(move)
            prepared = set_ups(start, solution, seat)
            if seat is Seat.ONE:
                for move in secrets:
                    prepared = [(state.play(move), chance) for state, chance in prepared]
            reached = max(reached, best_response(prepared, solution, seat, memo))
        assert reached == 1 - owed
