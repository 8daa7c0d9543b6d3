"""`strongroom measure`: how good a player is, and where it goes wrong, with luck taken out."""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import replace
from typing import TYPE_CHECKING

from strongroom.plugins import registry
from strongroom.terminal import in_batches, on_puzzles
from strongroom.terminal.arguments import (
    PlayerNames,
    add_number,
    add_settings,
    check_seats,
    refuse_unused,
    typed_game,
)
from strongroom.terminal.exits import FAILED, FINISHED, INPUT_ENDED
from strongroom.terminal.filenames import named
from strongroom.terminal.model_options import (
    SPENDING,
    STYLES,
    add_spending,
    add_styles,
    allowance_of,
    count_spent,
    keep_spent,
    refuse_models,
    seats_within,
    styled,
    wanted,
)

if TYPE_CHECKING:
    from strongroom.contract import Game, Json, Seat
    from strongroom.measuring.measure import Measurement
    from strongroom.measuring.protocol import Protocol

BEGINS = '{"format": "strongroom m'
"""How the JSON files of this command begin."""
PLAYING = ("only", "set", "rounds", "seats", "against", "html", "batches", "batch_size")
UNUSED = {
    "check": (*PLAYING, "seed", "json", "puzzles", *STYLES, *SPENDING, "yes"),
    "puzzles": (*PLAYING, "disguise"),
    "batches": ("html", *STYLES, *SPENDING, "yes"),
}
"""What --check, --puzzles and --batches would ignore."""
LARGEST = 2**30
"""The largest report that is read, in bytes."""

WORDS = """\
examples:
  strongroom measure casual                              all five games
  strongroom measure casual --only quantum-duel --rounds 200 --json casual.json
  strongroom measure expert --html expert.html           a report to show
  strongroom measure --check casual.json                 recompute a report
  strongroom measure casual --puzzles set.jsonl          one call a puzzle
  strongroom measure model:gpt-4o-mini --rounds 10 --price 0.15/0.60 --budget 2
  strongroom measure random --rounds 500000 --batches    a million games a game

Let a player play the certified player, master, and show how much it scores with
luck taken out, what its decisions cost, which kinds of decision cost most, and
its five worst moves. Every move's cost is exact, so a few games tell what
counting wins would need many for. The games follow from a seed that is drawn
once the player is named, so that it cannot know them; a given seed plays the
same games again. If it is interrupted, the same command goes on where it
stopped. With --batches, master, random and response, a best response to master,
play on a device, and of their games only sums are kept: the counted score and
what decisions cost. Such a run starts again if it is interrupted.
"""


