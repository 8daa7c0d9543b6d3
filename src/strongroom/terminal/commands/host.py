"""`strongroom host`: makes a game on a server, says how to join it, and plays."""

from __future__ import annotations

import argparse
import re
from typing import Any

from strongroom import registry
from strongroom.terminal.arguments import (
    GAME,
    Commands,
    add_faces,
    add_settings,
    add_strict,
    command,
    named_game,
    typed_game,
)
from strongroom.terminal.commands.join import add_name, play, typed_name
from strongroom.terminal.exits import EXIT_CODES

WORDS = """\
examples:
  strongroom host safe-code --server https://duels.example       invite a friend
  strongroom host quantum-duel --server https://duels.example --vs lobby
  strongroom host safe-cracker --server http://127.0.0.1:8000 --vs expert
  strongroom host safe-cracker --server https://duels.example --clock 5+3

Make a game on a server (strongroom serve starts one), print the link for the
other player, alone on a line, and play.
"""
LINK, LOBBY = "link", "lobby"
CLOCK = re.compile(r"(\d{1,3}(?:\.\d{1,3})?)(?:\+(\d{1,3}(?:\.\d{1,3})?))?")


def add(commands: Commands) -> None:
    """Add the command to the command line."""
    parser = command(commands, "host", WORDS)
    parser.epilog = EXIT_CODES
    parser.add_argument("game", metavar="GAME", nargs="?", help=GAME)
    parser.add_argument("--server", metavar="URL", help="the server's address; remembered")
    others = [LINK, LOBBY, *registry.names("player")]
    parser.add_argument(
        "--vs",
        choices=others,
        default=LINK,
        metavar="WHO",
        help="who plays against you: whoever has the link, anyone in the lobby, or a bot: "
        + ", ".join(others),
    )
    parser.add_argument(
        "--seat", choices=("1", "2", "toss"), default="1", help="where you sit; 1 moves first"
    )
    parser.add_argument(
        "--clock", metavar="M+S", help="M minutes each, and S seconds more a move, like 5+3"
    )
    parser.add_argument(
        "--aids",
        action=argparse.BooleanOptionalAction,
        default=True,
        help="let both see what is left to reckon with",
    )
    parser.add_argument(
        "--watch", action=argparse.BooleanOptionalAction, default=True, help="let others look on"
    )
    parser.add_argument("--qr", action="store_true", help="draw the link as a QR code, too")
    add_name(parser)
    add_settings(parser)
    add_faces(parser)
    add_strict(parser)
    parser.set_defaults(run=run)


def run(chosen: argparse.Namespace) -> int:
    """Make the game and play."""
    import secrets

    from strongroom.remote import api
    from strongroom.remote.connection import check_installed
    from strongroom.remote.info import seated
    from strongroom.remote.link import Kind, Link
    from strongroom.terminal.store.seats import KeptSeat, keep
    from strongroom.terminal.waiting import said_if_slow

    game = typed_game(named_game(chosen.game), chosen.set)
    base = _server(chosen.server)
    check_installed()
    token = secrets.token_hex(16)
    invitation = secrets.token_hex(16) if chosen.vs == LINK else None
    wanted: dict[str, Any] = {
        "game": game.name,
        "options": game.options.to_json(),
        "aids": chosen.aids,
        "watch": chosen.watch,
        "clock": _clock(chosen.clock),
        "opponent": chosen.vs,
        "seat": chosen.seat,
        "name": typed_name(chosen.name),
        "token": token,
    }
    if invitation is not None:
        wanted["invitation"] = invitation
    with said_if_slow(f"Waiting for {base} to answer …"):
        info, _ = seated(api.patiently(lambda: api.create(base, wanted)))
    link = Link(base, Kind.PLAY, info.id, token)
    shared = "" if invitation is None else str(Link(base, Kind.JOIN, info.id, invitation))
    kept = KeptSeat(link, title=game.words.title, invitation=shared)
    keep(kept)
    return play(link, info, kept, chosen)


def _server(typed: str | None) -> str:
    """The server that is meant: as typed now, or the last one."""
    from strongroom.contract import Refusal
    from strongroom.remote.link import SERVER, address
    from strongroom.terminal.preferences import remember, remembered

    known = remembered().get("server")
    if typed is None and not isinstance(known, str):
        raise Refusal("Name a server: --server URL.", SERVER)
    base = address(typed if typed is not None else str(known))
    if typed is not None:
        remember(server=base)
    return base


def _clock(typed: str | None) -> dict[str, float] | None:
    from strongroom.contract import Refusal, shown

    if typed is None:
        return None
    found = CLOCK.fullmatch(typed.strip())
    if found is None:
        raise Refusal(f"{shown(typed)} is no clock.", "Like: --clock 5+3 or --clock 10")
    return {"minutes": float(found[1]), "increment": float(found[2] or 0)}
