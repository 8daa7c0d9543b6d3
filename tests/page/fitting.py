"""How a table or a vault fits its window: what is outside, covered or moved, in any font."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal

from playwright.sync_api import Page, ViewportSize

from tests.page.typefaces import TYPEFACES

Theme = Literal["light", "dark"]
SIZES = tuple(
    ViewportSize(width=width, height=height)
    for width, height in (
        (320, 480),
        (390, 844),
        (640, 400),  # a window of 1280 by 800 at 200 % zoom
        (844, 390),
        (1280, 800),
        (1920, 1080),
    )
)
"""From the smallest phone to a large desk."""
SETTLED = "() => new Promise((done) => requestAnimationFrame(() => setTimeout(done)))"
FAULTS = """() => {
    const box = (node) => node.getBoundingClientRect();
    const shown = (node) =>
        node.checkVisibility({ visibilityProperty: true }) && box(node).height;
    const all = (what) => [...document.querySelectorAll(what)].filter(shown);
    const name = (node) => node.className || node.ariaLabel || node.localName;
    const within = (inner, outer) => inner.left >= outer.left - 0.5 && inner.top >= outer.top - 0.5
        && inner.right <= outer.right + 0.5 && inner.bottom <= outer.bottom + 0.5;
    const apart = (one, two) => one.right <= two.left + 0.5 || two.right <= one.left + 0.5
        || one.bottom <= two.top + 0.5 || two.bottom <= one.top + 0.5;
    const window_ = { left: 0, top: 0, right: innerWidth, bottom: innerHeight };
    const place = document.querySelector(".board-place"), faults = [];
    const areas = all(".players, .asked, .board-place, .referee, .actions");
    if (areas.length < 4) faults.push(`only ${areas.map(name)} shown`);
    for (const area of areas)
        if (!within(box(area), window_)) faults.push(`${name(area)} is not in the window`);
    const parts = "[role=grid], [role=spinbutton], .ledger, .stage, .step, .below button, input";
    for (const part of place.querySelectorAll(parts))
        if (shown(part) && !within(box(part), box(place)))
            faults.push(`${name(part)} is outside the board's place`);
    for (const part of all(".player > :not(.glyph), .pill"))
        if (!within(box(part), box(document.querySelector(".players"))))
            faults.push(`${name(part)} is outside the players' bar`);
    const blocks = [...areas, ...all(".top, .known, .asides, .column, .study, .notice > *")];
    blocks.forEach((one, at) => blocks.slice(at + 1).forEach((two) => {
        const taken = one.matches(".top") && two.matches(".notice > *"); // it stands in its place
        if (!taken && !apart(box(one), box(two))) faults.push(`${name(one)} meets ${name(two)}`);
    }));
    for (const node of all(".actions .main, .board input")) {
        const { left, top, width, height } = box(node);
        if (!node.contains(document.elementFromPoint(left + width / 2, top + height / 2)))
            faults.push(`${name(node)} is covered`);
    }
    if (document.documentElement.scrollWidth > innerWidth) faults.push("it scrolls sideways");
    if (scrollY) faults.push("it is scrolled");
    return faults;
}"""
"""Everything about the table that is out of the window, covered or overlapping."""
BOXES = """() => [...document.querySelectorAll(
    ".players, .asked, .known, .board-place, .referee, .actions," +
    ".board :is([role=grid], [role=spinbutton], .stage)"
)].map((node) => {
    const { x, y, width, height } = node.getBoundingClientRect();
    return [node.className, x, y, width, height];
})"""
SAID = """(text) => [".large", ".means", ".pill"].flatMap((which) => {
    const node = document.querySelector(which), before = node?.textContent;
    if (!node) return [];
    node.textContent = text[which] ?? text;
    return [[which, before]];
})"""
LONG = "Somebody with a long name says at length what nobody could have expected here. " * 3


def windows(page: Page, themes: Sequence[Theme]) -> Iterator[str]:
    """Each window in these themes and all typefaces, one after the other, in words."""
    for size in SIZES:
        page.set_viewport_size(size)
        for theme in themes:
            page.emulate_media(color_scheme=theme)
            for typeface in TYPEFACES:
                typeface.is_worn_by(page)
                page.evaluate(SETTLED)
                yield f"{size['width']} by {size['height']}, {theme}, {typeface.name}"


def faults(page: Page, themes: Sequence[Theme] = ("light", "dark")) -> list[str]:
    """What does not fit or moves when much is said, in any window."""
    found = []
    for window in windows(page, themes):
        wrong: list[str] = page.evaluate(FAULTS)
        before = page.evaluate(BOXES)
        usual = page.evaluate(SAID, LONG)
        page.evaluate(SETTLED)
        if page.evaluate(BOXES) != before:
            wrong.append("something moves when much is said")
        page.evaluate(SAID, dict(usual))
        found += [f"{window}: {each}" for each in wrong]
    return found
