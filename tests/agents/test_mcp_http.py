"""MCP over HTTP among rude clients: hosts, sessions, half-sent requests and floods."""

from __future__ import annotations

import asyncio
import json
import socket
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any

import httpx
import pytest
from mcp import Client, MCPError
from starlette.types import Message, Receive
from starting import PATIENCE

from strongroom.agents import mcp_http
from strongroom.agents.mcp import make_server
from strongroom.agents.mcp_http import IDLE, PATH, Gate, HttpServer, Sessions, Turns
from strongroom.agents.mcp_tools import SESSION
from strongroom.terminal.commands.mcp import judge
from tests.agents.test_mcp import HELLO, QUICK, Talk, rpc

ADA, FLOOD = "127.0.0.1", "127.0.0.2"
LIST = rpc(2, "tools/call", name="list_my_games", arguments={})
ACCEPT = {"Accept": "application/json, text/event-stream"}


def scene(does: Callable[[], Coroutine[Any, Any, None]]) -> Callable[[], None]:
    """A test of what happens in an event loop."""

    def test() -> None:
        asyncio.run(does())

    test.__name__ = does.__name__
    return test


@asynccontextmanager
async def served(sessions: Sessions | None = None) -> AsyncIterator[Gate]:
    """The application in this process, without a socket."""
    server = make_server(judge)
    gate = Gate(server, ["games.example"], sessions)
    async with server.session_manager.run():
        yield gate


@asynccontextmanager
async def client(gate: Gate, address: str = ADA) -> AsyncIterator[httpx.AsyncClient]:
    """A client of the application at an address."""
    transport = httpx.ASGITransport(gate, client=(address, 1))
    async with httpx.AsyncClient(
        transport=transport, base_url="http://localhost", headers=ACCEPT
    ) as found:
        yield found


async def opened(asks: httpx.AsyncClient) -> str:
    """The id of a new session."""
    return str((await asks.post(PATH, json=HELLO)).headers[SESSION])


# --- hosts ----------------------------------------------------------------------------------------


OWN = ["localhost", "LocalHost:8001", "[::1]:8001", "games.example", "games.example:443"]
OTHERS = "localhost:80.evil.example localhost:80:80 localhost: localhost.evil.example games-example"
EVIL = "http://localhost:80.evil.example http://localhost.evil.example https://games.example null"


@scene
async def test_hosts_and_origins_are_compared_to_their_end() -> None:
    wanted = [({"Host": host}, 200) for host in OWN]
    wanted += [({"Host": host}, 421) for host in (*OTHERS.split(), "")]
    wanted += [({"Origin": origin}, 403) for origin in (*EVIL.split(), "")]
    wanted += [({"Origin": "http://localhost:3000"}, 200)]
    async with served() as gate, client(gate) as asks:
        for headers, code in wanted:
            told = await asks.post(PATH, json=HELLO, headers=headers)
            assert told.status_code == code, headers
        large = await asks.post(PATH, json={**HELLO, "more": "x" * 100_000})
        assert large.status_code == 413


# --- sessions -------------------------------------------------------------------------------------


@scene
async def test_a_game_belongs_to_its_session_or_without_one_to_whoever_knows_its_id() -> None:
    async with listening() as dial:
        ada, bob, free = [await dial.talk(mode) for mode in ("legacy", "legacy", "auto")]
        number = await ada.started(game="safe-cracker", opponent="casual")
        await ada.call("move", game_id=number, move="2-1-3")
        for tool in ("look", "move", "hint", "resign", "review", "watch"):
            more = {"move": "1-1-1"} if tool == "move" else {}
            known = await bob.refused(tool, game_id=number, **more)
            assert known == await bob.refused(tool, game_id="0" * 32, **more)
        with pytest.raises(MCPError, match="You have no game with this id"):
            await bob.record(number)
        assert number not in (await bob.call("list_my_games"))["result"]
        assert number in (await ada.call("list_my_games"))["result"]
        assert (await ada.call("resign", game_id=number))["over"]
        assert "In total" in (await ada.call("review", game_id=number))["text"]
        number = await free.started(**QUICK)
        assert (await free.call("move", game_id=number, move="4"))["to_move"] == 1
        assert "no session" in await free.refused("list_my_games")
        assert "You have no game" in await bob.refused("look", game_id=number)


