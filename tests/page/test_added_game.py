"""Games from other packages, as pip installs them, are played on the page like the five."""

from __future__ import annotations

import re
from collections.abc import Iterator

import httpx
import pytest
from playwright.sync_api import expect

from tests.examples.installing import install_bluff
from tests.page.conftest import Pair, SitsDown
from tests.page.fitting import OTHERS, SIDES, faults, suits_everyone
from tests.page.people import House, Person
from tests.page.plays import PLAYS

SUMMARY = "Claim one of five cards, and make the other judge it wrongly."
VAULT = """
from strongroom.games.safe_code import SafeCode


class Vault(SafeCode):
    name = "vault"
"""
"""A game with words of its own, for which the page has no board."""


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """A server on whose machine both are installed."""
    packages = install_bluff(tmp_path_factory.mktemp("installed"))
    (packages / "vault.py").write_text(VAULT)
    (packages / "vault-1.dist-info").mkdir()
    points = "[strongroom.games]\nvault = vault:Vault\n"
    (packages / "vault-1.dist-info" / "entry_points.txt").write_text(points)
    house = House(tmp_path_factory.mktemp("house"), packages=packages).opens()
    yield house
    house.stop()


def plays(person: Person, move: str) -> None:
    """Press a move on the generic board, and send it."""
    person.is_asked()
    person.board.get_by_role("button", name=move, exact=True).click()
    expect(person.large).to_have_text(move)
    person.sends()


def looks_at_the_end(person: Person) -> None:
    """Both cards, the way there once more, what it was worth, and how far it can be checked."""
    person.is_over()
    expect(person.board.locator(".secret")).to_have_count(2)
    slider = person.page.get_by_role("slider", name="Moment of the game")
    last = slider.get_attribute("max") or ""
    assert int(last) >= 2  # a claim, a reply
    person.page.get_by_role("slider", name="Moment of the game").press("Home")
    expect(person.large).to_have_text(re.compile(r"^\w+ got [1-5]\. \w+ got [1-5]\.$"))
    person.page.get_by_role("slider", name="Moment of the game").press("End")
    expect(slider).to_have_value(last)
    expect(person.looks_into_the_checks().locator(".bad")).to_have_count(0)
    verdict = person.page.get_by_text("Nothing that could be checked is wrong")
    expect(verdict).to_contain_text("Not checked: rules, end, coins. This page has no rules of b")
    person.presses("Close")


def test_it_has_a_card_like_the_five_also_where_no_script_runs(
    house: House, sits_down: SitsDown
) -> None:
    ada = sits_down(java_script_enabled=False).opens(house.address)
    expect(ada.page.get_by_role("heading", level=1)).to_have_text("Seven duels of codes and nerve")
    cards = ada.page.locator(".card.game:has(> .shows > svg):has(> h2 + p + div)")
    expect(cards).to_have_count(7)
    for play in PLAYS:
        heading = ada.page.get_by_role("heading", name=play.title, exact=True)
        expect(heading.first).to_be_visible()
    card = cards.filter(has=ada.page.get_by_role("heading", name="Bluff", exact=True))
    expect(card).to_contain_text(SUMMARY)
    main = ada.page.get_by_role("main")
    assert main.inner_text().startswith("The games need JavaScript")
    expect(main.get_by_role("button")).to_have_count(0)  # nothing that would do nothing
    expect(main.get_by_role("link")).to_have_count(7)
    card.get_by_role("link", name="Rules of Bluff").click()
    expect(ada.page.get_by_role("heading", level=1)).to_have_text("Rules of Bluff")
    bob = sits_down("Bob").opens(house.address)
    for name in ("Play a bot at Bluff", "Invite a friend to Bluff"):
        expect(bob.page.get_by_role("link", name=name)).to_be_visible()


def test_every_bot_is_offered_and_one_is_played(house: House, sits_down: SitsDown) -> None:
    with pytest.raises(httpx.HTTPStatusError) as refused:
        house.arranges("bluff", "nobody")
    told = "No bot 'nobody' plays Bluff. Choose from: master, expert, casual, random."
    assert told in refused.value.response.json()["text"]
    ada = sits_down("Ada").opens(f"{house.address}#rules")
    ada.presses("Read the rules of Bluff", "link")
    expect(ada.page.get_by_role("heading", level=1)).to_have_text("Rules of Bluff")
    expect(ada.page.locator("#stage .lead")).to_have_text(SUMMARY)
    ada.opens(f"{house.address}#new/bluff/bot")
    bots = ada.page.get_by_role("group", name="Which bot").get_by_role("radio")
    expect(bots).to_have_count(4)
    for name in ("Master", "Expert", "Casual", "Random"):
        expect(bots.and_(ada.page.get_by_role("radio", name=name))).to_have_count(1)
    expect(ada.page.get_by_label("Hints and a notebook")).to_be_checked()
    ada.makes_a_game(house.address, "Bluff", "Master")
    lesson = ada.page.get_by_role("group", name="First game")
    expect(lesson).to_be_visible()
    expect(ada.large).to_have_text("Claim a card (1 to 5).")
    expect(ada.means).to_have_text(SUMMARY)
    ada.page.keyboard.press("Escape")
    expect(lesson).to_be_hidden()
    expect(ada.means).to_have_text(re.compile(r"^Your card [1-5]$"))
    expect(ada.page.get_by_role("heading", name="Notebook")).to_be_hidden()
    ada.presses("Hint")
    ada.presses("Why?")
    expect(ada.page.locator(".hint")).to_contain_text("The truth 3 times in 7")
    ada.presses("Back to the game")
    ada.board.get_by_role("button", name="3", exact=True).click()
    assert faults(ada.page) == []
    suits_everyone(ada, "a move of Bluff is chosen", SIDES)
    ada.sends()
    ada.has_ended()
    suits_everyone(ada, "the end of Bluff", OTHERS)


def test_two_people_play_it_from_the_lobby_to_the_rematch(
    house: House, sits_down: SitsDown
) -> None:
    people = ada, bob = sits_down("Ada"), sits_down("Bob")
    ada.makes_a_game(house.address, "Bluff", "Somebody you send a link")
    bob.accepts(ada.invitation)
    plays(ada, "4")
    expect(bob.page.locator(".record")).to_contain_text("4")
    plays(bob, "doubt")
    for person in people:
        looks_at_the_end(person)
    ada.presses(re.compile("^Rematch"))
    bob.button.filter(has_text="To the rematch").click()
    plays(bob, "1")


def test_the_words_of_a_game_from_another_package_are_read_back_too(pair: Pair) -> None:
    ada, _ = pair("vault")
    ada.board.get_by_role("button", name="18", exact=True).click()
    expect(ada.large).to_have_text("Your number is 18")
    ada.sends()
    expect(ada.means).to_have_text("Bob sees it when they ask for it.")
    words = ada.board.get_by_label("Your move")
    words.fill("isn't odd")
    words.press("Enter")
    expect(ada.large).to_have_text("Taken as: The number is even.")
    expect(ada.button).to_have_text("Hide The number is even.")
    words.press("Enter")
    ada.is_done()
    assert ada.moves_sent == ["18", "The number is even."]
