"""The command `strongroom`: parses its arguments and runs the requested command.

Only the requested command is imported, so that `--help` and `games` start quickly.
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys
from collections.abc import Container
from importlib import import_module

from strongroom.plugins.foreign import FAILURES, Stops, failure_text
from strongroom.terminal.arguments import COMMANDS, Command, Parser, add_command
from strongroom.terminal.exits import EXIT_CODES, FAILED, FINISHED, INTERRUPTED, USAGE, Ended
from strongroom.terminal.printing import fit, paste
from strongroom.text.quoting import harmless
from strongroom.version import __version__

DESCRIPTION = """\
examples:
  strongroom                                set a game up on one page, then play
  strongroom play quantum-duel              two people at this keyboard
  strongroom play safe-cracker --vs master  you against a bot
  strongroom join 'LINK'                    a game on a server
  strongroom puzzle                         the puzzle of the day
  strongroom rules safe-code                the rules of a game
  strongroom resume                         the unfinished game you played last
  strongroom list                           the saved games

Two-player duels of codes and nerve, perfectly refereed.
"""


def main(arguments: list[str] | None = None) -> int:
    """Run the command line and return its exit code."""
    _harden_streams()
    code = FINISHED
    try:
        code = _run(arguments)
        if arguments is None:
            # The process is about to end, and a second Ctrl-C asks for nothing more.
            signal.signal(signal.SIGINT, signal.SIG_IGN)
        sys.stdout.flush()
    except OSError as error:
        # The output cannot be written: the pipe is closed, or the disk is full.
        if not isinstance(error, BrokenPipeError):
            _complain(f"{error.strerror or error}.")
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return code or FAILED
    except Stops as stopped:
        _complain(str(stopped))
        return FAILED
    except FAILURES as failure:
        if isinstance(failure.__context__, BrokenPipeError):  # rich turns it into a SystemExit
            return FAILED
        # A bug here or in an added package; in development mode, show the whole traceback.
        if sys.flags.dev_mode:
            raise
        _complain(
            f"Something broke: {failure_text(failure)}. What was played is saved: strongroom list"
        )
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
            code = import_module("strongroom.terminal.commands.play").run_menu()
        return code
    except KeyboardInterrupt:
        print()
        return INTERRUPTED
    except Ended as ended:
        return ended.code
    except ValueError as error:
        from strongroom.contract import Refusal  # importing it earlier would double startup time

        if not isinstance(error, Refusal):
            raise
        _complain(str(error))
        return USAGE


def _complain(trouble: str) -> None:
    with contextlib.suppress(OSError):
        told = fit(f"strongroom: {paste(harmless(trouble, 1000))}", sys.stderr)
        print(told, file=sys.stderr, flush=True)


def _harden_streams() -> None:
    """Make sure that neither odd bytes nor closed streams cause a traceback."""
    sys.stdout = sys.stdout or os.fdopen(os.open(os.devnull, os.O_WRONLY), "w")
    sys.stderr = sys.stderr or os.fdopen(os.open(os.devnull, os.O_WRONLY), "w")
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="replace")


def build_parser(asked: Container[str] = COMMANDS) -> Parser:
    """The command line, with arguments for the commands in `asked` and only names for the rest."""
    parser = Parser(prog="strongroom", description=DESCRIPTION, epilog=EXIT_CODES)
    parser.add_argument("--version", action="version", version=f"strongroom {__version__}")
    parser.set_defaults(whole=build_parser)
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", parser_class=Command)
    for name in COMMANDS:
        if name in asked:
            module = import_module(f"strongroom.terminal.commands.{COMMANDS[name][0]}")
            named = name.replace("-", "_")
            added = add_command(commands, name, getattr(module, f"{named.upper()}_HELP"))
            getattr(module, f"define_{named}")(added)
            added.set_defaults(run=getattr(module, f"run_{named}"))
        else:
            add_command(commands, name)
    return parser
