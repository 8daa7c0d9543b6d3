"""The theory of Safe Code: exact values, best responses to the policy, use of clues."""

from __future__ import annotations

import random
from collections.abc import Iterable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from strongroom import load
from strongroom.contract import Game, Move, Seat, State, View
from strongroom.games.safe_code.clues import Clue
from strongroom.games.safe_code.rules import NUMBERS, REQUEST, Number
from strongroom.theory.certificate import certify, recompute
from strongroom.theory.safe_code import proof
from strongroom.theory.safe_code.board import Race, language_of
from strongroom.theory.safe_code.player import PromiseKeeper, Stake
from strongroom.theory.safe_code.solution import SafeCodeSolution
from strongroom.theory.shelf import read
from strongroom.theory.solution import NotProved, Table

AnyState = State[Any, Any, Any]


def quiet(done: float, words: str) -> None:
    pass


@pytest.fixture(scope="module")
def game() -> Game:
    return load("safe-code")


@pytest.fixture(scope="module")
def solution(game: Game) -> SafeCodeSolution:
    """The shipped solution."""
    return SafeCodeSolution(game, read(game)[0])


def set_up(game: Game, one: Iterable[str], two: Iterable[str]) -> AnyState:
    state = game.start()
    for text in (*one, *two):
        state = state.play(game.move(text))
    return state


WEAK = ("It is not equal to 1.", "It is not equal to 2.", "It is not equal to 3.")
STRONG = ("The number is even.", "It is divisible by 3.", "It is less than 20.")


# --- the value ---


@pytest.mark.proof
def test_the_first_player_wins_31_of_60(solution: SafeCodeSolution) -> None:
    assert solution.certify(quiet) == (Fraction(31, 60), Fraction(31, 60))


def test_the_race_is_two_even_draws(solution: SafeCodeSolution) -> None:
    race = solution.player.race
    for mine in range(1, 31):
        for theirs in range(1, 31):
            first = sum(k <= j for k in range(1, mine + 1) for j in range(1, theirs + 1))
            assert race.to_move(mine, theirs) == Fraction(first, mine * theirs)


def test_asking_first_loses_a_sixtieth(game: Game, solution: SafeCodeSolution) -> None:
    view = set_up(game, ("18", *STRONG), ("4", *WEAK)).view(Seat.ONE)
    worth = solution.values(view)
    assert worth[NUMBERS[0]] == pytest.approx(31 / 60)
    assert worth[REQUEST] == pytest.approx(1 / 2)
    assert solution.policy(view) == dict.fromkeys(NUMBERS, Fraction(1, 30))


def test_the_race_computed_from_scratch_is_the_shipped_one(
    game: Game, solution: SafeCodeSolution
) -> None:
    assert np.array_equal(recompute(game, quiet)["race"], solution.table["race"])


@pytest.mark.parametrize("worth", [(1, 2), (1, 0)], ids=["another", "no number at all"])
def test_a_spoiled_race_is_found_out(
    game: Game, solution: SafeCodeSolution, worth: tuple[int, int]
) -> None:
    race = solution.table["race"].copy()
    race[12, 7] = worth
    with pytest.raises(NotProved):
        certify(SafeCodeSolution(game, {"race": race}), quiet)


@pytest.mark.parametrize("table", [{}, {"race": np.ones((5, 5, 2), dtype=np.int16)}])
def test_an_incomplete_table_is_not_proved(game: Game, table: Table) -> None:
    with pytest.raises(NotProved):
        certify(SafeCodeSolution(game, table), quiet)


