"""The report of an analysis: complete at every width, in points and in words."""

from __future__ import annotations

import io
import re
from typing import TYPE_CHECKING

import pytest
from rich.console import Console

from strongroom.analysis import Analysis
from strongroom.contract import Seat
from strongroom.plugins import registry
from strongroom.referee.sitter import Sitter
from strongroom.terminal.faces.analysis import MOST_ROWS, comments, doubts, plot, report, show
from strongroom.terminal.screen.palette import PLAYERS
from strongroom.terminal.signs import has_unicode

if TYPE_CHECKING:
    from tests.terminal.faces.conftest import Between


def text_of(analysis: Analysis, width: int = 80) -> str:
    """The report in one line."""
    return " ".join(" ".join(line.plain for line in report(analysis, width)).split())


@pytest.mark.parametrize("name", registry.GAMES)
def test_a_report_fits_every_width_and_cuts_no_value(between: Between, name: str) -> None:
    analysis = between(name, "casual", "random")
    for width in (30, 38, 40, 57, 80, 110, 200):
        lines = report(analysis, width)
        assert max(line.cell_len for line in lines) <= width
        whole = text_of(analysis, width)
        assert not re.search(r"…|\d/\d", whole)
        wanted = [*comments(analysis), *(each.mark for each in analysis.decisions)]
        assert [each for each in wanted if each and each not in whole] == []
    assert "".join(line.plain for line in report(analysis, 60, unicode=False)).isascii()


def test_a_marked_move_is_described_in_points_and_in_the_terms_of_the_game(
    wasted: Analysis,
) -> None:
    (comment,) = comments(wasted, Seat.ONE)
    assert re.fullmatch(
        r"3\. 1-2-3, an? [a-z]+ \(−\d+ points\): \d-\d-\d "
        r"(could have hit, and )?would have split the 12 codes left .*\.",
        comment,
    )
    assert f"3. Ada: {comment.removeprefix('3. ')}" in comments(wasted)


def test_the_set_up_is_named_and_has_no_number(between: Between) -> None:
    games = (between("digit-deductions", "random", "random", seed) for seed in range(20))
    hid = next(each for each in games if each.of(Seat.ONE)[0].mark)
    first, move = comments(hid, Seat.ONE)[0], hid.decisions[0].move
    assert re.match(rf"Set-up: {move}, an? [a-z]+ \(−\d+ points\): ", first)
    assert f"Set-up, Ada: {first.removeprefix('Set-up: ')}" in comments(hid)
    rows = [line.plain.split()[:2] for line in report(hid, 110)]
    assert [row for row in rows if row[:1] == ["set-up"]] == [["set-up", "Ada"], ["set-up", "Bob"]]
    assert ["1", "Ada"] in rows


def test_a_clue_is_quoted_within_a_sentence(between: Between) -> None:
    said = " ".join(comments(between("safe-code", "casual", "random", seed=5)))
    assert re.search(r'"It is [^"]*[^.]" would have ruled out only 1 number\.', said)


def test_certified_play_is_shown_beside_the_estimate_where_they_differ(
    between: Between,
) -> None:
    games = (between("digit-deductions", "random", "master", seed) for seed in range(20))
    analysis = next(each for each in games if doubts(each))
    assert "as the certified player does here" in doubts(analysis)[0]
    assert "the estimate gives it" in doubts(analysis)[0]
    assert [each for each in doubts(analysis) if each not in text_of(analysis)] == []


def test_the_totals_lead_from_the_start_to_the_result(wasted: Analysis) -> None:
    assert re.search(
        r"Ada: 67\.1% at the start, −\d+\.\d points given away, [+−]\d+\.\d by luck, "
        r"[+−]?\d+(\.\d)? from the opponent's errors: won\.",
        text_of(wasted),
    )


def test_a_report_says_by_what_each_players_moves_are_valued(
    between: Between, wasted: Analysis
) -> None:
    sitters = (Sitter("Ada"), Sitter("Max", "master"))
    ways = {"safe-cracker": "what a best response wins", "safe-code": "what racing on wins"}
    for name, by in ways.items():
        text = text_of(between(name, "casual", "master", sitters=sitters))
        assert f"Ada's moves are valued exactly against the certified player, by {by}" in text
        assert "Max's moves are valued by the estimate of the solution." in text
    assert "All moves are valued by" in text_of(wasted)


def test_each_player_has_a_curve_and_the_truth_has_one(wasted: Analysis) -> None:
    for curve in (
        "Ada's chance to win, by what Ada knew",
        "Bob's chance to win, by what Bob knew",
        "Ada's chance to win, given both secrets and certified play from there on",
    ):
        assert curve in text_of(wasted)
    blind = Analysis(wasted.record, wasted.decisions)
    assert plot(blind, None, 60, 5) == []
    assert "The effect of the secrets has not been computed." in text_of(blind)


def test_there_is_only_one_curve_where_nothing_is_hidden(between: Between) -> None:
    lines = [line.plain for line in report(between("quantum-duel", "casual", "random"), 80)]
    assert [line for line in lines if "chance to win" in line] == ["Ada's chance to win"]


def test_the_moves_of_a_curve_are_numbered_and_its_errors_marked(wasted: Analysis) -> None:
    *rows, axis, numbers = (line.plain for line in plot(wasted, Seat.ONE, 60, 5))
    assert len(rows) == 5
    assert [row[:3] for row in rows] == ["100", "   ", " 50", "   ", "  0"]
    assert axis.count("┬") == 4
    assert numbers.split() == ["1", "3", "5", "end"]
    assert any("1-2-3?" in row for row in rows)


def test_marks_have_the_colour_of_their_player(wasted: Analysis) -> None:
    (mark,) = [
        span.style
        for line in plot(wasted, None, 60, 7)
        for span in line.spans
        if line.plain[span.start] == "?" and line.plain[span.start - 1] == "3"
    ][:1]
    assert PLAYERS[0] in str(mark)


def test_a_long_game_is_drawn_in_few_columns_and_says_so(between: Between) -> None:
    analysis = between("quantum-duel", "master", "master", turns=600)
    lines = [line.plain for line in plot(analysis, None, 60, 7)]
    assert max(map(len, lines)) <= 60
    points = len(analysis.curve(None))
    assert f"The curve has {points:,} points in 52 columns" in lines[9]
    left_out = len(analysis.decisions) - MOST_ROWS
    said = [line.plain for line in report(analysis, 110)]
    assert f"The {left_out:,} decisions that swung least are left out; --json has them all." in said


def test_show_prints_the_report_in_the_width_of_the_console(wasted: Analysis) -> None:
    out = io.StringIO()
    show(wasted, Console(file=out, width=66))
    printed = out.getvalue().splitlines()
    assert [line.rstrip() for line in printed] == [
        line.plain.rstrip() for line in report(wasted, 66, has_unicode())
    ]
