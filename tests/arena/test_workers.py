"""Worker processes: what ends them, and what their caller hears of it."""

from __future__ import annotations

import pytest

from strongroom.arena.workers import Workers


def test_an_interruption_that_breaks_a_lock_of_the_pool_is_still_an_interruption() -> None:
    def break_a_lock() -> None:
        try:
            raise KeyboardInterrupt
        finally:
            raise RuntimeError("release unlocked lock")

    with pytest.raises(KeyboardInterrupt), Workers(1):
        break_a_lock()
