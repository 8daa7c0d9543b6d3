"""What a network sees of a game, and the policy that it is.

At Quantum Duel the network sees both players' cells and the contested cell. At Safe Cracker it sees
which codes may still be the other's, and how many may still be its own. It looks at the codes
through a random renaming of their digits and places, so that it has no habits, and hides a code at
random. It never sees how long the game has lasted, nor its own code: so a best response to it can
be computed exactly (`exploitability.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import permutations, product
from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from network import Array, Network, new_network, outputs

from strongroom.games.safe_cracker.rules import SafeCracker
from strongroom.vector import Env, State
from strongroom.vector.words import below


class Sight(NamedTuple):
    """What a decision is based on."""

    inputs: Array
    """What the network sees, as zeros and ones."""
    legal: Array
    """Whether each output of the network is a legal action."""
    actions: Array
    """The action for which each output stands."""
    decides: Array
    """Whether the network decides; otherwise every legal action is as likely as the others."""


def _at_quantum_duel(env: Env, state: State, _: Array | None) -> Sight:
    seen, parts = state.observation, env.layout
    names = ("my cells", "the other's cells", "contested")
    inputs = jnp.concatenate([seen[..., parts[name]] for name in names], axis=-1)
    legal = state.legal_action_mask
    same = jnp.broadcast_to(jnp.arange(env.num_actions), legal.shape)
    return Sight(inputs, legal, same, jnp.ones(legal.shape[:-1], bool))


def _at_safe_cracker(env: Env, state: State, word: Array | None) -> Sight:
    seen, parts = state.observation, env.layout
    mine, theirs = seen[..., parts["left to me"]], seen[..., parts["left to the other"]]
    names = jnp.asarray(renamings(env.packed.game))
    named = (
        jnp.broadcast_to(names[0], mine.shape) if word is None else names[below(word, len(names))]
    )
    fewer = theirs.sum(-1, keepdims=True) <= jnp.arange(1, env.num_actions)
    inputs = jnp.concatenate([jnp.take_along_axis(mine, named, axis=-1), fewer], axis=-1)
    decides = seen[..., parts["own code"]].any(-1)
    return Sight(inputs, state.legal_action_mask, named, decides)


SIGHTS: dict[str, Callable[[Env, State, Array | None], Sight]] = {
    "quantum-duel": _at_quantum_duel,
    "safe-cracker": _at_safe_cracker,
}
"""The games that can be learned here, and what the network sees of each."""


@lru_cache(maxsize=1)
def renamings(game: SafeCracker) -> np.ndarray:
    """The codes in each order that leaves all answers as they are; the first is their own.

    The places of a code may be exchanged, and in each place the digits.
    """
    digits = np.array([code.digits for code in game.space.codes]) - 1
    length, highest = game.options.length, game.options.digits
    power = highest ** np.arange(length)[::-1]
    orders = [
        np.stack([np.array(at)[digits[:, place]] for at, place in zip(named, places, strict=True)])
        for places in permutations(range(length))
        for named in product(permutations(range(highest)), repeat=length)
    ]
    found = np.tensordot(power, np.array(orders), axes=(0, 1)).astype(np.int32)
    answers = game.answer_table
    assert all((answers[order][:, order] == answers).all() for order in found)
    return found


def sight(env: Env, state: State, word: Array | None = None) -> Sight:
    """What the seat to move decides by; names are changed by a random word."""
    seen = SIGHTS[env.id](env, state, word)
    return seen._replace(inputs=seen.inputs.astype(jnp.float32))


def new_policy(env: Env, key: Array, hidden: Sequence[int]) -> Network:
    """A network with these hidden layers; at first it makes random moves."""
    inputs = jax.eval_shape(lambda: sight(env, env.init()).inputs).shape[-1]
    return new_network(key, inputs, hidden, env.num_actions + 1)


def log_odds(network: Network, seen: Sight) -> tuple[Array, Array]:
    """The logarithm of each output's odds, and the result that the seat to move expects."""
    found = outputs(network, seen.inputs)
    scores = jnp.where(seen.decides[..., None], found[..., :-1], 0.0)
    return jax.nn.log_softmax(jnp.where(seen.legal, scores, -1e9)), found[..., -1]
