"""Descriptions of what a move does, for a move still possible and for one not made."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

MOST_PARTS = 4
"""More parts than this are counted, not listed."""


BEST = "it gives you the best chance"
"""The plain reason for a move about which no more can be said without figures."""
SPLITS = "splits what is left"
"""How the plain reason for a guess that splits the codes left ends."""


class MoveEffect(NamedTuple):
    """One thing that a move does, in the terms of the game."""

    now: str
    """A sentence about a move that can be made."""
    then: str
    """The same for a move that was not made: the rest of a sentence that begins with the move."""
    plain: str = BEST
    """Why to make it, without figures: the rest of a sentence that begins with the move."""


def effect(does: str, done: str, what: str) -> MoveEffect:
    """What a move does, from a verb (present, participle) and its object.

    >>> effect("splits", "split", "the 12 codes left evenly").then
    'would have split the 12 codes left evenly'
    """
    return MoveEffect(f"It {does} {what}.", f"would have {done} {what}")


def guess(parts: Sequence[int], things: str, may_hit: bool, last: bool) -> MoveEffect:
    """What a guess does: how it splits the codes left, whether it may hit, whether it must.

    >>> guess([4, 4, 4], "codes", may_hit=False, last=False).now
    'It splits the 12 codes left evenly.'
    """
    left = sum(parts)
    if left == 1:
        sure = may_hit and things[:-1]
        return (
            MoveEffect(
                f"It is the only {sure} left.", f"was the only {sure} left", "nothing else is left"
            )
            if sure
            else MoveEffect("It cannot hit.", "could not have hit")
        )
    if may_hit and last:
        return MoveEffect(
            f"It may hit one of {left} {things} left, and must try: the opponent can hit next.",
            f"could have hit one of the {left} {things} left, before the opponent's next guess",
            "it may be right, and the opponent can hit next",
        )
    if len(parts) == 1:
        return effect("tells", "told", f"nothing about the {left} {things} left")
    what = f"the {left} {things} left {shares(parts)}"
    if not may_hit:
        return effect("splits", "split", what)._replace(plain=f"it {SPLITS}")
    return MoveEffect(
        f"It may hit, and splits {what}.",
        f"could have hit, and would have split {what}",
        f"it may be right, and {SPLITS}",
    )


def shares(parts: Sequence[int]) -> str:
    """How the parts share the whole, in words.

    >>> shares([4, 4]), shares([1, 4, 2]), shares([1, 1]), shares([1, 2, 3, 4, 5])
    ('evenly', 'into 4, 2 and 1', 'one by one', 'into 5 parts of at most 5')
    """
    if max(parts) == 1:
        return "one by one"
    if min(parts) == max(parts):
        return "evenly"
    if len(parts) > MOST_PARTS:
        return f"into {len(parts)} parts of at most {max(parts)}"
    *most, least = map(str, sorted(parts, reverse=True))
    return f"into {', '.join(most)} and {least}"
