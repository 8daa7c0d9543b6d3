"""Telling: the words that a viewer gets with a view."""

from __future__ import annotations

import pytest

from strongroom import load
from strongroom.contract import NAMES, Candidates, Game, Json, Move, Seat, View
from strongroom.server.telling import Audience


def set_up(name: str, *moves: str, **options: int) -> View:
    """What Player 1 sees after these moves."""
    game = load(name, **options)
    state = game.start()
    for text in moves:
        move: Move = game.move(text)
        state = state.play(move)
    return state.view(Seat.ONE)


def shown(view: View, viewer: Seat | None = Seat.ONE, left: Candidates | None = None) -> Json:
    """What a viewer is shown of a view."""
    assert isinstance(view.game, Game)
    return Audience(view.game, viewer, NAMES).shown(view, left)


@pytest.mark.parametrize(
    ("game", "moves", "told"),
    [
        ("safe-code", (), "Only you see it, until the game is over."),
        ("safe-code", ("18",), "Player 2 sees it when they ask for it."),
        ("digit-deductions", ("3-7",), ""),  # whoever chooses nothing is told of no secrecy
        ("digit-deductions", ("3-7", "6-8"), ""),
    ],
)
def test_whoever_chooses_is_told_who_will_see_it(
    game: str, moves: tuple[str, ...], told: str
) -> None:
    assert shown(set_up(game, *moves))["secrecy"] == told


def test_what_is_left_comes_with_all_that_could_be_hidden() -> None:
    view = set_up("safecracker-duel", "3-4-2", "5-1-3")
    first = view.game.candidates(Seat.ONE)
    assert first is not None
    left = first.after(view.game.event_from_json({"seat": 1, "move": "1 3", "answer": [3, 1, 1]}))
    told = shown(view, left=left)
    assert len(told["codes"]) == 5**3
    assert set(told["codes"]) - set(told["left"]) == {"3-1-1"}


def test_too_many_codes_are_not_listed() -> None:
    view = set_up("safe-cracker", "1-1-1-1", "1-1-1-2", length=4, digits=4)
    told = shown(view, left=view.game.candidates(Seat.ONE))
    assert told["left"] is told["codes"] is None
    assert "256" in told["count"]
