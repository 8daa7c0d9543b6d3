"""What decisions are worth at Safe Code: what racing on wins, on average, after the reply."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice, pairwise
from random import Random

import pytest

from strongroom import load
from strongroom.contract import Move, Seat
from strongroom.games.safe_code.rules import CLUES_EACH, REQUEST
from strongroom.players import player
from strongroom.referee.bout import Bout
from strongroom.theory.safe_code.solution import SafeCodeSolution
from strongroom.theory.shelf import solution_of
from strongroom.theory.worth import Worth

LIMIT = 100
GAME = load("safe-code")


@pytest.fixture(scope="module")
def solution() -> SafeCodeSolution:
    found = solution_of(GAME)
    assert isinstance(found, SafeCodeSolution)
    return found


def bouts(name: str, seat: Seat, seed: int, limit: int = LIMIT) -> Iterator[tuple[Bout, Move]]:
    """The decisions of a bot against the certified player; at the end, the last bout again."""
    rng = Random(seed)
    sitting = {seat: player(name, GAME, rng), seat.other: player("master", GAME, rng)}
    bout, move = Bout.start(GAME, limit), None
    while bout.outcome is None:
        assert isinstance(bout.actor, Seat)
        move = sitting[bout.actor].choose(bout.view(bout.actor))
        if bout.actor is seat:
            yield bout, move
        bout = bout.play(move)
    assert move is not None
    yield bout, move


def result(bout: Bout, seat: Seat) -> float:
    assert bout.outcome is not None
    return 0.5 if bout.outcome.winner is None else float(bout.outcome.winner is seat)


def mean_after(
    solution: SafeCodeSolution, worth: Worth, bout: Bout, seat: Seat, move: Move
) -> float:
    """The mean of V at the next decision, by the rules, over the certified player's secrets."""
    view, language = bout.view(seat), solution.player.language
    left = solution.player.standing(view, seat.other).open
    given = bout.state.secrets[seat.other.index][1 : 1 + view.board[seat.index]]
    said = {language.numbers[x].value for clue in given for x in _ruled_out(solution, clue)}
    total = 0.0
    for code in left:
        number = language.numbers[code]
        fresh = [v for v in language.weakest if v not in said and v != number.value]
        nexts = fresh if move == REQUEST else fresh[:1]
        for value in nexts:
            rest = [language.weakest[v] for v in islice((v for v in fresh if v != value), 3)]
            hidden = (number, *given, language.weakest[value], *rest)[: 1 + CLUES_EACH]
            own = bout.state.secrets[seat.index]
            secrets = (own, hidden) if seat is Seat.ONE else (hidden, own)
            after = Bout(bout.state._replace(secrets=secrets), LIMIT).play(move)
            total += _until_next(solution, worth, after, seat) / len(left) / len(nexts)
    return total


def _ruled_out(solution: SafeCodeSolution, clue: Move) -> list[int]:
    row = solution.player.language.true[solution.player.language.index[clue]]
    return [x for x, true in enumerate(row) if not true]


def _until_next(solution: SafeCodeSolution, worth: Worth, bout: Bout, seat: Seat) -> float:
    if bout.outcome is not None:
        return result(bout, seat)
    if bout.actor is seat:
        view = bout.view(seat)
        return worth.value(view, LIMIT - view.turns)
    mixture = solution.policy(bout.view(seat.other))
    return sum(
        float(chance) * _until_next(solution, worth, bout.play(move), seat)
        for move, chance in mixture.items()
    )


@pytest.mark.parametrize("seat", Seat)
@pytest.mark.parametrize("name", ["random", "casual", "expert"])
def test_a_move_is_worth_the_mean_of_each_v_after_the_reply(
    solution: SafeCodeSolution, name: str, seat: Seat
) -> None:
    for number, (bout, move) in enumerate(bouts(name, seat, 3)):
        view = bout.view(seat)
        if bout.outcome is not None or view.setting_up or number % 3:
            continue
        for worth in (solution.worth, *solution.worth.further):
            moves = worth.moves(view, LIMIT - view.turns)
            assert {*moves} == {*view.moves}
            for each in {move, view.moves[0], view.moves[-1]}:
                mean = mean_after(solution, worth, bout, seat, each)
                assert moves[each] == pytest.approx(mean, abs=1e-9)


