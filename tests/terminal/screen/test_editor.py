"""A line while it is typed."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from strongroom.terminal.screen.editor import LONGEST, Editor
from strongroom.terminal.screen.keys import Key, Pressed


def typed(*keys: Pressed) -> Editor:
    line = Editor()
    for key in keys:
        line.press(key)
    return line


@pytest.mark.parametrize(
    ("keys", "text", "at"),
    [
        ([*"123"], "123", 3),
        ([*"123", Key.BACKSPACE], "12", 2),
        ([*"123", Key.HOME, Key.DELETE], "23", 0),
        ([*"123", Key.LEFT, Key.LEFT, "9"], "1923", 2),
        ([*"13", Key.LEFT, "2", Key.END, "4"], "1234", 4),
        ([*"123", Key.LEFT, Key.DELETE_TO_START], "3", 0),
        ([*"123", Key.LEFT, Key.DELETE_TO_END], "12", 2),
        ([*"less than 20", Key.DELETE_WORD], "less than ", 10),
        ([*"less than ", Key.DELETE_WORD], "less ", 5),
        ([*"word", Key.DELETE_WORD], "", 0),
        ([Key.LEFT, Key.BACKSPACE, Key.DELETE, Key.RIGHT], "", 0),
        ([*"1", Key.RIGHT, Key.TAB, Key.UP, Key.REDRAW, "2"], "12", 2),
    ],
)
def test_keys_change_the_line_where_the_cursor_is(keys: list[Pressed], text: str, at: int) -> None:
    line = typed(*keys)
    assert (line.text, line.at) == (text, at)


@given(st.lists(st.one_of(st.sampled_from(Key), st.sampled_from("12 é"))))
def test_the_cursor_never_leaves_the_line(keys: list[Pressed]) -> None:
    line = typed(*keys)
    assert 0 <= line.at <= len(line.text)
    assert set(line.text) <= set("12 é")


def test_a_line_does_not_grow_for_ever() -> None:
    line = typed(*"7" * (LONGEST + 50))
    assert len(line.text) == LONGEST
    line.press(Key.BACKSPACE)
    assert len(line.text) == LONGEST - 1
