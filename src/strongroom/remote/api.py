"""What is asked of a server once: games are made, joined and fetched by plain requests."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from http.client import HTTPException
from queue import Empty, SimpleQueue
from threading import Thread
from typing import Any, Final, TypeVar
from urllib.error import HTTPError, URLError
from urllib.request import HTTPRedirectHandler, Request, build_opener

from strongroom.contract import Json, Refusal, harmless, shown
from strongroom.remote.link import Kind, Link

PATIENCE: Final = 20
"""How many seconds a server may take to answer."""
LARGEST: Final = 2**24
"""How many bytes an answer may have."""
PAUSES: Final = (0.5, 1.0, 2.0)
"""How many seconds are waited before each further try."""

T = TypeVar("T")


class Unreachable(Refusal):
    """A server that does not answer, or not like one of ours; it may do so later."""


class SentElsewhere(Unreachable):
    """A server that names another address; what is meant for one server goes to no other."""

    def __init__(self, address: str) -> None:
        there = f"The server sends to {shown(address, 80)}."
        super().__init__(there, "If you trust that address, name it instead.")


class Declined(Refusal):
    """Something that a server would not do; `code` says why to a program."""

    def __init__(self, code: str, reason: str, accepted: str = "") -> None:
        super().__init__(reason, accepted)
        self.code = code


def create(base: str, wanted: Json) -> Json:
    """Make a game; repeated with the same token, it gives the same answer."""
    return _object(_ask(base, "/api/games", wanted))


def join(link: Link, name: str, token: str) -> Json:
    """Sit down by invitation."""
    wanted = {"name": name, "token": token, "invitation": link.token}
    return _object(_ask(link.base, f"/api/games/{link.game}/join", wanted))


def info(link: Link) -> Json:
    """How a game stands."""
    return _object(_ask(link.base, f"/api/games/{link.game}"))


def withdraw(link: Link) -> Json:
    """Take back a game that has not begun."""
    return _object(_ask(link.base, f"/api/games/{link.game}/withdraw", {}, link))


def rematch(link: Link, token: str) -> Json:
    """Another game against the same player, with the seats swapped."""
    return _object(_ask(link.base, f"/api/games/{link.game}/rematch", {"token": token}, link))


def record(link: Link) -> str:
    """The journal of a finished game."""
    return _ask(link.base, f"/api/games/{link.game}/record", seat=link)


def patiently(ask: Callable[[], T]) -> T:
    """What a server answers, asked a few times while it does not: it may be starting again."""
    until = time.monotonic() + PATIENCE
    for pause in PAUSES:
        try:
            return ask()
        except SentElsewhere:
            raise
        except Unreachable:
            if time.monotonic() + pause >= until:
                raise
            time.sleep(pause)
    return ask()


def _object(text: str) -> Json:
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        data = None
    if not isinstance(data, dict):
        raise Unreachable("What answers there is no strongroom server.", "Check the address.")
    return data


def _ask(base: str, path: str, body: Json | None = None, seat: Link | None = None) -> str:
    headers = {"Accept": "application/json"}
    data = None
    if body is not None:
        data, headers["Content-Type"] = json.dumps(body).encode(), "application/json"
    if seat is not None and seat.kind is Kind.PLAY:
        headers["Authorization"] = f"Bearer {seat.token}"
    request = Request(base + path, data, headers)
    try:
        return _in_time(lambda: _answer(request))
    except (URLError, HTTPException, OSError, UnicodeError) as error:  # the last: of a host's name
        why = getattr(error, "reason", error)
        told = getattr(why, "strerror", None) or why
        raise Unreachable(
            f"No server answers at {shown(base, 60)}: {harmless(str(told), 80)}.",
            "Is it running, and is this its address?",
        ) from None


def _answer(request: Request) -> str:
    try:
        with build_opener(_StaysHere).open(request, timeout=PATIENCE) as answer:
            return _text(answer)
    except HTTPError as error:
        with error:
            raise _declined(error) from None


def _in_time(ask: Callable[[], str]) -> str:
    """What is answered within all the time there is, however many pieces it comes in."""
    came: SimpleQueue[str | Exception] = SimpleQueue()

    def wait() -> None:
        try:
            came.put(ask())
        except Exception as error:
            came.put(error)

    Thread(target=wait, name="request", daemon=True).start()
    try:
        answer = came.get(timeout=PATIENCE)
    except Empty:
        raise TimeoutError("it takes too long") from None
    if isinstance(answer, Exception):
        raise answer
    return answer


class _StaysHere(HTTPRedirectHandler):
    """Goes nowhere else: a token is for the server that was named, and for no other."""

    def redirect_request(self, req: Request, fp: Any, *where: Any) -> None:
        """Go nowhere."""


def _text(answer: Any) -> str:
    data: bytes = answer.read(LARGEST + 1)
    if len(data) > LARGEST:
        raise Unreachable("The server's answer is too long.")
    return data.decode("utf-8", "replace")


def _declined(error: HTTPError) -> Refusal:
    try:
        told = _object(_text(error))
    except (Refusal, HTTPException, OSError):
        told = {}
    code, text = told.get("error"), told.get("text")
    if isinstance(code, str) and isinstance(text, str):
        return Declined(code, harmless(text, 300))
    if (elsewhere := error.headers.get("Location")) and 300 <= error.code < 400:
        return SentElsewhere(elsewhere)
    if error.code >= 500:
        return Unreachable(f"The server has trouble (status {error.code}).", "Try again later.")
    return Unreachable(f"The server does not know this (status {error.code}).", "Is it strongroom?")
