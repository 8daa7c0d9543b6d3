"""Fresh randomness that is the same in every run: what a test plays is never left to luck.

`secrets` and `random.SystemRandom` read the system's randomness through one function of the module
`random`, which is replaced here. A forked process gets a stream of its own.
"""

from __future__ import annotations

import os
import random
from collections.abc import Callable
from typing import Final

Source = Callable[[int], bytes]
"""Gives as many random bytes as it is asked for."""
SYSTEM: Final[Source] = random._urandom  # type: ignore[attr-defined]
"""Reads the system's randomness."""


class Stream:
    """Randomness with a name: the same name gives the same bytes."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._children = 0
        self._generator = random.Random(name)

    def __call__(self, size: int) -> bytes:
        """The next bytes."""
        return self._generator.randbytes(size)

    def child(self) -> str:
        """The name of a stream for one more process."""
        self._children += 1
        return f"{self._name}, process {self._children}"


def fix(name: str) -> None:
    """Draw fresh randomness from the stream with this name."""
    _use(Stream(name))


def free() -> None:
    """Draw fresh randomness from the system again."""
    _use(SYSTEM)


def for_a_program() -> str | None:
    """The name of a stream for a program that is about to be started; None where luck is free."""
    source = random._urandom  # type: ignore[attr-defined]
    return source.child() if isinstance(source, Stream) else None


def _ping_bits(count: int) -> int:
    """Random bits from the system, whatever is fixed here."""
    return int.from_bytes(os.urandom(-(-count // 8))) >> (-count % 8)


# A WebSocket left open by one test pings from a thread of its own: had its bytes come from Python's
# shared generator, they would change what the properties of another test draw.
random.getrandbits = _ping_bits


def _use(source: Source) -> None:
    random._urandom = source  # type: ignore[attr-defined]


_forked: str | None = None


def _before_fork() -> None:
    global _forked
    _forked = for_a_program()


def _after_fork() -> None:
    if _forked is not None:
        fix(_forked)


os.register_at_fork(before=_before_fork, after_in_child=_after_fork)
