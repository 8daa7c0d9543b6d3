"""The board of Digit Deductions, and the certified player, whose strategy a table holds.

What a player knows about the other's number is the set of numbers that fit its own guesses, and it
is public. A first guess at a corner reduces that set to a diagonal; either end of a diagonal tells
all its numbers apart. So both players can know everything before the third guess, and the game is
about shooting earlier: when to risk a shot inside the diagonal, and which numbers to hide.

Strategies are stored in one *frame*: the eight symmetries of the board act on a number and on the
guesses at it, so a first guess can be mapped to the representative of its orbit. Where several
symmetries do that, the player draws one in secret; summing over them has the same effect.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, lru_cache
from itertools import chain

from strongroom.contract import Move, Seat, View
from strongroom.games.codes import Code
from strongroom.games.digit_deductions.rules import NUMBERS, DigitDeductions
from strongroom.theory.solution import Table

# --- the board: its 81 numbers by index, its symmetries, and what guesses tell ---

Cell = tuple[int, ...]
"""The numbers, by index, that a player still considers possible."""
Trial = tuple[int, int]
"""A guess and its answer."""
Trials = tuple[Trial, ...]
"""One player's guesses with their answers, in the order played."""

CODES = NUMBERS.codes
ALL: Cell = tuple(range(len(CODES)))
AT = {code: i for i, code in enumerate(CODES)}
FAR: list[list[int]] = DigitDeductions().answer_table.T.tolist()
"""The answer to each guess at each number: `FAR[secret][guess]`."""
CORNER, LAST, HALF = 0, 80, 8
"""The first corner, the opposite one, and the distance of the diagonal halfway between them."""


def _symmetry(k: int) -> Cell:
    turned = []
    for code in CODES:
        a, b = (10 - d if k >> i & 1 else d for i, d in enumerate(code.digits))
        turned.append(AT[CODES[9 * (a - 1) + b - 1 if k < 4 else 9 * (b - 1) + a - 1]])
    return tuple(turned)


SYMMETRIES = tuple(map(_symmetry, range(8)))
MIRROR = SYMMETRIES[4]
"""The swap of the two digits, which fixes the first corner."""
ORBITS: tuple[Cell, ...] = tuple(sorted({tuple(sorted({k[s] for k in SYMMETRIES})) for s in ALL}))
ORBIT = {s: i for i, orbit in enumerate(ORBITS) for s in orbit}
CORNERS = ORBITS[ORBIT[CORNER]]


@cache
def split(cell: Cell, guess: int) -> tuple[tuple[int, Cell], ...]:
    """The cells into which the answers to a guess split the candidates, by answer."""
    cells: dict[int, list[int]] = {}
    for s in cell:
        cells.setdefault(FAR[s][guess], []).append(s)
    return tuple((answer, tuple(cells[answer])) for answer in sorted(cells))


@cache
def candidates(trials: Trials, among: Cell = ALL) -> Cell:
    """The numbers that fit these guesses and answers."""
    for guess, answer in trials:
        among = next((cell for got, cell in split(among, guess) if got == answer), ())
    return among


DIAGONALS = [(answer, candidates(((CORNER, answer),))) for answer in range(1, HALF + 1)]
"""What a first guess at the corner tells its owner, up to symmetry."""


def ends(cell: Cell) -> Cell:
    """The two ends of a diagonal: each tells all its numbers apart and may hit."""
    return (cell[0], cell[-1])


# The symmetry that maps a first guess to its orbit's representative applies to what follows.


def fold(secret: int) -> int:
    """The image of a number in the half of the board near the first corner."""
    return secret if FAR[secret][CORNER] <= HALF else LAST - secret


def fold_trial(trial: Trial) -> Trial:
    """The trial with a corner's far answer replaced by the opposite corner's near one."""
    guess, answer = trial
    return (LAST - guess, 2 * HALF - answer) if guess in CORNERS and answer > HALF else trial


