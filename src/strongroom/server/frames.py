"""Frames of a WebSocket, as bytes."""

from __future__ import annotations

from typing import Final

TEXT: Final = 0x81
"""How a frame begins that is a whole text."""
SHORT, MEDIUM, LONG = 125, 126, 127
"""Lengths up to the first stand in a frame's second byte; the others say where they stand."""
MASKED: Final = 0x80
"""What a client's frame has in its second byte besides."""


def short_text(data: bytes) -> str | None:
    """The text in bytes from a client that are one whole frame with a short one; else nothing.

    >>> short_text(bytes.fromhex("818261626364" "0908"))
    'hj'
    >>> short_text(bytes.fromhex("818261626364" "09")) is None
    True
    """
    length = len(data) - 6
    if not 0 < length <= SHORT or data[0] != TEXT or data[1] != MASKED | length:
        return None
    mask = (data[2:6] * (SHORT // 4 + 1))[:length]
    plain = int.from_bytes(data[6:], "big") ^ int.from_bytes(mask, "big")
    try:
        return plain.to_bytes(length, "big").decode()
    except UnicodeDecodeError:
        return None


def weight(length: int) -> int:
    """How many bytes a client's frame with so many of data has at least."""
    return 6 + length + (0 if length <= SHORT else 2 if length < 1 << 16 else 8)


def framed(text: bytes) -> bytes:
    """A text as a whole frame from a server.

    >>> framed(b"ok"), framed(b"." * 300)[:4]
    (b'\\x81\\x02ok', b'\\x81~\\x01,')
    """
    length = len(text)
    if length <= SHORT:
        return bytes((TEXT, length)) + text
    if length < 1 << 16:
        return bytes((TEXT, MEDIUM)) + length.to_bytes(2, "big") + text
    return bytes((TEXT, LONG)) + length.to_bytes(8, "big") + text
