"""The theory of Safe Code: exact values, its player, what decisions are worth, and the end."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import partial
from itertools import islice, pairwise
from random import Random

import numpy as np
import pytest
from expectimax import result
from solutions import EXTRA, walk_small_safe_code

from strongroom import load
from strongroom.contract import AnyState, Move, Seat, View
from strongroom.games.safe_code.rules import CLUES_EACH, NUMBERS, REQUEST, Number
from strongroom.players import player
from strongroom.puzzles.finding import positions
from strongroom.referee.bout import Bout
from strongroom.testing import perft
from strongroom.theory.certificate import certify, recompute
from strongroom.theory.safe_code import proof
from strongroom.theory.safe_code.player import PromiseKeeper, Race, Stake
from strongroom.theory.safe_code.solution import SafeCodeSolution
from strongroom.theory.safe_code.worth import Ending
from strongroom.theory.shelf import read
from strongroom.theory.solution import NotProved
from strongroom.theory.worth import Worth
from tests.theory.progress import quiet

LIMIT = 100
GAME = load("safe-code")
after = partial(perft.after, GAME.name)
SOLUTION = SafeCodeSolution(GAME, read(GAME)[0])
PLAYER, LANGUAGE, RACE = SOLUTION.player, SOLUTION.player.language, SOLUTION.player.race
WEAK = ("It is not equal to 1.", "It is not equal to 2.", "It is not equal to 3.")
STRONG = ("The number is even.", "It is divisible by 3.", "It is less than 20.")


@pytest.mark.proof
def test_the_first_player_wins_31_of_60() -> None:
    assert SOLUTION.certify(quiet) == (Fraction(31, 60), Fraction(31, 60))


def test_the_race_is_two_even_draws_and_the_one_computed_from_scratch() -> None:
    for mine in range(1, 31):
        for theirs in range(1, 31):
            first = sum(k <= j for k in range(1, mine + 1) for j in range(1, theirs + 1))
            assert RACE.to_move(mine, theirs) == Fraction(first, mine * theirs)
    assert np.array_equal(recompute(GAME, quiet)["race"], SOLUTION.table["race"])


def test_a_spoiled_or_incomplete_table_is_not_proved(subtests: pytest.Subtests) -> None:
    wrong: list[dict[str, np.ndarray]] = [{}, {"race": np.ones((5, 5, 2), np.int16)}]
    for worth in ((1, 2), (1, 0)):
        race = SOLUTION.table["race"].copy()
        race[12, 7] = worth
        wrong.append({"race": race})
    for number, table in enumerate(wrong):
        with subtests.test(str(number)), pytest.raises(NotProved):
            certify(SafeCodeSolution(GAME, table), quiet)


def test_a_player_who_spends_too_much_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """Always asking, while owing as much as before, costs a turn that nothing makes up for."""

    def spendthrift(race: Race, mine: int, theirs: int, *_: object) -> Stake:
        return Stake(Fraction(1), Fraction(1, mine), Fraction(1), race.to_move(mine, theirs))

    monkeypatch.setattr(proof, "stake_of", spendthrift)
    with pytest.raises(NotProved, match="promise"):
        certify(SOLUTION, quiet)


@pytest.mark.proof
def test_a_set_up_that_reveals_the_code_is_found_out() -> None:
    class Talkative(PromiseKeeper):
        """Always begins with the same one of its clues, which reveals something."""

        def policy(self, view: View) -> dict[Move, Fraction]:
            chances = super().policy(view)
            if view.setting_up and view.secret:
                return {next(iter(chances)): Fraction(1)}
            return chances

    with pytest.raises(NotProved, match="tells more"):
        proof.prove(GAME, Talkative(LANGUAGE, RACE), quiet)


@pytest.mark.proof
def test_no_response_beats_the_race_on_a_small_range() -> None:
    walk_small_safe_code(EXTRA[:2], eager=True)


def test_asking_first_behind_strong_clues_loses_11_30_and_is_answered_29_times_out_of_30() -> None:
    state = after("18", *STRONG, "7", *WEAK)
    worth = SOLUTION.worth.judge(state.view(Seat.ONE)).moves
    assert worth[NUMBERS[0]] == pytest.approx(31 / 60)
    assert worth[REQUEST] == pytest.approx(31 / 60 - 11 / 30)
    assert SOLUTION.policy(state.view(Seat.ONE)) == dict.fromkeys(NUMBERS, Fraction(1, 30))
    chances = SOLUTION.policy(state.play(REQUEST).view(Seat.TWO))
    assert chances[REQUEST] == Fraction(29, 30)
    assert chances[NUMBERS[4]] == Fraction(1, 900)
    # Strong clues are used, and a number that is certain is named.
    state = after("18", *STRONG, "7", *WEAK, "clue", "clue", "1")
    chances = SOLUTION.policy(state.view(Seat.TWO))
    guesses = {move for move in chances if isinstance(move, Number)}
    assert all(move.value % 2 == 0 for move in guesses)
    state = after("18", *WEAK, "30", "It is greater than 29.", *WEAK[:2], "1", "clue")
    assert REQUEST in SOLUTION.policy(state.view(Seat.ONE))
    state = state.play(REQUEST).play(NUMBERS[0])
    assert SOLUTION.policy(state.view(Seat.ONE)) == {NUMBERS[29]: Fraction(1)}


def decided(seat: Seat, draw: Random) -> Iterator[View]:
    """The certified player's decisions against somebody who plays and writes clues anyhow."""
    state = after()
    while state.outcome is None:
        assert isinstance(state.actor, Seat)
        view = state.view(state.actor)
        if state.actor is seat:
            yield view
            chances = SOLUTION.policy(view)
            move = draw.choices([*chances], [float(p) for p in chances.values()])[0]
        else:
            asks = not view.setting_up and REQUEST in view.moves and draw.random() < 0.4
            move = REQUEST if asks else draw.choice(view.moves)
        state = state.play(move)