@pytest.mark.parametrize("seat", Seat)
def test_what_clues_betray_is_paid_for_when_they_are_chosen(
    solution: SafeCodeSolution, seat: Seat
) -> None:
    (worth,) = solution.worth.further
    decided = [*bouts("casual", seat, 4)]
    for (bout, move), (later, _) in pairwise(decided[: 2 + CLUES_EACH]):
        view = bout.view(seat)
        moves = worth.moves(view, LIMIT)
        assert {*moves} == {*view.moves}
        after = bout.play(move) if seat is Seat.TWO else later
        assert moves[move] == pytest.approx(_until_next(solution, worth, after, seat), abs=1e-9)
        for each in view.moves[::50] if seat is Seat.TWO else ():
            mean = _until_next(solution, worth, bout.play(each), seat)
            assert moves[each] == pytest.approx(mean, abs=1e-9)
    assert moves[move] != pytest.approx(worth.start(seat, LIMIT), abs=0.01)


@pytest.mark.parametrize("seat", Seat)
def test_racing_costs_nothing(solution: SafeCodeSolution, seat: Seat) -> None:
    for bout, move in bouts("master", seat, 5):
        view = bout.view(seat)
        if bout.outcome is None:
            turns = LIMIT - view.turns
            value, worth = solution.worth.value(view, turns), solution.worth.moves(view, turns)
            assert worth[move] == pytest.approx(value, abs=1e-12)


@pytest.mark.parametrize("seat", Seat)
@pytest.mark.parametrize("name", ["random", "casual", "expert"])
def test_no_decision_is_worth_more_than_racing_on(
    solution: SafeCodeSolution, name: str, seat: Seat
) -> None:
    for seed in range(6):
        for bout, _ in bouts(name, seat, seed):
            if bout.outcome is None:
                value, moves = solution.worth.weighed(bout.view(seat), LIMIT)
                assert max(moves.values()) == pytest.approx(value, abs=1e-12)


def test_near_the_end_a_best_response_races_on(solution: SafeCodeSolution) -> None:
    searched = 0
    for seed in range(12):
        for bout, _ in bouts("casual", Seat.TWO, seed):
            view = bout.view(Seat.TWO)
            found = bout.outcome is None and solution.worth.best_response(view)
            if found:
                searched += 1
                assert solution.worth.moves(view, None) == pytest.approx(found, abs=1e-12)
    assert searched >= 5


STRONG = ("18", "The number is even.", "It is divisible by 3.", "It is less than 20.")
WEAKEST = ("18", "It is greater than 1.", "It is not equal to 2.", "It is not equal to 3.")


@pytest.mark.parametrize(("own", "cost"), [(STRONG, 11 / 30), (WEAKEST, 0)])
def test_clues_cost_nothing_until_their_writer_asks(
    solution: SafeCodeSolution, own: tuple[str, ...], cost: float
) -> None:
    bout = Bout.start(GAME, LIMIT)
    for choice in own:
        value, moves = solution.worth.weighed(bout.view(Seat.ONE), LIMIT)
        assert {*moves.values()} == {value}
        bout = bout.play(GAME.move(choice))
    while bout.state.setting_up:
        bout = bout.play(next(iter(solution.policy(bout.view(Seat.TWO)))))
    value, moves = solution.worth.weighed(bout.view(Seat.ONE), LIMIT)
    assert value == pytest.approx(31 / 60)
    assert value - moves[REQUEST] == pytest.approx(cost, abs=1e-12)


@pytest.mark.parametrize("limit", [LIMIT, 7])
@pytest.mark.parametrize("name", ["random", "casual", "expert", "master"])
def test_result_is_start_minus_costs_plus_luck(
    solution: SafeCodeSolution, name: str, limit: int
) -> None:
    for seat in Seat:
        for seed in range(10):
            expected = solution.worth.start(seat, limit)
            total = expected
            for bout, move in bouts(name, seat, seed, limit):
                view = bout.view(seat)
                if bout.outcome is not None:
                    assert total + result(bout, seat) - expected == pytest.approx(
                        result(bout, seat)
                    )
                    break
                value = solution.worth.value(view, limit - view.turns)
                worth = solution.worth.moves(view, limit - view.turns)[move]
                total += value - expected + worth - value
                expected = worth


def test_the_last_turn_is_won_or_worth_a_half(solution: SafeCodeSolution) -> None:
    *_, (bout, _) = (each for each in bouts("random", Seat.ONE, 2, 3) if not each[0].outcome)
    view = bout.view(Seat.ONE)
    worth = solution.worth.moves(view, 1)
    left = len(solution.player.standing(view, Seat.TWO).open)
    assert max(worth.values()) == pytest.approx(1 / left + (1 - 1 / left) / 2)
    assert worth[REQUEST] == 0.5
