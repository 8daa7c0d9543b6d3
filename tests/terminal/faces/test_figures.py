"""Measurements and standings at the terminal: what they say, and that they fit."""

from __future__ import annotations

import re
from io import StringIO

import pytest
from rich.console import Console, Group

from strongroom.arena.standings import Standings
from strongroom.arena.tournament import Played
from strongroom.contests.schedule import Schedule
from strongroom.contract import Json
from strongroom.measuring.result import Figures
from strongroom.plugins.registry import load
from strongroom.terminal.reports import results
from strongroom.terminal.reports.results import measurement_report, show_measurement
from strongroom.terminal.reports.tables import render_lines
from tests.measuring import reports

COLUMNS = ("score", "counted", "saved", "exact", "cost", "perfect")


def lines(measurement: Json, width: int = 80, unicode: bool = True) -> list[str]:
    return [line.plain for line in measurement_report(Figures.read(measurement), width, unicode)]


def with_wide_board(record: str) -> Json:
    found = reports.mistake(picture=record)
    found["drawing"]["rows"] = [found["drawing"]["rows"][0][:1] * 7]
    return found


def won_by_the_first(*names: str) -> Standings:
    schedule = Schedule((load("safe-code"),), names, 2)
    played = (
        Played(each, min(each.pair, key=names.index), "cracked", "", 5, ())
        for each in schedule.pairings
    )
    return Standings(schedule, played)


def test_every_line_fits() -> None:
    long = "a very long kind of decision that nobody would name like this, but somebody may"
    many = "\n".join(f"{turn}. Player 1: {turn}" for turn in range(1, 90))
    kind = {"kind": long, "decisions": 1, "cost": 1.0, "perfect": 0.0}
    worst = [reports.mistake(), reports.mistake(kind=long, why=long, picture=many)]
    measured = reports.report(profile=[kind], worst=worst)
    games = won_by_the_first("master", f"engine:./{'long-' * 30}name", "random")
    for width in (40, 80, 200):
        for unicode in (True, False):
            ranked = [line.plain for line in results.standings_report(games, width, unicode)]
            for shown in (lines(measured, width, unicode), ranked):
                assert max(map(len, shown)) <= width
                assert unicode or "\n".join(shown).isascii()


def test_each_figure_of_the_report_is_told_in_its_words() -> None:
    shown = lines(reports.report())
    (row,) = (line for line in shown if line.startswith("Quantum Duel  0"))
    told = ["0.197 ± 0.008", "0.210 ± 0.059", "× 56.2", "0.19745", "2.00", "60 %"]
    assert re.split(" {2,}", row) == ["Quantum Duel", *told]
    last = " ".join(shown[-4:])
    for text in ("200 games", "2 forfeits", "5 illegal", "1.5 seconds", "1,234 tokens", "$0.50"):
        assert text in last
    assert "V is what a best response wins: Quantum Duel." in last
    opening, late = (
        next(line for line in shown if line.startswith(f"  {kind}"))
        for kind in ("opening", "blocking late")
    )
    assert "10.0" in opening
    assert "20.0" in late
    assert late.count("█") == 2 * opening.count("█") > 0, "a bar is as long as its cost"
    kind = {"kind": "writing a clue", "decisions": 6, "cost": 0.0, "perfect": None}
    (line,) = (each for each in lines(reports.report(profile=[kind])) if "writing a clue" in each)
    assert line.split() == ["writing", "a", "clue", "0.0", "nothing", "at", "stake"]


def test_costs_luck_and_a_known_seed_are_told_where_they_count() -> None:
    honest, lucky = (" ".join(lines(reports.report(luck_z=z), 100)) for z in (0.3, 12.0))
    assert "seed 7, known beforehand" in honest
    assert "Luck taken out, in standard errors: 0.3 at Quantum Duel." in honest
    assert "it may have known" not in honest
    assert "casual at Quantum Duel: its luck is 12.0 standard errors above zero" in lucky
    text = "\n".join(lines(reports.report(**reports.UNMEASURED)))
    assert "known exactly against master only" in text
    assert "worst" not in text


def test_the_table_alone_can_be_printed_below_its_title() -> None:
    printed = StringIO()
    show_measurement(Figures.read(reports.report()), Console(file=printed, width=100), whole=False)
    title, rule, headings, *rows = printed.getvalue().splitlines()
    assert " against " in title
    assert set(rule) == {"─"}
    assert headings.split()[:2] == ["game", "score"]
    assert [row.partition("  ")[0] for row in rows] == ["Quantum Duel"]


def test_a_worst_move_stands_with_its_board_and_a_record_of_which_nothing_is_cut_off() -> None:
    spoken = reports.mistake(thought="The edge is safe.")
    many = reports.mistake(picture="\n".join(f"{turn}. Player 1: {turn}" for turn in range(1, 90)))
    text = "\n".join(lines(reports.report(worst=[spoken, many])))
    for told in (
        "It said: The edge is safe.",
        "1. cell 1  −31.0 points",
        "round 3, Player 1, turn 4, blocking late",
        "│ X │",
        "1. Player 1: 1",
        "Better: cell 2. It keeps the opponent from four.",
        "83 earlier turns",
        "89. Player 1: 89",
    ):
        assert told in text
    assert "83. Player 1" not in text, "only the latest turns of a long game"
    record = "\n".join(f"{turn}. Player 1: 2 (board full, cleared)" for turn in (1, 2))
    for width in (60, *range(70, 85)):
        shown = lines(reports.report(worst=[with_wide_board(record)]), width)
        assert " ".join(shown).count("cleared)") == 2, width
    record = "1. Player 1: 5 challenged, heads: stands"
    shown = lines(reports.report(worst=[with_wide_board(record)]), 78)
    (start,) = (line.index("Player 1: 5") for line in shown if "Player 1: 5" in line)
    assert any(line.endswith("stands") and line.index("stands") == start for line in shown)


@pytest.mark.parametrize("width", [48, 60, 80])
def test_exactly_the_headings_that_are_shown_are_explained(width: int) -> None:
    shown = lines(reports.report(), width)
    headings, legend = shown[0].split()[1:], " ".join(shown[: shown.index("", 3)][2:])
    assert [word for word in COLUMNS if f"{word}: " in legend] == headings


def test_a_file_of_somebody_elses_cannot_write_to_the_screen() -> None:
    evil = "\x1b[31mred\x07"
    out = StringIO()
    measurement = reports.report(evil, title=evil, worst=[reports.mistake(said=evil, why=evil)])
    show_measurement(
        Figures.read(measurement), Console(file=out, width=80, markup=False, highlight=False)
    )
    assert "\x1b" not in out.getvalue()
    assert "?[31mred?" in out.getvalue()


def test_each_player_has_its_score_and_its_rating_and_many_leave_room_for_the_bars(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    shown = [
        line.plain for line in results.standings_report(won_by_the_first("master", "random"), 80)
    ]
    (row,) = (line for line in shown if "under" in line)
    assert re.split(" {2,}", row) == ["random", "0.000 (0.000 to 0.658)", "under 216", "–"]
    monkeypatch.setenv("LINES", "12")
    monkeypatch.setenv("COLUMNS", "80")
    many = won_by_the_first(*(f"engine:./{number}" for number in range(30)))
    live = results.LiveStandings(many)
    live.wait_for("Quantum Duel")
    shown = [line.plain for line in render_lines(Group(*live.get_renderables()), 80)]
    assert len(shown) <= 12
    assert shown[1].startswith("engine:./0 ")
    assert shown[-1].startswith("Quantum Duel")
