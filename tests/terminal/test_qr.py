"""QR codes on a terminal match an independent encoder's."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import pytest
from qrcode.util import QRData  # type: ignore[import-untyped]

from strongroom.contract import Refusal
from strongroom.terminal import qr
from tests.independent_qr import Terminated, independent

if TYPE_CHECKING:
    from tests.terminal.conftest import Strongroom

FORMATS = [
    *("111011111000100", "111001011110011", "111110110101010", "111100010011101"),
    *("110011000101111", "110001100011000", "110110001000001", "110100101110110"),
]
"""The published format strings of level L, by mask."""
MOST = [17, 32, 53, 78, 106, 134, 154, 192, 230, 271]
"""The capacity of each version at level L in bytes, from version 1 on."""
SIGNS = {" ": (0, 0), "▀": (1, 0), "▄": (0, 1), "█": (1, 1)}


def read(text: str) -> list[list[int]]:
    """The modules that are drawn for a text, with the quiet zone."""
    lines = qr.drawn(text).splitlines()
    inner = [line.removeprefix("\x1b[30;107m").removesuffix("\x1b[0m") for line in lines]
    pairs = [[SIGNS[sign] for sign in line] for line in inner]
    return [[pair[half] for pair in line] for line in pairs for half in (0, 1)]


def made(text: str, version: int, mask: int) -> list[list[list[int]]]:
    """The symbols of an independent encoder; in ours a zero byte may follow the text."""
    is_full = len(text.encode()) == MOST[version - 1]
    kinds = (QRData,) if is_full else (QRData, Terminated)
    return [independent(text, version, mask, kind) for kind in kinds]


@pytest.mark.parametrize("length", [0, 1, 91, *MOST, *(most + 1 for most in MOST[:-1])])
def test_every_drawn_module_matches_an_independent_encoder(length: int) -> None:
    text = (bytes(range(33, 127)).decode() * 3)[:length]
    version = 1 + sum(length > most for most in MOST)
    rows = read(text)
    quiet = [[0] * (17 + 4 * version + 2 * qr.QUIET)] * (qr.QUIET + 1)
    assert [*rows[: qr.QUIET], *rows[-1 - qr.QUIET :]] == [*quiet[1:], *quiet]
    assert not any(any(row[: qr.QUIET] + row[-qr.QUIET :]) for row in rows)
    symbol = [row[qr.QUIET : -qr.QUIET] for row in rows[qr.QUIET : -1 - qr.QUIET]]
    places = [(8, x) for x in (0, 1, 2, 3, 4, 5, 7, 8)] + [(y, 8) for y in (7, 5, 4, 3, 2, 1, 0)]
    mask = FORMATS.index("".join(str(symbol[y][x]) for y, x in places))
    assert symbol in made(text, version, mask)


def test_other_letters_are_drawn_as_utf_8_and_more_than_fits_is_refused() -> None:
    symbol = [row[qr.QUIET : -qr.QUIET] for row in read("é→ϕ")[qr.QUIET : -1 - qr.QUIET]]
    assert symbol in [code for mask in range(8) for code in made("é→ϕ", 1, mask)]
    with pytest.raises(Refusal, match="at most 271 bytes"):
        qr.drawn("#" * 272)


def test_without_segno_the_error_names_the_extra_before_a_game_is_created(
    strongroom: Strongroom, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "segno", None)
    ran = strongroom("host", "quantum-duel", "--server", "http://127.0.0.1:1", "--qr")
    assert ran.code == 2
    assert ran.err == (
        "strongroom: A QR code needs the extra network. "
        "Install it: pip install 'strongroom[network]'\n"
    )
