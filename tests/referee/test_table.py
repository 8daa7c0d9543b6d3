"""A table: the players of a match are asked in turn, whatever they do."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count
from random import Random
from threading import Event as Flag
from typing import Any
from unittest.mock import Mock

import pytest

from strongroom.contract import Ending, Move, NotLegal, Outcome, Seat, View
from strongroom.games.codes import Code
from strongroom.games.digit_deductions.rules import DigitDeductionsReason
from strongroom.players import Follows, Player
from strongroom.players.random import RandomPlayer
from strongroom.players.scripted import ScriptedPlayer
from strongroom.plugins.registry import load
from strongroom.referee.bout import UNDECIDED
from strongroom.referee.match import Match
from strongroom.referee.randomness import draws
from strongroom.referee.record import Record
from strongroom.referee.table import Table

GAME = load("digit-deductions")
DUEL = load("quantum-duel")
FOREIGN = Code((1,))
"""A move of no game that is played here."""


class Chooses:
    def __init__(self, choose: Callable[[View], Any]) -> None:
        self._choose = choose

    def choose(self, view: View) -> Move:
        move: Move = self._choose(view)
        return move


def always(move: object) -> Chooses:
    return Chooses(lambda view: move)


def raises(failure: BaseException) -> Chooses:
    return Chooses(Mock(side_effect=failure))


def scripts(one: list[str], two: list[str]) -> dict[Seat, Player]:
    return {Seat.ONE: ScriptedPlayer(GAME, one), Seat.TWO: ScriptedPlayer(GAME, two)}


def against_random(player: Player, **more: Any) -> Table:
    return Table(
        Match.start(DUEL), {Seat.ONE: RandomPlayer(DUEL, Random(1)), Seat.TWO: player}, **more
    )


def test_a_match_is_run_to_the_end_of_the_game_or_by_as_many_answers_as_are_wanted() -> None:
    lines = (["47", "55", "65"], ["65", "39"])
    for patience in (None, 60):
        match = Table(Match.start(GAME), scripts(*lines), patience=patience).run()
        assert match.outcome == Outcome(Seat.ONE, DigitDeductionsReason.GUESSED)
        steps = [str(step.move) for step in match.record.steps]
        assert steps == ["4-7", "6-5", "5-5", "3-9", "6-5"]
        gives_up = Table(Match.start(GAME), scripts(["47"], ["65"]), patience=patience).run()
        assert gives_up.outcome == Outcome(Seat.TWO, Ending.RESIGNED)
    table = Table(Match.start(GAME), scripts(*lines))
    assert [len(table.run(answers).record.steps) for answers in (0, 1, 2, 9)] == [0, 1, 3, 5]


def test_a_match_waits_where_a_seat_without_a_player_is_to_move() -> None:
    table = Table(Match.start(GAME), {Seat.TWO: ScriptedPlayer(GAME, ["65", "39"])})
    for move in ("4-7", "5-5"):
        assert table.run().actor is Seat.ONE
        table.play(Seat.ONE, GAME.move(move))
    with pytest.raises(NotLegal, match="It is the other player's turn"):
        table.play(Seat.TWO, GAME.move("6-5"))
    table.resign(Seat.ONE)
    assert table.run().outcome == Outcome(Seat.TWO, Ending.RESIGNED)


def test_players_are_shown_views_of_their_own_seat_and_only_on_their_turn() -> None:
    class Watches(RandomPlayer):
        def choose(self, view: View) -> Move:
            assert players[view.seat] is self  # type: ignore[index]
            assert view.seat is view.actor
            assert view.secrets is None
            return super().choose(view)

    players = {seat: Watches(GAME, Random(seat.value)) for seat in Seat}
    outcome = Table(Match.start(GAME), players).run().outcome
    assert outcome in [Outcome(seat, DigitDeductionsReason.GUESSED) for seat in Seat]


class Unspeakable(Exception):
    def __str__(self) -> str:
        raise RuntimeError


NOT_OURS = "its move was refused. That is not a move of quantum-duel."
NOT_AT_ALL = "its move was refused. That is not a move at all."


@pytest.mark.parametrize("patience", [None, 60])
def test_a_player_that_breaks_the_rules_or_fails_forfeits_and_the_record_says_how(
    patience: float | None,
) -> None:
    failures: dict[BaseException, str] = {
        ZeroDivisionError("oops \x1b[31m"): "ZeroDivisionError: oops ?[31m",
        Unspeakable(): "Unspeakable",
        SystemExit(3): "SystemExit: 3",
        GeneratorExit("bye"): "GeneratorExit: bye",
        RecursionError("too deep"): "RecursionError: too deep",
    }
    bots: list[tuple[Player, str]] = [
        (always(FOREIGN), NOT_OURS),
        *((always(it), NOT_AT_ALL) for it in (None, "3", 3, [], object())),
        *((raises(failure), f"it failed: {told}") for failure, told in failures.items()),
    ]
    for bot, detail in bots:
        match = against_random(bot, patience=patience).run()
        assert match.outcome == Outcome(Seat.ONE, Ending.FORFEITED, detail)
        assert Record.loads(match.record.dumps()).outcome == match.outcome


def test_a_player_that_stalls_past_its_limit_forfeits() -> None:
    never = Flag()
    match = against_random(Chooses(lambda view: never.wait(60)), patience=0.2).run()
    never.set()
    detail = "it failed: Stalls: no move after 0.2 seconds"
    assert match.outcome == Outcome(Seat.ONE, Ending.FORFEITED, detail)


def test_the_match_stays_as_it_is_when_somebody_presses_ctrl_c() -> None:
    table = against_random(raises(KeyboardInterrupt()))
    with pytest.raises(KeyboardInterrupt):
        table.run()
    assert table.match.outcome is None
    assert len(table.match.record.steps) == 1


def test_a_watcher_is_told_of_every_step_and_the_end_and_may_fail() -> None:
    ticks = count(100)
    told: list[Match] = []
    start = Match.start(GAME)
    table = Table(start, scripts(["47"], ["65"]), watch=told.append, clock=lambda: next(ticks))
    match = table.run()
    assert [len(each.record.steps) for each in told] == [1, 2, 2]
    assert [step.time for step in match.since(start)] == [100, 101]
    assert match.since(told[1]) == ()
    assert match.outcome is not None
    failures = []

    def watch(match: Match) -> None:
        failures.append(match)
        raise OSError("disk full")

    table = Table(Match.start(GAME), scripts(["47", "65"], ["65"]), watch=watch)
    for made in (1, 2, 3):
        with pytest.raises(OSError, match="disk full"):
            table.run()
        assert len(table.match.record.steps) == made, "the step is still made"
    assert table.match.outcome == Outcome(Seat.ONE, DigitDeductionsReason.GUESSED)
    assert len(failures) == 3


class Told(Follows):
    def __init__(self) -> None:
        self.ends: list[View] = []

    def choose(self, view: View) -> Move:
        return view.moves[0]

    def over(self, view: View) -> None:
        self.ends.append(view)
        raise SystemExit("what a player does at the end is its own affair")


def test_each_player_is_told_the_end_once_whatever_the_other_does_with_it() -> None:
    def leave_twice(table: Table) -> None:
        table.leave()
        table.leave()

    ends: list[tuple[Callable[[Table], object], Outcome]] = [
        (lambda table: table.resign(Seat.ONE), Outcome(Seat.TWO, Ending.RESIGNED)),
        (lambda table: table.play(Seat.ONE, DUEL.move("1")), UNDECIDED),
        (leave_twice, UNDECIDED),
    ]
    for end, outcome in ends:
        told = Told()
        table = Table(Match.start(DUEL, turn_limit=1), {Seat.TWO: told})
        table.run()
        end(table)
        assert [view.outcome for view in told.ends] == [outcome]
    assert table.match.outcome is None, "left, it stays as it is"
    one, two = Told(), Told()
    both: dict[Seat, Player] = {Seat.ONE: one, Seat.TWO: two}
    table = Table(Match.start(DUEL, turn_limit=2, draw=draws(1)), both)
    match = table.run()
    assert table.run() is match
    assert (one.ends, two.ends) == ([match.view(Seat.ONE)], [match.view(Seat.TWO)])