@cache
def frames(guess: int) -> tuple[Cell, ...]:
    """The symmetries that map a first guess to the representative of its orbit."""
    return tuple(k for k in SYMMETRIES if k[guess] == ORBITS[ORBIT[guess]][0])


@cache
def inverse(symmetry: Cell) -> Cell:
    """The symmetry that undoes this one."""
    return tuple(symmetry.index(s) for s in ALL)


# Of guesses that tell the same, one is enough; one that cannot hit yields to a finer one.


@cache
def labels(cell: Cell, guess: int) -> tuple[int, ...]:
    """Which candidates a guess tells apart: equal labels for equal answers."""
    answers = [FAR[s][guess] for s in cell]
    names = {answer: name for name, answer in enumerate(dict.fromkeys(answers))}
    return tuple([names[answer] for answer in answers])


def _refines(fine: tuple[int, ...], coarse: tuple[int, ...]) -> bool:
    return len({*zip(fine, coarse, strict=True)}) == len({*fine})


@cache
def useful(cell: Cell) -> Cell:
    """The guesses worth making: every candidate, and every guess that no other refines.

    A guess that cannot hit is no better than one that tells more apart: the player who answers it
    can pretend that the finer guess was made, because it knows what that answer would have been.
    """
    hitting = [labels(cell, g) for g in cell]
    if any(len({*each}) == len(cell) for each in hitting):
        return cell  # that guess tells all apart, and can hit
    others: dict[tuple[int, ...], int] = {}
    for g in ALL:
        if g not in cell:
            others.setdefault(labels(cell, g), g)
    keep = [
        g
        for parts, g in others.items()
        if not any(r != parts and _refines(r, parts) for r in others)
        and not any(_refines(r, parts) for r in hitting)
    ]
    return (*cell, *keep)


@cache
def twins(cell: Cell) -> Cell:
    """For each guess, the first one that tells apart, and can hit, exactly what it does.

    Such duplicates are always treated alike: `translate` looks at nothing else.
    """
    first: dict[tuple[tuple[int, ...], int | None], int] = {}
    return tuple(
        first.setdefault((labels(cell, guess), guess if guess in cell else None), guess)
        for guess in ALL
    )


@cache
def distinct(cell: Cell) -> Cell:
    """All guesses but those that are duplicates of an earlier one."""
    return tuple(sorted({*twins(cell)}))


@cache
def translate(cell: Cell, guess: int) -> int:
    """The useful guess that a player takes this guess for: itself, or one that refines it."""
    if guess in cell:
        return guess
    parts = labels(cell, guess)
    return next(g for g in useful(cell) if _refines(labels(cell, g), parts))


# --- what a view tells the seat to move ---


@dataclass(frozen=True, slots=True)
class Knowledge:
    """All that a seat knows when it is to move."""

    seat: Seat
    secret: int | None
    """Its own number; None while it is being chosen."""
    own: Trials
    theirs: Trials


def knowledge(view: View) -> Knowledge | None:
    """What the viewer knows on its turn; None out of turn."""
    if view.seat is None or view.actor is not view.seat:
        return None
    secret = None if view.setting_up else number(view.secret[0])
    return Knowledge(view.seat, secret, trials(view, view.seat), trials(view, view.seat.other))


def in_turn(view: View) -> Knowledge:
    """What the viewer knows, who must be to move."""
    here = knowledge(view)
    if here is None:
        raise ValueError("Only the seat whose turn it is has a move to make.")
    return here


def trials(view: View, seat: Seat) -> Trials:
    """The guesses of a seat and the answers it got."""
    return tuple(
        (number(event.move), event.answer)
        for event in view.history
        if event.actor is seat and isinstance(event.answer, int)
    )


def number(move: Move) -> int:
    """The index of the number that a move hides or guesses."""
    if not isinstance(move, Code):
        raise TypeError(f"{move} is not a number.")
    return AT[move]


# --- the certified player ---

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
        return self._plan_guesses(own, theirs, secret)

    def _plan_guesses(self, own: Trials, theirs: Trials, secret: int) -> Weights:
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
