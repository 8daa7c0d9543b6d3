"""The theory of Safe Cracker: exact values, and the certificate against what is really played."""

from __future__ import annotations

import random
from fractions import Fraction
from functools import cache

import numpy as np
import pytest

from strongroom.contract import Move, Seat
from strongroom.games.codes import Code
from strongroom.games.safe_cracker.rules import (
    SafeCracker,
    SafeCrackerOptions,
    SafeCrackerState,
    exact_matches,
)
from strongroom.theory.safe_cracker.board import space_of
from strongroom.theory.safe_cracker.player import RaceGuesser
from strongroom.theory.safe_cracker.proof import CodeResponse, race_bounds
from strongroom.theory.safe_cracker.race import race_of
from strongroom.theory.safe_cracker.solution import SafeCrackerSolution
from strongroom.theory.shelf import fingerprint, read
from strongroom.theory.solution import NotProved

VALUE = Fraction(163, 243)


def quiet(done: float, words: str) -> None:
    assert 0 <= done <= 1
    assert words


def variation(digits: int, length: int) -> SafeCracker:
    return SafeCracker(SafeCrackerOptions(digits=digits, length=length))


@pytest.fixture(scope="module")
def game() -> SafeCracker:
    return SafeCracker()


@pytest.fixture(scope="module")
def solution(game: SafeCracker) -> SafeCrackerSolution:
    """The shipped one; that solving gives the same table is tested too."""
    return SafeCrackerSolution(game, read(game)[0])


def solved(game: SafeCracker) -> SafeCrackerSolution:
    return SafeCrackerSolution(game, SafeCrackerSolution.solve(game, quiet))


def played(
    game: SafeCracker,
    rng: random.Random,
    turns: int,
    solution: SafeCrackerSolution | None = None,
    master: Seat = Seat.ONE,
) -> SafeCrackerState:
    """A game after some turns; with a solution the master goes by it, and often the other too."""
    while True:
        state = game.start().play(rng.choice(game.actions)).play(rng.choice(game.actions))
        for _ in range(turns):
            move: Move = rng.choice(game.actions)
            if solution is not None and (state.actor is master or rng.random() < 0.6):
                chances = solution.policy(state.view(state.actor))  # type: ignore[arg-type]
                move = rng.choices(list(chances), [float(p) for p in chances.values()])[0]
            state = state.play(move)
            if state.outcome is not None:
                break
        else:
            return state


def remaining(state: SafeCrackerState, guesser: Seat) -> list[Code]:
    """What the opponent's code can be for one who has seen the guesser's guesses."""
    seen = [(event.move, event.answer) for event in state.log if event.actor is guesser]
    codes = state.game.space.codes
    return [
        code
        for code in codes
        if all(isinstance(g, Code) and exact_matches(code, g) == answer for g, answer in seen)
    ]


@pytest.mark.proof
def test_the_value_is_163_243_and_both_guarantees_meet_it(
    solution: SafeCrackerSolution,
) -> None:
    assert solution.certify(quiet) == (VALUE, VALUE)
    assert solution.figures(quiet) == {"race": VALUE}


def test_the_table_is_the_same_every_time_and_the_shipped_one(game: SafeCracker) -> None:
    for _ in range(2):
        race_of.cache_clear()
        table = SafeCrackerSolution.solve(game, quiet)
        assert fingerprint(table) == fingerprint(read(game)[0])


@pytest.mark.proof
def test_without_the_mixtures_the_two_guarantees_do_not_meet(
    solution: SafeCrackerSolution,
) -> None:
    table = solution.table
    lower, upper = race_bounds(race_of(3, 3), table["choice"].astype(np.int64), quiet)
    assert lower < float(VALUE) - 1e-3
    assert upper == pytest.approx(float(VALUE), abs=1e-12)
    bare = {**table, "memories": table["memories"][:0]}
    bare["numerators"], bare["denominators"] = (
        table[each][:0] for each in ("numerators", "denominators")
    )
    response = CodeResponse(RaceGuesser(bare))
    assert float(1 - response.wins(Seat.TWO)) == pytest.approx(lower, abs=1e-12)


@pytest.mark.proof
def test_a_spoiled_strategy_does_not_keep_the_bounds(solution: SafeCrackerSolution) -> None:
    """Always the first action of a node, be it the best one or not."""
    first = {**solution.table, "choice": np.zeros_like(solution.table["choice"])}
    lower, upper = SafeCrackerSolution(solution.game, first).certify(quiet)
    assert (lower, upper) == (Fraction(470, 729), Fraction(490, 729))
    assert lower < VALUE < upper


def test_what_is_no_mixture_proves_nothing(
    game: SafeCracker, solution: SafeCrackerSolution
) -> None:
    table = solution.table
    halved = {**table, "denominators": 2 * table["denominators"]}
    with pytest.raises(NotProved, match="add up to 1"):
        SafeCrackerSolution(game, halved).certify(quiet)
    idle = {**table, "choice": np.where(table["choice"] > 0, -1, table["choice"])}
    with pytest.raises(NotProved, match="tells it nothing"):
        SafeCrackerSolution(game, idle).certify(quiet)


