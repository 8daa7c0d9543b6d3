"""`strongroom serve`: the games for browsers and terminals anywhere."""

from __future__ import annotations

import argparse
import os

from strongroom.terminal.arguments import Commands, command, positive

WORDS = """\
examples:
  strongroom serve                                 play at the address it prints
  strongroom serve --host 0.0.0.0                  for everybody who can reach it
  strongroom serve --database postgresql:///duels  as many processes as you like
  strongroom serve --behind-proxy                  a proxy speaks https for it
  strongroom serve --origin https://other.example  that page may connect too

Serve the games on the network: a page for browsers, and what strongroom host
and strongroom join need. What is played is kept in a file, or in PostgreSQL.
Ctrl-C or SIGTERM ends it within 10 seconds; nothing that was played is lost.
/metrics needs the token that is in the variable STRONGROOM_METRICS_TOKEN.
"""
DAY = 86400


def add(commands: Commands) -> None:
    """Add the command to the command line."""
    parser = command(commands, "serve", WORDS)
    parser.add_argument(
        "--host",
        default="127.0.0.1",
        metavar="ADDRESS",
        help="where to listen, 0.0.0.0 is everywhere; usually %(default)s",
    )
    parser.add_argument(
        "--port",
        type=_port,
        default=8000,
        metavar="N",
        help="0 is any that is free; usually %(default)s",
    )
    parser.add_argument(
        "--database",
        default=os.environ.get("STRONGROOM_DATABASE", "strongroom.db"),
        metavar="URL",
        help="a file for SQLite, or postgresql://USER@HOST/NAME; also the variable "
        "STRONGROOM_DATABASE; usually strongroom.db",
    )
    parser.add_argument(
        "--origin",
        type=_origin,
        action="append",
        default=[],
        metavar="URL",
        help="the origin of another page that may connect, like https://other.example; "
        "can be given again",
    )
    parser.add_argument(
        "--behind-proxy", action="store_true", help="believe X-Forwarded-For and -Proto"
    )
    parser.add_argument(
        "--claim-after",
        type=positive,
        default=120,
        metavar="S",
        help="how many seconds away is too long; usually %(default)s",
    )
    parser.add_argument(
        "--expire-days",
        type=positive,
        default=7,
        metavar="N",
        help="how long unfinished games are kept that nobody touches; usually %(default)s",
    )
    parser.add_argument(
        "--keep-days",
        type=positive,
        metavar="N",
        help="how long finished games are kept; usually for ever",
    )
    parser.add_argument("--fast", action="store_true", help="bots answer at once")
    parser.add_argument(
        "--no-limits", action="store_true", help="let one address do everything: for load tests"
    )
    parser.set_defaults(run=run)


def run(chosen: argparse.Namespace) -> int:
    """Serve until a signal comes."""
    from strongroom.contract import Refusal

    try:
        from strongroom.server.run import serve
        from strongroom.server.settings import Limits, Settings
    except ModuleNotFoundError as missing:
        hint = "pip install 'strongroom[server]', or in a clone: make setup"
        raise Refusal(f"The server needs more: {missing.name} is missing.", hint) from None
    return serve(
        Settings(
            host=chosen.host,
            port=chosen.port,
            database=chosen.database,
            origins=tuple(chosen.origin),
            behind_proxy=chosen.behind_proxy,
            limits=Limits.none() if chosen.no_limits else Limits(),
            claim_after=float(chosen.claim_after),
            expire_after=float(chosen.expire_days * DAY),
            keep_records=chosen.keep_days and float(chosen.keep_days * DAY),
            metrics_token=os.environ.get("STRONGROOM_METRICS_TOKEN") or None,
            pace=0.0 if chosen.fast else Settings().pace,
        )
    )


def _port(text: str) -> int:
    if not text.isascii() or not text.isdigit() or int(text) > 65535:
        raise argparse.ArgumentTypeError("a port is a number from 0 to 65535")
    return int(text)


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
            f"an origin is https://NAME or https://NAME:PORT and no more; you gave {text!r}"
        )
    name = f"[{host}]" if ":" in host else host
    shown_port = "" if port in (None, usual[parts.scheme]) else f":{port}"
    return f"{parts.scheme}://{name}{shown_port}"
