"""The games over the Model Context Protocol, with a real client."""

from __future__ import annotations

import asyncio
import json
import re
import signal
import socket
import time
from collections.abc import Awaitable, Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import httpx
import pytest
from mcp import Client, MCPError
from starting import PATIENCE, STRONGROOM, Piped

from strongroom import analyze, load
from strongroom.agents.dialogue import Dialogue
from strongroom.agents.mcp import make_server
from strongroom.agents.mcp_tables import EACH, Table, Tables
from strongroom.contract import Ending, Outcome, Refusal, Seat
from strongroom.plugins.registry import GAMES, PLAYERS
from strongroom.referee.bout import UNDECIDED
from strongroom.referee.record import Record
from strongroom.terminal.commands.mcp import judge
from strongroom.terminal.faces.analysis import report
from strongroom.terminal.main import main
from tests.agents.engines import written
from tests.agents.hears import seat_hears

QUICK = {"game": "quantum-duel", "opponent": "random"}


class Talk:
    """A client, and everything that it was sent."""

    def __init__(self, client: Client) -> None:
        self.client = client
        self.sent: list[str] = []

    async def call(self, tool: str, **arguments: Any) -> dict[str, Any]:
        """The data of a tool's answer."""
        answer = await self.client.call_tool(tool, arguments)
        assert not answer.is_error, answer.content
        self.sent.append(answer.model_dump_json())
        found: dict[str, Any] = answer.structured_content or {}
        return found

    async def refused(self, tool: str, **arguments: Any) -> str:
        """The text of a tool's error."""
        answer = await self.client.call_tool(tool, arguments)
        assert answer.is_error
        self.sent.append(answer.model_dump_json())
        (content,) = answer.content
        assert content.type == "text"
        return content.text

    async def read(self, uri: str) -> str:
        """The text of a resource."""
        (content,) = (await self.client.read_resource(uri)).contents
        return str(json.loads(content.model_dump_json())["text"])

    async def record(self, number: str) -> Record:
        """The record of a finished game."""
        return Record.loads(await self.read(f"strongroom://records/{number}"))

    async def started(self, **terms: Any) -> str:
        """The id of a game that was started."""
        return str((await self.call("start_game", **terms))["game_id"])


Does = Callable[[Talk], Awaitable[Any]]


def talked(does: Does, *opponents: str) -> Any:
    """What a client does with a server in this process."""

    async def talk() -> Any:
        async with Client(make_server(judge, opponents)) as client:
            return await does(Talk(client))

    return asyncio.run(talk())


def client(does: Does) -> Callable[[], None]:
    """A test of what a client does with a server in this process."""

    def test() -> None:
        talked(does)

    test.__name__ = getattr(does, "__name__", "")
    return test


# --- playing --------------------------------------------------------------------------------------


@client
async def test_a_model_that_knows_nothing_is_told_the_rules_and_how_to_move(talk: Talk) -> None:
    tools = {tool.name: tool for tool in (await talk.client.list_tools()).tools}
    assert all(tool.description for tool in tools.values())
    start = tools["start_game"]
    assert {*GAMES, *PLAYERS} <= {*re.findall(r"[\w-]+", start.description or "")}
    told = (await talk.call("start_game", game="safe-code"))["text"]
    assert Dialogue(load("safe-code")).rules in told
    assert "with the tool move" in told
    assert told.splitlines()[-1].startswith("Choose your safe code (1-30): ")
    assert "start_game" in (talk.client.instructions or "")


@client
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


@client
async def test_options_are_those_of_the_game(talk: Talk) -> None:
    position = await talk.call("start_game", game="safe-cracker", options={"digits": 5})
    assert "This game has digits=5" in position["text"]
    told = await talk.refused("start_game", game="safe-cracker", options={"digit": 4})
    assert "There is no option 'digit'." in told
    listed = await talk.call("list_games")
    assert "option digits (3 to 9; usually 3)" in listed["result"]
    options = {"digits": 9, "length": 6}  # where nothing is certified
    position = await talk.call("start_game", game="safe-cracker", options=options)
    assert "expert plays instead of master" in position["text"]


