"""The board stays where it is, whatever is said; and with reduced motion nothing moves at all."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.page.conftest import SitsDown
from tests.page.house import House
from tests.page.people import Person
from tests.page.plays import PLAYS, Play, chooses, is_a_reply, plays

PHONE, DESK = {"width": 390, "height": 844}, {"width": 1280, "height": 820}
ALLOWED = 0.02
"""How far things may have shifted in a whole game: short words in the middle of their place."""


def place_of_the_board(person: Person) -> dict[str, Any]:
    """Where it is; of Safe Code the numbers, for below them the clues grow."""
    place: dict[str, Any] = person.page.evaluate(
        """() => {
            const find = (selector) => document.querySelector(selector);
            const { x, y, width, height } =
                (find(".thirty") ?? find(".board-place")).getBoundingClientRect();
            return { x, y: Math.round(y + scrollY), width, height: Math.round(height) };
        }"""
    )
    return place


@pytest.mark.parametrize("size", [PHONE, DESK], ids=["phone", "desk"])
@pytest.mark.parametrize("play", PLAYS, ids=lambda play: play.name)
def test_the_board_never_moves(
    house: House, sits_down: SitsDown, play: Play, size: dict[str, int]
) -> None:
    links = house.arranges(play.name)
    ada = sits_down("Ada", viewport=size, reduced_motion="reduce").opens(links[0])
    bob = sits_down("Bob", viewport=size, reduced_motion="reduce").opens(links[1])
    for person in (ada, bob):
        expect(person.board).to_be_visible()
    bob.page.evaluate("window.shifts.length = 0")
    places = {person.name: place_of_the_board(person) for person in (ada, bob)}
    for number, (seat, move) in enumerate(play.moves):
        mover = (ada, bob)[seat - 1]
        if is_a_reply(move):
            if number + 1 < len(play.moves):
                plays(mover, play.name, move)
            continue
        chooses(mover, play.name, move)
        for person in (ada, bob):
            place = place_of_the_board(person)
            assert place == places[person.name], f"{person.name}, choosing move {number + 1}"
        if number + 1 < len(play.moves):
            mover.sends()
            for person in (ada, bob):
                place = place_of_the_board(person)
                assert place == places[person.name], f"{person.name}, after move {number + 1}"
    shifts = bob.page.evaluate("window.shifts.filter(({ asked }) => !asked)")
    assert sum(shift["value"] for shift in shifts) <= ALLOWED, shifts


def test_with_reduced_motion_nothing_moves(house: House, sits_down: SitsDown) -> None:
    links = house.arranges("quantum-duel")
    ada = sits_down("Ada", reduced_motion="reduce").opens(links[0])
    bob = sits_down("Bob", reduced_motion="reduce").opens(links[1])
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
