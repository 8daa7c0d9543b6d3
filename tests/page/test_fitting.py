"""Players, board, referee and actions fit every window, and nothing covers anything."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import ViewportSize, expect

from tests.page.conftest import SitsDown
from tests.page.fitting import FAULTS, SETTLED, SIZES, faults
from tests.page.house import House
from tests.page.plays import PLAYS, Play, chooses

PHONE, LOW = ViewportSize(width=390, height=844), ViewportSize(width=844, height=390)
TOO_SMALL = """() => [...document.querySelectorAll(".table :is(button, a, input)")]
    .filter((each) => each.checkVisibility({ visibilityProperty: true }) && !each.closest(".nine"))
    .map((each) => [each, each.getBoundingClientRect()])
    .filter(([, { width, height }]) => Math.min(width, height) < 44)
    .map(([{ ariaLabel, textContent }, { width, height }]) =>
        `${ariaLabel ?? textContent}: ${width} by ${height}`)"""
"""What a finger cannot hit; 81 numbers side by side are smaller on any phone."""

CONTRAST = """() => {
    const linear = (c) => c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
    const light = (which) => {
        const { backgroundColor } = getComputedStyle(document.querySelector(which));
        const parts = backgroundColor.match(/[0-9.]+/g).map((part) => linear(part / 255));
        const [red, green, blue] = parts;
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05;
    };
    const chosen = light("button.chosen.out");
    const out = light("button.out:not(.chosen, .guessed, .ring)");
    return Math.max(chosen, out) / Math.min(chosen, out);
}"""
"""How a chosen cell that is ruled out differs from another that is ruled out."""
FOCUSED = "(node) => node === document.activeElement"


@pytest.fixture
def motion() -> bool:
    """No motion: things are checked where they are at rest."""
    return False


@pytest.mark.parametrize("play", PLAYS, ids=lambda play: play.name)
def test_a_game_fits_every_window_and_stays_where_it_is(
    house: House, sits_down: SitsDown, play: Play
) -> None:
    people = [sits_down().opens(link) for link in house.arranges(play.name)]
    looked_at = {0, 1 if len(play.secrets[0]) > 1 else 0, len(play.moves) - 1}
    for number, (seat, move) in enumerate(play.moves):
        mover = people[seat - 1]
        mover.is_asked()
        if number in looked_at:
            chooses(mover, play.name, move)
            found = faults(mover.page)
            assert not found, "\n".join([f"move {number + 1}", *found])
        if number + 1 < len(play.moves):
            mover.moves(move)


def test_a_notice_covers_neither_names_nor_board_nor_result(
    house: House, sits_down: SitsDown
) -> None:
    ada = sits_down().opens(house.arranges("quantum-duel", "random")[0])
    ada.is_asked()
    ada.forgives()
    ada.context.set_offline(True)
    expect(ada.page.get_by_role("button", name="Try now")).to_be_visible()
    whole = "(node) => node.scrollHeight <= node.clientHeight"
    for size in SIZES:
        ada.page.set_viewport_size(size)
        ada.page.evaluate(SETTLED)
        assert ada.page.evaluate(FAULTS) == [], size
        assert ada.page.locator("#notice > *").evaluate(whole), size


def test_names_are_complete_in_a_rematch_with_a_clock(house: House, sits_down: SitsDown) -> None:
    links = house.arranges("safe-cracker", clock={"minutes": 10, "increment": 5})
    ada, bob = (sits_down().opens(link) for link in links)
    ada.moves("2-1-3")
    ada.presses("Resign")
    ada.page.get_by_role("dialog").get_by_role("button", name="Resign").click()
    ada.presses(re.compile("^Rematch"))
    bob.button.filter(has_text="To the rematch").click()
    bob.moves("1-1-1")
    ada.moves("2-2-2")
    expect(bob.player(1)).to_contain_text("won 1")
    for person in (ada, bob):
        for size in SIZES:
            person.page.set_viewport_size(size)
            cut = person.page.locator(".player b").evaluate_all(
                "(all) => all.filter((node) => node.scrollWidth > node.clientWidth).length"
            )
            assert cut == 0, size


@pytest.mark.parametrize("size", [PHONE, LOW, ViewportSize(width=1280, height=800)], ids=str)
def test_tab_scrolls_nothing_that_is_in_sight(
    house: House, sits_down: SitsDown, size: ViewportSize
) -> None:
    ada = sits_down(viewport=size).opens(house.arranges("safecracker-duel", "random")[0])
    ada.is_asked()
    chooses(ada, "safecracker-duel", "3-4-2")
    last = "More" if size == PHONE else "Resign"
    for _ in range(40):
        ada.page.keyboard.press("Tab")
        assert ada.page.evaluate("scrollY") == 0
        if ada.page.get_by_role("button", name=last).evaluate(FOCUSED):
            return
    pytest.fail("Tab does not reach the last button in sight")


@pytest.mark.parametrize("play", PLAYS, ids=lambda play: play.name)
def test_a_finger_hits_every_control(house: House, sits_down: SitsDown, play: Play) -> None:
    ada = sits_down(viewport=PHONE, has_touch=True).opens(house.arranges(play.name, "random")[0])
    for _, move in play.set_up[: len(play.secrets[0])]:
        ada.is_asked()
        assert ada.page.evaluate(TOO_SMALL) == []
        ada.moves(move)
    ada.is_asked()
    assert ada.page.evaluate(TOO_SMALL) == []


def test_a_chosen_cell_stands_out_from_those_that_are_ruled_out(
    house: House, sits_down: SitsDown
) -> None:
    links = house.arranges("digit-deductions", aids=True)
    ada, bob = (sits_down().opens(link) for link in links)
    for person, move in ((ada, "3-7"), (bob, "5-6"), (ada, "5-5"), (bob, "1-1")):
        person.moves(move)
    chooses(ada, "digit-deductions", "9-9")
    expect(ada.board.get_by_role("button", name="9-9, ruled out")).to_have_text("9-9")
    for theme in ("light", "dark"):
        ada.page.emulate_media(color_scheme=theme)
        assert ada.page.evaluate(CONTRAST) >= 3
    assert ada.board.locator("button.out:not(.chosen, .guessed)").all_inner_texts().count("") > 60
