"""Finding an opponent: bots, people waiting in the lobby, and spectators."""

from __future__ import annotations

import json
import re

import pytest
from leak import is_aid
from playwright.sync_api import Locator, expect

from tests.page.conftest import SitsDown
from tests.page.house import House
from tests.page.people import Person
from tests.page.plays import NAMED, PLAYS, Play, plays

FREE = "[role=grid] button[aria-label$='empty']:not([aria-disabled])"
"""A cell that can be observed now."""
UNTIL = 200
"""More moves than a player makes in a game against a random bot."""


def said(person: Person) -> list[str]:
    """Everything that the referee said, line by line."""
    frames = [json.loads(frame) for frame in person.frames]
    told = [
        frame["words"].get(part)
        for frame in frames
        if frame["type"] == "entries" and "words" in frame
        for part in ("said", "ending")
    ]
    return [line for text in told if text for line in map(str.strip, text.splitlines()) if line]


def test_a_bot_of_a_chosen_level_is_beaten_or_beats(house: House, sits_down: SitsDown) -> None:
    ada = sits_down("Ada", motion=False)  # a reply is asked for before a coin has come to rest
    ada.makes_a_game(house.address, "Quantum Duel", "Random")
    button = ada.page.locator(".actions .main").first
    for _ in range(UNTIL):
        expect(button).to_have_text(re.compile("Choose a move|Rematch"))
        if "Rematch" in (button.text_content() or ""):
            break
        reply = ada.board.locator(".replies button").last  # not challenging ends the game sooner
        if reply.is_visible():
            reply.click()
            ada.sends()
        else:
            ada.board.locator(FREE).first.click()
            ada.sends()
    ada.is_over()
    expect(ada.looks_into_the_checks().locator(".bad")).to_have_count(0)
    ada.presses("Close")
    ada.presses(re.compile("^Rematch"))
    expect(ada.player(2)).to_contain_text("you")


def test_a_player_who_waits_in_the_lobby_is_found_there(house: House, sits_down: SitsDown) -> None:
    ada, bob = sits_down("Ada"), sits_down("Bob")
    ada.makes_a_game(house.address, "Digit Deductions", "Anyone in the lobby")
    expect(ada.page.get_by_text("Waiting in the lobby")).to_be_visible()
    bob.opens(house.address)
    bob.presses("Join Ada at Digit Deductions", "link")
    expect(bob.page.get_by_role("heading", level=1)).to_have_text(
        "Ada asks you to Digit Deductions"
    )
    bob.page.get_by_label("Your name").fill("Bob")
    bob.presses("Sit down")
    ada.is_asked()
    expect(ada.player(2)).to_contain_text("Bob")
    assert "Bob has sat down." in ada.heard
    ada.opens(f"{house.address}#")
    mine = ada.page.locator("#own")
    expect(mine).to_contain_text("against Bob")
    mine.get_by_role("link", name="Go on: Digit Deductions").first.click()
    ada.is_asked()


def test_the_invitation_to_a_withdrawn_game_says_so(house: House, sits_down: SitsDown) -> None:
    ada, bob = sits_down("Ada"), sits_down("Bob")
    ada.makes_a_game(house.address, "Digit Deductions", "Somebody you send a link")
    invitation = ada.page.get_by_label("Whoever opens it").input_value()
    ada.presses("Take it back")
    expect(ada.page.locator("#lobby h1")).to_be_visible()
    assert "The game is taken back." in ada.heard
    expect(ada.page.locator("#own")).to_be_hidden()
    bob.opens(invitation)
    expect(bob.page.get_by_text("This game was taken back before it began.")).to_be_visible()


def test_a_host_is_told_when_the_game_can_be_withdrawn_from_a_guest_who_never_came(
    house: House, sits_down: SitsDown
) -> None:
    links = house.arranges("digit-deductions")
    ada = sits_down("Ada").opens(links[0])
    expect(ada.page.get_by_text("has not opened the page yet")).to_be_visible()
    ada.forgives("409")
    ada.presses("Take it back")
    expect(ada.page.get_by_text("The game can be taken back in")).to_be_visible()
    ada.presses("Close")


