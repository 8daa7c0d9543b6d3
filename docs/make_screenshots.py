"""Takes the pictures of the page in a browser: real games between two people, at a real server.

PYTHONPATH=proofs python -m docs.make_screenshots docs/screenshots
"""

from __future__ import annotations

import base64
import sys
import tempfile
from dataclasses import dataclass
from datetime import date, timedelta
from json import dumps
from pathlib import Path
from typing import Any, Literal

from playwright.sync_api import Browser, expect, sync_playwright
from starting import PATIENCE

from tests.page.people import House, Person, browser_file
from tests.page.plays import chooses, touches

Theme = Literal["light", "dark"]
PHONE = {"viewport": {"width": 390, "height": 844}, "device_scale_factor": 2}
DESK = {"viewport": {"width": 1280, "height": 820}}
QUALITY = 80
DAY = date(2026, 11, 14)
"""A day whose vault is of Digit Deductions."""


@dataclass(frozen=True)
class Shot:
    """A picture of a game: what each player hides, what is played, and what is being chosen."""

    name: str
    game: str
    size: dict[str, Any]
    theme: Theme
    secrets: tuple[tuple[str, ...], tuple[str, ...]]
    turns: tuple[tuple[int, str], ...]
    choice: str = ""
    seat: int = 1
    """Through whose eyes."""


CLUES = (
    ("18", "even", "divisible by 3", "between 12 and 24"),
    ("23", "prime", "greater than 15", "between 20 and 28"),
)
SHOTS = (
    Shot(
        "safecracker-duel",
        "safecracker-duel",
        DESK,
        "dark",
        (("3-4-2",), ("5-1-3",)),
        ((1, "1 3"), (2, "2 2"), (1, "3 2"), (2, "1 5"), (1, "1 3"), (2, "3 3")),
        "2 4",
    ),
    Shot(
        "safe-cracker",
        "safe-cracker",
        PHONE,
        "light",
        (("2-1-3",), ("3-3-1",)),
        ((1, "1-1-2"), (2, "1-2-3"), (1, "3-2-2"), (2, "2-2-3"), (1, "3-3-3"), (2, "2-3-3")),
        "3-3-1",
    ),
    Shot(
        "safe-code",
        "safe-code",
        DESK,
        "light",
        CLUES,
        ((1, "clue"), (2, "clue"), (1, "19"), (2, "12"), (1, "clue"), (2, "clue")),
        "23",
    ),
    Shot(
        "digit-deductions",
        "digit-deductions",
        DESK,
        "light",
        (("3-7",), ("5-6",)),
        ((1, "5-2"), (2, "5-5"), (1, "7-7"), (2, "4-8")),
        "5-6",
    ),
    Shot(
        "quantum-duel",
        "quantum-duel",
        PHONE,
        "dark",
        ((), ()),
        ((1, "2"), (2, "6"), (1, "3"), (2, "no"), (2, "5"), (1, "no"), (1, "4")),
        "yes",
        seat=2,
    ),
    Shot(
        "the-end",
        "safe-cracker",
        DESK,
        "dark",
        (("2-1-3",), ("3-3-1",)),
        ((1, "1-1-2"), (2, "1-2-3"), (1, "3-2-2"), (2, "2-2-3"), (1, "3-3-1")),
    ),
    Shot(
        "the-end-phone",
        "digit-deductions",
        PHONE,
        "light",
        (("3-7",), ("5-6",)),
        ((1, "5-2"), (2, "5-5"), (1, "8-7"), (2, "4-8"), (1, "5-6")),
    ),
)


def keep(person: Person, file: Path) -> None:
    """Write a picture of what is in sight, once everything has come to rest."""
    page = person.page
    page.mouse.move(0, 0)
    page.evaluate("scrollTo(0, 0)")
    page.evaluate("document.activeElement?.blur()")
    page.evaluate("Promise.all(document.getAnimations().map((each) => each.finished))")
    page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    session = person.context.new_cdp_session(page)
    taken = session.send("Page.captureScreenshot", {"format": "webp", "quality": QUALITY})
    file.write_bytes(base64.b64decode(taken["data"]))
    print(f"{file} {file.stat().st_size / 1000:.0f} kB")


def sits_down(browser: Browser, name: str, size: dict[str, Any], theme: Theme) -> Person:
    """Somebody at a screen of this size, on which nothing moves."""
    person = Person(browser.new_context(**size)).arrives(name, size["viewport"])
    person.page.emulate_media(color_scheme=theme)
    return person


def take(shot: Shot, house: House, browser: Browser, folder: Path) -> None:
    """Play a game up to its picture."""
    links = house.arranges(shot.game)
    people = [
        sits_down(browser, name, shot.size, shot.theme).opens(link)
        for name, link in zip(("Ada", "Bob"), links, strict=True)
    ]
    hidden = [(seat, text) for seat in (1, 2) for text in shot.secrets[seat - 1]]
    for seat, move in (*hidden, *shot.turns):
        people[seat - 1].moves(move)
    viewer = people[shot.seat - 1]
    if shot.choice:
        chooses(viewer, shot.game, shot.choice)
    else:
        viewer.has_ended()
        expect(viewer.page.locator(".figures li")).to_have_count(4)
    keep(viewer, folder / f"{shot.name}.webp")
    for person in people:
        person.context.close()


def take_the_lobby(house: House, browser: Browser, folder: Path) -> None:
    """The first page, with two people who wait."""
    for game, name in (("safe-code", "Mira"), ("quantum-duel", "Jo")):
        house.arranges(game, "lobby", name=name)
    shots: list[tuple[str, dict[str, Any], Theme]] = [
        ("lobby", DESK, "light"),
        ("lobby-phone", PHONE, "dark"),
    ]
    for name, size, theme in shots:
        ada = sits_down(browser, "Ada", size, theme)
        ada.opens(house.address)
        expect(ada.page.get_by_role("link", name="Join Mira at Safe Code")).to_be_attached()
        expect(ada.page.locator("#today svg")).to_be_attached()
        keep(ada, folder / f"{name}.webp")
        ada.context.close()


def take_the_vault(house: House, browser: Browser, folder: Path) -> None:
    """The puzzle of a day, while an answer is being chosen."""
    ada = sits_down(browser, "Ada", DESK, "light")
    ada.page.clock.set_fixed_time(f"{DAY}T12:00:00")
    ada.opens(house.address)
    kept = {
        str(DAY - timedelta(ago)): {"move": "", "cost": 0.04 if ago == 4 else 0.0, "row": 7 - ago}
        for ago in range(1, 7)
    }
    ada.page.evaluate("(kept) => localStorage.setItem('strongroom.vaults', kept)", dumps(kept))
    ada.opens(f"{house.address}#vault")
    expect(ada.board).to_be_visible()
    touches(ada, "digit-deductions", "3-3")
    keep(ada, folder / "vault.webp")
    ada.context.close()


def main(folder: Path) -> None:
    """Take every picture."""
    folder.mkdir(parents=True, exist_ok=True)
    expect.set_options(timeout=PATIENCE * 1000)
    with tempfile.TemporaryDirectory() as kept, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=browser_file(), args=["--no-sandbox"])
        house = House(Path(kept)).opens()
        try:
            take_the_lobby(house, browser, folder)
            take_the_vault(house, browser, folder)
            for shot in SHOTS:
                take(shot, house, browser, folder)
        finally:
            house.stop()
            browser.close()


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "docs/screenshots"))
