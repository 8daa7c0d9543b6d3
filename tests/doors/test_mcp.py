"""The games over the Model Context Protocol, with a real client, and over HTTP among rude ones."""

from __future__ import annotations

import asyncio
import json
import re
import signal
import socket
from collections.abc import AsyncIterator
from contextlib import (
    AbstractAsyncContextManager,
    AsyncExitStack,
    ExitStack,
    asynccontextmanager,
    closing,
)
from pathlib import Path
from typing import Any

import httpx
import pytest
from mcp import Client, MCPError
from starlette.types import Message, Receive
from starting import PATIENCE, STRONGROOM, Piped

from strongroom import analyze, load
from strongroom.contract import Ending, Outcome, Refusal, Seat
from strongroom.doors import mcp_http
from strongroom.doors.mcp import EACH, SESSION, ClientGame, ClientGames, make_server
from strongroom.doors.mcp_http import IDLE, PATH, Gate, HttpServer, Sessions, Turns
from strongroom.minds.dialogue import Dialogue
from strongroom.minds.engine import POOL
from strongroom.plugins.registry import GAMES, PLAYERS
from strongroom.referee.bout import UNDECIDED
from strongroom.referee.record import Record
from strongroom.terminal.commands.serve import judge
from strongroom.terminal.main import main
from strongroom.terminal.reports.analysis import report
from tests.minds.engines import written
from tests.minds.hears import seat_hears
from tests.server.waiting import until, wait_until

QUICK = {"game": "quantum-duel", "opponent": "random"}


class Talk:
    def __init__(self, client: Client) -> None:
        self.client = client
        self.sent: list[str] = []

    async def call(self, tool: str, **arguments: Any) -> dict[str, Any]:
        answer = await self.client.call_tool(tool, arguments)
        assert not answer.is_error, answer.content
        self.sent.append(answer.model_dump_json())
        found: dict[str, Any] = answer.structured_content or {}
        return found

    async def refused(self, tool: str, **arguments: Any) -> str:
        answer = await self.client.call_tool(tool, arguments)
        assert answer.is_error
        self.sent.append(answer.model_dump_json())
        (content,) = answer.content
        assert content.type == "text"
        return content.text

    async def read(self, uri: str) -> str:
        (content,) = (await self.client.read_resource(uri)).contents
        return str(json.loads(content.model_dump_json())["text"])

    async def record(self, number: str) -> Record:
        return Record.loads(await self.read(f"strongroom://records/{number}"))

    async def started(self, **terms: Any) -> str:
        return str((await self.call("start_game", **terms))["game_id"])


@asynccontextmanager
async def talking(*opponents: str) -> AsyncIterator[Talk]:
    with closing(POOL):
        async with Client(make_server(judge, opponents)) as client:
            yield Talk(client)


@pytest.fixture
def talk() -> AbstractAsyncContextManager[Talk]:
    return talking()


async def test_a_model_that_knows_nothing_is_told_the_rules_and_how_to_move(talk: Talk) -> None:
    tools = {tool.name: tool for tool in (await talk.client.list_tools()).tools}
    assert all(tool.description for tool in tools.values())
    assert {*GAMES, *PLAYERS} <= {*re.findall(r"[\w-]+", tools["start_game"].description or "")}
    told = (await talk.call("start_game", game="safe-code"))["text"]
    assert Dialogue(load("safe-code")).rules in told
    assert "with the tool move" in told
    assert told.splitlines()[-1].startswith("Which number do you hide? ")
    assert "start_game" in (talk.client.instructions or "")


