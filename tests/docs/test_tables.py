"""The tables, numbers and exchanges on the pages are those of the program."""

from __future__ import annotations

import inspect
import json
import re
import secrets
import stat
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import fields
from pathlib import Path
from typing import Any, Final, NamedTuple

import httpx
import pytest
from mcp import Client
from serving import PATIENCE, served
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from docs import building
from strongroom import load
from strongroom.contract import Json
from strongroom.doors import mcp, mcp_http
from strongroom.doors.gymnasium import SeatEnv
from strongroom.doors.mcp import Position
from strongroom.listening import REQUEST_TIMEOUT
from strongroom.measuring.forecast import ANSWER
from strongroom.minds.dialogue import (
    LONGEST_QUOTED,
    MOST_CHOICES,
    MOST_LISTED,
    MOST_MONEY,
    MOST_TOKENS,
    TRIES,
    Style,
)
from strongroom.minds.endpoint import FEW_RETRIES, RETRIES, TIMEOUT
from strongroom.minds.model import CONCURRENCY
from strongroom.minds.observation import Observer
from strongroom.minds.redaction import DEPTH, FRAGMENT
from strongroom.minds.settings import Settings as Experimental
from strongroom.referee import bout, wire
from strongroom.server import messages
from strongroom.server.app import HEADERS, POLICY, make_app
from strongroom.server.hub import Hub
from strongroom.server.messages import NewGame
from strongroom.server.monitoring import Metrics
from strongroom.server.settings import DAY, Limits, Settings
from strongroom.server.store import Store, open_database
from strongroom.server.table import TURN_LIMIT
from strongroom.terminal.arguments import COMMANDS, Parser
from strongroom.terminal.commands import serve
from strongroom.terminal.main import build_parser
from tests.docs.pages import DOCS, coded, named, page, rows
from tests.server.stores import opened

SERVER = DOCS.parent / "src" / "strongroom" / "server"
TOO_BIG = 1009
USUAL = Settings()
SAID = {
    "protocol.md": [
        f"at most {USUAL.longest_body:,} bytes",
        f"more than {USUAL.longest_message:,} bytes",
        f"at most {messages.LONGEST_MOVE:,} characters",
        f"up to {USUAL.listed_games} that",
        f"within {USUAL.hello_timeout:.0f} seconds",
        f"more than {USUAL.most_bad_frames} bad frames",
        f"The version is {wire.PROTOCOL},",
    ],
    "serving.md": [
        f"{USUAL.longest_message:,} bytes for a message, "
        f"{USUAL.longest_body:,} for a request's body",
        f"{USUAL.hello_timeout:g} seconds until the hello, {TURN_LIMIT:,} turns for a game",
        f"{USUAL.listed_games} games in a list",
        f"away after {USUAL.process_timeout:g} seconds",
        f"longer than {USUAL.down_after:g} seconds",
        f"after {USUAL.pace} to {2 * USUAL.pace} seconds, drawn for each move",
        f"and {USUAL.toss} seconds later after a coin toss",
        "a look every two seconds",
        "looks every ten minutes",
        "holds six to PostgreSQL",
    ],
    "security.md": [
        f"`{POLICY}`",
        f"after {USUAL.pace} to {2 * USUAL.pace} seconds, drawn for each move",
    ],
    "playing-online.md": ["After two minutes you may claim the game", "kept for a week"],
    "models.md": [
        f"no answer in {TIMEOUT / 60:g} minutes",
        f"no whole answer in {TIMEOUT / 120:g} minutes, half of",
        f"an answer may take ({TIMEOUT:g})",
        f"whole number below {MOST_TOKENS // 10**6} million",
        f"no amount below {MOST_MONEY // 10**6} million dollars",
        f"up to {DEPTH} times",
        f"{FRAGMENT} characters in a row",
        f"repeated up to {RETRIES} times",
        f"the same, up to {FEW_RETRIES} times",
        f"at once ({CONCURRENCY})",
        f"less than {FRAGMENT} characters",
        f"have {ANSWER[True]} tokens, or {ANSWER[False]} without",
        f"unless there are more than {MOST_LISTED}",
        f"the first {LONGEST_QUOTED:,} characters are sent back",
        f"| `tries` | {TRIES} |",
        f"the schema lists the legal moves, unless there are more than {MOST_CHOICES} (as",
        "after three, the game is forfeited",
    ],
    "doors.md#MCP": [
        f"A client can have {mcp.EACH} games at a time",
        f"All clients together can have {mcp.ALL}",
        f"undecided after {bout.TURN_LIMIT} turns",
        "computed two at a time",
        f"at most {mcp_http.LARGEST // 1024} KiB",
        f"in at most {mcp_http.A_TURN:g} seconds",
        f"has to arrive within {REQUEST_TIMEOUT:g} seconds",
        f"can hold {mcp_http.SOCKETS} sockets open",
        f"together can have {mcp_http.SESSIONS} sessions",
        f"not used for {mcp_http.IDLE / 60:g} minutes",
        f"at the latest {mcp_http.ENDING:g} seconds after",
        f"{serve.HOST}:{serve.PORT}{mcp_http.PATH}",
    ],
}
IN_WORDS = {
    "two seconds": USUAL.poll * USUAL.poll_shares == 2,
    "ten minutes": USUAL.sweep == 600,
    "six to PostgreSQL": USUAL.postgres_readers + 2 == 6,
    "two minutes": USUAL.claim_after == 120,
    "a week": USUAL.expire_after == 7 * DAY,
    "after three": TRIES == 3,
    "two at a time": mcp.AT_ONCE == 2,
}


