"""A first game: it begins at once, and a card a turn teaches it."""

from __future__ import annotations

import json
import re

import pytest
from playwright.sync_api import Locator, expect

from tests.page.conftest import SitsDown
from tests.page.fitting import SETTLED
from tests.page.house import House
from tests.page.people import Person
from tests.page.plays import NAMED, PLAYS, Play, plays

SIZES = [(320, 480), (390, 844), (844, 390), (1280, 800), (1920, 1080)]
APART = """([one, two]) => {
    const [a, b] = [one, two].map((node) => node.getBoundingClientRect());
    return a.right <= b.left || b.right <= a.left || a.bottom <= b.top || b.bottom <= a.top;
}"""


def card(person: Person) -> Locator:
    return person.page.get_by_role("region", name="First game")


def begins(person: Person, house: House, play: Play) -> None:
    """Start a first game against a bot."""
    person.is_new(house.address).presses(f"Play a bot at {play.title}", "link")
    person.is_asked()


def are_apart(person: Person, *selectors: str) -> bool:
    nodes = [person.page.locator(each).first.element_handle() for each in selectors]
    return bool(person.page.evaluate(APART, nodes))


def test_one_press_starts_a_game_against_the_casual_bot(house: House, sits_down: SitsDown) -> None:
    ada = sits_down().opens(house.address)
    ada.presses("Play a bot at Quantum Duel", "link")
    ada.is_asked()
    expect(ada.player(1)).to_contain_text("You")
    expect(ada.player(2)).to_contain_text("Casual")
    ada.page.go_back()
    expect(ada.page.locator("#lobby h1")).to_be_visible()


def test_name_and_level_are_changed_inside_the_game(house: House, sits_down: SitsDown) -> None:
    ada = sits_down().opens(house.address)
    ada.presses("Play a bot at Quantum Duel", "link")
    ada.is_asked()
    ada.presses("Another bot")
    ada.page.get_by_label("Your name").fill("Ada")
    ada.page.get_by_role("radio", name="Expert").check()
    ada.presses("Start a new game")
    expect(ada.player(2)).to_contain_text("Expert")
    expect(ada.player(1)).to_contain_text("Ada")
    ada.opens(f"{house.address}#").presses("Play a bot at Safe Code", "link")
    expect(ada.player(1)).to_contain_text("Ada")


def test_more_choices_lead_from_the_game_to_the_form(house: House, sits_down: SitsDown) -> None:
    ada = sits_down().opens(house.address)
    ada.presses("Play a bot at Quantum Duel", "link")
    ada.is_asked()
    ada.presses("Another bot")
    ada.presses("More choices", "link")
    ada.presses("Start")
    expect(ada.page.get_by_role("dialog")).to_have_count(0)
    ada.is_asked()


def test_a_game_that_was_resigned_before_the_first_move_is_not_opened_again(
    house: House, sits_down: SitsDown
) -> None:
    ada = sits_down().opens(house.address)
    ada.presses("Play a bot at Quantum Duel", "link")
    ada.is_asked()
    first = ada.page.url
    ada.presses("Resign")
    ada.page.get_by_role("dialog").get_by_role("button", name="Resign").click()
    ada.has_ended()
    ada.opens(f"{house.address}#").presses("Play a bot at Quantum Duel", "link")
    ada.is_asked()
    assert ada.page.url != first


def test_a_game_in_which_nothing_was_played_is_opened_again(
    house: House, sits_down: SitsDown
) -> None:
    ada = sits_down().opens(house.address)
    links = []
    for _ in range(2):
        ada.presses("Play a bot at Quantum Duel", "link")
        ada.is_asked()
        links.append(ada.page.url)
        ada.opens(f"{house.address}#")
        expect(ada.page.locator("#own")).to_be_hidden()
    assert len(set(links)) == 1
    ada.presses("Play a bot at Quantum Duel", "link")
    plays(ada, "quantum-duel", "4")
    ada.opens(f"{house.address}#")
    expect(ada.page.locator("#own")).to_contain_text("against Casual")


