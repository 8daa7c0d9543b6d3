"""`strongroom serve` and `strongroom mcp`: the games for browsers, terminals and models."""

from __future__ import annotations

import argparse
import os
import signal
import sys
from importlib.util import find_spec
from typing import TYPE_CHECKING, Final, NoReturn
from urllib.parse import urlsplit

from strongroom.plugins.registry import find_entry
from strongroom.terminal.arguments import add_number, add_option, parse_port, parse_positive, refuse
from strongroom.terminal.exits import FINISHED
from strongroom.terminal.printing import program

if TYPE_CHECKING:
    import socket

    from strongroom.contract import Json
    from strongroom.referee.record import Record

USUAL_PORT: Final = 8000
SERVE_HELP = """\
examples:
  strongroom serve                                 play at the address it prints
  strongroom serve --host 0.0.0.0                  open to the whole network
  strongroom serve --database postgresql:///duels  many processes, one database
  strongroom serve --behind-proxy                  a proxy in front speaks https
  strongroom serve --origin https://other.example  let another page connect
  strongroom serve --bot engine:./mybot            a program of yours plays, too

Serve the games on the network: a page for browsers, and the server that
strongroom host and strongroom join need. Games are stored in a file or in
PostgreSQL. Ctrl-C or SIGTERM stops the server within 10 seconds; nothing that
was played is lost. /metrics requires the token in the environment variable
STRONGROOM_METRICS_TOKEN.
"""


def define_serve(parser: argparse.ArgumentParser) -> None:
    """Define the arguments of `strongroom serve`."""
    usual = "; default: %(default)s"
    host = f"the address to listen on, 0.0.0.0 for all{usual}"
    add_option(parser, "--host ADDRESS", host, "127.0.0.1")
    add_option(
        parser, "--port N", f"the port, 0 for any free one{usual}", USUAL_PORT, type=parse_port
    )
    add_option(
        parser,
        "--database URL",
        "an SQLite file, or postgresql://USER@HOST/NAME; also set by "
        "STRONGROOM_DATABASE; default: strongroom.db",
        os.environ.get("STRONGROOM_DATABASE", "strongroom.db"),
    )
    add_option(
        parser,
        "--origin URL ...",
        "the origin of another page that may connect, like https://other.example; can be repeated",
        type=_origin,
    )
    add_option(parser, "--behind-proxy", "trust X-Forwarded-For and X-Forwarded-Proto")
    away = f"how many seconds a player may be away{usual}"
    add_option(parser, "--claim-after S", away, 120, type=parse_positive)
    add_number(parser, "--expire-days", f"how long untouched unfinished games are kept{usual}", 7)
    add_number(parser, "--keep-days", "how long finished games are kept; default: forever")
    bot = "an engine that visitors can play against, like engine:./mybot; can be repeated"
    add_option(parser, "--bot ENGINE ...", bot)
    add_option(parser, "--fast", "let bots answer at once")
    add_option(parser, "--no-limits", "lift the limits per address, for load tests")


def run_serve(chosen: argparse.Namespace) -> int:
    """Serve until a signal arrives."""
    from strongroom.plugins.extras import extra

    with extra("server", "The server"):
        from strongroom.server.run import print_addresses, serve
        from strongroom.server.settings import DAY, Limits, Settings

    def tell(here: str, *elsewhere: str) -> None:
        print_addresses(here, *elsewhere)
        if sys.stdout.isatty():
            _say_who_reaches(elsewhere[0] if elsewhere else here)

    settings = Settings(
        host=chosen.host,
        port=chosen.port,
        database=chosen.database,
        origins=tuple(chosen.origin),
        behind_proxy=chosen.behind_proxy,
        limits=Limits.none() if chosen.no_limits else Limits(),
        claim_after=float(chosen.claim_after),
        expire_after=chosen.expire_days * DAY,
        keep_records=chosen.keep_days and chosen.keep_days * DAY,
        metrics_token=os.environ.get("STRONGROOM_METRICS_TOKEN") or None,
        bots=tuple(chosen.bot),
        pace=0.0 if chosen.fast else Settings().pace,
    )
    return serve(settings, opened=tell)


def _say_who_reaches(address: str) -> None:
    """Draw the address that others can open, or say how they could."""
    from strongroom.terminal.online import draw_qr, is_own_machine

    if is_own_machine(address):
        port = urlsplit(address).port
        command = f"{program()} serve --host 0.0.0.0" + f" --port {port}" * (port != USUAL_PORT)
        print(f"Only this machine reaches it. For your network: {command}", flush=True)
    elif find_spec("segno") is not None:
        print(f"\n{draw_qr(address)}\n{address}", flush=True)


def _origin(text: str) -> str:
    """An origin as browsers send it."""
    from urllib.parse import urlsplit

    try:
        parts = urlsplit(text.strip().lower())
        host, port = parts.hostname, parts.port
    except ValueError:
        host, port = None, None
    usual = {"http": 80, "https": 443}
    rest = host and (parts.path.strip("/") or parts.query or parts.fragment or parts.username)
    if not host or rest or parts.scheme not in usual or not text.isascii() or " " in host:
        raise argparse.ArgumentTypeError(
            f"must be https://NAME or https://NAME:PORT, nothing more; you gave {text!r}"
        )
    name = f"[{host}]" if ":" in host else host
    shown_port = "" if port in (None, usual[parts.scheme]) else f":{port}"
    return f"{parts.scheme}://{name}{shown_port}"


MCP_HELP = """\
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


def define_mcp(parser: argparse.ArgumentParser) -> None:
    """Define the arguments of `strongroom mcp`."""
    add_option(parser, "--http", "serve over HTTP")
    host = f"the address to listen on, with --http; default: {HOST}"
    add_option(parser, "--host ADDRESS", host)
    add_option(
        parser, "--port N", f"the port, 0 for any free one; default: {PORT}", type=parse_port
    )
    name = "a name under which clients elsewhere reach this machine; can be repeated"
    add_option(parser, "--allow-host NAME ...", name)
    opponent = "a player beside the bots, like engine:./mybot; can be repeated"
    add_option(parser, "--opponent PLAYER ...", opponent)


def run_mcp(chosen: argparse.Namespace) -> int:
    """Serve until a signal arrives or the input ends."""
    if not chosen.http and (chosen.host or chosen.port is not None or chosen.allow_host):
        refuse("--host, --port and --allow-host are for HTTP.", "Add --http.")
    for name in chosen.opponent:
        find_entry("player", name)  # a refusal, if there is no such player
    listening = _listen(chosen.host or HOST, chosen.port) if chosen.http else None

    from strongroom.doors.mcp import make_server
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
    from strongroom.terminal.reports.analysis import report

    analysis = analyze(record)
    lines = report(analysis, WIDTH, curves=False)
    text = "\n".join(line.plain.rstrip() for line in lines).strip("\n")
    return text, analysis.to_json()["seats"]


def _listen(host: str, chosen: int | None) -> socket.socket:
    """A socket on this address; or a refusal."""
    import socket

    number = PORT if chosen is None else chosen
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, number), family=family)
    except OSError as error:
        told = f"Cannot listen on {host}:{number}: {error.strerror or error}."
        refuse(told, "Try another --host or --port; --port 0 takes any free one.")


def _end_at_once(number: int, frame: object) -> NoReturn:
    """End, though a thread waits for input; nothing is stored that could be lost."""
    os._exit(FINISHED)
