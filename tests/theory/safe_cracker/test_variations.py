"""The variations of Safe Cracker: the shipped tables are proved, and are what is played."""

from __future__ import annotations

import random
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np
import pytest

from strongroom.contract import Seat
from strongroom.games.safe_cracker.rules import SafeCracker, SafeCrackerOptions, SafeCrackerState
from strongroom.theory.safe_cracker.player import RaceGuesser
from strongroom.theory.safe_cracker.proof import check_node
from strongroom.theory.safe_cracker.race import race_of
from strongroom.theory.safe_cracker.response import RaceResponse
from strongroom.theory.safe_cracker.solution import LARGEST, SafeCrackerSolution
from strongroom.theory.shelf import fingerprint, is_certified, read
from strongroom.theory.solution import NoTheory, NotProved, Table
from strongroom.theory.verification import Shipped, verify

if TYPE_CHECKING:
    from tests.theory.safe_cracker.conftest import Played, Remaining

SMALL = [(4, 3), (3, 4), (5, 3)]
SHIPPED = [(digits, length) for length, most in LARGEST.items() for digits in range(3, most + 1)]
RACES = {
    (4, 3): "2653/4096",
    (5, 3): "9811/15625",
    (6, 3): "397/648",
    (7, 3): "70666/117649",
    (3, 4): "1468/2187",
    (4, 4): "21411/32768",
}


def quiet(done: float, words: str) -> None:
    assert 0 <= done <= 1
    assert words


def variation(digits: int, length: int) -> SafeCracker:
    return SafeCracker(SafeCrackerOptions(digits=digits, length=length))


def shipped(game: SafeCracker) -> SafeCrackerSolution:
    return SafeCrackerSolution(game, read(game)[0])


@pytest.fixture(scope="module")
def four() -> SafeCrackerSolution:
    return shipped(variation(4, 3))


@pytest.mark.parametrize(("digits", "length"), SHIPPED)
def test_every_variation_that_can_be_solved_is_shipped_with_its_options(
    digits: int, length: int
) -> None:
    game = variation(digits, length)
    assert is_certified(game)
    assert SafeCrackerSolution(game, read(game)[0]).guesser.space.game.options == game.options


@pytest.mark.proof
@pytest.mark.parametrize(("digits", "length"), SMALL)
def test_a_small_table_is_proved_and_solving_gives_the_same(digits: int, length: int) -> None:
    verdict = verify(variation(digits, length), quiet)
    assert verdict.shipped is Shipped.PROVED
    assert verdict.recomputed.value == "the same"
    certificate = verdict.certificate
    assert certificate is not None
    assert certificate.value is None
    assert certificate.lower < Fraction(RACES[digits, length]) < certificate.upper
    assert certificate.figures == {"race": Fraction(RACES[digits, length])}


@pytest.mark.parametrize(("digits", "length"), [(6, 3), (7, 3), (8, 3), (9, 3), (4, 4), (3, 5)])
def test_sampled_nodes_of_a_large_table_pass_the_checks_of_the_proof(
    digits: int, length: int
) -> None:
    guesser = shipped(variation(digits, length)).guesser
    rng = random.Random(1)
    several = [x for x, codes in enumerate(guesser.sets) if 2 <= len(codes) <= 30]
    for x in rng.sample(several, 12):
        check_node(guesser, x)


@pytest.mark.parametrize(("digits", "length"), [(5, 3), (4, 4), (3, 5)])
def test_a_strategy_goes_somewhere_unless_it_hits(digits: int, length: int) -> None:
    guesser, rng = shipped(variation(digits, length)).guesser, random.Random(2)
    response = RaceResponse(guesser)
    for x in rng.sample([x for x, codes in enumerate(guesser.sets) if 2 <= len(codes) <= 20], 8):
        pursuit = response.pursuit(x)
        sizes = np.bincount(pursuit.kinds)
        for k, goes in pursuit.goes.items():
            hit = (1 - goes.sum(0)) @ sizes
            assert hit == pytest.approx(float(guesser.splits(x)[k].hit))


@pytest.mark.parametrize(("digits", "length"), RACES)
def test_the_recorded_bounds_are_close_to_the_race(digits: int, length: int) -> None:
    game = variation(digits, length)
    table, provenance = read(game)
    race = Fraction(RACES[digits, length])
    assert float(provenance["lower"]) < race < float(provenance["upper"])
    assert float(provenance["upper"]) - float(provenance["lower"]) < 0.006
    guesser = RaceGuesser(table)
    assert Fraction(guesser.race(0, 0), len(guesser.same) ** 2) == race


@pytest.mark.proof
@pytest.mark.parametrize(("digits", "length"), SMALL)
def test_the_race_that_follows_from_the_choices_is_the_solvers_race(
    digits: int, length: int
) -> None:
    guesser, won = shipped(variation(digits, length)).guesser, race_of(digits, length).won
    nodes = range(len(guesser.sets))
    assert all(guesser.race(x, y) == won[x, y] for x in nodes for y in nodes)


