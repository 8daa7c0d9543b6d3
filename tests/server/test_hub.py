"""The hub: hints do not hold up the other player, and an expired game is gone for newcomers."""

from __future__ import annotations

import asyncio
import threading
from typing import Any

import pytest
from starting import PATIENCE

from strongroom.contract import Seat
from strongroom.referee.tokens import fresh
from strongroom.referee.wire import NO_GAME
from strongroom.server import hints
from strongroom.server.connection import Backlog, Connection
from strongroom.server.forms import NewGame
from strongroom.server.hub import Hub
from strongroom.server.lobby import Lobby
from strongroom.server.messages import Hello, HintRequest, ResignRequest, WireError
from strongroom.server.settings import Settings
from strongroom.server.store import Store, open_database
from strongroom.theory.hints import advise


async def seated(hub: Hub) -> dict[Seat, Connection]:
    """Connect two players to a game of Quantum Duel."""
    lobby, tokens, invitation = Lobby(hub), (fresh(), fresh()), fresh()
    wanted = {"game": "quantum-duel", "name": "Ada", "token": tokens[0], "invitation": invitation}
    game, _ = await lobby.create(NewGame.model_validate({**wanted, "aids": True}), "")
    await lobby.join(game["id"], "Bob", tokens[1], invitation)
    both = {}
    for seat, token in zip(Seat, tokens, strict=True):
        both[seat] = Connection(10**6, Backlog(10**6))
        await hub.enter(both[seat], Hello(game["id"], token, None, False, fresh()))
    return both


async def test_the_other_player_does_not_wait_for_a_hint(
    sqlite: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    goes_on = threading.Event()

    def slow(view: Any) -> Any:
        goes_on.wait(60)
        return advise(view)

    monkeypatch.setattr(hints, "advise", slow)
    hub = Hub(Store(open_database(sqlite)), Settings())
    await hub.open()
    both = await seated(hub)
    asking = asyncio.create_task(hub.handle(both[Seat.ONE], HintRequest(fresh(), 1)))
    try:
        async with asyncio.timeout(PATIENCE):
            await hub.handle(both[Seat.TWO], ResignRequest(fresh()))
        assert not asking.done()
    finally:
        goes_on.set()
        with pytest.raises(Exception, match="The game is over"):
            await asking
        await hub.close()


async def test_a_spectator_who_comes_just_after_a_game_expired_is_told_that_it_is_gone(
    sqlite: str,
) -> None:
    store = Store(open_database(sqlite))
    hub = Hub(store, Settings())
    await hub.open()
    one = (await seated(hub))[Seat.ONE]
    assert await store.expire(-1, None) == [one.game]
    await hub.rooms.refresh([one.game])
    watcher = Connection(10**6, Backlog(10**6))
    with pytest.raises(WireError) as refused:  # the players' connections are still closing
        await hub.enter(watcher, Hello(one.game, None, None, False, None))
    await hub.close()
    assert (refused.value.code, one.closed) == ("unknown-game", (NO_GAME, "expired"))
