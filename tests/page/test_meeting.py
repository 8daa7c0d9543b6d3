"""Finding an opponent: the lobby, invitations, lists, hints that both agree on, one browser."""

from __future__ import annotations

import json
import re

from leak import is_aid
from playwright.sync_api import Locator, expect

from tests.page.conftest import USUAL, Pair, SitsDown
from tests.page.fitting import SIDES, suits_everyone
from tests.page.house import House
from tests.page.people import Person
from tests.page.plays import NAMED, are_played

SEAT = "() => document.querySelector('strongroom-table')?.link.table.seat"
PRIMES = ["2", "3", "5", "7", "11", "13", "17", "19", "23", "29"]
DAMAGED: tuple[dict[str, object], ...] = (
    {"games": {"a": 1}, "name": 7, "lessons": []},
    {"games": [None, 7, "x", [], {}], "name": ["Ada"], "lessons": "x"},
    {"games": "x", "name": {}, "lessons": None, "theme": {}},
)
"""What a browser may keep that no page has written."""


def test_a_player_who_waits_in_the_lobby_is_found_there(house: House, sits_down: SitsDown) -> None:
    ada, bob = sits_down("Ada who waits"), sits_down("Bob")
    ada.makes_a_game(house.address, "Digit Deductions", "Anyone in the lobby")
    expect(ada.page.get_by_text("Waiting in the lobby")).to_be_visible()
    suits_everyone(ada, "waiting in the lobby", SIDES[2:])
    bob.opens(house.address)
    expect(bob.page.get_by_role("link", name="Join Ada who waits")).to_be_visible()
    suits_everyone(bob, "a lobby where somebody waits")
    bob.presses("Join Ada who waits at Digit Deductions", "link")
    heading = bob.page.get_by_role("heading", level=1)
    expect(heading).to_have_text("Ada who waits asks you to Digit Deductions")
    suits_everyone(bob, "an invitation", SIDES[2:])
    bob.presses("Sit down")
    expect(bob.page.get_by_text("Type a name first.")).to_be_visible()
    suits_everyone(bob, "an invitation without a name", SIDES[:2])
    bob.page.get_by_label("Your name").fill("Bob")
    bob.presses("Sit down")
    ada.is_asked()
    expect(ada.player(2)).to_contain_text("Bob")
    assert "Bob has sat down." in ada.heard
    for ask, leave in (("Rules", "Back to the game"), ("Resign", "Play on")):
        ada.presses(ask)
        expect(ada.page.get_by_role("dialog")).to_be_visible()
        suits_everyone(ada, f"{ask} over a game", SIDES[2:] if ask == "Rules" else SIDES[:2])
        ada.presses(leave)
    ada.opens(f"{house.address}#")
    mine = ada.page.locator("#own")
    expect(mine).to_contain_text("against Bob")
    mine.get_by_role("link", name="Go on: Digit Deductions").first.click()
    ada.is_asked()


def test_a_game_is_withdrawn_before_the_guest_comes_and_not_at_once_afterwards(
    house: House, sits_down: SitsDown
) -> None:
    ada, bob = sits_down("Ada"), sits_down("Bob")
    ada.makes_a_game(house.address, "Digit Deductions", "Somebody you send a link")
    invitation = ada.invitation
    ada.presses("Take it back")
    expect(ada.page.locator("#lobby h1")).to_be_visible()
    assert "The game is taken back." in ada.heard
    expect(ada.page.locator("#own")).to_be_hidden()
    bob.opens(invitation)
    expect(bob.page.get_by_text("This game was taken back before it began.")).to_be_visible()
    ada.opens(house.arranges("digit-deductions")[0])
    expect(ada.page.get_by_text("has not opened the page yet")).to_be_visible()
    ada.forgives("409")
    ada.presses("Take it back")
    expect(ada.page.get_by_text("The game can be taken back in")).to_be_visible()
    ada.presses("Close")


