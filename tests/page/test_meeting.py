"""Finding an opponent, the games of one browser, and what teaches a first game."""

from __future__ import annotations

import json
import re

import pytest
from playwright.sync_api import Locator, Page, expect

from strongroom.server.messages import PHRASES
from tests.page import fitting
from tests.page.conftest import Pair, SitsDown
from tests.page.fitting import suits_everyone, windows
from tests.page.people import House, Person, frames_of
from tests.page.plays import NAMED, PLAYS, Play, are_played, plays

SEAT = "() => document.querySelector('strongroom-table')?.link.table.seat"
PRIMES = ["2", "3", "5", "7", "11", "13", "17", "19", "23", "29"]
DAMAGED: tuple[dict[str, object], ...] = (
    {"games": {"a": 1}, "name": 7, "lessons": []},
    {"games": [None, 7, "x", [], {}], "name": ["Ada"], "lessons": "x"},
    {"games": "x", "name": {}, "lessons": None, "theme": {}},
)
"""What a browser may keep that no page has written."""


def test_a_player_who_waits_in_the_lobby_is_found_there(house: House, sits_down: SitsDown) -> None:
    ada, bob = sits_down("Ada who waits"), sits_down("Bob")
    ada.makes_a_game(house.address, "Digit Deductions", "Anyone in the lobby")
    expect(ada.page.get_by_text("Waiting in the lobby")).to_be_visible()
    suits_everyone(ada, "waiting in the lobby", fitting.OTHERS)
    bob.opens(house.address)
    expect(bob.page.get_by_role("link", name="Join Ada who waits")).to_be_visible()
    suits_everyone(bob, "a lobby where somebody waits")
    bob.presses("Join Ada who waits at Digit Deductions", "link")
    heading = bob.page.get_by_role("heading", level=1)
    expect(heading).to_have_text("Ada who waits asks you to Digit Deductions")
    suits_everyone(bob, "an invitation", fitting.OTHERS)
    bob.presses("Sit down")
    expect(bob.page.get_by_text("Type a name first.")).to_be_visible()
    suits_everyone(bob, "an invitation without a name", fitting.SIDES)
    name = bob.page.get_by_label("Your name")
    name.fill("ada who waits")
    bob.forgives("status of 422")
    bob.presses("Sit down")
    told = "The other player is called 'Ada who waits' too. Choose another name."
    expect(bob.page.get_by_role("alert")).to_have_text(told)
    expect(name).to_be_focused()
    expect(name).to_have_attribute("aria-invalid", "true")
    name.fill("Bob")
    expect(name).not_to_have_attribute("aria-invalid", "true")
    bob.presses("Sit down")
    ada.is_asked()
    expect(ada.player(2)).to_contain_text("Bob")
    assert "Bob has sat down." in ada.heard
    for ask, leave in (("Rules", "Back to the game"), ("Resign", "Play on")):
        ada.presses(ask)
        expect(ada.page.get_by_role("dialog")).to_be_visible()
        suits_everyone(
            ada, f"{ask} over a game", fitting.OTHERS if ask == "Rules" else fitting.SIDES
        )
        ada.presses(leave)


def test_a_game_is_withdrawn_before_the_guest_comes_and_not_at_once_afterwards(
    house: House, sits_down: SitsDown
) -> None:
    ada, bob = sits_down("Ada"), sits_down("Bob")
    ada.makes_a_game(house.address, "Digit Deductions", "Somebody you send a link")
    invitation = ada.invitation
    ada.presses("Cancel the invitation")
    expect(ada.page.locator("#lobby h1")).to_be_visible()
    assert "The invitation is cancelled." in ada.heard
    expect(ada.page.locator("#own")).to_be_hidden()
    bob.opens(invitation)
    expect(bob.page.get_by_text("This game was taken back before it began.")).to_be_visible()
    ada.opens(house.arranges("digit-deductions")[0])
    expect(ada.page.get_by_text("has not opened the page yet")).to_be_visible()
    ada.forgives("409")
    ada.presses("Cancel the invitation")
    expect(ada.page.get_by_text("The game can be taken back in")).to_be_visible()
    ada.presses("Close")


