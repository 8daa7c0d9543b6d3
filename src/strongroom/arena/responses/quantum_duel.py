"""The best response in Quantum Duel, where nothing is hidden.

A match that is still open at the turn limit counts as half a win, as in a tournament.
"""

from __future__ import annotations

from strongroom.arena.responses import Policy, Responder, ResponseValue, ShareDone, TooComplex
from strongroom.contract import Seat
from strongroom.games.quantum_duel.rules import QuantumDuel
from strongroom.players import Player
from strongroom.referee.bout import TURN_LIMIT
from strongroom.theory.quantum_duel.worth import ChainWorth
from strongroom.theory.worth import Unpredictable


class QuantumDuelResponder(Responder):
    """Responds at Quantum Duel."""

    game: QuantumDuel

    def best(self, bot: Player, policy: Policy) -> ResponseValue:
        """The best response in a match with the turn limit of a tournament."""
        worth = ChainWorth(self.game, policy)
        try:
            worth.start(Seat.ONE, 1)
        except Unpredictable as trouble:
            raise TooComplex(trouble.reason) from trouble

        def value(seat: Seat, report: ShareDone) -> float:
            for turns in range(TURN_LIMIT):
                report(turns / TURN_LIMIT)
                worth.start(seat, turns)  # each is computed from the one before
            return worth.start(seat, TURN_LIMIT)

        return value
