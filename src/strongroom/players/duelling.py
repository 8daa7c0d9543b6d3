"""What a turn of Safecracker Duel leads to, and which one undoes the opponent's."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from strongroom.contract import Move, View
from strongroom.games.codes import Code
from strongroom.games.safecracker_duel.rules import INITIAL_SAFE, Change


def results(view: View) -> Mapping[Change, Code]:
    """The safe that each legal turn leaves."""
    return _results(view.board, tuple(view.moves))


@lru_cache(maxsize=256)
def _results(safe: Code, moves: tuple[Move, ...]) -> Mapping[Change, Code]:
    return {move: move.applied_to(safe) for move in moves if isinstance(move, Change)}


def safe_before(view: View) -> Code:
    """The safe before the last turn; before the first turn, the initial safe."""
    before = view.history[-2].answer if len(view.history) > 1 else INITIAL_SAFE
    assert isinstance(before, Code)
    return before


def turn_back(view: View) -> Change:
    """The turn that undoes the opponent's change, legal from the fourth turn on."""
    before = safe_before(view)
    return next(turn for turn, safe in results(view).items() if safe == before)
