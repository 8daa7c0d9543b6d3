"""Repetition: what counts as the same position, in any game."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property

import pytest

from strongroom import load
from strongroom.contract import Game
from strongroom.terminal.faces.repetition import Repetition
from tests.contract.lettered import Lettered


def noticed(game: Game, moves: Iterable[str]) -> list[int]:
    """After which of these moves a repeated position is named."""
    state, repetition, found = game.start(), Repetition(), []
    for number, text in enumerate(moves, 1):
        state = state.play(game.move(text))
        if not state.setting_up and state.log and repetition.noticed(state.view(None)):
            found.append(number)
    return found


class Limited(Lettered):
    """Lettered with at most so many turns."""

    @cached_property
    def most_turns(self) -> int | None:
        """The most turns."""
        return 40


def safe_code_set_up() -> list[str]:
    """A code and the first three clues that are legal, for each player."""
    state, moves = load("safe-code").start(), []
    while state.setting_up:
        moves.append(str(state.moves[0]))
        state = state.play(state.moves[0])
    return moves


def test_different_guesses_lead_to_different_positions() -> None:
    guesses = [str(number) for number in range(2, 31) for _ in range(2)]
    assert noticed(load("safe-code"), [*safe_code_set_up(), *guesses]) == []
    assert noticed(Lettered(), ["A", "A", *"BBCCDDEE"]) == []


def test_guesses_that_are_only_repeated_lead_to_the_same_position() -> None:
    setting_up = safe_code_set_up()
    assert noticed(load("safe-code"), [*setting_up, *["2", "3"] * 8]) == [len(setting_up) + 7]
    assert noticed(Lettered(), ["A", "A", *"BC" * 8]) == [2 + 7]


def test_what_was_revealed_in_between_makes_another_position() -> None:
    assert noticed(Lettered(), ["A", "A", *"BCBCBD", *"BCBCBC"]) == [2 + 10]


def test_a_game_with_a_limit_on_its_turns_repeats_no_position() -> None:
    assert noticed(Limited(), ["A", "A", *"BC" * 8]) == []


@pytest.mark.parametrize("first", ["1", "4"])
def test_where_nothing_is_hidden_the_board_says_it_all(first: str) -> None:
    game = load("quantum-duel")
    state = game.start().play(game.move(first))
    repetition = Repetition()
    assert [repetition.noticed(state.view(None)) for _ in range(4)] == [False, False, True, False]
