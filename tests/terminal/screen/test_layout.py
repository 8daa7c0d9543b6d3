"""A game's page: at any size everything fits; the board, the newest turn and the prompt show."""

from __future__ import annotations

import re
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.text import Text

from strongroom.contract import Drawing, Event, Game, Ledger, Look, Seat, Tile, Turn
from strongroom.games.quantum_duel.words import QuantumDuelWords
from strongroom.plugins.registry import GAMES, load
from strongroom.referee.match import Match
from strongroom.referee.randomness import draws
from strongroom.terminal.printing import spell
from strongroom.terminal.screen.layout import (
    Sheet,
    arrange,
    board,
    ledger_rows,
    pad_or_cut,
    rule,
    spread,
    style,
    wrap,
)
from strongroom.terminal.screen.palette import PLAYERS
from tests.tries import tries

NAMES = {Seat.ONE: "Ada", Seat.TWO: "Bob"}


def texts(drawn: list[Text]) -> list[str]:
    return [row.plain.rstrip() for row in drawn]


def played(game: Game, steps: int, seed: int = 1, ledger: Ledger[Any] | None = None) -> Match:
    """A random game, of which a ledger reads every moment twice."""
    match, rng = Match.start(game, draw=draws(seed)), Random(seed)
    while len(match.record.steps) < steps and isinstance(match.actor, Seat):
        match = match.step(match.actor, rng.choice(match.state.moves))
        if ledger is not None:
            for _ in range(2):
                ledger.read(match.view(None).history)
    return match


WORDS = st.text("abc é漢 -", max_size=60)
TITLES = st.text("abcdé漢", min_size=1, max_size=24).map(Text)


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
    top=st.lists(TITLES, min_size=3, max_size=3).map(
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
)


@tries(0.8)
@given(sheet=SHEETS, width=st.integers(20, 200), height=st.integers(6, 60), data=st.data())
def test_a_page_fits_any_size_and_ends_with_its_prompt(
    sheet: Sheet, width: int, height: int, data: st.DataObject
) -> None:
    for asks in (False, True):
        sheet.at = data.draw(st.integers(0, len(sheet.line))) if asks else None
        rows, cursor = arrange(sheet, width, height)
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


def test_the_record_stands_beside_the_board_on_a_wide_page_and_below_it_on_a_narrow_one() -> None:
    rows, cursor = arrange(sheet(line="34", at=1), 80, 24)
    page = texts(rows)
    assert page[0].startswith(" Quantum Duel")
    assert page[2].split() == ["Ada", "Bob"]
    (beside,) = (row for row in page if "BOARD" in row)
    assert beside.split() == ["BOARD", "RECORD", "0"]
    said, help, turn, prompt = (page.index(row) for row in (" Something was said.", *page[-3:]))
    assert said < help < turn < prompt
    assert page[-3:] == [" help   rules   quit", " Your turn", " Which cell: 34"]
    assert cursor == (len(" Which cell: 3"), 23)
    page = texts(arrange(sheet(), 40, 24)[0])
    (below,) = (row for row in page if row.strip() == "BOARD")
    assert page.index(below) < page.index(" RECORD 0")
    assert abs(len(below) - len("BOARD") - (40 - len(below))) <= 2, "in the middle"


@pytest.mark.parametrize("height", [6, 8, 11])
def test_a_low_page_keeps_the_announcement_and_the_prompt(height: int) -> None:
    page = texts(arrange(sheet(), 80, height)[0])
    assert page[-1] == " Which cell:"
    assert " Your turn" in page
    assert " Something was said." in page


def test_a_row_or_a_line_that_is_too_long_keeps_what_matters() -> None:
    line = "".join(str(number % 10) for number in range(100))
    for at, seen, column in ((100, line[-26:], 39), (0, line[:26], 13)):
        rows, cursor = arrange(sheet(line=line, at=at), 40, 24)
        assert rows[-1].plain == f" Which cell: {seen}"
        assert cursor == (column, 23)
    rows, cursor = arrange(sheet(prompt="x" * 36 + ": ", line="7", at=1), 40, 24)
    assert texts(rows)[-2:] == [" " + "x" * 36 + ":", " 7"]
    assert cursor == (2, 23)
    keys = ("help", "rules", "hint", "history", "board", "resign", "save", "quit")
    page = texts(arrange(sheet(keys=keys), 30, 24)[0])
    (shown,) = (row for row in page if row.startswith(" help"))
    assert shown.endswith(" quit")
    assert len(shown) <= 30
    row = spread(Text("left"), Text("right"), 20)
    assert row.plain == " left         right "[: len(row.plain)]
    assert spread(Text("a very long name"), Text("right"), 20).plain.endswith(" right")
    assert rule(9).plain == "─" * 9


