"""Puzzles whose answer is certified: what each move costs is known exactly."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from strongroom.puzzles.finding import puzzles, todays
    from strongroom.puzzles.puzzle import Puzzle
    from strongroom.puzzles.sets import Exercise, Score, exercise, read, score

__all__ = ["Exercise", "Puzzle", "Score", "exercise", "puzzles", "read", "score", "todays"]

LATE: Final = {"puzzles": "finding", "todays": "finding", "Puzzle": "puzzle"}
"""The modules of what is not from `sets`; all of them load numpy, so they are imported late."""


def __getattr__(name: str) -> Any:
    """Import a name when it is first asked for."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{LATE.get(name, 'sets')}"), name)
