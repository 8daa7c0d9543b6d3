"""The referee is a value: it checks, applies, draws, limits and ends, and announces nothing."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import count, product
from random import Random
from typing import Any
from unittest.mock import Mock

import pytest

from strongroom.contract import CHANCE, NAMES, Ending, Move, NotLegal, Outcome, Seat, View
from strongroom.games.codes import Code
from strongroom.games.digit_deductions.rules import DigitDeductionsReason
from strongroom.games.quantum_duel.rules import COIN
from strongroom.games.safecracker_duel.rules import Change
from strongroom.plugins.registry import GAMES, load
from strongroom.referee.bout import Bout
from strongroom.referee.match import Match
from strongroom.referee.randomness import draws, nonces
from strongroom.referee.record import Record

DUEL = load("quantum-duel")


def match(name: str = "digit-deductions", *texts: str, seed: int = 1, **more: Any) -> Match:
    table = Match.start(load(name), draw=draws(seed), nonce=nonces(seed), **more)
    for text in texts:
        assert isinstance(table.actor, Seat)
        table = table.step(table.actor, table.record.game.move(text))
    return table


def moves(table: Match) -> list[str]:
    return [str(step.move) for step in table.record.steps]


def test_a_step_gives_a_new_match_and_leaves_the_old_one_as_it_was() -> None:
    before = match("digit-deductions", "4-7", "6-5")
    after = before.step(Seat.ONE, Code((5, 5)), at=7.0)
    steps = after.since(before)
    assert [str(step.move) for step in steps] == ["5-5"]
    assert (steps[0].answer, steps[0].time, steps[0].keeper) == (1, 7.0, None)
    assert (moves(before), moves(after)) == (["4-7", "6-5"], ["4-7", "6-5", "5-5"])
    assert before.state == match("digit-deductions", "4-7", "6-5").state
    assert (before.actor, after.actor) == (Seat.ONE, Seat.TWO)
    for digits in ("2-2", "3-3"):
        other = after.step(Seat.TWO, after.record.game.move(digits))
        assert moves(other)[3:] == [digits]
        assert [str(event.move) for event in other.state.log] == ["5-5", digits]


def test_everybody_but_its_keeper_gets_a_private_step_without_its_move() -> None:
    step = match("digit-deductions", "4-7").step(Seat.TWO, Code((6, 5))).record.steps[-1]
    assert step.keeper is Seat.TWO
    assert step.seen_by(Seat.TWO) == step
    for viewer in (Seat.ONE, None):
        seen = step.seen_by(viewer)
        assert (seen.number, seen.actor, seen.commitment) == (2, Seat.TWO, step.commitment)
        assert (seen.move, seen.answer, seen.nonce) == (None, None, None)
        assert "6-5" not in str(seen.to_json(load("digit-deductions")))


def test_the_referee_draws_the_coin_from_the_given_source_the_same_each_time() -> None:
    table = match("quantum-duel", "3", "7", "4")
    first, again = (table.step(Seat.TWO, DUEL.move("yes")) for _ in range(2))
    assert (first.record, first.state) == (again.record, again.state)
    assert [step.number for step in first.record.steps] == [1, 2, 3, 4, 5]
    assert first.record.steps[-1].actor is CHANCE
    assert (first.view(None).number, first.actor) == (5, Seat.TWO)
    coins = {
        moves(match("quantum-duel", "3", "7", "4", "yes", seed=seed))[-1] for seed in range(20)
    }
    assert coins == {"heads", "tails"}
    draw = Mock(side_effect=lambda number, sides, odds: sides[0])
    table = Match.resume(table.record, draw=draw).step(Seat.TWO, DUEL.move("yes"))
    assert moves(table)[-1] == "heads"
    draw.assert_called_once_with(5, COIN, (0.5, 0.5))


def test_a_refused_move_changes_nothing() -> None:
    table, four = match("quantum-duel", "3"), DUEL.move("4")
    before = (table.state, table.record)
    cases: list[tuple[Any, Any, str]] = [
        (Seat.TWO, DUEL.move("3"), "Cell 3 is already observed"),
        (Seat.ONE, four, "It is the other player's turn"),
        *((seat, four, "Only a seat") for seat in (None, 1, "one", CHANCE)),
        *((Seat.TWO, move, "not a move at all") for move in (None, "4", 4, (4,), object())),
    ]
    for seat, move, told in cases:
        with pytest.raises(NotLegal, match=told):
            table.step(seat, move)
        assert (table.state, table.record) == before


class Liar(Code):
    def __str__(self) -> str:
        return "\x1b]0;forged\x07"

    def __eq__(self, other: object) -> bool:
        return True

    def __hash__(self) -> int:
        return hash(Code(self.digits))


class Elusive(Liar):
    hashes = count()

    def __hash__(self) -> int:
        return next(self.hashes)

    def __eq__(self, other: object) -> bool:
        return False


@dataclass(frozen=True)
class Stranger(Move):
    def __str__(self) -> str:
        return "\x1b[2J" * 10**5


def test_a_move_that_lies_is_played_as_one_of_the_game_and_a_strange_one_is_refused() -> None:
    options: tuple[dict[str, int], ...] = ({}, {"digits": 9, "length": 3})
    for each in options:
        start = Match.start(load("safe-cracker", **each))
        table = start.step(Seat.ONE, Liar((1, 2, 3)))
        (step,) = table.record.steps
        assert type(step.move) is type(table.view(Seat.ONE).secret[0]) is Code
        assert Record.loads(table.record.dumps()) == table.record
        for move in (Stranger(), Elusive((1, 2, 3)), Change(1, 1)):
            with pytest.raises(NotLegal) as refusal:
                start.step(Seat.ONE, move)
            assert str(refusal.value).isprintable()
            assert len(str(refusal.value)) < 200


def test_only_the_referee_flips_the_coin_also_of_a_match_that_broke_off_while_it_was_up() -> None:
    kept = match("quantum-duel", "3", "7", "4", "yes").record
    table = Match.resume(Record.loads("".join(list(kept.lines())[:-1])), draws(3))
    for seat in Seat:
        with pytest.raises(NotLegal, match="Chance decides now"):
            table.step(seat, table.record.game.move("heads"))
    settled = table.settle()
    assert settled.actor is Seat.TWO
    assert [step.actor for step in settled.since(table)] == [CHANCE]


def test_either_seat_may_resign_at_any_time_and_everybody_sees_the_secrets() -> None:
    for seat, made in product(Seat, range(4)):
        table = match("digit-deductions", *["4-7", "6-5", "1-1"][:made]).resign(seat)
        assert table.outcome == Outcome(seat.other, Ending.RESIGNED)
        assert table.actor is None
        ending = table.record.game.words.ending(table.outcome)
        assert ending == f"{NAMES[seat.other]} won, because {NAMES[seat]} resigned."
        assert Match.resume(table.record).outcome == table.outcome
        for view in map(table.view, (*Seat, None)):
            assert view.outcome == table.outcome
            assert (view.actor, view.moves, view.setting_up) == (None, (), False)
            assert view.secrets == table.state.secrets
            assert table.record.game.words.tell(view)["prompt"] == ""
            assert View.from_json(view.game, view.to_json()) == view


def test_a_forfeit_gives_the_opponent_the_match_and_is_recorded_with_its_reason_and_hints() -> None:
    table = match().with_hint(Seat.TWO).with_hint(Seat.TWO)
    table = table.forfeit(Seat.TWO, "it fell asleep\x1b[2J\n" + "z" * 1000)
    assert table.outcome is not None
    assert (table.outcome.winner, table.outcome.reason) == (Seat.ONE, Ending.FORFEITED)
    assert table.outcome.detail.startswith("it fell asleep?[2J?zzz")
    assert len(table.outcome.detail) == 200
    read = Record.loads(table.record.dumps())
    assert read.outcome == table.outcome
    assert read.hints == table.record.hints == (0, 2)


def test_a_match_that_is_over_cannot_be_played_resigned_forfeited_or_hinted() -> None:
    won = match("digit-deductions", "4-7", "6-5", "6-5")
    for table in (won, match("digit-deductions", "4-7", "6-5").resign(Seat.ONE)):
        for seat in Seat:
            for end in (table.resign, table.forfeit, table.with_hint):
                with pytest.raises(NotLegal, match="The match is over"):
                    end(seat)
            with pytest.raises(NotLegal, match="The match is over"):
                table.step(seat, Code((1, 1)))


def test_choices_in_the_set_up_and_placements_under_challenge_are_not_yet_turns() -> None:
    assert match("digit-deductions", "4-7", "6-5", turn_limit=1).outcome is None
    won = match("digit-deductions", "4-7", "6-5", "6-5", turn_limit=1)
    assert won.outcome == Outcome(Seat.ONE, DigitDeductionsReason.GUESSED), "on the last turn"
    assert match("digit-deductions", "4-7", "6-5", *["1-1"] * 500).outcome is None, "no limit"
    table = match("quantum-duel", "3", "7", "4", turn_limit=3)
    assert table.outcome is None
    after = table.step(Seat.TWO, table.record.game.move("yes"))
    assert after.outcome == Outcome(None, Ending.UNDECIDED)
    assert [str(step.move) for step in after.since(table)][1] in ("heads", "tails"), (
        "the coin still fell"
    )


def test_private_moves_are_committed_to_by_nonces_that_no_coin_reveals() -> None:
    for secrets in (("4-7", "6-5"), ("4-7", "4-7")):
        one, two, public = match("digit-deductions", *secrets, "1-1").record.steps
        assert (public.nonce, public.commitment) == (None, None)
        assert one.commitment is not None
        assert len(one.commitment) == 64
        assert one.commitment != two.commitment
        other = Match.start(load("digit-deductions"), draw=draws(99), nonce=nonces(1))
        assert other.step(Seat.ONE, Code((4, 7))).record.steps[0].nonce == one.nonce


def test_a_match_resumes_from_its_record() -> None:
    broken_off = match("digit-deductions", "4-7", "6-5", "1-1", turn_limit=9).record
    table = Match.resume(Record.loads(broken_off.dumps()))
    assert (table.actor, table.record.turn_limit) == (Seat.TWO, 9)
    table = table.step(Seat.TWO, Code((4, 7)))
    assert table.outcome == Outcome(Seat.TWO, DigitDeductionsReason.GUESSED)
    assert len(table.record.steps) == 4


@pytest.mark.parametrize("name", GAMES)
def test_a_bout_goes_the_same_way_as_a_match_with_the_same_chance(name: str) -> None:
    for seed in range(3):
        rng, game = Random(seed), load(name)
        table = Match.start(game, turn_limit=12, draw=draws(seed)).settle()
        bout = Bout.start(game, 12).settle(draws(seed))
        while isinstance(seat := bout.actor, Seat):
            move = rng.choice(bout.view(seat).moves)
            bout = bout.play(move).settle(draws(seed))
            table = table.step(seat, move)
            for viewer in (*Seat, None):
                assert bout.view(viewer) == table.view(viewer)
        assert table.outcome == bout.outcome is not None


def test_a_match_and_a_bout_are_undecided_at_their_turn_limit() -> None:
    table = match("digit-deductions", "4-7", "6-5", "1-1", "1-1", turn_limit=3)
    assert table.outcome is None
    table = table.step(Seat.ONE, Code((1, 1)))
    assert table.outcome == table.view(None).outcome == Outcome(None, Ending.UNDECIDED)
    assert table.actor is None
    assert table.state.outcome is None, "a limit of the match and not a rule of the game"
    bout = Bout.start(DUEL, turn_limit=2)
    for cell in (0, 4):
        assert bout.outcome is None
        bout = bout.play(bout.state.moves[cell])
    assert (bout.outcome, bout.actor) == (table.outcome, None)
    with pytest.raises(NotLegal, match="The game is over"):
        bout.play(bout.state.moves[0])