def test_a_player_who_spends_too_much_is_found_out(
    solution: SafeCodeSolution, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Always asking, while owing as much as before, costs a turn that nothing makes up for."""

    def spendthrift(race: Race, mine: int, theirs: int, *_: object) -> Stake:
        return Stake(Fraction(1), Fraction(1, mine), Fraction(1), race.to_move(mine, theirs))

    monkeypatch.setattr(proof, "stake_of", spendthrift)
    with pytest.raises(NotProved, match="promise"):
        certify(solution, quiet)


def test_a_set_up_that_reveals_the_code_is_found_out(solution: SafeCodeSolution) -> None:
    class Talkative(PromiseKeeper):
        """Always begins with the same one of its clues, which reveals something."""

        def policy(self, view: View) -> dict[Move, Fraction]:
            chances = super().policy(view)
            if view.setting_up and view.secret:
                return {next(iter(chances)): Fraction(1)}
            return chances

    player = Talkative(solution.player.language, solution.player.race)
    with pytest.raises(NotProved, match="tells more"):
        proof.prove(solution.game, player, quiet)


# --- the player as shipped ---


def playouts(game: Game, solution: SafeCodeSolution, games: int) -> Iterable[tuple[AnyState, Seat]]:
    """Turns of the certified player against an opponent who plays and writes clues at random."""
    draw = random.Random(1)
    for count in range(games):
        seat = (Seat.ONE, Seat.TWO)[count % 2]
        state: AnyState = game.start()
        while state.outcome is None:
            moves: list[Move] = list(state.moves)
            if state.actor is not seat:
                if not state.setting_up and REQUEST in moves and draw.random() < 0.4:
                    moves = [REQUEST]
                state = state.play(draw.choice(moves))
                continue
            chances = solution.policy(state.view(seat))
            if not state.setting_up:
                yield state, seat
            move = draw.choices(list(chances), [float(p) for p in chances.values()])[0]
            state = state.play(move)


def test_every_turn_keeps_the_promise(game: Game, solution: SafeCodeSolution) -> None:
    """The promise is an average over what can happen, for every number the opponent may hold."""
    words = solution.player.language
    asked = leaned = 0
    for state, seat in playouts(game, solution, 60):
        view = state.view(seat)
        chances = solution.policy(view)
        assert sum(chances.values()) == 1
        assert set(chances) <= set(view.moves)
        now = solution.player.standing(view, seat)
        race = solution.player.race
        assert now.owed <= race.to_move(len(now.left), len(now.open))
        stake = solution.player.stake(now)
        asked += REQUEST in chances
        leaned += stake.least < Fraction(1, len(now.left))
        for x in now.left:
            hit = chances.get(words.numbers[x], Fraction(0))
            miss = 1 - hit - stake.ask
            assert hit + miss * stake.missed + stake.ask * stake.told >= now.owed
        worst = race.waiting(len(now.left) - (len(now.left) == 30), len(now.open))
        assert not stake.ask or stake.told <= worst
    assert asked > 20
    assert leaned > 20


def test_it_asks_in_return_29_times_out_of_30(game: Game, solution: SafeCodeSolution) -> None:
    state = set_up(game, ("18", *STRONG), ("7", *WEAK)).play(REQUEST)
    chances = solution.policy(state.view(Seat.TWO))
    assert chances[REQUEST] == Fraction(29, 30)
    assert chances[NUMBERS[4]] == Fraction(1, 900)


def test_a_strong_clue_is_used(game: Game, solution: SafeCodeSolution) -> None:
    state = set_up(game, ("18", *STRONG), ("7", *WEAK)).play(REQUEST).play(REQUEST)
    state = state.play(NUMBERS[0])
    chances = solution.policy(state.view(Seat.TWO))
    guesses = {move for move in chances if isinstance(move, Number)}
    assert all(move.value % 2 == 0 for move in guesses)


def test_a_number_that_is_certain_is_named(game: Game, solution: SafeCodeSolution) -> None:
    two = ("30", "It is greater than 29.", *WEAK[:2])
    state = set_up(game, ("18", *WEAK), two).play(NUMBERS[0]).play(REQUEST)
    if REQUEST not in solution.policy(state.view(Seat.ONE)):
        pytest.fail("it should ask in return")
    state = state.play(REQUEST).play(NUMBERS[0])
    assert solution.policy(state.view(Seat.ONE)) == {NUMBERS[29]: Fraction(1)}


def test_it_can_go_on_from_odd_moves_of_its_own(game: Game, solution: SafeCodeSolution) -> None:
    draw = random.Random(3)
    for _ in range(8):
        state: AnyState = game.start()
        while state.outcome is None:
            assert isinstance(state.actor, Seat)
            view = state.view(state.actor)
            chances = solution.policy(view)
            assert sum(chances.values()) == 1
            assert set(chances) <= set(view.moves)
            worth = solution.values(view)
            assert set(worth) == set(view.moves)
            assert all(-1e-9 <= each <= 1 + 1e-9 for each in worth.values())
            move = draw.choice(view.moves)
            assert solution.why(view, move).endswith(".")
            state = state.play(move)


def test_the_truth_is_the_race_with_the_remaining_numbers(
    game: Game, solution: SafeCodeSolution
) -> None:
    state = game.start()
    clues = ["It is less than 30.", "It is less than 29.", "It is less than 28."]
    for text in ("3", *clues, "4", *clues):
        state = state.play(game.move(text))
    assert solution.truth(state) == pytest.approx(31 / 60)
    race = solution.player.race
    after = state.play(game.move("9"))
    assert solution.truth(after) == pytest.approx(float(1 - race.to_move(30, 29)))
    again = after.play(game.move("clue")).play(game.move("9"))
    assert solution.truth(again) == pytest.approx(float(1 - race.to_move(29, 29)))


def test_it_beats_people_who_write_strong_clues(game: Game, solution: SafeCodeSolution) -> None:
    """The opponent asks for all clues and uses them, but writes strong ones itself."""
    draw = random.Random(5)
    won = 0
    rounds = 120
    for count in range(rounds):
        seat = (Seat.ONE, Seat.TWO)[count % 2]
        state: AnyState = game.start()
        while state.outcome is None:
            assert isinstance(state.actor, Seat)
            view = state.view(state.actor)
            if state.actor is seat:
                chances = solution.policy(view)
                weights = [float(p) for p in chances.values()]
                state = state.play(draw.choices(list(chances), weights)[0])
            elif state.setting_up:
                strong = [m for m in view.moves if not isinstance(m, Clue) or len(m.meaning) <= 15]
                state = state.play(draw.choice(strong or list(view.moves)))
            elif REQUEST in view.moves:
                state = state.play(REQUEST)
            else:
                now = solution.player.standing(view, seat.other)
                state = state.play(NUMBERS[draw.choice(now.left)])
        won += state.outcome.winner is seat
    assert won > 0.8 * rounds


def test_the_set_up_is_uniform_and_uses_the_weakest_clues(
    game: Game, solution: SafeCodeSolution
) -> None:
    state = game.start()
    assert set(solution.policy(state.view(Seat.ONE)).values()) == {Fraction(1, 30)}
    state = state.play(game.move("18"))
    clues = solution.policy(state.view(Seat.ONE))
    assert len(clues) == 29
    assert all(isinstance(clue, Clue) and len(clue.meaning) == 29 for clue in clues)
    worth = solution.values(state.view(Seat.ONE))
    assert min(worth[clue] for clue in clues) == max(worth.values()) == pytest.approx(31 / 60)


def test_it_cannot_be_lured_into_asking_for_a_stale_clue(
    game: Game, solution: SafeCodeSolution
) -> None:
    """Guesses are public, so the opponent can ask just when its own first clue is stale."""
    two = ("5", "It is not equal to 9.", "It is not equal to 10.", "It is not equal to 11.")
    state = set_up(game, ("18", *WEAK), two).play(game.move("9")).play(REQUEST)
    view, race = state.view(Seat.ONE), solution.player.race
    ask = solution.policy(view)[REQUEST]
    assert ask == Fraction(1, 2)
    stale = ask * race.waiting(29, 29) + (1 - ask) * race.to_move(29, 29)
    assert stale >= solution.player.standing(view, Seat.ONE).owed == Fraction(1, 2)


def test_every_clue_rules_something_out(game: Game) -> None:
    assert language_of(game).true.sum(axis=1).max() == 29