def test_every_turn_keeps_the_promise() -> None:
    """The promise is an average over what can happen, for every number the opponent may hold."""
    asked, leaned, draw = 0, 0, Random(1)
    for view in (view for seat in [*Seat] * 15 for view in decided(seat, draw)):
        if view.setting_up or view.seat is None:
            continue
        chances, now = SOLUTION.policy(view), PLAYER.standing(view, view.seat)
        stake = PLAYER.stake(now)
        assert now.owed <= RACE.to_move(len(now.left), len(now.open))
        asked += REQUEST in chances
        leaned += stake.least < Fraction(1, len(now.left))
        for x in now.left:
            hit = chances.get(LANGUAGE.numbers[x], Fraction(0))
            miss = 1 - hit - stake.ask
            assert hit + miss * stake.after_miss + stake.ask * stake.after_clue >= now.owed
        worst = RACE.waiting(len(now.left) - (len(now.left) == 30), len(now.open))
        assert not stake.ask or stake.after_clue <= worst
    assert min(asked, leaned) > 10


def test_the_truth_is_the_race_with_the_remaining_numbers() -> None:
    clues = ("It is less than 30.", "It is less than 29.", "It is less than 28.")
    state = after("3", *clues, "4", *clues)
    assert SOLUTION.truth(state) == pytest.approx(31 / 60)
    tried = state.play(GAME.move("9"))
    assert SOLUTION.truth(tried) == pytest.approx(float(1 - RACE.to_move(30, 29)))
    again = tried.play(GAME.move("clue")).play(GAME.move("9"))
    assert SOLUTION.truth(again) == pytest.approx(float(1 - RACE.to_move(29, 29)))


