"""QR codes: read back module by module, as a camera's program would."""

from __future__ import annotations

import pytest

from strongroom.contract import Refusal
from strongroom.terminal import qr

FORMATS = {
    "111011111000100": 0,
    "111001011110011": 1,
    "111110110101010": 2,
    "111100010011101": 3,
    "110011000101111": 4,
    "110001100011000": 5,
    "110110001000001": 6,
    "110100101110110": 7,
}
"""The published format strings of level L, and their masks."""


def read(symbol: qr.Modules) -> bytes:
    """What a symbol says, its error correction left aside."""
    size = len(symbol)
    version = (size - 17) // 4
    row = [(8, x) for x in (0, 1, 2, 3, 4, 5, 7, 8)] + [(y, 8) for y in (7, 5, 4, 3, 2, 1, 0)]
    mask = qr.MASKS[FORMATS["".join(str(int(symbol[y][x])) for y, x in row)]]
    fixed = qr._patterns(version) | qr._format(version, 0)
    bits = ""
    columns = [*range(size - 1, 6, -2), *range(5, 0, -2)]
    for number, right in enumerate(columns):
        rows = range(size) if number % 2 else range(size - 1, -1, -1)
        places = ((y, x) for y in rows for x in (right, right - 1))
        bits += "".join(
            str(int(symbol[y][x] ^ mask(y, x))) for y, x in places if (y, x) not in fixed
        )
    placed = bytes(int(bits[at : at + 8], 2) for at in range(0, len(bits) - 7, 8))
    _, kinds = qr.BLOCKS[version]
    sizes = [each for count, each in kinds for _ in range(count)]
    blocks: list[list[int]] = [[] for _ in sizes]
    codewords = iter(placed)
    for at in range(max(sizes)):
        for block, most in zip(blocks, sizes, strict=True):
            if at < most:
                block.append(next(codewords))
    text = "".join(f"{byte:08b}" for block in blocks for byte in block)
    wide = 8 if version < 10 else 16
    length = int(text[4 : 4 + wide], 2)
    body = text[4 + wide :]
    return bytes(int(body[8 * at : 8 * at + 8], 2) for at in range(length))


@pytest.mark.parametrize("length", [0, 1, 17, 18, 91, 106, 134, 154, 192, 230, 271])
def test_what_is_written_is_read_back(length: int) -> None:
    data = bytes(range(33, 127))[:length] * 1 + b"#" * max(0, length - 94)
    assert read(qr.modules(data)) == data


def test_more_than_fits_is_refused() -> None:
    with pytest.raises(Refusal, match="at most 271 bytes"):
        qr.modules(b"#" * 272)


def test_a_drawn_code_is_light_around_and_no_line_is_longer_than_another() -> None:
    lines = qr.drawn("x" * 91).splitlines()
    inner = [line.removeprefix("\x1b[30;107m").removesuffix("\x1b[0m") for line in lines]
    assert {len(line) for line in inner} == {37 + 2 * qr.QUIET}
    assert inner[0].strip() == ""
    assert inner[1].strip().startswith("█▀▀▀▀▀█")
