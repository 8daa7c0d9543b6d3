"""Win probabilities in Digit Deductions for an observer who sees both numbers."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from strongroom.contract import AnyState, Seat
from strongroom.theory.digit_deductions.board import FAR, Trials
from strongroom.theory.digit_deductions.knowledge import number, trials
from strongroom.theory.digit_deductions.player import DiagonalPlayer

Guessed = tuple[Trials, Trials]
"""What each seat has guessed, with the answers."""


def truth(players: Mapping[Seat, DiagonalPlayer], state: AnyState) -> float:
    """Seat.ONE's win probability if both play on as certified, over all their random choices."""
    assert isinstance(state.actor, Seat)
    numbers = [number(secret) for (secret,) in state.secrets]

    @cache
    def wins(mover: Seat, guessed: Guessed) -> float:
        """The mover's win probability."""
        own, theirs = guessed[mover.index], guessed[mover.other.index]
        hidden = numbers[mover.other.index]
        weights = players[mover].weights(own, theirs, numbers[mover.index])
        won = float(weights.get(hidden, 0))
        for guess, weight in weights.items():
            if guess != hidden:
                then = (*own, (guess, FAR[hidden][guess]))
                after = (then, theirs) if mover is Seat.ONE else (theirs, then)
                won += weight * (1 - wins(mover.other, after))
        return won / sum(weights.values())

    view = state.view(None)
    won = wins(state.actor, (trials(view, Seat.ONE), trials(view, Seat.TWO)))
    return won if state.actor is Seat.ONE else 1 - won
