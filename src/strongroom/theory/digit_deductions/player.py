"""The certified player of Digit Deductions, whose strategy a table holds.

Strategies are stored in one *frame*: the eight symmetries of the board act on a number and on the
guesses at it, so a first guess can be turned into the representative of its orbit. Several
symmetries do that; the player draws one of them in secret, which is what summing over them means.
"""

from __future__ import annotations

from collections.abc import Hashable
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
    Trial,
    Trials,
    candidates,
    folded,
    frames,
    inverse,
    split,
    translated,
)
from strongroom.theory.digit_deductions.knowledge import Knowledge
from strongroom.theory.solution import Table

Path = tuple[Trial, ...]
"""The guesses of both with their answers, in the frame of the table: where a choice stands."""
Case = tuple[Trial, Trial]
"""What TWO looks at off the main line besides its own diagonal: ONE's first guess, and its second.
"""
Rule = tuple[int, Path]
"""How TWO plays off the main line: the corner it guessed first, and the path."""
Weights = dict[int, int]
"""How often each guess is made, in integers that need not add up to anything."""

ANYBODY = 81
"""The secret of a line of a plan that does not depend on the secret; a guess that does not matter.
"""
EVEN = 2
"""Weights are counted in halves, so that they can be split evenly between two last candidates."""
PATIENT = 4
"""Off the main line TWO plays safe while ONE has this many candidates or more."""
FULL_PLAN = (0, 1, 2, 3, 5, 6)
"""First guesses of TWO, by orbit, after which ONE needs more than the two ends of its diagonal."""
REMEMBERED = 1 << 16
"""Of so many positions each what a strategy makes of them is remembered: all that a proof meets."""
OWN_RULE = 1
"""The first guess of ONE, besides the corners, that TWO answers by a rule of its own: 1-2."""


@cache
def off_plan(known: Cell, hidden: Cell) -> Weights:
    """Where a strategy never comes, because its owner left it: shoot if it is high time, else take
    what tells most candidates apart, a candidate if possible."""
    if len(hidden) == 1:
        return dict.fromkeys(known, 1)
    score = {g: 2 * len(split(known, g)) + (g in known) for g in ALL}
    return {g: 1 for g in ALL if score[g] == max(score.values())}


def tied(orbit: int, found: int, guess: int, left: int) -> Case:
    """Off the main line TWO looks at few things: its own diagonal, and how much ONE knows."""
    if orbit != OWN_RULE:
        orbit, found, guess = ANYBODY, 0, ANYBODY
    return ((orbit, found), (guess, min(left, PATIENT)))


@lru_cache(maxsize=REMEMBERED)
def _turned(own: Trials) -> tuple[tuple[Trials, Cell], ...]:
    """Guesses in each frame of the first one, and how to turn a guess back from there."""
    return tuple(
        (tuple((turn[guess], answer) for guess, answer in own), inverse(turn))
        for turn in frames(own[0][0])
    )


class Cases:
    """The cases of several secrets in order, hashed once; equal ones are the same to look at."""

    __slots__ = ("_hash", "covered", "each")

    def __init__(self, each: tuple[Case, ...]) -> None:
        self.each, self._hash = each, hash(each)
        self.covered: dict[Trial, bool] = {}
        """By what TWO's first guess told it, whether there is a rule for each case."""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Cases) and self.each == other.each

    def __hash__(self) -> int:
        return self._hash


def _rule(learnt: Trial, case: Case) -> Rule:
    """The rule of a case, once TWO's first guess at a corner has told it this."""
    corner, answer = learnt
    return corner, (case[0], (CORNER, answer), case[1])


