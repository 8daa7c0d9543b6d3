"""`strongroom tournament`: the players against each other, with a progress bar and a table."""

from __future__ import annotations

import argparse
import os
import sys
from typing import TYPE_CHECKING

from strongroom.plugins import registry
from strongroom.terminal.arguments import add_contest, add_games, check_seats, typed_games

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from strongroom.arena.tournament import Score
    from strongroom.terminal.progress import Bars

WORDS = """\
examples:
  strongroom tournament quantum-duel           all bots against each other
  strongroom tournament --all --games 3000     the tables of the documentation
  strongroom tournament safe-code --players master expert
  strongroom tournament --all --markdown       tables to paste

Let players play each other, equally often in either seat. A win counts 1, and a
game undecided after 100 turns one half; each score has its standard error. The
output is Markdown unless it goes to a terminal.
"""


def add(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments to its parser."""
    add_games(parser)
    add_contest(parser, "the players", "games per pair", list(registry.PLAYERS))
    parser.add_argument("--markdown", action="store_true", help="print Markdown on a terminal, too")


def run(chosen: argparse.Namespace) -> int:
    """Play every pair at every game and print one table per game."""
    from strongroom.arena.tournament import markdown, tournament
    from strongroom.contract import Refusal
    from strongroom.players import player
    from strongroom.terminal.progress import Bars

    if len(set(chosen.players)) < 2:
        raise Refusal("A tournament needs two players.", "For example: --players master expert")
    games = typed_games(chosen)
    for game in games:
        check_seats(game, chosen.players, "--players")
    for game in games:
        with Bars() as bars:
            scores = tournament(
                game,
                chosen.players,
                player,
                chosen.games,
                seed=chosen.seed,
                workers=os.cpu_count() or 1,
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
    """Print one row per player, one column per opponent, and the forfeits."""
    from strongroom.arena.tournament import forfeits
    from strongroom.terminal.text_tables import Column, print_table

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