def test_lists_say_who_won_and_when(house: House, sits_down: SitsDown) -> None:
    links = house.arranges("digit-deductions")
    ada, bob = sits_down("Ada").opens(links[0]), sits_down("Bob").opens(links[1])
    ada.is_asked()
    bob.presses("Resign")
    bob.page.get_by_role("dialog").get_by_role("button", name="Resign").click()
    ada.presses("See how it went")
    expect(ada.page.get_by_text("It ended before there was anything to judge.")).to_be_visible()
    cy = sits_down("Cy").opens(f"{house.address}#watch")
    ended = cy.page.locator(
        "li", has=cy.page.locator(f"a[href='#watch/{links[0].split('/')[-2]}']")
    )
    expect(ended).to_contain_text(re.compile(r"Ada won, \d+ \w+ \d{4}"))
    for person, who in ((ada, "you won"), (bob, "Ada won")):
        person.opens(f"{house.address}#")
        expect(person.page.locator("#own")).to_contain_text(re.compile(rf"{who}, \d+ \w+ \d{{4}}"))


def test_games_that_everybody_has_left_are_folded_away(house: House, sits_down: SitsDown) -> None:
    here, left = house.arranges("digit-deductions"), house.arranges("digit-deductions")
    (alone,) = house.arranges("quantum-duel", "random")
    ada, bob = sits_down("Ada").opens(here[0]), sits_down("Bob").opens(here[1])
    ada.is_asked()
    gone = [sits_down("Cy").opens(link) for link in (*left, alone)]
    for person in (gone[0], gone[2]):
        person.is_asked()
    for person in gone:
        person.leaves()
    dora = sits_down("Dora").opens(f"{house.address}#watch")
    rows = dora.page.locator("#stage section").first.locator("li")

    def row(link: str) -> Locator:
        return rows.filter(has=dora.page.locator(f"a[href='#watch/{link.split('/')[-2]}']"))

    for link in (left[0], alone):
        expect(row(link)).to_be_hidden()
    expect(row(here[0])).to_be_visible()
    dora.page.get_by_text("more that everybody has left").click()
    for link in (left[0], alone):
        expect(row(link)).to_be_visible()
    bob.leaves()
    ada.leaves()
    dora.page.reload()
    expect(row(here[0])).to_be_hidden()


@pytest.mark.parametrize("play", PLAYS, ids=lambda play: play.name)
def test_a_screen_reader_and_a_spectator_hear_every_event(
    house: House, sits_down: SitsDown, play: Play
) -> None:
    links = house.arranges(play.name)
    ada = sits_down("Ada", motion=False).opens(links[0])
    bob = sits_down("Bob", motion=False).opens(links[1])
    ada.is_asked()
    cy = sits_down("Cy", motion=False).opens(f"{house.address}#watch")
    game = links[0].split("/")[-2]
    cy.page.locator(f"a[href='#watch/{game}']").click()
    expect(cy.board).to_be_visible()
    expect(cy.page.locator(".actions")).to_be_hidden()
    for seat, move in play.moves:
        (ada, bob)[seat - 1].moves(move)
    for person in (ada, bob, cy):
        person.is_over()
        sentences = said(person)
        assert len(sentences) >= len(play.turns)
        for sentence in sentences:
            person.page.wait_for_function(
                "(text) => window.heard.join(' ').includes(text)", arg=sentence
            )
    expect(cy.board).to_contain_text(play.secrets[1][0] if play.secrets[1] else "X")
    expect(cy.page.get_by_role("button", name=re.compile("Rematch"))).to_have_count(0)
    expect(cy.looks_into_the_checks().locator(".bad")).to_have_count(0)


