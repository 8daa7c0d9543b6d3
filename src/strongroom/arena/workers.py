"""Worker processes, which end with this one at once and without output."""

from __future__ import annotations

import contextlib
import os
import signal
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from multiprocessing import get_context, parent_process
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")


@contextlib.contextmanager
def uninterrupted() -> Iterator[None]:
    """Defer Ctrl-C until this is done; processes started meanwhile never receive it.

    A terminal sends Ctrl-C to every process. A signal blocked here is blocked in child processes
    from their start, before their own code could block it. This process may still receive it in
    another thread, and Python passes it on to the main thread, so its handler is deferred, too.
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

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind is None:
            self.shutdown()
            return
        with uninterrupted():  # holding Ctrl-C down leaves no process behind
            for process in list((self._processes or {}).values()):
                process.kill()
            self.shutdown(cancel_futures=True)