async def test_a_refused_move_says_why_and_changes_nothing(talk: Talk) -> None:
    game = load("safe-cracker")
    number = await talk.started(game=game.name)
    before = await talk.call("look", game_id=number)
    dialogue = Dialogue(game, opponent="Master")
    assert before["text"] == dialogue.ask(game.start().view(Seat.ONE))
    for _ in range(5):
        told = await talk.refused("move", game_id=number, move="2-1-9")
        assert "Digits run from 1 to 3; you typed 9. Type three digits from 1-3" in told
    assert await talk.call("look", game_id=number) == before
    position = await talk.call("move", game_id=await talk.started(**QUICK), move=4)  # a number
    assert "1. You: 4" in position["text"]


async def test_options_are_those_of_the_game(talk: Talk) -> None:
    told = await talk.refused("start_game", game="safe-cracker", options={"digit": 4})
    assert "There is no option 'digit'." in told
    assert "option digits (3 to 9; usually 3)" in (await talk.call("list_games"))["result"]
    options = {"digits": 9, "length": 6}  # where nothing is certified
    told = (await talk.call("start_game", game="safe-cracker", options=options))["text"]
    assert "This game has digits=9" in told
    assert "expert plays instead of master" in told


async def test_whoever_resigns_loses_and_sees_what_was_hidden(talk: Talk) -> None:
    number = await talk.started(game="digit-deductions", seed=1)
    await talk.call("move", game_id=number, move="57")
    end = await talk.call("resign", game_id=number)
    assert (end["over"], end["winner"], end["to_move"]) == (True, 2, None)
    assert re.search(r"^Master's \w+: \d-\d\.$", end["text"], re.MULTILINE)
    assert end["text"].endswith("The game is over: Master won, because you resigned.")
    assert (await talk.record(number)).outcome == Outcome(Seat.TWO, Ending.RESIGNED)
    assert "The game is over." in await talk.refused("move", game_id=number, move="57")


async def test_hints_are_counted_and_a_review_says_what_analyze_says(talk: Talk) -> None:
    number = await talk.started(game="safe-cracker", seed=3)
    await talk.call("move", game_id=number, move="2-1-3")
    hint = await talk.call("hint", game_id=number)
    assert re.search(r"\d-\d-\d .*% to win", hint["result"])
    for _ in range(2):
        await talk.call("move", game_id=number, move="3-3-3")
    assert "The game is not over." in await talk.refused("review", game_id=number)
    with pytest.raises(MCPError, match="not over"):
        await talk.record(number)
    assert (await talk.call("resign", game_id=number))["hints"] == 1
    record = await talk.record(number)
    assert record.hints == (1, 0)
    review, analysis = await talk.call("review", game_id=number), analyze(record)
    whole = "\n".join(line.plain.rstrip() for line in report(analysis, 110))
    assert whole.endswith(review["text"])
    assert "What was given away" in review["text"]
    assert review["players"] == analysis.to_json()["seats"]
    assert review["players"][0]["exact"]


async def test_a_game_of_two_bots_is_watched_move_by_move(talk: Talk) -> None:
    terms = {"game": "safe-cracker", "first": "casual", "second": "casual", "seed": 6}
    position = await talk.call("start_watching", **terms)
    number = position["game_id"]
    assert (position["seat"], position["to_move"]) == (None, 1)
    turns = []
    for _ in range(6):
        position = await talk.call("watch", game_id=number)
        turns.append(len(re.findall(r"^\d+\. ", position["text"], re.MULTILINE)))
    assert turns == [0, 0, 1, 2, 3, 4]
    assert "3. Casual 1: " in position["text"]
    assert "You watch" in await talk.refused("move", game_id=number, move="1-1-1")
    assert (await talk.call("watch", game_id=number, moves=200))["over"]
    assert "Casual 1" in (await talk.call("review", game_id=number))["text"]
    played = await talk.started(**QUICK)
    assert "You play this game." in await talk.refused("watch", game_id=played)


