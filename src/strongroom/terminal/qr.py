"""A link as a QR code for a terminal: bytes, with the least correction, in two rows a line.

Written by the standard, ISO/IEC 18004; the names are the ones it uses.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import groupby, pairwise
from typing import Final

from strongroom.contract import Refusal

Modules = list[list[bool]]
"""The dark modules of a symbol."""

QUIET: Final = 2
"""How many light modules stand around a symbol; more would not fit a terminal of 24 rows."""
BLOCKS: Final = {
    1: (7, ((1, 19),)),
    2: (10, ((1, 34),)),
    3: (15, ((1, 55),)),
    4: (20, ((1, 80),)),
    5: (26, ((1, 108),)),
    6: (18, ((2, 68),)),
    7: (20, ((2, 78),)),
    8: (24, ((2, 97),)),
    9: (30, ((2, 116),)),
    10: (18, ((2, 68), (2, 69))),
}
"""For each version at level L the error correction codewords a block, and blocks by their data."""
ALIGNED: Final = {
    1: (),
    2: (6, 18),
    3: (6, 22),
    4: (6, 26),
    5: (6, 30),
    6: (6, 34),
    7: (6, 22, 38),
    8: (6, 24, 42),
    9: (6, 26, 46),
    10: (6, 28, 50),
}
"""Where the alignment patterns of a version stand."""


def drawn(text: str) -> str:
    """A text as a QR code, dark on light whatever the terminal's colours are."""
    symbol = modules(text.encode())
    size = len(symbol) + 2 * QUIET
    rows = [[False] * size for _ in range(QUIET)]
    rows += [[False] * QUIET + row + [False] * QUIET for row in symbol]
    rows += [[False] * size for _ in range(QUIET + size % 2)]
    signs = {(False, False): " ", (True, False): "▀", (False, True): "▄", (True, True): "█"}
    lines = (
        "".join(signs[pair] for pair in zip(*rows[at : at + 2], strict=True))
        for at in range(0, len(rows) - 1, 2)
    )
    return "\n".join(f"\x1b[30;107m{line}\x1b[0m" for line in lines)


def modules(data: bytes) -> Modules:
    """The symbol of some bytes, in the mask that is easiest to read."""
    version = next((each for each in BLOCKS if len(data) <= _room(each)), None)
    if version is None:
        raise Refusal(f"A QR code here has at most {_room(10)} bytes.")
    codewords = interleaved(version, _codewords(version, data))
    symbols = [_symbol(version, codewords, mask) for mask in range(8)]
    return min(symbols, key=_penalty)


def _room(version: int) -> int:
    data = sum(count * size for count, size in BLOCKS[version][1])
    return data - (2 if version < 10 else 3)


def _codewords(version: int, data: bytes) -> bytes:
    bits = f"0100{len(data):0{8 if version < 10 else 16}b}"
    bits += "".join(f"{byte:08b}" for byte in data) + "0000"
    bits += "0" * (-len(bits) % 8)
    made = bytes(int(bits[at : at + 8], 2) for at in range(0, len(bits), 8))
    size = sum(count * each for count, each in BLOCKS[version][1])
    return (made + b"\xec\x11" * size)[:size]


# --- error correction -----------------------------------------------------------------------------


def _times(one: int, two: int) -> int:
    """The product of two bytes in the field that the standard reckons in."""
    product = 0
    while two:
        product ^= one * (two & 1)
        one = one << 1 ^ (0x11D if one & 0x80 else 0)
        two >>= 1
    return product


def correction(data: bytes, count: int) -> bytes:
    """The error correction codewords of a block.

    >>> hello_world = bytes.fromhex("205b0b78d172dc4d4340ec11ec11ec11")
    >>> list(correction(hello_world, 10))
    [196, 35, 39, 119, 235, 215, 231, 226, 93, 23]
    """
    generator, root = [1], 1
    for _ in range(count):
        generator = [
            one ^ _times(two, root)
            for one, two in zip([*generator, 0], [0, *generator], strict=True)
        ]
        root = _times(root, 2)
    rest = [*data, *[0] * count]
    for at in range(len(data)):
        factor = rest[at]
        for step, each in enumerate(generator):
            rest[at + step] ^= _times(each, factor)
    return bytes(rest[len(data) :])


def interleaved(version: int, data: bytes) -> bytes:
    """The codewords of all blocks in the order in which they are placed."""
    count, kinds = BLOCKS[version]
    blocks = []
    for many, size in kinds:
        for _ in range(many):
            blocks.append(data[:size])
            data = data[size:]
    checks = [correction(block, count) for block in blocks]
    longest = max(map(len, blocks))
    placed = [block[at] for at in range(longest) for block in blocks if at < len(block)]
    return bytes([*placed, *(check[at] for at in range(count) for check in checks)])


