"""The packages that verifiers and its hub expect: each installs, and brings what it needs."""

from __future__ import annotations

from importlib.metadata import PathDistribution
from pathlib import Path

import pytest

from tests.examples.installing import EXAMPLES, install


@pytest.mark.parametrize("name", ["strongroom_duels", "strongroom_puzzles"])
def test_the_package_installs_under_the_name_that_verifiers_imports(
    name: str, tmp_path: Path
) -> None:
    install(EXAMPLES / "verifiers" / name, tmp_path)
    (found,) = tmp_path.glob("*.dist-info")
    package = PathDistribution(found)
    assert package.name == name.replace("_", "-")
    assert package.requires == ["strongroom[verifiers]"]
    assert package.metadata["Description-Content-Type"] == "text/markdown"
    assert (tmp_path / name / "__init__.py").is_file()
