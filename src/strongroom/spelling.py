"""What a person probably meant, who typed a name that there is not."""

from __future__ import annotations

from collections.abc import Iterable


def did_you_mean(typed: str, names: Iterable[str]) -> str:
    """A question for the name that is most like what was typed; nothing, if none is.

    >>> did_you_mean("Mastre", ["master", "random"])
    'Did you mean master?'
    >>> did_you_mean("chess", ["master", "random"])
    ''
    """
    from difflib import get_close_matches  # which nobody waits for who types well

    by_case = {name.lower(): name for name in names}
    nearest = get_close_matches(typed[:100].lower(), by_case, 1)
    return f"Did you mean {by_case[nearest[0]]}?" if nearest else ""
