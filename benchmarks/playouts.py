"""Random playouts a second, compared with OpenSpiel's python_kuhn_poker in the same run.

Both sides do the same work: list the legal moves, choose one and play it, until the game ends.
The sides alternate in rounds and medians are compared, so that a busy machine slows both.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from importlib import import_module
from random import Random
from statistics import median

from strongroom.contract import CHANCE, Game
from strongroom.plugins.registry import GAMES, load

ROUNDS = 5
SECONDS = 0.5
WANTED = 3.0

Playout = Callable[[Random], int]
"""Plays one game to the end, and returns the number of moves."""


def ours(game: Game) -> Playout:
    def playout(rng: Random) -> int:
        state = game.start()
        moves = 0
        while state.outcome is None:
            if state.actor is CHANCE:
                move = rng.choices(state.moves, state.odds)[0]
            else:
                move = rng.choice(state.moves)
            state = state.play(move)
            moves += 1
        return moves

    return playout


def kuhn_poker() -> Playout:
    try:
        pyspiel = import_module("pyspiel")
        import_module("open_spiel.python.games.kuhn_poker")  # registers the game
    except ImportError:
        sys.exit("This benchmark needs OpenSpiel: pip install 'strongroom[bench]'")
    game = pyspiel.load_game("python_kuhn_poker")

    def playout(rng: Random) -> int:
        state = game.new_initial_state()
        moves = 0
        while not state.is_terminal():
            if state.is_chance_node():
                actions, odds = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(rng.choices(actions, odds)[0])
            else:
                state.apply_action(rng.choice(state.legal_actions()))
            moves += 1
        return moves

    return playout


def moves_a_second(playout: Playout, rng: Random) -> float:
    moves, start = 0, time.perf_counter()
    while (spent := time.perf_counter() - start) < SECONDS:
        moves += playout(rng)
    return moves / spent


def main() -> None:
    peer = kuhn_poker()
    tables = {name: ours(load(name)) for name in GAMES}
    for playout in (peer, *tables.values()):
        playout(Random(0))  # fill the caches before anything is timed
    print(f"{'game':<18}{'moves/s':>12}{'kuhn poker':>12}{'ratio':>8}")
    for name, playout in tables.items():
        rng = Random(0)
        rounds = [(moves_a_second(playout, rng), moves_a_second(peer, rng)) for _ in range(ROUNDS)]
        mine, theirs = (median(side) for side in zip(*rounds, strict=True))
        ratio = median(one / other for one, other in rounds)
        mark = "" if ratio >= WANTED else f"  below {WANTED:g}"
        print(f"{name:<18}{mine:>12,.0f}{theirs:>12,.0f}{ratio:>8.2f}{mark}")


if __name__ == "__main__":
    main()
