"""What decisions in Digit Deductions are worth against the certified player.

The player knows its own number, both players' guesses and their answers. The certified player's
guesses depend on its own number, so what it guessed tells something about that: by Bayes' rule,
`posterior` weighs its numbers. How it goes on depends on both players' trials and its own number,
and what the player can still win depends on that, on the player's own number and on the turns left.
So these are the state. Two groups of symmetries act on it and change nothing: one on the player's
number and the guesses at it, the other on the certified player's number and the guesses at that.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from fractions import Fraction
from functools import cache, lru_cache
from math import inf
from typing import Final

import numpy as np

from strongroom.contract import Move, Seat, View
from strongroom.theory.digit_deductions.player import (
    ALL,
    CODES,
    CORNER,
    DIAGONALS,
    HALF,
    LAST,
    MIRROR,
    ORBIT,
    ORBITS,
    Cell,
    DiagonalPlayer,
    Knowledge,
    Trials,
    candidates,
    fold,
    fold_trial,
    frames,
    in_turn,
    off_plan,
    split,
    twins,
    useful,
)
from strongroom.theory.digit_deductions.proof import DiagonalResponse, Part, Reach, within
from strongroom.theory.solution import Floats, Table
from strongroom.theory.worth import Judgement, Turns, Unreachable, Worth

FINE = 10**24
"""Probabilities are scaled by this, so that a response's rounding does not show."""
Rows = dict[int, list[float]]
"""What each guess wins, by the player's number."""


def posterior(them: DiagonalPlayer, own: Trials, theirs: Trials) -> dict[int, Fraction]:
    """How likely the certified player hides each number, after its own guesses and the other's.

    It is empty if the certified player never hides and guesses like that.
    """
    often = {s: Fraction(them.secrets[s]) for s in candidates(theirs, them.support)}
    for i, (tried, _) in enumerate(own):
        seen = theirs[: i + (not them.first)]
        for s in [*often]:
            weights = them.weights(own[:i], seen, s)
            often[s] *= Fraction(weights.get(tried, 0), sum(weights.values()))
            if not often[s]:
                del often[s]
    total = sum(often.values())
    return {s: n / total for s, n in often.items()}


def belief(them: DiagonalPlayer, own: Trials, theirs: Trials) -> dict[int, Fraction]:
    """The belief about the certified player's secret after its guesses and its answers.

    If the player never guesses like that, its guesses are ignored; if it never hides a number that
    fits, all numbers that fit are equally likely.
    """
    if odds := posterior(them, own, theirs):
        return odds
    likely = {s: Fraction(them.secrets[s]) for s in candidates(theirs)}
    for weights in (likely, dict.fromkeys(likely, Fraction(1))):
        if total := sum(weights.values()):
            return {s: n / total for s, n in weights.items() if n}
    raise ValueError("No number fits these answers.")


def race(tried: int, odds: Mapping[int, Fraction], hidden: Cell) -> float:
    """An estimate: hit now, or survive and hit next time, or survive twice and know everything."""
    cells = split(tuple(odds), tried)
    now = float(odds.get(tried, 0))
    then = sum(float(max(odds[s] for s in cell)) for answer, cell in cells if answer)
    missed_once = 1 - 1 / len(hidden)
    told_apart = max(len(split(hidden, g)) for g in hidden)
    return now + missed_once * (then + (1 - now - then) * max(0.0, 1 - told_apart / len(hidden)))


class FullResponse(DiagonalResponse):
    """The best response after any guesses of the responder, also useless ones.

    All guesses are tried: after one that told less than it could, `useful` ones are not enough,
    because the certified player goes on as if that guess had told more. Once it does not look at
    them any more, they are enough again, and of two last candidates either is as good.
    """

    def __init__(self, player: DiagonalPlayer) -> None:
        super().__init__(player, every=True)
        self._settled: dict[tuple[Cell | int, Reach, float], list[int]] = {}
        self._useful_tries: dict[Reach, list[list[Part]]] = {}

    def search(
        self, known: Cell, reach: Reach, own: Trials, theirs: Trials, turns: float
    ) -> list[int]:
        """What the player wins at worst, remembered where its guesses are settled."""
        if not self.player.settled(own, theirs):
            return super().search(known, reach, own, theirs, turns)
        key = known if len(known) > 2 else 2, reach, within(turns, 2 * len(known))
        if key not in self._settled:
            if reach not in self._useful_tries:
                self._useful_tries[reach] = [
                    self._parts(guess, reach, theirs) for guess in useful(reach.secrets)
                ]
            self._settled[key] = self._worst(self._useful_tries[reach], known, reach, own, turns)
        return self._settled[key]


