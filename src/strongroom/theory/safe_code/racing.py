"""The worst case of a Safe Code player who only races, against every response."""

from __future__ import annotations

from fractions import Fraction

from strongroom.games.safe_code.rules import CLUES_EACH
from strongroom.theory.solution import Report


def worst_against_racing(size: int, report: Report) -> dict[tuple[int, int, int], Fraction]:
    """What a player who only races wins, at worst, by numbers left on each side and clues given.

    The opponent may try a number that is left, or one that is not, or ask. This is a full best
    response: the hidden number and the clues are drawn uniformly, so all that matters of the
    opponent's information is how many numbers, and how many clues, are left.
    """
    worst: dict[tuple[int, int, int], Fraction] = {}

    def to_move(mine: int, theirs: int, given: int) -> Fraction:
        if mine == 1:
            return Fraction(1)
        return (1 + (mine - 1) * worst[mine - 1, theirs, given]) / mine

    for mine in range(1, size + 1):
        report(mine / size, f"racing with {mine} numbers left")
        for theirs in range(1, size + 1):
            gone = size - theirs
            for given in range(min(CLUES_EACH, gone), -1, -1):
                options = [to_move(mine, theirs, given)]  # a guess that cannot hit
                if theirs == 1:
                    options.append(Fraction(0))
                else:
                    options.append(to_move(mine, theirs - 1, given) * (theirs - 1) / theirs)
                if given < CLUES_EACH and size - 1 > given:
                    old = Fraction(gone - given, size - 1 - given)  # already tried
                    asked = (1 - old) * to_move(mine, theirs - 1, given + 1) if old < 1 else 0
                    if old:
                        asked += old * to_move(mine, theirs, given + 1)
                    options.append(Fraction(asked))
                worst[mine, theirs, given] = min(options)
    return worst