def test_an_invitation_works_for_one_person_and_two_people_have_no_hints(
    house: House, sits_down: SitsDown
) -> None:
    ada, bob, cy = sits_down("Ada"), sits_down("Bob"), sits_down("Cy")
    ada.makes_a_game(house.address, "Safe Cracker", "Somebody you send a link")
    link = ada.invitation
    expect(ada.page.locator("svg[aria-label*=QR]")).to_be_visible()
    expect(ada.page.get_by_role("heading", name="Send this to a friend.")).to_be_visible()
    expect(ada.page.get_by_role("group", name="First game")).to_be_hidden()
    suits_everyone(ada, "a waiting room", fitting.SIDES)
    again = ada.beside("Ada").opens(link)
    expect(again.page.get_by_role("heading", level=1)).to_have_text("This is your own invitation")
    cy.forgives("40[0-9]")
    cy.opens(link)
    cy.page.get_by_label("Your name").fill("Cy")
    bob.opens(link)
    agreed = "Agreed: the usual rules, no clock, others may watch. Hints and notebook: off."
    expect(bob.page.locator("form")).to_contain_text(agreed)
    bob.accepts(link)
    ada.is_asked()
    cy.presses("Sit down")
    expect(cy.page.get_by_role("alert")).to_contain_text(re.compile("taken|two players", re.I))
    cy.opens(house.address).opens(link)
    expect(cy.page.get_by_role("heading", level=1)).to_have_text("Both seats are taken")
    suits_everyone(cy, "both seats are taken", fitting.OTHERS)
    cy.presses("Watch it", "link")
    expect(cy.board).to_be_visible()
    suits_everyone(cy, "watching", fitting.SIDES)
    bob.opens(link)
    expect(bob.pill).to_have_text("chooses in secret")
    are_played((ada, bob), NAMED["safe-cracker"].moves[:4])
    for person in (ada, bob):
        expect(person.page.locator(".asides")).to_contain_text("Hints and notebook: off")
        expect(person.page.get_by_role("button", name="Hint")).to_be_hidden()
        expect(person.page.get_by_role("heading", name="Notebook")).to_be_hidden()


def test_games_that_everybody_has_left_are_folded_away(
    own_house: House, pair: Pair, sits_down: SitsDown
) -> None:
    (alone,) = own_house.arranges("quantum-duel", "random")
    ada, bob = pair("digit-deductions", own_house)
    ada.is_asked()
    here = ada.page.url
    cy = sits_down("Cy").opens(alone)
    cy.is_asked()
    cy.leaves()
    bob.leaves()
    dora = sits_down("Dora").opens(f"{own_house.address}#watch")
    left, present = (
        dora.page.locator(f"#stage section a[href='#watch/{link.split('/')[-2]}']").first
        for link in (alone, here)
    )
    expect(present).to_be_visible()  # one is still there
    expect(left).to_be_hidden()
    dora.page.get_by_text("more that everybody has left").click()
    expect(left).to_be_visible()
    row = dora.page.locator(f"#stage li:has(a[href='#watch/{here.split('/')[-2]}'])")
    expect(row.locator("svg.small")).to_be_visible()
    expect(row).to_contain_text(re.compile("just now|ago"))
    sits_down("Eve").opens(
        f"{own_house.address}#watch/{here.split('/')[-2]}"
    ).page.wait_for_selector(".board")
    dora.page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    expect(row).to_contain_text("1 watching")


