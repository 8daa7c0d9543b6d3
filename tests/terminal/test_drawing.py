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