DIALS = Drawing(((Tile("3", "1", look=Look.TOUCHED), Tile("1", "2"), Tile("", "3")),), framed=True)
CELLS = Drawing(((Tile("8", look=Look.FAINT), Tile("9"), Tile("10", look=Look.TOUCHED)),))
PLANE = Drawing(((Tile("11"), Tile("12", look=Look.TOUCHED), Tile("13")),))
FRAMED = [
    "╭───╮   ╭───╮   ╭───╮",
    "│ 3 │   │ 1 │   │   │",
    "╰───╯   ╰───╯   ╰───╯",
    " ▲1       2       3",
]
OPEN = Drawing(((Tile("X", "1", Seat.ONE, Look.PENDING), Tile("O", "2", Seat.TWO)),), framed=True)
WAITS = ["╭╌╌╌╮   ╭───╮", "╎ X ╎   │ O │", "╰╌╌╌╯   ╰───╯", " ?1       2"]
TOGETHER = ["╭───╮╭───╮╭───╮", "│ 3 ││ 1 ││   │", "╰───╯╰───╯╰───╯", " ▲1    2    3"]


def test_a_board_is_as_wide_as_there_is_room_and_a_tile_has_its_owners_colour() -> None:
    """Frames move together before they go; a plane is dense before it goes."""
    for drawing, width, unicode, wanted in (
        (DIALS, 40, True, FRAMED),
        (DIALS, 20, True, TOGETHER),
        (OPEN, 20, True, WAITS),
        (DIALS, 10, True, ["3 1 _", "1 2 3"]),
        (CELLS, 40, True, ["  ·   9 [10]"]),
        (CELLS, 40, False, ["  .   9 [10]"]),
        (PLANE, 12, True, [" 11 [12] 13"]),
        (PLANE, 10, True, [" 11[12]13"]),
        (PLANE, 9, True, []),
    ):
        assert texts(board(drawing, width, unicode)) == wanted
    drawn = texts(board(DIALS, 40, unicode=False, height=20))
    assert spell("".join(drawn), unicode=False).isascii()
    for nothing in ((), ((),), ((), ())):
        for framed in (False, True):
            drawn = texts(board(Drawing(nothing, framed), 30))
            assert not "".join(drawn)
    assert PLAYERS[0] in style(Tile("X", owner=Seat.ONE))
    assert PLAYERS[1] in style(Tile("O", owner=Seat.TWO))
    assert "reverse" not in style(Tile("O", owner=Seat.TWO))
    assert "reverse" in style(Tile("X", owner=Seat.ONE, look=Look.LIT))
    assert len({style(Tile("3", look=look)) for look in Look}) == len(Look)


class Counting(QuantumDuelWords):
    noted = 0

    def turn(self, events: list[Event]) -> Turn:  # type: ignore[override]
        Counting.noted += 1
        return super().turn(events)


def test_every_event_is_read_once_and_a_shorter_history_is_another_match() -> None:
    game = load("quantum-duel")
    ledger = Ledger(Counting(game))  # type: ignore[arg-type]
    match = played(game, 200, ledger=ledger)
    assert Counting.noted == len(match.view(None).history)
    fresh = Match.start(game).step(Seat.ONE, game.move("5"))
    ledger.read(fresh.view(None).history)
    (turn,) = ledger.turns
    assert "5" in turn.text


