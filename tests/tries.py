"""The number of examples for a property, as a share of the profile's; what JSON can hold."""

from __future__ import annotations

from typing import Any

from hypothesis import settings
from hypothesis import strategies as st

JSON: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=8,
)


def tries(share: float) -> settings:
    """Settings with a share of the profile's examples, for properties that are cheap or costly."""
    return settings(max_examples=max(1, round(share * settings().max_examples)))
