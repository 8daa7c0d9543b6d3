"""The random player, the scripted player, players by name, and bots in endless matches."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import Any, NoReturn

import pytest

from strongroom.contract import AnyState, Event, History, Move, NotUnderstood, Seat, UnknownName
from strongroom.players import Resigns, player
from strongroom.players.random import RandomPlayer
from strongroom.players.scripted import ScriptedPlayer
from strongroom.plugins.registry import PLAYERS, load
from strongroom.testing.perft import after


def test_the_random_player_chooses_every_legal_move_and_no_other_as_its_policy_says() -> None:
    view = after("quantum-duel", "3").view(Seat.TWO)
    player = RandomPlayer(load("quantum-duel"), Random(1))
    assert player.policy(view) == dict.fromkeys(view.moves, 1 / 6)
    assert {player.choose(view) for _ in range(200)} == set(view.moves)


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


# --- long matches ---------------------------------------------------------------------------------


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
