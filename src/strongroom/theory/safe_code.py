"""Safe Code solved: hide anywhere, write the weakest clues, guess at random, and do not ask.

The weakest clue rules out one number. A guess rules out one number too, and may win. So against
weakest clues, drawn so that they tell nothing else, asking only loses a turn, and what is left is
a race between two hidden numbers: Seat.ONE wins it with probability 31/60.

The certified player does more than race. It keeps a promise, the probability of winning that it
owes whatever the opponent does, and compares it with what the race is worth now. An opponent who
asks, or who guesses what cannot be, or whose clues rule out more than one number, leaves something
over. Only that is spent: on asking in return, and on trying first what a reader of the clues
believes. Thus no opponent can bring it below the value.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from strongroom.game import Game, Move, Seat, View
from strongroom.games.clues import Clue
from strongroom.games.safe_code import CLUES_EACH, REQUEST, Number, RequestClue
from strongroom.theory import Report

Table = dict[str, NDArray[Any]]
Floats = NDArray[np.float64]

CAREFUL = 0.5
"""How likely, before any clue is seen, the opponent writes only weakest clues."""

# --- the race -----------------------------------------------------------------------------------


class Race:
    """What the race is worth to a player with `mine` numbers to try, the opponent with `theirs`."""

    def __init__(self, table: Table) -> None:
        self._table = table["race"]
        self.size = len(self._table) - 1

    def to_move(self, mine: int, theirs: int) -> Fraction:
        """The probability of winning when it is the player's turn."""
        numerator, denominator = self._table[mine, theirs]
        return Fraction(int(numerator), int(denominator))

    def waiting(self, mine: int, theirs: int) -> Fraction:
        """The probability of winning when it is the opponent's turn."""
        return 1 - self.to_move(theirs, mine)


def solve(game: Game, report: Report) -> Table:
    """Compute what the race is worth from every pair of numbers left."""
    from strongroom.theory.safe_code_proof import best_response

    size = len(language(game).numbers)
    worst = best_response(size, report)
    race = np.zeros((size + 1, size + 1, 2), dtype=np.int16)
    race[:, :, 1] = 1
    for mine in range(1, size + 1):
        for theirs in range(1, size + 1):
            # The opponent waits: it has `mine` to try, this player `theirs`.
            race[mine, theirs] = (1 - worst[theirs, mine, 0]).as_integer_ratio()
    return {"race": race}


# --- the clue language --------------------------------------------------------------------------


@dataclass(frozen=True)
class Language:
    """The numbers and clues of a game, and how likely each kind of writer writes each clue."""

    numbers: tuple[Number, ...]
    clues: tuple[Clue, ...]
    index: dict[str, int]
    true: NDArray[np.bool_]  # clue by number
    weakest: dict[int, Clue]  # by the one number that is ruled out
    careful: Floats  # clue by number: a writer of weakest clues
    plain: Floats  # clue by number: somebody who takes a kind of clue, then one of that kind


@lru_cache(maxsize=4)
def language(game: Game) -> Language:
    """The clue language of a game, counted out once."""
    numbers = tuple(move for move in game.actions if isinstance(move, Number))
    clues = tuple(move for move in game.actions if isinstance(move, Clue))
    values = [number.value for number in numbers]
    true = np.array([[value in clue.meaning for value in values] for clue in clues])
    synonyms: dict[int, list[int]] = {
        value: [i for i, row in enumerate(true) if not row[x] and row.sum() == len(values) - 1]
        for x, value in enumerate(values)
    }
    if not all(synonyms.values()):
        raise ValueError("the clue language lacks a weakest clue for some number")
    # The first wording sounds like more than "not equal to": "less than 30", say.
    weakest = {value: clues[rows[0]] for value, rows in synonyms.items()}
    careful = np.zeros(true.shape)
    for rows in synonyms.values():
        careful[rows] = true[rows] / (len(values) - 1) / len(rows)
    forms: dict[tuple[str, bool], list[int]] = {}
    for i, clue in enumerate(clues):
        forms.setdefault((clue.kind, clue.negated), []).append(i)
    plain = np.zeros(true.shape)
    for rows in forms.values():
        plain[rows] = true[rows] / np.maximum(true[rows].sum(axis=0), 1)
    plain /= plain.sum(axis=0)
    index = {str(clue): i for i, clue in enumerate(clues)}
    return Language(numbers, clues, index, true, weakest, careful, plain)


