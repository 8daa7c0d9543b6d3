"""The games over the Model Context Protocol, with a real client."""

from __future__ import annotations

import asyncio
import importlib
import json
import re
import signal
import socket
import sys
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import ExitStack, asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from mcp import Client, MCPError
from mcp.client.stdio import StdioServerParameters, stdio_client
from starting import PATIENCE, STRONGROOM, Piped, surroundings

from strongroom import analyze, load
from strongroom.agents.dialogue import Dialogue
from strongroom.agents.engine_pool import POOL
from strongroom.agents.mcp import make_server
from strongroom.agents.mcp_tables import EACH, Table, Tables
from strongroom.agents.sitting import Sitting
from strongroom.contract import Ending, Refusal, Seat
from strongroom.plugins.extras import MissingExtra
from strongroom.plugins.registry import GAMES, PLAYERS
from strongroom.referee.record import Record
from strongroom.terminal.commands.mcp import judge
from strongroom.terminal.faces.analysis import report
from tests.agents.engines import written

QUICK = {"game": "quantum-duel", "opponent": "random"}
SECRETS = {
    "safe-cracker": ["2-1-3"],
    "safecracker-duel": ["4-2-5"],
    "digit-deductions": ["5-7"],
    "safe-code": ["12", "It is even.", "It is less than 20.", "It is divisible by 3."],
    "quantum-duel": [],
}
"""What a client hides in each game."""


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
        text = json.loads(content.model_dump_json())["text"]
        assert isinstance(text, str)
        return text

    async def started(self, **terms: Any) -> str:
        """The id of a game that was started."""
        number = (await self.call("start_game", **terms))["game_id"]
        assert isinstance(number, str)
        return number

    async def played_out(self, number: str, *moves: str) -> dict[str, Any]:
        """The end of a game in which the client makes these moves first, and then legal ones."""
        position = await self.call("look", game_id=number)
        game = load(position["game"])
        todo = [*moves]
        while not position["over"]:
            for line in [todo.pop(0)] if todo else ["no", *map(str, game.actions)]:
                answer = await self.client.call_tool("move", {"game_id": number, "move": line})
                if not answer.is_error:
                    break
            position = answer.structured_content or position
        return position


Does = Callable[[Talk], Awaitable[Any]]


def talked(does: Does, *opponents: str) -> Any:
    """What a client does with a server in this process."""

    async def talk() -> Any:
        async with Client(make_server(judge, opponents)) as client:
            return await does(Talk(client))

    return asyncio.run(talk())


# --- playing --------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", GAMES)
def test_the_same_seed_and_moves_give_the_game_of_every_other_door(name: str) -> None:
    async def play(talk: Talk) -> None:
        number = await talk.started(game=name, seat=2, seed=5)
        sitting = Sitting(load(name), "master", Seat.TWO, seed=5)
        dialogue = Dialogue(load(name), opponent="Master")
        while not sitting.over:
            position = await talk.call("look", game_id=number)
            assert position["text"] == dialogue.ask(sitting.view)
            move = sitting.view.moves[len(sitting.decided) % len(sitting.view.moves)]
            sitting.play(move)
            position = await talk.call("move", game_id=number, move=str(move))
        won = sitting.outcome and sitting.outcome.winner
        assert (position["over"], position["winner"]) == (True, won and won.value)

    talked(play)


def test_a_model_that_knows_nothing_else_is_told_the_rules_and_how_to_move() -> None:
    async def look(talk: Talk) -> None:
        tools = {tool.name: tool for tool in (await talk.client.list_tools()).tools}
        assert all(tool.description for tool in tools.values())
        start = tools["start_game"]
        assert {*GAMES, *PLAYERS} <= {*re.findall(r"[\w-]+", start.description or "")}
        told = (await talk.call("start_game", game="safe-code"))["text"]
        assert Dialogue(load("safe-code")).rules in told
        assert "with the tool move" in told
        assert told.splitlines()[-1].startswith("Choose your safe code (1-30): ")
        assert "start_game" in (talk.client.instructions or "")

    talked(look)


