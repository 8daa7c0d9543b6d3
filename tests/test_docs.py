"""The documentation matches the code."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from pkgutil import resolve_name

import pytest
from starting import PATIENCE

from strongroom import __version__, contract, load
from strongroom.plugins.registry import GAMES
from strongroom.theory import shelf

ROOT = Path(__file__).parent.parent
PAGES = [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").rglob("*.md"))]
SECTIONS = ["Goal", "Set-up", "A turn", "Winning", "Options", "What to type", "Rulings"]


def anchors(page: Path) -> set[str]:
    """The anchors that the site makes of a page's headings."""
    titles = re.findall(r"^#+ (.*)", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", title).strip().lower().replace(" ", "-") for title in titles}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_link_in_a_page_leads_to_a_file(page: Path) -> None:
    links = re.findall(r"\]\(([^)#]*)#?([^)]*)\)", page.read_text(encoding="utf-8"))
    files = [(page.parent / link if link else page, anchor) for link, anchor in links]
    assert not [file for file, _ in files if not file.is_file()]
    assert not [anchor for file, anchor in files if anchor and anchor not in anchors(file)]


def test_the_python_examples_of_the_readme_print_what_it_says() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    game, measured = (
        subprocess.run(
            [sys.executable, "-c", example],
            capture_output=True,
            text=True,
            check=True,
            timeout=PATIENCE,
        ).stdout
        for example in re.findall(r"```python\n(.*?)```", readme, re.DOTALL)
    )
    assert re.match(r"Outcome\(winner=<Seat\.(ONE|TWO): \d>, reason=<Cracked\.CRACKED", game)
    assert len(measured.splitlines()) == 5
    assert f"```\n{measured}```" in readme


def test_the_citation_is_about_this_version() -> None:
    cited = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert f"\nversion: {__version__}\n" in cited


def test_the_reference_has_every_name_of_the_contract() -> None:
    reference = (ROOT / "docs" / "reference.md").read_text(encoding="utf-8")
    members = reference.partition("::: strongroom.contract\n")[2].partition("\n## ")[0]
    assert sorted(re.findall(r"^ +- (\w+)$", members, re.MULTILINE)) == sorted(contract.__all__)


def test_every_module_in_the_reference_exists() -> None:
    reference = (ROOT / "docs" / "reference.md").read_text(encoding="utf-8")
    named = re.findall(r"^::: (\S+)$", reference, re.MULTILINE)
    assert len(named) > 10
    for name in named:  # as files, because not every extra is installed here
        path = ROOT / "src" / name.replace(".", "/")
        is_module = path.with_suffix(".py").is_file() or path.is_dir()
        assert is_module or resolve_name(name) is not None, name


def test_the_house_has_every_module_and_package() -> None:
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    house = text.partition("src/strongroom/\n")[2].partition("```")[0]
    for each in (ROOT / "src" / "strongroom").iterdir():
        if each.suffix == ".py" and each.name != "__init__.py":
            assert re.search(rf"^  (.* )?{each.name} ", house, re.MULTILINE), each.name
        elif (each / "__init__.py").is_file():
            assert re.search(rf"^  {each.name}/ ", house, re.MULTILINE), each.name


@pytest.mark.parametrize("name", GAMES)
def test_the_rules_page_has_every_section(name: str) -> None:
    rules = load(name).rules_page
    assert rules.startswith(f"# {load(name).title}\n")
    assert [line[3:] for line in rules.splitlines() if line.startswith("## ")][:7] == SECTIONS


@pytest.mark.parametrize("name", GAMES)
def test_the_rules_page_says_how_a_secret_is_drawn(name: str) -> None:
    rules = " ".join(load(name).rules_page.split())
    drawn = "`random` (or `r`) draws" in rules and "Enter keeps it" in rules and "`again`" in rules
    assert drawn == bool(load(name).secrets_each)
    assert "empty line or" not in rules


@pytest.mark.parametrize("name", GAMES)
def test_the_rules_page_lists_every_option_with_its_range(name: str) -> None:
    game = load(name)
    options = game.rules_page.partition("## Options")[2].partition("\n## ")[0]
    for option in game.options.to_json():
        assert f"`{option}`" in options or f"--set {option}=" in options


@pytest.mark.parametrize("name", GAMES)
def test_the_site_and_the_readme_have_every_game(name: str) -> None:
    page = f"rules/{name}.md"
    text = (ROOT / "docs" / page).read_text(encoding="utf-8")
    assert text.startswith(f'--8<-- "{name.replace("-", "_")}/rules.md"\n')
    assert page in (ROOT / "mkdocs.yml").read_text()
    assert page in (ROOT / "docs" / "index.md").read_text()
    assert f"`{name}`" in (ROOT / "README.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", GAMES)
def test_the_published_value_is_the_certified_one(name: str) -> None:
    _, provenance = shelf.read(load(name))
    assert provenance["lower"] == provenance["upper"]
    for page in ("README.md", "docs/index.md", f"docs/theory/{name}.md"):
        assert provenance["lower"] in (ROOT / page).read_text(encoding="utf-8")


# Reserved example names, the local machine, and names that a proxy's configuration defines.
NOWHERE = re.compile(r"https?://([\w.-]+\.example|example\.org|127\.0\.0\.1|\w+)(?![\w.])")


def test_no_page_and_no_source_contains_the_address_of_a_host() -> None:
    files = [*(ROOT / "src").rglob("*.*"), *(ROOT / "docs").rglob("*.*"), *PAGES]
    written = [file for file in files if file.suffix in (".py", ".md", ".svg")]
    texts = {file: file.read_text(encoding="utf-8") for file in written}
    found = {
        file.name: addresses
        for file, text in texts.items()
        if (addresses := {*re.findall(r"https?://[\w./-]+", NOWHERE.sub("", text))})
    }
    # An SVG has to name its namespace; nothing is fetched from there.
    namespace = {"http://www.w3.org/2000/svg"}
    pictures = [file.name for file in (ROOT / "docs").rglob("*.svg")]
    drawing = (
        *pictures,
        *("make_pictures.py", "drawing.py", "document.py", "icon.svg", "icon-turn.svg"),
    )
    assert found == dict.fromkeys(drawing, namespace)


def test_make_play_does_not_echo_its_set_up_commands() -> None:
    rules = (ROOT / "Makefile").read_text().partition("$(VENV)/bin/pip:\n")[2].partition("\n\n")[0]
    assert "import sys" in rules
    assert all(line.startswith("\t@") for line in rules.splitlines())
