"""The games to step through in the documentation, in a real browser."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import pytest
from playwright.sync_api import Browser, expect

import strongroom
from docs.whole_games import PLAYED, on_post_build, whole_game
from strongroom.plugins.registry import GAMES
from tests.docs.pages import DOCS, page
from tests.page.conftest import browser  # noqa: F401


class Quiet(SimpleHTTPRequestHandler):
    """Serves files without a log."""

    def log_message(self, format: str, *args: object) -> None:
        pass


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of what the documentation adds to its pages."""
    folder = tmp_path_factory.mktemp("site")
    shutil.copytree(DOCS / "step", folder / "step")
    on_post_build({"site_dir": str(folder)})
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(folder))) as server:
        Thread(target=server.serve_forever).start()
        yield f"http://127.0.0.1:{server.server_port}/step/index.html"
        server.shutdown()


@pytest.mark.parametrize("name", GAMES)
def test_every_game_has_a_whole_game_that_somebody_wins(name: str) -> None:
    told = whole_game(strongroom.load(name), *PLAYED[name])
    (end,) = told["frames"][-1]["entries"]
    assert end["end"]["winner"] in (1, 2)
    assert 8 <= len(told["frames"]) <= 20
    assert f"step/index.html?game={name}" in page(f"rules/{name}.md")


def test_a_reader_steps_through_every_whole_game(
    site: str,
    browser: Browser,  # noqa: F811
    subtests: pytest.Subtests,
) -> None:
    with browser.new_context(reduced_motion="reduce") as context:
        reader, errors = context.new_page(), list[str]()
        reader.on("pageerror", lambda error: errors.append(str(error)))
        moment = reader.get_by_role("slider", name="Moment of the game")
        won = re.compile("cracked|guessed|set the safe|chain")
        for name in GAMES:
            with subtests.test(name):
                reader.goto(f"{site}?game={name}")
                expect(moment).to_have_value("0")
                before = reader.locator(".board").inner_html()
                reader.get_by_role("button", name="One step on").click()
                expect(moment).to_have_value("1")
                reader.get_by_role("button", name="To the end").click()
                expect(reader.locator(".large")).to_contain_text(won)
                assert reader.locator(".board").inner_html() != before
                assert errors == []