@pytest.mark.parametrize("play", PLAYS, ids=lambda play: play.name)
def test_a_card_has_a_room_of_its_own_and_points_to_what_is_touched(
    house: House, sits_down: SitsDown, play: Play
) -> None:
    ada = sits_down(motion=False)
    begins(ada, house, play)
    expect(card(ada)).to_contain_text(re.compile("First game: 1 of [34]"))
    expect(ada.board.locator("[data-ringed]")).to_have_count(1)
    for width, height in SIZES:
        ada.page.set_viewport_size({"width": width, "height": height})
        ada.page.evaluate(SETTLED)
        small = width < height <= 560  # there it stands in the referee's room
        for other in (".top", ".players", ".board", ".actions", *([] if small else [".referee"])):
            assert are_apart(ada, ".lesson", other), (other, width, height)
        box = card(ada).bounding_box()
        assert box
        assert 0 <= box["x"] <= box["x"] + box["width"] <= width
        assert 0 <= box["y"] <= box["y"] + box["height"] <= height


def test_each_turn_has_its_card_and_the_button_is_ringed_once_something_is_chosen(
    house: House, sits_down: SitsDown
) -> None:
    ada = sits_down(motion=False)
    begins(ada, house, NAMED["safe-cracker"])
    for number, move in enumerate(("2-1-3", "1-1-1"), 1):
        ada.is_asked()
        expect(card(ada)).to_contain_text(f"First game: {number} of 3")
        title = card(ada).get_by_role("heading").text_content()
        assert title
        assert title in ada.heard
        plays(ada, "safe-cracker", move)
    ada.is_asked()
    expect(card(ada)).to_contain_text("Look at the pegs")
    ada.board.get_by_role("button", name="Digit 1 up").click()
    expect(ada.button).to_have_attribute("data-ringed", "")


def test_the_room_of_a_card_is_kept_while_the_other_moves_and_given_back_after_the_last(
    house: House, sits_down: SitsDown
) -> None:
    ada = sits_down(viewport={"width": 390, "height": 844}, motion=False)
    begins(ada, house, NAMED["safe-cracker"])
    before = ada.board.bounding_box()
    for move in ("2-1-3", "1-1-1", "1-2-1"):
        plays(ada, "safe-cracker", move)
        if move != "1-2-1":
            ada.is_asked()
            assert ada.board.bounding_box() == before
    ada.is_asked()
    expect(ada.page.locator(".lesson")).to_have_count(0)


def test_escape_closes_the_menu_first(house: House, sits_down: SitsDown) -> None:
    ada = sits_down(viewport={"width": 390, "height": 844}, motion=False)
    begins(ada, house, NAMED["quantum-duel"])
    ada.page.locator(".menu").click()
    ada.page.keyboard.press("Escape")
    expect(ada.page.locator(".menu")).to_have_attribute("aria-expanded", "false")
    expect(card(ada)).to_be_visible()


def test_on_the_smallest_screens_a_hint_is_read_instead_of_the_card(
    house: House, sits_down: SitsDown
) -> None:
    ada = sits_down(viewport={"width": 320, "height": 480}, motion=False)
    begins(ada, house, NAMED["quantum-duel"])
    expect(card(ada)).to_be_visible()
    ada.presses("Hint")
    expect(ada.means).to_be_visible()
    expect(card(ada)).to_be_hidden()


@pytest.mark.parametrize("how", ["Escape", "Skip"])
def test_skipped_cards_never_come_back(house: House, sits_down: SitsDown, how: str) -> None:
    ada = sits_down(motion=False)
    begins(ada, house, NAMED["quantum-duel"])
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


def test_a_second_game_of_a_kind_teaches_nothing_and_another_kind_does(
    house: House, sits_down: SitsDown
) -> None:
    ada = sits_down(motion=False)
    begins(ada, house, NAMED["quantum-duel"])
    expect(card(ada)).to_be_visible()
    ada.opens(house.arranges("quantum-duel", "random")[0])
    ada.is_asked()
    expect(ada.board).to_be_visible()
    expect(card(ada)).to_be_hidden()
    ada.opens(house.arranges("safe-cracker", "random")[0])
    expect(card(ada)).to_be_visible()


