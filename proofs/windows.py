"""Measure the page in every window: no board too small, nothing cut, covered or out of sight.

One page a state is resized from 320 to 1920 pixels wide and through the heights that phones,
tablets, laptops and zoomed windows have: set-up, first lesson, play with a choice made, the answer
to a challenge, the end, the way there and the vault, of the five games and an added one; then
zoomed to 200 and 400 %, with the insets of phones that have a notch, and in forced colours.
Whatever does not fit is told with its window, and ends it with 1.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, expect, sync_playwright
from starting import PATIENCE

from tests.examples.installing import install_bluff
from tests.page.fitting import CUT, FAULTS, SETTLED, UNSEEN_SIGNS
from tests.page.people import House, Person, browser_file
from tests.page.plays import ADDED, PLAYS, Play, are_played, chooses

HEIGHTS = (256, 375, 480, 568, 600, 625, 680, 768, 900)
NARROWEST, WIDEST = 320, 1920
DESKS = ((1280, 720), (1280, 1024), (1366, 768), (1440, 900), (1920, 1080))
"""The windows that are zoomed."""
NOTCHED = (
    ((375, 667), (47, 0, 34, 0)),
    ((390, 844), (47, 0, 34, 0)),
    ((430, 932), (59, 0, 34, 0)),
    ((667, 375), (0, 44, 21, 44)),
    ((844, 390), (0, 47, 21, 47)),
    ((932, 430), (0, 59, 21, 59)),
)
"""Windows of phones, and what is covered at their top, right, bottom and left."""
MEASURED = f"""async (insets) => {{
    await ({SETTLED})();
    return [...({FAULTS})(insets), ...({CUT})()];
}}"""
FIRST_VAULT = date(2026, 11, 9)
"""A Monday; a working day each has a vault of another game."""


@dataclass(frozen=True)
class Window:
    """A window as a browser emulates it."""

    width: int
    height: int
    zoom: int = 1
    insets: tuple[int, int, int, int] = (0, 0, 0, 0)
    forced: bool = False

    def __str__(self) -> str:
        extras = [f" at {100 * self.zoom} %"] * (self.zoom > 1)
        extras += [f" with insets {self.insets}"] * any(self.insets)
        return f"{self.width}x{self.height}{''.join(extras)}{', forced colours' * self.forced}"


def windows(step: int, heights: tuple[int, ...]) -> Iterator[Window]:
    """All windows, in an order in which little changes from one to the next."""
    widths = range(NARROWEST, WIDEST + 1, step)
    for height in heights:
        yield from (Window(width, height) for width in widths)
    for zoom in (2, 4):
        yield from (Window(width // zoom, height // zoom, zoom) for width, height in DESKS)
    for (width, height), insets in NOTCHED:
        yield Window(width, height, insets=insets)
    for height in heights:
        yield from (Window(width, height, forced=True) for width in widths[:: len(heights)])


def setting_up(house: House, ada: Person, play: Play) -> None:
    """One's own first decision, by somebody who has played before."""
    ada.opens(house.arranges(play.name, "random")[0]).is_asked()


def in_a_lesson(house: House, ada: Person, play: Play) -> None:
    """The first card of a first game."""
    link = house.arranges(play.name, "random")[0]
    ada.is_new(house.address).opens(link).is_asked()


def _with_bob(house: House, ada: Person, play: Play, moves: int) -> None:
    """A game between two people with hints, after so many moves."""
    links = house.arranges(play.name, aids=play is not ADDED)
    people = (ada, ada.beside("Bob"))
    for person, link in zip(people, links, strict=True):
        person.opens(link)
    are_played(people, play.moves[:moves])


def playing(house: House, ada: Person, play: Play) -> None:
    """A move in the middle of a game, chosen and not yet sent."""
    last = max(at for at, (seat, move) in enumerate(play.moves) if seat == 1 and move != "no")
    _with_bob(house, ada, play, last)
    chooses(ada, play.name, play.moves[last][1])


