"""Links: read, written, and refused in words that say what to do."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from strongroom.contract import Refusal
from strongroom.remote import api
from strongroom.remote.link import Kind, Link, address, websocket

GAME, TOKEN = "00112233445566778899aabbccddeeff", "f" * 32


@pytest.mark.parametrize(
    "text",
    [
        f"https://duels.example/#join/{GAME}/{TOKEN}",
        f"http://127.0.0.1:8000/#play/{GAME}/{TOKEN}",
        f"http://[::1]:8000/a/b/#watch/{GAME}",
    ],
)
def test_a_link_is_read_and_written_the_same(text: str) -> None:
    assert str(Link.parse(text)) == text
    assert Link.parse(f"  {text}/\n") == Link.parse(text)


def test_a_link_says_what_it_is_good_for() -> None:
    link = Link.parse(f"https://duels.example/#join/{GAME}/{TOKEN}")
    assert link == Link("https://duels.example", Kind.JOIN, GAME, TOKEN)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "is no link to a game"),
        ("blah", "is no link to a game. Like: 'https://duels.example/#join/"),
        ("duels.example", "is no link to a game"),
        ("ftp://duels.example/#watch/" + GAME, "is no address of a server"),
        ("https://duels.example/", "nothing stands behind a #"),
        (f"https://duels.example/#look/{GAME}", "is no kind of link"),
        (f"https://duels.example/#join/{GAME}", "not whole"),
        (f"https://duels.example/#watch/{GAME}/{TOKEN}", "not whole"),
        (f"https://duels.example/#join/{GAME}/{TOKEN[:-1]}", "not whole"),
        (f"https://duels.example/#join/{GAME}/{TOKEN.upper()}", "not whole"),
        (f"https://ada:secret@duels.example/#watch/{GAME}", "no password"),
        (f"https://duels.example/?a=b#watch/{GAME}", "no password"),
        (f"https://exa mple.org/#watch/{GAME}", "no blanks"),
        (f"https://[::1/#watch/{GAME}", "is no address"),
        (f"https://duels.example:99999/#watch/{GAME}", "is no address"),
    ],
)
def test_what_is_no_link_is_refused_in_words(text: str, why: str) -> None:
    with pytest.raises(Refusal, match=why):
        Link.parse(text)


@given(st.text())
def test_any_text_is_a_link_or_refused(text: str) -> None:
    for candidate in (text, f"https://duels.example/#{text}", f"http://{text}/#watch/{GAME}"):
        try:
            link = Link.parse(candidate)
        except Refusal:
            continue
        assert Link.parse(str(link)) == link


def test_the_messages_go_where_the_pages_come_from() -> None:
    assert websocket(address("http://127.0.0.1:8000/")) == "ws://127.0.0.1:8000/ws"
    assert websocket(address("https://duels.example/games")) == "wss://duels.example/games/ws"


def test_a_host_whose_name_no_host_can_have_is_not_reached() -> None:
    with pytest.raises(api.Unreachable, match="No server answers"):
        api.info(Link(f"http://{'a' * 70}.example", Kind.WATCH, GAME))
