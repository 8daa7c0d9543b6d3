"""The theory of Safe Code: exact values, best responses to what policy plays, use of clues."""

from __future__ import annotations

import random
import sys
from collections.abc import Iterable
from fractions import Fraction
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest

from strongroom import load
from strongroom.game import Game, Move, Seat, State
from strongroom.games.clues import Clue
from strongroom.games.safe_code import (
    NUMBERS,
    REQUEST,
    CluesGiven,
    Number,
    SafeCode,
    SafeCodeState,
)

sys.path.insert(0, str(Path(__file__).parent))
from strongroom.theory import safe_code as theory

AnyState = State[Any, Any, Any]


def quiet(done: float, words: str) -> None:
    pass


@pytest.fixture(scope="module")
def game() -> Game:
    return load("safe-code")


@pytest.fixture(scope="module")
def table(game: Game) -> theory.Table:
    return theory.solve(game, quiet)


def set_up(game: Game, one: Iterable[str], two: Iterable[str]) -> AnyState:
    state = game.start()
    for text in (*one, *two):
        state = state.play(game.move(text))
    return state


WEAK = ("It is not equal to 1.", "It is not equal to 2.", "It is not equal to 3.")
STRONG = ("The number is even.", "It is divisible by 3.", "It is less than 20.")


# --- the value ---


def test_the_first_player_wins_31_of_60(game: Game, table: theory.Table) -> None:
    assert theory.certify(game, table, quiet) == (Fraction(31, 60), Fraction(31, 60))


def test_the_race_is_two_even_draws(table: theory.Table) -> None:
    race = theory.Race(table)
    for mine in range(1, 31):
        for theirs in range(1, 31):
            first = sum(k <= j for k in range(1, mine + 1) for j in range(1, theirs + 1))
            assert race.to_move(mine, theirs) == Fraction(first, mine * theirs)


def test_asking_first_loses_a_sixtieth(game: Game, table: theory.Table) -> None:
    view = set_up(game, ("18", *STRONG), ("4", *WEAK)).view(Seat.ONE)
    worth = theory.values(table, view)
    assert worth[NUMBERS[0]] == pytest.approx(31 / 60)
    assert worth[REQUEST] == pytest.approx(1 / 2)
    assert theory.policy(table, view) == dict.fromkeys(NUMBERS, Fraction(1, 30))


def test_a_damaged_table_is_refused(game: Game, table: theory.Table) -> None:
    race = table["race"].copy()
    race[12, 7] = 1, 2
    with pytest.raises(ValueError, match="safe-code"):
        theory.certify(game, {"race": race}, quiet)


# --- everything tried, on small ranges ---


def small_game(size: int, extra: tuple[Clue, ...]) -> Game:
    """The game's own rules with fewer numbers and clues to choose from."""
    kept = (
        *NUMBERS[:size],
        REQUEST,
        *(Clue("different", (n,)) for n in range(1, size + 1)),
        *extra,
    )

    allowed = frozenset(kept)

    class SmallState(SafeCodeState):
        __slots__ = ()

        @property
        def moves(self) -> tuple[Move, ...]:
            return tuple(move for move in super().moves if move in allowed)

    class Small(SafeCode):
        name = f"safe-code-{size}-{len(extra)}"
        actions = kept

        def start(self) -> SafeCodeState:
            return SmallState(self, CluesGiven())

    return Small()


def set_ups(state: AnyState, table: theory.Table, seat: Seat) -> list[tuple[AnyState, Fraction]]:
    """Every way the certified player may prepare from here, and how likely."""
    if state.actor is not seat or not state.setting_up:
        return [(state, Fraction(1))]
    return [
        (done, chance * then)
        for move, chance in theory.policy(table, state.view(seat)).items()
        for done, then in set_ups(state.play(move), table, seat)
    ]


