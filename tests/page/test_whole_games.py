"""Whole games: two people from the lobby to the rematch, with a spectator, or a terminal.

Sounds are made only where they are wanted.
"""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from playwright.sync_api import Locator, expect

from tests.page.conftest import Pair, SitsDown
from tests.page.house import House
from tests.page.people import Person
from tests.page.plays import NAMED, PLAYS, Play, are_played, plays, touches
from tests.remote.conftest import SomebodySits, invitation, somebody  # noqa: F401
from tests.terminal.conftest import clean, sit_down  # noqa: F401


def _guessed(shown: str, code: str, near: str) -> tuple[str, ...]:
    """What is told of a code that was found at the second guess, when Bob was near to Ada's."""
    you = near.replace("was", "were", 1)
    return (
        shown,
        f"{code} at your second guess. Bob {near}.",
        f"Ada found your {code} at the second guess. You {you}, which would have won.",
        f"Ada found {code} at the second guess. Bob {near}.",
    )


SHOWS = "The safe shows {} 3-4-2. {} 5-1-3 was three dials away{}."
UNDONE = "a challenge would have undone cell 4 one time in two."
TOLD = {
    "safecracker-duel": (
        "The safe is open on 3-4-2.",
        SHOWS.format("your", "Bob's", ""),
        SHOWS.format("Ada's", "Your", ", and would have won"),
        SHOWS.format("Ada's", "Bob's", ""),
    ),
    "safe-cracker": _guessed(
        "The safe is open on 3-3-1.", "3-3-1", "was two digits away from 2-1-3"
    ),
    "safe-code": _guessed("7 is stamped as found.", "7", "had 14 numbers left, among them 18"),
    "digit-deductions": _guessed("5-6 is stamped as found.", "5-6", "was two steps away from 3-7"),
    "quantum-duel": (
        "Cells 1 to 4 are lit: four X in a row.",
        f"Cells 1 to 4. Bob had three cells in a row; {UNDONE}",
        f"Ada closed cells 1 to 4. You had three cells in a row; {UNDONE}",
        f"Ada closed cells 1 to 4. Bob had three cells in a row; {UNDONE}",
    ),
}
"""What the picture is called, and what the winner, the loser and a spectator read."""
SIGNS = {
    "safecracker-duel": ("●○○ ●●○ ●●●", "○○○ ●○○"),
    "safe-cracker": ("●○○ ●●●", "●○○"),
    "safe-code": ("○ ? ●", "? ○"),
    "digit-deductions": ("◕ ●", "◕"),
    "quantum-duel": ("XXXX···", "····OOO"),
}
"""The signs of the winner and the loser in the result to paste."""
LAST_PAGE = "q leave"
"""What a terminal shows on its last page."""


def analysis(house: House, person: Person) -> Any:
    """What the server says about a person's finished game."""
    game, token = person.page.url.split("/")[-2:]
    return house.asked(f"/api/games/{game}/analysis", token=token)


def points(luck: float) -> str:
    """Luck as a person reads it."""
    rounded = round(100 * luck)
    return f"+{rounded}" if rounded > 0 else f"−{-rounded}" if rounded else "0"


def tones(person: Person) -> int:
    """How many tones were started since the page was loaded."""
    assert person.page.evaluate("window.contexts") <= 1
    return int(person.page.evaluate("window.tones"))


def hears_every_sentence(person: Person) -> int:
    """Wait until a screen reader was told all that the referee said; return how much that was."""
    frames = [json.loads(frame) for frame in person.frames]
    words = [frame.get("words", {}) for frame in frames if frame["type"] == "entries"]
    told = [each.get(part) or "" for each in words for part in ("said", "ending")]
    lines = [line.strip() for text in told for line in text.splitlines() if line.strip()]
    heard = "(lines) => lines.every((line) => window.heard.join(' ').includes(line))"
    person.page.wait_for_function(heard, arg=lines)
    return len(lines)


def sees_the_end(person: Person, shown: str, told: str) -> None:
    """The winner, how close it was, a picture, that it was fair, and figures; said once."""
    person.has_ended()
    expect(person.large).to_have_text(re.compile("^You " if person.name == "Ada" else "^Ada "))
    expect(person.means).to_have_text(told)
    expect(person.picture).to_have_accessible_name(shown)
    expect(person.fair).to_have_text("✓ fairchecked in this browser")
    expect(person.figures).to_have_count(4)
    ended = person.large.text_content() or ""
    person.page.wait_for_function("(text) => window.heard.join(' ').includes(text)", arg=ended)
    assert person.heard.count(ended) == 1


