"""How a command ends: its exit code, which tells a script, and the signals that stop it."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager

TYPE_CHECKING = False  # without importing typing
if TYPE_CHECKING:
    from typing import Final, NoReturn

FINISHED: Final = 0
FAILED: Final = 1
USAGE: Final = 2
ILLEGAL_LINE: Final = 3
INPUT_ENDED: Final = 4
UNCHECKED: Final = 5
SIGNALLED: Final = 128
"""Added to the number of the signal that stopped a command, as shells do."""
INTERRUPTED: Final = SIGNALLED + 2
SIGNALS: Final = (signal.SIGTERM, signal.SIGHUP)
"""Sent when the system shuts down, or the terminal is closed."""

EXIT_CODES: Final = """\
Exit codes: 0 finished; 1 the output could not be written, a table is not
proved, a record or a report does not hold, doctor found something wrong, a
model's endpoint failed or its budget is spent, or something broke; 2 wrong
usage or a damaged file; 3 an illegal line in a script with --strict;
4 quit, or the input ended (the game is saved); 5 verify --strict could not
check everything; 130 Ctrl-C; 143 or 129 the system or the closed terminal
stopped it (a game is saved).
"""


class Ended(BaseException):
    """The command ends, and has said why; like Ctrl-C, no `except Exception` catches it."""

    def __init__(self, code: int) -> None:
        super().__init__(code)
        self.code = code
        """The exit code."""


class Stopped(Ended):
    """A signal told the program to end; its exit code is the one that shells use for the signal."""

    def __init__(self, number: int) -> None:
        super().__init__(SIGNALLED + number)


@contextmanager
def stoppable() -> Iterator[None]:
    """Make a termination signal raise Stopped, once; an ignored signal stays ignored."""
    from strongroom.terminal.modes import handling

    wanted = [each for each in SIGNALS if signal.getsignal(each) is signal.SIG_DFL]

    def stop(number: int, _frame: object) -> NoReturn:
        for each in wanted:
            signal.signal(each, signal.SIG_IGN)
        raise Stopped(number)

    with ExitStack() as watched:
        for each in wanted:
            watched.enter_context(handling(each, stop))
        yield


def unstoppable() -> AbstractContextManager[None]:
    """Block termination signals and Ctrl-C, so that a save is not interrupted halfway."""
    from strongroom.terminal.modes import blocking

    return blocking(*SIGNALS, signal.SIGINT)
