"""Safe Cracker in batches, limited attempts included."""

from __future__ import annotations

from typing import Final

import jax.numpy as jnp

from strongroom.games.safe_cracker.rules import SafeCracker
from strongroom.vector.environment import Env, Result, win_of
from strongroom.vector.guessing import PackedGuessingGame
from strongroom.vector.players import BatchedPlayer, Certified, Costs
from strongroom.vector.safe_cracker_play import SafeCrackerMaster, make_costs
from strongroom.vector.words import Array, Layout, Words, bits, unsigned

BEST_BITS: Final = 3
"""The best guess so far is at most five exact matches, and 0 stands for none."""


class PackedSafeCracker(PackedGuessingGame, Certified):
    """All digits in place win; so does, when the attempts are used up, the best guess."""

    game: SafeCracker

    def __init__(self, game: SafeCracker, turn_limit: int) -> None:
        self.hit = game.options.length
        super().__init__(game, turn_limit)

    def position_layout(self) -> Layout:
        """With limited attempts also the best guess's matches plus 1, and who reached it first."""
        base = super().position_layout()
        if self.game.most_turns is None:
            return base
        return Layout(
            **{name: field.width for name, field in base.items()}, best=BEST_BITS, holder=1
        )

    def judge(
        self, after: Words, seat: Array, answer: Array, setting_up: Array
    ) -> tuple[Words, Array]:
        """A hit wins; after the last attempt, whoever reached the most matches first."""
        after, result = super().judge(after, seat, answer, setting_up)
        if self.game.most_turns is None:
            return after, result
        best, holder = self.layout["best"], self.layout["holder"]
        told = jnp.where(setting_up | (answer == self.hit), unsigned(0), answer + 1)
        better = told > best.get(after)
        leader = jnp.where(better, seat, holder.get(after))
        after = holder.put(best.put(after, jnp.maximum(told, best.get(after))), leader)
        last = self.layout["number"].get(after) == self.set_up + self.game.most_turns
        return after, jnp.where(last & (result == Result.NONE), win_of(leader), result)

    def knowledge(self, words: Words, memory: Words, seat: Array) -> dict[str, Array]:
        """With limited attempts also the best guess's matches, and whether one reached it first."""
        parts = super().knowledge(words, memory, seat)
        if self.game.most_turns is not None:
            best = self.layout["best"].get(words)
            parts["best"] = bits(best, BEST_BITS)
            leads = (best > 0) & (self.layout["holder"].get(words) == seat)
            parts["best is mine"] = leads[..., None]
        return parts

    def master(self, env: Env) -> BatchedPlayer:
        """The certified player; a Refusal where nothing is certified."""
        return SafeCrackerMaster(env)

    def costs(self, env: Env) -> Costs:
        """What guesses cost against it."""
        return make_costs(env)
