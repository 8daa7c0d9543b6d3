"""Prove every shipped table, solve every game from scratch, and find its value by other methods.

    python proofs/solutions.py
    python proofs/solutions.py --only safecracker-duel

A table is proved from the rules alone, and recomputed: the bytes are the same, or the other table
is proved to be as good. Some values are also found without the theory: by linear programmes without
symmetry, by value iteration, and by walking real games against the certified player. The tests do
the same on smaller games. The exit code is 1 if anything differs.
"""

from __future__ import annotations

import argparse
import sys
import time
from ast import literal_eval
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from fractions import Fraction
from functools import cache, cached_property
from importlib import import_module
from itertools import permutations, product
from random import Random
from typing import Any, Final
from unittest import mock

import numpy as np

from strongroom.arena.exploitation import exploit
from strongroom.contract import Actions, AnyState, Block, Game, Move, Phase, Seat
from strongroom.games.codes import Code, CodeSpace
from strongroom.games.digit_deductions.rules import DigitDeductions, DigitDeductionsState
from strongroom.games.safe_code.clues import Clue
from strongroom.games.safe_code.rules import (
    NUMBERS,
    REQUEST,
    CluesGiven,
    Number,
    SafeCode,
    SafeCodeState,
)
from strongroom.games.safe_cracker.rules import SafeCrackerState
from strongroom.games.safecracker_duel import rules as duel_rules
from strongroom.games.safecracker_duel.rules import (
    SafecrackerDuel,
    SafecrackerDuelOptions,
    SafecrackerDuelState,
)
from strongroom.players import player
from strongroom.plugins.registry import load
from strongroom.theory.certificate import Recomputed, verify
from strongroom.theory.digit_deductions.player import ALL, CODES, Cell, candidates, trials
from strongroom.theory.digit_deductions.proof import DiagonalResponse, masses
from strongroom.theory.digit_deductions.solution import DigitDeductionsSolution
from strongroom.theory.digit_deductions.worth import second_guesses
from strongroom.theory.quantum_duel import solver as chains
from strongroom.theory.quantum_duel.player import PositionGraph, explore
from strongroom.theory.safe_code.player import PromiseKeeper
from strongroom.theory.safe_code.solution import SafeCodeSolution
from strongroom.theory.safe_cracker.race import race_of
from strongroom.theory.safe_cracker.solution import SafeCrackerSolution
from strongroom.theory.safe_cracker.worth import ExactResponse, RaceResponse
from strongroom.theory.safecracker_duel.player import Dial
from strongroom.theory.safecracker_duel.solution import SafecrackerDuelSolution
from strongroom.theory.shelf import read, solution_of
from strongroom.theory.solution import Solution
from strongroom.theory.worth import Probability

DUEL: Final = Fraction(8752, 15553)
"""The value of Safecracker Duel."""
HALF, SURE = Fraction(1, 2), Fraction(1)


def on_the_shelf() -> Iterator[Game]:
    """The games and options whose tables are shipped."""
    for file in sorted(Solution.tables.iterdir()):
        name, *settings = file.stem.split(",")
        pairs = (setting.split("=") for setting in settings)
        yield load(name, **{key: literal_eval(value) for key, value in pairs})


def prove_table(game: Game) -> None:
    """The table is proved, is computed again, and concedes to a best response what it records."""
    verdict = verify(game, lambda done, words: None)
    assert verdict.verified, verdict.trouble
    as_good = (Recomputed.THE_SAME, Recomputed.PROVED_TOO)
    assert verdict.recomputed in as_good, verdict.recomputed.value
    assert_start(game)


def assert_start(game: Game) -> None:
    """The start is worth what the certificate concedes, to either seat."""
    worth, (_, provenance) = solution_of(game).worth, read(game)
    # The proof widens bounds that are no fractions by this.
    rounding = 0 if "/" in provenance["lower"] else 1e-9
    lower, upper = (float(Fraction(provenance[bound])) for bound in ("lower", "upper"))
    for turns in (100, None):
        assert abs(worth.start(Seat.ONE, turns) - (upper - rounding)) < 1e-12
        assert abs(worth.start(Seat.TWO, turns) - (1 - lower - rounding)) < 1e-12


# --- Safecracker Duel ---


