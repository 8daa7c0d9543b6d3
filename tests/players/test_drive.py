"""Driving the players of a match: each is asked in turn, whatever they do."""

from __future__ import annotations

from itertools import count
from random import Random
from threading import Event as Flag
from typing import Any

import pytest

from strongroom.contract import Ending, Move, NotLegal, Outcome, Refusal, Seat, View
from strongroom.games.codes import Code
from strongroom.games.digit_deductions.rules import Guessed
from strongroom.players import Follows, Leaves, Patient, Player, Resigns
from strongroom.players.drive import Drive
from strongroom.players.random import RandomPlayer
from strongroom.players.scripted import ScriptedPlayer
from strongroom.plugins.registry import load, names
from strongroom.referee.bout import UNDECIDED
from strongroom.referee.match import Match
from strongroom.referee.randomness import draws, nonces, stream
from strongroom.referee.record import Record, Step

GAME = load("digit-deductions")
DUEL = load("quantum-duel")


def scripts(one: list[str], two: list[str]) -> dict[Seat, Player]:
    return {Seat.ONE: ScriptedPlayer(GAME, one), Seat.TWO: ScriptedPlayer(GAME, two)}


def against_random(player: Player) -> dict[Seat, Player]:
    return {Seat.ONE: RandomPlayer(DUEL, Random(1)), Seat.TWO: player}


def ended(match: Match) -> tuple[Seat | None, object]:
    assert match.outcome is not None
    return match.outcome.winner, match.outcome.reason


def test_a_match_is_run_to_the_end_of_the_game() -> None:
    match = Drive(Match.start(GAME), scripts(["47", "55", "65"], ["65", "39"])).run()
    assert match.outcome == Outcome(Seat.ONE, Guessed.GUESSED)
    steps = [str(step.move) for step in match.record.steps]
    assert steps == ["4-7", "6-5", "5-5", "3-9", "6-5"]


def test_a_match_waits_where_a_seat_without_a_player_is_to_move() -> None:
    drive = Drive(Match.start(GAME), {Seat.TWO: ScriptedPlayer(GAME, ["65", "39"])})
    for move in ("4-7", "5-5"):
        assert drive.run().actor is Seat.ONE
        drive.play(Seat.ONE, GAME.move(move))
    with pytest.raises(NotLegal, match="It is the other player's turn"):
        drive.play(Seat.ONE, GAME.move("6-5"))
    drive.run()
    drive.resign(Seat.ONE)
    assert ended(drive.run()) == (Seat.TWO, Ending.RESIGNED)


def test_a_match_goes_on_by_as_many_answers_as_are_wanted() -> None:
    drive = Drive(Match.start(GAME), scripts(["47", "55", "65"], ["65", "39"]))
    assert [len(drive.run(answers).record.steps) for answers in (0, 1, 2, 9)] == [0, 1, 3, 5]


def test_players_are_shown_views_of_their_own_seat_and_only_on_their_turn() -> None:
    class Watches(RandomPlayer):
        def __init__(self, seat: Seat) -> None:
            super().__init__(GAME, Random(seat.value))
            self.seat = seat

        def choose(self, view: View) -> Move:
            assert view.seat is view.actor is self.seat
            assert view.secrets is None
            return super().choose(view)

    match = Drive(Match.start(GAME), {seat: Watches(seat) for seat in Seat}).run()
    assert ended(match)[1] is Guessed.GUESSED


@pytest.mark.parametrize("name", names("game"))
def test_the_same_seeds_give_the_same_record_and_other_seeds_another(name: str) -> None:
    def text(seed: int) -> str:
        game = load(name)
        match = Match.start(game, draw=draws(seed), nonce=nonces(seed))
        players = {seat: RandomPlayer(game, stream(seed, f"player {seat}")) for seat in Seat}
        return Drive(match, players, clock=lambda: 0.0).run().record.dumps()

    assert text(1) == text(1) != text(2)


def test_a_player_who_resigns_when_asked_loses() -> None:
    match = Drive(Match.start(GAME), scripts(["47"], ["65"])).run()
    assert match.outcome == Outcome(Seat.TWO, Ending.RESIGNED)


# --- players that misbehave -----------------------------------------------------------------------


class Illegal:
    """A player who always answers with a move of another game."""

    def choose(self, view: View) -> Move:
        return Code((1,))


