"""Reading only the new moves of a game, instead of the whole game at every move."""

from __future__ import annotations

from random import Random

import pytest

from strongroom import load
from strongroom.contract import CHANCE, AnyState, Event, History, Seat
from strongroom.games.quantum_duel.rules import Observe
from strongroom.plugins import registry
from strongroom.theory import shelf
from strongroom.theory.history_fold import HistoryFold


def event(cell: int) -> Event:
    return Event(Seat.ONE, Observe(cell))


def test_each_event_is_read_once_while_a_game_goes_on() -> None:
    read: list[Event] = []

    def step(value: int, happened: Event) -> int:
        read.append(happened)
        return value + 1

    following, history = HistoryFold(0, step), History[Event]()
    for cell in range(1, 8):
        history = history.then(event(cell))
        assert following.after(history) == following.after(history) == cell
    assert len(read) == 7


def test_another_game_or_an_earlier_moment_is_read_from_the_beginning() -> None:
    following = HistoryFold("", lambda text, happened: text + str(happened.move))
    game, other = History(event(1), event(2), event(3)), History(event(1), event(4))
    assert following.after(game) == "123"
    assert following.after(other) == "14"
    assert following.after(History(*game[:2])) == "12"
    assert following.after(game) == "123"
    assert following.after(History()) == ""


@pytest.mark.parametrize("name", registry.GAMES)
def test_a_theory_does_not_depend_on_earlier_queries(name: str) -> None:
    game, dice = load(name), Random(7)
    table, _ = shelf.read(game)
    kind = shelf.solution_type(name)
    views = []
    for _ in range(6):
        state: AnyState = game.start()
        while state.outcome is None and state.turns < 8:
            if isinstance(state.actor, Seat) and not state.setting_up:
                views.append(state.view(state.actor))
            assert state.actor in (*Seat, CHANCE)
            state = state.play(dice.choice(state.moves))
    asked = kind(game, table)
    said = [asked.policy(view) for view in views]
    for number in dice.sample(range(len(views)), len(views)):
        assert asked.policy(views[number]) == said[number]
    for number in dice.sample(range(len(views)), 3):
        assert kind(game, table).policy(views[number]) == said[number]
