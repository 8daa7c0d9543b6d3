"""Games against `master`, played once, accounted for, and kept for several benchmarks."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from functools import cache
from pathlib import Path
from random import Random
from typing import Any, Final

import numpy as np

from strongroom import load
from strongroom.contract import Game, Move, Seat, View
from strongroom.measuring.protocol import Protocol, SeatsPlayer
from strongroom.measuring.result import baselines, known_policy
from strongroom.players import Player, Resigns, player
from strongroom.plugins.registry import GAMES
from strongroom.referee.bout import TURN_LIMIT
from strongroom.theory.shelf import solution_of
from strongroom.theory.worth import turns_left

BOTS: Final = ("expert", "casual", "random")
SEED: Final = 18


@dataclass(frozen=True)
class Pool:
    """Accounted games of a player, a row a game, both seats in turn."""

    game: str
    player: str
    seats: np.ndarray[Any, Any]
    results: np.ndarray[Any, Any]
    costs: np.ndarray[Any, Any]
    """V at the start minus the costs."""
    lucks: np.ndarray[Any, Any]
    """Luck by each baseline, as `strongroom measure` takes it out: told draws included."""
    untold: np.ndarray[Any, Any]
    """The same, as if the player told no mixtures."""
    ceilings: tuple[float, ...]
    """The most that any player can expect to win from each seat."""
    exact: float
    """The player's exact score, or not a number."""


def options(description: str | None) -> argparse.ArgumentParser:
    """What every benchmark of measured games can be told."""
    parser = argparse.ArgumentParser(
        description=description, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--games", type=int, default=600, help="games for each player (600)")
    parser.add_argument("--only", nargs="+", choices=[*GAMES], default=[*GAMES], metavar="GAME")
    parser.add_argument("--folder", type=Path, help="keep the accounted games there, to go on")
    return parser


def pools(chosen: argparse.Namespace, players: tuple[str, ...] = BOTS) -> list[Pool]:
    """The games of each player at the chosen games, from the folder as far as they are there."""
    found = []
    for name in chosen.only:
        for each in players:
            file = chosen.folder and chosen.folder / f"{name}.{each}.{chosen.games}.npz"
            if file and file.exists():
                with np.load(file) as kept:
                    parts = {key: kept[key] for key in kept.files}
                numbers = {"exact": float(parts["exact"]), "ceilings": tuple(parts["ceilings"])}
                found.append(Pool(name, each, **parts | numbers))
                continue
            began = time.perf_counter()
            pool = _played(load(name), each, chosen.games)
            found.append(pool)
            if file:
                file.parent.mkdir(parents=True, exist_ok=True)
                parts = {field.name: getattr(pool, field.name) for field in fields(pool)[2:]}
                np.savez(file, **parts)
            took = time.perf_counter() - began
            print(f"{name} {each}: {took:.0f} s", file=sys.stderr, flush=True)
    return found


def _played(game: Game, name: str, games: int) -> Pool:
    measured_with, rows, told = baselines(game), list[list[float]](), list[tuple[float, ...]]()
    policy = known_policy(name, game) if name in BOTS else None
    for fixture in Protocol(name, (game,), games // 2, seed=SEED).fixtures:
        record = fixture.play(name, "master", ODD_PLAYERS.get(name)).record
        one = measured_with.judge(record, fixture.seat, None)
        own = one.account
        rows.append([own.seat.index, own.result, own.start - own.cost, *one.lucks])
        if policy is not None:
            told.append(measured_with.judge(record, fixture.seat, policy).lucks)
    table = np.array(rows)
    exact = measured_with.exact(name, tuple(Seat)) if name in BOTS else None
    return Pool(
        *(game.name, name, table[:, 0].astype(int), table[:, 1], table[:, 2]),
        np.array(told) if told else table[:, 3:],
        table[:, 3:],
        tuple(measured_with.worth.ceiling(seat, TURN_LIMIT) for seat in Seat),
        float("nan") if exact is None else exact,
    )


# --- players who are hard to measure --------------------------------------------------------------


class Changing:
    """Plays as one player until something happens, and then as another."""

    def __init__(self, first: Player, then: Player, changes: Callable[[View], bool]) -> None:
        self._now, self._then, self._changes = first, then, changes

    def choose(self, view: View) -> Move:
        """The move of whoever plays now."""
        if self._changes(view):
            self._now = self._then
        return self._now.choose(view)


class Resigner:
    """Resigns."""

    def choose(self, view: View) -> Move:
        """No move."""
        raise Resigns


class Lawless:
    """Makes no legal move, and forfeits."""

    def choose(self, view: View) -> Move:
        """A move that no game has."""
        return Move()


@cache
def _worth(view: View) -> float:
    """What is won from here on against `master`, as a share of what was won at the start."""
    assert view.seat is not None
    worth = solution_of(view.game).worth
    now = worth.value(view, turns_left(TURN_LIMIT, view))
    return now / worth.start(view.seat, TURN_LIMIT)


def _errs_after_luck(game: Game, rng: Random) -> Player:
    return Changing(
        player("master", game, rng), player("random", game, rng), lambda view: _worth(view) > 1.2
    )


def _quits_when_behind(game: Game, rng: Random) -> Player:
    return Changing(player("casual", game, rng), Resigner(), lambda view: _worth(view) < 0.4)


def _resigns_rarely(game: Game, rng: Random) -> Player:
    resigns = rng.random() < 0.01
    return Changing(
        player("master", game, rng), Resigner(), lambda view: resigns and not view.setting_up
    )


def _differs_by_seat(game: Game, rng: Random) -> Player:
    return Changing(
        player("master", game, rng), player("random", game, rng), lambda view: view.seat is Seat.TWO
    )


def _forgets_the_rules(game: Game, rng: Random) -> Player:
    return Changing(player("casual", game, rng), Lawless(), lambda view: rng.random() < 0.05)


ODD_PLAYERS: Final[Mapping[str, SeatsPlayer]] = {
    "errs after luck": _errs_after_luck,
    "quits when behind": _quits_when_behind,
    "resigns 1 in 100 games": _resigns_rarely,
    "random in seat 2": _differs_by_seat,
    "5 % illegal moves": _forgets_the_rules,
}
"""Players on whom intervals of a normal distribution fail, none of which tells its mixtures."""
