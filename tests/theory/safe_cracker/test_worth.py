"""The worth of decisions in Safe Cracker against the certified player."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from itertools import islice, pairwise
from random import Random
from typing import NamedTuple

import pytest

from strongroom.contract import Move, Seat, View
from strongroom.games.safe_cracker.rules import SafeCracker, SafeCrackerOptions
from strongroom.players import Player, player
from strongroom.referee.bout import Bout
from strongroom.theory.safe_cracker.response import ExactResponse, RaceResponse
from strongroom.theory.safe_cracker.solution import LARGEST
from strongroom.theory.safe_cracker.worth import SafeCrackerWorth
from strongroom.theory.shelf import read, solution_of
from strongroom.theory.worth import Turns, Unreachable
from tests.theory.expectimax import believed, until_next, worth_of_moves

SMALL = [(3, 3), (4, 3), (3, 4)]
LARGE = [
    (digits, length)
    for length, most in LARGEST.items()
    for digits in range(3, most + 1)
    if (digits, length) not in SMALL
]
BOTS = ["random", "casual", "expert", "master", "stubborn"]


class Stubborn:
    """Repeats a guess that tells nothing, and declines a win, more often than not."""

    def __init__(self, game: SafeCracker, rng: Random) -> None:
        self._rng = rng
        self._expert = player("expert", game, rng)

    def choose(self, view: View) -> Move:
        mine = [event.move for event in view.history if event.actor is view.seat]
        if mine and self._rng.random() < 0.7:
            return self._rng.choice(mine)
        return self._expert.choose(view)


class Played(NamedTuple):
    """One game against master: what the player decided, and what it scored."""

    decisions: list[tuple[View, Move]]
    result: float


def variation(digits: int, length: int) -> SafeCracker:
    return SafeCracker(SafeCrackerOptions(digits=digits, length=length))


def worth_of(game: SafeCracker) -> SafeCrackerWorth:
    worth = solution_of(game).worth
    assert isinstance(worth, SafeCrackerWorth)
    return worth


def certified(view: View) -> dict[Move, float]:
    """The certified player's chance of each move."""
    assert isinstance(view.game, SafeCracker)
    return {move: float(p) for move, p in solution_of(view.game).policy(view).items()}


def against_master(game: SafeCracker, name: str, seat: Seat, rng: Random, limit: Turns) -> Played:
    other: Player = Stubborn(game, rng) if name == "stubborn" else player(name, game, rng)
    players = {seat: other, seat.other: player("master", game, rng)}
    bout, decisions = Bout.start(game, limit), []
    while bout.outcome is None:
        assert isinstance(bout.actor, Seat)
        view = bout.view(bout.actor)
        move = players[bout.actor].choose(view)
        if bout.actor is seat:
            decisions.append((view, move))
        bout = bout.play(move)
    winner = bout.outcome.winner
    return Played(decisions, 0.5 if winner is None else float(winner is seat))


def sampled(game: SafeCracker, rng: Random, limit: Turns = None) -> Iterator[View]:
    """Views of players of all strengths in games against master, without end."""
    while True:
        name, seat = rng.choice(BOTS), rng.choice([*Seat])
        for view, _ in against_master(game, name, seat, rng, limit).decisions:
            yield view


def mean_after(view: View, move: Move, turns: Turns) -> float:
    """The mean of V when the viewer is to move again, over master's mixtures and the belief."""
    game, seat = view.game, view.seat
    assert isinstance(game, SafeCracker)
    worth = worth_of(game)
    limit = None if turns is None else turns + view.turns
    belief, won, seen = believed(view, certified, limit), 0.0, defaultdict[View, float](float)
    for bout, weight in belief:
        for after, share in until_next(bout.play(move), weight, seat, certified):
            if after.outcome is None:
                seen[after.view(seat)] += share
            else:
                winner = after.outcome.winner
                won += share * (0.5 if winner is None else float(winner is seat))
    for after_view, share in seen.items():
        left = None if limit is None else limit - after_view.turns
        won += share * worth.value(after_view, left)
    return won / sum(weight for _, weight in belief)


