"""The application: its HTTP routes, the page, and the limits and headers of every response."""

from __future__ import annotations

import re
import secrets
from contextlib import suppress
from datetime import date
from functools import cache
from typing import Annotated, Any, Final, Literal

import orjson
from fastapi import APIRouter, Depends, FastAPI, Path, Query, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import HTMLResponse, JSONResponse, PlainTextResponse
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer
from starlette.datastructures import MutableHeaders
from starlette.exceptions import HTTPException
from starlette.routing import WebSocketRoute
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from strongroom.contract import Json, Refusal, Seat
from strongroom.listening import address_key
from strongroom.server import catalog
from strongroom.server.background import TooMany
from strongroom.server.files import NOWHERE, PageFiles, reference, rules_text
from strongroom.server.hub import Hub
from strongroom.server.limits import PAYER, Address, Addresses, Metered
from strongroom.server.lobby import Lobby, NotGranted
from strongroom.server.messages import (
    DAY,
    MEANING,
    TOKEN,
    Again,
    Joining,
    NewGame,
    OneGame,
    Rules,
    Seated,
    SomeGames,
    Trouble,
    describe_fault,
)
from strongroom.server.monitoring import log
from strongroom.server.store import DatabaseTrouble
from strongroom.server.websocket import PlayRoute
from strongroom.version import __version__

POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'"
)
WHOLE_ID: Final = re.compile("([0-9a-f]{8})[0-9a-f]{24}")
"""A game's whole id; logs show only its beginning."""
HEADERS: Final = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
}

Id = Annotated[str, Path(pattern=TOKEN, description="a game's id")]
Day = Annotated[str, Query(pattern=DAY, description="the visitor's local date")]
_BEARER = HTTPBearer(auto_error=False, description="the token that opens a seat of the game")


async def _token(
    bearer: Annotated[HTTPAuthorizationCredentials | None, Depends(_BEARER)],
) -> str | None:
    return None if bearer is None else bearer.credentials


Token = Annotated[str | None, Depends(_token)]
TROUBLES: dict[int | str, dict[str, Any]] = {
    code: {"model": Trouble} for code in (400, 401, 403, 404, 409, 410, 413, 422, 429, 503)
}
PLAIN_TROUBLES: dict[int | str, dict[str, Any]] = {
    code: {
        "description": "Trouble",
        "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Trouble"}}},
    }
    for code in TROUBLES
}
"""The same for a route whose response is not JSON; its errors still are."""


def make_app(hub: Hub, addresses: Addresses | None = None) -> FastAPI:
    """The application for a hub, with limits on each address."""
    addresses = addresses or Addresses(hub.settings)
    app = FastAPI(
        title="strongroom",
        version=__version__,
        summary="Two-player duels of codes and nerve, perfectly refereed.",
        docs_url=None,
        redoc_url=None,
        openapi_url="/api/openapi.json",
    )
    app.include_router(_routes(hub))
    app.router.routes.append(WebSocketRoute("/ws", PlayRoute(hub, addresses)))
    _add_health(app, hub)
    _add_page(app, hub)
    _add_troubles(app, hub)
    app.add_middleware(Guard, hub=hub, addresses=addresses)
    return app


async def warm_up(app: FastAPI) -> None:
    """Compute what is cached at its first request, before anybody has to wait for it."""

    async def receive() -> Message:
        raise AssertionError("a GET has no body")

    async def send(message: Message) -> None:
        pass

    paths = ("catalog", "openapi.json", "docs", *(f"rules/{game}" for game in catalog.games()))
    for path in paths:
        scope = {"type": "http", "method": "GET", "path": f"/api/{path}", "headers": []}
        with suppress(Exception):  # it is logged, and reported to later requests too
            await app({**scope, "query_string": b""}, receive, send)


