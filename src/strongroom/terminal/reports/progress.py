"""Progress bars: how far each task is, how long it has taken, and an estimate of the rest."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from typing import Any, Final, Self

from rich.console import Console, RenderableType
from rich.constrain import Constrain
from rich.progress import BarColumn, Progress, ProgressColumn, Task, TaskID, TextColumn
from rich.progress_bar import ProgressBar
from rich.table import Column
from rich.text import Text

from strongroom.contests import workers
from strongroom.contests.workers import defer_signals
from strongroom.contract import Game
from strongroom.terminal.exits import SIGNALS, Stopped, stoppable

QUIET: Final = 4.0
"""Seconds without an update before a bar pulses: the task runs, but its progress is unknown."""
TOO_EARLY: Final = 0.02
"""The time left is not estimated before this fraction is done."""


class Bars(Progress):
    """A bar for each task, on standard error if that is a terminal; a signal stops them tidily."""

    def __init__(self) -> None:
        console = self._screen = Console(stderr=True)
        super().__init__(
            TextColumn("{task.description}", table_column=Column(no_wrap=True)),
            _Bar(20 if console.width >= 80 else 8),
            _Share(Column(no_wrap=True)),
            _Time(Column(no_wrap=True)),
            # The current step gets the remaining width.
            TextColumn("{task.fields[words]}", table_column=Column(ratio=1, no_wrap=True)),
            console=console,
            disable=not sys.stderr.isatty(),
            expand=True,
        )
        self._stops = ExitStack()

    def __enter__(self) -> Self:
        self._stops.enter_context(stoppable())
        return super().__enter__()

    def __exit__(self, kind: type[BaseException] | None, *details: Any) -> None:
        """Leave the finished bars on the screen, but remove them after Ctrl-C or another signal."""
        self.live.transient = kind in (KeyboardInterrupt, Stopped)
        with self._stops, defer_signals(*SIGNALS):
            super().__exit__(kind, *details)

    def refresh(self) -> None:
        """Draw the bars without interruption: a partial drawing could not be cleared."""
        with defer_signals(*SIGNALS):
            super().refresh()

    @property
    def width(self) -> int:
        """Slightly less than the screen's, to leave room for the terminal's ^C."""
        return max(1, self._screen.width - len("^C") - 1)

    def get_renderables(self) -> Iterator[RenderableType]:
        """The bars, slightly narrower than the screen."""
        for bars in super().get_renderables():
            yield Constrain(bars, self.width)

    def wait_for(self, name: str) -> TaskID:
        """Add a bar for a task that has not started."""
        return self.add_task(name, start=False, total=1.0, words="", heard=0.0, left=None)

    def hear(self, work: TaskID, done: float, words: str = "") -> None:
        """Update a task's progress, from 0 to 1, and its current step."""
        task = self._tasks[work]
        if not task.started:
            self.start_task(work)
        elapsed = task.elapsed or 0.0
        left = elapsed * (1 - done) / done if done > TOO_EARLY else None
        self.update(work, completed=done, words=words, heard=task.get_time(), left=left)

    def count(self, name: str, unit: str = "") -> workers.Progress:
        """Add a bar for a task in equal parts, which are counted when the result is called."""
        work = self.wait_for(name)
        return lambda done, of: self.hear(work, done / of, f"{done:,} of {of:,}{unit}")

    def count_games(self, games: Iterable[Game], unit: str = "") -> workers.GameProgress:
        """Add a bar for each of some games that are played many times."""
        counts = {game.name: self.count(game.title, unit) for game in games}
        return lambda game, done, of: counts[game.name](done, of)


def _silence(task: Task) -> float:
    """Seconds since a task's last update."""
    return float(task.get_time() - task.fields["heard"])


def _is_quiet(task: Task) -> bool:
    return task.started and not task.finished and _silence(task) > QUIET


class _Bar(BarColumn):
    """A bar that pulses while there are no updates."""

    def render(self, task: Task) -> ProgressBar:
        bar = super().render(task)
        bar.pulse = bar.pulse or _is_quiet(task)
        return bar


class _Share(ProgressColumn):
    """The percentage done, if it is known."""

    def render(self, task: Task) -> Text:
        return Text("" if _is_quiet(task) or not task.started else f"{int(task.percentage)}%")


class _Time(ProgressColumn):
    """The time elapsed, and an estimate of the time left."""

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
