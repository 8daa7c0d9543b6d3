"""Words broken into lines between words."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from strongroom.terminal.screen.wrapping import wrapped

TEXTS = st.text("ab漢é- \n", max_size=120)


@given(text=TEXTS, width=st.integers(4, 80), indent=st.integers(0, 6))
def test_every_line_fits_and_no_character_is_lost(text: str, width: int, indent: int) -> None:
    lines = wrapped(text, width, indent)
    assert all(cell_len(line) <= width for line in lines)
    assert "".join("".join(lines).split()) == "".join(text.split())
    assert len(lines) >= text.count("\n") + 1, "every line break of the text is kept"


@given(text=TEXTS)
def test_what_fits_is_left_as_it_is(text: str) -> None:
    assert wrapped(text, 1000, 2) == text.split("\n")


@pytest.mark.parametrize(
    ("text", "width", "indent", "lines"),
    [
        ("one two three", 7, 0, ["one two", "three"]),
        ("one two three", 9, 2, ["one two", "  three"]),
        ("  one two three", 9, 0, ["  one two", "  three"]),
        ("incomprehensible", 6, 0, ["incomp", "rehens", "ible"]),
        ("漢字漢字", 5, 0, ["漢字", "漢字"]),
        ("", 5, 0, [""]),
        ("a\n\nb", 5, 0, ["a", "", "b"]),
    ],
)
def test_lines_break_between_words(text: str, width: int, indent: int, lines: list[str]) -> None:
    assert wrapped(text, width, indent) == lines
