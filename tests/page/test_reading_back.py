"""Words are read back before they are sent, and can be changed or undone."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import Locator, expect

from strongroom.contract import Refusal
from strongroom.games.safe_code.clues import Clue, check_clue
from strongroom.games.safe_code.reading import parse_clue
from tests.page.conftest import SitsDown
from tests.page.house import House
from tests.page.people import Person

NUMBER = 18
VAULT = """
from strongroom.games.safe_code import SafeCode


class Vault(SafeCode):
    name = "vault"
"""
"""A game from another package, for which the page has no board."""
CLUES = (
    ("my number isn't odd", "The number is even."),
    ("more than ten, but less than twenty", "It is between 11 and 19, inclusive."),
    (">15", "It is greater than 15."),
)
"""Three clues as people may write them, and how each is understood."""


def writes_clues(house: House, sits_down: SitsDown) -> Person:
    """A person who has chosen a number and is asked for the first clue."""
    links = house.arranges("safe-code")
    ada = sits_down("Ada").opens(links[0])
    sits_down("Bob").opens(links[1])
    ada.moves(str(NUMBER))
    expect(field(ada)).to_be_visible()
    return ada


def field(person: Person) -> Locator:
    """The field for a clue."""
    return person.board.get_by_label("Or in your own words")


def moves_sent(person: Person) -> list[str]:
    """The moves that were sent to the server, in order."""
    frames = map(json.loads, person.sent)
    return [frame["move"] for frame in frames if frame["type"] == "move"]


def test_every_clue_is_read_back_before_it_is_sent(house: House, sits_down: SitsDown) -> None:
    ada = writes_clues(house, sits_down)
    for number, (typed, taken) in enumerate(CLUES, 1):
        before = moves_sent(ada)
        field(ada).fill(typed)
        expect(ada.button).to_have_text("Check it")
        field(ada).press("Enter")
        expect(ada.large).to_have_text(f"Taken as: {taken}")
        expect(ada.means).to_contain_text("of 30 numbers")
        expect(ada.button).to_have_text(f"Write clue {number}")
        expect(field(ada)).to_have_value(typed)
        expect(field(ada)).to_be_focused()
        assert f"Taken as: {taken}" in ada.heard
        assert moves_sent(ada) == before
        field(ada).press("Enter")
        ada.is_done()
        assert moves_sent(ada) == [*before, taken]
    ada.is_not_asked()


def test_the_board_shows_which_numbers_the_clue_leaves(house: House, sits_down: SitsDown) -> None:
    ada = writes_clues(house, sits_down)
    field(ada).fill("not over 20")
    ada.presses("Check it")
    expect(ada.large).to_have_text("Taken as: It is at most 20.")
    expect(ada.board.get_by_role("button", name="21, ruled out")).to_be_visible()
    expect(ada.board.get_by_role("button", name="20", exact=True)).to_be_visible()


def test_a_clue_that_was_read_back_can_be_undone_or_changed(
    house: House, sits_down: SitsDown
) -> None:
    ada = writes_clues(house, sits_down)
    field(ada).fill("even")
    ada.presses("Check it")
    expect(ada.large).to_have_text("Taken as: The number is even.")
    ada.presses("Undo")
    expect(field(ada)).to_have_value("")
    expect(ada.large).to_have_text("Write clue 1 of 3.")
    field(ada).fill("over 3")
    ada.presses("Check it")
    expect(ada.large).to_have_text("Taken as: It is greater than 3.")
    field(ada).press("End")
    field(ada).press_sequentially("0")
    expect(ada.button).to_have_text("Check it")
    field(ada).press("Backspace")
    ada.presses("Check it")
    expect(ada.large).to_have_text("Taken as: It is greater than 3.")
    assert moves_sent(ada) == [str(NUMBER)]
    ada.sends()
    assert moves_sent(ada)[1:] == ["It is greater than 3."]


def test_a_suggestion_is_sent_without_being_read_back(house: House, sits_down: SitsDown) -> None:
    ada = writes_clues(house, sits_down)
    offered = ada.board.locator(".offers button").first
    text = offered.inner_text()
    offered.click()
    expect(ada.button).to_have_text("Write clue 1")
    ada.sends()
    assert moves_sent(ada)[1:] == [text]


@pytest.mark.parametrize(
    "typed", ["blue", "18", "odd", "at least 1", "even and over 9", "The next one is prime", "=("]
)
def test_a_refused_clue_gets_the_same_answer_as_in_the_terminal(
    house: House, sits_down: SitsDown, typed: str
) -> None:
    ada = writes_clues(house, sits_down)
    with pytest.raises(Refusal) as refused:
        check_clue(parse_clue(typed, NUMBER), NUMBER, [Clue("prime")])
    field(ada).fill(typed)
    ada.presses("Check it")
    expect(ada.means).to_have_class(re.compile("refused"))
    expect(ada.large).to_have_text(refused.value.reason)
    expect(ada.means).to_have_text(refused.value.accepted)
    expect(field(ada)).to_have_value(typed)
    assert moves_sent(ada) == [str(NUMBER)]


def test_a_held_key_or_a_double_click_does_not_confirm_what_was_just_read_back(
    house: House, sits_down: SitsDown
) -> None:
    ada = writes_clues(house, sits_down)
    field(ada).fill("even")
    ada.button.dblclick()
    expect(ada.large).to_have_text("Taken as: The number is even.")
    field(ada).fill("over 9")
    field(ada).focus()
    ada.page.keyboard.down("Enter")
    expect(ada.large).to_have_text("Taken as: It is greater than 9.")
    for _ in range(3):
        ada.page.keyboard.down("Enter")  # as a held key repeats
    ada.page.keyboard.up("Enter")
    expect(ada.button).to_have_text("Write clue 1")
    assert moves_sent(ada) == [str(NUMBER)]


def test_words_typed_offline_are_read_back_after_reconnecting(
    house: House, sits_down: SitsDown
) -> None:
    ada = writes_clues(house, sits_down)
    ada.forgives()
    ada.page.context.set_offline(True)
    ada.state("connection lost")
    field(ada).fill("even")
    ada.button.click()
    expect(ada.button).to_have_text("Kept")
    ada.page.context.set_offline(False)
    ada.state("^connected$")
    expect(ada.large).to_have_text("Taken as: The number is even.")
    ada.sends()
    assert moves_sent(ada)[1:] == ["The number is even."]


def test_the_words_of_a_game_from_another_package_are_read_back_too(
    tmp_path: Path, sits_down: SitsDown
) -> None:
    (tmp_path / "vault.py").write_text(VAULT)
    (tmp_path / "vault-1.dist-info").mkdir()
    points = "[strongroom.games]\nvault = vault:Vault\n"
    (tmp_path / "vault-1.dist-info" / "entry_points.txt").write_text(points)
    house = House(tmp_path, packages=tmp_path).opens()
    try:
        links = house.arranges("vault")
        ada = sits_down("Ada").opens(links[0])
        sits_down("Bob").opens(links[1])
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
        assert moves_sent(ada) == ["18", "The number is even."]
    finally:
        house.closes()
