"""The page of a report: its figures, its safety and its form."""

from __future__ import annotations

import re
from typing import Any
from xml.etree import ElementTree

import pytest

from strongroom.contract import Json, Refusal
from strongroom.measuring.measure import measure
from strongroom.measuring.page import BEGINS, html
from tests.measuring.reports import UNMEASURED, experiment, mistake, report

VOID = re.compile(r"<((?:meta|link|br|img|input)\b[^>]*)>")
EVIL = "<script>alert(1)</script>\"' onload=x &amp;\x1b[31m"


class Page:
    """A page, taken apart; one that is not well-formed is refused."""

    def __init__(self, text: str) -> None:
        page = ElementTree.fromstring(VOID.sub(r"<\1/>", text.partition("<!doctype html>")[2]))
        self.elements = [*page.iter()]
        self.tags = {each.tag for each in self.elements}
        self.cells = ["".join(each.itertext()) for each in page.iter("td")]
        self.plots = [each for each in page.iter("svg") if each.get("class") in ("plot", "board")]
        self.text = " ".join(page[1].itertext())


def named(element: ElementTree.Element, kind: str) -> list[ElementTree.Element]:
    """The parts of a picture that have a class."""
    return [each for each in element.iter() if kind in each.get("class", "").split()]


@pytest.fixture(scope="module")
def measured() -> Json:
    return measure("casual", ["quantum-duel"], rounds=1, seed=1, workers=1).to_json()


@pytest.mark.proof
def test_a_page_is_well_formed_and_needs_nothing_but_itself(measured: Json) -> None:
    page = html(measured)
    assert page.startswith(BEGINS)
    assert not Page(page).tags & {"script", "link", "img", "iframe"}
    assert len(Page(page).plots) == page.count("<svg class") > 5
    assert not re.search(r"url\(|@import|src=|href=", page)
    assert "://" not in page


def test_nothing_in_a_report_becomes_markup() -> None:
    words = ("kind", "picture", "move", "said", "better", "why", "better_said", "thought")
    tile = {"text": EVIL, "label": EVIL, "owner": 2, "look": "plain"}
    drawing = {"framed": False, "rows": [[tile]]}
    profile = [{"kind": EVIL, "decisions": 1, "cost": 1.0, "perfect": 0.0}]
    worst = [mistake(**dict.fromkeys(words, EVIL), drawing=drawing)]
    known = {"title": EVIL, "options": {EVIL: EVIL}, "baseline": EVIL}
    evil = report(EVIL, **known, profile=profile, worst=worst)
    evil |= {"against": EVIL, "strongroom": EVIL, "python": EVIL}
    evil |= {"experiment": experiment(EVIL, system=EVIL)}
    page = html(evil, [evil])
    found = Page(page)
    assert "script" not in found.tags
    assert not [name for each in found.elements for name in each.attrib if name[:2] == "on"]
    assert "\x1b" not in page
    assert "<script>alert(1)</script>\"' onload=x &amp;?[31m" in found.text


def test_the_tables_have_the_figures_of_the_report() -> None:
    cells = Page(html(report())).cells
    for figure in ("0.197 ± 0.008", "× 56.2", "0.19745", "0.500"):
        assert figure in cells
    counted = next(cell for cell in cells if cell.startswith("0.210 ± "))
    assert float(counted.split()[-1]) == pytest.approx(1.97 * 0.03, abs=0.001)
    kinds = [cells[at : at + 4] for at, cell in enumerate(cells) if cell == "blocking late"]
    assert kinds == [["blocking late", "2,000", "20.0", "45 %"]]
    assert {"2", "5", "1.5", "1,234", "0.50", "1 and 2"} <= set(cells)
    assert "7, known beforehand" in cells
    assert "0.3" in cells
    text = Page(html(report(**UNMEASURED))).text  # against another opponent there are no costs
    assert "0.197 ± 0.008" in text
    assert "known exactly against" in text
    assert "The worst moves" not in text


def test_a_page_tells_how_a_model_was_asked_and_what_its_endpoint_calls_it() -> None:
    settings = {"temperature": 0.5, "tries": 4, "system": "You are " + "very " * 100}
    asked = report("model:x") | {"experiment": experiment(**settings)}
    cells = Page(html(asked, [report()])).cells
    told = next(each for each in cells if each.startswith("temperature="))
    assert re.fullmatch(r"temperature=0\.5, system=You are .{70,90}\.\.\., tries=4", told)
    place = cells.index(told)
    assert cells[place - 1 : place] == ["model-2"]
    assert cells[place + 1 : place + 5] == [
        *("json_schema, streamed", "1,042", "2026-11-19T20:00:00Z", "openai 2.0")
    ]
    free = report("model:x", unconstrained=7) | {"experiment": experiment(constrained=True)}
    assert "1,042, of which 7 not constrained" in Page(html(free)).cells
    usual = Page(html(report("model:x") | {"experiment": experiment()})).cells
    assert "as usual" in usual
    assert "as usual" not in Page(html(report())).cells


