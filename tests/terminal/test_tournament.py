"""Tournaments, on a cluster too; bars, signals and kept games of all runs that take long."""

from __future__ import annotations

import csv
import errno
import io
import json
import os
import re
import secrets
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from threading import Thread
from typing import NoReturn

import pytest
from rich.console import Console
from starting import STRONGROOM, Piped

from strongroom.arena.standings import Standings
from strongroom.arena.tournament import play_all
from strongroom.contests.schedule import Schedule
from strongroom.players import Stops
from strongroom.plugins.registry import load
from strongroom.terminal.exits import FAILED, Ended
from strongroom.terminal.reports.progress import QUIET, Bars
from strongroom.terminal.runs import RunJournal
from strongroom.terminal.store.files import CannotSave
from tests.server.waiting import wait_until
from tests.terminal.conftest import Clean, SitDown, Strongroom, Terminal

SMALL = ["tournament", "safe-cracker", "--players", "casual", "random", "--games", "4"]


@pytest.mark.proof
def test_a_tournament_of_several_games_is_shown_and_written(
    strongroom: Strongroom, tmp_path: Path
) -> None:
    files = ["--json", "all.json", "--csv", "all.csv", "--html", "all.html"]
    ran = strongroom("tournament", "quantum", *SMALL[1:], *files)
    titles = [line for line in ran.lines if line.startswith("### ")]
    assert titles == ["### Quantum Duel", "### Safe Cracker", "### All games"]
    assert "casual has 0" in ran.out
    data = json.loads((tmp_path / "all.json").read_text())
    assert data["schedule"]["seed_known"] is False
    assert len(data["games"]) == 8
    assert data["together"]["players"]["casual"]["rating"]["value"] == 0
    with open(tmp_path / "all.csv", newline="") as opened:
        assert len(list(csv.DictReader(opened))) == 8
    assert "<svg" in (tmp_path / "all.html").read_text()
    assert [*(tmp_path / "state").rglob("*.jsonl")] == []
    assert strongroom("tournament", "quantum", *SMALL[1:], *files).code == 0, "they are replaced"


def test_on_a_terminal_there_is_markdown_if_it_is_asked_for(sit_down: SitDown) -> None:
    asked = sit_down(*SMALL, "--markdown")
    assert asked.ends() == 0
    assert "### Safe Cracker" in asked.text
    assert "| casual" in asked.text


@pytest.mark.proof
@pytest.mark.parametrize(("package", "extra"), [("choix", "arena"), ("ray", "cluster")])
def test_a_missing_extra_is_named(
    strongroom: Strongroom, monkeypatch: pytest.MonkeyPatch, package: str, extra: str
) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    cluster = ["--cluster", "local"] if package == "ray" else []
    ran = strongroom(*SMALL, *cluster)
    assert f"pip install 'strongroom[{extra}]'" in ran.err
    assert len(ran.err.splitlines()) == 1
    assert ran.code == (2 if package == "ray" else 0)
    assert ("### Safe Cracker" in ran.out) == (package == "choix")


def test_the_winnings_of_a_best_response_are_markdown_without_a_terminal_or_json(
    strongroom: Strongroom,
) -> None:
    ran = strongroom("exploit", "safecracker", "--players", "master", "expert", code=0)
    assert ran.lines[-2:] == [
        "| safecracker-duel | master | 0.563 | 0.437 | its certificate |",
        "| safecracker-duel | expert | 0.659 | 0.664 | a best response |",
    ]
    figures = strongroom("exploit", "safe-code", "--players", "master", "--json").events
    assert [figure["responder"] for figure in figures] == [1, 2]
    assert figures[0]["value"] == pytest.approx(31 / 60)
    assert all(figure["exact"] and figure["error"] is None for figure in figures)


HOLD = """\
import contextlib, sys, ray
with_one = {"num_cpus": 1, "include_dashboard": False, "log_to_driver": False}
for _ in range(9):  # on a busy machine Ray does not wait long enough
    with contextlib.suppress(Exception):
        ray.is_initialized() or ray.init("local", _temp_dir=sys.argv[1], **with_one)
print(ray.get_runtime_context().gcs_address, flush=True)
sys.stdin.read()
ray.shutdown()
"""
PLAYED = ("tournament", "safe-cracker", "--players", "expert", "random", "--seed", "1", "--games")


