"""What observations forget, certified players do not need: equal observations, equal play.

Observations here are those written from views, to which `test_lockstep` compares the batches'.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from random import Random

import pytest
from seat_knowledge import Public, SeatKnowledge

from strongroom import load
from strongroom.contract import AnyState, Game, Move, Seat, View
from strongroom.players import player
from strongroom.referee.bout import TURN_LIMIT, Bout
from strongroom.referee.randomness import draws
from strongroom.theory.shelf import solution_of
from strongroom.theory.worth import Unreachable


def observed(view: View) -> bytes:
    """An observation of the view's seat."""
    assert isinstance(view.game, Game)
    parts = SeatKnowledge(view.game, TURN_LIMIT).parts(view, Public.of(view))
    return b"".join(part.tobytes() for part in parts.values())


def agree(one: View, other: View) -> bool:
    """That the certified player plays the same in both views, and moves are worth the same.

    Whether their worth was compared: it has none where the certified player cannot have led.
    """
    solution = solution_of(one.game)
    assert solution.policy(one) == solution.policy(other)
    try:
        (value, moves), (same, others) = (
            solution.worth.weighed(view, TURN_LIMIT) for view in (one, other)
        )
    except Unreachable:
        return False
    assert same == pytest.approx(value)
    assert dict(others) == pytest.approx(dict(moves))
    return True


def test_the_board_and_the_turns_are_all_that_quantum_duel_needs() -> None:
    game = load("quantum-duel")
    players = [player(name, game, Random(1)) for name in ("random", "casual")]
    seen: dict[bytes, View] = {}
    met_again = 0
    for number in range(60):
        bout, flips = Bout.start(game, TURN_LIMIT).settled(draws(number)), draws(number)
        while isinstance(seat := bout.actor, Seat):
            view = bout.view(seat)
            other = seen.setdefault(observed(view), view)
            if other.history != view.history:
                met_again += agree(view, other)
            move = players[(number + seat.index) % 2].choose(view)
            bout = bout.play(move).settled(flips)
    assert met_again > 100


def reordered(game: Game, secrets: list[Move], guesses: list[Move]) -> Iterator[AnyState]:
    """The states after the same guesses of both seats, two of one seat's exchanged."""
    for first, second in [(0, 0), *((a, b) for a, b in combinations(range(len(guesses)), 2))]:
        if (second - first) % 2:
            continue
        order = guesses.copy()
        order[first], order[second] = guesses[second], guesses[first]
        state: AnyState = game.start()
        for move in (*secrets, *order):
            state = state.play(move)
        yield state


@pytest.mark.parametrize("options", [{}, {"digits": 4}], ids=str)
def test_the_sets_of_codes_are_all_that_safe_cracker_needs(options: dict[str, int]) -> None:
    game, rng = load("safe-cracker", **options), Random(2)
    compared = 0
    for _ in range(40):
        secrets = rng.sample([*game.actions], 2)
        wrong = [move for move in game.actions if move not in secrets]
        first, *others = reordered(game, secrets, rng.sample(wrong, 4))
        for other in others:
            views = first.view(Seat.ONE), other.view(Seat.ONE)
            assert observed(views[0]) == observed(views[1])
            compared += agree(*views)
    assert compared > 5