def _beliefs(
    words: Language, seen: tuple[int, ...], left: tuple[int, ...], careful: float
) -> tuple[Floats, Floats]:
    """How likely each number left is, with a careful and with a plain writer of the clues seen."""
    both = []
    for chance, writer in ((careful, words.careful), (1 - careful, words.plain)):
        likely = np.zeros(len(words.numbers))
        likely[list(left)] = chance
        for clue in seen:
            likely *= writer[clue]
        both.append(likely)
    total = both[0].sum() + both[1].sum()
    if total == 0:
        return _beliefs(words, seen, left, 1 - careful)
    return both[0] / total, both[1] / total


def _in_order(likely: Floats, theirs: int, waiting: bool) -> float:
    """The chance to win by trying the likeliest first, summed over the rows."""
    turns = np.arange(likely.shape[-1]) + waiting
    survives = np.maximum(theirs - turns, 0) / theirs
    return float((-np.sort(-likely, axis=-1) @ survives).sum())


def _after_asking(words: Language, likely: tuple[Floats, Floats], theirs: int) -> float:
    """The chance to win by asking now and guessing ever after."""
    some = np.flatnonzero(likely[0] + likely[1])
    careful, plain = (each[some] for each in likely)
    told = words.careful[:, some] * careful + words.plain[:, some] * plain
    return _in_order(told[told.any(axis=1)], theirs, waiting=True)


@lru_cache(maxsize=4096)
def _would_ask(game: Game, seen: tuple[int, ...], left: tuple[int, ...], theirs: int) -> bool:
    """Whether the reader of clues would rather ask than guess, if a turn cost nothing else."""
    words = language(game)
    likely = _beliefs(words, seen, left, CAREFUL)
    guessing = _in_order(likely[0] + likely[1], theirs, waiting=False)
    return _after_asking(words, likely, theirs) > guessing


# --- keeping the promise ------------------------------------------------------------------------


@dataclass(frozen=True)
class Stake:
    """How the player may move in a turn, and what it still owes afterwards."""

    ask: Fraction  # with which probability
    least: Fraction  # the smallest probability of any number left, given that the turn is a guess
    missed: Fraction  # owed after a guess that misses
    told: Fraction  # owed after a clue, whatever it says


def stake_of(race: Race, mine: int, theirs: int, owed: Fraction, ask: bool, lean: bool) -> Stake:
    """Spend what the race is worth above the promise, on asking or on leaning, but no more.

    Before any guess or clue a clue must rule out something. Later it need not: guesses are public,
    so the opponent can lure the player into asking just when its next clue has become stale.
    """
    worth = race.to_move(mine, theirs)
    owed = min(owed, worth)
    ahead = race.waiting(mine - 1, theirs) if mine > 1 else Fraction(1)
    asked = ahead if mine == race.size else race.waiting(mine, theirs)
    chance, guess_owed = Fraction(0), owed
    if ask and asked >= owed:
        chance, asked = Fraction(1), owed
    elif ask:
        chance, guess_owed = (worth - owed) / (worth - asked), worth
    least = Fraction(1, mine)
    if lean and not ask and mine > 1:
        least = max(Fraction(0), (owed - ahead) / (1 - ahead))
    missed = (guess_owed - least) / (1 - least) if mine > 1 else Fraction(1)
    return Stake(chance, least, missed, asked)


