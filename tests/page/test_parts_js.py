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


@pytest.mark.parametrize(
    ("history", "said", "pill"),
    [
        ([1, 2, 3, 4], "Ada challenges. The coin is in the air.", "The coin is in the air"),
        ([], "Welcome to Bluff!", "Chance decides"),
    ],
)
def test_the_pill_says_of_chance_what_the_words_of_the_game_say(
    browser: Browser, history: list[int], said: str, pill: str
) -> None:
    table = {
        "info": {"seats": [{"name": "Ada", "here": True}, {"name": "Bob", "here": True}]},
        "seat": 1,
        "view": {"actor": "chance", "outcome": None, "setting_up": False, "history": history},
        "words": {"said": said},
    }
    with opened_modules(browser) as page:
        status = "async (table) => (await import('/turn.js')).status(table)"
        assert page.evaluate(status, table)[0] == pill