def bouts(name: str, seat: Seat, seed: int, limit: int = LIMIT) -> Iterator[tuple[Bout, Move]]:
    rng = Random(seed)
    sitting = {seat: player(name, GAME, rng), seat.other: player("master", GAME, rng)}
    bout = Bout.start(GAME, limit)
    while bout.outcome is None:
        assert isinstance(bout.actor, Seat)
        move = sitting[bout.actor].choose(bout.view(bout.actor))
        if bout.actor is seat:
            yield bout, move
        bout = bout.play(move)


def mean_after(worth: Worth, bout: Bout, seat: Seat, move: Move) -> float:
    """The mean of V at the next decision, by the rules, over the certified player's secrets."""
    view = bout.view(seat)
    left = PLAYER.standing(view, seat.other).open
    given = bout.state.secrets[seat.other.index][1 : 1 + view.board[seat.index]]
    rows = [LANGUAGE.true[LANGUAGE.index[clue]] for clue in given]
    said = {LANGUAGE.numbers[x].value for row in rows for x, true in enumerate(row) if not true}
    total = 0.0
    for code in left:
        number = LANGUAGE.numbers[code]
        fresh = [v for v in LANGUAGE.weakest if v not in said and v != number.value]
        nexts = fresh if move == REQUEST else fresh[:1]
        for value in nexts:
            rest = [LANGUAGE.weakest[v] for v in islice((v for v in fresh if v != value), 3)]
            hidden = (number, *given, LANGUAGE.weakest[value], *rest)[: 1 + CLUES_EACH]
            own = bout.state.secrets[seat.index]
            secrets = (own, hidden) if seat is Seat.ONE else (hidden, own)
            played = Bout(bout.state._replace(secrets=secrets), LIMIT).play(move)
            total += until_next(worth, played, seat) / len(left) / len(nexts)
    return total


def until_next(worth: Worth, bout: Bout, seat: Seat) -> float:
    if bout.outcome is not None:
        return result(bout, seat)
    if bout.actor is seat:
        view = bout.view(seat)
        return worth.value(view, LIMIT - view.turns)
    mixture = SOLUTION.policy(bout.view(seat.other)).items()
    return sum(float(chance) * until_next(worth, bout.play(m), seat) for m, chance in mixture)


@pytest.mark.proof
@pytest.mark.parametrize("seat", Seat)
@pytest.mark.parametrize("name", ["random", "casual", "expert"])
def test_a_move_is_worth_the_mean_of_each_v_after_the_reply(name: str, seat: Seat) -> None:
    turns = [each for each in bouts(name, seat, 3) if not each[0].state.setting_up]
    for bout, move in turns[::5]:
        view = bout.view(seat)
        value, weighed = SOLUTION.worth.weigh(view, LIMIT)
        assert max(weighed.values()) == pytest.approx(value, abs=1e-12)
        for worth in (SOLUTION.worth, *SOLUTION.worth.further):
            moves = worth.move_values(view, LIMIT - view.turns)
            assert {*moves} == {*view.moves}
            for each in {move, view.moves[-1]}:
                mean = mean_after(worth, bout, seat, each)
                assert moves[each] == pytest.approx(mean, abs=1e-9)


@pytest.mark.parametrize("seat", Seat)
def test_what_clues_betray_is_paid_for_when_they_are_chosen(seat: Seat) -> None:
    (worth,) = SOLUTION.worth.further
    for (bout, move), (later, _) in pairwise(islice(bouts("casual", seat, 4), 2 + CLUES_EACH)):
        moves = worth.move_values(bout.view(seat), LIMIT)
        assert {*moves} == {*bout.view(seat).moves}
        played = bout.play(move) if seat is Seat.TWO else later
        assert moves[move] == pytest.approx(until_next(worth, played, seat), abs=1e-9)
        for each in bout.view(seat).moves[::50] if seat is Seat.TWO else ():
            mean = until_next(worth, bout.play(each), seat)
            assert moves[each] == pytest.approx(mean, abs=1e-9)
    assert moves[move] != pytest.approx(worth.start(seat, LIMIT), abs=0.01)


