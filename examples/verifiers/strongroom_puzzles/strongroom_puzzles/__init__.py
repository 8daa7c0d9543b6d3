"""The puzzles of strongroom as a package of verifiers: `vf-eval strongroom-puzzles`."""

from strongroom.doors.verifiers_puzzles import ChatHarness, PuzzleEnv, PuzzleTaskset, load_puzzles

__all__ = ["ChatHarness", "PuzzleEnv", "PuzzleTaskset", "load_puzzles"]
