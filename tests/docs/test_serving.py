"""The page about serving lists every setting, limit and metric with its value."""

from __future__ import annotations

import argparse
import asyncio
import re
import stat
from dataclasses import fields
from pathlib import Path

import pytest

from strongroom.server.app import LARGEST_BODY
from strongroom.server.hub import POLL, SHARES, SWEEP
from strongroom.server.limits import AT_ONCE
from strongroom.server.messages import LONGEST_MESSAGE
from strongroom.server.metrics import Metrics
from strongroom.server.settings import DAY, Limits, Settings
from strongroom.server.store import ALIVE, MOST_LISTED, open_database
from strongroom.server.store.heartbeats import SILENT
from strongroom.server.store.postgres import READERS
from strongroom.server.table import TURN_LIMIT
from strongroom.server.websocket import PATIENCE
from strongroom.terminal.arguments import Parser
from strongroom.terminal.commands import serve
from tests.docs.pages import coded, named, page, rows

PAGE = "serving.md"
OPTIONS = ("option", "default", "meaning")
LIMITS = ("limit", "value", "of what, and what happens then")
FIGURES = ("figure", "kind", "what it counts")
SERVER = Path(__file__).parents[2] / "src" / "strongroom" / "server"


@pytest.fixture
def parser(monkeypatch: pytest.MonkeyPatch) -> argparse.ArgumentParser:
    monkeypatch.delenv("STRONGROOM_DATABASE", raising=False)
    parser = Parser()
    serve.add(parser)
    return parser


def test_the_page_has_every_option_of_the_command_with_its_default(
    parser: argparse.ArgumentParser,
) -> None:
    written = {coded(first)[0]: second for first, second, _ in rows(PAGE, *OPTIONS)}
    for action in parser._actions:
        if action.dest == "help":
            continue
        option = " ".join(filter(None, (action.option_strings[0], action.metavar)))  # type: ignore[arg-type]
        default = written.pop(option)
        no_value = {False: "off", None: "forever"}
        usual = "none" if action.default == [] else no_value.get(action.default)
        assert default == (usual or f"`{action.default}`"), option
    assert not written


def test_the_command_and_the_settings_have_the_same_defaults(
    parser: argparse.ArgumentParser,
) -> None:
    chosen, usual = parser.parse_args([]), Settings()
    assert (chosen.host, chosen.port, chosen.database) == (usual.host, usual.port, usual.database)
    assert chosen.claim_after == usual.claim_after
    assert chosen.expire_days * DAY == usual.expire_after
    assert (chosen.keep_days, usual.keep_records) == (None, None)
    assert f"multiples of {usual.pace} seconds" in page(PAGE)


def test_the_page_has_every_limit_with_its_value() -> None:
    usual = Limits()
    written = {coded(first)[0]: second for first, second, _ in rows(PAGE, *LIMITS)}
    assert written == {each.name: f"{getattr(usual, each.name):g}" for each in fields(usual)}
    for rate in (usual.messages_a_second, usual.requests_a_second):
        assert page(PAGE).count(f"and {rate * AT_ONCE:g} at once") == 2


def test_the_numbers_on_the_page_are_those_of_the_server() -> None:
    text = " ".join(page(PAGE).split())
    for number in (
        f"{LONGEST_MESSAGE:,} bytes for a message, {LARGEST_BODY:,} for a request's body",
        f"{PATIENCE:g} seconds until the hello, {TURN_LIMIT:,} turns for a game",
        f"{MOST_LISTED} games in a list",
        f"away after {ALIVE:g} seconds",
        f"longer than {SILENT:g} seconds",
    ):
        assert number in text
    assert "a look every two seconds" in text
    assert POLL * SHARES == 2
    assert "looks every ten minutes" in text
    assert SWEEP == 600
    assert "holds six to PostgreSQL" in text
    assert READERS + 2 == 6


def test_the_page_has_every_metric() -> None:
    described = re.findall(r"^# TYPE (\w+) (\w+)$", Metrics().page().decode(), re.MULTILINE)
    there = {name: kind for name, kind in described if not name.endswith("_created")}
    written = {coded(first)[0]: kind for first, kind, _ in rows(PAGE, *FIGURES)}
    assert written == there


def test_the_page_has_every_event_of_the_log() -> None:
    source = "".join(file.read_text(encoding="utf-8") for file in SERVER.rglob("*.py"))
    events = set(re.findall(r'\blog\(\s*"(\w+)"', source)) | {"library"}
    assert set(named(PAGE, "`event`", "what happened")) == events


def test_only_its_owner_can_read_a_file_of_games(tmp_path: Path) -> None:
    async def make() -> list[Path]:
        database = open_database(str(tmp_path / "games.db"))
        await database.open()
        files = [file for file in tmp_path.iterdir() if file.suffix != ".lock"]
        modes = [stat.S_IMODE(file.stat().st_mode) for file in files]
        await database.close()
        assert set(modes) == {0o600}
        return files

    assert {file.name for file in asyncio.run(make())} >= {"games.db", "games.db-wal"}