def answering(house: House, ada: Person, play: Play) -> None:
    """The question whether to challenge."""
    _with_bob(house, ada, play, play.moves.index((1, "no")))
    expect(ada.page.get_by_role("button", name="Let it stand")).to_be_visible()


def at_the_end(house: House, ada: Person, play: Play) -> None:
    """How it ended."""
    _with_bob(house, ada, play, len(play.moves))
    ada.has_ended()
    expect(ada.figures.nth(1)).to_be_visible()


def looking_back(house: House, ada: Person, play: Play) -> None:
    """How it went, one step before the end."""
    at_the_end(house, ada, play)
    ada.is_over()
    ada.presses("One step back")


def at_the_vault(house: House, ada: Person, play: Play) -> None:
    """The vault of a day, before it is answered."""
    day = FIRST_VAULT + timedelta(PLAYS.index(play))
    ada.clock.set_fixed_time(f"{day}T12:00:00")
    ada.opens(f"{house.address}#vault")
    expect(ada.board).to_be_visible()


State = Callable[[House, Person, Play], None]
STATES: dict[str, State] = {
    "set-up": setting_up,
    "lesson": in_a_lesson,
    "play": playing,
    "challenge": answering,
    "end": at_the_end,
    "review": looking_back,
    "vault": at_the_vault,
}


def has(state: State, play: Play) -> bool:
    """Whether a game comes into this state."""
    if state is answering:
        return (1, "no") in play.moves
    return state is not at_the_vault or play is not ADDED


def faults(ada: Person, wanted: list[Window]) -> dict[str, list[str]]:
    """What does not fit a page, with the windows where it does not."""
    tools = ada.context.new_cdp_session(ada.page)
    found: dict[str, list[str]] = {}
    before = Window(0, 0)

    def sends(what: str, **more: Any) -> None:
        tools.send(f"Emulation.{what}", more)

    for window in wanted:
        sends(
            "setDeviceMetricsOverride",
            width=window.width,
            height=window.height,
            deviceScaleFactor=window.zoom,
            mobile=False,
        )
        if window.insets != before.insets:
            sides = dict(zip(("top", "right", "bottom", "left"), window.insets, strict=True))
            sends("setSafeAreaInsetsOverride", insets=sides)
        if window.forced != before.forced:
            ada.page.emulate_media(forced_colors="active" if window.forced else "none")
        before = window
        told = ada.page.evaluate(MEASURED, [*window.insets])
        if window.forced:
            told += ada.page.evaluate(UNSEEN_SIGNS)
        for fault in told:
            found.setdefault(fault, []).append(str(window))
    return found


def main() -> int:
    """Measure all of them, and tell what does not fit."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--step", type=int, default=40, help="pixels between two widths")
    parser.add_argument("--height", type=int, action="append", help="only windows so high")
    parser.add_argument("--state", choices=STATES, action="append", help="only this state")
    games = {play.name: play for play in (*PLAYS, ADDED)}
    parser.add_argument("--game", choices=games, action="append", help="only this game")
    asked = parser.parse_args()
    wanted = [*windows(asked.step, tuple(asked.height or HEIGHTS))]
    expect.set_options(timeout=PATIENCE * 1000)
    bad = 0
    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as folder:
        packages = install_bluff(Path(folder) / "packages")
        house = House(Path(folder), packages=packages).opens()
        try:
            browser: Browser = playwright.chromium.launch(
                executable_path=browser_file(), args=["--no-sandbox"]
            )
            for play in (games[name] for name in asked.game or games):
                for name in asked.state or STATES:
                    if not has(STATES[name], play):
                        continue
                    ada = Person(browser.new_context()).arrives("Ada")
                    STATES[name](house, ada, play)
                    found = faults(ada, wanted)
                    ada.context.close()
                    print(f"{play.title}, {name}: {len(found)} faults in {len(wanted)} windows")
                    for fault, where in found.items():
                        some = dict.fromkeys((where[0], where[len(where) // 2], where[-1]))
                        print(f"  {fault}: {len(where)} windows, as {', '.join(some)}")
                    sys.stdout.flush()
                    bad += len(found)
            browser.close()
        finally:
            house.kill()
            house.stop()
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
