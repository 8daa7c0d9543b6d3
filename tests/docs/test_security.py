"""The page about security quotes what the server sends."""

from __future__ import annotations

from strongroom.server.app import HEADERS, POLICY
from strongroom.server.settings import Settings
from tests.docs.pages import page


def test_the_policy_on_the_page_is_the_one_that_is_sent() -> None:
    assert HEADERS["Content-Security-Policy"] == POLICY
    assert f"`{POLICY}`" in " ".join(page("security.md").split())


def test_the_pace_of_the_bots_is_as_the_page_says() -> None:
    assert f"whole multiples of {Settings().pace} seconds" in " ".join(page("security.md").split())
