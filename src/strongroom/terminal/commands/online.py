"""`strongroom host` and `strongroom join`: a game on a server, played or watched here."""

from __future__ import annotations

import argparse
import contextlib
import re
import sys
from typing import TYPE_CHECKING, Any, Final

from strongroom.terminal.arguments import (
    PlayerNames,
    add_faces,
    add_game,
    add_opponent,
    add_option,
    add_settings,
    chosen_looks,
    chosen_words,
    named_game,
    refuse,
    typed_game,
)
from strongroom.terminal.exits import EXIT_CODES, FINISHED, INPUT_ENDED, INTERRUPTED
from strongroom.terminal.printing import say_if_slow
from strongroom.text.quoting import shown

if TYPE_CHECKING:
    from strongroom.remote.link import Link
    from strongroom.remote.seat import GameInfo
    from strongroom.terminal.store.seats import KeptSeat
    from strongroom.terminal.table.remote import RemoteSitting

QUIET_ZONE: Final = 2
"""The width of the quiet zone in modules; a wider one would not fit a terminal of 24 rows."""
MOST_BYTES: Final = 271
"""The most bytes: the capacity of version 10, because larger symbols outgrow a terminal."""


def draw_qr(text: str) -> str:
    """A text as a QR code, dark on light whatever the terminal's colours."""
    import segno

    data = text.encode()
    if len(data) > MOST_BYTES:
        refuse(f"A QR code here has at most {MOST_BYTES} bytes.")
    symbol = segno.make_qr(data, error="l", mode="byte", boost_error=False)
    rows = [bytes(row) for row in symbol.matrix_iter(border=QUIET_ZONE)]
    rows.append(bytes(len(rows)))  # symbols have an odd number of rows
    signs = {(0, 0): " ", (1, 0): "▀", (0, 1): "▄", (1, 1): "█"}
    lines = (
        "".join(signs[pair] for pair in zip(*rows[at : at + 2], strict=True))
        for at in range(0, len(rows), 2)
    )
    return "\n".join(f"\x1b[30;107m{line}\x1b[0m" for line in lines)


JOIN_HELP = """\
examples:
  strongroom join 'https://duels.example/#join/…/…'   play against the sender
  strongroom join 'https://duels.example/#watch/…'    watch
  strongroom join 'https://duels.example/#play/…/…'   return to your own seat
  strongroom join                                     resume your last game
  strongroom join 2                                   the second in the list
  strongroom join -                                   ask for the link

Play a game on a server. A lost connection loses nothing: the server has every
move, and your seat is kept here until the game is over. With -, the link is the
first line of standard input, so it appears neither in the process list nor in
the history of the shell.
"""


NAME_HELP = "the name your opponent sees; remembered, and asked for at a keyboard"
GUEST = "Guest"
"""The name of a player who gives none."""


def define_join(parser: argparse.ArgumentParser) -> None:
    """Define the arguments of `strongroom join`."""
    parser.epilog = EXIT_CODES
    parser.add_argument(
        "link",
        metavar="LINK",
        nargs="?",
        help="the link you were sent, - to be asked for it, or a game's number in "
        "strongroom list; by default your last game",
    )
    add_option(parser, "--name NAME", NAME_HELP)
    add_faces(parser)


def run_join(chosen: argparse.Namespace) -> int:
    """Play or watch the game."""
    from strongroom.contract import whole_number
    from strongroom.remote.connection import check_installed
    from strongroom.remote.link import Link, LinkKind
    from strongroom.terminal.store.seats import KeptSeat, load_seats

    check_installed()
    number = 1 if chosen.link is None else whole_number(chosen.link)
    if number is not None:
        return enter(_seat_at(number), chosen)
    link = Link.parse(_typed_link() if chosen.link == "-" else chosen.link)
    if link.kind is LinkKind.JOIN:
        seat = _join(link, chosen.name)
        return FINISHED if seat is None else enter(seat, chosen)
    own = (seat for seat in load_seats() if seat.link == link)
    return enter(next(own, KeptSeat(link)) if link.kind is LinkKind.PLAY else link, chosen)


def enter(place: KeptSeat | Link, chosen: argparse.Namespace) -> int:
    """Play in a seat, or watch; returns the exit code."""
    from dataclasses import replace

    from strongroom.referee.wire import WITHDRAWN
    from strongroom.remote import api
    from strongroom.remote.link import Link
    from strongroom.remote.seat import GameInfo
    from strongroom.terminal.store.seats import save_seat
    from strongroom.terminal.table.inbox import GONE_WORDS

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
    return play(link, info, kept, chosen)


