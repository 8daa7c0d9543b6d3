"""A table on a server, which has the referee and the clock: a person here, one elsewhere."""

from __future__ import annotations

import hashlib
import secrets
import select
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from dataclasses import replace
from selectors import EVENT_READ, DefaultSelector
from typing import Final

from strongroom.contract import (
    YOU,
    Ambiguous,
    Json,
    Move,
    NotLegal,
    NotUnderstood,
    Question,
    Refusal,
    Seat,
    View,
    harmless,
    turn_of,
)
from strongroom.players import Resigns
from strongroom.referee.fairness import check
from strongroom.referee.randomness import stream
from strongroom.referee.record import Record
from strongroom.referee.wire import BAD_TOKEN, NO_GAME, TAKEN, WITHDRAWN
from strongroom.remote import api
from strongroom.remote.connection import BACK, GONE, LOST, RemoteConnection
from strongroom.remote.link import Link, LinkKind, websocket
from strongroom.remote.seat import GameInfo, Gap, News, RemoteSeat, public, read_seat
from strongroom.terminal.exits import unstoppable
from strongroom.terminal.faces.face import Face
from strongroom.terminal.lines import Leaves
from strongroom.terminal.modes import hearing_signals
from strongroom.terminal.printing import program, say_if_slow, shell_quote
from strongroom.terminal.store import games
from strongroom.terminal.store.files import CannotSave
from strongroom.terminal.store.seats import KeptSeat, save_seat, unfinished_seats
from strongroom.terminal.table.person import COMMANDS, Person
from strongroom.terminal.table.series import MatchTable, say_terms, show_terms
from strongroom.text.quoting import printable_lines

WATCHING: Final = ("help", "rules", "history", "board", "quit")
"""The commands of spectators."""
KEYS: Final = ("help", "rules", "hint", "notebook", "history", "board", "resign", "quit")
"""The commands that a player's page lists."""
AT_ONCE: Final = 0.4
"""How long an answer may take before the page says that it is waiting, in seconds."""
ANSWER_TIMEOUT: Final = 30.0
"""How long the answer to a hint or a claim may take, in seconds."""
WELCOME_TIMEOUT: Final = 30.0
"""How long a server may take, reconnects included, to say how a game stands, in seconds."""
KEPT: Final = "Kept here; it is sent as soon as it is your turn. Type again to choose another."
ON_SERVER: Final = "Every move is kept on the server; the record is saved here at the end."
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

    def hear(self) -> str:
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
            case "phrase" if frame.get("seat") in (1, 2):
                seat, text = list(Seat)[frame["seat"] - 1], harmless(str(frame.get("text")), 40)
                return "" if seat is self.place.seat else f"{self.name(seat)}: {text}"
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
                    self.place.clock = self.place.clock.stop()
                return CONNECTION_LOST
            case kind if kind == BACK and not self._connected:
                self._connected = True
                return "Reconnected."
        return ""