def test_clues_cost_nothing_until_asked_for_and_the_last_turn_is_won_or_worth_a_half() -> None:
    for clues, cost in ((STRONG, 11 / 30), (("It is greater than 1.", *WEAK[1:]), 0)):
        bout = Bout.start(GAME, LIMIT)
        for choice in ("18", *clues):
            value, moves = SOLUTION.worth.weigh(bout.view(Seat.ONE), LIMIT)
            assert {*moves.values()} == {value}
            bout = bout.play(GAME.move(choice))
        while bout.state.setting_up:
            bout = bout.play(next(iter(SOLUTION.policy(bout.view(Seat.TWO)))))
        value, moves = SOLUTION.worth.weigh(bout.view(Seat.ONE), LIMIT)
        assert value == pytest.approx(31 / 60)
        assert value - moves[REQUEST] == pytest.approx(cost, abs=1e-12)
    *_, (bout, _) = bouts("random", Seat.ONE, 2, 3)
    view = bout.view(Seat.ONE)
    worth, left = SOLUTION.worth.move_values(view, 1), len(PLAYER.standing(view, Seat.TWO).open)
    assert max(worth.values()) == pytest.approx(1 / left + (1 - 1 / left) / 2)
    assert worth[REQUEST] == 0.5


def still_open(view: View) -> list[Move]:
    left = GAME.candidates(view.seat or Seat.ONE)
    assert left is not None
    for event in view.history:
        left = left.after(event)
    return [Number(*numbers) for numbers in sorted(left)]


def won(state: AnyState, seat: Seat, first: Move | None = None) -> Fraction:
    """What guessing the numbers left in order wins from a state, after a first move."""
    if state.outcome is not None:
        return Fraction(state.outcome.winner is seat)
    view = state.view(state.actor if isinstance(state.actor, Seat) else None)
    if state.actor is seat:
        return won(state.play(first or still_open(view)[0]), seat)
    mixture = SOLUTION.policy(view).items()
    return sum((Fraction(p) * won(state.play(m), seat) for m, p in mixture), Fraction(0))


def late_views() -> Iterator[View]:
    """Two positions near the end in which the player has had all clues, and a number is left."""
    every = (view for number in range(400) for view in positions(GAME, f"late {number}"))
    for view in every:
        assert view.seat is not None
        few = Ending(PLAYER, view).searchable and len(still_open(view)) < 28
        if few and view.board[view.seat.index] == CLUES_EACH:
            yield view


def test_the_search_agrees_with_the_rules_played_out() -> None:
    for view in islice(late_views(), 2):
        assert view.seat is not None
        left, rng, moves = still_open(view), Random(1), SOLUTION.worth.best_response(view)
        assert moves is not None
        states: dict[Move, AnyState] = {}  # one for each number that the opponent may hide
        while len(states) < len(left):
            state = GAME.sample(view, rng)
            states.setdefault(state.secrets[view.seat.other.index][0], state)
        closed = next(Number(n) for n in range(1, 31) if Number(n) not in left)
        for move in (left[0], closed):
            mean = sum(won(state, view.seat, move) for state in states.values()) / len(states)
            assert moves[move] == pytest.approx(float(mean), abs=1e-12)


def test_a_best_response_is_unknown_before_the_end_and_near_it_races_on() -> None:
    for view in (next(positions(GAME, "early")), GAME.start().view(Seat.ONE)):
        assert SOLUTION.worth.best_response(view) is None
    searched = 0
    for seed in range(12):
        for bout, _ in bouts("casual", Seat.TWO, seed) if searched < 3 else ():
            view = bout.view(Seat.TWO)
            if searched < 3 and (found := SOLUTION.worth.best_response(view)):
                searched += 1
                assert SOLUTION.worth.move_values(view, None) == pytest.approx(found, abs=1e-12)
    assert searched == 3
