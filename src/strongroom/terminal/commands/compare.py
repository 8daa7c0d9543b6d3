"""`strongroom compare`: who is better at what, from the reports of measurements."""

from __future__ import annotations

import argparse
import json
from typing import TYPE_CHECKING

from strongroom.terminal.filenames import named
from strongroom.text.quoting import harmless

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from strongroom.contract import Json
    from strongroom.measuring.comparison import Comparison, Difference

WIDEST = 60
"""The most characters of a player's name: enough to tell two files apart."""

WORDS = """\
examples:
  strongroom compare casual.json expert.json
  strongroom compare mine.json casual.json expert.json --html players.html

Compare players by the reports that strongroom measure --json wrote: the first
one with each of the others. Games from the same seed are paired, and only these
make the difference, which is given with its interval of at least 95 %; it is
clear if that excludes zero. To pair games, measure the others with --seed and
the seed of the first. What kinds of decision lose is in points a game, of which
a won game has 100.
"""


def add(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments to its parser."""
    parser.add_argument("files", metavar="FILE", nargs="+", help="two reports or more")
    parser.add_argument("--html", metavar="FILE", help="write a page with plots of all players")
    parser.add_argument("--json", action="store_true", help="print JSON")


def run(chosen: argparse.Namespace) -> int:
    """Compare the first report with each of the others."""
    from strongroom.contract import Refusal
    from strongroom.measuring.comparison import compare
    from strongroom.measuring.page import html
    from strongroom.terminal.commands.measure import read_report
    from strongroom.terminal.outputs import write_output

    if len(chosen.files) < 2:
        raise Refusal(
            "A comparison needs two reports.", "Make them with: measure PLAYER --json FILE"
        )
    first, *others = map(read_report, chosen.files)
    _tell_apart([first, *others], chosen.files)
    found = [each for other in others for each in compare(first, other)]
    if chosen.html:
        write_output(chosen.html, html(first, others))
    if chosen.json:
        print(json.dumps([each.to_json() for each in found], indent=1))
        return 0
    _print(found)
    if chosen.html:
        print(f"Written: {named(chosen.html)}")
    return 0


def _print(found: Sequence[Comparison]) -> None:
    from strongroom.terminal.text_tables import Column, print_table

    for players in dict.fromkeys(each.players for each in found):
        those = [each for each in found if each.players == players]
        one, two = (harmless(name, WIDEST) for name in players)
        columns = [
            Column("game"),
            Column("", worth=1),
            Column(one, right=True),
            Column(two, right=True),
            Column("difference", right=True),
            Column("better"),
        ]
        pairs = min(each.pairs for each in those)
        paired = f"paired game by game: {pairs}" if pairs else "not paired: other seeds"
        print(f"{one} and {two}, {paired}")
        print_table(columns, list(_rows(those)))
        print()


def _rows(those: Sequence[Comparison]) -> Iterator[list[str]]:
    for each in those:
        one, two = each.scores
        better = harmless(each.better, WIDEST)
        yield [
            harmless(each.title),
            "score",
            f"{one:.3f}",
            f"{two:.3f}",
            _shown(each.score),
            better,
        ]
        for kind, difference in each.kinds.items():
            better = harmless(each.better_at(kind), WIDEST)
            cost = f"points lost by {harmless(kind)}"
            yield ["", cost, "", "", _shown(difference, 100), better]


def _tell_apart(reports: Sequence[Json], files: Sequence[str]) -> None:
    """Add the file to the names of players who are called alike."""
    names = [report["player"] for report in reports]
    for report, name, file in zip(reports, names, files, strict=True):
        if names.count(name) > 1:
            report["player"] = f"{name} ({named(file)})"


def _shown(difference: Difference, scale: int = 1) -> str:
    from strongroom.report.text import with_interval

    low, high = (scale * end for end in difference.interval)
    return with_interval(scale * difference.mean, (low, high), 3 if scale == 1 else 1, sign="+")
