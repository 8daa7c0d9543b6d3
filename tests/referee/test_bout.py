"""A bout: the game on its own, with a turn limit and chance, as a match plays it."""

from __future__ import annotations

from random import Random

import pytest

from strongroom import load
from strongroom.contract import Ending, NotLegal, Seat
from strongroom.plugins.registry import GAMES
from strongroom.referee.bout import Bout
from strongroom.referee.match import Match
from strongroom.referee.randomness import draws

LIMIT = 12


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("seed", range(5))
def test_a_bout_goes_the_same_way_as_a_match_with_the_same_chance(name: str, seed: int) -> None:
    rng, game = Random(seed), load(name)
    match, _ = Match.start(game, turn_limit=LIMIT, draw=draws(seed)).settle()
    bout = Bout.start(game, LIMIT).settled(draws(seed))
    while isinstance(seat := bout.actor, Seat):
        move = rng.choice(bout.view(seat).moves)
        bout = bout.play(move).settled(draws(seed))
        match, _ = match.step(seat, move)
        for viewer in (*Seat, None):
            assert bout.view(viewer) == match.view(viewer)
    assert match.outcome == bout.outcome is not None


def test_a_bout_is_undecided_at_its_turn_limit_and_accepts_no_more_moves() -> None:
    bout = Bout.start(load("quantum-duel"), turn_limit=2)
    for cell in (0, 4):
        assert bout.outcome is None
        bout = bout.play(bout.state.moves[cell])
    assert bout.outcome is not None
    assert (bout.outcome.winner, bout.outcome.reason) == (None, Ending.UNDECIDED)
    assert bout.actor is None
    with pytest.raises(NotLegal, match="The game is over"):
        bout.play(bout.state.moves[0])