@client
async def test_whoever_resigns_loses_and_sees_what_was_hidden(talk: Talk) -> None:
    number = await talk.started(game="digit-deductions", seed=1)
    await talk.call("move", game_id=number, move="57")
    end = await talk.call("resign", game_id=number)
    assert (end["over"], end["winner"], end["to_move"]) == (True, 2, None)
    assert re.search(r"^Master's \w+: \d-\d\.$", end["text"], re.MULTILINE)
    assert end["text"].endswith("The game is over: Master won, because you resigned.")
    outcome = (await talk.record(number)).outcome
    assert outcome is not None
    assert outcome.reason is Ending.RESIGNED
    assert "The game is over." in await talk.refused("move", game_id=number, move="57")


@client
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


@client
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
    end = await talk.call("watch", game_id=number, moves=200)
    assert end["over"]
    assert re.search(r"^Casual 2's code: \d-\d-\d\.$", end["text"], re.MULTILINE)
    assert "Casual 1" in (await talk.call("review", game_id=number))["text"]
    played = await talk.started(**QUICK)
    assert "You play this game." in await talk.refused("watch", game_id=played)


@client
async def test_rules_games_and_a_prompt_can_be_read(talk: Talk) -> None:
    for name in GAMES:
        assert await talk.read(f"strongroom://rules/{name}") == Dialogue(load(name)).rules
        assert name in await talk.read("strongroom://games")
    prompt = await talk.client.get_prompt("play", {"game": "quantum", "opponent": "casual"})
    assert "quantum-duel against casual" in prompt.model_dump_json()
    with pytest.raises(MCPError, match=r"There is no game 'chess'\. Choose from: "):
        await talk.client.get_prompt("play", {"game": "chess"})


# --- what nobody may know or do -------------------------------------------------------------------


@client
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


def test_a_player_that_runs_a_program_needs_the_operators_word(tmp_path: Path) -> None:
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

    async def refused(talk: Talk) -> None:
        for name in (f"engine:{program}", "model:expensive", "Test"):
            told = await talk.refused("start_game", game="quantum-duel", opponent=name)
            assert "There is no such player here. Choose from: master" in told
            players = {"first": "master", "second": name}
            told = await talk.refused("start_watching", game="quantum-duel", **players)
            assert "There is no such player here." in told

    async def allowed(talk: Talk) -> None:
        """While it thinks, other games go on, and its own answers one request at a time."""
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

    talked(refused)
    assert not ran.exists()
    talked(allowed, f"engine:{program}")
    assert ran.exists()


@client
async def test_no_text_of_a_client_comes_back_raw_or_long(talk: Talk) -> None:
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


@client
async def test_a_wrong_call_is_refused_in_one_line(talk: Talk) -> None:
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


# --- the games of all clients ---------------------------------------------------------------------


@client
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


def table(opponent: str = "random") -> Table:
    """A game at the client's first move."""
    return Table(load("quantum-duel"), {Seat.TWO: opponent}, seed=1)


def test_clients_hold_so_many_games_and_reach_and_push_out_only_their_own() -> None:
    tables, games = Tables(each=2, in_all=3), [table() for _ in range(4)]
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
    tables = Tables(each=1, in_all=4)
    ada, _ = tables.add("ada", games[0], "10.0.0.1")
    flood = [(f"{n}", tables.add(f"{n}", games[1], "10.0.0.2")[0]) for n in range(9)]
    assert tables.find("ada", ada) is games[0]
    assert [number for client, number in flood if number in tables.of(client)] == [
        number for _, number in flood[-3:]
    ]


def test_the_opponent_of_a_dropped_game_is_told_once(monkeypatch: pytest.MonkeyPatch) -> None:
    ends = seat_hears(monkeypatch)
    for tables in (Tables(each=1), Tables(in_all=1)):
        for _ in range(2):
            tables.add("ada", table("hears"))
    tables, over, busy = Tables(each=1), table("hears"), table("hears")
    over.resign()
    tables.add("ada", over)
    tables.add("ada", busy)
    with busy.alone():  # a request is in progress
        busy.drop()
        assert len(ends) == 3
    resigned = Outcome(Seat.TWO, Ending.RESIGNED)
    assert [view.outcome for view in ends] == [UNDECIDED, UNDECIDED, resigned, UNDECIDED]


# --- the program ----------------------------------------------------------------------------------


