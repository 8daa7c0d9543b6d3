"""The table: what viewers put together from frames is always the view that the referee has."""

from __future__ import annotations

import secrets
from random import Random

import pytest

from strongroom import wire
from strongroom.contract import Json, Seat, View
from strongroom.registry import GAMES, load
from strongroom.server.deal import Chair, Deal
from strongroom.server.store import Kept, Request
from strongroom.server.table import Table


def kept(game: str) -> Kept:
    """A game between two people who have both given their seeds."""
    one, two = (
        Chair(seat, name, token=secrets.token_hex(32), seed=secrets.token_hex(16))
        for seat, name in zip(Seat, ("Ada", "Bob"), strict=True)
    )
    return Kept(
        id=secrets.token_hex(16),
        deal=Deal(load(game)),
        server_seed=secrets.token_hex(32),
        invitation=None,
        waits=False,
        watch=True,
        created=1.0,
        started=1.0,
        ended=None,
        address="127.0.0.1",
        rematch=None,
        chairs=(one, two),
    )


@pytest.mark.parametrize("game", GAMES)
def test_a_viewer_who_comes_to_a_table_that_was_opened_anew_is_told_all_that_changes(
    game: str,
) -> None:
    random, stored = Random(game), list[Request]()
    table = Table(kept(game))
    seen: dict[Seat | None, Json] = {
        viewer: table.playing.view(viewer).to_json() for viewer in (None, *Seat)
    }
    while (actor := table.actor) is not None:
        table = Table(table.kept, stored)  # as after a restart
        assert isinstance(actor, Seat)
        for _ in range(2):
            actor = table.actor
            if not isinstance(actor, Seat):
                break
            move = random.choice(table.playing.view(actor).moves)
            proposal = table.made(actor, move, secrets.token_hex(16), 1.0)
            table.advance(proposal)
            stored.append(proposal.request)
            frames = table.frames([(viewer, False) for viewer in seen], 1.0)
            for viewer in seen:
                seen[viewer] = wire.fold(seen[viewer], frames[(viewer, False)])
                view = View.from_json(table.kept.deal.game, seen[viewer])
                assert view == table.playing.view(viewer)
