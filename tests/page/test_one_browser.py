"""Two people who share one browser, and what a browser has kept: nobody gets another's seat."""

from __future__ import annotations

import json
import re

import pytest
from playwright.sync_api import expect

from tests.page.conftest import USUAL, SitsDown
from tests.page.house import House
from tests.page.people import Person
from tests.page.plays import touches

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
        taken_back = False
        while not taken_back:
            with ada.page.expect_response("**/withdraw") as told:
                ada.presses("Take it back")
            taken_back = told.value.ok
            ada.page.wait_for_timeout(500)
        expect(asked).to_be_hidden()


def test_a_secret_that_was_taken_back_in_another_tab_is_not_kept_in_this_one(
    house: House, sits_down: SitsDown
) -> None:
    links = house.arranges("digit-deductions")
    bob, ada = sits_down("Bob").opens(links[1]), sits_down("Ada").opens(links[0])
    ada.is_asked()
    touches(bob, "digit-deductions", "5-6")
    bob.button.click()
    expect(bob.button).to_have_text("Chosen")
    again = beside(bob, "Bob").opens(links[1])
    expect(again.button).to_have_text("Chosen")
    again.presses("Undo")
    expect(again.means).to_have_text("You may choose your own number already.")
    bob.presses("Play here")
    expect(bob.button).to_have_text("Hide 5-6")
    ada.moves("3-7")
    bob.is_asked()
    assert not any(json.loads(frame)["type"] == "move" for frame in [*bob.sent, *again.sent])


@pytest.mark.parametrize(
    "kept",
    [
        {"games": {"a": 1}, "name": 7, "lessons": []},
        {"games": [None, 7, "x", [], {}], "name": ["Ada"], "lessons": "x"},
        {"games": "x", "name": {}, "lessons": None, "theme": {}},
    ],
)
def test_what_a_browser_kept_damaged_counts_as_nothing(
    house: House, sits_down: SitsDown, kept: dict[str, object]
) -> None:
    ada = sits_down("Ada").opens(house.address)
    for key, value in kept.items():
        ada.page.evaluate(
            "([key, value]) => (localStorage[`strongroom.${key}`] = value)",
            [key, json.dumps(value)],
        )
    ada.page.reload()
    expect(ada.page.locator("#waiting")).not_to_have_text("Looking for games …")
    ada.presses("Play a bot at Digit Deductions", "link")
    ada.page.get_by_role("button", name="Skip").click()
    ada.is_asked()


@pytest.mark.parametrize("name", ["You", "Casual", "\u3164"])
def test_a_name_that_is_refused_does_not_keep_anybody_from_a_bot(
    house: House, sits_down: SitsDown, name: str
) -> None:
    ada = sits_down("Ada").opens(house.address)
    ada.forgives("status of 422")
    ada.page.evaluate("(name) => (localStorage['strongroom.name'] = JSON.stringify(name))", name)
    for _ in range(2):
        ada.opens(house.address)
        ada.presses("Play a bot at Digit Deductions", "link")
        ada.is_asked()
        expect(ada.player(1)).to_contain_text("You")
    assert ada.page.evaluate("JSON.parse(localStorage['strongroom.games']).length") == 1


@pytest.mark.parametrize("level", ["lobby", "link", "nobody"])
def test_a_link_to_a_bot_makes_no_game_for_anybody_else(
    house: House, sits_down: SitsDown, level: str
) -> None:
    ada = sits_down("Ada").opens(f"{house.address}#bot/safe-code/{level}")
    expect(ada.page.get_by_role("heading", name="This page did not open")).to_be_visible()
    expect(ada.page.locator("#stage")).to_contain_text("No bot of that name plays Safe Code.")
    assert house.asked("/api/games?show=waiting")["games"] == []


def test_a_name_with_signs_stands_in_a_lesson_as_it_is(house: House, sits_down: SitsDown) -> None:
    links = house.arranges("safe-cracker", name="$& $` $$")
    bob = sits_down("Bob").is_new(house.address).opens(links[1])
    sits_down("Ada").opens(links[0])
    expect(bob.page.locator(".lesson")).to_contain_text("$& $` $$ tries to find it")
