"""A server's messages to a table: frames as they arrive, and whether they change the question."""

from __future__ import annotations

import secrets
from selectors import EVENT_READ, DefaultSelector
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
from strongroom.referee.wire import BAD_TOKEN, NO_GAME, TAKEN, WITHDRAWN
from strongroom.remote.connection import BACK, GONE, LOST, RemoteConnection
from strongroom.remote.seat import GameInfo, Gap, News, RemoteSeat
from strongroom.text.quoting import printable_lines

KINDS: Final = {"NotLegal": NotLegal, "NotUnderstood": NotUnderstood, "Ambiguous": Ambiguous}
LONGEST_HINT: Final = 2000
"""The most characters of a hint that are shown."""

CONNECTION_LOST: Final = "Connection lost. Nothing is lost; reconnecting …"
GONE_WORDS: Final = {
    TAKEN: "Another terminal or page has taken over this seat.",
    BAD_TOKEN: "The server does not know this seat: the link is wrong.",
    NO_GAME: "This game no longer exists on the server.",
    WITHDRAWN: "This game was taken back before it began.",
}
NO_MORE: Final = (NO_GAME, WITHDRAWN)
"""The close codes of games that nobody can come back to."""
RESTARTS: Final = "The server is restarting. Nothing is lost; you will be reconnected …"


class Interrupted(Leaves):
    """Something happened that makes the current question obsolete."""


