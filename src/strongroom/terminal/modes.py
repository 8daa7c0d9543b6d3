"""Terminal modes, and the signals that could leave them changed."""

from __future__ import annotations

import contextlib
import errno
import os
import signal
import termios
import threading
from collections.abc import Callable, Iterator
from types import FrameType
from typing import Any, Final

DEADLY: Final = (
    *(signal.SIGTERM, signal.SIGHUP, signal.SIGINT, signal.SIGQUIT, signal.SIGABRT),
    *(signal.SIGUSR1, signal.SIGUSR2, signal.SIGXCPU),
    *(signal.SIGALRM, signal.SIGVTALRM, signal.SIGPROF),
)
"""The signals that kill a process by default, perhaps with its terminal in an odd mode."""

PULSE: Final = 0.25
"""The longest that a signal is delayed while waiting for input, in seconds."""

Handler = signal.Handlers | Callable[[int, FrameType | None], object]
Modes = list[Any]
"""A terminal's modes, as `termios` gets and sets them."""


@contextlib.contextmanager
def handling(number: signal.Signals, handler: Handler) -> Iterator[None]:
    """Replace a signal's handler temporarily; no effect outside the main thread."""
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
    """Handle a signal promptly even if it arrives just before a blocking wait.

    Python only records such a signal and runs its handler when the wait ends, perhaps at the next
    key. So a timer interrupts the wait periodically; it resumes if no signal is pending.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = (0.0, 0.0)
    with handling(signal.SIGALRM, lambda *_: None):
        try:  # Ctrl-C may arrive while the timer is set, and an unhandled SIGALRM would kill us
            before = signal.setitimer(signal.ITIMER_REAL, PULSE, PULSE)
            yield
        finally:
            signal.setitimer(signal.ITIMER_REAL, *before)


@contextlib.contextmanager
def blocking(*numbers: signal.Signals) -> Iterator[None]:
    """Block signals temporarily; those that arrive meanwhile are handled at the end."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, numbers)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextlib.contextmanager
def keep_modes(terminal: int, before_that: Callable[[], None] = lambda: None) -> Iterator[Modes]:
    """Yield the terminal's modes, and restore them at the end, even if a signal kills the process.

    The echo is off while a line is typed; a process that just dies leaves it off. Signals that are
    already handled or ignored are left alone: an exception from their handler restores the modes on
    its way out.
    """
    found = termios.tcgetattr(terminal)

    def put_back() -> None:
        with blocking(*DEADLY):  # even if Ctrl-C is held down, the terminal is restored
            before_that()
            restore(terminal, found)

    def die(number: int, _: object) -> None:
        put_back()
        if not is_anothers(terminal):
            forget_typed(terminal)  # a half-typed secret must not reach the next reader's echo
        signal.signal(number, signal.SIG_DFL)
        signal.raise_signal(number)

    with contextlib.ExitStack() as watched:
        for number in DEADLY:
            if signal.getsignal(number) is signal.SIG_DFL:
                watched.enter_context(handling(number, die))
        try:
            yield found
        finally:
            put_back()


@contextlib.contextmanager
def silencing(terminal: int) -> Iterator[None]:
    """Show nothing of what is typed meanwhile, and discard it; Ctrl-C and Ctrl-D still work."""

    def hush(*_: object) -> None:
        with contextlib.suppress(termios.error):
            modes = termios.tcgetattr(terminal)
            modes[3] &= ~termios.ECHO
            termios.tcsetattr(terminal, termios.TCSADRAIN, modes)

    with keep_modes(terminal), handling(signal.SIGCONT, hush):
        hush()
        try:
            yield
        finally:
            forget_typed(terminal)


def write_through(screen: int, text: str, encoding: str = "utf-8") -> None:
    """Write to a terminal unbuffered, as a signal handler may have to.

    A stream that was interrupted while its terminal was blocked cannot be written to again.
    """
    data = text.encode(encoding, "replace")
    while data:
        data = data[os.write(screen, data) :]


def restore(terminal: int, found: Modes) -> None:
    """Set the modes that a terminal was found in, unless another process uses it now."""
    if not is_anothers(terminal):
        with contextlib.suppress(termios.error):
            termios.tcsetattr(terminal, termios.TCSANOW, found)


def is_anothers(terminal: int) -> bool:
    """Whether this process is in the background, so that another sets the terminal's modes."""
    try:
        return os.tcgetpgrp(terminal) != os.getpgrp()
    except OSError:
        return False


def forget_typed(terminal: int) -> None:
    """Discard input that was typed but not read yet."""
    with contextlib.suppress(termios.error):
        termios.tcflush(terminal, termios.TCIFLUSH)


def read_key_by_key(terminal: int) -> None:
    """Deliver every key at once and without echo; Ctrl-C and Ctrl-\\ stay signals."""
    modes = termios.tcgetattr(terminal)
    modes[0] &= ~termios.IXON
    modes[3] &= ~(termios.ICANON | termios.ECHO | termios.IEXTEN)
    modes[6][termios.VMIN], modes[6][termios.VTIME] = 1, 0
    _set_with_ctrl_z(terminal, modes)


def read_ctrl_z(terminal: int) -> None:
    """Deliver Ctrl-Z as a key, so that the screen can be put away before anything stops.

    As a signal it reaches all processes of the job at once. Under `make`, make stops first, and the
    shell takes a terminal that still shows the page.
    """
    _set_with_ctrl_z(terminal, termios.tcgetattr(terminal))


def stop_job() -> None:
    """Stop every process of this job, as a shell expects of Ctrl-Z; return once it continues.

    A shell waits for the process that it started, perhaps `make`. The system ignores the signal in
    a job that no shell could continue.
    """
    with handling(signal.SIGTSTP, signal.SIG_DFL):
        os.kill(0, signal.SIGTSTP)


def _set_with_ctrl_z(terminal: int, modes: Modes) -> None:
    modes[6][termios.VSUSP] = bytes([os.fpathconf(terminal, "PC_VDISABLE")])
    while True:
        try:
            return termios.tcsetattr(terminal, termios.TCSADRAIN, modes)
        except termios.error as error:  # stopped in the background meanwhile, then resumed
            if error.args[0] != errno.EINTR:
                raise
