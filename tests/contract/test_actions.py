"""Action and answer spaces: every move and every answer has one number."""

from __future__ import annotations

from array import array
from random import Random
from typing import Any

import pytest

from strongroom.contract import Actions, Answers, Block, Phase, Refusal, Sublist
from strongroom.games.codes import CodeList, CodeSpace
from strongroom.games.quantum_duel.rules import OBSERVATIONS, REPLIES
from strongroom.plugins.registry import load, names
from strongroom.testing.perft import after
from strongroom.testing.playouts import playout


@pytest.mark.parametrize(
    ("name", "sections", "answers"),
    [
        ("safecracker-duel", (range(125), range(125, 140), range(0)), 125),
        ("safe-cracker", (range(27), range(27), range(0)), 4),
        ("safe-code", (range(1746), range(1716, 1747), range(0)), 2 + 1716),
        ("digit-deductions", (range(81), range(81), range(0)), 17),
        ("quantum-duel", (range(0), range(9), range(9, 11)), 4),
    ],
)
def test_the_sections_are_set_up_turn_and_chance_and_every_action_has_one_number(
    name: str, sections: tuple[range, ...], answers: int
) -> None:
    actions = load(name).actions
    assert tuple(actions.section(phase) for phase in Phase) == sections
    assert len(actions) == max(section.stop for section in sections)
    for number, move in enumerate(actions):
        assert actions.index(move) == number
        assert actions[number] == move
        assert move in actions
    assert len(load(name).answers) == answers


def test_in_safe_code_a_number_is_hidden_and_guessed_by_the_same_action() -> None:
    actions = load("safe-code").actions
    both = [str(actions[number]) for number in range(1716, 1746)]
    assert both == [str(number) for number in range(1, 31)]
    assert str(actions[-1]) == "clue"


@pytest.mark.parametrize("name", names("game"))
def test_legal_moves_convert_to_ranges_and_masks_and_back(name: str) -> None:
    game = load(name)
    for state in playout(game, Random(3)).states[:30]:
        ranges = game.actions.ranges(state.moves)
        assert list(game.actions.listed(ranges)) == list(state.moves)
        assert game.actions.numbers(state.moves) == [*map(game.actions.index, state.moves)]
        mask = game.actions.mask(state.moves)
        assert [game.actions[number] for number in mask.nonzero()[0]] == list(state.moves)


@pytest.mark.parametrize(
    "ranges", [[1], [None], [[]], [[1]], [[2, 1]], [[-1, 1]], [[0, 12]], [[0.0, 1.0]], [[True, 2]]]
)
def test_an_invalid_run_of_actions_is_refused(ranges: Any) -> None:
    with pytest.raises(Refusal, match="not a run of actions"):
        load("quantum-duel").actions.listed(ranges)


def test_a_move_that_is_not_an_action_has_no_number() -> None:
    actions = load("quantum-duel").actions
    stranger = load("safe-cracker").move("1-1-1")
    assert stranger not in actions
    with pytest.raises(ValueError, match="not an action"):
        actions.index(stranger)
    with pytest.raises(IndexError):
        actions[11]


def test_the_moves_of_a_phase_have_to_be_adjacent() -> None:
    apart = Actions(
        Block(OBSERVATIONS[:2], Phase.TURN),
        Block(REPLIES, Phase.CHANCE),
        Block(OBSERVATIONS[2:], Phase.TURN),
    )
    with pytest.raises(ValueError, match="do not stand together"):
        apart.section(Phase.TURN)


def test_half_a_million_codes_are_counted_and_found_without_listing_them() -> None:
    game = load("safe-cracker", digits=9, length=6)
    actions = game.actions
    assert len(actions) == 9**6
    for number in (0, 1, 123_456, 9**6 - 1):
        assert actions.index(actions[number]) == number
    assert actions.ranges(game.start().moves) == [(0, 9**6)]


