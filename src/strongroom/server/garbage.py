"""Cyclic garbage: collected rarely, because a collection stops everything else.

A full collection visits every game, and caused the longest delays of all. Nothing that is played,
stored or told leaves cycles. Closed sockets and failed requests may, so new objects are collected
after many of them; a full collection is rarer, and also runs once an hour.
"""

from __future__ import annotations

import gc
from itertools import count
from typing import Final

MANY: Final = 2000
"""How many possible sources of garbage trigger a collection; none leaves more than 24 kB."""
RARELY: Final = 16
"""One collection in this many is a full one, for what became garbage late."""
YOUNG: Final = 1
"""The oldest generation of objects that were made since the last collection."""

_things = count(1)


def expect_little() -> None:
    """Disable automatic collections; only this module collects."""
    gc.freeze()  # imported modules stay
    gc.disable()


def may_be_left() -> None:
    """Note the end of something that may have left garbage: a socket, a failed request."""
    times, rest = divmod(next(_things), MANY)
    if rest == 0 and times % RARELY:
        gc.collect(YOUNG)
    elif rest == 0:
        clear_away()


def clear_away() -> None:
    """Run a full collection now."""
    gc.collect()
