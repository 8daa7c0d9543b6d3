"""What is hidden: chosen before its turn, read back before it is sent, and known to nobody else."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, expect

from strongroom.contract import Refusal
from strongroom.games.safe_code.clues import Clue, check_clue
from strongroom.games.safe_code.reading import parse_clue
from tests.page.conftest import Pair, SitsDown
from tests.page.people import House, Person, frames_of
from tests.page.plays import NAMED, chooses, touches

REACHABLE = """() => {
    const seen = new Set(), found = [];
    const walk = (value, depth) => {
        if (typeof value === "string") return found.push(value);
        if (!value || typeof value !== "object" || seen.has(value) || depth > 12) return;
        seen.add(value);
        if (value instanceof Window || value instanceof CSSStyleSheet) return;
        if (value instanceof Map) value = [...value];
        if (value instanceof Set) value = [...value];
        for (const name of Object.getOwnPropertyNames(value)) {
            try {
                // All that one may play is listed, and what the other hides is among it.
                if (name !== "moves" || !Array.isArray(value[name])) walk(value[name], depth + 1);
            } catch { /* not to be read */ }
        }
    };
    for (const node of document.querySelectorAll("*")) walk(node, 0);
    const storage = JSON.stringify([{ ...localStorage }, { ...sessionStorage }]);
    return [document.documentElement.outerHTML, storage, ...found].join("\\n");
}"""
"""All text in the markup, in storage, and in objects attached to the document's elements."""

HAVE = "() => document.querySelector('strongroom-table')?.link.table.have"
"""How many steps a page was told."""
ALIKE: dict[str, tuple[list[str], list[str], list[str], list[tuple[int, str]]]] = {
    "safecracker-duel": (["3-4-2"], ["5-1-3"], ["4-5-5"], [(1, "1 3"), (2, "2 2"), (1, "2 4")]),
    "safe-cracker": (["2-1-3"], ["3-3-1"], ["3-3-2"], [(1, "1-1-3"), (2, "1-2-3"), (1, "3-1-3")]),
    "safe-code": (
        ["18", "even", "between 10 and 23", "between 6 and 21"],
        ["7", "prime", "between 7 and 17", "between 5 and 8"],
        ["13", "prime", "between 12 and 18", "between 9 and 24"],
        [(1, "20"), (2, "clue"), (1, "clue"), (2, "16")],
    ),
    "digit-deductions": (["3-7"], ["5-6"], ["6-5"], [(1, "5-5"), (2, "3-5"), (1, "4-4")]),
}
"""What the first seat hides, two secrets of the second, and moves that do not tell them apart."""


def pages_after_each_move(people: tuple[Person, Person], moves: list[tuple[int, str]]) -> list[str]:
    """Play moves, and return what the first player's page shows after each."""
    ada, _ = people
    pages: list[str] = []
    for number, (seat, move) in enumerate(moves, 1):
        people[seat - 1].moves(move)
        ada.page.wait_for_function(f"{HAVE} === {number}")
        pages.append(ada.page.locator("main").inner_text())
    return pages


def entries(person: Person) -> list[str]:
    """The news that a page was told, without its ids, tokens, commitments and times."""
    random = r"[0-9a-f]{32,}|\b1[0-9]{9}(\.[0-9]+)?\b|-?[0-9]+\.[0-9]{2,}"
    return [re.sub(random, "#", frame) for frame in person.frames if '"type":"entries"' in frame]


@pytest.mark.parametrize("game", ALIKE)
def test_the_others_secret_is_nowhere_before_the_end_and_changes_nothing(
    house: House, pair: Pair, sits_down: SitsDown, game: str
) -> None:
    """Two games in which only the other's secret differs; a spectator watches the first."""
    first, second, another, turns = ALIKE[game]
    own = [(1, text) for text in first]
    ada, bob = people = pair(game, aids=False)
    cy = sits_down("Cy").opens(f"{house.address}#watch/{ada.page.url.split('/')[-2]}")
    expect(cy.board).to_be_visible()
    pages = pages_after_each_move(people, own + [(2, each) for each in second] + turns)
    others = other, _ = pair(game, aids=False)
    same = pages_after_each_move(others, own + [(2, each) for each in another] + turns)
    assert pages[len(second) :] == same[len(second) :]
    assert entries(ada) == entries(other)
    if game == "digit-deductions":
        return  # its numbers stand on everybody's board
    hidden = [text for text in second if text not in ("7", "prime")]
    for person, unknown in ((ada, hidden), (cy, [*hidden, *first[2:]])):
        known = person.page.evaluate(REACHABLE) + "\n".join(person.frames)
        picks = re.sub(r'"(picks|moves)":(\[[^]]*\]|null)', "", known)
        for text in unknown:
            assert not re.search(rf"(?<![\w-]){re.escape(text)}(?![\w-])", picks), text
    mine = bob.page.evaluate(REACHABLE)
    assert all(text in mine for text in hidden), "the search does find secrets"


KEPT = "Kept here; it is sent as soon as it is your turn."
PARTLY = "Kept here. Choose on; all of it is sent as soon as it is your turn."
OPEN = "You may choose your own number already."
DIGITS = "digit-deductions"


def keeps(person: Person, game: str, secret: str, told: str = KEPT) -> None:
    """Choose a secret before its turn, and confirm it."""
    touches(person, game, secret)
    person.button.click()
    expect(person.means).to_have_text(told)


def keeps_a_clue(person: Person, number: int) -> str:
    """Choose the first clue that is offered, and confirm it; return it."""
    expect(person.board.locator(".writing h2")).to_contain_text(f"Clue {number} of 3")
    offered = person.board.locator(".offers button").first
    text = offered.text_content()
    assert text
    offered.click()
    person.presses(f"Write clue {number}")
    expect(person.means).to_have_text(KEPT if number == 3 else PARTLY)
    return text


