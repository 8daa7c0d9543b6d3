"""One seat against our players, in moves and in text: what it is told, and what answers lead to."""

from __future__ import annotations

from random import Random
from unittest.mock import Mock

import pytest

from strongroom.accounts.account import account
from strongroom.contract import Ending, Game, NotLegal, Outcome, Refusal, Seat
from strongroom.doors.sitting import RESULTS, Sitting, TextSitting
from strongroom.minds.dialogue import TRIES, Style, move_answer
from strongroom.players import Player, Resigns, player
from strongroom.plugins.registry import GAMES, load
from strongroom.referee.bout import TURN_LIMIT, UNDECIDED
from strongroom.referee.match import Match
from strongroom.referee.randomness import draws, stream
from strongroom.referee.table import Table
from strongroom.theory.shelf import solution_of
from tests.minds.hears import seat_hears

QUANTUM, CRACKER = load("quantum-duel"), load("safe-cracker")
RUBBISH = "I would rather not."


def played(
    game: Game, opponent: str = "random", seat: Seat = Seat.ONE, seed: int | None = 1, **limit: int
) -> Sitting:
    """A whole game, with random moves that depend on the seed alone."""
    sitting, rng = Sitting(game, opponent, seat, seed, **limit), Random(seed or 1)
    while not sitting.is_over:
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
    match = Table(Match.start(game, turn_limit=TURN_LIMIT, draw=draws(7)), players).run()
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


def test_giving_up_costs_all_that_was_left_and_only_against_master_is_a_cost_known() -> None:
    sitting = Sitting(QUANTUM, "master", seed=1)
    left = solution_of(QUANTUM).worth.start(Seat.ONE, TURN_LIMIT)
    sitting.give_up("enough\x1b")
    assert (sitting.costs, sitting.result) == ([left], -1)
    assert sitting.outcome == sitting.record.outcome
    assert sitting.outcome == Outcome(Seat.TWO, Ending.FORFEITED, "enough?")
    assert account(sitting.record, Seat.ONE, solution_of(QUANTUM).worth).cost == left
    sitting.give_up("again")
    assert len(sitting.decided) == 1
    with pytest.raises(Refusal, match="master"):
        _ = played(QUANTUM, "expert").costs


@pytest.mark.parametrize(
    ("failure", "reason", "why"),
    [
        (None, Ending.FORFEITED, "its move was refused. That is not a move at all."),
        (ValueError("no chair\x1b"), Ending.FORFEITED, "ValueError: no chair?"),
        (Resigns(), Ending.RESIGNED, ""),
    ],
)
def test_an_opponent_that_fails_or_resigns_loses_and_the_record_says_why(
    failure: Exception | None, reason: Ending, why: str
) -> None:
    choose = Mock(side_effect=failure, return_value="rubbish")
    opponent = Mock(spec=["choose"], choose=choose)
    sitting = TextSitting(CRACKER, opponent, Seat.TWO, seed=1)
    assert (sitting.is_over, sitting.result, sitting.decided) == (True, 1, [])
    assert sitting.outcome == sitting.record.outcome == sitting.forfeit_outcome
    assert sitting.outcome is not None
    assert sitting.outcome.reason is reason
    assert why in sitting.outcome.detail
    assert sitting.closing == f"You won. {sitting.outcome.detail}".strip()


def test_an_opponent_hears_once_how_each_game_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    ends = seat_hears(monkeypatch)
    sitting = played(QUANTUM, "hears")
    assert [view.outcome for view in ends] == [sitting.outcome]
    assert ends[0].seat is Seat.TWO
    Sitting(QUANTUM, "hears", seed=1).give_up("enough")
    assert len(ends) == 2
    sitting = Sitting(QUANTUM, "hears", seed=1)
    before = sitting.view
    with pytest.raises(NotLegal):
        sitting.play(QUANTUM.move("yes"))  # which changes nothing
    assert (sitting.view, sitting.decided) == (before, [])
    sitting.play(QUANTUM.move("4"))
    for _ in range(2):
        sitting.leave()
    assert [view.outcome for view in ends[2:]] == [UNDECIDED]
    assert sitting.record.outcome is None
    with pytest.raises(NotLegal, match="over"):
        sitting.play(QUANTUM.move("4"))


def test_a_game_without_a_seed_has_its_record_and_one_at_its_turn_limit_is_undecided() -> None:
    for _ in range(10):
        sitting = played(QUANTUM, seed=None)
        record = sitting.record
        assert record.replay().log == sitting.view.history
        assert record == sitting.record
    sitting = played(QUANTUM, turn_limit=3)
    assert sitting.outcome == UNDECIDED == sitting.record.outcome
    assert sitting.result == 0
    with pytest.raises(NotLegal, match="over"):
        sitting.play(QUANTUM.move("4"))


@pytest.mark.parametrize("style", [Style(), Style(disguise=True)], ids=["plain", "disguised"])
@pytest.mark.parametrize("name", GAMES)
def test_legal_answers_lead_to_the_end_of_a_game(name: str, style: Style) -> None:
    sitting, rng = TextSitting(load(name), "random", Seat.TWO, seed=4, style=style), Random(4)
    while not sitting.is_over:
        assert sitting.question == sitting.dialogue.ask(sitting.view)
        move = rng.choice(sitting.view.moves)
        sitting.answer(move_answer(sitting.dialogue.words.text(move)))
    assert sitting.illegal == 0
    assert sitting.question == sitting.closing
    assert sitting.closing.endswith(result := RESULTS[sitting.result])
    assert (sitting.closing == result) == bool(style.disguise)


def test_a_refused_answer_says_why_and_changes_nothing_until_the_third_in_a_row_loses() -> None:
    sitting = TextSitting(CRACKER, "random", seed=1)
    before = sitting.view
    for count in range(1, TRIES):
        sitting.answer(move_answer("2-1-3") if count == 1 else RUBBISH, cut_off=count == 1)
        assert ("cut off" in sitting.question) == (count == 1)
        assert sitting.question.endswith("Answer again.")
        assert (sitting.illegal, sitting.view, sitting.decided) == (count, before, [])
    sitting.answer(move_answer("2-1-3"))
    for _ in range(TRIES - 1):
        sitting.answer(RUBBISH)
    sitting.answer(move_answer("1-1-1"))
    assert not sitting.is_over
    for _ in range(TRIES):
        sitting.answer(RUBBISH)
    assert sitting.outcome == Outcome(
        Seat.TWO, Ending.FORFEITED, "None of 3 answers was a legal move."
    )
    assert (sitting.result, sitting.record.outcome) == (-1, sitting.outcome)
    with pytest.raises(NotLegal, match="over"):
        sitting.answer(move_answer("1-1-1"))
