"""Everything fits every window in any font, nothing covers anything, and the board stays in place.

What is needed first is in sight, and nothing is cut off that has room.
"""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.page.conftest import Pair, SitsDown
from tests.page.fitting import (
    FAULTS,
    LOOKS,
    SETTLED,
    TOO_SMALL,
    TOUCHABLE,
    Look,
    faults,
    places,
    window,
    windows,
)
from tests.page.house import House
from tests.page.people import Person
from tests.page.plays import NAMED, PLAYS, Play, are_played, chooses
from tests.page.test_whole_games import figures, picture

SMALL, PHONE, LOW = window(320, 640), window(390, 844), window(844, 390)
DESK, WIDE = window(1280, 800), window(1920, 1080)
AT_THE_END = (window(320, 480), PHONE, LOW, DESK, WIDE)
LOOKING_BACK = (PHONE, window(768, 1024), LOW, DESK, WIDE)
ALLOWED = 0.01
"""The largest layout shift allowed: enough for short words, too little for a board."""
SMALLEST = 13
"""The size of the smallest text, in pixels."""
WHOLE = "(node) => node.scrollWidth <= node.clientWidth"
NO_OVERFLOW = "document.documentElement.scrollWidth <= document.documentElement.clientWidth"
LOOKED_BACK = """() => {
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
    const { width, height } = document.querySelector(".plot").getBoundingClientRect();
    const drawn = document.querySelector("svg.curve").getAttribute("viewBox");
    if (drawn !== `0 0 ${Math.round(width)} ${Math.round(height)}`) faults.push(`drawn ${drawn}`);
    return faults;
}"""
"""What is outside the window, or meets something else, when a game is looked back at."""
CONTRAST = """() => {
    const linear = (c) => c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
    const light = (which) => {
        const { backgroundColor } = getComputedStyle(document.querySelector(which));
        const parts = backgroundColor.match(/[0-9.]+/g).map((part) => linear(part / 255));
        const [red, green, blue] = parts;
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05;
    };
    const chosen = light("button.chosen.out");
    const out = light("button.out:not(.chosen, .guessed, .ring)");
    return Math.max(chosen, out) / Math.min(chosen, out);
}"""
"""How a chosen cell that is ruled out differs from another that is ruled out."""


@pytest.mark.parametrize("look", LOOKS, ids=lambda look: look[1].name)
@pytest.mark.parametrize("play", PLAYS, ids=lambda play: play.name)
def test_a_game_fits_every_window_from_its_beginning_to_looking_back_and_never_moves(
    house: House, sits_down: SitsDown, play: Play, look: Look
) -> None:
    """One plays on a phone and one at a desk; each window is looked at at three moments."""
    sizes = (PHONE, DESK) if look is LOOKS[0] else (DESK, PHONE)
    people = [
        sits_down(name, viewport=size).opens(link)
        for name, size, link in zip(("Ada", "Bob"), sizes, house.arranges(play.name), strict=True)
    ]

    def at_rest(person: Person) -> None:
        for _ in windows(person.page, sizes[people.index(person)], looks=(look,)):
            person.page.evaluate("window.shifts.length = 0")

    def stays(person: Person, when: str) -> None:
        assert places(person) == before[person.name], f"{person.name}, {when}"
        shifts = person.page.evaluate("window.shifts.filter(({ free }) => !free)")
        assert [shift for shift in shifts if shift["value"] > ALLOWED] == [], when

    before = {}
    for person in people:
        expect(person.board).to_be_visible()
        at_rest(person)
        before[person.name] = places(person)
    looked_at = {0, 1 if len(play.secrets[0]) > 1 else 0, len(play.moves) - 1}
    for number, (seat, move) in enumerate(play.moves):
        mover = people[seat - 1]
        chooses(mover, play.name, move)
        for person in people:
            stays(person, f"choosing move {number + 1}")
        if number in looked_at:
            found = faults(mover.page, (look,))
            assert not found, "\n".join([f"move {number + 1}", *found])
            at_rest(mover)
        mover.sends()
        if number + 1 < len(play.moves):
            for person in people:
                stays(person, f"after move {number + 1}")
    for person in people:
        expect(figures(person)).to_have_count(4)
        for where in windows(person.page, *AT_THE_END, looks=(look,)):
            assert person.page.evaluate("scrollY") == 0, where
            for each in (person.button, person.large, figures(person).first, picture(person)):
                assert each.evaluate(TOUCHABLE), where
            drawn = picture(person).bounding_box()
            assert drawn, where
            assert drawn["height"] > 40, where
            assert person.page.evaluate(NO_OVERFLOW), where
    people[0].is_over()
    for where in windows(people[0].page, *LOOKING_BACK, looks=(look,)):
        assert people[0].page.evaluate(LOOKED_BACK) == [], where


