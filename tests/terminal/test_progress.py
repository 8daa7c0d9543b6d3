"""Progress bars show how far the work is, and never claim more than is known."""

from __future__ import annotations

import io

import pytest
from rich.console import Console

from strongroom.terminal.progress import QUIET, Bars


class Watched(Bars):
    """Bars with a clock that the test moves."""

    def __init__(self) -> None:
        super().__init__()
        self.now = 0.0
        self.get_time = lambda: self.now

    @property
    def shown(self) -> str:
        out = io.StringIO()
        Console(file=out, width=100).print(self.get_renderable())
        return out.getvalue().rstrip()


@pytest.fixture
def bars() -> Watched:
    return Watched()


def test_work_that_has_not_begun_is_shown_as_waiting(bars: Watched) -> None:
    bars.wait_for("safe-code")
    assert bars.shown.startswith("safe-code")
    assert bars.shown.endswith("waiting")


def test_a_bar_shows_the_share_the_elapsed_time_and_the_estimate(bars: Watched) -> None:
    work = bars.wait_for("safe-code")
    bars.hear(work, 0.0, "counting")
    assert bars.shown.endswith("0% 0:00 counting")
    bars.now = 30
    bars.hear(work, 0.25, "proving")
    assert bars.shown.endswith("25% 0:30, about 1:30 left proving")
    bars.now = 32
    assert bars.shown.endswith("25% 0:32, about 1:28 left proving")


def test_without_news_a_bar_claims_no_share_and_counts_the_time(bars: Watched) -> None:
    work = bars.wait_for("safe-code")
    bars.hear(work, 0.0)
    bars.now = 10
    bars.hear(work, 0.5, "proving")
    bars.now += QUIET + 1
    assert "%" not in bars.shown
    assert bars.shown.endswith("0:15, about 0:05 left proving")
    bars.now += 60
    assert bars.shown.endswith("1:15 proving")


def test_a_bar_goes_back_when_there_is_more_to_do_and_ends_full(bars: Watched) -> None:
    work = bars.wait_for("safe-code")
    bars.hear(work, 0.99)
    bars.hear(work, 0.55)
    assert "55%" in bars.shown
    bars.now = 61
    bars.hear(work, 1.0, "done")
    bars.now += 1000
    assert bars.shown.endswith("100% 1:01 done")
