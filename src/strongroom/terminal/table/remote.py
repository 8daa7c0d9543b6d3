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
from typing import Final

from strongroom.contract import Json, Move, Question, Refusal, Seat, View, turn_of
from strongroom.players import Leaves, Resigns
from strongroom.referee.fairness import check
from strongroom.referee.randomness import stream
from strongroom.referee.record import Record
from strongroom.remote import api
from strongroom.remote.connection import RemoteConnection
from strongroom.remote.link import Link, LinkKind, websocket
from strongroom.remote.seat import GameInfo, RemoteSeat, public, seated
from strongroom.terminal.exits import unstoppable
from strongroom.terminal.faces.face import Face
from strongroom.terminal.modes import hearing_signals
from strongroom.terminal.printing import say_if_slow, shell_quote
from strongroom.terminal.store import games
from strongroom.terminal.store.files import CannotSave
from strongroom.terminal.store.seats import KeptSeat, save_seat, unfinished_seats
from strongroom.terminal.table.inbox import CONNECTION_LOST, Interrupted, RemoteInbox
from strongroom.terminal.table.person import COMMANDS, Person
from strongroom.terminal.table.sitting import MatchTable, program, say_terms, show_terms

WATCHING: Final = ("help", "rules", "history", "board", "quit")
"""The commands of spectators."""
KEYS: Final = ("help", "rules", "hint", "history", "board", "resign", "quit")
"""The commands that a player's page lists."""
AT_ONCE: Final = 0.4
"""How long an answer may take before the page says that it is waiting, in seconds."""
ANSWER_TIMEOUT: Final = 30.0
"""How long the answer to a hint or a claim may take, in seconds."""
WELCOME_TIMEOUT: Final = 30.0
"""How long a server may take, reconnects included, to say how a game stands, in seconds."""
KEPT: Final = "Kept here; it is sent as soon as it is your turn. Type again to choose another."
ON_SERVER: Final = "Every move is kept on the server; the record is saved here at the end."


class SentAway(Leaves):
    """The server no longer lets this seat be played from here."""


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

    # --- a match of a sitting ---

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
        return "" if clock is None or self.place.is_over else clock.shown(seat)

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
        wrong = [each.text for each in check(text, self.place.seen) if each.ok is False]
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
        info, _ = seated(api.patiently(lambda: api.rematch(self.link, token)))
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
            if said := self.inbox.heard():
                self.face.write(said)

    def _listen(self, seconds: float) -> None:
        """Give the server a moment to answer."""
        until = time.monotonic() + seconds
        while (left := until - time.monotonic()) > 0:
            if select.select([self.inbox], [], [], left)[0] and (said := self.inbox.heard()):
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
            raise SentAway

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
