"""Third-party code: which exceptions are its own failure, and how long it is waited for."""

from __future__ import annotations

TYPE_CHECKING = False  # without importing typing, which takes a tenth of the time to start
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeVar

    T = TypeVar("T")

FAILURES = (Exception, SystemExit, GeneratorExit)
"""All that foreign code raises by itself; Ctrl-C and signals come from outside."""


class Stops(BaseException):
    """Raised by a player who cannot go on through no fault of its play: the whole run stops.

    The match stays unfinished, so that it can be played again. The message says what to do.
    """


class TookTooLong(Exception):
    """A call has not returned in its time."""


class Explained(Exception):
    """A failure whose message says enough for anybody, without its type."""


def call_within(seconds: float, call: Callable[[], T]) -> T:
    """What a call returns or raises; `TookTooLong` if it does neither in so many seconds.

    It runs in a thread of its own, because nothing else can stop waiting for code that never
    returns. A thread that took too long is left behind.

    >>> call_within(60.0, lambda: 4)
    4
    """
    from concurrent.futures import Future, wait
    from threading import Thread

    answer: Future[T] = Future()

    def run() -> None:
        try:
            answer.set_result(call())
        except BaseException as failure:
            answer.set_exception(failure)

    Thread(target=run, daemon=True).start()
    if not wait([answer], max(0.0, seconds)).done:
        raise TookTooLong(f"timed out after {seconds:g} seconds")
    return answer.result()


def failure_text(failure: BaseException) -> str:
    """A failure's type and message, or only its type if the message cannot be formatted.

    >>> failure_text(ValueError("no chair"))
    'ValueError: no chair'
    >>> failure_text(Explained("there is no chair"))
    'there is no chair'
    """
    if isinstance(failure, Explained):
        return str(failure)
    name = type(failure).__name__
    try:
        return f"{name}: {failure}"
    except FAILURES:
        return name
