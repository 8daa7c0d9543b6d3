"""What a screen draws: boards by their type, the running record, and the README's picture."""

from __future__ import annotations

import io
import subprocess
import sys
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree

import pytest
from rich.console import Console

from strongroom.contract import Event, Seat
from strongroom.games.codes import Code
from strongroom.games.quantum_duel.words import QuantumDuelWords
from strongroom.match import Match
from strongroom.randomness import draws
from strongroom.registry import load
from strongroom.terminal.faces.screen import Screen
from strongroom.terminal.table.replay import Nobody

if TYPE_CHECKING:
    from tests.terminal.conftest import Clean

ROOT = Path(__file__).parents[2]


def screen(words: Any, width: int = 80) -> tuple[Screen, io.StringIO]:
    out = io.StringIO()
    return Screen(Nobody(), words, console=Console(file=out, width=width, height=24)), out


@pytest.mark.parametrize(
    ("board", "symbols"),
    [
        (Code((3, 4, 2)), "342"),
        ((Seat.ONE, None, Seat.TWO), "X_O"),
        ((), ""),
        ("X-O", None),
        ((1, 2), None),
        (None, None),
    ],
)
def test_only_codes_and_rows_of_seats_are_drawn_as_dials_and_cells(
    board: object, symbols: str | None
) -> None:
    face, _ = screen(load("quantum-duel").words)
    drawn = face._symbols(board)
    assert (None if drawn is None else "".join(map(str, drawn))) == symbols


class Counting(QuantumDuelWords):
    """Counts how often an event is noted."""

    noted = 0

    def note(self, event: Event) -> str:
        Counting.noted += 1
        return super().note(event)


def test_every_event_is_noted_once_however_often_the_record_is_drawn() -> None:
    game = load("quantum-duel")
    face, out = screen(Counting(game))  # type: ignore[arg-type]
    match, rng = Match.start(game, draw=draws(1)), Random(1)
    face.begin(match.view(None), ["person", "person"])
    while len(match.record.steps) < 200 and isinstance(match.actor, Seat):
        match, _ = match.step(match.actor, rng.choice(match.state.moves))
        face.position(match.view(None))
        face.position(match.view(match.record.steps[0].actor))  # type: ignore[arg-type]
    assert Counting.noted == len(match.record.steps)
    last = out.getvalue().splitlines()[-30:]
    assert any(game.words.note(match.state.log[-1]) in line for line in last)


@pytest.mark.parametrize(("ones", "twos"), [(30, 29), (30, 30), (30, 15), (12, 40), (30, 2)])
def test_of_a_long_record_both_see_their_own_last_moves(ones: int, twos: int) -> None:
    game = load("safe-cracker")
    face, out = screen(game.words)
    for column, letter, count in zip(face._notes.columns, "AB", (ones, twos), strict=True):
        column.extend(f"{letter}{number}" for number in range(1, count + 1))
    face.position(game.start().view(None))
    drawn = out.getvalue()
    assert f"A{ones} " in drawn
    assert f"B{twos} " in drawn
    assert len(drawn.splitlines()) < 18, "the board and the question have room beside it"
    if ones == 30 and twos >= 29:
        assert any("A29 " in line and "B29 " in line for line in drawn.splitlines())


def test_a_rematch_begins_with_an_empty_record() -> None:
    game = load("quantum-duel")
    face, out = screen(game.words)
    for text in ("3", "5"):
        match = Match.start(game)
        face.begin(match.view(None), ["person", "person"])
        match, _ = match.step(Seat.ONE, game.move(text))
        out.truncate(0)
        face.position(match.view(None))
    assert "cell 5" in out.getvalue()
    assert "cell 3" not in out.getvalue()


def test_the_picture_is_what_the_game_draws_today(clean: Clean, tmp_path: Path) -> None:
    file = tmp_path / "picture.svg"
    subprocess.run(
        [sys.executable, str(ROOT / "docs" / "make_picture.py"), str(file)], env=clean(), check=True
    )
    assert file.read_text() == (ROOT / "docs" / "picture.svg").read_text(), "make picture"


def test_in_the_picture_every_number_stands_under_its_cell() -> None:
    texts = ElementTree.parse(ROOT / "docs" / "picture.svg").findall(".//{*}g/{*}text")
    rows: dict[float, dict[float, str]] = {}
    for each in texts:
        assert each.text is not None
        assert len(each.text) == 1, "a place for every character"
        rows.setdefault(float(each.attrib["y"]), {})[float(each.attrib["x"])] = each.text
    assert len(rows) <= 24, "one screen"
    cells = next(y for y, row in rows.items() if "".join(row.values()).startswith("OXXXXOO"))
    numbers = rows[cells + 2 * 20]
    places = [*rows[cells]][:7]
    assert [numbers.get(place) for place in places] == [*"1234567"]