def test_a_coin_decides_and_can_be_checked(house: House, sits_down: SitsDown) -> None:
    links = house.arranges("quantum-duel")
    ada, bob = sits_down("Ada").opens(links[0]), sits_down("Bob").opens(links[1])
    for person, move in ((ada, "1"), (bob, "7"), (ada, "2"), (bob, "yes")):
        plays(person, "quantum-duel", move)
    fallen = ada.board.locator(".stage")
    expect(fallen).to_have_attribute("aria-label", re.compile("The coin shows (heads|tails)"))
    for turn in range(10):
        mover, other = ((bob, ada), (ada, bob))[turn % 2]
        mover.is_asked()
        cells = mover.board.locator(FREE)
        (cells.first if mover is ada else cells.last).click()
        mover.sends()
        chained = mover.page.locator(".actions .main").first
        expect(other.page.locator(".pill")).to_have_text(re.compile("Your turn"))
        stand = other.board.get_by_role("button", name="Let it stand")
        if stand.is_visible():
            stand.click()
            other.sends()
        if "Rematch" in (chained.text_content() or ""):
            break
        expect(other.page.locator(".actions .main").first).to_have_text(
            re.compile("Choose a move|Rematch")
        )
        if "Rematch" in (other.page.locator(".actions .main").first.text_content() or ""):
            break
    ada.is_over()
    checks = ada.looks_into_the_checks()
    expect(checks).to_contain_text("Chance decided 1 time, as the seeds say.")
    expect(checks.locator(".bad")).to_have_count(0)


def test_a_hint_is_given_if_the_game_allows_it(house: House, sits_down: SitsDown) -> None:
    told = house.asked("/api/catalog")["games"]
    hinting = next(game["name"] for game in told if game["hints"])
    (link,) = house.arranges(hinting, "random")
    ada = sits_down("Ada").opens(link)
    for _, move in NAMED[hinting].set_up[: len(NAMED[hinting].secrets[0])]:
        ada.moves(move)
    ada.is_asked()
    ada.presses("Hint")
    expect(ada.means).to_have_text(re.compile(r"^Try .*: \D+\.$"))  # no figures
    expect(ada.board.locator("[data-hinted]").first).to_be_visible()
    ada.presses("Why?")
    expect(ada.page.locator("dialog .hint")).to_contain_text("% to win")
    ada.presses("Back to the game")
    assert "Hint:" in ada.heard


def test_two_people_have_no_hints_and_both_pages_say_so(house: House, sits_down: SitsDown) -> None:
    ada, bob = sits_down("Ada"), sits_down("Bob")
    ada.makes_a_game(house.address, "Safe Cracker", "Somebody you send a link")
    bob.opens(ada.invitation)
    expect(bob.page.locator("form")).to_contain_text("Hints and notebook: off.")
    bob.accepts(ada.invitation)
    for person, move in ((ada, "2-1-3"), (bob, "3-3-1"), (ada, "1-1-1"), (bob, "1-2-3")):
        person.moves(move)
    for person in (ada, bob):
        expect(person.page.locator(".named")).to_contain_text("Hints and notebook: off")
        expect(person.page.get_by_role("button", name="Hint")).to_be_hidden()
        expect(person.page.get_by_role("heading", name="Notebook")).to_be_hidden()
        frames = [json.loads(frame) for frame in person.frames]
        assert frames
        assert not any(map(is_aid, frames))


def test_hints_are_for_both_if_whoever_makes_the_game_wants_them(
    house: House, sits_down: SitsDown
) -> None:
    ada, bob = sits_down("Ada"), sits_down("Bob")
    ada.opens(f"{house.address}#new/safe-cracker")
    ada.page.get_by_text("More choices").click()
    wanted = ada.page.get_by_label("Hints and a notebook")
    expect(wanted).not_to_be_checked()
    ada.page.get_by_role("radio", name="A bot").check()
    expect(wanted).to_be_checked()
    ada.page.get_by_role("radio", name="Anyone in the lobby").check()
    expect(wanted).not_to_be_checked()
    wanted.check()
    ada.page.get_by_label("Your name").fill("Ada, who agrees")
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


