"""Safe Cracker solved: the default game exactly, its variations by a race strategy with bounds."""

from __future__ import annotations

from functools import cached_property
from typing import Final

from strongroom.contract import AnyState, Game, Move, View
from strongroom.games.safe_cracker.rules import SafeCracker
from strongroom.theory.safe_cracker import advice
from strongroom.theory.safe_cracker.player import RaceGuesser
from strongroom.theory.safe_cracker.proof import exact_bounds, race_bounds
from strongroom.theory.safe_cracker.race import race_of
from strongroom.theory.safe_cracker.solver import find_table
from strongroom.theory.safe_cracker.truth import PlayedOn, truth
from strongroom.theory.solution import NoTheory, NotProved, Report, Solution, Table, Worth

LARGEST: Final = {3: 9, 4: 4, 5: 3}
"""The most digits, by length, that can be solved in minutes and two gigabytes.

The next case, five digits at length 4, has about 9,000 sets of codes up to symmetry, and so 80
million pairs of them.
"""


class SafeCrackerSolution(Solution):
    """The certified strategy of Safe Cracker; in the default game it guarantees 163/243."""

    def __init__(self, game: Game, table: Table) -> None:
        super().__init__(game, table)
        self.rules = _solvable(game)
        self.guesser = RaceGuesser(table)

    @classmethod
    def solve(cls, game: Game, report: Report) -> Table:
        """The table of the strategy for both seats, from scratch: exact for the default game."""
        return find_table(_solvable(game), report)

    def certify(self, report: Report) -> tuple[Worth, Worth]:
        """What the strategy guarantees in each seat, as bounds on Seat.ONE's value."""
        if self.guesser.space.game.options != self.rules.options:
            raise NotProved(f"The table is not one of {self.game!r}.")
        if self.guesser.coloured:
            return exact_bounds(self.guesser, report)
        return race_bounds(self.guesser, report)

    def policy(self, view: View) -> dict[Move, Worth]:
        """The certified player's probability of each move; {} out of its turn."""
        return {**self.guesser.policy(view)}

    def values(self, view: View) -> dict[Move, float]:
        """The actor's probability of winning with each move, by the race."""
        return advice.values(self.guesser, view)

    def why(self, view: View, move: Move) -> str:
        """One short sentence about a move."""
        return advice.told(self.guesser, view, move).now

    def plainly(self, view: View, move: Move) -> str:
        """Why to make a move, without figures."""
        return advice.plainly(self.guesser, view, move)

    def instead(self, view: View, move: Move) -> str:
        """What a move would have told."""
        return advice.told(self.guesser, view, move).then

    def assumes(self, view: View) -> str:
        """What the values assume about both players."""
        return "all codes that fit are equally likely, and neither player makes use of its own"

    def truth(self, state: AnyState) -> float | None:
        """Seat.ONE's win probability if both play on as certified; None if codes are too many."""
        return truth(self._played_on, state)

    @cached_property
    def _played_on(self) -> PlayedOn:
        return PlayedOn(self.guesser)

    def figures(self, report: Report) -> dict[str, Worth]:
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
