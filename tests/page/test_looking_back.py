"""How a finished game went: its board, its steps, its curve and its moves on one screen."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, ViewportSize, expect

from tests.page.conftest import SitsDown
from tests.page.fitting import SETTLED
from tests.page.house import House
from tests.page.modules import opened_modules
from tests.page.people import Person
from tests.page.plays import NAMED, PLAYS, Play
from tests.page.test_ending import analysis, figures, is_played, pasted, resigns, two_people

WINDOWS = tuple(
    ViewportSize(width=width, height=height)
    for width, height in ((390, 844), (768, 1024), (844, 390), (1280, 800), (1920, 1080))
)
FAULTS = """() => {
    const parts = [".players", ".board-place", ".replay", ".referee", ".plot", ".recorded",
        ".actions > .main", ".actions > .button:not(.main)"];
    const nodes = parts.map((part) => document.querySelector(part));
    const boxes = nodes.map((node) => node.getBoundingClientRect());
    const faults = parts.filter((_, at) => !(boxes[at].width > 40 && boxes[at].height > 24));
    boxes.forEach(({ left, top, right, bottom }, at) => {
        if (left < -0.5 || top < -0.5 || right > innerWidth + 0.5 || bottom > innerHeight + 0.5)
            faults.push(`${parts[at]} is not in the window`);
        boxes.slice(at + 1).forEach((other, by) => {
            const apart = right <= other.left + 0.5 || other.right <= left + 0.5
                || bottom <= other.top + 0.5 || other.bottom <= top + 0.5;
            if (!apart) faults.push(`${parts[at]} meets ${parts[at + 1 + by]}`);
        });
    });
    const { scrollHeight, scrollWidth } = document.documentElement;
    if (scrollHeight > innerHeight + 1 || scrollWidth > innerWidth) faults.push("it scrolls");
    return faults;
}"""
"""What is outside the window, or meets something else."""
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


@pytest.fixture
def motion() -> bool:
    """No motion: what is looked at is at rest."""
    return False


def looks_back(house: House, sits_down: SitsDown, play: Play, **wishes: Any) -> tuple[Person, str]:
    """Ada, who won a whole game and looks at how it went, and the link to her seat."""
    links = house.arranges(play.name, **wishes)
    people = two_people(sits_down, links)
    is_played(people, play.moves)
    people[0].is_over()
    return people[0], links[0]


def current(person: Person) -> Locator:
    """The move in the record at which one looks."""
    return person.page.locator(".record [aria-current]")


@pytest.mark.parametrize("play", PLAYS, ids=lambda play: play.name)
def test_looking_back_fits_every_window(house: House, sits_down: SitsDown, play: Play) -> None:
    ada, _ = looks_back(house, sits_down, play)
    for size in WINDOWS:
        ada.page.set_viewport_size(size)
        ada.page.evaluate(SETTLED)
        where = f"{size['width']} by {size['height']}"
        assert ada.page.evaluate(FAULTS) == [], where
        drawn = ada.page.locator("svg.curve").get_attribute("viewBox") or ""
        plot = ada.page.locator(".plot").bounding_box()
        assert plot
        assert [round(plot[each]) for each in ("width", "height")] == [
            int(each) for each in drawn.split()[2:]
        ], where


def test_a_press_on_a_move_shows_it_on_the_board_and_what_it_cost(
    house: House, sits_down: SitsDown
) -> None:
    ada, link = looks_back(house, sits_down, NAMED["digit-deductions"])
    dear = next(each for each in analysis(house, link)["decisions"] if each["mark"])
    assert dear["remark"]
    rows = ada.page.locator(".record tbody tr")
    rows.nth(1).get_by_role("button", name="5-5").click()
    expect(current(ada)).to_contain_text("5-5")
    expect(ada.pill).to_have_text("Turn 1")
    expect(ada.large).to_have_text("You: 5-5. Feedback: 1")
    expect(ada.means).to_have_text(re.compile(rf"^An? {dear['mark']} \(−\d+ points\): "))
    expect(
        ada.board.get_by_role("button", name=re.compile("^5-5, guessed, distance 1"))
    ).to_be_visible()
    expect(ada.board.get_by_role("button", name=re.compile("^5-6, guessed"))).to_have_count(0)
    rows.nth(0).get_by_role("button", name="hid 3-7").click()
    expect(ada.large).to_have_text("You hid 3-7. Bob hid 5-6.")
    expect(ada.pill).to_have_text("Set-up")


def test_arrows_and_the_curve_go_from_move_to_move(house: House, sits_down: SitsDown) -> None:
    ada, _ = looks_back(house, sits_down, NAMED["safecracker-duel"])
    slider = ada.page.get_by_role("slider", name="Moment of the game")
    expect(slider).to_have_value("5")
    current(ada).focus()
    for key, step in (("ArrowLeft", 4), ("ArrowUp", 3), ("ArrowDown", 4), ("ArrowRight", 5)):
        ada.page.keyboard.press(key)
        expect(slider).to_have_value(str(step))
        expect(current(ada)).to_be_focused()
    plot = ada.page.locator(".plot")
    box = plot.bounding_box()
    assert box
    middle = box["height"] / 2
    plot.click(position={"x": 40, "y": middle})
    expect(slider).to_have_value("0")
    plot.click(position={"x": box["width"] - 14, "y": middle})
    expect(slider).to_have_value("5")
    assert "Bob sets dial 3 to 3." in ada.heard


def test_an_earlier_step_has_no_winner_and_nothing_to_press_on_the_board(
    house: House, sits_down: SitsDown
) -> None:
    play = NAMED["quantum-duel"]
    links = house.arranges(play.name)
    people = two_people(sits_down, links)
    is_played(people, play.moves)
    bob = people[1]
    bob.is_over()
    expect(bob.pill).to_have_text("Ada won")
    expect(bob.means).to_have_text(re.compile(r"^Bob: .*, a blunder \(−\d+ points\): "))
    bob.presses("One step back")
    expect(bob.large).to_have_text("Ada observes cell 4, adjacent to cell 3.")
    expect(bob.pill).to_have_text("Turn 7")
    expect(bob.board.get_by_role("button", name="Challenge")).to_have_count(0)
    expect(bob.page.locator(".record tbody tr").nth(6)).to_contain_text("4 unchallenged")
    expect(current(bob)).to_contain_text("4 unchallenged")


def test_what_was_in_the_air_is_not_said_once_it_has_fallen(browser: Browser) -> None:
    frames = [
        ({"step": 1, "seat": 1, "move": "4", "answer": "open"}, "Ada observes cell 4."),
        ({"hint": 2}, ""),
        ({"step": 2, "seat": 2, "move": "yes", "answer": "open"}, "Bob challenges. It flies."),
        ({"step": 3, "seat": "chance", "move": "tails", "answer": "fails"}, "Tails."),
        ({"end": {"winner": 1, "reason": "resigned"}}, ""),
    ]
    view = {"history": [], "setting_up": False}
    welcome = {"type": "welcome", "number": 0, "view": view, "words": {"said": ""}}
    sent = [
        {"type": "entries", "number": at, "entries": [entry], "words": {"said": said}}
        for at, (entry, said) in enumerate(frames, 1)
    ]
    with opened_modules(browser) as page:
        steps = page.evaluate(
            """async (replay) => (await import('/replay.js')).stepsOf(replay)
                .map(({ seat, numbers, hints, said }) => [seat, numbers, hints, said])""",
            {"welcome": welcome, "frames": sent},
        )
        after = page.evaluate(
            """async (text) => (await import('/parts.js')).sentences(text, true)""",
            "Bob challenges. It flies.\nTails.",
        )
    assert steps == [
        [None, [], [], ""],
        [1, [1], [], "Ada observes cell 4."],
        [2, [2, 3], [2], "Bob challenges. Tails."],
        [None, [], [], ""],
    ]
    assert after == ["Tails.", "Bob challenges."]


@pytest.mark.parametrize("play", PLAYS, ids=lambda play: play.name)
def test_the_record_has_as_many_signs_as_moves_are_counted(
    house: House, sits_down: SitsDown, play: Play
) -> None:
    ada, link = looks_back(house, sits_down, play)
    marked = [each for each in analysis(house, link)["decisions"] if each["mark"]]
    signs = {"inaccuracy": "?!", "mistake": "?", "blunder": "??"}
    expect(ada.page.locator(".record .sign")).to_have_count(len(marked))
    shown = [text.strip() for text in ada.page.locator(".record .sign").all_text_contents()]
    assert sorted(shown) == sorted(signs[each["mark"]] for each in marked)
    ada.presses("How it ended")
    own = sum(each["seat"] == 1 for each in marked)
    expect(figures(ada).nth(2)).to_have_text(re.compile(f"^{own}move"))


def test_figures_say_what_they_are_and_hints_are_told(house: House, sits_down: SitsDown) -> None:
    play = NAMED["safe-cracker"]
    ada, bob = two_people(sits_down, house.arranges(play.name, aids=True))
    for seat, move in play.moves[:2]:
        (ada, bob)[seat - 1].moves(move)
    ada.is_asked()
    ada.presses("Hint")
    expect(ada.means).to_contain_text("Try ")
    is_played((ada, bob), play.moves[2:])
    expect(figures(ada).nth(0)).to_contain_text("how well you played, with 1 hint")
    assert " of 100 with 1 hint, luck " in pasted(ada)
    expect(figures(bob).nth(0)).to_have_text(re.compile("how well you played$"))
    for at, what in (
        (0, "100 minus what your moves cost"),
        (1, "chance gave you"),
        (2, "5 points"),
    ):
        figures(ada).nth(at).get_by_role("button").click()
        expect(ada.page.get_by_role("dialog")).to_contain_text(what)
        ada.presses("Close")
        expect(ada.page.get_by_role("dialog")).to_have_count(0)


def test_somebody_without_a_name_is_you_in_the_record_and_at_the_curve(
    house: House, sits_down: SitsDown
) -> None:
    ada, bob = two_people(sits_down, house.arranges("safe-cracker", name="Guest"))
    ada.moves("2-1-3")
    bob.moves("3-2-1")
    ada.moves("1-1-1")
    bob.moves("1-1-1")
    ada.is_asked()
    resigns(ada)
    ada.is_over()
    for part in (".record thead", ".key"):
        expect(ada.page.locator(part)).to_contain_text("You")
    expect(ada.page.locator("#stage")).not_to_contain_text("Guest")
    assert pasted(ada).splitlines()[1].startswith("Me ")


def test_a_game_that_was_resigned_at_once_says_so_in_its_record(
    house: House, sits_down: SitsDown
) -> None:
    ada, bob = two_people(sits_down, house.arranges("quantum-duel"))
    ada.is_asked()
    resigns(bob)
    ada.has_ended()
    ada.presses("See how it went")
    expect(ada.page.locator(".record tbody")).to_have_text("You won, because Bob resigned.")
    expect(current(ada)).to_have_text("You won, because Bob resigned.")
    ada.presses("One step back")
    expect(ada.large).to_have_text("The beginning")


def test_the_record_of_safe_cracker_is_its_ledger_of_rounds_with_pegs(
    house: House, sits_down: SitsDown
) -> None:
    ada, _ = looks_back(house, sits_down, NAMED["safe-cracker"])
    ada.presses("How it ended")
    rows = ada.page.locator(".record tbody tr")
    expect(rows).to_have_count(3)
    expect(rows.nth(0).locator("td")).to_have_text(["–", "hid 2-1-3", "hid 3-3-1"])
    expect(rows.nth(1).locator("td").nth(0)).to_have_text("1")
    for seat, code in ((1, "1-1-1"), (2, "1-2-3")):
        cell = rows.nth(1).locator("td").nth(seat)
        expect(cell).to_contain_text(code)
        expect(cell.get_by_role("img", name="1 exact")).to_be_visible()
    expect(rows.nth(2).get_by_role("img", name="3 exact")).to_be_visible()


def test_a_long_record_leaves_the_result_whole_and_its_newest_row_in_sight(
    house: House, sits_down: SitsDown
) -> None:
    ada, bob = two_people(sits_down, house.arranges("quantum-duel"))
    for seat, move in LONG:
        (ada, bob)[seat - 1].moves(move)
    newest = ada.page.locator(".record tbody tr").last
    for size in (ViewportSize(width=1280, height=600), ViewportSize(width=844, height=390)):
        ada.page.set_viewport_size(size)
        ada.page.evaluate(SETTLED)
        expect(newest).to_be_in_viewport(ratio=0.9)
    resigns(bob)
    ada.has_ended()
    ada.page.set_viewport_size(ViewportSize(width=1280, height=720))
    ada.page.evaluate(SETTLED)
    result = ada.page.get_by_label("The result as text")
    assert result.evaluate("(node) => node.scrollHeight <= node.clientHeight")
    expect(result).to_be_in_viewport(ratio=1)
    ada.presses("See how it went")
    for step, text in (("To the end", "You won, because Bob resigned."), ("To the beginning", "")):
        ada.presses(step)
        expect(current(ada)).to_have_count(1 if text else 0)
        seen = current(ada) if text else ada.page.locator(".record tbody tr").first
        assert seen.evaluate(IN_SIGHT), step
    for turn in range(1, 15):
        while not (current(ada).count() and ada.pill.text_content() == f"Turn {turn}"):
            ada.presses("One step on")
        assert current(ada).evaluate(IN_SIGHT), turn


def test_against_master_the_page_says_by_what_moves_are_valued(
    house: House, sits_down: SitsDown
) -> None:
    (link,) = house.arranges("quantum-duel", "master")
    ada = sits_down("Ada").opens(link)
    ada.moves("4")
    ada.is_asked()
    resigns(ada)
    ada.has_ended()
    ada.presses("See how it went")
    ada.presses("What lines and signs mean")
    said = ada.page.get_by_role("dialog")
    best = "exactly against the certified player, by what a best response wins"
    expect(said).to_contain_text(f"Ada: moves are valued {best}.")
    expect(said).to_contain_text("Master: moves are valued by the estimate of the solution.")
