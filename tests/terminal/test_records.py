"""Records as files: damaged, cut off, very long, or of packages that are not installed."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from strongroom.contract import Seat
from strongroom.plugins.registry import load
from strongroom.referee.match import Match
from strongroom.referee.randomness import nonces
from strongroom.referee.record import DamagedRecord, Record
from strongroom.terminal.main import main

if TYPE_CHECKING:
    from tests.terminal.conftest import Strongroom


@pytest.fixture(scope="module")
def record() -> str:
    """An unfinished game of Digit Deductions, with both numbers chosen and two guesses made."""
    match = Match.start(load("digit-deductions"), nonce=nonces(1))
    for text in ("3-7", "5-6", "5-5", "3-5"):
        assert isinstance(match.actor, Seat)
        match, _ = match.step(match.actor, match.record.game.move(text))
    return match.record.dumps()


def damage(lines: list[dict[str, Any]], kind: str) -> str:
    """Damage a record, and return what the answer must say."""
    header, one, two, first, _ = lines
    match kind:
        case "another schema":
            header["schema"] = 99
            return "schema '99'"
        case "an unknown game":
            header["game"] = "chess"
            return "There is no game 'chess'."
        case "an option out of range":
            header["options"] = {"digits": 4}
            return "digits"
        case "a missing part":
            del header["id"]
            return "A part is missing: id."
        case "a missing step":
            lines.remove(two)
            return "Line 3: Step 2 is missing."
        case "a move that is none":
            first["move"] = "0-0"
            return "Line 4: '0-0'"
        case "a move out of turn":
            first["seat"] = 2
            return "Step 3 (5-5) is out of turn."
        case "an edited answer":
            first["answer"] = 7
            return "Step 3 (5-5) has another answer by the rules."
        case "an edited secret":
            one["move"] = "3-8"
            return "Line 2: The commitment does not fit"
        case "an edited commitment":
            two["commitment"] = "0" * 64
            return "Line 3: The commitment does not fit"
        case "a secret without its nonce":
            del two["nonce"]
            return "Line 3: A part is missing: nonce."
        case "an edited outcome":
            lines.append({"end": {"winner": 1, "reason": "guessed", "detail": ""}})
            return "The outcome is not the one that the moves lead to."
        case "a winner who is no seat":
            lines.append({"end": {"winner": 0, "reason": "resigned", "detail": ""}})
            return "Line 6: '0' is not a seat."
        case "an outcome that is false":
            lines.append({"end": False})
            return "Line 6: "
        case "a move after the end":
            lines.insert(4, {"end": {"winner": 1, "reason": "resigned", "detail": ""}})
            return "Line 6: Something follows the end."
        case "a forfeit that would act on the screen":
            forfeited = {"winner": 1, "reason": "forfeited", "detail": "\x1b[2J"}
            lines.append({"end": forfeited})
            return "Line 6: The reason for a forfeit must be short and printable."
        case "a name that would act on the screen":
            header["seats"][0]["name"] = "\x1b[2J"
            return "'?[2J' is not a name"
        case "three seats":
            header["seats"].append(header["seats"][0])
            return "seats a list of two"
        case "a turn limit in words":
            header["turn_limit"] = "many"
            return "turn_limit"
        case _:
            raise AssertionError(kind)


@pytest.mark.parametrize(
    "kind",
    [
        "another schema", "an unknown game", "an option out of range", "a missing part",
        "a missing step", "a move that is none", "a move out of turn", "an edited answer",
        "an edited secret", "an edited commitment", "a secret without its nonce",
        "an edited outcome", "a winner who is no seat", "an outcome that is false",
        "a move after the end", "a forfeit that would act on the screen",
        "a name that would act on the screen", "three seats", "a turn limit in words",
    ],
)  # fmt: skip
def test_a_damaged_record_is_refused_with_what_is_wrong(
    record: str, tmp_path: Path, kind: str, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = [json.loads(line) for line in record.splitlines()]
    says = damage(lines, kind)
    file = tmp_path / "a.json"
    file.write_text("".join(json.dumps(line) + "\n" for line in lines))
    assert main(["replay", str(file)]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.startswith(f"strongroom: '{file}' is damaged.")
    assert says in said.err
    assert len(said.err.splitlines()) == 1
    assert "\x1b" not in said.err


@pytest.mark.parametrize(
    ("content", "what"),
    [
        (b"", "is damaged. It is empty."),
        (b"{", "is damaged. Line 1 is not JSON"),
        (b'{"schema": 2}', "is damaged. Line 1: "),
        (b'{"\xff\xfe"}\n', "is damaged. It is not text."),
        (b"root:x:0:0:root:/root:/bin/bash\n", "is not a saved game.\n"),
        *((each, "is not a saved game.\n") for each in (b"null", b"[]", b"7", b'"x"', b"\xff\xfe")),
        (b"[" * 100_000, "is not a saved game.\n"),
    ],
    ids=[
        *("empty", "cut", "alone", "no text", "another file"),
        *("null", "list", "number", "string", "bytes", "deep"),
    ],
)
def test_a_file_that_is_not_a_record_is_refused(
    tmp_path: Path, content: bytes, what: str, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "a.json"
    file.write_bytes(content)
    assert main(["replay", str(file)]) == 2
    said = capsys.readouterr().err
    assert f"'{file}' {what}" in said
    assert len(said.splitlines()) == 1


def test_a_truncated_record_is_refused_or_is_a_shorter_game(record: str) -> None:
    whole = Record.loads(record)
    for cut in range(len(record)):
        try:
            shorter = Record.loads(record[:cut])
        except DamagedRecord:
            assert "\n" not in record[:cut], "a journal is lost only if its first line is cut"
            continue
        assert tuple(shorter.entries) == whole.entries[: len(shorter.entries)]
        assert len(shorter.entries) >= record[:cut].count("\n") - 1


def test_an_edited_guess_that_would_have_ended_the_game_is_refused(
    strongroom: Strongroom, record: str, tmp_path: Path
) -> None:
    lines = [json.loads(line) for line in record.splitlines()]
    lines[3] |= {"move": "5-6", "answer": 0}
    (tmp_path / "a.json").write_text("".join(json.dumps(line) + "\n" for line in lines))
    for command in ("resume", "replay"):
        ran = strongroom(command, "a.json")
        assert ran.code == 2
        assert "'a.json' is damaged. Step 4 (3-5) is out of turn." in ran.err


def test_the_game_of_a_package_that_is_not_installed_is_one_clear_line(
    strongroom: Strongroom, record: str, tmp_path: Path
) -> None:
    (tmp_path / "a.json").write_text(record.replace('"digit-deductions"', '"moon-duel"', 1))
    for command in ("resume", "replay", "analyze"):
        ran = strongroom(command, "a.json")
        assert ran.code == 2
        assert "There is no game 'moon-duel'. Choose from: safecracker-duel" in ran.err
        assert ran.err.count("\n") == 1


def test_the_player_of_a_package_that_is_not_installed_is_one_clear_line(
    strongroom: Strongroom, record: str, tmp_path: Path
) -> None:
    file = tmp_path / "a.json"
    file.write_text(record.replace('"player":"person"', '"player":"martian"', 1))
    assert strongroom("replay", "a.json").code == 0, "it can still be replayed"
    ran = strongroom("resume", "a.json")
    assert ran.code == 2
    assert "There is no player 'martian'. Choose from: master, expert, casual, random." in ran.err
    assert ran.err.count("\n") == 1


def test_a_game_of_ten_thousand_turns_is_replayed_and_resumed_in_linear_time(
    strongroom: Strongroom, tmp_path: Path
) -> None:
    def took(turns: int, *arguments: str) -> float:
        begin = time.perf_counter()
        ran = strongroom(*arguments, f"{turns}.json", lines=["1-1"])
        assert ran.out.count("1-1") >= turns
        return time.perf_counter() - begin

    for turns in (2_500, 10_000):
        match = Match.start(load("digit-deductions"))
        for text in ("3-7", "5-6", *["1-1"] * turns):
            assert isinstance(match.actor, Seat)
            match, _ = match.step(match.actor, match.record.game.move(text))
        (tmp_path / f"{turns}.json").write_text(match.record.dumps())
    for command in (("replay", "--plain"), ("resume",), ("replay", "--json")):
        short = took(2_500, *command)  # four times as many turns take about four times as long
        assert any(took(10_000, *command) < 8 * short + 1 for _ in range(3))