def test_a_table_of_another_game_proves_nothing(solution: SafeCrackerSolution) -> None:
    with pytest.raises(NotProved, match="digits=4"):
        SafeCrackerSolution(variation(4, 3), solution.table).certify(quiet)


def test_a_spoiled_strategy_of_a_variation_has_wider_bounds() -> None:
    sound = solved(variation(4, 3))
    lower, upper = sound.certify(quiet)
    first = {**sound.table, "choice": np.zeros_like(sound.table["choice"])}
    least, most = SafeCrackerSolution(sound.game, first).certify(quiet)
    assert least < lower - 0.01
    assert upper + 0.005 < most
    beyond = {**sound.table, "choice": sound.table["choice"] + 50}
    with pytest.raises(NotProved, match="does not exist"):
        SafeCrackerSolution(sound.game, beyond).certify(quiet)


@pytest.mark.parametrize(
    ("digits", "length", "race", "gap"),
    [(4, 3, "2653/4096", 0.002), (3, 4, "1468/2187", 0.004), (5, 3, "9811/15625", 0.001)],
)
def test_the_bounds_of_a_variation_are_close_to_its_race(
    digits: int, length: int, race: str, gap: float
) -> None:
    solution = solved(variation(digits, length))
    lower, upper = solution.certify(quiet)
    value = solution.figures(quiet)["race"]
    assert value == Fraction(race)
    assert lower <= value + 1e-12
    assert value <= upper + 1e-12
    assert upper - lower < gap


def test_limited_attempts_are_refused() -> None:
    game = SafeCracker(SafeCrackerOptions(attempts=3))
    with pytest.raises(ValueError, match="limited attempts"):
        SafeCrackerSolution.solve(game, quiet)


@pytest.mark.parametrize(
    ("digits", "length"),
    [
        (3, 3),
        pytest.param(4, 3, marks=pytest.mark.proof),
        pytest.param(3, 4, marks=pytest.mark.proof),
    ],
)
def test_the_race_is_the_one_that_brute_force_counts(digits: int, length: int) -> None:
    """On sets of a few codes, without symmetry, each guess tried."""
    answers = space_of(digits, length).answers.tolist()

    @cache
    def wins(own: frozenset[int], other: frozenset[int]) -> int:
        best = 0
        for line in answers:
            cells = {a: frozenset(c for c in own if line[c] == a) for a in {line[c] for c in own}}
            total = len(cells.pop(length, ())) * len(other)
            if own not in cells.values():  # a guess that tells nothing is never better
                best = max(
                    best, total + sum(len(c) * len(other) - wins(other, c) for c in cells.values())
                )
        return best

    game, rng = variation(digits, length), random.Random(1)
    guesser, checked = solved(game).guesser, 0
    while checked < 25:
        state = played(game, rng, rng.randint(4, 6))
        sets = [
            frozenset(game.actions.index(code) for code in remaining(state, seat)) for seat in Seat
        ]
        if max(map(len, sets)) <= 6:
            x, y = (guesser.place(tuple(sorted(each)))[0] for each in sets)
            assert guesser.table["race"][x, y] == wins(*sets)
            checked += 1


def relabelled(state: SafeCrackerState, rng: random.Random) -> tuple[SafeCrackerState, object]:
    """The same game with positions and digits renamed, separately for each side's guesses."""
    digits, length = state.game.options.digits, state.game.options.length

    def renaming() -> dict[Move, Code]:
        places = rng.sample(range(length), length)
        names = [rng.sample(range(1, digits + 1), digits) for _ in range(length)]
        return {
            code: Code(tuple(names[j][code.digits[places[j]] - 1] for j in range(length)))
            for code in state.game.space.codes
        }

    guesses = {seat: renaming() for seat in Seat}
    other = state.game.start()
    other = other.play(guesses[Seat.TWO][state.secrets[0][0]])
    other = other.play(guesses[Seat.ONE][state.secrets[1][0]])
    for event in state.log:
        assert isinstance(event.actor, Seat)
        other = other.play(guesses[event.actor][event.move])
    return other, guesses


@pytest.mark.parametrize("digits", [3, 4])
def test_the_policy_treats_equal_codes_equally_and_never_looks_at_the_own_code(
    digits: int, game: SafeCracker, solution: SafeCrackerSolution
) -> None:
    rng = random.Random(2)
    if digits > 3:
        game = variation(digits, 3)
        solution = solved(game)
    for turns in range(7):
        for _ in range(12):
            state = played(game, rng, turns, solution if rng.random() < 0.7 else None)
            seat = state.actor
            assert isinstance(seat, Seat)
            policy = solution.policy(state.view(seat))
            assert sum(policy.values()) == 1
            other, guesses = relabelled(state, rng)
            renamed = {guesses[seat][move]: p for move, p in policy.items()}  # type: ignore[index]
            assert solution.policy(other.view(seat)) == renamed
            code = (rng.choice(remaining(state, seat.other)),)
            one, two = state.secrets
            twin = state._replace(secrets=(code, two) if seat is Seat.ONE else (one, code))
            assert solution.policy(twin.view(seat)) == policy
            assert solution.policy(state.view(seat.other)) == {}
            assert solution.values(state.view(seat.other)) == {}


