"""Draws the page's icons and the picture of a link preview, from the page's own icon and styles.

PYTHONPATH=proofs python -m docs.make_icons src/strongroom/server/page
"""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

from tests.page.people import browser_file

EMBLEMS = ("safecracker-duel", "safe-cracker", "safe-code", "digit-deductions", "quantum-duel")
PREVIEW = (1200, 630)
PREVIEW_STYLE = """
body { height: 630px; padding: 72px 80px; display: flex; flex-direction: column; }
div { display: flex; align-items: center; }
.name { gap: 20px; font: 40px/1 var(--serif); letter-spacing: .04em; }
.name svg { width: 56px; }
h1 { font-size: 88px; margin: auto 0; }
.emblems { justify-content: space-between; padding-top: 40px; border-top: 2px solid var(--line); }
.emblems { font: 600 30px/1 var(--serif); fill: currentcolor; color: var(--brass-ink); }
.emblems svg { height: 56px; }
"""


@dataclass(frozen=True)
class Icon:
    """A picture of the icon: its size, and whether a phone cuts its corners itself."""

    name: str
    size: int
    whole: bool


ICONS = (
    Icon("icon-192", 192, whole=False),
    Icon("icon-512", 512, whole=False),
    Icon("icon-maskable", 512, whole=True),
    Icon("icon-apple", 180, whole=True),
)


def icon(folder: Path, whole: bool) -> str:
    """The icon's SVG; a whole one fills its corners."""
    drawn = (folder / "icon.svg").read_text("utf-8")
    return re.sub(r' rx="\d+"', "", drawn) if whole else drawn


def preview(folder: Path) -> str:
    """The page that is drawn for link previews."""
    style = (folder / "style.css").read_text("utf-8")
    emblems = [(folder / "emblems" / f"{name}.svg").read_text("utf-8") for name in EMBLEMS]
    return f"""<!doctype html>
<html lang="en" data-theme="light">
<style>{style}{PREVIEW_STYLE}</style>
<div class="name">{icon(folder, whole=False)} strongroom</div>
<h1>Five duels of codes and nerve</h1>
<div class="emblems">{"".join(emblems)}</div>
</html>
"""


def draw(page: Page, markup: str, size: tuple[int, int], file: Path) -> None:
    """Write a picture of some markup, with nothing where it draws nothing."""
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.set_content(markup)
    page.screenshot(path=file, omit_background=True)
    print(f"{file} {file.stat().st_size / 1000:.0f} kB")


def main(folder: Path) -> None:
    """Draw every icon, and the preview."""
    bare = "<style>html { overflow: hidden; } body { margin: 0; } svg { display: block; }</style>"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=browser_file(), args=["--no-sandbox"])
        page = browser.new_page()
        for each in ICONS:
            file = folder / f"{each.name}.png"
            draw(page, bare + icon(folder, each.whole), (each.size, each.size), file)
        draw(page, preview(folder), PREVIEW, folder / "preview.png")
        browser.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
