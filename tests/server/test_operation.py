"""Operation: where a server listens, its options, its catalog, and logs without what was sent."""

from __future__ import annotations

import json
import logging
import os
import re
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest
from strongroom_bluff.game import Bluff

from strongroom.contract import Refusal, Seat
from strongroom.plugins.registry import GAMES, PLAYERS
from strongroom.server.background import Outage
from strongroom.server.catalog import ServerBots, games
from strongroom.server.files import BOARDS, PageFiles
from strongroom.server.monitoring import LOWEST_LEVELS, log, set_up_logging
from strongroom.server.run import addresses, listen
from strongroom.server.settings import DEFAULTS, Settings
from strongroom.terminal.main import build_parser, main
from tests.plugins.packages import add_package

NOT_OURS = "203.0.113.7"
"""An address that is reserved for documentation, so no machine has it."""
SECRET = "canary-3-4-2"
POINTS = """\
[strongroom.games]
bluff = strongroom_bluff.game:Bluff
broken = no_such_module:Game
"""


@pytest.fixture(autouse=True)
def _loggers() -> Iterator[None]:
    loggers = [logging.getLogger(name) for name in LOWEST_LEVELS]
    kept = [(each, each.handlers, each.propagate, each.level) for each in loggers]
    yield
    for logger, handlers, propagate, level in kept:
        logger.handlers, logger.propagate = handlers, propagate
        logger.setLevel(level)


@pytest.mark.parametrize("host", ["127.0.0.1", "0.0.0.0", "::"])
def test_the_addresses_that_are_printed_can_be_opened(host: str) -> None:
    if ":" in host and not socket.has_dualstack_ipv6():
        pytest.skip("this machine has no IPv6")
    with listen(Settings(host=host, port=0)) as listening:
        port = listening.getsockname()[1]
        listening.listen()
        first, *others = addresses(listening)
        assert first == f"http://127.0.0.1:{port}/"
        assert len(others) <= (host != "127.0.0.1")
        for address in (first, *others):
            name = address.removeprefix("http://").removesuffix(f":{port}/")
            assert name not in ("0.0.0.0", "::", "[::]")
            socket.create_connection((name.strip("[]"), port), 10).close()


def test_an_address_that_cannot_be_used_is_refused_with_the_reason() -> None:
    with listen(Settings(port=0)) as first:
        first.listen()
        taken = first.getsockname()[1]
        for host, port, why in (
            ("127.0.0.1", taken, "Another program is using it; try another --port"),
            (NOT_OURS, 0, "It is not an address of this machine"),
            ("no.such.host.invalid", 0, "--host takes an address of this machine"),
        ):
            with pytest.raises(Refusal, match=why):
                listen(Settings(host=host, port=port))


def test_an_origin_is_read_as_browsers_do_or_refused(capsys: pytest.CaptureFixture[str]) -> None:
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


def test_the_help_shows_the_defaults_and_a_database_in_a_missing_folder_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    assert main(["serve", "--help"]) == 0
    said = capsys.readouterr().out
    for usual in ("127.0.0.1", "8000", "strongroom.db", "120", "7", "forever"):
        assert f"default: {usual}" in said
    file = tmp_path / "typo" / "games.db"
    assert main(["serve", "--port", "0", "--database", str(file)]) == 2
    assert f"there is no folder {file.parent}." in capsys.readouterr().err


def test_logs_keep_the_first_line_of_a_library_message_and_the_type_of_an_error(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    set_up_logging()
    error = ValueError(SECRET)
    logging.getLogger("asyncio").error("never retrieved\nfuture: %r", error, exc_info=error)
    log("fault", failed=error)
    # Errors that psycopg ignores are not logged.
    logging.getLogger("psycopg").warning("error ignored terminating a pipeline: %s", SECRET)
    said = capsys.readouterr().err
    assert SECRET not in said
    library, fault = map(json.loads, said.splitlines())
    assert (library["event"], library["text"]) == ("library", "never retrieved")
    assert (fault["event"], fault["error"]) == ("fault", "ValueError")

    master, slave = os.openpty()  # on a terminal, events are short readable lines
    with os.fdopen(slave, "w") as terminal:
        monkeypatch.setattr("sys.stderr", terminal)
        set_up_logging()
        log("open", text="1.2.3")
        log("fault", failed=error)
        with os.fdopen(master) as screen:
            first, second = (screen.readline().rstrip() for _ in range(2))
    assert re.fullmatch(r"\d\d:\d\d:\d\d info open 1\.2\.3", first)
    assert re.fullmatch(r"\d\d:\d\d:\d\d error fault ValueError \S+", second)


def test_outages_are_told_once_and_of_many_errors_a_few(capsys: pytest.CaptureFixture[str]) -> None:
    set_up_logging()
    outage = Outage(DEFAULTS)
    outage.ends()
    for _ in range(3):
        outage.begins(OSError("It is gone."))
    for _ in range(3):
        outage.ends()
    lines = [json.loads(line) for line in capsys.readouterr().err.splitlines()]
    assert [(line["level"], line["text"]) for line in lines] == [
        ("warning", "It is gone."),
        ("info", "The database is back."),
    ]

    many, written = 1000, ""
    for _ in range(many):
        log("fault", failed=ValueError())
    before = capsys.readouterr().err
    while not written and many < 1_000_000:  # the one that is written counts all before it
        many += 1
        log("fault", failed=ValueError())
        written = capsys.readouterr().err
    lines = [json.loads(line) for line in (before + written).splitlines()]
    assert len(lines) < 100
    assert len(lines) + sum(int(str(line.get("left_out", 0))) for line in lines) == many


def test_every_game_that_loads_is_in_the_catalog_with_its_board_and_who_plays_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    # Another package adds Bluff without its theory, and a game that does not load.
    monkeypatch.syspath_prepend(add_package(tmp_path, "others", POINTS))
    games.cache_clear()
    found = games()
    games.cache_clear()
    assert list(found) == [*GAMES, "bluff"]
    (logged,) = caplog.records
    assert logged.__dict__["parts"]["text"] == "The game broken does not load."
    boards = {name: game["board"] for name, game in found.items()}
    assert boards == {**{name: name for name in GAMES}, "bluff": "generic"}
    assert set(GAMES) == BOARDS
    assert [name for name, game in found.items() if not game["aids"]] == ["quantum-duel", "bluff"]
    # Where nothing is certified, expert stands in for master.
    assert all(game["bots"] == list(PLAYERS) for game in found.values())
    assert ServerBots().seat("master", Bluff(), Seat.ONE).name == "Expert"


def test_the_words_of_a_game_are_no_markup_on_its_card() -> None:
    odd = {"name": "odd", "title": "<b>Odd</b>", "summary": 'A "game" & more $title'}
    page = PageFiles({"games": [odd], "bots": []})._index("http://duels.example/").plain.decode()
    assert "<h2>&lt;b&gt;Odd&lt;/b&gt;</h2>" in page
    assert "<p>A &quot;game&quot; &amp; more $title</p>" in page
