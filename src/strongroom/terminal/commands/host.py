"""`strongroom host`: makes a game on a server, says how to join it, and plays."""

from __future__ import annotations

import argparse
import re
from typing import Any

from strongroom.terminal.arguments import (
    PlayerNames,
    add_aids,
    add_faces,
    add_game,
    add_opponent,
    add_settings,
    add_strict,
    named_game,
    typed_game,
)
from strongroom.terminal.commands.join import add_name, play, typed_name
from strongroom.terminal.exits import EXIT_CODES, INPUT_ENDED

WORDS = """\
examples:
  strongroom host safe-code --server https://duels.example       invite a friend
  strongroom host quantum-duel --server https://duels.example --vs lobby
  strongroom host safe-cracker --server http://127.0.0.1:8000 --vs expert
  strongroom host safe-cracker --server https://duels.example --clock 5+3

Create a game on a server (strongroom serve starts one), print the link for your
opponent on a line of its own, and play.
"""
LINK, LOBBY = "link", "lobby"
CLOCK = re.compile(r"(\d{1,3}(?:\.\d{1,3})?)(?:\+(\d{1,3}(?:\.\d{1,3})?))?")


def add(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments to its parser."""
    parser.epilog = EXIT_CODES
    add_game(parser)
    parser.add_argument("--server", metavar="URL", help="the server's address; remembered")
    who = "whoever has the link, anyone in the lobby, or a bot: "
    add_opponent(parser, who, "WHO", PlayerNames(LINK, LOBBY, schemes=False))
    parser.add_argument(
        "--clock", metavar="M+S", help="M minutes each, plus S seconds per move, like 5+3"
    )
    add_aids(parser, "hints and a notebook for both players; by default only against a bot")
    parser.add_argument(
        "--watch", action=argparse.BooleanOptionalAction, default=True, help="allow spectators"
    )
    parser.add_argument("--qr", action="store_true", help="also draw the link as a QR code")
    add_name(parser)
    add_settings(parser)
    add_faces(parser)
    add_strict(parser)


def run(chosen: argparse.Namespace) -> int:
    """Create the game and play it."""
    import secrets

    from strongroom.remote import api
    from strongroom.remote.connection import check_installed
    from strongroom.remote.link import Link, LinkKind
    from strongroom.remote.seat import seated
    from strongroom.terminal.lines import InputEnded
    from strongroom.terminal.store.seats import KeptSeat, keep
    from strongroom.terminal.waiting import said_if_slow

    game = typed_game(named_game(chosen.game), chosen.set)
    base = _server(chosen.server)
    check_installed()
    if chosen.qr:
        check_installed("A QR code", "segno")
    try:
        name = typed_name(chosen.name)
    except InputEnded:
        return INPUT_ENDED
    token = secrets.token_hex(16)
    invitation = secrets.token_hex(16) if chosen.vs == LINK else None
    wanted: dict[str, Any] = {
        "game": game.name,
        "options": game.options.to_json(),
        "watch": chosen.watch,
        "clock": _clock(chosen.clock),
        "opponent": chosen.vs,
        "seat": chosen.seat,
        "name": name,
        "token": token,
    }
    if chosen.aids is not None:
        wanted["aids"] = chosen.aids
    if invitation is not None:
        wanted["invitation"] = invitation
    with said_if_slow(base):
        info, _ = seated(api.patiently(lambda: api.create(base, wanted)))
    link = Link(base, LinkKind.PLAY, info.id, token)
    shared = "" if invitation is None else str(Link(base, LinkKind.JOIN, info.id, invitation))
    kept = KeptSeat(link, title=game.words.title, invitation=shared)
    keep(kept)
    return play(link, info, kept, chosen)


def _server(typed: str | None) -> str:
    """The server to use: as typed, or the last one."""
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
        raise Refusal(f"{shown(typed)} is not a clock.", "For example: --clock 5+3 or --clock 10")
    return {"minutes": float(found[1]), "increment": float(found[2] or 0)}
