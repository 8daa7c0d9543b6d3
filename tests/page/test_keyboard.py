"""The keyboard alone: from the lobby to the end of a game, with Tab, arrows, Enter and space."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, expect

from tests.page.conftest import Pair, SitsDown
from tests.page.house import House
from tests.page.people import Person
from tests.page.plays import NAMED, are_played, chooses

STOPS = 60
"""More tab stops than any page has."""


def reaches(person: Person, wanted: Locator, back: bool = False) -> None:
    """Press Tab until an element has the focus."""
    expect(wanted).to_be_visible()
    for _ in range(STOPS):
        if wanted.evaluate("(node) => node === document.activeElement"):
            return
        person.page.keyboard.press("Shift+Tab" if back else "Tab")
    pytest.fail(f"{STOPS} times Tab does not reach {wanted}")


def types(person: Person, *keys: str) -> None:
    for key in keys:
        person.page.keyboard.press(key)


def test_a_quantum_duel_is_played_to_the_rematch_with_arrows_and_enter(pair: Pair) -> None:
    ada, bob = pair("quantum-duel")
    for seat, move in NAMED["quantum-duel"].moves:
        person = (ada, bob)[seat - 1]
        person.is_asked()
        if move.isdigit():
            cells = person.board.get_by_role("grid").get_by_role("button")
            reaches(person, person.board.locator("[role=grid] button[tabindex='0']"))
            types(person, "Home", *["ArrowRight"] * (int(move) - 1))
            expect(cells.nth(int(move) - 1)).to_be_focused()
        else:
            reaches(person, person.board.get_by_role("button", name="Let it stand"))
        types(person, "Enter")
        expect(person.button).to_be_enabled()
        types(person, "Enter")
        person.is_done()
    reaches(ada, ada.page.get_by_role("button", name="See how it went"))
    types(ada, "Enter")
    slider = ada.page.get_by_role("slider", name="Moment of the game")
    expect(slider).to_be_enabled()
    reaches(ada, slider, back=True)
    types(ada, "Home")
    expect(slider).to_have_value("0")
    types(ada, "ArrowRight", "ArrowRight")
    expect(slider).to_have_value("2")
    reaches(ada, ada.page.get_by_role("button", name="How it ended"))
    types(ada, "Enter")
    reaches(ada, ada.fair)
    types(ada, "Enter")
    expect(ada.page.locator(".checks li")).to_have_count(7)
    types(ada, "Escape")
    reaches(ada, ada.page.get_by_role("button", name=re.compile("^Rematch")))
    types(ada, "Enter")
    expect(ada.player(2)).to_contain_text("Ada")


def test_at_the_end_the_focus_moves_to_the_result_unless_it_is_in_use(
    house: House, pair: Pair, sits_down: SitsDown
) -> None:
    """The table's own button for the rules is gone at the end."""
    ada, bob = pair("safe-cracker")
    cy = sits_down("Cy").opens(f"{house.address}#watch/{ada.page.url.split('/')[-2]}")
    are_played((ada, bob), NAMED["safe-cracker"].moves[:-1])
    reaches(bob, bob.page.get_by_role("button", name="Rules"))
    reaches(cy, cy.page.get_by_role("button", name="Dark theme"))
    ada.is_asked()
    reaches(ada, ada.board.get_by_role("spinbutton", name="Digit 1"))
    types(ada, "3", "3", "1", "Enter")
    for person, focused in ((ada, ".board-place"), (bob, ".board-place"), (cy, ".theme")):
        person.has_ended()
        expect(person.page.locator(focused)).to_be_focused()
    ada.presses("See how it went")
    expect(ada.page.get_by_role("heading", name="How it went")).to_be_focused()
    ada.presses("How it ended")
    expect(ada.page.locator(".board-place")).to_be_focused()


