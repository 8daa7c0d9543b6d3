"""Words are read back before they are sent, and can be changed or undone."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, expect

from strongroom.contract import Refusal
from strongroom.games.safe_code.clues import Clue, check_clue
from strongroom.games.safe_code.reading import parse_clue
from tests.page.conftest import Pair
from tests.page.people import Person

NUMBER = 18
CLUES = (
    ("my number isn't odd", "The number is even."),
    ("more than ten, but less than twenty", "It is between 11 and 19, inclusive."),
    (">15", "It is greater than 15."),
)
"""Three clues as people may write them, and how each is understood."""
REFUSED = ("blue", "18", "odd", "at least 1", "even and over 9", "The next one is prime", "=(")


def field(person: Person) -> Locator:
    """The field for a clue."""
    return person.board.get_by_label("Or in your own words")


@pytest.fixture
def ada(pair: Pair) -> Person:
    """A person who has chosen a number and is asked for the first clue."""
    ada, _ = pair("safe-code")
    ada.moves(str(NUMBER))
    expect(field(ada)).to_be_visible()
    return ada


def test_a_clue_that_is_refused_changed_or_undone_is_not_sent_and_one_is_offered(
    ada: Person,
) -> None:
    for typed in REFUSED:
        with pytest.raises(Refusal) as refused:
            check_clue(parse_clue(typed, NUMBER), NUMBER, [Clue("prime")])
        field(ada).fill(typed)
        field(ada).press("Enter")
        expect(ada.large).to_have_text(refused.value.reason)
        expect(field(ada)).to_be_focused()
        expect(ada.means).to_have_class(re.compile("refused"))
        expect(ada.means).to_have_text(refused.value.accepted)
        expect(field(ada)).to_have_value(typed)
    field(ada).fill("even")
    ada.button.dblclick()  # the second click does not confirm what was just read back
    expect(ada.large).to_have_text("Taken as: The number is even.")
    field(ada).fill("over 9")
    field(ada).focus()
    ada.page.keyboard.down("Enter")
    expect(ada.large).to_have_text("Taken as: It is greater than 9.")
    for _ in range(3):
        ada.page.keyboard.down("Enter")  # as a held key repeats
    ada.page.keyboard.up("Enter")
    expect(ada.button).to_have_text("Write clue 1")
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
    assert ada.moves_sent == [str(NUMBER)]
    ada.sends()
    assert ada.moves_sent[1:] == ["It is greater than 3."]
    field(ada).fill("not over 20")
    ada.presses("Check it")
    expect(ada.large).to_have_text("Taken as: It is at most 20.")
    expect(ada.board.get_by_role("button", name="21, ruled out")).to_be_visible()
    expect(ada.board.get_by_role("button", name="20", exact=True)).to_be_visible()
    ada.presses("Undo")
    offered = ada.board.locator(".offers button").first
    text = offered.inner_text()
    offered.click()
    expect(ada.button).to_have_text("Write clue 2")
    ada.sends()
    assert ada.moves_sent[2:] == [text]
    expect(ada.board).to_contain_text("Clue 3 of 3")


def test_every_clue_is_read_back_before_it_is_sent_also_one_that_was_typed_offline(
    ada: Person,
) -> None:
    for number, (typed, taken) in enumerate(CLUES, 1):
        before = ada.moves_sent
        field(ada).fill(typed)
        expect(ada.button).to_have_text("Check it")
        if number == 2:
            ada.forgives()
            ada.page.context.set_offline(True)
            ada.state("connection lost")
            ada.button.click()
            expect(ada.button).to_have_text("Kept")
            ada.page.context.set_offline(False)
            ada.state("^connected$")
        else:
            field(ada).press("Enter")
        expect(ada.large).to_have_text(f"Taken as: {taken}")
        expect(ada.means).to_contain_text("of 30 numbers")
        expect(ada.button).to_have_text(f"Write clue {number}")
        expect(field(ada)).to_have_value(typed)
        if number != 2:
            expect(field(ada)).to_be_focused()
        assert f"Taken as: {taken}" in ada.heard
        assert ada.moves_sent == before
        field(ada).press("Enter")
        ada.is_done()
        assert ada.moves_sent == [*before, taken]
        if number < 3:
            expect(ada.large).to_have_text(f"Write clue {number + 1} of 3.")
            expect(field(ada)).to_be_focused()
    ada.is_not_asked()
