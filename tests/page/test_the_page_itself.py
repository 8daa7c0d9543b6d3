"""The page's files: small, self-contained, within its policy, shown at once, and installable."""

from __future__ import annotations

import json
import re
import struct
import urllib.request
from pathlib import Path
from typing import Any
from urllib.parse import urljoin, urlsplit

from playwright.sync_api import expect

import strongroom
from strongroom.server.files import FOR_EVER
from tests.page.conftest import SitsDown
from tests.page.house import House
from tests.page.people import Person
from tests.page.plays import PLAYS

FOLDER = Path(strongroom.__file__).parent / "server" / "page"
MOST_SENT = 110_000
MOST_CODE = 218_000
MOST = {"qr.js": 4_400, "verify.js": 10_000, "referee.js": 7_000}
"""The largest sizes, in bytes."""
COMMENT = re.compile(r"^ */\*[\s\S]*?\*/$|(?:^ *|(?<=[\s;,{}()]))// .*$|^ +", re.MULTILINE)
"""A comment or an indentation, which are not counted."""
MOST_PICTURE = 40_000
ALL = sorted(file for file in FOLDER.rglob("*") if file.is_file())
PICTURES = [file for file in ALL if file.suffix == ".png"]
"""The pictures that are loaded only by whoever installs the page or shows a link to it."""
FILES = [file for file in ALL if file not in PICTURES]


def fetched(address: str, **headers: str) -> tuple[bytes, Any]:
    """What an address answers, and its headers."""
    with urllib.request.urlopen(urllib.request.Request(address, headers=headers)) as answer:
        return answer.read(), answer.headers


def test_the_files_are_small_as_they_are_sent_and_as_they_are_written(house: House) -> None:
    paths = [f"page/{file.relative_to(FOLDER)}" for file in FILES if file.name != "index.html"]
    gzip = {"Accept-Encoding": "gzip"}
    sent = sum(len(fetched(house.address + path, **gzip)[0]) for path in ("", *paths))
    assert sent < MOST_SENT, f"{sent} bytes are sent"
    for play in PLAYS:
        others = {"generic", *(each.name for each in PLAYS)} - {play.name}
        loaded = [file for file in FILES if file.parent.name != "boards" or file.stem not in others]
        code = sum(len(COMMENT.sub("", file.read_text()).encode()) for file in loaded)
        assert code < MOST_CODE, f"{code} bytes of code for {play.name}"
    assert [name for name, most in MOST.items() if (FOLDER / name).stat().st_size > most] == []
    assert [file.name for file in PICTURES if file.stat().st_size >= MOST_PICTURE] == []


def test_a_games_board_is_loaded_only_when_it_is_opened(house: House, ada: Person) -> None:
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


def test_the_policy_allows_scripts_and_styles_of_this_server_only(house: House) -> None:
    for path in ("", "page/app.js", "api/docs", "api/catalog"):
        policy = fetched(house.address + path)[1]["content-security-policy"]
        for part in ("default-src 'none'", "script-src 'self';", "style-src 'self';"):
            assert part in policy, path
        assert "unsafe" not in policy, path


def test_a_whole_visit_sets_no_cookie_stores_only_ones_own_data_and_sends_no_token_in_an_address(
    house: House, sits_down: SitsDown
) -> None:
    ada = sits_down()
    ada.makes_a_game(house.address, "Quantum Duel", "A bot")
    ada.is_asked()
    ground = "getComputedStyle(document.documentElement).backgroundColor"
    assert ada.page.evaluate(ground) == "rgb(246, 241, 228)"
    ada.presses("Dark theme")
    assert ada.page.evaluate(ground) == "rgb(18, 23, 31)"
    ada.page.reload(wait_until="commit")
    ada.page.wait_for_selector("body", state="attached")
    assert ada.page.evaluate(ground) == "rgb(18, 23, 31)"  # before the first paint
    ada.is_asked()
    assert ada.context.cookies() == []
    kept = ada.page.evaluate("Object.keys(localStorage)")
    known = ("name", "games", "theme", "sound", "lessons")
    assert set(kept) <= {f"strongroom.{each}" for each in known}
    assert ada.page.evaluate("sessionStorage.length") == 0
    token = ada.page.url.rpartition("/")[2]
    assert ada.requests
    assert not [each.url for each in ada.requests if token in each.url.partition("#")[0]]
    ada.presses("Light theme")
    assert ada.page.evaluate(ground) == "rgb(246, 241, 228)"


# --- on a phone's home screen and in a link preview ---


def size(picture: bytes) -> tuple[int, int]:
    """The width and height of a PNG."""
    assert picture.startswith(b"\x89PNG\r\n\x1a\n")
    wide, high = struct.unpack(">II", picture[16:24])
    return wide, high


def preview_of(page: str) -> str:
    """The address of the picture in link previews."""
    (address,) = re.findall(r'property="og:image" content="([^"]+)"', page)
    return str(address)


def test_the_manifest_has_all_that_a_phone_needs_to_install_the_page(
    house: House, ada: Person
) -> None:
    (path,) = re.findall(r'rel="manifest" href="([^"]+)"', house.asked("/"))
    address, manifest = urljoin(house.address, path), house.asked(path)
    assert fetched(address)[1]["Content-Type"] == "application/manifest+json"
    assert manifest["name"] == manifest["short_name"] == "strongroom"
    assert manifest["start_url"] == manifest["scope"] == manifest["id"] == "/"
    assert manifest["display"] == "standalone"
    assert {"any", "maskable"} == {icon["purpose"] for icon in manifest["icons"]}
    assert {"any", "192x192", "512x512"} == {icon["sizes"] for icon in manifest["icons"]}
    assert 'name="theme-color"' in house.asked("/")
    for icon in manifest["icons"]:
        data, headers = fetched(urljoin(address, icon["src"]))
        assert headers["Content-Type"] == icon["type"]
        if icon["type"] == "image/png":
            assert "{}x{}".format(*size(data)) == icon["sizes"]
    expect(ada.page.locator("#lobby h1")).to_be_visible()
    told = ada.context.new_cdp_session(ada.page).send("Page.getAppManifest")
    assert told["errors"] == []
    assert json.loads(told["data"])["display"] == "standalone"


def test_an_apple_phone_and_a_link_preview_find_their_pictures_at_the_host_that_was_asked(
    house: House,
) -> None:
    page = house.asked("/")
    (path,) = re.findall(r'rel="apple-touch-icon" href="([^"]+)"', page)
    preview = preview_of(page)
    assert preview.startswith(house.address)  # others can open it
    for address, due in ((urljoin(house.address, path), (180, 180)), (preview, (1200, 630))):
        data, headers = fetched(address)
        assert size(data) == due
        assert headers["Content-Type"] == "image/png"
        assert headers["Cache-Control"] == FOR_EVER
    for host in ("duels.example", "duels.example:8443"):
        page, _ = fetched(house.address, Host=host)
        assert urlsplit(preview_of(page.decode())).netloc == host
        assert page != fetched(house.address)[0]
    page, _ = fetched(house.address, Host='x"><script src="y')  # it stays inside its attribute
    assert '<script src="y' not in page.decode()
