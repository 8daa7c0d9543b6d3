"""Many pieces of work, done in this process, in its threads, in worker processes or elsewhere.

Worker processes end with this one, at once and without output.
"""

from __future__ import annotations

import contextlib
import os
import signal
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence, Sized
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Future, ProcessPoolExecutor, wait
from itertools import islice
from multiprocessing import get_context, parent_process
from queue import SimpleQueue
from typing import Final, ParamSpec, Protocol, Self, TypeVar

from strongroom.contract import Refusal
from strongroom.players import Stops

P = ParamSpec("P")
T = TypeVar("T")
R = TypeVar("R")

BATCH_SECONDS: Final = 0.5
"""About how long a worker is busy before it reports: long enough to cost next to nothing."""
FEW: Final = 20
"""So many games are not worth further processes."""


class Pool(Protocol):
    """Where work is done besides this thread; it is left as a context manager."""

    count: int
    """How many pieces of work are done at once."""
    queued: int
    """How many are scheduled at once, so that nobody waits for the next."""
    lost: tuple[str, str]
    """What is said if it breaks in the middle of the work, and what to do."""

    def submit(self, work: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """Schedule a call."""

    def __enter__(self) -> Self: ...

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None: ...


def each_done(
    work: Callable[[T], R], tasks: Iterable[T], pool: Pool | None = None, count: int = 0
) -> Iterator[R]:
    """The results of the tasks as they are finished; without a pool, one by one in this thread.

    Tasks are taken when somebody has time for them; `count` says how many there are, if they have
    no length. A refusal, `Stops` or a worker's death ends the work once every finished result was
    given.
    """
    if pool is None:
        yield from map(work, tasks)
        return
    left, size = len(tasks) if isinstance(tasks, Sized) else count, 1
    waiting = iter(tasks)
    ended: BaseException | None = None
    running = set[Future[_Done[R]]]()
    with pool:
        while True:
            while ended is None and len(running) < pool.queued:
                # Towards the end, batches become smaller, so that all have something to do.
                most = max(1, min(size, left // pool.queued))
                if not (batch := list(islice(waiting, most))):
                    break
                left -= len(batch)
                try:
                    running.add(pool.submit(_do, work, batch))
                except BrokenExecutor:  # a worker died while earlier results were given
                    ended = Refusal(*pool.lost)
            if not running:
                break
            finished, running = wait(running, return_when=FIRST_COMPLETED)
            for future in finished:
                try:
                    results, seconds, failure = future.result()
                except BrokenExecutor:
                    results, seconds, failure, running = [], 0.0, Refusal(*pool.lost), set()
                yield from results
                if results:
                    size = max(1, min(2 * size, int(len(results) * BATCH_SECONDS / seconds)))
                if failure is not None:
                    ended = ended or failure
                    running = {each for each in running if not each.cancel()}
        if ended is not None:
            raise ended


def pool_for(seats: Iterable[object], tasks: int, workers: int | None = None) -> Pool | None:
    """Where to play so many games of players who are seated like this; None is this thread.

    What seats a player can have an attribute `concurrency`: so many games are played at once, in
    threads of this process. Without one, there are as many processes as `workers` says.
    """
    told = [each.concurrency for each in seats if hasattr(each, "concurrency")]
    if told:
        return Threads(min(told))
    count = workers or (1 if tasks <= FEW else os.cpu_count() or 1)
    return Workers(count) if count > 1 else None


_Done = tuple[list[R], float, BaseException | None]
"""The results of a batch, how long it took, and what ended it early."""


def _do(work: Callable[[T], R], batch: Sequence[T]) -> _Done[R]:
    began, results, failure = time.perf_counter(), list[R](), None
    try:
        for task in batch:
            results.append(work(task))
    except (Refusal, Stops) as ended:
        failure = ended
    return results, max(1e-9, time.perf_counter() - began), failure


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

    lost = (
        "A process ended in the middle of a game.",
        "Its player ended it, or the memory was full. The same command goes on from there.",
    )

    def __init__(self, count: int, tasks_each: int | None = None) -> None:
        self.count, self.queued = count, 2 * count
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

    def __exit__(self, kind: type[BaseException] | None, *details: object) -> None:
        if kind is None:
            self.shutdown()
            return
        with uninterrupted():  # holding Ctrl-C down leaves no process behind
            for process in list((self._processes or {}).values()):
                process.kill()
            self.shutdown(cancel_futures=True)
        failure = details[0]
        cause = failure.__context__ if isinstance(failure, Exception) else None
        if not isinstance(cause, Exception | None):
            raise cause  # a signal found a lock of the pool half taken, which then broke


class Threads:
    """Threads of this process, for players who mostly wait for somebody else.

    They are abandoned in the middle of their work if an exception leaves the block.
    """

    lost = ("A thread ended in the middle of a game.", "The same command goes on from there.")

    def __init__(self, count: int) -> None:
        self.count = self.queued = count
        self._calls = SimpleQueue[Callable[[], None] | None]()

    def __enter__(self) -> Self:
        for _ in range(self.count):
            threading.Thread(target=self._serve, daemon=True).start()
        return self

    def __exit__(self, kind: type[BaseException] | None, *details: object) -> None:
        if kind is not None:
            while not self._calls.empty():
                self._calls.get()
        for _ in range(self.count):
            self._calls.put(None)

    def _serve(self) -> None:
        while (call := self._calls.get()) is not None:
            call()

    def submit(self, work: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """Schedule a call in one of the threads."""
        future = Future[T]()

        def call() -> None:
            if not future.set_running_or_notify_cancel():
                return
            try:
                future.set_result(work(*args, **kwargs))
            except BaseException as failure:
                future.set_exception(failure)

        self._calls.put(call)
        return future
