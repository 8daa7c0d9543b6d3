"""What a move does, told of a move to be made and of one that was not."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

MOST_PARTS = 4
"""More parts than this are counted, not listed."""


class Deed(NamedTuple):
    """One thing that a move does, in the terms of the game."""

    now: str
    """A sentence on a move that can be made."""
    then: str
    """The same of a move that was not made: the rest of a sentence that begins with the move."""


def deed(does: str, done: str, what: str) -> Deed:
    """What a move does, by its verb and the rest.

    >>> deed("splits", "split", "the 12 codes left evenly").then
    'would have split the 12 codes left evenly'
    """
    return Deed(f"It {does} {what}.", f"would have {done} {what}")


def guess(parts: Sequence[int], things: str, may_hit: bool, last: bool) -> Deed:
    """What a guess does: how it splits the codes left, whether it may hit, and must hit now.

    >>> guess([4, 4, 4], "codes", may_hit=False, last=False).now
    'It splits the 12 codes left evenly.'
    """
    left = sum(parts)
    if left == 1:
        sure = may_hit and things[:-1]
        return (
            Deed(f"It is the only {sure} left.", f"was the only {sure} left")
            if sure
            else Deed("It cannot hit.", "could not have hit")
        )
    if may_hit and last:
        return Deed(
            f"It may hit, one of {left} {things} left, and must: the opponent can hit next.",
            f"could have hit, one of the {left} {things} left, before the opponent did next",
        )
    if len(parts) == 1:
        return deed("tells", "told", f"nothing about the {left} {things} left")
    what = f"the {left} {things} left {shares(parts)}"
    if not may_hit:
        return deed("splits", "split", what)
    return Deed(f"It may hit, and splits {what}.", f"could have hit, and would have split {what}")


def shares(parts: Sequence[int]) -> str:
    """How something is split.

    >>> shares([4, 4]), shares([1, 4, 2]), shares([1, 1]), shares([1, 2, 3, 4, 5])
    ('evenly', 'into 4, 2 and 1', 'one by one', 'into 5 parts of 5 at most')
    """
    if max(parts) == 1:
        return "one by one"
    if min(parts) == max(parts):
        return "evenly"
    if len(parts) > MOST_PARTS:
        return f"into {len(parts)} parts of {max(parts)} at most"
    *most, least = map(str, sorted(parts, reverse=True))
    return f"into {', '.join(most)} and {least}"
