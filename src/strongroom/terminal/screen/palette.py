"""The colours of everything drawn in a terminal: paper, ink, brass, and one for each player.

They are Rich style strings: a terminal with fewer colours gets the nearest it has, and `NO_COLOR`
turns them off. No colour carries meaning alone: a glyph, a name or a position says the same.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product

from rich.style import Style

PAPER = "#12171f"
"""The background of a page."""
INK = "#efe8d6"
"""The text."""
SOFT = "#a39c88"
"""Secondary text: row numbers, what is left, the key help."""
BRASS = "#d9a441"
"""What can be touched or is being decided."""
BRIGHT = "#f1cf85"
"""The same, where it must stand out: the touched dial, the newest row."""
LINE = "#626c7c"
"""Rules, frames and axes."""
PLAYERS = ("#5cc3e0", "#f08bb1")
"""The first player's colour and the second's."""

GROUNDS = {
    # on light paper; on dark and on light paper with sixteen colours; on whatever is there
    PAPER: ("#f6f1e4", "black", "bright_white", "default"),
    INK: ("#1d2230", "bright_white", "black", "default"),
    SOFT: ("#6d6650", "white", "black", "default"),
    BRASS: ("#855c16", "yellow", "red", "#9c6f1c"),
    BRIGHT: ("#6e4a05", "bright_yellow", "red", "#9c6f1c"),
    LINE: ("#8f866b", "white", "bright_black", "#787878"),
    PLAYERS[0]: ("#0f6f8f", "bright_cyan", "blue", "#1f83a2"),
    PLAYERS[1]: ("#a63a63", "bright_magenta", "magenta", "#c2527f"),
}
"""The replacement for each on other terminals, and outside a page."""
LIGHT, FEW, FEW_LIGHT, PRINTED = (
    {colour: others[number] for colour, others in GROUNDS.items()} for number in range(4)
)

STANDARD, EIGHT_BIT = "standard", "256"
"""What Rich calls terminals with 16 and with 256 colours."""

STEPS = (0, 95, 135, 175, 215, 255)
"""The values that red, green and blue have in the cube of a terminal with 256 colours."""


def page_colours(system: str, light: bool) -> dict[str, str]:
    """The colours of a page, which has its own background, for Rich's name of a terminal's colours.

    >>> page_colours(STANDARD, light=True)[PAPER], page_colours("truecolor", light=False)[PAPER]
    ('bright_white', '#12171f')
    """
    if system == STANDARD:
        return FEW_LIGHT if light else FEW
    return _nearest_colours(system, LIGHT if light else {each: each for each in LIGHT})


def printed_colours(system: str) -> dict[str, str]:
    """The colours of what is printed on the terminal's own background, whatever that is.

    No two of sixteen colours are readable on every background, so there none is used.
    """
    few = dict.fromkeys(GROUNDS, "default")
    return few if system == STANDARD else _nearest_colours(system, PRINTED)


def _nearest_colours(system: str, colours: dict[str, str]) -> dict[str, str]:
    if system != EIGHT_BIT:
        return colours
    return {each: nearest(to) if to.startswith("#") else to for each, to in colours.items()}


def recolour(style: str | Style, colours: Mapping[str, str]) -> Style:
    """A style with its colour replaced, if there is a replacement."""
    style = Style.parse(style) if isinstance(style, str) else style
    colour = style.color and colours.get(style.color.name)
    return style + Style(color=colour) if colour else style


def nearest(colour: str) -> str:
    """The colour of a terminal with 256 that is nearest by distance, cube and greys alike.

    >>> nearest(INK), nearest(PAPER), nearest(LIGHT[PAPER])
    ('color(254)', 'color(234)', 'color(255)')
    """
    wanted = [int(colour[at : at + 2], 16) for at in (1, 3, 5)]
    cube = {
        16 + 36 * r + 6 * g + b: (STEPS[r], STEPS[g], STEPS[b])
        for r, g, b in product(range(6), repeat=3)
    }
    greys = {232 + step: (8 + 10 * step,) * 3 for step in range(24)}

    def distance(number: int) -> int:
        return sum((a - b) ** 2 for a, b in zip(wanted, {**cube, **greys}[number], strict=True))

    return f"color({min({**cube, **greys}, key=distance)})"
