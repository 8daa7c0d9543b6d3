"""`strongroom measure` and `strongroom compare`: how good players are, without luck."""

from __future__ import annotations

import argparse
import contextlib
import json
import sys
from dataclasses import replace
from typing import TYPE_CHECKING

from strongroom.plugins import registry
from strongroom.terminal.arguments import (
    DRAWN,
    PlayerNames,
    add_number,
    add_option,
    add_settings,
    bots_for,
    check_seats,
    names_of_all,
    played_by,
    refuse_unused,
    typed_game,
)
from strongroom.terminal.contests import (
    ASKING,
    LIMITS,
    MOST_GAMES,
    RESPONSE,
    SPENDING,
    STYLES,
    add_asking,
    add_batches,
    add_spending,
    add_styles,
    check_batch_options,
    games_of_all,
    refuse_models,
    refuse_response,
    stoppable_batches,
    with_style,
)
from strongroom.terminal.exits import FAILED, FINISHED
from strongroom.terminal.printing import file_label, has_unicode

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from strongroom.contract import Game, Json, Seat
    from strongroom.measuring.measure import Measurement
    from strongroom.measuring.on_puzzles import PuzzleResult
    from strongroom.measuring.protocol import Protocol, Trial
    from strongroom.measuring.result import Judged
    from strongroom.terminal.runs import Outputs


BEGINS = '{"format": "strongroom m'
"""How the JSON files of this command begin."""
PLAYING = (
    "only",
    "set",
    "rounds",
    "precision",
    "seats",
    "against",
    "html",
    "batches",
    "batch_size",
)
UNUSED = {
    "check": (*PLAYING, "seed", "json", "puzzles", *STYLES, *ASKING, *SPENDING, "yes"),
    "puzzles": (*PLAYING, "disguise", "disguise_seed"),
    "precision": ("rounds",),
    "batches": ("html", "precision", *STYLES, *ASKING, *SPENDING, "yes"),
}
"""What --check, --puzzles, --precision and --batches would ignore."""
LARGEST = 2**30
"""The largest report that is read, in bytes."""
NOT_CHECKED = (
    "Not checked: how long moves took, on which versions of Python and numpy, what a model thought "
    "and what its answers took, what its endpoint said of itself, and when the seed was drawn."
)
"""What no replay shows."""
MOST_TROUBLES = 20
"""How many troubles of a report are listed."""
MEASURE_HELP = """\
examples:
  strongroom measure casual                              all games
  strongroom measure casual --only quantum-duel --rounds 200 --json casual.json
  strongroom measure expert --html expert.html           a report to show
  strongroom measure casual --precision 0.02             as many games as needed
  strongroom measure --check casual.json                 recompute a report
  strongroom measure casual --puzzles set.jsonl          a set of puzzles
  strongroom measure model:gpt-4o-mini --rounds 10 --price 0.15/0.60 --budget 2
  strongroom measure model:gpt-4o-mini --settings paper.toml --ask temperature=0
  strongroom measure random --rounds 500000 --batches    a million games a game

Let a player play the certified player, master, and show how much it scores
with luck taken out, what its decisions cost, which kinds of decision cost
most, and its five worst moves. Every move's cost is exact, so a few games tell
what counting wins would need many for. The games follow from a seed that is
drawn once the player is named, so that it cannot know them; a given seed plays
the same games again. If it is interrupted, the same command goes on where it
stopped. With --precision, it is told before the run about how many games of
each it takes, played a few of each, and then as many as these show to be
needed. With --batches, master, random and response, a best response to master,
play on a device, and of their games only sums are kept: the counted score and
what decisions cost. Such a run starts again if it is interrupted.
"""


