"""A server on versions of uvicorn or websockets without the internals that make it fast."""

from __future__ import annotations

from random import Random

from talking import duel, settle

from strongroom.server.messages import LONGEST_MESSAGE
from strongroom.server.protocols import lacks_parts
from tests.server.whole.conftest import Serve

MISSING = {"strongroom.server.protocols:FRAME_PARTS": ("no_version_has_this",)}


def test_the_declared_versions_have_the_internals() -> None:
    assert lacks_parts() == []


def test_games_are_played_to_their_end_without_the_internals(serve: Serve) -> None:
    server = serve("--fast", constants=MISSING)
    assert "no_version_has_this" in server.log
    game = duel(server.address, "quantum-duel")
    one, two = game.both()
    with one, two, game.watch(words=True) as watcher:
        watcher.hear("welcome")
        settle((one, two), Random(1))
        assert one.view.outcome == two.view.outcome is not None
        while watcher.seen.number < one.seen.number:
            watcher.hear("entries")


def test_messages_have_the_same_limit_without_the_internals(serve: Serve) -> None:
    game = duel(serve("--fast", constants=MISSING).address, "quantum-duel")
    one, _two = game.both()
    with one, _two:
        one.socket.send("x" * (LONGEST_MESSAGE + 1))
        assert one.hear_close() == 1009
