"""The page about MCP: its example runs, and its tools, resources and limits are the real ones."""

from __future__ import annotations

import asyncio
import json
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from mcp import Client
from starting import PATIENCE, surroundings

from strongroom.agents.mcp import AT_ONCE, make_server
from strongroom.agents.mcp_http import A_TURN, ENDING, IDLE, LARGEST, PATH, SESSIONS, SOCKETS
from strongroom.agents.mcp_tables import ALL, EACH
from strongroom.agents.mcp_tools import Position
from strongroom.listening import PATIENCE as LATEST
from strongroom.referee.bout import TURN_LIMIT
from strongroom.terminal.commands.mcp import HOST, PORT, judge
from strongroom.terminal.main import build_parser
from tests.docs.pages import coded, named, page

PAGE = page("doors/mcp.md")


def test_the_example_of_the_page_prints_what_it_says(written: Callable[[str], Path]) -> None:
    example = written("doors/mcp.md") / "play_over_mcp.py"
    ran = subprocess.run(
        [sys.executable, str(example)],
        capture_output=True,
        text=True,
        check=True,
        timeout=PATIENCE,
        env=surroundings(),
    )
    assert f"```text\n{ran.stdout}```" in PAGE


def test_the_page_lists_every_tool_and_resource_and_what_an_answer_has() -> None:
    async def offered() -> tuple[set[str], set[str]]:
        async with Client(make_server(judge)) as client:
            tools = {tool.name for tool in (await client.list_tools()).tools}
            resources = {str(each.uri) for each in (await client.list_resources()).resources}
            records = (await client.list_resource_templates()).resource_templates
            return tools, resources | {each.uri_template for each in records}

    tools, resources = asyncio.run(offered())
    assert {*named("doors/mcp.md", "tool", "what it does")} == tools
    forms = {re.sub(r"rules/.*", "rules/GAME", each) for each in resources}
    listed = named("doors/mcp.md", "resource", "what it is")
    assert {*listed} == {each.replace("{game_id}", "ID") for each in forms}
    (answer,) = re.findall(r"Every answer is text and data: (.*?)\. A", PAGE, re.DOTALL)
    assert coded(answer) == [*Position.model_fields]


def test_the_configuration_of_the_page_starts_the_command() -> None:
    (block,) = re.findall(r"```json\n(.*?)```", PAGE, re.DOTALL)
    (server,) = json.loads(block)["mcpServers"].values()
    assert server["command"] == "strongroom"
    assert build_parser().parse(server["args"]).http is False


def test_the_limits_of_the_page_are_the_real_ones() -> None:
    told = " ".join(PAGE.split())
    assert f"A client can have {EACH} games at a time" in told
    assert f"All clients together can have {ALL}" in told
    assert f"undecided after {TURN_LIMIT} turns" in told
    assert AT_ONCE == 2
    assert "computed two at a time" in told
    assert f"at most {LARGEST // 1024} KiB" in told
    assert f"in at most {A_TURN:g} seconds" in told
    assert f"has to arrive within {LATEST:g} seconds" in told
    assert f"can hold {SOCKETS} sockets open" in told
    assert f"together can have {SESSIONS} sessions" in told
    assert f"not used for {IDLE / 60:g} minutes" in told
    assert f"at the latest {ENDING:g} seconds after" in told
    assert f"{HOST}:{PORT}{PATH}" in told