def define_measure(parser: argparse.ArgumentParser) -> None:
    """Define the arguments of `strongroom measure`."""
    players = ", ".join(PlayerNames(last=(RESPONSE,)))
    parser.add_argument("player", metavar="PLAYER", nargs="?", help=players)
    only = "these games; by default all"
    parser.add_argument("--only", "--games", nargs="+", metavar="GAME", help=only)
    add_settings(parser)
    rounds = f"how often each game is played in each seat (100), {LIMITS}"
    add_number(parser, "--rounds", rounds, 100, MOST_GAMES)
    wanted = "instead: as many games as it takes for an interval of ± this, like 0.02"
    add_option(parser, "--precision X", wanted, type=_parse_precision)
    seats = "the player's seats (both)"
    parser.add_argument("--seats", choices=("1", "2", "both"), default="both", help=seats)
    against = "another opponent; luck is taken out only against master"
    add_option(parser, "--against NAME", against, "master")
    add_option(parser, "--seed N", f"{DRAWN} (with --puzzles: 1)", type=int)
    add_option(parser, "--json FILE", "write the report with every game as JSON")
    add_option(parser, "--html FILE", "write the report as a page with plots")
    add_option(parser, "--check FILE", "recompute every figure of a report")
    add_option(parser, "--puzzles FILE", "answer the puzzles of a set instead of playing")
    add_batches(parser)
    add_styles(parser)
    add_asking(parser)
    add_spending(parser)


def _parse_precision(text: str) -> float:
    """Parse half the width of an interval."""
    with contextlib.suppress(ValueError):
        if 0 < (found := float(text)) < 0.5:
            return found
    raise argparse.ArgumentTypeError(
        f"must lie between 0 and 0.5, like 0.02; you gave {text[:20]!r}"
    )


def run_measure(chosen: argparse.Namespace) -> int:
    """Measure a player, or check a report."""
    from strongroom.contract import Refusal

    if bool(chosen.player) == bool(chosen.check):
        raise Refusal("Name a player, or a report to check.", "For example: measure casual")
    _refuse_unused(chosen)
    if chosen.check:
        return _check(chosen.check)
    if chosen.batches:
        return _measure_in_batches(chosen)
    chosen.player = with_style(chosen.player, chosen)
    if chosen.puzzles:
        return _measure_on_puzzles(chosen)
    protocol = _protocol(chosen)
    if chosen.precision:
        from strongroom.measuring.forecast import games_text, rounds_by_others

        protocol = rounds_by_others(protocol, chosen.precision)
        told = f"For ± {chosen.precision:g}, as much as other players' games vary, so as a guess:"
        print(f"{told} {games_text(protocol)}.", file=sys.stderr, flush=True)
    outputs = _outputs(chosen)
    measurement = _measure(protocol, outputs, chosen)
    from rich.console import Console

    from strongroom.contract import harmless
    from strongroom.terminal.lines import can_page
    from strongroom.terminal.reports.results import (
        measurement_report,
        print_account,
        show_measurement,
    )
    from strongroom.terminal.screen import pager

    figures, paged = measurement.report, can_page()
    if paged:
        title = f"{chosen.player} against {chosen.against}"
        pager.show(title, lambda columns: measurement_report(figures, columns, has_unicode()))
    console = Console(markup=False, highlight=False, width=None if sys.stdout.isatty() else 100)
    show_measurement(figures, console, whole=not paged)  # below a page, its table stays
    for result in measurement.results.values():
        if result.forfeit_note:
            print(f"{result.game.title}: {harmless(result.forfeit_note, 400)}")
    if figures.experiment is not None:
        print_account(figures.experiment)
    if free := figures.unconstrained:
        print(f"{free:,} answers were not constrained: the legal moves were too many to list.")
    outputs.announce()
    return FINISHED


def _refuse_unused(chosen: argparse.Namespace) -> None:
    """Refuse options that others would ignore."""
    check_batch_options(chosen, "rounds")
    for mode, unused in UNUSED.items():
        if getattr(chosen, mode):
            refuse_unused(chosen, f"--{mode}", unused)


def _seats(chosen: argparse.Namespace) -> tuple[Seat, ...]:
    """The seats of the measured player."""
    from strongroom.contract import Seat

    return tuple(Seat) if chosen.seats == "both" else (Seat(int(chosen.seats)),)


