"""How the expert plays Safecracker Duel."""

from __future__ import annotations

from random import Random
from typing import Final

import numpy as np
from numpy.typing import NDArray

from strongroom.contract import Event, History, Move, Seat, View
from strongroom.games.codes import Code
from strongroom.games.safecracker_duel.rules import CODES, INITIAL_SAFE, Change
from strongroom.players.ideas import Idea

LIKES_OWN_DIGITS: Final = 8.0
"""How many times likelier a change is if it sets a digit of the code of who makes it."""
HOPE: Final = 0.1
"""What a chance to win, should the opponent turn at random, weighs against its chance to win."""

Weights = NDArray[np.float64]

_DIGITS: Final = np.array([code.digits for code in CODES.codes])
_NUMBER: Final[dict[Move, int]] = {code: number for number, code in enumerate(CODES.codes)}
_START: Final = _NUMBER[INITIAL_SAFE]
_FAR: Final = (_DIGITS[:, np.newaxis] != _DIGITS).sum(axis=2)
_REACHED: Final = _FAR <= 1
"""Whether one turn can set the safe of a row to the code of a column, or it stands there."""
_HOPE: Final = (_FAR == 1) @ _REACHED.astype(float) / (_FAR == 1).sum(axis=1)
"""The chance that a random turn from the safe of a row leaves the code of a column in reach."""


class ChangesBack(Idea):
    """A code not far from the first safe; then a win, or the safest turn."""

    told = (
        "It hides a code that shares one or two digits with 1-1-1, takes a win on offer, and "
        "otherwise leaves the safe where the opponent is least likely to win next turn, which soon "
        "means to change back what the opponent changed. "
        "It supposes that the opponent never overlooks a win and likes to set digits of its own "
        "code, and among turns about equally safe it prefers those near its own code."
    )

    def __init__(self, rng: Random) -> None:
        super().__init__(rng)
        self._suspicion = Suspicion()

    def choose(self, view: View) -> Move:
        """A code or a change."""
        if view.setting_up:
            near = np.isin(_FAR[_START], (1, 2))
            return self._rng.choice([code for code in view.moves if near[_NUMBER[code]]])
        own = _NUMBER[view.secret[0]]
        turns = {
            move: _NUMBER[move.applied_to(view.board)]
            for move in view.moves
            if isinstance(move, Change)
        }
        winning = [turn for turn, result in turns.items() if result == own]
        if winning:
            return winning[0]
        expense = np.round(self._dangers(view) - HOPE * _HOPE[:, own], 9)
        least = min(expense[result] for result in turns.values())
        return self._rng.choice(
            [turn for turn, result in turns.items() if expense[result] == least]
        )

    def _dangers(self, view: View) -> Weights:
        """For each safe, how likely the opponent wins next turn if it is left so."""
        belief = self._suspicion.about_opponent(view)
        # Nobody may set their own code on their first turn; they win only if it is handed to them.
        return _REACHED @ belief if view.history else belief


class Suspicion:
    """How likely each code is the opponent's, from how it has moved; every turn is read once."""

    def __init__(self) -> None:
        self._forget(None)

    def _forget(self, seat: Seat | None) -> None:
        self._seat = seat
        self._read: History[Event] = History()
        self._shown: tuple[int | None, int] = (None, _START)
        """What the safe showed before the last turn that was read, and after it."""
        self._digits_set: set[tuple[int, int]] = set()
        """The digits that the opponent has set, and where, but for those it only changed back."""
        self._weights = np.ones(len(_DIGITS))

    def about_opponent(self, view: View) -> Weights:
        """The probability of each code to be the opponent's."""
        if view.seat is not self._seat or not view.history.begins_with(self._read):
            self._forget(view.seat)
        first = len(self._read)
        for turn, event in enumerate(view.history[first:], first):
            self._learn(turn, event)
        self._read = view.history
        total = self._weights.sum()
        # No code is left for an opponent who has overlooked a win; then any may be its code.
        return self._weights / total if total else np.full(len(_DIGITS), 1 / len(_DIGITS))

    def _learn(self, turn: int, event: Event) -> None:
        earlier, before = self._shown
        assert isinstance(event.answer, Code)
        assert isinstance(event.move, Change)
        after, change = _NUMBER[event.answer], (event.move.position, event.move.digit)
        if event.actor is not self._seat:
            if after != earlier and change not in self._digits_set:
                self._digits_set.add(change)
                self._weights[_DIGITS[:, change[0] - 1] == change[1]] *= LIKES_OWN_DIGITS
            if turn >= 2:  # on a first turn nobody can win
                self._weights[_REACHED[before]] = 0
        self._weights[after] = 0
        self._shown = (before, after)
