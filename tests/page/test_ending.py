"""The end of a game: who won, how close it was, the figures, and the result to paste."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Locator, Route, ViewportSize, expect

from tests.page.conftest import IN_EACH_TYPEFACE, SitsDown
from tests.page.house import House
from tests.page.people import Person
from tests.page.plays import NAMED, PLAYS, Play
from tests.page.test_in_sight import TOUCHABLE

SIZES = ((320, 480), (390, 844), (844, 390), (1280, 800), (1920, 1080))
TOLD = {
    "safecracker-duel": (
        "The safe is open on 3-4-2.",
        "The safe shows your 3-4-2. Bob's 5-1-3 was three dials away.",
        "The safe shows Ada's 3-4-2. Your 5-1-3 was three dials away, and would have won.",
        "The safe shows Ada's 3-4-2. Bob's 5-1-3 was three dials away.",
    ),
    "safe-cracker": (
        "The safe is open on 3-3-1.",
        "3-3-1 at your second guess. Bob was two digits away from 2-1-3.",
        "Ada found your 3-3-1 at the second guess. "
        "You were two digits away from 2-1-3, which would have won.",
        "Ada found 3-3-1 at the second guess. Bob was two digits away from 2-1-3.",
    ),
    "safe-code": (
        "7 is stamped as found.",
        "7 at your second guess. Bob had 14 numbers left, among them 18.",
        "Ada found your 7 at the second guess. "
        "You had 14 numbers left, among them 18, which would have won.",
        "Ada found 7 at the second guess. Bob had 14 numbers left, among them 18.",
    ),
    "digit-deductions": (
        "5-6 is stamped as found.",
        "5-6 at your second guess. Bob was two steps away from 3-7.",
        "Ada found your 5-6 at the second guess. "
        "You were two steps away from 3-7, which would have won.",
        "Ada found 5-6 at the second guess. Bob was two steps away from 3-7.",
    ),
    "quantum-duel": (
        "Cells 1 to 4 are lit: four X in a row.",
        "Cells 1 to 4. Bob had three cells in a row; "
        "a challenge would have undone cell 4 one time in two.",
        "Ada closed cells 1 to 4. You had three cells in a row; "
        "a challenge would have undone cell 4 one time in two.",
        "Ada closed cells 1 to 4. Bob had three cells in a row; "
        "a challenge would have undone cell 4 one time in two.",
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


@pytest.fixture
def motion() -> bool:
    """No motion: the end is looked at when it is at rest."""
    return False


def two_people(sits_down: SitsDown, links: tuple[str, ...]) -> tuple[Person, Person]:
    ada, bob = (
        sits_down(name).opens(link) for name, link in zip(("Ada", "Bob"), links, strict=True)
    )
    return ada, bob


def is_played(people: tuple[Person, Person], moves: tuple[tuple[int, str], ...]) -> None:
    for seat, move in moves:
        people[seat - 1].moves(move)
    for person in people:
        person.has_ended()


def resigns(person: Person) -> None:
    person.presses("Resign")
    person.page.get_by_role("dialog").get_by_role("button", name="Resign").click()


def analysis(house: House, link: str) -> Any:
    """What the server says about a finished game."""
    id, token = link.split("/")[-2:]
    return house.asked(f"/api/games/{id}/analysis", token=token)


def picture(person: Person) -> Locator:
    """What is drawn of the end."""
    return person.page.locator(".finale-picture[role=img]")


def figures(person: Person) -> Locator:
    return person.page.get_by_role("list", name="In figures").get_by_role("listitem")


def pasted(person: Person) -> str:
    """The result as text to paste."""
    text: str = person.page.get_by_label("The result as text").text_content() or ""
    return text


def points(luck: float) -> str:
    """Luck as a person reads it."""
    rounded = round(100 * luck)
    return f"+{rounded}" if rounded > 0 else f"−{-rounded}" if rounded else "0"


@pytest.mark.parametrize("play", PLAYS, ids=lambda play: play.name)
def test_an_ending_says_who_won_how_close_it_was_and_what_it_was_worth(
    house: House, sits_down: SitsDown, play: Play
) -> None:
    links = house.arranges(play.name)
    people = two_people(sits_down, links)
    cy = sits_down("Cy").opens(f"{house.address}#watch/{links[0].split('/')[-2]}")
    expect(cy.board).to_be_visible()
    is_played(people, play.moves)
    cy.has_ended()
    shown, *told = TOLD[play.name]
    judged = analysis(house, links[0])
    for seat, person in enumerate((*people, cy)):
        expect(person.large).to_have_text(re.compile("^Ada " if seat else "^You "))
        expect(person.means).to_have_text(told[seat])
        expect(picture(person)).to_have_accessible_name(shown)
        expect(person.fair).to_have_text("✓ fairchecked in this browser")
        expect(figures(person)).to_have_count(4)
        ended = person.large.text_content() or ""
        person.page.wait_for_function("(text) => window.heard.join(' ').includes(text)", arg=ended)
        assert person.heard.count(ended) == 1
    for seat, (person, own) in enumerate(zip(people, judged["seats"], strict=True), 1):
        well = max(0, 100 - round(100 * own["cost"]))
        dear = sum(bool(each["mark"]) for each in judged["decisions"] if each["seat"] == seat)
        expect(figures(person).nth(0)).to_have_text(f"{well} / 100how well you played")
        expect(figures(person).nth(1)).to_have_text(f"{points(own['luck'])}luck, in points")
        expect(figures(person).nth(2)).to_have_text(re.compile(f"^{dear}moves? that cost"))
        expect(figures(cy).nth(seat - 1)).to_contain_text(f"{well} / 100how well {own['name']}")
        won, lost = SIGNS[play.name]
        assert pasted(person).splitlines() == [
            f"strongroom · {play.title}",
            f"Ada ✓ {won}",
            f"Bob – {lost}",
            f"{well} of 100, luck {points(own['luck'])}",
        ]


@pytest.mark.parametrize("play", [each for each in PLAYS if each.secrets[0]], ids=lambda p: p.name)
def test_the_copied_result_has_neither_a_secret_nor_a_link_in_it(
    house: House, sits_down: SitsDown, play: Play
) -> None:
    links = house.arranges(play.name)
    people = two_people(sits_down, links)
    is_played(people, play.moves)
    ada = people[0]
    ada.context.grant_permissions(["clipboard-read", "clipboard-write"])
    expect(figures(ada)).to_have_count(4)
    ada.presses(re.compile("^Copy result"))
    expect(ada.page.get_by_role("button", name="Copied")).to_be_visible()
    copied = ada.page.evaluate("navigator.clipboard.readText()")
    assert copied == pasted(ada)
    rows, judged = copied.rpartition("\n")[::2]
    assert re.fullmatch(r"\d+ of 100, luck [+−]?\d+", judged)
    for text in (*play.secrets[0], *play.secrets[1]):
        assert text not in rows
    assert not re.search(r"\d", rows)
    assert not re.search(r"://|#|/", copied)


@IN_EACH_TYPEFACE
@pytest.mark.parametrize("play", PLAYS, ids=lambda play: play.name)
def test_a_rematch_is_in_sight_on_every_screen(
    house: House, sits_down: SitsDown, play: Play
) -> None:
    people = two_people(sits_down, house.arranges(play.name))
    is_played(people, play.moves)
    for person in people:
        expect(figures(person)).to_have_count(4)
        for width, height in SIZES:
            person.page.set_viewport_size(ViewportSize(width=width, height=height))
            where = f"{person.name}, {width} × {height}"
            assert person.page.evaluate("scrollY") == 0, where
            for each in (person.button, person.large, figures(person).first, picture(person)):
                assert each.evaluate(TOUCHABLE), where
            drawn = picture(person).bounding_box()
            assert drawn, where
            assert drawn["height"] > 40, where
            assert person.page.evaluate(
                "document.documentElement.scrollWidth <= document.documentElement.clientWidth"
            ), where


def test_marks_stand_in_the_column_of_the_player_who_made_the_move(
    house: House, sits_down: SitsDown
) -> None:
    links = house.arranges("quantum-duel")
    people = two_people(sits_down, links)
    moves = ["1:3", "2:7", "1:4", "2:no", "2:1", "1:5", "2:no", "2:2", "1:no", "1:6", "2:no"]
    is_played(people, tuple((int(each[0]), each[2:]) for each in moves))
    ada = people[0]
    rows = ada.page.locator(".record tbody tr")
    expect(rows.nth(6).locator("td").nth(2)).to_contain_text("(blunder)")
    marked = {
        (each["turn"], each["seat"]): each["mark"]
        for each in analysis(house, links[0])["decisions"]
        if each["mark"]
    }
    for turn in range(1, 8):
        for seat in (1, 2):
            cell = rows.nth(turn - 1).locator("td").nth(seat).text_content() or ""
            assert re.findall(r"\((\w+)\)", cell) == [
                mark for at, mark in marked.items() if at == (turn, seat)
            ]


def test_the_loser_of_a_duel_is_told_which_turn_would_have_won(
    house: House, sits_down: SitsDown
) -> None:
    people = two_people(sits_down, house.arranges("safecracker-duel"))
    moves = "1:3-4-2 2:5-1-2 1:1 3 2:3 2 1:2 4"
    is_played(people, tuple((int(each[0]), each[2:]) for each in re.split(r" (?=\d:)", moves)))
    expect(people[1].means).to_have_text(
        "The safe shows Ada's 3-4-2. Your 5-1-2 was two dials away, and would have won."
    )
    people = two_people(sits_down, house.arranges("safecracker-duel"))
    moves = "1:3-4-2 2:5-1-2 1:3 2 2:2 4 1:2 1 2:2 4 1:1 3"
    is_played(people, tuple((int(each[0]), each[2:]) for each in re.split(r" (?=\d:)", moves)))
    missed = "5-1-2 was two dials away; at turn 4, dial 1 to 5 would have won."
    expect(people[0].means).to_have_text(f"The safe shows your 3-4-2. Bob's {missed}")
    expect(people[1].means).to_have_text(f"The safe shows Ada's 3-4-2. Your {missed}")


@pytest.mark.parametrize("play", PLAYS[:4], ids=lambda play: play.name)
def test_a_resignation_in_the_set_up_ends_with_nothing_being_chosen(
    house: House, sits_down: SitsDown, play: Play
) -> None:
    ada, bob = two_people(sits_down, house.arranges(play.name))
    ada.is_asked()
    resigns(bob)
    for person in (ada, bob):
        person.has_ended()
        expect(person.large).to_have_text(re.compile(r"[Yy]ou .*resigned\.$"))
        expect(person.means).to_have_text(re.compile("^It ended before both had chosen a "))
        expect(picture(person)).to_have_accessible_name(
            re.compile(r"^The (safe is closed|card lies face down)\.$")
        )
        person.presses("See how it went")
        expect(person.board).to_be_visible()
        expect(person.board).not_to_contain_text("being chosen")


@pytest.mark.parametrize(
    ("game", "moves", "told"),
    [
        (
            "safe-cracker",
            ((1, "1-1-1"),),
            "You were two digits away from 3-3-1. Bob had no guess yet at 2-1-3.",
        ),
        (
            "digit-deductions",
            ((1, "5-5"), (2, "3-5")),
            "You were one step away from 5-6. Bob was two steps away from 3-7.",
        ),
        (
            "safecracker-duel",
            ((1, "1 3"),),
            "Your 3-4-2 was two dials away. Bob's 5-1-3 was two dials away.",
        ),
        ("quantum-duel", ((1, "1"), (2, "7")), "You had one cell. Bob had one cell."),
    ],
)
def test_a_resigned_game_shows_what_was_hidden_and_how_near_both_were(
    house: House,
    sits_down: SitsDown,
    game: str,
    moves: tuple[tuple[int, str], ...],
    told: str,
) -> None:
    people = two_people(sits_down, house.arranges(game))
    for seat, move in (*NAMED[game].set_up, *moves):
        people[seat - 1].moves(move)
    ada, bob = people
    resigns(bob)
    ada.has_ended()
    expect(ada.large).to_have_text("You won, because Bob resigned.")
    expect(ada.means).to_have_text(told)
    assert "Ada ✓" in pasted(ada)


def test_a_claimed_game_has_an_ending_too(own_house: House, sits_down: SitsDown) -> None:
    people = two_people(sits_down, own_house.arranges("safe-cracker"))
    for seat, move in NAMED["safe-cracker"].moves[:3]:
        people[seat - 1].moves(move)
    ada, bob = people
    bob.is_asked()
    bob.page.goto("about:blank")
    ada.claims()
    ada.has_ended()
    expect(ada.large).to_have_text(re.compile("^You won, because Bob"))
    expect(picture(ada)).to_have_accessible_name("The safe is closed.")
    assert ada.button.evaluate(TOUCHABLE)


def test_a_record_that_was_changed_is_found_out_without_a_press(
    house: House, sits_down: SitsDown
) -> None:
    play = NAMED["safe-cracker"]
    people = two_people(sits_down, house.arranges(play.name))
    ada, bob = people

    def change(route: Route) -> None:
        text = route.fetch().text()
        assert '"answer":1' in text
        route.fulfill(body=text.replace('"answer":1', '"answer":2', 1))

    ada.page.route("**/record", change)
    bob.forgives()
    bob.page.route("**/record", lambda route: route.abort())
    is_played(people, play.moves)
    expect(ada.fair).to_contain_text("✗ not fair")
    expect(ada.looks_into_the_checks().locator(".bad")).not_to_have_count(0)
    expect(bob.fair).to_have_text("fair?could not be checked")
    bob.page.unroute("**/record")
    bob.page.get_by_role("button", name="Close").click()
    expect(bob.looks_into_the_checks().locator(".bad")).to_have_count(0)
    expect(bob.fair).to_contain_text("✓ fair")


def test_figures_that_come_late_take_the_focus_from_nothing(
    house: House, sits_down: SitsDown
) -> None:
    play = NAMED["safe-cracker"]
    people = two_people(sits_down, house.arranges(play.name))
    ada = people[0]
    held: list[Route] = []
    ada.page.route("**/analysis", lambda route: held.append(route))
    is_played(people, play.moves)
    ada.fair.focus()
    while not held:
        ada.page.wait_for_timeout(10)
    held[0].continue_()
    expect(figures(ada)).to_have_count(4)
    expect(ada.fair).to_be_focused()


def test_whoever_asks_for_a_rematch_reads_that_the_other_is_asked(
    house: House, sits_down: SitsDown
) -> None:
    play = NAMED["digit-deductions"]
    people = two_people(sits_down, house.arranges(play.name))
    is_played(people, play.moves)
    ada, bob = people
    ada.presses("Rematch, seats swapped")
    expect(ada.page.get_by_role("heading", name="Bob is asked for a rematch")).to_be_visible()
    expect(bob.button).to_have_text("To the rematch")
    bob.button.click()
    bob.is_asked()


def test_the_picture_moves_once_and_with_reduced_motion_not_at_all(
    house: House, sits_down: SitsDown
) -> None:
    play = NAMED["safe-cracker"]
    links = house.arranges(play.name)
    people = two_people(sits_down, links)
    is_played(people, play.moves)
    ada = people[0]
    running = "document.getAnimations().length"
    assert ada.page.evaluate(running) == 0
    ada.page.emulate_media(reduced_motion="no-preference")
    ada.page.reload()
    longest = ada.page.wait_for_function(
        """() => Math.max(0, ...document.getAnimations().map(({ effect }) =>
            effect.getComputedTiming().endTime))"""
    ).json_value()  # looked at in every frame, because it is soon over
    assert 500 <= longest <= 1500
    ada.page.evaluate("Promise.all(document.getAnimations().map((each) => each.finished))")
    assert ada.page.evaluate(running) == 0
