"""The referee: it asks, checks, applies, draws, limits and ends."""

from __future__ import annotations

from dataclasses import replace
from itertools import count
from random import Random
from typing import Any

import pytest

from strongroom.game import CHANCE, Move, NotLegal, Outcome, Refusal, Seat, View
from strongroom.games.codes import Code
from strongroom.match import Match
from strongroom.players import Resigns
from strongroom.players.random import RandomPlayer
from strongroom.players.scripted import ScriptedPlayer
from strongroom.record import FORFEITED, RESIGNED, UNDECIDED, Played, Record
from strongroom.registry import game_names, load


def match(name: str = "digit-deductions", *texts: str, seed: int = 1, **more: Any) -> Match:
    """A match after the moves with these texts."""
    table = Match(load(name), Random(seed), **more)
    for text in texts:
        table.play(table.record.game.move(text))
    return table


def random_players(seed: int) -> dict[Seat, RandomPlayer]:
    return {seat: RandomPlayer(Random(seed * 10 + seat.value)) for seat in Seat}


def scripts(one: list[str], two: list[str]) -> dict[Seat, ScriptedPlayer]:
    return {Seat.ONE: ScriptedPlayer(one), Seat.TWO: ScriptedPlayer(two)}


def test_a_match_is_run_to_the_end_of_the_game() -> None:
    table = match()
    record = table.run(scripts(["47", "55", "65"], ["65", "39"]))
    assert record.outcome == table.outcome == Outcome(Seat.ONE, "guessed the secret number")
    assert [str(played.move) for played in record.moves] == ["4-7", "6-5", "5-5", "3-9", "6-5"]
    assert table.actor is None


def test_players_are_shown_views_of_their_own_seat_and_only_on_their_turn() -> None:
    class Watches(RandomPlayer):
        def __init__(self, seat: Seat) -> None:
            super().__init__(Random(seat.value))
            self.seat = seat

        def choose(self, view: View) -> Move:
            assert view.seat is view.actor is self.seat
            assert view.secrets is None
            return super().choose(view)

    assert match().run({seat: Watches(seat) for seat in Seat}).outcome is not None


@pytest.mark.parametrize("name", game_names())
def test_the_same_seeds_give_the_same_record_and_other_seeds_another(name: str) -> None:
    def text(seed: int) -> str:
        table = match(name, seed=seed, clock=lambda: 0.0)
        return table.run(random_players(seed)).dumps()

    assert text(1) == text(1) != text(2)


def test_the_referee_draws_the_coin_from_its_own_seed() -> None:
    coins = set()
    for seed in range(20):
        table = match("quantum-duel", "3", "7", "4", "yes", seed=seed)
        assert table.actor is Seat.TWO
        *_, coin = table.record.moves
        assert coin.actor is CHANCE
        coins.add(str(coin.move))
    assert coins == {"heads", "tails"}


def test_a_refused_move_changes_nothing() -> None:
    table = match("quantum-duel", "3")
    before = (table.state, table.record)
    with pytest.raises(NotLegal):
        table.play(table.record.game.move("3"))
    assert (table.state, table.record) == before


# --- endings that are the match's -----------------------------------------------------------------


@pytest.mark.parametrize("seat", Seat)
@pytest.mark.parametrize("texts", [[], ["4-7"], ["4-7", "6-5"], ["4-7", "6-5", "1-1"]])
def test_either_seat_may_resign_at_any_time(seat: Seat, texts: list[str]) -> None:
    table = match("digit-deductions", *texts)
    table.resign(seat)
    assert table.outcome == Outcome(seat.other, RESIGNED)
    assert table.actor is None


def test_a_forfeit_gives_the_opponent_the_match() -> None:
    table = match()
    table.forfeit(Seat.TWO)
    assert table.outcome == Outcome(Seat.ONE, FORFEITED)


def test_a_match_that_is_over_cannot_be_played_resigned_or_forfeited() -> None:
    table = match("digit-deductions", "4-7", "6-5", "6-5")
    before = table.record
    for end in (table.resign, table.forfeit):
        with pytest.raises(NotLegal, match="The match is over"):
            end(Seat.TWO)
    with pytest.raises(NotLegal, match="The match is over"):
        table.play(Code((1, 1)))
    assert table.record == before


def test_a_resigned_match_cannot_be_played_on() -> None:
    table = match("digit-deductions", "4-7", "6-5")
    table.resign(Seat.ONE)
    with pytest.raises(NotLegal, match="The match is over"):
        table.play(Code((1, 1)))


@pytest.mark.parametrize("seat", [Seat.ONE, Seat.TWO, None])
def test_after_a_resignation_every_view_shows_the_outcome_and_the_secrets(
    seat: Seat | None,
) -> None:
    table = match("digit-deductions", "4-7", "6-5", "1-1")
    table.resign(Seat.ONE)
    view = table.view(seat)
    assert view.outcome == Outcome(Seat.TWO, RESIGNED)
    assert (view.actor, view.moves, view.prompt) == (None, (), "")
    assert view.secrets == table.state.secrets
    assert View.from_json(table.record.game, view.to_json()) == view


def test_a_player_who_resigns_when_asked_loses() -> None:
    record = match().run(scripts(["47"], ["65"]))
    assert record.outcome == Outcome(Seat.TWO, RESIGNED)


