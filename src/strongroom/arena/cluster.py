"""Work on many machines: a Ray cluster, on each of whose nodes this strongroom is installed."""

from __future__ import annotations

import contextlib
import logging
import os
import socket
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import BrokenExecutor, Future
from typing import Any, Final, ParamSpec, Self, TypeVar

from strongroom.contract import Refusal, shown
from strongroom.plugins.extras import extra
from strongroom.version import __version__

P = ParamSpec("P")
T = TypeVar("T")

LOCAL: Final = "local"
"""The address of a cluster of this machine alone, started for the run and ended with it."""
PATIENCE: Final = 5.0
"""How many seconds a cluster has to answer."""
LONGEST_START: Final = 120.0
"""How many seconds the first process of a cluster may take to start."""
HEARTBEAT: Final = 1.0
"""How many seconds pass between two looks at whether the cluster is there."""
EXAMPLE: Final = "For example: --cluster head:6379"


class Cluster:
    """The processors of a Ray cluster at HOST:PORT, used until the block is left."""

    def __init__(self, address: str) -> None:
        # Nothing of Ray's own belongs on the screen, and nobody is told about its use.
        os.environ.setdefault("RAY_BACKEND_LOG_LEVEL", "fatal")
        os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
        with extra("cluster", "--cluster"):
            import ray
        host, _, port = address.rpartition(":")
        if address != LOCAL and not (host and port.isascii() and port.isdigit()):
            raise Refusal(f"{shown(address)} is not the address of a cluster.", EXAMPLE)
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
            with _silenced():
                self._ray.init(self._address, **settings)
            theirs = self._ray.get(self._ray.remote(_version).remote(), timeout=LONGEST_START)
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
                f"The cluster has strongroom {shown(theirs)}, and this is {__version__}.",
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

        def arrived(inner: Future[T]) -> None:
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

        self._call.remote(work, args, kwargs).future().add_done_callback(arrived)
        return future

    def _answers(self) -> bool:
        """Whether something listens where the cluster should be."""
        if self._place is None:
            return True
        try:
            socket.create_connection(self._place, PATIENCE).close()
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
def _silenced() -> Iterator[None]:
    """Discard what is written to standard error, also by code that is not Python."""
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