def _routes(hub: Hub) -> APIRouter:
    """All routes below `/api`."""
    lobby = Lobby(hub)
    api = APIRouter(prefix="/api", responses=TROUBLES)

    @api.get("/catalog", summary="The games and the bots")
    async def show_catalog() -> Json:
        return hub.bots.catalog()

    @api.get("/rules/{game}", summary="The rules of a game")
    async def rules(game: Annotated[str, Path(max_length=60)]) -> Rules:
        if game not in catalog.games():
            raise NotGranted(404, "unknown-game", "There is no game with this name.")
        return Rules(**catalog.rules_page(game))

    @api.get("/vault", summary="The puzzle of a day", response_model=dict[str, Any])
    async def vault(day: Day, request: Request) -> Response:
        try:
            wanted = date.fromisoformat(day)
        except ValueError:
            raise Refusal(f"There is no day {day}.", f"Name {MEANING[DAY]}.") from None
        return (await hub.vaults.of(wanted)).answer(request, hub.vaults.caching(wanted))

    @api.post("/games", status_code=201, summary="Create a game and take a seat")
    async def create(form: NewGame, request: Request, token: Token) -> Seated:
        address = address_key(request.client.host if request.client else None)
        info, seat = await lobby.create(form, address, token)
        return Seated(game=info, seat=seat.value)

    @api.get("/games", summary="Waiting, running or finished games")
    async def games(show: Annotated[Literal["waiting", "playing", "over"], Query()]) -> SomeGames:
        lists = {"waiting": hub.store.waiting, "playing": hub.store.playing, "over": hub.store.over}
        return SomeGames(games=[hub.rooms.info_of(stored) for stored in await lists[show]()])

    @api.get("/games/{id}", summary="A game")
    async def game(id: Id) -> OneGame:
        return OneGame(game=hub.rooms.info_of(await lobby.find(id)))

    @api.get(
        "/games/{id}/position",
        summary="A game as it stands, for a player or a spectator",
        response_model=dict[str, Any],
    )
    async def position(id: Id, token: Token) -> Response:
        standing = orjson.dumps(await lobby.standing(id, token))
        return Response(standing, media_type="application/json")

    @api.post("/games/{id}/join", summary="Join a waiting game")
    async def join(id: Id, form: Joining) -> Seated:
        info, seat = await lobby.join(id, form.name, form.token, form.invitation)
        return Seated(game=info, seat=seat.value)

    @api.post("/games/{id}/withdraw", summary="Withdraw a game that has not begun")
    async def withdraw(id: Id, token: Token) -> OneGame:
        return OneGame(game=await lobby.withdraw(id, token))

    @api.post("/games/{id}/resign", summary="Resign a game, or withdraw it")
    async def resign(id: Id, token: Token) -> OneGame:
        return OneGame(game=await lobby.resign(id, token))

    @api.get(
        "/games/{id}/record",
        summary="The record of a finished game",
        response_class=PlainTextResponse,
        responses=PLAIN_TROUBLES,
    )
    async def record(id: Id, token: Token) -> Response:
        text, found = await lobby.record_text(id, token)
        saved = f'attachment; filename="{found.game.name}-{id[:8]}.jsonl"'
        return PlainTextResponse(text, headers={"Content-Disposition": saved})

    @api.get(
        "/games/{id}/replay",
        summary="A finished game, frame by frame",
        response_model=dict[str, Any],
    )
    async def replay(
        id: Id, token: Token, seat: Annotated[Literal["1", "2"] | None, Query()] = None
    ) -> Response:
        viewer = Seat(int(seat)) if seat else None
        return Response(await lobby.replay(id, token, viewer), media_type="application/json")

    @api.get("/games/{id}/analysis", summary="What each move of a finished game cost")
    async def analysis(id: Id, token: Token) -> Json:
        return await lobby.analysis(id, token)

    @api.post("/games/{id}/rematch", summary="Play again with the seats swapped")
    async def rematch(id: Id, form: Again, token: Token) -> Seated:
        info, seat = await lobby.rematch(id, token, form.token)
        return Seated(game=info, seat=seat.value)

    return api


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


def _add_page(app: FastAPI, hub: Hub) -> None:
    page = PageFiles(hub.bots.catalog(), hub.settings)
    described = cache(lambda: reference(app.openapi()))

    @app.get("/api/docs", include_in_schema=False)
    async def docs() -> HTMLResponse:
        return HTMLResponse(described())

    @app.get("/", include_in_schema=False)
    async def index(request: Request) -> Response:
        return page.index(request)

    @app.get("/rules/{game}", include_in_schema=False)
    async def rules(game: str) -> HTMLResponse:
        if game not in catalog.games():
            raise HTTPException(404, "There is no game with this name.")
        return HTMLResponse(rules_text(**catalog.rules_page(game)))

    @app.get("/favicon.ico", include_in_schema=False)
    async def icon(request: Request) -> Response:
        return page.file(request, "icon-192.png")

    @app.get("/page/{name:path}", include_in_schema=False)
    async def file(request: Request, name: str) -> Response:
        return page.file(request, name)


