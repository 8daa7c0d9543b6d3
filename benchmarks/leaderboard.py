"""Measures the house's players for docs/leaderboard.md: bots, searches, and the trained agent.

    python benchmarks/leaderboard.py FOLDER [--rounds 50] [--workers 1]
                                            [--only GAME ...] [--players NAME ...]
    python docs/make_leaderboard.py

The report of each player and game is kept in FOLDER, and in brief in docs/leaderboard: what is in
FOLDER is not measured again, so the same command goes on after an interruption. The small agent is
trained first, if it is not in FOLDER yet.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
import time
from pathlib import Path

from strongroom.contract import Json
from strongroom.measuring.measure import measure
from strongroom.measuring.reports import in_brief, read
from strongroom.plugins.registry import GAMES
from strongroom.terminal.store.files import replace_text

ROOT = Path(__file__).parents[1]
TRAINING = ROOT / "examples" / "training"
BRIEF = ROOT / "docs" / "leaderboard"
TRAINED = "trained"
FEWER = {
    "mcts?simulations=10": 2.5,
    "mcts?simulations=100": 5,
    "mcts?simulations=1000": 10,
    "ismcts?simulations=10": 2.5,
    "ismcts?simulations=100": 10,
}
"""How many times fewer rounds a search gets, because it takes long."""
PLAYERS = (
    *("master", "expert", "casual", "random", TRAINED),
    *(f"openspiel:{search}" for search in FEWER),
)
SEED = 1
"""All players meet the same secrets and coins; none of them could know the seed."""


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
    parser.add_argument("--brief", type=Path, default=BRIEF, help="where they are kept in brief")
    return parser.parse_args()


def keep_report(chosen: argparse.Namespace, player: str, name: str) -> None:
    """Measure a player at a game, unless the folder has its report, and keep it in brief."""
    rounds = max(1, int(chosen.rounds / FEWER.get(player.partition(":")[2], 1)))
    file = chosen.folder / f"{re.sub(r'[^a-z0-9]+', '-', player)}.{name}.{rounds}.json"
    if not file.exists():
        began = time.perf_counter()
        replace_text(file, json.dumps(measured_report(chosen, player, name, rounds)) + "\n")
        took = time.perf_counter() - began
        print(f"{player} at {name}: {took:.0f} s", file=sys.stderr, flush=True)
    brief = in_brief(read(file.read_text(encoding="utf-8")))
    replace_text(chosen.brief / file.name, json.dumps(brief) + "\n")


def measured_report(chosen: argparse.Namespace, player: str, name: str, rounds: int) -> Json:
    """The report of a measurement."""
    if player != TRAINED:
        return measure(player, name, rounds=rounds, seed=SEED, workers=chosen.workers).to_json()
    sys.path.insert(0, str(TRAINING))
    from linear_policy import read as read_agent
    from trained import Agent

    file = chosen.folder / "agent.npz"
    if not file.exists():
        subprocess.run([sys.executable, str(TRAINING / "self_play.py"), str(file)], check=True)
    agent = Agent(read_agent(str(file)))
    return measure(agent, name, rounds=rounds, seed=SEED, name=TRAINED).to_json()


def main() -> None:
    """Measure what is missing."""
    chosen = options()
    for folder in (chosen.folder, chosen.brief):
        folder.mkdir(parents=True, exist_ok=True)
    for player in chosen.players:
        for name in chosen.only:
            keep_report(chosen, player, name)


if __name__ == "__main__":
    main()
