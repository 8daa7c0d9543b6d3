"""The board stays in place, whatever is said and in any font.

With reduced motion nothing moves at all.
"""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.page.conftest import IN_EACH_TYPEFACE, SitsDown
from tests.page.house import House
from tests.page.people import Person
from tests.page.plays import PLAYS, Play, chooses, plays
from tests.page.typefaces import DEJAVU, LIBERATION

PHONE, DESK = {"width": 390, "height": 844}, {"width": 1280, "height": 820}
SMALL = {"width": 320, "height": 640}
SMALLEST = 13
"""The size of the smallest text, in pixels."""
ALLOWED = 0.01
"""The largest layout shift allowed: enough for short words, too little for a board."""


PLACES = """() => {
    const parts = ".players, .asked, .known, .board-place, .board :is(.ledger, .stage, .pins)," +
        ".board :is([role=grid], [role=spinbutton]), .referee, .actions";
    return [...document.querySelectorAll(parts)].map((node) => {
        const { x, y, width, height } = node.getBoundingClientRect();
        return [node.classList[0], x, Math.round(y + scrollY), width, Math.round(height)];
    });
}"""
"""The positions of the board, its parts, and all that stands around it."""


def places(person: Person) -> list[Any]:
    """The positions of everything that must stay in place."""
    found: list[Any] = person.page.evaluate(PLACES)
    return found


@pytest.mark.proof
@IN_EACH_TYPEFACE
@pytest.mark.parametrize("size", [PHONE, DESK], ids=["phone", "desk"])
@pytest.mark.parametrize("play", PLAYS, ids=lambda play: play.name)
def test_the_board_never_moves(
    house: House, sits_down: SitsDown, play: Play, size: dict[str, int]
) -> None:
    links = house.arranges(play.name)
    ada = sits_down("Ada", viewport=size, motion=False).opens(links[0])
    bob = sits_down("Bob", viewport=size, motion=False).opens(links[1])
    for person in (ada, bob):
        expect(person.board).to_be_visible()
        person.page.evaluate("window.shifts.length = 0")
    before = {person.name: places(person) for person in (ada, bob)}
    for number, (seat, move) in enumerate(play.moves):
        mover = (ada, bob)[seat - 1]
        chooses(mover, play.name, move)
        for person in (ada, bob):
            now = places(person)
            assert now == before[person.name], f"{person.name}, choosing move {number + 1}"
        if number + 1 < len(play.moves):
            mover.sends()
            for person in (ada, bob):
                now = places(person)
                assert now == before[person.name], f"{person.name}, after move {number + 1}"
    for person in (ada, bob):
        shifts = person.page.evaluate("window.shifts.filter(({ free }) => !free)")
        assert [shift for shift in shifts if shift["value"] > ALLOWED] == []


@IN_EACH_TYPEFACE
def test_long_names_a_hint_a_refusal_and_an_absence_move_nothing(
    own_house: House, sits_down: SitsDown
) -> None:
    clock = {"minutes": 10, "increment": 5}
    links = own_house.arranges(
        "safe-cracker", name="Maximiliana Featherstone", clock=clock, aids=True
    )
    ada, bob = (sits_down(viewport=SMALL, motion=False).opens(link) for link in links)
    expect(ada.board).to_be_visible()
    before = places(ada)
    for person, move in ((ada, "2-1-3"), (bob, "3-3-1"), (ada, "1-1-1"), (bob, "1-2-3")):
        person.moves(move)
    ada.is_asked()
    ada.presses("Hint")
    expect(ada.means).to_contain_text("Try ")
    assert places(ada) == before
    chooses(ada, "safe-cracker", "2-2-2")
    assert places(ada) == before
    ada.page.evaluate("document.querySelector('strongroom-table').link.ask('move', { move: '77' })")
    expect(ada.means).to_have_class(re.compile("refused"))
    assert places(ada) == before
    bob.page.goto("about:blank")
    expect(ada.page.get_by_role("button", name="Claim the game")).to_be_visible()
    expect(ada.player(2)).to_contain_text("away")
    assert places(ada) == before


def test_the_typefaces_differ_clearly_in_width() -> None:
    assert DEJAVU.width > 1.2 * LIBERATION.width  # each browser was checked to draw them so


@IN_EACH_TYPEFACE
def test_content_that_does_not_fit_shrinks_and_then_scrolls_by_the_keyboard(
    house: House, sits_down: SitsDown
) -> None:
    ada = sits_down(viewport=SMALL).opens(house.arranges("quantum-duel", "random")[0])
    ada.is_asked()
    referee = ada.page.get_by_role("group", name="Referee")
    size = "(node) => parseFloat(getComputedStyle(node).fontSize)"
    usual = ada.large.evaluate(size)
    expect(referee).not_to_have_attribute("tabindex", "0")
    says = "(node, words) => { node.textContent = 'word '.repeat(words); }"
    scrolls = "(node) => node.scrollHeight > node.clientHeight"
    for words in range(1, 300):
        ada.large.evaluate(says, words)
        if ada.large.evaluate(size) < usual:
            break
    assert not referee.evaluate(scrolls)
    ada.large.evaluate(says, 300)
    assert referee.evaluate(scrolls)
    assert ada.means.evaluate(size) == SMALLEST
    ada.board.locator("[role=grid] button[tabindex='0']").focus()
    ada.page.keyboard.press("Tab")
    expect(referee).to_be_focused()
    ada.page.keyboard.press("End")
    ada.page.wait_for_function("() => document.querySelector('.referee').scrollTop > 0")
    ada.large.evaluate("(node) => { node.textContent = 'Short again.'; }")
    assert ada.large.evaluate(size) == usual
    expect(referee).not_to_have_attribute("tabindex", "0")


def test_with_reduced_motion_nothing_moves(house: House, sits_down: SitsDown) -> None:
    links = house.arranges("quantum-duel")
    ada = sits_down("Ada", motion=False).opens(links[0])
    bob = sits_down("Bob", motion=False).opens(links[1])
    moving = """() => {
        window.moved = 0;
        const look = () => {
            window.moved += document.getAnimations().length;
            requestAnimationFrame(look);
        };
        look();
    }"""
    for person in (ada, bob):
        expect(person.board).to_be_visible()
        person.page.evaluate(moving)
    for person, move in ((ada, "1"), (bob, "7"), (ada, "2"), (bob, "yes")):
        plays(person, "quantum-duel", move)
    fallen = re.compile("The coin shows (heads|tails)")
    expect(ada.board.get_by_role("img")).to_have_attribute("aria-label", fallen)
    assert ada.page.evaluate("window.moved") == 0
