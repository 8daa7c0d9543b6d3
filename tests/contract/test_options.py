"""Options: validated when they are created, and named when they are refused."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from strongroom.contract import BadOption, Options, option
from strongroom.games.safe_cracker.rules import SafeCrackerOptions
from strongroom.games.safecracker_duel.rules import SafecrackerDuelOptions
from strongroom.plugins.registry import load


@dataclass(frozen=True)
class Sizes(Options):
    size: int = option(3, "how big", low=2, high=5)
    limit: int | None = option(None, "how many", low=1, high=9)
    strict: bool = option(False, "whether it is strict")


@given(st.integers(-(10**19), 10**19))
def test_a_number_is_accepted_exactly_in_its_range(size: int) -> None:
    if 2 <= size <= 5:
        assert Sizes(size=size).size == size
    else:
        with pytest.raises(BadOption, match=f"size must be a number from 2 to 5; you gave {size}"):
            Sizes(size=size)


@pytest.mark.parametrize(
    "value",
    ["\x1b]0;x\x07", "a\nb", "x" * 10**6, [1], {}, 1.5, float("nan"), 10**20, -(10**5000)],
    ids=range(9),
)
def test_any_other_value_is_refused_and_quoted_harmlessly(value: Any) -> None:
    for name in ("size", "limit", "strict"):
        with pytest.raises(BadOption) as refusal:
            Sizes(**{name: value})
        assert str(refusal.value).isprintable()
        assert len(str(refusal.value)) < 100
        if type(value) is int and name != "strict":
            assert "you gave one with more than 20 digits" in str(refusal.value)


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ({"size": 6}, "size must be a number from 2 to 5; you gave 6."),
        ({"size": None}, "size must be a number from 2 to 5; you gave None."),
        ({"size": True}, "size must be a number from 2 to 5; you gave True."),
        ({"size": "3"}, "size must be a number from 2 to 5; you gave 3."),
        ({"size": 3.0}, "size must be a number from 2 to 5; you gave 3.0."),
        ({"limit": 0}, "limit must be a number from 1 to 9, or none; you gave 0."),
        ({"strict": 1}, "strict must be yes or no; you gave 1."),
        ({"strict": None}, "strict must be yes or no; you gave None."),
    ],
)
def test_a_value_out_of_range_is_refused_with_the_range(values: dict[str, Any], words: str) -> None:
    with pytest.raises(BadOption) as refusal:
        Sizes(**values)
    assert str(refusal.value) == words


def test_options_are_checked_when_they_are_changed_as_well() -> None:
    with pytest.raises(BadOption):
        replace(Sizes(), size=9)


def test_an_unknown_option_is_refused_with_the_options_there_are() -> None:
    named = r"There is no option 'colour'\. Choose from: digits, length, attempts\."
    with pytest.raises(BadOption, match=f"^{named}$"):
        load("safe-cracker", colour=3)
    with pytest.raises(BadOption, match="This game has none"):
        load("quantum-duel", cells=9)


@pytest.mark.parametrize(
    ("texts", "options"),
    [
        ({}, Sizes()),
        ({"size": "4"}, Sizes(size=4)),
        ({"size": " 4 "}, Sizes(size=4)),
        ({"limit": "none"}, Sizes()),
        ({"limit": "Off"}, Sizes()),
        ({"limit": "9"}, Sizes(limit=9)),
        ({"strict": "yes"}, Sizes(strict=True)),
        ({"strict": "TRUE"}, Sizes(strict=True)),
        ({"strict": "on"}, Sizes(strict=True)),
        ({"strict": "no"}, Sizes(strict=False)),
        ({"size": "2", "strict": "true"}, Sizes(size=2, strict=True)),
    ],
)
def test_options_are_typed_as_words(texts: dict[str, str], options: Sizes) -> None:
    assert Sizes.typed(texts) == options


@pytest.mark.parametrize(
    ("name", "text"),
    [
        *(("size", text) for text in ("four", "-4", "", "none", "yes", "9" * 5000)),
        *(("strict", "perhaps"), ("sise", "4")),
    ],
)
def test_a_typed_option_that_does_not_fit_is_refused(name: str, text: str) -> None:
    with pytest.raises(BadOption):
        Sizes.typed({name: text})


def test_options_survive_json_by_name() -> None:
    for options in (SafeCrackerOptions(4, 5, 6), SafecrackerDuelOptions(True)):
        assert type(options).named(options.to_json()) == options


def test_options_that_are_not_the_defaults_are_named_as_they_are_typed() -> None:
    changed = Sizes(size=4, strict=True).changed()
    assert changed == ["size=4", "strict=True"]
    assert Sizes.typed(dict(each.split("=") for each in changed)) == Sizes(size=4, strict=True)
    assert Sizes().changed() == []
