"""Colours that can be read: their contrast on the backgrounds that they are shown on."""

from __future__ import annotations

import pytest
from rich.color import Color
from rich.terminal_theme import TerminalTheme

from strongroom.terminal.screen.palette import (
    INK,
    LIGHT,
    LINE,
    PAPER,
    SOFT,
    page_colours,
    printed_colours,
)

BLACK, WHITE = (0, 0, 0), (255, 255, 255)
NORMAL_AND_BRIGHT = {
    "xterm": (
        "000000 cd0000 00cd00 cdcd00 0000ee cd00cd 00cdcd e5e5e5",
        "7f7f7f ff0000 00ff00 ffff00 5c5cff ff00ff 00ffff ffffff",
    ),
    "VGA": (
        "000000 aa0000 00aa00 aa5500 0000aa aa00aa 00aaaa aaaaaa",
        "555555 ff5555 55ff55 ffff55 5555ff ff55ff 55ffff ffffff",
    ),
    "Tango": (
        "2e3436 cc0000 4e9a06 c4a000 3465a4 75507b 06989a d3d7cf",
        "555753 ef2929 8ae234 fce94f 729fcf ad7fa8 34e2e2 eeeeec",
    ),
    "macOS": (
        "000000 990000 00a600 999900 0000b2 b200b2 00a6b2 bfbfbf",
        "666666 e50000 00d900 e5e500 0000ff e500e5 00e5e5 e5e5e5",
    ),
    "Windows": (
        "0c0c0c c50f1f 13a10e c19c00 0037da 881798 3a96dd cccccc",
        "767676 e74856 16c60c f9f1a5 3b78ff b4009e 61d6d6 f2f2f2",
    ),
}
"""The sixteen colours of usual terminals."""
SYSTEMS = ("standard", "256", "truecolor")


def rgb(text: str) -> list[tuple[int, int, int]]:
    return [(each[0], each[1], each[2]) for each in map(bytes.fromhex, text.split())]


THEMES = {
    name: TerminalTheme(BLACK, WHITE, rgb(normal), rgb(bright))
    for name, (normal, bright) in NORMAL_AND_BRIGHT.items()
}


def luminance(colour: tuple[int, ...]) -> float:
    """The relative luminance of WCAG 2."""
    parts = (each / 255 for each in colour)
    red, green, blue = (
        each / 12.92 if each <= 0.04045 else ((each + 0.055) / 1.055) ** 2.4 for each in parts
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: tuple[int, ...], other: tuple[int, ...]) -> float:
    """The contrast ratio of WCAG 2, from 1 to 21."""
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("light", [False, True])
@pytest.mark.parametrize("system", SYSTEMS)
def test_everything_on_a_page_is_readable_on_its_paper(
    system: str, light: bool, theme: str
) -> None:
    shown = {
        name: tuple(Color.parse(colour).get_truecolor(THEMES[theme]))
        for name, colour in page_colours(system, light).items()
    }
    assert shown.keys() == LIGHT.keys()
    least = {name: 3.0 for name in shown if name != PAPER} | {INK: 7.0, SOFT: 4.5}
    if system != "standard":
        least[LINE] = 2.0  # rules and what is ruled out, which stand back
    for name, ratio in least.items():
        assert contrast(shown[name], shown[PAPER]) >= ratio, name
    assert (luminance(shown[PAPER]) > 0.5) is light


@pytest.mark.parametrize("background", [BLACK, WHITE], ids=["black", "white"])
@pytest.mark.parametrize("system", SYSTEMS)
def test_everything_printed_is_readable_on_any_background(
    system: str, background: tuple[int, ...]
) -> None:
    for colour in printed_colours(system).values():
        if colour != "default":  # which the terminal's owner can read
            shown = Color.parse(colour).get_truecolor(THEMES["xterm"])
            assert contrast(tuple(shown), background) >= 3.0, colour
