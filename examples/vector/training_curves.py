"""Train policies by self-play, with either reward, and write how exploitable they are on the way.

    python examples/vector/training_curves.py training.jsonl
    python examples/vector/training_curves.py training.jsonl --size full
    python examples/vector/training_curves.py duel.jsonl --games quantum-duel --seeds 1
    python examples/vector/training_chart.py training.jsonl training.svg

The first line of the file says what was trained and where; each other line is one look at one
training: the game, the reward, the moves played and, for each seed, the exploitability. The size
`medium` takes three minutes on two cores of a CPU, `full` two on a GPU of a data centre.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from exploitability import response_to
from network import Network
from policy import SIGHTS
from trainer import REWARDS, Plan, Trainer

from strongroom.contract import Refusal
from strongroom.vector import make


@dataclass(frozen=True)
class Size:
    """How much is trained: a plan, and with how many seeds."""

    plan: Plan
    seeds: int


SIZES = {
    "quick": Size(Plan(updates=100), 1),
    "medium": Size(Plan(), 2),
    "full": Size(Plan(games=1024, updates=4000, hidden=(128, 128)), 5),
}
LOOKS = 6
"""How often a policy is looked at while the moves played grow tenfold."""


def stages(updates: int) -> list[int]:
    """After how many updates a policy is looked at: none, one, and then ever more rarely.

    >>> stages(10)
    [0, 1, 2, 3, 5, 7, 10]
    """
    grown = np.geomspace(1, updates, round(LOOKS * np.log10(updates)) + 1).round().astype(int)
    return [0, *sorted({*grown.tolist()})]


@cache
def looking(game: str) -> Callable[[Network], Any]:
    """Computes the exploitability of a game's policies, one a seed."""
    look: Callable[[Network], Any] = jax.jit(jax.vmap(response_to(make(game)).exploitability))
    return look


def trained(game: str, reward: str, size: Size) -> Iterator[dict[str, Any]]:
    """The looks at one training, in all seeds at once."""
    env, plan = make(game), size.plan
    trainer, look = Trainer(env, reward, plan), looking(game)
    train = jax.jit(jax.vmap(trainer.train, (0, None, None)))
    now = jax.vmap(trainer.start)(jnp.arange(1, size.seeds + 1, dtype=jnp.uint32))
    done, spent = 0, 0.0
    for stage in stages(plan.updates):
        began = time.perf_counter()
        now = jax.block_until_ready(train(now, stage - done, trainer.tables))
        done, spent = stage, spent + time.perf_counter() - began
        yield {
            "game": game,
            "reward": reward,
            "moves": stage * plan.moves,
            "exploitability": [round(each, 6) for each in look(now.network).tolist()],
            "seconds": round(spent, 1),
        }


def all_trained(
    games: Sequence[str], rewards: Sequence[str], size: Size
) -> Iterator[dict[str, Any]]:
    """What was trained and where, and then all looks."""
    device = jax.devices()[0].device_kind
    plan = {**asdict(size.plan), "seeds": size.seeds}
    yield {"device": device, "jax": jax.__version__, "plan": plan}
    for game in games:
        for reward in rewards:
            yield from trained(game, reward, size)


def told(line: dict[str, Any]) -> str:
    """A look in words."""
    mean = float(np.mean(line["exploitability"]))
    return (
        f"{line['game']}, {line['reward']}: exploitability {mean:.4f} "
        f"after {line['moves']:,} moves, {line['seconds']:.0f} s"
    )


def arguments(given: Sequence[str] | None) -> argparse.Namespace:
    """What is asked for on the command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("file", type=Path, help="where the looks are written, as JSON lines")
    parser.add_argument("--size", choices=[*SIZES], default="medium", help="medium if not given")
    parser.add_argument("--games", nargs="+", choices=[*SIGHTS], default=[*SIGHTS], metavar="GAME")
    parser.add_argument("--rewards", nargs="+", choices=REWARDS, default=REWARDS, metavar="REWARD")
    parser.add_argument("--seeds", type=int, help="in how many trainings; the size says it")
    parser.add_argument("--updates", type=int, help="of each network; the size says it")
    chosen = parser.parse_args(given)
    for name in ("seeds", "updates"):
        if (number := getattr(chosen, name)) is not None and number < 1:
            parser.error(f"--{name} must be at least 1, not {number}")
    return chosen


def main(given: Sequence[str] | None = None) -> None:
    """Train, tell what is seen, and write it."""
    chosen = arguments(given)
    size = SIZES[chosen.size]
    plan = replace(size.plan, updates=chosen.updates or size.plan.updates)
    size = Size(plan, chosen.seeds or size.seeds)
    shows = sys.stderr.isatty()
    try:
        with chosen.file.open("w", encoding="utf-8") as file:
            for line in all_trained(chosen.games, chosen.rewards, size):
                file.write(json.dumps(line) + "\n")
                file.flush()
                if "moves" in line and (shows or line["moves"] == plan.moves * plan.updates):
                    print(f"\r{told(line)}\033[K" if shows else told(line), file=sys.stderr, end="")
                    last = line["moves"] == plan.moves * plan.updates
                    print(end="\n" if last else "", file=sys.stderr, flush=True)
    except (OSError, Refusal) as trouble:
        sys.exit(str(trouble))


if __name__ == "__main__":
    main()