def mixture(solution: SafecrackerDuelSolution, state: SafecrackerDuelState) -> dict[Move, Fraction]:
    """The certified player's chance of each move."""
    assert isinstance(state.actor, Seat)
    chances = solution.policy(state.view(state.actor))
    return {move: Fraction(chance) for move, chance in chances.items()}


def _won(solution: SafecrackerDuelSolution, state: SafecrackerDuelState, me: Seat) -> Fraction:
    """What a responder wins who is to move in the third turn or later, or has won or lost."""
    if state.outcome:
        return Fraction(state.outcome.winner is me)
    seen: set[object] = set()
    safe_for_ever, waiting = False, [state]
    while waiting:
        here = waiting.pop()
        for move in here.moves:
            after = here.play(move)
            if not after.outcome:
                ((answer, chance),) = mixture(solution, after).items()
                assert chance == 1
                after = after.play(answer)
            if after.outcome and after.outcome.winner is me:
                return SURE
            if not after.outcome:
                safe_for_ever |= after.board in seen or after.board == here.board
                if after.board not in seen | {here.board}:
                    waiting.append(after)
        seen.add(here.board)
    return HALF if safe_for_ever else Fraction(0)


def response_of_two(solution: SafecrackerDuelSolution, hidden: Move) -> Fraction:
    """What a responder in seat two wins with this code, by walking the real game."""
    opening = solution.game.start()
    assert isinstance(opening, SafecrackerDuelState)
    gains: dict[Move, dict[Move, Fraction]] = defaultdict(lambda: defaultdict(Fraction))
    handed = Fraction(0)
    for code, p in mixture(solution, opening).items():
        state = opening.play(code).play(hidden)
        for first, q in mixture(solution, state).items():
            second = state.play(first)
            if second.outcome:
                handed += p * q * (second.outcome.winner is Seat.TWO)
                continue
            for answer in second.moves:
                third = second.play(answer)
                moves = {} if third.outcome else mixture(solution, third)
                gain = _won(solution, third, Seat.TWO) if third.outcome else Fraction(0)
                gain += sum(r * _won(solution, third.play(m), Seat.TWO) for m, r in moves.items())
                gains[first][answer] += p * q * gain
    return handed + sum(max(each.values()) for each in gains.values())


def response_of_one(solution: SafecrackerDuelSolution, hidden: Move) -> Fraction:
    """What a responder in seat one wins with this code, by walking the real game."""
    opening, best = solution.game.start().play(hidden), Fraction(0)
    assert isinstance(opening, SafecrackerDuelState)
    for first in opening.play(opening.moves[0]).moves:
        total = Fraction(0)
        options: dict[Move, dict[Move, Fraction]] = defaultdict(lambda: defaultdict(Fraction))
        for code, p in mixture(solution, opening).items():
            second = opening.play(code).play(first)
            moves = {} if second.outcome else mixture(solution, second)
            total += p * _won(solution, second, Seat.ONE) if second.outcome else 0
            for answer, q in moves.items():
                third = second.play(answer)
                if third.outcome:
                    total += p * q * _won(solution, third, Seat.ONE)
                    continue
                for move in third.moves:
                    after = third.play(move)
                    if not after.outcome:
                        ((reply, _),) = mixture(solution, after).items()
                        after = after.play(reply)
                    options[answer][move] += p * q * _won(solution, after, Seat.ONE)
        best = max(best, total + sum(max(each.values()) for each in options.values()))
    return best


def _sparse(rows: list[dict[int, float]], width: int) -> Any:
    sparse = import_module("scipy.sparse")

    entries = [(i, j, x) for i, row in enumerate(rows) for j, x in row.items()]
    i, j, x = zip(*entries, strict=True)
    return sparse.csr_matrix((x, (i, j)), shape=(len(rows), width))


