"""Candidates: what can still be hidden by the games' own rules; states sampled from views."""

from __future__ import annotations

from functools import cache
from itertools import product
from random import Random

import pytest
from strongroom_bluff.game import CARDS, Bluff, BluffState

from strongroom.contract import (
    CHANCE,
    NAMES,
    AnyState,
    Candidates,
    CandidateTracker,
    Move,
    Refusal,
    Seat,
)
from strongroom.plugins.registry import GAMES, load
from strongroom.server.table import Audience
from strongroom.testing.conformance import check_game
from strongroom.testing.playouts import playout
from strongroom.theory.worth import equally_likely
from tests.contract.lettered import ALL, Lettered

HIDING = [name for name in GAMES if load(name).secrets_each]


@cache
def played(name: str, seed: int) -> list[AnyState]:
    """The states of a random game after its set-up and before its end, at most 30 turns."""
    states = playout(load(name), Random(seed)).states
    return [each for each in states if not each.setting_up and not each.outcome][:30]


def left_for(tracker: CandidateTracker, seat: Seat, state: AnyState) -> Candidates:
    left = tracker.left_for(seat, state.log)
    assert left is not None
    return left


def explained(state: AnyState, seat: Seat) -> set[Move]:
    """The secrets of a seat with which the game could have gone the same way."""

    def explains(secret: Move) -> bool:
        again = state.game.start()
        for keeper in Seat:
            again = again.play(secret if keeper is seat else state.secrets[keeper.index][0])
        for event in state.log:
            if again.outcome is not None or event.move not in again.moves:
                return False
            again = again.play(event.move)
        return again.log == state.log and again.outcome is None

    return {secret for secret in state.game.start().moves if explains(secret)}


@pytest.mark.parametrize("name", HIDING)
def test_a_candidate_that_was_ruled_out_never_comes_back(name: str) -> None:
    """That the secret is always one of them is a check that every game passes."""
    tracker = CandidateTracker(load(name))
    for seed, seat in product(range(3), Seat):
        before = {*left_for(tracker, seat, played(name, seed)[0])}
        for state in played(name, seed):
            left = left_for(tracker, seat, state)
            listed = [*left]
            assert [left.nth(number) for number in range(len(left))] == listed
            assert before.issuperset(listed)
            before = {*listed}


@pytest.mark.parametrize("name", HIDING)
def test_each_moment_and_game_has_its_own_candidates_and_no_event_is_read_twice(name: str) -> None:
    states, others = played(name, 1), played(name, 2)
    tracker, duel = CandidateTracker(load(name)), load("quantum-duel")
    for state in (states[-1], states[0], others[-1], states[len(states) // 2], others[0]):
        fresh = CandidateTracker(state.game)
        for seat in Seat:
            left = tracker.left_for(seat, state.log)
            assert left == fresh.left_for(seat, state.log)
            assert tracker.left_for(seat, state.log) is left
    assert CandidateTracker(duel).left_for(Seat.ONE, duel.start().log) is None


def test_a_secret_need_not_be_written_as_its_candidates_numbers() -> None:
    game, (a, b, c, d, e) = Lettered(), ALL
    check_game(game, seed=1)
    view = game.start().play(a).play(d).play(b).play(e).play(c).view(Seat.ONE)
    assert equally_likely(view) == {a: 1 / 3, d: 1 / 3, e: 1 / 3}
    assert {game.sample(view, Random(seed)).secrets[1] for seed in range(20)} == {(a,), (d,), (e,)}
    told = Audience(game, Seat.ONE, NAMES).show(
        view, CandidateTracker(game).left_for(Seat.ONE, view.history)
    )
    assert (told["left"], told["codes"]) == (["A", "D", "E"], ["A", "B", "C", "D", "E"])


@pytest.mark.parametrize("name", HIDING)
@pytest.mark.parametrize("seat", Seat)
def test_every_secret_that_fits_is_drawn_and_no_other(name: str, seat: Seat) -> None:
    rng, game = Random(3), load(name)
    games = (played(name, seed) for seed in range(50))
    state = next(each for states in games for each in states if each.turns == 6)
    if name == "safe-code":  # other clues can account for another number
        fitting = {*map(game.secret_of, left_for(CandidateTracker(game), seat, state))}
    else:
        fitting = explained(state, seat.other)
    samples = [game.sample(state.view(seat), rng) for _ in range(15 * len(fitting))]
    assert {each.secrets[seat.other.index][0] for each in samples} == fitting


class Deck(Bluff):
    """Bluff with two cards 1 and three cards 2, so that a card held tells about the other's."""

    def start(self) -> DeckState:
        return DeckState.first(self, None, CHANCE)


class DeckState(BluffState):
    __slots__ = ()

    @property
    def moves(self) -> tuple[Move, ...]:
        return CARDS[:2] if self.actor is CHANCE else super().moves

    @property
    def odds(self) -> tuple[float, ...]:
        if self.actor is not CHANCE:
            return super().odds
        left = [2 - self.secrets[0].count(CARDS[0]), 3 - self.secrets[0].count(CARDS[1])]
        return (left[0] / sum(left), left[1] / sum(left))


@pytest.mark.proof
def test_what_chance_dealt_is_drawn_by_its_odds_given_what_is_known() -> None:
    state = Deck().start().play(CARDS[1]).play(CARDS[0])
    view, rng = state.view(Seat.TWO), Random(1)
    drawn = [Deck().sample(view, rng).secrets[0][0] for _ in range(1000)]
    # Seat.TWO holds a 1, so one 1 and three 2s are left for Seat.ONE.
    assert drawn.count(CARDS[0]) / len(drawn) == pytest.approx(1 / 4, abs=0.05)


def test_a_view_that_no_state_fits_is_refused() -> None:
    game = load("quantum-duel")
    state = game.start()
    other = state.play(state.moves[0])
    impossible = state.view(None)._replace(number=1, history=other.play(other.moves[1]).log)
    with pytest.raises(Refusal, match="No state of Quantum Duel"):
        game.sample(impossible, Random(1))
