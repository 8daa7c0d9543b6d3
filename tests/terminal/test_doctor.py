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

if TYPE_CHECKING:
    from tests.terminal.conftest import SitDown, Strongroom


@pytest.fixture
def broken(tmp_path: Path) -> dict[str, str]:
    """An environment in which openai is installed, but cannot be imported, and textarena is old."""
    for name, number in (("openai", "2.1"), ("textarena", "0.1")):
        info = tmp_path / "bare" / f"{name}-{number}.dist-info"
        info.mkdir(parents=True)
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: {number}\n")
    module = tmp_path / "bare" / "openai.py"
    module.write_text("raise RuntimeError('no \\x1b[31mchip\\x07 for this wheel')\n")
    path = os.pathsep.join([str(tmp_path / "bare"), os.environ.get("PYTHONPATH", "")])
    return {"PYTHONPATH": path}


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


def test_on_a_narrow_screen_nothing_is_cut_off(sit_down: SitDown) -> None:
    terminal = sit_down("doctor", "network", columns=30)
    assert terminal.ends() == 0
    assert version("websockets") in terminal.shown


def test_on_a_screen_of_80_columns_every_command_to_install_stands_on_one_line(
    sit_down: SitDown,
) -> None:
    terminal = sit_down("doctor", columns=80)
    assert terminal.ends() == 0
    lines = f"{terminal.scrolled}\n{terminal.shown}".splitlines()
    missing = [line for line in lines if line.startswith("–")]
    assert [line for line in missing if not line.endswith(f"[{line.split()[1]}]'")] == []


def test_json_says_the_same(strongroom: Strongroom) -> None:
    ran = strongroom("doctor", "network", "--json")
    (found,) = json.loads(ran.out)["extras"]
    assert (found["extra"], found["state"], found["install"]) == ("network", "open", None)
    assert {"name": "websockets", "wanted": "<18,>=16", "installed": version("websockets")} in (
        found["needs"]
    )


def test_trying_finds_what_does_not_import_and_says_why_in_one_harmless_line(
    strongroom: Strongroom, broken: dict[str, str]
) -> None:
    assert strongroom("doctor", "models", env=broken).code == 0
    ran = strongroom("doctor", "models", "--try", env=broken)
    assert ran.code == 1
    (row,) = ran.lines[3:]
    assert row.startswith("✗  models")
    assert "importing openai fails: RuntimeError: no ?[31mchip? for this wheel" in row
    assert row.endswith("try: pip install --force-reinstall 'openai>=2.0'")


def test_what_can_be_used_passes_the_trial(strongroom: Strongroom) -> None:
    assert strongroom("doctor", "network", "arena", "--try").code == 0


def test_an_old_version_is_a_failure_even_if_nobody_asked_for_it(
    strongroom: Strongroom, broken: dict[str, str]
) -> None:
    ran = strongroom("doctor", env=broken)
    assert ran.code == 1
    (row,) = [line for line in ran.lines if "textarena 0.1" in line]
    assert row.startswith("✗")
    assert "textarena 0.1 is not >=0.7; pip install 'strongroom[textarena]'" in row


def test_an_unknown_extra_is_refused(strongroom: Strongroom) -> None:
    ran = strongroom("doctor", "gymnasum")
    assert ran.code == 2
    assert "Did you mean gymnasium" in ran.err
