"""`strongroom puzzle` and `strongroom puzzles`: the puzzle of the day, and sets."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from strongroom.plugins import registry
from strongroom.terminal.arguments import add_number, add_option, typed_game
from strongroom.terminal.printing import file_label
from strongroom.text.quoting import quote

if TYPE_CHECKING:
    from datetime import date

    from strongroom.puzzles.sets import Exercise

PUZZLE_HELP = """\
examples:
  strongroom puzzle                      today's, the same for everybody
  strongroom puzzle --day 2027-01-31     that of another day
  strongroom puzzle --game safe-cracker  today's of a game that you choose
  echo 4-6 | strongroom puzzle --game digit-deductions

A position in which one move is right: find it. Your move is judged by what it
costs against master, in points: hundredths of a win. At the prompt, hint gives
a nudge without naming the right move. The puzzles get harder from Monday to
Sunday; Safe Code and Safecracker Duel have next to none.
"""


def define_puzzle(parser: argparse.ArgumentParser) -> None:
    """Define the arguments of `strongroom puzzle`."""
    add_option(parser, "--day DATE", "the day, like 2027-01-31; by default today")
    names = registry.names("theory")
    one = f"the puzzle of one game: {', '.join(names)}"
    add_option(parser, "--game GAME", one, dest="only", choices=names)
    add_option(parser, "--plain", "plain lines, without colour or drawing")


def run_puzzle(chosen: argparse.Namespace) -> int:
    """Put the puzzle to the person."""
    day = _typed_day(chosen.day)
    game = typed_game(chosen.only, []) if chosen.only else None

    from strongroom.terminal.faces.face import Looks
    from strongroom.terminal.store.preferences import is_on
    from strongroom.terminal.table.puzzle import PuzzleTable, find_puzzle  # it loads numpy

    looks = Looks(chosen.plain, motion=is_on("motion"), mouse=is_on("mouse"))
    counts = game is None and chosen.day is None
    return PuzzleTable(find_puzzle(day, game), looks, counts).solve()


def _typed_day(typed: str | None) -> date:
    from datetime import date

    from strongroom.contract import Refusal

    if typed is None:
        return date.today()
    try:
        return date.fromisoformat(typed)
    except ValueError:
        raise Refusal(f"{quote(typed)} is not a day.", "For example: --day 2027-01-31") from None


PUZZLES_HELP = """\
examples:
  strongroom puzzles export --count 100 --seed 7 --output set.jsonl
  strongroom puzzles export --only quantum-duel safe-cracker
  strongroom puzzles export --difficulty 4 5 --disguised
  strongroom puzzles export --disguise-seed 7 --output set.jsonl

Write puzzles, one JSON object a line: the rules, what the player knows as text
and as values, and what every legal move costs against master. The same seed
gives the same puzzles; no two of them have the same idea. In a disguised set
the values are renamed and the games told in other words, so that a set cannot
be memorised. At the end, standard error says what share of the set simple
rules and bots solve.
"""


WHY = "In a puzzle one idea is clearly right, and simple players miss it."


def define_puzzles(parser: argparse.ArgumentParser) -> None:
    """Define the arguments of `strongroom puzzles`."""
    parser.add_argument("action", choices=("export",), help="what to do with the puzzles")
    add_number(parser, "--count", "how many puzzles", 20)
    add_option(parser, "--seed N", "the same seed gives the same puzzles", 1, type=int)
    names = registry.names("theory")
    only = f"only these games: {', '.join(names)}"
    add_option(parser, "--only GAME", only, nargs="+", choices=names)
    levels, difficulties = "only puzzles of these levels, 1 to 5", range(1, 6)
    add_option(parser, "--difficulty LEVEL", levels, nargs="+", type=int, choices=difficulties)
    add_option(parser, "--disguised", "under other names and in other words")
    drawn = "the same in words that a seed draws, a number or any word"
    add_option(parser, "--disguise-seed SEED", drawn)
    add_option(parser, "--output FILE", "write to a file")


def run_puzzles(chosen: argparse.Namespace) -> int:
    """Find the puzzles and write them."""
    from strongroom.puzzles.sets import BEGIN
    from strongroom.terminal.reports.progress import Bars
    from strongroom.terminal.store.files import check_output, write_output

    if chosen.output:
        check_output(chosen.output, BEGIN)
    lines: list[str] = []
    written: list[Exercise] = []
    with Bars() as bars:
        progress = bars.count("Puzzles")
        progress(0, chosen.count)
        for each in _exercises(chosen):
            lines.append(json.dumps(each.to_json(), ensure_ascii=False))
            written.append(each)
            if not chosen.output:
                print(lines[-1], flush=True)
            progress(len(lines), chosen.count)
    if len(lines) < chosen.count:
        print(
            f"There are no more puzzles; different ones found: {len(lines)}. {WHY}", file=sys.stderr
        )
        found = {each.game.name for each in written}
        if none := [name for name in chosen.only or () if name not in found]:
            print(f"Without any: {', '.join(none)}.", file=sys.stderr)
    if chosen.output:
        write_output(chosen.output, "".join(f"{line}\n" for line in lines))
        print(f"Written: {file_label(chosen.output)}", file=sys.stderr)
    if written:
        _print_shares(written)
    return 0


def _print_shares(written: Sequence[Exercise]) -> None:
    """Print what share of the puzzles each simple rule and each bot solves, game by game."""
    from strongroom.puzzles.puzzle import shares
    from strongroom.terminal.reports.tables import Column, print_table

    by_game: dict[str, list[Exercise]] = {}
    for each in written:
        by_game.setdefault(each.game.title, []).append(each)
    sets = [*by_game.values(), *([written] if len(by_game) > 1 else [])]
    found = [shares([(each.view, each.costs) for each in some]) for some in sets]
    headings = [*by_game, *(["all"] if len(by_game) > 1 else [])]
    columns = [Column("who"), *(Column(heading, right=True) for heading in headings)]
    rows = [["puzzles", *(str(len(some)) for some in sets)]]
    rows += [
        [name, *(f"{100 * each[name]:.0f} %" if name in each else "" for each in found)]
        for name in dict.fromkeys(name for each in reversed(found) for name in each)
    ]
    print("What share of the puzzles simple rules and bots solve:", file=sys.stderr)
    print_table(columns, rows, stderr=True)


def _exercises(chosen: argparse.Namespace) -> Iterator[Exercise]:
    from strongroom.minds.dialogue import Style
    from strongroom.puzzles.sets import exercises

    games = [typed_game(name, []) for name in chosen.only] if chosen.only else None
    difficulty = chosen.difficulty or ()
    disguised = Style(disguise=chosen.disguise_seed or chosen.disguised).disguise
    return exercises(chosen.seed, chosen.count, games, difficulty, disguised)
