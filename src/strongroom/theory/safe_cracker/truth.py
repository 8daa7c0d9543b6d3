"""Win probabilities in Safe Cracker for an observer who sees both codes."""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

from strongroom.contract import AnyState, Seat
from strongroom.theory.safe_cracker.board import forms
from strongroom.theory.safe_cracker.player import Memory, RaceGuesser, Stand

MOST_CODES = 64
"""With more codes than this, there are too many continuations to follow."""


class Hunt(NamedTuple):
    """A guesser and the code that it is looking for, about which it knows only its stand."""

    stand: Stand
    code: int


Alike = tuple[bytes, Memory | None]
"""The key of a hunt up to the names of digits and positions."""


class PlayedOn:
    """Both certified players play on, over all random guesses; equivalent positions are cached."""

    def __init__(self, guesser: RaceGuesser) -> None:
        self.guesser = guesser
        self._known: dict[tuple[Alike, Alike], float] = {}
        self._names: dict[tuple[int, int], bytes] = {}

    def wins(self, mover: Hunt, other: Hunt) -> float:
        """The mover's win probability."""
        alike = (self._alike(mover), self._alike(other))
        if alike not in self._known:
            self._known[alike] = self._wins(mover, other)
        return self._known[alike]

    def _wins(self, mover: Hunt, other: Hunt) -> float:
        won = Fraction(0)
        ways: dict[Alike, tuple[Fraction, Hunt, Hunt]] = {}
        for guess, share in self.guesser.draw(mover.stand.mind, mover.stand.own).items():
            if guess == mover.code:
                won += share
                continue
            answer = int(self.guesser.space.game.answer_table[guess, mover.code])
            after = Hunt(self.guesser.after_own(mover.stand, guess, answer), mover.code)
            heard = Hunt(self.guesser.after_other(other.stand, guess, answer), other.code)
            before = ways.get(self._alike(after), (Fraction(0), after, heard))
            ways[self._alike(after)] = (before[0] + share, after, heard)
        lost = sum(float(share) * self.wins(heard, after) for share, after, heard in ways.values())
        return float(won) + float(1 - won) - lost

    def _alike(self, hunt: Hunt) -> Alike:
        (mind, names, _), guesser = hunt.stand, self.guesser
        node, code = mind.own, int(names[hunt.code])
        if (node, code) not in self._names:
            hues = 2 * guesser.hues[node] + (guesser.sets[node] == code)
            form = forms(guesser.space, guesser.sets[node], hues[None])[0]
            self._names[node, code] = form.key
        return self._names[node, code], mind.memory


def truth(play: PlayedOn, state: AnyState) -> float | None:
    """Seat.ONE's win probability if both play on as certified; None if codes are too many."""
    guesser = play.guesser
    if len(guesser.space.digits) > MOST_CODES:
        return None
    assert isinstance(state.actor, Seat)
    codes = [guesser.space.game.actions.index(code) for (code,) in state.secrets]
    seats = (state.actor, state.actor.other)
    hunts = (Hunt(guesser.follow(state.view(seat)), codes[seat.other.index]) for seat in seats)
    wins = play.wins(*hunts)
    return wins if state.actor is Seat.ONE else 1 - wins
