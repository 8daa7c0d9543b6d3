"""Everything fits every window in any font and suits everyone, and the board stays in place."""

from __future__ import annotations

import re
from itertools import product
from typing import Any

import pytest
from playwright.sync_api import ViewportSize, expect

from tests.page import fitting
from tests.page.conftest import Pair, SitsDown
from tests.page.fitting import NO_OVERFLOW, faults, places, suits_everyone, window, windows
from tests.page.people import House, Person
from tests.page.plays import NAMED, PLAYS, Play, are_played, chooses, confirms, touches

STANDS = tuple(product((fitting.PHONE, fitting.DESK), fitting.LOOKS))
LOOKING_BACK = (fitting.PHONE, window(768, 1024), fitting.LOW, fitting.DESK, fitting.LARGE)
ALLOWED = 0.01
"""The largest layout shift allowed: enough for short words, too little for a board."""
SMALLEST = 13
"""The size of the smallest text, in pixels."""
WHOLE = "(node) => node.scrollWidth <= node.clientWidth"
LOOKED_BACK = (
    fitting.BOXES
    + """
    const parts = [".board-place", ".replay", ".referee", ".plot", ".recorded",
        ".actions > .main", ".actions > .button:not(.main)"];
    const boxes = parts.map((part) => box(document.querySelector(part)));
    parts.forEach((part, at) => {
        if (!(boxes[at].width > 40 && boxes[at].height > 24)) faults.push(`${part} is too small`);
        if (!within(boxes[at], view)) faults.push(`${part} is not in the window`);
        for (const [by, other] of boxes.slice(0, at).entries())
            if (!apart(boxes[at], other)) faults.push(`${part} meets ${parts[by]}`);
    });
    const { scrollHeight, scrollWidth } = document.documentElement;
    if (scrollHeight > innerHeight + 1 || scrollWidth > innerWidth) faults.push("it scrolls");
    const { width, height } = boxes[parts.indexOf(".plot")];
    const drawn = document.querySelector("svg.curve").getAttribute("viewBox");
    if (drawn !== `0 0 ${Math.round(width)} ${Math.round(height)}`) faults.push(`drawn ${drawn}`);
    return faults;
}"""
)
"""What is outside the window, or meets something else, when a game is looked back at."""


@pytest.mark.parametrize("play", PLAYS, ids=lambda play: play.name)
def test_a_game_never_moves_and_fits_every_window_and_everyone_until_it_is_looked_back_at(
    pair: Pair, play: Play
) -> None:
    """One plays on a phone and one at a desk, by turns."""
    people = ada, bob = pair(play.name)
    sides = [fitting.SIDES, fitting.OTHERS]
    if PLAYS.index(play) % 2:
        sides.reverse()
    before: dict[tuple[str, int], Any] = {}

    def rests(person: Person, number: int) -> tuple[str, int]:
        at = number % len(STANDS)
        size, look = STANDS[at]
        for _ in windows(person.page, size, looks=(look,)):
            person.page.evaluate("window.shifts.length = 0")
        return person.name, at

    def rest(number: int) -> list[tuple[str, int]]:
        return [rests(ada, number), rests(bob, number + 2)]

    def stay(stands: list[tuple[str, int]], when: str) -> None:
        for person, stand in zip(people, stands, strict=True):
            assert places(person) == before[stand], f"{stand}, {when}"
            shifts = person.page.evaluate("window.shifts.filter(({ free }) => !free)")
            assert [shift for shift in shifts if shift["value"] > ALLOWED] == [], when

    for person in people:
        expect(person.board).to_be_visible()
        for number in range(len(STANDS)):
            stand = rests(person, number)
            before[stand] = places(person)
    last = len(play.moves) - 1
    for number, (seat, move) in enumerate(play.moves):
        mover, other = people[seat - 1], people[2 - seat]
        mover.is_asked()
        if not number:
            suits_everyone(mover, "one's own turn", sides[0])
        stands = rest(number)
        chooses(mover, play.name, move)
        stay(stands, f"choosing move {number + 1}")
        if number in (0, int(len(play.secrets[0]) > 1), last):
            found = faults(mover.page, fitting.LOOKS[:1] if number == last else fitting.LOOKS[1:])
            assert not found, "\n".join([f"move {number + 1}", *found])
            stands = rest(number)
        if number == last:
            suits_everyone(other, "the other's turn", sides[0])
            suits_everyone(mover, "the last move chosen", sides[1])
            stands = rest(number)
        confirms(mover, move)
        if number != last:
            stay(stands, f"after move {number + 1}")
    for person, look in zip(people, fitting.LOOKS, strict=True):
        expect(person.figures).to_have_count(4)
        for where in windows(person.page, *fitting.UNZOOMED, looks=(look,)):
            assert person.page.evaluate("scrollY") == 0, where
            for each in (person.button, person.large, person.figures.first, person.picture):
                assert each.evaluate(fitting.TOUCHABLE), where
            assert person.picture.evaluate("(node) => node.clientHeight") > 40, where
            assert person.page.evaluate(fitting.NO_OVERFLOW), where
    suits_everyone(ada, "the end", sides[0])
    ada.is_over()
    for where in windows(ada.page, *LOOKING_BACK, looks=fitting.LOOKS[1:]):
        assert ada.page.evaluate(LOOKED_BACK) == [], where
    suits_everyone(ada, "how it went, at the end", sides[1])
    if play in (PLAYS[0], PLAYS[-1]):  # with something hidden, and without
        ada.presses("One step back")
        suits_everyone(ada, "one step before the end", sides[0])
        ada.looks_into_the_checks()
        suits_everyone(ada, "the checks", sides[1])