# --- the symbol -----------------------------------------------------------------------------------

MASKS: Final[tuple[Callable[[int, int], bool], ...]] = (
    lambda y, x: (y + x) % 2 == 0,
    lambda y, x: y % 2 == 0,
    lambda y, x: x % 3 == 0,
    lambda y, x: (y + x) % 3 == 0,
    lambda y, x: (y // 2 + x // 3) % 2 == 0,
    lambda y, x: y * x % 2 + y * x % 3 == 0,
    lambda y, x: (y * x % 2 + y * x % 3) % 2 == 0,
    lambda y, x: ((y + x) % 2 + y * x % 3) % 2 == 0,
)


def _symbol(version: int, codewords: bytes, mask: int) -> Modules:
    fixed = _patterns(version)
    fixed.update(_format(version, mask))
    size = 17 + 4 * version
    bits = (byte >> shift & 1 for byte in codewords for shift in range(7, -1, -1))
    symbol = [[fixed.get((y, x), False) for x in range(size)] for y in range(size)]
    upwards = True
    for right in (*range(size - 1, 6, -2), *range(5, 0, -2)):
        for y in range(size - 1, -1, -1) if upwards else range(size):
            for x in (right, right - 1):
                if (y, x) not in fixed:
                    symbol[y][x] = bool(next(bits, 0)) ^ MASKS[mask](y, x)
        upwards = not upwards
    return symbol


def _patterns(version: int) -> dict[tuple[int, int], bool]:
    """The modules that are the same whatever is written."""
    size = 17 + 4 * version
    fixed = {}
    for at in range(size):
        fixed[6, at] = fixed[at, 6] = at % 2 == 0
    centres = ALIGNED[version]
    corners = {(6, 6), (6, size - 7), (size - 7, 6)}
    for y, x in ((y, x) for y in centres for x in centres if (y, x) not in corners):
        for down in range(-2, 3):
            for across in range(-2, 3):
                fixed[y + down, x + across] = max(abs(down), abs(across)) != 1
    for y, x in ((3, 3), (3, size - 4), (size - 4, 3)):
        for down in range(-4, 5):
            for across in range(-4, 5):
                if 0 <= y + down < size and 0 <= x + across < size:
                    fixed[y + down, x + across] = max(abs(down), abs(across)) not in (2, 4)
    if version >= 7:
        bits = version << 12 | _remainder(version << 12, 0x1F25)
        for at in range(18):
            y, x = at // 3, size - 11 + at % 3
            fixed[y, x] = fixed[x, y] = bool(bits >> at & 1)
    return fixed


def _format(version: int, mask: int) -> dict[tuple[int, int], bool]:
    """The modules that say which mask and which level, L, these are."""
    size = 17 + 4 * version
    bits = (0b01 << 13 | mask << 10 | _remainder(0b01 << 13 | mask << 10, 0x537)) ^ 0x5412
    one = [*((y, 8) for y in (0, 1, 2, 3, 4, 5, 7, 8)), (8, 7), *((8, x) for x in range(5, -1, -1))]
    two = [
        *((8, x) for x in range(size - 1, size - 9, -1)),
        *((y, 8) for y in range(size - 7, size)),
    ]
    fixed = {
        place: bool(bits >> at & 1) for places in (one, two) for at, place in enumerate(places)
    }
    fixed[size - 8, 8] = True
    return fixed


def _remainder(number: int, divisor: int) -> int:
    while (over := number.bit_length() - divisor.bit_length()) >= 0:
        number ^= divisor << over
    return number


def _penalty(symbol: Modules) -> int:
    """How hard to read a symbol is: long runs, blocks, what looks like a corner, and imbalance."""
    penalty = 0
    for line in (*symbol, *map(list, zip(*symbol, strict=True))):
        runs = [len(list(run)) for _, run in groupby(line)]
        penalty += sum(run - 2 for run in runs if run >= 5)
        text = "".join("1" if dark else "0" for dark in line)
        for corner in ("10111010000", "00001011101"):
            penalty += 40 * sum(text.startswith(corner, at) for at in range(len(text)))
    for above, below in pairwise(symbol):
        squares = zip(above, above[1:], below, below[1:], strict=False)
        penalty += 3 * sum(len(set(square)) == 1 for square in squares)
    dark = sum(map(sum, symbol)) * 100 // len(symbol) ** 2
    return penalty + 10 * (abs(dark - 50) // 5)
