"""A link as a QR code for a terminal: lowest error correction, two rows of modules per line."""

from __future__ import annotations

from typing import Final

import segno

from strongroom.contract import Refusal

QUIET: Final = 2
"""The width of the quiet zone in modules; a wider one would not fit a terminal of 24 rows."""
MOST: Final = 271
"""The most bytes: the capacity of version 10, because larger symbols outgrow a terminal."""


def drawn(text: str) -> str:
    """A text as a QR code, dark on light whatever the terminal's colours."""
    data = text.encode()
    if len(data) > MOST:
        raise Refusal(f"A QR code here has at most {MOST} bytes.")
    symbol = segno.make_qr(data, error="l", mode="byte", boost_error=False)
    rows = [bytes(row) for row in symbol.matrix_iter(border=QUIET)]
    rows.append(bytes(len(rows)))  # symbols have an odd number of rows
    signs = {(0, 0): " ", (1, 0): "▀", (0, 1): "▄", (1, 1): "█"}
    lines = (
        "".join(signs[pair] for pair in zip(*rows[at : at + 2], strict=True))
        for at in range(0, len(rows), 2)
    )
    return "\n".join(f"\x1b[30;107m{line}\x1b[0m" for line in lines)
