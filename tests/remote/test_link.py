"""Links: read, written, and refused with what to do."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from strongroom.contract import Refusal
from strongroom.remote import api
from strongroom.remote.link import Link, LinkKind, address, websocket

GAME, TOKEN = "00112233445566778899aabbccddeeff", "f" * 32


@pytest.mark.parametrize(
    "text",
    [
        f"https://duels.example/#join/{GAME}/{TOKEN}",
        f"http://127.0.0.1:8000/#play/{GAME}/{TOKEN}",
        f"http://[::1]:8000/a/b/#watch/{GAME}",
    ],
)
def test_a_link_is_written_as_it_was_read(text: str) -> None:
    assert str(Link.parse(text)) == text
    assert Link.parse(f"  {text}/\n") == Link.parse(text)


def test_a_link_is_parsed_into_its_parts() -> None:
    link = Link.parse(f"https://duels.example/#join/{GAME}/{TOKEN}")
    assert link == Link("https://duels.example", LinkKind.JOIN, GAME, TOKEN)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "is not a link to a game"),
        ("blah", "is not a link to a game. For example: 'https://duels.example/#join/"),
        ("duels.example", "is not a link to a game"),
        ("ftp://duels.example/#watch/" + GAME, "is not the address of a server"),
        ("https://duels.example/", "nothing follows a #"),
        (f"https://duels.example/#look/{GAME}", "is not a kind of link"),
        (f"https://duels.example/#join/{GAME}", "The link is"),
        (f"https://duels.example/#watch/{GAME}/{TOKEN}", "The link is"),
        (f"https://duels.example/#join/{GAME}/{TOKEN[:-1]}", "The link is"),
        (f"https://duels.example/#join/{GAME}/{TOKEN.upper()}", "The link is"),
        (f"https://ada:secret@duels.example/#watch/{GAME}", "no password"),
        (f"https://duels.example/?a=b#watch/{GAME}", "no password"),
        (f"https://exa mple.org/#watch/{GAME}", "no blanks"),
        (f"https://[::1/#watch/{GAME}", "is not an address"),
        (f"https://duels.example:99999/#watch/{GAME}", "is not an address"),
    ],
)
def test_an_invalid_link_is_refused_with_a_reason(text: str, why: str) -> None:
    with pytest.raises(Refusal, match=why):
        Link.parse(text)


@given(st.text())
def test_any_text_is_a_link_or_is_refused(text: str) -> None:
    for candidate in (text, f"https://duels.example/#{text}", f"http://{text}/#watch/{GAME}"):
        try:
            link = Link.parse(candidate)
        except Refusal:
            continue
        assert Link.parse(str(link)) == link


def test_the_websocket_is_below_the_address_of_the_pages() -> None:
    assert websocket(address("http://127.0.0.1:8000/")) == "ws://127.0.0.1:8000/ws"
    assert websocket(address("https://duels.example/games")) == "wss://duels.example/games/ws"


def test_an_impossible_host_name_is_unreachable() -> None:
    for host in ("a..b", f"{'a' * 70}.example"):
        with pytest.raises(api.Unreachable, match="No server answers"):
            api.info(Link(f"http://{host}", LinkKind.WATCH, GAME))
