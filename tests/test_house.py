"""The documentation matches the code, and imports point one way."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path
from pkgutil import resolve_name

import pytest

import strongroom
from strongroom import __version__, contract, load
from strongroom.plugins.registry import GAMES
from strongroom.theory import shelf

ROOT = Path(__file__).parent.parent
PAGES = [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").rglob("*.md"))]


def text(file: str) -> str:
    return (ROOT / file).read_text(encoding="utf-8")


def anchors(page: Path) -> set[str]:
    """The anchors that the site makes of a page's headings."""
    titles = re.findall(r"^#+ (.*)", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", title).strip().lower().replace(" ", "-") for title in titles}


def test_every_link_in_a_page_leads_to_a_file() -> None:
    for page in PAGES:
        links = re.findall(r"\]\(([^)#]*)#?([^)]*)\)", page.read_text(encoding="utf-8"))
        files = [(page.parent / link if link else page, anchor) for link, anchor in links]
        assert not [file for file, _ in files if not file.is_file()], page
        lost = [anchor for file, anchor in files if anchor and anchor not in anchors(file)]
        assert not lost, page


def test_the_reference_has_every_name_of_the_contract_and_only_modules_that_exist() -> None:
    reference = text("docs/reference.md")
    members = reference.partition("::: strongroom.contract\n")[2].partition("\n## ")[0]
    assert sorted(re.findall(r"^ +- (\w+)$", members, re.MULTILINE)) == sorted(contract.__all__)
    named = re.findall(r"^::: (\S+)$", reference, re.MULTILINE)
    assert len(named) > 10
    for name in named:  # as files, because not every extra is installed here
        path = ROOT / "src" / name.replace(".", "/")
        is_module = path.with_suffix(".py").is_file() or path.is_dir()
        assert is_module or resolve_name(name) is not None, name


def test_the_house_has_every_module_and_package() -> None:
    house = text("CONTRIBUTING.md").partition("src/strongroom/\n")[2].partition("```")[0]
    for each in (ROOT / "src" / "strongroom").iterdir():
        if each.suffix == ".py" and each.name != "__init__.py":
            assert re.search(rf"^  (.* )?{each.name} ", house, re.MULTILINE), each.name
        elif (each / "__init__.py").is_file():
            assert re.search(rf"^  {each.name}/ ", house, re.MULTILINE), each.name


@pytest.mark.parametrize("name", GAMES)
def test_the_rules_page_has_every_section_and_option_and_says_how_a_secret_is_drawn(
    name: str,
) -> None:
    game = load(name)
    assert game.rules_page.startswith(f"# {game.title}\n")
    sections = ["Goal", "Set-up", "A turn", "Winning", "Options", "What to type", "Rulings"]
    titles = re.findall(r"^## (.*)", game.rules_page, re.MULTILINE)
    assert titles[: len(sections)] == sections
    options = game.rules_page.partition("## Options")[2].partition("\n## ")[0]
    for option in game.options.to_json():
        assert f"`{option}`" in options or f"--set {option}=" in options
    rules = " ".join(game.rules_page.split())
    drawn = "`random` (or `r`) draws" in rules and "Enter keeps it" in rules and "`again`" in rules
    assert drawn == bool(game.secrets_each)
    assert "empty line or" not in rules


@pytest.mark.parametrize("name", GAMES)
def test_the_site_and_the_readme_have_every_game_with_its_certified_value(name: str) -> None:
    page = f"rules/{name}.md"
    rules = f'--8<-- "{name.replace("-", "_")}/rules.md"\n'
    assert text(f"docs/{page}").startswith(rules)
    assert page in text("mkdocs.yml")
    assert page in text("docs/play.md")
    assert f"`{name}`" in text("README.md")
    _, provenance = shelf.read(load(name))
    assert provenance["lower"] == provenance["upper"]
    for file in ("README.md", "docs/play.md", f"docs/theory/{name}.md"):
        assert provenance["lower"] in text(file)


# Reserved example names, the local machine, and names that a proxy's configuration defines.
NOWHERE = re.compile(r"https?://([\w.-]+\.example|example\.org|127\.0\.0\.1|\w+)(?![\w.])")


def test_no_page_and_no_source_contains_the_address_of_a_host() -> None:
    files = [*(ROOT / "src").rglob("*.*"), *(ROOT / "docs").rglob("*.*"), *PAGES]
    written = [file for file in files if file.suffix in (".py", ".md", ".svg")]
    found = {}
    for file in written:
        named = NOWHERE.sub("", file.read_text(encoding="utf-8"))
        if addresses := {*re.findall(r"https?://[\w./-]+", named)}:
            found[file.name] = addresses
    # An SVG has to name its namespace; nothing is fetched from there.
    drawing = {"make_charts.py", "make_pictures.py", "page.py", "environment.py", "curves.py"}
    drawing |= {"icon.svg", "icon-turn.svg"}
    drawing |= {file.name for file in (ROOT / "docs").rglob("*.svg")}
    assert found == {name: {"http://www.w3.org/2000/svg"} for name in drawing}


def test_the_citation_is_about_this_version() -> None:
    assert f"\nversion: {__version__}\n" in text("CITATION.cff")


SOURCE = Path(strongroom.__file__).parent
FILES = {
    ".".join(("strongroom", *file.relative_to(SOURCE).with_suffix("").parts)).removesuffix(
        ".__init__"
    ): file
    for file in SOURCE.rglob("*.py")
}
LAYERS = (
    *({"text", "version", "listening"}, {"contract"}, {"plugins", "games", "report"}),
    *({"referee", "theory"}, {"players", "remote", "vector"}, {"accounts", "contests"}),
    *({"minds"}, {"testing", "puzzles"}, {"arena", "measuring"}, {"doors"}, {"server"}),
    *({"terminal"}, {"__main__"}),
)
"""The packages from the bottom to the top; each may import what stands below it."""


def imported(nodes: Iterable[ast.AST]) -> Iterator[str]:
    for node in nodes:
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name in FILES)
        elif isinstance(node, ast.ImportFrom) and node.module in FILES:
            names = (f"{node.module}.{alias.name}" for alias in node.names)
            yield from (name if name in FILES else node.module for name in names)