def test_hints_are_for_both_if_whoever_makes_the_game_wants_them(
    house: House, sits_down: SitsDown
) -> None:
    ada, bob = sits_down("Ada"), sits_down("Bob")
    ada.opens(f"{house.address}#new/safe-code")
    ada.page.get_by_text("More choices").click()
    wanted = ada.page.get_by_label("Hints and a notebook")
    for opponent, hints in (("A bot", True), ("Anyone in the lobby", False)):
        ada.page.get_by_role("radio", name=opponent).check()
        expect(wanted).to_be_checked(checked=hints)
    wanted.check()
    ada.page.get_by_label("Your name").fill("Ada, who agrees")
    ada.page.get_by_role("radio", name="I do").check()
    ada.presses("Start")
    expect(ada.page.locator(".asides")).to_contain_text("Hints and notebook: on for both")
    bob.opens(house.address)
    row = bob.page.locator("#waiting li", has_text="Ada, who agrees")
    expect(row).to_contain_text("Hints and notebook: on for both")
    row.get_by_role("link", name="Join").click()
    expect(bob.page.locator("form")).to_contain_text("Hints and notebook: on for both.")
    bob.page.get_by_label("Your name").fill("Bob")
    bob.presses("Sit down")
    expect(bob.page.get_by_role("button", name="Notebook")).to_be_visible()
    are_played((ada, bob), (*NAMED["safe-code"].set_up, (1, "clue")))
    expect(bob.page.get_by_role("button", name="Hint")).to_be_visible()
    ada.presses(re.compile("^Notebook, "))
    listed = ada.page.get_by_role("list", name="Still possible").get_by_role("listitem")
    expect(listed).to_have_text(PRIMES)  # ordered by number, not by letter


def test_two_players_in_one_browser_keep_their_own_seats_in_a_rematch(
    house: House, sits_down: SitsDown
) -> None:
    links = house.arranges("digit-deductions")
    ada = sits_down("Ada").opens(links[0])
    bob = ada.beside("Bob").opens(links[1])
    ada.is_asked()
    ada.resigns()
    ada.presses(re.compile("^Rematch"))
    ada.page.wait_for_function(f"{SEAT} === 2")
    expect(bob.notice).to_contain_text("Ada wants a rematch.")
    bob.notice.get_by_role("button", name="Close").click()
    expect(bob.button).to_have_text("To the rematch")
    expect(bob.notice).to_be_empty()
    bob.page.reload()  # it is announced again
    bob.notice.get_by_role("button", name="To the rematch").click()
    bob.page.wait_for_function(f"{SEAT} === 1")
    bob.is_asked()
    expect(ada.large).to_have_text("Bob chooses in secret")
    expect(ada.notice).to_be_empty()


def test_what_a_browser_kept_damaged_counts_as_nothing(house: House, ada: Person) -> None:
    store = "([key, value]) => (localStorage[`strongroom.${key}`] = value)"
    for kept in DAMAGED:
        ada.opens(f"{house.address}#")
        expect(ada.page.locator("#lobby h1")).to_be_visible()
        for key, value in kept.items():
            ada.page.evaluate(store, [key, json.dumps(value)])
        ada.page.reload()
        expect(ada.page.locator("#waiting")).not_to_have_text("Looking for games …")
        ada.presses("Play a bot at Digit Deductions", "link")
        ada.page.get_by_role("button", name="Skip").click()
        ada.is_asked()


def test_a_name_that_is_refused_does_not_keep_anybody_from_a_bot(house: House, ada: Person) -> None:
    ada.forgives("status of 422")
    ada.page.evaluate("localStorage['strongroom.name'] = JSON.stringify('Casual')")
    for _ in range(2):
        ada.opens(house.address)
        ada.presses("Play a bot at Digit Deductions", "link")
        ada.is_asked()
        expect(ada.player(1)).to_contain_text("You")
    assert ada.page.evaluate("JSON.parse(localStorage['strongroom.games']).length") == 1


def test_the_first_guess_on_the_lobbys_board_makes_the_game_and_is_played_in_it(
    house: House, ada: Person
) -> None:
    """Before it nothing is stored; a name that is refused does not stop it."""
    ada.forgives("status of 422")
    ada.page.evaluate("localStorage['strongroom.name'] = JSON.stringify('Casual')")
    guess = ada.page.locator(".hero .main")
    expect(guess).to_have_text("Guess 1-2-3")
    assert guess.evaluate("(node) => node.style.fontSize") == ""  # it fits on one line
    ada.reaches(ada.board.get_by_role("spinbutton", name="Digit 1"))
    ada.types("3")
    expect(guess).to_have_text("Guess 3-2-3")
    kept = "localStorage['strongroom.games'] ?? null"
    assert ada.page.evaluate(kept) is None
    ada.page.locator(".hero .lid").focus()
    ada.page.keyboard.down("Enter")
    told = ada.page.locator(".hero .lid .under").text_content() or ""
    ada.page.keyboard.up("Enter")
    secret = told.split()[-1]
    assert re.fullmatch("[123]-[123]-[123]", secret)
    ada.board.get_by_role("spinbutton", name="Digit 3").focus()
    ada.types("Enter")
    expect(ada.board.locator(".guess")).to_have_count(2)  # with Casual's
    assert ada.moves_sent == [secret, "3-2-3"]
    assert "ahead" not in json.loads(ada.page.evaluate(kept))[0]
    expect(ada.player(2)).to_contain_text("Casual")
    expect(ada.board.locator(".guess").first).to_contain_text("3-2-3")
    ada.page.go_back()
    expect(guess).to_have_text("Guess 1-2-3")
    expect(ada.page.locator("#own")).to_contain_text("Continue · Safe Cracker, turn 3")


