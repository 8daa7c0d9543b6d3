"""Many games at once: in this thread, in several, in worker processes or on a Ray cluster.

Worker processes end with this one, at once and without output.
"""

from __future__ import annotations

import contextlib
import logging
import os
import signal
import socket
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence, Sized
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Future, ProcessPoolExecutor, wait
from itertools import islice
from multiprocessing import get_context, parent_process
from queue import SimpleQueue
from typing import Any, Final, ParamSpec, Protocol, Self, TypeVar

from strongroom.contract import Game, Refusal, quote
from strongroom.players import Stops
from strongroom.plugins.extras import extra
from strongroom.version import __version__

P = ParamSpec("P")
T = TypeVar("T")
R = TypeVar("R")

Progress = Callable[[int, int], None]
"""Called with how many games, or other pieces of work, are done, and how many there are."""
GameProgress = Callable[[Game, int, int], None]
"""Called with a game, how many times it was played, and how many times it will be."""

BATCH_SECONDS: Final = 0.5
"""About how long a worker is busy before it reports: long enough to cost next to nothing."""
FEW: Final = 20
"""Up to this many games are not worth further processes."""
LOCAL: Final = "local"
"""The address of a cluster of this machine alone, started for the run and ended with it."""
ANSWER_TIMEOUT: Final = 5.0
"""How many seconds a cluster has to answer."""
START_TIMEOUT: Final = 120.0
"""How many seconds the first process of a cluster may take to start."""
HEARTBEAT: Final = 1.0
"""How many seconds pass between two looks at whether the cluster is there."""
EXAMPLE: Final = "For example: --cluster head:6379"


class Pool(Protocol):
    """A place for work outside this thread; as a context manager, it ends what it started."""

    count: int
    """How many pieces of work run at once."""
    queued: int
    """How many are scheduled at once, so that no worker waits for the next."""
    lost: tuple[str, str]
    """The message if it breaks in the middle of the work, and what to do."""

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
    """The pool for this many games; None plays them in this thread.

    A factory in `seats` can have an attribute `concurrency`: then that many games are played at
    once, in threads of this process. Otherwise there are `workers` processes.
    """
    limits = [each.concurrency for each in seats if hasattr(each, "concurrency")]
    if limits:
        return Threads(min(limits))
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
def defer_signals(*others: signal.Signals) -> Iterator[None]:
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
        with defer_signals():  # this starts processes, and the thread that starts others
            return super().submit(work, *args, **kwargs)

    def __exit__(self, kind: type[BaseException] | None, *details: object) -> None:
        if kind is None:
            self.shutdown()
            return
        with defer_signals():  # holding Ctrl-C down leaves no process behind
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


class Cluster:
    """The processors of a Ray cluster at HOST:PORT, used until the block is left.

    This strongroom must be installed on each of its nodes.
    """

    def __init__(self, address: str) -> None:
        # Nothing of Ray's own belongs on the screen, and nobody is told about its use.
        os.environ.setdefault("RAY_BACKEND_LOG_LEVEL", "fatal")
        os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
        with extra("cluster", "--cluster"):
            import ray
        host, _, port = address.rpartition(":")
        if address != LOCAL and not (host and port.isascii() and port.isdigit()):
            raise Refusal(f"{quote(address)} is not the address of a cluster.", EXAMPLE)
        self._ray: Any = ray
        self._address = address
        self._place = (host, int(port)) if address != LOCAL else None
        self.lost = (
            f"The cluster at {address} is gone.",
            "What is finished is kept: the same command goes on, also without --cluster.",
        )
        self._waiting: set[Future[Any]] = set()
        self._left = threading.Event()
        self.count = self._connect()
        self.queued = 2 * self.count
        self._call: Any = ray.remote(_call)

    def _connect(self) -> int:
        """Connect to the cluster and tell how many processors it has."""
        settings: dict[str, Any] = {"log_to_driver": False, "logging_level": logging.CRITICAL}
        if self._place is None:
            settings["include_dashboard"] = False
        try:
            if not self._answers():
                raise ConnectionError
            with _silence_stderr():
                self._ray.init(self._address, **settings)
            theirs = self._ray.get(self._ray.remote(_version).remote(), timeout=START_TIMEOUT)
            processors = int(self._ray.cluster_resources().get("CPU", 1))
        except self._ray.exceptions.RayTaskError:
            raise Refusal(
                f"The cluster at {self._address} has no strongroom.",
                f"Install strongroom {__version__} on each of its nodes.",
            ) from None
        except (OSError, RuntimeError, ValueError, self._ray.exceptions.RayError):
            self._ray.shutdown()  # it may be half connected
            told = f"The cluster at {self._address} cannot be reached."
            raise Refusal(told, "Start it with ray start, or leave --cluster out.") from None
        if theirs != __version__:
            raise Refusal(
                f"The cluster has strongroom {quote(theirs)}, and this is {__version__}.",
                "Install the same version on each of its nodes.",
            )
        return max(1, processors)

    def __enter__(self) -> Self:
        threading.Thread(target=self._watch, daemon=True).start()
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        self._left.set()
        self._ray.shutdown()

    def submit(self, work: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """Schedule a call on the cluster."""
        future = Future[T]()
        self._waiting.add(future)

        def pass_on(inner: Future[T]) -> None:
            self._waiting.discard(future)
            if future.done():
                return
            failure = inner.exception()
            if failure is None:
                future.set_result(inner.result())
            elif isinstance(failure, self._ray.exceptions.RayTaskError):
                future.set_exception(failure)
            else:
                future.set_exception(BrokenExecutor(str(failure)))

        self._call.remote(work, args, kwargs).future().add_done_callback(pass_on)
        return future

    def _answers(self) -> bool:
        """Whether something listens where the cluster should be."""
        if self._place is None:
            return True
        try:
            socket.create_connection(self._place, ANSWER_TIMEOUT).close()
        except (OSError, OverflowError):
            return False
        return True

    def _watch(self) -> None:
        """Break off what is waited for if the cluster is gone, as Ray would go on waiting."""
        while not self._left.wait(HEARTBEAT):
            if not self._answers():
                for future in list(self._waiting):
                    if not future.done():
                        future.set_exception(BrokenExecutor("gone"))
                return


@contextlib.contextmanager
def _silence_stderr() -> Iterator[None]:
    """Discard what is written to standard error, even by code that is not Python."""
    sys.stderr.flush()
    kept, nowhere = os.dup(2), os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 2)
    try:
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)
        os.close(nowhere)


def _version() -> str:
    return __version__


def _call(work: Callable[..., T], args: tuple[Any, ...], kwargs: dict[str, Any]) -> T:
    return work(*args, **kwargs)
