"""What decisions in Safe Code win against the certified player near the end, exactly.

Once the opponent has few numbers left to try, the rest of the game is short enough to be searched:
every move of the player, every move of the certified player with its probability. To the player,
all numbers left are alike, because the certified player's number is uniformly distributed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Final

from strongroom.contract import Event, Move, View
from strongroom.games.safe_code.rules import CLUES_EACH, REQUEST
from strongroom.theory.safe_code.player import PromiseKeeper, Standing

SEARCHED: Final = 5
"""With at most this many numbers left to the opponent, the rest of the game is searched."""


class Ending:
    """The rest of a game, as the player in one seat faces it."""

    def __init__(self, player: PromiseKeeper, view: View) -> None:
        assert view.seat is not None
        self._player, self._seat = player, view.seat
        self._own, *self._clues = view.secret
        self._asked: int = view.board[view.seat.index]
        self._now = player.standing(view, view.seat.other)
        self._known: dict[tuple[Standing, int, int], Fraction] = {}

    @property
    def searchable(self) -> bool:
        """Whether the rest of the game is short enough."""
        return len(self._now.left) <= SEARCHED

    def moves(self, view: View) -> dict[Move, float]:
        """What each legal move wins if a best response follows it."""
        worth = self._options(self._now, self._asked)
        left = {self._player.language.numbers[x] for x in self._now.open}
        return {
            move: float(worth[REQUEST if move == REQUEST else move in left]) for move in view.moves
        }

    def _options(self, now: Standing, asked: int) -> dict[Move | bool, Fraction]:
        """What guessing a number left wins (True), guessing another (False), and asking."""
        numbers, hit = self._player.language.numbers, Fraction(1, len(now.open))
        worth: dict[Move | bool, Fraction] = {True: hit}
        if hit < 1:
            worth[True] += (1 - hit) * self._replied(now, asked, numbers[now.open[0]], False)
        closed = [x for x in range(len(numbers)) if x not in now.open]
        if closed:
            worth[False] = self._replied(now, asked, numbers[closed[0]], False)
        if asked < CLUES_EACH:
            worth[REQUEST] = self._clue(now, asked, closed)
        return worth

    def _clue(self, now: Standing, asked: int, closed: Sequence[int]) -> Fraction:
        """What asking wins: a clue rules out a uniformly drawn number that no other clue has."""
        language = self._player.language
        others = len(language.numbers) - asked - 1
        fresh, worth = Fraction(len(now.open) - 1, others), Fraction(0)
        for chance, told in ((fresh, now.open), (1 - fresh, closed)):
            if chance:
                clue = language.weakest[language.numbers[told[0]].value]
                worth += chance * self._replied(now, asked + 1, REQUEST, clue)
        return worth

    def _replied(self, now: Standing, asked: int, move: Move, answer: Move | bool) -> Fraction:
        """What is won after a move, its answer, and the certified player's turn."""
        them = self._seat.other
        now = self._player.after(them, now, Event(self._seat, move, answer))
        worth = Fraction(0)
        for reply, chance in self._player.mixture(now).items():
            if reply == self._own:
                continue
            told = self._clues[len(now.seen)] if reply == REQUEST else False
            worth += chance * self._value(
                self._player.after(them, now, Event(them, reply, told)), asked
            )
        return worth

    def _value(self, now: Standing, asked: int) -> Fraction:
        key = replace(now, open=()), len(now.open), asked
        if key not in self._known:
            self._known[key] = max(self._options(now, asked).values())
        return self._known[key]
