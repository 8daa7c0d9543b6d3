"""The random, scripted and certified players, players by name, and bots in endless matches."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from random import Random
from typing import Any, NoReturn

import pytest
from strongroom_bluff.game import Bluff

from strongroom.contract import AnyState, Event, History, Move, NotUnderstood, Seat
from strongroom.games.safe_cracker.rules import Cracked
from strongroom.players import Resigns, player, stand_in
from strongroom.players.drive import Drive
from strongroom.players.master import MasterPlayer
from strongroom.players.random import RandomPlayer
from strongroom.players.scripted import ScriptedPlayer
from strongroom.plugins.registry import PLAYERS, THEORIES, load
from strongroom.referee.match import Match
from strongroom.referee.randomness import draws
from strongroom.testing.perft import after
from strongroom.testing.playouts import playout
from strongroom.theory.solution import NoTheory


class Unlisted(tuple[Move, ...]):
    """Moves that can be read one by one but not listed."""

    __slots__ = ()

    def __iter__(self) -> NoReturn:
        raise AssertionError("all the moves were listed")


def test_the_random_player_chooses_every_legal_move_and_no_other_without_listing_them() -> None:
    view = after("quantum-duel", "3").view(Seat.TWO)
    player = RandomPlayer(load("quantum-duel"), Random(1))
    assert player.policy(view) == dict.fromkeys(view.moves, 1 / 6)
    unlisted = view._replace(moves=Unlisted(view.moves))
    assert {player.choose(unlisted) for _ in range(200)} == set(view.moves)


def test_the_scripted_player_plays_its_texts_as_if_typed_then_resigns() -> None:
    state = after("digit-deductions")
    player, view = ScriptedPlayer(state.game, ["4 7", "47"]), state.view(Seat.ONE)
    assert [str(player.choose(view)) for _ in range(2)] == ["4-7", "4-7"]
    with pytest.raises(Resigns):
        player.choose(view)
    with pytest.raises(NotUnderstood):
        ScriptedPlayer(state.game, ["nonsense"]).choose(view)


def test_every_listed_player_can_be_created_by_name_and_moves() -> None:
    state = after("quantum-duel")
    for name in PLAYERS:
        assert player(name, state.game, Random(1)).choose(state.view(Seat.ONE)) in state.moves


VARIATIONS = [
    *({"digits": digits} for digits in range(4, 10)),
    {"length": 4},
    {"digits": 4, "length": 4},
    {"length": 5},
]


@pytest.mark.parametrize("name", THEORIES)
def test_the_policy_is_a_mixture_of_legal_moves_after_any_random_play(name: str) -> None:
    game = load(name)
    master = MasterPlayer(game, Random(1))
    for seed in range(3):
        for state in playout(game, Random(seed), longest=40).states:
            if isinstance(state.actor, Seat):
                policy = master.policy(state.view(state.actor))
                assert set(policy) <= set(state.moves)
                assert sum(policy.values()) == pytest.approx(1, abs=1e-12)
                assert min(policy.values()) >= 0
                if name == "safe-cracker":
                    assert all(isinstance(weight, Fraction) for weight in policy.values())
    for viewer in (Seat.TWO, None):
        assert master.policy(game.start().view(viewer)) == {}, "out of turn, or a spectator"


def test_moves_are_drawn_as_often_as_the_policy_says() -> None:
    game = load("safecracker-duel")
    view = game.start().view(Seat.ONE)
    master = MasterPlayer(game, Random(2))
    policy = master.policy(view)
    drawn = Counter(master.choose(view) for _ in range(4000))
    assert set(drawn) <= {move for move, weight in policy.items() if weight > 0}
    top = max(policy, key=lambda move: policy[move])
    assert drawn[top] / 4000 == pytest.approx(float(policy[top]), abs=0.02)


def test_it_plays_the_variations_of_safe_cracker_that_are_certified() -> None:
    for options in VARIATIONS:
        game = load("safe-cracker", **options)
        assert stand_in("master", game) == ("master", "")
        players = {seat: MasterPlayer(game, Random(f"{seat} {options}")) for seat in Seat}
        outcome = Drive(Match.start(game, turn_limit=60, draw=draws(1)), players).run().outcome
        assert outcome is not None
        assert outcome.reason is Cracked.CRACKED


def test_it_refuses_options_for_which_nothing_is_certified_and_expert_stands_in() -> None:
    for options in ({"digits": 5, "length": 4}, {"attempts": 3}, {"digits": 9, "length": 6}):
        game = load("safe-cracker", **options)
        with pytest.raises(NoTheory, match="Nothing is certified for safe-cracker,"):
            MasterPlayer(game, Random(1))
        name, told = stand_in("master", game)
        assert name == "expert"
        assert told.startswith("Nothing is certified for safe-cracker,")
        assert told.endswith(": expert plays instead of master.")
        assert stand_in("casual", game) == ("casual", "")
    assert stand_in("master", Bluff()) == ("master", ""), "expert does not know that game"


class Watched(History[Event]):
    """A history that counts how many of its events are read."""

    __slots__ = ("looks",)

    looks: int

    def __getitem__(self, place: Any) -> Any:
        found = super().__getitem__(place)
        self.looks += len(found) if isinstance(place, slice) else 1
        return found

    def __iter__(self) -> Iterator[Event]:
        for event in super().__iter__():
            self.looks += 1
            yield event


@pytest.mark.parametrize("bot", ["expert", "casual", "random"])
@pytest.mark.parametrize("name", ["quantum-duel", "safecracker-duel"])
def test_a_bot_reads_no_more_events_late_in_a_match_than_early(bot: str, name: str) -> None:
    game, rng = load(name), Random(1)
    bots = {seat: player(bot, game, Random(seat.value)) for seat in Seat}
    state: AnyState = game.start()
    while state.turns < 1000:
        move = rng.choice(state.moves)
        if isinstance(state.actor, Seat):
            watched = Watched.of(state.past)
            watched.looks = 0
            move = bots[state.actor].choose(state.view(state.actor)._replace(history=watched))
            assert watched.looks <= 8, f"{watched.looks} at turn {state.turns}"
        on = (state.play(each) for each in (move, *state.moves))
        state = next(after for after in on if after.outcome is None)
