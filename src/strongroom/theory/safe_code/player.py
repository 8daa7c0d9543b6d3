"""The clues and the race of Safe Code, and the certified player.

The weakest clue rules out one number. A guess rules out one number too, and may win. So against
weakest clues, drawn so that they tell nothing else, asking only loses a turn. What remains is a
race between two hidden numbers, which Seat.ONE wins with probability 31/60.

The player races, and spends the surplus that the opponent gives away. It keeps a promise, the win
probability that it guarantees whatever the opponent does, and compares it with the current value of
the race. An opponent who asks, or guesses a number already excluded, or writes clues that rule out
more than one number, gives away a surplus. Only that is spent: on asking in return, and on first
trying the number that the clues make likeliest. Thus no opponent can bring the player below the
value.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache, partial

import numpy as np

from strongroom.contract import Event, Game, Move, Seat, View
from strongroom.contract.history import HistoryFold
from strongroom.games.safe_code.clues import Clue
from strongroom.games.safe_code.rules import CLUES_EACH, REQUEST, Number
from strongroom.theory.solution import Flags, Floats, Table


class Race:
    """A player's value of the race, with `mine` numbers to try against the opponent's `theirs`."""

    def __init__(self, table: Table) -> None:
        self._to_move = [[Fraction(*pair) for pair in row] for row in table["race"].tolist()]
        self._waiting = [[1 - worth for worth in row] for row in self._to_move]
        self.size = len(self._to_move) - 1

    def to_move(self, mine: int, theirs: int) -> Fraction:
        """The probability of winning when it is the player's turn."""
        return self._to_move[mine][theirs]

    def waiting(self, mine: int, theirs: int) -> Fraction:
        """The probability of winning when it is the opponent's turn."""
        return self._waiting[theirs][mine]


@dataclass(frozen=True)
class ClueLanguage:
    """The numbers and clues of a game, and each kind of writer's probability of each clue."""

    numbers: tuple[Number, ...]
    clues: tuple[Clue, ...]
    index: dict[Move, int]
    """The index of each number among the numbers, and of each clue among the clues."""
    true: Flags
    """Whether a clue is true of a number: [clue, number]."""
    weakest: dict[int, Clue]
    """A weakest clue, by the one number that it rules out."""
    careful: Floats
    """The probabilities of a writer of weakest clues: [clue, number]."""
    plain: Floats
    """The probabilities of a writer who draws a kind of clue, then a clue of it: [clue, number]."""


def language_of(game: Game) -> ClueLanguage:
    """The clue language of a game, by enumeration."""
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
    # The first wording sounds stronger than "not equal to": "less than 30", for example.
    weakest = {value: clues[rows[0]] for value, rows in synonyms.items()}
    index: dict[Move, int] = {move: i for moves in (numbers, clues) for i, move in enumerate(moves)}
    careful, plain = _careful(true, synonyms), _plain(true, clues)
    return ClueLanguage(numbers, clues, index, true, weakest, careful, plain)


def _careful(true: Flags, synonyms: dict[int, list[int]]) -> Floats:
    careful = np.zeros(true.shape)
    for rows in synonyms.values():
        careful[rows] = true[rows] / (true.shape[1] - 1) / len(rows)
    return careful


def _plain(true: Flags, clues: tuple[Clue, ...]) -> Floats:
    forms: dict[tuple[str, bool], list[int]] = {}
    for i, clue in enumerate(clues):
        forms.setdefault((clue.kind, clue.negated), []).append(i)
    plain = np.zeros(true.shape)
    for rows in forms.values():
        plain[rows] = true[rows] / np.maximum(true[rows].sum(axis=0), 1)
    plain /= plain.sum(axis=0)
    return plain


# --- the reader of clues ---

CAREFUL = 0.5
"""The prior probability that the opponent writes only weakest clues."""


