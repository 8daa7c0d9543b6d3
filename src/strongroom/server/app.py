"""The application: the routes, the page, and the headers of every response."""

from __future__ import annotations

import re
import secrets
from contextlib import suppress
from functools import cache
from typing import Any, Final

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import HTMLResponse, JSONResponse, PlainTextResponse
from starlette.datastructures import MutableHeaders
from starlette.exceptions import HTTPException
from starlette.routing import WebSocketRoute
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from strongroom.contract import Refusal
from strongroom.listening import counted_as
from strongroom.server import garbage
from strongroom.server.budget import PAYER, Budgets, Metered
from strongroom.server.catalog import catalog, games
from strongroom.server.files import NOWHERE, PageFiles
from strongroom.server.forms import fault
from strongroom.server.http import routes
from strongroom.server.hub import Hub
from strongroom.server.limits import Addresses
from strongroom.server.lobby import NotGranted
from strongroom.server.logs import log
from strongroom.server.reference import reference
from strongroom.server.store import DatabaseTrouble
from strongroom.server.websocket import PlayRoute
from strongroom.server.worker import TooMany
from strongroom.version import __version__

LARGEST_BODY: Final = 16_384
"""The most bytes of a request's body."""
A_PIECE: Final = 65_536
"""The size of the pieces in which a long response is sent, in bytes."""
POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'"
)
WHOLE_ID: Final = re.compile("([0-9a-f]{8})[0-9a-f]{24}")
"""A game's whole id, of which logs show only the beginning."""
HEADERS: Final = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
}


def make_app(hub: Hub, budgets: Budgets | None = None) -> FastAPI:
    """The application for a hub, with limits on each address."""
    limits = hub.settings.limits
    addresses = Addresses(limits.requests_a_second, limits.connections)
    budgets = budgets or Budgets(limits.processor_share)
    app = FastAPI(
        title="strongroom",
        version=__version__,
        summary="Five two-player duels of codes and nerve, perfectly refereed.",
        docs_url=None,
        redoc_url=None,
        openapi_url="/api/openapi.json",
    )
    app.include_router(routes(hub))
    app.router.routes.append(WebSocketRoute("/ws", PlayRoute(hub, addresses, budgets)))
    _add_health(app, hub)
    _add_page(app)
    _add_troubles(app, hub)
    app.add_middleware(Guard, addresses=addresses, budgets=budgets)
    return app


async def warm_up(app: FastAPI) -> None:
    """Compute what is cached at its first request, before anybody has to wait for it."""

    async def receive() -> Message:
        raise AssertionError("a GET has no body")

    async def send(message: Message) -> None:
        pass

    paths = ("catalog", "openapi.json", "docs", *(f"rules/{game}" for game in games()))
    for path in paths:
        scope = {"type": "http", "method": "GET", "path": f"/api/{path}", "headers": []}
        with suppress(Exception):  # it is logged, and reported to later requests too
            await app({**scope, "query_string": b""}, receive, send)


def _add_health(app: FastAPI, hub: Hub) -> None:
    @app.get("/healthz", include_in_schema=False)
    async def alive() -> PlainTextResponse:
        return PlainTextResponse("alive\n")

    @app.get("/readyz", include_in_schema=False)
    async def ready() -> PlainTextResponse:
        if hub.background.closing:
            return PlainTextResponse("closing\n", 503)
        # Heartbeats are writes, so this costs nothing.
        if not hub.background.outage.has_stored_lately:
            return PlainTextResponse("cannot store\n", 503)
        try:
            await hub.store.database.read("SELECT 1")
        except DatabaseTrouble:
            return PlainTextResponse("no database\n", 503)
        return PlainTextResponse("ready\n")

    @app.get("/metrics", include_in_schema=False)
    async def metrics(request: Request) -> Response:
        # Where few play, the metrics tell a player what the opponent has tried.
        token = hub.settings.metrics_token
        given = request.headers.get("authorization", "").encode()
        if token is None or not secrets.compare_digest(given, f"Bearer {token}".encode()):
            raise HTTPException(404, "Not Found")
        return Response(hub.metrics.page(), media_type="text/plain; version=0.0.4")


def _add_page(app: FastAPI) -> None:
    page, described = PageFiles(catalog()["games"]), cache(lambda: reference(app.openapi()))

    @app.get("/api/docs", include_in_schema=False)
    async def docs() -> HTMLResponse:
        return HTMLResponse(described())

    @app.get("/", include_in_schema=False)
    async def index(request: Request) -> Response:
        return page.index(request)

    @app.get("/page/{name:path}", include_in_schema=False)
    async def file(request: Request, name: str) -> Response:
        return page.file(request, name)


