"""Moves a second through an engine in Python, beside the same bot in this process."""

from __future__ import annotations

import shlex
import statistics
import subprocess
import sys
import time
from pathlib import Path
from random import Random

from strongroom.contract import Game, Seat
from strongroom.minds.engine import POOL
from strongroom.players import player
from strongroom.plugins.registry import GAMES, find_entry, load
from strongroom.referee.match import Match
from strongroom.referee.randomness import draws, nonces
from strongroom.referee.table import Table

BOT = Path(__file__).parents[1] / "examples" / "engines" / "random_bot.py"
ENGINE = f"engine:{shlex.join([sys.executable, str(BOT)])}"
MATCHES = 60
STARTS = 15


def moves_a_second(name: str, game: Game) -> float:
    """How many moves two players of this name make in a second."""
    moves, begin = 0, time.perf_counter()
    for number in range(MATCHES):
        rng = Random(number)
        seated = {seat: player(name, game, rng) for seat in Seat}
        match = Match.start(game, turn_limit=100, draw=draws(number), nonce=nonces(number))
        moves += len(Table(match, seated).run().record.steps)
    return moves / (time.perf_counter() - begin)


def start() -> float:
    """How many milliseconds an engine takes until it has said hello, with its guard."""
    begin = time.perf_counter()
    process = find_entry("player", ENGINE).start()
    took = time.perf_counter() - begin
    process.kill()
    return 1000 * took


def bare_start() -> float:
    """How many milliseconds an interpreter takes from start to end."""
    begin = time.perf_counter()
    subprocess.run([sys.executable, "-c", "pass"], check=True)
    return 1000 * (time.perf_counter() - begin)


def main() -> None:
    print(f"{'moves a second':20} {'engine':>9} {'in process':>11} {'ratio':>7}")
    for name in GAMES:
        game = load(name)
        moves_a_second(ENGINE, game)  # starts it
        engine, here = moves_a_second(ENGINE, game), moves_a_second("random", game)
        print(f"{game.title:20} {engine:9.0f} {here:11.0f} {here / engine:7.1f}")
    POOL.close()
    hello = statistics.median(start() for _ in range(STARTS))
    bare = statistics.median(bare_start() for _ in range(STARTS))
    print(f"Until hello: {hello:.0f} ms; a bare interpreter takes {bare:.0f} ms.")


if __name__ == "__main__":
    main()