class RemoteTable(MatchTable):
    """One match on a server, played or watched: passes the server's messages to the face."""

    def __init__(
        self,
        face: Face,
        link: Link,
        info: GameInfo,
        kept: KeptSeat | None,
        strict: bool = False,
        former: RemoteInbox | None = None,
    ) -> None:
        self.face, self.game, self.strict = face, info.game, strict
        self.link = link
        self.kept = kept
        """The seat as it is stored; None for a spectator."""
        self.place = RemoteSeat(info)
        if kept is not None:
            known = self.place
            known.commitments, known.secrets = dict(kept.commitments), dict(kept.secrets)
            known.hash = kept.hash or known.hash
            # A new one is made only now that the server has published its hash.
            known.seed = kept.seed or secrets.token_hex(16)
            self._keep()
        self.inbox = RemoteInbox(
            self.place, RemoteConnection(websocket(link.base), self._hello), former
        )
        """The messages that arrive from the server."""
        self._person = Person(self, stream(None, "pick"))
        self._chosen: tuple[int, Move] | None = None
        """The last move chosen here, and at which step."""

    def open(self) -> None:
        """Connect, and wait until the server has said which seat this is."""
        self.inbox.connection.open()
        try:
            self._wait_for_welcome()
        except BaseException:
            self.inbox.connection.close()
            raise
        self.score = self.place.info.score

    def _hello(self) -> Json:
        own = {"token": self.link.token, "have": self.place.have, "seed": self.place.seed}
        known = {key: value for key, value in own.items() if value is not None}
        return {"type": "hello", "game": self.link.game, **known}

    def _keep(self, over: bool = False) -> None:
        if self.kept is None:
            return
        place = self.place
        self.kept = replace(
            self.kept,
            title=self.game.words.title,
            over=over,
            hash=place.hash,
            seed=place.seed,
            commitments=dict(place.commitments),
            secrets=dict(place.secrets),
        )
        save_seat(self.kept)

    def _wait_for_welcome(self) -> None:
        until = time.monotonic() + WELCOME_TIMEOUT

        def wait_for(other: int) -> None:
            left = until - time.monotonic()
            if left <= 0 or not select.select([other], [], [], left)[0]:
                why = f": {self.inbox.why_lost}" if self.inbox.why_lost else ""
                told = f"{self.link.base} did not send the state of the game{why}."
                kept = "" if self.kept is None else f" Your seat is kept: {program()} join"
                raise api.Unreachable(told, f"Try again later.{kept}")

        # A page, as it is there before a rematch, has no room for the message.
        slow = say_if_slow(self.link.base, "send the state of the game")
        with slow if self.inbox.former is None else nullcontext():
            self._wait_until(lambda: self.place.is_welcome, wait_for)

    def wait_for_the_other(self) -> None:
        """Wait, before any page is drawn, until the opponent has joined."""
        self._wait_until(lambda: self.place.view is not None, self.face.lines.wait_for)

    def _wait_until(self, done: Callable[[], bool], wait_for: Callable[[int], object]) -> None:
        told = self.inbox.former is not None
        while not done():
            wait_for(self.inbox.connection.fileno())
            # One at a time: what follows the welcome is for the page.
            said = self.inbox.take_first()
            if self.inbox.gone is not None:
                self._keep(over=not self.inbox.is_kept)
                raise Refusal(self.inbox.gone)
            if said == CONNECTION_LOST and not told:
                told = True
                print(CONNECTION_LOST, file=sys.stderr, flush=True)

    # --- a match of a series ---

    def seat(self) -> None:
        """Tell the face who plays, who is at the screen, and what was agreed."""
        seat, info = self.place.seat, self.place.info
        self._name_players()
        self.face.here = frozenset(() if seat is None else (seat,))
        show_terms(self.face, info.aids, info.sitters, KEYS if seat else WATCHING)

    def _name_players(self) -> None:
        """Show the players' names; the person at this terminal is "you"."""
        self.face.names = {seat: self.inbox.name(seat) for seat in Seat}

    def sit_down(self) -> None:
        """Say what people should know before the match."""
        self.face.forget_typed()  # nobody was asked anything before
        say_terms(self.face)

    def play(self) -> None:
        """Play or watch the match to its end."""
        self.face.lines.beside = self.inbox
        self.face.clock = self._clock
        self._wait_for_both()
        self._begin()
        while not self.place.is_over:
            try:
                self._go_on()
            except Interrupted:
                pass
            except Resigns:
                self.inbox.ask({"type": "resign"})
            self._announce()
        self.inbox.ended = True

    def _clock(self, seat: Seat) -> str:
        clock = self.place.clock
        return "" if clock is None or self.place.is_over else clock.time_text(seat)

    def _wait_for_both(self) -> None:
        seat = self.place.seat
        start = self.game.start().view(seat)
        whom = "both players" if seat is None else self.inbox.other
        question = Question("> ", "The game begins when both are here.", f"Waiting for {whom} …")
        if self.place.view is None:
            self.face.forget(public(start))
            if (former := self.inbox.former) is not None:
                self.face.write(former.rematch_text)
        while self.place.view is None:
            try:
                self._wait(start, question)
            except Interrupted:
                self.inbox.take_news()
                self._check_place()
        self.inbox.leave_former()
        self.inbox.take_news()
        self._name_players()

    def _begin(self) -> None:
        view = self._view
        begun = view.history or view.secret or view.outcome
        begin = self.face.resume if begun else self.face.begin
        seats = filter(None, self.place.info.seats)
        begin(self.public_view(), [seat.sitter.player for seat in seats])

    @property
    def _view(self) -> View:
        assert self.place.view is not None
        return self.place.view

    def public_view(self) -> View:
        """What a spectator may know."""
        return public(self._view)

    def break_off(self) -> None:
        """Say how to come back to the unfinished game."""
        self._keep(over=not self.inbox.is_kept)
        if self.inbox.gone is not None:
            self.face.note(self.inbox.gone)
        if self.inbox.is_kept:
            is_latest = any(seat.link == self.link for seat in unfinished_seats()[:1])
            link = "" if is_latest else f" {shell_quote(str(self.link))}"
            self.face.left(f"{program()} join{link}")

    def show_end(self, lines: list[str]) -> Record | None:
        """Say how the match ended, and whether its record is what was seen here; keep that."""
        if self.place.seat is not None and self.place.info.rematch is not None:
            lines.append("A rematch has been requested.")  # before this page could say by whom
        file, trouble, record = None, "", None
        try:
            text = api.patiently(lambda: api.record(self.link))
        except Refusal as refusal:
            self.face.ended(self.public_view(), lines)
            self.face.note(f"The record could not be fetched. {refusal}")
            return None
        lines.append(self._proof_text(text))
        try:
            record = Record.loads(text)
            with unstoppable():
                file = games.new_file(self.game.name)
                games.Journal.create(file, record).close()
        except CannotSave as refusal:
            file, trouble = None, f"Not saved. {refusal}"
        except Refusal:  # a record that does not fit is reported, not stored
            pass
        self.face.ended(self.public_view(), lines, file)
        if trouble:
            self.face.note(trouble)
        if record is None:
            return None
        self._keep(over=True)
        return record if self.place.seat is not None or self.face.lines.interactive else None

    def _proof_text(self, text: str) -> str:
        """A line saying whether the record is what was seen here."""
        wrong = [each.text for each in check(text, self.place.evidence) if each.ok is False]
        if wrong:
            return f"THIS RECORD IS NOT WHAT WAS PLAYED. {' '.join(wrong)}"
        secrets = "secrets, " if self.game.secrets_each else ""
        return f"Verified: {secrets}answers and coins are as promised."

    def stand_up(self) -> None:
        """Stop listening to the server, and disconnect."""
        self._leave()
        self.inbox.connection.close()

    def _leave(self) -> None:
        self.inbox.leave_former()
        self.face.lines.beside = None
        self.face.clock = lambda seat: ""

    def rematch(self) -> RemoteTable:
        """The rematch with the opponent, whoever asks for it first."""
        self._leave()
        # Derived from the old token, so that a client disconnected here finds the same seat again.
        token = hashlib.sha256(f"rematch {self.link.token}".encode()).hexdigest()[:32]
        info, _ = read_seat(api.patiently(lambda: api.rematch(self.link, token)))
        link = Link(self.link.base, LinkKind.PLAY, info.id, token)
        kept = None if self.kept is None else KeptSeat(link)
        table = RemoteTable(self.face, link, info, kept, self.strict, self.inbox)
        table.open()
        return table

    # --- playing ---

    def _go_on(self) -> None:
        """Ask, send or wait, whichever is next; Interrupted as soon as something else is."""
        view = self._view
        if self.inbox.changed:
            raise Interrupted
        if self.inbox.request is not None:
            self._listen(AT_ONCE)
            self._wait(view, Question("> ", "Your move is on its way.", "Waiting for the server …"))
        elif view.actor is not self.place.seat and self._may_choose_ahead(view):
            self._choose_ahead()
        elif view.actor is not self.place.seat:
            self._wait(self._with_kept(view), self._while_waiting(view))
        elif self._chosen is not None and self._chosen[0] == view.number:
            self._send()
        else:
            self._chosen = view.number, self._person.choose(view)
            self.inbox.take()  # nothing is heard while a script is read
            if not self.inbox.changed:
                self._send()

    # --- a secret chosen before its turn ---

    def _may_choose_ahead(self, view: View) -> bool:
        """Whether a person may choose a secret while the opponent chooses one."""
        seat = self.place.seat
        waits = seat is not None and view.actor is seat.other and view.setting_up
        return waits and not view.secret and self._chosen is None and self.face.lines.interactive

    def _choose_ahead(self) -> None:
        """Ask for the secret now; it stays here until the server asks for it."""
        assert self.place.seat is not None
        state = self.game.start()
        while isinstance(state.actor, Seat) and state.actor is not self.place.seat:
            state = state.play(state.view(state.actor).moves[0])  # whatever the opponent hides
        view = state.view(self.place.seat)
        choosing = f"{self.inbox.other} is choosing; you may choose yours already."
        self.face.write(choosing)
        self.inbox.asked_ahead = view.number
        try:
            self._chosen = view.number, self._person.choose(view)
        finally:
            self.inbox.asked_ahead = None
            self.face.retract(choosing)
        if not self.inbox.changed:
            self.face.write(KEPT)

    def _with_kept(self, view: View) -> View:
        """The view while waiting, with the secret that is kept here."""
        kept = self._kept_secret(view)
        return view if kept is None else view._replace(secret=(kept,))

    def _kept_secret(self, view: View) -> Move | None:
        """The secret that was chosen for a later step, if there is one."""
        if self._chosen is None or self._chosen[0] <= view.number:
            return None
        return self._chosen[1]

    def _while_waiting(self, view: View) -> Question:
        if self.place.seat is None:
            name = self.inbox.name(view.actor) if isinstance(view.actor, Seat) else ""
            return Question("> ", "You are watching.", turn_of(name) if name else "")
        other = self.inbox.other
        return Question("> ", f"{other} is to move.", f"Waiting for {other} …")

    def _wait(self, view: View, question: Question) -> None:
        if self.face.lines.interactive:
            self._person.waits(view, question)
        while True:  # a script's lines only answer its own questions
            if self.place.seat is None:
                with hearing_signals():
                    select.select([self.inbox], [], [])
            else:
                self.face.lines.wait_for(self.inbox.fileno())
            if said := self.inbox.hear():
                self.face.write(said)

    def _listen(self, seconds: float) -> None:
        """Give the server a moment to answer."""
        until = time.monotonic() + seconds
        while (left := until - time.monotonic()) > 0:
            if select.select([self.inbox], [], [], left)[0] and (said := self.inbox.hear()):
                self.inbox.said.append(said)

    def _send(self) -> None:
        assert self._chosen is not None
        self.face.retract(KEPT)
        self.inbox.ask({"type": "move", "move": str(self._chosen[1])})

    def _announce(self) -> None:
        """Tell the face what has arrived, in order."""
        news, said, refusal = self.inbox.take_news()
        self._name_players()
        for each in news:
            if each.missed:
                notes = self.face.words.notes(self._view, self.face.names)
                at = len(notes) - len(each.moments)
                self.face.write("\n".join(notes[max(0, at - each.missed) : at]))
            for moment in each.moments:
                self.face.happened(moment)
        for text in said:
            self.face.write(text)
        if self.inbox.refused:
            self._chosen, self.inbox.refused = None, False
        if refusal is not None:
            self._person.refused(refusal)
        self._check_place()

    def _check_place(self) -> None:
        if self.inbox.gone is not None and not self.place.is_over:
            raise Leaves  # the server no longer lets this seat be played from here

    # --- what a person at the table can ask for ---

    @property
    def commands(self) -> Sequence[str]:
        """The commands accepted at every prompt."""
        if self.place.seat is None:
            return WATCHING
        keeps = self.place.view is not None and self._kept_secret(self.place.view) is not None
        return (*COMMANDS, "claim", "again") if keeps else (*COMMANDS, "claim")

    def hint(self, view: View) -> str:
        """A hint from the server on what to play here."""
        if view.actor is not self.place.seat:
            return "You can ask for a hint on your own turn."
        return self._request({"type": "hint"})

    def save(self, name: str) -> str:
        """Say that the server keeps the record until the end."""
        return ON_SERVER

    def obey(self, command: str) -> str:
        """Claim the game from an opponent who is away, or choose another secret."""
        if command == "again":
            self._chosen = None
            raise Interrupted
        return self._request({"type": "claim"})

    def _request(self, request: Json) -> str:
        """The server's answer to a request other than a move."""
        hearing = self.inbox
        if hearing.request is not None:
            return "Your move is still on its way; try again."
        asked, hearing.answer = hearing.ask(request), None
        until = time.monotonic() + ANSWER_TIMEOUT
        try:
            while hearing.request is asked and not hearing.is_obsolete:
                ready, _, _ = select.select([hearing], [], [], max(0.0, until - time.monotonic()))
                if not ready:
                    break
                if said := hearing.take():
                    self.face.write("\n".join(said))
        finally:  # also if Ctrl-C cancels it
            hearing.connection.forget(asked["id"])
            hearing.request = None
        if hearing.is_obsolete:
            hearing.connection.wake()  # so that the next prompt notices at once
        if hearing.answer is not None:
            return hearing.answer
        return "" if hearing.is_obsolete else "The server is not answering. Try again."
