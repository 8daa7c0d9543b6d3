"""`strongroom tournament`: the players against each other, with a progress bar and a table."""

from __future__ import annotations

import argparse
import os
import sys
from typing import TYPE_CHECKING

from strongroom import registry
from strongroom.terminal.arguments import GAME, Commands, command, positive, typed_games

if TYPE_CHECKING:
    from collections.abc import Callable

    from rich.progress import Progress

WORDS = """\
examples:
  strongroom tournament quantum-duel           all bots against each other
  strongroom tournament --all --games 3000     as in the documentation
  strongroom tournament safe-code --players master expert

Let players play each other at a game, as often in either seat. A win is 1, a
game undecided after 100 turns one half; a score stands with its standard error.
"""


def add(commands: Commands) -> None:
    """Add the command to the command line."""
    parser = command(commands, "tournament", WORDS)
    parser.add_argument("game", metavar="GAME", nargs="?", help=GAME)
    parser.add_argument("--all", action="store_true", help="all five games")
    parser.add_argument(
        "--players",
        nargs="+",
        choices=registry.names("player"),
        default=list(registry.PLAYERS),
        metavar="NAME",
        help="who plays: " + ", ".join(registry.names("player")),
    )
    parser.add_argument("--games", type=positive, default=1000, metavar="N", help="games a pair")
    parser.add_argument(
        "--seed", type=int, default=1, metavar="N", help="the same seed, the same games"
    )
    parser.set_defaults(run=run)


def run(chosen: argparse.Namespace) -> int:
    """Play every pair at every game and print a table a game."""
    from rich.console import Console
    from rich.progress import Progress

    from strongroom.arena.tournament import markdown, tournament
    from strongroom.contract import Refusal
    from strongroom.players import player

    if len(set(chosen.players)) < 2:
        raise Refusal("A tournament needs two players.", "Like: --players master expert")
    workers = os.cpu_count() or 1
    console = Console(stderr=True)
    for game in typed_games(chosen):
        with Progress(console=console, disable=not sys.stderr.isatty()) as bar:
            scores = tournament(
                game,
                chosen.players,
                player,
                chosen.games,
                seed=chosen.seed,
                workers=workers,
                progress=_progress(bar, game.title),
            )
        print(f"### {game.title}\n\n{markdown(chosen.players, scores)}\n", flush=True)
    return 0


def _progress(bar: Progress, title: str) -> Callable[[int, int], None]:
    task = bar.add_task(title)
    return lambda done, of: bar.update(task, completed=done, total=of)
