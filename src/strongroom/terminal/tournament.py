"""`strongroom tournament`: the players against each other, with a progress bar and a table."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from functools import partial

from rich.console import Console
from rich.progress import Progress, TaskID

from strongroom.arena.tournament import markdown, tournament
from strongroom.game import Game
from strongroom.players import player


def run(games: Sequence[Game], players: Sequence[str], rounds: int, seed: int) -> None:
    """Play every pair at every game and print a table a game."""
    workers = os.cpu_count() or 1
    console = Console(stderr=True)
    for game in games:
        with Progress(console=console, disable=not sys.stderr.isatty()) as bar:
            show = partial(_show, bar, bar.add_task(game.title))
            scores = tournament(
                game, players, player, rounds, seed=seed, workers=workers, progress=show
            )
        print(f"### {game.title}\n\n{markdown(players, scores)}\n", flush=True)


def _show(bar: Progress, task: TaskID, done: int, of: int) -> None:
    bar.update(task, completed=done, total=of)
