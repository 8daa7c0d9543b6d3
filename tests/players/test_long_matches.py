"""Bots in endless matches: the thousandth turn costs no more than the tenth."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from strongroom.contract import AnyState, Event, History, Move, Seat
from strongroom.players import player
from strongroom.plugins.registry import load

TURNS = 2_000
MOST_LOOKS = 8
"""How many events a bot may read for a move, however many there are."""


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
    while state.turns < TURNS:
        if isinstance(state.actor, Seat):
            watched = Watched.of(state.past)
            watched.looks = 0
            move = bots[state.actor].choose(state.view(state.actor)._replace(history=watched))
            assert watched.looks <= MOST_LOOKS, f"{watched.looks} at turn {state.turns}"
        else:
            move = rng.choice(state.moves)
        state = _on_and_on(state, move)


def _on_and_on(state: AnyState, wanted: Move) -> AnyState:
    """The state after the wanted move; if that ends the game, after another one."""
    states = (state.play(move) for move in (wanted, *state.moves))
    return next(after for after in states if after.outcome is None)
