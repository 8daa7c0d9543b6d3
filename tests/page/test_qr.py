"""QR codes of links match an independent encoder's, and are drawn faithfully."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from playwright.sync_api import Browser, Error, Page

from tests.independent_qr import independent
from tests.page.modules import FOLDER, opened_modules

MOST = {6: 134, 7: 154, 8: 192, 9: 230}
"""The capacity of each version at level L, in bytes."""


@pytest.fixture(scope="module")
def page(browser: Browser) -> Iterator[Page]:
    with opened_modules(browser) as page:
        yield page


def encoded(page: Page, *texts: str) -> list[dict[str, Any]]:
    """The codes that the page makes of these texts."""
    found: list[dict[str, Any]] = page.evaluate(
        "async (texts) => texts.map((await import('/qr.js')).matrix)", texts
    )
    return found


def test_the_module_is_small() -> None:
    assert (FOLDER / "qr.js").stat().st_size <= 4_400


def test_every_version_matches_an_independent_encoder(page: Page) -> None:
    random = Random(6)
    lengths = [most - less for most in MOST.values() for less in (0, 9)]
    texts = [random.randbytes(230).hex()[:length] for length in lengths]
    texts += [f"https://a.example/#join/{random.randbytes(16).hex()}/{n}" for n in range(40)]
    texts += ["", "é→ϕ", "#" * 100]
    codes = encoded(page, *texts)
    assert {code["version"] for code in codes} == set(MOST)
    for text, code in zip(texts, codes, strict=True):
        assert code["modules"] == independent(text, code["version"], mask=0), text


def test_a_text_gets_the_smallest_version_that_holds_it(page: Page) -> None:
    texts = ["a" * (most + more) for most in MOST.values() for more in (0, 1)][:-1]
    versions = [code["version"] for code in encoded(page, *texts)]
    assert versions == [6, 7, 7, 8, 8, 9, 9]


def test_a_text_that_is_too_long_is_an_error(page: Page) -> None:
    with pytest.raises(Error, match="too long for a QR code"):
        encoded(page, "a" * 231)


def test_the_drawing_shows_every_module_inside_a_quiet_zone(page: Page) -> None:
    text = "https://play.example.org/#join/0123456789abcdef0123456789abcdef/fedcba98"
    (code,) = encoded(page, text)
    pixels: list[list[int]] = page.evaluate(
        """async (text) => {
            const svg = (await import("/qr.js")).qr(text);
            const size = svg.viewBox.baseVal.width;
            svg.setAttribute("width", 4 * size);
            svg.setAttribute("height", 4 * size);
            const image = new Image();
            image.src = `data:image/svg+xml,${
                encodeURIComponent(new XMLSerializer().serializeToString(svg))}`;
            await image.decode();
            const canvas = new OffscreenCanvas(4 * size, 4 * size).getContext("2d");
            canvas.drawImage(image, 0, 0);
            const light = (x, y) => canvas.getImageData(4 * x + 2, 4 * y + 2, 1, 1).data[0];
            const each = [...Array(size).keys()];
            return each.map((y) => each.map((x) => light(x, y)));
        }""",
        text,
    )
    shown = [[int(light < 128) for light in row] for row in pixels]
    quiet = [[0] * len(shown)] * 4
    assert shown[:4] == shown[-4:] == quiet
    assert [row[4:-4] for row in shown[4:-4]] == code["modules"]
    assert not any(any(row[:4] + row[-4:]) for row in shown)
    assert {light for row in pixels for light in row} == {0x1D, 0xFF}


def test_the_drawing_has_a_name_and_no_inline_style(page: Page) -> None:
    script = """async (label) => {
        const svg = (await import("/qr.js")).qr("x", ...label);
        return [svg.getAttribute("role"), svg.getAttribute("aria-label"), svg.outerHTML];
    }"""
    role, name, markup = page.evaluate(script, [])
    assert (role, name) == ("img", "QR code of this link")
    assert "style=" not in markup
    assert page.evaluate(script, ["Invitation"])[1] == "Invitation"
