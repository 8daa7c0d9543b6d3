"""Measure the page in every window: no board too small, nothing cut, covered or out of sight.

One page a state is resized from 320 to 1920 pixels wide and through the heights that phones,
tablets, laptops and zoomed windows have: every game's set-up, first lesson, play with a choice
made, and vault. Whatever does not fit is told with its window, and ends it with 1.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Iterator
from datetime import date, timedelta
from pathlib import Path

from playwright.sync_api import Browser, expect, sync_playwright
from starting import PATIENCE

from tests.page.fitting import FAULTS, SETTLED
from tests.page.people import House, Person, browser_file
from tests.page.plays import PLAYS, Play, are_played, chooses

HEIGHTS = (256, 375, 480, 568, 600, 625, 680, 768, 900)
NARROWEST, WIDEST = 320, 1920
FIRST_VAULT = date(2026, 11, 9)
"""A Monday; a working day each has a vault of another game."""


def setting_up(house: House, ada: Person, play: Play) -> None:
    """One's own first decision, by somebody who has played before."""
    ada.opens(house.arranges(play.name, "random")[0]).is_asked()


def in_a_lesson(house: House, ada: Person, play: Play) -> None:
    """The first card of a first game."""
    link = house.arranges(play.name, "random")[0]
    ada.is_new(house.address).opens(link).is_asked()


def playing(house: House, ada: Person, play: Play) -> None:
    """A move in the middle of a game between two people with hints, chosen and not yet sent."""
    links = house.arranges(play.name, aids=True)
    bob = ada.beside("Bob")
    for person, link in zip((ada, bob), links, strict=True):
        person.opens(link)
    last = max(at for at, (seat, move) in enumerate(play.moves) if seat == 1 and move != "no")
    are_played((ada, bob), play.moves[:last])
    chooses(ada, play.name, play.moves[last][1])


def at_the_vault(house: House, ada: Person, play: Play) -> None:
    """The vault of a day, before it is answered."""
    day = FIRST_VAULT + timedelta(PLAYS.index(play))
    ada.clock.set_fixed_time(f"{day}T12:00:00")
    ada.opens(f"{house.address}#vault")
    expect(ada.board).to_be_visible()


STATES = (setting_up, in_a_lesson, playing, at_the_vault)


def troubles(
    browser: Browser, house: House, step: int, heights: tuple[int, ...]
) -> Iterator[tuple[str, list[str]]]:
    """For each game and state: its name, and what does not fit in which window."""
    for play in PLAYS:
        for state in STATES:
            ada = Person(browser.new_context()).arrives("Ada")
            state(house, ada, play)
            found: dict[str, list[str]] = {}
            for height in heights:
                for width in range(NARROWEST, WIDEST + 1, step):
                    ada.page.set_viewport_size({"width": width, "height": height})
                    ada.page.evaluate(SETTLED)
                    for fault in ada.page.evaluate(FAULTS):
                        found.setdefault(fault, []).append(f"{width}x{height}")
            ada.context.close()
            yield (
                f"{play.title}, {state.__name__.replace('_', ' ')}",
                [f"{fault}: {len(where)} windows, as {where[0]}" for fault, where in found.items()],
            )


def main() -> int:
    """Measure all of them, and tell what does not fit."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--step", type=int, default=40, help="pixels between two widths")
    parser.add_argument("--height", type=int, action="append", help="only windows so high")
    asked = parser.parse_args()
    heights = tuple(asked.height or HEIGHTS)
    expect.set_options(timeout=PATIENCE * 1000)
    bad = 0
    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as folder:
        house = House(Path(folder)).opens()
        try:
            browser = playwright.chromium.launch(
                executable_path=browser_file(), args=["--no-sandbox"]
            )
            for number, (name, found) in enumerate(
                troubles(browser, house, asked.step, heights), 1
            ):
                print(f"{number} of {len(PLAYS) * len(STATES)}: {name}: {len(found)} faults")
                for fault in found:
                    print(f"  {fault}")
                sys.stdout.flush()
                bad += len(found)
            browser.close()
        finally:
            house.kill()
            house.stop()
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
