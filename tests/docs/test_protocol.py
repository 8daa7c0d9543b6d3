"""The protocol's page matches the server: its exchange is performed and its tables compared."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import starting
from starting import STRONGROOM, Piped

from strongroom.referee import wire
from strongroom.referee.wire import (
    BAD_FRAMES,
    BAD_TOKEN,
    NO_GAME,
    RESTART,
    TAKEN,
    TOO_SLOW,
    WITHDRAWN,
)
from strongroom.server.app import LARGEST_BODY, make_app
from strongroom.server.forms import NewGame
from strongroom.server.hub import Hub
from strongroom.server.messages import LONGEST_MESSAGE, LONGEST_MOVE, READERS
from strongroom.server.settings import Settings
from strongroom.server.store import MOST_LISTED, Store, open_database
from strongroom.server.websocket import MOST_BAD, PATIENCE
from tests.docs.exchange import Bound, Line, Performance, lines_of, parsed
from tests.docs.pages import named, page, rows

PAGE = "protocol.md"
SERVER = Path(__file__).parents[2] / "src" / "strongroom" / "server"
TOO_BIG = 1009


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a server that is set up as the page assumes."""
    folder = tmp_path_factory.mktemp("server")
    command = [*STRONGROOM, "serve", "--port", "0", "--fast"]
    database = ["--database", str(folder / "games.db")]
    with Piped([*command, *database], log=folder / "log") as server:
        yield server.stdout.readline().split()[-1].rstrip("/")
        server.send_signal(signal.SIGTERM)


def test_the_worked_exchange_matches_a_real_server(address: str) -> None:
    lines = lines_of(page(PAGE))
    assert {line.how for line in lines} == {"→", "←", "✕"}
    with Performance(address) as performance:
        for line in lines:
            assert not performance.perform(line), line
        assert not performance.unwritten()


def test_the_client_in_python_plays_a_game_to_its_end(address: str) -> None:
    (client,) = re.findall(r"```python\n(.*?)```", page(PAGE), re.DOTALL)
    done = subprocess.run(
        [sys.executable, "-c", client, address],
        capture_output=True,
        text=True,
        timeout=starting.PATIENCE,
    )
    assert (done.returncode, done.stderr) == (0, "")
    *_, ending = done.stdout.splitlines()
    assert re.match(r"(You|Random) ", ending), done.stdout


def test_an_exchange_that_differs_from_the_server_is_found(address: str) -> None:
    said = Line("Ada", "→", '{"type":"hello","game":GAME}')
    right = Line("Ada", "←", '{"type":"error","code":"unknown-game","text":SENTENCE}')
    with Performance(address) as performance:
        for wrong in (
            Line("Ada", "←", right.what.replace("unknown-game", "bad-token")),
            Line("Ada", "←", right.what.replace(',"text":SENTENCE', "")),
            Line("Ada", "←", right.what.replace(',"text":SENTENCE', ',"text":SENTENCE,"id":ID')),
            Line("Ada", "←", "closed 4004"),
            right,
        ):
            performance.perform(said)
            assert bool(performance.perform(wrong)) == (wrong is not right)
        assert performance.perform(Line("Ada", "←", "closed 1000"))


def test_names_and_dots_in_an_exchange_stand_for_what_they_should() -> None:
    bound = Bound()
    form = parsed('{"a":ID,"b":[1,…],"c":{"d":"IN A …",…},"e":TIME}')
    came = {"a": "x", "b": [1, 2, 3], "c": {"d": "IN A …", "f": 1}, "e": 2e9}
    assert not list(bound.differs(form, came))
    assert [*bound.differs(form, {**came, "a": "y"})] == [".a: 'y' is not ID"]
    assert [*bound.differs(form, {**came, "b": [2]})] == [".b[0]: 2 is not 1"]
    assert [*bound.differs(form, {**came, "e": 1})] == [".e: 1 is no time"]
    assert [*bound.differs({"a": 1}, {"a": True, "b": 1})] == [
        ".a: True is not 1",
        ".b: only sent",
    ]


def test_the_routes_on_the_page_are_those_of_the_server(tmp_path: Path) -> None:
    hub = Hub(Store(open_database(str(tmp_path / "games.db"))), Settings())
    paths = make_app(hub).openapi()["paths"]
    there = [f"{method.upper()} {path}" for path, methods in paths.items() for method in methods]
    assert sorted(named(PAGE, "route", "what it does")) == sorted(there)


def test_the_form_of_a_new_game_is_the_one_on_the_page() -> None:
    assert named(PAGE, "of a new game", "what it is") == list(NewGame.model_fields)


def test_the_page_names_every_part_of_a_game_a_view_and_the_words(address: str) -> None:
    """They are the keys of the welcome for Eve, who asks for words."""
    with Performance(address) as performance:
        for line in lines_of(page(PAGE)):
            performance.perform(line)
        welcome = performance.heard["Eve"][0]
    for head, there in (
        ("of a game", welcome["game"]),
        ("of a view", welcome["view"]),
        ("of words", welcome["words"]),
    ):
        assert set(named(PAGE, head, "what it is")) == set(there)


def test_every_message_of_a_client_is_on_the_page() -> None:
    assert sorted(named(PAGE, "`type`", "its keys", "what it does")) == sorted(READERS)


def test_the_errors_on_the_page_are_those_of_the_server() -> None:
    source = "".join(file.read_text(encoding="utf-8") for file in SERVER.glob("*.py"))
    wire_codes = re.findall(r'(?:WireError|_bad)\(\s*"([a-z-]+)"', source)
    assert sorted(named(PAGE, "`code`", "why, and what to do")) == sorted(set(wire_codes))
    granted = set(re.findall(r'NotGranted\(\s*(\d+),\s*"([a-z-]+)"', source))
    granted |= set(re.findall(r'told\((\d+), "([a-z-]+)"', source))
    table = rows(PAGE, "status", "`error`", "why")
    written = {(status, code.strip("`")) for status, code, _ in table}
    assert written | {("422", "bad-invitation")} == granted


def test_the_close_codes_on_the_page_are_those_of_the_server() -> None:
    ours = {RESTART, TAKEN, BAD_TOKEN, NO_GAME, TOO_SLOW, BAD_FRAMES, TOO_BIG, WITHDRAWN}
    assert {int(first) for first, *_ in rows(PAGE, "close code", "why", "come back?")} == ours


def test_the_numbers_on_the_page_are_those_of_the_server() -> None:
    text = " ".join(page(PAGE).split())
    for number in (
        f"at most {LARGEST_BODY:,} bytes",
        f"more than {LONGEST_MESSAGE:,} bytes",
        f"at most {LONGEST_MOVE:,} characters",
        f"up to {MOST_LISTED} that",
        f"within {PATIENCE:.0f} seconds",
        f"more than {MOST_BAD} bad frames",
        f"The version is {wire.PROTOCOL},",
    ):
        assert number in text
