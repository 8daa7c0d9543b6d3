"""The curve of a win probability, character by character."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from strongroom.terminal.faces.curves import Note, plotted, thinned
from tests.tries import tries


def drawn(
    chances: list[float], width: int = 40, height: int = 3, unicode: bool = True
) -> list[str]:
    curve = list(enumerate(chances, 1))
    turns = {number: number for number, _ in curve}
    return [line.plain.rstrip() for line in plotted(curve, "", {}, turns, width, height, unicode)]


CURVE = """\
100 ┤         ╭──
 50 ┼───╮  ╭──╯
  0 ┤   ╰──╯
    └┬──┬──┬──┬
     1  2  3  end"""


def test_a_curve_has_round_corners_and_stands_above_its_moves_also_in_plain_signs() -> None:
    assert drawn([0.5, 0, 0.5, 1], width=20) == CURVE.split("\n")
    plain = CURVE.translate(str.maketrans("┤┼╮╭╯╰─└┬", "|+++++-++"))
    assert drawn([0.5, 0, 0.5, 1], width=20, unicode=False) == plain.split("\n")


def test_a_turn_shows_its_number_once_and_the_set_up_none() -> None:
    curve = [(step, 0.5) for step in range(1, 8)]
    turns = {3: 1, 4: 1, 5: 2, 6: 3}
    *_, axis, below = (line.plain for line in plotted(curve, "", {}, turns, 40, 3, True))
    assert axis == "    └────────┬───────┬───┬───┬"
    assert below == "             1       2   3   end"


def test_a_swing_over_several_rows_is_joined() -> None:
    swing = ["──────╮", *["      │"] * 3, "      ╰──"]
    assert [line[5:] for line in drawn([1, 0], width=20, height=5)[:5]] == swing


def test_a_mark_stands_beside_its_move_or_is_shortened_to_its_sign() -> None:
    note = {2: Note(("1-2-3?", "?"), "red")}
    curve = [(1, 0.5), (2, 0.5), (3, 0.5), (4, 0.0)]
    wide = [line.plain for line in plotted(curve, "", note, {}, 40, 3, True)]
    assert wide[0] == "100 ┤      1-2-3?"
    note = {2: Note(("as long as the sky is wide?", "?"), "red")}
    narrow = [line.plain for line in plotted(curve, "", note, {}, 24, 3, True)]
    assert narrow[0] == "100 ┤    ?"


@tries(0.5)
@given(st.lists(st.floats(0, 1), min_size=3, max_size=150), st.integers(3, 100))
def test_a_thinned_curve_keeps_both_ends_and_the_order(chances: list[float], most: int) -> None:
    curve = list(enumerate(chances, 1))
    shown = thinned(curve, most)
    assert len(shown) == min(most, len(curve))
    assert (shown[0], shown[-1]) == (curve[0], curve[-1])
    assert [*shown] == sorted(set(shown))


def test_one_swing_among_thousands_of_points_is_still_shown() -> None:
    curve = [(number, 1.0 if number == 3333 else 0.5) for number in range(1, 5001)]
    assert (3333, 1.0) in thinned(curve, 50)


@tries(0.5)
@given(st.lists(st.floats(0, 1), min_size=1, max_size=200), st.integers(30, 120))
def test_a_plot_is_never_wider_than_asked(chances: list[float], width: int) -> None:
    assert max(map(len, drawn(chances, width, height=7))) <= width