def looks_back(person: Person, play: Play) -> None:
    """Both secrets, every step, the curve, and the checks."""
    person.is_over()
    for each in play.secrets:
        for text in each[:1]:
            expect(person.board).to_contain_text(text)
    slider = person.page.get_by_role("slider", name="Moment of the game")
    last = str(len(play.turns))
    expect(slider).to_have_attribute("max", last)
    expect(slider).to_have_value(last)
    person.presses("To the beginning")
    expect(slider).to_have_value("0")
    hidden = " hid .* hid " if play.secrets[0] else "^The beginning$"
    expect(person.large).to_have_text(re.compile(hidden))
    for _ in play.turns:
        person.presses("One step on")
    expect(slider).to_have_value(last)
    expect(person.page.locator("svg.curve path.path").first).to_be_visible()
    unsure = person.looks_into_the_checks().locator(":is(.bad, .none)")
    nothing = ["Secrets. Nothing was hidden in this match."]
    expect(unsure).to_have_text([] if play.secrets[0] else nothing)
    person.presses("Close")


@pytest.mark.parametrize("play", PLAYS, ids=lambda play: play.name)
def test_two_people_play_a_whole_game_before_a_spectator(
    house: House, sits_down: SitsDown, play: Play
) -> None:
    """Ada sees motion and hears nothing; Bob wants sounds; Cy watches."""
    ada, bob, cy = sits_down("Ada", motion=True), sits_down("Bob"), sits_down("Cy")
    people = (ada, bob)
    ada.makes_a_game(house.address, play.title, "Somebody you send a link")
    bob.accepts(ada.invitation)
    ada.is_asked()
    cy.opens(f"{house.address}#watch")
    cy.page.locator(f"a[href='#watch/{ada.page.url.split('/')[-2]}']").click()
    expect(cy.board).to_be_visible()
    expect(cy.page.locator(".actions")).to_be_hidden()
    bob.presses("Sound")
    for seat, move in play.set_up:
        plays(people[seat - 1], play.name, move)
    people[play.turns[0][0] - 1].is_asked()
    assert tones(bob) == 1  # the switch itself: what is hidden makes no sound
    for seat, move in play.turns:
        before = tones(bob)
        plays(people[seat - 1], play.name, move)
        bob.page.wait_for_function("(before) => window.tones > before", arg=before)
    shown, *told = TOLD[play.name]
    for person, close in zip((ada, bob, cy), told, strict=True):
        sees_the_end(person, shown, close)
        assert hears_every_sentence(person) >= len(play.turns)
    assert ada.page.evaluate("[window.contexts, window.tones]") == [0, 0]

    judged = analysis(house, ada)
    marks = [each for each in judged["decisions"] if each["mark"]]
    signs = {"inaccuracy": "?!", "mistake": "?", "blunder": "??"}
    for seat, (person, own) in enumerate(zip(people, judged["seats"], strict=True), 1):
        well, luck = max(0, 100 - round(100 * own["cost"])), points(own["luck"])
        dear = sum(each["seat"] == seat for each in marks)
        expect(person.figures.nth(0)).to_have_text(f"{well} / 100how well you played")
        expect(person.figures.nth(1)).to_have_text(f"{luck}luck, in points")
        expect(person.figures.nth(2)).to_have_text(re.compile(f"^{dear}moves? that cost"))
        expect(cy.figures.nth(seat - 1)).to_contain_text(f"{well} / 100how well {own['name']}")
        won, lost = SIGNS[play.name]
        rows = [f"Ada ✓ {won}", f"Bob – {lost}"]
        result = [f"strongroom · {play.title}", *rows, f"{well} of 100, luck {luck}"]
        assert person.pasted.splitlines() == result
        listed = person.page.locator(".record .sign")
        expect(listed).to_have_count(len(marks))
        found = sorted(text.strip() for text in listed.all_text_contents())
        assert found == sorted(signs[each["mark"]] for each in marks)

    ada.context.grant_permissions(["clipboard-read", "clipboard-write"])
    ada.presses(re.compile("^Copy result"))
    expect(ada.page.get_by_role("button", name="Copied")).to_be_visible()
    copied = ada.page.evaluate("navigator.clipboard.readText()")
    assert copied == ada.pasted
    assert not re.search(r"://|#|/", copied)
    if play.secrets[0]:  # none of what was hidden is in the rows
        assert not re.search(r"\d", copied.rpartition("\n")[0])

    for person in people:
        looks_back(person, play)
    cy.is_over()
    expect(cy.board).to_contain_text(play.secrets[1][0] if play.secrets[1] else "X")
    expect(cy.page.get_by_role("button", name=re.compile("Rematch"))).to_have_count(0)
    expect(cy.looks_into_the_checks().locator(".bad")).to_have_count(0)
    ada.presses("Rematch, seats swapped")
    expect(ada.page.get_by_role("heading", name="Bob is asked for a rematch")).to_be_visible()
    expect(bob.button).to_have_text("To the rematch")
    bob.button.click()
    for person in people:
        expect(person.player(1)).to_contain_text("Bob")
        expect(person.player(2)).to_contain_text("won 1")
    bob.is_asked()
    bob.resigns()
    for person in people:
        expect(person.player(2)).to_contain_text("won 2")


