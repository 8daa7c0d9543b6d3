"""The typefaces that the layout is tested with, whatever else is installed on the machine."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import Browser, Page

from tests.missing import missing

SAMPLE = "You do not challenge. Cell 5 is Bob's."
USED = """([family, text]) => {
    const node = document.createElement("span");
    Object.assign(node.style, { font: `100px ${family}`, whiteSpace: "nowrap" });
    node.textContent = text;
    document.body.replaceChildren(node);
    return node.getBoundingClientRect().width / 100;
}"""
"""The width of a text in a font family, in ems; the text stays in the page."""

WORN = """([sans, serif, text]) => {
    document.documentElement.style.setProperty("--sans", `"${sans}"`);
    document.documentElement.style.setProperty("--serif", `"${serif}"`);
    const pen = document.createElement("canvas").getContext("2d");
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

    @property
    def families(self) -> dict[str, str]:
        """The family used for each generic one."""
        generic = {"serif": self.serif, "monospace": self.mono}
        return generic | dict.fromkeys(("sans-serif", "system-ui"), self.sans)

    def settings(self, folder: Path) -> Path:
        """Write a fontconfig file with which a browser finds this typeface and no other."""
        accepted = "".join(
            f'<pattern><patelt name="family"><string>{family}</string></patelt></pattern>'
            for family in (self.sans, self.serif, self.mono)
        )
        aliases = "".join(
            f'<alias binding="strong"><family>{generic}</family>'
            f"<prefer><family>{family}</family></prefer></alias>"
            for generic, family in self.families.items()
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
            f"<string>{self.sans}</string></edit></match></fontconfig>"
        )
        return file

    def is_used(self, browser: Browser) -> None:
        """Make sure that the browser draws the generic families with this typeface."""
        page = browser.new_page()
        tools = page.context.new_cdp_session(page)
        for command in ("DOM.enable", "CSS.enable"):
            tools.send(command)
        for generic, family in self.families.items():
            width = page.evaluate(USED, [generic, SAMPLE])
            root = tools.send("DOM.getDocument")["root"]["nodeId"]
            found = tools.send("DOM.querySelector", {"nodeId": root, "selector": "span"})
            fonts = tools.send("CSS.getPlatformFontsForNode", {"nodeId": found["nodeId"]})["fonts"]
            if [font["familyName"] for font in fonts] != [family]:
                missing(f"{family} (the package {self.package})")
            if generic == "serif":
                assert abs(width / self.width - 1) < 0.02, f"{family} is {width} ems wide"
        page.close()

    def is_worn_by(self, page: Page) -> None:
        """Show an open page of the project in this typeface; its browser has all fonts."""
        width = page.evaluate(WORN, [self.sans, self.serif, SAMPLE])
        if abs(width / self.width - 1) >= 0.02:
            missing(f"{self.serif} (the package {self.package})")


LIBERATION = Typeface(
    name="Liberation",
    package="fonts-liberation",
    sans="Liberation Sans",
    serif="Liberation Serif",
    mono="Liberation Mono",
    width=15.05,
)
DEJAVU = Typeface(
    name="DejaVu",
    package="fonts-dejavu-core",
    sans="DejaVu Sans",
    serif="DejaVu Serif",
    mono="DejaVu Sans Mono",
    width=18.69,
)
TYPEFACES = (LIBERATION, DEJAVU)
"""A narrow typeface and a wide one."""