def test_a_notice_covers_neither_names_nor_board_nor_result(
    house: House, sits_down: SitsDown
) -> None:
    ada = sits_down().opens(house.arranges("quantum-duel", "random")[0])
    ada.is_asked()
    ada.forgives()
    ada.context.set_offline(True)
    expect(ada.page.get_by_role("button", name="Try now")).to_be_visible()
    whole = "(node) => node.scrollHeight <= node.clientHeight"
    for where in windows(ada.page):
        assert ada.page.evaluate(FAULTS) == [], where
        assert ada.page.locator("#notice > *").evaluate(whole), where


def test_names_are_complete_in_a_rematch_with_a_clock(pair: Pair) -> None:
    ada, bob = pair("safe-cracker", clock={"minutes": 10, "increment": 5})
    ada.moves("2-1-3")
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


@pytest.mark.parametrize(("size", "last"), [(PHONE, "More"), (LOW, "Resign"), (DESK, "Resign")])
def test_tab_scrolls_nothing_that_is_in_sight(
    house: House, sits_down: SitsDown, size: dict[str, int], last: str
) -> None:
    ada = sits_down(viewport=size).opens(house.arranges("safecracker-duel", "random")[0])
    chooses(ada, "safecracker-duel", "3-4-2")
    for _ in range(40):
        ada.page.keyboard.press("Tab")
        assert ada.page.evaluate("scrollY") == 0
        button = ada.page.get_by_role("button", name=last)
        if button.evaluate("(node) => node === document.activeElement"):
            return
    pytest.fail("Tab does not reach the last button in sight")


def test_a_finger_hits_every_control(house: House, sits_down: SitsDown) -> None:
    ada = sits_down(viewport=PHONE, has_touch=True)
    for play in PLAYS:
        ada.opens(house.arranges(play.name, "random")[0])
        for _, move in (*play.set_up[: len(play.secrets[0])], (1, "")):
            ada.is_asked()
            assert ada.page.evaluate(TOO_SMALL) == [], play.name
            if move:
                ada.moves(move)


def test_a_chosen_cell_stands_out_from_those_that_are_ruled_out(pair: Pair) -> None:
    ada, bob = pair("digit-deductions", aids=True)
    are_played((ada, bob), (*NAMED["digit-deductions"].moves[:3], (2, "1-1")))
    chooses(ada, "digit-deductions", "9-9")
    expect(ada.board.get_by_role("button", name="9-9, ruled out")).to_have_text("9-9")
    for theme in ("light", "dark"):
        ada.page.emulate_media(color_scheme=theme)
        assert ada.page.evaluate(CONTRAST) >= 3
    assert ada.board.locator("button.out:not(.chosen, .guessed)").all_inner_texts().count("") > 60