def test_a_coin_is_seen_at_rest_is_heard_and_can_be_checked(pair: Pair) -> None:
    ada, bob = pair("quantum-duel")
    ada.is_asked()
    ada.presses("Sound")
    ada.page.evaluate(
        """() => {
            window.moved = 0;
            const look = () => {
                window.moved += document.getAnimations().length;
                requestAnimationFrame(look);
            };
            look();
        }"""
    )
    for person, move in ((ada, "1"), (bob, "7"), (ada, "2")):
        plays(person, "quantum-duel", move)
    bob.is_asked()
    before = tones(ada)
    plays(bob, "quantum-duel", "yes")
    ada.page.wait_for_function("(before) => window.tones >= before + 3", arg=before)
    fallen = re.compile("The coin shows (heads|tails)")
    expect(ada.board.locator(".stage")).to_have_attribute("aria-label", fallen)
    assert ada.page.evaluate("window.moved") == 0  # motion is not wanted
    bob.resigns()
    ada.has_ended()
    checks = ada.looks_into_the_checks()
    expect(checks).to_contain_text("Chance decided 1 time, as the seeds say.")
    expect(checks.locator(".bad")).to_have_count(0)


def test_a_terminal_invites_a_browser_and_both_survive_a_restart(
    own_house: House,
    sits_down: SitsDown,
    somebody: SomebodySits,  # noqa: F811
) -> None:
    play, server = NAMED["digit-deductions"], own_house.address.rstrip("/")
    host = somebody("bob", "host", play.name, "--server", server, "--name", "Bob", "--seat", "2")
    ada = sits_down("Ada")
    ada.forgives()
    ada.accepts(invitation(host))
    for number, (seat, move) in enumerate(play.moves):
        if number == 3:
            own_house.is_killed()
            ada.state("connection lost")
            host.shows("Connection lost. Nothing is lost")
            own_house.opens()
            ada.state("^connected$")
        if seat == 1:
            plays(ada, play.name, move)
        else:
            host.answers(move)
    ada.is_over()
    host.shows(LAST_PAGE)
    assert "Verified: " in host.terminal.text
    expect(ada.looks_into_the_checks().locator(".bad")).to_have_count(0)


def switch(person: Person) -> Locator:
    """The switch of the sounds."""
    return person.page.get_by_role("button", name="Sound", exact=True)


def test_sounds_are_switched_by_finger_or_key_and_the_choice_is_remembered_and_taken_back(
    pair: Pair, house: House
) -> None:
    play = NAMED["safecracker-duel"]
    people = ada, bob = pair(play.name)
    seat = ada.page.url
    ada.opens(house.address)
    for width, height in ((1280, 720), (844, 390), (390, 844)):
        ada.page.set_viewport_size({"width": width, "height": height})
        if not switch(ada).is_visible():
            ada.presses("Menu")
        box = switch(ada).bounding_box()
        assert box
        assert min(box["width"], box["height"]) >= 44
    ada.page.set_viewport_size({"width": 1280, "height": 720})
    expect(switch(ada)).to_have_attribute("aria-pressed", "false")
    ada.page.get_by_role("button", name="Dark theme").focus()
    ada.page.keyboard.press("Tab")
    expect(switch(ada)).to_be_focused()
    ada.page.keyboard.press("Space")
    expect(switch(ada)).to_have_attribute("aria-pressed", "true")
    assert tones(ada) == 1
    ada.opens(seat).page.reload()
    are_played(people, play.set_up)
    ada.is_asked()
    expect(switch(ada)).to_have_attribute("aria-pressed", "true")
    assert ada.page.evaluate("window.contexts") == 0
    touches(ada, play.name, "1 3")
    assert tones(ada) == 2  # a dial clicks as it is turned
    assert bob.page.evaluate("localStorage['strongroom.sound']") is None
    switch(ada).click()
    expect(switch(ada)).to_have_attribute("aria-pressed", "false")
    touches(ada, play.name, "1 5")
    assert tones(ada) == 2
    ada.page.reload()
    expect(switch(ada)).to_have_attribute("aria-pressed", "false")


def test_a_browser_that_makes_no_sounds_has_no_switch(house: House, sits_down: SitsDown) -> None:
    ada = sits_down("Ada", locale="en-GB")
    ada.page.add_init_script("delete window.AudioContext")
    ada.opens(house.address)
    expect(ada.page.get_by_role("button", name="Dark theme")).to_be_visible()
    expect(switch(ada)).to_be_hidden()
