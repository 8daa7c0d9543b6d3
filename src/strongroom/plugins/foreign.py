"""Third-party code: the exceptions that count as its own failure."""

from __future__ import annotations

FAILURES = (Exception, SystemExit, GeneratorExit)
"""All that foreign code raises by itself; Ctrl-C and signals come from outside."""


def told(failure: BaseException) -> str:
    """A failure's type and message, or only its type if the message cannot be formatted.

    >>> told(ValueError("no chair"))
    'ValueError: no chair'
    """
    name = type(failure).__name__
    try:
        return f"{name}: {failure}"
    except FAILURES:
        return name
