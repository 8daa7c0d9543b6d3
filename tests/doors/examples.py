"""The complete examples of the doors' pages."""

from __future__ import annotations

import io
import re
from collections.abc import Mapping
from contextlib import redirect_stdout

EXAMPLE = re.compile(r"```python\n(.*?)```(?:\s*```text\n(.*?)```)?", re.DOTALL)


def run_example(page: str, replaced: Mapping[str, str] | None = None) -> tuple[str, str]:
    """What the only example of a page prints, and what the page says that it prints."""
    ((code, told),) = EXAMPLE.findall(page)
    for old, new in (replaced or {}).items():
        code = code.replace(old, new)
    with redirect_stdout(io.StringIO()) as printed:
        exec(compile(code, "the example of a page", "exec"), {"__name__": "__main__"})
    return printed.getvalue(), told
