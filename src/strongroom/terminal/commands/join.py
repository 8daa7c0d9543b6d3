"""`strongroom join`: a game on a server, played or watched on this terminal."""

from __future__ import annotations

import argparse
import contextlib
import sys
from typing import TYPE_CHECKING

from strongroom.terminal.arguments import add_faces, add_strict, chosen_looks, chosen_words
from strongroom.terminal.exits import EXIT_CODES, FINISHED, INPUT_ENDED, INTERRUPTED

if TYPE_CHECKING:
    from strongroom.remote.info import GameInfo
    from strongroom.remote.link import Link
    from strongroom.terminal.store.seats import KeptSeat
    from strongroom.terminal.table.remote_sitting import RemoteSitting

WORDS = """\
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


GUEST = "Guest"
"""The name of a player who gives none."""


def add(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments to its parser."""
    parser.epilog = EXIT_CODES
    parser.add_argument(
        "link",
        metavar="LINK",
        nargs="?",
        help="the link you were sent, - to be asked for it, or a game's number in "
        "strongroom list; by default your last game",
    )
    add_name(parser)
    add_faces(parser)
    add_strict(parser)


def add_name(parser: argparse.ArgumentParser) -> None:
    """Add the option for the name that the other player sees."""
    parser.add_argument(
        "--name",
        metavar="NAME",
        help="the name your opponent sees; remembered, and asked for at a keyboard",
    )


def run(chosen: argparse.Namespace) -> int:
    """Play or watch the game."""
    from strongroom.contract import whole_number
    from strongroom.remote.connection import check_installed
    from strongroom.remote.link import Link, LinkKind
    from strongroom.terminal.store.seats import KeptSeat, kept

    check_installed()
    number = 1 if chosen.link is None else whole_number(chosen.link)
    if number is not None:
        return enter(_numbered(number), chosen)
    link = Link.parse(_typed_link() if chosen.link == "-" else chosen.link)
    if link.kind is LinkKind.JOIN:
        seat = _joined(link, chosen.name)
        return FINISHED if seat is None else enter(seat, chosen)
    own = (seat for seat in kept() if seat.link == link)
    return enter(next(own, KeptSeat(link)) if link.kind is LinkKind.PLAY else link, chosen)


def enter(place: KeptSeat | Link, chosen: argparse.Namespace) -> int:
    """Play in a seat, or watch; returns the exit code."""
    from dataclasses import replace

    from strongroom.referee.wire import WITHDRAWN
    from strongroom.remote import api
    from strongroom.remote.info import GameInfo
    from strongroom.remote.link import Link
    from strongroom.terminal.store.seats import keep
    from strongroom.terminal.table.remote_inbox import GONE_WORDS
    from strongroom.terminal.waiting import said_if_slow

    link, kept = (place, None) if isinstance(place, Link) else (place.link, place)
    try:
        with said_if_slow(link.base):
            info = GameInfo.from_json(api.info(link).get("game"))
        if info.state == "withdrawn":
            raise api.Declined(info.state, GONE_WORDS[WITHDRAWN])
    except api.Declined as declined:
        if kept is not None and declined.code in ("unknown-game", "withdrawn"):
            keep(replace(kept, over=True))  # it cannot be resumed
        raise
    return play(link, info, kept, chosen)


def play(link: Link, info: GameInfo, kept: KeptSeat | None, chosen: argparse.Namespace) -> int:
    """Play or watch a game from its current state; returns the exit code."""
    from dataclasses import replace

    from strongroom.terminal.faces import make_face
    from strongroom.terminal.lines import InputEnded
    from strongroom.terminal.table.remote_sitting import RemoteSitting
    from strongroom.terminal.table.sitting import program

    words, looks = chosen_words(info.game, chosen.words), chosen_looks(chosen)
    try:
        sitting = RemoteSitting(link, info, kept, words, looks, chosen.strict)
        if kept is not None and None in sitting.place.info.seats:
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
    """Offer to withdraw a game that has not begun, but not to a script; whether it is withdrawn."""
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
    print("The game was taken back.", flush=True)
    return True