def _named_games(chosen: argparse.Namespace) -> tuple[Game, ...]:
    """The games that were named, with their options, or all that both play."""
    from strongroom.contract import Refusal

    if chosen.set and len(chosen.only or ()) != 1:
        raise Refusal("--set is for one game.", "Name it with --only.")
    both = played_by(chosen.player, chosen.against)
    names = chosen.only or names_of_all(both, "Not both of these players play them.")
    return tuple(dict.fromkeys(typed_game(name, chosen.set) for name in names))


def _protocol(chosen: argparse.Namespace) -> Protocol:
    """What is to be played, refused before anything is."""
    from strongroom.measuring.protocol import Protocol
    from strongroom.players import CERTIFIED
    from strongroom.referee.randomness import choose_seed
    from strongroom.theory.shelf import solution_of

    refuse_response((chosen.player, chosen.against))
    refuse_models([chosen.against], "--against")
    games = _named_games(chosen)
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


def _outputs(chosen: argparse.Namespace) -> Outputs[Measurement]:
    """The files to write, refused before hours of work if they could not be written."""
    from strongroom.measuring import page
    from strongroom.terminal.runs import Outputs, json_line

    return Outputs(
        (chosen.json, BEGINS, json_line),
        (chosen.html, page.BEGINS, lambda measured: page.page_of([measured.report])),
    )


def _measure(
    protocol: Protocol, outputs: Outputs[Measurement], chosen: argparse.Namespace
) -> Measurement:
    """Play the games and write the files."""
    from functools import partial

    from strongroom.contract.codec import to_json
    from strongroom.measuring.forecast import forecast
    from strongroom.measuring.measure import Measurement, play_games
    from strongroom.measuring.protocol import Trial
    from strongroom.terminal.reports.progress import Bars
    from strongroom.terminal.runs import Models, RunJournal

    models = Models([protocol.player], chosen)
    seats = models.seats.get(protocol.player)
    games = {game.name: game for game in protocol.games}
    options = [[game.name, game.options.to_json()] for game in protocol.games]

    def write(trial: Trial) -> Json:
        return {"game": trial.fixture.game.name} | trial.to_json()

    def read(data: Json) -> Trial:
        return Trial.from_json(data, games[data["game"]], protocol.seed)

    asked = {**to_json(protocol), "seed": chosen.seed, "games": options}
    asked |= {"settings": to_json(models.settings)} if seats else {}
    if chosen.precision:
        asked["precision"] = chosen.precision
    with RunJournal("measurement", asked, write, read) as kept:
        if not protocol.seed_known:
            protocol = replace(protocol, seed=kept.keep_first("seed", protocol.seed))
        before = kept.earlier_games()
        done = {trial.fixture for trial in before}
        left = [each for each in protocol.fixtures if each not in done] if seats else []
        asked_for = (protocol, left, seats.style, models.settings) if seats and left else ()
        ahead = partial(forecast, *asked_for) if asked_for else None
        with models.spending(kept, [trial.spent for trial in before], ahead):
            seats = models.seats.get(protocol.player)
            played = partial(play_games, player=seats or protocol.player, keep=kept.add)
            if chosen.precision:
                protocol, before = _after_pilot(protocol, chosen.precision, played, before)
            with Bars() as bars:
                progress = bars.count_games(protocol.games)
                judged = played(protocol, kept=before, progress=progress)
            measurement = Measurement(protocol, judged, seats.experiment if seats else None)
            assert measurement.report  # it takes a while
        outputs.write(measurement)
        kept.drop()
    return measurement


def _after_pilot(
    protocol: Protocol,
    precision: float,
    played: Callable[..., list[Judged]],
    before: list[Trial],
) -> tuple[Protocol, list[Trial]]:
    """The protocol once the first games tell how much games vary, and all games so far."""
    from strongroom.measuring.forecast import PILOT, games_text, rounds_by_pilot
    from strongroom.measuring.measure import Measurement
    from strongroom.terminal.reports.progress import Bars

    first = replace(protocol, rounds=PILOT, rounds_at=None)
    with Bars() as bars:
        judged = played(first, kept=before, progress=bars.count_games(protocol.games))
    wanted = rounds_by_pilot(protocol, precision, Measurement(first, judged))
    told = f"After {PILOT} rounds of each game, for ± {precision:g} by how much they vary:"
    print(f"{told} {games_text(wanted)}.", file=sys.stderr, flush=True)
    return wanted, [
        *{each.fixture: each for each in (*before, *(j.trial for j in judged))}.values()
    ]