def test_long_names_a_hint_a_refusal_and_an_absence_move_nothing(
    own_house: House, pair: Pair
) -> None:
    wishes = {"name": "Maximiliana Featherstone", "clock": {"minutes": 10, "increment": 5}}
    for look in LOOKS:
        ada, bob = pair("safe-cracker", own_house, SMALL, aids=True, **wishes)
        for _ in windows(ada.page, SMALL, looks=(look,)):
            expect(ada.board).to_be_visible()
        before = places(ada)
        are_played((ada, bob), NAMED["safe-cracker"].moves[:4])
        ada.is_asked()
        ada.presses("Hint")
        expect(ada.means).to_contain_text("Try ")
        assert places(ada) == before
        chooses(ada, "safe-cracker", "2-2-2")
        assert places(ada) == before
        ask = "document.querySelector('strongroom-table').link.ask('move', { move: '77' })"
        ada.page.evaluate(ask)
        expect(ada.means).to_have_class(re.compile("refused"))
        assert places(ada) == before
        bob.page.goto("about:blank")
        expect(ada.page.get_by_role("button", name="Claim the game")).to_be_visible()
        expect(ada.player(2)).to_contain_text("away")
        assert places(ada) == before


def test_content_that_does_not_fit_shrinks_and_then_scrolls_by_the_keyboard(
    house: House, sits_down: SitsDown
) -> None:
    ada = sits_down(viewport=SMALL).opens(house.arranges("quantum-duel", "random")[0])
    ada.is_asked()
    referee = ada.page.get_by_role("group", name="Referee")
    size = "(node) => parseFloat(getComputedStyle(node).fontSize)"
    scrolls = "(node) => node.scrollHeight > node.clientHeight"
    for _ in windows(ada.page, SMALL):
        usual = ada.large.evaluate(size)
        expect(referee).not_to_have_attribute("tabindex", "0")
        ada.large.evaluate(
            f"""async (node, usual) => {{
                for (let words = 1; words < 300 && ({size})(node) >= usual; words += 1) {{
                    node.textContent = "word ".repeat(words);
                    await ({SETTLED})();
                }}
            }}""",
            usual,
        )
        assert ada.large.evaluate(size) < usual
        assert not referee.evaluate(scrolls)
        ada.large.evaluate("(node) => { node.textContent = 'word '.repeat(300); }")
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


@pytest.mark.parametrize("who", ["", "/link"])
def test_the_form_of_a_new_game_shows_its_name_field_at_once(
    house: House, sits_down: SitsDown, who: str
) -> None:
    ada = sits_down(viewport=SMALL).opens(f"{house.address}#new/safe-code{who}")
    start = ada.page.get_by_role("button", name="Start")
    expect(start).to_be_visible()
    for where in windows(ada.page, SMALL, PHONE):
        for each in (ada.page.get_by_label("Your name"), start):
            assert each.evaluate(TOUCHABLE), where
        lid = start.locator("..")
        assert lid.evaluate("(node) => getComputedStyle(node).borderTopWidth") == "1px"
        assert lid.evaluate("(node) => node.offsetWidth === node.parentNode.clientWidth")


def test_a_list_of_own_games_leaves_the_five_games_visible(
    house: House, sits_down: SitsDown
) -> None:
    ada = sits_down(viewport=SMALL)
    links = [house.arranges(game, "random")[0] for game in ("safe-cracker", "safe-code") * 2]
    for link in links:
        ada.opens(link)
        ada.is_asked()
    ada.resigns()
    expect(ada.pill).to_have_text("Random won")
    ada.opens(links[2])
    ada.is_asked()
    for _ in range(2):  # looking at them does not change their order
        ada.opens(f"{house.address}#")
        shown = ada.page.locator("#own li")
        expect(shown).to_have_count(len(links))
        going = ada.page.get_by_role("link", name="Go on: Safe Cracker")
        expect(going).to_have_attribute("href", "#" + links[2].partition("#")[2])
        for where in windows(ada.page, PHONE, SMALL):
            heading = ada.page.get_by_role("heading", name="Safecracker Duel")
            assert heading.evaluate(TOUCHABLE), where
        ada.page.reload()
    while ada.page.locator("#own details").get_attribute("open") is None:
        ada.page.locator("#own summary").press("Enter")  # again, if the list was just refilled
    expect(ada.page.get_by_role("link", name="Look at it: Safe Code")).to_be_visible()
    ada.page.get_by_role("button", name="Forget this game of Safe Code").last.click()
    expect(shown).to_have_count(len(links) - 1)
    expect(shown.last).to_be_visible()