def add(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments to its parser."""
    players = ", ".join(PlayerNames(last=(in_batches.RESPONSE,)))
    parser.add_argument("player", metavar="PLAYER", nargs="?", help=players)
    parser.add_argument(
        "--only",
        "--games",
        nargs="+",
        metavar="GAME",
        help="these games; by default all five",
    )
    add_settings(parser)
    rounds = f"how often each game is played in each seat (100), {in_batches.LIMITS}"
    add_number(parser, "--rounds", rounds, 100, in_batches.MOST_GAMES)
    parser.add_argument(
        "--seats", choices=("1", "2", "both"), default="both", help="the player's seats (both)"
    )
    parser.add_argument(
        "--against",
        default="master",
        metavar="NAME",
        help="another opponent; luck is taken out only against master",
    )
    parser.add_argument(
        "--seed",
        type=int,
        metavar="N",
        help="play the same games again; by default a seed is drawn, which no player can know "
        "(with --puzzles: 1)",
    )
    parser.add_argument("--json", metavar="FILE", help="write the report with every game as JSON")
    parser.add_argument("--html", metavar="FILE", help="write the report as a page with plots")
    parser.add_argument("--check", metavar="FILE", help="recompute every figure of a report")
    parser.add_argument(
        "--puzzles", metavar="FILE", help="answer the puzzles of a set instead of playing"
    )
    in_batches.add_batches(parser)
    add_styles(parser)
    add_spending(parser)


def run(chosen: argparse.Namespace) -> int:
    """Measure a player, or check a report."""
    from strongroom.contract import Refusal

    if bool(chosen.player) == bool(chosen.check):
        raise Refusal("Name a player, or a report to check.", "For example: measure casual")
    _refuse_unused(chosen)
    if chosen.check:
        return _check(chosen.check)
    if chosen.batches:
        return in_batches.measure(chosen, _seats(chosen), BEGINS)
    chosen.player = styled(chosen.player, chosen)
    if chosen.puzzles:
        return on_puzzles.measure(chosen, BEGINS)
    protocol = _protocol(chosen)
    _check_outputs(chosen)
    measurement = _measured(protocol, chosen)
    if isinstance(measurement, int):
        return measurement
    from rich.console import Console

    from strongroom.contract import harmless
    from strongroom.measuring.figures import Figures
    from strongroom.terminal.faces.measurement import report as lines
    from strongroom.terminal.faces.measurement import show
    from strongroom.terminal.lines import can_page
    from strongroom.terminal.screen import pager
    from strongroom.terminal.signs import has_unicode

    report = measurement.to_json()
    if can_page():
        title = f"{chosen.player} against {chosen.against}"
        pager.show(title, lambda columns: lines(Figures.read(report), columns, has_unicode()))
        show(report, Console(markup=False, highlight=False), whole=False)  # what stays in the shell
    else:
        width = None if sys.stdout.isatty() else 100
        show(report, Console(markup=False, highlight=False, width=width))
    for result in measurement.results.values():
        if result.forfeit_note:
            print(f"{result.game.title}: {harmless(result.forfeit_note, 400)}")
    for file in filter(None, (chosen.json, chosen.html)):
        print(f"Written: {named(file)}")
    return FINISHED


def _refuse_unused(chosen: argparse.Namespace) -> None:
    """Refuse options that others would ignore."""
    in_batches.check_batch_options(chosen, "rounds")
    for mode, unused in UNUSED.items():
        if getattr(chosen, mode):
            refuse_unused(chosen, f"--{mode}", unused)


def _seats(chosen: argparse.Namespace) -> tuple[Seat, ...]:
    """The seats of the measured player."""
    from strongroom.contract import Seat

    return tuple(Seat) if chosen.seats == "both" else (Seat(int(chosen.seats)),)


def _protocol(chosen: argparse.Namespace) -> Protocol:
    """What is to be played, refused before anything is."""
    from strongroom.contract import Refusal
    from strongroom.measuring.protocol import Protocol
    from strongroom.players import CERTIFIED
    from strongroom.referee.randomness import choose_seed
    from strongroom.theory.shelf import solution_of

    in_batches.refuse_response((chosen.player, chosen.against))
    refuse_models([chosen.against], "--against")
    names = chosen.only or list(registry.GAMES)
    if chosen.set and len(names) != 1:
        raise Refusal("--set is for one game.", "Name it with --only.")
    games = tuple(dict.fromkeys(typed_game(name, chosen.set) for name in names))
    for option, name in (("PLAYER", chosen.player), ("--against", chosen.against)):
        registry.find_entry("player", name)
        for game in games:
            check_seats(game, [name], option)
    if chosen.against == CERTIFIED:
        for game in games:
            solution_of(game)  # a refusal, where nothing is certified
    return Protocol(
        chosen.player,
        games,
        chosen.rounds,
        _seats(chosen),
        chosen.against,
        choose_seed(chosen.seed),
        chosen.seed is not None,
    )


def _check_outputs(chosen: argparse.Namespace) -> None:
    """Refuse files that could not be written, before hours of work."""
    from strongroom.contract import Refusal
    from strongroom.measuring import page
    from strongroom.terminal.outputs import check_output

    if chosen.json and chosen.json == chosen.html:
        raise Refusal("--json and --html cannot be the same file.", "Name two files.")
    for file, begins in ((chosen.json, BEGINS), (chosen.html, page.BEGINS)):
        if file:
            check_output(file, begins)


def _measured(protocol: Protocol, chosen: argparse.Namespace) -> Measurement | int:
    """Play the games and write the files; an exit code if that was broken off."""
    from strongroom.measuring.forecast import forecast
    from strongroom.measuring.measure import Measurement, play_games
    from strongroom.measuring.page import html
    from strongroom.measuring.protocol import Trial
    from strongroom.terminal.kept_games import KeptGames
    from strongroom.terminal.outputs import write_output
    from strongroom.terminal.progress import Bars

    allowance = allowance_of(chosen)
    seats = seats_within(allowance, [protocol.player], chosen).get(protocol.player)
    games = {game.name: game for game in protocol.games}
    options = [[game.name, game.options.to_json()] for game in protocol.games]

    def write(trial: Trial) -> Json:
        return {"game": trial.fixture.game.name} | trial.to_json()

    def read(data: Json) -> Trial:
        return Trial.from_json(data, games[data["game"]], protocol.seed)

    asked = {**protocol.to_json(), "seed": chosen.seed, "games": options}
    with KeptGames("measurement", asked, write, read) as kept:
        if not protocol.seed_known:
            protocol = replace(protocol, seed=kept.keep_seed(protocol.seed))
        before = kept.found()
        if seats is not None:
            count_spent(allowance, kept, [trial.spent for trial in before])
            done = {trial.fixture for trial in before}
            left = [each for each in protocol.fixtures if each not in done]
            if left and not wanted(
                allowance, chosen, lambda: forecast(protocol, left, seats.style)
            ):
                return INPUT_ENDED
        with kept.breaking_off():
            with Bars() as bars:
                work = {game: bars.wait_for(game.title) for game in protocol.games}

                def progress(game: Game, count: int, of: int) -> None:
                    bars.hear(work[game], count / of, f"{count} of {of}")

                judged = play_games(
                    protocol,
                    seats or protocol.player,
                    kept=before,
                    keep=kept.add,
                    progress=progress,
                )
            measurement = Measurement(protocol, judged)
            report = measurement.to_json()
        if kept.code:
            keep_spent(allowance, kept)
            return kept.code
        if chosen.json:
            write_output(chosen.json, json.dumps(report) + "\n")
        if chosen.html:
            write_output(chosen.html, html(report))
        kept.drop()
    return measurement


def _check(file: str) -> int:
    """Recompute a report and say what does not follow from its games."""
    from strongroom.contract import Refusal
    from strongroom.measuring.checking import check
    from strongroom.measuring.figures import Figures
    from strongroom.terminal.kept_games import counted
    from strongroom.terminal.progress import Bars

    report = read_report(file)
    with Bars() as bars:
        work = bars.wait_for("Replaying")
        try:
            troubles = check(
                report, lambda done, of: bars.hear(work, done / of, f"{done} of {of} games")
            )
        except Refusal as refusal:
            raise type(refusal)(f"{named(file)}: {refusal.reason}", refusal.accepted) from None
    for trouble in troubles[:MOST_TROUBLES]:
        print(trouble)
    if len(troubles) > MOST_TROUBLES:
        print(f"And {len(troubles) - MOST_TROUBLES} more.")
    if troubles:
        print("This report does not hold.")
        return FAILED
    games = sum(map(len, report["records"].values()))
    seeds = ", and every game from its seed" if report["against"] in registry.PLAYERS else ""
    print(f"Every figure follows from the {counted(games)}{seeds}.")
    if not seeds:
        print("Whether the opponent's moves follow from the seeds was not checked.")
    print(NOT_CHECKED)
    for warning in Figures.read(report).warnings:
        print(warning)
    return FINISHED


NOT_CHECKED = (
    "Not checked: how long moves took, on which versions of Python and numpy, what a model thought "
    "and what its answers took, and when the seed "
    "was drawn."
)
"""What no replay shows."""
MOST_TROUBLES = 20
"""How many troubles of a report are listed."""


def read_report(file: str) -> Json:
    """The report in a file, or a refusal that names the file."""
    from strongroom.measuring.checking import NotAReport, read
    from strongroom.terminal.outputs import read_input

    try:
        return read(read_input(file, LARGEST))
    except NotAReport as refusal:
        raise NotAReport(f"{named(file)}: {refusal.reason}", refusal.accepted) from None