@pytest.mark.parametrize("name", SAID)
def test_the_numbers_on_a_page_are_those_of_the_program(name: str) -> None:
    text = " ".join(page(name).split())
    assert [said for said in SAID[name] if said not in text] == []
    assert [number for number, holds in IN_WORDS.items() if not holds] == []
    assert HEADERS["Content-Security-Policy"] == POLICY


@pytest.mark.parametrize(
    ("name", "heads", "there"),
    [
        (
            "doors.md#Gymnasium",
            ("setting", "what it is", "usually"),
            {*inspect.signature(SeatEnv).parameters} - {"name", "render_mode", "options"},
        ),
        (
            "doors.md#Vectors",
            ("part", "how many numbers", "what they are"),
            [*Observer(load("quantum-duel")).layout],
        ),
        (
            "models.md",
            ("setting", "usually", "what it is"),
            {each.name for kind in (Experimental, Style) for each in fields(kind)},
        ),
        ("protocol.md", ("of a new game", "what it is"), [*NewGame.model_fields]),
        ("protocol.md", ("`type`", "its keys", "what it does"), {*messages.MESSAGES}),
    ],
)
def test_a_table_names_all_that_there_is(name: str, heads: tuple[str, ...], there: Any) -> None:
    listed = named(name, *heads)
    assert type(there)(listed) == there
    assert len(listed) == len(there)


async def test_the_page_about_mcp_lists_every_tool_and_resource_and_what_an_answer_has() -> None:
    async with Client(mcp.make_server(serve.judge)) as client:
        tools = {tool.name for tool in (await client.list_tools()).tools}
        resources = {str(each.uri) for each in (await client.list_resources()).resources}
        records = (await client.list_resource_templates()).resource_templates
    resources |= {each.uri_template for each in records}
    assert {*named("doors.md#MCP", "tool", "what it does")} == tools
    forms = {re.sub(r"rules/.*", "rules/GAME", each) for each in resources}
    listed = named("doors.md#MCP", "resource", "what it is")
    assert {*listed} == {each.replace("{game_id}", "ID") for each in forms}
    (answer,) = re.findall(r"Every answer is text and data: (.*?)\. A", page("doors.md#MCP"), re.S)
    assert coded(answer) == [*Position.model_fields]


def test_the_configuration_of_the_page_about_mcp_starts_the_command() -> None:
    (block,) = re.findall(r"```json\n(.*?)```", page("doors.md#MCP"), re.DOTALL)
    (server,) = json.loads(block)["mcpServers"].values()
    assert server["command"] == "strongroom"
    assert build_parser().parse(server["args"]).http is False


