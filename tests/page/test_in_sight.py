"""What is needed first is in sight in every window, and nothing is cut off that has room."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import ViewportSize, expect

from tests.page.conftest import IN_EACH_TYPEFACE, SitsDown
from tests.page.house import House

pytestmark = IN_EACH_TYPEFACE
SMALL, PHONE = ViewportSize(width=320, height=640), ViewportSize(width=390, height=844)
PHONES = pytest.mark.parametrize("size", [SMALL, PHONE], ids=["320", "390"])
TOUCHABLE = """(node) => {
    const { left, top, width, height } = node.getBoundingClientRect();
    return node.contains(document.elementFromPoint(left + width / 2, top + height / 2));
}"""
"""Whether the middle of an element is in the window and not covered."""


@pytest.fixture
def motion() -> bool:
    """No motion: things are checked where they are at rest."""
    return False


@PHONES
@pytest.mark.parametrize("who", ["", "/link"])
def test_the_form_of_a_new_game_shows_its_name_field_at_once(
    house: House, sits_down: SitsDown, size: ViewportSize, who: str
) -> None:
    ada = sits_down(viewport=size).opens(f"{house.address}#new/safe-code{who}")
    start = ada.page.get_by_role("button", name="Start")
    expect(start).to_be_visible()
    for each in (ada.page.get_by_label("Your name"), start):
        assert each.evaluate(TOUCHABLE)
    lid = start.locator("..")
    assert lid.evaluate("(node) => getComputedStyle(node).borderTopWidth") == "1px"
    assert lid.evaluate("(node) => node.offsetWidth === node.parentNode.clientWidth")


@PHONES
def test_a_list_of_own_games_leaves_the_five_games_visible(
    house: House, sits_down: SitsDown, size: ViewportSize
) -> None:
    ada = sits_down(viewport=size)
    links = [house.arranges(game, "random")[0] for game in ("safe-cracker", "safe-code") * 2]
    for link in links:
        ada.opens(link)
        ada.is_asked()
    ada.presses("Resign")
    ada.page.get_by_role("dialog").get_by_role("button", name="Resign").click()
    expect(ada.pill).to_have_text("Random won")
    ada.opens(links[2])
    ada.is_asked()
    for _ in range(2):  # looking at them does not change their order
        ada.opens(f"{house.address}#")
        shown = ada.page.locator("#own li")
        expect(shown).to_have_count(len(links))
        going = ada.page.get_by_role("link", name="Go on: Safe Cracker")
        expect(going).to_have_attribute("href", "#" + links[2].partition("#")[2])
        assert ada.page.get_by_role("heading", name="Safecracker Duel").evaluate(TOUCHABLE)
        ada.page.reload()
    while ada.page.locator("#own details").get_attribute("open") is None:
        ada.page.locator("#own summary").press("Enter")  # again, if the list was just refilled
    expect(ada.page.get_by_role("link", name="Look at it: Safe Code")).to_be_visible()
    ada.page.get_by_role("button", name="Forget this game of Safe Code").last.click()
    expect(shown).to_have_count(len(links) - 1)
    expect(shown.last).to_be_visible()


@PHONES
def test_the_drawing_in_the_rules_is_complete(
    house: House, sits_down: SitsDown, size: ViewportSize
) -> None:
    ada = sits_down(viewport=size).opens(f"{house.address}#rules/quantum-duel")
    fits = "(node) => node.scrollWidth <= node.clientWidth"
    assert ada.page.locator("#stage pre").first.evaluate(fits)
    ada.opens(house.arranges("quantum-duel", "random")[0])
    ada.is_asked()
    ada.presses("Rules")
    assert ada.page.locator("dialog pre").first.evaluate(fits)


def test_a_hint_is_shown_where_it_is_visible_and_nowhere_else(
    house: House, sits_down: SitsDown
) -> None:
    for size in (SMALL, ViewportSize(width=1100, height=800)):
        (link,) = house.arranges("safe-cracker", "random")
        ada = sits_down(viewport=size).opens(link)
        ada.moves("2-1-3")
        ada.is_asked()
        ada.presses("Hint")
        hint = ada.page.get_by_text(re.compile(r"^Try \d-\d-\d.*: it .*\.$")).and_(ada.means)
        expect(hint).to_have_count(1)
        assert hint.evaluate(TOUCHABLE)
        ada.presses("Digit 1 up")
        expect(ada.button).to_have_text("Guess 2-1-1")
        assert hint.evaluate(TOUCHABLE)  # it can still be followed


@pytest.mark.parametrize("width", [700, 1000, 1100])
def test_a_short_name_is_complete_and_not_covered(
    house: House, sits_down: SitsDown, width: int
) -> None:
    whole = "(node) => node.scrollWidth <= node.clientWidth"
    ada = sits_down("Ada", viewport={"width": width, "height": 800})
    ada.makes_a_game(house.address, "Digit Deductions", "Somebody you send a link")
    expect(ada.page.get_by_text("Send this link")).to_be_visible()
    assert ada.player(1).locator("b").evaluate(whole)
    sits_down("Bob").accepts(ada.invitation)
    ada.moves("3-7")
    expect(ada.pill).to_have_text("Bob chooses in secret")
    for each in (ada.player(1).locator("b"), ada.page.locator(".lid"), ada.pill):
        assert each.evaluate(whole)
        assert each.evaluate(TOUCHABLE)
    lid, pill = ada.page.locator(".lid").bounding_box(), ada.pill.bounding_box()
    assert lid
    assert pill
    assert lid["x"] + lid["width"] <= pill["x"] or lid["y"] + lid["height"] <= pill["y"]


@PHONES
def test_the_clues_of_safe_code_scroll_inside_their_own_place(
    house: House, sits_down: SitsDown, size: ViewportSize
) -> None:
    links = house.arranges("safe-code")
    ada, bob = (sits_down(viewport=size).opens(link) for link in links)
    for person, secret in ((ada, "18"), (bob, "24")):
        for move in (secret, "even", "divisible by 3", "greater than 10"):
            person.moves(move)
    for person in (ada, bob) * 3:
        person.moves("clue")
    ada.is_asked()
    last = ada.board.locator(".pin").last
    ada.board.get_by_role("region", name="Clues").focus()
    ada.page.keyboard.press("End")
    ada.page.wait_for_function(
        "() => { const { scrollTop, clientHeight, scrollHeight } = document.querySelector('.pins');"
        " return scrollTop + clientHeight >= scrollHeight - 1; }"
    )
    assert last.evaluate(TOUCHABLE)
    assert ada.page.evaluate("scrollY") == 0
