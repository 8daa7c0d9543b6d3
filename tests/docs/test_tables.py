"""The tables and the numbers on the pages are those of the program."""

from __future__ import annotations

import asyncio
import inspect
import json
import re
import stat
import subprocess
import sys
from argparse import Action
from collections.abc import Callable
from dataclasses import fields
from math import ceil
from pathlib import Path
from typing import Any

import pytest
from mcp import Client
from starting import PATIENCE

from strongroom import load
from strongroom.agents import mcp, mcp_http, mcp_tables
from strongroom.agents.dialogue import MOST_LISTED, TRIES
from strongroom.agents.endpoint import FEW_RETRIES, RETRIES, TIMEOUT
from strongroom.agents.gymnasium import SeatEnv
from strongroom.agents.mcp_tools import Position
from strongroom.agents.model import CONCURRENCY
from strongroom.agents.observation import Observer
from strongroom.agents.redaction import DEPTH, FRAGMENT
from strongroom.agents.text_player import MOST_MONEY, MOST_TOKENS
from strongroom.listening import PATIENCE as LATEST
from strongroom.measuring.forecast import ANSWER
from strongroom.plugins.registry import GAMES, PLAYERS
from strongroom.referee import bout, wire
from strongroom.server import hub, messages, store, websocket
from strongroom.server.app import HEADERS, LARGEST_BODY, POLICY, make_app
from strongroom.server.forms import NewGame
from strongroom.server.limits import AT_ONCE
from strongroom.server.metrics import Metrics
from strongroom.server.settings import DAY, Limits, Settings
from strongroom.server.store.heartbeats import SILENT
from strongroom.server.store.postgres import READERS
from strongroom.server.table import TURN_LIMIT
from strongroom.terminal.arguments import Parser
from strongroom.terminal.commands import host, serve
from strongroom.terminal.commands import mcp as mcp_command
from strongroom.terminal.main import build_parser
from tests.docs.pages import DOCS, coded, named, page, rows

SERVER = DOCS.parent / "src" / "strongroom" / "server"
TOO_BIG = 1009
USUAL = Settings()
SAID = {
    "protocol.md": [
        f"at most {LARGEST_BODY:,} bytes",
        f"more than {messages.LONGEST_MESSAGE:,} bytes",
        f"at most {messages.LONGEST_MOVE:,} characters",
        f"up to {store.MOST_LISTED} that",
        f"within {websocket.PATIENCE:.0f} seconds",
        f"more than {websocket.MOST_BAD} bad frames",
        f"The version is {wire.PROTOCOL},",
    ],
    "serving.md": [
        f"{messages.LONGEST_MESSAGE:,} bytes for a message, {LARGEST_BODY:,} for a request's body",
        f"{websocket.PATIENCE:g} seconds until the hello, {TURN_LIMIT:,} turns for a game",
        f"{store.MOST_LISTED} games in a list",
        f"away after {store.ALIVE:g} seconds",
        f"longer than {SILENT:g} seconds",
        f"multiples of {USUAL.pace} seconds",
        "a look every two seconds",
        "looks every ten minutes",
        "holds six to PostgreSQL",
    ],
    "security.md": [f"`{POLICY}`", f"whole multiples of {USUAL.pace} seconds"],
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
        "after three, the game is forfeited",
    ],
    "doors/mcp.md": [
        f"A client can have {mcp_tables.EACH} games at a time",
        f"All clients together can have {mcp_tables.ALL}",
        f"undecided after {bout.TURN_LIMIT} turns",
        "computed two at a time",
        f"at most {mcp_http.LARGEST // 1024} KiB",
        f"in at most {mcp_http.A_TURN:g} seconds",
        f"has to arrive within {LATEST:g} seconds",
        f"can hold {mcp_http.SOCKETS} sockets open",
        f"together can have {mcp_http.SESSIONS} sessions",
        f"not used for {mcp_http.IDLE / 60:g} minutes",
        f"at the latest {mcp_http.ENDING:g} seconds after",
        f"{mcp_command.HOST}:{mcp_command.PORT}{mcp_http.PATH}",
    ],
}
IN_WORDS = {
    "two seconds": hub.POLL * hub.SHARES == 2,
    "ten minutes": hub.SWEEP == 600,
    "six to PostgreSQL": READERS + 2 == 6,
    "two minutes": USUAL.claim_after == 120,
    "a week": USUAL.expire_after == 7 * DAY,
    "after three": TRIES == 3,
    "two at a time": mcp.AT_ONCE == 2,
}
"""Whether the numbers hold that pages write in words."""


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
            "doors/gymnasium.md",
            ("setting", "what it is", "usually"),
            {*inspect.signature(SeatEnv).parameters} - {"name", "render_mode", "options"},
        ),
        (
            "doors/pettingzoo.md",
            ("part", "how many numbers", "what they are"),
            [*Observer(load("quantum-duel")).layout],
        ),
        ("protocol.md", ("of a new game", "what it is"), [*NewGame.model_fields]),
        ("protocol.md", ("`type`", "its keys", "what it does"), {*messages.READERS}),
    ],
)
def test_a_table_names_all_that_there_is(name: str, heads: tuple[str, ...], there: Any) -> None:
    listed = named(name, *heads)
    assert type(there)(listed) == there
    assert len(listed) == len(there)


