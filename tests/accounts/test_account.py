"""Accounts of single games: costs and luck that add up."""

from __future__ import annotations

from collections import defaultdict
from itertools import product
from random import Random

import numpy as np
import pytest

from strongroom import load
from strongroom.accounts.account import account, revalue, short_term_luck
from strongroom.contract import Game, Move, Seat, View
from strongroom.measuring.protocol import Fixture, Protocol
from strongroom.measuring.result import policy_of
from strongroom.players import player
from strongroom.plugins.registry import GAMES
from strongroom.referee.match import Match
from strongroom.referee.record import Record
from strongroom.theory.shelf import solution_of


def played(game: Game, name: str, seat: Seat, number: int = 0) -> Record:
    """A game of a bot against the certified player."""
    return Fixture(game, number, seat, 1).play(name, "master").record


@pytest.mark.parametrize("name", GAMES)
def test_costs_and_luck_add_up_to_the_result_and_the_certified_player_pays_nothing(
    name: str,
) -> None:
    game = load(name)
    worth = solution_of(game).worth
    first = defaultdict[Seat, set[Move | None]](set)
    for seat, who in product(Seat, ("random", "casual", "expert", "master")):
        record = played(game, who, seat)
        found = account(record, seat, worth)
        first[seat].add(record.steps[0].move)
        assert found.start == worth.start(seat, found.turn_limit)
        assert found.start - found.cost + found.luck == pytest.approx(found.result, abs=1e-9)
        if worth.optimal:
            assert min(each.cost for each in found.decisions) > -1e-12
        if who == "master":
            assert found.cost == pytest.approx(0, abs=1e-9)
    assert len(first[Seat.TWO]) == 1  # the same seed makes master begin alike, whoever plays


class GivesUp:
    """Fails on its third decision."""

    def __init__(self, game: Game, rng: Random) -> None:
        self._player, self._left = player("expert", game, rng), 2

    def choose(self, view: View) -> Move:
        if not self._left:
            raise RuntimeError("no idea")
        self._left -= 1
        return self._player.choose(view)


def test_a_forfeit_or_resignation_costs_all_that_was_left_and_is_no_bad_luck() -> None:
    game = load("quantum-duel")
    for record in (
        Fixture(game, 0, Seat.ONE, 1).play("fails", "master", GivesUp).record,
        Match.start(game).resign(Seat.ONE).record,
    ):
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
    cut_off = worth.move_values(guess.view, 2)[guess.move]
    assert short_term_luck(worth, 2, own) == pytest.approx(0.5 - cut_off, abs=1e-12)


@pytest.mark.proof
@pytest.mark.parametrize("name", ["safe-cracker", "safe-code", "safecracker-duel"])
def test_luck_within_a_turn_or_two_has_the_mean_zero(name: str) -> None:
    game = load(name)
    worth, lucks = solution_of(game).worth, list[list[float]]()
    for fixture in Protocol("random", (game,), rounds=25).fixtures:
        own = account(played(game, "random", fixture.seat, fixture.round), fixture.seat, worth)
        lucks.append([short_term_luck(worth, turns, own) for turns in worth.horizons])
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
    own = revalue(other, account(played(game, "casual", Seat.ONE), Seat.ONE, worth), policy)
    assert own.result - own.luck - own.mixed == pytest.approx(own.start, abs=1e-9)
