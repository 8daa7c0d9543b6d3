"""A first game: it begins at once, a card a turn teaches it, and hints and rules help."""

from __future__ import annotations

import json
import re

import pytest
from playwright.sync_api import Locator, expect

from tests.page.conftest import Pair, SitsDown
from tests.page.fitting import LOOKS, window, windows
from tests.page.house import House
from tests.page.people import Person
from tests.page.plays import NAMED, PLAYS, Play, plays

SIZES = [window(*size) for size in ((320, 480), (390, 844), (844, 390), (1280, 800), (1920, 1080))]
PHONE = SIZES[1]
MEETS = """() => {
    const card = document.querySelector(".lesson").getBoundingClientRect();
    const small = innerWidth < innerHeight && innerHeight <= 560; // in the referee's room
    const others = [".top", ".players", ".board", ".actions", ...(small ? [] : [".referee"])];
    const { left, top, right, bottom } = card;
    const inside = left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight;
    return others.filter((each) => {
        const other = document.querySelector(each).getBoundingClientRect();
        return !(right <= other.left || other.right <= left
            || bottom <= other.top || other.bottom <= top);
    }).concat(inside ? [] : ["the edge of the window"]);
}"""
"""What the card of a lesson overlaps."""


def card(person: Person) -> Locator:
    return person.page.get_by_role("region", name="First game")


def begins(person: Person, house: House, play: Play) -> Person:
    """Start a first game against a bot."""
    person.is_new(house.address).presses(f"Play a bot at {play.title}", "link")
    person.is_asked()
    return person


def test_one_press_starts_a_game_or_opens_it_again_and_bot_and_name_are_changed_inside_it(
    house: House, ada: Person
) -> None:
    links = []
    for _ in range(2):
        ada.presses("Play a bot at Quantum Duel", "link")
        ada.is_asked()
        expect(ada.player(1)).to_contain_text("You")
        expect(ada.player(2)).to_contain_text("Casual")
        links.append(ada.page.url)
        ada.opens(f"{house.address}#")
        expect(ada.page.locator("#own")).to_be_hidden()  # nothing was played
    ada.presses("Play a bot at Quantum Duel", "link")
    ada.is_asked()
    ada.resigns()
    ada.has_ended()
    ada.opens(f"{house.address}#").presses("Play a bot at Quantum Duel", "link")
    ada.is_asked()
    assert len(set(links)) == 1
    assert ada.page.url not in links
    plays(ada, "quantum-duel", "4")
    ada.opens(f"{house.address}#")
    expect(ada.page.locator("#own")).to_contain_text("against Casual")
    ada.presses("Play a bot at Safe Cracker", "link")
    ada.is_asked()
    ada.presses("Another bot")
    ada.presses("More choices", "link")
    ada.presses("Start")
    expect(ada.page.get_by_role("dialog")).to_have_count(0)
    ada.is_asked()
    ada.presses("Another bot")
    ada.page.get_by_label("Your name").fill("Ada")
    ada.page.get_by_role("radio", name="Expert").check()
    ada.presses("Start a new game")
    expect(ada.player(2)).to_contain_text("Expert")
    expect(ada.player(1)).to_contain_text("Ada")
    ada.opens(f"{house.address}#").presses("Play a bot at Safe Code", "link")
    expect(ada.player(1)).to_contain_text("Ada")
    ada.page.go_back()
    expect(ada.page.locator("#lobby h1")).to_be_visible()


@pytest.mark.parametrize("play", PLAYS, ids=lambda play: play.name)
def test_a_card_has_a_room_of_its_own_and_a_hint_marks_its_moves_on_the_board(
    house: House, sits_down: SitsDown, play: Play
) -> None:
    ada = begins(sits_down(), house, play)
    expect(card(ada)).to_contain_text(re.compile("First game: 1 of [34]"))
    expect(ada.board.locator("[data-ringed]")).to_have_count(1)
    for where in windows(ada.page, *SIZES, looks=LOOKS[1:]):
        assert ada.page.evaluate(MEETS) == [], where
    ada.makes(*play.secrets[0])
    ada.is_asked()
    ada.presses("Hint")
    marked = ada.board.locator("[data-hinted]")
    expect(marked.first).to_be_visible()
    frames = map(json.loads, reversed(ada.frames))
    told = next(frame for frame in frames if frame["type"] == "hint")
    expect(ada.means).to_have_text(told["plain"])
    if play is PLAYS[0]:
        assert re.match(r"Try .*: \D+\.$", told["plain"])  # no figures
        assert "% to win" in told["text"]
    assert f"Hint: {told['plain']}" in ada.heard
    ada.page.set_viewport_size(SIZES[0])  # where the hint is read instead of the card
    expect(ada.means).to_be_visible()
    expect(card(ada)).to_be_hidden()
    ada.page.set_viewport_size(SIZES[-1])
    ada.presses("Why?")
    expect(ada.page.locator("dialog .hint")).to_have_text(told["text"])
    ada.presses("Back to the game")
    ada.moves(told["moves"][0])
    expect(marked).to_have_count(0)


