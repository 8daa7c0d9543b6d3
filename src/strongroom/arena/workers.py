"""Worker processes, which end with this one at once and without output."""

from __future__ import annotations

import contextlib
import os
import signal
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from multiprocessing import get_context, parent_process
from types import TracebackType
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")


@contextlib.contextmanager
def uninterrupted(*others: signal.Signals) -> Iterator[None]:
    """Defer Ctrl-C, and other signals, until this is done; no process started here receives them.

    A terminal sends Ctrl-C to every process. A signal blocked here is blocked in child processes
    from their start, before their own code could block it. This process may still receive it in
    another thread, and Python passes it on to the main thread, so its handler is deferred, too.
    """
    heard: list[int] = []
    in_main = threading.current_thread() is threading.main_thread()
    deferred = (signal.SIGINT, *others)
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, deferred)
    handlers = {
        each: signal.signal(each, lambda number, _: heard.append(number))
        for each in (deferred if in_main else ())
    }
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)
        for each, handler in handlers.items():
            signal.signal(each, handler)
        for number in heard[:1]:
            signal.raise_signal(number)


def _end_with_parent() -> None:
    """End this process as soon as its parent has ended, even if that was killed."""
    parent = parent_process()
    assert parent is not None

    def watch() -> None:
        parent.join()
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


class Workers(ProcessPoolExecutor):
    """A pool of processes, killed in the middle of their work if an exception leaves its block.

    They are spawned, not forked: a fork copies whatever locks the caller's threads happen to
    hold.
    """

    def __init__(self, count: int, tasks_each: int | None = None) -> None:
        super().__init__(
            count,
            get_context("spawn"),
            initializer=_end_with_parent,
            max_tasks_per_child=tasks_each,
        )

    def submit(self, work: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """Schedule a call in one of the processes."""
        with uninterrupted():  # this starts processes, and the thread that starts others
            return super().submit(work, *args, **kwargs)

    def __exit__(self, _: object, failure: BaseException | None, __: TracebackType | None) -> None:
        if failure is None:
            self.shutdown()
            return
        with uninterrupted():  # holding Ctrl-C down leaves no process behind
            for process in list((self._processes or {}).values()):
                process.kill()
            self.shutdown(cancel_futures=True)
        cause = failure.__context__
        if isinstance(failure, Exception) and not isinstance(cause, Exception | None):
            raise cause  # a signal found a lock of the pool half taken, which then broke