def best_response(
    states: list[tuple[AnyState, Fraction]], table: theory.Table, seat: Seat, memo: dict[Any, Any]
) -> Fraction:
    """What an opponent with fixed secrets wins at most against the certified player in `seat`."""
    live = states[0][0]
    if live.actor is seat:
        # The player looks only at where it stands, so ways that lead to one standing are one.
        view, total = live.view(seat), sum(weight for _, weight in states)
        hidden = frozenset((state.secrets[seat.index], weight / total) for state, weight in states)
        key = (theory._standing(table, view, seat), live.board, hidden)
        if key not in memo:
            memo[key] = Fraction(0)
            for move, chance in theory.policy(table, view).items():
                after = [(state.play(move), weight / total) for state, weight in states]
                if after[0][0].outcome is None:
                    memo[key] += chance * best_response(after, table, seat, memo)
        return total * Fraction(memo[key])
    best = Fraction(0)
    for move in live.moves:
        won = Fraction(0)
        groups: dict[Any, list[tuple[AnyState, Fraction]]] = {}
        for state, weight in states:
            after_move = state.play(move)
            if after_move.outcome is not None:
                won += weight
            else:
                groups.setdefault(after_move.log, []).append((after_move, weight))
        for group in groups.values():
            won += best_response(group, table, seat, memo)
        best = max(best, won)
    return best


def responders(game: Game, sample: int) -> list[tuple[Move, ...]]:
    """Codes with lists of true clues: all weakest ones' kinds, and a sample of all others."""
    draw = random.Random(7)
    found: list[tuple[Move, ...]] = []
    clues = [move for move in game.actions if isinstance(move, Clue)]
    for number in [move for move in game.actions if isinstance(move, Number)]:
        true = [clue for clue in clues if clue.holds(number.value)]
        lists = [
            three for three in permutations(true, 3) if len({clue.meaning for clue in three}) == 3
        ]
        found += [(number, *three) for three in draw.sample(lists, min(sample, len(lists)))]
    return found


EXTRA = (Clue("even"), Clue("odd"), Clue("greater", (2,)), Clue("prime"), Clue("less", (3,)))