def beliefs(
    language: ClueLanguage, seen: tuple[int, ...], left: tuple[int, ...], careful: float
) -> tuple[Floats, Floats]:
    """The joint belief in each number left with a careful and with a plain writer of the clues."""
    both = []
    for chance, writer in ((careful, language.careful), (1 - careful, language.plain)):
        likely = np.zeros(len(language.numbers))
        likely[list(left)] = chance
        for clue in seen:
            likely *= writer[clue]
        both.append(likely)
    total = both[0].sum() + both[1].sum()
    if total == 0:
        return beliefs(language, seen, left, 1 - careful)
    return both[0] / total, both[1] / total


def in_order(likely: Floats, theirs: int, waiting: bool) -> float:
    """The win probability of trying the likeliest number first, summed over the rows."""
    turns = np.arange(likely.shape[-1]) + waiting
    survives = np.maximum(theirs - turns, 0) / theirs
    return float((-np.sort(-likely, axis=-1) @ survives).sum())


def after_asking(language: ClueLanguage, likely: tuple[Floats, Floats], theirs: int) -> float:
    """The win probability of asking now and only guessing afterwards."""
    some = np.flatnonzero(likely[0] + likely[1])
    careful, plain = (each[some] for each in likely)
    likely_after = language.careful[:, some] * careful + language.plain[:, some] * plain
    return in_order(likely_after[likely_after.any(axis=1)], theirs, waiting=True)


# --- keeping the promise ---


@dataclass(frozen=True)
class Stake:
    """How the player may move in a turn, and what it still owes afterwards."""

    ask: Fraction
    """The probability of asking."""
    least: Fraction
    """The smallest probability of any number left, given that the turn is a guess."""
    after_miss: Fraction
    """The amount owed after a guess that misses."""
    after_clue: Fraction
    """The amount owed after a clue, whatever it says."""


def stake_of(race: Race, mine: int, theirs: int, owed: Fraction, ask: bool, lean: bool) -> Stake:
    """Spend the race's value above the promise, on asking or on leaning, but no more.

    Before any guess or clue, a clue must rule out something. Later it need not: guesses are public,
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
class Standing:
    """What a player knows on its turn, and the win probability that it has promised."""

    left: tuple[int, ...]
    """The opponent's possible numbers, by index."""
    open: tuple[int, ...]
    """The player's own numbers that the opponent cannot exclude."""
    seen: tuple[int, ...]
    """The opponent's clues, by index."""
    owed: Fraction


