"""Pages of the documentation, with the code that they show."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[2] / "docs"


@pytest.fixture
def written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], Path]:
    """Writes the Python code of a page into files, and returns the folder, which is importable.

    A block that begins with `# NAME.py` begins that file; any other continues the last one.
    """

    def write(page: str) -> Path:
        text = (DOCS / page).read_text(encoding="utf-8")
        files: dict[str, list[str]] = {}
        name = ""
        for block in re.findall(r"^```python\n(.*?)^```", text, re.DOTALL | re.MULTILINE):
            if begins := re.match(r"# (\S+\.py)\n", block):
                name, block = begins[1], block[begins.end() :]
            files.setdefault(name, []).append(block)
        for name, blocks in files.items():
            (tmp_path / name).parent.mkdir(exist_ok=True)
            (tmp_path / name).write_text("\n\n".join(blocks), encoding="utf-8")
        monkeypatch.syspath_prepend(tmp_path)
        return tmp_path

    return write