def _error(status: int, code: str, text: str, **headers: str) -> JSONResponse:
    return JSONResponse({"error": code, "text": text}, status, headers)


def _add_troubles(app: FastAPI, hub: Hub) -> None:
    @app.exception_handler(NotGranted)
    async def not_granted(_: Request, trouble: NotGranted) -> JSONResponse:
        return _error(trouble.status, trouble.code, trouble.text)

    @app.exception_handler(Refusal)
    async def refused(_: Request, refusal: Refusal) -> JSONResponse:
        return _error(422, "refused", str(refusal))

    @app.exception_handler(RequestValidationError)
    async def invalid(_: Request, error: RequestValidationError) -> JSONResponse:
        return _error(422, "bad-request", describe_fault(error.errors()[0]))

    @app.exception_handler(DatabaseTrouble)
    async def no_database(_: Request, trouble: DatabaseTrouble) -> JSONResponse:
        hub.background.outage.begins(trouble)
        return _error(503, "unavailable", "The server cannot reach its database. Try again.")

    @app.exception_handler(TooMany)
    async def busy(_: Request, trouble: TooMany) -> JSONResponse:
        return _error(429, "slow-down", "Too many others are asking for this. Wait a moment.")

    @app.exception_handler(HTTPException)
    async def other(request: Request, trouble: HTTPException) -> Response:
        answer: Response = _error(trouble.status_code, "http", str(trouble.detail))
        if trouble.status_code == 404 and not f"{request.url.path}/".startswith("/api/"):
            if "text/html" in request.headers.get("accept", ""):
                answer = HTMLResponse(NOWHERE, 404)
            answer.headers["Vary"] = "Accept"
        return answer


class Guard:
    """Limits requests and bodies, and adds security headers to every response."""

    def __init__(self, app: ASGIApp, hub: Hub, addresses: Addresses) -> None:
        self._app = app
        self._settings = hub.settings
        self._garbage = hub.garbage
        self._addresses = addresses

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request through in its turn, charged to the address that sent it."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        client: Any = scope.get("client")
        address = self._addresses.of(client[0] if client else None)
        # Only the server's own warm-up requests have no client.
        budget = address.budget if "client" in scope else None
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
        piece = self._settings.response_piece
        if head:  # the response to a GET, without the body
            scope = {**scope, "method": "GET"}

        async def send_guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers[name] = value
                if path.startswith("/api/"):
                    headers.setdefault("Cache-Control", "no-store")
                if message["status"] >= 400:
                    self._garbage.may_be_left()
            elif head and message["type"] == "http.response.body":
                message = {**message, "body": b""}
            elif message["type"] == "http.response.body" and len(message["body"]) > piece:
                rest = memoryview(message["body"])  # so that at most one piece waits
                while len(rest) > piece:
                    await send({**message, "body": bytes(rest[:piece]), "more_body": True})
                    rest = rest[piece:]
                message = {**message, "body": bytes(rest)}
            await send(message)

        if refusal is not None:
            await refusal(scope, receive, send_guarded)
            return
        try:
            await self._app(scope, receive, send_guarded)
        except Exception:
            log("fault", text=WHOLE_ID.sub(r"\1", path), failed=True)
            raise

    def _refusal(
        self, address: Address, scope: Scope, crowded: bool = False
    ) -> JSONResponse | None:
        headers = dict(scope["headers"])
        length, longest = headers.get(b"content-length", b"0"), self._settings.longest_body
        chunked = b"transfer-encoding" in headers
        if chunked or not length.isdigit() or int(length) > longest:
            text = f"A body needs a Content-Length of at most {longest} bytes."
            # Without closing, all of it would be read and discarded.
            return _error(413, "too-large", text, Connection="close")
        if crowded:
            text = "Too many requests are waiting. Wait a moment."
            return _error(429, "slow-down", text, Connection="close")
        if scope["path"].startswith("/api/") and not address.requests.takes():
            text = "Too many requests. Wait a moment."
            return _error(429, "slow-down", text, **{"Retry-After": "2"})
        return None
