"""Bars for those who wait: how far each work is, how long it has taken, what is probably left."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from types import TracebackType
from typing import Final

from rich.console import Console, RenderableType
from rich.constrain import Constrain
from rich.progress import BarColumn, Progress, ProgressColumn, Task, TaskID, TextColumn
from rich.progress_bar import ProgressBar
from rich.table import Column
from rich.text import Text

from strongroom.workers import uninterrupted

QUIET: Final = 4.0
"""After so many seconds without news a bar pulses: something goes on, and nobody knows how far."""
TOO_EARLY: Final = 0.02
"""Before this part is done, nobody guesses how long the rest takes."""


class Bars(Progress):
    """A bar for each work, on standard error if that is a terminal."""

    def __init__(self) -> None:
        console = self._screen = Console(stderr=True)
        super().__init__(
            TextColumn("{task.description}", table_column=Column(no_wrap=True)),
            _Bar(20 if console.width >= 80 else 8),
            _Share(Column(no_wrap=True)),
            _Clock(Column(no_wrap=True)),
            # What is being done gets the room that is left.
            TextColumn("{task.fields[words]}", table_column=Column(ratio=1, no_wrap=True)),
            console=console,
            disable=not sys.stderr.isatty(),
            expand=True,
        )

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Leave the bars as they are in the end, and none where Ctrl-C was the end."""
        self.live.transient = kind is KeyboardInterrupt
        with uninterrupted():
            super().__exit__(kind, error, trace)

    def refresh(self) -> None:
        """Draw the bars, all or none: half of them could not be cleared any more."""
        with uninterrupted():
            super().refresh()

    def get_renderables(self) -> Iterator[RenderableType]:
        """The bars, a bit narrower than the screen: the terminal's own ^C has room behind them."""
        for bars in super().get_renderables():
            yield Constrain(bars, max(1, self._screen.width - len("^C") - 1))

    def wait_for(self, name: str) -> TaskID:
        """A bar for a work that has not begun."""
        return self.add_task(name, start=False, total=1.0, words="", heard=0.0, left=None)

    def hear(self, work: TaskID, done: float, words: str = "") -> None:
        """Show how far a work is, from 0 to 1, and what is being done."""
        task = self._tasks[work]
        if not task.started:
            self.start_task(work)
        elapsed = task.elapsed or 0.0
        left = elapsed * (1 - done) / done if done > TOO_EARLY else None
        self.update(work, completed=done, words=words, heard=task.get_time(), left=left)


def _silence(task: Task) -> float:
    """For how many seconds nothing has been heard of a work."""
    return float(task.get_time() - task.fields["heard"])


def _is_quiet(task: Task) -> bool:
    return task.started and not task.finished and _silence(task) > QUIET


class _Bar(BarColumn):
    """A bar that pulses while nothing is heard."""

    def render(self, task: Task) -> ProgressBar:
        bar = super().render(task)
        bar.pulse = bar.pulse or _is_quiet(task)
        return bar


class _Share(ProgressColumn):
    """How much is done, as far as it is known."""

    def render(self, task: Task) -> Text:
        return Text("" if _is_quiet(task) or not task.started else f"{int(task.percentage)}%")


class _Clock(ProgressColumn):
    """How long it has taken, and about how long it will."""

    def render(self, task: Task) -> Text:
        if not task.started:
            return Text("waiting")
        text = _minutes(task.finished_time if task.finished else task.elapsed)
        left = task.fields["left"]
        if left is not None and not task.finished and left > _silence(task):
            text += f", about {_minutes(left - _silence(task))} left"
        return Text(text)


def _minutes(seconds: float | None) -> str:
    minutes, rest = divmod(round(seconds or 0), 60)
    return f"{minutes}:{rest:02}"
