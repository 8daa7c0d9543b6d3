"""A table whose referee is a server: a person here, the opponent elsewhere."""

from __future__ import annotations

import select
import time
from collections.abc import Sequence
from typing import Final

from strongroom.contract import Game, Json, Move, Names, Question, Seat, View, turn_of
from strongroom.players import Leaves, Resigns
from strongroom.referee.randomness import stream
from strongroom.remote.connection import RemoteConnection
from strongroom.remote.seat import RemoteSeat, public
from strongroom.terminal.faces.face import Face
from strongroom.terminal.modes import hearing_signals
from strongroom.terminal.table.person import COMMANDS, Host, Person
from strongroom.terminal.table.remote_inbox import FormerGame, Interrupted, RemoteInbox

WATCHING: Final = ("help", "rules", "history", "board", "quit")
"""The commands of spectators."""
KEYS: Final = ("help", "rules", "hint", "history", "board", "resign", "quit")
"""The commands that a player's page lists."""
AT_ONCE: Final = 0.4
"""How long an answer may take before the page says that it is waiting, in seconds."""
PATIENCE: Final = 30.0
"""How long the answer to a hint or a claim may take, in seconds."""
KEPT: Final = "Kept here; it is sent as soon as it is your turn. Type again to choose another."
ON_SERVER: Final = "Every move is kept on the server; the record is saved here at the end."


class SentAway(Leaves):
    """The server no longer lets this seat be played from here."""


class RemoteTable(Host):
    """One match on a server: waits for the server's messages and passes them to the face."""

    def __init__(
        self,
        place: RemoteSeat,
        connection: RemoteConnection,
        face: Face,
        strict: bool = False,
        former: FormerGame | None = None,
    ) -> None:
        self.place = place
        self.face = face
        self.inbox = RemoteInbox(place, connection, former)
        """The messages that arrive from the server."""
        self._person = Person(self, face, stream(None, "pick"), strict)
        self._chosen: tuple[int, Move] | None = None
        """The last move chosen here, and at which step."""

    # --- who plays ---

    @property
    def game(self) -> Game:
        """The game being played."""
        return self.place.info.game

    @property
    def aids(self) -> bool:
        """Whether the players agreed on hints and a notebook."""
        return self.place.info.aids

    @property
    def names(self) -> Names:
        """The players' names as shown here; the person at this terminal is "you"."""
        return {seat: self.inbox.name(seat) for seat in Seat}

    # --- playing ---

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

    def leave(self) -> None:
        """Stop listening to the server."""
        self.inbox.leave_former()
        self.face.lines.beside = None
        self.face.clock = lambda seat: ""

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
                self.face.write(former.asked)
        while self.place.view is None:
            try:
                self._wait(start, question)
            except Interrupted:
                self.inbox.taken()
                self._check_place()
        self.inbox.leave_former()
        self.inbox.taken()
        self.face.names = self.names

    def _begin(self) -> None:
        view = self._view
        begun = view.history or view.secret or view.outcome
        begin = self.face.resume if begun else self.face.begin
        seats = filter(None, self.place.info.seats)
        begin(public(view), [seat.sitter.player for seat in seats])

    @property
    def _view(self) -> View:
        assert self.place.view is not None
        return self.place.view

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
        kept = self._kept(view)
        return view if kept is None else view._replace(secret=(kept,))

    def _kept(self, view: View) -> Move | None:
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
        news, said, refusal = self.inbox.taken()
        self.face.names = self.names
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
        keeps = self.place.view is not None and self._kept(self.place.view) is not None
        return (*COMMANDS, "claim", "again") if keeps else (*COMMANDS, "claim")

    def hint(self, view: View) -> str:
        """A hint from the server on what to play here."""
        if view.actor is not self.place.seat:
            return "You can ask for a hint on your own turn."
        return self._answered({"type": "hint"})

    def save(self, name: str) -> str:
        """Say that the server keeps the record until the end."""
        return ON_SERVER

    def obey(self, command: str) -> str:
        """Claim the game from an opponent who is away, or choose another secret."""
        if command == "again":
            self._chosen = None
            raise Interrupted
        return self._answered({"type": "claim"})

    def _answered(self, request: Json) -> str:
        """The server's answer to a request other than a move."""
        hearing = self.inbox
        if hearing.request is not None:
            return "Your move is still on its way; try again."
        asked, hearing.answer = hearing.ask(request), None
        until = time.monotonic() + PATIENCE
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
