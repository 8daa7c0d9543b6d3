"""States sampled from views: every secret that fits comes up, and no other."""

from __future__ import annotations

from random import Random

import pytest
from strongroom_bluff.game import CARDS, Bluff, BluffState

from strongroom import load
from strongroom.contract import CHANCE, Game, Move, Refusal, Seat, State
from strongroom.plugins.registry import GAMES
from strongroom.testing.conformance import check_samples
from strongroom.testing.playouts import playout

HIDING = [name for name in GAMES if load(name).secrets_each]


def _explains(state: State[Game, object, Move], hidden: Seat, secret: Move) -> bool:
    """Whether the game could have gone the same way with another first secret of a seat."""
    again = state.game.start()
    while again.number < state.number:
        keeper = again.keeper
        if keeper is None:
            move = state.log[len(again.log)].move
        else:
            own = state.secrets[keeper.index]
            place = len(again.secrets[keeper.index])
            move = secret if keeper is hidden and not place else own[place]
        if move not in again.moves:
            return False
        again = again.play(move)
    return (again.log, again.outcome) == (state.log, state.outcome)


@pytest.mark.parametrize("name", HIDING)
@pytest.mark.parametrize("seat", Seat)
def test_every_secret_that_fits_is_drawn_and_no_other(name: str, seat: Seat) -> None:
    rng, game = Random(3), load(name)
    state = next(
        each
        for seed in range(50)
        for each in playout(game, Random(seed)).states
        if each.turns == 6 and each.outcome is None
    )
    view = state.view(seat)
    if name == "safe-code":  # other clues can account for another number
        fitting = {game.move(str(number)) for (number,) in _left(game, state, seat)}
    else:
        fitting = {each for each in game.start().moves if _explains(state, seat.other, each)}
    samples = [game.sample(view, rng) for _ in range(20 * len(fitting))]
    assert {each.secrets[seat.other.index][0] for each in samples} == fitting


def _left(game: Game, state: State[Game, object, Move], seat: Seat) -> set[tuple[int, ...]]:
    left = game.candidates(seat)
    for event in state.log:
        left = left and left.after(event)
    return set(left or ())


class Deck(Bluff):
    """Bluff with two cards 1 and three cards 2, so that a card held tells about the other's."""

    def start(self) -> DeckState:
        """Before the deal."""
        return DeckState.first(self, None, CHANCE)


class DeckState(BluffState):
    """Cards are dealt from a deck in which some are more frequent than others."""

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


def test_what_chance_dealt_is_drawn_by_its_odds_given_what_is_known() -> None:
    state = Deck().start().play(CARDS[1]).play(CARDS[0])
    view, rng = state.view(Seat.TWO), Random(1)
    drawn = [Deck().sample(view, rng).secrets[0][0] for _ in range(2000)]
    # Seat.TWO holds a 1, so one 1 and three 2s are left for Seat.ONE.
    assert drawn.count(CARDS[0]) / len(drawn) == pytest.approx(1 / 4, abs=0.05)


def test_the_largest_safe_is_sampled_too() -> None:
    check_samples(load("safe-cracker", digits=9, length=6), Random(1))


def test_the_nth_code_left_is_the_nth_in_order() -> None:
    game = load("safe-cracker")
    left = game.candidates(Seat.ONE)
    for event in playout(game, Random(2)).states[6].log:
        assert left is not None
        assert [left.nth(number) for number in range(len(left))] == [*left]
        left = left.after(event)


def test_a_view_that_no_state_fits_is_refused() -> None:
    game = load("quantum-duel")
    state = game.start()
    other = state.play(state.moves[0])
    impossible = state.view(None)._replace(number=1, history=other.play(other.moves[1]).log)
    with pytest.raises(Refusal, match="No state of Quantum Duel"):
        game.sample(impossible, Random(1))
