"""Runs in batches: their options, and a measurement of which only sums are kept."""

from __future__ import (annotations)
from contextlib import (contextmanager, suppress)
from strongroom.plugins import (registry)
from strongroom.terminal.arguments import (add_number, refuse_unused)
from strongroom.terminal.exits import (FINISHED, INTERRUPTED, SIGNALLED, Stopped)
from strongroom.terminal.filenames import (named)
from strongroom.terminal.numbers import (MOST)
from typing import (Final, TYPE_CHECKING)
import argparse
import atexit
import json
import os
import sys

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from strongroom.contract import Game, Seat
    from strongroom.measuring.estimator import Estimate
    from strongroom.measuring.in_batches import BatchedMeasurement, BatchedResult

PLAYERS: Final = ("master", "random")
"""The bots that play in batches."""
RESPONSE: Final = "response"
"""Plays only in batches: a best response to master."""
LEGEND: Final = (
    "counted: what is won a game, by results alone, ± or in brackets its interval of at least "
    "95 %; by costs: the same, by what a best response wins minus what the decisions cost; exact: "
    "the score itself, computed without a game; cost: points lost a game, of which a won game has "
    "100."
)
MOST_GAMES: Final = 2**31 - 1
"""The most games of a pair, or in a seat."""
LARGEST_BATCH: Final = 2**24
LIMITS: Final = f"at most {MOST:,}, or with --batches {MOST_GAMES:,}"
SUMS: Final = "Only sums are kept of games in batches, so there is no profile and no worst move."


def add_batches(parser: argparse.ArgumentParser) -> None:
    """Add the options for games in batches."""
    parser.add_argument(
        "--batches",
        action="store_true",
        help="play many games at once, on a GPU if JAX has one; needs the extra vector",
    )
    most = f"at most {LARGEST_BATCH:,}"
    add_number(
        parser, "--batch-size", f"how many games are played at once, {most}", most=LARGEST_BATCH
    )


def check_batch_options(
    chosen: argparse.Namespace, number: str, unused: Iterable[str] = ()
) -> None:
    """Refuse what only --batches allows, such as very many games, and what it would ignore.

    This is the option for the number of games.
    """
    from strongroom.contract import Refusal

    if not chosen.batches:
        if chosen.batch_size:
            raise Refusal("--batch-size is for games in batches.", "Add --batches.")
        if getattr(chosen, number) > MOST:
            told = f"--{number} is at most {MOST:,}, unless games are played in batches."
            raise Refusal(told, "Choose a smaller number, or add --batches.")
        return
    refuse_unused(chosen, "--batches", unused)


def chosen_players(chosen: argparse.Namespace) -> list[str]:
    """The players of a tournament: those named, or all bots that can play in this way."""
    named: list[str] = chosen.players
    if chosen.batches:
        return [*PLAYERS] if named is chosen.parser.get_default("players") else named
    refuse_response(named)
    return named


def games_of_all(names: Sequence[str]) -> tuple[Game, ...]:
    """Those of the five games that all these players play in batches; prints the others."""
    from strongroom.vector.devices import on_device
    from strongroom.vector.players import can_be_seated

    games = [registry.load(name) for name in registry.GAMES]
    with on_device():
        played = tuple(game for game in games if can_be_seated(game, names))
    if left_out := [game.title for game in games if game not in played]:
        told = f"Left out: {', '.join(left_out)}. Not all of these players play them in batches."
        print(told, file=sys.stderr)
    return played


def refuse_response(names: Iterable[str]) -> None:
    """Refuse, for games played one by one, who plays only in batches."""
    from strongroom.contract import Refusal

    if RESPONSE in names and not registry.is_registered("player", RESPONSE):
        raise Refusal(f"{RESPONSE} plays only in batches.", "Add --batches.")