def run(tree: ast.Module) -> Iterator[ast.AST]:
    """The nodes of a module, also those in functions, but not what only a type checker reads."""
    blocks = (node for node in ast.walk(tree) if isinstance(node, ast.If))
    types = [block for block in blocks if ast.unparse(block.test) == "TYPE_CHECKING"]
    unread = {id(node) for block in types for node in ast.walk(block)}
    return (node for node in ast.walk(tree) if id(node) not in unread)


@cache
def trees() -> dict[str, ast.Module]:
    return {name: ast.parse(file.read_text(encoding="utf-8")) for name, file in FILES.items()}


def test_each_package_imports_only_what_stands_below_it() -> None:
    height = {name: number for number, layer in enumerate(LAYERS) for name in layer}
    pairs = {
        (name.split(".")[1], other.split(".")[1])
        for name, tree in trees().items()
        for other in imported(ast.walk(tree))
        if "." in name and "." in other
    }
    arrows = {(one, other) for one, other in pairs if one != other}
    up = {(one, other) for one, other in arrows if height[one] <= height[other]}
    assert not up
    assert {other for one, other in arrows if one == "games"} == {"contract"}
    assert {one for one, other in arrows if other == "server"} == {"terminal"}


def test_no_module_imports_itself_in_a_circle_and_no_proof_a_solver() -> None:
    graph = {name: {*imported(run(tree))} - {name} for name, tree in trees().items()}
    assert len([*TopologicalSorter(graph).static_order()]) == len(FILES) > 100
    proofs = [{*imported(ast.walk(tree))} for name, tree in trees().items() if "proof" in name]
    assert len(proofs) >= 5
    assert not [names for names in proofs if any("solver" in each for each in names)]
