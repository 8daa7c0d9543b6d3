"""Tokens: 128 bits as 32 hexadecimal digits, which nobody can guess.

Ids, nonces and seeds have the same form. A server knows the tokens of seats by their digests alone.
"""

from __future__ import annotations

import hashlib
import re
import secrets
from typing import Any, Final

FORM: Final = "[0-9a-f]{32}"
"""How one is written."""
_fits = re.compile(FORM).fullmatch


def is_token(text: Any) -> bool:
    """Whether something has the form of a token."""
    return isinstance(text, str) and _fits(text) is not None


def fresh() -> str:
    """A new one.

    >>> is_token(fresh())
    True
    """
    return secrets.token_hex(16)


def digest(token: str) -> str:
    """What is kept of a token. It has 128 random bits, so that nothing slower is needed."""
    return hashlib.sha256(token.encode()).hexdigest()
