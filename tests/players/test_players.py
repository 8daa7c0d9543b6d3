"""The random player and the scripted player."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from random import Random
from typing import Any, NoReturn

import pytest

from strongroom.contract import Move, NotUnderstood, Seat, UnknownName
from strongroom.players import Resigns, player
from strongroom.players.random import RandomPlayer
from strongroom.players.scripted import ScriptedPlayer
from strongroom.plugins.registry import PLAYERS, load
from strongroom.testing.perft import after


def test_the_random_player_chooses_every_legal_move_and_no_other() -> None:
    view = after("quantum-duel", "3").view(Seat.TWO)
    player = RandomPlayer(load("quantum-duel"), Random(1))
    chosen = Counter(player.choose(view) for _ in range(600))
    assert set(chosen) == set(view.moves)


def test_the_random_players_policy_is_what_it_does() -> None:
    view = after("quantum-duel", "3").view(Seat.TWO)
    policy = RandomPlayer(load("quantum-duel"), Random(1)).policy(view)
    assert policy == dict.fromkeys(view.moves, 1 / 6)


def test_the_same_seed_chooses_the_same_moves() -> None:
    game = load("digit-deductions")
    view = game.start().view(Seat.ONE)

    def choices(seed: int) -> list[Move]:
        seated = RandomPlayer(game, Random(seed))
        return [seated.choose(view) for _ in range(3)]

    assert choices(7) == choices(7) != choices(8)


def test_the_random_player_does_not_list_half_a_million_codes_to_choose_one() -> None:
    state = after("safe-cracker", digits=9, length=6)
    view = state.view(Seat.ONE)._replace(moves=Unlisted(state.moves))
    assert RandomPlayer(state.game, Random(1)).choose(view) in state.moves


class Unlisted(Sequence[Move]):
    """Moves that can be read one by one but not listed."""

    def __init__(self, moves: Sequence[Move]) -> None:
        self._moves = moves

    def __len__(self) -> int:
        return len(self._moves)

    def __getitem__(self, number: Any) -> Any:
        return self._moves[number]

    def __iter__(self) -> NoReturn:
        raise AssertionError("all the moves were listed")


def test_the_scripted_player_plays_its_texts_as_if_typed_then_resigns() -> None:
    state = after("digit-deductions")
    player, view = ScriptedPlayer(state.game, ["4 7", "47"]), state.view(Seat.ONE)
    assert [str(player.choose(view)) for _ in range(2)] == ["4-7", "4-7"]
    with pytest.raises(Resigns):
        player.choose(view)


def test_a_script_line_that_makes_no_sense_is_refused() -> None:
    state = after("digit-deductions")
    with pytest.raises(NotUnderstood):
        ScriptedPlayer(state.game, ["nonsense"]).choose(state.view(Seat.ONE))


@pytest.mark.parametrize("name", PLAYERS)
def test_every_listed_player_can_be_created_by_name_and_moves(name: str) -> None:
    state = after("quantum-duel")
    assert player(name, state.game, Random(1)).choose(state.view(Seat.ONE)) in state.moves


def test_an_unknown_player_is_refused_with_the_known_ones_or_the_closest_one() -> None:
    with pytest.raises(UnknownName, match=r"There is no player 'nobody'\. Choose from: .*random"):
        player("nobody", load("quantum-duel"), Random(1))
    with pytest.raises(UnknownName, match=r"'grandmaster'\. Did you mean master\?"):
        player("grandmaster", load("quantum-duel"), Random(1))
