"""Renaming changes nothing that matters."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import TYPE_CHECKING

import pytest

from strongroom import load
from strongroom.contract import Seat, View
from strongroom.games.codes import Code
from strongroom.games.quantum_duel.rules import Observe
from strongroom.puzzles.finding import SOURCES, idea_of, renamed, worth_of
from strongroom.puzzles.symmetry import symmetry_of

if TYPE_CHECKING:
    from tests.puzzles.conftest import Found


# At Digit Deductions the certified player itself prefers some names, off its main line.
@pytest.mark.parametrize("name", [name for name in SOURCES if name != "digit-deductions"])
def test_undoing_a_renaming_gives_the_same_worth(found: Found, name: str) -> None:
    rng = Random(1)
    for puzzle in found[name]:
        view, move = symmetry_of(puzzle.game).renamed(puzzle.view, rng)
        worth = worth_of(view)
        assert worth is not None
        undone = {each: worth[move(each)] for each in puzzle.worth}
        assert undone == pytest.approx(puzzle.worth, abs=1e-12)


@pytest.mark.parametrize("name", SOURCES)
def test_a_renamed_view_is_a_view_of_the_game(found: Found, name: str) -> None:
    rng = Random(2)
    for each in found[name]:
        other = renamed(each, rng).view
        assert View.from_json(each.game, other.to_json()) == other
        state = each.game.sample(other, rng)
        assert state.view(other.seat)._replace(secret=other.secret) == other


@pytest.mark.parametrize("name", SOURCES)
def test_a_renamed_puzzle_is_the_same_puzzle(found: Found, name: str) -> None:
    rng = Random(3)
    others = [(each, renamed(each, rng)) for each in found[name]]
    for one, other in others:
        symmetry = symmetry_of(one.game)
        assert symmetry.key(one.view) == symmetry.key(other.view)
        assert idea_of(one) == idea_of(other)
    assert any(one.view != other.view for one, other in others)
    for one, other in others:
        assert worth_of(other.view) == other.worth
        assert sorted(other.costs.values()) == pytest.approx(sorted(one.costs.values()))
        assert other.costs[other.tempting] == pytest.approx(one.costs[one.tempting])
        assert len(other.best) == len(one.best)


def test_a_puzzle_whose_worth_no_other_names_keep_keeps_its_own(found: Found) -> None:
    puzzle, *_ = found["digit-deductions"]
    odd = replace(puzzle, worth={move: worth / 2 for move, worth in puzzle.worth.items()})
    assert renamed(odd, Random(4)) == odd


def test_guesses_that_split_alike_are_one_idea() -> None:
    game = load("safe-cracker")
    state = game.start().play(Code((1, 2, 3))).play(Code((1, 1, 3)))
    state = state.play(Code((1, 1, 2))).play(Code((2, 2, 2)))
    view, idea = state.view(Seat.ONE), symmetry_of(game).idea
    assert idea(view, Code((1, 1, 1))) == idea(view, Code((1, 1, 3)))
    assert idea(view, Code((1, 1, 1))) != idea(view, Code((1, 1, 2)))
    assert idea(view, Code((3, 3, 1))) != idea(view, Code((1, 1, 1)))


def test_cells_with_the_same_on_either_side_are_one_idea() -> None:
    game = load("quantum-duel")
    idea = symmetry_of(game).idea
    empty = game.start().view(Seat.ONE)
    assert idea(empty, Observe(1)) == idea(empty, Observe(7)) != idea(empty, Observe(4))
    view = game.start().play(Observe(2)).view(Seat.TWO)
    assert idea(view, Observe(1)) != idea(view, Observe(3))
