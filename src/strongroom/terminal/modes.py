"""The terminal's modes and the signals that could leave them changed."""

from __future__ import annotations

import contextlib
import errno
import os
import signal
import termios
import threading
from collections.abc import Callable, Iterator
from types import FrameType
from typing import Final

DEADLY: Final = (
    *(signal.SIGTERM, signal.SIGHUP, signal.SIGINT, signal.SIGQUIT, signal.SIGABRT),
    *(signal.SIGUSR1, signal.SIGUSR2, signal.SIGXCPU),
    *(signal.SIGALRM, signal.SIGVTALRM, signal.SIGPROF),
)
"""The signals that end a process whose terminal may be in an odd mode, if nobody handles them."""

PULSE: Final = 0.25
"""How many seconds a signal waits at most while a person is awaited."""

Handler = signal.Handlers | Callable[[int, FrameType | None], object]


@contextlib.contextmanager
def handled(number: signal.Signals, handler: Handler) -> Iterator[None]:
    """Handle a signal otherwise for a while; only the main thread can."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(number, handler)
    try:
        yield
    finally:
        signal.signal(number, before)


@contextlib.contextmanager
def hearing_signals() -> Iterator[None]:
    """Let a signal be heard that comes just before a wait begins.

    Python only notes such a signal, and acts on it when the wait ends, which may be at the next
    key. So the wait is interrupted now and then; it goes on where nothing was noted.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = (0.0, 0.0)
    with handled(signal.SIGALRM, lambda *_: None):
        try:  # Ctrl-C may come while the timer is set, and an alarm nobody handles is deadly
            before = signal.setitimer(signal.ITIMER_REAL, PULSE, PULSE)
            yield
        finally:
            signal.setitimer(signal.ITIMER_REAL, *before)


@contextlib.contextmanager
def _uninterrupted() -> Iterator[None]:
    before = signal.pthread_sigmask(signal.SIG_BLOCK, DEADLY)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextlib.contextmanager
def left_as_found(terminal: int, before_that: Callable[[], None] = lambda: None) -> Iterator[None]:
    """Have the terminal's modes put back in the end, also where a signal is the end.

    While a line is typed the echo is off; a process that just dies leaves the terminal like that. A
    signal that somebody handles or ignores goes its way: what a handler raises is cleared up after
    by the one who changed the modes.
    """
    found = termios.tcgetattr(terminal)

    def put_back() -> None:
        with _uninterrupted():  # whoever holds Ctrl-C down gets the terminal back all the same
            before_that()
            if not is_anothers(terminal):
                with contextlib.suppress(termios.error):
                    termios.tcsetattr(terminal, termios.TCSANOW, found)

    def die(number: int, _: object) -> None:
        put_back()
        if not is_anothers(terminal):
            forget_typed(terminal)  # half a secret must not go to whoever reads next, and shows it
        signal.signal(number, signal.SIG_DFL)
        signal.raise_signal(number)

    with contextlib.ExitStack() as watched:
        for number in DEADLY:
            if signal.getsignal(number) is signal.SIG_DFL:
                watched.enter_context(handled(number, die))
        try:
            yield
        finally:
            put_back()


def write_through(screen: int, text: str, encoding: str = "utf-8") -> None:
    """Write to a terminal past all buffers, as a signal's handler may have to.

    A stream that was interrupted while its terminal took nothing more cannot be written to again.
    """
    data = text.encode(encoding, "replace")
    while data:
        data = data[os.write(screen, data) :]


def is_anothers(terminal: int) -> bool:
    """Whether this process is in the background of a terminal, whose modes others set by now."""
    try:
        return os.tcgetpgrp(terminal) != os.getpgrp()
    except OSError:
        return False


def forget_typed(terminal: int) -> None:
    """Throw away what was typed and not read yet."""
    with contextlib.suppress(termios.error):
        termios.tcflush(terminal, termios.TCIFLUSH)


def read_key_by_key(terminal: int) -> None:
    """Let every key come at once and unseen; Ctrl-C, Ctrl-\\ and Ctrl-Z stay signals."""
    modes = termios.tcgetattr(terminal)
    modes[0] &= ~termios.IXON
    modes[3] &= ~(termios.ICANON | termios.ECHO | termios.IEXTEN)
    modes[6][termios.VMIN], modes[6][termios.VTIME] = 1, 0
    while True:
        try:
            return termios.tcsetattr(terminal, termios.TCSADRAIN, modes)
        except termios.error as error:  # stopped in the background on its way, and woken again
            if error.args[0] != errno.EINTR:
                raise