def test_an_illegal_move_is_refused_with_what_is_accepted(
    house: House, sits_down: SitsDown
) -> None:
    links = house.arranges("safe-code")
    ada = sits_down("Ada").opens(links[0])
    sits_down("Bob").opens(links[1])
    plays(ada, "safe-code", "18")
    ada.board.get_by_label("Or in your own words").fill("odd")
    ada.button.click()
    expect(ada.means).to_have_class(re.compile("refused"))
    expect(ada.large).to_contain_text("18")
    expect(ada.board.get_by_label("Or in your own words")).to_have_value("odd")
    ada.board.locator(".offers button").first.click()
    ada.sends()
    expect(ada.board).to_contain_text("Clue 2 of 3")


def test_the_other_players_hints_and_rematches_are_announced(
    house: House, sits_down: SitsDown
) -> None:
    play = NAMED["safe-cracker"]
    links = house.arranges(play.name, aids=True)
    ada, bob = sits_down("Ada").opens(links[0]), sits_down("Bob")
    expect(ada.page.get_by_role("heading", name="Bob has not opened the page yet")).to_be_visible()
    bob.opens(links[1])
    for seat, move in play.moves[:3]:
        (ada, bob)[seat - 1].moves(move)
    bob.is_asked()
    bob.presses("Hint")
    expect(ada.means).to_have_text("Bob took a hint.")
    assert "Bob took a hint." in ada.heard
    expect(bob.page.get_by_role("button", name="Why?")).to_be_visible()
    for seat, move in play.moves[3:]:
        (ada, bob)[seat - 1].moves(move)
    ada.is_over()
    expect(ada.means).to_contain_text("3-3-1 at your second guess.")
    ada.page.keyboard.press("ArrowLeft")
    expect(ada.large).to_have_text("Bob guesses 1-2-3. Feedback: 1 exact match.")
    expect(ada.means).to_have_text(re.compile(r"^With a hint\. "))
    ada.page.keyboard.press("ArrowLeft")
    expect(ada.large).to_have_text("You: 1-1-1. Feedback: 1 exact match")
    expect(ada.means).not_to_contain_text("hint")
    ada.page.keyboard.press("ArrowLeft")
    expect(ada.large).to_have_text("You hid 2-1-3. Bob hid 3-3-1.")
    bob.is_over()
    bob.presses(re.compile("^Rematch"))
    notice = ada.page.locator("#notice")
    expect(notice).to_contain_text("Bob wants a rematch.")
    notice.get_by_role("button", name="Close").click()
    expect(ada.button).to_have_text("To the rematch")
    expect(notice).to_be_empty()
    ada.page.reload()
    notice.get_by_role("button", name="To the rematch").click()
    bob.is_asked()


def test_a_tap_lifts_the_lid_for_a_moment(house: House, sits_down: SitsDown) -> None:
    (link,) = house.arranges("digit-deductions", "random")
    ada = sits_down("Ada").opens(link)
    ada.moves("3-7")
    lid = ada.page.locator(".lid")
    expect(lid).to_have_text("number ●●●")
    expect(lid).to_have_accessible_name(re.compile("number.*press and hold to see it"))
    lid.evaluate(
        """(node) => {
            window.lifted = "";
            new MutationObserver(() => { window.lifted += node.textContent; })
                .observe(node, { childList: true, subtree: true });
        }"""
    )
    lid.click()
    ada.page.wait_for_function("() => window.lifted.includes('3-7')")
    expect(lid).not_to_contain_text("3-7")


def test_a_second_browser_with_the_same_link_finds_the_game_fair(
    house: House, sits_down: SitsDown
) -> None:
    links = house.arranges("quantum-duel")
    ada, bob = sits_down("Ada").opens(links[0]), sits_down("Bob").opens(links[1])
    ada.is_asked()
    again = sits_down("Ada").opens(links[0])
    again.is_asked()
    for seat, move in NAMED["quantum-duel"].moves:
        (again, bob)[seat - 1].moves(move)
    again.is_over()
    expect(again.looks_into_the_checks().locator(".bad")).to_have_count(0)
    expect(again.page.get_by_text("Everything fits.")).to_be_visible()
