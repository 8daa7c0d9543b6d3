"""`strongroom mcp`: the games for whatever speaks the Model Context Protocol."""

from __future__ import (annotations)
from strongroom.terminal.exits import (FINISHED)
from strongroom.terminal.numbers import (port)
from typing import (NoReturn, TYPE_CHECKING)
import argparse
import os
import signal
import sys

if TYPE_CHECKING:
    import socket

    from strongroom.contract import Json
    from strongroom.referee.record import Record

WORDS = """\
examples:
  strongroom mcp                            for a client that starts this itself
  strongroom mcp --http                     for clients on this machine
  strongroom mcp --http --port 9000
  strongroom mcp --opponent engine:./mybot  clients can play your program, too

Serve the games over the Model Context Protocol: a language model's client plays
against the bots, watches them, reads the rules and reviews finished games. By
default it reads requests from its input and writes answers to its output;
--http serves many clients at http://127.0.0.1:8001/mcp. Games are kept in
memory. Ctrl-C, SIGTERM or the end of the input stops it.
"""

HOST, PORT = "127.0.0.1", 8001
"""Where it listens unless told otherwise."""
WIDTH = 110
"""How many characters a line of a review has at most."""


def add(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments to its parser."""
    parser.add_argument("--http", action="store_true", help="serve over HTTP")
    parser.add_argument(
        "--host",
        metavar="ADDRESS",
        help=f"the address to listen on, with --http; default: {HOST}",
    )
    parser.add_argument(
        "--port",
        type=port,
        metavar="N",
        help=f"the port, 0 for any free one; default: {PORT}",
    )
    parser.add_argument(
        "--allow-host",
        action="append",
        default=[],
        metavar="NAME",
        help="a name under which clients elsewhere reach this machine; can be repeated",
    )
    parser.add_argument(
        "--opponent",
        action="append",
        default=[],
        metavar="PLAYER",
        help="a player beside the bots, like engine:./mybot; can be repeated",
    )


def run(chosen: argparse.Namespace) -> int:
    """Serve until a signal arrives or the input ends."""
    from strongroom.contract import Refusal
    from strongroom.plugins.registry import find_entry

    if not chosen.http and (chosen.host or chosen.port is not None or chosen.allow_host):
        raise Refusal("--host, --port and --allow-host are for HTTP.", "Add --http.")
    for name in chosen.opponent:
        find_entry("player", name)  # a refusal, if there is no such player
    listening = _listening(chosen.host or HOST, chosen.port) if chosen.http else None

    from strongroom.doors.mcp import make_server  # slow to import
    from strongroom.doors.mcp_http import PATH, serve_http

    server = make_server(judge, chosen.opponent)
    if listening is None:
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, _end_at_once)
        if sys.stdin.isatty():
            print("Waiting for a client's requests; Ctrl-C ends it.", file=sys.stderr)
        server.run()
        return FINISHED
    host, number = listening.getsockname()[:2]
    shown = f"[{host}]" if ":" in host else host
    print(f"strongroom speaks MCP at http://{shown}:{number}{PATH}", flush=True)
    serve_http(server, listening, [shown, *chosen.allow_host])
    return FINISHED


def judge(record: Record) -> tuple[str, list[Json]]:
    """What each move cost, as `strongroom analyze` tells it without its curves, and figures."""
    from strongroom.accounts.analysis import analyze
    from strongroom.terminal.faces.analysis import report

    analysis = analyze(record)
    lines = report(analysis, WIDTH, curves=False)
    text = "\n".join(line.plain.rstrip() for line in lines).strip("\n")
    return text, analysis.to_json()["seats"]


def _listening(host: str, chosen: int | None) -> socket.socket:
    """A socket on this address; or a refusal."""
    import socket

    from strongroom.contract import Refusal

    number = PORT if chosen is None else chosen
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, number), family=family)
    except OSError as error:
        told = f"Cannot listen on {host}:{number}: {error.strerror or error}."
        raise Refusal(told, "Try another --host or --port; --port 0 takes any free one.") from None


def _end_at_once(number: int, frame: object) -> NoReturn:
    """End, though a thread waits for input; nothing is stored that could be lost."""
    os._exit(FINISHED)