def test_a_refused_move_says_why_and_changes_nothing() -> None:
    async def play(talk: Talk) -> None:
        number = await talk.started(game="safe-cracker")
        before = await talk.call("look", game_id=number)
        for _ in range(5):
            told = await talk.refused("move", game_id=number, move="2-1-9")
            assert "Digits run from 1 to 3; you typed 9. Type three digits from 1-3" in told
        assert await talk.call("look", game_id=number) == before

    talked(play)


def test_a_move_can_be_a_number() -> None:
    async def play(talk: Talk) -> None:
        position = await talk.call("move", game_id=await talk.started(**QUICK), move=4)
        assert "1. You: 4" in position["text"]

    talked(play)


def test_options_are_those_of_the_game() -> None:
    async def play(talk: Talk) -> None:
        position = await talk.call("start_game", game="safe-cracker", options={"digits": 5})
        assert "This game has digits=5" in position["text"]
        told = await talk.refused("start_game", game="safe-cracker", options={"digit": 4})
        assert "There is no option 'digit'." in told
        listed = await talk.call("list_games")
        assert "option digits (3 to 9; usually 3)" in listed["result"]

    talked(play)


def test_where_nothing_is_certified_the_client_hears_who_plays_instead() -> None:
    async def play(talk: Talk) -> None:
        options = {"digits": 9, "length": 6}
        position = await talk.call("start_game", game="safe-cracker", options=options)
        assert "expert plays instead of master" in position["text"]

    talked(play)


def test_whoever_resigns_loses_and_sees_what_was_hidden() -> None:
    async def play(talk: Talk) -> None:
        number = await talk.started(game="digit-deductions", seed=1)
        await talk.call("move", game_id=number, move="57")
        end = await talk.call("resign", game_id=number)
        assert (end["over"], end["winner"], end["to_move"]) == (True, 2, None)
        assert re.search(r"^Master's \w+: \d-\d\.$", end["text"], re.MULTILINE)
        assert end["text"].endswith("The game is over: Master won, because you resigned.")
        record = Record.loads(await talk.read(f"strongroom://records/{number}"))
        assert record.outcome is not None
        assert record.outcome.reason is Ending.RESIGNED
        assert "The game is over." in await talk.refused("move", game_id=number, move="57")

    talked(play)


def test_hints_are_counted_in_every_answer_and_in_the_record() -> None:
    async def play(talk: Talk) -> None:
        number = await talk.started(game="safe-cracker", seed=3)
        await talk.call("move", game_id=number, move="2-1-3")
        hint = await talk.call("hint", game_id=number)
        assert re.search(r"\d-\d-\d .*% to win", hint["result"])
        assert (await talk.call("resign", game_id=number))["hints"] == 1
        record = Record.loads(await talk.read(f"strongroom://records/{number}"))
        assert record.hints == (1, 0)

    talked(play)


def test_a_review_says_what_analyze_says() -> None:
    async def play(talk: Talk) -> None:
        number = await talk.started(game="safe-cracker", seed=2)
        assert "The game is not over." in await talk.refused("review", game_id=number)
        await talk.played_out(number, "2-1-3", "3-3-3")
        review = await talk.call("review", game_id=number)
        analysis = analyze(Record.loads(await talk.read(f"strongroom://records/{number}")))
        whole = "\n".join(line.plain.rstrip() for line in report(analysis, 110))
        assert whole.endswith(review["text"])
        assert "What was given away" in review["text"]
        assert review["players"] == analysis.to_json()["seats"]
        assert review["players"][0]["exact"]

    talked(play)


def test_a_game_of_two_bots_is_watched_move_by_move() -> None:
    async def watch(talk: Talk) -> None:
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

    talked(watch)


