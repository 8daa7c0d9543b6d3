"""The odds of what the certified player may hide, and how they are told."""

from __future__ import annotations

from collections.abc import Mapping

from strongroom.contract import Move

EQUAL = 1e-9
"""Odds that differ by less are equal."""
SMALL = 0.01
"""Odds below this are not told more exactly."""


def likeliest(chances: Mapping[Move, float]) -> set[Move]:
    """The secrets that are likelier than others; empty if all are equally likely."""
    most, least = max(chances.values()), min(chances.values())
    if most - least < EQUAL:
        return set()
    return {move for move, chance in chances.items() if chance > most - EQUAL}


def told(chances: Mapping[Move, float]) -> str:
    """What may be hidden and how likely it is, in a sentence; the only one left is not named."""
    if len(chances) == 1:
        return "Only one is still possible."
    if not likeliest(chances):
        return f"Still possible: {', '.join(map(str, chances))}, each as likely."
    ranked = sorted(chances, key=lambda move: -round(chances[move], 9))
    return f"Still possible: {', '.join(f'{move} ({_share(chances[move])})' for move in ranked)}."


def _share(chance: float) -> str:
    return f"{chance:.0%}" if chance >= SMALL else f"under {SMALL:.0%}"