def best_response(
    solution: SafeCrackerSolution, states: list[SafeCrackerState], responder: Seat
) -> Fraction:
    """What the responder wins by walking the real game, trying equal splits only once."""
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
    if len(states) == 1:
        return Fraction(1)
    splits = {}
    for guess in first.moves:
        after = [state.play(guess) for state in states]
        splits[tuple(state.log[-1].answer for state in after)] = after
    best = Fraction(0)
    for answers, after in splits.items():
        groups = [[s for s, a in zip(after, answers, strict=True) if a == b] for b in {*answers}]
        wins = [len(group) * best_response(solution, group, responder) for group in groups]
        best = max(best, sum(wins, Fraction(0)) / len(states))
    return best


@pytest.mark.proof
@pytest.mark.parametrize("responder", list(Seat))
def test_the_proof_is_about_what_the_policy_really_plays(
    responder: Seat, four: SafeCrackerSolution, played: Played, remaining: Remaining
) -> None:
    """Walks real games from sampled positions."""
    rng, guesser, game = random.Random(5), four.guesser, variation(4, 3)
    response, checked = RaceResponse(guesser), 0
    while checked < 5:
        state = played(game, rng, rng.randint(3, 6), four, responder.other)
        own, other = (remaining(state, seat) for seat in (responder.other, responder))
        if not (state.actor is responder and 2 <= len(own) <= 3 and len(other) == 2):
            continue
        stand = guesser.follow(state.view(responder.other))
        secret = state.secrets[responder.index][0]
        states = []
        for code in other:
            pair = ((secret,), (code,)) if responder is Seat.ONE else ((code,), (secret,))
            states.append(state._replace(secrets=pair))
        place = guesser.sets[stand.mind.own].tolist().index(stand.own[game.actions.index(secret)])
        proved = response.to_move(stand.mind)[place]
        assert float(best_response(four, states, responder)) == pytest.approx(proved, abs=1e-12)
        checked += 1


@pytest.mark.parametrize(("digits", "length"), [(4, 4), (9, 3)])
def test_the_candidates_are_known_wherever_games_lead(
    digits: int, length: int, played: Played, remaining: Remaining
) -> None:
    """Even where equal sets have two forms, as with four digits at length 4."""
    solution, rng = shipped(variation(digits, length)), random.Random(6)
    guesser, game = solution.guesser, solution.rules
    for turns in (*range(2, 10), *range(2, 10)):
        state = played(game, rng, turns, solution if rng.random() < 0.5 else None)
        for seat in Seat:
            stand = guesser.follow(state.view(seat))
            for node, names, guesses_of in (
                (stand.mind.own, stand.own, seat),
                (stand.mind.other, stand.other, seat.other),
            ):
                left = [game.actions.index(code) for code in remaining(state, guesses_of)]
                assert sorted(names[left]) == sorted(guesser.sets[node])


# --- tables that are not strategies ---------------------------------------------------------------


def spoiled(table: Table, name: str) -> Table:
    """A table with a choice out of range, two orbits exchanged, a cell or a code changed."""
    changed = table[name].copy()
    match name:
        case "choice":
            changed[1, 0] = 50
        case "orbits":
            changed[1, [0, -1]] = changed[1, [-1, 0]]
        case "cells":
            changed[-1, 0] = changed[0, 0]
        case "keys":
            changed[-1] = (changed[-1] + 1) % 4
    return {**table, name: changed}


@pytest.mark.parametrize("name", ["choice", "orbits", "cells", "keys"])
def test_a_spoiled_table_proves_nothing(name: str, four: SafeCrackerSolution) -> None:
    with pytest.raises((NotProved, LookupError)):
        SafeCrackerSolution(four.game, spoiled(four.table, name)).certify(quiet)


def test_a_table_that_does_not_begin_with_every_code_proves_nothing(
    four: SafeCrackerSolution,
) -> None:
    begin, end = four.table["ends"][:2]
    table = {
        **four.table,
        "keys": four.table["keys"][begin:],
        "ends": four.table["ends"][1:] - begin,
    }
    assert end > begin
    with pytest.raises(NotProved, match="begin with every code"):
        SafeCrackerSolution(four.game, table).certify(quiet)


def test_a_spoiled_strategy_has_wider_bounds(four: SafeCrackerSolution) -> None:
    lower, upper = four.certify(quiet)
    first = {**four.table, "choice": np.zeros_like(four.table["choice"])}
    least, most = SafeCrackerSolution(four.game, first).certify(quiet)
    assert least < lower - 0.01
    assert upper + 0.005 < most
    assert fingerprint(first) != fingerprint(four.table)


# --- variations that are not solved ---------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"attempts": 3}, "limited attempts"),
        ({"digits": 5, "length": 4}, "625 codes of length 4 are too many"),
        ({"digits": 4, "length": 5}, "1,024 codes of length 5 are too many"),
        ({"length": 6}, "729 codes of length 6 are too many"),
        ({"digits": 9, "length": 6}, "531,441 codes of length 6 are too many"),
    ],
)
def test_a_variation_that_cannot_be_solved_is_refused_at_once(
    options: dict[str, int], reason: str
) -> None:
    game = SafeCracker(SafeCrackerOptions(**options))
    with pytest.raises(NoTheory, match=reason):
        SafeCrackerSolution.solve(game, quiet)
