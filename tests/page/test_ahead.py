"""Choosing a secret before its turn: kept in the browser, sent when it is asked for."""

from __future__ import annotations

import json

import pytest
from playwright.sync_api import expect
from starting import PATIENCE

from strongroom.games.safe_code.clues import EVERY, Clue
from strongroom.plugins.registry import load
from tests.page.conftest import USUAL, Pair, SitsDown
from tests.page.house import House
from tests.page.people import Person
from tests.page.plays import NAMED, chooses, plays, touches

KEPT = "Kept here; it is sent as soon as it is your turn."
PARTLY = "Kept here. Choose on; all of it is sent as soon as it is your turn."
OPEN = "You may choose your own number already."
DIGITS = "digit-deductions"


def keeps(person: Person, game: str, secret: str, told: str = KEPT) -> None:
    """Choose a secret before its turn, and confirm it."""
    touches(person, game, secret)
    person.button.click()
    expect(person.means).to_have_text(told)


def keeps_a_clue(person: Person, number: int) -> str:
    """Choose the first clue that is offered, and confirm it; return it."""
    expect(person.board.locator(".caption")).to_contain_text(f"Clue {number} of 3")
    offered = person.board.locator(".offers button").first
    text = offered.text_content()
    assert text
    offered.click()
    person.presses(f"Write clue {number}")
    expect(person.means).to_have_text(KEPT if number == 3 else PARTLY)
    return text


def has_sent_nothing(person: Person) -> bool:
    """Whether neither a move nor words to be read were sent."""
    return not any(json.loads(frame)["type"] in ("move", "read") for frame in person.sent)


@pytest.mark.parametrize("game", [name for name, play in NAMED.items() if play.secrets[0]])
def test_a_secret_chosen_early_is_sent_when_its_turn_comes(pair: Pair, game: str) -> None:
    first, (secret, *clues) = NAMED[game].secrets
    ada, bob = pair(game)
    ada.is_asked()
    keeps(bob, game, secret, PARTLY if clues else KEPT)
    chosen = [secret, *(keeps_a_clue(bob, number) for number, _ in enumerate(clues, 1))]
    expect(bob.button).to_have_text("Chosen")
    assert KEPT in bob.heard
    before = len(ada.frames)
    assert has_sent_nothing(bob)
    posted = [request.post_data for request in bob.requests if request.post_data]
    assert not any(text in data for text in chosen for data in posted)
    ada.makes(*first)
    ada.is_asked()
    bob.page.wait_for_function("!JSON.parse(localStorage['strongroom.games'])[0].ahead")
    assert bob.moves_sent == chosen
    entries = [json.loads(frame) for frame in ada.frames[before:]]
    steps = [entry for frame in entries for entry in frame.get("entries", ())]
    assert [step["seat"] for step in steps] == [1] * len(first) + [2] * len(chosen)
    assert all(step["move"] is None for step in steps if step["seat"] == 2)
    kept = bob.page.evaluate("JSON.parse(localStorage['strongroom.games'])[0]")
    assert "ahead" not in kept


def test_clues_chosen_early_are_taken_back_one_by_one_and_the_rest_written_in_turn(
    pair: Pair,
) -> None:
    game = "safe-code"
    ada, bob = pair(game)
    ada.is_asked()
    keeps(bob, game, "7", PARTLY)
    for number in (1, 2, 3):
        keeps_a_clue(bob, number)
    bob.page.reload()
    expect(bob.means).to_have_text(KEPT)
    for number in (3, 2, 1):
        bob.presses("Undo")
        expect(bob.board.locator(".caption")).to_contain_text(f"Clue {number} of 3")
        expect(bob.means).to_have_text(PARTLY)
    bob.presses("Undo")
    expect(bob.means).to_have_text(OPEN)
    keeps(bob, game, "7", PARTLY)
    clue = keeps_a_clue(bob, 1)
    expect(bob.board.get_by_label("Or in your own words")).to_be_hidden()
    assert has_sent_nothing(bob)
    ada.makes(*NAMED[game].secrets[0])
    expect(bob.board.locator(".caption")).to_contain_text("Clue 2 of 3")
    expect(bob.board.get_by_label("Or in your own words")).to_be_visible()
    for _ in range(int(20 * PATIENCE)):  # the clue follows as soon as the number is accepted
        if len(bob.moves_sent) == 2:
            break
        bob.page.wait_for_timeout(50)
    assert bob.moves_sent == ["7", clue]
    bob.is_asked()
    offered = load(game).move(clue)
    assert isinstance(offered, Clue)
    others = [number for number in (28, 29, 30) if offered.meaning != EVERY - {number}]
    for number in others[:2]:  # the page offers clues at random, perhaps one of these
        plays(bob, game, f"not equal to {number}")
    ada.is_asked()


def test_a_kept_secret_is_changed_and_taken_back_in_any_tab_and_outlives_a_reload_and_the_page(
    house: House, pair: Pair
) -> None:
    """What is only touched when the turn comes is still chosen, and not sent."""
    ada, bob = pair(DIGITS)
    ada.is_asked()
    keeps(bob, DIGITS, "5-6")
    bob.page.reload()
    expect(bob.means).to_have_text(KEPT)
    touches(bob, DIGITS, "6-5")
    expect(bob.button).to_have_text("Hide 6-5")
    bob.button.click()
    expect(bob.means).to_have_text(KEPT)
    expect(bob.button).to_have_text("Chosen")
    again = bob.beside("Bob", USUAL).opens(bob.page.url)
    expect(again.button).to_have_text("Chosen")
    again.presses("Undo")
    expect(again.means).to_have_text(OPEN)
    bob.presses("Play here")
    expect(bob.button).to_have_text("Hide 6-5")
    ada.moves("3-7")
    bob.is_asked()
    assert has_sent_nothing(bob)
    assert again.moves_sent == []
    expect(bob.button).to_have_text("Hide 6-5")
    bob.sends()
    ada.is_asked()

    ada, bob = pair(DIGITS)
    ada.is_asked()
    keeps(bob, DIGITS, "5-6")
    bob.presses("Undo")
    expect(bob.means).to_have_text(OPEN)
    keeps(bob, DIGITS, "7-7")
    seat = bob.page.url
    bob.opens(house.address)
    assert has_sent_nothing(bob)
    ada.moves("3-7")
    bob.opens(seat)
    ada.is_asked()
    assert bob.moves_sent == ["7-7"]


def test_two_seats_in_one_browser_do_not_share_a_kept_secret(
    house: House, sits_down: SitsDown
) -> None:
    links = house.arranges(DIGITS)
    both = sits_down("Both").opens(links[1])
    sits_down("Ada").opens(links[0])
    keeps(both, DIGITS, "5-6")
    both.opens(links[0])
    chooses(both, DIGITS, "3-7")
    assert has_sent_nothing(both)
    both.sends()
    both.opens(links[1])
    both.page.wait_for_function(
        "() => document.querySelector('strongroom-table')?.link.table.view?.setting_up === false"
    )
    assert both.moves_sent == ["3-7", "5-6"]