async def test_rules_games_and_a_prompt_can_be_read(talk: Talk) -> None:
    for name in GAMES:
        assert await talk.read(f"strongroom://rules/{name}") == Dialogue(load(name)).rules
        assert name in await talk.read("strongroom://games")
    told = await talk.client.get_prompt("play", {"game": "quantum", "opponent": "casual"})
    assert "quantum-duel against casual" in told.model_dump_json()
    with pytest.raises(MCPError, match=r"There is no game 'chess'\. Choose from: "):
        await talk.client.get_prompt("play", {"game": "chess"})


async def test_spectators_learn_no_secret_before_the_end(talk: Talk) -> None:
    seen, hidden = set(), set()
    for seed in range(4):
        terms = {"game": "digit-deductions", "first": "random", "second": "random"}
        number = (await talk.call("start_watching", **terms, seed=seed))["game_id"]
        position = await talk.call("watch", game_id=number, moves=2)
        seen.add(str(position).replace(number, "ID"))
        end = await talk.call("watch", game_id=number, moves=200)
        hidden.add(str(re.findall(r"^Random .*: \d-\d\.", end["text"], re.MULTILINE)))
    assert len(seen) == 1
    assert len(hidden) > 1


async def test_a_player_that_runs_a_program_needs_the_operators_word(tmp_path: Path) -> None:
    ran, go = tmp_path / "ran", tmp_path / "go"
    program = " ".join(
        written(
            tmp_path / "fox.py",
            f"""
            open({str(ran)!r}, 'w')
            while kind == "choose" and not os.path.exists({str(go)!r}): time.sleep(0.01)
            """,
        )
    )

    async with talking() as talk:
        for name in (f"engine:{program}", "model:expensive", "Test"):
            for tool, seat in (("start_game", "opponent"), ("start_watching", "second")):
                told = await talk.refused(tool, game="quantum-duel", **{seat: name})
                assert "There is no such player here. Choose from: master" in told

    assert not ran.exists()
    async with talking(f"engine:{program}") as talk:
        # While it thinks, other games go on, and its own answers one request at a time.
        number = await talk.started(game="quantum-duel", opponent="Test")
        waits = asyncio.create_task(talk.call("move", game_id=number, move="4"))
        other = await talk.started(**QUICK)
        assert (await talk.call("move", game_id=other, move="4"))["to_move"] == 1
        told = ""
        while "not answered yet" not in told:  # until the first request has begun
            answer = await talk.client.call_tool("look", {"game_id": number})
            told = answer.model_dump_json()
        assert not waits.done()
        go.touch()
        assert (await waits)["to_move"] == 1
        await talk.call("resign", game_id=number)
        await talk.call("review", game_id=number)
        await talk.call("list_games")
        talk.sent.append(await talk.read(f"strongroom://records/{number}"))
        assert not any(str(tmp_path) in sent for sent in talk.sent)
    assert ran.exists()


async def test_no_text_of_a_client_comes_back_raw_or_long_nor_does_a_wrong_call(talk: Talk) -> None:
    number = await talk.started(**QUICK)
    for junk in ("\x1b]0;gone\x07" * 9, "x" * 100_000, "../../etc/passwd", "\u202e\u2028"):
        for tool, name in (("start_game", "game"), ("look", "game_id"), ("rules", "game")):
            await talk.refused(tool, **{name: junk})
        await talk.refused("move", game_id=number, move=junk)
        await talk.refused("start_game", game="quantum-duel", opponent=junk)
        await talk.refused("start_game", game="safe-cracker", options={junk: junk})
        with pytest.raises(MCPError):
            await talk.record(junk[:50])
    texts = [each for sent in talk.sent[1:] for each in json.loads(sent)["content"]]
    assert all(len(each["text"]) < 2000 for each in texts)
    assert all("\x1b" not in each["text"] for each in texts)
    for tool, arguments, told in (
        ("start_game", {}, "game: Field required."),
        ("start_game", {"game": "safe-cracker", "seat": 3}, "seat: Input should be 1 or 2."),
        ("start_game", {"game": "a", "digits": 4}, "start_game has no argument 'digits'."),
        ("start_game", {"game": "chess"}, "There is no game 'chess'."),
        ("nothing\x1b", {}, "There is no tool 'nothing?'."),
    ):
        said = await talk.refused(tool, **arguments)
        assert said.startswith(f"{told} ")
        assert said.isprintable()


