"""Accounts: costs and luck add up to the result, whoever plays and however the game ends."""

from __future__ import annotations

from itertools import product
from random import Random

import numpy as np
import pytest

from strongroom import load
from strongroom.contract import Game, Move, Seat, View
from strongroom.measuring.account import account, by, soon
from strongroom.measuring.estimator import adjusted, counted
from strongroom.measuring.protocol import Fixture, Protocol
from strongroom.measuring.yardstick import Played, Yardstick, policy_of
from strongroom.players import player
from strongroom.referee.record import Record
from strongroom.theory.shelf import solution_of

GAMES = ["quantum-duel", "safecracker-duel", "safe-cracker", "safe-code", "digit-deductions"]


def played(game: Game, name: str, seat: Seat, number: int = 0) -> Record:
    """A game of a bot against the certified player."""
    return Fixture(game, number, seat, 1).play(name, "master").record


@pytest.mark.parametrize("name", GAMES)
def test_costs_and_luck_add_up_to_the_result_and_the_certified_player_pays_nothing(
    name: str,
) -> None:
    game = load(name)
    worth = solution_of(game).worth
    for seat, who in product(Seat, ("random", "casual", "expert", "master")):
        found = account(played(game, who, seat), seat, worth)
        assert found.start == worth.start(seat, found.turn_limit)
        assert found.start - found.cost + found.luck == pytest.approx(found.result, abs=1e-9)
        if worth.optimal:
            assert min(each.cost for each in found.decisions) > -1e-12
        if who == "master":
            assert found.cost == pytest.approx(0, abs=1e-9)


class GivesUp:
    """Fails on its third decision."""

    def __init__(self, game: Game, rng: Random) -> None:
        self._player, self._left = player("expert", game, rng), 2

    def choose(self, view: View) -> Move:
        if not self._left:
            raise RuntimeError("no idea")
        self._left -= 1
        return self._player.choose(view)


def test_a_forfeit_costs_all_that_was_left_and_is_no_bad_luck() -> None:
    game = load("quantum-duel")
    record = Fixture(game, 0, Seat.ONE, 1).play("fails", "master", GivesUp).record
    found = account(record, Seat.ONE, solution_of(game).worth)
    last = found.decisions[-1]
    assert last.move is None
    assert last.cost == last.value > 0
    assert found.start - found.cost + found.luck == pytest.approx(0, abs=1e-12)
    # Neither is it within a turn or two.
    game = load("safe-cracker")
    record = Fixture(game, 0, Seat.ONE, 1).play("fails", "master", GivesUp).record
    worth = solution_of(game).worth
    own = account(record, Seat.ONE, worth)
    guess = own.decisions[1]
    assert guess.move is not None
    cut_off = worth.moves(guess.view, 2)[guess.move]
    assert soon(worth, 2, own) == pytest.approx(0.5 - cut_off, abs=1e-12)


def test_the_same_seed_gives_the_same_games_whoever_plays() -> None:
    game = load("safe-cracker")
    one, two = (played(game, who, Seat.TWO, 3) for who in ("random", "expert"))
    assert one.steps[0].move == two.steps[0].move


@pytest.mark.parametrize("name", ["safe-cracker", "safe-code", "safecracker-duel"])
def test_luck_within_a_turn_or_two_has_the_mean_zero(name: str) -> None:
    game = load(name)
    worth, lucks = solution_of(game).worth, list[list[float]]()
    for fixture in Protocol("random", (game,), rounds=25).fixtures:
        own = account(played(game, "random", fixture.seat, fixture.round), fixture.seat, worth)
        lucks.append([soon(worth, turns, own) for turns in worth.horizons])
    found = np.array(lucks)
    assert (abs(found.mean(axis=0)) < 3 * found.std(axis=0) / np.sqrt(len(found))).all()
    assert (found.std(axis=0) > 0.01).all()


def test_an_account_by_the_players_own_way_of_going_on_leaves_nothing_but_draws_and_luck() -> None:
    game = load("quantum-duel")
    policy = policy_of(player("casual", game, Random(1)))
    assert policy is not None
    worth = solution_of(game).worth
    other = worth.following(policy)
    assert other is not None
    own = by(other, account(played(game, "casual", Seat.ONE), Seat.ONE, worth), policy)
    assert own.result - own.luck - own.mixed == pytest.approx(own.start, abs=1e-9)


@pytest.mark.parametrize(("who", "score"), [("random", 0.00724), ("casual", 0.19745)])
def test_scores_that_can_be_computed_are_exact(who: str, score: float) -> None:
    exact = Yardstick(load("quantum-duel")).exact(who, tuple(Seat))
    assert exact == pytest.approx(score, abs=5e-6)


def test_a_mixture_that_is_told_takes_the_draws_out() -> None:
    game = load("safecracker-duel")
    yardstick = Yardstick(game)
    policy = policy_of(player("expert", game, Random(1)))
    told: list[Played] = []
    untold: list[Played] = []
    fixtures = list(Protocol("expert", (game,), rounds=15).fixtures)
    for each in fixtures:
        record = each.play("expert", "master").record
        for found, mixtures in ((told, policy), (untold, None)):
            found.append(yardstick.judge(record, each.seat, mixtures))
    seats = np.array([each.seat.index for each in fixtures])
    results = np.array([each.account.result for each in untold])
    with_mixtures, without = (
        adjusted(seats, results, np.array([each.lucks for each in found]), (1.0, 1.0))
        for found in (told, untold)
    )
    assert with_mixtures.error < without.error < counted(seats, results).error / 3
    assert with_mixtures.mean == pytest.approx(without.mean, abs=4 * without.error)
