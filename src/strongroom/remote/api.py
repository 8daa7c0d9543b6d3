"""One-off requests to a server: games are created, joined and fetched over HTTP."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from functools import partial
from http.client import HTTPException
from typing import Any, Final, TypeVar
from urllib.error import HTTPError, URLError
from urllib.request import HTTPRedirectHandler, Request, build_opener

from strongroom.contract import Json, Refusal, harmless, quote
from strongroom.plugins.foreign import TookTooLong, call_within
from strongroom.remote.link import Link, LinkKind

ANSWER_TIMEOUT: Final = 20
"""How long a server may take to answer, in seconds."""
LARGEST_ANSWER: Final = 2**24
"""The most bytes in an answer or a message: enough for the view of a whole game."""
RETRY_PAUSES: Final = (0.5, 1.0, 2.0)
"""The pause before each retry, in seconds."""

T = TypeVar("T")


class Unreachable(Refusal):
    """The server does not answer, or not like one of ours; a later retry may succeed."""


class SentElsewhere(Unreachable):
    """The server redirects to another address; what is meant for one server goes to no other."""

    def __init__(self, address: str) -> None:
        there = f"The server redirects to {quote(address, 80)}."
        super().__init__(there, "If you trust that address, use it instead.")


class Declined(Refusal):
    """The server declined a request; `code` is the machine-readable reason."""

    def __init__(self, code: str, reason: str, accepted: str = "") -> None:
        super().__init__(reason, accepted)
        self.code = code


def create(base: str, wanted: Json) -> Json:
    """Create a game; a retry with the same token gets the same answer."""
    return _object(_ask(base, "/api/games", wanted))


def join(link: Link, name: str, token: str) -> Json:
    """Take a seat by invitation."""
    wanted = {"name": name, "token": token, "invitation": link.token}
    return _object(_ask(link.base, f"/api/games/{link.game}/join", wanted))


def info(link: Link) -> Json:
    """The public information about a game."""
    return _object(_ask(link.base, f"/api/games/{link.game}"))


def withdraw(link: Link) -> Json:
    """Withdraw a game that has not begun."""
    return _object(_ask(link.base, f"/api/games/{link.game}/withdraw", {}, link))


def rematch(link: Link, token: str) -> Json:
    """Another game against the same player, with the seats swapped."""
    return _object(_ask(link.base, f"/api/games/{link.game}/rematch", {"token": token}, link))


def record(link: Link) -> str:
    """The journal of a finished game."""
    return _ask(link.base, f"/api/games/{link.game}/record", seat=link)


def patiently(ask: Callable[[], T]) -> T:
    """Make a request, with a few retries while the server is unreachable: it may be restarting."""
    until = time.monotonic() + ANSWER_TIMEOUT
    for pause in RETRY_PAUSES:
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
        raise Unreachable("The server there is not a strongroom server.", "Check the address.")
    return data


def _ask(base: str, path: str, body: Json | None = None, seat: Link | None = None) -> str:
    headers = {"Accept": "application/json"}
    data = None
    if body is not None:
        data, headers["Content-Type"] = json.dumps(body).encode(), "application/json"
    if seat is not None and seat.kind is LinkKind.PLAY:
        headers["Authorization"] = f"Bearer {seat.token}"
    request = Request(base + path, data, headers)
    try:
        return call_within(ANSWER_TIMEOUT, partial(_answer, request))
    except (URLError, HTTPException, OSError, UnicodeError, TookTooLong) as error:
        # A bad host name is a UnicodeError.
        why = getattr(error, "reason", error)
        told = getattr(why, "strerror", None) or why
        raise Unreachable(
            f"No server answers at {quote(base, 60)}: {harmless(str(told), 80)}.",
            "Check the address, and that the server is running.",
        ) from None


def _answer(request: Request) -> str:
    try:
        with build_opener(_StaysHere).open(request, timeout=ANSWER_TIMEOUT) as answer:
            return _text(answer)
    except HTTPError as error:
        with error:
            raise _refusal(error) from None


class _StaysHere(HTTPRedirectHandler):
    """Follows no redirect: a token is for the named server and no other."""

    def redirect_request(self, req: Request, fp: Any, *where: Any) -> None:
        """Refuse every redirect."""


def _text(answer: Any) -> str:
    data: bytes = answer.read(LARGEST_ANSWER + 1)
    if len(data) > LARGEST_ANSWER:
        raise Unreachable("The server's answer is too long.")
    return data.decode("utf-8", "replace")


def _refusal(error: HTTPError) -> Refusal:
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
        return Unreachable(f"The server failed (status {error.code}).", "Try again later.")
    return Unreachable(f"The server declined (status {error.code}).", "Is it a strongroom server?")
