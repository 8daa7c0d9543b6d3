"""`strongroom engine check`: whether a program plays by the protocol and the rules."""

from __future__ import annotations

import argparse
import json
import sys
from typing import TYPE_CHECKING

from strongroom.terminal.arguments import add_option, names_of_all, typed_game
from strongroom.terminal.exits import FAILED, FINISHED
from strongroom.terminal.printing import fit, paste_examples, shell_quote

if TYPE_CHECKING:
    from strongroom.contract import Game
    from strongroom.testing.engine_check import Fault, GameReport, Report

ENGINE_HELP = """\
examples:
  strongroom engine check ./mybot
  strongroom engine check node bot.js
  strongroom engine check 'node bot.js --deep'    options inside quotation marks
  strongroom engine check ./mybot --only quantum-duel safe-code
  strongroom engine check './mybot?seconds=30'    with more time for a move

Play a program that speaks the engines' protocol through positions of all
games, in both seats, and say what it does wrong. docs/engines.md describes the
protocol. Exit code 1 means that something is wrong.
"""

SHOWN_LINES = 8
"""How many lines of a position are shown."""


def define_engine(parser: argparse.ArgumentParser) -> None:
    """Define the arguments of `strongroom engine`."""
    parser.add_argument("action", choices=("check",), help="what to do with the engine")
    parser.add_argument(
        "engine", metavar="COMMAND", nargs="+", help="the program and its arguments"
    )
    only = "these games; by default all that it plays"
    add_option(parser, "--only GAME", only, dest="games", nargs="+")
    add_option(parser, "--json", "print the report as JSON")


def run_engine(chosen: argparse.Namespace) -> int:
    """Check an engine."""
    from strongroom.minds.engine import seats
    from strongroom.terminal.reports.progress import Bars
    from strongroom.testing.engine_check import check

    command = _command(chosen.engine)
    engine = seats(command)
    names = chosen.games or names_of_all(lambda game: True, "")
    games = [*dict.fromkeys(typed_game(name, []) for name in names)]
    with Bars() as bars:
        work = bars.wait_for("Playing")

        def progress(game: Game, share: float) -> None:
            bars.hear(work, (games.index(game) + share) / len(games), game.title)

        report = check(engine, games, progress)
    if chosen.json:
        print(json.dumps(report.to_json()))
    else:
        _print_report(report, command)
    return FAILED if report.all_faults else FINISHED


def _command(words: list[str]) -> str:
    """A command that was typed in one word or in several."""
    import shlex

    first, *rest = words
    return shlex.join(words) if rest else first.removeprefix("engine:")


def _print_report(report: Report, command: str) -> None:
    """Print the report for the engine's author."""
    from strongroom.minds.engine import PROTOCOL

    if report.name:
        _say(f"It says hello: {report.name}, protocol {PROTOCOL}.\n")
    for played in report.games:
        print(f"{played.game.title:17} {_standing(played)}")
        for fault in played.faults:
            _print_fault(fault)
    for fault in report.faults:
        _print_fault(fault)
    for note in report.notes:
        _say(f"\nNote: {note}")
    count = len(report.all_faults)
    if count:
        _say(f"\n{count} {'things are' if count > 1 else 'thing is'} wrong.")
    else:
        _say("\nNothing is wrong. Play it:")
        engine = shell_quote(f"engine:{command}")
        print(paste_examples(f"  strongroom play {report.games[0].game.name} --vs {engine}"))


def _standing(played: GameReport) -> str:
    moves = f"{played.moves} move{'s' if played.moves != 1 else ''}"
    if played.faults:
        return f"wrong: {played.wrong} of {moves}"
    return f"fine: {moves}, the slowest {1000 * played.slowest:.0f} ms"


def _print_fault(fault: Fault) -> None:
    where = f"{fault.where}: " if fault.where else ""
    told = f"{where}{fault.text} {fault.instead}".rstrip()
    _say(f"  - {told[:1].upper()}{told[1:]}", indent=4)
    left_out = len(fault.position) - SHOWN_LINES
    if left_out > 0:
        print(f"      ... {left_out} lines before")
    for line in fault.position[-SHOWN_LINES:]:
        print(f"      {line}")


def _say(text: str, indent: int = 0) -> None:

    print(fit(text, sys.stdout, indent))
