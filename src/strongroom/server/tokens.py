"""Tokens: 128 bits that a client makes, and that the server knows by their digests alone."""

from __future__ import annotations

import hashlib
import re
import secrets
from typing import Any, Final

FORM: Final = re.compile("[0-9a-f]{32}")


def is_token(text: Any) -> bool:
    """Whether something has the form of a token, a game's id, a request's id or a client's seed."""
    return isinstance(text, str) and FORM.fullmatch(text) is not None


def fresh() -> str:
    """A new one.

    >>> is_token(fresh())
    True
    """
    return secrets.token_hex(16)


def digest(token: str) -> str:
    """What is kept of a token. It has 128 random bits, so that nothing slower is needed."""
    return hashlib.sha256(token.encode()).hexdigest()
