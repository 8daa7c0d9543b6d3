"""What a game of Digit Deductions is worth to somebody who sees both numbers."""

from __future__ import annotations

from collections.abc import Mapping

from strongroom.contract import AnyState, Seat
from strongroom.theory.digit_deductions.board import FAR, Trials
from strongroom.theory.digit_deductions.knowledge import number, trials
from strongroom.theory.digit_deductions.player import DiagonalPlayer

Guessed = tuple[Trials, Trials]
"""What each seat has guessed, with the answers."""


class PlayedOn:
    """Both certified players go on with these two numbers, over every way their mixtures fall."""

    def __init__(self, players: Mapping[Seat, DiagonalPlayer], secrets: tuple[int, int]) -> None:
        self.players, self.secrets = players, secrets
        self._known: dict[tuple[Seat, Guessed], float] = {}

    def wins(self, mover: Seat, guessed: Guessed) -> float:
        """The mover's chance."""
        if (mover, guessed) not in self._known:
            self._known[mover, guessed] = self._wins(mover, guessed)
        return self._known[mover, guessed]

    def _wins(self, mover: Seat, guessed: Guessed) -> float:
        own, theirs = guessed[mover.index], guessed[mover.other.index]
        secret, hidden = self.secrets[mover.index], self.secrets[mover.other.index]
        weights = self.players[mover].weights(own, theirs, secret)
        won = float(weights.get(hidden, 0))
        for guess, weight in weights.items():
            if guess != hidden:
                then = (*own, (guess, FAR[hidden][guess]))
                after = (then, theirs) if mover is Seat.ONE else (theirs, then)
                won += weight * (1 - self.wins(mover.other, after))
        return won / sum(weights.values())


def truth(players: Mapping[Seat, DiagonalPlayer], state: AnyState) -> float:
    """Seat.ONE's chance if both go on as certified."""
    assert isinstance(state.actor, Seat)
    (one,), (two,) = state.secrets
    view = state.view(None)
    play = PlayedOn(players, (number(one), number(two)))
    wins = play.wins(state.actor, (trials(view, Seat.ONE), trials(view, Seat.TWO)))
    return wins if state.actor is Seat.ONE else 1 - wins