@dataclass(frozen=True)
class _Standing:
    """What a player knows in a turn, and what it owes itself."""

    left: tuple[int, ...]  # the opponent's possible numbers, by index
    open: tuple[int, ...]  # the player's own numbers that the opponent cannot exclude
    seen: tuple[int, ...]  # the opponent's clues, by index
    owed: Fraction


def _options(race: Race, game: Game, now: _Standing) -> Stake:
    """The stake in this turn: ask if the reader of clues would, lean on what it believes."""
    mine, theirs = len(now.left), len(now.open)
    may_ask = len(now.seen) < CLUES_EACH and mine > 1 and now.owed < race.to_move(mine, theirs)
    ask = may_ask and _would_ask(game, now.seen, now.left, theirs)
    return stake_of(race, mine, theirs, now.owed, ask, bool(now.seen))


def _standing(table: Table, view: View, seat: Seat) -> _Standing:
    """Follow the promise through all that happened; at its own odd moves it is written down."""
    race, words = Race(table), language(view.game)
    every = tuple(range(len(words.numbers)))
    root = race.to_move if seat is Seat.ONE else race.waiting
    now = _Standing(every, every, (), root(race.size, race.size))
    for actor, move, answer in view.history:
        if actor is seat:
            now = _own_move(race, view.game, now, move, answer)
            ceiling = race.waiting
        else:
            now = _their_move(words, now, move, answer)
            ceiling = race.to_move
        if now.left and now.open:
            now = replace(now, owed=min(now.owed, ceiling(len(now.left), len(now.open))))
    return now


def _own_move(race: Race, game: Game, now: _Standing, move: Move, answer: object) -> _Standing:
    words, stake = language(game), _options(race, game, now)
    if isinstance(move, RequestClue):
        clue = words.index[str(answer)]
        left = tuple(x for x in now.left if words.true[clue, x])
        return replace(now, left=left, seen=(*now.seen, clue), owed=stake.told)
    tried = words.numbers.index(move)
    if tried not in now.left:
        return now
    return replace(now, left=tuple(x for x in now.left if x != tried), owed=stake.missed)


def _their_move(words: Language, now: _Standing, move: Move, answer: object) -> _Standing:
    if isinstance(move, RequestClue):
        clue = words.index[str(answer)]
        return replace(now, open=tuple(x for x in now.open if words.true[clue, x]))
    tried = words.numbers.index(move)
    if tried not in now.open or len(now.open) == 1:
        return now
    owed = now.owed * len(now.open) / (len(now.open) - 1)
    return replace(now, open=tuple(x for x in now.open if x != tried), owed=owed)


def promise(table: Table, view: View) -> Fraction:
    """The probability of winning that the certified player still owes the view's seat."""
    assert view.seat is not None
    return _standing(table, view, view.seat).owed


# --- at the table -------------------------------------------------------------------------------


def policy(table: Table, view: View) -> dict[Move, Fraction]:
    """The moves of the certified player, with their probabilities."""
    if not view.moves or view.seat is None:
        return {}
    words = language(view.game)
    if view.setting_up:
        return _set_up(words, view)
    race, now = Race(table), _standing(table, view, view.seat)
    stake = _options(race, view.game, now)
    chances = dict.fromkeys(now.left, (1 - stake.ask) * stake.least)
    rest = (1 - stake.ask) * (1 - len(now.left) * stake.least)
    if rest:
        careful, plain = _beliefs(words, now.seen, now.left, CAREFUL)
        chances[max(now.left, key=(careful + plain).__getitem__)] += rest
    guesses: dict[Move, Fraction] = {words.numbers[x]: p for x, p in chances.items() if p}
    return {REQUEST: stake.ask, **guesses} if stake.ask else guesses


