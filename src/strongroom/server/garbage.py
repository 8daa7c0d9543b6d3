"""Garbage in circles: looked for rarely, because everything stands still for as long.

A search looks at every game there is; it was the longest of all that anybody waited for. Nothing
that is played, stored or told leaves any. What fails may, so the search comes after much of that,
among what is new; among everything it comes rarely, and once an hour.
"""

from __future__ import annotations

import gc
from itertools import count
from typing import Final

MANY: Final = 2000
"""After so many things that may have left some it is looked for; none leaves more than 24 kB."""
RARELY: Final = 16
"""Every so many times everything is searched, for what was not garbage yet when it was new."""
YOUNG: Final = 1
"""The generations of objects that were made since the last search."""

_things = count(1)


def expect_little() -> None:
    """Look for none but here."""
    gc.freeze()  # what was imported stays
    gc.disable()


def may_be_left() -> None:
    """Note that something is over that may have left some: a socket, a request that failed."""
    times, rest = divmod(next(_things), MANY)
    if rest == 0 and times % RARELY:
        gc.collect(YOUNG)
    elif rest == 0:
        clear_away()


def clear_away() -> None:
    """Look for it now."""
    gc.collect()
