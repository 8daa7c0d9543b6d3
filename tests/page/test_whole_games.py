"""Whole games from the lobby to the rematch, their sounds, and ends of every kind."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Locator, Route, expect

from tests.page.conftest import Pair, SitsDown
from tests.page.fitting import SETTLED, TOUCHABLE, window
from tests.page.people import House, Person, frames_of
from tests.page.plays import NAMED, PLAYS, Play, are_played, chooses, plays, touches, turns_of
from tests.remote.conftest import SomebodySits, invitation, somebody  # noqa: F401
from tests.terminal.conftest import at_terminal, clean, sit_down  # noqa: F401


def _guessed(shown: str, code: str, near: str) -> tuple[str, ...]:
    """What is told of a code that was found at the second guess, when Bob was near to Ada's."""
    you = near.replace("was", "were", 1)
    return (
        shown,
        f"{code} at your second guess. Bob {near}.",
        f"Ada found your {code} at the second guess. You {you}, which would have won.",
        f"Ada found {code} at the second guess. Bob {near}.",
    )


SHOWS = "The safe shows {} 3-4-2. {} 5-1-3 was three dials away."
UNDONE = "a challenge would have undone cell 4 one time in two."
TOLD = {
    "safecracker-duel": (
        "The safe is open on 3-4-2.",
        SHOWS.format("your", "Bob's"),
        SHOWS.format("Ada's", "Your"),
        SHOWS.format("Ada's", "Bob's"),
    ),
    "safe-cracker": _guessed(
        "The safe is open on 3-3-1.", "3-3-1", "was two digits away from 2-1-3"
    ),
    "safe-code": _guessed("7 is stamped as found.", "7", "had 14 numbers left, among them 18"),
    "digit-deductions": _guessed("5-6 is stamped as found.", "5-6", "was two steps away from 3-7"),
    "quantum-duel": (
        "Cells 1 to 4 are lit: four X in a row.",
        f"Cells 1 to 4. Bob had three cells in a row; {UNDONE}",
        f"Ada closed cells 1 to 4. You had three cells in a row; {UNDONE}",
        f"Ada closed cells 1 to 4. Bob had three cells in a row; {UNDONE}",
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


def points(luck: float) -> str:
    """Luck as a person reads it."""
    rounded = round(100 * luck)
    return f"+{rounded}" if rounded > 0 else f"−{-rounded}" if rounded else "0"


def tones(person: Person) -> int:
    """How many tones were started since the page was loaded."""
    return int(person.page.evaluate("window.tones"))


def hears_every_sentence(person: Person) -> int:
    """Wait until a screen reader was told all that the referee said; return how much that was."""
    words = [frame.get("words", {}) for frame in frames_of(person.frames, "entries")]
    told = [each.get(part) or "" for each in words for part in ("said", "ending")]
    lines = [line.strip() for text in told for line in text.splitlines() if line.strip()]
    heard = "(lines) => lines.every((line) => window.heard.join(' ').includes(line))"
    person.page.wait_for_function(heard, arg=lines)
    return len(lines)


def sees_the_end(person: Person, shown: str, told: str) -> None:
    """The winner, how close it was, a picture, that it was fair, and figures; said once."""
    person.has_ended()
    expect(person.large).to_have_text(re.compile("^You " if person.name == "Ada" else "^Ada "))
    expect(person.means).to_have_text(told)
    expect(person.picture).to_have_accessible_name(shown)
    expect(person.fair).to_have_text("✓ fairchecked in this browser")
    expect(person.figures).to_have_count(4)
    ended = person.large.text_content() or ""
    person.page.wait_for_function("(text) => window.heard.join(' ').includes(text)", arg=ended)
    assert person.heard.count(ended) == 1


SPARED = {
    "Ada": "No move of yours cost much.",
    "Bob": "Nothing cost you this. It was luck.",
}
"""What the winner and the loser are told who made no mistake."""


def sees_the_turning_point(person: Person, dear: list[dict[str, Any]]) -> None:
    """The dearest mistake and what was better, then the next one, or that there was none."""
    point = person.page.locator(".point")
    expect(point.get_by_role("button", name="Next mistake")).to_have_count(int(len(dear) > 1))
    if not dear:
        expect(point.locator(".better")).to_have_text(SPARED[person.name])
    for each in sorted(dear, key=lambda each: -each["cost"]):
        expect(point).to_contain_text(f"and lost {round(100 * each['cost'])} point")
        better = each["remark"].partition("points): ")[2].replace(" → ", " to ")
        expect(point.locator(".better")).to_have_text(re.compile(re.escape(better), re.I))
        stars, made = (point.locator(f"[data-{what}]") for what in ("hinted", "made"))
        if point.locator(".board").is_visible():
            assert stars.count() + made.count() > 0
        if len(dear) > 1:
            person.presses("Next mistake")


def current(person: Person) -> Locator:
    """The move in the record at which one looks."""
    return person.page.locator(".record [aria-current]")


def sees_pegs(ada: Person, judged: Any) -> None:
    """The record has a row a round, as in the ledger."""
    rows = ada.page.locator(".record tbody tr")
    expect(rows).to_have_count(3)
    expect(rows.nth(0).locator("td")).to_have_text(["–", "hid 2-1-3", "hid 3-3-1"])
    for row, seat, code, pegs in ((1, 1, "1-1-1", 1), (1, 2, "1-2-3", 1), (2, 1, "3-3-1", 3)):
        cell = rows.nth(row).locator("td").nth(seat)
        expect(cell).to_contain_text(code)
        expect(cell.get_by_role("img", name=f"{pegs} exact")).to_be_visible()


def goes_to_moves(ada: Person, judged: Any) -> None:
    """A press on a move, the curve, and arrows show a moment, and what its move cost."""
    dear = next(each for each in judged["decisions"] if each["mark"])
    assert dear["remark"]
    rows = ada.page.locator(".record tbody tr")
    rows.nth(1).get_by_role("button", name="5-5").click()
    expect(current(ada)).to_contain_text("5-5")
    expect(ada.moment).to_have_text("Turn 1")
    expect(ada.large).to_have_text("You guess 5-5. Feedback: 1.")
    expect(ada.means).to_have_text(re.compile(rf"^An? {dear['mark']} \(−\d+ points\): "))
    guessed = re.compile("^5-[56], guessed")
    expect(ada.board.get_by_role("button", name=guessed)).to_have_accessible_name(
        re.compile("^5-5, guessed, distance 1")
    )
    expect(ada.board.locator("[data-hinted]")).to_have_count(1)
    expect(ada.board.locator("[data-made]")).to_have_accessible_name(guessed)
    for lines in (3, 1):
        ada.presses("Both secrets known")
        expect(ada.page.locator("svg.curve path.path")).to_have_count(lines)
    for _ in range(2):  # from the last mistake to the first
        ada.presses("Next mistake")
        expect(current(ada).locator(".sign").first).to_be_visible()
        expect(ada.board.locator("[data-made]")).to_have_count(1)
    rows.nth(0).get_by_role("button", name="hid 3-7").click()
    expect(ada.large).to_have_text("You hid 3-7. Bob hid 5-6.")
    expect(ada.moment).to_have_text("Set-up")
    slider = ada.page.get_by_role("slider", name="Moment of the game")
    box = ada.page.locator(".plot").bounding_box()
    assert box
    for x, step in ((40, "0"), (box["width"] - 14, "3")):
        ada.page.locator(".plot").click(position={"x": x, "y": box["height"] / 2})
        expect(slider).to_have_value(step)
    ada.page.evaluate("window.heard.length = 0")
    for key, step in zip(("Left", "Up", "Down", "Right"), "2123", strict=True):
        ada.page.keyboard.press(f"Arrow{key}")
        expect(slider).to_have_value(step)
    assert "Bob guesses 3-5." in ada.heard
    ada.presses("What lines and signs mean")
    said = "Ada: moves are valued as if against the certified player"
    expect(ada.page.get_by_role("dialog")).to_contain_text(said)
    ada.presses("Close")


def sees_marks(bob: Person, judged: Any) -> None:
    """They stand with whoever moved or replied; the reply is one of its move."""
    marked = {(each["turn"], each["seat"]): each["mark"] for each in judged["decisions"]}
    assert any(mark and seat == 1 + turn % 2 for (turn, seat), mark in marked.items()), "a reply"
    rows = bob.page.locator(".record tbody tr")
    expect(rows.nth(6).locator("td").nth(2)).to_contain_text("(blunder)")
    for turn in range(1, 8):
        for seat in (1, 2):
            cell = rows.nth(turn - 1).locator("td").nth(seat).text_content() or ""
            assert re.findall(r"\((\w+)\)", cell) == [*filter(None, [marked.get((turn, seat))])]
    expect(bob.means).to_have_text(re.compile(r"^Bob: .*, a blunder \(−\d+ points\): "))
    bob.presses("One step back")
    expect(bob.large).to_have_text("Ada observes cell 4, adjacent to cell 3.")
    expect(bob.moment).to_have_text("Turn 7")
    expect(bob.board.get_by_role("button", name="Challenge")).to_have_count(0)
    expect(bob.means).not_to_contain_text("Nothing better is known.")
    expect(current(bob)).to_contain_text("4 unchallenged")


DETAILS = {
    ("safe-cracker", "Ada"): sees_pegs,
    ("digit-deductions", "Ada"): goes_to_moves,
    ("quantum-duel", "Bob"): sees_marks,
}
"""What somebody looks at more closely at the end of a game."""


def looks_back(person: Person, play: Play, judged: Any) -> None:
    """Both secrets, every step, the curve, and the checks."""
    person.is_over()
    for each in play.secrets:
        for text in each[:1]:
            expect(person.board).to_contain_text(text)
    slider = person.page.get_by_role("slider", name="Moment of the game")
    last = str(len(play.turns))
    expect(slider).to_have_attribute("max", last)
    expect(slider).to_have_value(last)
    if details := DETAILS.get((play.name, person.name)):
        details(person, judged)
    person.page.get_by_role("slider", name="Moment of the game").press("Home")
    expect(slider).to_have_value("0")
    hidden = " hid .* hid " if play.secrets[0] else "^The beginning$"
    expect(person.large).to_have_text(re.compile(hidden))
    for _ in play.turns:
        person.presses("One step on")
    expect(slider).to_have_value(last)
    unsure = person.looks_into_the_checks().locator(":is(.bad, .none)")
    nothing = ["Secrets. Nothing was hidden in this match."]
    expect(unsure).to_have_text([] if play.secrets[0] else nothing)
    person.presses("Close")


@pytest.mark.parametrize("play", PLAYS, ids=lambda play: play.name)
def test_two_people_play_a_whole_game_before_a_spectator(
    house: House, sits_down: SitsDown, play: Play
) -> None:
    """Ada sees motion and hears nothing; Bob wants sounds; Cy watches."""
    ada, bob, cy = sits_down("Ada", motion=True), sits_down("Bob"), sits_down("Cy")
    people = (ada, bob)
    ada.makes_a_game(house.address, play.title, "Somebody you send a link")
    bob.accepts(ada.invitation)
    ada.is_asked()
    cy.opens(f"{house.address}#watch")
    cy.page.locator(f"a[href='#watch/{ada.page.url.split('/')[-2]}']").click()
    expect(cy.board).to_be_visible()
    expect(cy.page.locator(".actions")).to_be_hidden()
    bob.presses("Sound")
    for seat, move in play.set_up:
        plays(people[seat - 1], play.name, move)
    people[play.turns[0][0] - 1].is_asked()
    assert tones(bob) == 1  # the switch itself: what is hidden makes no sound
    for seat, move in play.turns:
        before = tones(bob)
        plays(people[seat - 1], play.name, move)
        bob.page.wait_for_function("(before) => window.tones > before", arg=before)
    shown, *told = TOLD[play.name]
    for person, close in zip((ada, bob, cy), told, strict=True):
        sees_the_end(person, shown, close)
        assert hears_every_sentence(person) >= len(play.turns)
    assert ada.page.evaluate("[window.contexts, window.tones]") == [0, 0]

    game, token = ada.page.url.split("/")[-2:]
    judged = house.asked(f"/api/games/{game}/analysis", token=token)
    marks = [each for each in judged["decisions"] if each["mark"]]
    signs = {"inaccuracy": "?!", "mistake": "?", "blunder": "??"}
    for seat, (person, own) in enumerate(zip(people, judged["seats"], strict=True), 1):
        well, luck = max(0, 100 - round(100 * own["cost"])), points(own["luck"])
        dear = sum(each["seat"] == seat for each in marks)
        most = " / 100" if dear else ""
        expect(person.figures.nth(0)).to_have_text(f"{well}{most}how well you played")
        expect(person.figures.nth(1)).to_have_text(f"{luck}luck, in points")
        marked = f"^{dear}moves? that cost" if dear else "^nothing biglost in any move$"
        expect(person.figures.nth(2)).to_have_text(re.compile(marked))
        expect(cy.figures.nth(seat - 1)).to_contain_text(f"{well}{most}how well {own['name']}")
        sees_the_turning_point(person, [each for each in marks if each["seat"] == seat])
        won, lost = SIGNS[play.name]
        rows = [f"Ada ✓ {won}", f"Bob – {lost}"]
        result = [f"strongroom · {play.title}", *rows, f"{well} of 100, luck {luck}"]
        assert person.pasted.splitlines() == result
        listed = person.page.locator(".record .sign")
        expect(listed).to_have_count(len(marks))
        found = sorted(text.strip() for text in listed.all_text_contents())
        assert found == sorted(signs[each["mark"]] for each in marks)

    if play is PLAYS[0]:
        assert ada.copied == f"{ada.pasted}\n{house.address}#watch/{game}"
    for person in people:
        looks_back(person, play, judged)
    cy.is_over()
    expect(cy.board).to_contain_text(play.secrets[1][0] if play.secrets[1] else "X")
    expect(cy.page.get_by_role("button", name=re.compile("Rematch"))).to_have_count(0)
    expect(cy.looks_into_the_checks().locator(".bad")).to_have_count(0)
    ada.presses("Rematch, seats swapped")
    expect(ada.page.get_by_role("heading", name="Bob is asked for a rematch")).to_be_visible()
    bob.button.filter(has_text="To the rematch").click()
    for person in people:
        expect(person.player(1)).to_contain_text("Bob")
        expect(person.player(2)).to_contain_text("won 1")
    bob.is_asked()
    bob.resigns()
    for person in people:
        expect(person.player(2)).to_contain_text("won 2")


RECALLED = {
    "safecracker-duel": (2, "You set dial 1 to 3."),
    "safe-cracker": (2, "Your 1-1-1: one exact."),
    "safe-code": (2, "Your 11: not it."),
    "digit-deductions": (2, "Your 5-5: 1 away."),
}
"""After so many moves of a game, what the first player's last turn brought."""


@pytest.mark.parametrize("play", [NAMED[name] for name in RECALLED], ids=lambda play: play.name)
def test_what_ones_own_turn_brought_is_told_until_the_next(pair: Pair, play: Play) -> None:
    ada, bob = people = pair(play.name)
    count, brought = RECALLED[play.name]
    are_played(people, [*play.set_up, *play.turns[:count]])
    expect(ada.large).to_contain_text("Bob")
    expect(ada.means).to_have_text(brought)
    ada.page.reload()
    chooses(ada, play.name, play.turns[count][1])
    expect(ada.means).to_contain_text(brought)
    assert "\n" not in ada.button.inner_text()  # a code is no line of its own
    expect(bob.means).not_to_contain_text("You")


def test_a_coin_is_seen_at_rest_is_heard_and_can_be_checked(pair: Pair) -> None:
    """The title and the icon tell whose turn it is."""
    ada, bob = pair("quantum-duel")
    ada.is_asked()
    ada.presses("Sound")
    icon = (
        "(({ href, dataset }) => href === dataset.turn)(document.querySelector('link[rel=icon]'))"
    )
    for person, other, move in ((ada, bob, "1"), (bob, ada, "7"), (ada, bob, "2")):
        person.is_asked()
        expect(person.page).to_have_title(re.compile("^Your turn · "))
        assert person.page.evaluate(icon)
        expect(other.page).not_to_have_title(re.compile("^Your turn"))
        assert not other.page.evaluate(icon)
        plays(person, "quantum-duel", move)
    bob.is_asked()
    middles = """() => [...document.querySelectorAll(".contested, .coin")].map((node) => {
        const { left, width } = node.getBoundingClientRect();
        return left + width / 2;
    })"""
    cell, coin = ada.page.evaluate(middles)
    assert abs(cell - coin) < 12, "it hangs over its cell"
    before = tones(ada)
    plays(bob, "quantum-duel", "yes")
    ada.page.wait_for_function("(before) => window.tones >= before + 3", arg=before)
    fallen = re.compile("The coin shows (heads|tails)")
    expect(ada.board.locator(".stage")).to_have_attribute("aria-label", fallen)
    assert ada.page.evaluate("document.getAnimations().length") == 0  # motion is not wanted
    bob.resigns()
    ada.has_ended()
    checks = ada.looks_into_the_checks()
    expect(checks).to_contain_text("Chance decided 1 time, as the seeds say.")
    expect(checks.locator(".bad")).to_have_count(0)


STARTED = """() => {
    window.started = [];
    document.addEventListener("animationstart", ({ animationName, target }) =>
        started.push(`${animationName} ${getComputedStyle(target).animationDelay}`));
}"""
MOVES = {
    "safe-cracker": {"drop 0s", "drop 0.09s", "drop 0.18s"},
    "digit-deductions": {"widen 0s"},
    "safe-code": {"cross 0s", "cross 0.14s"},
}
"""What moves at a turn of the second player, and how much later than the turn."""


@pytest.mark.parametrize("game", MOVES)
def test_pegs_drop_in_turn_rings_widen_and_numbers_are_crossed_out_unless_nothing_may_move(
    house: House, sits_down: SitsDown, game: str
) -> None:
    play = NAMED[game]
    people = [sits_down("Ada"), sits_down("Bob", motion=True)]
    for person, link in zip(people, house.arranges(game, aids=True), strict=True):
        person.opens(link)
    for person in people:
        expect(person.board).to_be_visible()
        person.page.evaluate(STARTED)
    are_played(people, [*play.set_up, *play.turns[:2]])
    ada, bob = people
    all_started = "(moves) => moves.every((each) => started.includes(each))"
    bob.page.wait_for_function(all_started, arg=sorted(MOVES[game]))
    ada.is_asked()
    assert ada.page.evaluate("started") == []


NOTIFIED = """
    window.notified = [];
    window.Notification = class {
        static permission = "default";
        static async requestPermission() {
            return (this.permission = "granted");
        }
        constructor(title, { body }) {
            notified.push([title, body]);
        }
        close() {
            notified.pop();
        }
    };
"""
"""Notifications that are written down: a browser without a window shows none."""
HIDDEN = """(hidden) => {
    Object.defineProperty(document, "hidden", { value: hidden, configurable: true });
    document.dispatchEvent(new Event("visibilitychange"));
}"""


def test_a_hidden_page_notifies_of_ones_turn_after_it_was_asked_to(
    house: House, sits_down: SitsDown
) -> None:
    one, two = house.arranges("safecracker-duel")
    ada, *_ = people = sits_down("Ada", accept_downloads=True), sits_down("Bob")
    ada.page.add_init_script(NOTIFIED)
    for person, link in zip(people, (one, two), strict=True):
        person.opens(link)
    are_played(people, [*NAMED["safecracker-duel"].set_up, (1, "1 3")])
    ada.page.evaluate(HIDDEN, True)
    are_played(people, [(2, "2 2")])
    ada.is_asked()
    assert ada.page.evaluate("[notified, Notification.permission]") == [[], "default"]
    ada.page.evaluate(HIDDEN, False)
    ada.page.get_by_role("button", name="More", exact=True).click()
    switch = ada.page.locator(".asides button", has_text="Notify me of my turn")
    switch.click()
    expect(switch).to_have_attribute("aria-pressed", "true")
    are_played(people, [(1, "2 4")])
    ada.page.evaluate(HIDDEN, True)
    are_played(people, [(2, "3 3")])
    told = ["Your turn", "Bob sets dial 3 to 3. The safe shows 3-4-3."]
    ada.page.wait_for_function("notified.length")
    assert ada.page.evaluate("notified") == [told]
    ada.page.evaluate(HIDDEN, False)
    assert ada.page.evaluate("notified") == []


def test_a_terminal_invites_a_browser_and_they_play(
    house: House,
    sits_down: SitsDown,
    somebody: SomebodySits,  # noqa: F811
) -> None:
    play, server = NAMED["digit-deductions"], house.address.rstrip("/")
    host = somebody("bob", "host", play.name, "--server", server, "--name", "Bob", "--seat", "2")
    ada = sits_down("Ada")
    ada.accepts(invitation(host))
    for seat, move in play.moves:
        if seat == 1:
            plays(ada, play.name, move)
        else:
            host.replies(move)
    ada.is_over()
    host.shows("q leave")  # as on a terminal's last page
    assert "Verified: " in host.text
    expect(ada.looks_into_the_checks().locator(".bad")).to_have_count(0)


def switch(person: Person) -> Locator:
    return person.page.get_by_role("button", name="Sound", exact=True)


def test_sounds_are_switched_by_finger_or_key_and_the_choice_is_remembered_and_taken_back(
    pair: Pair, house: House
) -> None:
    play = NAMED["safecracker-duel"]
    people = ada, _ = pair(play.name)
    seat = ada.page.url
    ada.opens(house.address)
    expect(switch(ada)).to_have_attribute("aria-pressed", "false")
    ada.page.get_by_role("button", name="Dark theme").focus()
    ada.page.keyboard.press("Tab")
    expect(switch(ada)).to_be_focused()
    ada.page.keyboard.press("Space")
    expect(switch(ada)).to_have_attribute("aria-pressed", "true")
    assert tones(ada) == 1
    ada.opens(seat).page.reload()
    are_played(people, play.set_up)
    ada.is_asked()
    expect(switch(ada)).to_have_attribute("aria-pressed", "true")
    assert ada.page.evaluate("window.contexts") == 0
    touches(ada, play.name, "1 3")
    assert tones(ada) == 2  # a dial clicks as it is turned
    switch(ada).click()
    touches(ada, play.name, "1 5")
    assert tones(ada) == 2
    ada.page.reload()
    expect(switch(ada)).to_have_attribute("aria-pressed", "false")


def test_a_browser_that_makes_no_sounds_has_no_switch(house: House, sits_down: SitsDown) -> None:
    ada = sits_down("Ada", locale="en-GB")
    ada.page.add_init_script("delete window.AudioContext")
    ada.opens(house.address)
    expect(ada.page.get_by_role("button", name="Dark theme")).to_be_visible()
    expect(switch(ada)).to_be_hidden()


def test_a_mistake_is_tried_again_against_master(house: House, sits_down: SitsDown) -> None:
    ada = sits_down("Ada")
    ada.opens(house.arranges("digit-deductions", "random")[0])
    plays(ada, "digit-deductions", "3-7")
    plays(ada, "digit-deductions", "1-1")
    plays(ada, "digit-deductions", "1-1")
    ada.is_asked()
    ada.resigns()
    ada.has_ended()
    ended = ada.page.url
    point = ada.page.locator(".point")
    expect(point.locator("[data-hinted]")).to_have_count(1)
    turn = (point.locator("header span").text_content() or "").partition(" · ")[0]
    ada.presses("Try it from here")
    expect(ada.player(2)).to_contain_text("Master")
    ada.is_asked()
    rows = ada.page.locator(".record tbody tr")
    expect(rows).to_have_count(int(turn.removeprefix("turn ")) - 1)
    ada.resigns()
    ada.has_ended()
    expect(ada.fair).to_contain_text("✓ fair")
    ada.page.go_back()
    expect(ada.page).to_have_url(ended)


ROUND = turns_of("1:1, 2:3, 1:5, 2:7, 1:2, 2:no, 2:4, 1:no, 1:6, 2:no")
LONG = (*ROUND, *((3 - seat, move) for seat, move in ROUND))
"""Fourteen turns of Quantum Duel, which fill the board twice; the other begins the second time."""
RESIGNED = {
    "safe-cracker": (
        "1:1-1-1",
        "You were two digits away from 3-3-1. Bob had no guess yet at 2-1-3.",
    ),
    "digit-deductions": ("1:5-5", "You were one step away from 5-6. Bob had no guess yet at 3-7."),
    "safecracker-duel": ("1:1 3", "Your 3-4-2 was two dials away. Bob's 5-1-3 was two dials away."),
    "quantum-duel": ("1:1, 2:7", "You had one cell. Bob had one cell."),
    "safe-code": (
        "1:clue",
        "You had 10 numbers left, among them 7. Bob had 30 numbers left, among them 18.",
    ),
}
"""What was played before Bob resigned, and what Ada is told of how near both were."""
CLOSED = re.compile(r"^The (safe is closed|card lies face down|seven cells, without a chain)\.$")
"""What the picture of a game is called that nobody won on the board."""


def test_the_loser_of_a_duel_is_told_which_turn_would_have_won(pair: Pair) -> None:
    people = pair("safecracker-duel")
    are_played(people, turns_of("1:3-4-2, 2:5-1-2, 1:3 2, 2:2 4, 1:2 1, 2:2 4, 1:1 3"))
    for person, whose in zip(people, ("your 3-4-2. Bob's", "Ada's 3-4-2. Your"), strict=True):
        missed = "5-1-2 was two dials away; at turn 4, dial 1 to 5 would have won."
        expect(person.means).to_have_text(f"The safe shows {whose} {missed}")


@pytest.mark.parametrize("game", RESIGNED)
def test_a_resignation_shows_what_was_hidden_and_how_near_both_were(pair: Pair, game: str) -> None:
    ada, bob = people = pair(game)
    turns, told = RESIGNED[game]
    are_played(people, (*NAMED[game].set_up, *turns_of(turns)))
    bob.resigns()
    for person in people:
        person.has_ended()
        expect(person.picture).to_have_accessible_name(CLOSED)
    expect(ada.large).to_have_text("You won, because Bob resigned.")
    expect(bob.large).to_have_text(re.compile("you resigned.$"))
    expect(ada.means).to_have_text(told)
    assert "Ada ✓" in ada.pasted


def test_before_anything_was_chosen_a_resignation_leaves_nothing_to_judge_but_is_listed(
    house: House, pair: Pair
) -> None:
    ada, bob = pair("safe-code")
    ada.is_asked()
    bob.resigns()
    ada.has_ended()
    expect(ada.means).to_have_text(re.compile("^It ended before both had chosen a "))
    ada.presses("See how it went")
    expect(ada.board).not_to_contain_text("being chosen")
    expect(ada.page.get_by_text("It ended before there was anything to judge.")).to_be_visible()
    expect(ada.page.locator(".record tbody")).to_have_text("You won, because Bob resigned.")
    expect(current(ada)).to_have_text("You won, because Bob resigned.")
    ada.presses("One step back")
    expect(ada.large).to_have_text("The beginning")
    game = ada.page.url.split("/")[-2]
    watched = f"#stage li:has(a[href='#watch/{game}'])"
    for person, path, part, who in (
        (ada, "watch", watched, "Ada won"),
        (ada, "games", "#stage .games", "you won"),
        (bob, "games", "#stage .games", "Ada won"),
    ):
        listed = person.opens(f"{house.address}#{path}").page.locator(part)
        expect(listed).to_contain_text(re.compile(rf"{who}, (just now|\d+ minutes? ago)"))


def test_figures_or_a_record_that_come_late_changed_or_not_at_all_and_a_hint_that_was_taken(
    pair: Pair,
) -> None:
    ada, bob = people = pair("safe-cracker", aids=True)
    moves = NAMED["safe-cracker"].moves
    held: list[Route] = []

    def change(route: Route) -> None:
        text = route.fetch().text()
        assert '"answer":1' in text
        route.fulfill(body=text.replace('"answer":1', '"answer":2', 1))

    ada.page.route("**/analysis", lambda route: held.append(route))
    ada.page.route("**/record", change)
    bob.forgives()
    bob.page.route("**/record", lambda route: route.abort())
    are_played(people, moves[:3])
    bob.is_asked()
    bob.presses("Hint")
    expect(ada.means).to_have_text("Bob took a hint.")
    assert "Bob took a hint." in ada.heard
    are_played(people, moves[3:])
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
    expect(ada.figures.nth(0)).to_have_text(re.compile("how well you played$"))
    expect(bob.figures.nth(0)).to_contain_text("how well you played, with 1 hint")
    assert " of 100 with 1 hint, luck " in bob.pasted
    expect(bob.fair).to_have_text("fair?could not be checked")
    for person in people:
        person.page.unroute_all()
    bob.presses("Close")
    expect(bob.looks_into_the_checks().locator(".bad")).to_have_count(0)
    expect(bob.fair).to_contain_text("✓ fair")
    ada.figures.nth(1).get_by_role("button").click()
    expect(ada.page.get_by_role("dialog")).to_contain_text("chance gave you")
    ada.presses("Close")
    moving = "document.getAnimations().map(({ effect }) => effect.getComputedTiming().endTime)"
    assert ada.page.evaluate(moving) == []  # with reduced motion
    ada.page.emulate_media(reduced_motion="no-preference")
    ada.presses("See how it went")
    for said, means in (
        ("Bob guesses 1-2-3. Feedback: 1 exact match.", re.compile(r"^With a hint\. ")),
        ("You guess 1-1-1. Feedback: 1 exact match.", re.compile("^(?!With a hint)")),
    ):
        ada.page.keyboard.press("ArrowLeft")
        expect(ada.large).to_have_text(said)
        expect(ada.means).to_have_text(means)
    back = ada.page.get_by_role("button", name="How it ended")
    assert 500 <= max(back.evaluate(f"(back) => {{ back.click(); return {moving}; }}")) <= 1500


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
    ada.page.get_by_text("Result, to paste").click()
    result.scroll_into_view_if_needed()
    assert result.evaluate("(node) => node.scrollHeight <= node.clientHeight")
    expect(result).to_be_in_viewport(ratio=0.95)
    assert ada.pasted.splitlines()[1].startswith("Me ")
    ada.is_over()
    for part in (".record thead", ".key"):
        expect(ada.page.locator(part)).to_contain_text("You")
    expect(ada.page.locator("#stage")).not_to_contain_text("Guest")
    ada.page.get_by_role("slider", name="Moment of the game").press("Home")
    expect(current(ada)).to_have_count(0)
    assert ada.page.locator(".record tbody tr").first.evaluate(TOUCHABLE)
    for turn in range(1, 15):
        while not (current(ada).count() and ada.moment.text_content() == f"Turn {turn}"):
            ada.presses("One step on")
        assert current(ada).evaluate(TOUCHABLE), turn
    ada.page.get_by_role("slider", name="Moment of the game").press("End")
    expect(current(ada)).to_have_count(1)
    assert current(ada).evaluate(TOUCHABLE)


WATCHES = """() => {
    window.seen = [];
    const text = (which) => document.querySelector(which)?.textContent ?? "";
    setInterval(() => {
        const [, look] = document.querySelector(".stage").className.split(" ");
        const ghost = text(".contested");
        const [record, large, turn] = [".record", ".referee .large", ".now .turn"].map(text);
        window.seen.push([look, record, large, turn, ghost]);
    }, 40);
}"""
"""Writes down twenty-five times a second how the coin stands, and what is told beside it."""
LAIN = "() => window.seen.filter(([look]) => /heads|tails/.test(look)).length > 20"


def test_nothing_tells_a_coin_before_it_lies_and_it_lies_before_the_game_goes_on(
    house: House, sits_down: SitsDown
) -> None:
    links = house.arranges("quantum-duel")
    people = [sits_down(who, motion=True) for who in ("Ada", "Bob")]
    for person, link in zip(people, links, strict=True):
        person.opens(link)
    are_played(people, [(1, "3"), (2, "7"), (1, "4")])
    for person in people:
        person.page.evaluate(WATCHES)
    are_played(people, [(2, "yes")])
    for person, who in zip(people, ("Bob challenges", "You challenge"), strict=True):
        expect(person.board.locator(".contested")).to_have_count(0)
        person.page.wait_for_function(LAIN)
        seen = person.page.evaluate("window.seen")
        air = [told for look, *told in seen if look == "air"]
        lies = [told for look, *told in seen if look in ("heads", "tails")]
        assert len(air) >= 10
        assert len(lies) >= 10
        assert {told[3] for told in air} == {"X"}  # a symbol that waits
        assert {told[2] for told in air} == {""}  # nobody's turn
        assert lies[len(lies) // 2][3] != "X"  # settled with the sentence
        assert not [told for told in air if re.search("heads|tails", told[0])]
        assert {told[1] for told in air[2:]} == {f"{who} cell 4. The coin is in the air."}
        assert re.match("Heads|Tails", lies[len(lies) // 2][1])
        assert re.search("heads|tails", lies[len(lies) // 2][0])
