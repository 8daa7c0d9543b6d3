"""Mixed strategies in flat tables, from which a choice is drawn with one look-up.

A row is the mixture of one situation, by Walker's alias method: every choice has a word, with a
threshold above another choice, its alias. A random word picks a choice of the row, each as likely
as the others; what the product leaves over decides between it and its alias.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from strongroom.plugins.extras import extra
from strongroom.vector.draws import below
from strongroom.vector.words import Array, look_up

with extra("vector", "strongroom.vector"):
    import jax.numpy as jnp

ALIAS_BITS: Final = 8
"""How many bits an alias takes."""
SHARE_BITS: Final = 32 - ALIAS_BITS
"""How many bits a threshold takes."""


def mixture_words(weights: NDArray[Any]) -> NDArray[np.uint32]:
    """The words of mixtures along the last axis; where no choice has weight, all are as likely."""
    width = weights.shape[-1]
    rows = np.asarray(weights, np.float64).reshape(-1, width)
    rows = np.where(rows.any(axis=1, keepdims=True), rows, 1.0)
    shares = rows / rows.sum(axis=1, keepdims=True) * width
    alias = np.tile(np.arange(width), (len(rows), 1))
    threshold = np.zeros_like(shares)
    open_low, open_high = shares.copy(), shares.copy()
    every = np.arange(len(rows))
    for _ in range(width - 1):  # the least likely choice that is left is filled by the likeliest
        low, high = open_low.argmin(axis=1), open_high.argmax(axis=1)
        share = open_low[every, low]
        threshold[every, low], alias[every, low] = share, high
        open_low[every, high] -= 1 - share
        open_high[every, high] = open_low[every, high]
        open_low[every, low], open_high[every, low] = np.inf, -np.inf
    cut = np.rint(threshold * (1 << SHARE_BITS)).clip(0, (1 << SHARE_BITS) - 1).astype(np.uint32)
    return np.asarray((cut << ALIAS_BITS) | alias, np.uint32).reshape(weights.shape)


def drawn(table: Array, first: Array, width: Array, word: Array) -> Array:
    """A choice by a random word, from the row of so many words that starts at an index."""
    place = below(word, width)
    entry = look_up(table, first + place)
    left_over = (word * width) >> ALIAS_BITS
    keeps = left_over < (entry >> ALIAS_BITS)
    return jnp.where(keeps, place, entry & ((1 << ALIAS_BITS) - 1))


def odds_of(table: Array, first: Array, width: int) -> Array:
    """How likely each choice of one row is drawn."""
    entry = look_up(table, first + jnp.arange(width, dtype=jnp.uint32))
    kept = (entry >> ALIAS_BITS).astype(jnp.float32) / (1 << SHARE_BITS)
    return kept.at[entry & ((1 << ALIAS_BITS) - 1)].add(1 - kept) / width
