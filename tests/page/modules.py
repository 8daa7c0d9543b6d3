"""The page's own modules in a real browser, served from their folder by a small server."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page

import strongroom

FOLDER = Path(strongroom.__file__).parent / "server" / "page"


class Quiet(SimpleHTTPRequestHandler):
    """A file server that logs nothing."""

    def log_message(self, *_: Any) -> None:
        """Log nothing."""


@contextmanager
def opened_modules(browser: Browser) -> Iterator[Page]:
    """Open a page on the origin of the modules, so that it can import them."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(FOLDER)))
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        page = browser.new_page()
        page.goto(f"http://127.0.0.1:{server.server_port}/verify.js")
        yield page
        page.close()
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