def duel_without_symmetry(game: SafecrackerDuel) -> float:
    """The value of Safecracker Duel by a linear programme with every code and turn."""
    optimize = import_module("scipy.optimize")

    dial = Dial.of(game)
    columns: dict[Hashable, int] = {}
    less: list[dict[int, float]] = []
    equal: list[dict[int, float]] = []

    def at(*key: int | str) -> int:
        return columns.setdefault(key, len(columns))

    codes, firsts = range(len(dial.codes)), dial.near[dial.home].tolist()
    for s1 in firsts:
        everyone = {at("q", s1, c): 1.0 for c in codes if c != s1}
        equal.append({**everyone, at("m", s1): -1})
        for s2 in dial.near[s1].tolist():
            turns = {s3: at("y", s1, s2, s3) for s3 in dial.near[s2].tolist()}
            near = [at("q", s1, c) for c in codes if c != s1 and dial.ball[s2, c]]
            equal.append({at("m", s1): -1, **dict.fromkeys([*near, *turns.values()], 1.0)})
            for c2 in (c for c in codes if c not in (s1, s2)):
                holds = {y: -0.5 for s3, y in turns.items() if not dial.ball[s3, c2]}
                less.append({at("v", s1, c2): 1, **dict.fromkeys(near, -1.0), **holds})
    equal.append({at("m", s1): 1.0 for s1 in firsts})
    less += [{at("V"): 1, **{at("v", s, c): -1.0 for s in firsts if s != c}} for c in codes]
    goal = np.zeros(len(columns))
    goal[at("V")] = -1
    found = optimize.linprog(
        goal,
        A_ub=_sparse(less, len(columns)),
        b_ub=np.zeros(len(less)),
        A_eq=_sparse(equal, len(columns)),
        b_eq=[0.0] * (len(equal) - 1) + [1.0],
        method="highs-ipm",
    )
    return -float(found.fun)


@contextmanager
def small_safe(length: int, highest: int, same: bool = False) -> Iterator[SafecrackerDuel]:
    """Safecracker Duel with shorter codes or fewer digits, whose rules are otherwise the same."""
    changes = product(range(1, length + 1), range(1, highest + 1))
    with mock.patch.multiple(
        duel_rules,
        CODES=CodeSpace(length=length, highest=highest),
        INITIAL_SAFE=Code((1,) * length),
        CHANGES=tuple(duel_rules.Change(*each) for each in changes),
        changes_of=cache(duel_rules.changes_of.__wrapped__),
    ):
        yield SafecrackerDuel(SafecrackerDuelOptions(allow_same_digit=same))


def solved_value(game: SafecrackerDuel) -> tuple[SafecrackerDuelSolution, Fraction]:
    """A game solved from scratch, and the value that solving it names."""
    words: list[str] = []
    table = SafecrackerDuelSolution.solve(game, lambda done, each: words.append(each))
    return SafecrackerDuelSolution(game, table), Fraction(words[-1].removeprefix("value "))


def sequence_form_value(game: SafecrackerDuel, horizon: int) -> float:
    """The value by brute force: every code, every turn, and 1/2 for games open at the horizon.

    It uses the rules and a linear programme over both seats' plans, nothing of the theory.
    """
    optimize = import_module("scipy.optimize")
    plans: tuple[dict[Hashable, int], ...] = ({(): 0}, {(): 0})
    choices: tuple[dict[Hashable, set[int]], ...] = ({}, {})
    parents: tuple[dict[Hashable, int], ...] = ({}, {})
    payoff: dict[tuple[int, int], float] = defaultdict(float)

    def grow(state: SafecrackerDuelState, last: tuple[int, int]) -> None:
        if state.outcome or state.turns == horizon:
            payoff[last] += float(state.outcome.winner is Seat.ONE) if state.outcome else 0.5
            return
        assert isinstance(state.actor, Seat)
        me = state.actor.index
        knows = (state.secrets[me], state.log)
        parents[me][knows] = last[me]
        for move in state.moves:
            plan = plans[me].setdefault((knows, move), len(plans[me]))
            choices[me].setdefault(knows, set()).add(plan)
            grow(state.play(move), (plan, last[1]) if me == 0 else (last[0], plan))

    grow(game.start(), (0, 0))
    # Seat.ONE maximises the worth of the root in the dual of what Seat.TWO minimises.
    mine, width = len(plans[0]), len(plans[0]) + len(choices[1]) + 1
    flow = [{0: 1.0}]
    for knows, moves in choices[0].items():
        flow.append({parents[0][knows]: -1.0, **dict.fromkeys(moves, 1.0)})
    less: list[dict[int, float]] = [{} for _ in plans[1]]
    less[0][mine] = 1.0
    for column, (knows, moves) in enumerate(choices[1].items(), mine + 1):
        less[parents[1][knows]][column] = -1.0
        for plan in moves:
            less[plan][column] = 1.0
    for (one, two), won in payoff.items():
        less[two][one] = -won
    goal = np.zeros(width)
    goal[mine] = -1
    found = optimize.linprog(
        goal,
        A_ub=_sparse(less, width),
        b_ub=np.zeros(len(less)),
        A_eq=_sparse(flow, width),
        b_eq=[1.0] + [0.0] * len(choices[0]),
        bounds=[(0, None)] * mine + [(None, None)] * (width - mine),
        method="highs",
    )
    return -float(found.fun)


