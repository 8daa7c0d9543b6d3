"""A client for tests that talks to the server message by message."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from random import Random
from types import TracebackType
from typing import Any

import httpx
from playing import Asked, Seen, fresh, play_address
from serving import PATIENCE
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from strongroom.contract import Json, View


class Talk:
    """One WebSocket that records everything it receives, as raw text too."""

    def __init__(self, address: str, **hello: Any) -> None:
        self._connected = ExitStack()
        self.socket = self._connected.enter_context(
            connect(play_address(address), compression=None, max_queue=None, open_timeout=PATIENCE)
        )
        self.seen = Seen(keeps_frames=True)
        self.texts: list[str] = []
        if hello:
            self.say("hello", **hello)

    def __enter__(self) -> Talk:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._connected.close()

    # --- sending and receiving ---

    def say(self, type: str, **parts: Any) -> None:
        """Send a message."""
        self.socket.send(json.dumps({"type": type, **parts}))

    def hear(self, *types: str) -> Json:
        """The next frame of one of these types; other frames are skipped."""
        while True:
            text = self.socket.recv(PATIENCE)
            assert isinstance(text, str)
            self.texts.append(text)
            frame: Json = json.loads(text)
            self.seen.take(frame)
            if frame["type"] in types or not types:
                return frame

    def hear_up_to(self, number: int) -> None:
        """Receive everything up to an entry."""
        while self.seen.number < number:
            self.hear("entries")

    def hear_until_quiet(self) -> list[Json]:
        """All frames that arrive before the answer to a ping."""
        self.say("ping")
        heard = []
        while (frame := self.hear())["type"] != "pong":
            heard.append(frame)
        return heard

    def hear_close(self) -> int:
        """Receive everything until the connection is closed, and return the close code."""
        while True:
            try:
                self.hear()
            except ConnectionClosed as closed:
                return 1006 if closed.rcvd is None else closed.rcvd.code

    # --- playing ---

    @property
    def view(self) -> View:
        """The view reconstructed from the frames."""
        assert self.seen.view is not None
        return self.seen.view

    @property
    def is_to_move(self) -> bool:
        """Whether it is this player's turn."""
        view = self.seen.view
        return view is not None and view.outcome is None and view.actor is view.seat

    def ask(self, move: str | None = None, random: Random | None = None) -> Asked:
        """Send a move: the one named, a random one, or else the first legal one."""
        moves = self.view.moves
        chosen = move or str(random.choice(moves) if random else moves[0])
        asked = Asked(fresh(), self.seen.number + 1, chosen)
        self.repeat(asked)
        return asked

    def repeat(self, asked: Asked) -> None:
        """Send a move again."""
        self.say("move", id=asked.id, number=asked.number, move=asked.move)

    def move(self, move: str | None = None, random: Random | None = None) -> Json:
        """Make a move, and return the frame that acknowledges it."""
        asked = self.ask(move, random)
        return self.made(asked.id)

    def made(self, id: str) -> Json:
        """Wait for the frame that acknowledges a request."""
        while (frame := self.hear("entries", "refused", "error")).get("made") != id:
            assert frame["type"] == "entries", frame
        return frame


@dataclass
class Duel:
    """A game between two people, both played by this process."""

    address: str
    name: str
    id: str
    tokens: tuple[str, str]

    def sit(self, seat: int, **hello: Any) -> Talk:
        """A connection that plays for a seat."""
        return self._come(token=self.tokens[seat - 1], **hello)

    def watch(self, **hello: Any) -> Talk:
        """A connection for a spectator."""
        return self._come(**hello)

    def _come(self, **hello: Any) -> Talk:
        return Talk(self.address, game=self.id, **hello)

    def both(self, **hello: Any) -> tuple[Talk, Talk]:
        """Connections for both seats, once both have their views."""
        talks = self.sit(1, **hello), self.sit(2, **hello)
        for talk in talks:
            while talk.seen.view is None:
                talk.hear("welcome", "entries")
        return talks

    @contextmanager
    def seated(self, **hello: Any) -> Iterator[tuple[Talk, Talk]]:
        """Both players, until the block ends."""
        one, two = self.both(**hello)
        with one, two:
            yield one, two


def duel(address: str, game: str, **terms: Any) -> Duel:
    """A new game between two people."""
    tokens, invitation = (fresh(), fresh()), fresh()
    with httpx.Client(base_url=f"{address}/api", timeout=PATIENCE) as api:
        body = {"game": game, "name": "Ada", "token": tokens[0], "invitation": invitation, **terms}
        made = api.post("/games", json=body)
        assert made.status_code == 201, made.text
        id = made.json()["game"]["id"]
        joining = {"name": "Bob", "token": tokens[1], "invitation": invitation}
        assert api.post(f"/games/{id}/join", json=joining).status_code == 200
    return Duel(address, game, id, tokens)


def settle(
    talks: tuple[Talk, Talk], random: Random, most: int = 10**6, move: str | None = None
) -> None:
    """Play random moves, or one repeated move, to the end of the game or at most `most`."""
    for _ in range(most):
        mover = next((talk for talk in talks if talk.is_to_move), None)
        if mover is None:
            return
        number = mover.move(move, random)["number"]
        for talk in talks:
            talk.hear_up_to(number)
