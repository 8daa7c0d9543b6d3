"""The report of an analysis, its curves and its picture: complete at every width, in points."""

from __future__ import annotations

import io
import re
from functools import cache
from itertools import pairwise
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

from strongroom.accounts.analysis import Analysis, Valuation, analyze
from strongroom.contract import Seat
from strongroom.plugins import registry
from strongroom.referee.record import Sitter
from strongroom.report.curves import MOST_POINTS, PANEL, WIDTH, Curve, Mark, draw_text, thin
from strongroom.terminal.printing import has_unicode, spell
from strongroom.terminal.reports.analysis import (
    MOST_ROWS,
    STYLES,
    comments,
    doubts,
    draw,
    plot,
    report,
    show,
)
from strongroom.terminal.screen.palette import PLAYERS
from tests.accounts.test_analysis import Sitters, played, sat_down
from tests.tries import tries

SVG = "{http://www.w3.org/2000/svg}"
ADA, BOB = Sitter("Ada"), Sitter("Bob")


@cache
def between(
    name: str, one: str, two: str, seed: int = 1, turns: int = 40, sitters: Sitters = (ADA, BOB)
) -> Analysis:
    return analyze(sat_down(name, {Seat.ONE: one, Seat.TWO: two}, seed, turns, sitters))


@pytest.fixture(scope="module")
def wasted() -> Analysis:
    """Ada guesses the same again, which tells nothing, and wins all the same."""
    one, two = ["1-1-1", "1-2-3", "1-2-3", "2-2-2"], ["2-2-2", "3-3-3", "3-3-2"]
    return analyze(played("safe-cracker", one, two, (ADA, BOB)))


def text_of(analysis: Analysis, width: int = 80) -> str:
    """The report in one line."""
    return " ".join(" ".join(line.plain for line in report(analysis, width)).split())


def curves(drawing: ElementTree.Element) -> dict[str, list[tuple[float, float]]]:
    """The points of each curve of a picture, by its owner."""
    found = {}
    for line in drawing.iter(f"{SVG}polyline"):
        pairs = [point.split(",") for point in line.get("points", "").split()]
        found[line.get("class", "").split()[-1]] = [(float(x), float(y)) for x, y in pairs]
    return found


def texts(drawing: ElementTree.Element) -> list[str]:
    return [text.text or "" for text in drawing.iter(f"{SVG}text")]


@pytest.mark.proof
@pytest.mark.parametrize("name", registry.GAMES)
def test_every_game_is_reported_at_every_width_with_no_value_cut_and_drawn(name: str) -> None:
    analysis = between(name, "casual", "random")
    wanted = [*comments(analysis), *(each.mark for each in analysis.decisions)]
    for width in (30, 38, 40, 57, 80, 110, 200):
        lines = report(analysis, width)
        assert max(line.cell_len for line in lines) <= width
        whole = " ".join(" ".join(line.plain for line in lines).split())
        assert not re.search(r"…|\d/\d", whole)
        assert [each for each in wanted if each and each not in whole] == []
    assert spell("".join(line.plain for line in report(analysis, 60)), unicode=False).isascii()

    drawing = ElementTree.fromstring(draw(analysis))
    assert drawing.tag == f"{SVG}svg"
    assert [*curves(drawing)] == ["one", "two", "truth"]
    for panel, points in enumerate(curves(drawing).values()):
        assert all(0 <= x <= WIDTH for x, _ in points)
        assert all(panel * PANEL < y < (panel + 1) * PANEL for _, y in points)
        for (left, above), (right, below) in pairwise(points):
            assert left <= right
            assert left == right or above == below  # a probability holds until the next is known
    heads = [line.plain for line in report(analysis, 80) if "chance to win" in line.plain]
    assert (heads == ["Ada's chance to win"]) is (name == "quantum-duel"), "nothing is hidden there"