def _check(file: str) -> int:
    """Recompute a report and say what does not follow from its games."""
    from strongroom.contract import Refusal
    from strongroom.measuring.reports import check
    from strongroom.measuring.result import Figures
    from strongroom.terminal.reports.progress import Bars
    from strongroom.terminal.runs import count_text

    report = read_report(file, brief=True)
    with Bars() as bars:
        try:
            troubles = check(report, bars.count("Replaying", " games"))
        except Refusal as refusal:
            raise type(refusal)(f"{file_label(file)}: {refusal.reason}", refusal.accepted) from None
    for trouble in troubles[:MOST_TROUBLES]:
        print(trouble)
    if len(troubles) > MOST_TROUBLES:
        print(f"And {len(troubles) - MOST_TROUBLES} more.")
    if troubles:
        print("This report does not hold.")
        return FAILED
    games = sum(game["games"] for game in report["results"].values())
    seeds = ", and every game from its seed" if report["against"] in registry.PLAYERS else ""
    print(f"Every figure follows from the {count_text(games)}{seeds}.")
    if not seeds:
        print("Whether the opponent's moves follow from the seeds was not checked.")
    print(NOT_CHECKED)
    for warning in Figures.read(report).warnings:
        print(warning)
    return FINISHED


def read_report(file: str, brief: bool = False) -> Json:
    """The report in a file, or a refusal that names the file; with `brief`, also one in brief."""
    from strongroom.measuring.reports import NotAReport, read
    from strongroom.terminal.store.files import read_input

    try:
        return read(read_input(file, LARGEST), brief)
    except NotAReport as refusal:
        raise NotAReport(f"{file_label(file)}: {refusal.reason}", refusal.accepted) from None


def _measure_in_batches(chosen: argparse.Namespace) -> int:
    """Measure a player in batches, write the file and print the figures."""
    from strongroom.measuring.in_batches import BatchedProtocol, measure_in_batches
    from strongroom.referee.randomness import choose_seed
    from strongroom.terminal.reports.progress import Bars
    from strongroom.terminal.reports.results import print_batched
    from strongroom.terminal.runs import Outputs, json_line

    outputs = Outputs((chosen.json, BEGINS, json_line))
    with stoppable_batches():
        protocol = BatchedProtocol(
            chosen.player,
            _games_in_batches(chosen),
            chosen.rounds,
            _seats(chosen),
            chosen.against,
            choose_seed(chosen.seed),
            chosen.seed is not None,
        )
        with Bars() as bars:
            progress = bars.count_games(protocol.games)
            progress(protocol.games[0], 0, 1)
            measured = measure_in_batches(protocol, batch=chosen.batch_size, progress=progress)
    outputs.write(measured)
    print_batched(measured)
    outputs.announce()
    return FINISHED


def _games_in_batches(chosen: argparse.Namespace) -> tuple[Game, ...]:
    """The games that were named, or all that both play in batches; refused before anything is."""
    from strongroom.vector.devices import on_device

    if not (chosen.only or chosen.set):
        return games_of_all((chosen.player, chosen.against))
    games = _named_games(chosen)
    with on_device():
        for game in games:
            _check_batched_seats(game, chosen)
    return games


def _check_batched_seats(game: Game, chosen: argparse.Namespace) -> None:
    """Refuse a player or an opponent who does not play a game in batches, and say who does."""
    from strongroom.contract import Refusal, UnknownName
    from strongroom.vector.players import batched_names, seat_players

    names = {"PLAYER": chosen.player, "--against": chosen.against}
    for option, name in names.items():
        try:
            seat_players(game, [name])
        except UnknownName:
            raise
        except Refusal as refusal:
            others = batched_names(game)
            if not others:  # it is not played in batches at all
                raise
            advice = f"{option} can be {' or '.join(others)}"
            if {*names.values()} <= {*bots_for(game)}:
                advice += ", or leave --batches out"
            raise Refusal(refusal.reason, f"{advice}.") from None