@pytest.mark.parametrize("extra", [EXTRA[:2], EXTRA], ids=["parity", "more"])
@pytest.mark.parametrize("eager", [False, True], ids=["as shipped", "asks whenever it may"])
def test_no_response_beats_the_race_on_small_ranges(
    extra: tuple[Clue, ...], eager: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So few numbers never make the reader ask; the promise must hold for one who does, too."""
    if eager:
        monkeypatch.setattr(theory, "_would_ask", lambda *_: True)
    size, sample = 4, 1
    game = small_game(size, extra)
    table = theory.solve(game, quiet)
    value = Fraction(size + 1, 2 * size)
    assert theory.certify(game, table, quiet) == (value, value)
    for seat, owed in ((Seat.ONE, value), (Seat.TWO, 1 - value)):
        reached = Fraction(0)
        for secrets in responders(game, sample):
            memo: dict[Any, Any] = {}
            start = game.start()
            if seat is Seat.TWO:
                for move in secrets:
                    start = start.play(move)
            prepared = set_ups(start, table, seat)
            if seat is Seat.ONE:
                for move in secrets:
                    prepared = [(state.play(move), chance) for state, chance in prepared]
            reached = max(reached, best_response(prepared, table, seat, memo))
        assert reached == 1 - owed


# --- the player as shipped ---


def playouts(game: Game, table: theory.Table, games: int) -> Iterable[tuple[AnyState, Seat]]:
    """Turns of the certified player against one who moves and writes clues at random."""
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
            chances = theory.policy(table, state.view(seat))
            if not state.setting_up:
                yield state, seat
            move = draw.choices(list(chances), [float(p) for p in chances.values()])[0]
            state = state.play(move)


def test_every_turn_keeps_the_promise(game: Game, table: theory.Table) -> None:
    """The promise is an average over what can happen, whichever number the opponent holds."""
    words = theory.language(game)
    asked = leaned = 0
    for state, seat in playouts(game, table, 60):
        view = state.view(seat)
        chances = theory.policy(table, view)
        assert sum(chances.values()) == 1
        assert set(chances) <= set(view.moves)
        now = theory._standing(table, view, seat)
        race = theory.Race(table)
        assert now.owed <= race.to_move(len(now.left), len(now.open))
        stake = theory._options(race, game, now)
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


def test_it_asks_in_return_29_times_of_30(game: Game, table: theory.Table) -> None:
    state = set_up(game, ("18", *STRONG), ("7", *WEAK)).play(REQUEST)
    chances = theory.policy(table, state.view(Seat.TWO))
    assert chances[REQUEST] == Fraction(29, 30)
    assert chances[NUMBERS[4]] == Fraction(1, 900)


def test_a_strong_clue_is_read(game: Game, table: theory.Table) -> None:
    state = set_up(game, ("18", *STRONG), ("7", *WEAK)).play(REQUEST).play(REQUEST)
    state = state.play(NUMBERS[0])
    chances = theory.policy(table, state.view(Seat.TWO))
    guesses = {move for move in chances if isinstance(move, Number)}
    assert all(move.value % 2 == 0 for move in guesses)


def test_a_number_that_is_certain_is_named(game: Game, table: theory.Table) -> None:
    two = ("30", "It is greater than 29.", *WEAK[:2])
    state = set_up(game, ("18", *WEAK), two).play(NUMBERS[0]).play(REQUEST)
    if REQUEST not in theory.policy(table, state.view(Seat.ONE)):
        pytest.fail("it should ask in return")
    state = state.play(REQUEST).play(NUMBERS[0])
    assert theory.policy(table, state.view(Seat.ONE)) == {NUMBERS[29]: Fraction(1)}


def test_odd_moves_of_its_own_are_survived(game: Game, table: theory.Table) -> None:
    draw = random.Random(3)
    for _ in range(8):
        state: AnyState = game.start()
        while state.outcome is None:
            assert isinstance(state.actor, Seat)
            view = state.view(state.actor)
            chances = theory.policy(table, view)
            assert sum(chances.values()) == 1
            assert set(chances) <= set(view.moves)
            worth = theory.values(table, view)
            assert set(worth) == set(view.moves)
            assert all(-1e-9 <= each <= 1 + 1e-9 for each in worth.values())
            move = draw.choice(view.moves)
            assert theory.why(table, view, move).endswith(".")
            state = state.play(move)


def test_it_beats_people_who_write_strong_clues(game: Game, table: theory.Table) -> None:
    """An opponent who asks for all clues and reads them, but writes tell-tale ones itself."""
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
                chances = theory.policy(table, view)
                weights = [float(p) for p in chances.values()]
                state = state.play(draw.choices(list(chances), weights)[0])
            elif state.setting_up:
                strong = [m for m in view.moves if not isinstance(m, Clue) or len(m.meaning) <= 15]
                state = state.play(draw.choice(strong or list(view.moves)))
            elif REQUEST in view.moves:
                state = state.play(REQUEST)
            else:
                now = theory._standing(table, view, seat.other)
                state = state.play(NUMBERS[draw.choice(now.left)])
        won += state.outcome.winner is seat
    assert won > 0.8 * rounds


def test_the_set_up_is_weakest_and_even(game: Game, table: theory.Table) -> None:
    state = game.start()
    assert set(theory.policy(table, state.view(Seat.ONE)).values()) == {Fraction(1, 30)}
    state = state.play(game.move("18"))
    clues = theory.policy(table, state.view(Seat.ONE))
    assert len(clues) == 29
    assert all(isinstance(clue, Clue) and len(clue.meaning) == 29 for clue in clues)
    worth = theory.values(table, state.view(Seat.ONE))
    assert min(worth[clue] for clue in clues) == max(worth.values()) == pytest.approx(31 / 60)


def test_it_cannot_be_lured_into_asking_for_a_stale_clue(game: Game, table: theory.Table) -> None:
    """Guesses are public: the opponent can ask just when its own first clue has become stale."""
    two = ("5", "It is not equal to 9.", "It is not equal to 10.", "It is not equal to 11.")
    state = set_up(game, ("18", *WEAK), two).play(game.move("9")).play(REQUEST)
    view, race = state.view(Seat.ONE), theory.Race(table)
    ask = theory.policy(table, view)[REQUEST]
    assert ask == Fraction(1, 2)
    stale = ask * race.waiting(29, 29) + (1 - ask) * race.to_move(29, 29)
    assert stale >= theory.promise(table, view) == Fraction(1, 2)


def test_every_clue_rules_something_out(game: Game) -> None:
    assert theory.language(game).true.sum(axis=1).max() == 29