class Held:
    """A cluster of one processor, which ends when it is told to."""

    def __init__(self, folder: str) -> None:
        own = {"RAY_AUTH_MODE": "token", "RAY_AUTH_TOKEN": secrets.token_hex(32)}
        self.env = own | {"RAY_USAGE_STATS_ENABLED": "0", "RAY_BACKEND_LOG_LEVEL": "fatal"}
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
        command = [sys.executable, "-c", HOLD, folder]
        self._process = subprocess.Popen(command, env=os.environ | self.env, **pipes)  # type: ignore[call-overload]
        self.address = self._process.stdout.readline().strip()
        assert self.address

    def end(self) -> None:
        self._process.communicate()


@pytest.fixture
def cluster() -> Iterator[Held]:
    with tempfile.TemporaryDirectory(prefix="ray", ignore_cleanup_errors=True) as folder:
        held = Held(folder)  # its sockets need a short path
        yield held
        held.end()


@pytest.mark.whole
def test_a_cluster_plays_the_same_games_and_loses_none_if_it_goes_away(
    strongroom: Strongroom, tmp_path: Path, cluster: Held
) -> None:
    there = ["--cluster", cluster.address, "--json", "there.json"]
    ran = strongroom(*PLAYED, "10", *there, env=cluster.env, afresh=True)
    assert (ran.code, ran.err) == (0, "")
    schedule = Schedule((load("safe-cracker"),), ("expert", "random"), 10)
    here = Standings(schedule, play_all(schedule, workers=1)).to_json()
    assert (tmp_path / "there.json").read_text() == json.dumps(here) + "\n"

    def kept() -> list[Path]:
        return [file for file in tmp_path.rglob("*.jsonl") if file.stat().st_size]

    def end_once_games_are_kept() -> None:
        wait_until(lambda: bool(kept()))
        cluster.end()

    ending = Thread(target=end_once_games_are_kept)
    ending.start()
    again = (*PLAYED, "100000", "--cluster", cluster.address)
    ran = strongroom(*again, env=cluster.env, afresh=True, code=2)
    ending.join()
    assert ran.err.startswith(f"strongroom: The cluster at {cluster.address} is gone.")
    assert len(ran.err.splitlines()) == 1
    (file,) = kept()
    lines = [line for line in file.read_text().splitlines() if line]
    assert {json.loads(line)["game"] for line in lines} == {"safe-cracker"}


TOURNAMENT = ("tournament", "quantum", "--players", "casual", "random", "--seed", "1", "--games")
KEPT = r"\d+games?kept;thesamecommandgoesonfromthere\.|Goingonafter\d+games?,keptin.*?\.jsonl\."
"""All that a run that was broken off leaves on the screen, without blanks."""


class Watched(Bars):
    def __init__(self) -> None:
        super().__init__()
        self.now = 0.0
        self.get_time = lambda: self.now

    @property
    def shown(self) -> str:
        out = io.StringIO()
        Console(file=out, width=100).print(self.get_renderable())
        return out.getvalue().rstrip()


HEARD: list[tuple[float, float | None, str, str]] = [
    (0, 0.0, "counting", "0% 0:00 counting"),
    (30, 0.25, "proving", "25% 0:30, about 1:30 left proving"),
    (32, None, "", "25% 0:32, about 1:28 left proving"),
    (31 + QUIET, None, "", "0:35, about 1:25 left proving"),
    (130, None, "", "2:10 proving"),
    (131, 0.99, "", "99% 2:11, about 0:01 left"),
    (132, 0.55, "", "55% 2:12, about 1:48 left"),  # there is more to do than it seemed
    (161, 1.0, "done", "100% 2:41 done"),
    (1161, None, "", "100% 2:41 done"),
]
"""The time, how much is done then, if anything is heard of it, and what a bar shows."""


def test_a_bar_shows_the_share_the_elapsed_time_and_the_estimate_and_ends_full() -> None:
    bars = Watched()
    work = bars.wait_for("safe-code")
    assert bars.shown.startswith("safe-code")
    assert bars.shown.endswith("waiting"), "the work has not begun"
    for now, done, words, shown in HEARD:
        bars.now = now
        if done is not None:
            bars.hear(work, done, words)
        assert bars.shown.endswith(shown)
        assert ("%" in bars.shown) == ("%" in shown)


def is_gone(group: int) -> bool:
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return True
    return False


def assert_nothing_is_left_of(terminal: Terminal) -> None:
    shown = "".join(terminal.everything.split())
    assert re.sub(KEPT, "", shown).replace("^C", "") == ""
    wait_until(lambda: is_gone(terminal.process.pid))


