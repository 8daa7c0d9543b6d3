"""`strongroom tournament`: the players against each other, with ratings, tables and files."""

from __future__ import annotations

import argparse
import os
import sys
from dataclasses import replace
from typing import TYPE_CHECKING

from strongroom.plugins import registry
from strongroom.terminal.arguments import (
    add_contest,
    add_games,
    add_option,
    check_seats,
    played_by,
    typed_games,
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
    chosen_players,
    games_of_all,
    stoppable_batches,
    with_styles,
)
from strongroom.terminal.exits import FINISHED
from strongroom.terminal.printing import has_unicode, paste

if TYPE_CHECKING:
    from collections.abc import Mapping
    from random import Random

    from strongroom.arena.standings import Standings
    from strongroom.contests.schedule import Make, Schedule
    from strongroom.contests.workers import Pool
    from strongroom.contract import Game
    from strongroom.minds.model import ModelSeats
    from strongroom.players import Player
    from strongroom.terminal.runs import Outputs

TOURNAMENT_HELP = """\
examples:
  strongroom tournament quantum-duel           all bots against each other
  strongroom tournament --all --games 3000 --seed 1     the tables in the docs
  strongroom tournament safe-code quantum-duel --players master engine:./mybot
  strongroom tournament --all --json all.json --csv all.csv --html all.html
  strongroom tournament --all --cluster head:6379       on a Ray cluster
  strongroom tournament quantum-duel --games 1000000 --batches    master, random

Let players play each other, in alternating seats. A win counts 1, and a game
undecided after 100 turns one half; each score has its 95 % interval. Ratings
are on Elo's scale, where master has 0. The games follow from a seed that is
drawn once the players are named, so that none can know it; a given seed plays
the same games again, wherever that is. If it is interrupted, the same command
goes on where it stopped. The output is Markdown unless it goes to a terminal.

With --batches, players choose for many games at once: master, random and
response, a best response to master. A million games take seconds, and only
their results are kept: an interrupted run starts again. Others are refused:
they play one by one.
"""
UNUSED = ("csv", "cluster", *STYLES, *ASKING, *SPENDING, "yes")
"""What --batches would ignore."""


def define_tournament(parser: argparse.ArgumentParser) -> None:
    """Define the arguments of `strongroom tournament`."""
    add_games(parser, several=True)
    players, games = list(registry.PLAYERS), f"games per pair (1000), {LIMITS}"
    add_contest(parser, "the players", games, players, RESPONSE, most=MOST_GAMES, seed=None)
    add_option(parser, "--json FILE", "write the results with every game as JSON")
    add_option(parser, "--csv FILE", "write a row for each game")
    add_option(parser, "--html FILE", "write the results as a page with plots")
    cluster = "play on a Ray cluster, at HOST:PORT; local starts one"
    add_option(parser, "--cluster ADDRESS", cluster)
    add_option(parser, "--markdown", "print Markdown on a terminal, too")
    add_batches(parser)
    add_styles(parser)
    add_asking(parser)
    add_spending(parser)


def run_tournament(chosen: argparse.Namespace) -> int:
    """Play every pair at every game, write the files and print the results."""
    from strongroom.contests.schedule import Schedule
    from strongroom.referee.randomness import choose_seed

    check_batch_options(chosen, "games", UNUSED)
    names = chosen_players(chosen)
    one_by_one = () if chosen.batches else names
    games = tuple(typed_games(chosen, played_by(*one_by_one)))
    if chosen.batches and chosen.all:
        with stoppable_batches():
            games = games_of_all(names)
    made: type[Schedule] = Schedule
    if chosen.batches:
        from strongroom.arena.in_batches import BatchedSchedule

        made = BatchedSchedule
    schedule = made(
        games,
        with_styles(names, chosen),
        chosen.games,
        choose_seed(chosen.seed),
        seed_known=chosen.seed is not None,
    )
    if not chosen.batches:
        for game in games:
            check_seats(game, schedule.players, "--players")
    outputs = _outputs(chosen)
    pool = None
    if chosen.cluster is not None:
        from strongroom.contests.workers import Cluster

        pool = Cluster(chosen.cluster)
    if chosen.batches:
        standings = _play_in_batches(schedule, outputs, chosen)
    else:
        standings = _play(schedule, pool, outputs, chosen)
    _print_standings(standings, chosen.markdown)
    outputs.announce()
    return FINISHED