def test_a_page_warns_of_too_much_luck_and_says_whether_the_seed_was_known() -> None:
    honest, lucky = Page(html(report())).text, Page(html(report(luck_z=-4.2))).text
    assert "Too much luck" not in honest
    assert "casual at Quantum Duel: its luck is 4.2 standard errors below zero" in lucky
    assert "seed 7, drawn for these games;" in Page(html(report() | {"seed_known": False})).text


def across(element: ElementTree.Element, name: str = "width") -> float:
    """A length or a place in a plot, in per cent."""
    return float(element.get(name, "").rstrip("%"))


def test_bars_are_as_long_as_their_costs_and_shares_of_decisions_add_up_to_all() -> None:
    page = html(report())
    assert "loses 30.0 points a game" in Page(page).text
    profile, shares = (
        next(each for each in Page(page).plots if what in each.get("aria-label", ""))
        for what in ("by kind", "what they cost")
    )
    short, long = map(across, named(profile, "bar"))
    assert long == pytest.approx(2 * short, abs=0.02)
    assert [*map(across, named(shares, "share"))] == pytest.approx([60, 10, 10, 10, 5, 4, 1])
    kind = {"kind": "writing a clue", "decisions": 6, "cost": 0.0, "perfect": None}
    assert "– nothing at stake" in Page(html(report(profile=[kind]))).cells


def test_each_score_stands_within_its_interval_which_is_narrower_than_counting() -> None:
    plot = Page(html(report())).plots[0]
    clear, counted = named(plot, "clear")[0], named(plot, "counted")[0]
    (mark,) = (each for each in plot if any(named(each, "full")))
    assert across(clear, "x1") < across(mark, "x") < across(clear, "x2")
    assert across(clear, "x2") - across(clear, "x1") < across(counted, "x2") - across(counted, "x1")
    assert across(named(plot, "best")[0], "x1") > across(clear, "x2")
    page = html(report("casual"), [report("expert", score=0.4, interval=[0.39, 0.41])])
    labels = [each.get("aria-label", "") for each in Page(page).plots]
    (label,) = (each for each in labels if each.startswith("Score"))
    assert "casual: 0.197" in label
    assert "expert: 0.400" in label
    assert "<h1>casual and expert" in page


def test_a_worst_move_is_marked_on_its_board_with_what_was_better() -> None:
    page = html(report())
    board = next(each for each in Page(page).plots if each.get("class") == "board")
    (played,), (better,) = named(board, "played"), named(board, "better")
    assert float(played.get("x", "")) < float(better.get("x", ""))
    assert "played 1; better 2" in board.get("aria-label", "")
    text = Page(page).text
    for told in ("Cell 1", "−31.0 points", "cell 2", "It keeps the opponent from four.", "turn 4"):
        assert told in text
    page = html(report(worst=[mistake(drawing=None, picture="1 < 2")]))
    assert "<pre>1 &lt; 2</pre>" in page
    assert not [each for each in Page(page).plots if each.get("class") == "board"]


def test_a_figure_or_part_that_is_none_is_refused_in_a_sentence(subtests: pytest.Subtests) -> None:
    tile = {"text": "", "label": "", "owner": None, "look": EVIL}
    evil = {"framed": True, "rows": [[tile]]}
    nonsense: list[tuple[str, Any]] = [
        *(("score", "high"), ("score", float("nan")), ("score", None)),
        *(("interval", [0.1]), ("counted", 10**400), ("games", 1.5)),
        *(("profile", {"kind": "opening"}), ("profile", [{"kind": 3}]), ("costs", {"much": 1})),
        *(("worst", [7]), ("worst", [mistake(drawing={"framed": 1, "rows": 3})])),
        *(("title", ["Quantum"]), ("worst", [mistake(drawing=evil)])),
    ]
    reports = {f"{name} {value}"[:40]: report(**{name: value}) for name, value in nonsense}
    reports |= {part: {**report(), part: "x"} for part in ("results", "seats", "seed")}
    for name, report_of_it in reports.items():
        with subtests.test(name), pytest.raises(Refusal) as refused:
            html(report_of_it)
        assert str(refused.value).replace("\n", "").isprintable()
