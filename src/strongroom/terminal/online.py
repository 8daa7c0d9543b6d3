"""A game on a server, played or watched here: how a seat is taken, kept, resumed and given back."""

from __future__ import annotations

import argparse
import contextlib
import re
import secrets
import sys
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final
from urllib.parse import urlsplit

from strongroom.contract import Refusal, quote, whole_number
from strongroom.referee.record import Sitter
from strongroom.referee.wire import WITHDRAWN
from strongroom.remote import api
from strongroom.remote.connection import check_installed
from strongroom.remote.link import SERVER, Link, LinkKind, address
from strongroom.remote.seat import GameInfo, read_seat
from strongroom.terminal.arguments import chosen_looks, chosen_words, named_game, typed_game
from strongroom.terminal.exits import FINISHED, INPUT_ENDED, INTERRUPTED
from strongroom.terminal.faces import make_face
from strongroom.terminal.faces.face import print_event
from strongroom.terminal.lines import (
    NO,
    YES,
    InputEnded,
    confirms,
    is_typed,
    open_lines,
    quiet_keyboard,
)
from strongroom.terminal.printing import program, say_if_slow
from strongroom.terminal.store.preferences import recall, remember
from strongroom.terminal.store.seats import KeptSeat, load_seats, save_seat, unfinished_seats
from strongroom.terminal.table.remote import GONE_WORDS, RemoteTable
from strongroom.terminal.table.series import Series, aids_text, open_face

LINK: Final = "link"
"""The opponent is whoever has the link."""
GUEST: Final = "Guest"
"""The name of a player who gives none."""
CLOCK: Final = re.compile(r"(\d{1,3}(?:\.\d{1,3})?)(?:\+(\d{1,3}(?:\.\d{1,3})?))?")
QUIET_ZONE: Final = 2
"""The width of the quiet zone in modules; a wider one would not fit a terminal of 24 rows."""
MOST_BYTES: Final = 271
"""The most bytes: the capacity of version 10, because larger symbols outgrow a terminal."""


def join_game(chosen: argparse.Namespace) -> int:
    """Take a seat, come back to one, or watch; return the exit code."""
    check_installed()
    number = 1 if chosen.link is None else whole_number(chosen.link)
    if number is not None:
        return _enter(_seat_at(number), chosen)
    link = Link.parse(_typed_link() if chosen.link == "-" else chosen.link)
    if link.kind is LinkKind.JOIN:
        seat = _take_seat(link, chosen.name)
        return FINISHED if seat is None else _enter(seat, chosen)
    own = (seat for seat in load_seats() if seat.link == link)
    return _enter(next(own, KeptSeat(link)) if link.kind is LinkKind.PLAY else link, chosen)


def host_game(chosen: argparse.Namespace) -> int:
    """Create a game, invite an opponent, and play; return the exit code."""
    game = typed_game(named_game(chosen.game), chosen.set)
    base = _server(chosen.server)
    check_installed()
    if chosen.qr:
        check_installed("A QR code", "segno")
    try:
        name = _typed_name(chosen.name)
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
    with say_if_slow(base):
        info, _ = read_seat(api.patiently(lambda: api.create(base, wanted)))
    link = Link(base, LinkKind.PLAY, info.id, token)
    shared = "" if invitation is None else str(Link(base, LinkKind.JOIN, info.id, invitation))
    kept = KeptSeat(link, title=game.words.title, invitation=shared)
    save_seat(kept)
    return _play(link, info, kept, chosen)


def _enter(place: KeptSeat | Link, chosen: argparse.Namespace) -> int:
    """Play in a seat, or watch."""
    link, kept = (place, None) if isinstance(place, Link) else (place.link, place)
    try:
        with say_if_slow(link.base):
            info = GameInfo.from_json(api.info(link).get("game"))
        if info.state == "withdrawn":
            raise api.Declined(info.state, GONE_WORDS[WITHDRAWN])
    except api.Declined as declined:
        if kept is not None and declined.code in ("unknown-game", "withdrawn"):
            save_seat(replace(kept, over=True))  # it cannot be resumed
        raise
    return _play(link, info, kept, chosen)


