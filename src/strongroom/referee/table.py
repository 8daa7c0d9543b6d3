"""The table: one match, the players seated at it, and whoever plays its other seats from outside.

It asks the players in turn, whatever they do, and passes every step on before anybody is asked
again. However a match ends or is left, each player that wants to know is told so once.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from types import MappingProxyType

from strongroom.contract import CHANCE, Move, NotLegal, Outcome, Refusal, Seat, View
from strongroom.contract.player import Follows, Limited, Player, Resigns
from strongroom.plugins.foreign import FAILURES, TookTooLong, call_within, failure_text
from strongroom.referee.bout import UNDECIDED
from strongroom.referee.match import Match
from strongroom.referee.record import Record

Watch = Callable[[Match], None]
"""Stores and announces what is new in the match as it stands now."""
NOBODY: Mapping[Seat, Player] = MappingProxyType({})


def now() -> float:
    """The time that a record keeps of a step."""
    return round(time.time(), 3)


class Stalls(Exception):
    """A player has exceeded its time to think."""


class Table:
    """A match as it stands, with its players; a seat without one is played from outside.

    A player that raises, answers rubbish or thinks for longer than `patience` seconds forfeits, and
    the record says why; without `patience` there is no time limit. A watcher that fails is no
    player's fault: its error propagates, the step is made, and `run` can be called again.

    >>> from strongroom import load
    >>> table = Table(Match.start(load("quantum-duel"), turn_limit=1))
    >>> table.play(Seat.ONE, table.view(Seat.ONE).moves[0])
    >>> table.outcome == UNDECIDED
    True
    """

    def __init__(
        self,
        match: Match,
        players: Mapping[Seat, Player] = NOBODY,
        watch: Watch | None = None,
        clock: Callable[[], float] = now,
        patience: float | None = None,
    ) -> None:
        self.match = match
        """The match as it stands."""
        self.players = players
        for player in players.values():
            if isinstance(player, Limited):
                player.limit(match.record.turn_limit)
        self._untold = [*players]
        """The seats whose players have not been told the outcome."""
        self._left: Outcome | None = None
        """How a match that was left unfinished ended for those at the table."""
        self._watch = watch
        self._now = clock
        self._patience = patience

    @property
    def record(self) -> Record:
        """What was played so far."""
        return self.match.record

    @property
    def outcome(self) -> Outcome | None:
        """How the match ended, undecided if it was left; None while it goes on."""
        return self.match.outcome or self._left

    def view(self, seat: Seat | None) -> View:
        """What that seat, or a spectator, may know."""
        return self.match.state.view(seat, self.outcome)

    # --- players ---

    def run(self, answers: int | None = None) -> Match:
        """Ask the players in turn until the match is over, and tell those who want to know.

        It stops where a seat without a player is to move, and after `answers` answers, if given.
        """
        if self.match.actor is CHANCE:
            self._advance(self.match.settle(self._now()))
        elif self.outcome is not None:
            self._tell_end()
        asked = 0
        while asked != answers and self._left is None:
            seat = self.match.actor
            if not isinstance(seat, Seat) or seat not in self.players:
                break
            self._ask(seat, self.players[seat])
            asked += 1
        return self.match

    def _ask(self, seat: Seat, player: Player) -> None:
        """Let a player move; one that fails, or whose move is refused, forfeits."""
        view, patience = self.match.view(seat), self._patience
        try:  # meanwhile a hint may be recorded
            if patience is None:
                move = player.choose(view)
            else:
                move = choose_in_time(partial(player.choose, view), patience)
            match = self.match.step(seat, move, self._now())
        except FAILURES as failure:
            match = after_failure(self.match, seat, failure)
        self._advance(match)

    # --- whoever plays from outside ---

    def play(self, seat: Seat, move: Move) -> None:
        """Make the move of a seat that has no player, and let the players go on; or a refusal."""
        if self._left is not None:
            raise NotLegal("The match is over.")
        self._advance(self.match.step(seat, move, self._now()))
        self.run()

    def resign(self, seat: Seat) -> None:
        """Let a seat resign."""
        self._advance(self.match.resign(seat))

    def forfeit(self, seat: Seat, why: str) -> None:
        """Let a seat lose outside the rules; the record says why."""
        self._advance(self.match.forfeit(seat, why))

    def leave(self) -> None:
        """Leave the match as it stands; to the players an unfinished one is undecided."""
        self._left = UNDECIDED
        self._tell_end()

    def note_hint(self, seat: Seat) -> None:
        """Record that a seat took a hint while it was asked."""
        self.match = self.match.with_hint(seat)

    def switch_aids(self, on: bool) -> None:
        """Record that the players switched hints and notebook on or off."""
        self.match = self.match.switch_aids(on)

    # --- what both lead to ---

    def _advance(self, match: Match) -> None:
        if match is not self.match:
            self.match = match
            if self._watch is not None:
                self._watch(match)
        if self.outcome is not None:
            self._tell_end()

    def _tell_end(self) -> None:
        """Tell each player once how the match ended, if it has."""
        while self._untold:
            seat = self._untold.pop(0)
            tell_end(self.players[seat], self.view(seat))


def choose_in_time(choose: Callable[[], Move], seconds: float) -> Move:
    """What a player chooses, if it does so in time."""
    try:
        return call_within(seconds, choose)
    except TookTooLong:
        raise Stalls(f"no move after {seconds:g} seconds") from None


def after_failure(match: Match, seat: Seat, failure: BaseException) -> Match:
    """The match after a player raised instead of moving: it resigns, or forfeits with a reason."""
    if isinstance(failure, Resigns):
        return match.resign(seat)
    if isinstance(failure, Refusal):
        return match.forfeit(seat, f"its move was refused. {failure.reason}")
    return match.forfeit(seat, f"it failed: {failure_text(failure)}")


def tell_end(player: Player, view: View) -> None:
    """Tell a player who wants to know how a match ended; nothing that it does changes that."""
    if isinstance(player, Follows):
        with suppress(*FAILURES):
            player.over(view)
