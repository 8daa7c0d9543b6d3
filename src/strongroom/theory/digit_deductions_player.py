"""The board of Digit Deductions and the player whose strategy a table holds.

Strategies are stored in one *frame*: the eight symmetries of the board act on a number and on the
guesses at it, so a first guess can be turned into the representative of its orbit. Several
symmetries do that; the player draws one of them in secret, which is what summing over them means.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

import numpy as np

from strongroom.game import Seat
from strongroom.games.digit_deductions import NUMBERS, distance

Cell = tuple[int, ...]
"""Numbers, by index, that one player still thinks possible."""
Path = tuple[tuple[int, int], ...]
"""Guesses with their answers, in the order played, in the frame of the table."""
Table = Mapping[str, np.ndarray]
Steps = tuple[tuple[int, int], ...]

CODES = NUMBERS.codes
ALL: Cell = tuple(range(len(CODES)))
AT = {code: i for i, code in enumerate(CODES)}
FAR = [[distance(secret, guess) for guess in CODES] for secret in CODES]
CORNER, LAST, HALF = 0, 80, 8
"""The first corner, the opposite one, and the distance of the diagonal halfway between them."""
ANYBODY = 81
"""The secret of a line of a plan that does not depend on the secret; a guess that does not matter.
"""
EVEN = 2
"""Weights are counted in halves, so that they can be split evenly between two last candidates."""
PATIENT = 4
"""Off the main line TWO plays safe while ONE has this many candidates or more."""


def _symmetry(k: int) -> Cell:
    turned = []
    for code in CODES:
        a, b = (10 - d if k >> i & 1 else d for i, d in enumerate(code.digits))
        turned.append(AT[NUMBERS.codes[9 * (a - 1) + b - 1 if k < 4 else 9 * (b - 1) + a - 1]])
    return tuple(turned)


SYMMETRIES = tuple(map(_symmetry, range(8)))
MIRROR = SYMMETRIES[4]
"""The digits swapped: the symmetry that keeps the first corner."""
ORBITS: tuple[Cell, ...] = tuple(sorted({tuple(sorted({k[s] for k in SYMMETRIES})) for s in ALL}))
ORBIT = {s: i for i, orbit in enumerate(ORBITS) for s in orbit}
CORNERS = ORBITS[ORBIT[CORNER]]
FULL_PLAN = (0, 1, 2, 3, 5, 6)
"""First guesses of TWO, by orbit, after which ONE needs more than the two ends of its diagonal."""
OWN_RULE = 1
"""The first guess of ONE, besides the corners, that TWO answers by a rule of its own: 1-2."""


@cache
def split(cell: Cell, guess: int) -> tuple[tuple[int, Cell], ...]:
    """The cells into which the answers to a guess split the candidates."""
    cells: dict[int, list[int]] = {}
    for s in cell:
        cells.setdefault(FAR[s][guess], []).append(s)
    return tuple((answer, tuple(cells[answer])) for answer in sorted(cells))


@cache
def labels(cell: Cell, guess: int) -> tuple[int, ...]:
    """Which candidates a guess tells apart: equal numbers for equal answers."""
    names: dict[int, int] = {}
    return tuple(names.setdefault(FAR[s][guess], len(names)) for s in cell)


def _refines(fine: tuple[int, ...], coarse: tuple[int, ...]) -> bool:
    seen: dict[int, int] = {}
    return all(seen.setdefault(a, b) == b for a, b in zip(fine, coarse, strict=True))


@cache
def useful(cell: Cell) -> Cell:
    """The guesses worth making: every candidate, and what no other guess refines.

    A guess that cannot hit is no better than one that tells more apart: whoever answers it can
    pretend that the finer one was made, because it knows what the finer answer would have been.
    """
    others: dict[tuple[int, ...], int] = {}
    for g in ALL:
        if g not in cell:
            others.setdefault(labels(cell, g), g)
    rivals = [*(labels(cell, g) for g in cell), *others]
    keep = [
        g
        for told, g in others.items()
        if not any(r != told and _refines(r, told) for r in rivals[len(cell) :])
        and not any(_refines(r, told) for r in rivals[: len(cell)])
    ]
    return (*cell, *keep)


@cache
def distinct(cell: Cell) -> Cell:
    """Every guess but those that tell apart, and can hit, exactly what an earlier one does.

    Nobody can treat such twins differently: `translated` looks at nothing else.
    """
    first: dict[tuple[tuple[int, ...], int | None], int] = {}
    for guess in ALL:
        first.setdefault((labels(cell, guess), guess if guess in cell else None), guess)
    return tuple(first.values())


@cache
def translated(cell: Cell, guess: int) -> int:
    """The useful guess that a player treats this guess as: itself, or one that refines it."""
    if guess in cell:
        return guess
    told = labels(cell, guess)
    return next(g for g in useful(cell) if _refines(labels(cell, g), told))


def fold(secret: int) -> int:
    """The image of a number in the half of the board near the first corner."""
    return secret if FAR[secret][CORNER] <= HALF else LAST - secret


def folded(step: tuple[int, int]) -> tuple[int, int]:
    """A corner's far answers say what near answers to the opposite corner say."""
    guess, answer = step
    return (LAST - guess, 2 * HALF - answer) if guess in CORNERS and answer > HALF else step


@cache
def frames(guess: int) -> tuple[Cell, ...]:
    """The symmetries that turn a first guess into the representative of its orbit."""
    return tuple(k for k in SYMMETRIES if k[guess] == ORBITS[ORBIT[guess]][0])


@cache
def inverse(symmetry: Cell) -> Cell:
    """The symmetry that undoes this one."""
    return tuple(symmetry.index(s) for s in ALL)


