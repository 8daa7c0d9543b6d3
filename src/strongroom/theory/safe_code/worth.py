"""What decisions are worth at Safe Code against the certified player, to a player who races on.

What a best response wins depends on all that has happened, because the certified player keeps a
promise and spends what it gains. So V is what a player wins who from here on tries only numbers
that are left. Q is its exact mean over the certified player's next turn: its number is uniformly
distributed over those left, and its guesses tell nothing about it.

Racing gives nothing away. So as long as nothing has been given away, V is the value of the race,
whatever the player's clues say, and nobody can win more: in the set-up every choice is a best one.
Clues cost where they are used: whoever asks, or wastes a turn, lets the certified player ask back.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache

from strongroom.contract import Event, Move, Seat, View
from strongroom.games.safe_code.rules import CLUES_EACH, REQUEST
from strongroom.theory.safe_code.ending import Ending
from strongroom.theory.safe_code.kinds import Kind, WorthByKind, kinds_of, worth_of_kind
from strongroom.theory.safe_code.player import PromiseKeeper, Standing
from strongroom.theory.worth import Turns, Worth, equally_likely

HALF = Fraction(1, 2)
THEY = Seat.ONE
"""A seat for the certified player where it makes no difference which it is."""
REMEMBERED = 1 << 12
"""How many positions are remembered."""


class RaceWorth(Worth):
    """What a player wins who races on, and its mean after each move."""

    baseline = "what racing on wins"
    optimal = False
    horizons = (1, 2)

    def __init__(self, player: PromiseKeeper) -> None:
        self.player, self.race, self.language = player, player.race, player.language
        self._racing_on = lru_cache(maxsize=REMEMBERED)(self._race_on)

    def start(self, seat: Seat, turns: Turns) -> float:
        """The value of the whole race."""
        root = self.race.to_move if seat is Seat.ONE else self.race.waiting
        return float(root(self.race.size, self.race.size))

    def ceiling(self, seat: Seat, turns: Turns) -> float:
        """The value of the whole race, because the certified player concedes no more."""
        return self.start(seat, turns)

    def value(self, view: View, turns: Turns) -> float:
        """What racing on wins from here on."""
        assert view.seat is not None
        if view.setting_up:
            return self.start(view.seat, turns)
        clues = self._clues_left(view, view.secret[1:])
        return float(self._to_move(self._standing(view), view.secret[0], clues, turns))

    def moves(self, view: View, turns: Turns) -> Mapping[Move, float]:
        """What racing on wins after each move, on average."""
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
        """Every choice is worth the race: a player who races on is never asked for a clue."""
        assert view.seat is not None
        if view.seat is Seat.ONE or len(view.secret) < CLUES_EACH:
            return dict.fromkeys(view.moves, self.start(view.seat, turns))
        now = self.player.start(view.seat.other)
        worth = self._reply(now, view.secret[0], (), turns)
        return dict.fromkeys(view.moves, float(worth))

    def _reply(self, now: Standing, own: Move, clues: Sequence[Move], turns: Turns) -> Fraction:
        """The mean of V after the certified player's turn, given one's own number and clues."""
        if turns == 0:
            return HALF
        mixture, later = self.player.mixture(now), None if turns is None else turns - 1
        ask, hit = mixture.pop(REQUEST, Fraction(0)), mixture.pop(own, Fraction(0))
        worth = Fraction(0)
        if ask:
            told = self.player.after(THEY, now, Event(THEY, REQUEST, clues[0]))
            worth += ask * self._to_move(told, own, clues[1:], later)
        if len(mixture) == 1:  # it leans towards a number, or has no other to try
            (guess,) = mixture
            missed = self.player.after(THEY, now, Event(THEY, guess, False))
            worth += (1 - ask - hit) * self._to_move(missed, own, clues, later)
        elif mixture:  # after these guesses nothing is left to spend, or no clue to read
            race = self.race.to_move(len(now.open), len(now.left) - 1)
            worth += (1 - ask - hit) * (HALF if later == 0 else race)
        return worth

    def _to_move(self, now: Standing, own: Move, clues: Sequence[Move], turns: Turns) -> Fraction:
        """V when the player is to move."""
        if turns == 0:
            return HALF
        mine, theirs = len(now.open), len(now.left)
        if not now.seen or now.owed == self.race.waiting(theirs, mine):
            return self.race.to_move(mine, theirs)
        # Which numbers are left to the player makes no difference, only how many.
        return self._racing_on(replace(now, open=tuple(range(mine))), own, tuple(clues))

    def _race_on(self, now: Standing, own: Move, clues: tuple[Move, ...]) -> Fraction:
        """What racing on wins while the certified player has something to spend."""
        hit = Fraction(1, len(now.open))
        if hit == 1:
            return hit
        tried = Event(THEY.other, self.language.numbers[now.open[0]], False)
        missed = self.player.after(THEY, now, tried)
        return hit + (1 - hit) * self._reply(missed, own, clues, None)

    def _standing(self, view: View) -> Standing:
        """The certified player's standing: its `open` are the viewer's numbers left."""
        assert view.seat is not None
        return self.player.standing(view, view.seat.other)

    def _clues_left(self, view: View, clues: Sequence[Move]) -> Sequence[Move]:
        assert view.seat is not None
        return clues[view.board[view.seat.other.index] :]
