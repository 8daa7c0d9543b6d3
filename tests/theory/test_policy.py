"""What every certified player does, in any view, whatever was played and asked before."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from random import Random

import pytest

from strongroom import load
from strongroom.contract import CHANCE, AnyState, Event, Game, History, Seat, View
from strongroom.games.quantum_duel.rules import Observe
from strongroom.plugins import registry
from strongroom.theory import shelf
from strongroom.theory.history_fold import HistoryFold
from strongroom.theory.shelf import solution_of

GAMES = [*map(load, registry.GAMES), load("safe-cracker", digits=4)]
each_game = pytest.mark.parametrize("game", GAMES, ids=repr)


def states(game: Game, rng: Random, follows: Seat | None, turns: int = 12) -> Iterator[AnyState]:
    """A game in which one seat follows the certified strategy and everybody else moves anyhow."""
    state: AnyState = game.start()
    while state.outcome is None and state.turns < turns:
        yield state
        chances = solution_of(game).policy(state.view(follows)) if state.actor is follows else {}
        weights = [float(chance) for chance in chances.values()]
        moves = rng.choices([*chances], weights) if weights else [rng.choice(state.moves)]
        state = state.play(moves[0])
    yield state


@each_game
def test_every_view_has_a_mixture_of_legal_moves_and_a_value_for_each_of_them(game: Game) -> None:
    solution, rng = solution_of(game), Random(7)
    for number in range(24):
        for state in states(game, rng, (None, *Seat)[number % 3]):
            for seat in Seat:
                view = state.view(seat)
                policy, values = solution.policy(view), solution.values(view)
                if state.actor is not seat:
                    assert (policy, values) == ({}, {})
                    continue
                assert sum(policy.values()) == 1
                assert all(isinstance(p, Fraction) and p >= 0 for p in policy.values())
                assert set(policy) <= set(view.moves)
                assert set(values) == set(view.moves)
                assert all(-1e-9 <= value <= 1 + 1e-9 for value in values.values())
                assert solution.why(view, rng.choice(view.moves)).endswith(".")


@pytest.mark.parametrize("name", ["quantum-duel", "safecracker-duel", "safe-cracker"])
def test_only_moves_of_the_highest_value_are_played(name: str) -> None:
    """At the other games the strategy also prepares for what its opponent will never do."""
    game, rng = load(name), Random(3)
    for number in range(30):
        for state in states(game, rng, [*Seat][number % 2], 7):
            if isinstance(state.actor, Seat):
                view = state.view(state.actor)
                values = solution_of(game).values(view)
                if name == "safecracker-duel" and number % 2 != state.actor.index:
                    continue  # it has not followed the strategy
                for move in solution_of(game).policy(view):
                    assert values[move] == pytest.approx(max(values.values()), abs=1e-9)


@each_game
def test_a_theory_does_not_depend_on_earlier_queries(game: Game) -> None:
    rng, kind, table = Random(7), shelf.solution_type(game.name), shelf.read(game)[0]
    views: list[View] = []
    for _ in range(4):
        for state in states(game, rng, None, 8):
            if isinstance(state.actor, Seat) and not state.setting_up:
                views.append(state.view(state.actor))
            assert state.actor in (*Seat, CHANCE, None)
    asked = kind(game, table)
    said = [(asked.policy(view), asked.values(view)) for view in views]
    for number in rng.sample(range(len(views)), len(views)):
        assert (asked.policy(views[number]), asked.values(views[number])) == said[number]
    for number in rng.sample(range(len(views)), 2):
        assert kind(game, table).policy(views[number]) == said[number][0]


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
