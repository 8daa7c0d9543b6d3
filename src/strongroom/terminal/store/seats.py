"""The seats that this person has in network games, kept so that a closed terminal loses none.

One JSON object a line in a private file: who has such a line can play for that seat. The last line
about a seat counts.
"""

from __future__ import annotations

import contextlib
import json
import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from strongroom.contract import Json, Refusal
from strongroom.remote.link import Kind, Link
from strongroom.terminal import files
from strongroom.terminal.store.folder import folder
from strongroom.tokens import is_token

READ: Final = 2**20
"""How many bytes of the file are read, from its end."""


@dataclass(frozen=True)
class KeptSeat:
    """A seat in a game on a server, and what has to outlive the terminal."""

    link: Link
    """The seat's own link, which nobody else should have."""
    title: str = ""
    """What is played."""
    joined: str | None = None
    """The invitation by which it was joined, if it was."""
    invitation: str = ""
    """The link that was made for the other player, if one was."""
    over: bool = False
    """Whether the game has ended."""
    hash: str = ""
    """What the server first published of its seed."""
    seed: str | None = None
    """What this seat gave for the coins."""
    commitments: dict[int, str] = field(default_factory=dict)
    secrets: dict[int, str] = field(default_factory=dict)

    def to_json(self) -> Json:
        """The seat as JSON data."""
        return {**vars(self), "link": str(self.link)}

    @classmethod
    def from_json(cls, data: Any) -> KeptSeat:
        """The seat whose `to_json` gave this data, or a refusal."""
        try:
            seat = cls(
                Link.parse(data["link"]),
                str(data["title"]),
                data["joined"],
                str(data["invitation"]),
                bool(data["over"]),
                str(data["hash"]),
                data["seed"],
                _by_number(data["commitments"]),
                _by_number(data["secrets"]),
            )
        except (LookupError, TypeError, ValueError, AttributeError):
            raise Refusal("This is no seat.") from None
        if seat.link.kind is not Kind.PLAY or not all(map(_is_token, (seat.joined, seat.seed))):
            raise Refusal("This is no seat.")
        return seat


def _by_number(data: Any) -> dict[int, str]:
    return {int(number): str(text) for number, text in data.items()}


def _is_token(text: Any) -> bool:
    return text is None or is_token(text)


def keep(seat: KeptSeat) -> None:
    """Keep a seat as it is now; where nothing can be written, it is forgotten with the terminal."""
    with contextlib.suppress(OSError, Refusal):
        file = _file()
        files.make_folders(file.parent)
        handle = files.open_plain(file, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
        try:
            files.make_private(handle)
            os.write(handle, f"\n{json.dumps(seat.to_json())}\n".encode())
        finally:
            os.close(handle)


def kept() -> list[KeptSeat]:
    """The seats that were kept, the latest first; rubbish among them is left out."""
    seats: dict[Link, KeptSeat] = {}
    for line in _lines():
        with contextlib.suppress(ValueError, RecursionError):
            seat = KeptSeat.from_json(json.loads(line))
            seats.pop(seat.link, None)
            seats[seat.link] = seat
    return list(reversed(seats.values()))


def unfinished() -> list[KeptSeat]:
    """Those of them whose games go on, as far as is known here; the latest is first."""
    return [seat for seat in kept() if not seat.over]


def _file() -> Path:
    return folder().with_name("seats")


def _lines() -> list[bytes]:
    try:
        handle = files.open_plain(_file(), os.O_RDONLY)
    except (OSError, Refusal):
        return []
    try:
        begin = max(0, os.fstat(handle).st_size - READ)
        return os.pread(handle, READ, begin).splitlines()
    except OSError:
        return []
    finally:
        os.close(handle)
