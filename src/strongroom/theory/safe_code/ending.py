"""What decisions in Safe Code win against the certified player near the end, exactly.

Once the opponent has few numbers left to try, the rest of the game is short enough to be searched:
every kind of move of the player, every move of the certified player with its probability.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Final

from strongroom.contract import Event, Move, View
from strongroom.games.safe_code.rules import CLUES_EACH, REQUEST
from strongroom.theory.safe_code.kinds import Kind, kinds_of, worth_of_kind
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
        kinds = kinds_of(view, self._player.language, self._now)
        return {move: float(worth[kind]) for move, kind in kinds.items()}

    def _options(self, now: Standing, asked: int) -> dict[Kind, Fraction]:
        """What a move wins, by the kinds that are possible."""
        kinds = [Kind.OPEN]
        if len(now.open) < len(self._player.language.numbers):
            kinds.append(Kind.CLOSED)
        if asked < CLUES_EACH:
            kinds.append(Kind.REQUEST)
        return {kind: self._worth(kind, now, asked) for kind in kinds}

    def _worth(self, kind: Kind, now: Standing, asked: int) -> Fraction:
        later = asked + (kind is Kind.REQUEST)

        def replied(move: Move, answer: Move | bool) -> Fraction:
            return self._replied(now, later, move, answer)

        return worth_of_kind(kind, self._player.language, now, asked, replied)

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