class DiagonalPlayer:
    """One seat's strategy as shipped, read from a table; all its numbers are integers."""

    def __init__(self, table: Table, seat: Seat) -> None:
        name = seat.name.lower()
        self.first = seat is Seat.ONE
        self.secrets = [int(n) for n in table[f"{name}_secrets"]]
        self.support = tuple(s for s in ALL if self.secrets[s])
        self.shot = [int(n) for n in table["two_shot"]]
        self.grain = int(table["grains"][seat.index])
        """The weight of every secret is cut into this many parts."""
        self._plan: dict[Path, dict[int, Weights]] = {}
        self._turned: dict[Rule, Weights] = {}
        self._treated = lru_cache(maxsize=REMEMBERED)(self._treat)
        self._case = lru_cache(maxsize=REMEMBERED)(self._tie)
        for line, weight in zip(
            table[f"{name}_lines"].tolist(), table[f"{name}_weights"].tolist(), strict=True
        ):
            *flat, secret, guess = line
            path = tuple((g, f) for g, f in zip(flat[::2], flat[1::2], strict=True) if g >= 0)
            self._plan.setdefault(path, {}).setdefault(secret, {})[guess] = weight

    @property
    def lightest(self) -> int:
        """The smallest weight in the strategy; below 0 it would be no strategy at all."""
        lines = chain.from_iterable(line.values() for line in self._plan.values())
        choices = chain.from_iterable(weights.values() for weights in lines)
        return min(*choices, *self.secrets, *self.shot)

    def policy(self, here: Knowledge) -> dict[Move, Fraction]:
        """The exact probabilities with which the player moves, knowing this."""
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
        return self._played(known, own, theirs, secret) or off_plan(known, candidates(theirs))

    def looks(self, own: Trials, theirs: Trials, cases: Cases | None) -> Hashable:
        """All that the player's guesses depend on, besides what it knows, in these `cases`.

        Two positions with equal looks and the same candidates are played on alike.
        """
        if cases is not None and own and own[0][0] in CORNERS:
            if len(own) > 1:
                return ()  # the later guesses are even, so that the second is all that matters
            learnt = folded(own[0])
            if self._covers(learnt, cases):
                return learnt, cases
        return tuple((folded(trials[0]), *trials[1:]) for trials in (own, theirs) if trials)

    def cases(self, theirs: Trials, secrets: Cell) -> Cases | None:
        """The cases of these secrets after the other's guesses; None where no case is looked at."""
        if not self._off_main_line(theirs) or not all(self.secrets[s] for s in secrets):
            return None
        return Cases(tuple(self._case(theirs, s) for s in secrets) if len(theirs) == 2 else ())

    def _covers(self, learnt: Trial, cases: Cases) -> bool:
        if learnt not in cases.covered:
            rules = (_rule(learnt, case) for case in {*cases.each})
            cases.covered[learnt] = all(map(self._ruled, rules))
        return cases.covered[learnt]

    def _off_main_line(self, theirs: Trials) -> bool:
        return not self.first and bool(theirs) and ORBIT[theirs[0][0]] != ORBIT[CORNER]

    def _played(self, known: Cell, own: Trials, theirs: Trials, secret: int) -> Weights:
        if not self.secrets[secret]:
            return {}
        if not own:
            hidden = candidates(theirs, self.support)
            if hidden == (secret,):  # found out at once: one shot, and it had better hit
                return {g: n for g, n in enumerate(self.shot) if n}
            return dict.fromkeys(CORNERS, 1)
        if own[0][0] not in CORNERS:
            return {}
        if self.first and ORBIT[theirs[0][0]] not in FULL_PLAN:
            return {known[0]: 1, known[-1]: 1} if len(own) == 1 else {}
        if self._off_main_line(theirs):
            if len(own) > 1:
                return dict.fromkeys(known, 1)
            return self._ruled(_rule(folded(own[0]), self._case(theirs, secret)))
        return self._planned(own, theirs, secret)

    def _planned(self, own: Trials, theirs: Trials, secret: int) -> Weights:
        own, theirs = (folded(own[0]), *own[1:]), (folded(theirs[0]), *theirs[1:])
        known, total = candidates(own), dict[int, int]()
        for ours, back in _turned(own):
            for k, other in enumerate(frames(theirs[0][0])):
                path = self._path(ours, self._treated(theirs, k, secret))
                line = self._line(path, other[secret])
                if line is None:  # the other could have found us out by now, and we play on evenly
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
        """The other's guesses in a frame of the first one, as they are treated, and the answers."""
        other = frames(theirs[0][0])[k]
        hidden, answered = self.support, list[Trial]()
        for number, (guess, _) in enumerate(theirs):
            treated = other[guess] if number == 0 else translated(hidden, other[guess])
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
        second = translated(hidden, turn[second])
        left = len(candidates(((second, FAR[turn[secret]][second]),), hidden))
        return tied(ORBIT[guess], found, second, left)

    def _ruled(self, rule: Rule) -> Weights:
        """TWO's second guess off the main line; none where the finer guess would have hit."""
        if rule not in self._turned:
            corner, path = rule
            total: Weights = {}
            for mine in frames(corner):
                for g, weight in (self._line(path, ANYBODY) or {}).items():
                    total[inverse(mine)[g]] = total.get(inverse(mine)[g], 0) + weight
            self._turned[rule] = total
        return self._turned[rule]
