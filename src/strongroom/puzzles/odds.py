"""How likely each code or number is that the certified player may hide from a player."""

from __future__ import annotations

from strongroom.contract import Candidates, Game, Move, View
from strongroom.games.digit_deductions.rules import DigitDeductions
from strongroom.games.safe_code.rules import SafeCode
from strongroom.games.safe_cracker.rules import SafeCracker
from strongroom.theory.digit_deductions.board import CODES
from strongroom.theory.digit_deductions.knowledge import in_turn
from strongroom.theory.digit_deductions.worth import DiagonalWorth
from strongroom.theory.shelf import solution_of

EQUAL = 1e-9
"""Odds that differ by less are equal."""
SMALL = 0.01
"""Odds below this are not told more exactly."""


def odds(view: View) -> dict[Move, float] | None:
    """How likely each secret is, given all that the viewer knows; None if that is not told.

    At Safe Cracker and Safe Code, all that fit are equally likely, because the certified player
    hides uniformly and its guesses tell nothing about its own secret.
    """
    game = view.game
    assert isinstance(game, Game)
    if isinstance(game, DigitDeductions):
        worth = solution_of(game).worth
        assert isinstance(worth, DiagonalWorth)
        return {CODES[number]: chance for number, chance in worth.odds(in_turn(view)).items()}
    possible = left(view)
    if possible is None or not isinstance(game, SafeCracker | SafeCode):
        return None
    codes = ("-".join(map(str, each)) for each in sorted(possible))
    return {game.move(code): 1 / len(possible) for code in codes}


def left(view: View) -> Candidates | None:
    """What can still be hidden from the viewer; None if nothing is counted."""
    assert view.seat is not None
    possible = view.game.candidates(view.seat)
    for event in view.history:
        possible = possible and possible.after(event)
    return possible


def likeliest(chances: dict[Move, float]) -> set[Move]:
    """The secrets that are likelier than others; empty if all are equally likely."""
    most, least = max(chances.values()), min(chances.values())
    if most - least < EQUAL:
        return set()
    return {move for move, chance in chances.items() if chance > most - EQUAL}


def told(chances: dict[Move, float]) -> str:
    """What may be hidden and how likely it is, in a sentence; the only one left is not named."""
    if len(chances) == 1:
        return "Only one is still possible."
    if not likeliest(chances):
        return f"Still possible: {', '.join(map(str, chances))}, each as likely."
    ranked = sorted(chances, key=lambda move: -round(chances[move], 9))
    return f"Still possible: {', '.join(f'{move} ({_share(chances[move])})' for move in ranked)}."


def _share(chance: float) -> str:
    return f"{chance:.0%}" if chance >= SMALL else f"under {SMALL:.0%}"
