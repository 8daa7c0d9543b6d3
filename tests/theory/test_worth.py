"""What decisions are worth against the certified player, in every game that tells."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from fractions import Fraction
from random import Random

import pytest

from strongroom import load
from strongroom.contract import CHANCE, Game, Move, Seat, View
from strongroom.games.quantum_duel.rules import QuantumDuel
from strongroom.players import Player, player
from strongroom.referee.bout import Bout
from strongroom.referee.randomness import draws
from strongroom.theory.quantum_duel.worth import ChainWorth, chain_of
from strongroom.theory.shelf import read, solution_of
from strongroom.theory.solution import Solution
from tests.theory.expectimax import believed, worth_of_moves

GAMES = [
    load("quantum-duel"),
    load("safecracker-duel"),
    load("safecracker-duel", allow_same_digit=True),
]
PLAYERS = ("random", "casual", "expert", "master")
LIMIT = 100

games = pytest.mark.parametrize("game", GAMES, ids=repr)


def decisions(
    game: Game, name: str, seat: Seat, seed: int, limit: int
) -> Iterator[tuple[View, Move | None, float]]:
    """The decisions of a bot against the certified player; at the end, None and the result."""
    rng = Random(f"{name} {seat} {seed}")
    players: dict[Seat, Player] = {
        seat: player(name, game, rng),
        seat.other: player("master", game, rng),
    }
    bout, draw = Bout.start(game, limit), draws(seed)
    while True:
        bout = bout.settled(draw)
        if bout.outcome is not None:
            winner = bout.outcome.winner
            result = 0.5 if winner is None else float(winner is seat)
            yield bout.view(seat), None, result
            return
        assert isinstance(bout.actor, Seat)
        view = bout.view(bout.actor)
        move = players[bout.actor].choose(view)
        if bout.actor is seat:
            yield view, move, 0.0
        bout = bout.play(move)


@games
def test_a_best_response_wins_what_the_certificate_concedes(game: Game) -> None:
    worth, (_, provenance) = solution_of(game).worth, read(game)
    lower, upper = (float(Fraction(provenance[bound])) for bound in ("lower", "upper"))
    for turns in (LIMIT, None):
        assert worth.start(Seat.ONE, turns) == pytest.approx(upper, abs=1e-9)
        assert worth.start(Seat.TWO, turns) == pytest.approx(1 - lower, abs=1e-9)


@games
@pytest.mark.parametrize("limit", [1, 2, 3, 4, 5, 7])
@pytest.mark.parametrize("seat", Seat)
def test_worth_is_what_brute_force_finds(game: Game, limit: int, seat: Seat) -> None:
    solution = solution_of(game)
    for name in ("random", "casual"):
        for seed in range(2):
            for view, move, _ in decisions(game, name, seat, seed, limit):
                if move is None or limit - view.turns > (3 if view.turns > 1 else 1):
                    continue  # it would take too long
                brute = worth_of_moves(view, solution.policy, limit)
                found = solution.worth.moves(view, limit - view.turns)
                assert {*found} == {*brute}
                for each, value in brute.items():
                    assert found[each] == pytest.approx(value, abs=1e-9), (view, each)


@games
@pytest.mark.parametrize("limit", [LIMIT, 9])
@pytest.mark.parametrize("name", PLAYERS)
def test_the_result_is_the_start_minus_costs_plus_luck(game: Game, name: str, limit: int) -> None:
    solution = solution_of(game)
    for seat in Seat:
        for seed in range(4):
            expected = solution.worth.start(seat, limit)
            total, first = expected, True
            for view, move, result in decisions(game, name, seat, seed, limit):
                if move is None:
                    total += result - expected
                    assert total == pytest.approx(result, abs=1e-9)
                    break
                turns = limit - view.turns
                value, worth = solution.worth.value(view, turns), solution.worth.moves(view, turns)
                assert {*worth} == {*view.moves}
                assert max(worth.values()) <= value + 1e-12
                total += value - expected
                if name == "master":
                    assert value - worth[move] < 1e-9
                assert first or value >= 0
                expected, first = worth[move], False
                total += worth[move] - value


@games
def test_without_a_limit_moves_are_worth_what_they_are_with_a_far_one(game: Game) -> None:
    worth = solution_of(game).worth
    for view, move, _ in decisions(game, "random", Seat.ONE, 5, 20):
        if move is not None:
            endless, far = worth.moves(view, None), worth.moves(view, 300)
            assert endless == pytest.approx(far, abs=1e-9)


def test_at_quantum_duel_a_best_response_without_a_limit_wins_the_value_of_the_position() -> None:
    game = QuantumDuel()
    solution, chain = solution_of(game), chain_of(game)
    general = ChainWorth(game, solution.policy)
    for position in chain.positions[::5]:
        if isinstance(position.actor, Seat):
            view = chain.state(position).view(position.actor)
            certified = solution.worth.moves(view, None)
            assert general.moves(view, None) == pytest.approx(certified, abs=1e-9)
            assert solution.worth.value(view, None) == max(certified.values())


@games
@pytest.mark.parametrize("seat", Seat)
def test_a_move_is_worth_the_mean_of_what_follows(game: Game, seat: Seat) -> None:
    solution = solution_of(game)
    for name in PLAYERS:
        for view, move, _ in decisions(game, name, seat, 11, LIMIT):
            if move is None or view.setting_up or view.turns > 12:
                continue
            worth = solution.worth.moves(view, LIMIT - view.turns)
            for each in {move, view.moves[0], view.moves[-1]}:
                assert worth[each] == pytest.approx(mean_after(solution, view, each), abs=1e-9)


def mean_after(solution: Solution, view: View, move: Move) -> float:
    """The mean of V at the viewer's next decision, over all that it does not know."""
    total, won = 0.0, 0.0
    groups: dict[View, float] = defaultdict(float)
    assert view.seat is not None
    waiting = []
    for bout, weight in believed(view, solution.policy, LIMIT):
        total += weight
        waiting.append((bout.play(move), weight))
    while waiting:
        bout, weight = waiting.pop()
        if bout.outcome is not None:
            winner = bout.outcome.winner
            won += weight * (0.5 if winner is None else float(winner is view.seat))
        elif bout.actor is view.seat:
            groups[bout.view(view.seat)] += weight
        else:
            if bout.actor is CHANCE:
                odds = dict(zip(bout.state.moves, bout.state.odds, strict=True))
            else:
                policy = solution.policy(bout.view(view.seat.other))
                odds = {each: float(chance) for each, chance in policy.items()}
            waiting += [(bout.play(each), weight * p) for each, p in odds.items() if p]
    for seen, weight in groups.items():
        won += weight * solution.worth.value(seen, LIMIT - seen.turns)
    return won / total
