"""The commands for those who study the games: solve, analyze and tournament."""

from __future__ import annotations

from strongroom import registry
from strongroom.terminal.arguments import command, positive, typed_game

TYPE_CHECKING = False  # typing's own constant would cost a tenth of the start
if TYPE_CHECKING:
    import argparse

    from strongroom.game import Game
    from strongroom.terminal.arguments import Commands


def add_study_commands(commands: Commands) -> None:
    """Add these commands to the command line."""
    _add_solve(commands)
    _add_analyze(commands)
    _add_tournament(commands)


def _add_solve(commands: Commands) -> None:
    words = """\
examples:
  strongroom solve quantum-duel      its value and bounds, from nothing
  strongroom solve --all --verify    all five, compared with the shipped tables
  strongroom solve safe-cracker --set digits=4 --json

Compute a game's strategy from nothing, then what it guarantees against anybody,
by a full best response over the game's own rules.
"""
    parser = command(commands, "solve", words, "solve a game and certify the solution")
    parser.add_argument("game", metavar="GAME", nargs="?", help="its name, or the beginning of it")
    parser.add_argument("--all", action="store_true", help="all five games")
    parser.add_argument(
        "--set", action="append", default=[], metavar="KEY=VALUE", help="an option of the game"
    )
    parser.add_argument(
        "--verify", action="store_true", help="exit code 1 unless the shipped table agrees"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object a game")
    parser.add_argument("--write", action="store_true", help="put the table on the shelf")
    parser.set_defaults(run=_solve)


def _solve(chosen: argparse.Namespace) -> int:
    from strongroom.terminal.solve import solve

    return solve(_named(chosen), verify=chosen.verify, json=chosen.json, write=chosen.write)


def _add_analyze(commands: Commands) -> None:
    words = """\
examples:
  strongroom analyze my-game.json
  strongroom analyze my-game.json --plot my-game.svg
  strongroom analyze my-game.json --json

Show what each move of a finished game cost, given what its player knew, and the
best alternative. Luck is how the answer and the opponent's reply moved the win
probability.
"""
    parser = command(commands, "analyze", words, "show what each move of a game cost")
    parser.add_argument("file", metavar="FILE", help="the record of a finished game")
    parser.add_argument("--plot", metavar="FILE", help="draw the win probability as an SVG")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.set_defaults(run=_analyze)


def _analyze(chosen: argparse.Namespace) -> int:
    from pathlib import Path

    from strongroom.terminal.analyze import analyze_file

    plot = Path(chosen.plot) if chosen.plot else None
    analyze_file(Path(chosen.file), plot=plot, json=chosen.json)
    return 0


def _add_tournament(commands: Commands) -> None:
    words = """\
examples:
  strongroom tournament quantum-duel           all bots against each other
  strongroom tournament --all --games 3000     as in the documentation
  strongroom tournament safe-code --players master expert

Let players play each other at a game, as often in either seat. A win is 1, a
game undecided after 100 turns one half; the score stands with its standard error.
"""
    parser = command(commands, "tournament", words, "let the bots play each other")
    parser.add_argument("game", metavar="GAME", nargs="?", help="its name, or the beginning of it")
    parser.add_argument("--all", action="store_true", help="all five games")
    names = list(registry.PLAYERS)
    parser.add_argument("--players", nargs="+", choices=names, default=names, metavar="NAME")
    parser.add_argument("--games", type=positive, default=1000, metavar="N", help="games a pair")
    parser.add_argument(
        "--seed", type=int, default=1, metavar="N", help="the same seed, the same games"
    )
    parser.set_defaults(run=_tournament)


def _tournament(chosen: argparse.Namespace) -> int:
    from strongroom.refusal import Refusal
    from strongroom.terminal import tournament

    if len(set(chosen.players)) < 2:
        raise Refusal("A tournament needs two players.", "Like: --players master expert")
    tournament.run(_named(chosen), chosen.players, chosen.games, chosen.seed)
    return 0


def _named(chosen: argparse.Namespace) -> list[Game]:
    """The games that were named, or all five."""
    from strongroom.refusal import Refusal

    if chosen.all == bool(chosen.game):
        raise Refusal("Name a game, or say --all.", "Like: quantum-duel")
    names = list(registry.BUILT_IN) if chosen.all else [chosen.game]
    return [typed_game(name, getattr(chosen, "set", [])) for name in names]
