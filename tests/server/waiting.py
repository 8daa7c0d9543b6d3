"""Waiting for conditions, in blocking tests and in coroutines."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable

from starting import PATIENCE


def wait_until(holds: Callable[[], bool], state: Callable[[], str] = str) -> None:
    """Block until a condition holds; `state` describes the situation if it never does."""
    end = time.monotonic() + PATIENCE
    while not holds():
        assert time.monotonic() < end, f"the condition never held: {state()}"
        time.sleep(0.02)


async def until(holds: Callable[[], bool]) -> None:
    """Let the event loop run until a condition holds."""
    async with asyncio.timeout(PATIENCE):
        while not holds():
            await asyncio.sleep(0.01)
