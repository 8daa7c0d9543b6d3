"""WebSocket frames as bytes."""

from __future__ import annotations

from typing import Final

TEXT: Final = 0x81
"""The first byte of a frame that is a complete text."""
SHORT, MEDIUM, LONG = 125, 126, 127
"""Lengths up to the first fit in a frame's second byte; the others announce 2 or 8 more bytes."""
MASKED: Final = 0x80
"""The mask bit in the second byte of a client's frame."""


def short_text(data: bytes) -> str | None:
    """The text of a client's data if that is exactly one frame with a short text; else None.

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
    """The least size of a client's frame with a payload of this size, in bytes."""
    return 6 + length + (0 if length <= SHORT else 2 if length < 1 << 16 else 8)


def framed(text: bytes) -> bytes:
    """A text as one complete frame from a server.

    >>> framed(b"ok"), framed(b"." * 300)[:4]
    (b'\\x81\\x02ok', b'\\x81~\\x01,')
    """
    length = len(text)
    if length <= SHORT:
        return bytes((TEXT, length)) + text
    if length < 1 << 16:
        return bytes((TEXT, MEDIUM)) + length.to_bytes(2, "big") + text
    return bytes((TEXT, LONG)) + length.to_bytes(8, "big") + text
