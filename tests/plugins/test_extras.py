"""Libraries that only some of strongroom needs: what is installed, and what is said otherwise."""

from __future__ import annotations

import pickle
import tomllib
from importlib.util import find_spec
from pathlib import Path

import pytest

from strongroom.plugins.extras import MissingExtra, extra
from strongroom.plugins.installed import EXTRAS, State, examine
from tests.plugins.packages import add_package

PROJECT = Path(__file__).parents[2] / "pyproject.toml"
FOR_DEVELOPERS = {"batches", "bench", "dev", "docs", "doors", "test"}


def test_a_library_that_lacks_a_name_is_missing_and_a_mistake_of_our_own_is_not_called_so() -> None:
    with pytest.raises(MissingExtra, match="It needs the extra arena"), extra("arena", "It"):
        from json import no_such_name  # type: ignore[attr-defined] # noqa: F401
    with pytest.raises(ModuleNotFoundError, match=r"strongroom\.no_such_module"), extra("arena"):
        import strongroom.no_such_module  # type: ignore[import-not-found] # noqa: F401
    with pytest.raises(MissingExtra, match="extra inner"), extra("outer"), extra("inner"):
        import no_such_library  # type: ignore[import-not-found] # noqa: F401
    refusal = MissingExtra("Solving needs the extra theory.", "Install it.")
    again = pickle.loads(pickle.dumps(refusal))
    assert (type(again), str(again)) == (MissingExtra, str(refusal)), "between processes"


def test_every_extra_but_those_for_developers_is_examined_and_tried_by_what_exists() -> None:
    declared = tomllib.loads(PROJECT.read_text())["project"]["optional-dependencies"]
    assert set(EXTRAS) == set(declared) - FOR_DEVELOPERS
    assert all(extra.needs for extra in examine())
    ours = [extra.module for extra in EXTRAS.values() if extra.module.startswith("strongroom.")]
    assert [module for module in ours if find_spec(module) is None] == []


def test_a_version_outside_the_declared_ones_does_not_open_a_door(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    within = {"15.9": False, "16.0rc1": True, "17.10.2": True, "18.0": False, "100": False}
    for version, opens in within.items():
        folder = add_package(tmp_path / version, "websockets", Version=version)
        add_package(folder, "segno", Version="1.6")
        monkeypatch.syspath_prepend(folder)
        (network,) = examine(["network"])
        assert {need.name: need.installed for need in network.needs}["websockets"] == version
        assert network.state is (State.OPEN if opens else State.OUTSIDE)


def test_metadata_without_modules_is_a_broken_installation(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    add_package(tmp_path, "openai", Version="9.0")
    (tmp_path / "openai-1.dist-info" / "top_level.txt").write_text("nowhere_to_be_found")
    monkeypatch.syspath_prepend(tmp_path)
    (models,) = examine(["models"])
    assert models.state is State.BROKEN
    assert models.trouble == "the files of openai are gone"
