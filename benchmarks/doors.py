"""Random playouts through the frameworks, beside their own Python games and our core.

Everybody does the same work: learn which moves are legal, choose one and play it, until the game
ends. The core is what our own players have: a view, a choice among its moves, the referee's play,
and chance drawn from a seed. Moves are counted of both seats, also in Gymnasium, where a step is
the agent's move and the opponent's reply. Only the processor's time counts; the sides alternate in
rounds and medians are compared, so that a busy machine slows all of them. What is not installed is
left out, and said so.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from importlib import import_module
from random import Random
from statistics import median
from typing import Any

from strongroom.contract import CHANCE, Seat, View
from strongroom.plugins.registry import GAMES, env_id, load
from strongroom.referee.bout import TURN_LIMIT, Bout
from strongroom.referee.randomness import draws

ROUNDS = 7
SECONDS = 0.2
MOST = 2.0
"""How much of the core's time a move through a door may take."""

Playout = Callable[[Random], int]
"""Plays one game to the end, and returns the number of moves."""
Maker = Callable[[str], Playout]
"""Makes what plays a game, given its name."""


def core(name: str) -> Playout:
    game = load(name)

    def playout(rng: Random) -> int:
        moves, draw = 0, draws(rng.getrandbits(32))
        bout = Bout.start(game, TURN_LIMIT).settle(draw)
        while isinstance(seat := bout.actor, Seat):
            bout = bout.play(rng.choice(bout.view(seat).moves)).settle(draw)
            moves += 1
        return moves

    return playout


def in_pettingzoo(table: Any) -> Playout:
    def playout(rng: Random) -> int:
        moves = 0
        table.reset(seed=rng.getrandbits(31))
        for _ in table.agent_iter():
            observation, _, terminated, truncated, _ = table.last()
            if terminated or truncated:
                table.step(None)
                continue
            table.step(rng.choice(observation["action_mask"].view(bool).nonzero()[0]))
            moves += 1
        return moves

    return playout


def in_gymnasium(env: Any) -> Playout:
    every = range(env.action_space.n)

    def playout(rng: Random) -> int:
        moves, ended = 0, False
        _, info = env.reset(seed=rng.getrandbits(31))
        while not ended:
            mask = info.get("action_mask")
            action = rng.choice(every if mask is None else mask.view(bool).nonzero()[0])
            _, _, terminated, truncated, info = env.step(action)
            moves, ended = moves + 1, terminated or truncated
        return moves if "result" not in info else by_players(env.unwrapped.sitting.view)

    return playout


def by_players(view: View) -> int:
    """How many moves were made, without those of chance."""
    return view.number - sum(event.actor is CHANCE for event in view.history)


def in_openspiel(game: Any) -> Playout:
    def playout(rng: Random) -> int:
        moves, state = 0, game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                actions, odds = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(rng.choices(actions, odds)[0])
            else:
                state.apply_action(rng.choice(state.legal_actions()))
                moves += 1
        return moves

    return playout


def pettingzoo() -> tuple[Maker, dict[str, Playout]]:
    door, peers = import_module("strongroom.doors.pettingzoo"), {}
    for peer in ("tictactoe", "connect_four"):
        try:
            theirs = import_module(f"pettingzoo.classic.{peer}.{peer}")
        except ImportError as missing:
            print(f"PettingZoo's {peer} is left out. {missing}")
            continue
        peers[peer] = in_pettingzoo(theirs.env())
        peers[f"{peer} bare"] = in_pettingzoo(theirs.raw_env())
    return lambda name: in_pettingzoo(door.env(name)), peers


def gymnasium() -> tuple[Maker, dict[str, Playout]]:
    library = import_module("gymnasium")
    import_module("strongroom.doors.gymnasium")  # registers the games
    settings = {"disable_env_checker": True}  # it is for trying an environment out
    names = {"blackjack": "Blackjack-v1", "taxi": "Taxi-v4", "frozen lake": "FrozenLake-v1"}
    peers = {name: in_gymnasium(library.make(id_, **settings)) for name, id_ in names.items()}
    made = {**settings, "opponent": "random", "seat": 1}
    return lambda name: in_gymnasium(library.make(env_id(name), **made)), peers


def openspiel() -> tuple[Maker, dict[str, Playout]]:
    library, door = import_module("pyspiel"), import_module("strongroom.doors.openspiel")
    peers = {}
    for peer in ("kuhn_poker", "tic_tac_toe", "liars_poker"):
        import_module(f"open_spiel.python.games.{peer}")  # registers the game
        peers[peer.replace("_", " ")] = in_openspiel(library.load_game(f"python_{peer}"))
    return lambda name: in_openspiel(door.OpenSpielGame(load(name))), peers


DOORS: dict[str, Callable[[], tuple[Maker, dict[str, Playout]]]] = {
    "PettingZoo": pettingzoo,
    "Gymnasium": gymnasium,
    "OpenSpiel": openspiel,
}


def seconds_a_move(playout: Playout, rng: Random) -> float:
    moves, start, end = 0, time.process_time(), time.perf_counter() + SECONDS
    while time.perf_counter() < end:
        moves += playout(rng)
    return (time.process_time() - start) / moves


def compared(sides: list[Playout]) -> Iterator[tuple[float, ...]]:
    """Microseconds a move of every side, a tuple for each round."""
    rng = Random(0)
    for side in sides:
        side(rng)  # fill the caches before anything is timed
    for _ in range(ROUNDS):
        yield tuple(seconds_a_move(side, rng) * 1e6 for side in sides)


def main() -> None:
    for title, opened in DOORS.items():
        try:
            maker, peers = opened()
        except ImportError as missing:
            print(f"{title}: left out. {missing}\n")
            continue
        heads = "".join(f"{name:>19}" for name in peers)
        print(f"{title}, microseconds a move")
        print(f"{'game':<18}{'door':>8}{'core':>8}{'x core':>8}{heads}")
        for name in GAMES:
            rounds = [*compared([maker(name), core(name), *peers.values()])]
            door, ours, *theirs = (median(side) for side in zip(*rounds, strict=True))
            times = median(each[0] / each[1] for each in rounds)
            slower = [peer for peer, spent in zip(peers, theirs, strict=True) if spent < door]
            marks = [f"over {MOST:g}"] * (times > MOST) + [f"behind {peer}" for peer in slower]
            beside = "".join(f"{spent:>19.1f}" for spent in theirs)
            row = f"{name:<18}{door:>8.1f}{ours:>8.1f}{times:>8.2f}{beside}"
            print(f"{row}  {', '.join(marks)}".rstrip())
        print()


if __name__ == "__main__":
    main()