def prove_duel() -> None:
    """The value without symmetry, by brute force on small safes, and by walking real games."""
    for length, highest, horizons in (
        (2, 2, (4, 5, 6, 7)),
        (2, 3, (4, 5)),
        (3, 2, (4, 5, 6)),
        (2, 4, (4,)),
    ):
        with small_safe(length, highest) as game:
            value = float(solved_value(game)[1])
            for horizon in horizons:
                assert abs(sequence_form_value(game, horizon) - value) < 1e-8, (game, horizon)
    solution = solution_of(load("safecracker-duel"))
    assert isinstance(solution, SafecrackerDuelSolution)
    assert isinstance(solution.game, SafecrackerDuel)
    assert abs(duel_without_symmetry(solution.game) - float(DUEL)) < 1e-9
    for text in ("1-1-1", "1-1-3", "2-1-4", "4-2-5"):
        assert response_of_two(solution, solution.game.move(text)) == 1 - DUEL
    assert response_of_one(solution, solution.game.move("2-2-1")) == DUEL


# --- Safe Code ---


EXTRA: Final = (Clue("even"), Clue("odd"), Clue("greater", (2,)), Clue("prime"), Clue("less", (3,)))
"""Clues that tell more than which number it is not."""
Likely = list[tuple[AnyState, Fraction]]


def small_safe_code(extra: tuple[Clue, ...], size: int = 4) -> Game:
    """The game's own rules with fewer numbers and clues to choose from."""
    clues = (*(Clue("different", (n,)) for n in range(1, size + 1)), *extra)
    kept = Actions(
        Block(clues, Phase.SET_UP),
        Block(NUMBERS[:size], Phase.SET_UP | Phase.TURN),
        Block((REQUEST,), Phase.TURN),
    )
    legal = frozenset(kept)

    class SmallState(SafeCodeState):
        __slots__ = ()

        @property
        def moves(self) -> tuple[Move, ...]:
            return tuple(move for move in super().moves if move in legal)

    class Small(SafeCode):
        name = f"safe-code-{size}-{len(extra)}"

        @cached_property
        def actions(self) -> Actions:
            return kept

        def start(self) -> SafeCodeState:
            return SmallState.first(self, CluesGiven())

    return Small()


class ClueWalk:
    """The best response to the certified player of Safe Code in a seat, by walking real games."""

    def __init__(self, solution: SafeCodeSolution, seat: Seat) -> None:
        self.solution, self.seat = solution, seat
        self._met: dict[object, Fraction] = {}

    def best(self, secrets: tuple[Move, ...]) -> Fraction:
        """The most that an opponent with these secrets wins."""
        self._met.clear()
        start: AnyState = self.solution.game.start()
        if self.seat is Seat.TWO:
            start = _play_all(start, secrets)
        prepared = [*self._set_ups(start)]
        if self.seat is Seat.ONE:
            prepared = [(_play_all(state, secrets), chance) for state, chance in prepared]
        return self._won(prepared)

    def _set_ups(self, state: AnyState) -> Iterator[tuple[AnyState, Fraction]]:
        """Every set-up of the certified player from here, with its probability."""
        if state.actor is not self.seat or not state.setting_up:
            yield state, Fraction(1)
            return
        for move, chance in self.solution.policy(state.view(self.seat)).items():
            for done, then in self._set_ups(state.play(move)):
                yield done, Fraction(chance) * then

    def _won(self, states: Likely) -> Fraction:
        # The player looks only at its standing, so all ways to the same standing are one.
        live, total = states[0][0], sum(weight for _, weight in states)
        likely = [(state, weight / total) for state, weight in states]
        hidden = frozenset((state.secrets[self.seat.index], weight) for state, weight in likely)
        standing = self.solution.player.standing(live.view(self.seat), self.seat)
        key = (live.actor, standing, live.board, hidden)
        if key not in self._met:
            walk = self._answered if live.actor is self.seat else self._responded
            self._met[key] = walk(likely)
        return total * self._met[key]

    def _answered(self, states: Likely) -> Fraction:
        won = Fraction(0)
        for move, chance in self.solution.policy(states[0][0].view(self.seat)).items():
            after = [(state.play(move), weight) for state, weight in states]
            if after[0][0].outcome is None:
                won += Fraction(chance) * self._won(after)
        return won

    def _responded(self, states: Likely) -> Fraction:
        best = Fraction(0)
        for move in states[0][0].moves:
            won, groups = Fraction(0), defaultdict[object, Likely](list)
            for state, weight in states:
                after = state.play(move)
                if after.outcome is None:
                    groups[after.log].append((after, weight))
                else:
                    won += weight
            best = max(best, won + sum(self._won(group) for group in groups.values()))
        return best


