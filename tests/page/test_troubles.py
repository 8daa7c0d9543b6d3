"""Nothing is lost by a reload, offline, when the server restarts, or in another tab."""

from __future__ import annotations

import json
import re
from secrets import token_hex

import pytest
from playwright.sync_api import expect

from tests.page.conftest import Pair, SitsDown
from tests.page.house import House
from tests.page.people import Person
from tests.page.plays import NAMED, are_played, chooses, plays

DUEL = NAMED["safecracker-duel"]
AGAIN = re.compile(r"Trying again (in [1-4] s\.|…)")
"""When the next attempt to connect is made."""


def is_played_out(ada: Person, bob: Person, done: int) -> None:
    """Play the rest of the duel after `done` moves; each move was made exactly once."""
    are_played((ada, bob), DUEL.moves[done:])
    for person in (ada, bob):
        person.is_over()
        turns = person.page.locator(".record tbody tr:not(.cleared, .set-up)")
        expect(turns).to_have_count(len(DUEL.turns))
        expect(person.looks_into_the_checks().locator(":is(.bad, .none)")).to_have_count(0)


def test_a_reload_keeps_the_game_and_the_secret(pair: Pair) -> None:
    ada, bob = pair(DUEL.name)
    chooses(ada, DUEL.name, "4-4-4")
    ada.page.reload()
    expect(ada.button).to_have_class(re.compile("offered"))
    are_played((ada, bob), DUEL.moves[:4])
    chooses(ada, DUEL.name, "2 4")
    ada.page.reload()
    ada.is_asked()
    dial = ada.board.get_by_role("spinbutton", name="Dial 2")
    expect(dial).to_have_attribute("aria-valuenow", "2")
    lid = ada.page.locator(".lid")
    expect(lid).to_have_text("code ●●●")
    expect(lid).to_have_accessible_name(re.compile("code.*press and hold to see it"))
    lid.hover()
    ada.page.mouse.down()
    expect(lid).to_contain_text("3-4-2")
    ada.page.mouse.up()
    expect(lid).not_to_contain_text("3-4-2")
    lid.evaluate(
        """(node) => {
            window.lifted = "";
            new MutationObserver(() => { window.lifted += node.textContent; })
                .observe(node, { childList: true, subtree: true });
        }"""
    )
    lid.click()  # a tap lifts it for a moment
    ada.page.wait_for_function("() => window.lifted.includes('3-4-2')")
    expect(lid).not_to_contain_text("3-4-2")


def test_a_move_made_offline_is_kept_and_arrives_once(pair: Pair) -> None:
    ada, bob = pair(DUEL.name)
    ada.forgives()
    are_played((ada, bob), DUEL.moves[:4])
    chooses(ada, DUEL.name, "2 4")
    ada.page.context.set_offline(True)
    ada.state("connection lost")
    expect(ada.notice).to_contain_text("Nothing is lost")
    expect(ada.button).to_have_text("Set dial 2 to 4")
    ada.button.click()
    expect(ada.button).to_have_text("Kept")
    expect(ada.means).to_contain_text("sent as soon as the connection is back")
    expect(bob.player(1)).to_contain_text("away")
    ada.page.context.set_offline(False)
    ada.state("^connected$")
    ada.is_done()
    expect(ada.notice).to_be_empty()
    expect(bob.player(1)).not_to_contain_text("away")
    asked = [json.loads(frame) for frame in ada.sent if '"2 4"' in frame]
    assert len({frame["id"] for frame in asked}) == 1
    is_played_out(ada, bob, 5)


def test_restarts_of_the_server_lose_nothing(own_house: House, pair: Pair) -> None:
    ada, bob = people = pair(DUEL.name, own_house)
    for person in people:
        person.forgives()
    are_played(people, DUEL.moves[:3])
    for end, words, notice, (seat, move) in (
        (House.is_killed, "connection lost", "Connection lost. Nothing is lost", DUEL.moves[3]),
        (House.closes, "restarting", "Server restarting. Nothing is lost", DUEL.moves[4]),
    ):
        mover = people[seat - 1]
        chooses(mover, DUEL.name, move)
        end(own_house)
        for person in people:
            person.state(words)
            expect(person.notice).to_contain_text(notice)
            expect(person.notice).to_contain_text(AGAIN)
        mover.button.click()
        expect(mover.button).to_have_text("Kept")
        own_house.opens()
        for person in people:
            person.state("^connected$")
    bob.is_asked()
    chooses(bob, DUEL.name, DUEL.moves[5][1])
    own_house.is_killed()
    bob.state("connection lost")
    own_house.opens()
    bob.state("^connected$")
    bob.sends()
    is_played_out(ada, bob, 6)


