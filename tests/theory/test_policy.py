"""What every certified player does and says, in any view, whatever was asked before."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import product
from random import Random
from typing import Any

import pytest
from solutions import codes_left

from strongroom import load
from strongroom.contract import AnyState, Game, Seat, View
from strongroom.games.quantum_duel.rules import (
    Observe,
    Reply,
    chained,
    possible_observations,
    with_cell,
)
from strongroom.plugins import registry
from strongroom.theory import shelf
from strongroom.theory.hints import NEW, Advised, advise
from strongroom.theory.quantum_duel.player import ENDLESS
from strongroom.theory.safe_code.player import beliefs
from strongroom.theory.safe_code.solution import SafeCodeSolution
from strongroom.theory.safecracker_duel.solution import SafecrackerDuelSolution
from strongroom.theory.shelf import solution_of
from strongroom.theory.solution import BEST

GAMES = [*map(load, registry.GAMES), load("safe-cracker", digits=4)]
each_game = pytest.mark.parametrize("game", GAMES, ids=repr)


def states(game: Game, rng: Random, follows: Seat | None, turns: int = 12) -> Iterator[AnyState]:
    """A game in which one seat follows the certified strategy and everybody else moves anyhow."""
    state: AnyState = game.start()
    while state.outcome is None and state.turns < turns:
        yield state
        chances = solution_of(game).policy(state.view(follows)) if state.actor is follows else {}
        weights = [float(chance) for chance in chances.values()]
        moves = rng.choices([*chances], weights) if weights else [rng.choice(state.moves)]
        state = state.play(moves[0])
    yield state


@pytest.mark.proof
@each_game
def test_every_view_has_a_mixture_of_legal_moves_and_a_value_for_each_of_them(game: Game) -> None:
    solution, rng = solution_of(game), Random(7)
    for number in range(12):
        for state in states(game, rng, (None, *Seat)[number % 3]):
            for seat in Seat:
                view = state.view(seat)
                policy = solution.policy(view)
                if state.actor is not seat:
                    assert not policy
                    continue
                values, assumes = solution.worth.judge(view)
                if assumes == solution.worth.assumes:
                    assert values == solution.worth.move_values(view, None)
                assert sum(policy.values()) == 1
                assert all(isinstance(p, Fraction) and p >= 0 for p in policy.values())
                assert set(policy) <= set(view.moves)
                assert set(values) == set(view.moves)
                assert all(-1e-9 <= value <= 1 + 1e-9 for value in values.values())
                assert solution.effect(view, rng.choice(view.moves)).why.endswith(".")


@each_game
def test_a_theory_does_not_depend_on_earlier_queries(game: Game) -> None:
    rng, kind, table = Random(7), shelf.solution_type(game.name), shelf.read(game)[0]
    views: list[View] = []
    for _ in range(4):
        for state in states(game, rng, None, 8):
            if isinstance(state.actor, Seat) and not state.setting_up:
                views.append(state.view(state.actor))
    asked = kind(game, table)
    said = [(asked.policy(view), asked.worth.judge(view)) for view in views]
    for number in rng.sample(range(len(views)), len(views)):
        assert (asked.policy(views[number]), asked.worth.judge(views[number])) == said[number]
    for number in rng.sample(range(len(views)), 2):
        assert kind(game, table).policy(views[number]) == said[number][0]


def sampled(name: str, games: int, turns: int = 16) -> Iterator[tuple[AnyState, Advised]]:
    """Decisions of games in which both play as certified, except for every third move."""
    game, rng = load(name), Random(name)
    for _ in range(games):
        state = game.start()
        for _ in range(turns):
            if state.actor is None:
                break
            if isinstance(state.actor, Seat):
                view = state.view(state.actor)
                yield state, advise(view)
                drawn = solution_of(game).policy(view) if rng.random() < 2 / 3 else {}
            moves = [*drawn] if isinstance(state.actor, Seat) and drawn else [*state.moves]
            state = state.play(rng.choice(moves))


def left_after(state: Any, guess: Any) -> int:
    """How many codes a guess leaves on average, times the number of codes."""
    parts = Counter(state.game.answer(guess, code) for code in codes_left(state, state.actor))
    return sum(size**2 for size in parts.values())


def any_is_as_good(state: Any, move: Any) -> bool:
    solution, view = solution_of(state.game), state.view(state.actor)
    both = solution.worth.judge(view).moves, solution.policy(view)
    return [len({*each.values()}) for each in both] == [1, 1]


def is_likeliest(state: Any, number: Any) -> bool:
    solution = solution_of(state.game)
    assert isinstance(solution, SafeCodeSolution)
    now = solution.player.standing(state.view(state.actor), state.actor)
    careful, plain = beliefs(solution.player.language, now.seen, now.left, 1.0)
    likely = (careful + plain).tolist()
    return bool(likely[solution.player.language.index[number]] == max(likely))


def wins(state: Any, move: Any) -> bool:
    outcome = state.play(move).outcome
    return outcome is not None and outcome.winner is state.actor


def opponent_failed_there(state: Any, move: Any) -> bool:
    *_, before, last = [event.answer for event in state.log]
    return bool(state.board == last and state.play(move).board == before)


def leaves_fewest_ways(state: Any, move: Any) -> bool:
    solution = solution_of(state.game)
    assert isinstance(solution, SafecrackerDuelSolution)
    belief = solution.worth.belief(state.view(state.actor)).odds
    codes = solution.player.dial.codes

    def risk(move: Any) -> float:
        safe = move.applied_to(state.board).digits
        return sum(
            float(chance)
            for code, chance in zip(codes, belief, strict=True)
            if sum(a != b for a, b in zip(code.digits, safe, strict=True)) <= 1
        )

    return risk(move) == pytest.approx(min(map(risk, state.moves)), abs=1e-9)


def completes(state: Any, move: Any, seat: Seat) -> bool:
    """Whether a symbol of this seat would make four in a row there."""
    return chained(with_cell(state.board, move.cell, seat), seat)


def threatened_elsewhere(state: Any, move: Any) -> bool:
    seat, after = state.actor.other, with_cell(state.board, move.cell, state.actor)
    return any(
        chained(with_cell(after, each.cell, seat), seat) for each in possible_observations(after)
    )


def can_be_challenged(state: Any, move: Any) -> bool:
    return Reply(True) in state.play(move).moves


CLAIMS: dict[str, Callable[[Any, Any], bool]] = {
    r"it splits|, and splits": lambda state, move: (
        left_after(state, move) < len(codes_left(state, state.actor)) ** 2
    ),
    r"what is left best": lambda state, move: (
        left_after(state, move) == min(left_after(state, each) for each in state.moves)
    ),
    r"it may be right": lambda state, move: move in codes_left(state, state.actor),
    r"the opponent can hit next": lambda state, move: (
        len(codes_left(state, state.actor.other)) == 1
    ),
    r"nothing else is left": lambda state, move: codes_left(state, state.actor) == [move],
    r"no code is harder to find|any number is as good": any_is_as_good,
    r"it gives away little": lambda state, clue: (
        len(clue.meaning) == max(len(each.meaning) for each in state.moves)
    ),
    r"it is among the likeliest left": is_likeliest,
    r"it wins": wins,
    r"the opponent has just failed to win from there": opponent_failed_there,
    r"it leaves the opponent the fewest ways to win": leaves_fewest_ways,
    r"if it stands": can_be_challenged,
    r"it cannot be challenged|four in a row( there)?$": lambda state, move: (
        isinstance(move, Observe) and not can_be_challenged(state, move)
    ),
    r"nobody can force a win after it": lambda state, move: (
        solution_of(state.game).worth.judge(state.view(state.actor)).moves[move] == ENDLESS
    ),
    r"the symbol stays": lambda state, move: state.play(move).board == state.board,
    r"the full board is cleared": lambda state, move: not any(state.play(move).board),
    r"tails takes": lambda state, move: move == Reply(True),
    r"tails takes the four": lambda state, move: chained(state.board, state.actor.other),
    r"it completes four in a row": lambda state, move: completes(state, move, state.actor),
    r"it keeps the opponent from": lambda state, move: completes(state, move, state.actor.other),
    r"from four in a row there": threatened_elsewhere,
    r"from four in a row(?! there)": lambda state, move: not threatened_elsewhere(state, move),
}
SAMPLED = {
    "safe-cracker": 30,
    "digit-deductions": 5,
    "safe-code": 4,
    "safecracker-duel": 20,
    "quantum-duel": 200,
}


@pytest.mark.proof
@pytest.mark.parametrize("name", SAMPLED)
def test_the_plain_reason_is_true_of_every_move_that_it_is_given_for(name: str) -> None:
    for state, advised in sampled(name, SAMPLED[name]):
        assert isinstance(state.actor, Seat)
        solution, view = solution_of(state.game), state.view(state.actor)
        best = max(solution.worth.judge(view).moves.values())
        for each in advised.best:
            if each.effect.reason == NEW:
                assert each.chance < best
                assert not solution.repeats(view, each.move)
                continue
            assert each.chance == pytest.approx(best, abs=1e-8)
            claims = [
                claim for part, claim in CLAIMS.items() if re.search(part, each.effect.reason)
            ]
            assert claims or each.effect.reason == BEST, each.effect.reason
            assert all(claim(state, each.move) for claim in claims), (each.effect.reason, state.log)
        drawn = [move for move, chance in solution.policy(view).items() if chance]
        text = advised.plain(state.game.words)
        assert ("Master picks at random here" in text) == (len(drawn) > 1)
        assert not re.search("; it wins|certified", "\n".join(advised.sentences(state.game.words)))
        if len(drawn) == 1 and drawn[0] not in [each.move for each in advised.best]:
            assert text.endswith(f"plays {state.game.words.mention(drawn[0])}.")


@pytest.mark.proof
@each_game
def test_no_reason_names_a_figure_that_orders_moves_otherwise_than_what_they_are_worth(
    game: Game,
) -> None:
    solution = solution_of(game)
    for seed in range(15):
        rng = Random(seed)
        met = [each for each in states(game, rng, None) if isinstance(each.actor, Seat)]
        actor = (state := rng.choice(met)).actor
        assert isinstance(actor, Seat)
        view, rows = state.view(actor), defaultdict(list)
        for move, worth in solution.worth.judge(view).moves.items():
            effect = solution.effect(view, move)
            # As hints and puzzles say it, and as an analysis does.
            for told in (effect.why, effect.instead):
                said = re.sub(r"\d-\d(-\d)?", "CODE", told)
                figures = [float(each) for each in re.findall(r"\d+\.?\d*", said)]
                rows[re.sub(r"\d+\.?\d*", "N", said)].append((figures, worth))
        for reason, named in rows.items():
            # What a move wins decides over all else; it is rounded to whole percents.
            decisive, slack = (-1, 0.0051) if "wins N%" in reason else (0, 1e-9)
            for place in [*range(len(named[0][0]))][decisive:]:
                pairs = [
                    other[1] - one[1]
                    for one, other in product(named, repeat=2)
                    if one[0][place] < other[0][place]
                ]
                assert min(pairs, default=0.0) > -slack or max(pairs) < slack, reason