def has_sent_nothing(person: Person) -> bool:
    """Whether neither a move nor words to be read were sent."""
    return not frames_of(person.sent, "move", "read")


@pytest.mark.parametrize("game", [name for name, play in NAMED.items() if play.secrets[0]])
def test_a_secret_chosen_early_is_sent_when_its_turn_comes(pair: Pair, game: str) -> None:
    first, (secret, *clues) = NAMED[game].secrets
    ada, bob = pair(game)
    ada.is_asked()
    keeps(bob, game, secret, PARTLY if clues else KEPT)
    chosen = [secret, *(keeps_a_clue(bob, number) for number, _ in enumerate(clues, 1))]
    expect(bob.button).to_have_text("Chosen")
    assert KEPT in bob.heard
    before = len(ada.frames)
    assert has_sent_nothing(bob)
    posted = [request.post_data for request in bob.requests if request.post_data]
    assert not any(text in data for text in chosen for data in posted)
    ada.moves(*first)
    ada.is_asked()
    bob.page.wait_for_function("() => !JSON.parse(localStorage['strongroom.games'])[0].ahead")
    assert bob.moves_sent == chosen
    news = frames_of(ada.frames[before:], "entries")
    steps = [entry for frame in news for entry in frame["entries"]]
    assert [step["seat"] for step in steps] == [1] * len(first) + [2] * len(chosen)
    assert all(step["move"] is None for step in steps if step["seat"] == 2)


def test_clues_chosen_early_are_taken_back_one_by_one_and_the_rest_written_in_turn(
    pair: Pair,
) -> None:
    game = "safe-code"
    ada, bob = pair(game)
    ada.is_asked()
    keeps(bob, game, "7", PARTLY)
    for number in (1, 2, 3):
        keeps_a_clue(bob, number)
    bob.page.reload()
    expect(bob.means).to_have_text(KEPT)
    for number in (3, 2, 1):
        bob.presses("Undo")
        expect(bob.board.locator(".writing h2")).to_contain_text(f"Clue {number} of 3")
        expect(bob.means).to_have_text(PARTLY)
    clue = keeps_a_clue(bob, 1)
    expect(bob.board.get_by_label("Or in your own words")).to_be_hidden()
    assert has_sent_nothing(bob)
    ada.moves(*NAMED[game].secrets[0])
    expect(bob.board.locator(".writing h2")).to_contain_text("Clue 2 of 3")
    expect(bob.board.get_by_label("Or in your own words")).to_be_visible()
    bob.page.wait_for_function(f"{HAVE} === 6")  # the clue follows the number
    assert bob.moves_sent == ["7", clue]


def test_a_kept_secret_is_changed_and_taken_back_in_any_tab_and_outlives_a_reload(
    pair: Pair,
) -> None:
    """What is only touched when the turn comes is still chosen, and not sent."""
    ada, bob = pair(DIGITS)
    ada.is_asked()
    keeps(bob, DIGITS, "5-6")
    bob.page.reload()
    expect(bob.means).to_have_text(KEPT)
    keeps(bob, DIGITS, "6-5")
    expect(bob.button).to_have_text("Chosen")
    again = bob.beside("Bob").opens(bob.page.url)
    expect(again.button).to_have_text("Chosen")
    again.presses("Undo")
    expect(again.means).to_have_text(OPEN)
    bob.presses("Play here")
    expect(bob.button).to_have_text("Hide 6-5")
    ada.moves("3-7")
    bob.is_asked()
    assert has_sent_nothing(bob)
    assert again.moves_sent == []
    expect(bob.button).to_have_text("Hide 6-5")
    bob.sends()
    ada.is_asked()


def test_two_seats_in_one_browser_do_not_share_a_kept_secret_which_outlives_its_page(
    house: House, sits_down: SitsDown
) -> None:
    links = house.arranges(DIGITS)
    both = sits_down("Both").opens(links[1])
    sits_down("Ada").opens(links[0])
    keeps(both, DIGITS, "5-6")
    both.opens(links[0])
    chooses(both, DIGITS, "3-7")
    assert has_sent_nothing(both)
    both.sends()
    both.opens(links[1])
    both.page.wait_for_function(f"{HAVE} === 2")
    assert both.moves_sent == ["3-7", "5-6"]


NUMBER = 18
REFUSED = ("blue", "18", "odd", "at least 1", "=(")


def field(person: Person) -> Locator:
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


def test_a_clue_is_read_back_to_a_screen_reader_too_and_also_one_that_was_typed_offline(
    ada: Person,
) -> None:
    field(ada).fill("my number isn't odd")
    ada.forgives()
    ada.page.context.set_offline(True)
    ada.state("connection lost")
    ada.presses("Check it")
    expect(ada.button).to_have_text("Kept")
    ada.page.context.set_offline(False)
    ada.state("^connected$")
    expect(ada.large).to_have_text("Taken as: The number is even.")
    expect(ada.means).to_contain_text("15 of 30 numbers")
    expect(ada.button).to_have_text("Write clue 1")
    expect(field(ada)).to_have_value("my number isn't odd")
    assert "Taken as: The number is even." in ada.heard
    assert ada.moves_sent == [str(NUMBER)]
    field(ada).press("Enter")
    ada.is_done()
    assert ada.moves_sent[1:] == ["The number is even."]
    expect(ada.large).to_have_text("Write clue 2 of 3.")
    expect(field(ada)).to_be_focused()