def _set_up(words: Language, view: View) -> dict[Move, Fraction]:
    """A code drawn evenly, then a weakest clue drawn evenly by what it rules out."""
    if not view.secret:
        return {number: Fraction(1, len(words.numbers)) for number in words.numbers}
    code, *earlier = view.secret
    assert isinstance(code, Number)
    rows = words.true[[words.index[str(clue)] for clue in earlier]]
    said = {
        words.numbers[x].value for row in rows if (~row).sum() == 1 for x in np.flatnonzero(~row)
    }
    gone = {words.numbers[x].value for x in np.flatnonzero(~rows.all(axis=0))} - said
    free = gone or {number.value for number in words.numbers} - said - {code.value}
    return {words.weakest[value]: Fraction(1, len(free)) for value in sorted(free)}


def values(table: Table, view: View) -> dict[Move, float]:
    """The actor's chance to win after each move, both racing from there on.

    Assumed: the opponent hid evenly and writes weakest clues, until a clue shows that it does
    not; from then on, that it takes a kind of clue at random, then a true clue of that kind. In
    the set-up: that the opponent asks for just as many of the clues as pays.
    """
    if not view.moves or view.seat is None:
        return {}
    if view.setting_up:
        return _set_up_values(view)
    words, now = language(view.game), _standing(table, view, view.seat)
    likely = _beliefs(words, now.seen, now.left, 1.0)
    belief, theirs = likely[0] + likely[1], len(now.open)
    worth: dict[Move, float] = {}
    for move in view.moves:
        if isinstance(move, RequestClue):
            worth[move] = _after_asking(words, likely, theirs)
            continue
        tried = words.numbers.index(move)
        others = np.delete(belief, tried)
        worth[move] = float(belief[tried]) + _in_order(others, theirs, waiting=True)
    return worth


def _set_up_values(view: View) -> dict[Move, float]:
    words = language(view.game)
    size = len(words.numbers)
    rows = words.true[[words.index[str(clue)] for clue in view.secret[1:]]]

    def worth(told: NDArray[np.bool_]) -> float:
        """The race against one who first asks for 0, 1, ... clues, whichever is best."""
        left = [size, *(int(np.logical_and.reduce(told[: n + 1]).sum()) for n in range(len(told)))]
        return min(_against(size, n, each, view.seat is Seat.ONE) for n, each in enumerate(left))

    if not view.secret:
        return dict.fromkeys(view.moves, worth(rows))
    found: dict[bytes, float] = {}
    result: dict[Move, float] = {}
    for move in view.moves:
        row = words.true[words.index[str(move)]]
        key = row.tobytes()
        if key not in found:
            found[key] = worth(np.vstack([rows, row]))
        result[move] = found[key]
    return result


@lru_cache(maxsize=4096)
def _against(size: int, lost: int, left: int, first: bool) -> float:
    """The chance to find one of `size` numbers before one of `left` is found, after lost turns."""
    mine = np.arange(1, size + 1)
    theirs = lost + np.arange(1, left + 1)
    return float(np.mean(mine[:, None] <= theirs if first else mine[:, None] < theirs))


def why(table: Table, view: View, move: Move) -> str:
    """One sentence on what a move does."""
    assert view.seat is not None
    words = language(view.game)
    if view.setting_up:
        if isinstance(move, Number):
            return f"All {len(words.numbers)} codes are equally good, as long as you draw one."
        out = int((~words.true[words.index[str(move)]]).sum())
        return f"It rules out {out} number{'s' if out > 1 else ''}; the fewer the better."
    now = _standing(table, view, view.seat)
    mine, theirs = len(now.left), len(now.open)
    if isinstance(move, RequestClue):
        return f"A careful clue rules out one of {mine} numbers; a guess does too, and may win."
    if words.numbers.index(move) not in now.left:
        return "It cannot be the code: you have tried it, or a clue rules it out."
    return f"One of {mine} numbers left to you; your opponent has {theirs} left."


# --- the certificate ----------------------------------------------------------------------------


def certify(game: Game, table: Table, report: Report) -> tuple[Fraction, Fraction]:
    """Prove what both shipped strategies guarantee; complain if they do not."""
    from strongroom.theory.safe_code_proof import check

    check(game, table, report)
    race = Race(table)
    return race.to_move(race.size, race.size), 1 - race.waiting(race.size, race.size)
