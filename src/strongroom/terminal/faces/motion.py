"""What moves on a page: the dots of a thinking bot, and the spinning coin."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from strongroom.terminal.screen.display import Display

SPINNING, ASCII_SPINNING = "◐◓◑◒", "|/-\\"
FRAME_TIME: Final = 0.09
"""How long one frame of the coin is shown, in seconds."""
SPIN: Final = 1.0
"""How long the coin spins, in seconds."""
DOT_TIME: Final = 0.2
"""How long it takes until another dot is shown, in seconds."""


@dataclass
class Motion:
    """Shows a passing sentence for a while, by drawing the page with it."""

    display: Display
    draw: Callable[[], None]
    moves: bool
    """Whether anything may move; if not, what passes is shown without change."""

    def thinking(self, name: str, seconds: float, say: Callable[[str], None]) -> None:
        """Show that a bot is choosing its move."""
        until, step = time.monotonic() + seconds, 0
        while time.monotonic() < until:
            say(f"{name} is thinking{'.' * (step % 4) if self.moves else '...'}")
            self.draw()
            self.wait(min(DOT_TIME, max(0.0, until - time.monotonic())))
            step += 1

    def spin(self, say: Callable[[str], None]) -> None:
        """Show the coin in the air."""
        frames = SPINNING if self.display.unicode else ASCII_SPINNING
        for step in range(round(SPIN / FRAME_TIME) if self.moves else 0):
            say(f"The coin spins  {frames[step % len(frames)]}")
            self.draw()
            self.wait(FRAME_TIME)

    def wait(self, seconds: float) -> None:
        """Wait, redrawing if the terminal is resized; keys are left for the next question."""
        until = time.monotonic() + seconds
        while (left := until - time.monotonic()) > 0:
            if not self.display.stale(left):
                return
            self.draw()
