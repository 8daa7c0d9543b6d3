"""The command that checks whether a game was fair."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.network_games import OPTIONS, played
from tests.terminal.conftest import SitDown, Strongroom

NAMES = ["record", "secrets", "rules", "end", "seed", "coins", "published"]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "game.jsonl"


@pytest.mark.parametrize("name", OPTIONS)
def test_a_game_from_a_server_is_verified_and_without_its_seeds_only_partly(
    strongroom: Strongroom, file: Path, name: str
) -> None:
    whole = played(name, 1).dumps()
    file.write_text(whole)
    ran = strongroom("verify", file.name, "--strict")
    assert ran.code == 0
    assert [line.split()[1] for line in ran.lines[:7]] == NAMES
    marks = "".join(line[0] for line in ran.lines[:7])
    assert marks == ("✓–✓✓✓✓–" if name == "quantum-duel" else "✓✓✓✓✓✓–")
    assert ran.lines[-1] == "Nothing is wrong with this record."
    header, _, rest = whole.partition("\n")
    bare = {part: value for part, value in json.loads(header).items() if part != "coins"}
    file.write_text(f"{json.dumps(bare)}\n{rest}")
    ran = strongroom("verify", file.name)
    unchecked = "seed, coins" if name == "quantum-duel" else "seed"
    assert ran.code == 0
    told = f"is wrong. Not checked: {unchecked}. The record names no seeds."
    assert told in ran.lines[-1]
    assert strongroom("verify", file.name, "--strict").code == 5
    strict = strongroom("verify", file.name, "--strict", "--json")
    assert (strict.code, json.loads(strict.out)["complete"]) == (5, False)


def test_a_forged_game_fails_and_the_error_says_where(strongroom: Strongroom, file: Path) -> None:
    lines = played("digit-deductions", 1).dumps().splitlines()
    step = json.loads(lines[3])
    lines[3] = json.dumps(step | {"answer": step["answer"] + 1})
    file.write_text("\n".join(lines) + "\n")
    ran = strongroom("verify", file.name)
    assert ran.code == 1
    assert "✗  rules" in ran.out
    assert f"Step 3 ({step['move']}) has another answer by the rules." in ran.out
    assert ran.lines[-1] == "This record does not hold."


def test_an_unfinished_record_fails_in_strict_mode(strongroom: Strongroom, file: Path) -> None:
    lines = played("safe-cracker", 1).dumps().splitlines(keepends=True)
    header = json.loads(lines[0])
    del header["coins"]["seed"]
    file.write_text(json.dumps(header) + "\n" + "".join(lines[1:6]))
    ran = strongroom("verify", file.name, "--strict")
    assert ran.code == 5
    assert "Not checked: end, seed, coins. What is hidden until the end" in ran.lines[-1]


def test_json_has_every_check(strongroom: Strongroom, file: Path) -> None:
    text = played("safe-code", 1).dumps()
    file.write_text(text)
    ran = strongroom("verify", file.name, "--json")
    data = json.loads(ran.out)
    assert (ran.code, data["holds"]) == (0, True)
    assert [each["check"] for each in data["checks"]] == NAMES
    file.write_text(text.replace('"seed":"', '"seed":"x'))
    forged = strongroom("verify", file.name, "--json")
    data = json.loads(forged.out)
    assert (forged.code, data["holds"]) == (2, False)
    assert data["checks"][0]["text"].startswith("Line 1: ")


def test_a_local_game_says_what_it_cannot_prove(strongroom: Strongroom) -> None:
    strongroom("play", "digit-deductions", lines=["37", "56", "5 6"])
    ran = strongroom("verify")
    assert ran.code == 0
    assert "Game 1: Digit Deductions" in ran.err
    assert "Both are in one file, so this finds only accidents." in ran.out
    assert "The record has no seed." in ran.out
    assert strongroom("verify", "1").out == ran.out


def test_no_secret_of_an_unfinished_game_is_shown(strongroom: Strongroom) -> None:
    strongroom("play", "safe-cracker", lines=["312", "132"])
    ran = strongroom("verify")
    assert "The match is not over." in ran.out
    assert not {"3-1-2", "1-3-2"} & {*ran.out.split()}


def test_marks_are_words_without_unicode(strongroom: Strongroom, file: Path) -> None:
    file.write_text(played("quantum-duel", 1).dumps())
    ran = strongroom("verify", file.name, env={"LANG": "C", "PYTHONIOENCODING": "ascii"})
    assert [line.split()[0] for line in ran.lines[:2]] == ["ok", "-"]
    assert ran.raw.isascii()


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"hello", "is not a saved game"),
        (b"{\xff}\n", "It is not text"),
        *((text, "Line 1 is not JSON") for text in (b"{", b"{\n")),
        *((text, "") for text in (b"", b"{}\n", b'{"schema":2,"game":"\\u001b[2J"}\n')),
    ],
)
def test_a_file_that_is_not_a_record_is_wrong_usage_for_every_command(
    strongroom: Strongroom, file: Path, content: bytes, reason: str
) -> None:
    file.write_bytes(content)
    ran = strongroom("verify", file.name)
    told = ran.out + ran.err
    assert reason in told
    assert "earlier form" not in told
    assert "\x1b" not in told
    others = [strongroom(each, file.name).code for each in ("replay", "analyze", "resume")]
    assert [ran.code, *others, strongroom("verify", "nowhere").code] == [2] * 5


def test_on_a_narrow_screen_nothing_is_cut(sit_down: SitDown, file: Path) -> None:
    file.write_text(played("safe-code", 1).dumps())
    terminal = sit_down("verify", file.name, columns=40)
    terminal.sees("Nothing is wrong with this record.")
    assert terminal.ends() == 0
    assert "commitment" in terminal.everything
    assert "…" not in terminal.everything
