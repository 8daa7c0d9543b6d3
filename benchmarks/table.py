"""What a move costs the server besides sockets and disk: reading it, and telling both players.

    python benchmarks/table.py

Measured as processor time, the best of several rounds, because the machine may be busy. The games
and moves are those of `benchmarks/server.py`.
"""

from __future__ import annotations

import gc
import time
from collections.abc import Iterator

import orjson
from server import GUESSES, SETTINGS

from strongroom.contract import Seat
from strongroom.referee.randomness import fresh_seed, fresh_token
from strongroom.server.messages import MoveRequest, parse
from strongroom.server.store import Deal, StoredGame, StoredSeat, load_shared
from strongroom.server.table import HostedGame

ROUNDS = 12
MOVES = 60
"""The moves in a match, about as many as in a game between people."""


def table(game: str) -> HostedGame:
    """A table with two people."""
    one, two = (StoredSeat(seat, f"{seat}", seed=fresh_token()) for seat in Seat)
    stored = StoredGame(
        id=fresh_token(),
        deal=Deal(load_shared(game)),
        server_seed=fresh_seed(),
        created=0.0,
        seats=(one, two),
        started=0.0,
    )
    return HostedGame(stored)


def costs(game: str, words: bool) -> Iterator[tuple[float, float, int]]:
    """For each move, the time to read it, the time to tell it, and the bytes sent."""
    at = table(game)
    while at.number < MOVES:
        seat = at.actor
        assert isinstance(seat, Seat)
        text = SETTINGS[game][seat.index] if at.number < 2 else GUESSES[game]
        sent = {"type": "move", "id": fresh_token(), "number": at.number + 1, "move": text}
        frame = orjson.dumps(sent).decode()
        begin = time.process_time()
        asked = parse(frame)
        assert isinstance(asked, MoveRequest)
        at.advance(at.propose_move(seat, asked, time.time()))
        understood = time.process_time()
        told = [orjson.dumps(at.frame((seat, words), time.time())) for seat in Seat]
        yield understood - begin, time.process_time() - understood, sum(map(len, told)) // 2


def main() -> None:
    """Measure, and print a table."""
    gc.disable()  # as the server does
    print(f"{'':24} understood      told    bytes a frame")
    for game in SETTINGS:
        for words in (False, True):
            rounds = [list(zip(*costs(game, words), strict=True)) for _ in range(ROUNDS)]
            heard, told, size = (
                min(sum(each[part]) / MOVES for each in rounds) for part in range(3)
            )
            name = f"{game}{', words' if words else ''}"
            print(f"{name:24} {heard * 1000:7.3f} ms {told * 1000:7.3f} ms {size:9.0f}")


if __name__ == "__main__":
    main()
