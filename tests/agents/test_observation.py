"""What a seat knows, as numbers: neither more nor less than its view, and right in any order."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from copy import deepcopy
from random import Random
from typing import Any

import numpy as np
import pytest
from strongroom_bluff.game import Bluff

from strongroom import load
from strongroom.agents.observation import EVENT, Observer
from strongroom.contract import Game, Phase, Refusal, Seat, View
from strongroom.plugins.registry import GAMES
from strongroom.referee.bout import Bout
from strongroom.testing.playouts import playout

SMALL = [(Bluff(), None), (load("quantum-duel"), 3), (load("safe-cracker", attempts=1), None)]
FULL = [
    *(load(name) for name in GAMES),
    load("safecracker-duel", allow_same_digit=True),
    Bluff(),
]
LARGE = load("safe-cracker", digits=9, length=6, attempts=10)
LONGEST = 60
"""How many moves the games that are sampled go on at most."""


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
    """What both seats know at each moment of some random games that go on."""
    return [
        state.view(seat)
        for seed in range(games)
        for state in playout(game, Random(seed), LONGEST).states
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


@pytest.mark.parametrize(("game", "turn_limit"), SMALL, ids=repr)
def test_every_information_state_of_a_small_game_has_a_vector_of_its_own(
    game: Game, turn_limit: int | None
) -> None:
    bouts = [*decisions(Bout.start(game, turn_limit))]
    views = [bout.view(seat) for bout in bouts for seat in Seat]
    told = check_one_vector_for_one_view(Observer(game, turn_limit), views)
    assert told == len(views) if not game.secrets_each else 10 < told < len(views)


@pytest.mark.parametrize("game", [*FULL, LARGE], ids=repr)
def test_every_view_of_random_games_has_a_vector_of_its_own(game: Game) -> None:
    assert check_one_vector_for_one_view(Observer(game), sampled(game)) > 10


@pytest.mark.parametrize("game", [game for game in FULL if game.secrets_each], ids=repr)
def test_what_is_hidden_does_not_change_a_vector_or_a_mask(game: Game) -> None:
    observer, rng = Observer(game), Random(1)
    for view in rng.sample(sampled(game), 10):
        other = game.sample(view, rng).view(view.seat)
        assert (observer.observe(other) == observer.observe(view)).all()
        assert (observer.mask(other) == observer.mask(view)).all()


@pytest.mark.parametrize("game", FULL, ids=repr)
def test_an_observer_writes_the_same_whatever_it_wrote_before(game: Game) -> None:
    used, views = Observer(game), sampled(game, games=3)
    Random(1).shuffle(views)
    for view in views[:60]:
        fresh = Observer(game)
        assert (used.observe(view) == fresh.observe(view)).all()
        assert (used.mask(view) == fresh.mask(view)).all()


@pytest.mark.parametrize("game", [*FULL, LARGE], ids=repr)
def test_numbers_are_within_bounds_and_of_the_type_that_is_said(game: Game) -> None:
    observer = Observer(game, turn_limit=200)
    assert observer.largest <= np.iinfo(observer.dtype).max
    for view in sampled(game, games=3):
        vector, mask = observer.observe(view), observer.mask(view)
        assert vector.shape == (observer.size,)
        assert vector.dtype == observer.dtype
        assert abs(vector).max() <= observer.largest
        assert mask.shape == (observer.actions,)
        assert mask.dtype == np.int8


def test_numbers_take_two_bytes_unless_there_are_too_many_actions() -> None:
    assert Observer(load("safe-code")).dtype == np.int16
    assert Observer(LARGE).dtype == np.int32


@pytest.mark.parametrize("game", FULL, ids=repr)
def test_the_mask_has_a_one_for_each_legal_move_of_the_viewer(game: Game) -> None:
    observer = Observer(game)
    for view in sampled(game, games=2)[-30:]:
        numbers = observer.mask(view).nonzero()[0].tolist()
        assert numbers == [game.actions.index(move) for move in view.moves]


def test_the_parts_of_a_vector_say_what_they_are_said_to() -> None:
    game = load("safe-cracker")
    state = game.start()
    for move in ("1-1-1", "1-2-3", "3-2-1", "1-3-1"):
        state = state.play(game.move(move))
    observer = Observer(game)
    vector = observer.observe(state.view(Seat.TWO))
    parts = {name: vector[where].tolist() for name, where in observer.layout.items()}
    number = {text: game.actions.index(game.move(text)) + 1 for text in ("1-2-3", "3-2-1", "1-3-1")}
    assert parts.pop("history")[: 3 * EVENT] == [-number["1-3-1"], 3, number["3-2-1"], 2, 0, 0]
    assert parts == {
        "seat": [2],
        "actor": [1],
        "number": [4],
        "own": [number["1-2-3"]],
        "board": [],
    }


def test_what_chance_did_in_the_open_is_marked_by_its_answer() -> None:
    game = load("quantum-duel")
    state = game.start()
    for move in ("4", "1", "3", "yes", "heads"):
        state = state.play(game.move(move))
    observer = Observer(game)
    latest = observer.observe(state.view(Seat.ONE))[observer.layout["history"]][:EVENT]
    assert latest[0] - 1 == game.actions.section(Phase.CHANCE).start
    assert latest[1] < 0


@pytest.mark.parametrize("memory", [0, 1, 5])
def test_a_memory_keeps_the_latest_events_and_nothing_older(memory: int) -> None:
    game = load("quantum-duel")
    everything, some = Observer(game), Observer(game, memory=memory)
    for view in sampled(game, games=2):
        assert (everything.observe(view)[: some.size] == some.observe(view)).all()
    assert some.size == everything.layout["history"].start + EVENT * memory


def test_vectors_and_masks_are_the_callers_to_change() -> None:
    observer = Observer(load("quantum-duel"))
    view = observer.game.start().view(Seat.ONE)
    observer.observe(view)[:] = 7
    observer.mask(view)[:] = 0
    assert observer.observe(view)[:3].tolist() == [1, 1, 0]
    assert observer.mask(view).sum() == 7


def test_a_copied_observer_writes_the_same() -> None:
    observer = Observer(load("safe-cracker"))
    view = observer.game.start().view(Seat.ONE)
    assert (deepcopy(observer).observe(view) == observer.observe(view)).all()


def test_a_game_without_any_limit_is_refused() -> None:
    with pytest.raises(Refusal, match="Set a turn limit, like turn_limit=100"):
        Observer(load("safe-cracker"), turn_limit=None)
    assert Observer(load("safe-cracker", attempts=4), turn_limit=None).size > 0


@pytest.mark.parametrize(
    "numbers", [{"memory": -1}, {"memory": "10"}, {"turn_limit": 0}, {"turn_limit": 1.5}]
)
def test_numbers_that_make_no_sense_are_refused_in_a_line(numbers: dict[str, Any]) -> None:
    with pytest.raises(Refusal, match="at least"):
        Observer(load("safe-cracker"), **numbers)
