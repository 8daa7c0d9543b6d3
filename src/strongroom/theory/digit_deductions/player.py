"""The certified player of Digit Deductions, whose strategy a table holds.

Strategies are stored in one *frame*: the eight symmetries of the board act on a number and on the
guesses at it, so a first guess can be mapped to the representative of its orbit. Where several
symmetries do that, the player draws one in secret; summing over them has the same effect.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from fractions import Fraction
from functools import cache, lru_cache
from itertools import chain

from strongroom.contract import Move, Seat
from strongroom.theory.digit_deductions.board import (
    ALL,
    CODES,
    CORNER,
    CORNERS,
    FAR,
    ORBIT,
    Cell,
    Knowledge,
    Trial,
    Trials,
    candidates,
    fold_trial,
    frames,
    inverse,
    split,
    translate,
)
from strongroom.theory.solution import Table

Path = tuple[Trial, ...]
"""The guesses of both players with their answers, in the table's frame: the key of a choice."""
Case = tuple[Trial, Trial]
"""What TWO considers off the main line besides its own diagonal: ONE's first and second guess."""
Weights = dict[int, int]
"""How often each guess is made, in integers that are not normalised."""

ANYBODY = 81
"""A placeholder: the secret in a plan line for every secret, or a guess that does not matter."""
EVEN = 2
"""Weights are counted in halves, so that they divide evenly between two last candidates."""
PATIENT = 4
"""Off the main line, TWO plays safe while ONE has at least this many candidates."""
FULL_PLAN = (0, 1, 2, 3, 5, 6)
"""First guesses of TWO, by orbit, after which ONE needs more than the two ends of its diagonal."""
REMEMBERED = 1 << 16
"""The size of each cache of positions; it holds all that a proof visits."""
OWN_RULE = 1
"""The orbit of ONE's first guess, besides the corners, that has a rule of its own: 1-2."""


def off_plan(known: Cell, hidden: Cell) -> Weights:
    """The guesses of a player who has left its strategy: any candidate if it is found out, else
    whatever tells most candidates apart, a candidate if possible."""
    return dict.fromkeys(known, 1) if len(hidden) == 1 else _most_telling(known)


@cache
def _most_telling(known: Cell) -> Weights:
    score = {g: 2 * len(split(known, g)) + (g in known) for g in ALL}
    most = max(score.values())
    return {g: 1 for g in ALL if score[g] == most}


def case_of(orbit: int, found: int, guess: int, left: int) -> Case:
    """The case off the main line: how much ONE knows and, after `OWN_RULE`, what ONE guessed."""
    if orbit != OWN_RULE:
        orbit, found, guess = ANYBODY, 0, ANYBODY
    return ((orbit, found), (guess, min(left, PATIENT)))


@lru_cache(maxsize=REMEMBERED)
def _in_each_frame(own: Trials) -> tuple[tuple[Trials, Cell], ...]:
    """Guesses in each frame of the first one, and the symmetry that maps a guess back."""
    return tuple(
        (tuple((turn[guess], answer) for guess, answer in own), inverse(turn))
        for turn in frames(own[0][0])
    )


class Cases:
    """The cases of several secrets, in order, with a cached hash; equal ones are played alike."""

    __slots__ = ("_hash", "covered", "each")

    def __init__(self, each: tuple[Case, ...]) -> None:
        self.each, self._hash = each, hash(each)
        self.covered: dict[Trial, bool] = {}
        """Whether there is a rule for every case, by TWO's first guess and its answer."""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Cases) and self.each == other.each

    def __hash__(self) -> int:
        return self._hash