@cache
def candidates(steps: Steps, among: Cell = ALL) -> Cell:
    """The numbers that fit these guesses and answers."""
    for guess, answer in steps:
        among = next((cell for got, cell in split(among, guess) if got == answer), ())
    return among


@cache
def off_plan(known: Cell, hidden: Cell) -> dict[int, int]:
    """Where a strategy never comes, because its owner left it: shoot if it is high time, else take
    what tells most candidates apart, a candidate if possible."""
    if len(hidden) == 1:
        return dict.fromkeys(known, 1)
    score = {g: 2 * len(split(known, g)) + (g in known) for g in ALL}
    return {g: 1 for g in ALL if score[g] == max(score.values())}


class Player:
    """One seat's strategy as shipped, read from a table; all its numbers are integers."""

    def __init__(self, table: Table, seat: Seat) -> None:
        name = seat.name.lower()
        self.first = seat is Seat.ONE
        self.secrets = [int(n) for n in table[f"{name}_secrets"]]
        self.support = tuple(s for s in ALL if self.secrets[s])
        self.shot = [int(n) for n in table["two_shot"]]
        self.plan: dict[tuple[Path, int], dict[int, int]] = {}
        self.turned: dict[tuple[int, Path], dict[int, int]] = {}
        for line, weight in zip(
            table[f"{name}_lines"].tolist(), table[f"{name}_weights"].tolist(), strict=True
        ):
            *flat, secret, guess = line
            path = tuple((g, f) for g, f in zip(flat[::2], flat[1::2], strict=True) if g >= 0)
            self.plan.setdefault((path, secret), {})[guess] = weight

    def weights(self, own: Steps, theirs: Steps, secret: int) -> dict[int, int]:
        """How often each guess is made, in integers that need not add up to anything."""
        known = candidates(own)
        if len(known) == 1:
            return {known[0]: 1}
        return self._played(known, own, theirs, secret) or off_plan(known, candidates(theirs))

    def _played(self, known: Cell, own: Steps, theirs: Steps, secret: int) -> dict[int, int]:
        if not self.secrets[secret]:
            return {}
        hidden = candidates(theirs, self.support)
        if not own:
            if hidden == (secret,):  # found out at once: one shot, and it had better hit
                return {g: n for g, n in enumerate(self.shot) if n}
            return dict.fromkeys(CORNERS, 1)
        if own[0][0] not in CORNERS:
            return {}
        orbit = ORBIT[theirs[0][0]]
        if self.first and orbit not in FULL_PLAN:
            return {known[0]: 1, known[-1]: 1} if len(own) == 1 else {}
        if not self.first and orbit:
            return dict.fromkeys(known, 1) if len(own) > 1 else self._ruled(own[0], theirs, secret)
        return self._planned(own, theirs, secret)

    def _planned(self, own: Steps, theirs: Steps, secret: int) -> dict[int, int]:
        own, theirs = (folded(own[0]), *own[1:]), (folded(theirs[0]), *theirs[1:])
        known, total = candidates(own), dict[int, int]()
        for mine in frames(own[0][0]):
            back = inverse(mine)
            for other in frames(theirs[0][0]):
                path = self._path(own, theirs, other[secret], mine, other)
                line = self._line(path, other[secret])
                if line is None:  # the other could have found us out by now, and we play on evenly
                    weight = (self._line(path[:-2], other[secret]) or {}).get(path[-2][0], 0)
                    for g in known:
                        total[g] = total.get(g, 0) + weight * EVEN // len(known)
                else:
                    for g, weight in line.items():
                        total[back[g]] = total.get(back[g], 0) + weight * EVEN
        return {g: weight for g, weight in total.items() if weight}

    def _ruled(self, learnt: tuple[int, int], theirs: Steps, secret: int) -> dict[int, int]:
        """TWO's second guess off the main line."""
        (guess, found), (second, _) = theirs
        turn = frames(guess)[0]
        hidden = candidates(((turn[guess], found),), self.support)
        second = translated(hidden, turn[second])
        left = len(candidates(((second, FAR[turn[secret]][second]),), hidden))
        corner, learnt_here = folded(learnt)
        path = tied(ORBIT[guess], found, learnt_here, second, left)
        if (corner, path) not in self.turned:
            total: dict[int, int] = {}
            for mine in frames(corner):  # no line: the finer guess would have hit, so anything goes
                for g, weight in self.plan.get((path, ANYBODY), {}).items():
                    total[inverse(mine)[g]] = total.get(inverse(mine)[g], 0) + weight
            self.turned[corner, path] = total
        return self.turned[corner, path]

    def _line(self, path: Path, secret: int) -> dict[int, int] | None:
        return self.plan.get((path, ANYBODY)) or self.plan.get((path, secret))

    def _path(self, own: Steps, theirs: Steps, secret: int, mine: Cell, other: Cell) -> Path:
        """The game so far in the table's frame, with the other's guesses as they are treated."""
        hidden, ours, answered = self.support, [(mine[g], f) for g, f in own], []
        for number, (guess, _) in enumerate(theirs):
            treated = other[guess] if number == 0 else translated(hidden, other[guess])
            answered.append((treated, FAR[secret][treated]))
            hidden = candidates((answered[-1],), hidden)
        if self.first:
            return tuple(step for pair in zip(ours, answered, strict=True) for step in pair)
        paired = [step for pair in zip(answered[1:], ours[1:], strict=False) for step in pair]
        return (answered[0], ours[0], *paired, *answered[len(ours) :][-1:])


def tied(orbit: int, found: int, learnt: int, guess: int, left: int) -> Path:
    """Off the main line TWO looks at few things: its own diagonal, and how much ONE knows."""
    if orbit != OWN_RULE:
        orbit, found, guess = ANYBODY, 0, ANYBODY
    return ((orbit, found), (CORNER, learnt), (guess, min(left, PATIENT)))
