"""Libraries that only some of strongroom needs, and what is said where they are missing."""

from __future__ import annotations

import pickle

import pytest

from strongroom.plugins.extras import MissingExtra, extra


def test_a_library_that_lacks_a_name_is_as_good_as_missing() -> None:
    with pytest.raises(MissingExtra, match="It needs the extra arena"), extra("arena", "It"):
        from json import no_such_name  # type: ignore[attr-defined] # noqa: F401


def test_a_mistake_of_our_own_is_not_called_a_missing_library() -> None:
    with pytest.raises(ModuleNotFoundError, match=r"strongroom\.no_such_module"), extra("arena"):
        import strongroom.no_such_module  # type: ignore[import-not-found] # noqa: F401


def test_what_is_needed_first_is_named() -> None:
    with pytest.raises(MissingExtra, match="extra inner"), extra("outer"), extra("inner"):
        import no_such_library  # type: ignore[import-not-found] # noqa: F401


def test_a_refusal_travels_between_processes() -> None:
    refusal = MissingExtra("Solving needs the extra theory.", "Install it.")
    again = pickle.loads(pickle.dumps(refusal))
    assert (type(again), str(again)) == (MissingExtra, str(refusal))
