"""Random moves a second of the games in batches, beside Pgx's in the same process.

Each side plays random legal moves, and a game that is over begins again. `step` is a rollout one
step after the other. `flags` is the same where the observation and the mask of the player to move
are computed before each step and all their flags are counted, `bits` the same with both in words.
`idioms` is a rollout in Pgx's own words: keys are split, and actions drawn by `categorical` over
the mask. `fused` is many moves in one pass (`vector.playouts`).
Beside two rates stands how far it is from its floor on this device: for `step` the bytes that a
step must read and write, over the measured bandwidth; for `fused` the operations of a move, as
JAX traces them, over the measured rate of such operations in a kernel that only mixes words. A
compiler merges some of a move's operations, so that it can be ahead of that floor.

    python benchmarks/vector.py                      # sizes for this machine
    python benchmarks/vector.py --batches 12 16 20   # 2^12, 2^16 and 2^20 games at a time
    python benchmarks/vector.py --only quantum-duel --json rates.json
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable
from datetime import date
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from statistics import median
from typing import Any

import jax
import jax.numpy as jnp
from jax import lax

from strongroom.contract import Refusal
from strongroom.plugins.registry import GAMES
from strongroom.vector import Env, State, make
from strongroom.vector.playouts import LAUNCH, compile_playouts, make_launch
from strongroom.vector.words import draw, lanes, mix, unsigned

ROUNDS = 3
PEERS = ("tic_tac_toe", "kuhn_poker", "connect_four")
WORD = 4
"""How many bytes a word has."""
Rates = dict[str, Any]


def seconds(call: Callable[[], Any], wanted: float) -> float:
    """How long a call takes on the device, from several, each waited for."""
    jax.block_until_ready(call())
    taken: list[float] = []
    began = time.perf_counter()
    while len(taken) < ROUNDS or time.perf_counter() - began < wanted:
        start = time.perf_counter()
        jax.block_until_ready(call())
        taken.append(time.perf_counter() - start)
    return median(taken)


def look_away(state: Any) -> Any:
    """Whether the game has ended, and nothing of what its players see."""
    return unsigned(state.terminated | state.truncated)


def count_flags(state: Any) -> Any:
    """All flags that are set in the observation and in the mask, or the sum of what is no flag."""
    told = jnp.asarray(state.observation).astype(jnp.uint32)
    return told.sum() + unsigned(state.legal_action_mask).sum()


def count_bits(state: State) -> Any:
    """The same, by their words."""
    words = (state.observation_bits, state.legal_action_bits)
    return sum(lax.population_count(each).sum() for each in words)


def rollout(
    env: Env, batch: int, steps: int, look: Callable[[State], Any] = look_away
) -> Callable[[], Any]:
    """A rollout of our steps; what it keeps is a sum of what was looked at in each place."""

    def roll(state: Any, total: Any, first: Any) -> Any:
        lane = lanes(1, batch)

        def one(carried: Any, number: Any) -> Any:
            state, total = carried
            word = draw(lane, 2 * number)
            seen = jax.vmap(look)(state)
            action = jax.vmap(env.random_action)(state, word)
            after = jax.vmap(env.step_and_reset)(state, action, mix(word))
            return (after, total + seen), None

        return lax.scan(one, (state, total), first + jnp.arange(steps, dtype=jnp.uint32))[0]

    state = jax.vmap(env.init)(jnp.arange(batch))
    carried = (state, jnp.zeros(batch, jnp.uint32))
    rolled = jax.jit(roll)
    return lambda: rolled(*carried, jnp.uint32(0))


def idiomatic_rollout(
    env: Any, batch: int, steps: int, look: Callable[[Any], Any] = look_away
) -> Callable[[], Any]:
    """The same with Pgx's own wrapper and its own random player, of one of its games or ours."""
    from pgx.experimental.utils import act_randomly
    from pgx.experimental.wrappers import auto_reset

    step = jax.vmap(auto_reset(env.step, env.init))

    def roll(state: Any, key: Any) -> Any:
        def one(carried: Any, key: Any) -> Any:
            state, total = carried
            choosing, stepping = jax.random.split(key)
            seen = jax.vmap(look)(state)
            action = act_randomly(choosing, state.legal_action_mask)
            after = step(state, action, jax.random.split(stepping, batch))
            return (after, total + seen), None

        start = (state, jnp.zeros(batch, jnp.uint32))
        return lax.scan(one, start, jax.random.split(key, steps))[0]

    state = jax.jit(jax.vmap(env.init))(jax.random.split(jax.random.key(0), batch))
    rolled = jax.jit(roll)
    return lambda: rolled(state, jax.random.key(1))


