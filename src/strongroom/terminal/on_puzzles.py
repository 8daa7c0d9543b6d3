"""A measurement on a set of puzzles, as `strongroom measure --puzzles` makes it."""

from __future__ import annotations

import argparse
import json
from typing import TYPE_CHECKING

from strongroom.plugins import registry
from strongroom.terminal.arguments import check_seats
from strongroom.terminal.exits import FINISHED, INPUT_ENDED
from strongroom.terminal.filenames import named
from strongroom.terminal.model_options import (
    allowance_of,
    count_spent,
    keep_spent,
    seats_within,
    wanted,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from strongroom.measuring.on_puzzles import PuzzleResult


def measure(chosen: argparse.Namespace, begins: str) -> int:
    """Put a set of puzzles to a player, write the file and print what the answers cost.

    A file that is replaced must begin with this text.
    """
    from functools import partial

    from strongroom.contract import Refusal
    from strongroom.measuring.forecast import forecast_puzzles
    from strongroom.measuring.on_puzzles import Answered, measure_on_puzzles, unanswered
    from strongroom.players import player
    from strongroom.puzzles.sets import read
    from strongroom.terminal.kept_games import KeptGames
    from strongroom.terminal.outputs import check_output, write_output
    from strongroom.terminal.progress import Bars

    registry.find_entry("player", chosen.player)
    if chosen.json:
        check_output(chosen.json, begins)
    puzzles = list(read(chosen.puzzles))
    if not puzzles:
        raise Refusal(f"There is no puzzle in {named(chosen.puzzles)}.")
    for game in dict.fromkeys(each.game for each in puzzles):
        check_seats(game, [chosen.player], "PLAYER")
    allowance = allowance_of(chosen)
    seats = seats_within(allowance, [chosen.player], chosen).get(chosen.player)
    of_set = [each.to_json() for each in puzzles]
    seed = 1 if chosen.seed is None else chosen.seed  # nothing is hidden that it could tell
    asked = {"player": chosen.player, "seed": seed, "puzzles": of_set}
    forms = (Answered.to_json, Answered.from_json)
    with KeptGames("measurement", asked, *forms, unit="puzzle") as kept:
        before = kept.found()
        if seats is not None:
            count_spent(allowance, kept, [each.spent for each in before])
            left = [puzzle for _, puzzle in unanswered(puzzles, before)]
            if left and not wanted(allowance, chosen, lambda: forecast_puzzles(left, seats.style)):
                return INPUT_ENDED
        with kept.breaking_off(), Bars() as bars:
            work = bars.wait_for("Puzzles")
            found = measure_on_puzzles(
                seats or partial(player, chosen.player),
                puzzles,
                seed=seed,
                kept=before,
                keep=kept.add,
                progress=lambda done, of: bars.hear(work, done / of, f"{done} of {of}"),
            )
        if kept.code:
            keep_spent(allowance, kept)
            return kept.code
        if chosen.json:
            results = {name: each.to_json() for name, each in found.items()}
            told = {"player": chosen.player, "seed": seed, "results": results}
            text = json.dumps({"format": "strongroom measurement on puzzles", "version": 1, **told})
            write_output(chosen.json, text + "\n")
        kept.drop()
    _print_answers([*found.values()])
    if chosen.json:
        print(f"Written: {named(chosen.json)}")
    return FINISHED


def _print_answers(found: Sequence[PuzzleResult]) -> None:
    """Print what a player's answers to puzzles cost, game by game and together."""
    from strongroom.measuring.on_puzzles import combine
    from strongroom.report.text import with_interval
    from strongroom.terminal.text_tables import Column, print_table

    shown = [*found]
    if len(shown) > 1:
        shown.append(combine(shown))
    bots = shown[-1].bots
    columns = [Column("game"), *(Column(name, right=True) for name in ("puzzles", "solved"))]
    columns += [Column("lost", right=True)]
    columns += [Column(f"{bot} loses", worth=1, right=True) for bot in bots]
    rows = [
        [
            each.title,
            str(each.puzzles),
            f"{100 * each.solved:.0f} %",
            with_interval(100 * each.cost, (100 * each.interval[0], 100 * each.interval[1]), 1),
            *(f"{100 * each.bots.get(bot, 0.0):.1f}" for bot in bots),
        ]
        for each in shown
    ]
    print_table(columns, rows)
    print(
        "What is lost is in points a puzzle, of which a won game has 100, ± or in brackets its "
        "interval of at least 95 %."
    )
    if tokens := sum(each.tokens or 0 for each in found):
        money = sum(each.money or 0.0 for each in found)
        print(f"Tokens: {tokens:,}" + (f", for ${money:.2f}." if money else "."))
    if illegal := sum(each.illegal for each in found):
        print(f"Answers that were no legal moves: {illegal}. Each counts as the worst move.")
