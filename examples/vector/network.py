"""A small network and Adam, in plain JAX: all that a learner here is made of."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp

Array = Any
"""An array of JAX."""
Network = list[tuple[Array, Array]]
"""The weights and offsets of each layer."""


def new_network(key: Array, inputs: int, hidden: Sequence[int], count: int) -> Network:
    """A network with hidden layers of these widths, whose outputs are all 0 at first."""
    layers = []
    for before, after in pairwise([inputs, *hidden]):
        key, own = jax.random.split(key)
        weights = (2 / before) ** 0.5 * jax.random.normal(own, (before, after), jnp.float32)
        layers.append((weights, jnp.zeros(after, jnp.float32)))
    # The last layer sees the inputs too.
    last = jnp.zeros((hidden[-1] + inputs, count), jnp.float32)
    return [*layers, (last, jnp.zeros(count, jnp.float32))]


def outputs(network: Network, inputs: Array) -> Array:
    """What a network makes of inputs along their last axis."""
    *layers, (weights, offsets) = network
    found = inputs
    for w, b in layers:
        found = jax.nn.relu(found @ w + b)
    return jnp.concatenate([found, inputs], axis=-1) @ weights + offsets


class Adam(NamedTuple):
    """Moving means of gradients and of their squares, by which steps are scaled."""

    mean: Network
    square: Network
    steps: Array

    @classmethod
    def of(cls, network: Network) -> Adam:
        """Before the first step."""
        zeros = jax.tree_util.tree_map(jnp.zeros_like, network)
        return cls(zeros, zeros, jnp.float32(0))

    def step(
        self,
        network: Network,
        gradient: Network,
        rate: Array,
        keep: float = 0.9,
        long: float = 0.999,
    ) -> tuple[Network, Adam]:
        """The network after a step downhill, and the means after it."""
        tree_map, steps = jax.tree_util.tree_map, self.steps + 1
        mean = tree_map(lambda m, g: keep * m + (1 - keep) * g, self.mean, gradient)
        square = tree_map(lambda s, g: long * s + (1 - long) * g * g, self.square, gradient)

        def moved(weight: Array, m: Array, s: Array) -> Array:
            deviation = jnp.sqrt(s / (1 - long**steps)) + 1e-8
            return weight - rate * m / (1 - keep**steps) / deviation

        return tree_map(moved, network, mean, square), Adam(mean, square, steps)
