"""Nothing is lost by a reload, offline, when the server restarts, or in another tab."""

from __future__ import annotations

import json
import re
from secrets import token_hex

import pytest
from playwright.sync_api import expect

from tests.page.conftest import Pair, SitsDown
from tests.page.people import House, Person
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
        """(node) => new MutationObserver(() => { window.lifted += node.textContent; })
            .observe(node, { childList: true, subtree: true })"""
    )
    lid.click()  # a tap lifts it for a moment
    ada.page.wait_for_function("() => window.lifted?.includes('3-4-2')")
    expect(lid).not_to_contain_text("3-4-2")


def test_restarts_of_the_server_lose_nothing(own_house: House, pair: Pair) -> None:
    ada, bob = people = pair(DUEL.name, own_house)
    for person in people:
        person.forgives()
    are_played(people, DUEL.moves[:3])
    for end, words, notice, (seat, move) in (
        (House.kill, "connection lost", "Connection lost. Nothing is lost", DUEL.moves[3]),
        (House.stop, "restarting", "Server restarting. Nothing is lost", DUEL.moves[4]),
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
        mover.is_done()
        asked = [json.loads(frame) for frame in mover.sent if f'"{move}"' in frame]
        assert len({frame["id"] for frame in asked}) == 1
    is_played_out(ada, bob, 5)


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
    own_house.kill()
    ada.state("connection lost")
    expect(face).not_to_have_class(re.compile("running"))
    stands = face.inner_text()
    counted = ""
    while not re.search(r"in 2 s.*in 1 s", counted):  # attempts are at least two seconds apart
        ada.clock.run_for(250)
        counted += ada.notice.text_content() or ""
    assert set(re.findall(r"in (\d+) s\.", counted)) <= set("1234")
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
    again = ada.beside("Ada").opens(ada.page.url)
    ada.state("in another tab")
    expect(ada.notice).to_contain_text("This game is open in another tab.")
    expect(ada.button).to_be_disabled()
    plays(again, DUEL.name, "1 3")
    ada.presses("Play here")
    ada.state("^connected$")
    again.state("in another tab")
    is_played_out(ada, bob, 3)


WRONG = (
    "#play/{game}/{other}",
    "#play/{other}/{token}",
    "#join/{other}/{token}",
    "#play/abc/def",
    "#play/%E0%A4%A/..%2F..%2Fetc",
)
"""Links with a token or an invitation of nobody, to a game that is not kept, and to nothing."""


def test_a_wrong_link_says_so_shows_the_way_out_and_loses_no_seat(
    house: House, sits_down: SitsDown, subtests: pytest.Subtests
) -> None:
    (link,) = house.arranges("quantum-duel", "random")
    *_, game, token = link.split("/")
    kept = "JSON.parse(localStorage.getItem('strongroom.games') ?? '[]').map((each) => each.token)"
    ada, bob = sits_down("Ada").opens(link), sits_down("Bob")
    ada.is_asked()
    told = re.compile("opens no seat|never existed|no longer kept|no such game|leads nowhere", re.I)
    bob.forgives("40[0-9]|422")
    for wrong in WRONG:
        with subtests.test(wrong):
            bob.opens(house.address + wrong.format(game=game, token=token, other=token_hex(16)))
            expect(bob.page.get_by_text(told).first).to_be_visible()
            expect(bob.page.locator(".table")).to_have_count(0)
            bob.page.get_by_text("All games").locator("visible=true").first.click()
            expect(bob.page.locator("#lobby h1")).to_be_visible()
    assert bob.page.evaluate(kept) == []
    ada.opens(f"{house.address}#play/{game}/{token_hex(16)}")
    heading = ada.page.get_by_role("heading", level=1)
    expect(heading).to_have_text("This link leads nowhere")
    assert ada.page.evaluate(kept) == [token]
    ada.presses("To your own seat", "link")
    ada.is_asked()
