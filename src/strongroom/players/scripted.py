"""The player that follows a script, for examples and tests."""

from __future__ import annotations

from collections.abc import Iterable

from strongroom.game import Move, View
from strongroom.players import Resigns


class ScriptedPlayer:
    """Plays the given texts one after the other, as if a person had typed them, then resigns."""

    def __init__(self, texts: Iterable[str]) -> None:
        self._texts = iter(texts)

    def choose(self, view: View) -> Move:
        """The move of the next text."""
        text = next(self._texts, None)
        if text is None:
            raise Resigns
        return view.game.parse(text, view)