def rpc(number: int, method: str, **params: Any) -> dict[str, Any]:
    """A request of the protocol."""
    return {"jsonrpc": "2.0", "id": number, "method": method, "params": params}


VERSION = "2025-06-18"
HELLO = rpc(
    1,
    "initialize",
    protocolVersion=VERSION,
    capabilities={},
    clientInfo={"name": "test", "version": "0"},
)


@pytest.mark.whole
def test_only_the_protocol_is_written_to_the_output_and_the_end_of_the_input_ends_it() -> None:
    call = rpc(2, "tools/call", name="start_game", arguments={"game": "safe-code"})
    done = {"jsonrpc": "2.0", "method": "notifications/initialized"}
    with Piped((*STRONGROOM, "mcp")) as program:
        for message in (HELLO, done, call):
            program.stdin.write(f"{json.dumps(message)}\n")
        program.stdin.write("rubbish\n\x00\x1b[2J\n[]\n{}\n")
        program.stdin.flush()
        answers: list[Any] = []
        while not any(each.get("id") == 2 for each in answers):
            answers.append(json.loads(program.stdout.readline()))
        out, err = program.communicate()
    assert all(json.loads(line)["jsonrpc"] == "2.0" for line in out.splitlines())
    assert (program.returncode, err) == (0, "")


@pytest.mark.whole
def test_a_signal_ends_it_without_a_word() -> None:
    for number in (signal.SIGTERM, signal.SIGINT):
        with Piped((*STRONGROOM, "mcp")) as program:
            program.stdin.write(f"{json.dumps(HELLO)}\n")
            program.stdin.flush()
            assert json.loads(program.stdout.readline())["id"] == 1
            program.send_signal(number)
            assert program.wait() == 0
            assert program.stderr is not None
            assert (program.stdout.read(), program.stderr.read()) == ("", "")


@pytest.mark.whole
def test_over_http_it_ends_quietly_whatever_its_clients_are_doing(tmp_path: Path) -> None:
    """A request is half sent, a stream is open, and an engine thinks for ever."""
    asked = tmp_path / "asked"
    thinks = f'while kind == "choose": open({str(asked)!r}, "w").close(); time.sleep(0.1)'
    engine = f"engine:{' '.join(written(tmp_path / 'bot.py', thinks))}"
    terms = ("--http", "--port", "0", "--allow-host", "games.example", "--opponent", engine)
    with Piped((*STRONGROOM, "mcp", *terms)) as program, ExitStack() as sockets:
        url = httpx.URL(program.stdout.readline().removeprefix("strongroom speaks MCP at ").strip())
        own = {"Accept": "application/json, text/event-stream"}
        first = httpx.post(
            url, json=HELLO, headers=own | {"Host": "games.example"}, timeout=PATIENCE
        )
        own["mcp-session-id"] = first.headers["mcp-session-id"]
        with Piped((*STRONGROOM, "mcp", "--http", "--port", str(url.port))) as second:
            out, err = second.communicate()
        assert (second.returncode, out) == (2, "")
        assert re.fullmatch(rf"strongroom: Cannot listen on 127\.0\.0\.1:{url.port}: .*\n", err)
        arguments = {"game": "quantum-duel", "opponent": "Test", "seat": 2}
        call = rpc(2, "tools/call", name="start_game", arguments=arguments)
        game = httpx.Request("POST", url, json=call, headers=own)
        stream = httpx.Request("GET", url, headers=own)
        for asks, most in ((game, None), (stream, None), (game, -10)):
            lines = [f"{asks.method} {url.path} HTTP/1.1".encode()]
            lines += [b": ".join(each) for each in asks.headers.raw]
            opened = sockets.enter_context(socket.create_connection((url.host, url.port)))
            opened.sendall((b"\r\n".join([*lines, b"", b""]) + asks.content)[:most])
        while not asked.exists():
            time.sleep(0.01)
        program.send_signal(signal.SIGTERM)
        assert program.wait() == 0
        assert program.stderr is not None
        assert program.stderr.read() == ""


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("--opponent", "nobody"), "There is no player 'nobody'."),
        (("--port", "0"), "--host, --port and --allow-host are for HTTP. Add --http."),
    ],
)
def test_wrong_arguments_are_refused(
    arguments: tuple[str, ...], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["mcp", *arguments]) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert err.startswith(f"strongroom: {told}")