async def test_the_oldest_game_is_dropped_with_a_word_when_there_are_too_many(talk: Talk) -> None:
    assert "start_game" in (await talk.call("list_my_games"))["result"]
    numbers = [await talk.started(**QUICK) for _ in range(EACH)]
    await talk.call("look", game_id=numbers[0])  # now the second is the one left alone longest
    told = (await talk.call("start_game", **QUICK))["text"]
    assert f"Game {numbers[1]} was dropped" in told
    assert "You have no game with this id" in await talk.refused("look", game_id=numbers[1])
    listed = (await talk.call("list_my_games"))["result"]
    assert numbers[0] in listed
    assert len(listed.splitlines()) == EACH


def table(opponent: str = "random") -> ClientGame:
    return ClientGame(load("quantum-duel"), {Seat.TWO: opponent}, seed=1)


def test_clients_hold_so_many_games_and_reach_and_push_out_only_their_own() -> None:
    tables, games = ClientGames(each=2, in_all=3), [table() for _ in range(4)]
    ada, bob, nobody, late = (
        tables.add(client, game)[0]
        for client, game in zip(("ada", "bob", None, None), games, strict=True)
    )
    assert tables.find("bob", bob) is games[1]
    for client, number in (("ada", ada), ("ada", bob), (None, bob), ("bob", late), ("bob", "x")):
        with pytest.raises(Refusal, match="You have no game with this id"):
            tables.find(client, number)
    assert (tables.find(None, nobody), tables.find(None, late)) == (games[2], games[3])
    # One address with many sessions.
    tables = ClientGames(each=1, in_all=4)
    ada, _ = tables.add("ada", games[0], "10.0.0.1")
    flood = [(f"{n}", tables.add(f"{n}", games[1], "10.0.0.2")[0]) for n in range(9)]
    assert tables.find("ada", ada) is games[0]
    assert [number for client, number in flood if number in tables.of(client)] == [
        number for _, number in flood[-3:]
    ]


def test_the_opponent_of_a_dropped_game_is_told_once(monkeypatch: pytest.MonkeyPatch) -> None:
    ends = seat_hears(monkeypatch)
    for tables in (ClientGames(each=1), ClientGames(in_all=1)):
        for _ in range(2):
            tables.add("ada", table("hears"))
    tables, over, busy = ClientGames(each=1), table("hears"), table("hears")
    over.resign()
    tables.add("ada", over)
    tables.add("ada", busy)
    with busy.alone():  # a request is in progress
        busy.drop()
        assert len(ends) == 3
    resigned = Outcome(Seat.TWO, Ending.RESIGNED)
    assert [view.outcome for view in ends] == [UNDECIDED, UNDECIDED, resigned, UNDECIDED]


def rpc(number: int, method: str, **params: Any) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": number, "method": method, "params": params}


WHO: dict[str, Any] = {"capabilities": {}, "clientInfo": {"name": "test", "version": "0"}}
HELLO = rpc(1, "initialize", protocolVersion="2025-06-18", **WHO)
ACCEPT = {"Accept": "application/json, text/event-stream"}


def request(body: dict[str, Any] | None = None, **headers: str) -> bytes:
    """A request over HTTP; without a body, one for a stream."""
    url, own = f"http://localhost{PATH}", {"Host": "localhost"} | ACCEPT | headers
    asks = httpx.Request("POST" if body else "GET", url, json=body, headers=own)
    lines = [f"{asks.method} {PATH} HTTP/1.1".encode(), *map(b": ".join, asks.headers.raw)]
    return b"\r\n".join([*lines, b"", b""]) + asks.content