def bandwidth(wanted: float) -> float:
    """Bytes a second, read and written, of an addition to an array larger than any cache."""
    times, size = 100, 1 << (26 if jax.default_backend() == "gpu" else 24)
    array = jnp.arange(size, dtype=jnp.uint32)
    add = jax.jit(lambda words: lax.fori_loop(0, times, lambda _, each: each + 1, words))
    taken = seconds(lambda: add(array), wanted)
    return times * 2 * WORD * size / taken


def operation_rate(env: Env, batch: int, wanted: float) -> float:
    """Operations a second of a kernel that does nothing but mix words in registers."""

    def mixing(words: Any, lane: Any, number: Any, tables: Any) -> Any:
        once = mix(words[0] + number)
        return (once, *words[1:]), once

    launch = make_launch(env, batch, mixing)
    lane = lanes(1, batch)
    words = tuple(jnp.full(batch, 7, jnp.uint32) for _ in env.packed.start())
    times = 32

    def again(words: Any, number: Any) -> Any:
        return launch(words, lane, number)

    run = jax.jit(lambda: lax.scan(again, words, jnp.arange(times, dtype=jnp.uint32)))
    taken = seconds(run, wanted)
    return times * batch * LAUNCH * operations(mixing_and_adding, 1) / taken


def mixing_and_adding(word: Any) -> Any:
    """What the kernel of `operation_rate` does in each round: a number is added, a sum grows."""
    return word + mix(word + word)


def operations(function: Callable[..., Any], words: int) -> int:
    """How many operations a function of words does, a game, as JAX traces it."""

    def count(jaxpr: Any) -> int:
        total = 0
        for equation in jaxpr.eqns:
            inner = [p for p in equation.params.values() if hasattr(p, "jaxpr")]
            if inner:
                total += sum(count(each.jaxpr) for each in inner)
            elif equation.primitive.name not in ("convert_element_type", "broadcast_in_dim"):
                total += 1
        return total

    zero = jnp.uint32(0)
    return count(jax.make_jaxpr(function)(*(zero,) * words).jaxpr)


def move_operations(env: Env) -> int:
    """The operations of one random move, its random word included."""
    packed, tables = env.packed, env.tables
    number = mix(jnp.uint32(1))  # the same for all games, so it is mixed once

    def move(lane: Any, *words: Any) -> Any:
        word = mix(lane + number)
        return packed.step(words, packed.random_action(words, word, tables), word, tables)

    return operations(move, 1 + packed.layout.words)


def step_bytes(env: Env) -> int:
    """The bytes that a step of the rollout must read and write.

    The words of the state and the count of games are read and written, the lane is only read.
    """
    return WORD * (2 * (env.packed.layout.words + env.packed.memory.words + 1) + 1)


