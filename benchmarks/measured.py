"""Games of bots against `master`, played once, accounted for, and kept for several benchmarks."""

from __future__ import annotations

import argparse
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

from strongroom import load
from strongroom.contract import Seat
from strongroom.measuring.protocol import Protocol
from strongroom.measuring.yardstick import Yardstick, policy_of
from strongroom.players import player
from strongroom.plugins.registry import GAMES

BOTS = ("expert", "casual", "random")
SEED = 18


@dataclass(frozen=True)
class Pool:
    """Accounted games of a bot, a row a game, both seats in turn."""

    game: str
    bot: str
    seats: np.ndarray[Any, Any]
    results: np.ndarray[Any, Any]
    costs: np.ndarray[Any, Any]
    """V at the start minus the costs."""
    lucks: np.ndarray[Any, Any]
    """Luck by each baseline, as if the bot told nothing."""
    told: np.ndarray[Any, Any]
    """The same with its mixtures told; empty if its score is known exactly."""
    exact: float
    """The bot's exact score, or not a number."""


def options(description: str | None) -> argparse.ArgumentParser:
    """What every benchmark of measured games can be told."""
    parser = argparse.ArgumentParser(
        description=description, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--games", type=int, default=600, help="games for each bot (600)")
    parser.add_argument("--only", nargs="+", choices=[*GAMES], default=[*GAMES], metavar="GAME")
    parser.add_argument("--folder", type=Path, help="keep the accounted games there, to go on")
    return parser


def pools(chosen: argparse.Namespace) -> list[Pool]:
    """The games of every bot at the chosen games, from the folder as far as they are there."""
    found = []
    for name in chosen.only:
        yardstick = Yardstick(load(name))
        for bot in BOTS:
            file = chosen.folder and chosen.folder / f"{name}.{bot}.{chosen.games}.npz"
            if file and file.exists():
                with np.load(file) as kept:
                    fields = {key: kept[key] for key in kept.files}
                found.append(Pool(name, bot, **fields | {"exact": float(fields["exact"])}))
                continue
            began = time.perf_counter()
            pool = _played(yardstick, name, bot, chosen.games)
            found.append(pool)
            if file:
                fields = {key: getattr(pool, key) for key in Pool.__annotations__}
                del fields["game"], fields["bot"]
                np.savez(file, **fields)
            print(f"{name} {bot}: {time.perf_counter() - began:.0f} s", file=sys.stderr, flush=True)
    return found


def _played(yardstick: Yardstick, name: str, bot: str, games: int) -> Pool:
    game, rows, told = yardstick.game, list[list[float]](), list[tuple[float, ...]]()
    exact = yardstick.exact(bot, tuple(Seat))
    policy = policy_of(player(bot, game, Random(0)))
    for fixture in Protocol(bot, (game,), games // 2, seed=SEED).fixtures:
        record = fixture.play(bot, "master").record
        one = yardstick.judge(record, fixture.seat, None)
        own = one.account
        rows.append([own.seat.index, own.result, own.start - own.cost, *one.lucks])
        if exact is None:
            told.append(yardstick.judge(record, fixture.seat, policy).lucks)
    table = np.array(rows)
    return Pool(
        *(name, bot, table[:, 0].astype(int), table[:, 1], table[:, 2], table[:, 3:]),
        *(np.array(told), float("nan") if exact is None else exact),
    )
