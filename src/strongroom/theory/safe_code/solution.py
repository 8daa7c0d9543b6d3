"""Safe Code solved: its player and its proof, from one table, and what moves are worth and do."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import cached_property

import numpy as np

from strongroom.contract import AnyState, Game, Move, Seat, View
from strongroom.games.safe_code.rules import Number, RequestClue
from strongroom.theory.safe_code import proof
from strongroom.theory.safe_code.player import (
    PromiseKeeper,
    Race,
    beliefs,
    language_of,
)
from strongroom.theory.safe_code.worth import ExposureWorth, RaceWorth
from strongroom.theory.solution import MoveEffect, Report, Solution, Table, decides


class SafeCodeSolution(Solution):
    """The race between two hidden numbers, and a player that never falls below it."""

    solving_share = 0.02
    _ordered: tuple[Mapping[Move, float] | None, bool] = None, True
    """What clues were worth that were explained last, and whether fewer numbers were better."""

    @cached_property
    def player(self) -> PromiseKeeper:
        """The certified player, with the clue language read from the game."""
        return PromiseKeeper(language_of(self.game), Race(self.table))

    @classmethod
    def solve(cls, game: Game, report: Report) -> Table:
        """Compute the race for every pair of counts of numbers left.

        A player who only races guarantees what the best response to it leaves.
        """
        size = len(language_of(game).numbers)
        worst = proof.worst_against_racing(size, report)
        race = np.zeros((size + 1, size + 1, 2), dtype=np.int16)
        race[:, :, 1] = 1
        for mine in range(1, size + 1):
            for theirs in range(1, size + 1):
                # The opponent waits: it has `mine` to try, this player `theirs`.
                race[mine, theirs] = (1 - worst[theirs, mine, 0]).as_integer_ratio()
        return {"race": race}

    def certify(self, report: Report) -> tuple[Fraction, Fraction]:
        """What the player guarantees, by the best response to it."""
        return proof.prove(self.game, self.player, report)

    def policy(self, view: View) -> dict[Move, Fraction]:
        """The certified player's probability of each move."""
        return self.player.policy(view)

    def effect(self, view: View, move: Move) -> MoveEffect:
        """What a move rules out, or how likely it hits."""
        assert view.seat is not None
        language = self.player.language
        if view.setting_up:
            if isinstance(move, Number):
                return MoveEffect(
                    f"All {len(language.numbers)} codes are equally good if you pick one at "
                    "random.",
                    "would have been as good as any other code",
                    "any number is as good, if nobody can foresee it",
                )
            out = int((~language.true[language.index[move]]).sum())
            numbers = f"{out} number{'s' if out > 1 else ''}"
            worth = self.worth.judge(view).moves
            if not self._fewer_is_better(worth):
                chance = f"{worth[move]:.0%}"
                return MoveEffect(
                    f"It rules out {numbers}; it wins {chance}.",
                    f"would have ruled out {numbers}, which wins {chance}",
                )
            return MoveEffect(
                f"It rules out {numbers}; the fewer the better.",
                f"would have ruled out only {numbers}",
                "it gives away little",
            )
        now = self.player.standing(view, view.seat)
        mine, theirs = len(now.left), len(now.open)
        if isinstance(move, RequestClue):
            if self.player.reads_plain_clues(now):
                what = f"more about the {mine} numbers left than a guess"
                return MoveEffect(f"It tells {what}.", f"would have told {what}")
            return MoveEffect(
                f"A careful clue rules out one of {mine} numbers; a guess does too, and may win.",
                f"would have ruled out at least one of the {mine} numbers left",
            )
        tried = language.index[move]
        if tried not in now.left:
            known = "tried before, or ruled out by a clue"
            return MoveEffect(
                f"It cannot be the code: {known}.", f"could not have been the code: {known}"
            )
        likely = beliefs(language, now.seen, now.left, 1.0)
        chance = f"{float(likely[0][tried] + likely[1][tried]):.0%}"
        return MoveEffect(
            f"It hits with {chance}, one of {mine} numbers left; your opponent has {theirs} left.",
            f"would have hit with {chance}, one of the {mine} numbers left",
            "it is among the likeliest left",
        )

    def _fewer_is_better(self, worth: Mapping[Move, float]) -> bool:
        """Whether no clue is worth more than one that rules out fewer numbers."""
        judged, fewer = self._ordered
        if judged is not worth:
            language = self.player.language
            out = (~language.true).sum(axis=1)[[language.index[each] for each in worth]]
            fewer = decides(-out, np.array([*worth.values()]))
            self._ordered = worth, fewer
        return fewer

    def truth(self, state: AnyState) -> float:
        """Seat.ONE's win probability if both try their remaining numbers in a random order.

        In a random order every number left is as likely to be the last as the first, so it does
        not matter which of them is the code.
        """
        assert isinstance(state.actor, Seat)
        now = self.player.standing(state.view(state.actor), state.actor)
        wins = float(self.player.race.to_move(len(now.left), len(now.open)))
        return wins if state.actor is Seat.ONE else 1 - wins

    @cached_property
    def worth(self) -> RaceWorth:
        """What each decision is worth, measured by the race from there on."""
        worth = RaceWorth(self.player)
        worth.further = (ExposureWorth(self.player),)
        return worth
