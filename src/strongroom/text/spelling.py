"""What a person who typed an unknown name probably meant."""

from __future__ import annotations

from collections.abc import Iterable


def did_you_mean(typed: str, names: Iterable[str]) -> str:
    """A question that suggests the name closest to what was typed; empty if none is close.

    >>> did_you_mean("MASTRE", ["master", "random"])
    'Did you mean master?'
    >>> did_you_mean("chess", ["master", "random"])
    ''
    """
    from difflib import get_close_matches  # slow to import, and only needed here

    by_case = {name.lower().lstrip("-"): name for name in names}  # dashes would make all alike
    nearest = get_close_matches(typed[:100].lower().lstrip("-"), by_case, 1)
    return f"Did you mean {by_case[nearest[0]]}?" if nearest else ""
