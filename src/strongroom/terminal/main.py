"""The command `strongroom`: reads its arguments and hands over to the command that is asked for.

Only the command that is asked for is imported, so that `--help` and `games` are there at once.
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys
from collections.abc import Container
from importlib import import_module

from strongroom.foreign import FAILURES, told
from strongroom.quoting import harmless
from strongroom.terminal.arguments import COMMANDS, Parser, command, command_line
from strongroom.terminal.exits import FAILED, FINISHED, INTERRUPTED, USAGE
from strongroom.terminal.signs import fitted
from strongroom.version import __version__

WORDS = """\
examples:
  strongroom                                a menu, then play
  strongroom play quantum-duel              two people at this keyboard
  strongroom play safe-cracker --vs master  you against a bot
  strongroom join 'LINK'                    a game on a server
  strongroom rules safe-code                how a game goes
  strongroom resume                         the unfinished game last played
  strongroom list                           the saved games

Five two-player duels of codes and nerve, perfectly refereed.
"""


def main(arguments: list[str] | None = None) -> int:
    """Run the command line and give its exit code."""
    _harden_streams()
    code = FINISHED
    try:
        code = _run(arguments)
        if (
            arguments is None
        ):  # the process ends here, and whoever presses Ctrl-C twice means no more
            signal.signal(signal.SIGINT, signal.SIG_IGN)
        sys.stdout.flush()
    except OSError as error:
        # The output has nowhere to go: its reader has left, or the disk is full.
        if not isinstance(error, BrokenPipeError):
            _complain(f"{error.strerror or error}.")
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return code or FAILED
    except FAILURES as failure:
        if isinstance(failure.__context__, BrokenPipeError):  # rich makes a SystemExit of it
            return FAILED
        # A fault of ours, or of a package that was added; who looks for it wants all of it.
        if sys.flags.dev_mode:
            raise
        _complain(f"Something broke: {told(failure)}. What was played is saved: strongroom list")
        return FAILED
    return code


def _run(typed: list[str] | None) -> int:
    arguments = sys.argv[1:] if typed is None else typed
    asked = [each for each in arguments if each in COMMANDS][:1]
    try:
        try:
            chosen = build_parser(asked or ()).parse(arguments)
        except SystemExit as finished:  # argparse has printed help or an error
            return int(finished.code or 0)
        if hasattr(chosen, "run"):
            code: int = chosen.run(chosen)
        else:
            code = import_module("strongroom.terminal.commands.menu").run()
        return code
    except KeyboardInterrupt:
        print()
        return INTERRUPTED
    except ValueError as error:
        from strongroom.contract import Refusal  # whose import would double the start

        if not isinstance(error, Refusal):
            raise
        _complain(str(error))
        return USAGE


def _complain(trouble: str) -> None:
    with contextlib.suppress(OSError):
        told = fitted(f"strongroom: {harmless(trouble, 1000)}", sys.stderr)
        print(told, file=sys.stderr, flush=True)


def _harden_streams() -> None:
    """Let no strange byte in or out, and no closed stream, become a traceback."""
    sys.stdout = sys.stdout or os.fdopen(os.open(os.devnull, os.O_WRONLY), "w")
    sys.stderr = sys.stderr or os.fdopen(os.open(os.devnull, os.O_WRONLY), "w")
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="replace")


def build_parser(asked: Container[str] = COMMANDS) -> Parser:
    """The command line with the arguments of the commands asked for; of the others, the names."""
    parser = command_line(WORDS)
    parser.add_argument("--version", action="version", version=f"strongroom {__version__}")
    parser.set_defaults(whole=build_parser)
    commands = parser.add_subparsers(title="commands", metavar="COMMAND")
    for name in COMMANDS:
        if name in asked:
            import_module(f"strongroom.terminal.commands.{name}").add(commands)
        else:
            command(commands, name)
    return parser
