"""Sounds are made only where they are wanted; whole games are heard in `test_whole_games`."""

from __future__ import annotations

from playwright.sync_api import Locator, expect

from tests.page.conftest import Pair, SitsDown
from tests.page.house import House
from tests.page.people import Person
from tests.page.plays import NAMED, are_played, touches
from tests.page.test_whole_games import tones


def switch(person: Person) -> Locator:
    return person.page.get_by_role("button", name="Sound", exact=True)


def test_a_dial_clicks_as_it_is_turned(pair: Pair) -> None:
    play = NAMED["safecracker-duel"]
    people = ada, bob = pair(play.name)
    switch(ada).click()
    are_played(people, play.set_up)
    ada.is_asked()
    before = tones(ada)
    touches(ada, play.name, "1 3")
    assert tones(ada) == before + 2
    assert bob.page.evaluate("localStorage['strongroom.sound']") is None


def test_the_choice_is_remembered_and_taken_back(house: House, sits_down: SitsDown) -> None:
    ada = sits_down("Ada").opens(house.address)
    expect(switch(ada)).to_have_attribute("aria-pressed", "false")
    ada.page.get_by_role("button", name="Dark theme").focus()
    ada.page.keyboard.press("Tab")
    expect(switch(ada)).to_be_focused()
    ada.page.keyboard.press("Space")
    expect(switch(ada)).to_have_attribute("aria-pressed", "true")
    assert tones(ada) == 1
    ada.opens(house.arranges("quantum-duel", "random")[0])
    ada.page.reload()
    expect(switch(ada)).to_have_attribute("aria-pressed", "true")
    assert ada.page.evaluate("window.contexts") == 0
    touches(ada, "quantum-duel", "4")
    assert tones(ada) == 1
    switch(ada).click()
    expect(switch(ada)).to_have_attribute("aria-pressed", "false")
    touches(ada, "quantum-duel", "5")
    assert tones(ada) == 1
    ada.page.reload()
    expect(switch(ada)).to_have_attribute("aria-pressed", "false")


def test_a_browser_that_makes_no_sounds_has_no_switch(house: House, sits_down: SitsDown) -> None:
    ada = sits_down("Ada", locale="en-GB")
    ada.page.add_init_script("delete window.AudioContext")
    ada.opens(house.address)
    expect(ada.page.get_by_role("button", name="Dark theme")).to_be_visible()
    expect(switch(ada)).to_be_hidden()