def test_the_drawing_in_the_rules_is_complete(house: House, sits_down: SitsDown) -> None:
    ada = sits_down(viewport=SMALL).opens(f"{house.address}#rules/quantum-duel")
    for where in windows(ada.page, SMALL, PHONE):
        assert ada.page.locator("#stage pre").first.evaluate(WHOLE), where
    ada.opens(house.arranges("quantum-duel", "random")[0])
    ada.is_asked()
    ada.presses("Rules")
    for where in windows(ada.page, SMALL, PHONE):
        assert ada.page.locator("dialog pre").first.evaluate(WHOLE), where


def test_a_hint_is_shown_where_it_is_visible_and_nowhere_else(
    house: House, sits_down: SitsDown
) -> None:
    ada = sits_down(viewport=SMALL).opens(house.arranges("safe-cracker", "random")[0])
    ada.moves("2-1-3")
    ada.is_asked()
    ada.presses("Hint")
    hint = ada.page.get_by_text(re.compile(r"^Try \d-\d-\d.*: it .*\.$")).and_(ada.means)
    for _ in range(2):
        expect(hint).to_have_count(1)
        for where in windows(ada.page, window(1100, 800), SMALL):
            assert hint.evaluate(TOUCHABLE), where
        ada.presses("Digit 1 up")  # the hint can still be followed
        expect(ada.button).to_have_text(re.compile("Guess [23]-1-1"))


def test_a_short_name_is_complete_and_not_covered(house: House, sits_down: SitsDown) -> None:
    widths = [window(width, 800) for width in (700, 1000, 1100)]
    ada = sits_down("Ada")
    ada.makes_a_game(house.address, "Digit Deductions", "Somebody you send a link")
    expect(ada.page.get_by_text("Send this link")).to_be_visible()
    for where in windows(ada.page, *widths):
        assert ada.player(1).locator("b").evaluate(WHOLE), where
    sits_down("Bob").accepts(ada.invitation)
    ada.moves("3-7")
    expect(ada.pill).to_have_text("Bob chooses in secret")
    for where in windows(ada.page, *widths):
        for each in (ada.player(1).locator("b"), ada.page.locator(".lid"), ada.pill):
            assert each.evaluate(WHOLE), where
            assert each.evaluate(TOUCHABLE), where
        lid, pill = ada.page.locator(".lid").bounding_box(), ada.pill.bounding_box()
        assert lid, where
        assert pill, where
        assert lid["x"] + lid["width"] <= pill["x"] or lid["y"] + lid["height"] <= pill["y"]


def test_the_clues_of_safe_code_scroll_inside_their_own_place(pair: Pair) -> None:
    people = ada, bob = pair("safe-code", viewport=SMALL)
    for person, secret in ((ada, "18"), (bob, "24")):
        person.makes(secret, "even", "divisible by 3", "greater than 10")
    for person in people * 3:
        person.moves("clue")
    ada.is_asked()
    for where in windows(ada.page, SMALL, PHONE):
        ada.board.get_by_role("region", name="Clues").focus()
        ada.page.keyboard.press("End")
        ada.page.wait_for_function(
            "() => { const { scrollTop, clientHeight, scrollHeight } ="
            " document.querySelector('.pins');"
            " return scrollTop + clientHeight >= scrollHeight - 1; }"
        )
        assert ada.board.locator(".pin").last.evaluate(TOUCHABLE), where
        assert ada.page.evaluate("scrollY") == 0, where


@pytest.mark.parametrize("size", [PHONE, LOW, DESK], ids=["phone", "low", "desk"])
def test_a_finger_reaches_the_switch_of_the_sounds(
    house: House, sits_down: SitsDown, size: dict[str, int]
) -> None:
    ada = sits_down(viewport=size).opens(house.address)
    switch = ada.page.get_by_role("button", name="Sound", exact=True)
    if not switch.is_visible():
        ada.presses("Menu")
    box = switch.bounding_box()
    assert box
    assert min(box["width"], box["height"]) >= 44
