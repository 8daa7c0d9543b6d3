"""Tokens: 128 random bits as 32 hexadecimal digits, which nobody can guess.

Ids, nonces and seeds have the same form. A server stores only the digests of the tokens of seats.
"""

from __future__ import annotations

import hashlib
import re
import secrets
from typing import Any, Final

FORM: Final = "[0-9a-f]{32}"
"""The form of a token, as a regular expression."""
_fits = re.compile(FORM).fullmatch


def is_token(text: Any) -> bool:
    """Whether something has the form of a token."""
    return isinstance(text, str) and _fits(text) is not None


def fresh() -> str:
    """A new token.

    >>> is_token(fresh())
    True
    """
    return secrets.token_hex(16)


def digest(token: str) -> str:
    """What is stored of a token; it has 128 random bits, so no slower hash is needed."""
    return hashlib.sha256(token.encode()).hexdigest()
