"""Logs: one line for each event, without anything that a client sent."""

from __future__ import annotations

import json
import logging
import os
import re
from collections.abc import Iterator

import pytest

from strongroom.server.logs import LEAST, Outage, log, set_up

SECRET = "canary-3-4-2"


@pytest.fixture(autouse=True)
def loggers() -> Iterator[None]:
    """Restore the loggers after the test."""
    kept = {name: _state(name) for name in LEAST}
    yield
    for name, (handlers, propagate, level) in kept.items():
        logger = logging.getLogger(name)
        logger.handlers, logger.propagate = handlers, propagate
        logger.setLevel(level)


def test_logs_keep_the_first_line_of_a_library_message_and_the_type_of_an_error(
    capsys: pytest.CaptureFixture[str],
) -> None:
    set_up()
    error = ValueError(SECRET)
    logging.getLogger("asyncio").error("never retrieved\nfuture: %r", error, exc_info=error)
    log("fault", failed=error)
    said = capsys.readouterr().err
    assert SECRET not in said
    library, fault = map(json.loads, said.splitlines())
    assert (library["event"], library["text"]) == ("library", "never retrieved")
    assert (fault["event"], fault["error"]) == ("fault", "ValueError")


def test_on_a_terminal_events_are_short_readable_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    master, slave = os.openpty()
    with os.fdopen(slave, "w") as terminal:
        monkeypatch.setattr("sys.stderr", terminal)
        set_up()
        log("open", text="1.2.3")
        error = ValueError(SECRET)
        log("fault", failed=error)
        with os.fdopen(master) as screen:
            first, second = (screen.readline().rstrip() for _ in range(2))
    assert re.fullmatch(r"\d\d:\d\d:\d\d info open 1\.2\.3", first)
    assert re.fullmatch(r"\d\d:\d\d:\d\d error fault ValueError \S+", second)


def test_an_outage_is_one_warning_and_its_end_is_logged(capsys: pytest.CaptureFixture[str]) -> None:
    set_up()
    outage = Outage()
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


def test_errors_that_psycopg_ignores_are_not_logged(capsys: pytest.CaptureFixture[str]) -> None:
    set_up()
    logging.getLogger("psycopg").warning("error ignored terminating a pipeline: %s", SECRET)
    assert capsys.readouterr().err == ""


def test_after_many_errors_only_a_few_are_logged_and_the_rest_are_counted(
    capsys: pytest.CaptureFixture[str],
) -> None:
    set_up()
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


def _state(name: str) -> tuple[list[logging.Handler], bool, int]:
    logger = logging.getLogger(name)
    return logger.handlers, logger.propagate, logger.level