def _play(link: Link, info: GameInfo, kept: KeptSeat | None, chosen: argparse.Namespace) -> int:
    """Play or watch a game from its current state."""
    words, looks = chosen_words(info.game, chosen.words), chosen_looks(chosen)
    try:
        face = open_face(words, replace(looks, aids=info.aids))
        table = RemoteTable(face, link, info, kept, chosen.strict)
        table.open()
        if kept is not None and None in table.place.info.seats:
            with quiet_keyboard():  # before the page is drawn, so that the link can be copied
                _invite(kept.invitation, chosen)
                table.wait_for_the_other()
    except (KeyboardInterrupt, InputEnded) as leaving:
        if kept is not None and not _take_back(kept):
            make_face(words, replace(looks, plain=True)).left(f"{program()} join")
        return INTERRUPTED if isinstance(leaving, KeyboardInterrupt) else INPUT_ENDED
    series = Series(table)
    code = series.play()
    if (left := series.table.kept) and not left.over and series.table.place.view is None:
        _take_back(left)
    return code


def _take_back(kept: KeptSeat) -> bool:
    """Offer to withdraw a game that has not begun, but not to a script; whether it is withdrawn."""
    try:
        asked = "\nTake the game back, so that nobody can join it? (yes/no): "
        if not (is_typed() and confirms(asked)):
            return False
        api.withdraw(kept.link)
    except KeyboardInterrupt:
        return False
    except Refusal as refusal:
        print(refusal, flush=True)
        return False
    save_seat(replace(kept, over=True))
    print("The game was taken back.", flush=True)
    return True


def _invite(invitation: str, chosen: argparse.Namespace) -> None:
    """Say how to join, and that this terminal waits."""
    if chosen.json:
        print_event("waiting", invitation=invitation)  # an empty one: anyone in the lobby may join
        return
    if invitation:
        print(f"Send this link to your opponent:\n\n{invitation}\n", flush=True)
        if getattr(chosen, "qr", False):
            print(draw_qr(invitation), flush=True)
            print(f"\n{invitation}\n", flush=True)  # the QR code may have scrolled it out of view
        if is_own_machine(invitation):
            told = (
                "It works on this machine only: for others, start the server with --host 0.0.0.0."
            )
            print(f"{told}\n")
    told = "Waiting for your opponent to open it" if invitation else "Waiting for an opponent"
    print(f"{told} (Ctrl-C leaves, or takes the game back) …", flush=True)


def is_own_machine(address: str) -> bool:
    """Whether an address leads to this machine from nowhere else."""
    host = urlsplit(address).hostname or ""
    return host in ("localhost", "::1") or host.startswith("127.")


def draw_qr(text: str) -> str:
    """A text as a QR code, dark on light whatever the terminal's colours."""
    import segno

    data = text.encode()
    if len(data) > MOST_BYTES:
        raise Refusal(f"A QR code here has at most {MOST_BYTES} bytes.")
    symbol = segno.make_qr(data, error="l", mode="byte", boost_error=False)
    rows = [bytes(row) for row in symbol.matrix_iter(border=QUIET_ZONE)]
    rows.append(bytes(len(rows)))  # symbols have an odd number of rows
    signs = {(0, 0): " ", (1, 0): "▀", (0, 1): "▄", (1, 1): "█"}
    lines = (
        "".join(signs[pair] for pair in zip(*rows[at : at + 2], strict=True))
        for at in range(0, len(rows), 2)
    )
    return "\n".join(f"\x1b[30;107m{line}\x1b[0m" for line in lines)


# --- taking a seat ---


