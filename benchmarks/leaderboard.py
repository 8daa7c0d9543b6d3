"""The tables of docs/leaderboard.md: every player measured at every game, and written there.

    python benchmarks/leaderboard.py FOLDER [--rounds 50] [--workers 1]
                                            [--only GAME ...] [--players NAME ...] [--print]

The report of each player and game is kept in FOLDER: what is there is not measured again, so the
same command goes on after an interruption, and `strongroom measure --check` checks any of them.
The small agent is trained first, if it is not in FOLDER yet.
"""

from __future__ import annotations

import argparse
import datetime
import json
import platform
import re
import shlex
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from importlib.metadata import version
from pathlib import Path

from strongroom import __version__, load
from strongroom.contract import Json
from strongroom.measuring.estimator import weighted_mean
from strongroom.measuring.measure import measure
from strongroom.measuring.result import Figures, GameFigures
from strongroom.plugins.registry import GAMES
from strongroom.report.charts import PlottedScore, Row, scores
from strongroom.report.page import picture
from strongroom.report.text import POINTS, Interval, markdown_table, percent, with_interval
from strongroom.terminal.store.files import replace_text

ROOT = Path(__file__).parents[1]
TRAINING = ROOT / "examples" / "training"
PAGE = ROOT / "docs" / "leaderboard.md"
PICTURE = ROOT / "docs" / "charts" / "leaderboard.svg"
PERFECT = 0.5
"""The score of perfect play, over both seats."""
BEGIN, END = "<!-- tables -->\n", "<!-- end of tables -->\n"
SHOWN = f"![Each player's score, with its interval](charts/{PICTURE.name})"
TRAINED = "trained"
FEWER = {"100": 2, "1000": 10}
"""How many times fewer rounds a search with so many simulations gets."""
PLAYERS = (
    *("master", "expert", "casual", "random", TRAINED),
    *(f"openspiel:mcts?simulations={budget}" for budget in (10, *FEWER)),
    *(f"openspiel:ismcts?simulations={budget}" for budget in (10, 100)),
)
SEED = 1
"""All players meet the same secrets and coins; none of them could know the seed."""

Table = Mapping[str, Mapping[str, GameFigures]]
"""The figures of each player at each game."""


