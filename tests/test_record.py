"""Records: what was played, to text and back; a damaged one is refused with what is wrong."""

from __future__ import annotations

import copy
import json
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from strongroom.game import Outcome, Seat
from strongroom.match import Match
from strongroom.players.random import RandomPlayer
from strongroom.record import (
    FORFEITED,
    RESIGNED,
    UNDECIDED,
    DamagedRecord,
    Played,
    Record,
    Sitter,
)
from strongroom.registry import load

Json = dict[str, Any]


def record(*texts: str, name: str = "digit-deductions", **more: Any) -> Record:
    """The record of a match after the moves with these texts."""
    match = Match(load(name), Random(1), clock=lambda: 0.0, **more)
    for text in texts:
        match.play(match.record.game.move(text))
    return match.record


FINISHED = record("4-7", "6-5", "1-1", "3-9", "6-5")
UNFINISHED = record("4-7", "6-5", "1-1")


def data(of: Record = FINISHED) -> Json:
    loaded: Json = json.loads(of.dumps())
    return loaded


def refused(damaged: Any) -> str:
    with pytest.raises(DamagedRecord) as refusal:
        Record.from_json(damaged)
    return str(refusal.value)


def test_a_record_goes_to_text_and_back() -> None:
    assert Record.loads(FINISHED.dumps()) == FINISHED
    assert Record.loads(FINISHED.dumps()).dumps() == FINISHED.dumps()


def test_a_record_in_json_is_plain_to_read() -> None:
    sitters = (Sitter("Ann"), Sitter("Bob", "random"))
    kept = data(record("2-1-3", "3-3-1", "1-1-1", name="safe-cracker", sitters=sitters))
    assert (kept["schema"], kept["game"]) == (1, "safe-cracker")
    assert kept["options"] == {"digits": 3, "length": 3, "attempts": None}
    assert kept["seats"] == [
        {"name": "Ann", "player": "person"},
        {"name": "Bob", "player": "random"},
    ]
    assert kept["moves"][2] == {"seat": 1, "move": "1-1-1", "time": 0.0, "nonce": None}
    assert kept["outcome"] is None
    assert len(kept["commitments"]) == 2


def test_names_in_any_script_survive() -> None:
    named = record(sitters=(Sitter("Zoë 🗝"), Sitter('"; DROP')))
    assert Record.loads(named.dumps()).sitters == named.sitters


def test_a_record_replays_to_the_end_state_and_every_state_before() -> None:
    states = FINISHED.states()
    assert len(states) == 1 + len(FINISHED.moves)
    assert states[0] == FINISHED.game.start()
    assert states[-1] == FINISHED.replay()
    assert states[-1].outcome == FINISHED.outcome


def test_two_records_of_the_same_moves_are_equal_at_whatever_time_they_were_made() -> None:
    later = tuple(replace(played, time=played.time + 60) for played in FINISHED.moves)
    assert replace(FINISHED, moves=later) == FINISHED


def test_options_are_kept() -> None:
    match = Match(load("safe-cracker", digits=5, attempts=2), Random(1))
    assert Record.loads(match.record.dumps()).game == load("safe-cracker", digits=5, attempts=2)


@pytest.mark.parametrize("reason", [RESIGNED, FORFEITED])
@pytest.mark.parametrize("winner", Seat)
def test_an_ending_of_the_match_is_kept(reason: str, winner: Seat) -> None:
    ended = replace(record("4-7", "6-5"), outcome=Outcome(winner, reason))
    assert Record.loads(ended.dumps()) == ended


def test_an_undecided_match_is_kept_with_its_limit() -> None:
    ended = record("4-7", "6-5", "1-1", turn_limit=1)
    assert ended.outcome == Outcome(None, UNDECIDED)
    assert Record.loads(ended.dumps()) == ended


# --- damaged records ------------------------------------------------------------------------------


def change(path: list[str | int], value: Any, of: Record = FINISHED) -> Json:
    """The record's data with one thing in it replaced."""
    whole = data(of)
    place: Any = whole
    for step in path[:-1]:
        place = place[step]
    place[path[-1]] = value
    return whole


def test_an_illegal_move_is_refused_by_its_number() -> None:
    whole = record("3", "5", name="quantum-duel")
    damaged = change(["moves", 1, "move"], "3", whole)
    assert refused(damaged) == "Move 2 (3) does not fit: Cell 3 already holds X."


def test_the_first_of_several_moves_that_do_not_fit_is_named() -> None:
    whole = record("3", "5", "7", "1", name="quantum-duel")
    damaged = change(["moves", 1, "move"], "3", whole)
    damaged["moves"][3]["move"] = "3"
    assert refused(damaged).startswith("Move 2 ")


def test_a_move_of_the_wrong_seat_is_refused_by_its_number() -> None:
    assert refused(change(["moves", 2, "seat"], 2)) == "Move 3 (1-1) is out of turn."


def test_a_move_after_the_end_is_refused_by_its_number() -> None:
    damaged = data()
    damaged["moves"].append({"seat": 2, "move": "1-1", "time": 0.0, "nonce": None})
    assert refused(damaged) == "Move 6 (1-1) is out of turn."


def test_a_text_that_is_no_move_is_refused_by_its_number() -> None:
    assert "Move 4: 'castle' is no move" in refused(change(["moves", 3, "move"], "castle"))


def test_a_missing_move_is_noticed() -> None:
    damaged = data()
    del damaged["moves"][3]
    assert refused(damaged) == "Move 4 (6-5) is out of turn."


def test_a_coin_that_a_player_claims_to_have_thrown_is_refused() -> None:
    whole = record("3", "7", "4", "yes", name="quantum-duel")
    assert "Move 5" in refused(change(["moves", 4, "seat"], 1, whole))


