"""How a page fits its window in every font, and what axe finds on it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]
from playwright.sync_api import Page, ViewportSize

from tests.missing import missing
from tests.page.people import Person

SAMPLE = "You do not challenge. Cell 5 is Bob's."
WORN = """([name, text]) => {
    const sheet = new CSSStyleSheet(), pen = document.createElement("canvas").getContext("2d");
    sheet.replaceSync(`:root { --sans: "${name} Sans" !important; --serif: "${name} Serif"
        !important; } pre, code { font-family: "${name} Sans Mono", "${name} Mono" !important; }`);
    document.adoptedStyleSheets = [sheet];
    pen.font = `100px "${name} Serif"`;
    return pen.measureText(text).width / 100;
}"""
"""Changes the fonts of a page; the width of a text in the serif font, in ems."""


@dataclass(frozen=True)
class Typeface:
    """The fonts for the page's generic families, and the package that provides them."""

    name: str
    package: str
    width: float
    """The width of the sample in the serif font, in ems."""

    def is_worn_by(self, page: Page) -> None:
        """Show an open page of the project in this typeface, until it is loaded again."""
        width = page.evaluate(WORN, [self.name, SAMPLE])
        if abs(width / self.width - 1) >= 0.02:
            missing(f"{self.name} (the package {self.package})")


LIBERATION = Typeface("Liberation", "fonts-liberation", 15.05)
DEJAVU = Typeface("DejaVu", "fonts-dejavu-core", 18.69)
"""A narrow typeface and a wide one."""
KINDS = {"sans-serif": "Sans", "system-ui": "Sans", "serif": "Serif", "monospace": "Mono"}
"""The generic families, and the fonts of Liberation that provide them."""


def only_these(folder: Path) -> Path:
    """Write a fontconfig file with which a browser finds these typefaces and no other."""
    families = [f"Liberation {kind}" for kind in ("Sans", "Serif", "Mono")]
    families += [f"DejaVu {kind}" for kind in ("Sans", "Serif", "Sans Mono")]
    accepted = "".join(
        f'<pattern><patelt name="family"><string>{family}</string></patelt></pattern>'
        for family in families
    )
    aliases = "".join(
        f'<alias binding="strong"><family>{generic}</family>'
        f"<prefer><family>Liberation {kind}</family></prefer></alias>"
        for generic, kind in KINDS.items()
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
        "<string>Liberation Sans</string></edit></match></fontconfig>"
    )
    return file


