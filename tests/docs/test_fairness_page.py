"""The examples on the page about fairness print what it shows."""

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
def test_an_example_on_the_page_prints_the_output_below_it(code: str, output: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=PATIENCE
    )
    assert done.stdout == output


def test_the_first_example_does_not_need_strongroom() -> None:
    assert len(EXAMPLES) == 2
    assert "strongroom" not in EXAMPLES[0][0]
