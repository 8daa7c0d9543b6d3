"""Where a server listens, what it prints about that, and its command-line options."""

from __future__ import annotations

import socket
from pathlib import Path

import pytest
from starting import STRONGROOM, Piped

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


def test_an_address_that_cannot_be_used_is_refused_with_the_reason() -> None:
    with listen(Settings(port=0)) as first:
        first.listen()
        for host, port, why in (
            (
                "127.0.0.1",
                first.getsockname()[1],
                "Another program is using it; try another --port",
            ),
            (NOT_OURS, 0, "It is not an address of this machine"),
            ("no.such.host.invalid", 0, "--host takes an address of this machine"),
        ):
            with pytest.raises(Refusal, match=why):
                listen(Settings(host=host, port=port))


def test_an_origin_is_normalized_as_a_browser_sends_it_or_refused(
    capsys: pytest.CaptureFixture[str],
) -> None:
    for typed, sent in (
        ("https://friend.example", "https://friend.example"),
        ("https://Friend.example:443/", "https://friend.example"),
        ("http://127.0.0.1:8080", "http://127.0.0.1:8080"),
        ("http://[::1]:8080", "http://[::1]:8080"),
    ):
        assert build_parser().parse_args(["serve", "--origin", typed]).origin == [sent]
    for typed in (
        *("foo", "friend.example", "ftp://friend.example", "https://", "*"),
        *("https://friend.example/page", "https://friend.example?x", "https://me@friend.example"),
        "https://friend.example:x",
    ):
        assert main(["serve", "--origin", typed]) == 2
        assert "must be https://NAME or https://NAME:PORT" in capsys.readouterr().err


def test_a_database_in_a_missing_folder_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "typo" / "games.db"
    command = [*STRONGROOM, "serve", "--port", "0", "--database", str(file)]
    with Piped(command) as serving:
        _, said = serving.communicate()
    assert serving.returncode == 2
    assert f"there is no folder {file.parent}." in said


def test_the_help_shows_the_defaults(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    assert main(["serve", "--help"]) == 0
    said = capsys.readouterr().out
    for usual in ("127.0.0.1", "8000", "strongroom.db", "120", "7", "forever"):
        assert f"default: {usual}" in said
