"""The user's seats in network games, stored so that none is lost when the terminal closes.

They are JSON objects, one per line, in a private file: anyone who has such a line can play for that
seat. The last line about a seat counts.
"""

from __future__ import annotations

import contextlib
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any

from strongroom.contract import Refusal
from strongroom.contract.codec import from_json
from strongroom.referee.randomness import Token
from strongroom.remote.link import Link, LinkKind
from strongroom.terminal.store import files
from strongroom.terminal.store.files import CannotSave, games_folder


def _read_own_link(data: Any, _: object) -> Link:
    link = Link.parse(str(data))
    if link.kind is not LinkKind.PLAY:
        raise Refusal("This is not the link of a seat.")
    return link


@dataclass(frozen=True)
class KeptSeat:
    """A seat in a game on a server, with the data that must outlive the terminal."""

    link: Annotated[Link, _read_own_link]
    """The seat's own link, which must stay private."""
    title: str = ""
    """The title of the game."""
    joined: Token | None = None
    """The invitation with which it was joined, if any."""
    invitation: str = ""
    """The link for the other player, if any."""
    over: bool = False
    """Whether the game is over."""
    hash: str = ""
    """The hash of its seed that the server first published."""
    seed: Token | None = None
    """This seat's seed for the coins."""
    commitments: dict[int, str] = field(default_factory=dict)
    secrets: dict[int, str] = field(default_factory=dict)


def save_seat(seat: KeptSeat) -> None:
    """Save a seat as it is now; if it cannot be written, it is lost with the terminal."""
    with contextlib.suppress(OSError, Refusal):
        file = _file()
        files.make_folders(file.parent)
        files.append_json(file, {**vars(seat), "link": str(seat.link)})


def load_seats() -> list[KeptSeat]:
    """The saved seats, latest first; invalid lines are skipped."""
    seats: dict[Link, KeptSeat] = {}
    with contextlib.suppress(CannotSave):
        for data in files.read_json(_file()):
            with contextlib.suppress(Refusal, RecursionError):
                seat = from_json(KeptSeat, data)
                seats.pop(seat.link, None)
                seats[seat.link] = seat
    return list(reversed(seats.values()))


def unfinished_seats() -> list[KeptSeat]:
    """The seats whose games are not known to be over, latest first."""
    return [seat for seat in load_seats() if not seat.over]


def _file() -> Path:
    return games_folder().with_name("seats")
