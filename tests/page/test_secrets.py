"""A page does not know the other's secret before the end: not shown, stored or in memory."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from tests.page.conftest import SitsDown
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


@pytest.fixture
def motion() -> bool:
    """No motion: what the page knows does not depend on it."""
    return False


def alone(text: str) -> str:
    """A page's text without its random parts: ids, tokens, commitments, times."""
    text = re.sub(r"[0-9a-f]{32,}", "#", text)
    return re.sub(r"\b1[0-9]{9}(\.[0-9]+)?\b|-?[0-9]+\.[0-9]{2,}", "0", text)


def known_after_each_move(
    house: House, sits_down: SitsDown, game: str, second: list[str]
) -> tuple[list[Any], list[Any], Person]:
    """Play a game, and return what the first player's page holds and shows after each move."""
    first, *_, turns = ALIKE[game]
    links = house.arranges(game, aids=False)
    ada, bob = sits_down("Ada").opens(links[0]), sits_down("Bob").opens(links[1])
    moves = [(1, text) for text in first] + [(2, text) for text in second] + turns
    tables: list[Any] = []
    pages: list[str] = []
    for seat, move in moves:
        (ada, bob)[seat - 1].moves(move)
        ada.page.wait_for_function(
            "(have) => document.querySelector('strongroom-table').link.table.have === have",
            arg=len(tables) + 1,
        )
        table = ada.page.evaluate(
            "() => JSON.stringify({ ...document.querySelector('strongroom-table').link.table })"
        )
        tables.append(json.loads(alone(table)))
        pages.append(ada.page.locator("main").inner_text())
    return tables, pages, ada


@pytest.mark.parametrize("game", ALIKE)
def test_pages_are_equal_when_only_the_others_secret_differs(
    house: House, sits_down: SitsDown, game: str
) -> None:
    _, one, two, _ = ALIKE[game]
    tables, pages, ada = known_after_each_move(house, sits_down, game, one)
    other_tables, other_pages, other = known_after_each_move(house, sits_down, game, two)
    for now, then in zip(tables, other_tables, strict=True):
        for table in (now, then):
            table["info"].pop("created")
            table.pop("clock")
        assert now == then
    assert pages[len(one) :] == other_pages[len(two) :]
    frames = [
        [alone(frame) for frame in each.frames if '"type":"entries"' in frame]
        for each in (ada, other)
    ]
    assert frames[0] == frames[1]


@pytest.mark.parametrize("game", ["safecracker-duel", "safe-cracker", "safe-code"])
def test_the_others_secret_is_nowhere_before_the_end(
    house: House, sits_down: SitsDown, game: str
) -> None:
    first, second, _, turns = ALIKE[game]
    hidden = [text for text in second if text not in ("7", "prime")]
    links = house.arranges(game, aids=False)
    ada, bob = sits_down("Ada").opens(links[0]), sits_down("Bob").opens(links[1])
    cy = sits_down("Cy").opens(re.sub("#play/([0-9a-f]+)/.*", r"#watch/\1", links[0]))
    for seat, move in [(1, text) for text in first] + [(2, text) for text in second] + turns:
        (ada, bob)[seat - 1].moves(move)
    for person, unknown in ((ada, hidden), (cy, [*hidden, *first[2:]])):
        known = person.page.evaluate(REACHABLE) + "\n".join(person.frames)
        picks = re.sub(r'"(picks|moves)":(\[[^]]*\]|null)', "", known)
        for text in unknown:
            assert not re.search(rf"(?<![\w-]){re.escape(text)}(?![\w-])", picks), text
    mine = bob.page.evaluate(REACHABLE)
    assert all(text in mine for text in hidden), "the search does find secrets"
