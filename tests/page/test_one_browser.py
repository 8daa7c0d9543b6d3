"""Two people who share one browser, and what a browser has kept: nobody gets another's seat."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.page.conftest import USUAL, SitsDown
from tests.page.house import House
from tests.page.people import Person

SEAT = "() => document.querySelector('strongroom-table')?.link.table.seat"


@pytest.fixture
def motion() -> bool:
    """No motion: nothing here depends on it."""
    return False


def beside(person: Person, name: str) -> Person:
    """Somebody in another tab of the same browser."""
    other = Person(person.context).arrives(name, USUAL, motion=False)
    other.troubles = person.troubles
    return other


def resigns(person: Person) -> None:
    person.presses("Resign")
    person.page.get_by_role("dialog").get_by_role("button", name="Resign").click()


def test_two_players_in_one_browser_keep_their_own_seats_in_a_rematch(
    house: House, sits_down: SitsDown
) -> None:
    links = house.arranges("digit-deductions")
    ada = sits_down("Ada").opens(links[0])
    bob = beside(ada, "Bob").opens(links[1])
    ada.is_asked()
    resigns(ada)
    ada.presses(re.compile("^Rematch"))
    ada.page.wait_for_function(f"{SEAT} === 2")
    expect(bob.page.locator("#notice")).to_contain_text("Ada wants a rematch.")
    bob.button.click()
    bob.page.wait_for_function(f"{SEAT} === 1")
    bob.is_asked()
    expect(ada.large).to_have_text("Bob chooses in secret")
    expect(ada.page.locator("#notice")).to_be_empty()


def test_a_rematch_that_was_taken_back_can_be_asked_for_again(
    own_house: House, sits_down: SitsDown
) -> None:
    links = own_house.arranges("digit-deductions")
    ada, bob = sits_down("Ada").opens(links[0]), sits_down("Bob").opens(links[1])
    ada.forgives("status of 409")  # it cannot be taken back at once
    ada.is_asked()
    resigns(ada)
    expect(bob.button).to_have_text(re.compile("^Rematch"))
    bob.opens("about:blank")
    for _ in range(2):
        ada.opens(links[0])
        ada.presses(re.compile("^Rematch"))
        asked = ada.page.get_by_role("heading", name="Bob is asked for a rematch")
        expect(asked).to_be_visible()
        while asked.is_visible():
            ada.presses("Take it back")
            ada.page.wait_for_timeout(500)
