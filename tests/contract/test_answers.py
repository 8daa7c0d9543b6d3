"""Answer spaces: every answer has one number."""

from __future__ import annotations

from typing import Any

import pytest

from strongroom.contract import Answers, Refusal
from strongroom.plugins.registry import load

LENGTHS = {
    "safecracker-duel": 125,
    "safe-cracker": 4,
    "safe-code": 2 + 1716,
    "digit-deductions": 17,
    "quantum-duel": 4,
}


@pytest.mark.parametrize(("name", "length"), LENGTHS.items())
def test_a_game_has_the_expected_number_of_answers(name: str, length: int) -> None:
    assert len(load(name).answers) == length


def test_the_answers_of_safe_cracker_go_up_to_the_length_of_a_code() -> None:
    assert [*load("safe-cracker", digits=9, length=6).answers] == [0, 1, 2, 3, 4, 5, 6]


def test_a_value_that_is_not_an_answer_has_no_number() -> None:
    answers = Answers([None, 0, 1])
    assert [answers.index(answer) for answer in (None, 0, 1)] == [0, 1, 2]
    assert 2 not in answers
    with pytest.raises(ValueError, match="not an answer"):
        answers.index(2)


LONG = pytest.param(10**5000, id="a number too long to print")


@pytest.mark.parametrize("data", [True, 1.0, "1", None, -1, 4, [], [[]], {}, float("nan"), LONG])
def test_json_that_is_not_an_answer_is_refused(data: Any) -> None:
    game = load("safe-cracker")
    with pytest.raises(Refusal, match="not an answer of safe-cracker"):
        game.answer_from_json(game.move("1-1-1"), data)


@pytest.mark.parametrize(
    "data", [[1, 1], [1, 1, 6], [True, 1, 1], [1.0, 1, 1], "1-1-1", [[1, 1, 1]]]
)
def test_an_impossible_safe_is_refused_as_an_answer(data: Any) -> None:
    game = load("safecracker-duel")
    with pytest.raises(Refusal, match="not an answer"):
        game.answer_from_json(game.move("1 2"), data)


def test_in_safe_code_a_guess_is_not_answered_with_a_clue_nor_a_request_with_a_verdict() -> None:
    game = load("safe-code")
    for move, data in (("7", "The number is even."), ("clue", True), ("clue", "7"), ("7", 1)):
        with pytest.raises(Refusal, match=r"not an? (answer|move)"):
            game.answer_from_json(game.move(move), data)
