"""`strongroom dataset`, `leaderboard` and `gg-bench`: files and tables that others read."""

from __future__ import annotations

import argparse
import json
import sys
from typing import TYPE_CHECKING

from strongroom.terminal.arguments import (
    PlayerNames,
    add_number,
    add_option,
    add_settings,
    check_seats,
    names_of_all,
    played_by,
    refuse,
    refuse_unused,
    typed_game,
)
from strongroom.terminal.commands.measure import read_report
from strongroom.terminal.contests import add_styles, is_model, styles_asked
from strongroom.terminal.exits import FINISHED
from strongroom.terminal.printing import file_label
from strongroom.text.quoting import harmless

if TYPE_CHECKING:
    from collections.abc import Iterator

    from strongroom.contract import Json
    from strongroom.measuring.datasets import Source
    from strongroom.measuring.leaderboard import Leaderboard
    from strongroom.terminal.reports.progress import Bars

KINDS = ("games", "decisions", "sft", "preferences", "rl")
"""The kinds of rows of a dataset."""
DATASET_HELP = """\
examples:
  strongroom dataset casual.json --output data           of measured games
  strongroom dataset --players expert casual --rounds 50 --output data
  strongroom dataset --puzzles set.jsonl --kinds sft rl --output data
  strongroom dataset gpt.json --parquet --output data  for the library datasets

Write a dataset: a folder with a card, as the Hugging Face Hub has it, and a
file for each kind of rows and each split. Rows are games; decisions, with what
every legal move is worth; and examples for supervised fine-tuning, for
preferences and for reinforcement learning. They are made from the reports that
strongroom measure --json wrote, from games that two players play for it, and
from sets of puzzles. The same games make the same bytes. A tenth of all seeds
is for tests, a tenth for validation.
"""


def define_dataset(parser: argparse.ArgumentParser) -> None:
    """Define the arguments of `strongroom dataset`."""
    parser.add_argument("reports", metavar="REPORT", nargs="*", help="reports with their games")
    add_option(parser, "--output FOLDER", "where to write it; an earlier dataset is replaced")
    names = PlayerNames()
    two = "two players who play for it: %(choices)s"
    add_option(parser, "--players NAME", two, nargs=2, choices=names)
    only = "the games they play; by default all"
    add_option(parser, "--only GAME", only, nargs="+")
    add_settings(parser)
    add_number(parser, "--rounds", "how many games they play of each, seats alternating", 20)
    add_option(parser, "--seed N", "the same seed gives the same games", 1, type=int)
    add_option(parser, "--puzzles FILE ...", "a set of puzzles")
    add_option(
        parser, "--kinds KIND", "only these: %(choices)s", [*KINDS], nargs="+", choices=KINDS
    )
    add_option(parser, "--parquet", "write Parquet instead of JSON Lines; needs the extra data")
    add_styles(parser)


def run_dataset(chosen: argparse.Namespace) -> int:
    """Value the games and write the dataset."""
    from functools import partial

    from strongroom.contests.workers import each_done, pool_for
    from strongroom.measuring.datasets import BEGINS, Dataset, in_order, numbered_part, part_of
    from strongroom.minds.dialogue import Style
    from strongroom.plugins.extras import extra
    from strongroom.terminal.reports.progress import Bars
    from strongroom.terminal.store.files import check_output_folder, output_folder

    if not (chosen.reports or chosen.players or chosen.puzzles):
        refuse("Name a report, two players or a set of puzzles.", "For example: casual.json")
    if not chosen.output:
        refuse("Name a folder for the dataset.", "For example: --output data")
    if not chosen.players:
        refuse_unused(chosen, "reports and puzzles alone", ("only", "set", "rounds", "seed"))
    if chosen.parquet:
        with extra("data", "--parquet"):
            import pyarrow  # noqa: F401  # refused before anything is played
    check_output_folder(chosen.output, BEGINS)
    sources = [*_sources(chosen)]
    value = partial(part_of, Style.read("&".join(styles_asked(chosen))))
    with output_folder(chosen.output, BEGINS) as folder, Bars() as bars:
        made_from = [told for told, _ in sources]
        with Dataset(folder, chosen.kinds, chosen.parquet, made_from) as dataset:
            for told, tasks in sources:
                progress = bars.count(told.partition(";")[0])
                pool = pool_for((), len(tasks))
                found = each_done(partial(numbered_part, value), [*enumerate(tasks)], pool)
                for done, part in enumerate(in_order(found), 1):
                    dataset.add(part)
                    progress(done, len(tasks))
            if not dataset.counts:
                refuse("There is nothing to write.", "Choose other kinds of rows.")
    for kind, of in dataset.counts.items():
        print(f"{kind}: {', '.join(f'{count:,} {split}' for split, count in of.items())}")
    print(f"Written: {file_label(chosen.output)}")
    return FINISHED


