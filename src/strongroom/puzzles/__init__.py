"""Puzzles whose answer is certified: what each move costs is known exactly."""

from strongroom.puzzles.finding import puzzles, todays
from strongroom.puzzles.puzzle import Puzzle

__all__ = ["Puzzle", "puzzles", "todays"]