@pytest.mark.whole
@pytest.mark.parametrize("ended_by", ["input", signal.SIGTERM, signal.SIGINT])
def test_only_the_protocol_is_written_until_the_end_of_the_input_or_a_signal(
    ended_by: str | signal.Signals,
) -> None:
    call = rpc(2, "tools/call", name="start_game", arguments={"game": "safe-code"})
    done = {"jsonrpc": "2.0", "method": "notifications/initialized"}
    with Piped((*STRONGROOM, "mcp")) as program:
        for message in (HELLO, done, call):
            program.stdin.write(f"{json.dumps(message)}\n")
        program.stdin.write("rubbish\n\x00\x1b[2J\n[]\n{}\n")
        program.stdin.flush()
        while json.loads(program.stdout.readline()).get("id") != 2:
            pass
        if isinstance(ended_by, signal.Signals):
            program.send_signal(ended_by)
            assert program.wait() == 0
        out, err = program.communicate()
    assert all(json.loads(line)["jsonrpc"] == "2.0" for line in out.splitlines())
    assert (program.returncode, err) == (0, "")


@pytest.mark.whole
def test_over_http_it_ends_quietly_whatever_its_clients_are_doing(tmp_path: Path) -> None:
    """A request is half sent, a stream is open, and an engine thinks for ever."""
    asked = tmp_path / "asked"
    thinks = f'while kind == "choose": open({str(asked)!r}, "w").close(); time.sleep(0.1)'
    engine = f"engine:{' '.join(written(tmp_path / 'bot.py', thinks))}"
    terms = ("--http", "--port", "0", "--allow-host", "games.example", "--opponent", engine)
    with Piped((*STRONGROOM, "mcp", *terms)) as program, ExitStack() as sockets:
        url = httpx.URL(program.stdout.readline().removeprefix("strongroom speaks MCP at ").strip())
        elsewhere = ACCEPT | {"Host": "games.example"}
        first = httpx.post(url, json=HELLO, headers=elsewhere, timeout=PATIENCE)
        own = {SESSION: first.headers[SESSION]}
        with Piped((*STRONGROOM, "mcp", "--http", "--port", str(url.port))) as second:
            out, err = second.communicate()
        assert (second.returncode, out) == (2, "")
        assert re.fullmatch(rf"strongroom: Cannot listen on 127\.0\.0\.1:{url.port}: .*\n", err)
        arguments = {"game": "quantum-duel", "opponent": "Test", "seat": 2}
        call = rpc(2, "tools/call", name="start_game", arguments=arguments)
        for sent in (game := request(call, **own), request(None, **own), game[:-10]):
            opened = sockets.enter_context(socket.create_connection((url.host, url.port)))
            opened.sendall(sent)
        wait_until(asked.exists)
        program.send_signal(signal.SIGTERM)
        assert program.wait() == 0
        assert program.stderr is not None
        assert program.stderr.read() == ""


def test_wrong_arguments_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    for wrong, told in (
        ("--opponent nobody", "There is no player 'nobody'."),
        ("--port 0", "--host, --port and --allow-host are for HTTP. Add --http."),
    ):
        assert main(["mcp", *wrong.split()]) == 2
        out, err = capsys.readouterr()
        assert (out, err.count("\n")) == ("", 1)
        assert err.startswith(f"strongroom: {told}")


ADA, FLOOD = "127.0.0.1", "127.0.0.2"
LIST = rpc(2, "tools/call", name="list_my_games", arguments={})


@asynccontextmanager
async def served(sessions: Sessions | None = None) -> AsyncIterator[Gate]:
    """The application in this process, without a socket."""
    server = make_server(judge)
    gate = Gate(server, ["games.example"], sessions)
    async with server.session_manager.run():
        yield gate


def client(gate: Gate, address: str = ADA) -> httpx.AsyncClient:
    transport = httpx.ASGITransport(gate, client=(address, 1))
    return httpx.AsyncClient(transport=transport, base_url="http://localhost", headers=ACCEPT)


