"""The cost of a move early and late in a match, for the referee, the server and a client.

Also the size of a view in a game with half a million moves, the cost of counting those, and the
time it takes to number many legal moves.
"""

from __future__ import annotations

import json
import tempfile
import time
import timeit
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from statistics import median

import orjson

from strongroom import load
from strongroom.contract import NAMES, Seat, View
from strongroom.referee.match import Match
from strongroom.referee.record import Record
from strongroom.referee.wire import PROTOCOL, entry_for
from strongroom.remote.seat import GameInfo, RemoteSeat
from strongroom.server.store import Deal
from strongroom.server.table import Viewing
from strongroom.terminal.store.games import Journal
from strongroom.testing.perft import after

TURNS = 10_000
WINDOW = 500
REPLAYED = 40_000
TOLD = ("digit-deductions", "safe-cracker", "safecracker-duel", "quantum-duel")
"""The games that can be endless."""
TOLD_AT = (60, 980, 10_000)
"""The journal lengths at which the cost of sending a move is measured."""
TOLD_WINDOW = 50


def begun() -> Match:
    """A match that the guess in `turns` never ends."""
    match = Match.start(load("digit-deductions"))
    for seat, code in ((Seat.ONE, "4-7"), (Seat.TWO, "6-5")):
        match = match.step(seat, match.record.game.move(code))
    return match


def turns(match: Match, count: int) -> Iterator[Match]:
    """The match after each of `count` turns."""
    guess = match.record.game.move("1-1")
    for turn in range(count):
        seat = Seat.TWO if turn % 2 else Seat.ONE
        match.view(seat)
        match = match.step(seat, guess)
        yield match


def print_growth(name: str, keep: Callable[[Record], None]) -> None:
    """How long a turn takes, early and late in a match."""
    times, begin = [], time.perf_counter()
    for match in turns(begun(), TURNS):
        keep(match.record)
        now = time.perf_counter()
        times.append((now - begin) * 1e6)
        begin = now
    print_times(name, times)


def print_client() -> None:
    """How long a client takes to process a move's frame, early and late in a match."""
    first = begun()
    game, id = first.record.game, first.record.id
    taken = {"player": "person", "here": True}
    told = {
        "id": id,
        "game": game.name,
        "options": {},
        "state": "playing",
        "claim_after": 120,
        "seats": [{"name": "Ada", **taken}, {"name": "Bob", **taken}],
        "coins": {"hash": "0" * 64, "seeds": [None, None]},
        "score": [0, 0],
    }
    number, view = len(first.record.entries), first.view(Seat.ONE)
    welcome = {"protocol": PROTOCOL, "game": told, "seat": 1, "number": number}
    seat = RemoteSeat(GameInfo.from_json(told))
    seat.welcome({**welcome, "view": view.to_json()})
    times = []
    for match in turns(first, TURNS):
        earlier, view = view, match.view(Seat.ONE)
        entry = entry_for(match.record, match.record.entries[-1], Seat.ONE)
        changes = view.changes_since(earlier)
        text = json.dumps({"number": seat.number + 1, "entries": [entry], "view": changes})
        begin = time.perf_counter()
        seat.entries(json.loads(text))
        times.append((time.perf_counter() - begin) * 1e6)
    print_times("a frame at a client", times)


def print_times(name: str, times: list[float]) -> None:
    """The medians of the first and the last times."""
    early, late = median(times[:WINDOW]), median(times[-WINDOW:])
    print(f"{name:24}{early:10.1f}{late:10.1f}{late / early:8.2f}")


def endless(game: str, random: Random) -> Iterator[Match]:
    """A match of random moves, after each step; moves that would end it are skipped."""
    match = Match.start(load(game), draw=lambda number, moves, odds: moves[-1])  # always tails
    while True:
        actor = match.actor
        assert isinstance(actor, Seat)
        moves = list(match.view(actor).moves)
        random.shuffle(moves)
        match = next(each for each in (match.step(actor, m) for m in moves) if not each.outcome)
        yield match