PAGES = {
    "": "Five duels of codes and nerve",
    "#new/safe-cracker": "Safe Cracker",
    "#new/quantum-duel/link": "Quantum Duel",
    "#watch": "Watch",
    "#rules": "Rules",
    "#rules/safe-code": "Rules of Safe Code",
    "#new/nothing": "There is no such game",
    f"#play/{'0' * 32}/{'1' * 32}": "There is no such game",
    "api/docs": "strongroom",
    "nothing": "There is no such page",
}
"""The pages outside a game, with their headings."""


def test_pages_outside_a_game_suit_everyone(ada: Person, subtests: pytest.Subtests) -> None:
    ada.forgives("404")
    house = ada.page.url
    for number, (path, heading) in enumerate(PAGES.items()):
        with subtests.test(path):
            ada.opens(house + path)
            expect(ada.page.get_by_role("heading", level=1)).to_contain_text(heading)
            for more in ada.page.locator("summary:visible").all():
                more.click()
            suits_everyone(ada, path or "lobby", fitting.OTHERS if number % 2 else fitting.SIDES)
    ada.clock.set_fixed_time("2026-11-13T12:00:00")
    ada.opens(f"{house}#vault")
    expect(ada.board).to_be_visible()
    touches(ada, "digit-deductions", "1-1")
    suits_everyone(ada, "the vault")
    ada.presses("Answer 1-1")
    suits_everyone(ada, "the vault, one try made")
    ada.presses("Show it")
    expect(ada.page.get_by_role("button", name="Share")).to_be_visible()
    suits_everyone(ada, "the vault, answered", fitting.OTHERS)


def test_the_menu_and_a_notice_suit_everyone_and_cover_nothing(ada_plays: SitsDown) -> None:
    ada = ada_plays("quantum-duel", fitting.NARROW)
    ada.presses("Menu")
    expect(ada.page.get_by_role("button", name="Dark theme")).to_be_visible()
    suits_everyone(ada, "the open menu")
    ada.page.keyboard.press("Escape")
    ada.forgives()
    ada.context.set_offline(True)
    expect(ada.page.get_by_role("button", name="Try now")).to_be_visible()
    suits_everyone(ada, "a lost connection", fitting.OTHERS)
    whole = "(node) => node.scrollHeight <= node.clientHeight"
    for where in windows(ada.page):
        assert ada.page.evaluate(fitting.FAULTS) == [], where
        assert ada.page.locator("#notice > *").evaluate(whole), where


def test_names_are_complete_and_not_covered_beside_a_clock_and_in_a_rematch(pair: Pair) -> None:
    ada, bob = pair("safe-cracker", clock={"minutes": 10, "increment": 5})
    ada.moves("2-1-3")
    expect(ada.pill).to_have_text("chooses in secret")
    lid = ada.page.locator(".lid")
    for where in windows(ada.page, *(window(width, 800) for width in (700, 1000, 1100))):
        for each in (ada.player(1).locator("b"), lid):
            assert each.evaluate(WHOLE), where
            assert each.evaluate(fitting.TOUCHABLE), where
    ada.resigns()
    ada.presses(re.compile("^Rematch"))
    bob.button.filter(has_text="To the rematch").click()
    bob.moves("1-1-1")
    ada.moves("2-2-2")
    expect(bob.player(1)).to_contain_text("won 1")
    for person in (ada, bob):
        for where in windows(person.page):
            cut = person.page.locator(".player b").evaluate_all(f"(all) => all.map({WHOLE})")
            assert cut == [True, True], where