def test_digits_are_typed_escape_undoes_them_and_the_main_button_gives_the_focus_back(
    ada_plays: SitsDown, house: House
) -> None:
    ada = ada_plays("safecracker-duel")
    reaches(ada, ada.board.get_by_role("spinbutton", name="Dial 1"))
    ada.page.keyboard.type("342")
    expect(ada.button).to_have_text("Hide 3-4-2")
    types(ada, "ArrowUp", "ArrowUp", "ArrowDown", "Tab")
    expect(ada.button).to_have_text("Hide 3-4-3")
    ada.opens(house.arranges("digit-deductions", "random")[0]).is_asked()
    reaches(ada, ada.board.locator("[role=grid] button[tabindex='0']"))
    types(ada, "3", "7")
    expect(ada.board.get_by_role("button", name="3-7", exact=True)).to_be_focused()
    types(ada, "Enter")
    expect(ada.button).to_have_text("Hide 3-7")
    types(ada, "Escape")
    expect(ada.button).to_be_disabled()
    types(ada, "Enter")
    reaches(ada, ada.button)
    types(ada, "Enter")
    ada.is_done()
    expect(ada.board.get_by_role("button", name=re.compile("^3-7"))).to_be_focused()
    ada.is_asked()
    reaches(ada, ada.board.locator("[role=grid] button[tabindex='0']"))
    types(ada, "5", "5", "Enter", "Enter")
    ada.is_done()
    assert ada.moves_sent == ["3-7", "5-5"]


def test_the_first_tab_stop_skips_to_the_content_pages_begin_at_their_heading_and_dialogs_hold(
    house: House, ada: Person
) -> None:
    """A dialog keeps the focus, and gives it back; Escape in a menu takes nothing back."""
    types(ada, "Tab", "Enter")
    expect(ada.page.locator("#main")).to_be_focused()
    reaches(ada, ada.page.get_by_role("link", name="Play a friend at Quantum Duel"))
    types(ada, "Enter")
    heading = ada.page.get_by_role("heading", level=1, name="Quantum Duel")
    expect(heading).to_be_focused()
    for chosen, below in (
        ("Somebody you send a link", "Anyone in the lobby"),
        ("A toss decides", "I do"),
    ):  # a group of radio buttons is one tab stop, and arrows choose
        reaches(ada, ada.page.get_by_role("radio", name=chosen))
        types(ada, "ArrowDown")
        expect(ada.page.get_by_role("radio", name=below)).to_be_checked()
    reaches(ada, ada.page.get_by_label("Your name"), back=True)
    ada.page.keyboard.type(ada.name)
    reaches(ada, ada.page.get_by_role("button", name="Start"))
    types(ada, "Enter")
    expect(ada.page.get_by_text("Waiting in the lobby")).to_be_visible()
    ada.opens(house.arranges("quantum-duel", "random")[0]).is_asked()
    rules = ada.page.get_by_role("button", name="Rules")
    reaches(ada, rules)
    types(ada, "Enter")
    dialog = ada.page.get_by_role("dialog")
    expect(dialog).to_be_visible()
    for _ in range(5):
        types(ada, "Tab")
        inside = "document.activeElement === document.body || !!document.activeElement.closest"
        assert ada.page.evaluate(f"{inside}('dialog')")
    types(ada, "Escape")
    expect(dialog).to_have_count(0)
    expect(rules).to_be_focused()
    ada.page.set_viewport_size({"width": 390, "height": 844})
    chooses(ada, "quantum-duel", "3")
    more = ada.page.get_by_role("button", name="More", exact=True)
    more.click()
    expect(ada.page.get_by_role("button", name="Resign")).to_be_visible()
    ada.page.keyboard.press("Escape")
    expect(more).to_have_attribute("aria-expanded", "false")
    expect(ada.page.get_by_role("button", name="Resign")).to_be_hidden()
    expect(ada.button).to_have_text("Observe cell 3")
    more.click()
    ada.page.locator(".menu").click()
    expect(ada.page.locator("#nav")).to_be_visible()