def best_response(
    solution: SafeCrackerSolution, states: list[SafeCrackerState], responder: Seat
) -> Fraction:
    """What the responder wins by walking the real game, over equally likely codes of the player."""
    first = states[0]
    if first.outcome is not None:
        return Fraction(first.outcome.winner is responder)
    if first.actor is not responder:
        chances = solution.policy(first.view(responder.other))
        return sum(
            (
                Fraction(p) * best_response(solution, [s.play(move) for s in states], responder)
                for move, p in chances.items()
            ),
            Fraction(0),
        )
    best = Fraction(0)
    for guess in first.moves:
        groups: dict[object, list[SafeCrackerState]] = {}
        for state in states:
            then = state.play(guess)
            groups.setdefault(then.log[-1].answer, []).append(then)
        if len(groups) > 1 or len(states) == 1:
            total = sum(
                (
                    len(group) * best_response(solution, group, responder)
                    for group in groups.values()
                ),
                Fraction(0),
            )
            best = max(best, total / len(states))
    if len(states) > 1:  # every guess that tells nothing leads to the same
        idle = [g for g in first.moves if len({s.play(g).log[-1].answer for s in states}) == 1]
        best = max(best, best_response(solution, [s.play(idle[0]) for s in states], responder))
    return best


@pytest.mark.proof
@pytest.mark.parametrize("responder", list(Seat))
def test_the_certificate_is_about_what_the_policy_really_plays(
    responder: Seat, game: SafeCracker, solution: SafeCrackerSolution
) -> None:
    rng, guesser, checked, several = random.Random(3), solution.guesser, 0, 0
    response = CodeResponse(guesser)
    while checked < 12 or several < 2:
        state = played(game, rng, rng.randint(3, 6), solution, responder.other)
        own, other = (remaining(state, seat) for seat in (responder.other, responder))
        if not (state.actor is responder and 2 <= len(own) <= 5 and 2 <= len(other) <= 3):
            continue
        mind = guesser.follow(state.view(responder.other))
        several += mind.memory is not None
        if checked >= 12 and mind.memory is None:
            continue
        secret = state.secrets[responder.index][0]
        states = []
        for code in other:
            pair = ((secret,), (code,)) if responder is Seat.ONE else ((code,), (secret,))
            states.append(state._replace(secrets=pair))
        share = response.to_move(mind)[mind.own.index(game.actions.index(secret))]
        assert best_response(solution, states, responder) == Fraction(share, CodeResponse.UNIT)
        checked += 1


def test_the_code_and_the_first_guess_are_drawn_evenly(
    game: SafeCracker, solution: SafeCrackerSolution
) -> None:
    even = dict.fromkeys(game.actions, Fraction(1, 27))
    state = game.start()
    assert solution.policy(state.view(Seat.ONE)) == even
    for secret in game.actions[:2]:
        state = state.play(secret)
    assert solution.policy(state.view(Seat.ONE)) == even
    for guess in (each for each in game.actions if each != state.secrets[1][0]):
        assert solution.policy(state.play(guess).view(Seat.TWO)) == even


def test_only_guesses_of_the_highest_value_are_played_and_a_win_is_taken(
    game: SafeCracker, solution: SafeCrackerSolution
) -> None:
    rng = random.Random(4)
    for turns in range(7):
        for _ in range(15):
            state = played(game, rng, turns, solution)
            seat = state.actor
            assert isinstance(seat, Seat)
            view = state.view(seat)
            values, policy = solution.values(view), solution.policy(view)
            assert set(values) == set(game.actions)
            best = max(values.values())
            assert all(values[move] == pytest.approx(best, abs=1e-12) for move in policy)
            left = remaining(state, seat)
            if len(left) == 1:
                assert policy == {left[0]: 1}
                assert values[left[0]] == 1.0


def test_the_first_guess_is_worth_the_value(
    game: SafeCracker, solution: SafeCrackerSolution
) -> None:
    state = game.start()
    assert set(solution.values(state.view(Seat.ONE)).values()) == {float(VALUE)}
    state = state.play(game.actions[0])
    assert set(solution.values(state.view(Seat.TWO)).values()) == {1 - float(VALUE)}
    state = state.play(game.actions[0])
    first = solution.values(state.view(Seat.ONE))
    assert set(first.values()) == {float(VALUE)}


def test_a_hint_says_how_a_guess_splits(game: SafeCracker, solution: SafeCrackerSolution) -> None:
    state = game.start()
    for text in ("1-1-1", "1-2-2", "1-1-1", "3-3-3"):
        state = state.play(game.move(text))
    view = state.view(Seat.ONE)
    say = {text: solution.why(view, game.move(text)) for text in ("1-2-2", "1-1-1", "2-2-1")}
    assert say["1-2-2"] == "It splits the 12 codes left 4/5/2/1, and may be the code itself."
    assert say["1-1-1"] == "It tells nothing about the 12 codes left."
    assert say["2-2-1"].startswith("It splits the 12 codes left")
