"""The colours of everything drawn in a terminal: paper, ink, brass, and one for each player.

They are rich style strings, so a terminal with fewer colours gets the nearest it has, and one that
asks for none (`NO_COLOR`) gets none: a glyph, a name or a position always says the same.
"""

PAPER = "#12171f"
"""The ground of a page."""
INK = "#efe8d6"
"""The text."""
SOFT = "#a39c88"
"""Text of second rank: numbers of rows, what is left, the keys."""
BRASS = "#d9a441"
"""What can be touched or is being decided."""
BRIGHT = "#f1cf85"
"""The same, where it must stand out: the touched dial, the newest row."""
LINE = "#626c7c"
"""Rules, frames and axes."""
PLAYERS = ("#5cc3e0", "#f08bb1")
"""The first player's colour and the second's."""

LIGHT = {
    PAPER: "#f6f1e4",
    INK: "#1d2230",
    SOFT: "#6d6650",
    BRASS: "#855c16",
    BRIGHT: "#6e4a05",
    LINE: "#8f866b",
    PLAYERS[0]: "#0f6f8f",
    PLAYERS[1]: "#a63a63",
}
"""What stands for each where the terminal's own ground is light."""

FEW = {
    SOFT: "white",
    BRASS: "yellow",
    BRIGHT: "bright_yellow",
    LINE: "bright_black",
    PLAYERS[0]: "bright_cyan",
    PLAYERS[1]: "bright_magenta",
}
"""What stands for each where a terminal has sixteen colours of its own."""