def test_the_lobby_ends_in_the_window_and_has_something_to_press_on_every_first_screen(
    house: House, sits_down: SitsDown
) -> None:
    """Its cards have pictures of their boards; one's games and who waits stand below no game."""
    ada = sits_down("Ada").opens(house.arranges("quantum-duel", "random")[0])
    ada.is_asked()
    house.arranges("safe-code", "lobby", name="Tom")
    ada.opens(f"{house.address}#")
    expect(ada.page.locator("#own .shows svg")).to_be_visible()
    expect(ada.page.locator("#today .shows svg")).to_be_visible()
    expect(ada.page.locator(".cards .shows svg.small")).to_have_count(len(PLAYS))
    ada.page.get_by_role("link", name="Join Tom at Safe Code").wait_for()
    ends = (
        "Math.max(...[...document.querySelectorAll('#lobby *')].map((each) => "
        "each.getBoundingClientRect().bottom))"
    )
    assert ada.page.evaluate(ends) <= 705
    edges = """() => ["main > #lobby", ".brand"].map((each) =>
        document.querySelector(each).getBoundingClientRect().left)"""
    for size in (fitting.window(1440, 900), fitting.window(1920, 1080)):
        ada.page.set_viewport_size(size)
        one, two = ada.page.evaluate(edges)
        assert one == two
    for size in (fitting.PHONE, fitting.window(320, 568), fitting.LOW, fitting.window(667, 375)):
        ada.page.set_viewport_size(size)
        assert ada.page.locator(".hero .main").evaluate(fitting.TOUCHABLE), size
        assert ada.page.evaluate(fitting.NO_OVERFLOW), size
    heights = "(all) => all.map((each) => Math.round(each.getBoundingClientRect().height))"
    ada.page.set_viewport_size(fitting.window(900, 800))
    assert set(ada.page.locator(".cards > li").evaluate_all(heights)) == {90}
    empty = "(all) => all.filter((each) => !each.querySelector('a, button')).length"
    assert ada.page.locator("#lobby .card").evaluate_all(empty) == 0


def test_a_link_to_a_bot_makes_no_game_for_anybody_else(
    own_house: House, sits_down: SitsDown
) -> None:
    ada = sits_down("Ada").opens(own_house.address)
    for level in ("lobby", "link", "nobody"):
        ada.opens(f"{own_house.address}#bot/safe-code/{level}")
        told = ada.page.locator("#stage").get_by_text("No bot of that name plays Safe Code.")
        expect(told).to_be_visible()
        ada.opens(f"{own_house.address}#")
        expect(told).to_be_hidden()
    assert own_house.asked("/api/games?show=waiting")["games"] == []


def card(person: Person) -> Locator:
    return person.page.get_by_role("group", name="First game")


def begins(person: Person, house: House, play: Play) -> Person:
    """Start a first game against a bot."""
    person.is_new(house.address).presses(f"Play a bot at {play.title}", "link")
    person.is_asked()
    return person


