"""`strongroom doctor`: which extras can be used here."""

from __future__ import annotations

import json
import os
import platform
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from strongroom.plugins.installed import EXTRAS
from strongroom.version import __version__
from tests.plugins.packages import add_package

if TYPE_CHECKING:
    from tests.terminal.conftest import SitDown, Strongroom


def test_every_extra_has_a_row_with_its_versions_or_how_to_install_it(
    strongroom: Strongroom,
) -> None:
    ran = strongroom("doctor")
    assert (ran.code, ran.err) == (0, "")
    assert ran.lines[0] == f"strongroom {__version__}, Python {platform.python_version()}"
    rows = {line.split()[1]: line for line in ran.lines[3:]}
    assert list(rows) == list(EXTRAS)
    assert f"websockets {version('websockets')}" in rows["network"]
    assert all("pip install" in line for line in rows.values() if line.startswith("–"))
    (found,) = json.loads(strongroom("doctor", "network", "--json").out)["extras"]
    assert (found["extra"], found["state"], found["install"]) == ("network", "open", None)
    need = {"name": "websockets", "wanted": "<18,>=16", "installed": version("websockets")}
    assert need in found["needs"]


@pytest.mark.parametrize("columns", [30, 80])
def test_nothing_is_cut_off_and_on_80_columns_every_command_to_install_stands_on_one_line(
    sit_down: SitDown, columns: int
) -> None:
    terminal = sit_down("doctor", columns=columns)
    assert terminal.ends() == 0
    assert version("websockets") in terminal.everything
    missing = [line for line in terminal.everything.splitlines() if line.startswith("–")]
    if columns == 80:
        assert [line for line in missing if not line.endswith(f"[{line.split()[1]}]'")] == []


def test_trying_finds_what_does_not_import_and_says_why_in_one_harmless_line(
    strongroom: Strongroom, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    code = "raise RuntimeError('no \\x1b[31mchip\\x07 for this wheel')\n"
    add_package(tmp_path / "bare", "openai", code=code, Version="2.1")
    monkeypatch.syspath_prepend(tmp_path / "bare")
    assert strongroom("doctor", "models").code == 0
    path = os.pathsep.join([str(tmp_path / "bare"), os.environ.get("PYTHONPATH", "")])
    ran = strongroom("doctor", "network", "models", "--try", env={"PYTHONPATH": path})
    assert ran.code == 1
    usable, row = ran.lines[3:]
    assert usable.startswith("✓  network")
    assert row.startswith("✗  models")
    assert "importing openai fails: RuntimeError: no ?[31mchip? for this wheel" in row
    assert row.endswith("try: pip install --force-reinstall 'openai>=2.0'")


def test_an_old_version_is_a_failure_even_if_nobody_asked_for_it(
    strongroom: Strongroom, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(add_package(tmp_path / "bare", "textarena", Version="0.1"))
    ran = strongroom("doctor")
    assert ran.code == 1
    (row,) = [line for line in ran.lines if "textarena 0.1" in line]
    assert row.startswith("✗")
    assert "textarena 0.1 is not >=0.7; pip install 'strongroom[textarena]'" in row


def test_an_unknown_extra_is_refused(strongroom: Strongroom) -> None:
    ran = strongroom("doctor", "gymnasum")
    assert ran.code == 2
    assert "Did you mean gymnasium" in ran.err
