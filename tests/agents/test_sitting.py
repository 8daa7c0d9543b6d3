"""One seat of a game against one of our players: the games that are played, and their costs."""

from __future__ import annotations

from random import Random
from statistics import fmean, stdev

import pytest

from strongroom.agents.sitting import Sitting
from strongroom.contract import Ending, Game, Move, NotLegal, Refusal, Seat, View
from strongroom.measuring.account import account
from strongroom.players import Player, Resigns, player
from strongroom.players.drive import Drive
from strongroom.plugins.registry import GAMES, load
from strongroom.referee.bout import TURN_LIMIT, UNDECIDED
from strongroom.referee.match import Match
from strongroom.referee.randomness import draws, stream
from strongroom.theory.shelf import solution_of
from tests.agents.hears import seat_hears

QUANTUM = load("quantum-duel")


class Fails:
    """Raises something, or makes a move that is none, when asked for one."""

    def __init__(self, failure: Exception | None) -> None:
        self._failure = failure

    def choose(self, view: View) -> Move:
        if self._failure is not None:
            raise self._failure
        return "rubbish"  # type: ignore[return-value]


def played(
    game: Game, opponent: str = "random", seat: Seat = Seat.ONE, seed: int = 1, **limit: int
) -> Sitting:
    """A whole game, with random moves that depend on the seed alone."""
    sitting, rng = Sitting(game, opponent, seat, seed, **limit), Random(seed)
    while not sitting.over:
        sitting.play(rng.choice(sitting.view.moves))
    return sitting


@pytest.mark.parametrize("seat", Seat)
@pytest.mark.parametrize("name", GAMES)
def test_a_sitting_is_the_match_of_the_same_seed_and_moves(name: str, seat: Seat) -> None:
    game = load(name)
    sitting = played(game, "casual", seat, seed=7)
    players: dict[Seat, Player] = {
        seat: player("random", game, Random(7)),
        seat.other: player("casual", game, stream(7, "opponent")),
    }
    match = Drive(Match.start(game, turn_limit=TURN_LIMIT, draw=draws(7)), players).run()
    assert [step.move for step in sitting.record.steps] == [s.move for s in match.record.steps]
    assert sitting.outcome == sitting.record.outcome == match.outcome
    assert sitting.view == match.view(seat)


@pytest.mark.parametrize("name", GAMES)
def test_costs_are_those_of_the_record(name: str) -> None:
    seat = [*Seat][[*GAMES].index(name) % 2]
    sitting = played(load(name), "master", seat, seed=3)
    own = account(sitting.record, seat, solution_of(sitting.game).worth)
    assert sitting.costs == [each.cost for each in own.decisions]
    assert sitting.cost() == sitting.costs[-1]


def test_costs_add_up_to_what_is_lost_against_a_best_response_but_for_luck() -> None:
    worth = solution_of(QUANTUM).worth
    following = worth.following(lambda view: dict.fromkeys(view.moves, 1 / len(view.moves)))
    assert following is not None
    lost = worth.start(Seat.TWO, TURN_LIMIT) - following.start(Seat.TWO, TURN_LIMIT)
    costs = [sum(played(QUANTUM, "master", Seat.TWO, seed).costs) for seed in range(60)]
    assert abs(fmean(costs) - lost) < 4 * stdev(costs) / len(costs) ** 0.5


def test_without_master_there_are_no_costs() -> None:
    with pytest.raises(Refusal, match="master"):
        _ = played(QUANTUM, "expert").costs


def test_giving_up_costs_all_that_was_left() -> None:
    sitting = Sitting(QUANTUM, "master", seed=1)
    left = solution_of(QUANTUM).worth.start(Seat.ONE, TURN_LIMIT)
    sitting.give_up("enough\x1b")
    assert sitting.costs == [left]
    assert sitting.result == -1
    assert sitting.outcome == sitting.record.outcome
    assert sitting.outcome is not None
    assert (sitting.outcome.reason, sitting.outcome.detail) == (Ending.FORFEITED, "enough?")
    own = account(sitting.record, Seat.ONE, solution_of(QUANTUM).worth)
    assert own.cost == left
    sitting.give_up("again")
    assert len(sitting.decided) == 1


@pytest.mark.parametrize(
    ("failure", "why"), [(None, "rubbish"), (ValueError("no chair"), "ValueError: no chair")]
)
def test_an_opponent_that_fails_forfeits(failure: Exception | None, why: str) -> None:
    sitting = Sitting(load("safe-cracker"), Fails(failure), Seat.TWO, seed=1)
    assert (sitting.over, sitting.result, sitting.decided) == (True, 1, [])
    assert sitting.outcome == sitting.record.outcome == sitting.forfeited
    assert sitting.outcome is not None
    assert why in sitting.outcome.detail


def test_an_opponent_can_resign() -> None:
    sitting = Sitting(QUANTUM, Fails(Resigns()), seed=1)
    sitting.play(QUANTUM.move("4"))
    assert sitting.result == 1
    assert sitting.outcome == sitting.record.outcome
    assert sitting.outcome is not None
    assert sitting.outcome.reason is Ending.RESIGNED


def test_an_opponent_that_wants_to_know_is_told_once_how_each_game_ended(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ends = seat_hears(monkeypatch)
    sitting = played(QUANTUM, "hears")
    assert [view.outcome for view in ends] == [sitting.outcome]
    assert ends[0].seat is Seat.TWO
    Sitting(QUANTUM, "hears", seed=1).give_up("enough")
    assert len(ends) == 2


def test_a_game_that_is_left_is_undecided_to_the_opponent_and_unfinished_in_the_record(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ends = seat_hears(monkeypatch)
    sitting = Sitting(QUANTUM, "hears", seed=1)
    before = sitting.view
    with pytest.raises(NotLegal):
        sitting.play(QUANTUM.move("yes"))  # which changes nothing
    assert (sitting.view, sitting.decided) == (before, [])
    sitting.play(QUANTUM.move("4"))
    for _ in range(2):
        sitting.leave()
    assert [view.outcome for view in ends] == [UNDECIDED]
    assert sitting.record.outcome is None
    with pytest.raises(NotLegal, match="over"):
        sitting.play(QUANTUM.move("4"))


def test_the_record_of_a_game_without_a_seed_is_of_that_game() -> None:
    rng = Random(1)
    for _ in range(10):
        sitting = Sitting(QUANTUM, "random")
        while not sitting.over:
            sitting.play(rng.choice(sitting.view.moves))
        record = sitting.record
        assert record.replay().log == sitting.view.history
        assert record == sitting.record


def test_the_turn_limit_leaves_a_game_undecided_and_nothing_can_be_played_after_it() -> None:
    sitting = played(QUANTUM, turn_limit=3)
    assert sitting.outcome == UNDECIDED == sitting.record.outcome
    assert sitting.result == 0
    with pytest.raises(NotLegal, match="over"):
        sitting.play(QUANTUM.move("4"))
