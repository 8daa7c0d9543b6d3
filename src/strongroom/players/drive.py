"""Runs a match in one process: asks the players in turn, however they behave when asked."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from functools import partial
from itertools import count

from strongroom.contract import Move, Outcome, Refusal, Seat, View
from strongroom.players import Leaves, Patient, Player, Resigns, tell_end
from strongroom.plugins.foreign import FAILURES, TookTooLong, call_within, told
from strongroom.referee.bout import UNDECIDED
from strongroom.referee.match import Match
from strongroom.referee.record import Step

Watch = Callable[[Match, tuple[Step, ...]], None]
"""Stores and announces, given the match as it stands now and the steps that led there."""


class Stalls(Exception):
    """A player has exceeded its time to think."""


class Drive:
    """A match with its players: it asks them, and holds the match as it stands.

    A player that raises, answers rubbish or thinks for longer than `patience` seconds forfeits, and
    the record says why; without `patience` there is no time limit. A watcher that fails is no
    player's fault: its error propagates, the step is made, and `run` can be called again.
    """

    def __init__(
        self,
        match: Match,
        players: Mapping[Seat, Player],
        watch: Watch | None = None,
        clock: Callable[[], float] = time.time,
        patience: float | None = None,
    ) -> None:
        self.match = match
        self._players = players
        self._untold = [*players]
        """The seats whose players have not been told the outcome."""
        self._watch = watch
        self._clock = clock
        self._patience = patience

    def run(self, answers: int | None = None) -> Match:
        """Ask the players in turn until the match is over, and tell those who want to know.

        It stops where a seat without a player is to move, and after so many `answers`, if given.
        """
        self._advance(*self.match.settle(self._now()))
        for _ in count() if answers is None else range(answers):
            seat = self.match.actor
            if not isinstance(seat, Seat) or seat not in self._players:
                break
            self._ask(seat)
        self._tell_end(self.match.outcome)
        return self.match

    def play(self, seat: Seat, move: Move) -> None:
        """Make the move of a seat that has no player; a refusal changes nothing."""
        self._advance(*self.match.step(seat, move, self._now()))
        self._tell_end(self.match.outcome)

    def resign(self, seat: Seat) -> None:
        """Let a seat that has no player resign."""
        self._advance(self.match.resign(seat), ())
        self._tell_end(self.match.outcome)

    def abandon(self) -> None:
        """Leave the match as it stands; to the players an unfinished one is undecided."""
        self._tell_end(self.match.outcome or UNDECIDED)

    def hinted(self, seat: Seat) -> None:
        """Record that a seat took a hint while it was asked."""
        self.match = self.match.hinted(seat)

    def switch_aids(self, on: bool) -> None:
        """Record that the players switched hints and notebook on or off."""
        self.match = self.match.switch_aids(on)

    def _ask(self, seat: Seat) -> None:
        player = self._players[seat]
        try:
            move = self._choice(player, self.match.view(seat))
            after = self.match.step(seat, move, self._now())
        except Resigns:
            after = self.match.resign(seat), ()
        except Refusal as refusal:
            if isinstance(player, Patient):
                player.refused(refusal)
                return
            after = self.match.forfeit(seat, f"its move was refused. {refusal.reason}"), ()
        except FAILURES as failure:
            if isinstance(failure, Leaves) and isinstance(player, Patient):
                raise
            after = self.match.forfeit(seat, f"it failed: {told(failure)}"), ()
        self._advance(*after)

    def _tell_end(self, outcome: Outcome | None) -> None:
        """Tell each player once how the match ended, if it has."""
        while outcome is not None and self._untold:
            seat = self._untold.pop(0)
            tell_end(self._players[seat], self.match.state.view(seat, outcome))

    def _advance(self, match: Match, steps: tuple[Step, ...]) -> None:
        changed = match is not self.match
        self.match = match
        if changed and self._watch is not None:
            self._watch(match, steps)

    def _choice(self, player: Player, view: View) -> Move:
        if self._patience is None:
            return player.choose(view)
        try:
            return call_within(self._patience, partial(player.choose, view))
        except TookTooLong:
            raise Stalls(f"no move after {self._patience:g} seconds") from None

    def _now(self) -> float:
        return round(self._clock(), 3)
