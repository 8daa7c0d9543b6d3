"""The number of examples for a property, as a share of the profile's."""

from __future__ import annotations

from hypothesis import settings


def tries(share: float) -> settings:
    """Settings with a share of the profile's examples, for properties that are cheap or costly."""
    return settings(max_examples=max(1, round(share * settings().max_examples)))