async def opened(asks: httpx.AsyncClient) -> str:
    return str((await asks.post(PATH, json=HELLO)).headers[SESSION])


async def test_hosts_and_origins_are_compared_to_their_end() -> None:
    own = "localhost LocalHost:8001 [::1]:8001 games.example games.example:443"
    others = "localhost:80.evil.example localhost:80:80 localhost: localhost.evil.example"
    evil = "http://localhost:80.evil.example http://localhost.evil.example https://games.example"
    wanted = [({"Host": host}, 200) for host in own.split()]
    wanted += [({"Host": host}, 421) for host in (*others.split(), "games-example", "")]
    wanted += [({"Origin": origin}, 403) for origin in (*evil.split(), "null", "")]
    wanted += [({"Origin": "http://localhost:3000"}, 200)]
    async with served() as gate, client(gate) as asks:
        for headers, code in wanted:
            told = await asks.post(PATH, json=HELLO, headers=headers)
            assert told.status_code == code, headers
        large = await asks.post(PATH, json={**HELLO, "more": "x" * 100_000})
        assert large.status_code == 413


@pytest.mark.proof
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


async def test_one_session_too_many_closes_the_oldest_of_the_address_that_has_the_most() -> None:
    async with served(Sessions(most=4)) as gate, client(gate) as ada, client(gate, FLOOD) as flood:
        first = await opened(ada)
        many = [await opened(flood) for _ in range(9)]

        async def asked(asks: httpx.AsyncClient, name: str) -> int:
            return (await asks.post(PATH, json=LIST, headers={SESSION: name})).status_code

        assert await asked(ada, first) == 200
        assert [await asked(flood, name) for name in many] == [404] * 6 + [200] * 3
        assert (await ada.delete(PATH, headers={SESSION: first})).status_code == 200
        assert await asked(ada, first) == 404


async def test_a_session_lives_on_after_a_broken_request_and_if_it_is_closed_in_vain() -> None:
    async with served(Sessions(most=2)) as gate, client(gate) as ada:
        name = await opened(ada)
        for _ in range(3):
            assert (await ada.post(PATH, content="{")).status_code == 400
        unknown = {SESSION: name, "mcp-protocol-version": "2099-01-01"}
        assert (await ada.delete(PATH, headers=unknown)).status_code >= 400
        assert (await ada.post(PATH, json=LIST, headers={SESSION: name})).status_code == 200


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


async def whole() -> Message:
    return {"type": "http.request", "body": b"{}", "more_body": False}


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


async def test_a_request_that_thinks_for_long_does_not_keep_the_next_one_waiting(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(mcp_http, "A_TURN", 0.0)
    turns = Turns()
    async with turns.turn(ADA, whole) as first, turns.turn(ADA, whole) as second:
        await first()
        await second()


class Dials:
    """Calls a server up, from any address of this machine."""

    def __init__(self, port: int, closing: AsyncExitStack) -> None:
        self._port, self._closing = port, closing

    async def __call__(self, address: str) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        called = await asyncio.open_connection("127.0.0.1", self._port, local_addr=(address, 0))
        self._closing.callback(called[1].close)
        return called

    async def talk(self, mode: str) -> Talk:
        calls = Client(f"http://127.0.0.1:{self._port}{PATH}", mode=mode)
        return Talk(await self._closing.enter_async_context(calls))


@asynccontextmanager
async def listening(**limits: Any) -> AsyncIterator[Dials]:
    server = HttpServer(Gate(make_server(judge)), **limits)
    with socket.create_server(("127.0.0.1", 0)) as listens:
        port = listens.getsockname()[1]
        running = asyncio.create_task(server.serve([listens]))
        await until(lambda: server.started)
        async with AsyncExitStack() as closing:
            try:
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


@pytest.mark.proof
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