class Illegal:
    """A player who always names a cell that is taken or is no cell."""

    def choose(self, view: View) -> Move:
        return Code((1,))


def test_a_player_who_breaks_the_rules_forfeits() -> None:
    record = match("quantum-duel").run({Seat.ONE: RandomPlayer(Random(1)), Seat.TWO: Illegal()})
    assert record.outcome == Outcome(Seat.ONE, FORFEITED)
    assert len(record.moves) == 1


def test_a_patient_player_is_told_of_a_refusal_and_asked_again() -> None:
    class Stubborn(Illegal):
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
    record = match("quantum-duel").run({Seat.ONE: stubborn, Seat.TWO: Illegal()})
    assert [type(refusal) for refusal in stubborn.heard] == [NotLegal] * 3
    assert (record.moves, record.outcome) == ((), Outcome(Seat.TWO, RESIGNED))


# --- the turn limit -------------------------------------------------------------------------------


def test_a_match_that_reaches_its_turn_limit_is_undecided() -> None:
    table = match("digit-deductions", "4-7", "6-5", "1-1", "1-1", turn_limit=3)
    assert table.outcome is None
    table.play(Code((1, 1)))
    assert table.outcome == Outcome(None, UNDECIDED)
    assert table.actor is None
    assert table.view(None).outcome == table.outcome
    assert table.state.outcome is None, "a fact about the match, never a rule of the game"


def test_private_choices_in_the_set_up_are_not_turns() -> None:
    assert match("digit-deductions", "4-7", "6-5", turn_limit=1).outcome is None


def test_a_win_on_the_last_turn_is_a_win() -> None:
    table = match("digit-deductions", "4-7", "6-5", "6-5", turn_limit=1)
    assert table.outcome == Outcome(Seat.ONE, "guessed the secret number")


def test_a_placement_under_challenge_is_not_yet_a_turn() -> None:
    table = match("quantum-duel", "3", "7", "4", turn_limit=3)
    assert table.outcome is None
    table.play(table.record.game.move("yes"))
    assert table.outcome == Outcome(None, UNDECIDED)
    assert str(table.record.moves[-1].move) in ("heads", "tails"), "the coin still fell"


def test_without_a_limit_a_match_goes_on() -> None:
    table = match("digit-deductions", "4-7", "6-5", *["1-1"] * 500)
    assert table.outcome is None


# --- what is kept ---------------------------------------------------------------------------------


def test_every_move_is_kept_with_its_time_as_it_is_played() -> None:
    ticks = count(100)
    seen: list[Played] = []
    table = match("digit-deductions", "4-7", "6-5", clock=lambda: next(ticks), watch=seen.append)
    assert [played.time for played in table.record.moves] == [100, 101]
    assert tuple(seen) == table.record.moves


def test_a_watcher_finds_the_move_in_the_record_already() -> None:
    lengths = []

    def watch(_: Played) -> None:
        lengths.append(len(table.record.moves))

    table = match(watch=watch)
    table.play(Code((4, 7)))
    table.play(Code((6, 5)))
    assert lengths == [1, 2]


def test_private_moves_are_committed_to_and_public_ones_are_not() -> None:
    table = match("digit-deductions", "4-7", "6-5", "1-1")
    assert [played.nonce is not None for played in table.record.moves] == [True, True, False]
    one, two, public = (played.commitment for played in table.record.moves)
    assert public is None
    assert one is not None
    assert len(one) == 64
    assert one != two


def test_equal_secrets_have_unlike_commitments() -> None:
    one, two = (
        played.commitment for played in match("digit-deductions", "4-7", "4-7").record.moves
    )
    assert one != two


# --- going on -------------------------------------------------------------------------------------


def test_a_match_goes_on_from_its_record() -> None:
    broken_off = match("digit-deductions", "4-7", "6-5", "1-1", turn_limit=9).record
    table = Match.resume(Record.loads(broken_off.dumps()), Random(2))
    assert (table.actor, table.record.turn_limit) == (Seat.TWO, 9)
    table.play(Code((4, 7)))
    assert table.outcome == Outcome(Seat.TWO, "guessed the secret number")
    assert len(table.record.moves) == 4


def broken_off_while_the_coin_was_up() -> Match:
    kept = match("quantum-duel", "3", "7", "4", "yes").record
    return Match.resume(replace(kept, moves=kept.moves[:-1]), Random(3))


def test_a_match_that_broke_off_while_the_coin_was_up_goes_on_with_the_coin() -> None:
    table = broken_off_while_the_coin_was_up()
    table.settle()
    assert table.actor is Seat.TWO
    assert table.record.moves[-1].actor is CHANCE


def test_a_match_that_broke_off_while_the_coin_was_up_can_be_run_on() -> None:
    table = broken_off_while_the_coin_was_up()
    assert table.run(random_players(1)).outcome is not None


def test_nobody_but_the_referee_throws_the_coin() -> None:
    table = broken_off_while_the_coin_was_up()
    with pytest.raises(NotLegal):
        table.play(table.record.game.move("heads"))


def test_a_match_that_is_over_stays_over_when_resumed() -> None:
    table = match("digit-deductions", "4-7", "6-5")
    table.resign(Seat.ONE)
    assert Match.resume(table.record, Random(1)).outcome == Outcome(Seat.TWO, RESIGNED)
