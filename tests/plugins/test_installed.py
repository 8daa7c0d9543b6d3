"""What is installed of the extras, and what is said about the rest."""

from __future__ import annotations

import tomllib
from importlib.util import find_spec
from pathlib import Path

import pytest

from strongroom.plugins.installed import EXTRAS, State, examine

PROJECT = Path(__file__).parents[2] / "pyproject.toml"
FOR_DEVELOPERS = {"batches", "bench", "dev", "docs", "doors", "test"}


@pytest.fixture
def packages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder whose packages come before all others."""
    monkeypatch.syspath_prepend(tmp_path)
    return tmp_path


def pretend(folder: Path, name: str, version: str, top: str = "") -> None:
    """Leave the metadata of a package behind, as an installer would."""
    info = folder / f"{name}-{version}.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n")
    if top:
        (info / "top_level.txt").write_text(top)


def test_every_extra_but_those_for_developers_is_examined() -> None:
    declared = tomllib.loads(PROJECT.read_text())["project"]["optional-dependencies"]
    assert set(EXTRAS) == set(declared) - FOR_DEVELOPERS
    assert all(extra.needs for extra in examine())


def test_what_tries_an_extra_is_a_part_of_strongroom_that_exists() -> None:
    ours = [extra.module for extra in EXTRAS.values() if extra.module.startswith("strongroom.")]
    assert [module for module in ours if find_spec(module) is None] == []


@pytest.mark.parametrize(
    ("version", "state"),
    [
        ("15.9", State.OUTSIDE),
        ("16.0rc1", State.OPEN),
        ("17.10.2", State.OPEN),
        ("18.0", State.OUTSIDE),
        ("100", State.OUTSIDE),
    ],
)
def test_a_version_outside_the_declared_ones_does_not_open_a_door(
    packages: Path, version: str, state: State
) -> None:
    pretend(packages, "segno", "1.6")
    pretend(packages, "websockets", version)
    (network,) = examine(["network"])
    assert {need.name: need.installed for need in network.needs}["websockets"] == version
    assert network.state is state


def test_metadata_without_modules_is_a_broken_installation(packages: Path) -> None:
    pretend(packages, "openai", "9.0", top="nowhere_to_be_found")
    (models,) = examine(["models"])
    assert models.state is State.BROKEN
    assert models.trouble == "the files of openai are gone"
