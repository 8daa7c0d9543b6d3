"""Sounds: none before they are wanted, then for what everybody sees, and remembered."""

from __future__ import annotations

import pytest
from playwright.sync_api import Locator, expect

from tests.page.conftest import SitsDown
from tests.page.house import House
from tests.page.people import Person
from tests.page.plays import NAMED, PLAYS, Play, plays, touches

COUNTED = """
    window.tones = 0;
    window.contexts = 0;
    const { start } = OscillatorNode.prototype;
    OscillatorNode.prototype.start = function (...given) {
        window.tones += 1;
        return start.apply(this, given);
    };
    window.AudioContext = class extends AudioContext {
        constructor(...given) {
            super(...given);
            window.contexts += 1;
        }
    };
"""
"""Counts the audio contexts and the tones of a page."""


@pytest.fixture
def motion() -> bool:
    """No motion: sounds do not depend on it."""
    return False


def listens(person: Person) -> Person:
    """Count what is heard from the next page on."""
    person.page.add_init_script(COUNTED)
    return person


def heard(person: Person) -> int:
    """How many tones were started since the page was loaded."""
    assert person.page.evaluate("window.contexts") <= 1
    return int(person.page.evaluate("window.tones"))


def switch(person: Person) -> Locator:
    return person.page.get_by_role("button", name="Sound", exact=True)


def turns_it_on(person: Person) -> None:
    switch(person).click()
    expect(switch(person)).to_have_attribute("aria-pressed", "true")


def pair(house: House, sits_down: SitsDown, game: str) -> tuple[Person, Person]:
    """Two people at a new game, of whom the first listens."""
    links = house.arranges(game)
    ada = listens(sits_down("Ada", locale="en-GB")).opens(links[0])
    return ada, sits_down("Bob").opens(links[1])


@pytest.mark.parametrize("play", PLAYS, ids=lambda play: play.name)
def test_a_whole_game_is_silent_until_sounds_are_wanted(
    house: House, sits_down: SitsDown, play: Play
) -> None:
    people = pair(house, sits_down, play.name)
    for seat, move in play.moves:
        plays(people[seat - 1], play.name, move)
    people[0].has_ended()
    assert people[0].page.evaluate("[window.contexts, window.tones]") == [0, 0]


@pytest.mark.parametrize("play", PLAYS, ids=lambda play: play.name)
def test_each_step_that_both_see_and_the_end_are_heard(
    house: House, sits_down: SitsDown, play: Play
) -> None:
    people = ada, _ = pair(house, sits_down, play.name)
    turns_it_on(ada)
    for seat, move in play.set_up:
        plays(people[seat - 1], play.name, move)
    people[play.turns[0][0] - 1].is_asked()
    assert heard(ada) == 1  # the switch itself: what is hidden makes no sound
    for seat, move in play.turns:
        before = heard(ada)
        plays(people[seat - 1], play.name, move)
        ada.page.wait_for_function("(before) => window.tones > before", arg=before)
    before = heard(ada)
    ada.has_ended()
    ada.page.wait_for_function("(before) => window.tones >= before", arg=before)


def test_a_dial_clicks_as_it_is_turned_but_not_while_a_secret_is_chosen(
    house: House, sits_down: SitsDown
) -> None:
    play = NAMED["safecracker-duel"]
    people = ada, bob = pair(house, sits_down, play.name)
    turns_it_on(ada)
    for seat, move in play.set_up:
        plays(people[seat - 1], play.name, move)
    ada.is_asked()
    before = heard(ada)
    touches(ada, play.name, "1 3")
    assert heard(ada) == before + 2
    assert bob.page.evaluate("localStorage['strongroom.sound']") is None


def test_the_coin_is_heard(house: House, sits_down: SitsDown) -> None:
    people = ada, _ = pair(house, sits_down, "quantum-duel")
    turns_it_on(ada)
    for seat, move in ((1, "1"), (2, "7"), (1, "2")):
        plays(people[seat - 1], "quantum-duel", move)
    before = heard(ada)
    plays(people[1], "quantum-duel", "yes")
    ada.page.wait_for_function("(before) => window.tones >= before + 3", arg=before)


def test_the_choice_is_remembered_and_taken_back(house: House, sits_down: SitsDown) -> None:
    ada = listens(sits_down("Ada", locale="en-GB")).opens(house.address)
    expect(switch(ada)).to_have_attribute("aria-pressed", "false")
    turns_it_on(ada)
    assert heard(ada) == 1
    ada.opens(house.arranges("quantum-duel", "random")[0])
    ada.page.reload()
    expect(switch(ada)).to_have_attribute("aria-pressed", "true")
    assert ada.page.evaluate("window.contexts") == 0
    touches(ada, "quantum-duel", "4")
    assert heard(ada) == 1
    switch(ada).click()
    expect(switch(ada)).to_have_attribute("aria-pressed", "false")
    touches(ada, "quantum-duel", "5")
    assert heard(ada) == 1
    ada.page.reload()
    expect(switch(ada)).to_have_attribute("aria-pressed", "false")


def test_a_keyboard_reaches_the_switch(house: House, sits_down: SitsDown) -> None:
    ada = sits_down().opens(house.address)
    ada.page.get_by_role("button", name="Dark theme").focus()
    ada.page.keyboard.press("Tab")
    expect(switch(ada)).to_be_focused()
    ada.page.keyboard.press("Space")
    expect(switch(ada)).to_have_attribute("aria-pressed", "true")


@pytest.mark.parametrize("size", [(390, 844), (844, 390), (1280, 800)], ids=str)
def test_a_finger_reaches_the_switch(
    house: House, sits_down: SitsDown, size: tuple[int, int]
) -> None:
    ada = sits_down(viewport={"width": size[0], "height": size[1]}).opens(house.address)
    if not switch(ada).is_visible():
        ada.presses("Menu")
    box = switch(ada).bounding_box()
    assert box
    assert min(box["width"], box["height"]) >= 44


def test_a_browser_that_makes_no_sounds_has_no_switch(house: House, sits_down: SitsDown) -> None:
    ada = sits_down("Ada", locale="en-GB")
    ada.page.add_init_script("delete window.AudioContext")
    ada.opens(house.address)
    expect(ada.page.get_by_role("button", name="Dark theme")).to_be_visible()
    expect(switch(ada)).to_be_hidden()