def test_each_row_about_capacity_follows_from_the_assumptions() -> None:
    moves_of_a_game, moves_of_a_process, kib_of_a_game = 0.1, 500, 100
    text = " ".join(page("capacity.md").split())
    assert f"a game makes {moves_of_a_game} moves a second" in text
    assert f"Take {moves_of_a_process} moves a second" in text
    assert f"{kib_of_a_game} KiB for a game" in text
    heads = ("players at once", "games", "moves a second", "processes", "memory")
    for row in rows("capacity.md", *heads):
        cells = (float(cell.replace(",", "").removesuffix(" GB")) for cell in row)
        players, games, moves, processes, memory = cells
        assert games == players / 2
        assert moves == games * moves_of_a_game
        assert processes == max(1, ceil(moves / moves_of_a_process))
        assert abs(memory - games * kib_of_a_game * 1024 / 1e9) < 0.05 * memory


# --- mcp ------------------------------------------------------------------------------------------


def test_the_page_about_mcp_lists_every_tool_and_resource_and_what_an_answer_has() -> None:
    async def offered() -> tuple[set[str], set[str]]:
        async with Client(mcp.make_server(mcp_command.judge)) as client:
            tools = {tool.name for tool in (await client.list_tools()).tools}
            resources = {str(each.uri) for each in (await client.list_resources()).resources}
            records = (await client.list_resource_templates()).resource_templates
            return tools, resources | {each.uri_template for each in records}

    tools, resources = asyncio.run(offered())
    assert {*named("doors/mcp.md", "tool", "what it does")} == tools
    forms = {re.sub(r"rules/.*", "rules/GAME", each) for each in resources}
    listed = named("doors/mcp.md", "resource", "what it is")
    assert {*listed} == {each.replace("{game_id}", "ID") for each in forms}
    (answer,) = re.findall(r"Every answer is text and data: (.*?)\. A", page("doors/mcp.md"), re.S)
    assert coded(answer) == [*Position.model_fields]


def test_the_configuration_of_the_page_about_mcp_starts_the_command() -> None:
    (block,) = re.findall(r"```json\n(.*?)```", page("doors/mcp.md"), re.DOTALL)
    (server,) = json.loads(block)["mcpServers"].values()
    assert server["command"] == "strongroom"
    assert build_parser().parse(server["args"]).http is False


# --- the server -----------------------------------------------------------------------------------


def options_of(add: Callable[[Parser], None]) -> list[Action]:
    """The options that a command has."""
    made = Parser()
    add(made)
    return made._actions


def test_the_page_about_playing_online_has_every_option_of_host_and_every_screenshot() -> None:
    elsewhere = {"--help", "--name", "--strict", "--plain", "--json", "--words", "--motion"}
    options = {text for action in options_of(host.add) for text in action.option_strings}
    table = named("playing-online.md", "option of `host`", "meaning")
    written = {text.split()[0] for text in table if not text.startswith("--no-")}
    usual = {text for text in options if re.match("--(?!no-)", text)}
    assert written == usual - elsewhere - {"--mouse"}
    shown = re.findall(r"!\[[^]]+\]\(screenshots/([^)]+)\)", page("playing-online.md"))
    assert sorted(shown) == sorted(file.name for file in (DOCS / "screenshots").iterdir())