HINTED = {
    "safecracker-duel": ("3-4-2",),
    "safe-cracker": ("2-1-3",),
    "safe-code": ("18", "even", "divisible by 3", "less than 20"),
    "digit-deductions": ("3-7",),
    "quantum-duel": (),
}
"""What is hidden before a hint is asked for."""


@pytest.mark.parametrize("play", PLAYS, ids=lambda play: play.name)
def test_a_hint_marks_its_moves_on_the_board_until_one_is_made(
    house: House, sits_down: SitsDown, play: Play
) -> None:
    ada = sits_down(motion=False).opens(house.arranges(play.name, "random")[0])
    for move in HINTED[play.name]:
        ada.moves(move)
    ada.is_asked()
    ada.presses("Hint")
    marked = ada.board.locator("[data-hinted]")
    expect(marked.first).to_be_visible()
    frames = map(json.loads, reversed(ada.frames))
    told = next(frame for frame in frames if frame["type"] == "hint")
    assert told["plain"] in ada.heard
    expect(ada.means).to_have_text(told["plain"])
    ada.moves(told["moves"][0])
    expect(marked).to_have_count(0)


def test_the_title_and_the_icon_tell_whose_turn_it_is(house: House, sits_down: SitsDown) -> None:
    links = house.arranges("quantum-duel")
    ada, bob = sits_down("Ada").opens(links[0]), sits_down("Bob").opens(links[1])
    ada.is_asked()
    icon = "document.querySelector('link[rel=icon]').href.split('/').at(-1)"
    for asked, other, move in ((ada, bob, "1"), (bob, ada, "7")):
        asked.is_asked()
        expect(asked.page).to_have_title(re.compile("^Your turn · "))
        assert asked.page.evaluate(icon) == "icon-turn.svg"
        expect(other.page).not_to_have_title(re.compile("^Your turn"))
        assert other.page.evaluate(icon) == "icon.svg"
        asked.moves(move)


@pytest.mark.parametrize("play", PLAYS, ids=lambda play: play.name)
def test_the_rules_on_the_page_do_not_say_what_to_type(house: House, play: Play) -> None:
    html = house.asked(f"/api/rules/{play.name}")["html"]
    assert "Winning" in html
    assert "Rulings" in html
    assert "What to type" not in html
    assert not re.search("Enter |Input |prompt|resign<", html)
    assert ("<h2>Clues</h2>" in html) == (play.name == "safe-code")


@pytest.mark.parametrize("play", PLAYS, ids=lambda play: play.name)
def test_the_rules_lead_with_pictures_of_the_games_own_board(
    house: House, sits_down: SitsDown, play: Play
) -> None:
    ada = sits_down(motion=False).opens(f"{house.address}#rules/{play.name}")
    pictures = ada.page.locator(".scenes figure")
    expect(pictures).to_have_count(2)
    for picture in pictures.all():
        expect(picture.locator(f"board-{play.name}")).to_be_visible()
        expect(picture.locator("figcaption")).not_to_be_empty()
    assert ada.page.evaluate(
        """document.querySelector(".scenes").compareDocumentPosition(
            document.querySelector(".prose")) === Node.DOCUMENT_POSITION_FOLLOWING"""
    )
    # They are pictures: nothing on them is reached by a key.
    ada.page.get_by_role("link", name="Play it").focus()
    ada.page.keyboard.press("Tab")
    assert not ada.page.evaluate("Boolean(document.activeElement.closest('.scenes'))")


def test_three_digits_typed_in_a_row_turn_three_dials(house: House, sits_down: SitsDown) -> None:
    ada = sits_down(motion=False).opens(house.arranges("safecracker-duel", "random")[0])
    ada.is_asked()
    ada.board.get_by_role("spinbutton", name="Dial 1").focus()
    ada.page.keyboard.type("342")
    expect(ada.button).to_have_text("Hide 3-4-2")


def test_a_lobby_without_a_server_does_not_say_that_nobody_waits(
    own_house: House, sits_down: SitsDown
) -> None:
    ada = sits_down()
    ada.forgives()
    ada.opens(own_house.address)
    expect(ada.page.locator("#waiting")).to_contain_text("Nobody is waiting")
    own_house.is_killed()
    ada.page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    expect(ada.page.locator("#waiting")).to_contain_text("cannot be reached")
