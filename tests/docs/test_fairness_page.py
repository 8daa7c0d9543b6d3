"""What the page about fairness shows is what comes out."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest
from starting import PATIENCE

from tests.docs.conftest import DOCS

PAGE = (DOCS / "fairness.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"```python\n(.*?)```.*?```text\n(.*?)```", PAGE, re.DOTALL)


@pytest.mark.parametrize(("code", "output"), EXAMPLES)
def test_an_example_of_the_page_prints_what_stands_below_it(code: str, output: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=PATIENCE
    )
    assert done.stdout == output


def test_the_first_example_needs_nothing_of_ours() -> None:
    assert len(EXAMPLES) == 2
    assert "strongroom" not in EXAMPLES[0][0]
