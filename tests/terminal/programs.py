"""Programs at a terminal of their own: how one begins, and how it ends."""

from __future__ import annotations

import signal

import pexpect  # type: ignore[import-untyped]


def as_at_a_terminal() -> None:
    """Whoever runs the tests in the background has turned these off for all below it."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    signal.signal(signal.SIGQUIT, signal.SIG_DFL)


def end(process: pexpect.spawn) -> None:
    """End a program, however long that takes; pexpect itself waits for a tenth of a second."""
    if not process.closed and process.isalive():
        process.kill(signal.SIGKILL)
        process.wait()
    process.close()
