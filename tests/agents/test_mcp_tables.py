"""The games of a server's clients: whoever plays a client hears how the game ended."""

from __future__ import annotations

import pytest

from strongroom import load
from strongroom.agents import mcp_tables
from strongroom.agents.mcp_tables import Table, Tables
from strongroom.contract import Ending, Move, Outcome, Seat, View
from strongroom.players import Follows
from strongroom.referee.bout import UNDECIDED

GAME = load("quantum-duel")


class Told(Follows):
    """Makes the first move, and remembers how its games ended."""

    def __init__(self) -> None:
        self.ends: list[Outcome | None] = []

    def choose(self, view: View) -> Move:
        return view.moves[0]

    def over(self, view: View) -> None:
        self.ends.append(view.outcome)


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch) -> Told:
    """The opponent of every client."""
    opponent = Told()
    monkeypatch.setattr(mcp_tables, "player", lambda *_: opponent)
    return opponent


def table() -> Table:
    """A game at the client's first move."""
    return Table(GAME, {Seat.TWO: "random"}, seed=1)


def test_the_opponent_is_told_that_the_client_resigned(told: Told) -> None:
    table().resign()
    assert told.ends == [Outcome(Seat.TWO, Ending.RESIGNED)]


def test_the_opponent_of_a_game_that_is_dropped_is_told_that_it_is_undecided(told: Told) -> None:
    for tables in (Tables(each=1), Tables(in_all=1)):
        for _ in range(2):
            tables.add("ada", table())
    assert told.ends == [UNDECIDED] * 2


def test_a_game_that_is_over_is_dropped_without_another_word(told: Told) -> None:
    tables, over = Tables(each=1), table()
    over.resign()
    tables.add("ada", over)
    tables.add("ada", table())
    assert told.ends == [Outcome(Seat.TWO, Ending.RESIGNED)]


def test_a_game_that_is_dropped_during_a_request_ends_after_it(told: Told) -> None:
    busy = table()
    with busy.alone():
        busy.drop()
        assert told.ends == []
    assert told.ends == [UNDECIDED]
