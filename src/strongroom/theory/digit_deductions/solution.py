"""Digit Deductions as a solved game: its players, what moves are worth and do, and the truth."""

from __future__ import annotations

from fractions import Fraction
from functools import cache, cached_property

import numpy as np

from strongroom.contract import AnyState, Game, Move, Seat, View
from strongroom.theory.digit_deductions.player import (
    ALL,
    FAR,
    Cell,
    DiagonalPlayer,
    Trials,
    candidates,
    in_turn,
    knowledge,
    number,
    split,
    trials,
)
from strongroom.theory.digit_deductions.proof import guarantee
from strongroom.theory.digit_deductions.solver import strategies
from strongroom.theory.digit_deductions.worth import (
    DiagonalWorth,
    first_guesses,
    second_guesses,
)
from strongroom.theory.solution import (
    SPLITS,
    Ints,
    MoveEffect,
    Report,
    Solution,
    Table,
    guess_effect,
    sizes_decide,
)
from strongroom.theory.worth import Probability


class DigitDeductionsSolution(Solution):
    """Digit Deductions, solved exactly."""

    solving_share = 0.63

    def __init__(self, game: Game, table: Table) -> None:
        super().__init__(game, table)
        self.players = _players(table)

    @cached_property
    def worth(self) -> DiagonalWorth:
        """What each decision is worth against the certified player, exactly."""
        return DiagonalWorth(self.table, self.players)

    @classmethod
    def solve(cls, game: Game, report: Report) -> Table:
        """Compute both strategies from scratch, and what early guesses are worth against them."""
        table = strategies(report)
        report(0.42, "what each first guess is worth")
        one, two = _players(table).values()
        firsts = first_guesses(one, two)
        report(0.8, "what each second guess is worth")
        seconds = second_guesses(two)
        report(1.0, "solved")
        return {**table, **firsts, **seconds}

    def certify(self, report: Report, every: bool = False) -> tuple[Fraction, Fraction]:
        """Exact lower and upper bound on what ONE wins, from two full best responses.

        With `every`, guesses that cannot pay are tried too: the same result, after many minutes.
        """
        lower = guarantee(
            self.players[Seat.ONE], lambda done, words: report(done / 3, words), every
        )
        upper = guarantee(
            self.players[Seat.TWO], lambda done, words: report((1 + 2 * done) / 3, words), every
        )
        return lower, 1 - upper

    def policy(self, view: View) -> dict[Move, Probability]:
        """The certified player's exact probability of each move; {} out of its turn."""
        here = knowledge(view)
        return {} if here is None else dict(self.players[here.seat].policy(here))

    def effect(self, view: View, move: Move) -> MoveEffect:
        """What a move can hit, and how it splits the candidates."""
        here, guess = in_turn(view), number(move)
        if here.secret is None:
            secrets = self.players[here.seat].secrets
            games = f"hidden in {secrets[guess] / sum(secrets):.1%} of perfectly played games"
            return MoveEffect(f"It is {games}.", f"is {games}")
        known, hidden = candidates(here.own), candidates(here.theirs)
        sizes = [len(cell) for _, cell in split(known, guess)]
        worth = self.worth.judge(view).moves
        values = np.array([worth[each] for each in sorted(worth, key=number)])
        decides = sizes_decide(_sizes(known), np.isin(ALL, [*known]), values)
        wins = None if decides else worth[move]
        effect = guess_effect(sizes, "numbers", guess in known, len(hidden) == 1, wins)
        if effect.reason.endswith(SPLITS) and guess in _best_splits(known):
            return effect._replace(reason=f"{effect.reason} best")
        return effect

    def truth(self, state: AnyState) -> float:
        """Seat.ONE's win probability if both play on as certified, over all random choices."""
        assert isinstance(state.actor, Seat)
        numbers = [number(secret) for (secret,) in state.secrets]

        @cache
        def wins(mover: Seat, guessed: tuple[Trials, Trials]) -> float:
            """The mover's win probability after these guesses of each seat."""
            own, theirs = guessed[mover.index], guessed[mover.other.index]
            hidden = numbers[mover.other.index]
            weights = self.players[mover].weights(own, theirs, numbers[mover.index])
            won = float(weights.get(hidden, 0))
            for guess, weight in weights.items():
                if guess != hidden:
                    then = (*own, (guess, FAR[hidden][guess]))
                    after = (then, theirs) if mover is Seat.ONE else (theirs, then)
                    won += weight * (1 - wins(mover.other, after))
            return won / sum(weights.values())

        view = state.view(None)
        won = wins(state.actor, (trials(view, Seat.ONE), trials(view, Seat.TWO)))
        return won if state.actor is Seat.ONE else 1 - won


def _players(table: Table) -> dict[Seat, DiagonalPlayer]:
    return {seat: DiagonalPlayer(table, seat) for seat in Seat}


@cache
def _sizes(known: Cell) -> Ints:
    """How many numbers have each answer to each guess; a row for each answer."""
    parts = [[len(cell) for _, cell in split(known, g)] for g in ALL]
    most = max(map(len, parts))
    return np.array([[*each, *[0] * (most - len(each))] for each in parts]).T


@cache
def _best_splits(known: Cell) -> frozenset[int]:
    """The guesses that leave the fewest numbers on average."""
    left = (_sizes(known) ** 2).sum(axis=0)
    return frozenset(np.flatnonzero(left == left.min()).tolist())
