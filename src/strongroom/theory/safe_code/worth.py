"""What decisions are worth at Safe Code against the certified player, measured by the race.

What a best response wins depends on all that has happened, because the certified player keeps a
promise and spends what it gains. So V is not that, but the value of the race between the numbers
that each has left. Q is its exact mean over the certified player's next turn: its number is
uniformly distributed over those left, and its guesses tell nothing about it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from strongroom.contract import Event, Move, Seat, View
from strongroom.games.safe_code.rules import CLUES_EACH, REQUEST
from strongroom.theory.safe_code.ending import Ending
from strongroom.theory.safe_code.kinds import Kind, WorthByKind, kinds_of, worth_of_kind
from strongroom.theory.safe_code.player import PromiseKeeper, Standing
from strongroom.theory.worth import Turns, Worth, equally_likely

HALF = Fraction(1, 2)


class RaceWorth(Worth):
    """The value of the race, and its mean after each move."""

    baseline = "the value of the race between the numbers left"
    optimal = False
    horizons = (1, 2)

    def __init__(self, player: PromiseKeeper) -> None:
        self.player, self.race, self.language = player, player.race, player.language

    def start(self, seat: Seat, turns: Turns) -> float:
        """The value of the whole race."""
        root = self.race.to_move if seat is Seat.ONE else self.race.waiting
        return float(root(self.race.size, self.race.size))

    def ceiling(self, seat: Seat, turns: Turns) -> float:
        """The value of the whole race, because the certified player concedes no more."""
        return self.start(seat, turns)

    def value(self, view: View, turns: Turns) -> float:
        """The value of the race from here on."""
        assert view.seat is not None
        if view.setting_up:
            return self.start(view.seat, turns)
        now = self._standing(view)
        return float(self._to_move(len(now.open), len(now.left), turns))

    def moves(self, view: View, turns: Turns) -> Mapping[Move, float]:
        """The mean value of the race after each move."""
        assert view.seat is not None
        if view.setting_up:
            return self._set_up(view, turns)
        now, later = self._standing(view), None if turns is None else turns - 1
        own, clues = view.secret[0], self._clues_left(view, view.secret[1:])
        seat, asked = view.seat, view.board[view.seat.index]

        def replied(move: Move, answer: Move | bool) -> Fraction:
            after = self.player.after(seat.other, now, Event(seat, move, answer))
            return self._reply(after, own, clues, later)

        def worth_of(kind: Kind) -> Fraction:
            return worth_of_kind(kind, self.language, now, asked, replied)

        return WorthByKind(kinds_of(view, self.language, now), worth_of)

    def best_response(self, view: View) -> Mapping[Move, float] | None:
        """What each move wins if a best response follows it, where the rest can be searched."""
        if view.setting_up:
            return None
        ending = Ending(self.player, view)
        return ending.moves(view) if ending.searchable else None

    def odds(self, view: View) -> dict[Move, float]:
        """All numbers left are equally likely."""
        return equally_likely(view)

    def _set_up(self, view: View, turns: Turns) -> Mapping[Move, float]:
        """In the set-up every choice is worth the race; it shows later what a clue gave away."""
        assert view.seat is not None
        if view.seat is Seat.ONE or len(view.secret) < CLUES_EACH:
            return dict.fromkeys(view.moves, self.start(view.seat, turns))
        now = self.player.start(view.seat.other)
        worth = self._reply(now, view.secret[0], (), turns)
        return dict.fromkeys(view.moves, float(worth))

    def _reply(self, now: Standing, own: Move, clues: Sequence[Move], turns: Turns) -> Fraction:
        """The mean value after the certified player's turn, given one's own number and clues."""
        if turns == 0:
            return HALF
        mixture = self.player.mixture(now)
        later = None if turns is None else turns - 1
        mine, theirs = len(now.open), len(now.left)
        ask, hit = mixture.get(REQUEST, Fraction(0)), mixture.get(own, Fraction(0))
        worth = Fraction(0)
        if ask:
            true = self.language.true[self.language.index[clues[0]]]
            told = sum(bool(true[x]) for x in now.left)
            worth += ask * self._to_move(mine, told, later)
        if ask + hit < 1:
            worth += (1 - ask - hit) * self._to_move(mine, theirs - 1, later)
        return worth

    def _to_move(self, mine: int, theirs: int, turns: Turns) -> Fraction:
        return HALF if turns == 0 else self.race.to_move(mine, theirs)

    def _standing(self, view: View) -> Standing:
        """The certified player's standing: its `open` are the viewer's numbers left."""
        assert view.seat is not None
        return self.player.standing(view, view.seat.other)

    def _clues_left(self, view: View, clues: Sequence[Move]) -> Sequence[Move]:
        assert view.seat is not None
        return clues[view.board[view.seat.other.index] :]