def _play_all(state: AnyState, moves: tuple[Move, ...]) -> AnyState:
    for move in moves:
        state = state.play(move)
    return state


def walk_small_safe_code(extra: tuple[Clue, ...], eager: bool) -> None:
    """No response beats the race on a small range, for every number and some lists of clues.

    With so few numbers the player never asks; the promise must hold for an eager one too.
    """
    game, rng = small_safe_code(extra), Random(7)
    solution = SafeCodeSolution(game, SafeCodeSolution.solve(game, lambda done, words: None))
    numbers = [move for move in game.actions if isinstance(move, Number)]
    clues = [move for move in game.actions if isinstance(move, Clue)]
    value = Fraction(len(numbers) + 1, 2 * len(numbers))
    secrets = list[tuple[Move, ...]]()
    for number in numbers:
        true = [clue for clue in clues if clue.holds(number.value)]
        lists = [each for each in permutations(true, 3) if len({c.meaning for c in each}) == 3]
        secrets.append((number, *rng.choice(lists)))
    asks = mock.patch.object(PromiseKeeper, "_would_ask", return_value=True)
    with asks if eager else nullcontext():
        assert solution.certify(lambda done, words: None) == (value, value)
        for seat, owed in ((Seat.ONE, value), (Seat.TWO, 1 - value)):
            walk = ClueWalk(solution, seat)
            assert max(map(walk.best, secrets)) == 1 - owed


def prove_safe_code() -> None:
    """No response beats the race on small ranges."""
    for extra, eager in product((EXTRA[:2], EXTRA), (False, True)):
        walk_small_safe_code(extra, eager)


# --- Safe Cracker ---


def safe_cracker_game(
    solution: SafeCrackerSolution, rng: Random, turns: int, master: Seat | None
) -> SafeCrackerState:
    """A game in progress: `master` follows the solution, and then often the other too."""
    game = solution.rules
    while True:
        state = game.start().play(rng.choice(game.actions)).play(rng.choice(game.actions))
        while state.turns < turns and isinstance(state.actor, Seat):
            move: Move = rng.choice(game.actions)
            if master and (state.actor is master or rng.random() < 0.6):
                chances = solution.policy(state.view(state.actor))
                move = rng.choices([*chances], [float(p) for p in chances.values()])[0]
            state = state.play(move)
        if state.outcome is None:
            return state


def codes_left(state: SafeCrackerState, guesser: Seat) -> list[Code]:
    """The codes of the opponent that are left after the guesser's guesses."""
    seen = [(event.move, event.answer) for event in state.log if event.actor is guesser]
    return [
        code
        for code in state.game.space.codes
        if all(isinstance(g, Code) and state.game.answer(g, code) == answer for g, answer in seen)
    ]


States = Sequence[SafeCrackerState]
Met = dict[object, Fraction]


def _cracked(solution: SafeCrackerSolution, states: States, responder: Seat, met: Met) -> Fraction:
    """What the responder wins by walking the real game, over the player's equally likely codes."""
    first = states[0]
    if first.outcome is not None:
        return Fraction(first.outcome.winner is responder)
    # The player looks only at its standing, so all ways to the same standing are one.
    stand = solution.guesser.follow(first.view(responder.other))
    names = (stand.own.tobytes(), stand.other.tobytes())
    key = (first.actor, stand.mind, names, tuple(state.secrets for state in states))
    if key not in met and first.actor is responder:
        met[key] = _responded(solution, states, responder, met)
    elif key not in met:
        mixture = solution.policy(first.view(responder.other))
        met[key] = sum(
            Fraction(p) * _cracked(solution, [s.play(move) for s in states], responder, met)
            for move, p in mixture.items()
        ) + Fraction(0)
    return met[key]