def measured(name: str, batch: int, wanted: float, floor: Rates, with_pgx: bool) -> Rates:
    """The rates of one of our games at one size, and how far two of them are from their floors."""
    env = make(name)
    on_gpu = jax.default_backend() == "gpu"
    steps, launches = (256, 32) if on_gpu else (32, 2)
    few = steps // 4

    def rate(rolled: Callable[[], Any]) -> float:
        return batch * few / seconds(rolled, wanted)

    taken = seconds(rollout(env, batch, steps), wanted)
    play = compile_playouts(env, batch, launches)
    together = seconds(lambda: play(jnp.uint32(1)), wanted)
    step, whole = batch * steps / taken, batch * launches * LAUNCH / together
    return {
        "game": name,
        "batch": batch,
        "step": step,
        "bytes": step_bytes(env),
        "step_share": step * step_bytes(env) / floor["bandwidth"],
        "flags": rate(rollout(env, batch, few, count_flags)),
        "bits": rate(rollout(env, batch, few, count_bits)),
        "seen_bytes": env.observation_shape[0] + env.num_actions,
        "idioms": rate(idiomatic_rollout(env, batch, few)) if with_pgx else None,
        "fused": whole,
        "operations": move_operations(env),
        "fused_share": whole * move_operations(env) / floor["operations"],
    }


def peer(name: str, batch: int, wanted: float) -> Rates:
    """The rates of one of Pgx's games at one size."""
    import pgx

    env = pgx.make(name)
    steps = 64 if jax.default_backend() == "gpu" else 8
    taken, looking = (
        seconds(idiomatic_rollout(env, batch, steps, look), wanted)
        for look in (look_away, count_flags)
    )
    rate = batch * steps / taken
    return {
        "game": f"Pgx {name}",
        "batch": batch,
        "step": rate,
        "flags": batch * steps / looking,
        "idioms": rate,
    }


COLUMNS = ("step", "flags", "bits", "idioms", "fused")
"""The rates, in the order in which they are shown."""


def describe(row: Rates) -> str:
    """A line of the table."""
    rates = (f"{row[each]:>9.1e}" if row.get(each) else f"{'':>9}" for each in COLUMNS)
    line = f"{row['game']:<18}{row['batch']:>9,} {' '.join(rates)}"
    if "fused" in row:
        line += f"{row['bytes']:>7}{row['step_share']:>6.0%}"
        line += f"{row['operations']:>7}{row['fused_share']:>6.0%}"
    return line


def main() -> None:
    """Measure and print, game by game."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    on_gpu = jax.default_backend() == "gpu"
    sizes = [12, 16, 20] if on_gpu else [12, 16]
    parser.add_argument("--batches", type=int, nargs="+", default=sizes, metavar="EXPONENT")
    parser.add_argument("--only", nargs="+", choices=[*GAMES], default=[*GAMES], metavar="GAME")
    parser.add_argument("--seconds", type=float, default=0.3, help="for each round (0.3)")
    parser.add_argument("--json", type=Path, help="write the figures there, too")
    chosen = parser.parse_args()
    device = jax.devices()[0].device_kind
    versions = f"JAX {jax.__version__}"
    peers: tuple[str, ...] = PEERS
    try:
        versions += f", Pgx {version('pgx')}"
    except PackageNotFoundError:
        peers = ()
    print(f"{date.today()}, {device}, {versions}", flush=True)
    floor: Rates = {
        "bandwidth": bandwidth(chosen.seconds),
        "operations": operation_rate(
            make("quantum-duel"), 1 << max(chosen.batches), chosen.seconds
        ),
    }
    print(
        f"{floor['bandwidth']:.2e} bytes a second, {floor['operations']:.2e} operations a second\n"
        f"{'game':<18}{'batch':>9} {' '.join(f'{each:>9}' for each in COLUMNS)}"
        f"{'bytes':>7}{'':>6}{'ops':>7}",
        flush=True,
    )
    rows = []
    for exponent in chosen.batches:
        for name in chosen.only:
            rows.append(measured(name, 1 << exponent, chosen.seconds, floor, bool(peers)))
            print(describe(rows[-1]), flush=True)
        for name in peers:
            rows.append(peer(name, 1 << exponent, chosen.seconds))
            print(describe(rows[-1]), flush=True)
    if chosen.json:
        about = {"date": str(date.today()), "device": device, "versions": versions}
        chosen.json.write_text(json.dumps(about | floor | {"rows": rows}, indent=1) + "\n")


if __name__ == "__main__":
    try:
        main()
    except Refusal as refusal:
        sys.exit(str(refusal))
