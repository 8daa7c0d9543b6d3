"""Records: written to text and read back."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from random import Random
from typing import TYPE_CHECKING

import pytest

from strongroom.contract import Ending, History, Outcome, Seat
from strongroom.players.drive import Drive
from strongroom.players.random import RandomPlayer
from strongroom.plugins.registry import load
from strongroom.referee.match import Match
from strongroom.referee.record import AidsSwitched, DamagedRecord, Hint, Record, Step, commit
from strongroom.referee.sitter import Sitter

if TYPE_CHECKING:
    from tests.referee.record.conftest import Data, Recorded


def test_a_record_is_written_to_text_and_read_back(finished: Record) -> None:
    assert Record.loads(finished.dumps()) == finished
    assert Record.loads(finished.dumps()).dumps() == finished.dumps()


def test_a_record_is_readable_text_with_one_line_for_each_entry(
    record: Recorded, data: Data
) -> None:
    sitters = (Sitter("Ann"), Sitter("Bob", "random"))
    kept = data(record("2-1-3", "3-3-1", "1-1-1", name="safe-cracker", sitters=sitters))
    header, one, _, guess = kept
    assert (header["schema"], header["game"]) == (2, "safe-cracker")
    assert header["options"] == {"digits": 3, "length": 3, "attempts": None}
    assert header["seats"] == [
        {"name": "Ann", "player": "person"},
        {"name": "Bob", "player": "random"},
    ]
    assert guess == {"step": 3, "seat": 1, "move": "1-1-1", "answer": 1, "time": 0.0}
    assert (one["keeper"], one["answer"], len(one["nonce"])) == (1, None, 32)


def test_the_end_is_the_last_line(unfinished: Record, data: Data) -> None:
    assert data()[-1] == {"end": {"winner": 1, "reason": "guessed", "detail": ""}}
    assert "end" not in data(unfinished)[-1]


def test_a_record_only_ever_grows(record: Recorded) -> None:
    lengths = [len(record(*["4-7", "6-5", "1-1", "1-2"][:n]).dumps()) for n in range(5)]
    whole = record("4-7", "6-5", "1-1", "1-2").dumps()
    for n, length in enumerate(lengths):
        assert whole[:length] == record(*["4-7", "6-5", "1-1", "1-2"][:n]).dumps()


def test_names_in_any_script_survive(record: Recorded) -> None:
    named = record(sitters=(Sitter("Zoë 🗝"), Sitter('"; DROP')))
    assert Record.loads(named.dumps()).sitters == named.sitters


def test_a_record_replays_to_the_end_state_and_every_state_before(finished: Record) -> None:
    states = list(finished.states())
    assert len(states) == 1 + len(finished.steps)
    assert states[0] == finished.game.start()
    assert states[-1] == finished.replay()
    assert states[-1].outcome == finished.outcome


def test_two_records_of_the_same_moves_are_equal_whatever_their_times(
    finished: Record,
) -> None:
    later = History(*(replace(step, time=step.time + 60) for step in finished.steps))
    assert finished._replace(steps=later) == finished


def test_options_are_kept() -> None:
    match = Match.start(load("safe-cracker", digits=5, attempts=2))
    assert Record.loads(match.record.dumps()).game == load("safe-cracker", digits=5, attempts=2)


@pytest.mark.parametrize("reason", [Ending.RESIGNED, Ending.FORFEITED])
@pytest.mark.parametrize("winner", Seat)
def test_the_ending_of_a_match_is_kept(reason: Ending, winner: Seat, record: Recorded) -> None:
    ended = record("4-7", "6-5").then(Outcome(winner, reason, "why"))
    assert Record.loads(ended.dumps()) == ended


def test_an_undecided_match_is_kept_with_its_limit(record: Recorded) -> None:
    ended = record("4-7", "6-5", "1-1", turn_limit=1)
    assert ended.outcome == Outcome(None, Ending.UNDECIDED)
    assert Record.loads(ended.dumps()) == ended


def test_hints_are_kept_where_they_were_taken(record: Recorded) -> None:
    hinted = record("4-7", "6-5").then(Hint(Seat.ONE)).then(Hint(Seat.ONE)).then(Hint(Seat.TWO))
    assert hinted.hints == (2, 1)
    assert Record.loads(hinted.dumps()) == hinted


def test_a_switch_of_the_aids_is_kept_beside_what_the_match_began_with(record: Recorded) -> None:
    begun = record("4-7", "6-5")
    switched = begun.then(AidsSwitched(True))
    assert (begun.aids_now, switched.aids, switched.aids_now) == (False, False, True)
    assert Record.loads(switched.dumps()) == switched
    assert not Record.loads(switched.then(AidsSwitched(False)).dumps()).aids_now
    with pytest.raises(DamagedRecord, match="Line 4: aids must be true or false"):
        Record.loads(begun.dumps() + '{"aids":1}\n')


def test_a_commitment_binds_the_move_and_the_nonce(finished: Record) -> None:
    one, two = (step.move for step in finished.steps[:2])
    assert one is not None
    assert two is not None
    assert len({commit("a", one), commit("b", one), commit("a", two)}) == 3
    assert commit("a", one) == commit("a", one)


@pytest.mark.parametrize("name", ["safe-code", "quantum-duel"])
def test_a_long_match_of_random_players_survives_the_text(name: str) -> None:
    game = load(name)
    match = Match.start(game, turn_limit=80)
    match = Drive(match, {seat: RandomPlayer(game, Random(seat.value)) for seat in Seat}).run()
    assert Record.loads(match.record.dumps()).replay() == match.state


def test_forty_thousand_moves_are_replayed_with_one_history(record: Recorded) -> None:
    game = load("digit-deductions")
    kept = record("4-7", "6-5")
    number, move = len(kept.steps), game.move("1-1")
    for turn in range(40_000):
        seat, number = (Seat.TWO if turn % 2 else Seat.ONE), number + 1
        kept = kept.then(Step(number, seat, move, 10 if turn % 2 else 9))
    wrong = kept.steps[3]
    assert wrong.answer == 10, "the second guess is at 4-7, which is 9 away"
    with pytest.raises(DamagedRecord, match=r"Step 4 \(1-1\)"):
        kept.replay()
    steps = [replace(step, answer=9) for step in kept.steps[2:]]
    right = record("4-7", "6-5")
    for step in steps:
        right = right.then(step)
    states = list(right.states())
    assert states[-1].turns == 40_000
    assert all(one.past is other.past[0] for one, other in pairwise(states[2:]))
