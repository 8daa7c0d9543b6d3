"""The board of Digit Deductions: its 81 numbers by index, its symmetries, and what guesses tell.

What a player knows about the other's number is the set of numbers that fit its own guesses, and it
is public. A first guess at a corner reduces that set to a diagonal; either end of a diagonal tells
all its numbers apart. So both players can know everything before the third guess, and the game is
about shooting earlier: when to risk a shot inside the diagonal, and which numbers to hide.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from strongroom.contract import Move, Seat, View
from strongroom.games.codes import Code
from strongroom.games.digit_deductions.rules import NUMBERS, DigitDeductions

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