def test_a_lazy_list_equals_the_same_list_made_at_once() -> None:
    space = CodeSpace(3, 4)
    lazy = CodeList(space)
    assert lazy == space.codes
    assert space.codes == lazy
    assert hash(lazy) == hash(space.codes)
    assert list(lazy) == [lazy[i] for i in range(len(lazy))]
    assert lazy[-2:] == space.codes[-2:]
    assert lazy != space.codes[1:]
    assert [lazy.index(code) for code in lazy] == list(range(64))
    with pytest.raises(IndexError):
        lazy[64]


def test_a_sublist_knows_its_numbers_behind_other_blocks_and_without_its_gaps() -> None:
    block = CodeSpace(2, 3).codes
    actions = Actions(Block(REPLIES, Phase.TURN), Block(block, Phase.TURN))
    some = Sublist(block, array("q", (0, 1, 2, 4, 5, 8)))
    assert [*some] == [block[0], block[1], block[2], block[4], block[5], block[8]]
    assert actions.ranges(some) == [(2, 5), (6, 8), (10, 11)]
    assert actions.numbers(some) == [2, 3, 4, 6, 7, 10]
    less = some.without([(1, 2), (4, 6)])
    assert less == (block[0], block[2], block[8])
    assert less[-2:] == (block[2], block[8])
    assert actions.ranges(less) == [(2, 3), (4, 5), (10, 11)]
    assert actions.numbers(less) == [2, 4, 10]
    assert actions.mask(less).nonzero()[0].tolist() == [2, 4, 10]
    assert actions.ranges(some.without([(0, 3), (4, 6), (8, 9)])) == []
    assert [place for place in range(9) if less.has_place(place)] == [0, 2, 8]


def test_a_sublist_of_another_block_is_looked_up_move_by_move() -> None:
    same = tuple(CodeSpace(2, 3).codes)
    actions = Actions(Block(REPLIES, Phase.TURN), Block(same, Phase.TURN))
    some = Sublist(CodeSpace(2, 3).codes, array("q", (3, 4)))
    assert actions.ranges(some) == [(5, 7)]
    assert actions.mask(some).nonzero()[0].tolist() == [5, 6]


def test_the_clues_left_are_those_that_say_something_new() -> None:
    state = after("safe-code", "18", "The number is even.", "It is divisible by 3.")
    left = state.moves
    every = after("safe-code", "18").moves
    said = {frozenset(range(2, 31, 2)), frozenset(range(3, 31, 3))}
    expected = [clue for clue in every if clue.meaning not in said]  # type: ignore[attr-defined]
    assert list(left) == expected
    assert [left[i] for i in range(len(left))] == expected
    assert left[-1] == expected[-1]
    assert [clue for clue in every if clue in left] == expected
    with pytest.raises(IndexError):
        left[len(left)]


# --- answers --------------------------------------------------------------------------------------


def test_the_answers_of_safe_cracker_go_up_to_the_length_of_a_code() -> None:
    assert [*load("safe-cracker", digits=9, length=6).answers] == [0, 1, 2, 3, 4, 5, 6]


def test_a_value_that_is_not_an_answer_has_no_number() -> None:
    answers = Answers([None, 0, 1])
    assert [answers.index(answer) for answer in (None, 0, 1)] == [0, 1, 2]
    assert 2 not in answers
    with pytest.raises(ValueError, match="not an answer"):
        answers.index(2)


ANY: tuple[Any, ...] = (True, 1.0, "1", None, -1, 4, [], [[]], {}, float("nan"), 10**5000)
SAFES = ([1, 1], [1, 1, 6], [True, 1, 1], [1.0, 1, 1], "1-1-1", [[1, 1, 1]])


def test_json_that_is_not_an_answer_to_the_move_is_refused() -> None:
    for name, text, values, told in (
        ("safe-cracker", "1-1-1", ANY, "not an answer of safe-cracker"),
        ("safecracker-duel", "1 2", SAFES, "not an answer"),
        ("safe-code", "7", ("The number is even.", 1), "not an? (answer|move)"),
        ("safe-code", "clue", (True, "7"), "not an? (answer|move)"),
    ):
        game = load(name)
        for data in values:
            with pytest.raises(Refusal, match=told):
                game.answer_from_json(game.move(text), data)
