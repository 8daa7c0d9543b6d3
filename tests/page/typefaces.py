"""The typefaces that the layout is tested with, whatever else is installed on the machine."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import Page

from tests.missing import missing

SAMPLE = "You do not challenge. Cell 5 is Bob's."
WORN = """([sans, serif, mono, text]) => {
    const sheet = new CSSStyleSheet(), pen = document.createElement("canvas").getContext("2d");
    sheet.replaceSync(`:root { --sans: "${sans}" !important; --serif: "${serif}" !important; }
        pre, code { font-family: "${mono}" !important; }`);
    document.adoptedStyleSheets = [sheet];
    pen.font = `100px "${serif}"`;
    return pen.measureText(text).width / 100;
}"""
"""Changes the fonts of a page; the width of a text in the serif font, in ems."""


@dataclass(frozen=True)
class Typeface:
    """The fonts for the page's generic families, and the package that provides them."""

    name: str
    package: str
    sans: str
    serif: str
    mono: str
    width: float
    """The width of the sample in the serif font, in ems."""

    def is_worn_by(self, page: Page) -> None:
        """Show an open page of the project in this typeface, until it is loaded again."""
        width = page.evaluate(WORN, [self.sans, self.serif, self.mono, SAMPLE])
        if abs(width / self.width - 1) >= 0.02:
            missing(f"{self.serif} (the package {self.package})")


LIBERATION = Typeface(
    *("Liberation", "fonts-liberation", "Liberation Sans", "Liberation Serif", "Liberation Mono"),
    width=15.05,
)
DEJAVU = Typeface(
    *("DejaVu", "fonts-dejavu-core", "DejaVu Sans", "DejaVu Serif", "DejaVu Sans Mono"),
    width=18.69,
)
TYPEFACES = (LIBERATION, DEJAVU)
"""A narrow typeface and a wide one."""


def only_these(folder: Path) -> Path:
    """Write a fontconfig file with which a browser finds these typefaces and no other."""
    accepted = "".join(
        f'<pattern><patelt name="family"><string>{family}</string></patelt></pattern>'
        for typeface in TYPEFACES
        for family in (typeface.sans, typeface.serif, typeface.mono)
    )
    generic = {"serif": LIBERATION.serif, "monospace": LIBERATION.mono}
    generic |= dict.fromkeys(("sans-serif", "system-ui"), LIBERATION.sans)
    aliases = "".join(
        f'<alias binding="strong"><family>{each}</family>'
        f"<prefer><family>{family}</family></prefer></alias>"
        for each, family in generic.items()
    )
    file = folder / "fonts.conf"
    file.write_text(
        '<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd"><fontconfig>'
        "<dir>/usr/share/fonts</dir><dir>/usr/local/share/fonts</dir>"
        '<dir prefix="xdg">fonts</dir><dir>~/.fonts</dir>'
        f"<cachedir>{folder / 'cache'}</cachedir>"
        "<selectfont><rejectfont><pattern/></rejectfont>"
        f"<acceptfont>{accepted}</acceptfont></selectfont>{aliases}"
        '<match target="pattern"><edit name="family" mode="append_last">'
        f"<string>{LIBERATION.sans}</string></edit></match></fontconfig>"
    )
    return file