@pytest.mark.parametrize(
    ("digits", "length"),
    [*SMALL, *(pytest.param(*each, marks=pytest.mark.proof) for each in LARGE)],
)
def test_the_start_is_worth_what_the_certificate_says(digits: int, length: int) -> None:
    game = variation(digits, length)
    provenance, worth = read(game)[1], worth_of(game)
    if (digits, length) == (3, 3):
        bounds = 163 / 243, 163 / 243
    else:  # the proof widens its bounds by this
        bounds = float(provenance["lower"]) + 1e-9, float(provenance["upper"]) - 1e-9
    for turns in (None, 100):
        assert worth.start(Seat.ONE, turns) == pytest.approx(bounds[1], abs=1e-12)
        assert worth.start(Seat.TWO, turns) == pytest.approx(1 - bounds[0], abs=1e-12)


def test_against_four_digits_the_first_player_can_win_more_than_the_race() -> None:
    assert worth_of(variation(4, 3)).start(Seat.ONE, 100) == pytest.approx(0.648193, abs=1e-6)


@pytest.mark.parametrize(
    ("digits", "length", "turns", "views"),
    [(3, 3, 1, 12), (3, 3, 2, 12), (3, 3, 3, 8), (4, 3, 1, 4), (4, 3, 2, 4), (3, 4, 2, 4)],
)
def test_every_move_is_worth_what_brute_force_finds(
    digits: int, length: int, turns: int, views: int
) -> None:
    game, rng = variation(digits, length), Random(turns)
    worth, checked = worth_of(game), 0
    for view in sampled(game, rng):
        if view.setting_up:
            continue
        limit = view.turns + turns
        belief = believed(view, certified, limit)
        if turns == 1 or len(belief) * len(game.actions) <= (400 if turns == 2 else 110):
            found = worth_of_moves(view, certified, limit, belief)
            assert worth.moves(view, turns) == pytest.approx(found, abs=1e-9)
            checked += 1
            if checked == views:
                return


@pytest.mark.parametrize("seat", Seat)
def test_hiding_a_code_is_worth_what_brute_force_finds_before_a_very_short_game(seat: Seat) -> None:
    game = SafeCracker()
    solution, state = solution_of(game), game.start()
    if seat is Seat.TWO:
        state = state.play(game.actions[5])
    view = state.view(seat)
    found = worth_of_moves(view, certified, 1)
    assert solution.worth.moves(view, 1) == pytest.approx(found, abs=1e-9)
    assert solution.worth.start(seat, 1) == pytest.approx(max(found.values()), abs=1e-9)


@pytest.mark.parametrize("turns", [None, 100, 3, 4, 5, 6, 7, 8])
@pytest.mark.parametrize("seat", Seat)
def test_hiding_a_code_is_worth_the_mean_of_what_follows(seat: Seat, turns: Turns) -> None:
    game = SafeCracker()
    worth, state = worth_of(game), game.start()
    if seat is Seat.TWO:
        state = state.play(game.actions[0])
    view = state.view(seat)
    worths = worth.moves(view, turns)
    assert worth.start(seat, turns) == worth.value(view, turns) == max(worths.values())
    for code in game.actions[::13]:
        assert worths[code] == pytest.approx(mean_after(view, code, turns), abs=1e-9)


@pytest.mark.parametrize(
    ("digits", "length", "views"), [(3, 3, 40), (4, 3, 6), (3, 4, 6), (4, 4, 2)]
)
def test_every_move_is_worth_the_mean_of_what_follows(digits: int, length: int, views: int) -> None:
    game, rng = variation(digits, length), Random(4)
    worth, late = worth_of(game), (view for view in sampled(game, rng) if view.turns >= length)
    for view in islice(late, views):
        for turns in (None, 100, rng.randint(3, 8)):
            worths = worth.moves(view, turns)
            assert [*worths] == [*view.moves]
            assert worth.value(view, turns) == max(worths.values())
            for move in rng.sample([*view.moves], 3):
                assert worths[move] == pytest.approx(mean_after(view, move, turns), abs=1e-9)


