"""A truncated record is read as far as it goes; a damaged one is refused with what is wrong."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Protocol

import pytest
from hypothesis import given
from hypothesis import strategies as st

from strongroom.contract import Refusal
from strongroom.referee.record import DamagedRecord, Record
from strongroom.referee.sitter import Sitter

if TYPE_CHECKING:
    from tests.referee.record.conftest import Data, Json, Lines, Recorded


class Change(Protocol):
    """The lines of a record, the finished one if none is given, with one part replaced."""

    def __call__(self, line: int, part: str, value: Any, of: Record | None = None) -> Lines: ...


@pytest.fixture(scope="session")
def change(data: Data) -> Change:
    def changed(line: int, part: str, value: Any, of: Record | None = None) -> Lines:
        whole = data(of)
        whole[line][part] = value
        return whole

    return changed


def text(lines: Any) -> str:
    return "".join(json.dumps(line) + "\n" for line in lines)


def refused(damaged: Any) -> str:
    with pytest.raises(DamagedRecord) as refusal:
        Record.loads(text(damaged))
    return str(refusal.value)


@pytest.mark.parametrize(
    "name", ["", "x" * 25, "a\nb", "\x1b]0;x\x07", " Ann", "Ann ", "A  B", "\ud800", 7, None]
)
def test_names_follow_the_same_rule_everywhere(name: Any, data: Data) -> None:
    with pytest.raises(Refusal):
        Sitter(name)
    whole = data()
    whole[0]["seats"][0]["name"] = name
    refused(whole)


def test_a_record_of_a_game_that_is_not_registered_is_read_with_the_game(
    finished: Record, data: Data
) -> None:
    whole = data()
    whole[0]["game"] = "unheard-of"
    refused(whole)
    with pytest.raises(DamagedRecord, match="with other options or rules"):
        Record.loads(text(whole), finished.game)
    assert Record.loads(finished.dumps(), finished.game) == finished


def test_an_interrupted_write_loses_only_the_last_line(finished: Record) -> None:
    whole = finished.dumps()
    first = whole.index("\n") + 1
    for cut in range(first, len(whole)):
        read = Record.loads(whole[:cut])
        kept = whole[:cut].count("\n")
        assert read.dumps().count("\n") in (kept, kept + 1, kept + 2)
        assert whole.startswith(read.dumps())


@pytest.mark.parametrize("rest", [" ", "0", "\t", "}", "{}", '"', " \r", "\0 "])
def test_a_changed_end_of_the_text_is_damage(rest: str, finished: Record) -> None:
    whole = finished.dumps()
    with pytest.raises(DamagedRecord, match=r"Line \d+ ends with .*, not with a new line"):
        Record.loads(whole[:-1] + rest)
    assert Record.loads(whole[:-1]) == Record.loads(whole[:-1] + "\0\0") == finished


@pytest.mark.parametrize("text", ["{", "{\n", "{\r\n", '{\n "schema": 1,\n'])
def test_a_truncated_object_is_not_taken_for_an_earlier_format(text: str) -> None:
    with pytest.raises(DamagedRecord, match="Line 1 is not JSON"):
        Record.loads(text)


@pytest.mark.parametrize("kept", [0.1, 0.5, 0.9])
def test_a_text_truncated_in_its_first_line_is_refused(kept: float, finished: Record) -> None:
    first, _, _ = finished.dumps().partition("\n")
    with pytest.raises(DamagedRecord):
        Record.loads(first[: int(len(first) * kept)])


def test_a_line_truncated_in_the_middle_is_damage(finished: Record) -> None:
    lines = list(finished.lines())
    lines[2] = lines[2][:20] + "\n"
    with pytest.raises(DamagedRecord, match="Line 3 is not JSON"):
        Record.loads("".join(lines))


def test_an_illegal_move_is_refused_by_its_number(record: Recorded, change: Change) -> None:
    whole = record("3", "5", name="quantum-duel")
    damaged = change(2, "move", "3", whole)
    assert refused(damaged) == "Step 2 (3) does not fit: Cell 3 is already observed."


def test_the_first_of_several_moves_that_do_not_fit_is_named(
    record: Recorded, change: Change
) -> None:
    whole = record("3", "5", "7", "1", name="quantum-duel")
    damaged = change(2, "move", "3", whole)
    damaged[4]["move"] = "3"
    assert refused(damaged).startswith("Step 2 ")


def test_a_move_of_the_wrong_seat_is_refused_by_its_number(change: Change) -> None:
    assert refused(change(3, "seat", 2)) == "Step 3 (1-1) is out of turn."


def test_an_answer_that_the_rules_do_not_give_is_refused_by_its_number(change: Change) -> None:
    assert refused(change(3, "answer", 3)) == "Step 3 (1-1) has another answer by the rules."


def test_a_step_after_the_end_is_refused(data: Data) -> None:
    damaged = [*data(), {"step": 6, "seat": 2, "move": "1-1", "answer": 9, "time": 0.0}]
    assert refused(damaged) == "Line 8: Something follows the end."


def test_a_text_that_is_not_a_move_is_refused_by_its_line(change: Change) -> None:
    assert "Line 5: 'castle' is not a move" in refused(change(4, "move", "castle"))


def test_a_missing_step_is_noticed(data: Data) -> None:
    damaged = data()
    del damaged[4]
    assert refused(damaged) == "Line 5: Step 4 is missing."


def test_a_coin_attributed_to_a_player_is_refused(record: Recorded, change: Change) -> None:
    whole = record("3", "7", "4", "yes", name="quantum-duel")
    assert "Step 5" in refused(change(5, "seat", 1, whole))


def test_a_private_step_recorded_as_public_is_refused(data: Data) -> None:
    damaged = data()
    del damaged[1]["keeper"]
    assert refused(damaged) == "Step 1 (4-7) is private and should not be, or the reverse."


OUTCOMES = [
    {"winner": 2, "reason": "guessed", "detail": ""},
    {"winner": 2, "reason": "resigned", "detail": ""},
    {"winner": None, "reason": "undecided", "detail": ""},
]


@pytest.mark.parametrize("outcome", OUTCOMES)
def test_an_outcome_that_the_moves_do_not_lead_to_is_refused(outcome: Json, change: Change) -> None:
    assert "outcome" in refused(change(-1, "end", outcome))


def test_a_record_truncated_between_its_last_step_and_its_end_is_over(
    record: Recorded, finished: Record, data: Data
) -> None:
    assert Record.loads(text(data()[:-1])) == finished
    undecided = record("4-7", "6-5", "1-1", turn_limit=1)
    assert Record.loads(text(data(undecided)[:-1])) == undecided


@pytest.mark.parametrize(
    "outcome",
    [
        {"winner": 1, "reason": "guessed", "detail": ""},
        {"winner": None, "reason": "resigned", "detail": ""},
        {"winner": None, "reason": "undecided", "detail": ""},
        {"winner": 1, "reason": "undecided", "detail": ""},
        {"winner": 0, "reason": "resigned", "detail": ""},
        {"winner": 3, "reason": "resigned", "detail": ""},
        {"winner": True, "reason": "resigned", "detail": ""},
        {"winner": 1, "reason": "was cleverer", "detail": ""},
        {"winner": 1, "reason": "resigned", "detail": 5},
        {"winner": 1, "reason": "forfeited", "detail": "\x1b[2J"},
        {"winner": 1, "reason": "forfeited", "detail": "x" * 201},
        {"winner": 1, "reason": "forfeited"},
        *({}, [], 0, "", False, None),
    ],
    ids=repr,
)
def test_an_unfinished_game_with_an_unfounded_outcome_is_refused(
    outcome: Any, unfinished: Record, data: Data
) -> None:
    refused([*data(unfinished), {"end": outcome}])


def test_an_undecided_end_before_the_limit_is_refused(record: Recorded, change: Change) -> None:
    damaged = change(0, "turn_limit", 2, record("4-7", "6-5", "1-1", turn_limit=1))
    assert "outcome" in refused(damaged)


def test_a_changed_secret_does_not_fit_its_commitment(change: Change) -> None:
    assert "commitment does not fit" in refused(change(1, "move", "4-8"))


def test_a_changed_commitment_is_noticed(change: Change) -> None:
    assert "commitment does not fit" in refused(change(1, "commitment", "0" * 64))


@pytest.mark.parametrize(
    "nonce", ["\ud800" * 32, "0" * 31, "0" * 33, "G" * 32, "", 5, None, "A" * 32]
)
def test_a_nonce_must_be_32_hexadecimal_digits(nonce: Any, change: Change) -> None:
    assert "nonce" in refused(change(1, "nonce", nonce))


@pytest.mark.parametrize(
    ("line", "part", "value", "words"),
    [
        (0, "schema", 1, "That one was never released"),
        (0, "schema", 3, "schema '3'; this version reads 2"),
        (0, "schema", True, "schema 'True'"),
        (0, "schema", 2.0, "schema '2.0'"),
        (0, "schema", None, "schema 'None'"),
        (0, "id", "x", "An id is"),
        (0, "game", "chess", "There is no game 'chess'"),
        (0, "game", ["chess"], "There is no game"),
        (0, "options", {"digits": 4}, "There is no option 'digits'"),
        (0, "options", [1], "Options must be a JSON object"),
        (0, "seats", [], "seats a list of two"),
        (0, "seats", None, "should be a JSON list"),
        (0, "turn_limit", 0, "turn_limit is '0'"),
        (0, "turn_limit", True, "turn_limit is 'True'"),
        (0, "turn_limit", "9", "turn_limit is"),
        (1, "step", 2, "Step 1 is missing"),
        (1, "step", True, "Step 1 is missing"),
        (1, "step", 1.0, "Step 1 is missing"),
        (1, "seat", 3, "is not a seat"),
        (1, "seat", True, "is not a seat"),
        (1, "keeper", 3, "is not a seat"),
        (1, "time", "noon", "is not a time"),
        (1, "time", -1, "is not a time"),
        (1, "time", 10**400, "is not a time"),
        (1, "time", True, "is not a time"),
        (1, "move", ["4-7"], "is not a move"),
        (3, "answer", True, "is not an answer"),
        (3, "answer", "9", "is not an answer"),
    ],
)
def test_a_malformed_part_is_refused_with_what_is_wrong(
    line: int, part: str, value: Any, words: str, change: Change
) -> None:
    assert words in refused(change(line, part, value))


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity", "1e999", "9" * 5000])
def test_a_time_that_is_not_a_number_is_refused(number: str, finished: Record) -> None:
    damaged = finished.dumps().replace('"time":0.0', f'"time":{number}', 1)
    with pytest.raises(DamagedRecord):
        Record.loads(damaged)


def test_a_missing_part_is_refused(finished: Record, data: Data) -> None:
    for line, part in ((line, part) for line, parts in enumerate(data()) for part in parts):
        damaged = data()
        del damaged[line][part]
        if part in ("version", "aids", "score"):  # informative only; older records lack them
            assert Record.loads(text(damaged)).steps == finished.steps
        else:
            refused(damaged)


def test_a_hint_to_nobody_is_refused(unfinished: Record, data: Data) -> None:
    refused([*data(unfinished), {"hint": 3}])


@pytest.mark.parametrize(
    "damaged",
    [
        "",
        "\n",
        "{",
        "[]",
        "null",
        "7",
        '"x"',
        "{}",
        "[" * 100_000,
        "\x00",
        "{}\n",
        "\n{}",
        "\ud800",
    ],
    ids=lambda each: each[:10],
)
def test_a_text_that_is_not_a_record_is_refused(damaged: str) -> None:
    with pytest.raises(DamagedRecord) as refusal:
        Record.loads(damaged)
    assert str(refusal.value).isprintable()


def test_a_record_in_the_earlier_format_is_refused_in_a_line_that_says_so() -> None:
    earlier = '{\n "schema": 1,\n "game": "quantum-duel",\n "moves": []\n}\n'
    with pytest.raises(DamagedRecord, match="unreleased") as refusal:
        Record.loads(earlier)
    assert "\n" not in str(refusal.value)


ANY_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3)
    ),
    max_leaves=4,
)


def places(value: Any, path: tuple[str | int, ...] = ()) -> list[tuple[str | int, ...]]:
    """The path to every value inside JSON data."""
    inner = value.items() if isinstance(value, dict) else enumerate(value)
    found = []
    for key, each in inner:
        found.append((*path, key))
        if isinstance(each, (dict, list)):
            found += places(each, (*path, key))
    return found


@pytest.fixture(scope="session", params=["finished", "unfinished"])
def whole(request: pytest.FixtureRequest) -> Record:
    record: Record = request.getfixturevalue(request.param)
    return record


@given(draw=st.data(), value=ANY_JSON)
def test_a_record_with_any_part_replaced_is_read_soundly_or_refused(
    whole: Record, draw: st.DataObject, value: Any, data: Data
) -> None:
    *path, last = draw.draw(st.sampled_from(places(data(whole))))
    damaged: Any = data(whole)
    place = damaged
    for each in path:
        place = place[each]
    place[last] = value
    try:
        read = Record.loads(text(damaged))
    except DamagedRecord:
        return
    assert [step.move for step in read.steps] == [step.move for step in whole.steps]
    assert Record.loads(read.dumps()) == read


def test_a_move_played_past_the_turn_limit_is_refused(record: Recorded, change: Change) -> None:
    unlimited = record("4-7", "6-5", "1-1", "1-1")
    assert "limit" in refused(change(0, "turn_limit", 1, unlimited))
