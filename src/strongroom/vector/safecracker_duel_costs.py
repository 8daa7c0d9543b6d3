"""What moves cost against Safecracker Duel's certified player, in batches.

Codes and each seat's first turn are looked up. Later the belief about the certified code follows
from the first turns and from the safes that one has left since, which stand in the notes.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from strongroom.games.safecracker_duel.rules import CHANGES, CODES
from strongroom.plugins.extras import extra
from strongroom.vector.environment import Env, State
from strongroom.vector.packed_game import Tables, chosen_by
from strongroom.vector.players import Costs, entry
from strongroom.vector.safecracker_duel_master import (
    EARLY,
    DialTables,
    Situation,
    flat,
    worth_of_rows,
)
from strongroom.vector.safecracker_duel_survival import survival_of
from strongroom.vector.words import (
    Array,
    Layout,
    Words,
    look_up,
    packed_flags,
    unsigned,
    words_of_set,
)

with extra("vector", "strongroom.vector"):
    import jax
    import jax.numpy as jnp

SHOWN_WORDS = words_of_set(len(CODES.codes))


class DuelCosts(Costs):
    """What a best response wins, decision by decision.

    Where the certified player cannot have led, all codes that the safe has not shown are equally
    likely.
    """

    def __init__(self, env: Env) -> None:
        self.dial = DialTables(env)
        self.limit = env.packed.turn_limit
        self.notes = Layout(left=self.dial.reach, strayed=1)
        super().__init__(env)

    def made_tables(self) -> Mapping[str, NDArray[np.generic]]:
        """The worth of early decisions, beliefs by the safes left, and what is in reach of safes.

        By kind of belief: `alive` by set, `best` before the first safe is left, and by bit how
        likely the code is `shown`, and the sets that have `excluded` it.
        """
        dial, codes = self.dial.dial, self.dial.codes
        survival = survival_of(self.env.packed.game)
        worth = worth_of_rows(self.dial, survival, self.limit)
        shown, excluded = survival.shown
        reach = packed_flags(np.array([dial.same, dial.ball]))
        leads = [[dial.number(c.applied_to(safe)) for c in CHANGES] for safe in dial.codes]
        return {
            **self.dial.tables(),
            "early": flat(*(worth[name] for name in EARLY)).astype(np.float32),
            "early_best": flat(*(worth[name].max(-1) for name in EARLY)).astype(np.float32),
            "kinds": survival.kinds.astype(np.uint8),
            "bits": survival.bits.astype(np.uint8).ravel(),
            "alive": survival.alive.astype(np.float32).ravel(),
            "best": survival.kept(self.limit == 3).max(-1).astype(np.float32),
            "shown": shown.astype(np.float32).ravel(),
            "excluded": excluded.astype(np.uint16).ravel(),
            "reach": reach.reshape(2, codes, -1).ravel(),
            "leads": np.array(leads, np.uint8).ravel(),
            "near": dial.near.astype(np.uint8).ravel(),
        }

    def noted(
        self, notes: Words, seat: Array, before: State, action: Array, after: State, tables: Tables
    ) -> Words:
        """From the third turn on, the safes that one leaves, and whether the other changes back."""
        at = self.dial.situation(before, seat)
        acts = self.env.packed.actor(before.position) == seat
        safe = self._led_to(at, action, tables)
        path = self._path(at, seat, tables)
        left = self.notes["left"].get(notes)
        added = left | self._set_of(path, self.dial.place(at.here, safe, tables), tables)
        left = jnp.where(acts & (at.turn >= 2), added, left)
        strays = ~acts & (at.turn >= 3) & (safe != at.previous)
        strayed = self.notes["strayed"].get(notes) | unsigned(strays)
        return self.notes["strayed"].put(self.notes["left"].put(notes, left), strayed)

    def value(self, state: State, notes: Words, seat: Array, tables: Tables) -> Array:
        """What a best response wins from here."""
        at = self.dial.situation(state, seat)
        early, row = self._early_row(at, seat, tables)
        left, kind = self.notes["left"].get(notes), self._kind(at, seat, tables)
        best = jnp.where(left == 0, entry(tables["best"], kind), jnp.float32(1))
        reach = jnp.arange(self.dial.reach, dtype=jnp.uint32)
        near = look_up(tables["near"], (at.here * self.dial.reach)[..., None] + reach)
        unknown = self._kept_if_unknown(state, at, near, tables).max(-1)
        late = jnp.where(self._is_known(notes, kind, tables), best, unknown) / 2
        late = jnp.where(self._can_win(at, tables), jnp.float32(1), late)
        return jnp.where(early, entry(tables["early_best"], row), late)

    def worth(
        self, state: State, notes: Words, seat: Array, action: Array, tables: Tables
    ) -> Array:
        """The same if this legal action is made first."""
        at = self.dial.situation(state, seat)
        early, row = self._early_row(at, seat, tables)
        safe = self._led_to(at, action, tables)
        place = self.dial.place(at.here, safe, tables)
        start = jnp.where(early, self.dial.start_of(row, at.setting_up), unsigned(0))
        choice = jnp.where(at.setting_up, unsigned(action), place)
        soon = entry(tables["early"], start + choice)
        known = self._kept(at, notes, seat, place, tables)
        unknown = self._kept_if_unknown(state, at, safe[..., None], tables)[..., 0]
        kind = self._kind(at, seat, tables)
        kept = jnp.where(self._is_known(notes, kind, tables), known, unknown)
        returns = self._can_win(at, tables) & (at.turn + 2 < self.limit)
        late = jnp.where(returns, kept, kept / 2)
        return jnp.where(early, soon, jnp.where(safe == at.own, jnp.float32(1), late))

    def _early_row(self, at: Situation, seat: Array, tables: Tables) -> tuple[Array, Array]:
        """Whether a decision is looked up, and its row; 0 if it is not."""
        early = at.turn < 2
        return early, jnp.where(early, self.dial.row(at, seat, tables), unsigned(0))

    def _led_to(self, at: Situation, action: Array, tables: Tables) -> Array:
        """The safe that a change leaves."""
        is_code = action < self.dial.codes
        change = jnp.where(is_code, unsigned(0), unsigned(action) - self.dial.codes)
        return look_up(tables["leads"], at.here * len(CHANGES) + change)

    def _can_win(self, at: Situation, tables: Tables) -> Array:
        return self.dial.action(at.here, at.own, tables) != 0

    def _path(self, at: Situation, seat: Array, tables: Tables) -> Array:
        """The number that `Survival` gives to the first safes."""
        reach, place = self.dial.reach, self.dial.place
        first = place(unsigned(self.dial.home), at.first, tables)
        second = place(at.first, at.second, tables)
        third = place(at.second, at.here, tables)
        by_two = ((first + 1) * reach + second) * reach + third
        return chosen_by(seat, first * reach + second, by_two)

    def _kind(self, at: Situation, seat: Array, tables: Tables) -> Array:
        return look_up(tables["kinds"], self._path(at, seat, tables))

    def _set_of(self, path: Array, place: Array, tables: Tables) -> Array:
        """The set of one safe that is left."""
        return unsigned(1) << look_up(tables["bits"], path * self.dial.reach + place)

    def _alive(self, kind: Array, left: Array, tables: Tables) -> Array:
        return entry(tables["alive"], (kind << self.dial.reach) + left)

    def _is_known(self, notes: Words, kind: Array, tables: Tables) -> Array:
        """Whether the certified player can have led here."""
        alive = self._alive(kind, self.notes["left"].get(notes), tables)
        return (alive > 0) & (self.notes["strayed"].get(notes) == 0)

    def _kept(
        self, at: Situation, notes: Words, seat: Array, place: Array, tables: Tables
    ) -> Array:
        """How likely leaving a safe loses nothing; on the last turn, unless it shows the code."""
        left, path = self.notes["left"].get(notes), self._path(at, seat, tables)
        kind = look_up(tables["kinds"], path)
        bit = look_up(tables["bits"], path * self.dial.reach + place)
        alive = self._alive(kind, left, tables)
        after = self._alive(kind, left | (unsigned(1) << bit), tables)
        index = kind * self.dial.reach + bit
        possible = look_up(tables["excluded"], index) & left == 0
        shown = jnp.where(possible, entry(tables["shown"], index), 0)
        after = jnp.where(at.turn + 1 < self.limit, after, alive - shown)
        return after / jnp.where(alive > 0, alive, 1)

    def _kept_if_unknown(self, state: State, at: Situation, safes: Array, tables: Tables) -> Array:
        """The same for safes along the last axis, if any code not shown is as likely."""
        possible = [~word for word in state.memory[-SHOWN_WORDS:]]
        possible[-1] = possible[-1] & np.uint32((1 << len(CODES.codes) % 32) - 1)
        table = jnp.where(at.turn + 1 < self.limit, unsigned(self.dial.codes), unsigned(0))
        first = (table[..., None] + safes) * SHOWN_WORDS
        losing = sum(
            jax.lax.population_count(word[..., None] & look_up(tables["reach"], first + place))
            for place, word in enumerate(possible)
        )
        every = sum(jax.lax.population_count(word) for word in possible)[..., None]
        return 1 - losing.astype(jnp.float32) / jnp.maximum(every, 1).astype(jnp.float32)
