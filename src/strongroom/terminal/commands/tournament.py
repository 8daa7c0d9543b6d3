"""`strongroom tournament`: the players against each other, with a progress bar and a table."""

from __future__ import annotations

import argparse
import os
import sys
from typing import TYPE_CHECKING

from strongroom import registry
from strongroom.terminal.arguments import (
    GAME,
    Commands,
    check_seats,
    command,
    positive,
    typed_games,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from strongroom.arena.tournament import Score
    from strongroom.terminal.progress import Bars

WORDS = """\
examples:
  strongroom tournament quantum-duel           all bots against each other
  strongroom tournament --all --games 3000     as in the documentation
  strongroom tournament safe-code --players master expert
  strongroom tournament --all --markdown       tables to paste

Let players play each other at a game, as often in either seat. A win is 1, a
game undecided after 100 turns one half; a score stands with its standard error.
What is not printed on a terminal is Markdown.
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
    parser.add_argument("--markdown", action="store_true", help="Markdown on a terminal, too")
    parser.set_defaults(run=run)


def run(chosen: argparse.Namespace) -> int:
    """Play every pair at every game and print a table a game."""
    from strongroom.arena.tournament import markdown, tournament
    from strongroom.contract import Refusal
    from strongroom.players import player
    from strongroom.terminal.progress import Bars

    if len(set(chosen.players)) < 2:
        raise Refusal("A tournament needs two players.", "Like: --players master expert")
    games = typed_games(chosen)
    for game in games:
        check_seats(game, chosen.players, "--players")
    workers = os.cpu_count() or 1
    for game in games:
        with Bars() as bars:
            scores = tournament(
                game,
                chosen.players,
                player,
                chosen.games,
                seed=chosen.seed,
                workers=workers,
                progress=_progress(bars, game.title),
            )
        if chosen.markdown or not sys.stdout.isatty():
            print(f"### {game.title}\n\n{markdown(chosen.players, scores)}\n", flush=True)
        else:
            print(game.title)
            _print(chosen.players, scores)
            print(flush=True)
    return 0


def _print(players: Sequence[str], scores: Sequence[Score]) -> None:
    """A row a player, a column for each opponent; then who forfeited."""
    from strongroom.arena.tournament import forfeits
    from strongroom.terminal.tables import Column, print_table

    cells = {(each.player, each.opponent): str(each) for each in scores}
    cells |= {(each.opponent, each.player): str(each.turned) for each in scores}
    columns = [Column(""), *(Column(f"against {name}", right=True) for name in players)]
    rows = [[row, *(cells.get((row, column), "") for column in players)] for row in players]
    print_table(columns, rows)
    for line in forfeits(players, scores):
        print(line)


def _progress(bars: Bars, title: str) -> Callable[[int, int], None]:
    work = bars.wait_for(title)
    bars.hear(work, 0.0)
    return lambda played, of: bars.hear(work, played / of, f"{played} of {of} games")