class RemoteInbox:
    """Receives the server's messages about a game, while a person may be at a prompt."""

    def __init__(
        self, place: RemoteSeat, connection: RemoteConnection, former: RemoteInbox | None = None
    ) -> None:
        self.place = place
        self.connection = connection
        self.former = former
        """The inbox of the game before this rematch, until both players are here."""
        self._both = DefaultSelector()
        for each in filter(None, (self, former)):
            self._both.register(each.connection, EVENT_READ)
        self.news: list[News] = []
        """What has arrived and is not announced yet."""
        self.said: list[str] = []
        """Messages to show with it."""
        self.refusal: Refusal | None = None
        """Why the last move sent was refused."""
        self.changed = False
        """Whether the current question is obsolete."""
        self.asked_ahead: int | None = None
        """The step of a question asked before its turn; steps up to it do not interrupt it."""
        self._told_turn: int | None = None
        """The step of which it was said that its turn has come."""
        self.ended = False
        """Whether the end has been announced, after which no more moves are asked for."""
        self.request: Json | None = None
        """The request that the server has not answered yet."""
        self.answer: str | None = None
        """The server's answer to a request other than a move."""
        self.refused = False
        """Whether the server rejected the last chosen move."""
        self.gone: str | None = None
        """Why this seat can no longer be played from here, or None if it can."""
        self.is_kept = True
        """Whether the server still has this game."""
        self.why_lost = ""
        """Why the connection was last lost."""
        self._connected = True

    def take_news(self) -> tuple[list[News], list[str], Refusal | None]:
        """Take what has arrived and is still to be announced."""
        told = self.news, self.said, self.refusal
        self.news, self.said, self.refusal, self.changed = [], [], None, False
        return told

    def ask(self, request: Json) -> Json:
        """Send a request to the server; it is retried until it is answered."""
        number = {"number": self.place.number + 1} if request["type"] in ("move", "hint") else {}
        self.request = {**request, "id": secrets.token_hex(16), **number}
        self.connection.ask(self.request)
        return self.request

    def name(self, seat: Seat) -> str:
        """The name of a player as shown here; the person at this terminal is "you"."""
        if seat is self.place.seat:
            return YOU
        name = self.place.info.name(seat)
        usual = f"Player {seat.value}"
        return usual if name is None or name.casefold() == YOU.casefold() else name

    @property
    def other(self) -> str:
        """The name of this player's opponent."""
        assert self.place.seat is not None
        return self.name(self.place.seat.other)

    # --- what arrives while somebody is asked ---

    def fileno(self) -> int:
        """The file descriptor that becomes readable once something arrives."""
        return self.connection.fileno() if self.former is None else self._both.fileno()

    def leave_former(self) -> None:
        """Stop listening to the game before this one."""
        former, self.former = self.former, None
        self._both.close()
        if former is not None:
            former.connection.close()

    @property
    def rematch_text(self) -> str:
        """What whoever asked for a rematch of this game reads until the opponent answers."""
        asked = f"{self.other} is asked for a rematch."
        return asked if self._is_other_here else f"{asked} {self._presence_text}"

    @property
    def _presence_text(self) -> str:
        if self._is_other_here:
            return f"{self.other} is back."
        return f"{self.other} has left, and may not answer. You can quit; your place is kept."

    @property
    def _is_other_here(self) -> bool:
        assert self.place.seat is not None
        seat = self.place.info.seats[self.place.seat.other.index]
        return seat is not None and seat.here

    def _take_presence(self) -> list[str]:
        """What to say about the opponent's going and coming since this game was over."""
        said = []
        for frame in self.connection.take():
            was_here = self._is_other_here
            if frame.get("type") == "game":
                self.place.info = GameInfo.from_json(frame.get("game"))
            if was_here != self._is_other_here:
                said.append(self._presence_text)
        return said

    def heard(self) -> str:
        """The messages to show for what arrived; Interrupted if the question is obsolete."""
        said = self.take()
        if self.is_obsolete and not (self.place.is_over and self.ended):
            self.said += said
            raise Interrupted
        if self._still_asked and self._number == self.asked_ahead != self._told_turn:
            self._told_turn = self.asked_ahead
            said.append(f"{self.other} has chosen; it is your turn.")
        return "\n".join(said)

    @property
    def is_obsolete(self) -> bool:
        """Whether the current question needs no answer any more."""
        return self.changed and not self._still_asked

    @property
    def _still_asked(self) -> bool:
        """Whether a question asked before its turn is still the next one."""
        number, goes_on = self._number, self.gone is None and not self.place.is_over
        step = self.asked_ahead
        return goes_on and step is not None and number is not None and number <= step

    def take(self) -> list[str]:
        """Process everything that has arrived; return the messages to show for it."""
        told = [] if self.former is None else self.former._take_presence()
        return told + [text for frame in self.connection.take() if (text := self._handle(frame))]

    def take_first(self) -> str:
        """Process what has arrived first; the rest is for the next call."""
        return self._handle(self.connection.take_first() or {})

    def _handle(self, frame: Json) -> str:
        try:
            return self._dispatch(frame)
        except Gap:
            self.connection.again()
        except Refusal as refusal:
            self.gone, self.changed = str(refusal), True
        return ""

    def _dispatch(self, frame: Json) -> str:
        match frame.get("type"):
            case "welcome":
                waited = self.place.view is None
                self._add_news(self.place.welcome(frame), waited and self.place.view is not None)
            case "entries":
                number = self._number
                news = self.place.entries(frame)
                if self._is_answer(frame.get("made")) and not self._awaits("hint"):
                    self.request, self.changed = None, True
                self._add_news(news, self._number != number or self.place.is_over)
                return self._hints_text(news)
            case "refused":
                self._take_refusal(frame)
            case "error":
                return self._take_error(frame)
            case "hint":
                if self._is_answer(frame.get("id")):
                    text = str(frame.get("text") or "")[:LONGEST_HINT]
                    self.request, self.answer = None, printable_lines(text)
            case "game":
                return self._take_info(frame)
            case "closing":
                return RESTARTS if frame.get("why") == "restart" else ""
            case str() as kind if kind in (LOST, BACK, GONE):
                return self._take_connection(frame)
        return ""

    @property
    def _number(self) -> int | None:
        return None if self.place.view is None else self.place.view.number

    def _add_news(self, news: News, changed: bool) -> None:
        self.news.append(news)
        if changed or news.moments or news.missed:
            self.changed = True

    def _is_answer(self, id: object) -> bool:
        return self.request is not None and self.request["id"] == id

    def _awaits(self, kind: str) -> bool:
        return self.request is not None and self.request["type"] == kind

    def _hints_text(self, news: News) -> str:
        others = [seat for seat in news.hints if seat is not self.place.seat]
        return "\n".join(f"{self.name(seat)} took a hint." for seat in others)

    def _take_refusal(self, frame: Json) -> None:
        if not self._is_answer(frame.get("id")):
            return
        kind = KINDS.get(str(frame.get("kind")), Refusal)
        why = (harmless(str(frame.get(each) or ""), 500) for each in ("reason", "accepted"))
        self.request, self.refused, self.changed = None, True, True
        self.refusal = kind(*why)

    def _take_error(self, frame: Json) -> str:
        """The message to show for an error; a stale one is resolved by the frames that follow."""
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

    def _take_info(self, frame: Json) -> str:
        before, self.place.info = self.place.info, GameInfo.from_json(frame.get("game"))
        told = []
        for seat in Seat if not self.place.is_over else ():
            was, now = before.seats[seat.index], self.place.info.seats[seat.index]
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
        return f"{name} is away. After {seconds:g} seconds you may type claim to win the game."

    def _take_connection(self, frame: Json) -> str:
        match frame["type"]:
            case kind if kind == GONE:
                self.gone = str(frame.get("why") or GONE_WORDS[frame["code"]])
                self.is_kept, self.changed = frame["code"] not in NO_MORE, True
            case kind if kind == LOST:
                self.why_lost, was_connected = frame["why"], self._connected
                self._connected = False
                if not was_connected:
                    return ""
                if self.place.clock is not None:
                    self.place.clock = self.place.clock.stopped()
                return CONNECTION_LOST
            case kind if kind == BACK and not self._connected:
                self._connected = True
                return "Reconnected."
        return ""