@scene
async def test_one_session_too_many_closes_the_oldest_of_the_address_that_has_the_most() -> None:
    async with (
        served(Sessions(most=4)) as gate,
        client(gate, ADA) as ada,
        client(gate, FLOOD) as flood,
    ):
        first = await opened(ada)
        many = [await opened(flood) for _ in range(9)]

        async def asked(asks: httpx.AsyncClient, name: str) -> int:
            return (await asks.post(PATH, json=LIST, headers={SESSION: name})).status_code

        assert await asked(ada, first) == 200
        assert [await asked(flood, name) for name in many] == [404] * 6 + [200] * 3
        assert (await ada.delete(PATH, headers={SESSION: first})).status_code == 200
        assert await asked(ada, first) == 404


@scene
async def test_a_session_lives_on_after_a_broken_request_and_if_it_is_closed_in_vain() -> None:
    async with served(Sessions(most=2)) as gate, client(gate) as ada:
        name = await opened(ada)
        for _ in range(3):
            assert (await ada.post(PATH, content="{")).status_code == 400
        unknown = {SESSION: name, "mcp-protocol-version": "2099-01-01"}
        assert (await ada.delete(PATH, headers=unknown)).status_code >= 400
        asked = await ada.post(PATH, json=LIST, headers={SESSION: name})
        assert asked.status_code == 200


def test_a_session_that_nobody_uses_ends_and_one_with_a_stream_is_not_pushed_out() -> None:
    now = 0.0
    sessions = Sessions(clock=lambda: now)
    for name in ("unused", "used", "open"):
        sessions.open(name, ADA)
    with sessions.request("open"):
        now = 1.0
        with sessions.request("used"):
            pass
        now = IDLE
        assert sessions.surplus() == ["unused"]
        sessions.close("unused")
        now = IDLE + 1.0
        assert sessions.surplus() == ["used"]
    sessions = Sessions(most=1, clock=lambda: 0.0)
    for name in ("streams", "once", "twice"):
        sessions.open(name, ADA)
    with sessions.request("streams"):
        with sessions.request("once"):
            pass
        assert sessions.surplus() == ["twice", "once"]
    assert sessions.surplus() == ["twice", "once"]


# --- turns ----------------------------------------------------------------------------------------


async def whole() -> Message:
    """Receive a whole body."""
    return {"type": "http.request", "body": b"{}", "more_body": False}


@scene
async def test_requests_of_an_address_begin_one_after_another_and_others_do_not_wait() -> None:
    begun: list[str] = []
    turns, ends = Turns(), asyncio.Event()

    async def request(name: str, address: str, receive: Receive = whole) -> None:
        async with turns.turn(address, receive) as received:
            await received()
            begun.append(name)
            await ends.wait()

    async def never() -> Message:
        await asyncio.Event().wait()
        raise AssertionError

    half = asyncio.create_task(request("half-sent", FLOOD, never))
    terms = (("one", FLOOD), ("two", FLOOD), ("ada", ADA))
    tasks = [asyncio.create_task(request(*each)) for each in terms]
    for _ in range(20):  # let everything go on that can
        await asyncio.sleep(0)
    assert begun == ["one", "ada"]
    ends.set()
    await asyncio.gather(*tasks)
    assert begun == ["one", "ada", "two"]
    half.cancel()