def _measure_on_puzzles(chosen: argparse.Namespace) -> int:
    """Put a set of puzzles to a player, write the file and print what the answers cost."""
    from functools import partial

    from strongroom.contract import Refusal
    from strongroom.contract.codec import from_json, to_json
    from strongroom.measuring.forecast import forecast_puzzles
    from strongroom.measuring.on_puzzles import Answered, measure_on_puzzles, open_exercises
    from strongroom.players import player
    from strongroom.puzzles.sets import read
    from strongroom.terminal.reports.progress import Bars
    from strongroom.terminal.reports.results import print_account, print_answers
    from strongroom.terminal.runs import Models, Outputs, RunJournal

    registry.find_entry("player", chosen.player)
    seed = 1 if chosen.seed is None else chosen.seed  # nothing is hidden that it could tell

    def report(found: Mapping[str, PuzzleResult]) -> str:
        told = {"player": chosen.player, "seed": seed, "results": to_json(found)}
        head = {"format": "strongroom measurement on puzzles", "version": 1}
        seats = models.seats.get(chosen.player)
        how = {"experiment": to_json(seats.experiment)} if seats else {}
        return json.dumps({**head, **how, **told}) + "\n"

    outputs = Outputs((chosen.json, BEGINS, report))
    puzzles = list(read(chosen.puzzles))
    if not puzzles:
        raise Refusal(f"There is no puzzle in {file_label(chosen.puzzles)}.")
    for game in dict.fromkeys(each.game for each in puzzles):
        check_seats(game, [chosen.player], "PLAYER")
    models = Models([chosen.player], chosen)
    seats = models.seats.get(chosen.player)
    of_set = [each.to_json() for each in puzzles]
    asked = {"player": chosen.player, "seed": seed, "puzzles": of_set}
    asked |= {"settings": to_json(models.settings)} if seats else {}
    forms = (to_json, partial(from_json, Answered))
    with RunJournal("measurement", asked, *forms, unit="puzzle") as kept:
        before = kept.earlier_games()
        left = [puzzle for _, puzzle in open_exercises(puzzles, before)]
        asked_for = (left, seats.style, models.settings) if seats and left else ()
        ahead = partial(forecast_puzzles, *asked_for) if asked_for else None
        with models.spending(kept, [each.spent for each in before], ahead), Bars() as bars:
            seats = models.seats.get(chosen.player)
            found = measure_on_puzzles(
                seats or partial(player, chosen.player),
                puzzles,
                seed=seed,
                kept=before,
                keep=kept.add,
                progress=bars.count("Puzzles"),
            )
        outputs.write(found)
        kept.drop()
    print_answers([*found.values()])
    if seats:
        print_account(seats.experiment)
    outputs.announce()
    return FINISHED


COMPARE_HELP = """\
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


def define_compare(parser: argparse.ArgumentParser) -> None:
    """Define the arguments of `strongroom compare`."""
    parser.add_argument("files", metavar="FILE", nargs="+", help="two reports or more")
    add_option(parser, "--html FILE", "write a page with plots of all players")
    add_option(parser, "--json", "print JSON")


def run_compare(chosen: argparse.Namespace) -> int:
    """Compare the first report with each of the others."""
    from strongroom.contract import Refusal
    from strongroom.measuring.page import html
    from strongroom.measuring.reports import compare
    from strongroom.terminal.reports.results import print_comparisons
    from strongroom.terminal.store.files import write_output

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
    print_comparisons(found)
    if chosen.html:
        print(f"Written: {file_label(chosen.html)}")
    return 0


def _tell_apart(reports: Sequence[Json], files: Sequence[str]) -> None:
    """Add the file to the names of players who are called alike."""
    names = [report["player"] for report in reports]
    for report, name, file in zip(reports, names, files, strict=True):
        if names.count(name) > 1:
            report["player"] = f"{name} ({file_label(file)})"