def wait_outside(sitting: RemoteSitting, chosen: argparse.Namespace) -> None:
    """Wait for the other player before the page is drawn, so that the link can be copied."""
    from strongroom.terminal.lines import quiet_keyboard

    with quiet_keyboard():
        _invite(sitting, chosen)
        sitting.wait_for_the_other()


def _invite(sitting: RemoteSitting, chosen: argparse.Namespace) -> None:
    """Say how to join, and that this terminal waits."""
    invitation = sitting.kept.invitation if sitting.kept else ""
    if chosen.json:
        sitting.tell_invitation(invitation)
    elif invitation:
        print(f"Send this link to your opponent:\n\n{invitation}\n", flush=True)
        if getattr(chosen, "qr", False):
            from strongroom.terminal.qr import drawn

            print(drawn(invitation), flush=True)
            print(f"\n{invitation}\n", flush=True)  # the QR code may have scrolled it out of view
    if not chosen.json:
        told = "Waiting for your opponent to open it" if invitation else "Waiting for an opponent"
        print(f"{told} (Ctrl-C leaves, or takes the game back) …", flush=True)


def typed_name(typed: str | None) -> str:
    """The player's name: as typed or, at a keyboard, as asked for; the usual one is the last."""
    from strongroom.contract import Refusal
    from strongroom.referee.record import Sitter
    from strongroom.terminal.lines import is_typed, open_lines
    from strongroom.terminal.preferences import remember, remembered

    usual = GUEST
    with contextlib.suppress(Refusal, LookupError, TypeError):
        usual = Sitter(remembered()["name"]).name
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


def _joined(link: Link, name: str | None) -> KeptSeat | None:
    """The seat that an invitation gives, saved before the request: a lost answer cannot lose it.

    It is None if the person does not agree to the terms of the game.
    """
    import secrets
    from dataclasses import replace

    from strongroom.remote import api
    from strongroom.remote.link import Link, LinkKind
    from strongroom.terminal.lines import InputEnded
    from strongroom.terminal.store.seats import KeptSeat, keep, kept
    from strongroom.terminal.waiting import said_if_slow

    for seat in kept():
        if (seat.link.base, seat.link.game, seat.joined) == (link.base, link.game, link.token):
            return seat
    try:
        if not _agreed(link):
            return None
        own_name = typed_name(name)
    except InputEnded:
        return None
    token = secrets.token_hex(16)
    seat = KeptSeat(Link(link.base, LinkKind.PLAY, link.game, token), joined=link.token)
    keep(seat)
    try:
        with said_if_slow(link.base):
            api.patiently(lambda: api.join(link, own_name, token))
    except api.Declined:
        keep(replace(seat, over=True))
        raise
    return seat


def _agreed(link: Link) -> bool:
    """Say whether there are hints and a notebook; whoever joins agrees to them.

    A person is asked before a game that has them, a script is not.
    """
    from strongroom.remote import api
    from strongroom.remote.info import GameInfo
    from strongroom.terminal.faces.face import NO, YES
    from strongroom.terminal.lines import InputEnded, is_typed, open_lines
    from strongroom.terminal.table.sitting import aids_told
    from strongroom.terminal.waiting import said_if_slow

    with said_if_slow(link.base):
        info = GameInfo.from_json(api.patiently(lambda: api.info(link)).get("game"))
    if None not in info.seats:
        return True  # the server will say that nobody can join it
    terms = aids_told(info.aids, info.sitters)
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
    from strongroom.contract import Refusal
    from strongroom.terminal.lines import InputEnded, open_lines

    try:
        return open_lines(echo=False).read("Link: ", unseen=True)
    except InputEnded:
        raise Refusal("Standard input contains no link.") from None


def _numbered(number: int) -> KeptSeat:
    """The seat of an unfinished game, by its number in `strongroom list`; 1 is the latest."""
    from strongroom.contract import Refusal
    from strongroom.terminal.store.seats import unfinished

    seats = unfinished()
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