def test_a_marked_move_and_the_set_up_are_named_in_the_terms_of_the_game(wasted: Analysis) -> None:
    (comment,) = comments(wasted, Seat.ONE)
    assert re.fullmatch(
        r"3\. 1-2-3, an? [a-z]+ \(−\d+ points\): \d-\d-\d "
        r"(could have hit, and )?would have split the 12 codes left .*\.",
        comment,
    )
    assert f"3. Ada: {comment.removeprefix('3. ')}" in comments(wasted)
    said = " ".join(comments(between("safe-code", "casual", "random", seed=5)))
    assert re.search(r'"It is [^"]*[^.]" would have ruled out only 1 number\.', said)
    hid = between("digit-deductions", "random", "random", seed=13)
    first, move = comments(hid, Seat.ONE)[0], hid.decisions[0].move
    assert re.match(rf"Set-up: {move}, an? [a-z]+ \(−\d+ points\): ", first)
    assert f"Set-up, Ada: {first.removeprefix('Set-up: ')}" in comments(hid)
    costs = [each.cost for each in hid.decisions if each.mark]
    told = comments(hid)
    assert len(told) == len(costs) > 2
    assert comments(hid, most=1) == [told[costs.index(max(costs))]]
    rows = [line.plain.split()[:2] for line in report(hid, 110)]
    assert [row for row in rows if row[:1] == ["set-up"]] == [["set-up", "Ada"], ["set-up", "Bob"]]
    assert ["1", "Ada"] in rows


def test_a_report_says_how_moves_are_valued_and_what_certified_play_is(wasted: Analysis) -> None:
    sitters = (ADA, Sitter("Max", "master"))
    ways = {"safe-cracker": "what a best response wins", "safe-code": "what racing on wins"}
    for name, by in ways.items():
        text = text_of(between(name, "casual", "master", sitters=sitters))
        assert f"Ada's moves are valued exactly against the certified player, by {by}" in text
        assert f"Max's moves are valued {Valuation().words}." in text
    assert f"All moves are valued {Valuation().words}." in text_of(wasted)
    analysis = between("digit-deductions", "random", "master", seed=2)
    assert "as the certified player does here" in doubts(analysis)[0]
    assert "has strayed since" in doubts(analysis)[0]
    assert [each for each in doubts(analysis) if each not in text_of(analysis)] == []


def test_the_totals_lead_from_the_start_to_the_result_and_are_printed_as_wide_as_the_console(
    wasted: Analysis,
) -> None:
    text = text_of(wasted)
    assert re.search(
        r"Ada: 67\.1% at the start, −\d+\.\d points given away, [+−]\d+\.\d by luck, "
        r"[+−]?\d+(\.\d)? from the opponent's errors: won\.",
        text,
    )
    for curve in (
        "Ada's chance to win, by what Ada knew",
        "Bob's chance to win, by what Bob knew",
        "Ada's chance to win, given both secrets and certified play from there on",
    ):
        assert curve in text
    blind = Analysis(wasted.record, wasted.decisions)
    assert plot(blind, None, 60, 5) == []
    assert "The effect of the secrets has not been computed." in text_of(blind)
    out = io.StringIO()
    show(wasted, Console(file=out, width=66))
    printed = [line.rstrip() for line in out.getvalue().splitlines()]
    lines = (spell(line.plain.rstrip(), has_unicode()) for line in report(wasted, 66))
    assert printed == list(lines)


def test_the_moves_of_a_curve_are_numbered_and_errors_marked(wasted: Analysis) -> None:
    *rows, axis, numbers = (line.plain for line in plot(wasted, Seat.ONE, 60, 5))
    assert [row[:3] for row in rows] == ["100", "   ", " 50", "   ", "  0"]
    assert axis.count("┬") == 4
    assert numbers.split() == ["1", "3", "5", "end"]
    assert any("1-2-3?" in row for row in rows)
    marks = [
        span.style
        for line in plot(wasted, None, 60, 7)
        for span in line.spans
        if line.plain[span.start] == "?" and line.plain[span.start - 1] == "3"
    ]
    assert PLAYERS[0] in str(marks[0])


def test_a_long_game_is_drawn_in_few_columns_and_points_which_keep_a_single_swing() -> None:
    analysis = between("quantum-duel", "master", "master", turns=600)
    lines = [line.plain for line in plot(analysis, None, 60, 7)]
    assert max(map(len, lines)) <= 60
    points = len(analysis.curve(None))
    assert f"The curve has {points:,} points in 52 columns" in lines[9]
    left_out = len(analysis.decisions) - MOST_ROWS
    said = [line.plain for line in report(analysis, 110)]
    assert f"The {left_out:,} decisions that swung least are left out; --json has them all." in said
    assert points > MOST_POINTS
    drawn = curves(ElementTree.fromstring(draw(analysis)))["truth"]
    assert len({x for x, _ in drawn}) <= MOST_POINTS
    curve = [(number, 1.0 if number == 3333 else 0.5) for number in range(1, 5001)]
    assert (3333, 1.0) in thin(curve, 50)


