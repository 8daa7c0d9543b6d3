"""Stepping through a recorded game on its page, forward and back."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from strongroom.contract import View
from strongroom.terminal.faces.face import Face
from strongroom.terminal.screen.display import Display
from strongroom.terminal.screen.keys import Key

Show = Callable[[View, str, Sequence[str], str], None]
"""Draws a moment, with its announcement, the keys, and its position in the game."""

KEYS: Final = ("→ next", "← back", "End last", "Home first", "p play", "q leave")
ASCII_KEYS: Final = ("n next", "b back", "e last", "a first", "p play", "q leave")
PACE: Final = 1.2
"""How long a moment is shown in automatic replay, in seconds."""


@dataclass
class Stepping:
    """Shows one moment of a game at a time."""

    face: Face
    display: Display
    show: Show
    moments: Sequence[View]
    at: int = 0
    playing: bool = False

    def read(self) -> None:
        """Show moments until the user leaves."""
        while True:
            self._draw()
            key = self.display.key(PACE if self.playing else None)
            last = len(self.moments) - 1
            if key is not None and key is not Key.REDRAW:
                self.playing = key == "p" and not self.playing and self.at < last
            match key:
                case Key.RIGHT | Key.DOWN | Key.ENTER | Key.PAGE_DOWN | " " | "n":
                    self.at += 1
                case Key.LEFT | Key.UP | Key.BACKSPACE | Key.PAGE_UP | "b":
                    self.at -= 1
                case Key.END | "e" | "G":
                    self.at = last
                case Key.HOME | "a" | "g":
                    self.at = 0
                case None:
                    self.at += 1
                    self.playing = self.at < last
                case "q" | "Q" | Key.ESCAPE | Key.END_OF_INPUT:
                    return
            self.at = max(0, min(self.at, last))

    def _draw(self) -> None:
        view = self.moments[self.at]
        keys = KEYS if self.display.unicode else ASCII_KEYS
        foot = f"Moment {self.at} of {len(self.moments) - 1}"
        self.show(view, self._said(view), keys, f"{foot}, playing" if self.playing else foot)

    def _said(self, view: View) -> str:
        said = self.face.words.say(view, self.face.names, frozenset()).strip()
        if view.outcome is not None:
            return "\n".join([said, *self.face.the_end(view)])
        if self.at == len(self.moments) - 1:
            return f"{said}\nThe game is not over."
        return said