Theme = Literal["light", "dark"]
Look = tuple[Theme, Typeface]
LOOKS: tuple[Look, ...] = (("light", LIBERATION), ("dark", DEJAVU))
"""A theme changes colours only, so each is looked at in one typeface."""
SETTLED = """() => new Promise((done) => {
    new IntersectionObserver(() => done()).observe(document.documentElement);
})"""
"""Waits until a frame is drawn, also where tests set the clock, which then tells of others."""
BOXES = """() => {
    const box = (node) => node.getBoundingClientRect(), faults = [];
    const within = (inner, outer) => inner.left >= outer.left - 0.5 && inner.top >= outer.top - 0.5
        && inner.right <= outer.right + 0.5 && inner.bottom <= outer.bottom + 0.5;
    const apart = (one, two) => one.right <= two.left + 0.5 || two.right <= one.left + 0.5
        || one.bottom <= two.top + 0.5 || two.bottom <= one.top + 0.5;
    const view = { left: 0, top: 0, right: innerWidth, bottom: innerHeight };
"""
"""The beginning of a function about what is in the window, and what meets what."""
TOUCHABLE = """(node) => {
    const { left, top, width, height } = node.getBoundingClientRect();
    return node.contains(document.elementFromPoint(left + width / 2, top + height / 2));
}"""
"""Whether the middle of an element is in the window and not covered."""
FAULTS = (
    BOXES.replace("() =>", "(insets) =>", 1)
    + """
    const [up, right, down, left] = insets ?? [0, 0, 0, 0];
    const safe = { left, top: up, right: innerWidth - right, bottom: innerHeight - down };
    const shown = (node) =>
        node.checkVisibility({ visibilityProperty: true }) && box(node).height && box(node).width;
    const all = (what) => [...document.querySelectorAll(what)].filter(shown);
    const name = (node) => node.className?.baseVal ?? (node.className || node.localName);
    const place = document.querySelector(".board-place"), { width, height } = box(place);
    const room = Math.min(safe.right - left, Math.max(safe.bottom - up, 300));
    const cells = room <= 375 || innerWidth < 600 ? 31 : 36; // nine in a row
    const row = innerHeight < 680 && place.closest(".vault") && place.querySelector(".seven");
    const least = place.closest(".finale") ? 96 : row ? 130 : 299; // a picture, or a board
    if (height < least || width < Math.min(least, safe.right - left - 32))
        faults.push(`the board's place is ${width} by ${height}`);
    for (const cell of all(":not(.finale) > .table .grid button"))
        if (Math.min(box(cell).width, box(cell).height) < cells)
            faults.push(`a cell of ${box(cell).width} by ${box(cell).height}`);
    const parts = "[role=grid], [role=spinbutton], .ledger, .stage, .step, .below button, input";
    for (const part of place.querySelectorAll(parts))
        if (shown(part) && !within(box(part), box(place)))
            faults.push(`${name(part)} is outside the board's place`);
    const blocks = all(".top, .player, .board-place, .said, .actions, .books, .asked, .known, "
        + ".thisweek, .verdict, .notice > *");
    const over = (node) => getComputedStyle(node).position === "sticky" // it hides what scrolls
        || (node.matches(".top") && getComputedStyle(node).position === "absolute");
    blocks.forEach((one, at) => blocks.slice(at + 1).forEach((two) => {
        const taken = [one, two].some((each) => each.matches(".notice > *")) // in their place
            && [one, two].some((each) => each.matches(".top, .them"));
        if (!taken && !over(one) && !over(two) && !apart(box(one), box(two)))
            faults.push(`${name(one)} meets ${name(two)}`);
    }));
    const touchable = """
    + TOUCHABLE
    + """;
    for (const node of all(".actions button"))
        if (!touchable(node)) faults.push(`${node.textContent} cannot be pressed`);
    for (const node of all(".actions button, .player .turn"))
        if (node.scrollWidth > node.clientWidth + 1 && !node.matches(".fitted"))
            faults.push(`${name(node)} is cut: ${node.textContent}`);
    for (const node of all(".actions button, .player b, .board .grid, .large, .brand, .menu"))
        if (box(node).left < left - 0.5 || box(node).right > safe.right + 0.5
            || (box(node).top < up - 0.5 && node.matches(".top *"))
            || (box(node).bottom > safe.bottom + 0.5 && node.matches(".actions *")))
            faults.push(`${name(node)} is under the edge of the phone`);
    if (document.documentElement.scrollWidth > innerWidth) faults.push("it scrolls sideways");
    if (scrollY) faults.push("it is scrolled");
    return [...new Set(faults)];
}"""
)
"""Everything about the table that is too small, out of the window, covered, cut or overlapping."""
CUT = """() => [...document.querySelectorAll(".referee")]
    .filter((node) => node.scrollHeight > node.clientHeight + 1)
    .map((node) => `what is said is cut: ${node.innerText}`)"""
"""What is said that has to be scrolled, as it may be only in wide fonts."""
UNSEEN_SIGNS = """() => {
    const look = (node, part) => {
        const { backgroundColor, color, border, outline, textDecoration, fontWeight, content } =
            getComputedStyle(node, part);
        return [backgroundColor, color, border, outline, textDecoration, fontWeight, content];
    };
    const parts = [null, "::before", "::after"];
    const whole = (node) => parts.flatMap((part) => look(node, part)).join();
    const shown = (what) => [...document.querySelectorAll(what)].find((node) =>
        node.checkVisibility({ visibilityProperty: true }));
    const pairs = [[".grid .chosen", ".grid button:not(.chosen)"],
        [".grid .out:not(.chosen)", ".grid button:not(.out, .chosen)"],
        [".tab[aria-pressed=true]", ".tab[aria-pressed=false]"],
        [".player.now", ".player:not(.now)"],
        [".actions .main:not(:disabled)", ".actions .button:not(.main)"]];
    return pairs.filter(([sign, without]) => shown(sign) && shown(without)
        && whole(shown(sign)) === whole(shown(without))).map(([sign]) => `${sign} cannot be seen`);
}"""
"""The signs that look like what lacks them, in colours that the system forces."""
PLACES = """() => {
    const parts = ".player, .asked, .known, .board-place, .board :is(.ledger, .stage, .pins)," +
        ".board :is([role=grid], [role=spinbutton]), .actions";
    return [...document.querySelectorAll(parts)].map((node) => {
        const { x, y, width, height } = node.getBoundingClientRect();
        return [node.classList[0], x, Math.round(y + scrollY), width, Math.round(height)];
    });
}"""
"""The positions of the board, its parts, and all that stands around it."""
STAYS = f"""async (text) => {{
    const faults = ({FAULTS})(), boxes = () => ({PLACES})().map(String), before = boxes();
    const said = [".large", ".means"].flatMap((which) =>
        document.querySelector(which) ?? []).map((node) => [node, node.textContent]);
    for (const [node] of said) node.textContent = text;
    await ({SETTLED})();
    const after = boxes(), gone = before.filter((box) => !after.includes(box));
    if (gone.length)
        faults.push(`when much is said, ${{gone.join("; ")}} moves, to ${{after.join("; ")}}`);
    for (const [node, usual] of said) node.textContent = usual;
    return faults;
}}"""
"""The faults of a table, and whether something moves when much is said."""
LONG = "Somebody with a long name says at length what nobody could have expected here. " * 3