class PromiseKeeper:
    """Plays the race, and never promises more than the race is worth."""

    def __init__(self, language: ClueLanguage, race: Race) -> None:
        self.language = language
        self.race = race
        remembered = lru_cache(maxsize=4096)
        self._standings = {
            seat: HistoryFold[Event, Standing](
                self.start(seat), remembered(partial(self.after, seat))
            )
            for seat in Seat
        }
        self.would_ask = remembered(self._would_ask)
        self.ruled_out = remembered(self._ruled_out)

    def policy(self, view: View) -> dict[Move, Fraction]:
        """The moves of the certified player, with their probabilities."""
        if not view.moves or view.seat is None:
            return {}
        if view.setting_up:
            return self._set_up([self.language.index[move] for move in view.secret])
        return self.mixture(self.standing(view, view.seat))

    def mixture(self, now: Standing) -> dict[Move, Fraction]:
        """The probability of asking and of each guess in a turn."""
        stake = self.stake(now)
        chances = dict.fromkeys(now.left, (1 - stake.ask) * stake.least)
        rest = (1 - stake.ask) * (1 - len(now.left) * stake.least)
        if rest:
            careful, plain = beliefs(self.language, now.seen, now.left, CAREFUL)
            chances[max(now.left, key=(careful + plain).__getitem__)] += rest
        numbers = self.language.numbers
        guesses: dict[Move, Fraction] = {numbers[x]: p for x, p in chances.items() if p}
        return {REQUEST: stake.ask, **guesses} if stake.ask else guesses

    def _set_up(self, chosen: Sequence[int]) -> dict[Move, Fraction]:
        """A code drawn uniformly, then a weakest clue, uniformly over the numbers to rule out."""
        language = self.language
        if not chosen:
            return {number: Fraction(1, len(language.numbers)) for number in language.numbers}
        code, *clues = chosen
        said, gone = self.ruled_out(tuple(clues))
        free = gone or set(range(len(language.numbers))) - said - {code}
        weakest = [language.weakest[language.numbers[x].value] for x in sorted(free)]
        return dict.fromkeys(weakest, Fraction(1, len(free)))

    def _ruled_out(self, clues: tuple[int, ...]) -> tuple[frozenset[int], frozenset[int]]:
        """The numbers that some clue rules out alone, and the others that are ruled out."""
        rows = self.language.true[list(clues)]
        said = frozenset(int(x) for row in rows if (~row).sum() == 1 for x in np.flatnonzero(~row))
        return said, frozenset(np.flatnonzero(~rows.all(axis=0)).tolist()) - said

    def stake(self, now: Standing) -> Stake:
        """The stake in a turn: ask if the reader of clues would, else lean towards its belief."""
        mine, theirs = len(now.left), len(now.open)
        asks_left = len(now.seen) < CLUES_EACH and mine > 1
        may_ask = asks_left and now.owed < self.race.to_move(mine, theirs)
        ask = may_ask and self.would_ask(now.seen, now.left, theirs)
        return stake_of(self.race, mine, theirs, now.owed, ask, bool(now.seen))

    def _would_ask(self, seen: tuple[int, ...], left: tuple[int, ...], theirs: int) -> bool:
        """Whether the reader of clues prefers asking to guessing, if a turn costs nothing else."""
        likely = beliefs(self.language, seen, left, CAREFUL)
        guessing = in_order(likely[0] + likely[1], theirs, waiting=False)
        return after_asking(self.language, likely, theirs) > guessing

    def standing(self, view: View, seat: Seat) -> Standing:
        """The standing after a view's history; the promise is capped after moves off the policy."""
        return self._standings[seat].after(view.history)

    def reads_plain_clues(self, now: Standing) -> bool:
        """Whether a clue has shown that the opponent is not a careful writer."""
        return any(not self.language.careful[clue].any() for clue in now.seen)

    def start(self, seat: Seat) -> Standing:
        """The standing of a seat before the first turn."""
        race, every = self.race, tuple(range(len(self.language.numbers)))
        root = race.to_move if seat is Seat.ONE else race.waiting
        return Standing(every, every, (), root(race.size, race.size))

    def after(self, seat: Seat, now: Standing, event: Event) -> Standing:
        """The standing of a seat after an event."""
        if event.actor is seat:
            step, ceiling = self._after_own, self.race.waiting
        else:
            step, ceiling = self._after_theirs, self.race.to_move
        if isinstance(event.answer, Clue):
            now = step(now, self.language.index[event.answer], None)
        else:
            now = step(now, None, self.language.index[event.move])
        if now.left and now.open:
            now = replace(now, owed=min(now.owed, ceiling(len(now.left), len(now.open))))
        return now

    def _after_own(self, now: Standing, clue: int | None, tried: int | None) -> Standing:
        stake = self.stake(now)
        if clue is not None:
            left = tuple(x for x in now.left if self.language.true[clue, x])
            return replace(now, left=left, seen=(*now.seen, clue), owed=stake.after_clue)
        if tried not in now.left:
            return now
        left = tuple(x for x in now.left if x != tried)
        return replace(now, left=left, owed=stake.after_miss)

    def _after_theirs(self, now: Standing, clue: int | None, tried: int | None) -> Standing:
        if clue is not None:
            return replace(now, open=tuple(x for x in now.open if self.language.true[clue, x]))
        if tried not in now.open or len(now.open) == 1:
            return now
        owed = now.owed * len(now.open) / (len(now.open) - 1)
        return replace(now, open=tuple(x for x in now.open if x != tried), owed=owed)
