"""Extras: libraries that only some of strongroom needs, each imported where it is used."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from strongroom.contract.refusal import Refusal


class MissingExtra(Refusal, ImportError):
    """Something needs a library that is not installed."""


@contextmanager
def extra(name: str, who: str = "This") -> Iterator[None]:
    """Around imports: if one fails, a refusal that names the extra to install.

    >>> with extra("cluster", "--cluster"):
    ...     import no_such_library
    Traceback (most recent call last):
    ...
    strongroom.plugins.extras.MissingExtra: --cluster needs the extra cluster. \
Install it: pip install 'strongroom[cluster]'
    """
    try:
        yield
    except ImportError as missing:
        if isinstance(missing, MissingExtra) or (missing.name or "").startswith("strongroom"):
            raise
        told = f"Install it: pip install 'strongroom[{name}]'"
        raise MissingExtra(f"{who} needs the extra {name}.", told) from None
