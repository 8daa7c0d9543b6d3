"""The games in batches, in JAX: packed states, and Pgx's shape of interface.

>>> import jax
>>> from strongroom import vector
>>> env = vector.make("quantum-duel")
>>> keys = jax.random.split(jax.random.key(1), 1000)
>>> state = jax.vmap(env.init)(keys)
>>> action = jax.vmap(env.random_action)(state, keys)
>>> jax.jit(jax.vmap(env.step))(state, action, keys).current_player.sum()
Array(1000, dtype=int32)
"""

from strongroom.plugins.extras import extra

with extra("vector", "strongroom.vector"):  # whose modules all import JAX
    from strongroom.vector.environment import Env, PackedGame, State, make

__all__ = ["Env", "PackedGame", "State", "make"]
