"""The picture of an analysis."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING
from xml.etree import ElementTree

import pytest

from strongroom.analysis import Analysis
from strongroom.plugins import registry
from strongroom.referee.sitter import Sitter
from strongroom.terminal.faces.drawing import MOST_POINTS, PANEL, WIDTH, draw

if TYPE_CHECKING:
    from tests.terminal.faces.conftest import Between

SVG = "{http://www.w3.org/2000/svg}"


def lines(drawing: ElementTree.Element) -> dict[str, list[tuple[float, float]]]:
    """The points of each curve, by its owner."""
    found = {}
    for line in drawing.iter(f"{SVG}polyline"):
        pairs = [point.split(",") for point in line.get("points", "").split()]
        found[line.get("class", "").split()[-1]] = [(float(x), float(y)) for x, y in pairs]
    return found


def texts(drawing: ElementTree.Element) -> list[str]:
    return [text.text or "" for text in drawing.iter(f"{SVG}text")]


@pytest.mark.parametrize("name", registry.GAMES)
def test_a_picture_is_well_formed_and_has_a_curve_for_each_player_and_one_for_the_truth(
    between: Between, name: str
) -> None:
    drawing = ElementTree.fromstring(draw(between(name, "casual", "random")))
    assert drawing.tag == f"{SVG}svg"
    assert [*lines(drawing)] == ["one", "two", "truth"]
    for panel, points in enumerate(lines(drawing).values()):
        assert all(0 <= x <= WIDTH for x, _ in points)
        assert all(panel * PANEL < y < (panel + 1) * PANEL for _, y in points)
        for (left, above), (right, below) in pairwise(points):
            assert left <= right
            assert left == right or above == below  # a probability holds until the next is known


def test_a_mark_is_named_and_drawn_on_the_players_curve_and_on_the_truth(
    wasted: Analysis,
) -> None:
    drawing = ElementTree.fromstring(draw(wasted))
    marks = [mark for mark in drawing.iter(f"{SVG}circle") if mark.get("class") == "mark one"]
    titles = [mark.findtext(f"{SVG}title") or "" for mark in marks]
    assert len(titles) == 2
    assert titles[0].startswith("3. Ada: 1-2-3, ")
    assert sum(text.startswith("1-2-3?") for text in texts(drawing)) == 2
    own, truth = lines(drawing)["one"], lines(drawing)["truth"]
    places = [(float(mark.get("cx", 0)), float(mark.get("cy", 0))) for mark in marks]
    assert places[0] in own
    assert places[1] in truth


def test_names_cannot_break_the_picture(between: Between) -> None:
    sitters = (Sitter("<a&b>"), Sitter('"]]>'))
    drawing = ElementTree.fromstring(
        draw(between("quantum-duel", "random", "random", sitters=sitters))
    )
    heads = [text for text in texts(drawing) if "chance to win" in text]
    assert heads == [f"{name}'s chance to win" for name in ("<a&b>", '"]]>', "<a&b>")]


def test_a_long_game_is_drawn_through_fewer_points(between: Between) -> None:
    analysis = between("quantum-duel", "master", "master", turns=1500)
    assert len(analysis.curve(None)) > MOST_POINTS
    points = lines(ElementTree.fromstring(draw(analysis)))["truth"]
    assert len({x for x, _ in points}) <= MOST_POINTS


def test_the_picture_has_both_themes(wasted: Analysis) -> None:
    style = ElementTree.fromstring(draw(wasted)).findtext(f"{SVG}style") or ""
    day, night = style.split("@media (prefers-color-scheme: dark)")
    assert "#0f6f8f" in day
    assert "#5cc3e0" in night
