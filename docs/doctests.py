"""For `make docs`: shows the examples of docstrings as code; Markdown takes them for quotations."""

from __future__ import annotations

import re
from typing import Any

from griffe import Extension, Object

EXAMPLE = re.compile(r"^>>> .*(?:\n(?!\s*$).+)*", re.MULTILINE)
"""A line that Python is given, and everything up to the next blank line."""


class Doctests(Extension):
    """Puts the examples of every docstring between fences."""

    def on_object(self, *, obj: Object, **_: Any) -> None:
        """Fence what looks like a session with Python."""
        if obj.docstring is not None:
            fenced = EXAMPLE.sub(lambda found: f"```pycon\n{found[0]}\n```", obj.docstring.value)
            obj.docstring.value = fenced
