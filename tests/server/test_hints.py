"""Hints: nobody else at the table waits while one is computed."""

from __future__ import annotations

import asyncio
import threading
from typing import Any

import pytest
from starting import PATIENCE

from strongroom.analysis import advise
from strongroom.contract import Seat
from strongroom.registry import load
from strongroom.server import hints
from strongroom.server.connection import Backlog, Connection
from strongroom.server.deal import Deal
from strongroom.server.hub import Hub
from strongroom.server.lobby import Lobby, Wanted
from strongroom.server.messages import GivesUp, Hello, WantsHint
from strongroom.server.settings import Settings
from strongroom.server.store import Store, open_database
from strongroom.tokens import fresh


async def seated(hub: Hub) -> dict[Seat, Connection]:
    """Two players at a game of Quantum Duel."""
    lobby, tokens, invitation = Lobby(hub), (fresh(), fresh()), fresh()
    deal = Deal(load("quantum-duel"), True, None)
    wanted = Wanted(deal, "link", "1", "Ada", tokens[0], invitation, True, "")
    game, _ = await lobby.create(wanted)
    await lobby.join(game["id"], "Bob", tokens[1], invitation)
    both = {}
    for seat, token in zip(Seat, tokens, strict=True):
        both[seat] = Connection(10**6, Backlog(10**6))
        await hub.enter(both[seat], Hello(game["id"], token, None, False, fresh()))
    return both


def test_the_other_player_does_not_wait_for_a_hint(
    sqlite: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    goes_on = threading.Event()

    def slow(view: Any) -> Any:
        goes_on.wait(60)
        return advise(view)

    monkeypatch.setattr(hints, "advise", slow)

    async def scene() -> None:
        hub = Hub(Store(open_database(sqlite)), Settings())
        await hub.open()
        both = await seated(hub)
        asking = asyncio.create_task(hub.handle(both[Seat.ONE], WantsHint(fresh(), 1)))
        try:
            async with asyncio.timeout(PATIENCE):
                await hub.handle(both[Seat.TWO], GivesUp(fresh()))
            assert not asking.done()
        finally:
            goes_on.set()
            with pytest.raises(Exception, match="The game is over"):
                await asking
            await hub.close()

    asyncio.run(scene())
