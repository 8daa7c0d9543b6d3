"""`strongroom solve` and `strongroom exploit`: perfect play, and what knowing a bot wins."""

from __future__ import annotations

import argparse
import json
import sys
from functools import partial
from typing import TYPE_CHECKING

from strongroom.plugins import registry
from strongroom.terminal.arguments import (
    add_contest,
    add_games,
    add_option,
    add_settings,
    bots_for,
    check_seats,
    played_by,
    typed_games,
)
from strongroom.terminal.contests import refuse_models

if TYPE_CHECKING:
    from collections.abc import Sequence

    from strongroom.arena.exploitation import Exploit

SOLVE_HELP = """\
examples:
  strongroom solve quantum-duel      its value and bounds, from scratch
  strongroom solve --all --verify    prove every shipped table
  strongroom solve safe-cracker --set digits=4 --json

Compute a game's strategy from scratch, then what it guarantees against anybody,
by a full best response over the game's own rules. With --verify, the shipped
table itself is proved, and the output says whether solving from scratch gives
the same table.
"""


def define_solve(parser: argparse.ArgumentParser) -> None:
    """Define the arguments of `strongroom solve`."""
    add_games(parser)
    add_settings(parser)
    add_option(parser, "--verify", "prove the shipped table; exit code 1 if that fails")
    add_option(parser, "--json", "print one JSON object per game")
    add_option(parser, "--write", "replace the shipped table")


def run_solve(chosen: argparse.Namespace) -> int:
    """Solve the named games."""
    from strongroom.terminal.solving import solve

    games = typed_games(
        chosen,
        lambda game: registry.is_registered("theory", game.name),
        "Nobody has solved them yet.",
    )
    return solve(games, chosen.verify, chosen.json, chosen.write)


EXPLOIT_HELP = """\
examples:
  strongroom exploit quantum-duel           all bots
  strongroom exploit --all                  the figures of the documentation
  strongroom exploit safe-code --players expert --json

Show what an opponent wins against a bot if it knows exactly how the bot plays,
but not its secret; a match undecided after 100 turns counts as half a win. A
figure is exact, the value of a best response, or "at least": what the best
script found wins, with its standard error.
"""


def define_exploit(parser: argparse.ArgumentParser) -> None:
    """Define the arguments of `strongroom exploit`."""
    add_games(parser)
    add_contest(parser, "the bots to play against", "how many games measure a script")
    how = parser.add_mutually_exclusive_group()
    add_option(how, "--markdown", "print Markdown on a terminal, too")
    add_option(how, "--json", "print one JSON object per figure")


def run_exploit(chosen: argparse.Namespace) -> int:
    """Exploit every bot at every game and print the figures."""
    from strongroom.arena.exploitation import exploit, markdown
    from strongroom.contract.codec import to_json
    from strongroom.players import player
    from strongroom.terminal.reports.progress import Bars

    refuse_models(chosen.players or (), "--players")
    games = typed_games(chosen, played_by(*(chosen.players or ())))
    for game in games:
        check_seats(game, chosen.players or (), "--players")
    found: list[Exploit] = []
    with Bars() as bars:
        for game in games:
            for name in dict.fromkeys(chosen.players or bots_for(game)):
                report = partial(bars.hear, bars.wait_for(f"{game.title}: {name}"))
                figures = exploit(game, name, player, chosen.games, seed=chosen.seed, report=report)
                report(1.0)
                found += figures
                if chosen.json:
                    for figure in figures:
                        print(json.dumps(to_json(figure)), flush=True)
    if chosen.markdown or not (chosen.json or sys.stdout.isatty()):
        print(markdown(found))
    elif not chosen.json:
        _print_exploits(found)
    return 0


def _print_exploits(found: Sequence[Exploit]) -> None:
    """Print the figures as a table that fits the screen."""
    from strongroom.arena.exploitation import HEADINGS, rows
    from strongroom.terminal.reports.tables import Column, print_table

    *needed, last = HEADINGS
    print_table([*map(Column, needed), Column(last, worth=1)], rows(found))
