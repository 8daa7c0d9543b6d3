"""Imports point one way: which package may import which, and no module imports itself in a circle.

A theory's proof does not ask how a strategy was found, so it does not import the solver.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from graphlib import TopologicalSorter
from pathlib import Path

import strongroom

ROOT = Path(strongroom.__file__).parent
FILES = {
    ".".join(("strongroom", *file.relative_to(ROOT).with_suffix("").parts)).removesuffix(
        ".__init__"
    ): file
    for file in ROOT.rglob("*.py")
}
LAYERS = (
    *({"text", "version", "listening"}, {"contract"}, {"plugins", "games"}, {"referee", "theory"}),
    *({"players", "remote", "vector"}, {"agents", "testing"}, {"puzzles"}, {"arena", "measuring"}),
    *({"analysis"}, {"server"}, {"terminal", "__main__"}),
)
"""The packages from the bottom to the top; each may import what stands below it."""
BESIDE = {
    ("agents", "testing"),
    ("testing", "agents"),
    ("theory", "plugins"),
    ("arena", "measuring"),
    ("measuring", "arena"),
    ("agents", "measuring"),  # two doors, for evaluating and training models
    ("agents", "puzzles"),
    ("__main__", "terminal"),
}
"""The arrows between neighbours, and the only two that point up."""


def imported(nodes: Iterable[ast.AST]) -> Iterator[str]:
    """The modules of ours that are imported."""
    for node in nodes:
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name in FILES)
        elif isinstance(node, ast.ImportFrom) and node.module in FILES:
            names = (f"{node.module}.{alias.name}" for alias in node.names)
            yield from (name if name in FILES else node.module for name in names)


def package(module: str) -> str:
    return module.split(".")[1]


TREES = {name: ast.parse(file.read_text(encoding="utf-8")) for name, file in FILES.items()}


def test_each_package_imports_only_what_stands_below_it() -> None:
    height = {name: number for number, layer in enumerate(LAYERS) for name in layer}
    arrows = {
        (package(name), package(other))
        for name, tree in TREES.items()
        for other in imported(ast.walk(tree))
        if "." in name and "." in other and package(name) != package(other)
    }
    up = {(one, other) for one, other in arrows if height[one] <= height[other]}
    assert up <= BESIDE
    assert {other for one, other in arrows if one == "games"} == {"contract"}
    assert {one for one, other in arrows if other == "server"} == {"terminal"}


def test_no_module_imports_itself_in_a_circle() -> None:
    graph = {name: {*imported(tree.body)} - {name} for name, tree in TREES.items()}
    assert len([*TopologicalSorter(graph).static_order()]) == len(FILES) > 100


def test_no_proof_imports_a_solver() -> None:
    proofs = {name: {*imported(ast.walk(tree))} for name, tree in TREES.items() if "proof" in name}
    assert len(proofs) >= 5
    assert not [name for name, names in proofs.items() if any("solver" in each for each in names)]
