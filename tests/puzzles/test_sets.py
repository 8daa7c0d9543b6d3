"""Sets of puzzles: read back, refused if broken, and answered."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

import pytest

from strongroom.games.quantum_duel.rules import Coin, Reply
from strongroom.puzzles import Exercise, exercise, read, score
from strongroom.puzzles.finding import worth_of
from strongroom.puzzles.sets import BrokenSet

if TYPE_CHECKING:
    from tests.puzzles.conftest import Found


@pytest.fixture(scope="module")
def plain(found: Found) -> Sequence[Exercise]:
    return [exercise(first) for first, *_ in found.values()]


@pytest.fixture(scope="module")
def disguised(found: Found) -> Sequence[Exercise]:
    rng = Random(1)
    return [exercise(first, rng) for first, *_ in found.values()]


def written(file: Path, lines: Sequence[Any]) -> Path:
    file.write_text("".join(f"{json.dumps(line)}\n" for line in lines), encoding="utf-8")
    return file


def test_a_set_that_was_written_is_read_back(
    plain: Sequence[Exercise], disguised: Sequence[Exercise], tmp_path: Path
) -> None:
    every = [*plain, *disguised]
    file = written(tmp_path / "set.jsonl", [each.to_json() for each in every])
    assert [*read(file)] == every


def test_a_line_has_the_rules_and_all_that_the_player_knows(plain: Sequence[Exercise]) -> None:
    for each in plain:
        assert each.rules.startswith(f"# {each.game.title}")
        assert "## Winning" in each.rules
        assert each.game.words.puzzle(each.view) in each.text.splitlines()
        for event in each.view.history:
            assert str(event.move) in each.text or isinstance(event.move, Reply | Coin)
        assert all(str(secret) in each.text for secret in each.view.secret)


def test_a_disguised_line_has_none_of_the_games_own_words(disguised: Sequence[Exercise]) -> None:
    for each in disguised:
        said = f"{each.rules}\n{each.text}".lower()
        own = ("safe", "crack", "duel", "quantum", "guess", "code", "observe", "challenge", "dial")
        assert not re.findall("|".join(own), said)
        for event in each.view.history:
            assert str(event.move) in said or isinstance(event.move, Reply | Coin)


def test_the_costs_of_a_disguised_line_are_exact(disguised: Sequence[Exercise]) -> None:
    for each in disguised:
        worth = worth_of(each.view)
        assert worth is not None
        best = max(worth.values())
        assert {move: best - one for move, one in worth.items()} == pytest.approx(each.costs)


BREAKS = {
    "format": ("x", "its format is not strongroom puzzle."),
    "version": (9, "its version is '9'; this program reads 1."),
    "game": ("chess", "there is no game 'chess'"),
    "lamps": (6, "lamps run from 1 to 5, not '6'."),
    "rules": (None, "its rules and its text must be texts."),
    "moves": ({"1": 0.0}, "its moves are not the legal ones."),
    "losses": ({"casual": -1}, "a cost cannot be '-1'."),
    "view": ({}, "a part is missing"),
    "options": ([], "it does not name a game."),
}


@pytest.mark.parametrize("part", BREAKS)
def test_a_broken_line_is_refused_with_its_number(
    plain: Sequence[Exercise], tmp_path: Path, part: str
) -> None:
    value, why = BREAKS[part]
    good = plain[0].to_json()
    file = written(tmp_path / "set.jsonl", [good, {**good, part: value}])
    with pytest.raises(BrokenSet, match=r"^Line 2 of .*set\.jsonl is not a puzzle: ") as refused:
        [*read(file)]
    assert why in str(refused.value)
    assert str(refused.value).count("\n") == 0


def test_a_line_without_an_end_is_not_read_to_the_end(tmp_path: Path) -> None:
    file = tmp_path / "set.jsonl"
    with file.open("wb") as out:
        out.truncate(2**40)
    with pytest.raises(BrokenSet, match=r"Line 1 of .* more than 1,048,576 characters\."):
        [*read(file)]


def test_a_pipe_is_refused_without_waiting_for_it(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "set.jsonl")
    with pytest.raises(BrokenSet, match="it is not a plain file"):
        [*read(tmp_path / "set.jsonl")]


@pytest.mark.parametrize("line", ["{", "[]", "7", '{"format": "strongroom puzzle"}', ""])
def test_a_line_that_is_no_puzzle_at_all_is_refused(tmp_path: Path, line: str) -> None:
    file = tmp_path / "set.jsonl"
    file.write_text(f"{line}\n", encoding="utf-8")
    with pytest.raises(BrokenSet, match="Line 1 of"):
        [*read(file)]


def test_a_set_whose_costs_make_no_move_right_is_refused(
    plain: Sequence[Exercise], tmp_path: Path
) -> None:
    line = plain[0].to_json()
    line["moves"] = {move: cost + 0.1 for move, cost in line["moves"].items()}
    with pytest.raises(BrokenSet, match=r"none of its moves is right\."):
        [*read(written(tmp_path / "set.jsonl", [line]))]


def test_a_missing_or_binary_file_is_refused_in_a_line(tmp_path: Path) -> None:
    with pytest.raises(BrokenSet, match=r"^Cannot read .*: No such file or directory\.$"):
        [*read(tmp_path / "none.jsonl")]
    (tmp_path / "set.jsonl").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(BrokenSet, match="not text"):
        [*read(tmp_path / "set.jsonl")]


# --- answering ----------------------------------------------------------------------------------


def test_who_finds_every_right_move_loses_nothing(plain: Sequence[Exercise]) -> None:
    perfect = score(plain, lambda puzzle: puzzle.best[0])
    assert (perfect.cost, perfect.solved, perfect.illegal) == (0.0, 1.0, 0)


def test_an_answer_is_judged_by_its_cost_and_asked_for_once(plain: Sequence[Exercise]) -> None:
    asked: list[Exercise] = []

    def worst(puzzle: Exercise) -> str:
        asked.append(puzzle)
        return str(max(puzzle.costs, key=lambda move: puzzle.costs[move]))

    result = score(plain, worst)
    assert asked == [*plain]
    assert result.solved == 0
    assert result.cost == pytest.approx(
        sum(max(each.costs.values()) for each in plain) / len(plain)
    )


def test_an_answer_that_is_no_legal_move_costs_as_much_as_the_worst(
    plain: Sequence[Exercise],
) -> None:
    result = score(plain, lambda puzzle: "I resign")
    assert result.illegal == len(plain)
    assert result.costs == tuple(max(each.costs.values()) for each in plain)


def test_an_answer_may_be_typed_as_in_a_game(found: Found) -> None:
    puzzle = exercise(found["safe-cracker"][0])
    typed = str(puzzle.best[0]).replace("-", " ")
    assert score([puzzle], lambda _: typed).solved == 1