class DiagonalPlayer:
    """One seat's shipped strategy, read from a table; all its numbers are integers."""

    def __init__(self, table: Table, seat: Seat) -> None:
        name = seat.name.lower()
        self.first = seat is Seat.ONE
        self.secrets = [int(n) for n in table[f"{name}_secrets"]]
        self.support = tuple(s for s in ALL if self.secrets[s])
        self.shot = [int(n) for n in table["two_shot"]]
        self.grain = int(table["grains"][seat.index])
        """The weight of every secret is divided into this many parts."""
        self._plan: dict[Path, dict[int, Weights]] = {}
        self._treated = lru_cache(maxsize=REMEMBERED)(self._treat)
        self._mixed = lru_cache(maxsize=REMEMBERED)(self._mix)
        self._case = lru_cache(maxsize=REMEMBERED)(self._tie)
        self._ruled = cache(self._rule)
        for line, weight in zip(
            table[f"{name}_lines"].tolist(), table[f"{name}_weights"].tolist(), strict=True
        ):
            *flat, secret, guess = line
            path = tuple((g, f) for g, f in zip(flat[::2], flat[1::2], strict=True) if g >= 0)
            self._plan.setdefault(path, {}).setdefault(secret, {})[guess] = weight

    @property
    def lightest(self) -> int:
        """The smallest weight in the strategy; if it is negative, the strategy is invalid."""
        lines = chain.from_iterable(line.values() for line in self._plan.values())
        choices = chain.from_iterable(weights.values() for weights in lines)
        return min(*choices, *self.secrets, *self.shot)

    def policy(self, here: Knowledge) -> dict[Move, Fraction]:
        """The player's exact probability of each move, given what it knows."""
        if here.secret is None:
            weights = {s: self.secrets[s] for s in self.support}
        else:
            weights = self.weights(here.own, here.theirs, here.secret)
        total = sum(weights.values())
        return {CODES[g]: Fraction(weight, total) for g, weight in sorted(weights.items())}

    def weights(self, own: Trials, theirs: Trials, secret: int) -> Weights:
        """How often the player makes each guess."""
        known = candidates(own)
        if len(known) == 1:
            return {known[0]: 1}
        return self._by_strategy(known, own, theirs, secret) or off_plan(known, candidates(theirs))

    def looks(self, own: Trials, theirs: Trials, cases: Cases | None) -> Hashable:
        """All that the player's guesses depend on besides its candidates, in these `cases`.

        Positions with equal looks and the same candidates are played alike from there on.
        """
        if cases is not None and own and own[0][0] in CORNERS:
            if len(own) > 1:
                return ()  # guesses after the second are uniform, so they depend on nothing
            learnt = fold_trial(own[0])
            if self._covers(learnt, cases):
                return learnt, cases
        return tuple((fold_trial(trials[0]), *trials[1:]) for trials in (own, theirs) if trials)

    def cases(self, theirs: Trials, secrets: Cell) -> Cases | None:
        """The cases of these secrets after the opponent's guesses; None where no case applies."""
        if not self._off_main_line(theirs) or not all(self.secrets[s] for s in secrets):
            return None
        return Cases(tuple(self._case(theirs, s) for s in secrets) if len(theirs) == 2 else ())

    def settled(self, own: Trials, theirs: Trials) -> bool:
        """Whether the player's guesses from here on are uniform, whatever the opponent guesses."""
        return len(own) > 1 and own[0][0] in CORNERS and self._off_main_line(theirs)

    def strays(self, own: Trials, secrets: Iterable[int]) -> bool:
        """Whether the player is off its plan, and stays so, with each of these secrets."""
        return own[0][0] not in CORNERS or not any(self.secrets[s] for s in secrets)

    def _covers(self, learnt: Trial, cases: Cases) -> bool:
        if learnt not in cases.covered:
            cases.covered[learnt] = all(self._ruled(learnt, case) for case in {*cases.each})
        return cases.covered[learnt]

    def _off_main_line(self, theirs: Trials) -> bool:
        return not self.first and bool(theirs) and ORBIT[theirs[0][0]] != ORBIT[CORNER]

    def _by_strategy(self, known: Cell, own: Trials, theirs: Trials, secret: int) -> Weights:
        if not self.secrets[secret]:
            return {}
        if not own:
            hidden = candidates(theirs, self.support)
            if hidden == (secret,):  # found out at once: one shot is left
                return {g: n for g, n in enumerate(self.shot) if n}
            return dict.fromkeys(CORNERS, 1)
        if own[0][0] not in CORNERS:
            return {}
        if self.first and ORBIT[theirs[0][0]] not in FULL_PLAN:
            return {known[0]: 1, known[-1]: 1} if len(own) == 1 else {}
        if self._off_main_line(theirs):
            if len(own) > 1:
                return dict.fromkeys(known, 1)
            return self._ruled(fold_trial(own[0]), self._case(theirs, secret))
        return self._planned(own, theirs, secret)

    def _planned(self, own: Trials, theirs: Trials, secret: int) -> Weights:
        own, theirs = (fold_trial(own[0]), *own[1:]), (fold_trial(theirs[0]), *theirs[1:])
        treated = [self._treated(theirs, k, secret) for k in range(len(frames(theirs[0][0])))]
        return self._mixed(own, theirs[0][0], tuple(treated), secret)

    def _mix(self, own: Trials, first: int, treated: tuple[Trials, ...], secret: int) -> Weights:
        """The guesses over all frames, given the opponent's first guess and how it is treated."""
        known, total = candidates(own), dict[int, int]()
        for ours, back in _in_each_frame(own):
            for other, answered in zip(frames(first), treated, strict=True):
                path = self._path(ours, answered)
                line = self._line(path, other[secret])
                if line is None:  # the opponent could have hit by now: play on uniformly
                    weight = (self._line(path[:-2], other[secret]) or {}).get(path[-2][0], 0)
                    for g in known:
                        total[g] = total.get(g, 0) + weight * EVEN // len(known)
                else:
                    for g, weight in line.items():
                        total[back[g]] = total.get(back[g], 0) + weight * EVEN
        return {g: weight for g, weight in total.items() if weight}

    def _line(self, path: Path, secret: int) -> Weights | None:
        line = self._plan.get(path, {})
        return line.get(ANYBODY) or line.get(secret)

    def _treat(self, theirs: Trials, k: int, secret: int) -> Trials:
        """The opponent's guesses, translated, in a frame of the first one, and their answers."""
        other = frames(theirs[0][0])[k]
        hidden, answered = self.support, list[Trial]()
        for number, (guess, _) in enumerate(theirs):
            treated = other[guess] if number == 0 else translate(hidden, other[guess])
            answered.append((treated, FAR[other[secret]][treated]))
            hidden = candidates((answered[-1],), hidden)
        return tuple(answered)

    def _path(self, ours: Trials, answered: Trials) -> Path:
        """The game so far in the table's frame."""
        if self.first:
            return tuple(chain.from_iterable(zip(ours, answered, strict=True)))
        paired = chain.from_iterable(zip(answered[1:], ours[1:], strict=False))
        return (answered[0], ours[0], *paired, *answered[len(ours) :][-1:])

    def _tie(self, theirs: Trials, secret: int) -> Case:
        """The case in which TWO makes its second guess off the main line."""
        (guess, found), (second, _) = theirs
        turn = frames(guess)[0]
        hidden = candidates(((turn[guess], found),), self.support)
        second = translate(hidden, turn[second])
        left = len(candidates(((second, FAR[turn[secret]][second]),), hidden))
        return case_of(ORBIT[guess], found, second, left)

    def _rule(self, learnt: Trial, case: Case) -> Weights:
        """TWO's second guess off the main line, after its first at a corner and the answer to it.

        It is empty where the finer guess would have hit.
        """
        (corner, answer), (first, second), total = learnt, case, dict[int, int]()
        path = (first, (CORNER, answer), second)
        for mine in frames(corner):
            for g, weight in (self._line(path, ANYBODY) or {}).items():
                total[inverse(mine)[g]] = total.get(inverse(mine)[g], 0) + weight
        return total