@pytest.mark.parametrize(
    "outcome",
    [
        None,
        {"winner": 2, "reason": "guessed the secret number"},
        {"winner": 1, "reason": "was cleverer"},
        {"winner": 2, "reason": RESIGNED},
        {"winner": None, "reason": UNDECIDED},
    ],
)
def test_an_outcome_that_the_moves_do_not_lead_to_is_refused(outcome: Json | None) -> None:
    assert "outcome" in refused(change(["outcome"], outcome))


@pytest.mark.parametrize(
    "outcome",
    [
        {"winner": 1, "reason": "guessed the secret number"},
        {"winner": None, "reason": RESIGNED},
        {"winner": None, "reason": UNDECIDED},
        {"winner": 1, "reason": UNDECIDED},
        {"winner": 0, "reason": RESIGNED},
        {"winner": 3, "reason": RESIGNED},
        {},
        [],
        0,
        "",
        False,
    ],
    ids=repr,
)
def test_an_unfinished_game_with_an_outcome_from_nowhere_is_refused(outcome: Any) -> None:
    refused(change(["outcome"], outcome, UNFINISHED))


def test_undecided_before_the_limit_is_refused() -> None:
    damaged = change(["turn_limit"], 2, record("4-7", "6-5", "1-1", turn_limit=1))
    assert "outcome" in refused(damaged)


def test_a_changed_secret_does_not_fit_its_commitment() -> None:
    assert "commitments" in refused(change(["moves", 0, "move"], "4-8"))


def test_a_changed_commitment_is_noticed() -> None:
    assert "commitments" in refused(change(["commitments", 0], "0" * 64))


@pytest.mark.parametrize(
    ("path", "value", "words"),
    [
        (["schema"], 2, "schema 2; this version reads 1"),
        (["schema"], None, "schema None"),
        (["game"], "chess", "There is no game 'chess'"),
        (["game"], ["chess"], "malformed"),
        (["options"], {"digits": 4}, "There is no option 'digits'"),
        (["options"], [1], "malformed"),
        (["seats"], [], "malformed"),
        (["seats"], None, "malformed"),
        (["turn_limit"], 0, "turn_limit is 0"),
        (["turn_limit"], "9", "turn_limit is '9'"),
        (["moves"], None, "malformed"),
        (["moves"], [7], "malformed"),
        (["moves", 0, "seat"], 3, "malformed"),
        (["moves", 0, "time"], "noon", "malformed"),
        (["moves", 0, "time"], 10**400, "malformed"),
        (["moves", 0, "move"], ["4-7"], "malformed"),
        (["outcome"], "won", "malformed"),
        (["commitments"], None, "commitments"),
    ],
    ids=lambda part: str(part)[:30],
)
def test_a_malformed_part_is_refused_with_what_is_wrong(
    path: list[str | int], value: Any, words: str
) -> None:
    assert words in refused(change(path, value))


@pytest.mark.parametrize("part", list(data()))
def test_a_missing_part_is_refused(part: str) -> None:
    damaged = data()
    del damaged[part]
    if part == "version":  # which program wrote it is told, not needed
        assert Record.from_json(damaged) == FINISHED
    else:
        refused(damaged)


@pytest.mark.parametrize("text", ["", "{", "[]", "null", "7", '"x"', "{}", "[" * 100_000, "\x00"])
def test_a_text_that_is_no_record_is_refused(text: str) -> None:
    with pytest.raises(DamagedRecord):
        Record.loads(text)


@pytest.mark.parametrize("kept", [0.1, 0.5, 0.9, 0.99])
def test_a_text_that_was_cut_off_is_refused(kept: float) -> None:
    text = FINISHED.dumps()
    with pytest.raises(DamagedRecord, match="not a record"):
        Record.loads(text[: int(len(text) * kept)])


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


@pytest.mark.parametrize("whole", [FINISHED, UNFINISHED], ids=["finished", "unfinished"])
@settings(deadline=None)
@given(draw=st.data(), value=ANY_JSON)
def test_whatever_stands_anywhere_a_record_is_read_soundly_or_refused(
    whole: Record, draw: st.DataObject, value: Any
) -> None:
    path = draw.draw(st.sampled_from(places(data(whole))))
    try:
        read = Record.from_json(change(list(path), value, whole))
    except DamagedRecord:
        return
    assert read.moves == whole.moves
    assert Record.loads(read.dumps()) == read


def test_a_move_played_past_the_turn_limit_is_refused() -> None:
    unlimited = record("4-7", "6-5", "1-1", "1-1")
    assert "limit" in refused(change(["turn_limit"], 1, unlimited))


def test_a_commitment_binds_the_move_and_the_nonce() -> None:
    move = FINISHED.moves[0].move
    one, other = (Played(Seat.ONE, move, nonce=nonce).commitment for nonce in ("a", "b"))
    assert one != other
    assert Played(Seat.ONE, move, nonce="a").commitment == one
    assert Played(Seat.ONE, move).commitment is None


def test_reading_a_record_does_not_change_the_data() -> None:
    whole = data()
    untouched = copy.deepcopy(whole)
    Record.from_json(whole)
    assert whole == untouched


@pytest.mark.parametrize("name", ["safe-code", "quantum-duel"])
def test_a_long_match_of_random_players_survives_the_text(name: str) -> None:
    match = Match(load(name), Random(4), turn_limit=80)
    kept = match.run({seat: RandomPlayer(Random(seat.value)) for seat in Seat})
    assert Record.loads(kept.dumps()).replay() == match.state
