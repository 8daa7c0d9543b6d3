"""A real server and a real browser: tests give each person a browser context of their own.

Console warnings and errors, uncaught exceptions, violations of the page's policy, and requests
to any other host fail the test in which they happen.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, ViewportSize, expect, sync_playwright
from starting import PATIENCE

from tests.missing import missing
from tests.page.house import House
from tests.page.people import BROWSERS, Person, browser_file
from tests.page.typefaces import TYPEFACES, Typeface

SitsDown = Callable[..., Person]
USUAL = ViewportSize(width=1280, height=720)
"""The default window."""
IN_EACH_TYPEFACE = pytest.mark.parametrize(
    "browser", TYPEFACES, indirect=True, ids=lambda typeface: typeface.name
)
"""For tests of the layout, which must be the same with any font."""


@pytest.fixture(scope="module")
def browser(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Browser]:
    """The system's Chromium, with the system's fonts or with the typeface that a test asks for.

    It ends with its module's tests, because no other event loop can run meanwhile.
    """
    found = browser_file()
    if found is None:
        missing(" or ".join(BROWSERS))
    expect.set_options(timeout=PATIENCE * 1000)
    typeface: Typeface | None = getattr(request, "param", None)
    env: dict[str, str | float | bool] = {**os.environ}
    if typeface is not None:
        env["FONTCONFIG_FILE"] = str(typeface.settings(tmp_path_factory.mktemp("fonts")))
    try:
        playwright = sync_playwright().start()
    except Exception:  # its driver prints the reason to standard error
        missing("libatomic.so.1, which Playwright needs (libatomic1)")
    browser = playwright.chromium.launch(
        executable_path=found, args=["--no-sandbox"], timeout=PATIENCE * 1000, env=env
    )
    if typeface is not None:
        typeface.is_used(browser)
    yield browser
    browser.close()
    playwright.stop()


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """A server that a module's tests share; none of them stops it."""
    house = House(tmp_path_factory.mktemp("house")).opens()
    yield house
    house.closes()


@pytest.fixture
def own_house(tmp_path: Path) -> Iterator[House]:
    """A server for one test, which may do anything to it."""
    house = House(tmp_path, "--claim-after", "1").opens()
    yield house
    house.is_killed()


@pytest.fixture(scope="module")
def empty_browsers(browser: Browser) -> list[Person]:
    """Browsers that were left and emptied, for reuse."""
    return []


@pytest.fixture
def motion() -> bool:
    """The default for whether things may move; animations take time."""
    return True


@pytest.fixture
def sits_down(browser: Browser, empty_browsers: list[Person], motion: bool) -> Iterator[SitsDown]:
    """Gives a person a browser: takes a name, the size of the window, and whether things may move.

    Any other option of the browser makes it a new one that is not reused.
    """
    people: list[Person] = []
    returned: list[Person] = []

    def sit(
        name: str = "Ada", viewport: ViewportSize = USUAL, motion: bool = motion, **own: Any
    ) -> Person:
        found = empty_browsers.pop() if empty_browsers and not own else None
        person = found or Person(browser.new_context(**own))
        people.append(person)
        if not own:
            returned.append(person)
        return person.arrives(name, viewport, motion)

    yield sit
    troubles = [f"{person.name}: {trouble}" for person in people for trouble in person.troubles]
    for person in people:
        person.leaves()
    assert not troubles
    empty_browsers += [person for person in returned if person.reusable]