def test_each_turn_has_its_card_in_a_room_that_is_kept_until_the_last(
    house: House, sits_down: SitsDown
) -> None:
    ada = begins(sits_down(viewport=PHONE), house, NAMED["safe-cracker"])
    before = ada.board.bounding_box()
    for number, move in enumerate(("2-1-3", "1-1-1", "1-2-1"), 1):
        ada.is_asked()
        assert ada.board.bounding_box() == before
        expect(card(ada)).to_contain_text(f"First game: {number} of 3")
        title = card(ada).get_by_role("heading").text_content()
        assert title
        assert title in ada.heard
        assert ("Look at the pegs" in title) == (number == 3)
        ada.board.get_by_role("button", name="Digit 1 up").click()
        expect(ada.button).to_have_attribute("data-ringed", "")
        plays(ada, "safe-cracker", move)
    ada.is_asked()
    expect(ada.page.locator(".lesson")).to_have_count(0)


def test_skipped_cards_never_come_back_and_another_game_has_its_own_once(
    house: House, sits_down: SitsDown
) -> None:
    ada = sits_down(viewport=PHONE)
    for how in ("Escape", "Skip"):
        begins(ada, house, NAMED["quantum-duel"])
        ada.page.locator(".menu").click()
        ada.page.keyboard.press("Escape")  # closes the menu first
        expect(ada.page.locator(".menu")).to_have_attribute("aria-expanded", "false")
        expect(card(ada)).to_be_visible()
        if how == "Skip":
            ada.presses("Skip")
        else:
            ada.page.keyboard.press("Escape")
        expect(card(ada)).to_be_hidden()
        expect(ada.page.locator("[data-ringed]")).to_have_count(0)
        plays(ada, "quantum-duel", "4")
        ada.is_asked()
        ada.page.reload()
        ada.is_asked()
        expect(card(ada)).to_be_hidden()
    for shown in (True, False):
        ada.opens(house.arranges("safe-cracker", "random")[0])
        ada.is_asked()
        expect(card(ada)).to_be_visible(visible=shown)


def test_a_name_with_signs_stands_in_a_lesson_as_it_is(house: House, sits_down: SitsDown) -> None:
    links = house.arranges("safe-cracker", name="$& $` $$")
    bob = sits_down("Bob").is_new(house.address).opens(links[1])
    sits_down("Ada").opens(links[0])
    expect(bob.page.locator(".lesson")).to_contain_text("$& $` $$ tries to find it")


def test_the_title_and_the_icon_tell_whose_turn_it_is(pair: Pair) -> None:
    ada, bob = pair("quantum-duel")
    ada.is_asked()
    icon = "document.querySelector('link[rel=icon]').href.split('/').at(-1)"
    for asked, other, move in ((ada, bob, "1"), (bob, ada, "7")):
        asked.is_asked()
        expect(asked.page).to_have_title(re.compile("^Your turn · "))
        assert asked.page.evaluate(icon) == "icon-turn.svg"
        expect(other.page).not_to_have_title(re.compile("^Your turn"))
        assert other.page.evaluate(icon) == "icon.svg"
        asked.moves(move)


def test_the_rules_lead_with_pictures_of_the_board_and_do_not_say_what_to_type(
    house: House, ada: Person
) -> None:
    first = "document.querySelector('.scenes').compareDocumentPosition("
    first += "document.querySelector('.prose')) === Node.DOCUMENT_POSITION_FOLLOWING"
    for play in PLAYS:
        html = house.asked(f"/api/rules/{play.name}")["html"]
        assert "Winning" in html
        assert "Rulings" in html
        assert not re.search("What to type|Enter |Input |prompt|resign<", html)
        assert ("<h2>Clues</h2>" in html) == (play.name == "safe-code")
        ada.opens(f"{house.address}#rules/{play.name}")
        boards = ada.page.locator(f".scenes figure board-{play.name}")
        expect(boards).to_have_count(2)
        expect(ada.page.locator(".scenes figcaption")).to_have_count(2)
        for part in (*boards.all(), *ada.page.locator(".scenes figcaption").all()):
            expect(part).to_be_visible()
            expect(part).not_to_be_empty()
        assert ada.page.evaluate(first)
        ada.page.get_by_role("link", name="Play it").focus()
        ada.page.keyboard.press("Tab")  # they are pictures: nothing on them is reached by a key
        assert not ada.page.evaluate("Boolean(document.activeElement.closest('.scenes'))")


def test_a_lobby_without_a_server_does_not_say_that_nobody_waits(
    own_house: House, ada: Person
) -> None:
    ada.forgives()
    ada.opens(own_house.address)
    expect(ada.page.locator("#waiting")).to_contain_text("Nobody is waiting")
    own_house.is_killed()
    ada.page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    expect(ada.page.locator("#waiting")).to_contain_text("cannot be reached")