LEADERBOARD_HELP = """\
examples:
  strongroom leaderboard casual.json gpt.json       tables; Markdown in a pipe
  strongroom leaderboard *.json --html board.html   a page with plots
  strongroom leaderboard gpt.json --people ~/games/*.jsonl     also people
  strongroom leaderboard gpt.json --brief reports   smaller, to be published

Put measured players into one table for each game, by the reports that
strongroom measure --json wrote. Every report is checked first: its games are
replayed and its figures recomputed. Reports of the same player with the same
settings make one row, other settings another. The order is only as strict as
the intervals allow. Records of people's games against master make a row of
people. A report in brief has the player's moves instead of the records, and
can still be checked.
"""


def define_leaderboard(parser: argparse.ArgumentParser) -> None:
    """Define the arguments of `strongroom leaderboard`."""
    parser.add_argument("reports", metavar="REPORT", nargs="+", help="reports, whole or in brief")
    people = "records of people's games against master"
    add_option(parser, "--people FILE", people, [], nargs="+")
    add_option(parser, "--html FILE", "write the tables as a page with plots")
    add_option(parser, "--brief FOLDER", "write each report in brief into this folder")
    add_option(parser, "--unchecked", "do not replay the games; every table then says so")


def run_leaderboard(chosen: argparse.Namespace) -> int:
    """Check the reports, write the files and print the tables."""
    from strongroom.measuring.leaderboard import BEGINS, READING, headings, html, markdown
    from strongroom.measuring.leaderboard import cells as cells_of
    from strongroom.terminal.reports.tables import Column, print_table
    from strongroom.terminal.runs import Outputs

    outputs = Outputs((chosen.html, BEGINS, html))
    board = read_leaderboard(chosen)
    outputs.write(board)
    if sys.stdout.isatty():
        for title, rows in board.tables:
            heads = headings(rows)
            columns = [Column(each, right=each not in ("rank", "player")) for each in heads]
            print(title)
            print_table(columns, [[*map(harmless, cells_of(each, rows))] for each in rows])
            print()
    else:
        for title, text in markdown(board):
            print(f"### {title}\n\n{text}\n")
    print(READING)
    for line in board.origins:
        print(harmless(line, 1000))
    outputs.announce()
    return FINISHED


def read_leaderboard(chosen: argparse.Namespace) -> Leaderboard:
    """The leaderboard of the reports, each checked before it is added."""

    from strongroom.contract import Refusal
    from strongroom.measuring.leaderboard import Leaderboard, people
    from strongroom.terminal.reports.progress import Bars
    from strongroom.terminal.store import games
    from strongroom.terminal.store.games import typed_file

    board = Leaderboard()
    with Bars() as bars:
        for file in chosen.reports:
            report = read_report(file, brief=True)
            try:
                told = "not checked" if chosen.unchecked else _checked(report, file, bars)
                board.add(report, told)
            except Refusal as refusal:
                raise Refusal(f"{file_label(file)}: {refusal.reason}", refusal.accepted) from None
            if chosen.brief:
                _write_in_brief(chosen.brief, file, report)
        if chosen.people:
            found, told = people(games.read(typed_file(each)) for each in chosen.people)
            if found is None:
                refuse(f"No one can be ranked by these records: {told}.", NOT_RANKED)
            board.add(found, f"{told}; records replayed, no seed led to them")
    return board


NOT_RANKED = "Against master, each game needs somebody in both seats."