def test_an_invitation_works_for_one_person_and_two_people_have_no_hints(
    house: House, sits_down: SitsDown
) -> None:
    ada, bob, cy = sits_down("Ada"), sits_down("Bob"), sits_down("Cy")
    ada.makes_a_game(house.address, "Safe Cracker", "Somebody you send a link")
    link = ada.invitation
    expect(ada.page.locator("svg[aria-label*=QR]")).to_be_visible()
    suits_everyone(ada, "a waiting room", SIDES[:2])
    ada_again = ada.context.new_page()
    ada_again.goto(link)
    expect(ada_again.get_by_role("heading", level=1)).to_have_text("This is your own invitation")
    ada_again.close()
    cy.forgives("40[0-9]")
    cy.opens(f"{link[:-32]}{'0' * 32}")
    cy.page.get_by_label("Your name").fill("Cy")
    cy.presses("Sit down")
    expect(cy.page.get_by_role("alert")).not_to_be_empty()
    cy.opens(link)
    cy.page.get_by_label("Your name").fill("Cy")
    bob.opens(link)
    expect(bob.page.locator("form")).to_contain_text("Hints and notebook: off.")
    bob.accepts(link)
    ada.is_asked()
    cy.presses("Sit down")
    expect(cy.page.get_by_role("alert")).to_contain_text(re.compile("taken|two players", re.I))
    cy.opens(house.address).opens(link)
    expect(cy.page.get_by_role("heading", level=1)).to_have_text("Both seats are taken")
    suits_everyone(cy, "both seats are taken", SIDES[2:])
    cy.presses("Watch it", "link")
    expect(cy.board).to_be_visible()
    suits_everyone(cy, "watching", SIDES[:2])
    bob.opens(link)
    bob.is_not_asked()
    are_played((ada, bob), NAMED["safe-cracker"].moves[:4])
    for person in (ada, bob):
        expect(person.page.locator(".named")).to_contain_text("Hints and notebook: off")
        expect(person.page.get_by_role("button", name="Hint")).to_be_hidden()
        expect(person.page.get_by_role("heading", name="Notebook")).to_be_hidden()
        frames = [json.loads(frame) for frame in person.frames]
        assert frames
        assert not any(map(is_aid, frames))


def test_lists_say_who_won_and_when(house: House, pair: Pair, sits_down: SitsDown) -> None:
    ada, bob = pair("digit-deductions")
    ada.is_asked()
    bob.resigns()
    ada.has_ended()
    cy = sits_down("Cy").opens(f"{house.address}#watch")
    link = cy.page.locator(f"a[href='#watch/{ada.page.url.split('/')[-2]}']")
    ended = cy.page.locator("li", has=link)
    expect(ended).to_contain_text(re.compile(r"Ada won, \d+ \w+ \d{4}"))
    for person, who in ((ada, "you won"), (bob, "Ada won")):
        person.opens(f"{house.address}#")
        expect(person.page.locator("#own")).to_contain_text(re.compile(rf"{who}, \d+ \w+ \d{{4}}"))


def test_games_that_everybody_has_left_are_folded_away(
    own_house: House, pair: Pair, sits_down: SitsDown
) -> None:
    left = own_house.arranges("digit-deductions")
    (alone,) = own_house.arranges("quantum-duel", "random")
    ada, bob = pair("digit-deductions", own_house)
    ada.is_asked()
    here = ada.page.url
    gone = [sits_down("Cy").opens(link) for link in (*left, alone)]
    for person in (gone[0], gone[2]):
        person.is_asked()
    for person in gone:
        person.leaves()
    dora = sits_down("Dora").opens(f"{own_house.address}#watch")
    rows = dora.page.locator("#stage section").first.locator("li")

    def row(link: str) -> Locator:
        return rows.filter(has=dora.page.locator(f"a[href='#watch/{link.split('/')[-2]}']"))

    for link in (left[0], alone):
        expect(row(link)).to_be_hidden()
    expect(row(here)).to_be_visible()
    dora.page.get_by_text("more that everybody has left").click()
    for link in (left[0], alone):
        expect(row(link)).to_be_visible()
    bob.leaves()
    ada.leaves()
    dora.page.reload()
    expect(row(here)).to_be_hidden()


def test_hints_are_for_both_if_whoever_makes_the_game_wants_them(
    house: House, sits_down: SitsDown
) -> None:
    ada, bob = sits_down("Ada"), sits_down("Bob")
    ada.opens(f"{house.address}#new/safe-code")
    ada.page.get_by_text("More choices").click()
    wanted = ada.page.get_by_label("Hints and a notebook")
    expect(wanted).not_to_be_checked()
    ada.page.get_by_role("radio", name="A bot").check()
    expect(wanted).to_be_checked()
    ada.page.get_by_role("radio", name="Anyone in the lobby").check()
    expect(wanted).not_to_be_checked()
    wanted.check()
    ada.page.get_by_label("Your name").fill("Ada, who agrees")
    ada.page.get_by_role("radio", name="I do").check()
    ada.presses("Start")
    expect(ada.page.locator(".named")).to_contain_text("Hints and notebook: on for both")
    bob.opens(house.address)
    row = bob.page.locator("#waiting li", has_text="Ada, who agrees")
    expect(row).to_contain_text("Hints and notebook: on for both")
    row.get_by_role("link", name="Join").click()
    expect(bob.page.locator("form")).to_contain_text("Hints and notebook: on for both.")
    bob.page.get_by_label("Your name").fill("Bob")
    bob.presses("Sit down")
    expect(bob.page.get_by_role("button", name="Hint")).to_be_visible()
    expect(bob.page.get_by_role("heading", name="Notebook")).to_be_visible()
    are_played((ada, bob), (*NAMED["safe-code"].set_up, (1, "clue")))
    listed = ada.page.get_by_role("list", name="Still possible").get_by_role("listitem")
    expect(listed).to_have_text(PRIMES)  # ordered by number, not by letter


