"""A table whose referee is a server: a person here, somebody else elsewhere."""

from __future__ import annotations

import select
import time
from collections.abc import Sequence
from typing import Final

from strongroom.contract import Game, Json, Move, Names, Question, Seat, View, turn_of
from strongroom.players import Leaves, Resigns
from strongroom.randomness import stream
from strongroom.remote.connection import Connection
from strongroom.remote.seat import RemoteSeat, public
from strongroom.terminal.faces.face import Face
from strongroom.terminal.modes import hearing_signals
from strongroom.terminal.table.hearing import Hearing, Interrupted
from strongroom.terminal.table.person import COMMANDS, Person

MORE: Final = ("claim",)
"""What else can be typed at a network game."""
WATCHING: Final = ("help", "rules", "history", "board", "quit")
"""What can be typed by who only watches."""
KEYS: Final = ("help", "rules", "hint", "history", "board", "resign", "quit")
"""What a page says that can be typed by who plays."""
AT_ONCE: Final = 0.4
"""How many seconds an answer may take before the page says that it is waited for."""
PATIENCE: Final = 30.0
"""How many seconds a hint may take."""
ON_SERVER: Final = "Every move is kept on the server; the record is saved here at the end."


class SentAway(Leaves):
    """The server lets this seat play here no more."""


class RemoteTable:
    """One match on a server: it waits for what the server tells, and tells the face."""

    def __init__(
        self, place: RemoteSeat, connection: Connection, face: Face, strict: bool = False
    ) -> None:
        self.place = place
        self.face = face
        self._hearing = Hearing(place, connection)
        self._person = Person(self, face, stream(None, "pick"), strict)
        self._chosen: tuple[int, Move] | None = None
        """The move that was chosen here, and at which step."""

    @property
    def gone(self) -> str | None:
        """Why this seat cannot be played from here any more, if it cannot."""
        return self._hearing.gone

    @property
    def is_kept(self) -> bool:
        """Whether the server still has this game."""
        return self._hearing.is_kept

    # --- who plays ---

    @property
    def game(self) -> Game:
        """What is played."""
        return self.place.info.game

    @property
    def names(self) -> Names:
        """What the players are called here: whoever sits here is "you"."""
        return {seat: self._hearing.name(seat) for seat in Seat}

    # --- playing ---

    def play(self) -> None:
        """Play or watch the match to its end."""
        self.face.lines.beside = self._hearing
        self.face.clock = self._clock
        self._wait_for_both()
        self._begin()
        while not self.place.is_over:
            try:
                self._go_on()
            except Interrupted:
                pass
            except Resigns:
                self._hearing.ask({"type": "resign"})
            self._announce()
        self._hearing.ended = True

    def leave(self) -> None:
        """Listen no more."""
        self.face.lines.beside = None
        self.face.clock = lambda seat: ""

    def _clock(self, seat: Seat) -> str:
        clock = self.place.clock
        return "" if clock is None or self.place.is_over else clock.shown(seat)

    def _wait_for_both(self) -> None:
        seat = self.place.seat
        start = self.game.start().view(seat)
        whom = "both players" if seat is None else self._hearing.other
        question = Question("> ", "The game begins when both are here.", f"Waiting for {whom} …")
        if self.place.view is None:
            self.face.forget()
        while self.place.view is None:
            try:
                self._wait(start, question)
            except Interrupted:
                self._hearing.taken()
                self._check_place()
        self._hearing.taken()
        self.face.names = self.names

    def _begin(self) -> None:
        view = self._view
        begun = view.history or view.secret or view.outcome
        begin = self.face.resume if begun else self.face.begin
        chairs = [chair for chair in self.place.info.chairs if chair is not None]
        begin(public(view), [chair.sitter.player for chair in chairs])

    @property
    def _view(self) -> View:
        assert self.place.view is not None
        return self.place.view

    def _go_on(self) -> None:
        """Ask, send or wait, whatever is next; Interrupted as soon as something else is."""
        view = self._view
        if self._hearing.changed:
            raise Interrupted
        if self._hearing.request is not None:
            self._listen(AT_ONCE)
            self._wait(view, Question("> ", "Your move is on its way.", "Waiting for the server …"))
        elif view.actor is not self.place.seat:
            self._wait(view, self._while_waiting(view))
        elif self._chosen is not None and self._chosen[0] == view.number:
            self._send()
        else:
            self._chosen = view.number, self._person.choose(view)
            self._hearing.take()  # a script hears nothing while it is read
            if not self._hearing.changed:
                self._send()

    def _while_waiting(self, view: View) -> Question:
        if self.place.seat is None:
            name = self._hearing.name(view.actor) if isinstance(view.actor, Seat) else ""
            return Question("> ", "You watch.", turn_of(name) if name else "")
        other = self._hearing.other
        return Question("> ", f"{other} is at the move.", f"Waiting for {other} …")

    def _wait(self, view: View, question: Question) -> None:
        if self.face.lines.interactive:
            self._person.waits(view, question)
        while True:  # a script's lines are for its own questions
            if self.place.seat is None:
                with hearing_signals():
                    select.select([self._hearing], [], [])
            else:
                self.face.lines.wait_for(self._hearing.fileno())
            if said := self._hearing.heard():
                self.face.write(said)

    def _listen(self, seconds: float) -> None:
        """Give the server a moment to answer."""
        until = time.monotonic() + seconds
        while (left := until - time.monotonic()) > 0:
            if select.select([self._hearing], [], [], left)[0] and (said := self._hearing.heard()):
                self._hearing.said.append(said)

    def _send(self) -> None:
        assert self._chosen is not None
        self._hearing.ask({"type": "move", "move": str(self._chosen[1])})

    def _announce(self) -> None:
        """Tell the face what came, in order."""
        news, said, refusal = self._hearing.taken()
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
        if self._hearing.refused:
            self._chosen, self._hearing.refused = None, False
        if refusal is not None:
            self._person.refused(refusal)
        self._check_place()

    def _check_place(self) -> None:
        if self.gone is not None and not self.place.is_over:
            raise SentAway

    # --- what a person at the table can ask for ---

    @property
    def commands(self) -> Sequence[str]:
        """What can be typed at every prompt."""
        return WATCHING if self.place.seat is None else (*COMMANDS, *MORE)

    def arrive(self, view: View, private: bool) -> str:
        """Everybody has a screen of their own: there is nothing to hand over."""
        return ""

    def hint(self, view: View) -> str:
        """What the server says to play here."""
        if view.actor is not self.place.seat:
            return "A hint is for your own turn."
        return self._answered({"type": "hint"})

    def save(self, name: str) -> str:
        """The server has the record until the end."""
        return ON_SERVER

    def obey(self, command: str) -> str:
        """Claim the game because the other is away for so long."""
        return self._answered({"type": "claim"})

    def _answered(self, request: Json) -> str:
        """What the server answers to a question that is no move."""
        hearing = self._hearing
        if hearing.request is not None:
            return "One thing at a time: your move is on its way."
        asked, hearing.answer = hearing.ask(request), None
        until = time.monotonic() + PATIENCE
        while hearing.request is asked and not hearing.changed:
            ready, _, _ = select.select([hearing], [], [], max(0.0, until - time.monotonic()))
            if not ready:
                break
            if said := hearing.take():
                self.face.write("\n".join(said))
        hearing.connection.forget(asked["id"])
        hearing.request = None
        if hearing.changed:
            hearing.connection.wake()  # whoever is asked next hears of it at once
        if hearing.answer is not None:
            return hearing.answer
        return "" if hearing.changed else "The server does not answer now. Try again."
