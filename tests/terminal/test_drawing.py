"""The content of a page, without a terminal: the board, the record, a rematch."""

from __future__ import annotations

import re
from random import Random

import pytest

from strongroom.contract import Game, Seat
from strongroom.plugins.registry import GAMES, load
from strongroom.referee.match import Match
from strongroom.referee.randomness import draws
from strongroom.terminal.faces import page
from strongroom.terminal.faces.face import Wish
from tests.terminal.screen.paper import Paper


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> page.PageFace:
    """A page on paper, for a game that is set afterwards."""
    monkeypatch.setattr(page, "Display", Paper)
    return page.PageFace(load("quantum-duel").words, fast=True)


def seated(face: page.PageFace, game: Game, size: tuple[int, int] = (80, 24)) -> Paper:
    face.words = game.words
    face.display = display = Paper(size=size)
    return display


@pytest.mark.parametrize("size", [(30, 10), (40, 15), (80, 24), (200, 60)])
@pytest.mark.parametrize("name", GAMES)
def test_every_moment_of_a_game_fits_the_page(
    drawn: page.PageFace, name: str, size: tuple[int, int]
) -> None:
    game = load(name)
    display = seated(drawn, game, size)
    match, rng = Match.start(game, draw=draws(1)), Random(1)
    drawn.begin(match.view(None), ["person", "person"])
    while len(match.record.steps) < 40 and isinstance(match.actor, Seat):
        match, steps = match.step(match.actor, rng.choice(match.state.moves))
        if any(step.keeper is None for step in steps):
            drawn.happened(match.view(None))
    assert len(display.pages) > 20 or match.outcome is not None
    assert display.page.startswith(f" {game.title[:3]}")


def test_the_board_is_shown_with_the_record_beside_it(drawn: page.PageFace) -> None:
    game = load("quantum-duel")
    display = seated(drawn, game)
    match = Match.start(game)
    drawn.begin(match.view(None), ["person", "person"])
    assert "Welcome to Quantum Duel!" in display.page
    for seat, cell in ((Seat.ONE, "3"), (Seat.TWO, "5")):
        match, _ = match.step(seat, game.move(cell))
        drawn.happened(match.view(None))
    assert "│   ││   ││ X ││   ││ O ││   ││   │" in display.page
    assert re.search(r" #  Player 1 +Player 2\n.* 1  3\n.* 2 +5\n", display.page)
    assert "Player 2 observes cell 5." in display.page


def test_a_rematch_begins_with_an_empty_record(drawn: page.PageFace) -> None:
    game = load("quantum-duel")
    display = seated(drawn, game)
    for cell in ("3", "5"):
        match = Match.start(game)
        drawn.begin(match.view(None), ["person", "person"])
        match, _ = match.step(Seat.ONE, game.move(cell))
        drawn.happened(match.view(None))
    assert re.search(r" 1  5\n", display.page)
    assert not re.search(r" \d  3\n", display.page)


def test_no_secret_is_drawn_for_anybody(drawn: page.PageFace) -> None:
    game = load("safecracker-duel")
    display = seated(drawn, game)
    match = Match.start(game)
    drawn.begin(match.view(None), ["person", "person"])
    for seat, code in ((Seat.ONE, "3-4-2"), (Seat.TWO, "5-1-3")):
        match, _ = match.step(seat, game.move(code))
    match, _ = match.step(Seat.ONE, game.move("1 5"))
    drawn.happened(match.view(None))
    assert "5-1-1" in display.page
    assert not re.search("3-4-2|5-1-3", "".join(display.pages))


@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
def test_the_curve_stands_beside_the_board_where_there_is_room_and_below_it_elsewhere(
    drawn: page.PageFace, size: tuple[int, int]
) -> None:
    display = finished(drawn, size, "1", "7", "2", "no", "6", "no", "3", "no", "5", "no")
    rows = display.page.split("\n")
    board = next(row for row, text in enumerate(rows) if text.count("╭──") >= 7)
    (headed,) = (row for row, text in enumerate(rows) if "How it went" in text)
    (ended,) = (row for row, text in enumerate(rows) if "Game over" in text)
    assert ended < headed, "the verdict comes first"
    assert (headed < board + 5) == (size[0] >= 110)


def test_a_game_that_ended_before_its_first_turn_has_no_curve_and_no_heading_of_one(
    drawn: page.PageFace,
) -> None:
    for size in ((80, 24), (120, 40)):
        display = finished(drawn, size)
        assert "Game over" in display.page
        assert "How it went" not in display.page


def finished(
    face: page.PageFace, size: tuple[int, int], *moves: str, name: str = "quantum-duel"
) -> Paper:
    """The last page of a game that is resigned after these moves."""
    game = load(name)
    face.forget()
    display = seated(face, game, size)
    match = Match.start(game)
    for move in moves:
        assert isinstance(match.actor, Seat)
        match, _ = match.step(match.actor, game.move(move))
    match = match.resign(Seat.ONE)
    face.ended(match.view(None), face.the_end(match.view(None)))
    display.press("q")
    assert face.wish(match.record, analysis=True) is Wish.LEAVE
    return display


@pytest.mark.parametrize("on", [True, False])
def test_a_narrow_page_says_whether_there_are_aids(drawn: page.PageFace, on: bool) -> None:
    game = load("quantum-duel")
    display = seated(drawn, game, (40, 24))
    drawn.aids = on
    drawn.begin(Match.start(game).view(None), ["person", "person"])
    assert f"aids {'on' if on else 'off'} " in display.page.split("\n")[0]


def test_the_last_page_of_a_long_game_keeps_its_choices(drawn: page.PageFace) -> None:
    circle = ["1 2", "1 3", "1 4", "1 2", "1 3", "1 4"] * 20
    for size in ((40, 24), (80, 24), (120, 40)):
        display = finished(drawn, size, "5-5-5", "5-5-4", *circle, name="safecracker-duel")
        assert "q leave" in display.page.split("\n")[-1]
