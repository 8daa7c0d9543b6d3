"""Where a server listens, what it prints about that, and its command-line options."""

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
"""An address that is reserved for documentation, so no machine has it."""


def test_the_printed_address_is_the_one_it_listens_on() -> None:
    with listen(Settings(port=0)) as listening:
        (told,) = addresses(listening)
        assert told == f"http://127.0.0.1:{listening.getsockname()[1]}/"


@pytest.mark.parametrize("host", ["0.0.0.0", "::"])
def test_the_addresses_printed_when_listening_everywhere_can_be_opened(host: str) -> None:
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


def test_a_port_in_use_is_refused_with_the_reason() -> None:
    with listen(Settings(port=0)) as first:
        first.listen()
        with pytest.raises(Refusal, match="Another program is using it; try another --port"):
            listen(Settings(port=first.getsockname()[1]))


def test_an_address_of_another_machine_is_refused_with_the_reason() -> None:
    with pytest.raises(Refusal, match="It is not an address of this machine"):
        listen(Settings(host=NOT_OURS, port=0))


def test_an_invalid_host_is_refused_with_what_is_accepted() -> None:
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
def test_an_origin_is_normalized_as_a_browser_sends_it(typed: str, sent: str) -> None:
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
def test_an_invalid_origin_is_refused_with_what_is_accepted(
    typed: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["serve", "--origin", typed]) == 2
    assert "must be https://NAME or https://NAME:PORT" in capsys.readouterr().err


def test_a_database_in_a_missing_folder_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "typo" / "games.db"
    command = [sys.executable, "-m", "strongroom", "serve", "--port", "0", "--database", str(file)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE)
    assert done.returncode == 2
    assert f"there is no folder {file.parent}." in done.stderr


def test_the_help_shows_the_defaults(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    assert main(["serve", "--help"]) == 0
    said = capsys.readouterr().out
    for usual in ("127.0.0.1", "8000", "strongroom.db", "120", "7", "forever"):
        assert f"default: {usual}" in said
