"""A process that has imported all of strongroom, from which commands are forked.

It is a separate program, started by `starting.py` with one socket. Each order on that socket
forks two processes: the command, and one that waits for it and reports how it ended. A forked
command is what `python -m strongroom` would be: it gets the files, folder, environment, signals
and arguments of the order, leaves the loop below, and ends as any interpreter does.
"""

from __future__ import annotations

import atexit
import contextlib
import fcntl
import gc
import io
import json
import os
import runpy
import signal
import socket
import sys
import termios
import time
from importlib import import_module
from pkgutil import walk_packages
from typing import Any

import luck

KEPT = (signal.SIGPIPE, signal.SIGXFSZ)
"""The signals that the interpreter ignores from its start."""


def serve(door: socket.socket) -> dict[str, Any]:
    """Fork for every order; only the process that becomes the command returns."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the tests, which end this process
    signal.signal(signal.SIGCHLD, _reap)
    while True:
        _, files, _, _ = socket.recv_fds(door, 1, 1)
        if not files:
            os._exit(0)
        if os.fork() == 0:
            door.close()
            return _attend(socket.socket(fileno=files[0]))
        os.close(files[0])


def _reap(*_: object) -> None:
    """Reap the waiting processes that ended, so that their processor time is counted."""
    with contextlib.suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass


def _attend(line: socket.socket) -> dict[str, Any]:
    """Fork the command, send its process id, wait for it to end and send its exit code."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    size, files, _, _ = socket.recv_fds(line, 4, 3)
    with line.makefile("rb") as read:
        order: dict[str, Any] = json.loads(read.read(int.from_bytes(size)))
    command = os.fork()
    if command == 0:
        line.close()
        for number, file in enumerate(files):
            os.dup2(file, number)
            os.close(file)
        return order
    for file in files:
        os.close(file)
    line.sendall(b"%d\n" % command)
    _, status = os.waitpid(command, 0)
    line.sendall(b"%d\n" % os.waitstatus_to_exitcode(status))
    os._exit(0)


def become(order: dict[str, Any]) -> None:
    """Take on the session, folder, signals, environment and streams of a new process."""
    if order["session"]:
        os.setsid()
        if os.isatty(0):
            fcntl.ioctl(0, termios.TIOCSCTTY, 0)
    os.chdir(order["folder"])
    signal.pthread_sigmask(signal.SIG_SETMASK, ())
    for number in signal.valid_signals() - {signal.SIGKILL, signal.SIGSTOP, *KEPT}:
        signal.signal(number, signal.SIG_DFL)
    program = order["program"]
    if not order["forked"]:
        for number in KEPT:
            signal.signal(number, signal.SIG_DFL)
        os.execvpe(program[0], program, order["environment"])
    signal.signal(signal.SIGINT, signal.default_int_handler)
    os.environ.clear()
    os.environ.update(order["environment"])
    time.tzset()
    if order["luck"] is not None:
        luck.fix(order["luck"])
    for file, name in enumerate(("stdin", "stdout", "stderr")):
        stream = _stream(file, like=getattr(sys, name))
        setattr(sys, name, stream)
        setattr(sys, f"__{name}__", stream)
    if order["prepare"]:
        name, argument = order["prepare"]
        module, _, function = name.partition(":")
        getattr(import_module(module), function)(argument)
    sys.argv = program[2:]
    sys.orig_argv = program
    sys.path[0] = os.getcwd()


def _stream(file: int, like: io.TextIOWrapper) -> io.TextIOWrapper:
    """A standard stream, configured as the interpreter does it."""
    buffer = open(file, "wb" if file else "rb", closefd=False)  # noqa: SIM115
    flushed = file == 2 or os.isatty(file)
    return io.TextIOWrapper(buffer, like.encoding, like.errors, "\n", flushed)


def preload() -> None:
    """Import everything that a command may import."""
    import strongroom

    for module in walk_packages(strongroom.__path__, "strongroom."):
        if not module.name.endswith("__main__"):
            with contextlib.suppress(ImportError):  # of an extra that is not installed
                import_module(module.name)
    with contextlib.suppress(ImportError):
        import_module("openai")  # which takes longer than all of strongroom
    gc.collect()
    gc.freeze()  # a fork does not copy pages that it does not touch


ENDED: list[int] = []
"""The exit code of a command that ended normally; empty until then."""


def leave() -> None:
    """Exit at once, because the interpreter would first tear down a thousand modules.

    By then it has joined the threads and called the other exit handlers.
    """
    for code in ENDED:
        try:
            for stream in (sys.stdout, sys.stderr):
                if not stream.closed:
                    stream.flush()
        except OSError:
            code = 120  # the interpreter's exit code for a failed flush
        os._exit(code)


def run(module: str) -> None:
    """Run a module as a program."""
    try:
        runpy.run_module(module, run_name="__main__", alter_sys=True)
    except SystemExit as end:
        if not isinstance(end.code, int | None):
            raise
        ENDED.append(end.code or 0)
    else:
        ENDED.append(0)


if __name__ == "__main__":
    atexit.register(leave)  # registered first, so called last
    preload()
    order = serve(socket.socket(fileno=int(sys.argv[1])))
    become(order)
    run(order["program"][2])
