"""`strongroom serve`: the games for browsers and terminals anywhere."""

from __future__ import annotations

import argparse
import os

from strongroom.terminal.arguments import add_number
from strongroom.terminal.numbers import port, positive

WORDS = """\
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


def add(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments to its parser."""
    parser.add_argument(
        "--host",
        default="127.0.0.1",
        metavar="ADDRESS",
        help="the address to listen on, 0.0.0.0 for all; default: %(default)s",
    )
    parser.add_argument(
        "--port",
        type=port,
        default=8000,
        metavar="N",
        help="the port, 0 for any free one; default: %(default)s",
    )
    parser.add_argument(
        "--database",
        default=os.environ.get("STRONGROOM_DATABASE", "strongroom.db"),
        metavar="URL",
        help="an SQLite file, or postgresql://USER@HOST/NAME; also set by "
        "STRONGROOM_DATABASE; default: strongroom.db",
    )
    parser.add_argument(
        "--origin",
        type=_origin,
        action="append",
        default=[],
        metavar="URL",
        help="the origin of another page that may connect, like https://other.example; "
        "can be repeated",
    )
    parser.add_argument(
        "--behind-proxy", action="store_true", help="trust X-Forwarded-For and X-Forwarded-Proto"
    )
    parser.add_argument(
        "--claim-after",
        type=positive,
        default=120,
        metavar="S",
        help="how many seconds a player may be away; default: %(default)s",
    )
    untouched = "how long untouched unfinished games are kept; default: %(default)s"
    add_number(parser, "--expire-days", untouched, 7)
    add_number(parser, "--keep-days", "how long finished games are kept; default: forever")
    parser.add_argument(
        "--bot",
        action="append",
        default=[],
        metavar="ENGINE",
        help="an engine that visitors can play against, like engine:./mybot; can be repeated",
    )
    parser.add_argument("--fast", action="store_true", help="let bots answer at once")
    parser.add_argument(
        "--no-limits", action="store_true", help="lift the limits per address, for load tests"
    )


def run(chosen: argparse.Namespace) -> int:
    """Serve until a signal arrives."""
    from strongroom.plugins.extras import extra

    with extra("server", "The server"):
        from strongroom.server.run import serve
        from strongroom.server.settings import DAY, Limits, Settings
    return serve(
        Settings(
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
    )


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
