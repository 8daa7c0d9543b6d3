"""Keys, however their bytes arrive, and the line that they edit."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from strongroom.terminal.screen.keys import (
    CONTROLS,
    MOST_TYPED,
    SEQUENCES,
    Click,
    Editor,
    Key,
    Keys,
    Pressed,
    Sent,
)


def test_every_escape_sequence_and_control_character_is_read_as_its_key() -> None:
    for begin in ("\x1b[", "\x1bO"):
        for end, key in SEQUENCES.items():
            assert Keys().read(f"{begin}{end}".encode()) == [key], end
    for char, key in CONTROLS.items():
        assert Keys().read(char.encode()) == [key], char


@pytest.mark.parametrize(
    ("sent", "pressed"),
    [
        ("\x1b[1;5D", [Key.LEFT]),
        ("\x1b[3;2~", [Key.DELETE]),
        ("\x1bx", ["x"]),
        ("\x1b[200~", []),
        ("\x1b[?1;2c", []),
        ("\x07\x1d", []),
        ("é漢", ["é", "漢"]),
        ("\r\n", [Key.ENTER, Key.ENTER]),
        ("\x1b[<0;5;6M\x1b[<0;5;6m", [Click(4, 5)]),
        ("\x1b[<64;5;6M\x1b[<65;5;6M", [Key.SCROLL_UP, Key.SCROLL_DOWN]),
        ("\x1b[<1;5;6M\x1b[<4;5;6M", []),
        ("\x1b[<0;0;6M\x1b[<0;5M\x1b[<M\x1b[<0;1;2;3M\x1b[<-1;2;3M", []),
        (f"\x1b[<{'9' * 500};1;1M7", ["7"]),
        ("\x1b[<0;5\r7", [Key.ENTER, "7"]),
        ("\x1b[M !!7", ["7"]),
    ],
)
def test_modifiers_and_unknown_sequences_are_dropped(sent: str, pressed: list[Sent]) -> None:
    assert Keys().read(sent.encode()) == pressed


SENT = ["3", "é", "\x1b[A", "\x1bOF", "\x1b[5~", "\t", "\x7f", "\x1b[1;5C", "\x1b[<0;12;3M"]


@given(st.lists(st.sampled_from(SENT)))
def test_the_keys_are_the_same_byte_by_byte(sent: list[str]) -> None:
    data = "".join(sent).encode()
    keys = Keys()
    assert [key for byte in data for key in keys.read(bytes([byte]))] == Keys().read(data)
    assert not keys.waits


@given(st.lists(st.binary(max_size=6), max_size=8))
def test_any_bytes_are_keys_or_printable_characters(pieces: list[bytes]) -> None:
    keys = Keys()
    pressed = [key for piece in pieces for key in keys.read(piece)] + keys.give_up()
    typed = [key for key in pressed if not isinstance(key, Key | Click)]
    assert all(len(key) == 1 and key.isprintable() for key in typed)
    assert not keys.waits


def test_what_is_cut_off_waits_and_is_a_key_a_click_or_nothing_once_it_is_given_up() -> None:
    keys = Keys()
    assert keys.read(b"\x1b") == []
    assert keys.waits
    assert keys.give_up() == [Key.ESCAPE]
    assert keys.give_up() == []
    for sent, late, pressed in (
        (b"\x1b[1;", b"7", ["7"]),
        (b"\x1b[<0;5", b";6M", [Click(4, 5)]),
        (b"\x1b[<0;5", b"7", ["7"]),
    ):
        assert keys.read(sent) == []
        assert keys.give_up() == []
        assert keys.read(late) == pressed


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
    line = typed(*"7" * (MOST_TYPED + 50))
    assert len(line.text) == MOST_TYPED
    line.press(Key.BACKSPACE)
    assert len(line.text) == MOST_TYPED - 1
