"""A sitting across the network: the referee, the clock and the other player are elsewhere."""

from __future__ import annotations

import hashlib
import secrets
import select
import sys
import time
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import replace
from typing import Any, Final

from strongroom.contract import Json, Refusal, Seat, Words
from strongroom.referee.fairness import check
from strongroom.referee.record import Record
from strongroom.remote import api
from strongroom.remote.connection import GONE, LOST, RemoteConnection
from strongroom.remote.link import Link, LinkKind, websocket
from strongroom.remote.seat import GameInfo, RemoteSeat, public, seated
from strongroom.terminal import store
from strongroom.terminal.faces import Looks
from strongroom.terminal.filenames import quoted
from strongroom.terminal.store.seats import KeptSeat, keep, unfinished
from strongroom.terminal.table.remote_inbox import CONNECTION_LOST, NO_MORE, FormerGame, why_gone
from strongroom.terminal.table.remote_table import KEYS, WATCHING, RemoteTable
from strongroom.terminal.table.sitting import Sitting, program, show_terms
from strongroom.terminal.table.stopping import unstoppable
from strongroom.terminal.waiting import said_if_slow

PATIENCE: Final = 30.0
"""How long a server may take, reconnects included, to say how a game stands, in seconds."""


class RemoteSitting(Sitting):
    """The matches that a person plays, or watches, on a server."""

    def __init__(
        self,
        link: Link,
        info: GameInfo,
        kept: KeptSeat | None,
        words: Words[Any],
        looks: Looks,
        strict: bool = False,
    ) -> None:
        super().__init__(words, replace(looks, aids=info.aids))
        self._strict = strict
        self._entered = False
        self._swapped = False
        """Whether the players sit in each other's seats of the first game."""
        self._trouble = ""
        """Why the connection was last lost."""
        self._table: RemoteTable
        self._former: FormerGame | None = None
        """The game before a rematch."""
        self._take_place(link, info, kept)

    def play(self) -> int:
        """Play the match, and rematches while they are wanted; return the exit code."""
        self._entered = True
        return self._play_on()

    # --- a place at a game ---

    def _take_place(self, link: Link, info: GameInfo, kept: KeptSeat | None) -> None:
        self.link = link
        self.kept = kept
        self.place = RemoteSeat(info)
        if kept is not None:
            known = self.place
            known.commitments, known.secrets = dict(kept.commitments), dict(kept.secrets)
            known.hash = kept.hash or known.hash
            # A new one is made only now that the server has published its hash.
            known.seed = kept.seed or secrets.token_hex(16)
            self._keep()
        self.connection = RemoteConnection(websocket(link.base), self._hello)
        self.connection.open()
        self._welcomed = False
        try:
            self.wait_for_welcome()
        except BaseException:
            self.connection.close()
            raise

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
            title=place.info.game.words.title,
            over=over,
            hash=place.hash,
            seed=place.seed,
            commitments=dict(place.commitments),
            secrets=dict(place.secrets),
        )
        keep(self.kept)

    def wait_for_welcome(self) -> None:
        """Wait until the server has said which seat this is, and how the game stands."""
        until = time.monotonic() + PATIENCE

        def wait_for(other: int) -> None:
            left = until - time.monotonic()
            if left <= 0 or not select.select([other], [], [], left)[0]:
                raise self._unanswered()

        # A page has no room for the message.
        slow = said_if_slow(self.link.base, "send the state of the game")
        with nullcontext() if self._entered else slow:
            self._wait(lambda: self._welcomed, wait_for)

    def _unanswered(self) -> Refusal:
        why = f": {self._trouble}" if self._trouble else ""
        told = f"{self.link.base} did not send the state of the game{why}."
        kept = "" if self.kept is None else f" Your seat is kept: {program()} join"
        return api.Unreachable(told, f"Try again later.{kept}")

    def wait_for_the_other(self) -> None:
        """Wait, before any page is drawn, until the opponent has joined."""
        self._wait(lambda: self.place.view is not None, self._face.lines.wait_for)

    def tell_invitation(self, invitation: str) -> None:
        """Announce how to join, for a program that reads the output."""
        self._face.invites(invitation)

    def _wait(self, done: Callable[[], bool], wait_for: Callable[[int], object]) -> None:
        told = self._entered  # a page has no room for the message
        while not done():
            wait_for(self.connection.fileno())
            # One at a time: what follows the welcome is for the table.
            frame = self.connection.take_first() or {}
            if frame.get("type") == "welcome":
                self.place.welcome(frame)
                self._welcomed = True
            elif frame.get("type") == GONE:
                self._keep(over=frame["code"] in NO_MORE)
                raise Refusal(why_gone(frame))
            elif frame.get("type") == LOST:
                self._trouble = frame["why"]
                if not told:
                    told = True
                    print(CONNECTION_LOST, file=sys.stderr, flush=True)

    # --- what a sitting does ---

    def _seat(self) -> None:
        place = self.place
        former, self._former = self._former, None
        self._table = RemoteTable(place, self.connection, self._face, self._strict, former)
        self._face.names = self._table.names
        self._face.here = frozenset(() if place.seat is None else (place.seat,))
        order = reversed(Seat) if self._swapped else Seat
        self.score = {seat: place.info.score[seat.index] for seat in order}
        self._face.score = self.score
        commands = KEYS if place.seat else WATCHING
        show_terms(self._face, place.info.aids, place.info.sitters, commands)

    def _sit_down(self) -> None:
        self._face.forget_typed()  # nobody was asked anything before
        self._tell_terms()

    def _play(self) -> None:
        self._table.play()

    def _break_off(self) -> None:
        inbox = self._table.inbox
        self._keep(over=not inbox.is_kept)
        if inbox.gone is not None:
            self._face.note(inbox.gone)
        if inbox.is_kept:
            self._face.left(f"{program()} join{self._named_link()}")

    def _named_link(self) -> str:
        """The argument needed to come back: the link, unless it is the latest one stored here."""
        is_kept = any(seat.link == self.link for seat in unfinished()[:1])
        return "" if is_kept else f" {quoted(str(self.link))}"

    def _say_the_end(self) -> Record | None:
        assert self.place.view is not None
        view = public(self.place.view)
        self._face.names = self._table.names
        lines = self._end_of(view)
        if self.place.seat is not None and self.place.info.rematch is not None:
            lines.append("A rematch has been requested.")  # before this page could say by whom
        try:
            text = api.patiently(lambda: api.record(self.link))
        except Refusal as refusal:
            self._face.ended(view, lines)
            self._face.note(f"The record could not be fetched. {refusal}")
            return None
        try:
            record = Record.loads(text)
        except Refusal:  # a record that does not fit is reported, not stored
            self._face.ended(view, [*lines, self._proved(text)])
            return None
        lines.append(self._proved(text))
        try:
            with unstoppable():
                journal = store.Journal.create(store.new_file(record.game.name), record)
                journal.close()
        except store.CannotSave as refusal:
            self._face.ended(view, lines)
            self._face.note(f"Not saved. {refusal}")
        else:
            self._face.ended(view, lines, journal.file)
        self._keep(over=True)
        return record if self.place.seat is not None or self._face.lines.interactive else None

    def _proved(self, text: str) -> str:
        """A line saying whether the record is what was seen here."""
        wrong = [each.text for each in check(text, self.place.seen) if each.ok is False]
        if wrong:
            return f"THIS RECORD IS NOT WHAT WAS PLAYED. {' '.join(wrong)}"
        secrets = "secrets, " if self.place.info.game.secrets_each else ""
        return f"Verified: {secrets}answers and coins are as promised."

    def _wants_more(self, record: Record) -> bool:
        wanted = super()._wants_more(record)
        if wanted:
            self._former = FormerGame(self.place, self.connection, self._table.inbox.other)
        return wanted

    def _stand_up(self) -> None:
        self._table.leave()
        if self._former is None:
            self.connection.close()

    def _swap_seats(self) -> None:
        """Join the rematch with the opponent, whoever asks for it first."""
        try:
            self._join_rematch()
        except BaseException:
            self.connection.close()
            raise

    def _join_rematch(self) -> None:
        # Derived from the old token, so that a client disconnected here finds the same seat again.
        token = hashlib.sha256(f"rematch {self.link.token}".encode()).hexdigest()[:32]
        info, _ = seated(api.patiently(lambda: api.rematch(self.link, token)))
        link = Link(self.link.base, LinkKind.PLAY, info.id, token)
        kept = None if self.kept is None else KeptSeat(link)
        self._take_place(link, info, kept)
        self._swapped = not self._swapped
