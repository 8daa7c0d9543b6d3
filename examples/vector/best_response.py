"""Exploitability: what a best response wins beyond the value of the game, exactly.

A responder who knows the policy's odds, but neither its secret nor what it will draw, wins `one` in
Seat.ONE and `two` in Seat.TWO, where an undecided game is half a win. The value of the game is v
for Seat.ONE and 1 - v for Seat.TWO, so that the mean of what is won beyond it is
(one + two - 1) / 2: 0 for a perfect policy, and at most 1/2. Values are computed backwards from the
turn limit, for all positions at once, on the device; nothing is sampled, and nothing is lost but
what 32 bits round off.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

import jax.numpy as jnp
import numpy as np
from network import Array, Network
from numpy.typing import NDArray
from policy import log_odds, sight

from strongroom.vector import Env, State
from strongroom.vector.words import Layout, Words


class BestResponse(ABC):
    """Best responses to policies of one game, in either seat."""

    positions: State
    """The positions in which a policy must state its odds."""

    def __init__(self, env: Env) -> None:
        self.env = env

    def exploitability(self, network: Network) -> Array:
        """What best responses to a network's policy win beyond the value of the game."""
        one, two = self.wins(self.odds(network))
        return (one + two - 1) / 2

    def odds(self, network: Network) -> Array:
        """The odds of each action in each position."""
        return jnp.exp(log_odds(network, sight(self.env, self.positions))[0])

    @abstractmethod
    def wins(self, odds: Array) -> tuple[Array, Array]:
        """How likely a best response to these odds wins in Seat.ONE, and in Seat.TWO."""


def packed(layout: Layout, **fields: NDArray[Any]) -> Words:
    """Words with these fields, and zeros elsewhere."""
    words = [np.zeros(1, np.uint32)] * layout.words
    for name, numbers in fields.items():
        field = layout[name]
        words[field.word] = words[field.word] | (numbers.astype(np.uint32) << field.shift)
    shape = np.broadcast_shapes(*(word.shape for word in words))
    return tuple(jnp.asarray(np.broadcast_to(word, shape)) for word in words)
