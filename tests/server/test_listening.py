"""Where a server listens, what it says of that, and what it takes at its command line."""

from __future__ import annotations

import socket
import subprocess
import sys
from pathlib import Path

import pytest
from starting import PATIENCE

from strongroom.contract import Refusal
from strongroom.server.run import addresses, listen
from strongroom.server.settings import Settings
from strongroom.terminal.main import build_parser, main

NOT_OURS = "203.0.113.7"
"""An address for documentation, which no machine has."""


def test_an_address_that_is_named_is_the_one_that_is_told() -> None:
    with listen(Settings(port=0)) as listening:
        (told,) = addresses(listening)
        assert told == f"http://127.0.0.1:{listening.getsockname()[1]}/"


@pytest.mark.parametrize("host", ["0.0.0.0", "::"])
def test_what_is_told_of_listening_everywhere_can_be_opened(host: str) -> None:
    if ":" in host and not socket.has_dualstack_ipv6():
        pytest.skip("this machine has no IPv6")
    with listen(Settings(host=host, port=0)) as listening:
        port = listening.getsockname()[1]
        listening.listen()
        first, *others = addresses(listening)
        assert first == f"http://127.0.0.1:{port}/"
        assert len(others) <= 1
        for address in (first, *others):
            name = address.removeprefix("http://").removesuffix(f":{port}/")
            assert name not in ("0.0.0.0", "::", "[::]")
            socket.create_connection((name.strip("[]"), port), 10).close()


def test_a_port_in_use_is_told_as_that() -> None:
    with listen(Settings(port=0)) as first:
        first.listen()
        with pytest.raises(Refusal, match="Another program uses it; try another --port"):
            listen(Settings(port=first.getsockname()[1]))


def test_an_address_of_another_machine_is_told_as_that() -> None:
    with pytest.raises(Refusal, match="It is no address of this machine"):
        listen(Settings(host=NOT_OURS, port=0))


def test_a_host_that_is_no_address_is_told_what_is_one() -> None:
    with pytest.raises(Refusal, match="--host takes an address of this machine"):
        listen(Settings(host="no.such.host.invalid", port=0))


@pytest.mark.parametrize(
    ("typed", "sent"),
    [
        ("https://friend.example", "https://friend.example"),
        ("https://Friend.example:443/", "https://friend.example"),
        ("http://127.0.0.1:8080", "http://127.0.0.1:8080"),
        ("http://[::1]:8080", "http://[::1]:8080"),
    ],
)
def test_an_origin_is_taken_as_a_browser_sends_it(typed: str, sent: str) -> None:
    chosen = build_parser().parse_args(["serve", "--origin", typed])
    assert chosen.origin == [sent]


@pytest.mark.parametrize(
    "typed",
    [
        *(
            "foo",
            "friend.example",
            "ftp://friend.example",
            "https://",
            "https://friend.example/page",
        ),
        *("https://friend.example?x", "https://me@friend.example", "https://friend.example:x", "*"),
    ],
)
def test_what_is_no_origin_is_refused_with_what_is_one(
    typed: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["serve", "--origin", typed]) == 2
    assert "an origin is https://NAME or https://NAME:PORT" in capsys.readouterr().err


def test_a_database_in_a_folder_that_is_not_there_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "typo" / "games.db"
    command = [sys.executable, "-m", "strongroom", "serve", "--port", "0", "--database", str(file)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE)
    assert done.returncode == 2
    assert f"there is no folder {file.parent}." in done.stderr


def test_the_help_says_what_is_usual(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    assert main(["serve", "--help"]) == 0
    said = capsys.readouterr().out
    for usual in ("127.0.0.1", "8000", "strongroom.db", "120", "7", "for ever"):
        assert f"usually {usual}" in said
