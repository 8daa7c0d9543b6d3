"""How Safe Cracker is proved: full best responses to the strategy of a table.

For the default game over the real sets of codes, in fractions; for its variations over the sets up
to symmetry, in floats.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from strongroom.contract import Seat
from strongroom.theory.safe_cracker.board import Ints
from strongroom.theory.safe_cracker.player import Mind, RaceGuesser
from strongroom.theory.safe_cracker.race import CodeRace
from strongroom.theory.safe_cracker.response import TypeResponse
from strongroom.theory.solution import NotProved, Report


def exact_bounds(guesser: RaceGuesser, report: Report) -> tuple[Fraction, Fraction]:
    """What the strategy guarantees Seat.ONE at least, and leaves Seat.ONE at most."""
    response = CodeResponse(guesser)
    upper = response.wins(Seat.ONE)
    report(0.5, "a full best response against Seat.TWO")
    lower = 1 - response.wins(Seat.TWO)
    report(1.0, "full best responses against both seats")
    return lower, upper


class CodeResponse:
    """The best response to the certified player by one who knows its own code and makes any guess.

    Two facts save time. The strategy treats all codes alike before anything is known, so one
    first guess of each side stands for all; and it never looks at the own code, so that to the
    responder each remaining code stays as likely as any other. Chances are counted in whole
    numbers of a tiny unit, because fractions are slow; that they stay whole is checked.
    """

    UNIT = 360**14

    def __init__(self, guesser: RaceGuesser) -> None:
        self.guesser, self.answers = guesser, guesser.space.answers.tolist()
        self.length = guesser.space.game.options.length
        self.moves: dict[Mind, list[int]] = {}
        self.waits: dict[Mind, list[int]] = {}

    def wins(self, seat: Seat) -> Fraction:
        """The responder's chance to win in this seat, with its best code."""
        start = self.guesser.start
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
                    then = self.to_wait(self.guesser.heard(mind, guess, answer))
                    count = split.count(answer)
                    total = [t + count * v for t, v in zip(total, then, strict=True)]
                best = list(map(max, best, total))
            self.moves[mind] = [_whole(value, size) for value in best]
        return self.moves[mind]

    def to_wait(self, mind: Mind) -> list[int]:
        """The same while the player is to move."""
        if mind not in self.waits:
            draw, first = self._draw(mind), len(mind.own) == len(self.answers)
            total = dict.fromkeys(mind.own, 0)
            for guess, share in {0: Fraction(1)}.items() if first else draw.items():
                over, under = share.numerator, share.denominator
                for answer in {self.answers[guess][code] for code in mind.own} - {self.length}:
                    then = self.guesser.guessed(mind, guess, answer)
                    if len(then.own) == len(mind.own):  # so that no game is endless
                        raise NotProved("The strategy guesses what tells it nothing.")
                    for code, value in zip(then.own, self.to_move(then), strict=True):
                        total[code] += _whole(value * over, under)
            values = list(total.values())
            if first:  # a first guess drawn evenly meets every code in the same way
                values = [_whole(sum(values), len(values))] * len(values)
            self.waits[mind] = values
        return self.waits[mind]

    def _draw(self, mind: Mind) -> dict[int, Fraction]:
        """How the player guesses, which has to be a mixture, and an even one before any news."""
        draw = self.guesser.draw(mind)
        if sum(draw.values()) != 1 or min(draw.values()) < 0:
            raise NotProved("The chances of some guesses do not add up to 1.")
        if len(mind.own) == len(self.answers) and {*draw.values()} != {Fraction(1, len(mind.own))}:
            raise NotProved("The first guess is not drawn evenly.")
        return draw


def _whole(value: int, parts: int) -> int:
    share, rest = divmod(value, parts)
    if rest:
        raise NotProved("Some chances are too fine for the unit of the proof.")
    return share


def race_bounds(race: CodeRace, choice: Ints, report: Report) -> tuple[float, float]:
    """What a choice of one action a pair of nodes guarantees Seat.ONE at least, and at most."""
    response, order = TypeResponse(race), race.actions.order
    for done, x in enumerate(order, 1):
        if not np.isin(choice[x], range(len(race.chart.nodes[x].actions))).all():
            raise NotProved("The table chooses a guess that does not exist.")
        response.meet(x, choice[x], response.wins_after(x, np.unique(choice[x])))
        report(done / len(order), "best responses")
    return response.bounds
