"""Records as files: damaged, cut off, very long, or of packages that are not installed."""

from __future__ import annotations

import contextlib
import io
import json
import sys
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from strongroom.contract import Seat
from strongroom.plugins.registry import load
from strongroom.referee.match import Match
from strongroom.referee.randomness import draws, nonces
from strongroom.referee.record import DamagedRecord, Record
from strongroom.terminal.faces.face import Face
from strongroom.terminal.lines import Script
from strongroom.terminal.table.replay import replay
from tests.terminal.conftest import Strongroom


def played(*moves: str) -> str:
    """A game of Digit Deductions as text."""
    match = Match.start(load("digit-deductions"), nonce=nonces(1))
    for text in moves:
        assert isinstance(match.actor, Seat)
        match, _ = match.step(match.actor, match.record.game.move(text))
    return match.record.dumps()


@pytest.fixture(scope="module")
def record() -> str:
    """An unfinished game, with both numbers chosen and two guesses made."""
    return played("3-7", "5-6", "5-5", "3-5")


def end(winner: int, reason: str, detail: str = "") -> dict[str, Any]:
    return {"end": {"winner": winner, "reason": reason, "detail": detail}}


GONE = object()
"""In the table below, a part or a line that is removed."""


@pytest.mark.parametrize(
    ("line", "part", "value", "says"),
    [
        (0, "schema", 99, "schema '99'"),
        (0, "game", "chess", "There is no game 'chess'."),
        (0, "options", {"digits": 4}, "digits"),
        (0, "id", GONE, "A part is missing: id."),
        (0, "seats", [{"name": "Ann", "player": "person"}] * 3, "seats a list of two"),
        (0, "seats", [{"name": "\x1b[2J", "player": "person"}] * 2, "'?[2J' is not a name"),
        (0, "turn_limit", "many", "turn_limit"),
        (2, None, GONE, "Line 3: Step 2 is missing."),
        (3, "move", "0-0", "Line 4: '0-0'"),
        (3, "seat", 2, "Step 3 (5-5) is out of turn."),
        (3, "answer", 7, "Step 3 (5-5) has another answer by the rules."),
        (1, "move", "3-8", "Line 2: The commitment does not fit"),
        (2, "commitment", "0" * 64, "Line 3: The commitment does not fit"),
        (2, "nonce", GONE, "Line 3: A part is missing: nonce."),
        (5, None, end(1, "guessed"), "The outcome is not the one that the moves lead to."),
        (5, None, end(0, "resigned"), "Line 6: '0' is not a seat."),
        (5, None, {"end": False}, "Line 6: "),
        (5, None, end(1, "forfeited", "\x1b[2J"), "Line 6: The reason for a forfeit must be short"),
        (4, None, end(1, "resigned"), "Line 6: Something follows the end."),
    ],
)
def test_a_damaged_record_is_refused_with_what_is_wrong(
    strongroom: Strongroom,
    record: str,
    tmp_path: Path,
    line: int,
    part: str | None,
    value: Any,
    says: str,
) -> None:
    lines = [json.loads(each) for each in record.splitlines()]
    if part is None and value is not GONE:
        lines.insert(line, value)
    elif value is not GONE:
        lines[line][part] = value
    else:
        place: Any = lines if part is None else lines[line]
        del place[part or line]
    (tmp_path / "a.json").write_text("".join(json.dumps(each) + "\n" for each in lines))
    ran = strongroom("replay", "a.json")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith("strongroom: 'a.json' is damaged.")
    assert says in ran.err
    assert len(ran.err.splitlines()) == 1
    assert "\x1b" not in ran.err


NO_GAME = "is not a saved game.\n"


