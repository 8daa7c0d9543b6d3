"""What every certified player does and says, in any view, whatever was asked before."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from fractions import Fraction
from random import Random
from typing import Any, NoReturn

import pytest
from solutions import codes_left

from strongroom import load
from strongroom.contract import CHANCE, AnyState, Event, Game, History, Seat, View
from strongroom.games.quantum_duel.rules import Observe, Reply, chained, unobserved, with_cell
from strongroom.plugins import registry
from strongroom.theory import shelf
from strongroom.theory.hints import Advised, advise
from strongroom.theory.history_fold import HistoryFold
from strongroom.theory.move_effect import BEST
from strongroom.theory.quantum_duel.board import ENDLESS
from strongroom.theory.safe_code.player import beliefs
from strongroom.theory.safe_code.solution import SafeCodeSolution
from strongroom.theory.safecracker_duel.solution import SafecrackerDuelSolution
from strongroom.theory.shelf import solution_of

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


@each_game
def test_every_view_has_a_mixture_of_legal_moves_and_a_value_for_each_of_them(game: Game) -> None:
    solution, rng = solution_of(game), Random(7)
    for number in range(12):
        for state in states(game, rng, (None, *Seat)[number % 3]):
            for seat in Seat:
                view = state.view(seat)
                policy, values = solution.policy(view), solution.values(view)
                if state.actor is not seat:
                    assert (policy, values) == ({}, {})
                    continue
                assert sum(policy.values()) == 1
                assert all(isinstance(p, Fraction) and p >= 0 for p in policy.values())
                assert set(policy) <= set(view.moves)
                assert set(values) == set(view.moves)
                assert all(-1e-9 <= value <= 1 + 1e-9 for value in values.values())
                assert solution.why(view, rng.choice(view.moves)).endswith(".")


@pytest.mark.parametrize("name", ["safecracker-duel", "safe-cracker"])
def test_only_moves_of_the_highest_value_are_played(name: str) -> None:
    """So it is everywhere at Quantum Duel; elsewhere others prepare for what is never done."""
    game, rng = load(name), Random(3)
    for number in range(30):
        seat = [*Seat][number % 2]
        for state in states(game, rng, seat, 7):
            # At Safecracker Duel only a seat that has followed the strategy so far.
            if isinstance(state.actor, Seat) and (name == "safe-cracker" or state.actor is seat):
                view = state.view(state.actor)
                values = solution_of(game).values(view)
                for move in solution_of(game).policy(view):
                    assert values[move] == pytest.approx(max(values.values()), abs=1e-9)


@each_game
def test_a_theory_does_not_depend_on_earlier_queries(game: Game) -> None:
    rng, kind, table = Random(7), shelf.solution_type(game.name), shelf.read(game)[0]
    views: list[View] = []
    for _ in range(4):
        for state in states(game, rng, None, 8):
            if isinstance(state.actor, Seat) and not state.setting_up:
                views.append(state.view(state.actor))
            assert state.actor in (*Seat, CHANCE, None)
    asked = kind(game, table)
    said = [(asked.policy(view), asked.values(view)) for view in views]
    for number in rng.sample(range(len(views)), len(views)):
        assert (asked.policy(views[number]), asked.values(views[number])) == said[number]
    for number in rng.sample(range(len(views)), 2):
        assert kind(game, table).policy(views[number]) == said[number][0]


def test_each_event_is_read_once_unless_another_game_or_moment_is_asked_for() -> None:
    read: list[Event] = []

    def step(text: str, happened: Event) -> str:
        read.append(happened)
        return text + str(happened.move)

    following, history = HistoryFold("", step), History[Event]()
    events = [Event(Seat.ONE, Observe(cell)) for cell in range(1, 5)]
    for number, event in enumerate(events[:3], 1):
        history = history.then(event)
        assert following.after(history) == following.after(history) == "123"[:number]
    assert read == events[:3]
    assert following.after(History(events[0], events[3])) == "14"
    assert following.after(History(*history[:2])) == "12"
    assert following.after(history) == "123"
    assert following.after(History()) == ""


class Unwalked(History[Event]):
    """A history that must not be walked as a whole."""

    def __iter__(self) -> NoReturn:
        raise AssertionError("the whole history was walked")


def test_in_a_long_game_at_which_only_the_last_turns_count_only_they_are_read() -> None:
    openings = {"quantum-duel": ("4",), "safecracker-duel": ("3-4-5", "5-4-3")}
    for name, opening in openings.items():
        state = load(name).start()
        for text in (*opening, *("1 2", "2 2", "1 1", "2 1") * (25 * (len(opening) - 1))):
            state = state.play(state.game.move(text))
        assert isinstance(state.actor, Seat)
        view, solution = state.view(state.actor), solution_of(state.game)
        long = view._replace(history=Unwalked(*[*view.history] * 2))
        assert solution.policy(long) == solution.policy(view)
        if name == "quantum-duel":
            assert solution.values(long) == solution.values(view)


# --- the reasons that hints give without figures are true of their moves ---


Claim = Callable[[Any, Any], bool]


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


def left_after(state: Any, guess: Any, codes: list[Any]) -> int:
    """How many codes a guess leaves on average, times the number of codes."""
    parts = Counter(state.game.answer(guess, code) for code in codes)
    return sum(size**2 for size in parts.values())


def splits(state: Any, move: Any) -> bool:
    codes = codes_left(state, state.actor)
    return left_after(state, move, codes) < len(codes) ** 2


def splits_best(state: Any, move: Any) -> bool:
    codes = codes_left(state, state.actor)
    least = min(left_after(state, each, codes) for each in state.moves)
    return left_after(state, move, codes) == least


def may_be_right(state: Any, move: Any) -> bool:
    return move in codes_left(state, state.actor)


GUESSES: dict[str, tuple[Claim, ...]] = {
    "it splits what is left": (splits,),
    "it splits what is left best": (splits, splits_best),
    "it may be right, and splits what is left": (may_be_right, splits),
    "it may be right, and splits what is left best": (may_be_right, splits, splits_best),
    "it may be right, and the opponent can hit next": (
        may_be_right,
        lambda state, move: len(codes_left(state, state.actor.other)) == 1,
    ),
    "nothing else is left": (lambda state, move: codes_left(state, state.actor) == [move],),
}


def any_is_as_good(state: Any, move: Any) -> bool:
    solution, view = solution_of(state.game), state.view(state.actor)
    return len({*solution.values(view).values()}) == len({*solution.policy(view).values()}) == 1


def gives_away_least(state: Any, clue: Any) -> bool:
    return len(clue.meaning) == max(len(each.meaning) for each in state.moves)


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
    belief = solution.advice.beliefs.of_opponent(state.view(state.actor))
    codes = solution.player.dial.codes

    def risk(move: Any) -> float:
        safe = move.applied_to(state.board).digits
        return sum(
            float(chance)
            for code, chance in zip(codes, belief, strict=True)
            if sum(a != b for a, b in zip(code.digits, safe, strict=True)) <= 1
        )

    return risk(move) == pytest.approx(min(map(risk, state.moves)), abs=1e-9)


def ends_a_threat(elsewhere: bool) -> Claim:
    def claim(state: Any, move: Any) -> bool:
        seat, after = state.actor, with_cell(state.board, move.cell, state.actor)
        threats = (with_cell(after, each.cell, seat.other) for each in unobserved(after))
        return (
            chained(with_cell(state.board, move.cell, seat.other), seat.other)
            and any(chained(board, seat.other) for board in threats) is elsewhere
        )

    return claim


def can_be_challenged(state: Any, move: Any) -> bool:
    return Reply(True) in state.play(move).moves


def goes_on_forever(state: Any, move: Any) -> bool:
    return solution_of(state.game).values(state.view(state.actor))[move] == ENDLESS


def stands_unchallenged(state: Any, move: Any) -> bool:
    return isinstance(move, Observe) and not can_be_challenged(state, move)


CLAIMS: dict[str, dict[str, tuple[Claim, ...]]] = {
    "safe-cracker": {
        **GUESSES,
        "no code is harder to find than another": (any_is_as_good,),
    },
    "digit-deductions": GUESSES,
    "safe-code": {
        "any number is as good, if nobody can foresee it": (any_is_as_good,),
        "it gives away little": (gives_away_least,),
        "it is among the likeliest left": (is_likeliest,),
    },
    "safecracker-duel": {
        "it wins": (wins,),
        "the opponent has just failed to win from there": (opponent_failed_there,),
        "it leaves the opponent the fewest ways to win": (leaves_fewest_ways,),
    },
    "quantum-duel": {
        "it cannot be challenged": (stands_unchallenged,),
        "nobody can force a win after it": (goes_on_forever,),
        "the symbol stays": (lambda state, move: state.play(move).board == state.board,),
        "the full board is cleared": (lambda state, move: not any(state.play(move).board),),
        "tails takes the symbol back": (lambda state, move: move == Reply(True),),
        "tails takes the four in a row back": (
            lambda state, move: move == Reply(True) and chained(state.board, state.actor.other),
        ),
        "it completes four in a row, if it stands": (
            lambda state, move: chained(
                with_cell(state.board, move.cell, state.actor), state.actor
            ),
        ),
        "it keeps the opponent from four in a row": (stands_unchallenged, ends_a_threat(False)),
        "it keeps the opponent from four in a row, if it stands": (
            can_be_challenged,
            ends_a_threat(False),
        ),
        "it keeps the opponent from four in a row there": (
            stands_unchallenged,
            ends_a_threat(True),
        ),
        "it keeps the opponent from four in a row there, if it stands": (
            can_be_challenged,
            ends_a_threat(True),
        ),
    },
}
SAMPLED = {
    "safe-cracker": 30,
    "digit-deductions": 5,
    "safe-code": 4,
    "safecracker-duel": 20,
    "quantum-duel": 200,
}


@pytest.mark.parametrize("name", CLAIMS)
def test_the_plain_reason_is_true_of_every_move_that_it_is_given_for(name: str) -> None:
    for state, advised in sampled(name, SAMPLED[name]):
        assert isinstance(state.actor, Seat)
        solution, view = solution_of(state.game), state.view(state.actor)
        best = max(solution.values(view).values())
        for each in advised.best:
            assert each.chance == pytest.approx(best, abs=1e-8)
            claims = () if each.plain == BEST else CLAIMS[name][each.plain]
            assert all(claim(state, each.move) for claim in claims), (each.plain, state.log)
        drawn = [move for move, chance in solution.policy(view).items() if chance]
        text = advised.plain(state.game.words)
        assert ("draws its move here" in text) == (len(drawn) > 1)
        if len(drawn) == 1 and drawn[0] not in [each.move for each in advised.best]:
            assert text.endswith(f"plays {state.game.words.spoken(drawn[0])}.")
