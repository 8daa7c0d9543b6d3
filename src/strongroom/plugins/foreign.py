"""Third-party code: the exceptions that count as its own failure, and the one that never does."""

from __future__ import annotations

FAILURES = (Exception, SystemExit, GeneratorExit)
"""All that foreign code raises by itself; Ctrl-C and signals come from outside."""


class Stops(BaseException):
    """Raised by a player who cannot go on through no fault of its play: the whole run stops.

    The match stays unfinished, so that it can be played again. The message says what to do.
    """


class Explained(Exception):
    """A failure whose message says enough for anybody, without its type."""


def told(failure: BaseException) -> str:
    """A failure's type and message, or only its type if the message cannot be formatted.

    >>> told(ValueError("no chair"))
    'ValueError: no chair'
    >>> told(Explained("there is no chair"))
    'there is no chair'
    """
    if isinstance(failure, Explained):
        return str(failure)
    name = type(failure).__name__
    try:
        return f"{name}: {failure}"
    except FAILURES:
        return name