def test_a_mark_is_drawn_on_the_players_curve_and_on_the_truth(wasted: Analysis) -> None:
    drawing = ElementTree.fromstring(draw(wasted))
    marks = [mark for mark in drawing.iter(f"{SVG}circle") if mark.get("class") == "mark one"]
    titles = [mark.findtext(f"{SVG}title") or "" for mark in marks]
    assert len(titles) == 2
    assert titles[0].startswith("3. Ada: 1-2-3, ")
    assert sum(text.startswith("1-2-3?") for text in texts(drawing)) == 2
    places = [(float(mark.get("cx", 0)), float(mark.get("cy", 0))) for mark in marks]
    assert places[0] in curves(drawing)["one"]
    assert places[1] in curves(drawing)["truth"]
    style = drawing.findtext(f"{SVG}style") or ""
    day, night = style.split("@media (prefers-color-scheme: dark)")
    assert "#0f6f8f" in day
    assert "#5cc3e0" in night


def test_names_cannot_break_the_picture() -> None:
    sitters = (Sitter("<a&b>"), Sitter('"]]>'))
    drawing = ElementTree.fromstring(
        draw(between("quantum-duel", "random", "random", sitters=sitters))
    )
    heads = [text for text in texts(drawing) if "chance to win" in text]
    assert heads == [f"{name}'s chance to win" for name in ("<a&b>", '"]]>', "<a&b>")]


def drawn(chances: list[float], width: int = 40, height: int = 3) -> list[str]:
    curve = Curve(list(enumerate(chances, 1)))
    turns = {number: number for number, _ in curve.points}
    return [line.plain.rstrip() for line in draw_text(curve, turns, width, height, STYLES)]


CURVE = """\
100 ┤         ╭──
 50 ┼───╮  ╭──╯
  0 ┤   ╰──╯
    └┬──┬──┬──┬
     1  2  3  end"""


def test_a_curve_is_drawn_in_signs_above_numbered_moves_and_marks() -> None:
    assert drawn([0.5, 0, 0.5, 1], width=20) == CURVE.split("\n")
    plain = CURVE.translate(str.maketrans("┤┼╮╭╯╰─└┬", "|+++++-++"))
    assert spell(CURVE, unicode=False) == plain
    swing = ["──────╮", *["      │"] * 3, "      ╰──"]
    assert [line[5:] for line in drawn([1, 0], width=20, height=5)[:5]] == swing
    curve = [(step, 0.5) for step in range(1, 8)]
    turns = {3: 1, 4: 1, 5: 2, 6: 3}
    *_, axis, below = (line.plain for line in draw_text(Curve(curve), turns, 40, 3, STYLES))
    assert axis == "    └────────┬───────┬───┬───┬"
    assert below == "             1       2   3   end"
    curve = [(1, 0.5), (2, 0.5), (3, 0.5), (4, 0.0)]
    for mark, width, row in (
        ("1-2-3?", 40, "100 ┤      1-2-3?"),
        ("as long as the sky is wide?", 24, "100 ┤    ?"),
    ):
        marked = Curve(curve, marks={1: Mark((mark, "?"), "one")})
        assert draw_text(marked, {}, width, 3, STYLES)[0].plain == row


@tries(0.3)
@given(st.lists(st.floats(0, 1), min_size=1, max_size=150), st.integers(3, 100))
def test_a_thinned_curve_keeps_both_ends_and_the_order(chances: list[float], most: int) -> None:
    curve = list(enumerate(chances, 1))
    shown = thin(curve, most)
    assert len(shown) == min(most, len(curve))
    assert (shown[0], shown[-1]) == (curve[0], curve[-1])
    assert [*shown] == sorted(set(shown))
    assert max(map(len, drawn(chances, width := 27 + most, height=7))) <= width