@pytest.mark.parametrize("seat", Seat)
def test_the_first_guesses_are_worth_the_mean_of_what_follows(seat: Seat) -> None:
    """Here all codes are possible, and the mixtures of a set with two types lie ahead."""
    game, rng = SafeCracker(), Random(5)
    worth = worth_of(game)
    for _ in range(4):
        decisions = against_master(game, "random", seat, rng, 100).decisions
        for view, move in decisions[1:3]:
            worths = worth.moves(view, 100 - view.turns)
            after = mean_after(view, move, 100 - view.turns)
            assert worths[move] == pytest.approx(after, abs=1e-9)


@pytest.mark.parametrize("seat", Seat)
def test_master_loses_nothing_to_master_where_the_value_is_certified(seat: Seat) -> None:
    game, rng = SafeCracker(), Random(6)
    solution = solution_of(game)
    for _ in range(150):
        for view, _ in against_master(game, "master", seat, rng, 100).decisions:
            worths = solution.worth.moves(view, 100 - view.turns)
            best = max(worths.values())
            assert all(worths[move] >= best - 1e-12 for move in solution.policy(view))


@pytest.mark.parametrize(("digits", "length"), SMALL)
def test_the_result_is_the_start_less_the_costs_plus_luck(digits: int, length: int) -> None:
    game, rng = variation(digits, length), Random(7)
    worth = worth_of(game)
    for number in range(100):
        name, seat = BOTS[number % len(BOTS)], [*Seat][number % 2]
        limit = rng.choice([100, None, 5, 8])
        played = against_master(game, name, seat, rng, limit)
        values, promised = [], []
        for view, move in played.decisions:
            worths = worth.moves(view, None if limit is None else limit - view.turns)
            values.append(max(worths.values()))
            promised.append(worths[move])
            assert promised[-1] <= values[-1]
        assert worth.start(seat, limit) == values[0]
        costs = sum(q - v for v, q in zip(values, promised, strict=True))
        after = [then for _, then in pairwise([*values, played.result])]
        luck = sum(then - q for then, q in zip(after, promised, strict=True))
        assert values[0] + costs + luck == pytest.approx(played.result, abs=1e-9)


def test_guesses_that_tell_nothing_are_worth_the_same_and_never_more() -> None:
    game = SafeCracker()
    worth, rng, idle = worth_of(game), Random(8), 0
    for view in islice(sampled(game, rng), 300):
        mine = [event.move for event in view.history if event.actor is view.seat]
        if mine:
            worths = worth.moves(view, 100)
            assert len({worths[move] for move in mine}) == 1
            idle += worths[mine[0]] < max(worths.values())
    assert idle > 50


def test_a_limit_that_cannot_be_reached_adds_nothing_to_compute() -> None:
    exact = worth_of(SafeCracker())
    assert isinstance(exact.response, ExactResponse)
    race = worth_of(variation(4, 3))
    assert isinstance(race.response, RaceResponse)
    for worth in (exact, race):
        for seat in Seat:
            worth.start(seat, None)
    states, met = len(exact.response.moves), race.response.move_values.cache_info().misses
    for worth in (exact, race):
        for seat in Seat:
            assert worth.start(seat, 100) == worth.start(seat, None)
    assert len(exact.response.moves) == states
    assert race.response.move_values.cache_info().misses == met


@pytest.mark.parametrize(("digits", "length"), SMALL)
def test_a_guess_that_master_never_makes_leads_nowhere(digits: int, length: int) -> None:
    game = variation(digits, length)
    worth, code = worth_of(game), game.actions
    state = game.start().play(code[0]).play(code[1])
    for guess in (code[5], code[5]):
        state = state.play(guess).play(code[6])
    view = state.play(code[5]).view(Seat.TWO)
    with pytest.raises(Unreachable, match="never leads"):
        worth.moves(view, None)
    with pytest.raises(Unreachable, match="never leads"):
        worth.value(view, 10)
    earlier = game.start().play(code[0]).play(code[1]).play(code[5]).view(Seat.TWO)
    assert 0 < worth.value(earlier, None) < 1
