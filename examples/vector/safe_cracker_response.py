"""Best responses at Safe Cracker, to policies that hide any code and ignore their own.

The guesses of such a policy tell nothing about its code, so that to the responder all codes that
fit are equally likely. All that matters of them is the kind of their set: up to renaming there are
15. All that matters of the policy is the set of codes that it has left, of which there are 1,234,
and which of them is the responder's own, which the responder knows.
"""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from best_response import BestResponse
from jax import lax
from network import Array, Network
from numpy.typing import NDArray
from policy import renamings

from strongroom.games.safe_cracker.rules import SafeCracker
from strongroom.theory.safe_cracker.race import race_of
from strongroom.vector import Env, State

Ints = NDArray[Any]
Flags = NDArray[np.bool_]


class SafeCrackerResponse(BestResponse):
    """A position is the responder's kind of set, the policy's set, and the responder's code in it.

    Its positions, in which a policy states its odds, leave the code out, which no policy knows.
    """

    def __init__(self, env: Env) -> None:
        super().__init__(env)
        game = env.packed.game
        assert isinstance(game, SafeCracker)
        answers = game.answer_table
        self.codes = len(answers)
        self.fits: Flags = answers[:, :, None] == answers[:, None, :]
        """By guess and code: the codes that get the same answer."""
        self.sets = self._sets()
        self.numbers = {row.tobytes(): number for number, row in enumerate(self.sets)}
        self.orders: Ints = renamings(game)
        self.race = race_of(game.options.digits, game.options.length).actions
        """What the responder's guesses do to its kinds of sets."""
        self.sizes = self.race.size[:-1]
        """How many codes each kind has."""
        self.positions = self._positions()

    def _sets(self) -> Flags:
        """The sets of codes that guesses can leave, as booleans; the first has all."""
        cells = [
            {sum(1 << code for code in np.flatnonzero(row).tolist()) for row in rows} - {1 << guess}
            for guess, rows in enumerate(self.fits)
        ]
        found = {(1 << self.codes) - 1: None}
        todo = [*found]
        for some in todo:  # the list grows during the loop
            left = {some & cell for those in cells for cell in those} - {0}
            todo += [each for each in sorted(left) if each not in found]
            found.update(dict.fromkeys(todo))
        return np.array([[some >> code & 1 for code in range(self.codes)] for some in todo], bool)

    def _positions(self) -> State:
        """Each set of the policy with each kind of the responder's, of which it sees the size."""
        game = self.env.packed
        mine = (self.sets @ (1 << np.arange(self.codes)))[:, None]
        theirs = (1 << self.sizes)[None, :] - 1
        left_one, left_two = (
            jnp.asarray(each).ravel() for each in np.broadcast_arrays(mine, theirs)
        )
        words = game.layout.pack(number=jnp.full(len(left_one), game.set_up))
        memory = game.memory.pack(left_one_0=left_one, left_two_0=left_two)
        return State(self.env, words, memory)

    def odds(self, network: Network) -> Array:
        """The odds of each guess in each position, in the mean over all renamings.

        One set of each kind is looked at under every renaming; the others are like it.
        """
        plain = super().odds(network).reshape(len(self.sets), len(self.sizes), self.codes)
        kind, order = np.full(len(self.sets), -1), np.zeros(len(self.sets), int)
        seen: list[Ints] = []
        for first, row in enumerate(self.sets):
            if kind[first] < 0:
                seen.append(np.array([self.numbers[each.tobytes()] for each in row[self.orders]]))
                kind[seen[-1]], order[seen[-1]] = len(seen) - 1, np.arange(len(self.orders))
        back = np.argsort(self.orders, axis=1)[None, :, None, :]
        mean = jnp.take_along_axis(plain[np.array(seen)], back, axis=3).mean(1)
        named = self.orders[order][:, None, :]
        return jnp.take_along_axis(mean[kind], named, axis=2).reshape(-1, self.codes)

    def wins(self, odds: Array) -> tuple[Array, Array]:
        """By turns, backwards: [the responder's kind, the policy's set and the code in it]."""
        owner, then = self._guessed()
        shape = len(self.sets), len(self.sizes), self.codes
        guesses = odds.reshape(shape).transpose(1, 0, 2)[:, owner]
        size, hit, cells = self.race.size, self.race.hit, self.race.cells
        lengths = np.diff([*self.race.starts, len(hit)])
        kind = np.repeat(np.array(self.race.order), lengths)
        undecided = jnp.full((len(self.sizes), len(owner)), 0.5, jnp.float32)

        def earlier(later: tuple[Array, Array], _: None) -> tuple[tuple[Array, Array], None]:
            to_move, to_wait = later
            missed = jnp.pad(to_move, ((0, 0), (0, 1)))  # after a hit, nothing is won
            waits = (guesses * missed[:, then]).sum(-1)
            kept = (size[cells][:, :, None] * jnp.pad(to_wait, ((0, 1), (0, 0)))[cells]).sum(1)
            tried = (hit[:, None] + kept) / size[kind][:, None]
            best = jax.ops.segment_max(tried, kind, num_segments=len(self.sizes))
            return (jnp.maximum(best, to_wait), waits), None  # a guess may also tell nothing

        limit = self.env.packed.turn_limit
        (to_move, to_wait), _ = lax.scan(earlier, (undecided, undecided), None, length=limit)
        # The responder hides the code with which it wins most.
        return to_move[0, : self.codes].max(), to_wait[0, : self.codes].max()

    def _guessed(self) -> tuple[Ints, Ints]:
        """Of each pair of a set and a code in it, the set; and by guess, the pair that is left.

        Where the guess hits, that is one beyond the last.
        """
        owner, code = np.nonzero(self.sets)
        place = np.zeros(self.sets.shape, int)
        place[owner, code] = np.arange(len(owner))
        left = self.sets[owner][:, None] & self.fits[:, code].swapaxes(0, 1)
        there = [[self.numbers.get(row.tobytes(), 0) for row in rows] for rows in left]
        hit = code[:, None] == np.arange(self.codes)
        return owner, np.where(hit, len(owner), place[np.array(there), code[:, None]])