@pytest.mark.parametrize("name", GAMES)
def test_turns_are_the_same_whether_read_bit_by_bit_or_at_once(name: str) -> None:
    game = load(name)
    on, at_once = Ledger(game.words), Ledger(game.words)
    view = played(game, 60, 3, on).view(None)
    at_once.read(view.history)
    assert on.turns == at_once.turns
    assert len(on.turns) == view.turns
    assert [turn.seat for turn in on.turns[:2]] == [Seat.ONE, Seat.TWO][: len(on.turns)]


def turns(count: int) -> list[Turn]:
    return [Turn((Seat.ONE, Seat.TWO)[n % 2], f"move {n + 1}", f"r{n + 1}") for n in range(count)]


@given(
    name=st.text("ab漢", min_size=1, max_size=24),
    count=st.integers(0, 60),
    width=st.integers(0, 120),
    height=st.integers(-1, 40),
    scrolled=st.integers(0, 80),
    result=st.sampled_from(["", "Safe"]),
    words=st.lists(st.sampled_from(["challenged,", "heads:", "5", "漢字", "x" * 40]), max_size=6),
)
def test_the_ledger_fits_any_size(
    name: str, count: int, width: int, height: int, scrolled: int, result: str, words: list[str]
) -> None:
    record = [
        Turn(turn.seat, " ".join([turn.text, *words]), turn.result, " ".join(words[:4]))
        for turn in turns(count)
    ]
    drawn = ledger_rows(record, {**NAMES, Seat.ONE: name}, result, width, height, scrolled=scrolled)
    assert len(drawn) <= max(0, height)
    assert all(row.cell_len <= width for row in drawn)


def test_the_newest_turns_are_visible_and_older_ones_after_scrolling() -> None:
    drawn = texts(ledger_rows(turns(30), NAMES, "Safe", 40, 10))
    assert re.fullmatch(r" # +Ada +Bob +Safe", drawn[0])
    assert drawn[1].strip() == "⋮ 22 earlier"
    assert re.fullmatch(r"23 +move 23 +r23", drawn[2])
    assert re.fullmatch(r"30 +move 30 +r30", drawn[-1])
    assert len(drawn) == 10
    drawn = texts(ledger_rows(turns(30), NAMES, "Safe", 40, 10, scrolled=25))
    assert re.fullmatch(r"5 +move 5 +r5", drawn[-1].strip())
    assert re.fullmatch(r"1 +move 1 +r1", drawn[1].strip())
    head, one, two = texts(ledger_rows(turns(2), NAMES, "", 40, 9))
    assert (one.index("move 1"), two.index("move 2")) == (head.index("Ada"), head.index("Bob"))
    head, newest = texts(ledger_rows(turns(30), NAMES, "Safe", 20, 2))
    assert "Safe" not in head, "without room the result disappears"
    assert newest.split() == ["30", "move", "30"]


def test_a_long_turn_wraps_a_mark_has_its_own_line_and_the_turn_that_won_stands_out() -> None:
    turn = Turn(Seat.ONE, "5 challenged, heads: stands", mark="the board is full")
    drawn = texts(ledger_rows([turn], NAMES, "", 50, 9))
    assert drawn[1].split() == ["1", "5", "challenged,", "heads:"]
    assert drawn[2].strip() == "stands"
    assert drawn[3].strip() == "── the board is full ──"
    assert spell("".join(drawn), unicode=False).isascii()
    for lit in (True, False):
        last = ledger_rows(turns(2), NAMES, "", 40, 9, lit=lit)[-1]
        assert ("reverse" in " ".join(str(span.style) for span in last.spans)) is lit
    assert pad_or_cut("Ada", 5) == "Ada  "
    assert pad_or_cut("Adaline", 5) == "Adal…", "a name is cut only as a last resort"


TEXTS = st.text("ab漢é- \n", max_size=120)


@given(text=TEXTS, width=st.integers(4, 80), indent=st.integers(0, 6))
def test_every_line_fits_and_no_character_is_lost(text: str, width: int, indent: int) -> None:
    lines = wrap(text, width, indent)
    assert all(cell_len(line) <= width for line in lines)
    assert "".join("".join(lines).split()) == "".join(text.split())
    assert len(lines) >= text.count("\n") + 1, "every line break of the text is kept"
    assert wrap(text, 1000, 2) == text.split("\n")


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
    assert wrap(text, width, indent) == lines