def test_a_player_who_breaks_the_rules_forfeits_and_the_record_says_how() -> None:
    match = Drive(Match.start(DUEL), against_random(Illegal())).run()
    assert ended(match) == (Seat.ONE, Ending.FORFEITED)
    assert match.outcome is not None
    assert match.outcome.detail == "its move was refused. That is not a move of quantum-duel."
    assert Record.loads(match.record.dumps()).outcome == match.outcome


def test_a_player_that_raises_forfeits_and_the_record_says_what() -> None:
    class Broken:
        def choose(self, view: View) -> Move:
            raise ZeroDivisionError("oops \x1b[31m")

    match = Drive(Match.start(DUEL), against_random(Broken())).run()
    assert ended(match) == (Seat.ONE, Ending.FORFEITED)
    assert match.outcome is not None
    assert match.outcome.detail == "it failed: ZeroDivisionError: oops ?[31m"


def test_a_failure_that_cannot_even_be_printed_is_a_forfeit_too() -> None:
    class Unspeakable(Exception):
        def __str__(self) -> str:
            raise RuntimeError

    class Broken:
        def choose(self, view: View) -> Move:
            raise Unspeakable

    match = Drive(Match.start(DUEL), against_random(Broken())).run()
    assert match.outcome is not None
    assert match.outcome.detail == "it failed: Unspeakable"


@pytest.mark.parametrize("rubbish", [None, "3", 3, [], object()])
def test_a_player_that_answers_garbage_forfeits(rubbish: Any) -> None:
    class Rubbish:
        def choose(self, view: View) -> Move:
            answer: Move = rubbish
            return answer

    match = Drive(Match.start(DUEL), against_random(Rubbish())).run()
    assert ended(match) == (Seat.ONE, Ending.FORFEITED)
    assert match.outcome is not None
    assert match.outcome.detail == "its move was refused. That is not a move at all."


def test_a_player_that_stalls_past_its_limit_forfeits() -> None:
    never = Flag()

    class Sleeps:
        def choose(self, view: View) -> Move:
            never.wait(60)
            return view.moves[0]

    seated: dict[Seat, Player] = {Seat.ONE: Sleeps(), Seat.TWO: RandomPlayer(DUEL, Random(1))}
    match = Drive(Match.start(DUEL), seated, patience=0.2).run()
    never.set()
    assert ended(match) == (Seat.TWO, Ending.FORFEITED)
    assert match.outcome is not None
    assert match.outcome.detail == "it failed: Stalls: no move after 0.2 seconds"


def test_players_within_their_time_limit_play_as_without_one() -> None:
    match = Drive(Match.start(GAME), scripts(["47", "65"], ["65"]), patience=60).run()
    assert match.outcome == Outcome(Seat.ONE, Guessed.GUESSED)
    resigned = Drive(Match.start(GAME), scripts(["47"], ["65"]), patience=60).run()
    assert resigned.outcome == Outcome(Seat.TWO, Ending.RESIGNED)


def test_a_patient_player_is_told_of_a_refusal_and_asked_again() -> None:
    class Stubborn(Illegal, Patient):
        heard: list[Refusal]

        def __init__(self) -> None:
            self.heard = []

        def choose(self, view: View) -> Move:
            if len(self.heard) == 3:
                raise Resigns
            return super().choose(view)

        def refused(self, refusal: Refusal) -> None:
            self.heard.append(refusal)

    stubborn = Stubborn()
    match = Drive(Match.start(DUEL), {Seat.ONE: stubborn, Seat.TWO: Illegal()}).run()
    assert [type(refusal) for refusal in stubborn.heard] == [NotLegal] * 3
    assert (len(match.record.steps), match.outcome) == (0, Outcome(Seat.TWO, Ending.RESIGNED))


def test_a_bot_that_only_listens_to_refusals_still_forfeits() -> None:
    class Listens(Illegal):
        def refused(self, refusal: Refusal) -> None:
            pass

    match = Drive(Match.start(DUEL), against_random(Listens())).run()
    assert ended(match) == (Seat.ONE, Ending.FORFEITED)


