"""Safe Cracker solved: the default game exactly, its variations by a race strategy with bounds."""

from __future__ import annotations

from fractions import Fraction
from functools import cache, cached_property
from typing import Final, NamedTuple

import numpy as np

from strongroom.contract import AnyState, Game, Move, Seat, View
from strongroom.games.safe_cracker.rules import SafeCracker
from strongroom.theory.safe_cracker.player import Memory, RaceGuesser, Stand
from strongroom.theory.safe_cracker.proof import bounds
from strongroom.theory.safe_cracker.race import forms, race_of
from strongroom.theory.safe_cracker.solver import find_table
from strongroom.theory.safe_cracker.worth import SafeCrackerWorth
from strongroom.theory.solution import (
    SPLITS,
    Ints,
    MoveEffect,
    NoTheory,
    NotProved,
    Report,
    Solution,
    Table,
    guess_effect,
    sizes_decide,
)
from strongroom.theory.worth import Probability

LARGEST: Final = {3: 9, 4: 4, 5: 3}
"""The most digits, by length, that can be solved in minutes and two gigabytes.

The next case, five digits at length 4, has about 9,000 sets of codes up to symmetry, and so 80
million pairs of them.
"""
MOST_CODES = 64
"""With more codes than this, there are too many continuations to work out the truth."""


class SafeCrackerSolution(Solution):
    """The certified strategy of Safe Cracker; in the default game it guarantees 163/243."""

    def __init__(self, game: Game, table: Table) -> None:
        super().__init__(game, table)
        self.rules = _solvable(game)
        self.guesser = RaceGuesser(table)
        self._parts = cache(self._find_parts)

    @classmethod
    def solve(cls, game: Game, report: Report) -> Table:
        """The table of the strategy for both seats, from scratch: exact for the default game."""
        return find_table(_solvable(game), report)

    def certify(self, report: Report) -> tuple[Probability, Probability]:
        """What the strategy guarantees in each seat, as bounds on Seat.ONE's value."""
        if self.guesser.space.game.options != self.rules.options:
            raise NotProved(f"The table is not one of {self.game!r}.")
        return bounds(self.guesser, report)

    def policy(self, view: View) -> dict[Move, Fraction]:
        """The certified player's probability of each move; {} out of its turn."""
        return self.guesser.policy(view)

    def effect(self, view: View, move: Move) -> MoveEffect:
        """What a guess can hit, and how it splits the codes left."""
        if view.setting_up:
            return MoveEffect(
                "No code is harder to find than another, so pick one at random.",
                "would have been as hard to find",
                "no code is harder to find than another",
            )
        guesser, stand = self.guesser, self.guesser.follow(view)
        code, node = int(stand.own[guesser.space.game.actions.index(move)]), stand.mind.own
        codes, parts = guesser.sets[node], self._parts(node)[:, code]
        last = len(guesser.sets[stand.mind.other]) == 1
        wins = self._wins(view, stand, move)
        effect = guess_effect(parts[parts > 0].tolist(), "codes", code in codes, last, wins)
        left = (self._parts(node) ** 2).sum(axis=0)
        if effect.reason.endswith(SPLITS) and left[code] == left.min():
            return effect._replace(reason=f"{effect.reason} best")
        return effect

    def _wins(self, view: View, stand: Stand, move: Move) -> float | None:
        """What a guess is worth; None where the sizes of what guesses leave say which is best."""
        game, node, worth = self.guesser.space.game, stand.mind.own, self.worth.judge(view).moves
        own = [int(stand.own[number]) for number in range(len(game.actions))]
        values = np.array([worth[guess] for guess in game.actions])
        sizes, may_hit = self._parts(node)[:, own], np.isin(own, self.guesser.sets[node])
        return None if sizes_decide(sizes, may_hit, values) else worth[move]

    def _find_parts(self, node: int) -> Ints:
        """How many codes of a node have each answer to each guess."""
        game = self.guesser.space.game
        answers = game.answer_table[:, self.guesser.sets[node]]
        return np.array([(answers == answer).sum(axis=1) for answer in game.answers])

    def truth(self, state: AnyState) -> float | None:
        """Seat.ONE's win probability if both play on as certified; None if codes are too many."""
        if len(self.guesser.space.digits) > MOST_CODES:
            return None
        assert isinstance(state.actor, Seat)
        codes = [self.guesser.space.game.actions.index(code) for (code,) in state.secrets]
        mover, other = (
            Hunt(self.guesser.follow(state.view(seat)), codes[seat.other.index])
            for seat in (state.actor, state.actor.other)
        )
        wins = self._continuations.wins(mover, other)
        return wins if state.actor is Seat.ONE else 1 - wins

    @cached_property
    def _continuations(self) -> Continuations:
        return Continuations(self.guesser)

    @cached_property
    def worth(self) -> SafeCrackerWorth:
        """What each decision is worth against the certified player, exactly."""
        return SafeCrackerWorth(self.guesser)

    def figures(self, report: Report) -> dict[str, Probability]:
        """The value of the race: both hide uniformly, guess optimally and ignore their own code."""
        race = race_of(self.rules.options.digits, self.rules.options.length)
        race.draw(report)
        return {"race": race.value}