class StrayResponse:
    """The best response to a player off its plan, whose guesses tell nothing about its number.

    A position is what both know: `known`, the responder's numbers that fit the player's guesses,
    and `hidden`, the player's that fit the responder's. Sets `known` that the player will split
    alike share one search. What the player wins is listed as in `DiagonalResponse`.
    """

    def __init__(self, odds: Mapping[int, Fraction]) -> None:
        self._masses = {s: int(FINE * n) for s, n in odds.items()}
        self._first_alike: dict[Hashable, Cell] = {}
        self._alike = cache(self._find_alike)
        self._lead = cache(self._player_wins)
        self._follow = cache(self._worst)

    def guesses(self, known: Cell, hidden: Cell) -> Rows:
        """What each guess of the responder wins, by its number."""
        same = twins(tuple(sorted(self._masses)))
        lost = {g: self._after_guess(g, known, hidden) for g in {*same}}
        total = sum(self._masses.values())
        return {t: [1 - lost[g][i] / total for g in same] for i, t in enumerate(known)}

    def _after_guess(self, guess: int, known: Cell, hidden: Cell) -> list[int]:
        """What the player still wins after the responder's guess."""
        won = [self._lead(known, cell) for answer, cell in split(hidden, guess) if answer]
        return [*map(sum, zip([0] * len(known), *won, strict=True))]

    def _player_wins(self, known: Cell, hidden: Cell) -> list[int]:
        """The player to move: what it wins."""
        masses = [self._masses.get(s, 0) for s in hidden]
        weights, won = off_plan(known, hidden), dict.fromkeys(known, 0)
        for guess in weights:
            for answer, cell in split(known, guess):
                value = self._follow(self._alike(cell), hidden) if answer else [sum(masses)]
                for t, each in zip(cell, value, strict=True):
                    won[t] += each
        return [each // len(weights) for each in won.values()]

    def _worst(self, known: Cell, hidden: Cell) -> list[int]:
        """The responder to move, knowing its number: what the player wins at worst."""
        masses = {s: self._masses[s] for s in hidden if s in self._masses}
        if len(masses) < 2 or len(known) == 1:
            return [sum(masses.values()) - max(masses.values(), default=0)] * len(known)
        tries = (self._after_guess(guess, known, hidden) for guess in useful(tuple(masses)))
        return [*map(min, zip(*tries, strict=True))]

    def _find_alike(self, known: Cell) -> Cell:
        """The first candidates met that the player will split alike, place by place."""
        place = {t: i for i, t in enumerate(known)}
        splits = tuple(
            tuple(
                (tuple(map(place.__getitem__, cell)), answer and self._alike(cell))
                for answer, cell in split(known, guess)
            )
            for guess in (off_plan(known, ALL) if len(known) > 1 else ())
        )
        return self._first_alike.setdefault(splits, known)


def guesses(
    response: DiagonalResponse,
    odds: Mapping[int, Fraction],
    own: Trials,
    theirs: Trials,
    turns: float = inf,
) -> Rows:
    """What each guess of the player wins, by its number, given the odds of the other's."""
    known = candidates(own)
    if len(known) == 1 or turns == 1:  # found out, so this is the last guess; or so the limit says
        rest = 0.5 if turns == 1 else 0.0
        row = [rest + (1 - rest) * float(odds.get(g, 0)) for g in ALL]
        return dict.fromkeys(known, row)
    reach = response.reach({s: int(FINE * n) for s, n in odds.items()})
    same = twins(tuple(sorted({*candidates(theirs, response.player.support), *odds})))
    lost = {g: response.after_guess(g, known, reach, own, theirs, turns) for g in {*same}}
    won = {g: [1 - each / reach.total for each in row] for g, row in lost.items()}
    return {t: [won[g][i] for g in same] for i, t in enumerate(known)}


# --- early guesses, computed once and shipped ---
#
# `strongroom solve` computes them with the strategies. Another release of a library may find other
# strategies, and so other worths; from the shipped strategies these functions give what is shipped.

SECOND_TURNS: Final = (2, inf)
"""How many turns can be left in the table of second guesses: a horizon of luck, and enough."""
NEAR: Final = [t for _, diagonal in DIAGONALS for t in diagonal if t <= MIRROR[t]]
"""ONE's numbers on the near diagonals, of which one of two mirrored ones is enough."""
PLACE: Final = {t: i for i, each in enumerate(NEAR) for t in (each, MIRROR[each])}
"""Where each of ONE's numbers is in the table of second guesses."""


def first_guesses(one: DiagonalPlayer, two: DiagonalPlayer) -> Table:
    """The best win probability by turns left, secret and first guess, until more turns help none.

    ONE's is by the orbits of secret and guess; TWO's, after a corner by ONE, by its secret folded
    into the near half and the orbit of its guess.
    """
    return {"one_first": _by_turns(_first_of_one, two), "two_first": _by_turns(_first_of_two, one)}


def _by_turns(first: Callable[[DiagonalPlayer, float], Floats], them: DiagonalPlayer) -> Floats:
    unlimited = first(them, inf)
    rows = [first(them, 1)]
    while not np.array_equal(rows[-1], unlimited):
        rows.append(first(them, len(rows) + 1))
    return np.array(rows)


def _first_of_one(two: DiagonalPlayer, turns: float) -> Floats:
    response = DiagonalResponse(two)
    reach = response.reach({s: two.secrets[s] * FINE for s in two.support})
    result = np.zeros((len(ORBITS), len(ORBITS)))
    for o, orbit in enumerate(ORBITS):
        lost = response.after_guess(orbit[0], ALL, reach, (), (), turns)
        result[:, o] = [1 - lost[each[0]] / reach.total for each in ORBITS]
    return result


def _first_of_two(one: DiagonalPlayer, turns: float) -> Floats:
    response = DiagonalResponse(one)
    reach = response.reach({s: one.secrets[s] * FINE for s in one.support})
    result = np.zeros((len(ALL), len(ORBITS)))
    for f, known in [*DIAGONALS, (2 * HALF, (LAST,))]:
        for o, orbit in enumerate(ORBITS):
            lost = response.after_guess(orbit[0], known, reach, ((CORNER, f),), (), turns)
            for t, each in zip(known, lost, strict=True):
                result[fold(t), o] = 1 - each / reach.total
    return result


def firsts_with_seconds(two: DiagonalPlayer) -> list[Trials]:
    """ONE's first guesses, up to symmetry, and answers that leave TWO several numbers."""
    return [
        (trial,)
        for guess, *_ in ORBITS
        for answer, left in split(two.support, guess)
        if len(left) > 1 and fold_trial(trial := (guess, answer)) == trial
    ]


def second_guesses(two: DiagonalPlayer) -> Table:
    """ONE's best win probability with each second guess, after a first guess and a corner by TWO.

    It is by turns left, first guess and answer, second guess, and ONE's number.
    """
    response, firsts = FullResponse(two), firsts_with_seconds(two)
    result = np.zeros((len(SECOND_TURNS), len(firsts), len(ALL), len(NEAR)))
    for f, _ in DIAGONALS:
        corner = ((CORNER, f),)
        for i, first in enumerate(firsts):
            odds = posterior(two, corner, first)
            for k, turns in enumerate(SECOND_TURNS):
                for t, won in guesses(response, odds, corner, first, turns).items():
                    result[k, i, :, PLACE[t]] = won
    return {"one_second": result}


# --- every decision ---

REMEMBERED = 1 << 13
"""How many positions are remembered."""


def _standard(trials: Trials) -> tuple[Trials, Cell]:
    """Trials in the first frame of their first guess, and the symmetry that leads there.

    Only one of the frames will do: TWO looks at no other one off the main line.
    """
    if not trials:
        return trials, ALL
    first = fold_trial(trials[0])
    turn = frames(first[0])[0]
    return tuple((turn[guess], answer) for guess, answer in (first, *trials[1:])), turn


class DiagonalWorth(Worth):
    """The worth of decisions: early guesses are read from the table, later ones are computed."""

    horizons = (1, 2)

    def __init__(self, table: Table, players: Mapping[Seat, DiagonalPlayer]) -> None:
        self.players = players
        self._first: dict[Seat, list[list[list[float]]]] = {
            seat: table[f"{seat.name.lower()}_first"].tolist() for seat in Seat
        }
        self._second: Floats = table["one_second"]
        firsts = firsts_with_seconds(players[Seat.TWO])
        self._firsts_with_seconds = {first: i for i, first in enumerate(firsts)}
        self._guesses = lru_cache(maxsize=REMEMBERED)(self._compute_guesses)

    def start(self, seat: Seat, turns: Turns) -> float:
        """What a best response wins from this seat."""
        return max(self.numbers(Knowledge(seat, None, (), ()), turns))

    def move_values(self, view: View, turns: Turns) -> dict[Move, float]:
        """What each move wins if a best response follows it."""
        return dict(zip(CODES, self.numbers(in_turn(view), turns), strict=True))

    def numbers(self, here: Knowledge, turns: Turns) -> list[float]:
        """What hiding or guessing each number wins if a best response follows it."""
        left = inf if turns is None else turns
        if here.secret is None:
            worth = [self._hiding(here.seat, orbit, left) for orbit in ORBITS]
            return [worth[ORBIT[s]] for s in ALL]
        theirs, turn = _standard(here.theirs)
        secret = turn[here.secret]
        if not here.own and here.seat is Seat.ONE:
            return self._by_orbit(Seat.ONE, ORBIT[secret], left)
        if not here.own and theirs[0][0] == CORNER:
            return self._by_orbit(Seat.TWO, secret, left)
        own, turn = _standard(here.own)
        left = within(left, 2 * len(candidates(theirs)))
        row = self._later(here.seat, own, theirs, secret, left)
        return [row[g] for g in turn]

    def odds(self, view: View) -> dict[Move, float]:
        """How likely the certified player hides each number, by Bayes' rule."""
        here = in_turn(view)
        (theirs, _), (own, turn) = _standard(here.theirs), _standard(here.own)
        found = posterior(self.players[here.seat.other], theirs, own)
        if not found:
            raise Unreachable
        return {CODES[n]: float(found[turn[n]]) for n in ALL if turn[n] in found}

    def suppose(self, view: View) -> Judgement:
        """What each guess wins against an opponent who hid by its strategy and then left it."""
        here = in_turn(view)
        goes_on = "guesses on by its rules" if here.own else "both now race"
        assumed = f"the opponent hid like Master but has strayed since, and {goes_on}"
        return Judgement(dict(zip(CODES, self.estimate(here), strict=True)), assumed)

    def estimate(self, here: Knowledge) -> list[float]:
        """What each guess wins by `belief` about the opponent's number, and how it goes on.

        `DiagonalPlayer.weights` predicts its guesses; before TWO's first guess, `race` does.
        """
        assert here.secret is not None
        them, known = self.players[here.seat.other], candidates(here.theirs)
        odds = belief(them, here.theirs, here.own)
        if not here.own:
            return [race(g, odds, known) for g in ALL]
        if them.strays(here.theirs, odds):
            return StrayResponse(odds).guesses(known, candidates(here.own))[here.secret]
        # It goes on by its rules, so that, as in the certificate, `useful` guesses are enough.
        return guesses(DiagonalResponse(them), odds, here.theirs, here.own)[here.secret]

    def _later(
        self, seat: Seat, own: Trials, theirs: Trials, secret: int, turns: float
    ) -> list[float]:
        """What each guess but a first one wins."""
        tabled = seat is Seat.ONE and own in self._firsts_with_seconds and turns in SECOND_TURNS
        if tabled and theirs[0][0] == CORNER and secret in PLACE:
            first = self._firsts_with_seconds[own]
            return [*self._second[SECOND_TURNS.index(turns), first, :, PLACE[secret]].tolist()]
        rows = self._guesses(seat, own, theirs, turns)
        if not rows:
            raise Unreachable
        return rows[secret]

    def _by_orbit(self, seat: Seat, row: int, turns: float) -> list[float]:
        first = self._firsts(seat, turns)[row]
        return [first[ORBIT[g]] for g in ALL]

    def _firsts(self, seat: Seat, turns: float) -> list[list[float]]:
        by_turns = self._first[seat]
        return by_turns[int(min(turns, len(by_turns))) - 1]

    def _hiding(self, seat: Seat, orbit: Cell, turns: float) -> float:
        """What hiding a number of an orbit wins.

        TWO's is a mean over the corners, or over the symmetries of its number before one corner.
        """
        if seat is Seat.ONE:
            return max(self._firsts(Seat.ONE, turns)[ORBIT[orbit[0]]])
        if turns == 1:
            return sum(0.0 if t == CORNER else 0.5 for t in orbit) / len(orbit)
        first = self._firsts(Seat.TWO, turns - 1)
        return sum(0.0 if t == CORNER else max(first[fold(t)]) for t in orbit) / len(orbit)

    def _compute_guesses(self, seat: Seat, own: Trials, theirs: Trials, turns: float) -> Rows:
        them = self.players[seat.other]
        odds = posterior(them, theirs, own)
        return guesses(FullResponse(them), odds, theirs, own, turns) if odds else {}