def play(link: Link, info: GameInfo, kept: KeptSeat | None, chosen: argparse.Namespace) -> int:
    """Play or watch a game from its current state; returns the exit code."""
    from dataclasses import replace

    from strongroom.terminal.faces import make_face
    from strongroom.terminal.lines import InputEnded, quiet_keyboard
    from strongroom.terminal.table.remote import RemoteSitting
    from strongroom.terminal.table.sitting import program

    words, looks = chosen_words(info.game, chosen.words), chosen_looks(chosen)
    try:
        sitting = RemoteSitting(link, info, kept, words, looks, chosen.strict)
        if kept is not None and None in sitting.place.info.seats:
            with quiet_keyboard():  # before the page is drawn, so that the link can be copied
                _invite(sitting, chosen)
                sitting.wait_for_the_other()
    except (KeyboardInterrupt, InputEnded) as leaving:
        if kept is not None and not _take_back(kept):
            make_face(words, replace(looks, plain=True)).left(f"{program()} join")
        return INTERRUPTED if isinstance(leaving, KeyboardInterrupt) else INPUT_ENDED
    code = sitting.play()
    if sitting.kept is not None and not sitting.kept.over and sitting.place.view is None:
        _take_back(sitting.kept)
    return code


def _take_back(kept: KeptSeat) -> bool:
    """Offer to withdraw a game that has not begun, but not to a script; whether it is withdrawn."""
    from dataclasses import replace

    from strongroom.contract import Refusal
    from strongroom.remote import api
    from strongroom.terminal.lines import confirms, is_typed
    from strongroom.terminal.store.seats import save_seat

    if not is_typed():
        return False
    try:
        if not confirms("\nTake the game back, so that nobody can join it? (yes/no): "):
            return False
    except KeyboardInterrupt:
        return False
    try:
        api.withdraw(kept.link)
    except Refusal as refusal:
        print(refusal, flush=True)
        return False
    save_seat(replace(kept, over=True))
    print("The game was taken back.", flush=True)
    return True


def _invite(sitting: RemoteSitting, chosen: argparse.Namespace) -> None:
    """Say how to join, and that this terminal waits."""
    from strongroom.terminal.faces.face import print_event

    invitation = sitting.kept.invitation if sitting.kept else ""
    if chosen.json:
        print_event("waiting", invitation=invitation)  # an empty one: anyone in the lobby may join
    elif invitation:
        print(f"Send this link to your opponent:\n\n{invitation}\n", flush=True)
        if getattr(chosen, "qr", False):
            print(draw_qr(invitation), flush=True)
            print(f"\n{invitation}\n", flush=True)  # the QR code may have scrolled it out of view
    if not chosen.json:
        told = "Waiting for your opponent to open it" if invitation else "Waiting for an opponent"
        print(f"{told} (Ctrl-C leaves, or takes the game back) …", flush=True)


def typed_name(typed: str | None) -> str:
    """The player's name: as typed or, at a keyboard, as asked for; the usual one is the last."""
    from strongroom.contract import Refusal
    from strongroom.referee.record import Sitter
    from strongroom.terminal.lines import is_typed, open_lines
    from strongroom.terminal.store.preferences import recall, remember

    usual = GUEST
    with contextlib.suppress(Refusal, LookupError, TypeError):
        usual = Sitter(recall()["name"]).name
    if typed is None and not is_typed():
        return usual
    name = "" if typed is None else Sitter(typed).name
    while not name:
        asked = open_lines().read(f"Your name, which your opponent sees (Enter: {usual}): ")
        try:
            name = Sitter(asked.strip() or usual).name
        except Refusal as refusal:
            print(refusal, file=sys.stderr, flush=True)
    if name != GUEST:
        remember(name=name)
    return name


def _join(link: Link, name: str | None) -> KeptSeat | None:
    """The seat that an invitation gives, saved before the request: a lost answer cannot lose it.

    It is None if the person does not agree to the terms of the game.
    """
    import secrets
    from dataclasses import replace

    from strongroom.remote import api
    from strongroom.remote.link import Link, LinkKind
    from strongroom.terminal.lines import InputEnded
    from strongroom.terminal.store.seats import KeptSeat, load_seats, save_seat

    for seat in load_seats():
        if (seat.link.base, seat.link.game, seat.joined) == (link.base, link.game, link.token):
            return seat
    try:
        if not _agree(link):
            return None
        own_name = typed_name(name)
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