def _solvable(game: Game) -> SafeCracker:
    assert isinstance(game, SafeCracker)
    options = game.options
    if options.attempts is not None:
        raise NoTheory("Safe Cracker with limited attempts is not solved.", "Leave attempts out.")
    if options.digits > LARGEST.get(options.length, 0):
        codes, most = len(game.space.codes), [f"{d} at length {n}" for n, d in LARGEST.items()]
        reason = f"{codes:,} codes of length {options.length} are too many to solve the game."
        raise NoTheory(reason, f"Digits can be up to {', '.join(most)}.")
    return game


class Hunt(NamedTuple):
    """A guesser and the code that it is looking for, about which it knows only its stand."""

    stand: Stand
    code: int


Alike = tuple[bytes, Memory | None]
"""The key of a hunt up to the names of digits and positions."""


class Continuations:
    """Both certified players play on, over all random guesses; equivalent positions are cached."""

    def __init__(self, guesser: RaceGuesser) -> None:
        self.guesser = guesser
        self._known: dict[tuple[Alike, Alike], float] = {}
        self._names: dict[tuple[int, int], bytes] = {}

    def wins(self, mover: Hunt, other: Hunt) -> float:
        """The mover's win probability."""
        alike = (self._alike(mover), self._alike(other))
        if alike not in self._known:
            self._known[alike] = self._wins(mover, other)
        return self._known[alike]

    def _wins(self, mover: Hunt, other: Hunt) -> float:
        won = Fraction(0)
        ways: dict[Alike, tuple[Fraction, Hunt, Hunt]] = {}
        for guess, share in self.guesser.draw(mover.stand.mind, mover.stand.own).items():
            if guess == mover.code:
                won += share
                continue
            answer = int(self.guesser.space.game.answer_table[guess, mover.code])
            after = Hunt(self.guesser.after_own(mover.stand, guess, answer), mover.code)
            heard = Hunt(self.guesser.after_other(other.stand, guess, answer), other.code)
            before = ways.get(self._alike(after), (Fraction(0), after, heard))
            ways[self._alike(after)] = (before[0] + share, after, heard)
        lost = sum(float(share) * self.wins(heard, after) for share, after, heard in ways.values())
        return float(won) + float(1 - won) - lost

    def _alike(self, hunt: Hunt) -> Alike:
        (mind, names, _), guesser = hunt.stand, self.guesser
        node, code = mind.own, int(names[hunt.code])
        if (node, code) not in self._names:
            hues = 2 * guesser.hues[node] + (guesser.sets[node] == code)
            form = forms(guesser.space, guesser.sets[node], hues[None])[0]
            self._names[node, code] = form.key
        return self._names[node, code], mind.memory
