"""Puzzles whose answer is certified: what each move costs is known exactly."""

from strongroom.puzzles.finding import puzzles, todays
from strongroom.puzzles.puzzle import Puzzle
from strongroom.puzzles.sets import Exercise, Score, exercise, read, score

__all__ = ["Exercise", "Puzzle", "Score", "exercise", "puzzles", "read", "score", "todays"]
