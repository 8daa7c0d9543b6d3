"""Two people in two browsers play each of the five games from the lobby to the rematch."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.page.conftest import SitsDown
from tests.page.house import House
from tests.page.people import Person
from tests.page.plays import NAMED, PLAYS, Play, plays


@pytest.mark.parametrize("play", PLAYS, ids=lambda play: play.name)
def test_two_people_play_a_whole_game(house: House, sits_down: SitsDown, play: Play) -> None:
    ada, bob = sits_down("Ada"), sits_down("Bob")
    ada.makes_a_game(house.address, play.title, "Somebody you send a link")
    bob.accepts(ada.invitation)
    for seat, move in play.moves:
        plays((ada, bob)[seat - 1], play.name, move)
    for person in (ada, bob):
        person.is_over()
    expect(ada.large).to_have_text(re.compile("^You "))
    expect(bob.large).to_have_text(re.compile("^Ada "))
    for person in (ada, bob):
        looks_at_the_end(person, play)
    ada.presses(re.compile("^Rematch"))
    expect(bob.button).to_have_text("To the rematch")
    bob.button.click()
    for person in (ada, bob):
        expect(person.player(1)).to_contain_text("Bob")
        expect(person.player(2)).to_contain_text("won 1")
    bob.is_asked()
    bob.presses("Resign")
    bob.page.get_by_role("dialog").get_by_role("button", name="Resign").click()
    for person in (ada, bob):
        expect(person.player(2)).to_contain_text("won 2")


def looks_at_the_end(person: Person, play: Play) -> None:
    """Look at the end page: both secrets, the replay, the analysis, and the checks."""
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
    drawn = person.page.locator("svg.curve path.path")
    expect(drawn.first).to_be_visible()
    unsure = person.looks_into_the_checks().locator(":is(.bad, .none)")
    if play.name == "quantum-duel":
        expect(unsure).to_have_text(["Secrets. Nothing was hidden in this match."])
    else:
        expect(unsure).to_have_count(0)
    person.presses("Close")


def test_a_mark_is_shown_with_the_player_who_made_the_move_or_the_reply(
    house: House, sits_down: SitsDown
) -> None:
    play = NAMED["quantum-duel"]
    links = house.arranges(play.name)
    people = [sits_down(name).opens(link) for name, link in zip(("Ada", "Bob"), links, strict=True)]
    for seat, move in play.moves:
        people[seat - 1].moves(move)
    ada = people[0]
    ada.is_over()
    id, token = links[0].split("/")[-2:]
    decisions = house.asked(f"/api/games/{id}/analysis", token=token)["decisions"]
    marked = {(each["turn"], each["seat"]): each["mark"] for each in decisions if each["mark"]}
    row_seats = {turn: 2 - turn % 2 for turn, _ in marked}
    assert any(seat != row_seats[turn] for turn, seat in marked), "a reply gave something away"
    for (turn, seat), mark in marked.items():
        cells = ada.page.locator(".record tbody tr:not(.cleared)").nth(turn - 1).locator("td")
        expect(cells.nth(seat)).to_contain_text(f"({mark})")
        if (turn, 3 - seat) not in marked:
            expect(cells.nth(3 - seat)).not_to_contain_text("(")
