"""Boards: a game's drawing as rows of a page."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.text import Text

from strongroom.contract import Drawing, Look, Seat, Tile
from strongroom.plugins.registry import GAMES, load
from strongroom.referee.match import Match
from strongroom.referee.randomness import draws
from strongroom.terminal.screen.boards import board, style
from strongroom.terminal.screen.palette import PLAYERS
from tests.tries import tries

NAMES = {Seat.ONE: "Ada", Seat.TWO: "Bob"}


def texts(drawn: list[Text]) -> list[str]:
    return [row.plain.rstrip() for row in drawn]


DIALS = Drawing(((Tile("3", "1", look=Look.TOUCHED), Tile("1", "2"), Tile("", "3")),), framed=True)
CELLS = Drawing(((Tile("8", look=Look.FAINT), Tile("9"), Tile("10", look=Look.TOUCHED)),))
PLANE = Drawing(((Tile("11"), Tile("12", look=Look.TOUCHED), Tile("13")),))
FRAMED = [
    "╭───╮   ╭───╮   ╭───╮",
    "│ 3 │   │ 1 │   │   │",
    "╰───╯   ╰───╯   ╰───╯",
    " ▲1       2       3",
]
TOGETHER = ["╭───╮╭───╮╭───╮", "│ 3 ││ 1 ││   │", "╰───╯╰───╯╰───╯", " ▲1    2    3"]


@pytest.mark.parametrize(
    ("drawing", "width", "unicode", "rows"),
    [
        (DIALS, 40, True, FRAMED),
        (DIALS, 20, True, TOGETHER),
        (DIALS, 10, True, ["3 1 _", "1 2 3"]),
        (CELLS, 40, True, ["  ·   9 [10]"]),
        (CELLS, 40, False, ["  .   9 [10]"]),
        (PLANE, 12, True, [" 11 [12] 13"]),
        (PLANE, 10, True, [" 11[12]13"]),
        (PLANE, 9, True, []),
    ],
)
def test_a_board_is_drawn_as_wide_as_there_is_room(
    drawing: Drawing, width: int, unicode: bool, rows: list[str]
) -> None:
    """Frames move together before they go; a plane is dense before it goes."""
    assert texts(board(drawing, width, unicode)) == rows


def test_without_unicode_frames_are_ascii() -> None:
    drawn = texts(board(DIALS, 40, unicode=False))
    assert "".join(drawn).isascii()
    assert "| 3 |" in drawn[1]


def test_a_tile_has_its_owners_colour_and_is_reversed_where_it_won() -> None:
    assert PLAYERS[0] in style(Tile("X", owner=Seat.ONE))
    assert PLAYERS[1] in style(Tile("O", owner=Seat.TWO))
    assert "reverse" not in style(Tile("O", owner=Seat.TWO))
    assert "reverse" in style(Tile("X", owner=Seat.ONE, look=Look.LIT))
    assert len({style(Tile("3", look=look)) for look in Look}) == len(Look)


@pytest.mark.parametrize("name", GAMES)
@tries(0.3)
@given(seed=st.integers(0, 1000), steps=st.integers(0, 20), width=st.integers(28, 120))
def test_the_board_of_every_game_fits_a_page_of_thirty_columns_and_more(
    name: str, seed: int, steps: int, width: int
) -> None:
    game = load(name)
    match, rng = Match.start(game, draw=draws(seed)), Random(seed)
    while len(match.record.steps) < steps and isinstance(match.actor, Seat):
        match, _ = match.step(match.actor, rng.choice(match.state.moves))
    view = match.view(None)
    for unicode in (True, False):
        drawing = game.words.drawing(view, Seat.ONE, NAMES, None)
        if drawing is None:
            return
        drawn = board(drawing, width, unicode)
        assert drawn
        assert all(row.cell_len <= width for row in drawn)
        assert unicode or "".join(texts(drawn)).isascii()


@pytest.mark.parametrize("rows", [(), ((),), ((), ())])
@pytest.mark.parametrize("framed", [False, True])
def test_a_drawing_of_nothing_is_drawn(rows: tuple[tuple[Tile, ...], ...], framed: bool) -> None:
    assert all(not row.plain.strip() for row in board(Drawing(rows, framed), 30, unicode=True))
