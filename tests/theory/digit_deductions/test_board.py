"""The board of Digit Deductions: what guesses tell, and its symmetries."""

import pytest

from strongroom.theory.digit_deductions import board


def test_two_corners_tell_all_numbers_apart() -> None:
    for a, b in ((0, 8), (0, 72), (80, 8)):
        assert len({(board.FAR[s][a], board.FAR[s][b]) for s in board.ALL}) == 81


def test_a_corner_leaves_a_diagonal_and_either_end_tells_it_apart() -> None:
    for _, diagonal in board.DIAGONALS:
        for end in board.ends(diagonal):
            assert len(board.split(diagonal, end)) == len(diagonal)


def test_every_symmetry_keeps_all_distances_and_can_be_undone() -> None:
    for turn in board.SYMMETRIES:
        assert all(
            board.FAR[turn[s]][turn[g]] == board.FAR[s][g] for s in board.ALL for g in board.ALL
        )
        assert tuple(board.inverse(turn)[turn[s]] for s in board.ALL) == board.ALL


def test_orbits_contain_what_symmetries_turn_into_each_other() -> None:
    assert len(board.ORBITS) == 15
    assert sorted(s for orbit in board.ORBITS for s in orbit) == list(board.ALL)
    for guess in board.ALL:
        turned = {turn[guess] for turn in board.frames(guess)}
        assert turned == {board.ORBITS[board.ORBIT[guess]][0]}


def test_a_folded_step_says_the_same_about_every_number() -> None:
    for corner in board.CORNERS:
        for answer, cell in board.split(board.ALL, corner):
            assert board.candidates((board.folded((corner, answer)),)) == cell


@pytest.mark.parametrize("first", [1, 14, 40])
def test_a_guess_is_represented_by_one_that_hits_as_often_and_tells_as_much(first: int) -> None:
    for _, cell in board.split(board.ALL, first):
        for guess in board.ALL:
            treated = board.translated(cell, guess)
            assert treated == guess or guess not in cell
            for _, finer in board.split(cell, treated):
                assert len({board.FAR[s][guess] for s in finer}) == 1


@pytest.mark.parametrize("first", [1, 14, 40])
def test_every_guess_has_a_twin_among_the_distinct_ones(first: int) -> None:
    for _, cell in board.split(board.ALL, first):
        kept = board.distinct(cell)
        assert set(cell) <= set(kept)
        assert {board.labels(cell, g) for g in kept} == {board.labels(cell, g) for g in board.ALL}
