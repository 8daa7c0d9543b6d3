"""The page's files: small, self-contained, within its policy, and shown at once."""

from __future__ import annotations

import re
import urllib.request
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.page.conftest import SitsDown
from tests.page.house import House
from tests.page.modules import FOLDER
from tests.page.plays import PLAYS

MOST_SENT = 110_000
MOST_CODE = 218_000
COMMENT = re.compile(r"^ */\*[\s\S]*?\*/$|(?:^ *|(?<=[\s;,{}()]))// .*$|^ +", re.MULTILINE)
"""A comment or an indentation, which are not counted."""
MOST_PICTURE = 40_000
ALL = sorted(file for file in FOLDER.rglob("*") if file.is_file())
PICTURES = [file for file in ALL if file.suffix == ".png"]
"""The pictures that are loaded only by whoever installs the page or shows a link to it."""
FILES = [file for file in ALL if file not in PICTURES]


def transferred(house: House, path: str) -> int:
    """The bytes that a browser receives for a file."""
    request = urllib.request.Request(house.address + path, headers={"Accept-Encoding": "gzip"})
    with urllib.request.urlopen(request) as answer:
        return len(answer.read())


def test_the_whole_page_is_small_as_it_is_sent(house: House) -> None:
    sent = transferred(house, "") + sum(
        transferred(house, f"page/{file.relative_to(FOLDER)}")
        for file in FILES
        if file.name != "index.html"
    )
    assert sent < MOST_SENT, f"{sent} bytes are sent"


@pytest.mark.parametrize("game", [play.name for play in PLAYS])
def test_all_code_that_a_game_can_ever_load_is_small(game: str) -> None:
    others = {"generic", *(play.name for play in PLAYS)} - {game}
    loaded = [file for file in FILES if file.parent.name != "boards" or file.stem not in others]
    code = sum(len(COMMENT.sub("", file.read_text()).encode()) for file in loaded)
    assert code < MOST_CODE, f"{code} bytes of code"


def test_without_javascript_the_five_games_are_shown(house: House, sits_down: SitsDown) -> None:
    ada = sits_down(java_script_enabled=False).opens(house.address)
    for play in PLAYS:
        expect(ada.page.get_by_role("heading", name=play.title, exact=True)).to_be_visible()


def test_a_games_board_is_loaded_only_when_it_is_opened(house: House, sits_down: SitsDown) -> None:
    ada = sits_down().opens(house.address)
    expect(ada.page.locator("#waiting")).to_contain_text(re.compile("Nobody is waiting|Join"))

    def boards() -> set[str]:
        return {Path(each.url).stem for each in ada.requests if "/boards/" in each.url}

    assert boards() == set()
    for play in PLAYS[-2:]:
        before = boards()
        ada.opens(house.arranges(play.name, "random")[0])
        expect(ada.board).to_be_visible()
        assert boards() - before == {play.name}


def test_the_markup_has_nothing_that_the_policy_would_have_to_allow() -> None:
    for file in FILES:
        text = file.read_text()
        if file.suffix == ".html":
            assert not re.search(r"<script(?![^>]* src=)|<style| style=| on\w+=", text)
        for outside in re.findall(r"https?://[^\s\"'`)]+", text):
            assert outside == "http://www.w3.org/2000/svg", f"{file.name} names {outside}"
        assert not re.search(r"\.innerHTML|document\.write|\beval\(|new Function", text), file.name


@pytest.mark.parametrize("path", ["", "page/app.js", "api/docs", "api/catalog", "nothing"])
def test_every_answer_has_the_policy_and_no_cookie(
    house: House, sits_down: SitsDown, path: str
) -> None:
    ada = sits_down()
    ada.forgives("404")
    answer = ada.page.goto(house.address + path)
    assert answer is not None
    policy = answer.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "script-src 'self';" in policy
    assert "style-src 'self';" in policy
    assert "unsafe" not in policy
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.headers["referrer-policy"] == "no-referrer"
    assert "set-cookie" not in answer.headers
    assert ada.context.cookies() == []


def test_a_whole_visit_sets_no_cookie_and_stores_only_ones_own_data(
    house: House, sits_down: SitsDown
) -> None:
    ada = sits_down()
    ada.makes_a_game(house.address, "Quantum Duel", "A bot")
    ada.is_asked()
    ada.page.get_by_role("button", name="Dark theme").click()
    assert ada.context.cookies() == []
    kept = ada.page.evaluate("Object.keys(localStorage)")
    known = ("name", "games", "theme", "sound", "lessons")
    assert set(kept) <= {f"strongroom.{each}" for each in known}
    assert ada.page.evaluate("sessionStorage.length") == 0


def test_a_token_is_never_in_an_address_that_a_server_sees(
    house: House, sits_down: SitsDown
) -> None:
    ada = sits_down()
    (link,) = house.arranges("quantum-duel", "random")
    ada.opens(link)
    ada.is_asked()
    token = link.rpartition("/")[2]
    assert ada.requests
    assert not [each.url for each in ada.requests if token in each.url.partition("#")[0]]


def test_the_chosen_theme_is_set_before_the_first_paint(house: House, sits_down: SitsDown) -> None:
    ada = sits_down().opens(house.address)
    ground = "getComputedStyle(document.documentElement).backgroundColor"
    assert ada.page.evaluate(ground) == "rgb(246, 241, 228)"
    ada.presses("Dark theme")
    assert ada.page.evaluate(ground) == "rgb(18, 23, 31)"
    ada.page.reload(wait_until="commit")
    ada.page.wait_for_selector("body", state="attached")
    assert ada.page.evaluate(ground) == "rgb(18, 23, 31)"
    ada.presses("Light theme")
    assert ada.page.evaluate(ground) == "rgb(246, 241, 228)"
