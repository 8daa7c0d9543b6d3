"""The page on a phone's home screen and in a link preview: the manifest and the pictures."""

from __future__ import annotations

import json
import re
import struct
import urllib.request
from typing import Any
from urllib.parse import urljoin, urlsplit

import pytest
from playwright.sync_api import expect

from strongroom.server.files import FOR_EVER
from tests.page.conftest import SitsDown
from tests.page.house import House
from tests.page.test_the_page_itself import MOST_PICTURE, PICTURES

MAGIC = b"\x89PNG\r\n\x1a\n"


def fetched(address: str, host: str = "") -> tuple[bytes, Any]:
    """What an address answers, and its headers; `host` is the name under which it is asked for."""
    headers = {"Host": host} if host else {}
    with urllib.request.urlopen(urllib.request.Request(address, headers=headers)) as answer:
        return answer.read(), answer.headers


def size(picture: bytes) -> tuple[int, int]:
    """The width and height of a PNG."""
    assert picture.startswith(MAGIC)
    wide, high = struct.unpack(">II", picture[16:24])
    return wide, high


def manifest_of(house: House) -> tuple[str, Any]:
    """The manifest's address, and what it says."""
    (path,) = re.findall(r'rel="manifest" href="([^"]+)"', house.asked("/"))
    return urljoin(house.address, path), house.asked(path)


def preview_of(page: str) -> str:
    """The address of the picture in link previews."""
    (address,) = re.findall(r'property="og:image" content="([^"]+)"', page)
    return str(address)


def test_the_manifest_has_all_that_a_phone_needs_to_install_the_page(house: House) -> None:
    address, manifest = manifest_of(house)
    assert fetched(address)[1]["Content-Type"] == "application/manifest+json"
    assert manifest["name"] == manifest["short_name"] == "strongroom"
    assert manifest["start_url"] == manifest["scope"] == manifest["id"] == "/"
    assert manifest["display"] == "standalone"
    assert {"any", "maskable"} == {icon["purpose"] for icon in manifest["icons"]}
    assert {"any", "192x192", "512x512"} == {icon["sizes"] for icon in manifest["icons"]}
    assert 'name="theme-color"' in house.asked("/")


def test_each_icon_of_the_manifest_is_what_it_says(house: House) -> None:
    address, manifest = manifest_of(house)
    for icon in manifest["icons"]:
        data, headers = fetched(urljoin(address, icon["src"]))
        assert headers["Content-Type"] == icon["type"]
        if icon["type"] == "image/png":
            assert "{}x{}".format(*size(data)) == icon["sizes"]


def test_an_apple_phone_finds_its_icon(house: House) -> None:
    (path,) = re.findall(r'rel="apple-touch-icon" href="([^"]+)"', house.asked("/"))
    data, headers = fetched(urljoin(house.address, path))
    assert size(data) == (180, 180)
    assert headers["Content-Type"] == "image/png"
    assert headers["Cache-Control"] == FOR_EVER


def test_the_picture_of_a_link_preview_has_an_address_that_others_can_open(house: House) -> None:
    address = preview_of(house.asked("/"))
    assert address.startswith(house.address)
    data, headers = fetched(address)
    assert size(data) == (1200, 630)
    assert headers["Content-Type"] == "image/png"
    assert headers["Cache-Control"] == FOR_EVER


@pytest.mark.parametrize("host", ["duels.example", "duels.example:8443"])
def test_that_address_is_the_one_under_which_the_page_was_asked_for(
    house: House, host: str
) -> None:
    page, _ = fetched(house.address, host)
    again, _ = fetched(house.address)
    assert urlsplit(preview_of(page.decode())).netloc == host
    assert page != again


def test_a_malicious_host_name_stays_inside_its_attribute(house: House) -> None:
    page, _ = fetched(house.address, 'x"><script src="y')
    assert '<script src="y' not in page.decode()


@pytest.mark.parametrize("picture", PICTURES, ids=lambda file: file.name)
def test_every_picture_is_small(picture: Any) -> None:
    assert picture.stat().st_size < MOST_PICTURE


def test_the_browser_itself_finds_no_fault_with_the_manifest(
    house: House, sits_down: SitsDown
) -> None:
    ada = sits_down().opens(house.address)
    expect(ada.page.locator("#lobby h1")).to_be_visible()
    told = ada.context.new_cdp_session(ada.page).send("Page.getAppManifest")
    assert told["errors"] == []
    assert json.loads(told["data"])["display"] == "standalone"