@pytest.mark.parametrize(
    ("content", "what"),
    [
        (b"", "is damaged. It is empty."),
        (b"{", "is damaged. Line 1 is not JSON"),
        (b'{"schema": 2}', "is damaged. Line 1: "),
        (b'{"\xff\xfe"}\n', "is damaged. It is not text."),
        *((each, NO_GAME) for each in (b"root:x:0:0\n", b"null", b"[]", b"7", b'"x"', b"\xff\xfe")),
        (b"[" * 100_000, NO_GAME),
    ],
    ids=lambda value: repr(value[:12]),
)
def test_a_file_that_is_not_a_record_is_refused(
    strongroom: Strongroom, tmp_path: Path, content: bytes, what: str
) -> None:
    (tmp_path / "a.json").write_bytes(content)
    ran = strongroom("replay", "a.json")
    assert ran.code == 2
    assert f"'a.json' {what}" in ran.err
    assert len(ran.err.splitlines()) == 1


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


def test_a_package_that_is_not_installed_is_one_clear_line(
    strongroom: Strongroom, record: str, tmp_path: Path
) -> None:
    def refuses(command: str, line: str) -> None:
        ran = strongroom(command, "a.json")
        assert ran.code == 2
        assert line in ran.err
        assert ran.err.count("\n") == 1

    file = tmp_path / "a.json"
    file.write_text(record.replace('"digit-deductions"', '"moon-duel"', 1))
    for command in ("resume", "replay", "analyze"):
        refuses(command, "There is no game 'moon-duel'. Choose from: safecracker-duel")
    file.write_text(record.replace('"player":"person"', '"player":"martian"', 1))
    assert strongroom("replay", "a.json").code == 0, "it can still be replayed"
    refuses("resume", "There is no player 'martian'. Choose from: master, expert, casual, random.")


@pytest.mark.parametrize("command", ["replay --plain", "resume", "replay --json"])
def test_a_long_game_is_replayed_and_resumed_in_linear_time(
    strongroom: Strongroom, tmp_path: Path, command: str
) -> None:
    """Time is counted in calls, so it does not depend on the load of the machine."""

    def calls(turns: int) -> int:
        (tmp_path / "a.json").write_text(played("3-7", "5-6", *["1-1"] * turns))
        made = 0

        def count(*_: object) -> None:
            nonlocal made
            made += 1

        sys.setprofile(count)
        ran = strongroom(*command.split(), "a.json", lines=["1-1"])
        sys.setprofile(None)
        assert ran.out.count("1-1") >= turns
        return made

    assert calls(1600) < 5 * calls(400)


# --- any damage -----------------------------------------------------------------------------------

VALUES = st.one_of(
    st.none(), st.booleans(), st.integers(-2, 40), st.just(10**30), st.text(max_size=4),
    st.sampled_from(["1-1", "yes", "heads", "clue", "chance"]), st.just(float("nan")),
    st.just([]), st.just({}),
)  # fmt: skip


def places(data: Any) -> list[tuple[Any, Any]]:
    """Every place in some JSON data, as its container and its key."""
    keys = data.keys() if isinstance(data, dict) else range(len(data))
    here = [(data, key) for key in keys]
    inside = [data[key] for key in keys if isinstance(data[key], dict | list)]
    return here + [place for each in inside for place in places(each)]


@given(st.data())
def test_a_record_with_any_part_replaced_is_refused_or_still_shown(data: st.DataObject) -> None:
    """`resume` and `replay` answer any file, and never crash on it."""
    name = data.draw(st.sampled_from(("digit-deductions", "quantum-duel", "safe-code")))
    rng = Random(data.draw(st.integers(0, 50)))
    match = Match.start(load(name), turn_limit=50, draw=draws(1))
    for _ in range(12):
        assert isinstance(match.actor, Seat)
        match, _ = match.step(match.actor, rng.choice(match.state.moves))
        if match.outcome is not None:
            break
    else:
        if data.draw(st.booleans()):
            match = match.hinted(Seat.ONE).resign(Seat.TWO)
    content = [json.loads(line) for line in match.record.lines()]
    holder, key = data.draw(st.sampled_from(places(content)))
    if data.draw(st.booleans()):
        holder[key] = data.draw(VALUES)
    else:
        del holder[key]
    text = "".join(json.dumps(line) + "\n" for line in content)
    with contextlib.redirect_stdout(io.StringIO()), contextlib.suppress(DamagedRecord):
        record = Record.loads(text)
        replay(record, Face(Script(), record.game.words))