def _responded(
    solution: SafeCrackerSolution, states: States, responder: Seat, met: Met
) -> Fraction:
    best, idle = Fraction(0), False
    for guess in states[0].moves:
        groups: dict[object, list[SafeCrackerState]] = {}
        for state in states:
            then = state.play(guess)
            groups.setdefault(then.log[-1].answer, []).append(then)
        if len(groups) == 1 and len(states) > 1:
            if idle:
                continue  # all guesses that tell nothing lead to the same
            idle = True
        won = (len(group) * _cracked(solution, group, responder, met) for group in groups.values())
        best = max(best, sum(won, Fraction(0)) / len(states))
    return best


def walk_safe_cracker(solution: SafeCrackerSolution, responder: Seat, cases: int) -> None:
    """Walks real games from sampled positions, of which some have a mixture in mind."""
    rng, checked, met = Random(3), [0, 0], Met()
    guesser, exact = solution.guesser, solution.guesser.coloured
    most = 5 if exact else 3
    response = ExactResponse(guesser) if exact else RaceResponse(guesser)
    while checked[0] < cases or checked[1] < exact:
        state = safe_cracker_game(solution, rng, rng.randint(3, 6), responder.other)
        own, other = (codes_left(state, seat) for seat in (responder.other, responder))
        if not (state.actor is responder and 2 <= len(own) <= most and 2 <= len(other) <= 3):
            continue
        stand = guesser.follow(state.view(responder.other))
        mixes = stand.mind.memory is not None
        if checked[0] >= cases and not mixes:
            continue
        secret = state.secrets[responder.index][0]
        pairs = [(secret, code) if responder is Seat.ONE else (code, secret) for code in other]
        states = [state._replace(secrets=((one,), (two,))) for one, two in pairs]
        place = (
            guesser.sets[stand.mind.own]
            .tolist()
            .index(stand.own[solution.rules.actions.index(secret)])
        )
        found = _cracked(solution, states, responder, met)
        proved = response.to_move(stand.mind)[place]
        assert found == proved if exact else abs(float(found) - float(proved)) < 1e-12
        checked = [checked[0] + 1, checked[1] + mixes]


def prove_safe_cracker() -> None:
    """The proofs are about what is really played, and choices lead to the solver's races."""
    for responder, (digits, cases) in product(Seat, ((3, 30), (4, 10))):
        solution = solution_of(load("safe-cracker", digits=digits))
        assert isinstance(solution, SafeCrackerSolution)
        walk_safe_cracker(solution, responder, cases)
    for digits, length in ((3, 4), (5, 3)):
        solution = solution_of(load("safe-cracker", digits=digits, length=length))
        assert isinstance(solution, SafeCrackerSolution)
        nodes, won = range(len(solution.guesser.sets)), race_of(digits, length).winning_pairs
        assert all(solution.guesser.race(x, y) == won[x, y] for x in nodes for y in nodes)


# --- Digit Deductions ---


Group = dict[DigitDeductionsState, Fraction]


class DigitWalk:
    """What the certified player wins at worst over real states, with few guesses to respond."""

    def __init__(
        self, solution: DigitDeductionsSolution, seat: Seat, guesses: Callable[[Cell], Cell]
    ) -> None:
        self.solution, self.seat, self.guesses = solution, seat, guesses

    def least(self, group: Group) -> Fraction:
        """The least over states that look alike to the responder."""
        over = [p for s, p in group.items() if s.outcome and s.outcome.winner is self.seat]
        won, group = sum(over, Fraction(0)), {s: p for s, p in group.items() if s.outcome is None}
        if not group:
            return won
        one = next(iter(group))
        if one.actor is self.seat:
            policy = self.solution.policy
            return won + self._played(group, {s: policy(s.view(self.seat)) for s in group})
        mine = trials(one.view(self.seat.other), self.seat.other)
        cell = candidates(mine, self.solution.players[self.seat].support)
        return won + min(
            self._played(group, {s: {CODES[g]: SURE} for s in group}) for g in self.guesses(cell)
        )

    def _played(
        self, group: Group, moves: Mapping[DigitDeductionsState, Mapping[Move, Probability]]
    ) -> Fraction:
        looks: dict[object, Group] = defaultdict(dict)
        for state, p in group.items():
            for move, q in moves[state].items():
                after = state.play(move)
                looks[after.log][after] = p * Fraction(q)
        return sum((self.least(look) for look in looks.values()), Fraction(0))


