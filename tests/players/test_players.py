"""Who can sit down: the random player and the scripted one."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from strongroom.game import NotUnderstood, Seat
from strongroom.perft import after
from strongroom.players import Resigns, player
from strongroom.players.random import RandomPlayer
from strongroom.players.scripted import ScriptedPlayer
from strongroom.refusal import UnknownName
from strongroom.registry import PLAYERS


def test_the_random_player_chooses_every_legal_move_and_no_other() -> None:
    view = after("quantum-duel", "3").view(Seat.TWO)
    player = RandomPlayer(Random(1))
    chosen = Counter(player.choose(view) for _ in range(600))
    assert set(chosen) == set(view.moves)


def test_the_random_players_policy_is_what_it_does() -> None:
    view = after("quantum-duel", "3").view(Seat.TWO)
    policy = RandomPlayer(Random(1)).policy(view)
    assert policy == dict.fromkeys(view.moves, 1 / 6)


def test_the_same_seed_chooses_the_same_moves() -> None:
    view = after("digit-deductions").view(Seat.ONE)
    choices = [[RandomPlayer(Random(seed)).choose(view) for _ in range(3)] for seed in (7, 7, 8)]
    assert choices[0] == choices[1] != choices[2]


def test_the_scripted_player_plays_its_texts_as_if_typed_then_resigns() -> None:
    view = after("digit-deductions").view(Seat.ONE)
    player = ScriptedPlayer(["4 7", "47"])
    assert [str(player.choose(view)) for _ in range(2)] == ["4-7", "4-7"]
    with pytest.raises(Resigns):
        player.choose(view)


def test_a_script_that_makes_no_sense_is_refused_where_it_does_not() -> None:
    with pytest.raises(NotUnderstood):
        ScriptedPlayer(["nonsense"]).choose(after("digit-deductions").view(Seat.ONE))


@pytest.mark.parametrize("name", PLAYERS)
def test_every_listed_player_can_be_made_by_name_and_moves(name: str) -> None:
    view = after("quantum-duel").view(Seat.ONE)
    assert player(name, view.game, Random(1)).choose(view) in view.moves


def test_an_unknown_player_is_refused_with_those_there_are() -> None:
    with pytest.raises(UnknownName, match=r"There is no player 'grandmaster'.*random"):
        player("grandmaster", after("quantum-duel").game, Random(1))
