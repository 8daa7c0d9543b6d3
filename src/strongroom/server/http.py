"""The HTTP routes: the catalog, creating and joining games, and records of finished ones."""

from __future__ import annotations

from datetime import date
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Depends, Path, Query, Request, Response
from fastapi.responses import PlainTextResponse
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer

from strongroom.contract import Json, Refusal, Seat
from strongroom.listening import counted_as
from strongroom.server import catalog
from strongroom.server.forms import (
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
)
from strongroom.server.hints import Analyses
from strongroom.server.hub import Hub
from strongroom.server.lobby import Lobby, NotGranted

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


def routes(hub: Hub) -> APIRouter:
    """All routes below `/api`."""
    lobby, analyses = Lobby(hub), Analyses()
    api = APIRouter(prefix="/api", responses=TROUBLES)

    @api.get("/catalog", summary="The games and the bots")
    async def catalogued() -> Json:
        return hub.bench.catalog()

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
    async def create(form: NewGame, request: Request) -> Seated:
        address = counted_as(request.client.host if request.client else None)
        info, seat = await lobby.create(form, address)
        return Seated(game=info, seat=seat.value)

    @api.get("/games", summary="Waiting, running or finished games")
    async def games(show: Annotated[Literal["waiting", "playing", "over"], Query()]) -> SomeGames:
        lists = {"waiting": hub.store.waiting, "playing": hub.store.playing, "over": hub.store.over}
        return SomeGames(games=[hub.rooms.info_of(stored) for stored in await lists[show]()])

    @api.get("/games/{id}", summary="A game")
    async def game(id: Id) -> OneGame:
        return OneGame(game=hub.rooms.info_of(await lobby.find(id)))

    @api.post("/games/{id}/join", summary="Join a waiting game")
    async def join(id: Id, form: Joining) -> Seated:
        info, seat = await lobby.join(id, form.name, form.token, form.invitation)
        return Seated(game=info, seat=seat.value)

    @api.post("/games/{id}/withdraw", summary="Withdraw a game that has not begun")
    async def withdraw(id: Id, token: Token) -> OneGame:
        return OneGame(game=await lobby.withdraw(id, token))

    @api.get(
        "/games/{id}/record",
        summary="The record of a finished game",
        response_class=PlainTextResponse,
        responses=PLAIN_TROUBLES,
    )
    async def record(id: Id, token: Token) -> Response:
        text, found = await lobby.text(id, token)
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
        found = await lobby.finished(id, token)
        try:
            return await analyses.of(found)
        except Refusal as refusal:
            raise NotGranted(404, "no-theory", str(refusal)) from None

    @api.post("/games/{id}/rematch", summary="Play again with the seats swapped")
    async def rematch(id: Id, form: Again, token: Token) -> Seated:
        info, seat = await lobby.rematch(id, token, form.token)
        return Seated(game=info, seat=seat.value)

    return api
