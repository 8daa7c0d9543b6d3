"""The player that follows a script, for examples and tests."""

from __future__ import annotations

from collections.abc import Iterable

from strongroom.contract import Game, Move, View
from strongroom.players import Resigns


class ScriptedPlayer:
    """Plays the moves named by the given texts, in order, then resigns."""

    def __init__(self, game: Game, texts: Iterable[str]) -> None:
        self._words = game.words
        self._texts = iter(texts)

    def choose(self, view: View) -> Move:
        """The move named by the next text."""
        text = next(self._texts, None)
        if text is None:
            raise Resigns
        return self._words.parse(text, view)