def test_rules_games_and_a_prompt_can_be_read() -> None:
    async def read(talk: Talk) -> None:
        for name in GAMES:
            assert await talk.read(f"strongroom://rules/{name}") == Dialogue(load(name)).rules
            assert name in await talk.read("strongroom://games")
        prompt = await talk.client.get_prompt("play", {"game": "quantum", "opponent": "casual"})
        assert "quantum-duel against casual" in prompt.model_dump_json()
        with pytest.raises(MCPError, match=r"There is no game 'chess'\. Choose from: "):
            await talk.client.get_prompt("play", {"game": "chess"})

    talked(read)


# --- what nobody may know or do -------------------------------------------------------------------


HIDES = """
if kind == "choose" and message["view"]["setting_up"]:
    message["moves"] = [each for each in message["moves"] if each == {secret!r}] or message["moves"]
"""
"""An engine that hides what a test chose, and otherwise makes the first legal move."""
WORLDS = {
    "safe-cracker": (["1-2-2", "2-2-1"], ["3-2-3", "3-3-3"]),
    "safecracker-duel": (["5-5-5", "4-4-4"], ["2 3", "2 2"]),
    "digit-deductions": (["1-1", "9-9"], ["5-5", "6-4"]),
    "safe-code": (["28", "29"], ["7", "8"]),
}
"""Two secrets for each game, and moves to which both give the same answers."""


@pytest.mark.parametrize("name", WORLDS)
def test_games_that_differ_only_in_what_is_hidden_send_the_same_bytes(
    name: str, tmp_path: Path
) -> None:
    (one, two), moves = WORLDS[name]
    bot = tmp_path / "bot.py"
    engine = f"engine:{' '.join(written(bot, ''))}"

    async def play(talk: Talk) -> tuple[str, str]:
        """All that was sent before the end, and what the end revealed."""
        number = await talk.started(game=name, opponent="Test")
        for line in (*SECRETS[name], *moves):
            await talk.refused("move", game_id=number, move="nonsense")
            await talk.refused("review", game_id=number)
            await talk.call("hint", game_id=number)
            await talk.call("list_my_games")
            with pytest.raises(MCPError) as error:
                await talk.read(f"strongroom://records/{number}")
            talk.sent.append(str(error.value))
            assert not (await talk.call("move", game_id=number, move=line))["over"]
        sent = "\n".join(talk.sent).replace(number, "ID")
        revealed = (await talk.call("resign", game_id=number))["text"]
        return sent, revealed

    worlds = []
    for secret in (one, two):
        written(bot, HIDES.format(secret=secret))
        worlds.append(talked(play, engine))
        POOL.close()
    (here, at_the_end), (there, at_the_other_end) = worlds
    assert here == there
    assert f": {one}" in at_the_end
    assert f": {two}" in at_the_other_end


def test_spectators_learn_no_secret_before_the_end() -> None:
    async def watch(talk: Talk) -> None:
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

    talked(watch)


def test_a_player_that_runs_a_program_needs_the_operators_word(tmp_path: Path) -> None:
    program = " ".join(written(tmp_path / "fox.py", f"open({str(tmp_path / 'ran')!r}, 'w')"))

    async def refused(talk: Talk) -> None:
        for name in (f"engine:{program}", "model:expensive", "Test"):
            told = await talk.refused("start_game", game="quantum-duel", opponent=name)
            assert "There is no such player here. Choose from: master" in told
            players = {"first": "master", "second": name}
            told = await talk.refused("start_watching", game="quantum-duel", **players)
            assert "There is no such player here." in told

    async def allowed(talk: Talk) -> None:
        number = await talk.started(game="quantum-duel", opponent="Test")
        assert (await talk.call("move", game_id=number, move="4"))["to_move"] == 1
        await talk.call("resign", game_id=number)
        await talk.call("review", game_id=number)
        await talk.call("list_games")
        talk.sent.append(await talk.read(f"strongroom://records/{number}"))
        assert not any(str(tmp_path) in sent for sent in talk.sent)

    talked(refused)
    assert not (tmp_path / "ran").exists()
    talked(allowed, f"engine:{program}")
    assert (tmp_path / "ran").exists()


