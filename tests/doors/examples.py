"""The complete examples of the doors' pages, run as a reader would run them."""

from __future__ import annotations

import re
import subprocess
import sys

from starting import PATIENCE


def output_of_example(text: str) -> tuple[str, str]:
    """What the example of a page prints, and what the page says that it prints."""
    ((code, printed),) = re.findall(r"```python\n(.*?)```\s*```text\n(.*?)```", text, re.DOTALL)
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=PATIENCE
    )
    assert done.returncode == 0, done.stderr
    return done.stdout, printed
