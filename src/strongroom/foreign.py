"""Code of other packages: what it may raise without being to blame for more than itself."""

from __future__ import annotations

FAILURES = (Exception, SystemExit, GeneratorExit)
"""All that foreign code raises by its own doing; Ctrl-C and signals come from outside."""


def told(failure: BaseException) -> str:
    """What a failure says of itself, if it can say anything.

    >>> told(ValueError("no chair"))
    'ValueError: no chair'
    """
    name = type(failure).__name__
    try:
        return f"{name}: {failure}"
    except FAILURES:
        return name
