"""The pictures of the documentation show what a terminal shows now."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING
from xml.etree import ElementTree

import pytest

if TYPE_CHECKING:
    from tests.terminal.conftest import Clean

ROOT = Path(__file__).parents[2]
PICTURES = sorted((ROOT / "docs" / "pictures").glob("*.svg"))


@pytest.mark.proof
def test_the_pictures_are_what_the_pages_look_like_now(tmp_path: Path, clean: Clean) -> None:
    command = [sys.executable, str(ROOT / "docs" / "make_pictures.py"), str(tmp_path)]
    subprocess.run(command, env=clean(), check=True)
    made = {each.name: each.read_text() for each in tmp_path.glob("*.svg")}
    assert made == {each.name: each.read_text() for each in PICTURES}, "make pictures"
    for each in PICTURES:
        picture = ElementTree.parse(each)
        assert picture.findtext("{*}title"), each
        assert len(picture.findall(".//{*}g/{*}text")) > 100, each