def test_the_match_stays_as_it_is_when_a_player_leaves() -> None:
    class Goes(Patient):
        def choose(self, view: View) -> Move:
            raise Leaves

        def refused(self, refusal: Refusal) -> None:
            pass

    drive = Drive(Match.start(DUEL), against_random(Goes()))
    with pytest.raises(Leaves):
        drive.run()
    assert drive.match.outcome is None
    assert len(drive.match.record.steps) == 1


@pytest.mark.parametrize("failure", [Leaves("gone"), SystemExit(3), RecursionError("too deep")])
@pytest.mark.parametrize("patience", [None, 60])
def test_no_exception_of_a_bot_escapes_the_drive(
    failure: BaseException, patience: float | None
) -> None:
    class Bolts:
        def choose(self, view: View) -> Move:
            raise failure

    match = Drive(Match.start(DUEL), against_random(Bolts()), patience=patience).run()
    assert ended(match) == (Seat.ONE, Ending.FORFEITED)
    assert match.outcome is not None
    assert match.outcome.detail == f"it failed: {type(failure).__name__}: {failure}"


# --- watching -------------------------------------------------------------------------------------


def test_a_watcher_is_told_of_every_step_once_it_is_made_and_of_the_end() -> None:
    ticks = count(100)
    told: list[tuple[int, tuple[Step, ...]]] = []
    drive = Drive(
        Match.start(GAME),
        scripts(["47"], ["65"]),
        watch=lambda match, steps: told.append((len(match.record.steps), steps)),
        clock=lambda: next(ticks),
    )
    match = drive.run()
    assert [length for length, _ in told] == [1, 2, 2]
    assert [step.time for _, steps in told for step in steps] == [101, 102]
    assert told[-1][1] == ()
    assert match.outcome is not None


def test_a_watcher_that_fails_never_costs_the_mover_the_game() -> None:
    class DiskFull(Exception):
        pass

    failures = 0

    def watch(match: Match, steps: tuple[Step, ...]) -> None:
        nonlocal failures
        failures += 1
        raise DiskFull

    drive = Drive(Match.start(GAME), scripts(["47", "65"], ["65"]), watch=watch)
    for made in (1, 2, 3):
        with pytest.raises(DiskFull):
            drive.run()
        assert len(drive.match.record.steps) == made, "the step is still made"
    assert drive.match.outcome == Outcome(Seat.ONE, Guessed.GUESSED)
    assert failures == 3


# --- the end --------------------------------------------------------------------------------------


class Told(Follows):
    """Makes the first move, and remembers every end that it is told."""

    def __init__(self) -> None:
        self.ends: list[View] = []

    def choose(self, view: View) -> Move:
        return view.moves[0]

    def over(self, view: View) -> None:
        self.ends.append(view)
        raise SystemExit("what a player does at the end is its own affair")


def sat_down(turn_limit: int | None = None) -> tuple[Drive, Told]:
    """A match of Quantum Duel whose first seat has no player, at its first move."""
    told = Told()
    drive = Drive(Match.start(DUEL, turn_limit=turn_limit), {Seat.TWO: told})
    drive.run()
    return drive, told


def test_each_player_is_told_the_end_once_whatever_the_other_does_with_it() -> None:
    one, two = Told(), Told()
    drive = Drive(Match.start(DUEL, turn_limit=2, draw=draws(1)), {Seat.ONE: one, Seat.TWO: two})
    match = drive.run()
    assert drive.run() is match
    assert (one.ends, two.ends) == ([match.view(Seat.ONE)], [match.view(Seat.TWO)])


def test_a_player_is_told_that_the_other_seat_resigned() -> None:
    drive, told = sat_down()
    drive.resign(Seat.ONE)
    assert told.ends == [drive.match.view(Seat.TWO)]
    assert told.ends[0].outcome == Outcome(Seat.TWO, Ending.RESIGNED)


def test_a_player_is_told_that_the_other_seats_move_ended_the_match() -> None:
    drive, told = sat_down(turn_limit=1)
    drive.play(Seat.ONE, drive.match.view(Seat.ONE).moves[0])
    assert [view.outcome for view in told.ends] == [UNDECIDED]


def test_a_match_that_is_abandoned_is_undecided_to_its_players_and_stays_as_it_is() -> None:
    drive, told = sat_down()
    drive.abandon()
    drive.abandon()
    assert [view.outcome for view in told.ends] == [UNDECIDED]
    assert drive.match.outcome is None
