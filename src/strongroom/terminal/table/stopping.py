"""Being stopped from outside: the system ends, or the terminal is closed, during a game."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NoReturn

from strongroom.terminal.exits import SIGNALLED

SIGNALS = (signal.SIGTERM, signal.SIGHUP)


class Stopped(BaseException):
    """The program is told to end; like Ctrl-C, it is nothing that a player could catch."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.code = SIGNALLED + number
        """The exit code by which shells know the signal."""


@contextmanager
def stoppable() -> Iterator[None]:
    """Within this, a signal to end raises Stopped, once; one that is ignored stays ignored."""
    before = {each: signal.getsignal(each) for each in SIGNALS}
    wanted = [each for each, handler in before.items() if handler is signal.SIG_DFL]
    if threading.current_thread() is not threading.main_thread():  # which alone hears signals
        wanted = []

    def stop(number: int, _frame: object) -> NoReturn:
        for each in wanted:
            signal.signal(each, signal.SIG_IGN)
        raise Stopped(number)

    for each in wanted:
        signal.signal(each, stop)
    try:
        yield
    finally:
        for each in wanted:
            signal.signal(each, before[each])


@contextmanager
def unstoppable() -> Iterator[None]:
    """Within this, a signal waits, Ctrl-C too: a save is not broken off in the middle."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {*SIGNALS, signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
