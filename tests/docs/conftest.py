"""The code that the pages of the documentation show."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.docs.pages import page

Written = Callable[[str], Path]


@pytest.fixture
def written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Written:
    """Writes the Python code of a page into files, and returns the folder, which is importable.

    A block that begins with `# NAME.py` begins that file; any other continues the last one.
    """

    def write(name: str) -> Path:
        files: dict[str, list[str]] = {}
        file = ""
        for block in re.findall(r"^```python\n(.*?)^```", page(name), re.DOTALL | re.MULTILINE):
            if begins := re.match(r"# (\S+\.py)\n", block):
                file, block = begins[1], block[begins.end() :]
            files.setdefault(file, []).append(block)
        for file, blocks in files.items():
            (tmp_path / file).parent.mkdir(exist_ok=True)
            (tmp_path / file).write_text("\n\n".join(blocks), encoding="utf-8")
        monkeypatch.syspath_prepend(tmp_path)
        return tmp_path

    return write
