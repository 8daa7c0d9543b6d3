"""A page does not know the other's secret before the end: not shown, stored or in memory."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.page.conftest import Pair, SitsDown
from tests.page.house import House
from tests.page.people import Person

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


def alone(text: str) -> str:
    """A page's text without its random parts: ids, tokens, commitments, times."""
    text = re.sub(r"[0-9a-f]{32,}", "#", text)
    return re.sub(r"\b1[0-9]{9}(\.[0-9]+)?\b|-?[0-9]+\.[0-9]{2,}", "0", text)


def known_after_each_move(
    people: tuple[Person, Person], moves: list[tuple[int, str]]
) -> tuple[list[Any], list[str]]:
    """Play moves, and return what the first player's page holds and shows after each."""
    ada, _ = people
    tables: list[Any] = []
    pages: list[str] = []
    for seat, move in moves:
        people[seat - 1].moves(move)
        ada.page.wait_for_function(
            "(have) => document.querySelector('strongroom-table').link.table.have === have",
            arg=len(tables) + 1,
        )
        table = ada.page.evaluate(
            "() => JSON.stringify({ ...document.querySelector('strongroom-table').link.table })"
        )
        tables.append(json.loads(alone(table)))
        tables[-1]["info"].pop("created")
        tables[-1].pop("clock")
        pages.append(ada.page.locator("main").inner_text())
    return tables, pages


def entries(person: Person) -> list[str]:
    """The news that a page was told, without random parts."""
    return [alone(frame) for frame in person.frames if '"type":"entries"' in frame]


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
    tables, pages = known_after_each_move(people, own + [(2, each) for each in second] + turns)
    other_people = other, _ = pair(game, aids=False)
    moves = own + [(2, each) for each in another] + turns
    other_tables, other_pages = known_after_each_move(other_people, moves)
    assert tables == other_tables
    assert pages[len(second) :] == other_pages[len(another) :]
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
