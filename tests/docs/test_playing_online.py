"""The page about playing online names the existing options."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from strongroom.server.settings import DAY, Settings
from strongroom.terminal.arguments import Parser
from tests.docs.pages import named, page

host = pytest.importorskip("strongroom.terminal.commands.host")
LOOKS = {"--plain", "--json", "--words", "--motion", "--mouse"}
ELSEWHERE = {"--help", "-h", "--name", "--strict", *LOOKS}
"""Options that the page names outside the table, or that `play` has too."""


def test_the_page_has_every_option_of_host() -> None:
    parser = Parser()
    host.add(parser)
    options = {
        option
        for action in parser._actions
        for option in action.option_strings
        if option.startswith("--") and not option.startswith("--no-")
    }
    table = named("playing-online.md", "option of `host`", "meaning")
    written = {text.split()[0] for text in table if not text.startswith("--no-")}
    assert written == options - ELSEWHERE


def test_the_times_on_the_page_are_those_of_the_server() -> None:
    text, usual = " ".join(page("playing-online.md").split()), Settings()
    assert "After two minutes you may claim the game" in text
    assert usual.claim_after == 120
    assert "kept for a week" in text
    assert usual.expire_after == 7 * DAY


def test_the_page_shows_every_screenshot() -> None:
    folder = Path(__file__).parents[2] / "docs" / "screenshots"
    shown = re.findall(r"!\[[^]]+\]\(screenshots/([^)]+)\)", page("playing-online.md"))
    assert sorted(shown) == sorted(file.name for file in folder.iterdir())