def test_the_site_shows_every_argument_of_every_command_and_where_its_facts_are_from() -> None:
    assert re.findall(r"<!-- command ([\w-]+) -->", page("commands.md")) == [*COMMANDS]
    for name in COMMANDS:
        shown = building.command(name)
        asked = build_parser([name])._actions[-1].choices
        for action in dict(asked or {})[name]._actions[1:]:
            assert all(f"`{text}" in shown for text in action.option_strings), (name, action)
    assert "| `--port N` | the port, 0 for any free one; default: 8000 |" in building.command(
        "serve"
    )
    facts = re.findall(r"<!-- fact (\w+) -->", page("index.md"))
    assert all("<strong>" in building.fact(name) for name in facts)
    assert building.fact("solved").startswith("<strong>5 of 5 games solved")


def test_the_page_about_playing_online_has_every_screenshot() -> None:
    shown = re.findall(r"!\[[^]]+\]\(screenshots/([^)]+)\)", page("playing-online.md"))
    assert sorted(shown) == sorted(file.name for file in (DOCS / "screenshots").iterdir())


def test_what_serve_does_by_default_is_what_a_server_does(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("STRONGROOM_DATABASE", raising=False)
    made = Parser()
    serve.define_serve(made)
    chosen = {action.dest: action.default for action in made._actions}
    for name in ("host", "port", "database", "claim_after"):
        assert chosen[name] == getattr(USUAL, name)
    assert chosen["expire_days"] * DAY == USUAL.expire_after
    assert (chosen["keep_days"], USUAL.keep_records) == (None, None)


def test_the_page_about_serving_has_every_limit_metric_and_event() -> None:
    limits = Limits()
    table = rows("serving.md", "limit", "value", "of what, and what happens then")
    written = {coded(first)[0]: second for first, second, _ in table}
    assert written == {each.name: f"{getattr(limits, each.name):g}" for each in fields(limits)}
    for rate in (limits.messages_a_second, limits.requests_a_second):
        assert page("serving.md").count(f"and {rate * USUAL.burst:g} at once") == 2
    described = re.findall(r"^# TYPE (\w+) (\w+)$", Metrics().page().decode(), re.MULTILINE)
    there = {name: kind for name, kind in described if not name.endswith("_created")}
    figures = rows("serving.md", "figure", "kind", "what it counts")
    assert {coded(first)[0]: kind for first, kind, _ in figures} == there
    source = "".join(file.read_text(encoding="utf-8") for file in SERVER.rglob("*.py"))
    events = set(re.findall(r'\blog\(\s*"(\w+)"', source)) | {"library"}
    assert set(named("serving.md", "`event`", "what happened")) == events


async def test_only_its_owner_can_read_a_file_of_games(tmp_path: Path) -> None:
    async with opened(str(tmp_path / "games.db")):
        files = [file for file in tmp_path.iterdir() if file.suffix != ".lock"]
        found = {file.name: stat.S_IMODE(file.stat().st_mode) for file in files}
    assert found.keys() >= {"games.db", "games.db-wal"}
    assert {*found.values()} == {0o600}


def test_the_routes_of_the_protocol_are_those_of_the_server(tmp_path: Path) -> None:
    games = Store(open_database(str(tmp_path / "games.db"), USUAL))
    paths = make_app(Hub(games)).openapi()["paths"]
    there = [f"{method.upper()} {path}" for path, methods in paths.items() for method in methods]
    assert sorted(named("protocol.md", "route", "what it does")) == sorted(there)


def test_the_errors_and_close_codes_of_the_protocol_are_those_of_the_server() -> None:
    source = "".join(file.read_text(encoding="utf-8") for file in SERVER.glob("*.py"))
    wire_codes = re.findall(r'(?:WireError|_bad)\(\s*"([a-z-]+)"', source)
    assert sorted(named("protocol.md", "`code`", "why, and what to do")) == sorted({*wire_codes})
    granted = set(re.findall(r'NotGranted\(\s*(\d+),\s*"([a-z-]+)"', source))
    granted |= set(re.findall(r'_error\((\d+), "([a-z-]+)"', source))
    table = rows("protocol.md", "status", "`error`", "why")
    written = {(status, code.strip("`")) for status, code, _ in table}
    assert written | {("422", "bad-invitation")} == granted
    ours = {wire.RESTART, wire.TAKEN, wire.BAD_TOKEN, wire.NO_GAME, wire.TOO_SLOW}
    ours |= {wire.BAD_FRAMES, wire.WITHDRAWN, TOO_BIG}
    closed = rows("protocol.md", "close code", "why", "come back?")
    assert {int(first) for first, *_ in closed} == ours


PAGE = "protocol.md"
LINE: Final = re.compile(r"(?P<who>\S.*?) (?P<how>[→←✕])\s*(?P<what>.*)")
REQUEST: Final = re.compile(r"(GET|POST) ([^\s,]+)(?:, Bearer (\S+))? ?(.*)")
HTTP_ANSWER: Final = re.compile(r"(\d{3}) (.*)")
TOKENS: Final = re.compile(r'"(?:[^"\\]|\\.)*"|[A-Z][A-Z0-9_]*[A-Z0-9]|…(?=(?P<in_list>\])?)')
NAMES: Final = re.compile(r"[A-Z][A-Z0-9_]*[A-Z0-9]")
REST: Final = "…"


class Name(NamedTuple):
    text: str


def canonical(data: Any) -> str:
    return json.dumps(data, sort_keys=True, indent=1, ensure_ascii=False)


def lines_of(page: str) -> list[tuple[str, str, str]]:
    """Who, how and what of each line of all exchanges in a page, in order."""
    found: list[str] = []
    for block in re.findall(r"^```exchange\n(.*?)^```", page, re.DOTALL | re.MULTILINE):
        for line in block.splitlines():
            if line.startswith(" "):
                found[-1] += f" {line.strip()}"
            elif line:
                found.append(line)
    matches = [LINE.fullmatch(line) for line in found]
    assert all(matches), [line for line, match in zip(found, matches, strict=True) if not match]
    return [(match["who"], match["how"], match["what"]) for match in matches if match]


def parsed(text: str, value_of: Callable[[str], Any]) -> Any:
    """Parse JSON that may contain `…` and names in capitals, which stand for values."""

    def marked(match: re.Match[str]) -> str:
        if match[0] == REST:
            return '"…"' if match["in_list"] else '"…": "…"'
        return match[0] if match[0].startswith('"') else json.dumps({"": match[0]})

    def named(data: dict[str, Any]) -> Any:
        return value_of(data[""]) if list(data) == [""] else data

    return json.loads(TOKENS.sub(marked, text), object_hook=named)


class Performance:
    """Performs the exchanges of a page with a real server, and compares what arrives with them.

    A block ```` ```exchange ```` has a line for each message, `Ada → …` to the server and `Ada ← …`
    from it; a line that begins with blanks continues the one before.

    - `Ada → POST /path {…}` and `Ada ← 201 {…}` are HTTP; `, Bearer NAME` goes into the header.
    - Every other message is a frame. A `hello` opens a new WebSocket under that name.
    - `Ada ✕` drops the connection without a close frame; `Ada ← closed 4001` is the server's.
    - A name in capitals stands for a value. If a client uses it first, it is 32 random hexadecimal
      digits; if the server does, it is what the server sent. `TIME` is any time.
    - `…` stands for parts that are left out.
    """

    def __init__(self, address: str, opened: ExitStack) -> None:
        self._open = opened
        self._http = opened.enter_context(httpx.Client(base_url=address, timeout=PATIENCE))
        self._socket_address = f"{address.replace('http', 'ws', 1)}/ws"
        self._sockets: dict[str, ClientConnection] = {}
        self._answers: dict[str, httpx.Response] = {}
        self._values: dict[str, Any] = {}
        self.heard: dict[str, list[Any]] = {}

    def perform(self, who: str, how: str, what: str) -> None:
        """Perform a line, and assert that what arrives is what it says."""
        if how == "←":
            self._hear(who, what)
        elif how == "✕":
            self._sockets.pop(who).socket.shutdown(2)
        else:
            self._send(who, what)

    def unwritten(self) -> list[str]:
        """The connections that received something that is not written, before this ping."""
        for socket in self._sockets.values():
            socket.send('{"type":"ping"}')
        answers = {who: json.loads(each.recv(PATIENCE)) for who, each in self._sockets.items()}
        return [who for who, answer in answers.items() if answer["type"] != "pong"]

    def _said(self, name: str) -> str:
        """The value that a client sends for a name."""
        return str(self._values.setdefault(name, secrets.token_hex(16)))

    def _send(self, who: str, what: str) -> None:
        if request := REQUEST.fullmatch(what):
            method, path, token, body = request.groups()
            self._answers[who] = self._http.request(
                method,
                NAMES.sub(lambda name: self._said(name[0]), path),
                json=parsed(body, self._said) if body else None,
                headers={"Authorization": f"Bearer {self._said(token)}"} if token else {},
            )
            return
        frame = parsed(what, self._said)
        if frame["type"] == "hello":
            opening = connect(self._socket_address, open_timeout=PATIENCE)
            self._sockets[who] = self._open.enter_context(opening)
        self._sockets[who].send(json.dumps(frame))

    def _hear(self, who: str, what: str) -> None:
        if answer := HTTP_ANSWER.fullmatch(what):
            came = self._answers.pop(who)
            assert str(came.status_code) == answer[1], came.text
            if answer[2] != REST:
                assert self.written(answer[2], came.json()) == canonical(came.json())
        elif what.startswith("closed "):
            with pytest.raises(ConnectionClosed) as closed:
                self._sockets.pop(who).recv(PATIENCE)
            assert what == f"closed {closed.value.rcvd and closed.value.rcvd.code}"
        else:
            frame = json.loads(self._sockets[who].recv(PATIENCE))
            self.heard.setdefault(who, []).append(frame)
            assert self.written(what, frame) == canonical(frame)

    def written(self, text: str, came: Any) -> str:
        """The JSON that is written, with the values of names and what came in place of `…`."""
        return canonical(self._completed(parsed(text, Name), came))

    def _completed(self, form: Any, came: Any) -> Any:
        if isinstance(form, Name):
            if form.text == "TIME":
                return came if isinstance(came, float) and came > 1e9 else form
            return self._values.setdefault(form.text, came)
        if isinstance(form, dict) and isinstance(came, dict):
            given = {key: self._completed(form[key], came.get(key)) for key in {*form} - {REST}}
            return came | given if REST in form else given
        if isinstance(form, list) and isinstance(came, list):
            said = form[:-1] if form[-1:] == [REST] else form
            told = [self._completed(*both) for both in zip(said, came, strict=False)]
            rest = came[len(said) :] if said is not form else []
            return told + said[len(came) :] + rest
        return form


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a server that is set up as the page assumes."""
    folder = tmp_path_factory.mktemp("server")
    with served(str(folder / "games.db"), folder / "log", "--fast", limits=True) as server:
        yield server.address


def test_the_worked_exchange_matches_a_real_server_and_the_tables(address: str) -> None:
    lines = lines_of(page(PAGE))
    assert {how for _, how, _ in lines} == {"→", "←", "✕"}
    with ExitStack() as opened:
        performance = Performance(address, opened)
        for line in lines:
            performance.perform(*line)
        assert not performance.unwritten()
        welcome = performance.heard["Eve"][0]  # she asks for words
    for part in ("game", "view", "words"):
        head = "of words" if part == "words" else f"of a {part}"
        assert set(named(PAGE, head, "what it is")) == set(welcome[part])


def test_the_client_in_python_plays_a_game_to_its_end(address: str) -> None:
    (client,) = re.findall(r"```python\n(.*?)```", page(PAGE), re.DOTALL)
    done = subprocess.run(
        [sys.executable, "-c", client, address], capture_output=True, text=True, timeout=PATIENCE
    )
    assert (done.returncode, done.stderr) == (0, "")
    *_, ending = done.stdout.splitlines()
    assert re.match(r"(You|Random) ", ending), done.stdout


def test_a_difference_from_what_is_written_is_found(address: str) -> None:
    with ExitStack() as opened:
        written = Performance(address, opened).written
        form = '{"a":ID,"b":[1,…],"c":{"d":"IN A …",…},"e":TIME,"g":[1,2]}'
        came = {"a": "x", "b": [1, 2, 3], "c": {"d": "IN A …", "f": 1}, "e": 2e9, "g": [1, 2]}
        assert written(form, came) == canonical(came)
        wrong: tuple[Json, ...] = ({"a": "y"}, {"c": {}}, {"e": 1}, {"f": True}, {"b": []})
        for other in (*wrong, *({"b": [each]} for each in (2, True)), {"g": [1]}, {"g": [1, 2, 3]}):
            assert written(form, came | other) != canonical(came | other), other