def _agree(link: Link) -> bool:
    """Say whether there are hints and a notebook; whoever joins agrees to them.

    A person is asked before a game that has them, a script is not.
    """
    from strongroom.remote import api
    from strongroom.remote.seat import GameInfo
    from strongroom.terminal.lines import NO, YES, InputEnded, is_typed, open_lines
    from strongroom.terminal.table.sitting import aids_text

    with say_if_slow(link.base):
        info = GameInfo.from_json(api.patiently(lambda: api.info(link)).get("game"))
    if None not in info.seats:
        return True  # the server will say that nobody can join it
    terms = aids_text(info.aids, info.sitters)
    print(f"{info.game.title}. {terms}.", file=sys.stderr, flush=True)
    if not info.aids or not is_typed():
        return True
    lines, typed = open_lines(), ""
    try:
        while typed not in (*YES, *NO):
            typed = lines.read("Join it? (yes/no): ").strip().lower()
    except InputEnded:
        pass
    if typed not in YES:
        print("Not joined. The link stays valid.", file=sys.stderr, flush=True)
    return typed in YES


def _typed_link() -> str:
    """The link on the first line of standard input; it is not echoed."""
    from strongroom.terminal.lines import InputEnded, open_lines

    try:
        return open_lines(echo=False).read("Link: ", unseen=True)
    except InputEnded:
        refuse("Standard input contains no link.")


def _seat_at(number: int) -> KeptSeat:
    """The seat of an unfinished game, by its number in `strongroom list`; 1 is the latest."""
    from strongroom.terminal.store.seats import unfinished_seats

    seats = unfinished_seats()
    if not seats:
        refuse(
            "You have no unfinished game on a server.",
            "Join one: strongroom join 'LINK'; create one: strongroom host GAME --server URL",
        )
    if not 1 <= number <= len(seats):
        refuse(f"You have no game {number} on a server.", "List them: strongroom list")
    seat = seats[number - 1]
    told = f"Resuming {seat.title or 'a game'} at {seat.link.base}."
    print(told, file=sys.stderr, flush=True)
    return seat


HOST_HELP = """\
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


def define_host(parser: argparse.ArgumentParser) -> None:
    """Define the arguments of `strongroom host`."""
    parser.epilog = EXIT_CODES
    add_game(parser)
    add_option(parser, "--server URL", "the server's address; remembered")
    who = "whoever has the link, anyone in the lobby, or a bot: "
    add_opponent(parser, who, "WHO", PlayerNames(LINK, LOBBY, schemes=False))
    add_option(parser, "--clock M+S", "M minutes each, plus S seconds per move, like 5+3")
    aids = "hints and a notebook for both players; by default only against a bot"
    add_option(parser, "--[no-]aids", aids)
    add_option(parser, "--[no-]watch", "allow spectators", True)
    add_option(parser, "--qr", "also draw the link as a QR code")
    add_option(parser, "--name NAME", NAME_HELP)
    add_settings(parser)
    add_faces(parser)


def run_host(chosen: argparse.Namespace) -> int:
    """Create the game and play it."""
    import secrets

    from strongroom.remote import api
    from strongroom.remote.connection import check_installed
    from strongroom.remote.link import Link, LinkKind
    from strongroom.remote.seat import seated
    from strongroom.terminal.lines import InputEnded
    from strongroom.terminal.store.seats import KeptSeat, save_seat

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
    with say_if_slow(base):
        info, _ = seated(api.patiently(lambda: api.create(base, wanted)))
    link = Link(base, LinkKind.PLAY, info.id, token)
    shared = "" if invitation is None else str(Link(base, LinkKind.JOIN, info.id, invitation))
    kept = KeptSeat(link, title=game.words.title, invitation=shared)
    save_seat(kept)
    return play(link, info, kept, chosen)


def _server(typed: str | None) -> str:
    """The server to use: as typed, or the last one."""
    from strongroom.remote.link import SERVER, address
    from strongroom.terminal.store.preferences import recall, remember

    known = recall().get("server")
    if typed is None and not isinstance(known, str):
        refuse("Name a server: --server URL.", SERVER)
    base = address(typed if typed is not None else str(known))
    if typed is not None:
        remember(server=base)
    return base


def _clock(typed: str | None) -> dict[str, float] | None:
    if typed is None:
        return None
    found = CLOCK.fullmatch(typed.strip())
    if found is None:
        refuse(f"{shown(typed)} is not a clock.", "For example: --clock 5+3 or --clock 10")
    return {"minutes": float(found[1]), "increment": float(found[2] or 0)}