def test_no_text_of_a_client_comes_back_raw_or_long() -> None:
    async def try_it(talk: Talk) -> None:
        number = await talk.started(**QUICK)
        for junk in ("\x1b]0;gone\x07" * 9, "x" * 100_000, "../../etc/passwd", "\u202e\u2028"):
            for tool, name in (("start_game", "game"), ("look", "game_id"), ("rules", "game")):
                await talk.refused(tool, **{name: junk})
            await talk.refused("move", game_id=number, move=junk)
            await talk.refused("start_game", game="quantum-duel", opponent=junk)
            await talk.refused("start_game", game="safe-cracker", options={junk: junk})
            with pytest.raises(MCPError):
                await talk.read(f"strongroom://records/{junk[:50]}")
        texts = [each for sent in talk.sent[1:] for each in json.loads(sent)["content"]]
        assert all(len(each["text"]) < 2000 for each in texts)
        assert all("\x1b" not in each["text"] for each in texts)

    talked(try_it)


def test_the_oldest_game_is_dropped_with_a_word_when_a_client_has_too_many() -> None:
    async def start(talk: Talk) -> None:
        numbers = [await talk.started(**QUICK) for _ in range(EACH)]
        await talk.call("look", game_id=numbers[0])  # now the second is the one left alone longest
        told = (await talk.call("start_game", **QUICK))["text"]
        assert f"Game {numbers[1]} was dropped" in told
        assert "You have no game with this id" in await talk.refused("look", game_id=numbers[1])
        listed = (await talk.call("list_my_games"))["result"]
        assert numbers[0] in listed
        assert len(listed.splitlines()) == EACH

    async def named(talk: Talk) -> None:
        assert "start_game" in (await talk.call("list_my_games"))["result"]

    talked(start)
    talked(named)


def test_all_clients_together_hold_so_many_games_and_reach_only_their_own() -> None:
    tables = Tables(each=2, in_all=3)
    games = [Table(load("quantum-duel"), {Seat.TWO: "random"}) for _ in range(4)]
    ada, bob, nobody, late = (
        tables.add(client, game)[0]
        for client, game in zip(("ada", "bob", None, None), games, strict=True)
    )
    assert tables.find("bob", bob) is games[1]
    for client, number in (("ada", ada), ("ada", bob), (None, bob), ("bob", late), ("bob", "x")):
        with pytest.raises(Refusal, match="You have no game with this id"):
            tables.find(client, number)
    assert (tables.find(None, nobody), tables.find(None, late)) == (games[2], games[3])


def test_one_address_with_many_sessions_pushes_out_only_its_own_games() -> None:
    tables, game = Tables(each=1, in_all=4), Table(load("quantum-duel"), {Seat.TWO: "random"})
    ada, _ = tables.add("ada", game, "10.0.0.1")
    flood = [(f"{n}", tables.add(f"{n}", game, "10.0.0.2")[0]) for n in range(9)]
    assert tables.find("ada", ada) is game
    assert [number for client, number in flood if number in tables.of(client)] == [
        number for _, number in flood[-3:]
    ]


@pytest.mark.parametrize(
    ("tool", "arguments", "told"),
    [
        ("start_game", {}, "game: Field required."),
        ("start_game", {"game": "safe-cracker", "seat": 3}, "seat: Input should be 1 or 2."),
        (
            "start_game",
            {"game": "safe-cracker", "digits": 4},
            "start_game has no argument 'digits'.",
        ),
        ("start_game", {"game": "chess"}, "There is no game 'chess'."),
        ("nothing\x1b", {}, "There is no tool 'nothing?'."),
    ],
)
def test_a_wrong_call_is_refused_in_one_line(
    tool: str, arguments: dict[str, Any], told: str
) -> None:
    async def call(talk: Talk) -> None:
        said = await talk.refused(tool, **arguments)
        assert said.startswith(f"{told} ")
        assert said.isprintable()

    talked(call)


