"""A real server and a real browser: tests give each person a browser context of their own.

Console warnings and errors, uncaught exceptions, violations of the page's policy, and requests
to any other host fail the test in which they happen.
"""

from __future__ import annotations

import asyncio
import atexit
import os
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, ViewportSize, expect, sync_playwright
from starting import PATIENCE

from tests.missing import missing
from tests.page.fitting import only_these
from tests.page.people import BROWSERS, USUAL, House, Person, browser_file

SitsDown = Callable[..., Person]
Pair = Callable[..., tuple[Person, Person]]
EMPTY: list[Person] = []
"""The browser contexts of this process that were left and emptied, for reuse."""


@cache
def launched(folder: Path) -> Browser:
    """The system's Chromium, one a process, with the same fonts on every machine."""
    found = browser_file()
    if found is None:
        missing(" or ".join(BROWSERS))
    expect.set_options(timeout=PATIENCE * 1000)
    try:
        playwright = sync_playwright().start()
    except Exception:  # its driver prints the reason to standard error
        missing("libatomic.so.1, which Playwright needs (libatomic1)")
    browser = playwright.chromium.launch(
        executable_path=found,
        args=["--no-sandbox"],
        timeout=PATIENCE * 1000,
        env={**os.environ, "FONTCONFIG_FILE": str(only_these(folder))},
    )

    def stop() -> None:
        asyncio._set_running_loop(browser._loop)
        browser.close()
        playwright.stop()

    atexit.register(stop)
    return browser


@pytest.fixture
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    """The browser of this process; outside a test that uses it, other event loops can run."""
    browser = launched(tmp_path_factory.getbasetemp())
    asyncio._set_running_loop(browser._loop)
    yield browser
    asyncio._set_running_loop(None)


@pytest.fixture(scope="session")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """A server that a process's tests share; none of them stops it."""
    house = House(tmp_path_factory.mktemp("house")).opens()
    yield house
    house.stop()


@pytest.fixture
def own_house(tmp_path: Path) -> Iterator[House]:
    """A server for one test, which may do anything to it."""
    house = House(tmp_path, "--claim-after", "1").opens()
    yield house
    house.kill()  # which is faster than to wait for its clients
    house.stop()


@cache
def module_page(browser: Browser, address: str) -> Page:
    """A page of this server that stays as it is."""
    page = browser.new_page()
    page.goto(f"{address}page/verify.js")
    return page


@pytest.fixture
def modules(browser: Browser, house: House) -> Page:
    """A page that can import the page's own modules, from `/page/`."""
    return module_page(browser, house.address)


@pytest.fixture
def sits_down(browser: Browser, house: House) -> Iterator[SitsDown]:
    """Gives a person a browser: takes a name, a size, and whether things may move."""
    people: list[Person] = []

    def sit(
        name: str = "Ada", viewport: ViewportSize = USUAL, motion: bool = False, **own: Any
    ) -> Person:
        person = EMPTY.pop() if EMPTY and not own else Person(browser.new_context(**own))
        person.reusable = not own
        people.append(person)
        return person.arrives(name, viewport, motion)

    yield sit
    troubles = [f"{person.name}: {trouble}" for person in people for trouble in person.troubles]
    for person in people:
        person.leaves(f"{house.address}page/verify.js")
    assert not troubles
    EMPTY.extend(person for person in people if person.reusable)


@pytest.fixture
def pair(house: House, sits_down: SitsDown) -> Pair:
    """Seats Ada and Bob at a new game, with the server's wishes and the size of the window."""

    def meet(
        game: str, house: House = house, viewport: ViewportSize = USUAL, **wishes: Any
    ) -> tuple[Person, Person]:
        one, two = house.arranges(game, **wishes)
        return sits_down("Ada", viewport).opens(one), sits_down("Bob", viewport).opens(two)

    return meet


@pytest.fixture
def ada(house: House, sits_down: SitsDown) -> Person:
    """Ada, in the lobby."""
    return sits_down("Ada").opens(house.address)


@pytest.fixture
def ada_plays(house: House, sits_down: SitsDown) -> SitsDown:
    """Asks Ada, in a window of this size, for her first move against a bot that plays at random."""

    def asked(game: str, viewport: ViewportSize = USUAL, **own: Any) -> Person:
        person = sits_down("Ada", viewport, **own).opens(house.arranges(game, "random")[0])
        person.is_asked()
        return person

    return asked
