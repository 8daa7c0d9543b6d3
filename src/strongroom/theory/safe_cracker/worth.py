"""What decisions are worth in Safe Cracker against the certified player, exactly."""

from __future__ import annotations

from functools import cached_property, lru_cache, partial

import numpy as np

from strongroom.contract import Event, Move, Seat, View
from strongroom.theory.history_fold import HistoryFold
from strongroom.theory.safe_cracker.player import Mind, RaceGuesser, Stand
from strongroom.theory.safe_cracker.response import (
    CodeResponse,
    ExactResponse,
    Floats,
    RaceResponse,
    effective,
    one_fewer,
)
from strongroom.theory.worth import Turns, Unreachable, Worth, equally_likely

START = Mind(0, 0)


class SafeCrackerWorth(Worth):
    """The worth of decisions in Safe Cracker.

    The certified player hides uniformly and ignores its own code, so whatever it guesses, all codes
    that fit the player's answers stay equally likely. Its guesses follow from its mind, which both
    players can work out from the public history. So the player knows no more that matters than that
    mind, the name of its own code at the mind's node, and the turns left.
    """

    horizons = (1, 2)

    def __init__(self, guesser: RaceGuesser) -> None:
        self.guesser = guesser
        start = Stand(START, guesser.same, guesser.same)
        self._stands = {
            master: HistoryFold[Stand | None](start, partial(self._step, master)) for master in Seat
        }
        # A player meets a few thousand of them; they take a few hundred bytes each.
        self._worth = lru_cache(maxsize=1 << 16)(self._worth_of_actions)

    @cached_property
    def response(self) -> CodeResponse:
        """The best response to the certified player."""
        kind = ExactResponse if self.guesser.coloured else RaceResponse
        return kind(self.guesser)

    def start(self, seat: Seat, turns: Turns) -> float:
        """What a best response wins from this seat."""
        return max(self._hidden(seat, turns).values())

    def moves(self, view: View, turns: Turns) -> dict[Move, float]:
        """What each move wins if a best response follows it."""
        assert view.seat is not None
        if view.setting_up:
            return self._hidden(view.seat, turns)
        stand = self._stands[view.seat.other].after(view.history)
        if stand is None:
            raise Unreachable("The certified player never leads to this position.")
        moves, mind = self.guesser.space.game.actions, stand.mind
        code = int(stand.own[moves.index(view.secret[0])])
        worth = self._worth(mind, code, effective(turns, 2 * self.response.most_guesses(mind)))
        orbit = self.guesser.table["orbits"][mind.other, stand.other]
        return dict(zip(moves, worth[orbit].tolist(), strict=True))

    def odds(self, view: View) -> dict[Move, float]:
        """All codes that fit the answers are equally likely."""
        return equally_likely(view)

    def _hidden(self, seat: Seat, turns: Turns) -> dict[Move, float]:
        """What hiding each code wins."""
        wins = self.response.to_move if seat is Seat.ONE else self.response.to_wait
        by_name = dict(zip(self.guesser.sets[0].tolist(), wins(START, turns), strict=True))
        return {move: float(by_name[n]) for n, move in enumerate(self.guesser.space.game.actions)}

    def _worth_of_actions(self, mind: Mind, code: int, turns: Turns) -> Floats:
        """What each action wins, and last a guess that tells nothing, by the name of the code."""
        place = self.guesser.sets[mind.own].tolist().index(code)

        def waits(node: int) -> float:
            return float(self.response.to_wait(mind.hearing(node), one_fewer(turns))[place])

        count, sizes = len(self.guesser.sets[mind.other]), self.guesser.sets
        won = [
            (split.hit + sum(len(sizes[c]) * waits(c) for c in split.cells)) / count
            for split in self.guesser.splits(mind.other)
        ]
        return np.array([*won, waits(mind.other)])

    def _step(self, master: Seat, stand: Stand | None, event: Event) -> Stand | None:
        """The certified player's stand after an event; None if it never makes this guess."""
        assert isinstance(event.answer, int)
        if stand is None:
            return None
        guess = self.guesser.space.game.actions.index(event.move)
        if event.actor is not master:
            return self.guesser.after_other(stand, guess, event.answer)
        mixture, (node, names) = self.guesser.mixture(stand.mind)
        if not mixture.get(int(self.guesser.table["orbits"][node, names[stand.own[guess]]])):
            return None
        return self.guesser.after_own(stand, guess, event.answer)
