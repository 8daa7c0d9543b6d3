"""Keys: what a terminal sends when one is pressed, however its bytes arrive."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from strongroom.terminal.screen.keys import CONTROLS, SEQUENCES, Key, Keys, Pressed


@pytest.mark.parametrize(("end", "key"), SEQUENCES.items())
@pytest.mark.parametrize("begin", ["\x1b[", "\x1bO"])
def test_every_escape_sequence_is_read_as_its_key(begin: str, end: str, key: Key) -> None:
    assert Keys().read(f"{begin}{end}".encode()) == [key]


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
    ],
)
def test_modifiers_are_ignored_and_unknown_sequences_are_dropped(
    sent: str, pressed: list[Pressed]
) -> None:
    assert Keys().read(sent.encode()) == pressed


@given(
    st.lists(st.sampled_from(["3", "é", "\x1b[A", "\x1bOF", "\x1b[5~", "\t", "\x7f", "\x1b[1;5C"]))
)
def test_the_keys_are_the_same_byte_by_byte(sent: list[str]) -> None:
    data = "".join(sent).encode()
    keys = Keys()
    one_by_one = [key for byte in data for key in keys.read(bytes([byte]))]
    assert one_by_one == Keys().read(data)
    assert not keys.waits


@given(st.lists(st.binary(max_size=6), max_size=8))
def test_any_bytes_are_keys_or_printable_characters(pieces: list[bytes]) -> None:
    keys = Keys()
    pressed = [key for piece in pieces for key in keys.read(piece)] + keys.give_up()
    assert all(isinstance(key, Key) or (len(key) == 1 and key.isprintable()) for key in pressed)
    assert not keys.waits


def test_a_lone_escape_is_a_key_once_nothing_follows() -> None:
    keys = Keys()
    assert keys.read(b"\x1b") == []
    assert keys.waits
    assert keys.give_up() == [Key.ESCAPE]
    assert keys.give_up() == []


def test_a_truncated_sequence_is_no_key() -> None:
    keys = Keys()
    assert keys.read(b"\x1b[1;") == []
    assert keys.give_up() == []
    assert keys.read(b"7") == ["7"]


@pytest.mark.parametrize(("char", "key"), CONTROLS.items())
def test_every_control_character_is_read_as_its_key(char: str, key: Key) -> None:
    assert Keys().read(char.encode()) == [key]