SMALL_TEXTS = """(least) => [...document.querySelectorAll("body *")]
    .filter((each) => each.checkVisibility({ visibilityProperty: true })
        && !each.closest("svg, .grid, .head, .strip, .step, .dots, .cell-numbers, .unseen")
        && [...each.childNodes].some((node) => node.nodeType === 3 && node.data.trim())
        && parseFloat(getComputedStyle(each).fontSize) < least)
    .map((each) => `${getComputedStyle(each).fontSize}: ${each.textContent}`)"""
"""What is written smaller than this, but for what is in a cell, on a wheel or in a picture."""


@pytest.mark.parametrize("size", [window(1366, 768), fitting.PHONE], ids=str)
def test_text_is_as_large_as_the_reader_wants_it(
    house: House, ada_plays: SitsDown, size: ViewportSize
) -> None:
    ada = ada_plays("safe-cracker", size)
    ada.reusable = False
    tools = ada.context.new_cdp_session(ada.page)
    tools.send("Page.setFontSizes", {"fontSizes": {"standard": 24, "fixed": 20}})
    for address, awaited in ((ada.page.url, ada.button), ("", ada.board), ("#vault", ada.board)):
        ada.opens(address if "#play" in address else house.address + address)
        expect(awaited).to_be_visible()
        ada.page.evaluate(fitting.SETTLED)
        assert ada.page.evaluate(SMALL_TEXTS, 18) == [], address
        assert ada.page.evaluate(NO_OVERFLOW), address
        assert ada.page.locator(".top").evaluate(WHOLE), address


def test_tab_scrolls_nothing_that_is_in_sight(ada_plays: SitsDown) -> None:
    ada = ada_plays("safecracker-duel")
    for size in (fitting.PHONE, fitting.LOW, fitting.DESK):
        ada.page.set_viewport_size(size)
        ada.page.reload()
        chooses(ada, "safecracker-duel", "3-4-2")
        ada.reaches(ada.page.get_by_role("button", name="More", exact=True))
        assert ada.page.evaluate("scrollY") == 0


def test_a_finger_hits_every_control(house: House, sits_down: SitsDown) -> None:
    ada = sits_down(viewport=fitting.PHONE, has_touch=True)
    for play in PLAYS:
        ada.opens(house.arranges(play.name, "random")[0])
        for _, move in (*play.set_up[: len(play.secrets[0])], (1, "")):
            ada.is_asked()
            assert ada.page.evaluate(fitting.HARD_TO_HIT, fitting.AT_A_TABLE) == [], play.name
            if move:
                ada.moves(move)


SEEN = "(node) => node.clientWidth > 40 && getComputedStyle(node).clipPath === 'none'"


def test_a_chosen_cell_stands_out_from_those_that_are_ruled_out(pair: Pair) -> None:
    ada, bob = pair("digit-deductions", aids=True)
    are_played((ada, bob), (*NAMED["digit-deductions"].moves[:3], (2, "1-1")))
    chooses(ada, "digit-deductions", "9-9")
    expect(ada.board.get_by_role("button", name="9-9, ruled out")).to_have_text("9-9")
    ground = "(node) => getComputedStyle(node).backgroundColor"
    out = ada.board.locator("button.out:not(.chosen, .guessed)")
    chosen = ada.board.locator("button.chosen.out")
    assert chosen.evaluate(ground) != out.last.evaluate(ground)
    assert out.all_inner_texts().count("") > 60


