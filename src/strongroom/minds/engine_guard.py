"""Runs an engine, and ends it with all that it has started as soon as a socket is closed.

A program of its own, `python -I -S engine_guard.py SOCKET COMMAND...`, because only another process
is still there when strongroom is killed. It uses little of the standard library, to start quickly.
"""

import errno
import os
import select
import signal
import sys

SET_CHILD_SUBREAPER, SET_PARENT_DEATH_SIGNAL = 36, 1
"""The numbers of Linux's prctl calls."""
UNSTARTED = {
    errno.ENOEXEC: "its first line has no #!",
    errno.ENOENT: "what its #! line names is missing",
}
"""Why a file that is there and executable cannot be started, in words for its author."""


def main(lifeline: int, command: list[str]) -> int:
    """Run the command until it ends or the socket is closed; return its exit code."""
    os.set_inheritable(lifeline, False)  # strongroom notices at its end whether this process runs
    _prctl(SET_CHILD_SUBREAPER, 1)
    _prctl(SET_PARENT_DEATH_SIGNAL, signal.SIGCONT)  # the engine may have stopped this process
    heard, wake = os.pipe()
    os.set_blocking(wake, False)
    signal.set_wakeup_fd(wake)
    for number in (signal.SIGCHLD, signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
        signal.signal(number, lambda *_: None)
    signal.pthread_sigmask(signal.SIG_SETMASK, [])
    guard, engine = os.getpid(), os.fork()
    if engine == 0:
        _become(command, guard)
    nothing = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):  # they are the engine's alone
        os.dup2(nothing, stream)
    status = None
    while status is None:
        ready, _, _ = select.select([lifeline, heard], [], [])
        asked = set(os.read(heard, 64) if heard in ready else b"") - {signal.SIGCHLD}
        if lifeline in ready or asked:
            break
        status = _exit_status(engine)
    ended = _end_all(engine)
    code = os.waitstatus_to_exitcode(ended if status is None else status)
    return code if code >= 0 else 128 - code


def _become(command: list[str], guard: int) -> None:
    """Turn into the engine, in a session of its own."""
    os.setsid()
    _prctl(SET_PARENT_DEATH_SIGNAL, signal.SIGKILL)
    for number in (signal.SIGPIPE, signal.SIGXFSZ):  # Python ignores them
        signal.signal(number, signal.SIG_DFL)
    if os.getppid() == guard:
        try:
            os.execvp(command[0], command)
        except OSError as error:
            why = UNSTARTED.get(error.errno or 0, error.strerror)
            os.write(2, f"It cannot be started: {why}.\n".encode())
    os._exit(127)


def _exit_status(engine: int) -> int | None:
    """Clear up what has ended; the engine's exit status, if it has."""
    try:
        while True:
            child, status = os.waitpid(-1, os.WNOHANG)
            if child == engine:
                return status
            if child == 0:
                return None
    except ChildProcessError:
        return None


def _end_all(engine: int) -> int:
    """Kill the engine's group and all that it has left behind; return its exit status."""
    found = 0
    _kill(-engine)
    while True:
        for child in _children():
            _kill(child)
        try:
            child, status = os.waitpid(-1, 0)
        except ChildProcessError:
            return found
        if child == engine:
            found = status


def _children() -> list[int]:
    """The processes whose parent is this one, as an orphan's is; none where there is no /proc."""
    found, me = [], str(os.getpid()).encode()
    for number in process_ids():
        try:
            with open(f"/proc/{number}/stat", "rb") as file:
                fields = file.read().rpartition(b")")[2].split()
        except OSError:  # it has just ended
            continue
        if fields[1] == me:
            found.append(number)
    return found


def process_ids() -> list[int]:
    """All processes; none where there is no /proc."""
    try:
        return [int(name) for name in os.listdir("/proc") if name.isdigit()]
    except OSError:
        return []


def _kill(number: int) -> None:
    """Kill a process, or the group with a negative number."""
    try:  # noqa: SIM105 (contextlib would take time to import)
        os.kill(number, signal.SIGKILL)
    except OSError:
        pass


def _prctl(call: int, value: int) -> None:
    """Ask Linux for something; elsewhere, do nothing."""
    try:
        import ctypes

        ctypes.CDLL(None).prctl(call, value, 0, 0, 0)
    except (ImportError, OSError, AttributeError):
        pass


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]), sys.argv[2:]))