def options() -> argparse.Namespace:
    """What the command was told."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path, help="where the reports are kept")
    parser.add_argument("--rounds", type=int, default=50, help="in each seat (50)")
    parser.add_argument("--workers", type=int, default=1, help="processes (1)")
    parser.add_argument("--only", nargs="+", choices=[*GAMES], default=[*GAMES], metavar="GAME")
    parser.add_argument("--players", nargs="+", default=[*PLAYERS], metavar="NAME")
    parser.add_argument("--print", action="store_true", help="print the tables, write no page")
    return parser.parse_args()


def figures(chosen: argparse.Namespace, player: str, name: str) -> GameFigures:
    """A player's figures at a game, from the folder or measured now."""
    # OpenSpiel's ISMCTS is its MCTS where nothing is hidden.
    measured = player if load(name).secrets_each else player.replace(":ismcts", ":mcts")
    rounds = max(1, chosen.rounds // FEWER.get(measured.partition("=")[2], 1))
    file = chosen.folder / f"{re.sub(r'[^a-z0-9]+', '-', measured)}.{name}.{rounds}.json"
    if not file.exists():
        began = time.perf_counter()
        report = measured_report(chosen, measured, name, rounds)
        replace_text(file, json.dumps(report) + "\n")
        took = time.perf_counter() - began
        print(f"{measured} at {name}: {took:.0f} s", file=sys.stderr, flush=True)
    return Figures.read(json.loads(file.read_text(encoding="utf-8"))).results[name]


def measured_report(chosen: argparse.Namespace, player: str, name: str, rounds: int) -> Json:
    """The report of a measurement."""
    if player != TRAINED:
        return measure(player, name, rounds=rounds, seed=SEED, workers=chosen.workers).to_json()
    sys.path.insert(0, str(TRAINING))
    from linear_policy import read
    from trained import Agent

    file = chosen.folder / "agent.npz"
    if not file.exists():
        subprocess.run([sys.executable, str(TRAINING / "self_play.py"), str(file)], check=True)
    return measure(Agent(read(str(file))), name, rounds=rounds, seed=SEED).to_json()


def mean(scores: Sequence[tuple[float, Interval]]) -> tuple[float, Interval]:
    """The mean of independent scores, with its interval."""
    return weighted_mean(scores, [1 / len(scores)] * len(scores))


def ranks(intervals: Mapping[str, Interval]) -> Mapping[str, str]:
    """The places that each player may have, as far as the intervals separate them.

    >>> ranks({"a": (0.4, 0.5), "b": (0.3, 0.45), "c": (0.1, 0.2)})
    {'a': '1 to 2', 'b': '1 to 2', 'c': '3'}
    """
    found = {}
    for player, (low, high) in intervals.items():
        first = 1 + sum(other[0] > high for other in intervals.values())
        last = len(intervals) - sum(other[1] < low for other in intervals.values())
        found[player] = str(first) if first == last else f"{first} to {last}"
    return found


def duration(seconds: float) -> str:
    """A time with two digits.

    >>> duration(0.000123), duration(1.234)
    ('0.12 ms', '1.2 s')
    """
    return f"{seconds:.2g} s" if seconds >= 0.1 else f"{1000 * seconds:.2g} ms"


def table(found: Table, names: Sequence[str]) -> str:
    """Markdown with a row a player, the best first; costs only of a single game."""
    scored = {
        player: mean([(games[name].score, games[name].interval) for name in names])
        for player, games in found.items()
    }
    places = ranks({player: interval for player, (_, interval) in scored.items()})
    single = names[0] if len(names) == 1 else None
    heads = ["rank", "player", "score", "games", *(SINGLE if single else ())]
    rows = []
    for player in sorted(scored, key=lambda each: -scored[each][0]):
        games = str(sum(found[player][name].games for name in names))
        cells = [places[player], f"`{player}`", with_interval(*scored[player]), games]
        rows.append(cells + (list(costs(found[player][single])) if single else []))
    return markdown_table(heads, rows)


SINGLE = ("lost a decision", "perfect", "time a decision")
"""The headings of what is told of a single game; a mean over games would mix unlike decisions."""


def costs(of: GameFigures) -> tuple[str, ...]:
    """What is told of a player's decisions at one game."""
    return (
        f"{POINTS * (of.cost_per_decision or 0):.2f}",
        percent(of.perfect or 0),
        duration(of.spent.seconds / (of.decisions or 1)),
    )


def drawn(found: Table, names: Sequence[str]) -> str:
    """The scores as a picture, as in the report of a measurement."""
    rows = []
    for player, games in found.items():
        of = [games[name] for name in names]
        clear = mean([(each.score, each.interval) for each in of])
        counted = mean([(each.counted, each.counted_interval) for each in of])
        rows.append(Row(player, PERFECT, [PlottedScore(player, *clear, *counted, None)]))
    rows.sort(key=lambda row: -row.estimates[0].score)
    return picture(scores(rows))


def tables(found: Table, chosen: argparse.Namespace) -> str:
    """All tables, with the command, the date and the versions."""
    command = f"python benchmarks/leaderboard.py FOLDER --rounds {chosen.rounds}"
    if chosen.only != [*GAMES]:
        command += f" --only {' '.join(chosen.only)}"
    if chosen.players != [*PLAYERS]:
        command += f" --players {' '.join(map(shlex.quote, chosen.players))}"
    others = ", ".join(f"{name} {version(name)}" for name in ("numpy", "open_spiel"))
    versions = f"strongroom {__version__}, Python {platform.python_version()}, {others}"
    parts = [
        f"```\n{command}\n```",
        f"Measured on {datetime.date.today()} with {versions}.",
        f"## All five games\n\n{SHOWN}\n\n{table(found, chosen.only)}",
        *(f"## {load(name).title}\n\n{table(found, [name])}" for name in chosen.only),
    ]
    return "\n\n".join(filter(None, parts)) + "\n"


def main() -> None:
    """Measure what is missing, and write the tables."""
    chosen = options()
    chosen.folder.mkdir(parents=True, exist_ok=True)
    found = {
        player: {name: figures(chosen, player, name) for name in chosen.only}
        for player in chosen.players
    }
    made = tables(found, chosen)
    if chosen.print:
        print(made)
        return
    before, _, rest = PAGE.read_text(encoding="utf-8").partition(BEGIN)
    after = rest.partition(END)[2]
    PICTURE.write_text(drawn(found, chosen.only), encoding="utf-8")
    PAGE.write_text(f"{before}{BEGIN}\n{made}\n{END}{after}", encoding="utf-8")
    print(f"Written: {PAGE.relative_to(ROOT)}", file=sys.stderr)


if __name__ == "__main__":
    main()