@contextmanager
def breaking_off() -> Iterator[None]:
    """Let Ctrl-C or a signal end the block, and say that no game is kept."""
    from strongroom.terminal.table.stopping import stoppable

    try:
        with stoppable():
            yield
    except (KeyboardInterrupt, Stopped) as stopped:
        with suppress(OSError):  # the terminal may be gone
            print("\nInterrupted; nothing is kept of games in batches.", file=sys.stderr)
        told = stopped if isinstance(stopped, Stopped) else Stopped(INTERRUPTED - SIGNALLED)
        atexit.register(_leave_at_once, told.code)
        raise told from None


def _leave_at_once(code: int) -> None:
    """End the process before JAX is taken apart, which crashes while it still computes."""
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError):
            stream.flush()
    os._exit(code)


def measure(chosen: argparse.Namespace, seats: tuple[Seat, ...], begins: str) -> int:
    """Measure a player in batches, write the file and print the figures.

    A file that is replaced must begin with this text.
    """
    from strongroom.measuring.in_batches import BatchedProtocol, measure_in_batches
    from strongroom.referee.randomness import choose_seed
    from strongroom.terminal.outputs import check_output, write_output
    from strongroom.terminal.progress import Bars

    if chosen.json:
        check_output(chosen.json, begins)
    with breaking_off():
        protocol = BatchedProtocol(
            chosen.player,
            _games(chosen),
            chosen.rounds,
            seats,
            chosen.against,
            choose_seed(chosen.seed),
            chosen.seed is not None,
        )
        with Bars() as bars:
            work = {game: bars.wait_for(game.title) for game in protocol.games}
            bars.hear(work[protocol.games[0]], 0.0)

            def progress(game: Game, count: int, of: int) -> None:
                bars.hear(work[game], count / of, f"{count:,} of {of:,}")

            measured = measure_in_batches(protocol, batch=chosen.batch_size, progress=progress)
    if chosen.json:
        write_output(chosen.json, json.dumps(measured.to_json()) + "\n")
    _show(measured)
    if chosen.json:
        print(f"Written: {named(chosen.json)}")
    return FINISHED


def _games(chosen: argparse.Namespace) -> tuple[Game, ...]:
    """The games that were named, or all that both play in batches; refused before anything is."""
    from strongroom.contract import Refusal
    from strongroom.terminal.arguments import typed_game
    from strongroom.vector.devices import on_device

    if not chosen.only:
        if chosen.set:
            raise Refusal("--set is for one game.", "Name it with --only.")
        return games_of_all((chosen.player, chosen.against))
    games = tuple(dict.fromkeys(typed_game(name, chosen.set) for name in chosen.only))
    with on_device():
        for game in games:
            _check_seats(game, chosen)
    return games


def _check_seats(game: Game, chosen: argparse.Namespace) -> None:
    """Refuse a player or an opponent who does not play a game in batches, and say who does."""
    from strongroom.contract import Refusal, UnknownName
    from strongroom.terminal.arguments import bots_for
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


def _show(measured: BatchedMeasurement) -> None:
    from strongroom.referee.randomness import describe_seed
    from strongroom.terminal.text_tables import Column, print_table

    protocol, results = measured.protocol, measured.results.values()
    columns = [Column("game"), *(Column(name, right=True) for name in ("counted", "by costs"))]
    columns += [Column("exact", worth=1, right=True), Column("cost", right=True)]
    print(f"{protocol.player} against {protocol.against}")
    print_table(columns, [_row(each) for each in results])
    games = sum(tally.games for each in results for tally in each.tallies.values())
    print(LEGEND)
    unit = "game" if games == 1 else "games"
    seed = describe_seed(protocol.seed, protocol.seed_known)
    print(f"{games:,} {unit} on {measured.device}, {seed}. {SUMS}")


def _row(result: BatchedResult) -> list[str]:
    cost, exact = result.cost, result.exact
    return [
        result.game.title,
        _shown(result.counted),
        "–" if (by_costs := result.by_costs) is None else _shown(by_costs),
        "–" if exact is None else f"{exact:.5f}",
        "–" if cost is None else f"{100 * cost:.2f}",
    ]


def _shown(estimate: Estimate) -> str:
    from strongroom.report.text import with_interval

    return with_interval(estimate.mean, estimate.interval, 5)
