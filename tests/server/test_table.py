"""The table: the view that a viewer folds from frames is always the referee's view."""

from __future__ import annotations

import gc
import secrets
from random import Random

import pytest

from strongroom.contract import Seat
from strongroom.plugins.registry import GAMES
from strongroom.referee import wire
from strongroom.server.clocks import Pauses
from strongroom.server.deal import TimeControl
from strongroom.server.messages import ReadRequest
from strongroom.server.store import StoredRequest
from strongroom.server.table import Table
from tests.server.stores import another_process, begun


@pytest.mark.parametrize("game", GAMES)
def test_after_a_restart_viewers_are_told_everything_that_changes(game: str) -> None:
    random, stored = Random(game), list[StoredRequest]()
    table = Table(begun(game))
    seen = {viewer: table.playing.view(viewer) for viewer in (None, *Seat)}
    while (actor := table.actor) is not None:
        table = Table(table.stored, stored)  # as after a restart
        assert isinstance(actor, Seat)
        for _ in range(2):
            actor = table.actor
            if not isinstance(actor, Seat):
                break
            move = random.choice(table.playing.view(actor).moves)
            proposal = table.made(actor, move, secrets.token_hex(16), 1.0)
            table.advance(proposal)
            stored.append(proposal.request)
            for viewer in seen:
                seen[viewer] = wire.fold(seen[viewer], table.frame((viewer, False), 1.0))
                assert seen[viewer] == table.playing.view(viewer)


@pytest.mark.parametrize("game", GAMES)
def test_a_move_that_is_read_back_is_returned_as_it_is_and_not_made(
    game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    random, table = Random(game), Table(begun(game))
    while isinstance(actor := table.actor, Seat) and table.number < 30:
        before, move = table.match, random.choice(table.playing.view(actor).moves)
        told = table.read(actor, ReadRequest(secrets.token_hex(16), table.number + 1, str(move)))
        assert told["move"] == str(move)
        assert table.match is before
        # Reading plays nothing, so its duration cannot depend on the other's secret.
        monkeypatch.setattr(type(table.playing.state), "play", None)
        assert table.read(actor, ReadRequest(secrets.token_hex(16), table.number + 1, str(move)))
        monkeypatch.undo()
        table.advance(table.made(actor, move, secrets.token_hex(16), 1.0))


def test_a_pause_that_is_not_stored_yet_is_not_forgotten_for_one_that_is() -> None:
    table = Table(begun("digit-deductions", TimeControl(minutes=5, increment=0)))
    table.pause(Seat.ONE, (10.0, 30.0))
    table.take_pauses({Seat.ONE: Pauses([(40.0, 50.0)])})
    began = 1.0
    assert table.time_left(61.0) == 300.0 - (61.0 - began - 20.0 - 10.0)


def circles_after(game: str) -> int:
    """The number of objects that only the garbage collector frees after a game."""

    def play(table: Table) -> None:
        random = Random(game)
        while isinstance(actor := table.actor, Seat) and table.number < 30:
            move = random.choice(table.playing.view(actor).moves)
            table.advance(table.made(actor, move, secrets.token_hex(16), 1.0))
            for viewer in (None, *Seat):
                table.frame((viewer, True), 1.0)

    play(Table(begun(game)))  # the first game fills caches
    table = Table(begun(game))
    while gc.collect():  # freeing may leave more garbage behind
        pass
    gc.disable()
    try:
        play(table)
        del table
        return gc.collect()
    finally:
        gc.enable()


def test_playing_leaves_no_reference_cycles() -> None:
    """The server hardly ever collects them.

    The games run in a subprocess, so that garbage of other tests and threads is not counted.
    """
    counting = another_process(
        "import sys; from tests.server.test_table import circles_after;"
        "print([(game, circles_after(game)) for game in sys.argv[1:]])",
        *GAMES,
    )
    counted, complained = counting.communicate()
    assert not complained
    assert counted.strip() == str([(game, 0) for game in GAMES])
