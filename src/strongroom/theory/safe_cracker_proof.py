"""The certificate of Safe Cracker: a full best response over the real sets of codes."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from strongroom.game import Seat

if TYPE_CHECKING:
    from strongroom.theory.safe_cracker import Mind, Player


class Response:
    """The best response to a player by one who knows its own code and makes any guess.

    Two facts save time. The strategy treats all codes alike before anything is known, so one
    first guess of each side stands for all; and it never looks at the own code, so that to the
    responder each remaining code stays as likely as any other. Chances are counted in whole
    numbers of a tiny unit, because fractions are slow; that they stay whole is checked.
    """

    UNIT = 360**14

    def __init__(self, player: Player) -> None:
        self.player, self.answers = player, player.space.answers.tolist()
        self.length = player.space.game.options.length
        self.moves: dict[Mind, list[int]] = {}
        self.waits: dict[Mind, list[int]] = {}

    def wins(self, seat: Seat) -> Fraction:
        """The responder's chance to win in this seat, with its best code."""
        start = self.player.start
        values = self.to_move(start) if seat is Seat.ONE else self.to_wait(start)
        return Fraction(max(values), self.UNIT)

    def to_move(self, mind: Mind) -> list[int]:
        """The responder, to move: its chance to win with each code of `mind.own`."""
        size = len(mind.other)
        if size == 1:
            return [self.UNIT] * len(mind.own)
        if mind not in self.moves:
            best = [0] * len(mind.own)
            splits = {
                tuple(self.answers[guess][code] for code in mind.other): guess
                for guess in range(1 if size == len(self.answers) else len(self.answers))
            }
            for split, guess in splits.items():
                total = [split.count(self.length) * self.UNIT] * len(mind.own)
                for answer in {*split} - {self.length}:
                    then = self.to_wait(self.player.heard(mind, guess, answer))
                    count = split.count(answer)
                    total = [t + count * v for t, v in zip(total, then, strict=True)]
                best = list(map(max, best, total))
            self.moves[mind] = [_whole(value, size) for value in best]
        return self.moves[mind]

    def to_wait(self, mind: Mind) -> list[int]:
        """The same while the player is to move."""
        if len(mind.own) == 1:  # the one action left is to guess it
            return [0]
        if mind not in self.waits:
            draw, first = self.player.draw(mind), len(mind.own) == len(self.answers)
            total = dict.fromkeys(mind.own, 0)
            for guess, share in {0: Fraction(1)}.items() if first else draw.items():
                over, under = share.numerator, share.denominator
                for answer in {self.answers[guess][code] for code in mind.own} - {self.length}:
                    then = self.player.guessed(mind, guess, answer)
                    for code, value in zip(then.own, self.to_move(then), strict=True):
                        total[code] += _whole(value * over, under)
            values = list(total.values())
            if first:  # a first guess drawn evenly meets every code in the same way
                values = [_whole(sum(values), len(values))] * len(values)
            self.waits[mind] = values
        return self.waits[mind]


def _whole(value: int, parts: int) -> int:
    share, rest = divmod(value, parts)
    if rest:
        raise ArithmeticError("the unit of the best response is too coarse")
    return share
