"""Logs: a line an event, and nothing in it that anybody sent."""

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
    """Whoever logs, as they were before."""
    kept = {name: _state(name) for name in LEAST}
    yield
    for name, (handlers, propagate, level) in kept.items():
        logger = logging.getLogger(name)
        logger.handlers, logger.propagate = handlers, propagate
        logger.setLevel(level)


def test_what_a_library_says_is_cut_at_its_first_line_and_an_error_to_its_kind(
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


def test_on_a_terminal_an_event_is_a_short_line_for_people(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
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


def test_an_outage_is_a_warning_once_and_its_end_is_told(
    capsys: pytest.CaptureFixture[str],
) -> None:
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
        ("info", "The database answers again."),
    ]


def test_what_psycopg_ignores_is_not_told(capsys: pytest.CaptureFixture[str]) -> None:
    set_up()
    logging.getLogger("psycopg").warning("error ignored terminating a pipeline: %s", SECRET)
    assert capsys.readouterr().err == ""


def test_of_many_errors_few_are_written_and_the_others_are_counted(
    capsys: pytest.CaptureFixture[str],
) -> None:
    set_up()
    many, lines = 1000, list[dict[str, object]]()
    for _ in range(many):
        log("fault", failed=ValueError())
    while not (lines and "left_out" in lines[-1]) and many < 1_000_000:
        many += 1
        log("fault", failed=ValueError())
        lines += map(json.loads, capsys.readouterr().err.splitlines())
    assert len(lines) < 100
    assert len(lines) + sum(int(str(line.get("left_out", 0))) for line in lines) == many


def _state(name: str) -> tuple[list[logging.Handler], bool, int]:
    logger = logging.getLogger(name)
    return logger.handlers, logger.propagate, logger.level
