"""What a move costs the server besides sockets and disk: to understand it, and to tell both of it.

    python benchmarks/table.py

Processor time, the best of several rounds, because others use the processor too. The games are
those of `benchmarks/server.py`, and so are the moves.
"""

from __future__ import annotations

import gc
import time
from collections.abc import Iterator

import orjson
from server import GUESSES, SETTINGS

from strongroom import tokens
from strongroom.coins import fresh_seed
from strongroom.contract import Seat
from strongroom.server.deal import Chair, Deal, played
from strongroom.server.messages import Moves, parse
from strongroom.server.store import Kept
from strongroom.server.table import Table

ROUNDS = 12
MOVES = 60
"""In a match, about as many as people make."""


def table(game: str) -> Table:
    """A table at which two people sit."""
    one, two = (Chair(seat, f"{seat}", seed=tokens.fresh()) for seat in Seat)
    kept = Kept(
        id=tokens.fresh(),
        deal=Deal(played(game)),
        server_seed=fresh_seed(),
        created=0.0,
        chairs=(one, two),
        started=0.0,
    )
    return Table(kept)


def costs(game: str, words: bool) -> Iterator[tuple[float, float, int]]:
    """Of each move of a match how long it took to understand and to tell, and the bytes told."""
    at = table(game)
    while at.number < MOVES:
        seat = at.actor
        assert isinstance(seat, Seat)
        text = SETTINGS[game][seat.index] if at.number < 2 else GUESSES[game]
        sent = {"type": "move", "id": tokens.fresh(), "number": at.number + 1, "move": text}
        frame = orjson.dumps(sent).decode()
        begin = time.process_time()
        asked = parse(frame)
        assert isinstance(asked, Moves)
        at.advance(at.moved(seat, asked, time.time()))
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
