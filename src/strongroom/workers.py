"""Processes that work for this one, and end with it at once and without a word."""

from __future__ import annotations

import contextlib
import signal
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from multiprocessing import get_context
from types import TracebackType
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")


@contextlib.contextmanager
def uninterrupted() -> Iterator[None]:
    """Let Ctrl-C wait until this is done; the processes started meanwhile never hear of it.

    A terminal sends Ctrl-C to every process. What is blocked here is blocked in children from their
    first moment, before any code of theirs could see to it. This process may hear of it in another
    thread, which Python passes on to the main one all the same, so its handler waits, too.
    """
    heard: list[int] = []
    in_main = threading.current_thread() is threading.main_thread()
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
    handler = signal.signal(signal.SIGINT, lambda number, _: heard.append(number)) if in_main else 0
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)
        if in_main:
            signal.signal(signal.SIGINT, handler)
        if heard:
            signal.raise_signal(signal.SIGINT)


class Workers(ProcessPoolExecutor):
    """A pool of processes; whatever breaks its block off ends them in the middle of their work.

    They are spawned, not forked: a fork copies whatever threads and locks the caller happens to
    have.
    """

    def __init__(self, count: int, tasks_each: int | None = None) -> None:
        super().__init__(count, get_context("spawn"), max_tasks_per_child=tasks_each)

    def submit(self, work: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """Have some work done."""
        with uninterrupted():  # here processes are started, and the thread that starts others
            return super().submit(work, *args, **kwargs)

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if kind is None:
            self.shutdown()
            return
        with uninterrupted():  # whoever holds Ctrl-C down leaves nobody behind
            for process in list((self._processes or {}).values()):
                process.kill()
            self.shutdown(cancel_futures=True)
