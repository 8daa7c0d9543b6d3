"""The certified player of Safe Cracker in batches.

Its notes are its stand in the theory: both nodes, the number of its mind where it remembers more
than those, and at each node the names of all codes, as a packed renaming.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Final

import numpy as np
from numpy.typing import NDArray

from strongroom.plugins.extras import extra
from strongroom.theory.safe_cracker.player import RaceGuesser
from strongroom.theory.safe_cracker.solution import SafeCrackerSolution
from strongroom.theory.shelf import solution_of
from strongroom.vector.draws import below, mixed
from strongroom.vector.environment import Env, State
from strongroom.vector.packed_game import Tables
from strongroom.vector.players import BatchedPlayer, entry
from strongroom.vector.renamings import Renamings
from strongroom.vector.safe_cracker_minds import PlainMinds, Plan, RememberingMinds, walk
from strongroom.vector.words import Array, Layout, Words, look_up, unsigned

with extra("vector", "strongroom.vector"):
    import jax.numpy as jnp

SIDES: Final = ("own", "other")


class SafeCrackerMaster(BatchedPlayer):
    """Hides any code, and draws guesses as the certified player does.

    Its tables take a second to make in the default game, and a minute or two with nine digits.
    """

    def __init__(self, env: Env) -> None:
        solution = solution_of(env.packed.game)
        assert isinstance(solution, SafeCrackerSolution)
        self.solution = solution
        self.guesser: RaceGuesser = solution.guesser
        self.remembers = bool(self.guesser.coloured)
        self.renamings = Renamings(self.guesser.space)
        self.codes: int = len(self.guesser.same)
        self.told: int = self.guesser.space.game.options.length
        """How many answers leave the game open: all but a hit."""
        kind = RememberingMinds if self.remembers else PlainMinds
        self.minds: PlainMinds | RememberingMinds = kind(self.guesser)
        self.plan: Plan = self.minds.plan()
        self.notes = self._layout()
        super().__init__(env)

    def _layout(self) -> Layout:
        width = (len(self.guesser.sets) - 1).bit_length()
        mind = {"mind": (len(self.plan.drawn) - 1).bit_length()} if self.remembers else {}
        names = {
            f"{side}_{place}": bits
            for side in SIDES
            for place, bits in enumerate(self.renamings.widths)
        }
        return Layout(own=width, other=width, **mind, **names)

    def made_tables(self) -> Mapping[str, NDArray[np.generic]]:
        """Where guesses lead from node to node and from mind to mind, and what is drawn there."""
        tables: dict[str, NDArray[np.generic]] = {}
        walks = {
            side: walk(self.guesser, self.renamings, remember)
            for side, remember in (("own", self.remembers), ("other", False))
            if self.remembers or side == "own"
        }
        for side, each in walks.items():
            tables[f"{side}_row"] = each.row.astype(np.uint32).ravel()
            tables[f"{side}_node"] = each.node.astype(np.uint16)
            for place, words in enumerate(each.words.T):
                tables[f"{side}_{place}"] = words.copy()
        if isinstance(self.minds, RememberingMinds):
            tables["guessed"] = self.minds.guessed.astype(np.uint16).ravel()
            tables["heard"] = self.minds.heard.astype(np.uint16).ravel()
        return {**tables, **self._drawing()}

    def _drawing(self) -> dict[str, NDArray[np.generic]]:
        sets, drawn, shares = self.plan
        flat = sets.ravel()
        order = flat.argsort(kind="stable")[(flat < 0).sum() :]
        count = np.bincount(flat[flat >= 0])
        reached = np.minimum(shares.cumsum(axis=1) * 2.0**32, 2**32 - 1)
        return {
            "drawn": drawn.astype(np.uint16).ravel(),
            "reached": reached.astype(np.uint32).ravel(),
            "shares": shares.astype(np.float32).ravel(),
            "first": (count.cumsum() - count).astype(np.uint32),
            "count": count.astype(np.uint16),
            "guesses": (order % self.codes).astype(np.uint16),
            "face": (order // self.codes)[count.cumsum() - count].astype(np.uint16),
            "sets": flat.astype(np.uint16),  # a guess that is not drawn has the highest number
        }

    @cached_property
    def parts(self) -> int:
        """How many sets of guesses a mixture has at most."""
        return int(self.plan.drawn.shape[1])

    def first_notes(self) -> tuple[int, ...]:
        """Any code is possible, under its own name."""
        words: Words = tuple(np.uint32(0) for _ in range(self.notes.words))
        for side in SIDES:
            for place, word in enumerate(self.renamings.same):
                words = self.notes[f"{side}_{place}"].put(words, np.uint32(word))
        return tuple(int(word) for word in words)

    # --- reading notes ---

    def names(self, notes: Words, side: str) -> Words:
        """The renaming by which codes got their names at the own or the other node."""
        places = range(len(self.renamings.widths))
        return tuple(self.notes[f"{side}_{place}"].get(notes) for place in places)

    def mind(self, notes: Words) -> Array:
        """The number of the mind."""
        if self.remembers:
            return self.notes["mind"].get(notes)
        own, other = (self.notes[side].get(notes) for side in SIDES)
        return own * unsigned(len(self.guesser.sets)) + other

    # --- playing ---

    def choose(self, state: State, notes: Words, seat: Array, word: Array, tables: Tables) -> Array:
        """A code to hide, any of them; or a set of guesses, and one of its guesses."""
        mind = self.mind(notes)
        part = unsigned(0)
        for each in range(self.parts - 1):
            part = part + unsigned(word >= self._part(tables["reached"], mind, unsigned(each)))
        drawn = self._part(tables["drawn"], mind, part)
        # The first draw looked at the highest bits of the word; the second needs others.
        again = mixed(word + np.uint32(0x9E3779B9)) if self.parts > 1 else word
        place = below(again, look_up(tables["count"], drawn))
        name = look_up(tables["guesses"], look_up(tables["first"], drawn) + place)
        guess = self.renamings.origin(self.names(notes, "own"), name)
        hidden = below(word, unsigned(self.codes))
        return jnp.where(self._setting_up(state), hidden, guess).astype(jnp.int32)

    def odds(self, state: State, notes: Words, seat: Array, tables: Tables) -> Array:
        """Uniform among the guesses of a set."""
        mind, odds = self.mind(notes), jnp.zeros(self.codes, jnp.float32)
        every = jnp.arange(self.codes, dtype=jnp.uint32)
        names = self.renamings.name(self.names(notes, "own"), every)
        for part in range(self.parts):
            drawn = self._part(tables["drawn"], mind, unsigned(part))
            face = look_up(tables["face"], drawn)
            among = look_up(tables["sets"], face * unsigned(self.codes) + names) == drawn
            share = entry(tables["shares"], mind * unsigned(self.parts) + unsigned(part))
            odds = odds + jnp.where(among, share / look_up(tables["count"], drawn), 0.0)
        return jnp.where(self._setting_up(state), 1 / self.codes, odds)

    def _part(self, table: Array, mind: Array, part: Array) -> Array:
        return look_up(table, mind * unsigned(self.parts) + part)

    def _setting_up(self, state: State) -> Array:
        packed = self.env.packed
        return packed.layout["number"].get(state.position) < packed.set_up

    def noted(
        self, notes: Words, seat: Array, before: State, action: Array, after: State, tables: Tables
    ) -> Words:
        """The node and names of whoever guessed, after a guess of either seat."""
        mine = before.current_player == seat
        guess = unsigned(action)
        # A hit ends the game; then it does not matter which open answer is looked up.
        answer = jnp.minimum(unsigned(after.latest_answer), unsigned(self.told - 1))
        node = self._either(mine, *((self.notes[side].get(notes),) for side in SIDES))[0]
        names = self._either(mine, *(self.names(notes, side) for side in SIDES))
        name = self.renamings.name(names, guess)
        at = node * unsigned(self.codes) + name
        there, *renaming = self._looked_up(mine, at, answer, tables)
        new = self.renamings.composed(names, tuple(renaming))
        gone = self._put(notes, "own", there, new)
        told = self._either(mine, gone, self._put(notes, "other", there, new))
        if self.remembers:
            place = (self.mind(notes) * unsigned(self.codes) + name) * unsigned(self.told) + answer
            minds = [look_up(tables[table], place) for table in ("guessed", "heard")]
            told = self.notes["mind"].put(told, jnp.where(mine, *minds))
        return self._either(self._setting_up(before), notes, told)

    def _looked_up(self, mine: Array, at: Array, answer: Array, tables: Tables) -> Words:
        """The next node, and how codes are renamed on the way there."""
        found = []
        for side in SIDES if self.remembers else SIDES[:1]:
            row = look_up(tables[f"{side}_row"], at) + answer
            names = [f"{side}_{place}" for place in range(len(self.renamings.widths))]
            found.append(tuple(look_up(tables[n], row) for n in (f"{side}_node", *names)))
        return self._either(mine, found[0], found[-1])

    def _put(self, notes: Words, side: str, node: Array, names: Words) -> Words:
        notes = self.notes[side].put(notes, node)
        for place, word in enumerate(names):
            notes = self.notes[f"{side}_{place}"].put(notes, word)
        return notes

    def _either(self, condition: Array, one: Words, other: Words) -> Words:
        return tuple(jnp.where(condition, a, b) for a, b in zip(one, other, strict=True))