def test_long_names_a_hint_a_refusal_and_an_absence_that_ends_in_a_claim_move_nothing(
    own_house: House, pair: Pair
) -> None:
    wishes = {"name": "Maximiliana Featherstone", "clock": {"minutes": 10, "increment": 5}}
    ada, bob = pair("safe-cracker", own_house, fitting.NARROW, aids=True, **wishes)
    expect(ada.board).to_be_visible()

    def stands() -> list[Any]:
        return [places(ada) for _ in windows(ada.page, fitting.NARROW)]

    before = stands()
    are_played((ada, bob), NAMED["safe-cracker"].moves[:4])
    ada.is_asked()
    ada.presses("Hint")
    expect(ada.means).to_contain_text("Try ")
    assert stands() == before
    chooses(ada, "safe-cracker", "2-2-2")
    expect(ada.means).to_contain_text("Try ")  # it can still be followed
    assert stands() == before
    ask = "document.querySelector('strongroom-table').link.ask('move', { move: '77' })"
    ada.page.evaluate(ask)
    expect(ada.means).to_have_class(re.compile("refused"))
    assert stands() == before
    bob.page.goto("about:blank")
    expect(ada.page.get_by_role("button", name="Claim the game")).to_be_visible()
    expect(ada.player(2).locator(".turn")).to_have_text(re.compile("^away 0:0[1-9]"))
    assert not ada.player(2).locator(".turn").evaluate(SEEN)  # beside a clock there is no room
    ada.presses("Say something")
    assert ada.player(2).locator(".turn").evaluate(SEEN)
    ada.types("Escape")
    ada.presses("Say something")
    ada.types("Escape")
    assert stands() == before
    ada.claims()
    ada.has_ended()
    expect(ada.large).to_have_text(re.compile("^You won, because Bob"))
    expect(ada.picture).to_have_accessible_name("The safe is closed.")
    assert ada.button.evaluate(fitting.TOUCHABLE)
    ada.is_over()


def test_content_that_does_not_fit_shrinks_and_then_scrolls_by_the_keyboard(
    ada_plays: SitsDown,
) -> None:
    ada = ada_plays("quantum-duel", fitting.NARROW)
    referee = ada.page.get_by_role("group", name="Referee")
    size = "(node) => parseFloat(getComputedStyle(node).fontSize)"
    scrolls = "(node) => node.scrollHeight > node.clientHeight"
    says = f"async (node, words) => {{ node.textContent = words; await ({fitting.SETTLED})(); }}"
    ada.large.evaluate(says, "Short.")
    usual = ada.large.evaluate(size)
    expect(referee).not_to_have_attribute("tabindex", "0")
    words = 1
    while ada.large.evaluate(size) == usual:
        words += 1
        ada.large.evaluate(says, "word " * words)
    assert not referee.evaluate(scrolls)
    ada.large.evaluate(says, "word " * 300)
    assert referee.evaluate(scrolls)
    assert ada.means.evaluate(size) == SMALLEST
    ada.board.locator("[role=grid] button[tabindex='0']").focus()
    ada.page.keyboard.press("Tab")
    expect(referee).to_be_focused()
    ada.page.keyboard.press("End")
    ada.page.wait_for_function("() => document.querySelector('.referee').scrollTop > 0")
    ada.large.evaluate(says, "Short again.")
    assert ada.large.evaluate(size) == usual
    expect(referee).not_to_have_attribute("tabindex", "0")


def test_own_games_stand_on_a_page_of_their_own_where_each_is_opened_resigned_or_forgotten(
    house: House, sits_down: SitsDown
) -> None:
    ada = sits_down(viewport=fitting.NARROW)
    links = [house.arranges(game, "random")[0] for game in ("safe-cracker", "safe-code") * 2]
    for link in links:
        ada.opens(link).is_asked()
    ada.resigns()
    expect(ada.player(2)).to_contain_text("won")
    ada.opens(links[2]).is_asked()
    ada.opens(f"{house.address}#")
    card = ada.page.locator("#own")
    expect(card.get_by_role("link", name="Continue Safe")).to_be_visible()
    card.get_by_role("link", name="3 more games").click()
    shown = ada.page.locator("#stage .games > li")
    expect(shown).to_have_count(len(links))
    expect(shown.locator("svg.small")).to_have_count(len(links) - 1)
    going = ada.page.get_by_role("link", name="Go on: Safe Cracker").first
    expect(going).to_have_attribute("href", "#" + links[2].partition("#")[2])
    suits_everyone(ada, "own games")
    ada.page.set_viewport_size(fitting.NARROW)
    expect(ada.page.get_by_role("link", name="Look at it: Safe Code")).to_be_visible()
    ada.page.get_by_role("button", name="Forget this game of Safe Code").last.click()
    expect(shown).to_have_count(len(links) - 1)
    expect(shown.last).to_be_visible()
    ada.page.get_by_role("button", name="Resign this game of Safe Cracker").first.click()
    ada.page.get_by_role("button", name="Really resign this game of Safe Cracker?").click()
    expect(shown).to_have_count(len(links) - 2)
    games = [house.asked(f"/api/games/{link.split('/')[-2]}")["game"] for link in links]
    assert sorted(game["state"] for game in games) == ["over", "over", "playing", "playing"]


