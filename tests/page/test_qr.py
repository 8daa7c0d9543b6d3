"""QR codes are those that an independent encoder makes, and are drawn as they are."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby, product
from random import Random
from typing import Any

import pytest
import qrcode  # type: ignore[import-untyped]
from playwright.sync_api import Browser, Error, Page
from qrcode.util import MODE_8BIT_BYTE, QRData  # type: ignore[import-untyped]

from tests.page.modules import FOLDER, opened_modules

MOST = [14, 26, 42, 62, 84, 106, 122, 152, 180, 213]
"""How many bytes fit into each version at level M, from version 1 on."""


@pytest.fixture(scope="module")
def page(browser: Browser) -> Iterator[Page]:
    with opened_modules(browser) as page:
        yield page


def encoded(page: Page, *texts: str) -> list[dict[str, Any]]:
    """What the page makes of these texts."""
    found: list[dict[str, Any]] = page.evaluate(
        "async (texts) => texts.map((await import('/qr.js')).matrix)", texts
    )
    return found


def independent(text: str, version: int, mask: int) -> list[list[bool]]:
    """The same code by somebody else's program."""
    code = qrcode.QRCode(
        version=version,
        error_correction=qrcode.constants.ERROR_CORRECT_M,
        border=0,
        mask_pattern=mask,
    )
    code.add_data(QRData(text.encode(), MODE_8BIT_BYTE), optimize=0)
    code.make(fit=False)
    return [[bool(module) for module in row] for row in code.get_matrix()]


def test_the_module_is_small() -> None:
    assert (FOLDER / "qr.js").stat().st_size <= 7_000


def test_every_version_is_made_as_an_independent_encoder_makes_it(page: Page) -> None:
    random = Random(6)
    texts = [random.randbytes(213).hex()[:length] for most in MOST for length in (most, most - 9)]
    texts += [f"https://a.example/#join/{random.randbytes(16).hex()}/{n}" for n in range(40)]
    texts += ["", "é→ϕ", "#" * 100]
    codes = encoded(page, *texts)
    assert {code["version"] for code in codes} == {*range(1, 11)}
    for text, code in zip(texts, codes, strict=True):
        assert code["modules"] == independent(text, code["version"], code["mask"]), text


def test_a_text_gets_the_smallest_version_that_holds_it(page: Page) -> None:
    texts = ["a" * (most + more) for most in MOST for more in (0, 1)][:-1]
    versions = [code["version"] for code in encoded(page, *texts)]
    assert versions == [1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 9, 10, 10]


def test_a_text_that_is_too_long_is_an_error(page: Page) -> None:
    with pytest.raises(Error, match="too long for a QR code"):
        encoded(page, "a" * 214)


def penalty(modules: list[list[bool]]) -> int:
    """How hard a code is to read, by the standard's four rules."""
    size, points = len(modules), 0
    for line in [*modules, *map(list, zip(*modules, strict=True))]:
        runs = [len(list(same)) for _, same in groupby(line)]
        points += sum(run - 2 for run in runs if run >= 5)
        text = "".join("#" if module else "." for module in line)
        for finder in ("#.###.#....", "....#.###.#"):
            points += 40 * sum(text.startswith(finder, at) for at in range(size))
    for y, x in product(range(size - 1), repeat=2):
        block = {modules[y][x], modules[y][x + 1], modules[y + 1][x], modules[y + 1][x + 1]}
        points += 3 * (len(block) == 1)
    dark = sum(map(sum, modules))
    return points + 10 * (abs(20 * dark - 10 * size**2) // size**2)


def test_the_mask_is_the_one_that_is_easiest_to_read(page: Page) -> None:
    random = Random(2)
    texts = [random.randbytes(length).hex() for length in (3, 10, 16, 20, 30, 40)]
    for text, code in zip(texts, encoded(page, *texts), strict=True):
        points = [penalty(independent(text, code["version"], mask)) for mask in range(8)]
        assert code["mask"] == points.index(min(points))


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
    shown = [[light < 128 for light in row] for row in pixels]
    quiet = [[False] * len(shown)] * 4
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
