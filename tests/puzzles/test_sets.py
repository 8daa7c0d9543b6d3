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

OWN_WORDS = "safe|crack|duel|quantum|guess|code|observe|challenge|dial"


@pytest.fixture(scope="module")
def plain(found: Found) -> Sequence[Exercise]:
    return [exercise(first) for first, *_ in found.values()]


@pytest.fixture(scope="module")
def disguised(found: Found) -> Sequence[Exercise]:
    rng = Random(1)
    return [exercise(first, rng) for first, *_ in found.values()]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "set.jsonl"


def write(file: Path, *lines: Any) -> None:
    file.write_text("".join(f"{json.dumps(line)}\n" for line in lines), encoding="utf-8")


def test_a_set_that_was_written_is_read_back(
    plain: Sequence[Exercise], disguised: Sequence[Exercise], file: Path
) -> None:
    every = [*plain, *disguised]
    write(file, *(each.to_json() for each in every))
    assert [*read(file)] == every


def test_a_line_has_the_rules_and_all_that_the_player_knows(plain: Sequence[Exercise]) -> None:
    for each in plain:
        assert each.rules.startswith(f"# {each.game.title}")
        assert "## Winning" in each.rules
        assert each.game.words.puzzle(each.view) in each.text.splitlines()
        for event in each.view.history:
            assert str(event.move) in each.text or isinstance(event.move, Reply | Coin)
        assert all(str(secret) in each.text for secret in each.view.secret)


def test_a_disguised_line_has_exact_costs_and_none_of_the_games_own_words(
    disguised: Sequence[Exercise],
) -> None:
    for each in disguised:
        said = f"{each.rules}\n{each.text}".lower()
        assert not re.findall(OWN_WORDS, said)
        for event in each.view.history:
            assert str(event.move) in said or isinstance(event.move, Reply | Coin)
        worth = worth_of(each.view)
        assert worth is not None
        best = max(worth.values())
        assert {move: best - one for move, one in worth.items()} == pytest.approx(each.costs)


@pytest.mark.parametrize(
    ("part", "value", "why"),
    [
        ("format", "x", "its format is not strongroom puzzle."),
        ("version", 9, "its version is '9'; this program reads 1."),
        ("game", "chess", "there is no game 'chess'"),
        ("lamps", 6, "lamps run from 1 to 5, not '6'."),
        ("rules", None, "its rules and its text must be texts."),
        ("moves", {"1": 0.0}, "its moves are not the legal ones."),
        ("losses", {"casual": -1}, "a cost cannot be '-1'."),
        ("view", {}, "a part is missing"),
        ("options", [], "it does not name a game."),
        ("moves", 0.1, "none of its moves is right."),
    ],
)
def test_a_broken_line_is_refused_with_its_number(
    plain: Sequence[Exercise], file: Path, part: str, value: Any, why: str
) -> None:
    good = plain[0].to_json()
    if isinstance(value, float):
        value = {move: cost + value for move, cost in good[part].items()}
    write(file, good, {**good, part: value})
    with pytest.raises(BrokenSet, match=r"^Line 2 of .*set\.jsonl is not a puzzle: ") as refused:
        [*read(file)]
    assert why in str(refused.value)
    assert str(refused.value).count("\n") == 0


@pytest.mark.parametrize("line", ["{", "[]", "7", '{"format": "strongroom puzzle"}', ""])
def test_a_line_that_is_no_puzzle_at_all_is_refused(file: Path, line: str) -> None:
    file.write_text(f"{line}\n", encoding="utf-8")
    with pytest.raises(BrokenSet, match="Line 1 of"):
        [*read(file)]


def test_a_file_that_cannot_be_read_as_lines_of_text_is_refused_in_a_line(file: Path) -> None:
    def refused(why: str) -> None:
        with pytest.raises(BrokenSet, match=why):
            [*read(file)]
        file.unlink(missing_ok=True)

    refused(r"^Cannot read .*: No such file or directory\.$")
    file.write_bytes(b"\xff\xfe\x00")
    refused("not text")
    os.mkfifo(file)
    refused("it is not a plain file")
    with file.open("wb") as out:
        out.truncate(2**40)  # a line without an end is not read to the end
    refused(r"Line 1 of .* more than 1,048,576 characters\.")


def test_an_answer_is_asked_for_once_and_judged_by_its_cost(plain: Sequence[Exercise]) -> None:
    asked: list[Exercise] = []

    def worst(puzzle: Exercise) -> str:
        asked.append(puzzle)
        return str(max(puzzle.costs, key=lambda move: puzzle.costs[move]))

    result = score(plain, worst)
    assert asked == [*plain]
    costs = tuple(max(each.costs.values()) for each in plain)
    assert (result.solved, result.illegal) == (0, 0)
    assert result.cost == pytest.approx(sum(costs) / len(costs))
    refused = score(plain, lambda puzzle: "I resign")
    assert (refused.illegal, refused.costs) == (len(plain), costs)
    perfect = score(plain, lambda puzzle: puzzle.best[0])
    assert (perfect.cost, perfect.solved, perfect.illegal) == (0.0, 1.0, 0)


def test_an_answer_may_be_typed_as_in_a_game(found: Found) -> None:
    puzzle = exercise(found["safe-cracker"][0])
    assert score([puzzle], lambda _: str(puzzle.best[0]).replace("-", " ")).solved == 1
