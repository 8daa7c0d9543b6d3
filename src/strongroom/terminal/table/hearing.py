"""What a server tells a table: frames as they come, and what of them changes what is asked."""

from __future__ import annotations

import secrets
from typing import Final

from strongroom.contract import (
    YOU,
    Ambiguous,
    Json,
    NotLegal,
    NotUnderstood,
    Refusal,
    Seat,
    harmless,
)
from strongroom.players import Leaves
from strongroom.quoting import printable_lines
from strongroom.remote.connection import BACK, GONE, LOST, Connection
from strongroom.remote.info import Info
from strongroom.remote.seat import Gap, News, RemoteSeat
from strongroom.wire import BAD_TOKEN, NO_GAME, TAKEN, WITHDRAWN

KINDS: Final = {"NotLegal": NotLegal, "NotUnderstood": NotUnderstood, "Ambiguous": Ambiguous}
WHY: Final = ("reason", "accepted")
LONGEST_HINT: Final = 2000
"""How many characters of a hint are shown."""

CONNECTION_LOST: Final = "Connection lost. Nothing is lost; trying again …"
CONNECTION_BACK: Final = "Connected again."
GONE_WORDS: Final = {
    TAKEN: "This seat is played from somewhere else now: another terminal or page has taken over.",
    BAD_TOKEN: "The server knows no such seat: the link is wrong.",
    NO_GAME: "There is no such game on the server any more.",
    WITHDRAWN: "This game was taken back before it began.",
}
NO_MORE: Final = (NO_GAME, WITHDRAWN)
"""With these codes a game is closed that nobody can come back to."""
RESTARTS: Final = "The server starts again. Nothing is lost; this comes back by itself …"


class Interrupted(Leaves):
    """Something happened that makes another question of the one that was asked."""