def _outputs(chosen: argparse.Namespace) -> Outputs[Standings]:
    """What is written to each file that was named; a refusal if that could not be done."""
    from strongroom.arena.standings import COLUMNS, FORMAT, PAGE_BEGINS, Standings, html
    from strongroom.terminal.runs import Outputs, json_line

    return Outputs(
        (chosen.json, f'{{"format": "{FORMAT}"', json_line),
        (chosen.csv, ",".join(COLUMNS), Standings.to_csv),
        (chosen.html, PAGE_BEGINS, html),
    )


def _play(
    schedule: Schedule, pool: Pool | None, outputs: Outputs[Standings], chosen: argparse.Namespace
) -> Standings:
    """Play the games and write the files."""
    from functools import partial

    from strongroom.arena.standings import Standings
    from strongroom.arena.tournament import Played, play_all
    from strongroom.contract.codec import from_json, to_json
    from strongroom.measuring.forecast import forecast_tournament
    from strongroom.players import player, seat_name
    from strongroom.terminal.reports.results import LiveStandings
    from strongroom.terminal.runs import Models, RunJournal

    models = Models(schedule.players if pool is None else (), chosen)
    make, pool = _seating(schedule, models.seats) if models.seats else (player, pool)

    def read(data: object) -> Played:
        return from_json(Played, data, schedule)

    asked = {**to_json(schedule), "seed": chosen.seed}
    asked |= {"settings": to_json(models.settings)} if models.seats else {}
    with RunJournal("tournament", asked, to_json, read) as kept:
        if not schedule.seed_known:
            schedule = replace(schedule, seed=kept.keep_first("seed", schedule.seed))
        before = {each.pairing: each for each in kept.earlier_games()}.values()
        styles = {name: each.style for name, each in models.seats.items()}
        standings = Standings(schedule, before)
        engines = [name for name in schedule.players if name.startswith("engine:")]
        standings.names = {name: seat_name(name) for name in engines}
        ahead = partial(forecast_tournament, schedule, styles, models.settings)
        with (
            models.spending(kept, (), ahead),
            LiveStandings(standings) as live,
        ):
            live.show_count(schedule.games[0])
            for played in play_all(schedule, make, kept=before, pool=pool, workers=os.cpu_count()):
                kept.add(played)
                standings.add(played)
                live.show_count(played.pairing.game)
        standings.experiments = {name: each.experiment for name, each in models.seats.items()}
        outputs.write(standings)
        kept.drop()
    return standings


def _play_in_batches(
    schedule: Schedule, outputs: Outputs[Standings], chosen: argparse.Namespace
) -> Standings:
    """Play the games in batches and write the files."""
    from strongroom.arena.in_batches import check_batches, play_in_batches
    from strongroom.arena.standings import Standings
    from strongroom.terminal.reports.results import LiveStandings

    standings = Standings(schedule, batches=True)
    with stoppable_batches():
        check_batches(schedule)
    with stoppable_batches(), LiveStandings(standings) as live:
        live.show_count(schedule.games[0])
        played = play_in_batches(schedule, batch=chosen.batch_size, progress=live.show_count)
        for game, score in played:
            standings.add_score(game.name, score)
    outputs.write(standings)
    return standings


def _seating(schedule: Schedule, models: Mapping[str, ModelSeats]) -> tuple[Make, Pool | None]:
    """How the players are seated who share a budget, and where so many of them play at once."""
    from strongroom.contests.workers import pool_for
    from strongroom.players import player

    def make(name: str, game: Game, rng: Random) -> Player:
        return models[name](game, rng) if name in models else player(name, game, rng)

    names = schedule.players
    seats = [models.get(name) or registry.find_entry("player", name) for name in names]
    return make, pool_for(seats, schedule.rounds)


def _print_standings(standings: Standings, markdown: bool) -> None:
    """Print the results as Markdown or, on a terminal, as tables."""
    from rich.console import Console

    from strongroom.arena.standings import markdown as table
    from strongroom.terminal.reports.results import NO_RATINGS, standings_report
    from strongroom.terminal.reports.tables import print_lines

    if markdown or not sys.stdout.isatty():
        for results in standings.tables:
            print(f"### {results.title}\n\n{table(results)}\n")
        print(standings.legend, flush=True)
        if not standings.together.ratings():
            print(paste(NO_RATINGS), file=sys.stderr)
    else:
        console = Console(markup=False, highlight=False)
        print_lines(standings_report(standings, console.width, has_unicode()), console)