def test_the_clocks_stand_still_and_attempts_are_counted_down_while_the_connection_is_lost(
    own_house: House, sits_down: SitsDown
) -> None:
    ada = sits_down("Ada")
    links = own_house.arranges("quantum-duel", clock={"minutes": 10, "increment": 0})
    ada.forgives()
    ada.clock.install()
    ada.opens(links[0])
    sits_down("Bob").opens(links[1]).forgives()
    ada.is_asked()
    face = ada.player(1).locator(".clock")
    before = face.inner_text()
    ada.clock.run_for(5_000)
    expect(face).not_to_have_text(before)
    own_house.is_killed()
    ada.state("connection lost")
    expect(face).not_to_have_class(re.compile("running"))
    stands = face.inner_text()
    counted = set[str]()
    for _ in range(2000):  # the last attempts are four seconds apart at most, and two at least
        ada.clock.run_for(250)
        counted.update(re.findall(r"in (\d+) s\.", ada.notice.text_content() or ""))
        if {"1", "2"} <= counted:
            break
    assert {"1", "2"} <= counted <= set("1234")
    expect(ada.notice.get_by_role("button", name="Try now")).to_be_visible()
    ada.clock.run_for(90_000)
    assert face.inner_text() == stands
    own_house.opens()
    ada.clock.run_for(20_000)
    ada.state("^connected$")
    expect(face).to_have_class(re.compile("running"))


def test_a_second_tab_takes_over_and_the_first_takes_it_back(pair: Pair) -> None:
    ada, bob = pair(DUEL.name)
    are_played((ada, bob), DUEL.moves[:2])
    first, second = ada.page, ada.context.new_page()
    second.goto(first.url)
    ada.state("in another tab")
    expect(ada.notice).to_contain_text("This game is open in another tab.")
    expect(ada.button).to_be_disabled()
    ada.page = second
    plays(ada, DUEL.name, "1 3")
    ada.page = first
    ada.presses("Play here")
    ada.state("^connected$")
    ada.page = second
    ada.state("in another tab")
    second.close()
    ada.page = first
    is_played_out(ada, bob, 3)


WRONG = {
    "a token of nobody": "#play/{game}/{other}",
    "a game that is not kept": "#play/{other}/{token}",
    "an invitation to nothing": "#join/{other}/{token}",
    "no game at all": "#play/abc/def",
    "nonsense": "#play/%E0%A4%A/..%2F..%2Fetc",
}


def test_a_wrong_link_says_so_shows_the_way_out_and_loses_no_seat(
    house: House, sits_down: SitsDown, subtests: pytest.Subtests
) -> None:
    (link,) = house.arranges("quantum-duel", "random")
    *_, game, token = link.split("/")
    kept = "JSON.parse(localStorage.getItem('strongroom.games') ?? '[]').map((each) => each.token)"
    ada, bob = sits_down("Ada").opens(link), sits_down("Bob").opens(house.address)
    ada.is_asked()
    told = re.compile("opens no seat|never existed|no longer kept|no such game|leads nowhere", re.I)
    bob.forgives("40[0-9]|422")
    for what, fragment in WRONG.items():
        with subtests.test(what):
            bob.opens(house.address + fragment.format(game=game, token=token, other=token_hex(16)))
            expect(bob.page.get_by_text(told).first).to_be_visible()
            bob.page.get_by_text("All games").locator("visible=true").first.click()
            lobby = bob.page.get_by_role("heading", name="Five duels of codes and nerve")
            expect(lobby).to_be_visible()
    for person in (ada, bob):
        person.opens(f"{house.address}#play/{game}/{token_hex(16)}")
        heading = person.page.get_by_role("heading", level=1)
        expect(heading).to_have_text("This link leads nowhere")
        expect(person.page.locator(".table")).to_have_count(0)
    assert bob.page.evaluate(kept) == []
    assert ada.page.evaluate(kept) == [token]
    ada.presses("To your own seat", "link")
    ada.is_asked()
