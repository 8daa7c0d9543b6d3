"""Safe Cracker solved: the default game exactly, its variations by a race strategy with bounds."""

from __future__ import annotations

import numpy as np

from strongroom.contract import Game, Move, View
from strongroom.games.safe_cracker.rules import SafeCracker
from strongroom.theory.safe_cracker import advice
from strongroom.theory.safe_cracker.player import RaceGuesser
from strongroom.theory.safe_cracker.proof import exact_bounds, race_bounds
from strongroom.theory.safe_cracker.race import CodeRace, race_of
from strongroom.theory.safe_cracker.solver import find_table
from strongroom.theory.solution import NoTheory, NotProved, Report, Solution, Table, Worth


class SafeCrackerSolution(Solution):
    """The certified strategy of Safe Cracker; in the default game it guarantees 163/243."""

    def __init__(self, game: Game, table: Table) -> None:
        super().__init__(game, table)
        self.rules = _unlimited(game)
        self.guesser = RaceGuesser(table)

    @classmethod
    def solve(cls, game: Game, report: Report) -> Table:
        """The table of the strategy for both seats, from nothing: exact for the default game."""
        return find_table(_unlimited(game), report)

    def certify(self, report: Report) -> tuple[Worth, Worth]:
        """What the strategy guarantees in either seat, as bounds of the value of Seat.ONE."""
        options = self.rules.options
        if self.guesser.space.game.options != options:
            raise NotProved(f"The table is not one of {self.game!r}.")
        if self.guesser.coloured:
            return exact_bounds(self.guesser, report)
        race = self._race(lambda done, words: report(0.65 * done, words))
        choice = self.table["choice"].astype(np.int64)
        return race_bounds(race, choice, lambda done, words: report(0.65 + 0.35 * done, words))

    def policy(self, view: View) -> dict[Move, Worth]:
        """With which probability the certified player makes each move; {} out of its turn."""
        return {**self.guesser.policy(view)}

    def values(self, view: View) -> dict[Move, float]:
        """The actor's probability of winning with each move, by the race."""
        return advice.values(self.guesser, view)

    def why(self, view: View, move: Move) -> str:
        """One short sentence on a move."""
        return advice.why(self.guesser, view, move)

    def figures(self, report: Report) -> dict[str, Worth]:
        """The value of the race: both hide evenly, guess best, and ignore the own code."""
        return {"race": self._race(report).value}

    def _race(self, report: Report) -> CodeRace:
        race = race_of(self.rules.options.digits, self.rules.options.length)
        race.draw(report)
        return race


def _unlimited(game: Game) -> SafeCracker:
    assert isinstance(game, SafeCracker)
    if game.options.attempts is not None:
        raise NoTheory("Safe Cracker with limited attempts is not solved.")
    return game
