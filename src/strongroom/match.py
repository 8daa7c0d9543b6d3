"""The referee: one `Match` drives every table, whoever sits at it."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from random import Random
from typing import Any

from strongroom.game import CHANCE, Actor, Game, Move, NotLegal, Outcome, Refusal, Seat, State, View
from strongroom.players import Patient, Player, Resigns
from strongroom.record import FORFEITED, RESIGNED, UNDECIDED, Played, Record, Sitter

SITTERS = (Sitter("Player 1"), Sitter("Player 2"))
Watcher = Callable[[Played], None]


class Match:
    """A game between two sitters: it checks and applies moves, draws chance, keeps the record."""

    def __init__(
        self,
        game: Game,
        rng: Random,
        sitters: tuple[Sitter, Sitter] = SITTERS,
        turn_limit: int | None = None,
        watch: Watcher | None = None,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self.state: State[Any, Any, Any] = game.start()
        self.record = Record(game, sitters, turn_limit=turn_limit)
        self._rng = rng
        self.watch = watch
        self._clock = clock

    @classmethod
    def resume(cls, record: Record, rng: Random, watch: Watcher | None = None) -> Match:
        """The match that a record broke off, ready to go on."""
        match = cls(record.game, rng, record.sitters, record.turn_limit, watch)
        match.state = record.replay()
        match.record = record
        return match

    @property
    def outcome(self) -> Outcome | None:
        """How the match ended, or None while it goes on."""
        return self.record.outcome

    @property
    def actor(self) -> Actor | None:
        """Who is to move; nobody once the match is over."""
        return None if self.outcome is not None else self.state.actor

    def view(self, seat: Seat | None) -> View:
        """What that seat may know of the match."""
        return self.state.view(seat, self.outcome)

    def play(self, move: Move) -> None:
        """Apply the actor's move, then whatever chance decides; a refused move changes nothing."""
        if self.outcome is not None:
            raise NotLegal("The match is over.")
        if self.actor is CHANCE:
            raise NotLegal("The coin is the referee's.")
        self._apply(move)
        self.settle()

    def settle(self) -> None:
        """Draw what chance has to decide now; only a resumed match may begin with that."""
        while self.actor is CHANCE:
            self._apply(self._rng.choices(self.state.moves, self.state.odds)[0])

    def resign(self, seat: Seat) -> None:
        """End the match: this seat gives up."""
        self._end(Outcome(seat.other, RESIGNED))

    def hinted(self, seat: Seat) -> None:
        """Remember that this seat took a hint."""
        one, two = self.record.hints
        hints = (one + 1, two) if seat is Seat.ONE else (one, two + 1)
        self.record = replace(self.record, hints=hints)

    def forfeit(self, seat: Seat) -> None:
        """End the match: this seat broke off or would not play by the rules."""
        self._end(Outcome(seat.other, FORFEITED))

    def run(self, players: Mapping[Seat, Player]) -> Record:
        """Ask the players in turn until the match is over."""
        self.settle()
        while isinstance(seat := self.actor, Seat):
            player = players[seat]
            try:
                self.play(player.choose(self.view(seat)))
            except Resigns:
                self.resign(seat)
            except Refusal as refusal:
                if isinstance(player, Patient):
                    player.refused(refusal)
                else:
                    self.forfeit(seat)
        return self.record

    def _apply(self, move: Move) -> None:
        before = self.state
        self.state = before.play(move)
        actor = before.actor
        assert actor is not None
        nonce = f"{self._rng.getrandbits(128):032x}" if before.setting_up else None
        played = Played(actor, move, round(self._clock(), 3), nonce)
        outcome = self.state.outcome
        limit = self.record.turn_limit
        if outcome is None and limit is not None and self.state.turns >= limit:
            outcome = Outcome(None, UNDECIDED)
        self.record = replace(self.record, moves=(*self.record.moves, played), outcome=outcome)
        if self.watch is not None:
            self.watch(played)

    def _end(self, outcome: Outcome) -> None:
        if self.outcome is not None:
            raise NotLegal("The match is over.")
        self.record = replace(self.record, outcome=outcome)