def window(width: int, height: int) -> ViewportSize:
    return ViewportSize(width=width, height=height)


SMALLEST, PHONE, LOW = window(320, 480), window(390, 844), window(844, 390)
DESK, LARGE = window(1280, 800), window(1920, 1080)
UNZOOMED = (SMALLEST, PHONE, LOW, DESK, LARGE)
"""From the smallest phone to a large desk."""
SIZES = (*UNZOOMED, window(640, 400))
"""The last is 1280 by 800 at 200 % zoom."""


def windows(page: Page, *sizes: ViewportSize, looks: tuple[Look, ...] = LOOKS) -> Iterator[str]:
    """Each of these windows with each of these looks, one after the other, in words."""
    for size in sizes or SIZES:
        page.set_viewport_size(size)
        for theme, typeface in looks:
            page.emulate_media(color_scheme=theme)
            typeface.is_worn_by(page)
            page.evaluate(SETTLED)
            yield f"{size['width']} by {size['height']}, {theme}, {typeface.name}"


def faults(page: Page, looks: tuple[Look, ...] = LOOKS) -> list[str]:
    """What does not fit or moves when much is said, in any window."""
    return [
        f"{each}: {fault}"
        for each in windows(page, looks=looks)
        for fault in page.evaluate(STAYS, LONG)
    ]


def places(person: Person) -> Any:
    """The positions of everything that must stay in place."""
    return person.page.evaluate(PLACES)


WIDE, NARROW = window(1280, 820), window(320, 640)
Sides = tuple[tuple[ViewportSize, Theme], ...]
SIDES: Sides = ((WIDE, "light"), (NARROW, "dark"))
OTHERS: Sides = ((WIDE, "dark"), (NARROW, "light"))
"""Both themes, at a desk and on a narrow phone; two pages that differ in little share them."""
VIOLATIONS = """async () => {
    await Promise.all(document.getAnimations().map((each) => each.finished.catch(() => {})));
    const visible = [...document.querySelectorAll("*")].map((each) => each.checkVisibility());
    const shown = JSON.stringify([document.documentElement.outerHTML, visible]);
    const drawn = ["color-contrast", "link-in-text-block", "scrollable-region-focusable"];
    const rules = shown === window.lookedAt ? { runOnly: { type: "rule", values: drawn } } : {};
    window.lookedAt = shown;
    const { violations } = await axe.run({ resultTypes: ["violations"], ...rules });
    return violations.flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) =>
        `${id}: ${html.slice(0, 160)} ${failureSummary.slice(0, 300)}`));
}"""
"""The violations of all of axe's rules, once all animations have finished.

Where another theme or window changed neither the markup nor what is visible, only the rules about
colours and scrolling can find something new.
"""
NO_OVERFLOW = "document.documentElement.scrollWidth <= document.documentElement.clientWidth"
HARD_TO_HIT = """([which, besides, least]) => [...document.querySelectorAll(which)]
    .filter((each) => each.checkVisibility({ visibilityProperty: true }) && !each.closest(besides))
    .map((each) => [each, (each.closest("label") ?? each).getBoundingClientRect()])
    .filter(([, { width, height }]) => width && Math.min(width, height) < least)
    .map(([each, { width, height }]) => `${each.outerHTML.slice(0, 90)}: ${width} by ${height}`)"""
ANYWHERE = ["button, a, input, [role=spinbutton]", ".skip, .prose, p", 24]
"""What a pointer hits on any page."""
AT_A_TABLE = [".table :is(button, a, input)", ".nine", 44]
"""What a finger hits; 81 numbers side by side are smaller on any phone."""


def suits_everyone(person: Person, where: str, sides: Sides = SIDES) -> None:
    """Check the page with axe from these sides, and that it fits a narrow phone and a finger."""
    page = person.page
    if not page.evaluate("'axe' in window"):
        page.evaluate(Axe().axe_script)
    for size, theme in sides:
        page.set_viewport_size(size)
        page.emulate_media(color_scheme=theme)
        page.evaluate(SETTLED)  # what does not fit any more can now be scrolled by keys
        found = page.evaluate(VIOLATIONS)
        assert not found, f"{found} {where}, {theme}, {size['width']} pixels wide"
    assert page.evaluate(NO_OVERFLOW), f"{where}, 320 pixels wide"
    assert page.evaluate(HARD_TO_HIT, ANYWHERE) == [], f"{where}: smaller than a finger"
    page.set_viewport_size(WIDE)