def test_on_a_phone_a_form_shows_its_name_field_at_once_and_the_drawing_in_the_rules_is_complete(
    house: House, sits_down: SitsDown
) -> None:
    ada = sits_down(viewport=fitting.NARROW)
    for who in ("", "/link"):
        ada.opens(f"{house.address}#new/safe-code{who}")
        start = ada.page.get_by_role("button", name="Start")
        expect(start).to_be_visible()
        for where in windows(ada.page, fitting.NARROW, fitting.PHONE):
            for each in (ada.page.get_by_label("Your name"), start):
                assert each.evaluate(fitting.TOUCHABLE), where
    ada.opens(f"{house.address}#rules/quantum-duel")
    drawing = ada.page.locator("#stage pre").first
    for where in windows(ada.page, fitting.NARROW, fitting.PHONE):
        assert drawing.evaluate(WHOLE), where


def test_clues_of_safe_code_are_offered_in_sight_and_scroll_inside_their_own_place(
    pair: Pair,
) -> None:
    people = ada, bob = pair("safe-code", viewport=fitting.NARROW)
    for person, secret in ((ada, "18"), (bob, "24")):
        person.moves(secret)
        for where in windows(person.page, fitting.NARROW, fitting.PHONE, fitting.LOW):
            for offered in person.board.locator(".offers .pin:visible").all()[:3]:
                assert offered.evaluate(fitting.TOUCHABLE), where
            expect(person.board.locator(".offers .pin").first).to_be_visible()
        person.page.set_viewport_size(fitting.NARROW)
        person.moves("even", "divisible by 3", "greater than 10")
    for person in people * 3:
        person.moves("clue")
    ada.is_asked()
    end = "(node) => node.scrollTop + node.clientHeight >= node.scrollHeight - 1"
    for where in windows(ada.page, fitting.NARROW, fitting.PHONE):
        clues = ada.board.get_by_role("region", name="Clues")
        clues.focus()
        ada.page.keyboard.press("End")
        ada.page.wait_for_function(end, arg=clues.element_handle())
        assert ada.board.locator(".pin").last.evaluate(fitting.TOUCHABLE), where
        assert ada.page.evaluate("scrollY") == 0, where


def test_a_quantum_duel_is_played_to_the_rematch_with_arrows_and_enter(pair: Pair) -> None:
    people = ada, _ = pair("quantum-duel")
    moves = NAMED["quantum-duel"].moves
    are_played(people, moves[:-4])
    for seat, move in moves[-4:]:
        person = people[seat - 1]
        person.is_asked()
        if move.isdigit():
            cells = person.board.get_by_role("grid").get_by_role("button")
            person.reaches(person.board.locator("[role=grid] button[tabindex='0']"))
            person.types("Home", *["ArrowRight"] * (int(move) - 1))
            expect(cells.nth(int(move) - 1)).to_be_focused()
            person.types("Enter")
            expect(person.button).to_be_enabled()
        else:
            person.reaches(person.page.get_by_role("button", name="Let it stand"))
        person.types("Enter")
        person.is_done()
    ada.reaches(ada.page.get_by_role("button", name="See how it went"))
    ada.types("Enter")
    slider = ada.page.get_by_role("slider", name="Moment of the game")
    expect(slider).to_be_enabled()
    ada.reaches(slider, back=True)
    ada.types("Home", "ArrowRight", "ArrowRight")
    expect(slider).to_have_value("2")
    ada.reaches(ada.page.get_by_role("button", name="How it ended"))
    ada.types("Enter")
    ada.reaches(ada.fair)
    ada.types("Enter")
    expect(ada.page.locator(".checks li")).to_have_count(7)
    ada.types("Escape")
    ada.reaches(ada.page.get_by_role("button", name=re.compile("^Rematch")))
    ada.types("Enter")
    expect(ada.player(2)).to_contain_text("Ada")


