"""A real server and a real browser: each test sits people down, each in a browser of their own.

Whatever a browser complains of, in its console, by an uncaught error or because the page's own
policy forbids it, and whatever is asked of any other host, fails the test in which it happens.
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
"""The window of a person who asks for none."""
IN_EACH_TYPEFACE = pytest.mark.parametrize(
    "browser", TYPEFACES, indirect=True, ids=lambda typeface: typeface.name
)
"""For tests of the layout, which is to be the same with any font."""


@pytest.fixture(scope="module")
def browser(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Browser]:
    """The system's Chromium, with the system's fonts or with the typeface that a test asks for.

    It ends with its module's tests: as long as it lasts, no others can run an event loop.
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
    except Exception:  # its driver says why on standard error
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
    """A server that a module's tests share; none of them ends it."""
    house = House(tmp_path_factory.mktemp("house")).opens()
    yield house
    house.closes()


@pytest.fixture
def own_house(tmp_path: Path) -> Iterator[House]:
    """A server for one test, which may do to it what it likes."""
    house = House(tmp_path, "--claim-after", "1").opens()
    yield house
    house.is_killed()


@pytest.fixture(scope="module")
def empty_browsers(browser: Browser) -> list[Person]:
    """Those that somebody has left, for the next ones."""
    return []


@pytest.fixture
def motion() -> bool:
    """Whether things may move, unless somebody says otherwise; drawing that takes its time."""
    return True


@pytest.fixture
def sits_down(browser: Browser, empty_browsers: list[Person], motion: bool) -> Iterator[SitsDown]:
    """Gives somebody a browser: a name, the size of the window, and whether things may move.

    Whatever else is asked of the browser makes it one of the person's own.
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
    empty_browsers += returned