class Hearing:
    """Hears what the server tells of a game, beside whatever a person is asked meanwhile."""

    def __init__(self, place: RemoteSeat, connection: Connection) -> None:
        self.place = place
        self.connection = connection
        self.news: list[News] = []
        """What has come and is not announced yet."""
        self.said: list[str] = []
        """What is to be said with it."""
        self.refusal: Refusal | None = None
        """Why the move was refused that was sent last."""
        self.changed = False
        """Whether what is asked now is not the question any more."""
        self.ended = False
        """Whether the end has been announced, after which nothing is asked for any more."""
        self.request: Json | None = None
        """What the server was asked for and has not answered."""
        self.answer: str | None = None
        """What the server answered that is no move."""
        self.refused = False
        """Whether the move that was chosen last is none."""
        self.gone: str | None = None
        """Why this seat cannot be played from here any more, if it cannot."""
        self.is_kept = True
        """Whether the server still has this game."""
        self._connected = True

    def taken(self) -> tuple[list[News], list[str], Refusal | None]:
        """What came and is to be told, which is new no more."""
        told = self.news, self.said, self.refusal
        self.news, self.said, self.refusal, self.changed = [], [], None, False
        return told

    def ask(self, request: Json) -> Json:
        """Ask the server for something; it is asked again until it is answered."""
        number = {"number": self.place.number + 1} if request["type"] in ("move", "hint") else {}
        self.request = {**request, "id": secrets.token_hex(16), **number}
        self.connection.ask(self.request)
        return self.request

    def name(self, seat: Seat) -> str:
        """What a player is called here: whoever sits here is "you"."""
        if seat is self.place.seat:
            return YOU
        name = self.place.info.name(seat)
        usual = f"Player {seat.value}"
        return usual if name is None or name.casefold() == YOU.casefold() else name

    @property
    def other(self) -> str:
        """What the opponent of whoever sits here is called."""
        assert self.place.seat is not None
        return self.name(self.place.seat.other)

    # --- what comes while somebody is asked ---

    def fileno(self) -> int:
        """What can be read from once something came."""
        return self.connection.fileno()

    def heard(self) -> str:
        """What is to be said of what came; Interrupted if what is asked now is settled."""
        said = self.take()
        if self.changed and not (self.place.is_over and self.ended):
            self.said += said
            raise Interrupted
        return "\n".join(said)

    def take(self) -> list[str]:
        """Take note of all that came; what is to be said of it."""
        return [text for frame in self.connection.take() if (text := self._heard(frame))]

    def _heard(self, frame: Json) -> str:
        try:
            return self._understood(frame)
        except Gap:
            self.connection.again()
        except Refusal as refusal:
            self.gone, self.changed = str(refusal), True
        return ""

    def _understood(self, frame: Json) -> str:
        match frame.get("type"):
            case "welcome":
                waited = self.place.view is None
                self._came(self.place.welcome(frame), waited and self.place.view is not None)
            case "entries":
                number = self._number
                news = self.place.entries(frame)
                if self._is_answer(frame.get("made")) and not self._awaits("hint"):
                    self.request, self.changed = None, True
                self._came(news, self._number != number or self.place.is_over)
                return self._hints_told(news)
            case "refused":
                self._refused(frame)
            case "error":
                return self._troubled(frame)
            case "hint":
                if self._is_answer(frame.get("id")):
                    self.request, self.answer = None, _hint(frame)
            case "game":
                return self._changed_info(frame)
            case "closing":
                return RESTARTS if frame.get("why") == "restart" else ""
            case str() as kind if kind in (LOST, BACK, GONE):
                return self._connection_told(frame)
        return ""

    @property
    def _number(self) -> int | None:
        return None if self.place.view is None else self.place.view.number

    def _came(self, news: News, changed: bool) -> None:
        self.news.append(news)
        if changed or news.moments or news.missed:
            self.changed = True

    def _is_answer(self, id: object) -> bool:
        return self.request is not None and self.request["id"] == id

    def _awaits(self, kind: str) -> bool:
        return self.request is not None and self.request["type"] == kind

    def _hints_told(self, news: News) -> str:
        others = [seat for seat in news.hints if seat is not self.place.seat]
        return "\n".join(f"{self.name(seat)} took a hint." for seat in others)

    def _refused(self, frame: Json) -> None:
        if not self._is_answer(frame.get("id")):
            return
        kind = KINDS.get(str(frame.get("kind")), Refusal)
        reason, accepted = (harmless(str(frame.get(each) or ""), 500) for each in WHY)
        self.request, self.refused, self.changed = None, True, True
        self.refusal = kind(reason, accepted)

    def _troubled(self, frame: Json) -> str:
        """What to say of an error; one that is stale is mended by what follows it."""
        code, text = frame.get("code"), harmless(str(frame.get("text") or ""), 500)
        if code in ("slow-down", "unavailable"):
            return "" if frame.get("id") else text
        if not self._is_answer(frame.get("id")):
            return ""
        assert self.request is not None
        kind = self.request["type"]
        self.request = None
        if kind in ("hint", "claim"):
            self.answer = text
            return ""
        self.changed = True
        if code == "stale":
            return ""
        self.refused = True
        return text

    def _changed_info(self, frame: Json) -> str:
        before, self.place.info = self.place.info, Info.from_json(frame.get("game"))
        told = []
        for seat in Seat if not self.place.is_over else ():
            was, now = before.chairs[seat.index], self.place.info.chairs[seat.index]
            if seat is self.place.seat or was is None or now is None or was.here == now.here:
                continue
            told.append(self._away_or_back(self.name(seat), now.here))
        asked = self.place.info.rematch not in (None, before.rematch)
        if asked and self.place.is_over and self.place.seat is not None:
            told = [f"{self.other} wants a rematch."]
        return "\n".join(told)

    def _away_or_back(self, name: str, here: bool) -> str:
        if here:
            return f"{name} is back."
        if self.place.seat is None or self.place.is_over:
            return f"{name} is away."
        seconds = self.place.info.claim_after
        return f"{name} is away. After {seconds:g} seconds you may type claim to be given the game."

    def _connection_told(self, frame: Json) -> str:
        match frame["type"]:
            case kind if kind == GONE:
                self.gone = why_gone(frame)
                self.is_kept, self.changed = frame["code"] not in NO_MORE, True
            case kind if kind == LOST and self._connected:
                self._connected = False
                if self.place.clock is not None:
                    self.place.clock = self.place.clock.stopped()
                return CONNECTION_LOST
            case kind if kind == BACK and not self._connected:
                self._connected = True
                return CONNECTION_BACK
        return ""


def why_gone(frame: Json) -> str:
    """Why a connection ended for good, in words."""
    return str(frame.get("why") or GONE_WORDS[frame["code"]])


def _hint(frame: Json) -> str:
    return printable_lines(str(frame.get("text") or "")[:LONGEST_HINT])
