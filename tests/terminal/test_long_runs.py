"""Runs that take long: their progress bars, signals that end them, and the games they keep."""

from __future__ import annotations

import errno
import io
import json
import os
import re
import signal
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

import pytest
from rich.console import Console
from starting import STRONGROOM, Piped

from strongroom.players import Stops
from strongroom.terminal.kept_games import KeptGames
from strongroom.terminal.progress import QUIET, Bars
from strongroom.terminal.store import CannotSave
from tests.server.waiting import wait_until

if TYPE_CHECKING:
    from tests.terminal.conftest import Clean, SitDown, Terminal

TOURNAMENT = ("tournament", "quantum", "--players", "casual", "random", "--seed", "1", "--games")
KEPT = r"\d+games?kept;thesamecommandgoesonfromthere\.|Goingonafter\d+games?,keptin.*?\.jsonl\."
"""All that a run that was broken off leaves on the screen, without blanks."""


# --- bars -----------------------------------------------------------------------------------------


class Watched(Bars):
    """Bars with a clock that the test moves."""

    def __init__(self) -> None:
        super().__init__()
        self.now = 0.0
        self.get_time = lambda: self.now

    @property
    def shown(self) -> str:
        out = io.StringIO()
        Console(file=out, width=100).print(self.get_renderable())
        return out.getvalue().rstrip()


def test_a_bar_shows_the_share_the_elapsed_time_and_the_estimate_and_ends_full() -> None:
    bars = Watched()
    work = bars.wait_for("safe-code")
    assert bars.shown.startswith("safe-code")
    assert bars.shown.endswith("waiting"), "the work has not begun"
    bars.hear(work, 0.0, "counting")
    assert bars.shown.endswith("0% 0:00 counting")
    bars.now = 30
    bars.hear(work, 0.25, "proving")
    assert bars.shown.endswith("25% 0:30, about 1:30 left proving")
    bars.now = 32
    assert bars.shown.endswith("25% 0:32, about 1:28 left proving")
    bars.hear(work, 0.99)
    bars.hear(work, 0.55)
    assert "55%" in bars.shown, "there is more to do than it seemed"
    bars.now = 61
    bars.hear(work, 1.0, "done")
    bars.now += 1000
    assert bars.shown.endswith("100% 1:01 done")


def test_without_news_a_bar_claims_no_share_and_counts_the_time() -> None:
    bars = Watched()
    work = bars.wait_for("safe-code")
    bars.hear(work, 0.0)
    bars.now = 10
    bars.hear(work, 0.5, "proving")
    bars.now += QUIET + 1
    assert "%" not in bars.shown
    assert bars.shown.endswith("0:15, about 0:05 left proving")
    bars.now += 60
    assert bars.shown.endswith("1:15 proving")


# --- signals --------------------------------------------------------------------------------------


def is_gone(group: int) -> bool:
    """Whether no process of a group is left."""
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
        ("solve --all --verify", r"\d%|\d:\d\d"),
        ("solve --all --verify", "waiting"),
        ("tournament --all --games 100000", "0%"),
        ("exploit --all --games 100000", r"\d%"),
    ],
    ids=["solve", "solve at its start", "tournament at its start", "exploit"],
)
def test_ctrl_c_ends_every_process_and_leaves_nothing_else_on_the_screen(
    sit_down: SitDown, arguments: str, begun: str
) -> None:
    terminal = sit_down(*arguments.split())
    terminal.shows(begun)
    terminal.presses("\x03")
    assert terminal.ends() == 130
    assert_nothing_is_left_of(terminal)


def test_a_tournament_that_a_signal_ends_leaves_nothing_behind_and_goes_on_where_it_stopped(
    sit_down: SitDown, tmp_path: Path
) -> None:
    asked = [*TOURNAMENT, "20", "--json", "all.json"]
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        terminal = sit_down(*asked, slow=True)
        if number != signal.SIGINT:
            terminal.sees("Going on after ")
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


# --- what is kept ---------------------------------------------------------------------------------


@pytest.fixture
def kept(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> KeptGames[int]:
    """The games of a run, which are numbers."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    asked = {"seed": None}
    return KeptGames("measurement", asked, lambda n: {"n": n}, lambda data: data["n"].real)


def test_a_full_disk_is_told_with_the_file(
    kept: KeptGames[int], monkeypatch: pytest.MonkeyPatch
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
    kept: KeptGames[int], capsys: pytest.CaptureFixture[str]
) -> None:
    for drawn in (5, 6):
        with kept:
            assert kept.keep_seed(drawn) == 5
            assert kept.games() == []
    with kept, kept.breaking_off():
        kept.add(1)
        with kept.file.open("a") as file:
            file.writelines(f"{x}\n" for x in ("{", "[]", '{"n": {}}', '{"n": null}', "7", "\x00"))
        kept.add(2)
        raise Stops("The budget is \x1b[2Jspent.")
    told = "strongroom: The budget is ?[2Jspent. 2 games kept; the same command goes on from there."
    assert capsys.readouterr().err == f"{told}\n"
    assert kept.code == 1
    with kept:
        assert kept.found() == [1, 2]
    assert capsys.readouterr().err.startswith("Going on after 2 games, kept in ")
    kept.drop()
    assert not kept.file.exists()