def test_the_page_about_serving_has_every_default(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("STRONGROOM_DATABASE", raising=False)
    there: dict[str, str] = {}
    usual = {False: "off", None: "forever"}
    for action in options_of(serve.add)[1:]:
        option = " ".join(filter(None, (action.option_strings[0], str(action.metavar or ""))))
        default = "none" if action.default == [] else usual.get(action.default)
        there[option] = default or f"`{action.default}`"
    table = rows("serving.md", "option", "default", "meaning")
    assert {coded(first)[0]: second for first, second, _ in table} == there
    chosen = {action.dest: action.default for action in options_of(serve.add)}
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
        assert page("serving.md").count(f"and {rate * AT_ONCE:g} at once") == 2
    described = re.findall(r"^# TYPE (\w+) (\w+)$", Metrics().page().decode(), re.MULTILINE)
    there = {name: kind for name, kind in described if not name.endswith("_created")}
    figures = rows("serving.md", "figure", "kind", "what it counts")
    assert {coded(first)[0]: kind for first, kind, _ in figures} == there
    source = "".join(file.read_text(encoding="utf-8") for file in SERVER.rglob("*.py"))
    events = set(re.findall(r'\blog\(\s*"(\w+)"', source)) | {"library"}
    assert set(named("serving.md", "`event`", "what happened")) == events


def test_only_its_owner_can_read_a_file_of_games(tmp_path: Path) -> None:
    async def modes() -> dict[str, int]:
        database = store.open_database(str(tmp_path / "games.db"))
        await database.open()
        files = [file for file in tmp_path.iterdir() if file.suffix != ".lock"]
        found = {file.name: stat.S_IMODE(file.stat().st_mode) for file in files}
        await database.close()
        return found

    found = asyncio.run(modes())
    assert found.keys() >= {"games.db", "games.db-wal"}
    assert {*found.values()} == {0o600}


def test_the_routes_of_the_protocol_are_those_of_the_server(tmp_path: Path) -> None:
    games = store.Store(store.open_database(str(tmp_path / "games.db")))
    paths = make_app(hub.Hub(games, USUAL)).openapi()["paths"]
    there = [f"{method.upper()} {path}" for path, methods in paths.items() for method in methods]
    assert sorted(named("protocol.md", "route", "what it does")) == sorted(there)


def test_the_errors_and_close_codes_of_the_protocol_are_those_of_the_server() -> None:
    source = "".join(file.read_text(encoding="utf-8") for file in SERVER.glob("*.py"))
    wire_codes = re.findall(r'(?:WireError|_bad)\(\s*"([a-z-]+)"', source)
    assert sorted(named("protocol.md", "`code`", "why, and what to do")) == sorted({*wire_codes})
    granted = set(re.findall(r'NotGranted\(\s*(\d+),\s*"([a-z-]+)"', source))
    granted |= set(re.findall(r'told\((\d+), "([a-z-]+)"', source))
    table = rows("protocol.md", "status", "`error`", "why")
    written = {(status, code.strip("`")) for status, code, _ in table}
    assert written | {("422", "bad-invitation")} == granted
    ours = {wire.RESTART, wire.TAKEN, wire.BAD_TOKEN, wire.NO_GAME, wire.TOO_SLOW}
    ours |= {wire.BAD_FRAMES, wire.WITHDRAWN, TOO_BIG}
    closed = rows("protocol.md", "close code", "why", "come back?")
    assert {int(first) for first, *_ in closed} == ours


# --- the leaderboard ---


TITLES = [load(name).title for name in GAMES]
TABLE = r"^## (.*)\n\n(?:!\[.*\n\n)?(\|.*\n)\|[-|]*\|\n((?:\|.*\n)*)"
HEAD = "| rank | player | score | games |"
OF_A_GAME = f"{HEAD} lost a decision | perfect | time a decision |"


@pytest.mark.whole
def test_the_command_goes_on_from_what_it_has_measured(tmp_path: Path) -> None:
    script = str(DOCS.parent / "benchmarks" / "leaderboard.py")
    quick = ["--print", "--rounds", "1", "--only", "safe-cracker", "--players", "random"]
    unranked = []
    for more, measured in ((), "random"), (("expert",), "expert"):
        ran = subprocess.run(
            [sys.executable, script, str(tmp_path / "kept"), *quick, *more],
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=True,
        )
        assert re.fullmatch(rf"{measured} at safe-cracker: \d+ s\n", ran.stderr)
        unranked.append(re.findall(r"(?<=\| `random` \|).*", ran.stdout))
    assert unranked[0] == unranked[1] != []


def test_every_table_has_the_same_players_and_ranks_only_what_the_intervals_separate() -> None:
    text = page("leaderboard.md")
    found = re.findall(TABLE, text.partition("<!-- tables -->")[2], re.MULTILINE)
    assert [title for title, *_ in found] == ["All five games", *TITLES]
    assert [head.strip() for _, head, _ in found] == [HEAD, *[OF_A_GAME] * len(TITLES)]
    seated = []
    for title, _, lines in found:
        rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in lines.splitlines()]
        seated.append({row[1] for row in rows})
        scores = [float(row[2].split()[0]) for row in rows]
        assert scores == sorted(scores, reverse=True), title
        places = {row[1]: [int(place) for place in row[0].split(" to ")] for row in rows}
        assert places["`master`"][0] == 1, title
        assert all(1 <= each[0] <= each[-1] <= len(rows) for each in places.values()), title
        assert places["`random`"][0] > places["`trained`"][0], title
        assert all(int(row[3]) >= 10 for row in rows), title
        if title in TITLES:
            lost = {row[1]: float(row[4]) for row in rows}
            assert lost["`master`"] == 0, title
            assert lost["`trained`"] < lost["`random`"], title
    assert all(each == seated[0] for each in seated)
    assert seated[0] > {f"`{bot}`" for bot in PLAYERS} | {"`trained`"}
    assert re.search(
        r"python benchmarks/leaderboard\.py FOLDER .*\n```\n\nMeasured on \d{4}-\d\d-\d\d with "
        r"strongroom [\d.]+, Python [\d.]+, numpy [\d.]+, open_spiel [\d.]+\.",
        text,
    )
