"""The layout of a game's page: at any size everything fits, and the prompt is always there."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.text import Text

from strongroom.terminal.screen.layout import Sheet, arranged, between, rule
from strongroom.terminal.screen.wrapping import wrapped
from tests.tries import tries

WORDS = st.text("abc é漢 -", max_size=60)
NAMES = st.text("abcdé漢", min_size=1, max_size=24)
PLAIN = NAMES.map(Text)


def part(rows: int, breadth: int) -> Any:
    """A part of a page that fills at most `rows` of the rows it is given."""
    return lambda width, height: [Text("#" * min(breadth, width))] * max(0, min(rows, height))


PARTS = st.builds(part, st.integers(0, 40), st.integers(0, 60))


def fits(row: Text, width: int) -> Text:
    row = row.copy()
    row.truncate(width)
    return row


SHEETS = st.builds(
    Sheet,
    top=st.lists(PLAIN, min_size=3, max_size=3).map(
        lambda rows: lambda width: [fits(row, width) for row in rows]
    ),
    board=PARTS,
    record=PARTS,
    says=st.text("ab \n", max_size=300).map(Text),
    keys=st.lists(st.text("abc", min_size=1, max_size=8), max_size=8).map(tuple),
    heading=st.one_of(st.just(Text()), WORDS.map(Text)),
    typed=st.lists(st.text("ab: ", max_size=15), max_size=3),
    prompt=st.text("ab ", max_size=80).map(lambda text: f"{text}?: "),
    line=st.text("12é漢", max_size=300),
    unicode=st.booleans(),
)


def texts(rows: list[Text]) -> list[str]:
    return [row.plain.rstrip() for row in rows]


@tries(1.5)
@given(sheet=SHEETS, width=st.integers(20, 200), height=st.integers(6, 60), data=st.data())
def test_a_page_fits_any_size_and_ends_with_its_prompt(
    sheet: Sheet, width: int, height: int, data: st.DataObject
) -> None:
    for asks in (False, True):
        sheet.at = data.draw(st.integers(0, len(sheet.line))) if asks else None
        rows, cursor = arranged(sheet, width, height)
        assert len(rows) <= height
        assert max(row.cell_len for row in rows) <= width
        assert (cursor is not None) is asks
    assert cursor is not None
    assert len(rows) == height
    assert 0 <= cursor[0] < width
    assert cursor[1] == height - 1, "the typed line is the last"
    asked = "".join("".join(texts(rows)).split())
    assert "".join(sheet.prompt.split())[-8:] in asked, "the prompt's end is in sight"


def sheet(**parts: Any) -> Sheet:
    usual: dict[str, Any] = {
        "top": lambda width: [Text(" Quantum Duel"), Text("-" * width), Text(" Ada Bob")],
        "board": lambda width, height: [Text("BOARD")],
        "record": lambda width, height: [Text(f"RECORD {n}") for n in range(min(height, 9))],
        "says": Text("Something was said."),
        "keys": ("help", "rules", "quit"),
        "heading": Text("Your turn"),
        "prompt": "Which cell: ",
        "at": 0,
    }
    return Sheet(**{**usual, **parts})


def test_on_a_wide_page_the_record_stands_beside_the_board() -> None:
    rows, cursor = arranged(sheet(line="34", at=1), 80, 24)
    page = texts(rows)
    assert page[0].startswith(" Quantum Duel")
    assert page[2].split() == ["Ada", "Bob"]
    (beside,) = (row for row in page if "BOARD" in row)
    assert beside.split() == ["BOARD", "RECORD", "0"]
    said, help, turn, prompt = (page.index(row) for row in (" Something was said.", *page[-3:]))
    assert said < help < turn < prompt
    assert page[-3:] == [" help   rules   quit", " Your turn", " Which cell: 34"]
    assert cursor == (len(" Which cell: 3"), 23)


def test_on_a_narrow_page_the_record_stands_below_the_board() -> None:
    page = texts(arranged(sheet(), 40, 24)[0])
    (board,) = (row for row in page if row.strip() == "BOARD")
    assert page.index(board) < page.index(" RECORD 0")
    assert abs(len(board) - len("BOARD") - (40 - len(board))) <= 2, "in the middle"


@pytest.mark.parametrize("height", [6, 8, 11])
def test_a_low_page_keeps_the_announcement_and_the_prompt(height: int) -> None:
    page = texts(arranged(sheet(), 80, height)[0])
    assert page[-1] == " Which cell:"
    assert " Your turn" in page
    assert " Something was said." in page


def test_a_long_line_slides_left_and_has_its_own_row_after_a_long_prompt() -> None:
    line = "".join(str(number % 10) for number in range(100))
    for at, seen, column in ((100, line[-26:], 39), (0, line[:26], 13)):
        rows, cursor = arranged(sheet(line=line, at=at), 40, 24)
        assert rows[-1].plain == f" Which cell: {seen}"
        assert cursor == (column, 23)
    rows, cursor = arranged(sheet(prompt="x" * 36 + ": ", line="7", at=1), 40, 24)
    assert texts(rows)[-2:] == [" " + "x" * 36 + ":", " 7"]
    assert cursor == (2, 23)


def test_the_last_key_stays_when_not_all_keys_fit() -> None:
    keys = ("help", "rules", "hint", "history", "board", "resign", "save", "quit")
    page = texts(arranged(sheet(keys=keys), 30, 24)[0])
    (shown,) = (row for row in page if row.startswith(" help"))
    assert shown.endswith(" quit")
    assert len(shown) <= 30


def test_two_texts_stand_at_the_two_ends_of_a_row_and_a_rule_goes_from_side_to_side() -> None:
    row = between(Text("left"), Text("right"), 20)
    assert row.plain == " left         right "[: len(row.plain)]
    assert between(Text("a very long name"), Text("right"), 20).plain.endswith(" right")
    assert (rule(9, True).plain, rule(9, False).plain) == ("─" * 9, "-" * 9)


# --- words broken into lines ----------------------------------------------------------------------

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