def _told(status: int, code: str, text: str, **headers: str) -> JSONResponse:
    return JSONResponse({"error": code, "text": text}, status, headers)


def _add_troubles(app: FastAPI, hub: Hub) -> None:
    @app.exception_handler(NotGranted)
    async def not_granted(_: Request, trouble: NotGranted) -> JSONResponse:
        return _told(trouble.status, trouble.code, trouble.text)

    @app.exception_handler(Refusal)
    async def refused(_: Request, refusal: Refusal) -> JSONResponse:
        return _told(422, "refused", str(refusal))

    @app.exception_handler(RequestValidationError)
    async def invalid(_: Request, error: RequestValidationError) -> JSONResponse:
        return _told(422, "bad-request", fault(error.errors()[0]))

    @app.exception_handler(DatabaseTrouble)
    async def no_database(_: Request, trouble: DatabaseTrouble) -> JSONResponse:
        hub.background.outage.begins(trouble)
        return _told(503, "unavailable", "The server cannot reach its database. Try again.")

    @app.exception_handler(TooMany)
    async def busy(_: Request, trouble: TooMany) -> JSONResponse:
        return _told(429, "slow-down", "Too many others are asking for this. Wait a moment.")

    @app.exception_handler(HTTPException)
    async def other(request: Request, trouble: HTTPException) -> Response:
        answer: Response = _told(trouble.status_code, "http", str(trouble.detail))
        if trouble.status_code == 404 and not f"{request.url.path}/".startswith("/api/"):
            if "text/html" in request.headers.get("accept", ""):
                answer = HTMLResponse(NOWHERE, 404)
            answer.headers["Vary"] = "Accept"
        return answer


class Guard:
    """Limits requests and bodies, and adds security headers to every response."""

    def __init__(self, app: ASGIApp, addresses: Addresses, budgets: Budgets) -> None:
        self._app = app
        self._addresses = addresses
        self._budgets = budgets

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request through in its turn, charged to the address that sent it."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        client: Any = scope.get("client")
        address = counted_as(client[0] if client else None)
        # Only the server's own warm-up requests have no client.
        budget = self._budgets.of(address) if "client" in scope else None
        if budget is None:
            await self._answer(self._refusal(address, scope), scope, receive, send)
            return
        PAYER.set(budget)
        crowded = budget.is_crowded
        if not crowded:
            await budget.turn()
        refusal = self._refusal(address, scope, crowded)
        await Metered(self._answer(refusal, scope, receive, send), budget.charge)

    async def _answer(
        self, refusal: JSONResponse | None, scope: Scope, receive: Receive, send: Send
    ) -> None:
        path, head = scope["path"], scope["method"] == "HEAD"
        if head:  # the response to a GET, without the body
            scope = {**scope, "method": "GET"}

        async def sent(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers[name] = value
                if path.startswith("/api/"):
                    headers.setdefault("Cache-Control", "no-store")
                if message["status"] >= 400:
                    garbage.may_be_left()
            elif head and message["type"] == "http.response.body":
                message = {**message, "body": b""}
            elif message["type"] == "http.response.body" and len(message["body"]) > A_PIECE:
                rest = memoryview(message["body"])  # so that at most one piece waits
                while len(rest) > A_PIECE:
                    await send({**message, "body": bytes(rest[:A_PIECE]), "more_body": True})
                    rest = rest[A_PIECE:]
                message = {**message, "body": bytes(rest)}
            await send(message)

        if refusal is not None:
            await refusal(scope, receive, sent)
            return
        try:
            await self._app(scope, receive, sent)
        except Exception:
            log("fault", text=WHOLE_ID.sub(r"\1", path), failed=True)
            raise

    def _refusal(self, address: str, scope: Scope, crowded: bool = False) -> JSONResponse | None:
        headers = dict(scope["headers"])
        length = headers.get(b"content-length", b"0")
        chunked = b"transfer-encoding" in headers
        if chunked or not length.isdigit() or int(length) > LARGEST_BODY:
            text = f"A body needs a Content-Length of at most {LARGEST_BODY} bytes."
            # Without closing, all of it would be read and discarded.
            return _told(413, "too-large", text, Connection="close")
        if crowded:
            text = "Too many requests are waiting. Wait a moment."
            return _told(429, "slow-down", text, Connection="close")
        if scope["path"].startswith("/api/") and not self._addresses.asks(address):
            text = "Too many requests. Wait a moment."
            return _told(429, "slow-down", text, **{"Retry-After": "2"})
        return None
