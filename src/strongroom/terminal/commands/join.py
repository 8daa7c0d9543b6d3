"""`strongroom join`: a game on a server, played or watched on this terminal."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

from strongroom.terminal.arguments import (
    Commands,
    add_faces,
    add_strict,
    chosen_looks,
    chosen_words,
    command,
)
from strongroom.terminal.exits import EXIT_CODES, INPUT_ENDED, INTERRUPTED

if TYPE_CHECKING:
    from strongroom.remote.info import Info
    from strongroom.remote.link import Link
    from strongroom.terminal.store.seats import KeptSeat
    from strongroom.terminal.table.remote_sitting import RemoteSitting

WORDS = """\
examples:
  strongroom join 'https://duels.example/#join/…/…'   play with who sent it
  strongroom join 'https://duels.example/#watch/…'    look on
  strongroom join 'https://duels.example/#play/…/…'   go on in your own seat
  strongroom join                                     go on with your last one
  strongroom join 2                                   the second that list shows
  strongroom join -                                   ask for the link

Play a game on a server. A lost connection loses nothing: the server has every
move, and your seat is kept here until the game is over. With - the link is the
first line of standard input, so that no list of processes and no history of a
shell has it.
"""


def add(commands: Commands) -> None:
    """Add the command to the command line."""
    parser = command(commands, "join", WORDS)
    parser.epilog = EXIT_CODES
    parser.add_argument(
        "link",
        metavar="LINK",
        nargs="?",
        help="the link you were sent, - to be asked for it, or the number of a game in "
        "strongroom list; without it, your last game",
    )
    add_name(parser)
    add_faces(parser)
    add_strict(parser)
    parser.set_defaults(run=run)


def add_name(parser: argparse.ArgumentParser) -> None:
    """What the other player is told."""
    parser.add_argument("--name", metavar="NAME", help="what you are called there; remembered")


def run(chosen: argparse.Namespace) -> int:
    """Sit down, or look on."""
    from strongroom.contract import whole_number
    from strongroom.remote.connection import check_installed
    from strongroom.remote.link import Kind, Link

    check_installed()
    if chosen.link is None:
        return enter(_numbered(1), chosen)
    if (number := whole_number(chosen.link)) is not None:
        return enter(_numbered(number), chosen)
    link = Link.parse(_typed_link() if chosen.link == "-" else chosen.link)
    if link.kind is Kind.JOIN:
        return enter(_joined(link, chosen.name), chosen)
    return enter(_seat_of(link) if link.kind is Kind.PLAY else link, chosen)


def enter(place: KeptSeat | Link, chosen: argparse.Namespace) -> int:
    """Go to a seat, or watch; the exit code."""
    from dataclasses import replace

    from strongroom.remote import api
    from strongroom.remote.info import Info
    from strongroom.remote.link import Link
    from strongroom.terminal.store.seats import keep
    from strongroom.terminal.table.hearing import GONE_WORDS
    from strongroom.terminal.waiting import said_if_slow
    from strongroom.wire import WITHDRAWN

    link, kept = (place, None) if isinstance(place, Link) else (place.link, place)
    try:
        with said_if_slow(f"Waiting for {link.base} to answer …"):
            info = Info.from_json(api.info(link).get("game"))
        if info.state == "withdrawn":
            raise api.Declined(info.state, GONE_WORDS[WITHDRAWN])
    except api.Declined as declined:
        if kept is not None and declined.code in ("unknown-game", "withdrawn"):
            keep(replace(kept, over=True))  # nobody goes on with it
        raise
    return play(link, info, kept, chosen)


def play(link: Link, info: Info, kept: KeptSeat | None, chosen: argparse.Namespace) -> int:
    """Play or watch a game, from where it stands; the exit code."""
    from dataclasses import replace

    from strongroom.terminal.faces import make_face
    from strongroom.terminal.lines import InputEnded
    from strongroom.terminal.table.remote_sitting import RemoteSitting
    from strongroom.terminal.table.sitting import program

    words, looks = chosen_words(info.game, chosen.words), chosen_looks(chosen)
    try:
        sitting = RemoteSitting(link, info, kept, words, looks, chosen.strict)
        if kept is not None and None in sitting.place.info.chairs:
            wait_outside(sitting, chosen)
    except (KeyboardInterrupt, InputEnded) as leaving:
        if kept is not None and not _taken_back(kept):
            make_face(words, replace(looks, plain=True)).left(f"{program()} join")
        return INTERRUPTED if isinstance(leaving, KeyboardInterrupt) else INPUT_ENDED
    code = sitting.play()
    if sitting.kept is not None and not sitting.kept.over and sitting.place.view is None:
        _taken_back(sitting.kept)
    return code


def _taken_back(kept: KeptSeat) -> bool:
    """Whether somebody who leaves before the game has begun takes it back; a script does not."""
    from dataclasses import replace

    from strongroom.contract import Refusal
    from strongroom.remote import api
    from strongroom.terminal.lines import InputEnded, is_typed, open_lines
    from strongroom.terminal.store.seats import keep

    if not is_typed():
        return False
    try:
        answer = open_lines().read("\nTake the game back, so that nobody can join it? (yes/no): ")
    except (InputEnded, KeyboardInterrupt):
        return False
    if answer.strip().lower() not in ("y", "yes"):
        return False
    try:
        api.withdraw(kept.link)
    except Refusal as refusal:
        print(refusal, flush=True)
        return False
    keep(replace(kept, over=True))
    print("It is taken back.", flush=True)
    return True


def wait_outside(sitting: RemoteSitting, chosen: argparse.Namespace) -> None:
    """Wait for the other player before the page is drawn, so that the link can be copied."""
    invitation = sitting.kept.invitation if sitting.kept else ""
    if chosen.json:
        sitting.tell_invitation(invitation)
    elif invitation:
        print(f"Send this link to whom you want to play with:\n\n{invitation}\n", flush=True)
        if getattr(chosen, "qr", False):
            from strongroom.terminal.qr import drawn

            print(drawn(invitation), flush=True)
            print(f"\n{invitation}\n", flush=True)  # the code may have scrolled it away
    if not chosen.json:
        told = "Waiting for somebody to open it" if invitation else "Waiting for somebody to come"
        print(f"{told} (Ctrl-C leaves, or takes the game back) …", flush=True)
    sitting.wait_for_the_other()


def typed_name(typed: str | None) -> str:
    """What the person is called: as typed now, as remembered, or as this computer says."""
    import getpass

    from strongroom.contract import Refusal
    from strongroom.sitter import Sitter
    from strongroom.terminal.preferences import remember, remembered

    if typed is not None:
        name = Sitter(typed).name
        remember(name=name)
        return name
    for guess in (lambda: remembered()["name"], lambda: getpass.getuser().title()):
        try:
            return Sitter(guess()).name
        except (Refusal, LookupError, OSError, ImportError):
            continue
    return "Guest"


def _joined(link: Link, name: str | None) -> KeptSeat:
    """The seat that an invitation gives, kept before it is asked for: no answer can lose it."""
    import secrets
    from dataclasses import replace

    from strongroom.remote import api
    from strongroom.remote.link import Kind, Link
    from strongroom.terminal.store.seats import KeptSeat, keep, kept
    from strongroom.terminal.waiting import said_if_slow

    for seat in kept():
        if (seat.link.base, seat.link.game, seat.joined) == (link.base, link.game, link.token):
            return seat
    token = secrets.token_hex(16)
    seat = KeptSeat(Link(link.base, Kind.PLAY, link.game, token), joined=link.token)
    keep(seat)
    try:
        with said_if_slow(f"Waiting for {link.base} to answer …"):
            api.patiently(lambda: api.join(link, typed_name(name), token))
    except api.Declined:
        keep(replace(seat, over=True))
        raise
    return seat


def _typed_link() -> str:
    """The link that standard input begins with; what is typed is not seen."""
    from strongroom.contract import Refusal
    from strongroom.terminal.lines import InputEnded, open_lines

    try:
        return open_lines(echo=False).read("Link: ", unseen=True)
    except InputEnded:
        raise Refusal("Standard input has no link in it.") from None


def _seat_of(link: Link) -> KeptSeat:
    from strongroom.terminal.store.seats import KeptSeat, kept

    return next((seat for seat in kept() if seat.link == link), None) or KeptSeat(link)


def _numbered(number: int) -> KeptSeat:
    """A seat whose game is not over, by its number in `strongroom list`; 1 is the latest."""
    from strongroom.contract import Refusal
    from strongroom.terminal.store.seats import unfinished

    seats = unfinished()
    if not seats:
        raise Refusal(
            "You have no network game that is not over.",
            "Join one: strongroom join 'LINK'; make one: strongroom host GAME --server URL",
        )
    if not 1 <= number <= len(seats):
        raise Refusal(f"You have no network game {number}.", "They are shown by: strongroom list")
    seat = seats[number - 1]
    told = f"Going on with {seat.title or 'a game'} at {seat.link.base}."
    print(told, file=sys.stderr, flush=True)
    return seat
