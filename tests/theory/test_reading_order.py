"""The files of every theory have a reading order: each imports only earlier ones."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

import strongroom.theory

THEORY = Path(next(iter(strongroom.theory.__path__)))
PACKAGES = sorted(file.parent for file in THEORY.glob("*/solution.py"))
BEFORE = {
    "board": set[str](),
    "player": {"board"},
    "solver": {"board", "player"},
    "proof": {"board", "player"},
    "advice": {"board", "player", "proof"},
    "solution": {"board", "player", "proof", "solver", "advice"},
}
"""Which of the six files each may import; there may be further files in between.

A proof does not ask how a strategy was found, so it does not import the solver.
"""


def imported(tree: ast.AST) -> Iterator[str]:
    """The full names of everything that a file imports, and of their modules."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def name_of(file: Path) -> str:
    return ".".join(("strongroom.theory", *file.relative_to(THEORY).with_suffix("").parts))


@pytest.mark.parametrize("package", PACKAGES, ids=lambda package: package.name)
def test_a_theory_has_its_six_files_and_they_import_only_earlier_ones(package: Path) -> None:
    for stem, before in BEFORE.items():
        tree = ast.parse((package / f"{stem}.py").read_text(encoding="utf-8"))
        home = f"strongroom.theory.{package.name}."
        here = {name.removeprefix(home) for name in imported(tree) if name.startswith(home)}
        assert here & set(BEFORE) <= before, stem


def test_there_are_no_circular_imports() -> None:
    files = {name_of(file): file for package in PACKAGES for file in package.glob("*.py")}
    graph = {
        name: {*imported(ast.parse(file.read_text(encoding="utf-8")))} & set(files)
        for name, file in files.items()
    }
    assert set(TopologicalSorter(graph).static_order()) == set(files)


@pytest.mark.parametrize("package", PACKAGES, ids=lambda package: package.name)
def test_only_scipy_is_imported_late(package: Path) -> None:
    for file in package.glob("*.py"):
        tree = ast.parse(file.read_text(encoding="utf-8"))
        functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
        late = {name.split(".")[0] for function in functions for name in imported(function)}
        assert late <= {"scipy"}, file.name


@pytest.mark.parametrize("package", PACKAGES, ids=lambda package: package.name)
def test_the_first_page_is_a_table_of_contents(package: Path) -> None:
    (only,) = ast.parse((package / "__init__.py").read_text(encoding="utf-8")).body
    assert isinstance(only, ast.Expr)
    files = {file.stem for file in package.glob("*.py")} - {"__init__"}
    assert files >= set(BEFORE)
    contents = ast.unparse(only)
    assert all(f"`{stem}`" in contents for stem in files)
    assert sorted(BEFORE, key=lambda stem: contents.index(f"`{stem}`")) == list(BEFORE)
