"""A seat in numbers: a vector for what it knows, and a mask of what it may do."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from copy import deepcopy
from random import Random
from typing import Any

import numpy as np
import pytest
from strongroom_bluff.game import Bluff

from strongroom.contract import Game, Phase, Refusal, Seat, View
from strongroom.minds.observation import EVENT, Observer
from strongroom.plugins.registry import GAMES, load
from strongroom.referee.bout import Bout
from strongroom.testing.perft import after
from strongroom.testing.playouts import playout

FULL = [*map(load, GAMES), load("safecracker-duel", allow_same_digit=True), Bluff()]
LARGE = load("safe-cracker", digits=9, length=6, attempts=10)


def decisions(bout: Bout) -> Iterator[Bout]:
    """The bout and all that can follow it, wherever a seat has to decide."""
    if bout.outcome is None:
        if isinstance(bout.actor, Seat):
            yield bout
        last = bout.turn_limit is None and bout.state.turns + 1 == bout.state.game.most_turns
        if not (last and isinstance(bout.actor, Seat)):  # what only ends the game is not played
            for move in bout.state.moves:
                yield from decisions(bout.play(move))


def sampled(game: Game, games: int = 8) -> list[View]:
    """The views of both seats at each moment of some random games that go on."""
    return [
        state.view(seat)
        for seed in range(games)
        for state in playout(game, Random(seed), longest=60).states
        if state.outcome is None
        for seat in Seat
    ]


def check_one_vector_for_one_view(observer: Observer, views: Iterable[View]) -> int:
    """Assert that views are equal if and only if their vectors are, and count the vectors."""
    vectors: dict[object, bytes] = {}
    known: dict[bytes, object] = {}
    for view in views:
        vector = observer.observe(view).tobytes()
        legal = (*observer.game.actions.ranges(view.moves),)
        told = (view._replace(moves=()), legal)  # half a million moves would take long to compare
        assert vectors.setdefault(told, vector) == vector
        assert known.setdefault(vector, told) == told
    return len(known)


@pytest.mark.parametrize(
    ("game", "turn_limit"), [(Bluff(), None), (load("quantum-duel"), 3)], ids=repr
)
def test_every_information_state_of_a_small_game_has_a_vector_of_its_own(
    game: Game, turn_limit: int | None
) -> None:
    bouts = [*decisions(Bout.start(game, turn_limit))]
    views = [bout.view(seat) for bout in bouts for seat in Seat]
    told = check_one_vector_for_one_view(Observer(game, turn_limit), views)
    assert told == len(views) if not game.secrets_each else 10 < told < len(views)


@pytest.mark.parametrize("game", [*FULL, LARGE], ids=repr)
def test_views_have_vectors_of_their_own_and_masks_within_bounds(game: Game) -> None:
    observer, views = Observer(game), sampled(game)
    assert check_one_vector_for_one_view(observer, views) > 10
    assert observer.largest <= np.iinfo(observer.dtype).max
    assert observer.dtype == (np.int32 if game is LARGE else np.int16)
    for view in views[:40] + views[-40:]:
        vector, mask = observer.observe(view), observer.mask(view)
        assert vector.shape == (observer.size,)
        assert vector.dtype == observer.dtype
        assert abs(vector).max() <= observer.largest
        assert mask.shape == (observer.actions,)
        assert mask.dtype == np.int8
        if game is not LARGE:
            assert mask.nonzero()[0].tolist() == [game.actions.index(move) for move in view.moves]


@pytest.mark.parametrize("game", FULL, ids=repr)
def test_a_vector_depends_on_nothing_hidden_and_on_nothing_written_before(game: Game) -> None:
    used, rng = Observer(game), Random(1)
    for view in rng.sample(sampled(game), 30):
        fresh = deepcopy(used) if rng.random() < 0.5 else Observer(game)
        other = game.sample(view, rng).view(view.seat)
        for written in (used.observe(other), fresh.observe(view)):
            assert (used.observe(view) == written).all()
        for mask in (used.mask(other), fresh.mask(view)):
            assert (used.mask(view) == mask).all()


def test_the_parts_of_a_vector_say_what_they_are_said_to() -> None:
    state = after("safe-cracker", "1-1-1", "1-2-3", "3-2-1", "1-3-1")
    game, observer = state.game, Observer(state.game)
    vector = observer.observe(state.view(Seat.TWO))
    parts = {name: vector[where].tolist() for name, where in observer.layout.items()}
    number = {text: game.actions.index(game.move(text)) + 1 for text in ("1-2-3", "3-2-1", "1-3-1")}
    assert parts.pop("history")[: 3 * EVENT] == [-number["1-3-1"], 3, number["3-2-1"], 2, 0, 0]
    own = [number["1-2-3"]]
    assert parts == {"seat": [2], "actor": [1], "number": [4], "own": own, "board": []}


def test_what_chance_did_in_the_open_is_marked_and_vectors_and_masks_are_the_callers() -> None:
    observer = Observer(load("quantum-duel"))
    start = observer.game.start().view(Seat.ONE)
    observer.observe(start)[:] = 7
    observer.mask(start)[:] = 0
    assert observer.observe(start)[:3].tolist() == [1, 1, 0]
    assert observer.mask(start).sum() == 7
    state = after("quantum-duel", "4", "1", "3", "yes", "heads")
    latest = observer.observe(state.view(Seat.ONE))[observer.layout["history"]][:EVENT]
    assert latest[0] - 1 == observer.game.actions.section(Phase.CHANCE).start
    assert latest[1] < 0


def test_a_memory_keeps_the_latest_events_and_what_makes_no_sense_is_refused() -> None:
    game = load("quantum-duel")
    everything = Observer(game)
    for memory in (0, 1, 5):
        some = Observer(game, memory=memory)
        for view in sampled(game, games=2):
            assert (everything.observe(view)[: some.size] == some.observe(view)).all()
        assert some.size == everything.layout["history"].start + EVENT * memory
    game = load("safe-cracker")
    assert Observer(load("safe-cracker", attempts=4), turn_limit=None).size > 0
    wrong: list[dict[str, Any]] = [{"memory": -1}, {"memory": "10"}]
    wrong += [{"turn_limit": 0}, {"turn_limit": 1.5}, {"turn_limit": None}]
    for numbers in wrong:
        with pytest.raises(Refusal, match=r"at least|Set a turn limit, like turn_limit=100"):
            Observer(game, **numbers)