def test_nobody_waits_for_another_game_and_a_game_answers_one_request_at_a_time(
    tmp_path: Path,
) -> None:
    go = tmp_path / "go"
    until = f'while kind == "choose" and not os.path.exists({str(go)!r}): time.sleep(0.01)'
    slow = f"engine:{' '.join(written(tmp_path / 'bot.py', until))}"

    async def play(talk: Talk) -> None:
        thinking = await talk.started(game="quantum-duel", opponent="Test")
        waits = asyncio.create_task(talk.call("move", game_id=thinking, move="4"))
        other = await talk.started(**QUICK)
        assert (await talk.call("move", game_id=other, move="4"))["to_move"] == 1
        told = ""
        while "not answered yet" not in told:  # until the first request has begun
            answer = await talk.client.call_tool("look", {"game_id": thinking})
            told = answer.model_dump_json()
        assert not waits.done()
        go.touch()
        assert (await waits)["to_move"] == 1

    talked(play, slow)


# --- over pipes -----------------------------------------------------------------------------------

STDIO = StdioServerParameters(
    command=STRONGROOM[0], args=[*STRONGROOM[1:], "mcp"], env=surroundings()
)


@pytest.mark.whole
def test_a_client_that_starts_the_command_plays_a_whole_game() -> None:
    async def play() -> None:
        async with Client(stdio_client(STDIO)) as client:
            talk = Talk(client)
            number = await talk.started(game="safe-cracker", seat=2)
            end = await talk.played_out(number, "2-1-3")
            assert end["over"]
            assert "In total" in (await talk.call("review", game_id=number))["text"]
            assert number in (await talk.call("list_my_games"))["result"]
            assert Record.loads(await talk.read(f"strongroom://records/{number}")).outcome

    asyncio.run(play())


HELLO = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "test", "version": "0"},
    },
}


@pytest.mark.whole
def test_only_the_protocol_is_written_to_the_output_and_the_end_of_the_input_ends_it() -> None:
    call = {
        "jsonrpc": "2.0",
        "id": 2,
        "method": "tools/call",
        "params": {"name": "start_game", "arguments": {"game": "safe-code"}},
    }
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
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_it_without_a_word(number: int) -> None:
    with Piped((*STRONGROOM, "mcp")) as program:
        program.stdin.write(f"{json.dumps(HELLO)}\n")
        program.stdin.flush()
        assert json.loads(program.stdout.readline())["id"] == 1
        program.send_signal(number)
        assert program.wait() == 0
        assert program.stderr is not None
        assert (program.stdout.read(), program.stderr.read()) == ("", "")