@pytest.mark.parametrize(
    ("arguments", "begun"),
    [
        ("solve --all --verify", "waiting"),
        ("tournament --all --games 100000", "0%"),
        ("exploit --all --games 100000", r"\d%"),
    ],
    ids=["solve at its start", "tournament at its start", "exploit"],
)
def test_ctrl_c_ends_every_process_and_leaves_nothing_else_on_the_screen(
    sit_down: SitDown, arguments: str, begun: str
) -> None:
    terminal = sit_down(*arguments.split())
    terminal.shows(begun)
    assert terminal.ends("\x03") == 130
    assert_nothing_is_left_of(terminal)


def test_a_tournament_that_a_signal_ends_leaves_nothing_behind_and_goes_on_where_it_stopped(
    sit_down: SitDown, tmp_path: Path
) -> None:
    asked = [*TOURNAMENT, "20", "--json", "all.json"]
    for number in (signal.SIGINT, signal.SIGHUP):
        terminal = sit_down(*asked, slow=True)
        terminal.shows(r"[1-9]\d* of 20 games")
        terminal.shows(r"player +games +score\s+\w+ +\d+ +\d\.\d+ \(\d\.\d+ to ")
        if number == signal.SIGINT:
            terminal.presses("\x03")
        else:
            terminal.process.kill(number)
        terminal.sees(" kept; the same command goes on from there.")
        assert terminal.ends() == 128 + number
        assert_nothing_is_left_of(terminal)
        assert not (tmp_path / "all.json").exists()
    terminal = sit_down(*asked)
    terminal.sees("Going on after ")
    assert terminal.ends() == 0
    assert re.search(r"against casual +against random", terminal.text)
    assert re.search(r"casual +– +\d\.\d{3} (?:± \d|\(\d\.\d{3} to \d)\.\d{3}", terminal.text)
    assert "| casual" not in terminal.text, "a table, and no Markdown"
    assert terminal.text.rstrip().endswith("Written: all.json")
    numbers = [each["number"] for each in json.loads((tmp_path / "all.json").read_text())["games"]]
    assert numbers == [*range(20)]


@pytest.mark.proof
def test_a_killed_tournament_leaves_no_process_behind_and_loses_no_finished_game(
    clean: Clean, tmp_path: Path
) -> None:
    command = [*STRONGROOM, *TOURNAMENT, "100000"]
    with Piped(command, environment=clean(), folder=tmp_path, session=True) as program:
        wait_until(lambda: any(file.stat().st_size for file in tmp_path.rglob("*.jsonl")))
        program.kill()
    wait_until(lambda: is_gone(program.pid))
    (kept,) = tmp_path.rglob("*.jsonl")
    whole = [line for line in kept.read_text().splitlines() if line.endswith("}")]
    assert json.loads(whole[0])["game"] == "quantum-duel"


@pytest.fixture
def kept(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> RunJournal[int]:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    asked = {"seed": None}
    return RunJournal("measurement", asked, lambda n: {"n": n}, lambda data: data["n"].real)


def test_a_full_disk_is_told_with_the_file(
    kept: RunJournal[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> NoReturn:
        raise OSError(errno.ENOSPC, "No space left on device")

    with kept:
        kept.add(7)
        monkeypatch.setattr(os, "write", full)
        with pytest.raises(CannotSave, match=r"measurements/\w+\.jsonl: No space left on device"):
            kept.add(8)
        assert kept.games() == [7]


def test_a_run_goes_on_with_its_seed_and_its_whole_lines_until_it_is_dropped(
    kept: RunJournal[int], capsys: pytest.CaptureFixture[str]
) -> None:
    for drawn in (5, 6):
        with kept:
            assert kept.keep_first("seed", drawn) == 5
            assert kept.games() == []
    with kept:
        kept.add(1)
        with kept.file.open("a") as file:
            file.writelines(f"{x}\n" for x in ("{", "[]", '{"n": {}}', '{"n": null}', "7", "\x00"))
        kept.add(2)
        with pytest.raises(Ended) as ended, kept.breaking_off():
            raise Stops("The budget is \x1b[2Jspent.")
    told = "strongroom: The budget is ?[2Jspent. 2 games kept; the same command goes on from there."
    assert capsys.readouterr().err == f"{told}\n"
    assert ended.value.code == FAILED
    with kept:
        assert kept.earlier_games() == [1, 2]
    assert capsys.readouterr().err.startswith("Going on after 2 games, kept in ")
    kept.drop()
    assert not kept.file.exists()