def test_a_rematch_that_was_taken_back_can_be_asked_for_again(own_house: House, pair: Pair) -> None:
    ada, bob = pair("digit-deductions", own_house)
    ada.forgives("status of 409")  # it cannot be taken back at once
    ada.is_asked()
    seat = ada.page.url
    ada.resigns()
    expect(bob.button).to_have_text(re.compile("^Rematch"))
    bob.opens("about:blank")
    for _ in range(2):
        ada.opens(seat)
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


# --- one browser ---


def test_two_players_in_one_browser_keep_their_own_seats_in_a_rematch(
    house: House, sits_down: SitsDown
) -> None:
    links = house.arranges("digit-deductions")
    ada = sits_down("Ada").opens(links[0])
    bob = ada.beside("Bob", USUAL).opens(links[1])
    ada.is_asked()
    ada.resigns()
    ada.presses(re.compile("^Rematch"))
    ada.page.wait_for_function(f"{SEAT} === 2")
    expect(bob.notice).to_contain_text("Ada wants a rematch.")
    bob.notice.get_by_role("button", name="Close").click()
    expect(bob.button).to_have_text("To the rematch")
    expect(bob.notice).to_be_empty()
    bob.page.reload()  # it is announced again
    bob.notice.get_by_role("button", name="To the rematch").click()
    bob.page.wait_for_function(f"{SEAT} === 1")
    bob.is_asked()
    expect(ada.large).to_have_text("Bob chooses in secret")
    expect(ada.notice).to_be_empty()


def test_what_a_browser_kept_damaged_counts_as_nothing(house: House, ada: Person) -> None:
    store = "([key, value]) => (localStorage[`strongroom.${key}`] = value)"
    for kept in DAMAGED:
        ada.opens(f"{house.address}#")
        expect(ada.page.locator("#lobby h1")).to_be_visible()
        for key, value in kept.items():
            ada.page.evaluate(store, [key, json.dumps(value)])
        ada.page.reload()
        expect(ada.page.locator("#waiting")).not_to_have_text("Looking for games …")
        ada.presses("Play a bot at Digit Deductions", "link")
        ada.page.get_by_role("button", name="Skip").click()
        ada.is_asked()


def test_a_name_that_is_refused_does_not_keep_anybody_from_a_bot(house: House, ada: Person) -> None:
    ada.forgives("status of 422")
    keep = "(name) => { delete localStorage['strongroom.games'];"
    keep += " localStorage['strongroom.name'] = JSON.stringify(name); }"
    for name in ("You", "Casual", "\u3164"):
        ada.opens(f"{house.address}#")
        expect(ada.page.locator("#lobby h1")).to_be_visible()
        ada.page.evaluate(keep, name)
        for _ in range(2):
            ada.opens(house.address)
            ada.presses("Play a bot at Digit Deductions", "link")
            ada.is_asked()
            expect(ada.player(1)).to_contain_text("You")
        assert ada.page.evaluate("JSON.parse(localStorage['strongroom.games']).length") == 1


def test_a_link_to_a_bot_makes_no_game_for_anybody_else(
    own_house: House, sits_down: SitsDown
) -> None:
    ada = sits_down("Ada")
    for level in ("lobby", "link", "nobody"):
        ada.opens(f"{own_house.address}#bot/safe-code/{level}")
        expect(ada.page.get_by_role("heading", name="This page did not open")).to_be_visible()
        told = "No bot of that name plays Safe Code."
        expect(ada.page.locator("#stage")).to_contain_text(told)
        ada.opens(f"{own_house.address}#")
        expect(ada.page.locator("#lobby h1")).to_be_visible()
    assert own_house.asked("/api/games?show=waiting")["games"] == []
