"""The small parts of the page, imported as modules in a real browser."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser

from tests.page.modules import opened_modules


@pytest.mark.parametrize(
    ("lines", "paragraph"),
    [
        (
            "Result: Tails\n\nObservation failed! Cell 2 is unobserved again.",
            "Result: Tails. Observation failed! Cell 2 is unobserved again.",
        ),
        (
            "\nChallenge initiated!\nFlipping a coin...\n",
            "Challenge initiated! Flipping a coin...",
        ),
        ("You won", "You won"),
    ],
)
def test_lines_become_a_paragraph_of_whole_sentences(
    browser: Browser, lines: str, paragraph: str
) -> None:
    with opened_modules(browser) as page:
        flat = "async (text) => (await import('/parts.js')).flat(text)"
        assert page.evaluate(flat, lines) == paragraph