# --- over HTTP ------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a server on a free port, which must end quietly when it is told to.

    Then a request is half sent, a stream is open, and an engine thinks for ever.
    """
    folder = tmp_path_factory.mktemp("engine")
    asked = folder / "asked"
    thinks = f'while kind == "choose": open({str(asked)!r}, "w").close(); time.sleep(0.1)'
    engine = " ".join(written(folder / "bot.py", thinks))
    terms = ("--http", "--port", "0", "--allow-host", "games.example")
    with Piped((*STRONGROOM, "mcp", *terms, "--opponent", f"engine:{engine}")) as program:
        said = program.stdout.readline()
        address = said.removeprefix("strongroom speaks MCP at ").strip()
        yield address
        with leave_open(address):
            while not asked.exists():
                time.sleep(0.01)
            program.send_signal(signal.SIGTERM)
            assert program.wait() == 0
        assert program.stderr is not None
        assert program.stderr.read() == ""


@contextmanager
def leave_open(address: str) -> Iterator[None]:
    """Hold open a request that is half sent, a stream, and a game that an engine has to begin."""
    url, accept = httpx.URL(address), {"Accept": "application/json, text/event-stream"}
    first = httpx.post(address, json=HELLO, headers=accept, timeout=PATIENCE)
    own = accept | {"mcp-session-id": first.headers["mcp-session-id"]}
    terms = {"game": "quantum-duel", "opponent": "Test", "seat": 2}
    call = {"method": "tools/call", "params": {"name": "start_game", "arguments": terms}}
    game = httpx.Request("POST", url, json={"jsonrpc": "2.0", "id": 2, **call}, headers=own)
    stream = httpx.Request("GET", url, headers=own)
    with ExitStack() as sockets:
        for asks, most in ((game, None), (stream, None), (game, -10)):
            lines = [f"{asks.method} {url.path} HTTP/1.1".encode()]
            lines += [b": ".join(each) for each in asks.headers.raw]
            opened = socket.create_connection((url.host, url.port))
            sockets.enter_context(opened)
            opened.sendall((b"\r\n".join([*lines, b"", b""]) + asks.content)[:most])
        yield


@asynccontextmanager
async def session(address: str, mode: str = "legacy") -> AsyncIterator[Talk]:
    async with Client(address, mode=mode) as client:
        yield Talk(client)


def test_over_http_a_game_belongs_to_the_session_that_started_it(address: str) -> None:
    async def meet() -> None:
        async with session(address) as ada, session(address) as bob:
            number = await ada.started(game="safe-cracker", opponent="casual")
            await ada.call("move", game_id=number, move="2-1-3")
            for tool in ("look", "move", "hint", "resign", "review", "watch"):
                more = {"move": "1-1-1"} if tool == "move" else {}
                known = await bob.refused(tool, game_id=number, **more)
                assert known == await bob.refused(tool, game_id="0" * 32, **more)
            with pytest.raises(MCPError, match="You have no game with this id"):
                await bob.read(f"strongroom://records/{number}")
            assert number not in (await bob.call("list_my_games"))["result"]
            assert number in (await ada.call("list_my_games"))["result"]
            assert (await ada.played_out(number))["over"]
            assert "In total" in (await ada.call("review", game_id=number))["text"]

    asyncio.run(meet())


def test_without_sessions_the_id_of_a_game_is_what_opens_it(address: str) -> None:
    async def meet() -> None:
        async with session(address, "auto") as ada, session(address) as bob:
            number = await ada.started(**QUICK)
            assert (await ada.call("move", game_id=number, move="4"))["to_move"] == 1
            assert "no session" in await ada.refused("list_my_games")
            assert "You have no game" in await bob.refused("look", game_id=number)

    asyncio.run(meet())


def test_a_page_in_a_browser_cannot_reach_the_server(address: str) -> None:
    headers = {"Accept": "application/json, text/event-stream"}
    for more, code in (
        ({}, 200),
        ({"Host": "games.example"}, 200),
        ({"Host": "evil.example"}, 421),
        ({"Origin": "https://evil.example"}, 403),
    ):
        told = httpx.post(address, json=HELLO, headers=headers | more, timeout=PATIENCE)
        assert told.status_code == code
    large = {**HELLO, "more": "x" * 100_000}
    assert httpx.post(address, json=large, headers=headers, timeout=PATIENCE).status_code == 413


def test_an_address_that_is_taken_is_refused(address: str) -> None:
    port = str(httpx.URL(address).port)
    with Piped((*STRONGROOM, "mcp", "--http", "--port", port)) as program:
        out, err = program.communicate()
    assert (program.returncode, out) == (2, "")
    assert re.fullmatch(rf"strongroom: Cannot listen on 127\.0\.0\.1:{port}: .*\n", err)


@pytest.mark.whole
@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("--opponent", "nobody"), "There is no player 'nobody'."),
        (("--port", "0"), "--host, --port and --allow-host are for HTTP. Add --http."),
    ],
)
def test_wrong_arguments_are_refused(arguments: tuple[str, ...], told: str) -> None:
    with Piped((*STRONGROOM, "mcp", *arguments)) as program:
        out, err = program.communicate()
    assert (program.returncode, out, err.count("\n")) == (2, "", 1)
    assert err.startswith(f"strongroom: {told}")


def test_without_the_library_one_line_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("strongroom.agents.mcp", "strongroom.agents.mcp_tools"):
        monkeypatch.delitem(sys.modules, module)
    monkeypatch.setitem(sys.modules, "mcp", None)
    with pytest.raises(MissingExtra, match=re.escape("pip install 'strongroom[mcp]'")):
        importlib.import_module("strongroom.agents.mcp")
