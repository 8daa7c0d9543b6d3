"""How a table or a vault fits its window: what is outside, covered or moved, in any font."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal

from playwright.sync_api import Page, ViewportSize

from tests.page.people import Person
from tests.page.typefaces import DEJAVU, LIBERATION, Typeface

Look = tuple[Literal["light", "dark"], Typeface]
LOOKS: tuple[Look, ...] = (("light", LIBERATION), ("dark", DEJAVU))
"""A theme changes colours only, so each is looked at in one typeface."""
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
STAYS = f"""async (text) => {{
    const settled = {SETTLED}, faults = ({FAULTS})();
    const boxes = () => JSON.stringify([...document.querySelectorAll(
        ".players, .asked, .known, .board-place, .referee, .actions," +
        ".board :is([role=grid], [role=spinbutton], .stage)"
    )].map((node) => node.getBoundingClientRect()));
    const said = [".large", ".means", ".pill"].flatMap((which) =>
        document.querySelector(which) ?? []).map((node) => [node, node.textContent]);
    const before = boxes();
    for (const [node] of said) node.textContent = text;
    await settled();
    if (boxes() !== before) faults.push("something moves when much is said");
    for (const [node, usual] of said) node.textContent = usual;
    return faults;
}}"""
"""The faults of a table, and whether something moves when much is said."""
LONG = "Somebody with a long name says at length what nobody could have expected here. " * 3
TOUCHABLE = """(node) => {
    const { left, top, width, height } = node.getBoundingClientRect();
    return node.contains(document.elementFromPoint(left + width / 2, top + height / 2));
}"""
"""Whether the middle of an element is in the window and not covered."""
TOO_SMALL = """() => [...document.querySelectorAll(".table :is(button, a, input)")]
    .filter((each) => each.checkVisibility({ visibilityProperty: true }) && !each.closest(".nine"))
    .map((each) => [each, each.getBoundingClientRect()])
    .filter(([, { width, height }]) => Math.min(width, height) < 44)
    .map(([{ ariaLabel, textContent }, { width, height }]) =>
        `${ariaLabel ?? textContent}: ${width} by ${height}`)"""
"""What a finger cannot hit; 81 numbers side by side are smaller on any phone."""
PLACES = """() => {
    const parts = ".players, .asked, .known, .board-place, .board :is(.ledger, .stage, .pins)," +
        ".board :is([role=grid], [role=spinbutton]), .referee, .actions";
    return [...document.querySelectorAll(parts)].map((node) => {
        const { x, y, width, height } = node.getBoundingClientRect();
        return [node.classList[0], x, Math.round(y + scrollY), width, Math.round(height)];
    });
}"""
"""The positions of the board, its parts, and all that stands around it."""


def window(width: int, height: int) -> ViewportSize:
    """A window of this size."""
    return ViewportSize(width=width, height=height)


SIZES = tuple(
    window(*size)
    for size in ((320, 480), (390, 844), (640, 400), (844, 390), (1280, 800), (1920, 1080))
)
"""From the smallest phone to a large desk; the third is 1280 by 800 at 200 % zoom."""


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