def _checked(report: Json, file: str, bars: Bars) -> str:
    """That a report holds, in words; or a refusal that says what does not."""
    from strongroom.measuring.reports import check

    troubles = check(report, bars.count(f"Checking {file_label(file)}", " games"))
    if troubles:
        others = f" And {len(troubles) - 1} more." if len(troubles) > 1 else ""
        refuse(f"This report does not hold. {troubles[0]}{others}", "Leave it out.")
    return "every game replayed and every figure recomputed"


def _write_in_brief(folder: str, file: str, report: Json) -> None:
    """Write a report in brief under the name of its file."""
    from pathlib import Path

    from strongroom.measuring.reports import FORMAT_IN_BRIEF, in_brief
    from strongroom.terminal.store.files import write_output

    brief = report if report["format"] == FORMAT_IN_BRIEF else in_brief(report)
    write_output(str(Path(folder) / Path(file).name), f"{json.dumps(brief)}\n")


def _sources(chosen: argparse.Namespace) -> Iterator[tuple[str, list[Source]]]:
    """Where the rows are from, in words and one by one; refused before anything is valued."""
    from pathlib import Path

    from strongroom.contests.schedule import Schedule
    from strongroom.measuring.protocol import Protocol
    from strongroom.puzzles.sets import read
    from strongroom.theory.shelf import solution_of

    for file in chosen.reports:
        report = read_report(file)
        protocol = Protocol.read(report)
        played: list[Source] = []
        for game in protocol.games:
            solution_of(game)  # a refusal, where nothing is certified
            played += [(game, protocol.seed, each) for each in report["records"][game.name]]
        who = f"{protocol.player} against {protocol.against}, seed {protocol.seed}"
        yield f"the report {Path(file).name}; {who}, games: {len(played)}", played
    if chosen.players:
        if any(map(is_model, chosen.players)):
            refuse("--players cannot be a model.", "Measure it, and name its report.")
        both = played_by(*chosen.players)
        names = chosen.only or names_of_all(both, "Not both of these players play them.")
        games = tuple(typed_game(name, chosen.set) for name in names)
        for game in games:
            solution_of(game)
            check_seats(game, chosen.players, "--players")
        schedule = Schedule(games, tuple(chosen.players), chosen.rounds, chosen.seed)
        titles = ", ".join(game.name for game in games)
        one, two = chosen.players
        told = f"{one} and {two}; {chosen.rounds} games each of {titles}, seed {chosen.seed}"
        yield told, [*schedule.pairings]
    for file in chosen.puzzles:
        puzzles: list[Source] = [*read(file)]
        yield f"the puzzles of {Path(file).name}; {len(puzzles)}", puzzles


GG_BENCH_HELP = """\
examples:
  strongroom gg-bench duels
  cp -r duels/gg_bench ~/gg-bench/       into a clone of gg-bench

Write the games as environments of gg-bench: a folder with the files that its
scripts read of its games 175, 275, 276, 681 and 825. Each environment imports
strongroom; the texts are the rules and the actions, for the prompts of models.
What players hide is drawn, or chosen in a set-up of the game's own.
"""


def define_gg_bench(parser: argparse.ArgumentParser) -> None:
    """Define the arguments of `strongroom gg-bench`."""
    folder = "where to write it; an earlier one of these folders is replaced"
    parser.add_argument("folder", metavar="FOLDER", help=folder)
    how = "how the secrets come about: %(choices)s; default: %(default)s"
    add_option(parser, "--secrets HOW", how, "drawn", choices=("drawn", "chosen"))


def run_gg_bench(chosen: argparse.Namespace) -> int:
    """Write the environments of gg-bench, with what its prompts say of them."""
    from strongroom.doors.gg_bench import CARD, benchmark_files
    from strongroom.terminal.store.files import output_folder

    files = benchmark_files(chosen.secrets)
    with output_folder(chosen.folder, CARD) as folder:
        for path, text in files.items():
            file = folder / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8")
        (folder / "README.md").write_text(CARD, encoding="utf-8")
    print(f"Written: {file_label(chosen.folder)}")
    return FINISHED
