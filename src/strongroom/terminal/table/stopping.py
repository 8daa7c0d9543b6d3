"""Termination signals: the system shuts down, or the terminal is closed."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from typing import NoReturn

from strongroom.terminal.exits import Stopped
from strongroom.terminal.modes import blocked, handled

SIGNALS = (signal.SIGTERM, signal.SIGHUP)


@contextmanager
def stoppable() -> Iterator[None]:
    """Make a termination signal raise Stopped, once; an ignored signal stays ignored."""
    wanted = [each for each in SIGNALS if signal.getsignal(each) is signal.SIG_DFL]

    def stop(number: int, _frame: object) -> NoReturn:
        for each in wanted:
            signal.signal(each, signal.SIG_IGN)
        raise Stopped(number)

    with ExitStack() as watched:
        for each in wanted:
            watched.enter_context(handled(each, stop))
        yield


def unstoppable() -> AbstractContextManager[None]:
    """Block termination signals and Ctrl-C, so that a save is not interrupted halfway."""
    return blocked(*SIGNALS, signal.SIGINT)
