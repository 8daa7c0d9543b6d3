"""Records: written to text and read back, cut off, and damaged."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from functools import cache, reduce
from itertools import pairwise
from operator import getitem
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from strongroom.contract import Ending, History, Outcome, Refusal, Seat
from strongroom.plugins.registry import load
from strongroom.referee.match import Match
from strongroom.referee.randomness import nonces
from strongroom.referee.record import (
    AidsSwitched,
    DamagedRecord,
    Hint,
    Record,
    Sitter,
    Step,
    commit,
)
from tests.tries import JSON, tries

Lines = list[dict[str, Any]]


@cache
def record(texts: str = "", name: str = "digit-deductions", **more: Any) -> Record:
    match = Match.start(load(name), nonce=nonces(1), **more)
    for text in texts.split():
        assert isinstance(match.actor, Seat)
        match = match.step(match.actor, match.record.game.move(text))
    return match.record


FINISHED = record("4-7 6-5 1-1 3-9 6-5")
UNFINISHED = record("4-7 6-5 1-1")


def data(of: Record = FINISHED) -> Lines:
    return [json.loads(line) for line in of.lines()]


def changed(line: int, part: str, value: Any, of: Record = FINISHED) -> Lines:
    whole = data(of)
    whole[line][part] = value
    return whole


def text(lines: Lines) -> str:
    return "".join(json.dumps(line) + "\n" for line in lines)


def refused(damaged: Lines | str) -> str:
    with pytest.raises(DamagedRecord) as refusal:
        Record.loads(damaged if isinstance(damaged, str) else text(damaged))
    assert str(refusal.value).isprintable()
    return str(refusal.value)


def test_a_record_is_written_to_text_and_read_back() -> None:
    hinted = UNFINISHED.then(Hint(Seat.ONE)).then(Hint(Seat.ONE)).then(Hint(Seat.TWO))
    limited, switched = record("4-7 6-5 1-1", turn_limit=1), UNFINISHED.then(AidsSwitched(True))
    ended = (
        UNFINISHED.then(Outcome(winner, reason, "why"))
        for winner in Seat
        for reason in (Ending.RESIGNED, Ending.FORFEITED)
    )
    strange = record("", sitters=(Sitter("Zoë 🗝"), Sitter('"; DROP')))
    variation = Match.start(load("safe-cracker", digits=5, attempts=2)).record
    for kept in (FINISHED, strange, *ended, limited, hinted, switched, variation):
        read = Record.loads(kept.dumps())
        assert read == kept
        assert read.dumps() == kept.dumps()
        assert (read.game, read.sitters, read.outcome) == (kept.game, kept.sitters, kept.outcome)
        assert (read.hints, read.aids_now) == (kept.hints, kept.aids_now)
    assert limited.outcome == Outcome(None, Ending.UNDECIDED)
    assert hinted.hints == (2, 1)
    assert (UNFINISHED.aids_now, switched.aids, switched.aids_now) == (False, False, True)
    assert not Record.loads(switched.then(AidsSwitched(False)).dumps()).aids_now


def test_a_record_is_readable_text_with_one_line_for_each_entry() -> None:
    sitters = (Sitter("Ann"), Sitter("Bob", "random"))
    header, one, _, guess = data(record("2-1-3 3-3-1 1-1-1", "safe-cracker", sitters=sitters))
    assert (header["schema"], header["game"]) == (2, "safe-cracker")
    assert header["options"] == {"digits": 3, "length": 3, "attempts": None}
    people = [{"name": "Ann", "player": "person"}, {"name": "Bob", "player": "random"}]
    assert header["seats"] == people
    assert guess == {"step": 3, "seat": 1, "move": "1-1-1", "answer": 1, "time": 0.0}
    assert (one["keeper"], one["answer"], len(one["nonce"])) == (1, None, 32)
    assert data()[-1] == {"end": {"winner": 1, "reason": "guessed", "detail": ""}}
    assert "end" not in data(UNFINISHED)[-1]


def test_a_record_only_ever_grows_and_replays_to_every_state_before_its_end() -> None:
    texts = ["", "4-7", "4-7 6-5", "4-7 6-5 1-1", "4-7 6-5 1-1 1-2"]
    for before, after in pairwise(record(each).dumps() for each in texts):
        assert after.startswith(before)
        assert len(after) > len(before)
    states = list(FINISHED.states())
    assert len(states) == 1 + len(FINISHED.steps)
    assert states[0] == FINISHED.game.start()
    assert states[-1] == FINISHED.replay()
    assert states[-1].outcome == FINISHED.outcome


def test_times_do_not_make_records_unequal_and_a_commitment_binds_the_move_and_the_nonce() -> None:
    later = History(*(replace(step, time=step.time + 60) for step in FINISHED.steps))
    assert FINISHED._replace(steps=later) == FINISHED
    one, two = (step.move for step in FINISHED.steps[:2])
    assert one is not None
    assert two is not None
    assert len({commit("a", one), commit("b", one), commit("a", two)}) == 3
    assert commit("a", one) == commit("a", one)


def test_thousands_of_moves_are_replayed_with_one_history() -> None:
    def repeated(answers: tuple[int, int]) -> Record:
        kept, move = record("4-7 6-5"), load("digit-deductions").move("1-1")
        for turn in range(4000):
            seat = Seat.TWO if turn % 2 else Seat.ONE
            kept = kept.then(Step(turn + 3, seat, move, answers[turn % 2]))
        return kept

    with pytest.raises(DamagedRecord, match=r"Step 4 \(1-1\)"):
        repeated((9, 10)).replay()  # the second guess is at 4-7, which is 9 away
    states = list(repeated((9, 9)).states())
    assert states[-1].turns == 4000
    assert all(one.past is other.past[0] for one, other in pairwise(states[2:]))


def test_a_changed_end_of_the_text_is_damage_and_an_interrupted_write_loses_only_that() -> None:
    for over in (FINISHED, record("4-7 6-5 1-1", turn_limit=1)):
        assert Record.loads(text(data(over)[:-1])) == over, "between the last step and the end"
    whole = FINISHED.dumps()
    for rest in (" ", "0", "\t", "}", "{}", '"', " \r", "\0 "):
        with pytest.raises(DamagedRecord, match=r"Line \d+ ends with .*, not with a new line"):
            Record.loads(whole[:-1] + rest)
    assert Record.loads(whole[:-1]) == Record.loads(whole[:-1] + "\0\0") == FINISHED
    for cut in range(whole.index("\n") + 1, len(whole)):
        read, kept = Record.loads(whole[:cut]), whole[:cut].count("\n")
        assert read.dumps().count("\n") in (kept, kept + 1, kept + 2)
        assert whole.startswith(read.dumps())


def test_a_line_truncated_in_the_middle_and_a_text_truncated_in_its_first_are_refused() -> None:
    first, _, _ = FINISHED.dumps().partition("\n")
    for kept in (0.1, 0.5, 0.9):
        refused(first[: int(len(first) * kept)])
    for cut in ("{", "{\n", "{\r\n", '{\n "schema": 1,\n'):
        assert refused(cut).startswith("Line 1 is not JSON")
    earlier = '{\n "schema": 1,\n "game": "quantum-duel",\n "moves": []\n}\n'
    assert "unreleased" in refused(earlier), "this is a whole object, in the earlier format"
    lines = list(FINISHED.lines())
    lines[2] = lines[2][:20] + "\n"
    assert refused("".join(lines)).startswith("Line 3 is not JSON")


DUEL = "quantum-duel"


def without(line: int, part: str | None = None) -> Lines:
    whole = data()
    if part is None:
        del whole[line]
    else:
        del whole[line][part]
    return whole


def test_a_record_that_the_rules_do_not_lead_to_is_refused_by_its_step_or_line() -> None:
    several = changed(2, "move", "3", record("3 5 7 1", DUEL))
    several[4]["move"] = "3"
    unfinished = data(UNFINISHED)
    sixth = {"step": 6, "seat": 2, "move": "1-1", "answer": 9, "time": 0.0}
    cases: list[tuple[Lines, str]] = [
        (changed(2, "move", "3", record("3 5", DUEL)), "Step 2 (3) does not fit: Cell 3 is alr"),
        (several, "Step 2 "),
        (changed(4, "move", "castle"), "Line 5: move: 'castle' is not a move"),
        (changed(3, "seat", 2), "Step 3 (1-1) is out of turn."),
        (changed(3, "answer", 3), "Step 3 (1-1) has another answer by the rules."),
        (changed(1, "answer", 3), "A private move has no answer"),
        (changed(5, "seat", 1, record("3 7 4 yes", DUEL)), "Step 5"),
        ([*data(), sixth], "Line 8: Something follows the end."),
        (without(4), "Line 5: Step 4 is missing."),
        (without(1, "keeper"), "Step 1 (4-7) is private and should not be, or the reverse."),
        (changed(1, "move", "4-8"), "commitment does not fit"),
        (changed(1, "commitment", "0" * 64), "commitment does not fit"),
        (changed(0, "turn_limit", 1, record("4-7 6-5 1-1 1-1")), "limit"),
        (changed(0, "turn_limit", 2, record("4-7 6-5 1-1", turn_limit=1)), "outcome"),
        ([*unfinished, {"hint": 3}], "hint: '3' should be 1 or 2"),
        ([*unfinished, {"aids": 1}], "Line 5: aids: '1' should be true or false"),
    ]
    for damaged, told in cases:
        assert told in refused(damaged)


def test_a_malformed_or_missing_part_is_refused_with_what_is_wrong() -> None:
    same = [{**sitter, "name": "Ada"} for sitter in data()[0]["seats"]]
    malformed: list[tuple[int, str, Any, str]] = [
        (0, "schema", 1, "That one was never released"),
        (0, "schema", 3, "schema '3'; this version reads 2"),
        *((0, "schema", value, f"schema '{value}'") for value in (True, 2.0, None)),
        (0, "id", "x", "An id is"),
        (0, "game", "chess", "There is no game 'chess'"),
        (0, "game", ["chess"], "There is no game"),
        *((0, "options", {name: 4}, f"no option '{name}'") for name in ("digits", "name")),
        (0, "options", [1], "Options must be a JSON object"),
        (0, "seats", [], "seats a list of two"),
        (0, "seats", None, "should be a JSON list"),
        (0, "seats", same, "The two names must differ"),
        (0, "turn_limit", 0, "turn_limit is '0'"),
        (0, "turn_limit", True, "turn_limit is 'True'"),
        (0, "turn_limit", "9", "turn_limit is"),
        (1, "step", 2, "Step 1 is missing"),
        *((1, "step", value, f"step: '{value}' should be a whole number") for value in (True, 1.0)),
        *((1, "seat", value, f"seat: '{value}' should be 1 or 2") for value in (3, True)),
        (1, "keeper", 3, "keeper: '3' should be 1 or 2"),
        *((1, "time", value, "should be a number") for value in ("noon", -1, 10**400, True)),
        (1, "move", ["4-7"], "is not a move"),
        *((3, "answer", value, "is not an answer") for value in (True, "9")),
        *((1, "nonce", value, "nonce") for value in ("0" * 31, "0" * 33, "G" * 32, "A" * 32)),
        *((1, "nonce", value, "nonce") for value in ("\ud800" * 32, "", 5, None)),
    ]
    for line, part, value, told in malformed:
        assert told in refused(changed(line, part, value))
    for number in ("NaN", "Infinity", "-Infinity", "1e999", "9" * 5000):
        refused(FINISHED.dumps().replace('"time":0.0', f'"time":{number}', 1))
    strange = ("", "\n", "{", "[]", "null", "7", '"x"', "{}", "\x00", "{}\n", "\n{}", "\ud800")
    for whole in (*strange, "[" * 100_000):
        refused(whole)
    for line, part in ((line, part) for line, parts in enumerate(data()) for part in parts):
        if part in ("version", "aids", "score"):  # informative only; older records lack them
            assert Record.loads(text(without(line, part))).steps == FINISHED.steps
        else:
            refused(without(line, part))


def test_an_outcome_that_the_moves_do_not_lead_to_is_refused() -> None:
    for winner, reason in ((2, "guessed"), (2, "resigned"), (None, "undecided")):
        outcome = {"winner": winner, "reason": reason, "detail": ""}
        assert "outcome" in refused(changed(-1, "end", outcome))
    unfounded: list[Any] = [
        *((1, each, "") for each in ("guessed", "undecided", "cheek")),
        *((None, each, "") for each in ("resigned", "undecided")),
        *((each, "resigned", "") for each in (0, 3, True)),
        *((1, "forfeited", each) for each in (5, "\x1b[2J", "x" * 201)),
    ]
    ends = [{"winner": one, "reason": why, "detail": detail} for one, why, detail in unfounded]
    odd: list[Any] = [{"winner": 1, "reason": "forfeited"}, {}, [], 0, "", False, None]
    for end in (*ends, *odd):
        refused([*data(UNFINISHED), {"end": end}])


def test_names_follow_the_same_rule_everywhere() -> None:
    names: list[Any] = ["", "x" * 25, "a\nb", "\x1b]0;x\x07", " Ann", "Ann ", "A  B", "\ud800"]
    for name in (*names, 7, None):
        with pytest.raises(Refusal):
            Sitter(name)
        refused(changed(0, "seats", [{"name": name, "player": "person"}, data()[0]["seats"][1]]))
    with pytest.raises(Refusal, match="must differ"):
        Match.start(load(DUEL), (Sitter("Ada"), Sitter("Ada")))


def test_a_record_of_a_game_that_is_not_registered_is_read_with_the_game() -> None:
    refused(unheard := changed(0, "game", "unheard-of"))
    with pytest.raises(DamagedRecord, match="with other options or rules"):
        Record.loads(text(unheard), FINISHED.game)
    assert Record.loads(FINISHED.dumps(), FINISHED.game) == FINISHED


def places(value: Any, path: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    for key, each in value.items() if isinstance(value, dict) else enumerate(value):
        yield (*path, key)
        if isinstance(each, (dict, list)):
            yield from places(each, (*path, key))


@pytest.mark.parametrize("whole", [FINISHED, UNFINISHED], ids=["finished", "unfinished"])
@tries(0.6)
@given(draw=st.data(), value=JSON)
def test_a_record_with_any_part_replaced_is_read_soundly_or_refused(
    whole: Record, draw: st.DataObject, value: Any
) -> None:
    damaged: Any = data(whole)
    *path, last = draw.draw(st.sampled_from([*places(damaged)]))
    reduce(getitem, path, damaged)[last] = value
    try:
        read = Record.loads(text(damaged))
    except DamagedRecord:
        return
    assert [step.move for step in read.steps] == [step.move for step in whole.steps]
    assert Record.loads(read.dumps()) == read
