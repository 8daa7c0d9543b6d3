"""Ends of every kind, and the way there: the record, the curve, and the replay."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, Route, expect

from tests.page.conftest import Pair, SitsDown
from tests.page.fitting import SETTLED, window
from tests.page.house import House
from tests.page.people import Person
from tests.page.plays import NAMED, PLAYS, Play, are_played
from tests.page.test_whole_games import analysis

ROUND = "1:1 2:3 1:5 2:7 1:2 2:no 2:4 1:no 1:6 2:no"
LONG = tuple(
    (int(move[0]) if first else 3 - int(move[0]), move[2:])
    for first in (True, False)
    for move in ROUND.split()
)
"""Fourteen turns of Quantum Duel, which fill the board twice; the other begins the second time."""
IN_SIGHT = """(node) => {
    const { top, bottom } = node.getBoundingClientRect();
    const box = node.closest(".scroll").getBoundingClientRect();
    const head = node.closest("table").tHead.getBoundingClientRect();
    return top >= head.bottom - 1 && bottom <= box.bottom + 1;
}"""
"""Whether a row of the record is not scrolled away."""
RESIGNED = {
    "safe-cracker": (
        ((1, "1-1-1"),),
        "You were two digits away from 3-3-1. Bob had no guess yet at 2-1-3.",
    ),
    "digit-deductions": (
        ((1, "5-5"), (2, "3-5")),
        "You were one step away from 5-6. Bob was two steps away from 3-7.",
    ),
    "safecracker-duel": (
        ((1, "1 3"),),
        "Your 3-4-2 was two dials away. Bob's 5-1-3 was two dials away.",
    ),
    "quantum-duel": (((1, "1"), (2, "7")), "You had one cell. Bob had one cell."),
}
"""What was played before Bob resigned, and what Ada is told of how near both were."""
CLOSED = re.compile(r"^The (safe is closed|card lies face down|seven cells, without a chain)\.$")
"""What the picture of a game is called that nobody won on the board."""


def current(person: Person) -> Locator:
    """The move in the record at which one looks."""
    return person.page.locator(".record [aria-current]")


def test_the_loser_of_a_duel_is_told_which_turn_would_have_won(pair: Pair) -> None:
    people = pair("safecracker-duel")
    turns = ((1, "3 2"), (2, "2 4"), (1, "2 1"), (2, "2 4"), (1, "1 3"))
    are_played(people, ((1, "3-4-2"), (2, "5-1-2"), *turns))
    for person, whose in zip(people, ("your 3-4-2. Bob's", "Ada's 3-4-2. Your"), strict=True):
        missed = "5-1-2 was two dials away; at turn 4, dial 1 to 5 would have won."
        expect(person.means).to_have_text(f"The safe shows {whose} {missed}")


@pytest.mark.parametrize("play", PLAYS, ids=lambda play: play.name)
def test_a_resignation_shows_what_was_hidden_and_how_near_both_were_or_that_nothing_was_chosen(
    pair: Pair, play: Play
) -> None:
    ada, bob = people = pair(play.name)
    ada.is_asked()
    bob.resigns()
    for person in people:
        person.has_ended()
        expect(person.large).to_have_text(re.compile(r"[Yy]ou .*resigned\.$"))
        expect(person.picture).to_have_accessible_name(CLOSED)
        if play.secrets[0]:
            expect(person.means).to_have_text(re.compile("^It ended before both had chosen a "))
    ada.presses("See how it went")
    expect(ada.board).not_to_contain_text("being chosen")
    expect(ada.page.get_by_text("It ended before there was anything to judge.")).to_be_visible()
    expect(ada.page.locator(".record tbody")).to_have_text("You won, because Bob resigned.")
    expect(current(ada)).to_have_text("You won, because Bob resigned.")
    ada.presses("One step back")
    expect(ada.large).to_have_text("The beginning")
    if play.name not in RESIGNED:
        return
    moves, told = RESIGNED[play.name]
    ada, bob = people = pair(play.name)
    are_played(people, (*play.set_up, *moves))
    bob.resigns()
    ada.has_ended()
    expect(ada.large).to_have_text("You won, because Bob resigned.")
    expect(ada.means).to_have_text(told)
    assert "Ada ✓" in ada.pasted


def test_figures_or_a_record_that_come_late_changed_or_not_at_all_and_pegs_and_motion(
    pair: Pair,
) -> None:
    ada, bob = people = pair("safe-cracker")
    held: list[Route] = []

    def change(route: Route) -> None:
        text = route.fetch().text()
        assert '"answer":1' in text
        route.fulfill(body=text.replace('"answer":1', '"answer":2', 1))

    ada.page.route("**/analysis", lambda route: held.append(route))
    ada.page.route("**/record", change)
    bob.forgives()
    bob.page.route("**/record", lambda route: route.abort())
    are_played(people, NAMED["safe-cracker"].moves)
    ada.has_ended()
    ada.fair.focus()
    while not held:
        ada.page.wait_for_timeout(10)
    held[0].continue_()
    expect(ada.figures).to_have_count(4)
    expect(ada.fair).to_be_focused()
    expect(ada.fair).to_contain_text("✗ not fair")
    expect(ada.looks_into_the_checks().locator(".bad")).not_to_have_count(0)
    ada.presses("Close")
    expect(bob.fair).to_have_text("fair?could not be checked")
    for person in people:
        person.page.unroute_all()
    bob.presses("Close")
    expect(bob.looks_into_the_checks().locator(".bad")).to_have_count(0)
    expect(bob.fair).to_contain_text("✓ fair")
    rows = ada.page.locator(".record tbody tr")  # a round each, as in the ledger, with pegs
    expect(rows).to_have_count(3)
    expect(rows.nth(0).locator("td")).to_have_text(["–", "hid 2-1-3", "hid 3-3-1"])
    expect(rows.nth(1).locator("td").nth(0)).to_have_text("1")
    for seat, code in ((1, "1-1-1"), (2, "1-2-3")):
        cell = rows.nth(1).locator("td").nth(seat)
        expect(cell).to_contain_text(code)
        expect(cell.get_by_role("img", name="1 exact")).to_be_visible()
    expect(rows.nth(2).get_by_role("img", name="3 exact")).to_be_visible()
    running = "document.getAnimations().length"
    assert ada.page.evaluate(running) == 0  # with reduced motion
    ada.page.emulate_media(reduced_motion="no-preference")
    ada.presses("See how it went")
    longest = ada.page.get_by_role("button", name="How it ended").evaluate(
        """(back) => {
            back.click();
            const times = document.getAnimations().map(({ effect }) => effect.getComputedTiming());
            return Math.max(0, ...times.map(({ endTime }) => endTime));
        }"""
    )  # at once, because it is soon over
    assert 500 <= longest <= 1500
    ada.page.evaluate("Promise.all(document.getAnimations().map((each) => each.finished))")
    assert ada.page.evaluate(running) == 0


def test_a_press_on_a_move_arrows_and_the_curve_show_a_moment_and_what_its_move_cost(
    house: House, pair: Pair
) -> None:
    ada, _ = people = pair("digit-deductions")
    are_played(people, NAMED["digit-deductions"].moves)
    ada.is_over()
    dear = next(each for each in analysis(house, ada)["decisions"] if each["mark"])
    assert dear["remark"]
    rows = ada.page.locator(".record tbody tr")
    rows.nth(1).get_by_role("button", name="5-5").click()
    expect(current(ada)).to_contain_text("5-5")
    expect(ada.pill).to_have_text("Turn 1")
    expect(ada.large).to_have_text("You: 5-5. Feedback: 1")
    expect(ada.means).to_have_text(re.compile(rf"^An? {dear['mark']} \(−\d+ points\): "))
    guessed = ada.board.get_by_role("button", name=re.compile("^5-5, guessed, distance 1"))
    expect(guessed).to_be_visible()
    expect(ada.board.get_by_role("button", name=re.compile("^5-6, guessed"))).to_have_count(0)
    rows.nth(0).get_by_role("button", name="hid 3-7").click()
    expect(ada.large).to_have_text("You hid 3-7. Bob hid 5-6.")
    expect(ada.pill).to_have_text("Set-up")
    slider = ada.page.get_by_role("slider", name="Moment of the game")
    box = ada.page.locator(".plot").bounding_box()
    assert box
    for x, step in ((40, "0"), (box["width"] - 14, "3")):
        ada.page.locator(".plot").click(position={"x": x, "y": box["height"] / 2})
        expect(slider).to_have_value(step)
    ada.page.evaluate("window.heard.length = 0")
    current(ada).focus()
    for key, step in zip(("Left", "Up", "Down", "Right"), "2123", strict=True):
        ada.page.keyboard.press(f"Arrow{key}")
        expect(slider).to_have_value(step)
        expect(current(ada)).to_be_focused()
    assert "Bob guesses 3-5." in ada.heard


def test_an_earlier_step_has_no_winner_and_marks_stand_with_whoever_moved_or_replied(
    house: House, pair: Pair, sits_down: SitsDown
) -> None:
    """A second browser with the same link plays and looks back like the first."""
    play = NAMED["quantum-duel"]
    ada, bob = pair(play.name)
    ada.is_asked()
    again = sits_down("Ada").opens(ada.page.url)
    again.is_asked()
    are_played((again, bob), play.moves)
    again.is_over()
    marked = {
        (each["turn"], each["seat"]): each["mark"]
        for each in analysis(house, again)["decisions"]
        if each["mark"]
    }
    assert any(seat == 1 + turn % 2 for turn, seat in marked), "a reply gave something away"
    rows = again.page.locator(".record tbody tr")
    expect(rows.nth(6).locator("td").nth(2)).to_contain_text("(blunder)")
    for turn in range(1, 8):
        for seat in (1, 2):
            cell = rows.nth(turn - 1).locator("td").nth(seat).text_content() or ""
            due = [mark for at, mark in marked.items() if at == (turn, seat)]
            assert re.findall(r"\((\w+)\)", cell) == due
    expect(again.looks_into_the_checks().locator(".bad")).to_have_count(0)
    expect(again.page.get_by_text("Everything fits.")).to_be_visible()
    bob.is_over()
    expect(bob.pill).to_have_text("Ada won")
    expect(bob.means).to_have_text(re.compile(r"^Bob: .*, a blunder \(−\d+ points\): "))
    bob.presses("One step back")
    expect(bob.large).to_have_text("Ada observes cell 4, adjacent to cell 3.")
    expect(bob.pill).to_have_text("Turn 7")
    expect(bob.board.get_by_role("button", name="Challenge")).to_have_count(0)
    expect(bob.page.locator(".record tbody tr").nth(6)).to_contain_text("4 unchallenged")
    expect(current(bob)).to_contain_text("4 unchallenged")


def test_hints_are_announced_counted_and_told_in_figures_and_record(
    house: House, sits_down: SitsDown
) -> None:
    play = NAMED["safe-cracker"]
    links = house.arranges(play.name, aids=True)
    ada, bob = people = sits_down("Ada").opens(links[0]), sits_down("Bob")
    expect(ada.page.get_by_role("heading", name="Bob has not opened the page yet")).to_be_visible()
    bob.opens(links[1])
    are_played(people, play.moves[:3])
    bob.is_asked()
    bob.presses("Hint")
    expect(ada.means).to_have_text("Bob took a hint.")
    assert "Bob took a hint." in ada.heard
    expect(bob.page.get_by_role("button", name="Why?")).to_be_visible()
    are_played(people, play.moves[3:])
    for person in people:
        person.has_ended()
    expect(bob.figures.nth(0)).to_contain_text("how well you played, with 1 hint")
    assert " of 100 with 1 hint, luck " in bob.pasted
    expect(ada.figures.nth(0)).to_have_text(re.compile("how well you played$"))
    for at, what in enumerate(("100 minus what your moves cost", "chance gave you", "5 points")):
        ada.figures.nth(at).get_by_role("button").click()
        expect(ada.page.get_by_role("dialog")).to_contain_text(what)
        ada.presses("Close")
        expect(ada.page.get_by_role("dialog")).to_have_count(0)
    ada.is_over()
    expect(ada.means).to_contain_text("3-3-1 at your second guess.")
    for said, means in (
        ("Bob guesses 1-2-3. Feedback: 1 exact match.", re.compile(r"^With a hint\. ")),
        ("You: 1-1-1. Feedback: 1 exact match", re.compile("^(?!With a hint)")),
        ("You hid 2-1-3. Bob hid 3-3-1.", re.compile("^(?!With a hint)")),
    ):
        ada.page.keyboard.press("ArrowLeft")
        expect(ada.large).to_have_text(said)
        expect(ada.means).to_have_text(means)


def test_a_long_record_leaves_the_result_whole_and_its_newest_row_in_sight(pair: Pair) -> None:
    """Somebody without a name is "You" in the record and at the curve."""
    ada, bob = people = pair("quantum-duel", name="Guest")
    are_played(people, LONG)
    newest = ada.page.locator(".record tbody tr").last
    for size in (window(1280, 600), window(844, 390)):
        ada.page.set_viewport_size(size)
        ada.page.evaluate(SETTLED)
        expect(newest).to_be_in_viewport(ratio=0.9)
    bob.resigns()
    ada.has_ended()
    ada.page.set_viewport_size(window(1280, 720))
    ada.page.evaluate(SETTLED)
    result = ada.page.get_by_label("The result as text")
    assert result.evaluate("(node) => node.scrollHeight <= node.clientHeight")
    expect(result).to_be_in_viewport(ratio=1)
    assert ada.pasted.splitlines()[1].startswith("Me ")
    ada.is_over()
    for part in (".record thead", ".key"):
        expect(ada.page.locator(part)).to_contain_text("You")
    expect(ada.page.locator("#stage")).not_to_contain_text("Guest")
    for step, text in (("To the end", "You won, because Bob resigned."), ("To the beginning", "")):
        ada.presses(step)
        expect(current(ada)).to_have_count(1 if text else 0)
        seen = current(ada) if text else ada.page.locator(".record tbody tr").first
        assert seen.evaluate(IN_SIGHT), step
    for turn in range(1, 15):
        while not (current(ada).count() and ada.pill.text_content() == f"Turn {turn}"):
            ada.presses("One step on")
        assert current(ada).evaluate(IN_SIGHT), turn


def test_against_a_chosen_bot_the_page_says_by_what_moves_are_valued_and_has_a_rematch(
    house: House, sits_down: SitsDown
) -> None:
    ada = sits_down("Ada")
    ada.makes_a_game(house.address, "Quantum Duel", "Master")
    ada.moves("4")
    ada.is_asked()
    ada.resigns()
    ada.has_ended()
    ada.presses("See how it went")
    ada.presses("What lines and signs mean")
    said = ada.page.get_by_role("dialog")
    best = "exactly against the certified player, by what a best response wins"
    expect(said).to_contain_text(f"Ada: moves are valued {best}.")
    expect(said).to_contain_text("Master: moves are valued by the estimate of the solution.")
    ada.presses("Close")
    expect(ada.looks_into_the_checks().locator(".bad")).to_have_count(0)
    ada.presses("Close")
    ada.presses(re.compile("^Rematch"))
    expect(ada.player(2)).to_contain_text("you")