@scene
async def test_a_request_that_thinks_for_long_does_not_keep_the_next_one_waiting() -> None:
    with pytest.MonkeyPatch.context() as briefly:
        briefly.setattr(mcp_http, "A_TURN", 0.0)
        turns = Turns()
        async with turns.turn(ADA, whole) as first, turns.turn(ADA, whole) as second:
            await first()
            async with asyncio.timeout(PATIENCE):
                await second()


# --- sockets --------------------------------------------------------------------------------------

Connection = tuple[asyncio.StreamReader, asyncio.StreamWriter]


class Dials:
    """Calls a server up, from any address of this machine."""

    def __init__(self, port: int, closing: AsyncExitStack) -> None:
        self.address = f"http://127.0.0.1:{port}{PATH}"
        self._port, self._closing = port, closing

    async def __call__(self, address: str) -> Connection:
        called = await asyncio.open_connection("127.0.0.1", self._port, local_addr=(address, 0))
        self._closing.callback(called[1].close)
        return called

    async def talk(self, mode: str) -> Talk:
        """A client of the protocol, with sessions or without."""
        return Talk(await self._closing.enter_async_context(Client(self.address, mode=mode)))


def request(body: dict[str, Any] | None = None, **headers: str) -> bytes:
    """A request over HTTP; without a body, one for a stream."""
    data = b"" if body is None else json.dumps(body).encode()
    kind = {"Content-Type": "application/json", "Content-Length": str(len(data))} if body else {}
    lines = [f"{'POST' if body else 'GET'} {PATH} HTTP/1.1"]
    for name, value in ({"Host": "localhost"} | ACCEPT | kind | headers).items():
        lines.append(f"{name}: {value}")
    return "\r\n".join([*lines, "", ""]).encode() + data


@asynccontextmanager
async def listening(**limits: Any) -> AsyncIterator[Dials]:
    """A server at a socket."""
    server = HttpServer(Gate(make_server(judge)), **limits)
    with socket.create_server(("127.0.0.1", 0)) as listens:
        port = listens.getsockname()[1]
        running = asyncio.create_task(server.serve([listens]))
        while not server.started:
            await asyncio.sleep(0.01)
        async with AsyncExitStack() as closing:
            try:
                async with asyncio.timeout(PATIENCE):
                    yield Dials(port, closing)
            finally:
                server.should_exit = True
        await running


async def gone(reader: asyncio.StreamReader) -> bytes:
    """What else arrives until the server closes the socket."""
    try:
        return await reader.read()
    except ConnectionResetError:
        return b""


@scene
async def test_a_request_that_is_late_is_cut_off_and_a_stream_stays_open_for_longer() -> None:
    whole = request(HELLO)
    async with listening(patience=0.2) as dial:
        streams, writer = await dial(ADA)
        writer.write(whole)
        head = (await streams.readuntil(b"0\r\n\r\n")).decode()
        name = next(line[len(SESSION) + 2 :] for line in head.split("\r\n") if SESSION in line)
        writer.write(request(None, **{SESSION: name}))
        assert b" 200 OK" in await streams.readuntil(b"\r\n\r\n")
        # Nothing, half a head, half a body, half of a second request.
        for sent in ([b""], [whole[:30]], [whole[:-10]], [whole, whole[:-10]]):
            reader, writer = await dial(ADA)
            for part in sent[:-1]:
                writer.write(part)
                assert b" 200 OK" in await reader.readuntil(b"0\r\n\r\n")
            writer.write(sent[-1])
            assert await gone(reader) == b""
        assert not streams.at_eof()


@scene
async def test_an_address_with_too_many_sockets_gets_no_more_and_others_do() -> None:
    async with listening(sockets=2) as dial:
        for _ in range(2):
            _, writer = await dial(FLOOD)
            writer.write(request(HELLO)[:-10])
        late, _ = await dial(FLOOD)
        assert await gone(late) == b""
        reader, writer = await dial(ADA)
        writer.write(request(HELLO))
        assert b" 200 OK" in await reader.readuntil(b"\r\n")
