"""Mixtures in tables: choices are drawn with their odds."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from strongroom.vector.mixtures import drawn, mixture_words, odds_of

ROWS, WIDTH = 20, 13
WORDS = np.arange(1 << 16, dtype=np.uint32) << 16
"""Words at equal distances."""


def test_choices_are_drawn_with_their_odds() -> None:
    rng = np.random.default_rng(5)
    weights = rng.integers(0, 1000, (ROWS, WIDTH)) * rng.integers(0, 2, (ROWS, WIDTH))
    weights[0] = 0
    table = jnp.asarray(mixture_words(weights).ravel())

    @jax.jit
    @jax.vmap
    def row(first: Any) -> Any:
        choices = drawn(table, first, jnp.uint32(WIDTH), jnp.asarray(WORDS))
        return odds_of(table, first, WIDTH), choices

    odds, choices = map(np.asarray, row(jnp.arange(ROWS, dtype=jnp.uint32) * WIDTH))
    weights[0] = 1  # where nothing has weight, all choices are as likely
    expected = weights / weights.sum(axis=1, keepdims=True)
    assert np.abs(odds - expected).max() < 1e-7
    counts = np.array([np.bincount(each, minlength=WIDTH) for each in choices])
    assert np.abs(counts / len(WORDS) - expected).max() < 2 * WIDTH / len(WORDS)
    assert not counts[expected == 0].any()
