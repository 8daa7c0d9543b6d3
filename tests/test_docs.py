"""The documentation says what is there."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from strongroom import load
from strongroom.registry import BUILT_IN
from strongroom.theory import shelf

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
SECTIONS = ["Goal", "Set-up", "A turn", "Winning", "Options", "What to type", "Rulings"]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_link_in_a_page_leads_to_a_file(page: Path) -> None:
    links = re.findall(r"\]\(([^)#]+)\)", page.read_text(encoding="utf-8"))
    missing = [link for link in links if not (page.parent / link).is_file()]
    assert not missing


def test_the_python_example_of_the_readme_runs() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    (example,) = re.findall(r"```python\n(.*?)```", readme, re.DOTALL)
    done = subprocess.run(
        [sys.executable, "-c", example], capture_output=True, text=True, check=True, timeout=60
    )
    assert re.match(
        r"Outcome\(winner=<Seat\.(ONE|TWO): \d>, reason='cracked the code'\)", done.stdout
    )


@pytest.mark.parametrize("name", BUILT_IN)
def test_the_rules_page_has_every_section(name: str) -> None:
    rules = load(name).rules
    assert rules.startswith(f"# {load(name).title}\n")
    assert [line[3:] for line in rules.splitlines() if line.startswith("## ")][:7] == SECTIONS


@pytest.mark.parametrize("name", BUILT_IN)
def test_the_rules_page_lists_every_option_with_its_range(name: str) -> None:
    game = load(name)
    options = game.rules.partition("## Options")[2].partition("\n## ")[0]
    for option in game.options.to_json():
        assert f"`{option}`" in options or f"--set {option}=" in options


@pytest.mark.parametrize("name", BUILT_IN)
def test_the_site_and_the_readme_have_every_game(name: str) -> None:
    page = f"rules/{name}.md"
    assert (ROOT / "docs" / page).read_text().strip() == f'--8<-- "{name.replace("-", "_")}.md"'
    assert page in (ROOT / "mkdocs.yml").read_text()
    assert page in (ROOT / "docs" / "index.md").read_text()
    assert f"`{name}`" in (ROOT / "README.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", BUILT_IN)
def test_the_published_value_is_the_certified_one(name: str) -> None:
    _, provenance = shelf.read(load(name))
    assert provenance["lower"] == provenance["upper"]
    for page in ("README.md", "docs/index.md", f"docs/theory/{name}.md"):
        assert provenance["lower"] in (ROOT / page).read_text(encoding="utf-8")


def test_no_page_and_no_source_holds_the_address_of_a_host() -> None:
    files = [*(ROOT / "src").rglob("*.*"), *(ROOT / "docs").rglob("*.*"), *PAGES]
    written = [file for file in files if file.suffix in (".py", ".md", ".svg")]
    texts = {file: file.read_text(encoding="utf-8") for file in written}
    found = {
        file.name: addresses
        for file, text in texts.items()
        if (addresses := set(re.findall(r"https?://[\w./-]+", text)))
    }
    # An SVG has to name its namespace, which is no place that anything is fetched from.
    namespace = {"http://www.w3.org/2000/svg"}
    drawing = ("picture.svg", "make_picture.py", "analyze.py")
    assert found == dict.fromkeys(drawing, namespace)
