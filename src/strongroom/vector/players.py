"""Players who choose for a whole batch at once, from tables on the device.

A player is a strategy, not a policy of one position: what it must remember of a game beyond the
state stands in notes, words of its own that it updates after every action.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from strongroom.vector.environment import Env, State
from strongroom.vector.packed_game import Tables
from strongroom.vector.words import Array, Layout, Words


class BatchedPlayer(ABC):
    """Chooses actions for every game of a batch, in either seat."""

    notes: Layout = Layout()
    """Where each number of its notes stands."""

    def __init__(self, env: Env) -> None:
        self.env = env
        self.tables: Mapping[str, NDArray[np.generic]] = self.made_tables()
        """What it looks up, in flat tables by name."""

    def made_tables(self) -> Mapping[str, NDArray[np.generic]]:
        """The tables, made from the theory."""
        return {}

    def first_notes(self) -> tuple[int, ...]:
        """The notes before the first move."""
        return (0,) * self.notes.words

    @abstractmethod
    def choose(self, state: State, notes: Words, seat: Array, word: Array, tables: Tables) -> Array:
        """An action for this seat, which is to move, by a random word."""

    def noted(
        self, notes: Words, seat: Array, before: State, action: Array, after: State, tables: Tables
    ) -> Words:
        """The notes of this seat after an action of either seat.

        The state before may hold the other's secret; notes must not depend on it. What was answered
        is `after.latest_answer`.
        """
        return notes


class BatchedRandom(BatchedPlayer):
    """Makes random legal moves."""

    def choose(self, state: State, notes: Words, seat: Array, word: Array, tables: Tables) -> Array:
        """Any legal action, each as likely as the others."""
        return self.env.random_action(state, word)