def test_at_the_end_the_focus_moves_to_the_result_unless_it_is_in_use(
    house: House, pair: Pair, sits_down: SitsDown
) -> None:
    """The table's own button for more is gone at the end."""
    ada, bob = pair("safe-cracker")
    cy = sits_down("Cy").opens(f"{house.address}#watch/{ada.page.url.split('/')[-2]}")
    are_played((ada, bob), NAMED["safe-cracker"].moves[:-1])
    bob.reaches(bob.page.get_by_role("button", name="More", exact=True))
    cy.reaches(cy.page.get_by_role("button", name="Dark theme"))
    ada.is_asked()
    ada.reaches(ada.board.get_by_role("spinbutton", name="Digit 1"))
    ada.types("3", "3", "1", "Enter")
    place = ".board-place:not(.point *)"  # not that of the turning point, once it is known
    for person, focused in ((ada, place), (bob, place), (cy, ".theme")):
        person.has_ended()
        expect(person.page.locator(focused)).to_be_focused()
    ada.presses("See how it went")
    expect(ada.page.get_by_role("heading", name="How it went")).to_be_focused()
    ada.presses("How it ended")
    expect(ada.page.locator(place)).to_be_focused()


def test_digits_are_typed_escape_undoes_them_and_the_main_button_gives_the_focus_back(
    ada_plays: SitsDown, house: House
) -> None:
    ada = ada_plays("safecracker-duel")
    ada.reaches(ada.board.get_by_role("spinbutton", name="Dial 1"))
    ada.page.keyboard.type("342")
    expect(ada.button).to_have_text("Hide 3-4-2")
    ada.types("ArrowUp", "ArrowUp", "ArrowDown", "Tab")
    expect(ada.button).to_have_text("Hide 3-4-3")
    ada.opens(house.arranges("digit-deductions", "random")[0]).is_asked()
    ada.reaches(ada.board.locator("[role=grid] button[tabindex='0']"))
    ada.types("3", "7")
    expect(ada.board.get_by_role("button", name="3-7", exact=True)).to_be_focused()
    ada.types("Enter")
    expect(ada.button).to_have_text("Hide 3-7")
    ada.types("Escape")
    expect(ada.button).to_be_disabled()
    ada.types("Enter")
    ada.reaches(ada.button)
    ada.types("Enter")
    ada.is_done()
    expect(ada.board.get_by_role("button", name=re.compile("^3-7"))).to_be_focused()
    ada.is_asked()
    ada.reaches(ada.board.locator("[role=grid] button[tabindex='0']"))
    ada.types("5", "5", "Enter", "Enter")
    ada.is_done()
    assert ada.moves_sent == ["3-7", "5-5"]


def test_the_first_tab_stop_skips_to_the_content_pages_begin_at_their_heading_and_dialogs_hold(
    house: House, ada: Person
) -> None:
    """A dialog keeps the focus, and gives it back; Escape in a menu takes nothing back."""
    ada.types("Tab", "Enter")
    expect(ada.page.locator("#main")).to_be_focused()
    ada.reaches(ada.page.get_by_role("link", name="Invite a friend to Quantum Duel"))
    ada.types("Enter")
    heading = ada.page.get_by_role("heading", level=1, name="Quantum Duel")
    expect(heading).to_be_focused()
    ada.opens(house.arranges("quantum-duel", "random")[0]).is_asked()
    more = ada.page.get_by_role("button", name="More", exact=True)
    more.click()
    ada.reaches(ada.page.get_by_role("button", name="Rules"))
    ada.types("Enter")
    dialog = ada.page.get_by_role("dialog")
    expect(dialog).to_be_visible()
    for _ in range(5):
        ada.types("Tab")
        inside = "document.activeElement === document.body || !!document.activeElement.closest"
        assert ada.page.evaluate(f"{inside}('dialog')")
    ada.types("Escape")
    expect(dialog).to_have_count(0)
    expect(more).to_be_focused()
    ada.page.set_viewport_size(fitting.PHONE)
    chooses(ada, "quantum-duel", "3")
    more.click()
    expect(ada.page.get_by_role("button", name="Resign")).to_be_visible()
    ada.types("Escape")
    expect(more).to_have_attribute("aria-expanded", "false")
    expect(ada.page.get_by_role("button", name="Resign")).to_be_hidden()
    expect(ada.button).to_have_text("Observe cell 3")