def _take_seat(link: Link, name: str | None) -> KeptSeat | None:
    """The seat that an invitation gives, saved before the request: a lost answer cannot lose it.

    It is None if the person does not agree to the terms of the game.
    """
    for seat in load_seats():
        if (seat.link.base, seat.link.game, seat.joined) == (link.base, link.game, link.token):
            return seat
    try:
        info = _agree(link)
        if info is None:
            return None
        own_name = _typed_name(name, [each.name for each in info.sitters if each])
    except InputEnded:
        return None
    token = secrets.token_hex(16)
    seat = KeptSeat(Link(link.base, LinkKind.PLAY, link.game, token), joined=link.token)
    save_seat(seat)
    try:
        with say_if_slow(link.base):
            api.patiently(lambda: api.join(link, own_name, token))
    except api.Declined:
        save_seat(replace(seat, over=True))
        raise
    return seat


def _agree(link: Link) -> GameInfo | None:
    """The game, after saying whether it has hints and a notebook; None if that is not agreed to.

    A person is asked before a game that has them, a script is not.
    """
    with say_if_slow(link.base):
        info = GameInfo.from_json(api.patiently(lambda: api.info(link)).get("game"))
    if None not in info.seats:
        return info  # the server will say that nobody can join it
    terms = aids_text(info.aids, info.sitters)
    print(f"{info.game.title}. {terms}.", file=sys.stderr, flush=True)
    if not info.aids or not is_typed():
        return info
    lines, typed = open_lines(), ""
    with contextlib.suppress(InputEnded):
        while typed not in (*YES, *NO):
            typed = lines.read("Join it? (yes/no): ").strip().lower()
    if typed not in YES:
        print("Not joined. The link stays valid.", file=sys.stderr, flush=True)
    return info if typed in YES else None


def _typed_name(typed: str | None, taken: Sequence[str] = ()) -> str:
    """The player's name: as typed or, at a keyboard, as asked for; the usual one is the last.

    On one machine, the last name is often the host's: what is filled in is never taken.
    """
    others = {each.casefold() for each in taken}
    known = [GUEST, f"{GUEST} 2"]
    with contextlib.suppress(Refusal, LookupError, TypeError):
        known.insert(0, Sitter(recall()["name"]).name)
    usual = next(each for each in known if each.casefold() not in others)
    if typed is None and not is_typed():
        return usual
    name = "" if typed is None else Sitter(typed).name
    while not name:
        asked = open_lines().read(f"Your name, which your opponent sees (Enter: {usual}): ")
        try:
            name = Sitter(asked.strip() or usual).name
            if name.casefold() in others:
                told = f"The other player is called {quote(name)} too."
                name = ""
                raise Refusal(told, "Choose another name.")
        except Refusal as refusal:
            print(refusal, file=sys.stderr, flush=True)
    if name not in (GUEST, f"{GUEST} 2"):
        remember(name=name)
    return name


def _typed_link() -> str:
    """The link on the first line of standard input; it is not echoed."""
    try:
        return open_lines(echo=False).read("Link: ", unseen=True)
    except InputEnded:
        raise Refusal("Standard input contains no link.") from None


def _seat_at(number: int) -> KeptSeat:
    """The seat of an unfinished game, by its number in `strongroom list`; 1 is the latest."""
    seats = unfinished_seats()
    if not seats:
        raise Refusal(
            "You have no unfinished game on a server.",
            "Join one: strongroom join 'LINK'; create one: strongroom host GAME --server URL",
        )
    if not 1 <= number <= len(seats):
        raise Refusal(f"You have no game {number} on a server.", "List them: strongroom list")
    seat = seats[number - 1]
    told = f"Resuming {seat.title or 'a game'} at {seat.link.base}."
    print(told, file=sys.stderr, flush=True)
    return seat


def _server(typed: str | None) -> str:
    """The server to use: as typed, or the last one."""
    known = recall().get("server")
    if typed is None and not isinstance(known, str):
        raise Refusal("Name a server: --server URL.", SERVER)
    base = address(typed if typed is not None else str(known))
    if typed is not None:
        remember(server=base)
    return base


def _clock(typed: str | None) -> dict[str, float] | None:
    if typed is None:
        return None
    found = CLOCK.fullmatch(typed.strip())
    if found is None:
        raise Refusal(f"{quote(typed)} is not a clock.", "For example: --clock 5+3 or --clock 10")
    return {"minutes": float(found[1]), "increment": float(found[2] or 0)}
