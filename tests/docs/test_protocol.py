"""The exchange on the protocol's page is performed, and its client plays."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
from collections.abc import Iterator

import pytest
import starting
from starting import STRONGROOM, Piped

from tests.docs.exchange import Bound, Performance, lines_of, parsed
from tests.docs.pages import named, page

PAGE = "protocol.md"


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a server that is set up as the page assumes."""
    folder = tmp_path_factory.mktemp("server")
    command = [*STRONGROOM, "serve", "--port", "0", "--fast"]
    database = ["--database", str(folder / "games.db")]
    with Piped([*command, *database], log=folder / "log") as server:
        yield server.stdout.readline().split()[-1].rstrip("/")
        server.send_signal(signal.SIGTERM)


def test_the_worked_exchange_matches_a_real_server_and_the_tables_name_every_part(
    address: str,
) -> None:
    lines = lines_of(page(PAGE))
    assert {line.how for line in lines} == {"→", "←", "✕"}
    with Performance(address) as performance:
        for line in lines:
            assert not performance.perform(line), line
        assert not performance.unwritten()
        welcome = performance.heard["Eve"][0]  # she asks for words
    for part in ("game", "view", "words"):
        head = "of words" if part == "words" else f"of a {part}"
        assert set(named(PAGE, head, "what it is")) == set(welcome[part])


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