def test_one_press_starts_a_game_or_opens_it_again_and_bot_and_name_are_changed_inside_it(
    house: House, ada: Person
) -> None:
    def begin(title: str = "Quantum Duel") -> str:
        ada.opens(f"{house.address}#").presses(f"Play a bot at {title}", "link")
        ada.is_asked()
        return ada.page.url

    link = begin()
    expect(ada.player(1)).to_contain_text("You")
    expect(ada.player(2)).to_contain_text("Casual")
    ada.opens(f"{house.address}#")
    expect(ada.page.locator("#own")).to_be_hidden()  # nothing was played
    assert begin() == link
    ada.resigns()
    ada.presses(re.compile("^Rematch"))
    expect(ada.player(2)).to_contain_text("You")
    assert begin() != link
    plays(ada, "quantum-duel", "4")
    ada.opens(f"{house.address}#")
    own = ada.page.locator("#own")
    expect(own).to_contain_text(re.compile("against Casual|Casual is thinking"))
    expect(own.locator(".shows svg")).to_be_visible()
    begin("Safe Cracker")
    ada.presses("Another bot")
    ada.presses("More choices", "link")
    ada.presses("Start")
    expect(ada.page.get_by_role("dialog")).to_have_count(0)
    ada.is_asked()
    ada.presses("Another bot")
    ada.page.get_by_label("Your name").fill("Ada")
    ada.presses("Play Expert")
    expect(ada.player(2)).to_contain_text("Expert")
    begin("Safe Code")
    expect(ada.player(1)).to_contain_text("Ada")
    ada.page.go_back()
    expect(ada.page.locator("#lobby h1")).to_be_visible()


@pytest.mark.parametrize("play", PLAYS, ids=lambda play: play.name)
def test_a_card_is_read_at_every_size_and_a_hint_marks_its_moves_on_the_board(
    house: House, sits_down: SitsDown, play: Play
) -> None:
    ada = begins(sits_down(), house, play)
    expect(card(ada)).to_contain_text(re.compile("First game: 1 of [34]"))
    expect(ada.board.locator("[data-ringed]")).to_have_count(1)
    assert fitting.faults(ada.page, fitting.LOOKS[1:]) == []
    ada.moves(*play.secrets[0])
    ada.is_asked()
    ada.presses("Hint")
    marked = ada.board.locator("[data-hinted]")
    expect(marked.first).to_be_visible()
    told = frames_of(ada.frames, "hint")[-1]
    expect(ada.means).to_have_text(told["plain"])
    if play is PLAYS[0]:
        assert re.match(r"Try .*: \D+\.$", told["plain"])  # no figures
        assert "% to win" in told["text"]
    assert f"Hint: {told['plain']}" in ada.heard
    for where in windows(ada.page, *fitting.UNZOOMED, looks=fitting.LOOKS[1:]):
        assert ada.means.is_visible(), where
        expect(card(ada)).to_be_hidden()  # the hint is read instead
    ada.presses("Why?")
    expect(ada.page.locator("dialog .hint")).to_have_text(told["text"])
    ada.presses("Back to the game")
    ada.moves(told["moves"][0])
    expect(marked).to_have_count(0)


def test_each_turn_has_its_card_in_a_room_that_is_kept_until_the_last(
    house: House, sits_down: SitsDown
) -> None:
    ada = begins(sits_down(viewport=fitting.PHONE), house, NAMED["safe-cracker"])
    before = ada.board.bounding_box()
    for number, move in enumerate(("2-1-3", "1-1-1", "1-2-1"), 1):
        ada.is_asked()
        assert ada.board.bounding_box() == before
        expect(card(ada)).to_contain_text(f"First game: {number} of 3")
        title = ada.large.text_content()
        assert title
        assert title in ada.heard
        assert ("Look at the pegs" in title) == (number == 3)
        ada.board.get_by_role("button", name="Digit 1 up").click()
        expect(ada.button).to_have_attribute("data-ringed", "")
        plays(ada, "safe-cracker", move)
    ada.is_asked()
    expect(card(ada)).to_be_hidden()


def test_two_people_say_fixed_phrases_which_one_can_mute_and_bots_are_not_talked_to(
    house: House, pair: Pair, ada_plays: SitsDown, modules: Page
) -> None:
    page_phrases = modules.evaluate("import('/page/talk.js').then((it) => it.PHRASES)")
    assert page_phrases == list(PHRASES)
    ada, bob = pair("quantum-duel", viewport=fitting.NARROW)
    bubbles = bob.page.locator(".bubble:visible")
    ada.is_asked()
    ada.presses("Say something")
    ada.presses("Well played")
    expect(bubbles).to_have_text("Well played")
    expect(ada.player(1).locator(".bubble")).to_be_visible()
    assert "Ada says: Well played" in bob.heard
    assert "You say: Well played" in ada.heard
    bob.presses("Say something")
    bob.presses("Mute")
    bob.types("Escape")
    expect(bob.page.locator(".phrases")).to_be_hidden()
    expect(bubbles).to_have_count(0)
    ada.resigns()
    ada.has_ended()
    ada.presses("Say something")
    ada.presses("Again?")
    expect(ada.player(1).locator(".bubble")).to_have_text("Again?")
    expect(bubbles).to_have_count(0)
    alone = ada_plays("quantum-duel")
    expect(alone.page.get_by_role("button", name="Say something")).to_have_count(0)