def print_telling(game: str) -> None:
    """How long it takes to send a move to both players, in values and in words."""
    viewings = {}
    for words in (False, True):
        start = Match.start(load(game), draw=lambda number, moves, odds: moves[-1])
        viewings[words] = Viewing(Deal(start.record.game), NAMES, start)
        for seat in Seat:
            viewings[words].whole((seat, words))
    times: dict[tuple[bool, int], list[float]] = {}
    for match in endless(game, Random(1)):
        number = len(match.record.entries)
        at = next((each for each in TOLD_AT if abs(each - number) <= TOLD_WINDOW), None)
        for words, viewing in viewings.items():
            begin = time.process_time()
            viewing.go_on(match)
            for seat in Seat:
                orjson.dumps(viewing.frame((seat, words)))
            if at is not None:
                times.setdefault((words, at), []).append((time.process_time() - begin) * 1e6)
        if number > TOLD_AT[-1] + TOLD_WINDOW:
            break
    for words in (False, True):
        figures = [median(times[words, at]) for at in TOLD_AT]
        name = f"{game}, {'words' if words else 'values'}"
        columns = "".join(f"{each:10.1f}" for each in figures)
        print(f"{name:26}{columns}{figures[-1] / figures[0]:8.2f}")


def print_counting() -> None:
    """How long it takes to count the codes that a guess leaves of half a million."""
    game, random = load("safe-cracker", digits=9, length=6), Random(1)
    times = []
    for _ in range(10):
        state = game.start()
        for _ in range(2):
            state = state.play(random.choice(state.moves))
        left = game.candidates(Seat.ONE)
        assert left is not None
        for _ in range(10):
            state = state.play(random.choice(state.moves))
            if state.outcome is not None:
                break
            begin = time.process_time()
            left = left.after(state.log[-1])
            assert len(left)
            times.append((time.process_time() - begin) * 1e3)
            state = state.play(game.move("1-1-1-1-1-1"))
            if state.outcome is not None:
                break
    print(f"counting what a guess leaves: {median(times):.2f} ms, at most {max(times):.2f}")


def print_masks() -> None:
    """How long it takes to list Safe Code's clues, their numbers as runs, and their mask."""
    state = after("safe-code", "18", "The number is even.", "It is divisible by 3.")
    actions, figures = state.game.actions, []
    for work in (
        lambda: state.moves,
        lambda: actions.ranges(state.moves),
        lambda: actions.mask(state.moves),
    ):
        figures.append(min(timeit.repeat(work, number=200, repeat=5)) / 200 * 1e6)
    moves, ranges, mask = figures
    print(f"{len(state.moves)} clues: {moves:.1f} us, ranges {ranges:.1f} us, mask {mask:.1f} us")


def print_replay() -> None:
    """How long a long record takes to read, compared with a quarter of it."""
    seconds = []
    for length in (REPLAYED // 4, REPLAYED):
        *_, match = turns(begun(), length)
        text = match.record.dumps()
        begin = time.perf_counter()
        Record.loads(text)
        seconds.append(time.perf_counter() - begin)
    quarter, whole = seconds
    print(f"reading {REPLAYED:,} moves: {whole:.2f} s, {whole / quarter:.1f} times a quarter of it")


def print_views() -> None:
    """The size of a view of the largest game, and the time to encode and decode it."""
    game = load("safe-cracker", digits=9, length=6)
    state = game.start().play(game.move("1-2-3-4-5-6")).play(game.move("6-5-4-3-2-1"))
    times = []
    for _ in range(100):
        begin = time.perf_counter()
        sent = json.dumps(game.words.tell(state.view(Seat.ONE)))
        View.from_json(game, json.loads(sent))
        times.append((time.perf_counter() - begin) * 1e3)
    print(f"a view of {len(state.moves):,} moves: {len(sent):,} bytes, {median(times):.2f} ms")


def main() -> None:
    print(f"{'microseconds a turn':24}{'early':>10}{'late':>10}{'ratio':>8}")
    print_growth("in memory", lambda record: None)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "game.jsonl"
        print_growth("stored on disk", Keeper(file))
    print_client()
    heads = "".join(f"{f'move {at:,}':>10}" for at in TOLD_AT)
    print(f"{'microseconds to tell both':26}{heads}{'ratio':>8}")
    for game in TOLD:
        print_telling(game)
    print_replay()
    print_views()
    print_counting()
    print_masks()


class Keeper:
    """Stores a record in a file that is created at its first step."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._journal: Journal | None = None

    def __call__(self, record: Record) -> None:
        if self._journal is None:
            self._journal = Journal.create(self._file, record)
        self._journal.update(record)


if __name__ == "__main__":
    main()