def walk_digit_deductions(
    solution: DigitDeductionsSolution,
    seat: Seat,
    theirs: int,
    few: Cell,
    then: Callable[[Cell], Cell],
) -> None:
    """The certificate is about what the policy plays, if the responder has few guesses."""
    player, game = solution.players[seat], DigitDeductions()

    def guesses(cell: Cell) -> Cell:
        return few if len(cell) > 20 else then(cell)

    response = DiagonalResponse(player)
    response.guesses = cache(guesses)
    reach = response.reach(masses(player))
    move = response.lead if seat is Seat.ONE else response.follow
    expected = Fraction(move(ALL, reach, (), ())[theirs], reach.total)
    group: Group = {}
    for s in player.support:
        hidden = (s, theirs) if seat is Seat.ONE else (theirs, s)
        state = game.start().play(CODES[hidden[0]]).play(CODES[hidden[1]])
        group[state] = Fraction(player.secrets[s], sum(player.secrets))
    assert DigitWalk(solution, seat, guesses).least(group) == expected


# --- the other games ---


def iterate_values(graph: PositionGraph) -> None:
    """Value iteration from both ends finds the exact values of Quantum Duel."""
    widest = max(map(len, graph.after))
    near = np.array([[*row, *[row[0]] * (widest - len(row))] for row in graph.after])
    chance = np.array([[1 / len(r)] * len(r) + [0] * (widest - len(r)) for r in graph.after])
    one = np.array([actor is Seat.ONE for actor in graph.actors])
    two = np.array([actor is Seat.TWO for actor in graph.actors])
    for endless in (0, 1):
        values = np.full(graph.size + 2, float(endless))
        values[-2:] = 1, 0
        for _ in range(600):
            options = values[near]
            decided = np.where(one, options.max(axis=1), options.min(axis=1))
            values[:-2] = np.where(one | two, decided, (chance * options).sum(axis=1))
        exact = chains.solve_exactly(graph, Fraction(endless))
        assert np.abs(values - np.array(exact, dtype=float)).max() < 1e-12


def prove_digit_deductions() -> None:
    """The second guesses follow from the strategies, and the proof is about what is played."""
    solution = solution_of(load("digit-deductions"))
    assert isinstance(solution, DigitDeductionsSolution)
    for theirs, seat in product((12, 40), Seat):
        few = (0, 13, 31, 40) if seat is Seat.ONE else (0, 1)
        walk_digit_deductions(solution, seat, theirs, few, lambda cell: (40, *cell[:3], *cell[-2:]))
    for name, found in second_guesses(solution.players[Seat.TWO]).items():
        assert np.abs(solution.table[name] - found).max() < 1e-9


def prove_exploits() -> None:
    """The best responses that take long win what is published."""
    for name, bot, first, second in (
        ("safecracker-duel", "casual", 0.730, 0.639),
        ("digit-deductions", "expert", 0.854, 0.264),
    ):
        found = [figure.value for figure in exploit(load(name), bot, player, 1)]
        assert np.abs(np.array(found) - [first, second]).max() < 0.0006, f"{name}: {found}"


def checks() -> dict[str, Callable[[], None]]:
    """What is proved, by name."""
    found: dict[str, Callable[[], None]] = {
        "quantum-duel by value iteration": lambda: iterate_values(explore(load("quantum-duel"))),
        "safecracker-duel by other methods": prove_duel,
        "safe-code on small ranges": prove_safe_code,
        "safe-cracker by other methods": prove_safe_cracker,
        "digit-deductions by other methods": prove_digit_deductions,
        "long best responses": prove_exploits,
    }
    for game in on_the_shelf():
        found[repr(game)] = lambda game=game: prove_table(game)  # type: ignore[misc]
    return found


def main() -> int:
    """Prove everything, or what is named; 1 if something does not hold."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--only", default="", help="prove what has this in its name")
    wanted = parser.parse_args().only
    failed = 0
    for name, check in checks().items():
        if wanted not in name:
            continue
        print(f"{name} ...", flush=True)
        began = time.monotonic()
        try:
            check()
        except AssertionError as gap:
            failed += 1
            print(f"  FAILED: {gap or 'it does not hold'}", flush=True)
        else:
            print(f"  holds ({time.monotonic() - began:.0f} s)", flush=True)
    print(f"{failed} failed." if failed else "Everything holds.")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