def test_skipped_cards_never_come_back_and_another_game_has_its_own_once(
    house: House, sits_down: SitsDown
) -> None:
    ada = sits_down(viewport=fitting.PHONE)
    for how in ("Escape", "Skip"):
        begins(ada, house, NAMED["quantum-duel"])
        ada.page.locator(".menu").click()
        ada.page.keyboard.press("Escape")  # closes the menu first
        expect(ada.page.locator(".menu")).to_have_attribute("aria-expanded", "false")
        expect(card(ada)).to_be_visible()
        ada.page.keyboard.press("Escape") if how == "Escape" else ada.presses(how)
        expect(card(ada)).to_be_hidden()
        expect(ada.page.locator("[data-ringed]")).to_have_count(0)
        plays(ada, "quantum-duel", "4")
        ada.is_asked()
        ada.page.reload()
        ada.is_asked()
        expect(card(ada)).to_be_hidden()
    for shown in (True, False):
        ada.opens(house.arranges("safe-cracker", "random")[0])
        ada.is_asked()
        expect(card(ada)).to_be_visible(visible=shown)


def test_a_name_with_signs_stands_in_a_lesson_as_it_is(house: House, sits_down: SitsDown) -> None:
    ada, bob = house.arranges("safe-cracker", name="$& $` $$")
    sits_down("Ada").opens(ada)
    learner = sits_down("Bob").is_new(house.address).opens(bob)
    expect(learner.means).to_contain_text("$& $` $$ looks for it")


def test_the_rules_lead_with_pictures_of_the_board_and_do_not_say_what_to_type(
    house: House, ada: Person
) -> None:
    for play in PLAYS:
        html = house.asked(f"/api/rules/{play.name}")["html"]
        assert not re.search("What to type|Enter |Input |prompt|resign<", html)
        assert ("<h2>Clues</h2>" in html) == (play.name == "safe-code")
        ada.opens(f"{house.address}#rules/{play.name}")
        boards = ada.page.locator(f".scenes figure board-{play.name}")
        expect(boards).to_have_count(2)
        captions = ada.page.locator(".scenes figcaption")
        expect(captions).to_have_count(2)
        for part in (*boards.all(), *captions.all()):
            expect(part).to_be_visible()
            expect(part).not_to_be_empty()
        expect(ada.page.locator(".scenes + .prose")).to_have_count(1)
        ada.page.get_by_role("link", name="Play it").focus()
        ada.page.keyboard.press("Tab")  # they are pictures: nothing on them is reached by a key
        assert not ada.page.evaluate("Boolean(document.activeElement.closest('.scenes'))")


def test_a_lobby_without_a_server_does_not_say_that_nobody_waits_and_keeps_ones_games(
    own_house: House, ada: Person
) -> None:
    ada.forgives()
    (link,) = own_house.arranges("quantum-duel", "random")
    ada.opens(link).is_asked()
    ada.opens(own_house.address)
    expect(ada.page.locator("#waiting")).to_contain_text("Nobody is waiting")
    expect(ada.page.locator("#own")).to_contain_text("Quantum Duel")
    own_house.kill()
    ada.page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    expect(ada.page.locator("#waiting")).to_contain_text("cannot be reached")
    for page in ("#learn", "#"):  # away and back
        ada.page.evaluate("(page) => { location.hash = page; }", page)
    expect(ada.page.locator("#waiting")).to_contain_text("cannot be reached")
    ada.page.wait_for_load_state("networkidle")
    expect(ada.page.locator("#own")).to_contain_text("Quantum Duel")
