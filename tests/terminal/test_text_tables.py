"""Tables fit any screen from 40 columns up, and never cut a value."""

from __future__ import annotations

import io
from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console
from rich.text import Text

from strongroom.terminal.text_tables import Column, table

COLUMNS = [
    Column("game"),
    Column("value", right=True),
    Column("lower bound", worth=2, right=True),
    Column("time", worth=3, right=True),
    Column("recomputed"),
]
ROWS = [
    ["digit-deductions", "140488/172225", "0.815723617", "160 s", "other bytes, proved too"],
    ["safe-code", "31/60", "0.516666667", "3 s", "the same"],
]


def printed(columns: list[Column], rows: Sequence[Sequence[str | Text]], width: int) -> list[str]:
    out = io.StringIO()
    Console(file=out, width=width, color_system=None).print(table(columns, rows, width))
    return [line.rstrip() for line in out.getvalue().splitlines()]


def test_on_narrower_screens_words_wrap_then_columns_go_and_then_each_row_is_a_block() -> None:
    head = "game                      value  lower bound   time  recomputed"
    last = "safe-code                 31/60  0.516666667    3 s  the same"
    assert printed(COLUMNS, ROWS, 100) == [
        head,
        "digit-deductions  140488/172225  0.815723617  160 s  other bytes, proved too",
        last,
    ]
    assert printed(COLUMNS, ROWS, 70) == [
        head,
        "digit-deductions  140488/172225  0.815723617  160 s  other bytes,",
        "                                                     proved too",
        last,
    ]
    for width, left in {
        60: "game value lower bound recomputed",
        50: "game value recomputed",
    }.items():
        assert " ".join(printed(COLUMNS, ROWS, width)[0].split()) == left, "the least important go"
    assert printed(COLUMNS, ROWS, 40)[:7] == [
        "game: digit-deductions",
        "value: 140488/172225",
        "lower bound: 0.815723617",
        "time: 160 s",
        "recomputed: other bytes, proved too",
        "",
        "game: safe-code",
    ]
    assert printed([Column(""), Column("")], [["a", "b c"]], 40) == ["a  b c"], "no headings"


def test_nothing_in_a_cell_is_taken_for_markup_and_wide_characters_count_twice() -> None:
    rows: list[list[str | Text]] = [["[bold]x[/bold]", Text("棋")], ["y", ":smile:"]]
    assert printed([Column("a"), Column("b", right=True)], rows, 40) == [
        "a                     b",
        "[bold]x[/bold]       棋",
        "y               :smile:",
    ]


WORD = st.text("abcxyz0189/.", min_size=1, max_size=20)
CELL = st.lists(WORD, max_size=6).map(" ".join)


@given(
    st.lists(st.tuples(WORD, st.integers(0, 3), st.booleans()), min_size=1, max_size=7),
    st.data(),
    st.integers(40, 120),
)
def test_no_line_is_too_long_and_no_word_of_a_column_that_must_stay_is_cut(
    headings: list[tuple[str, int, bool]], data: st.DataObject, width: int
) -> None:
    columns = [Column(*each) for each in headings]
    # A value is never broken, so it must fit the narrowest screen.
    cells = [WORD if column.right else CELL for column in columns]
    rows = data.draw(st.lists(st.tuples(*cells).map(list), min_size=1, max_size=4))
    lines = printed(columns, rows, width)
    assert max(map(len, lines)) <= width
    words = " ".join(lines).split()
    for row in rows:
        for column, cell in zip(columns, row, strict=True):
            if column.worth == 0:
                assert all(word in words for word in str(cell).split())
