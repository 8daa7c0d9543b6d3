"""Runs of many games: what is finished is kept, what models spend is counted, what comes of it."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import sys
from argparse import Namespace
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any, Final, Generic, Self, TypeVar

from strongroom.contract import Json, Refusal
from strongroom.contract.codec import from_json, to_json
from strongroom.measuring.protocol import Spent
from strongroom.minds.allowance import Allowance, Bill, Budget, Prices
from strongroom.players import Stops
from strongroom.plugins.registry import find_entry
from strongroom.terminal.contests import is_model, model_settings
from strongroom.terminal.exits import FAILED, INPUT_ENDED, INTERRUPTED, Ended, Stopped, stoppable
from strongroom.terminal.lines import confirms, is_typed
from strongroom.terminal.printing import file_label
from strongroom.terminal.store import files
from strongroom.terminal.store.files import CannotSave, check_output, games_folder, write_output
from strongroom.text.quoting import harmless
from strongroom.version import __version__

if TYPE_CHECKING:
    from strongroom.measuring.forecast import Forecast
    from strongroom.minds.model import ModelSeats

PRICE: Final = "STRONGROOM_PRICE"
"""The environment variable with the prices, where --price is not given."""

T = TypeVar("T")
R = TypeVar("R")
First = TypeVar("First", int, str)


class RunJournal(Generic[T]):
    """A private file with a line for each finished game of one run.

    `kind` says what is run, and `asked` what makes it this run and no other; `write` gives the JSON
    data of a game, and `read` the game. What is kept can be something else, a `unit`.
    """

    def __init__(
        self,
        kind: str,
        asked: Json,
        write: Callable[[T], Json],
        read: Callable[[Json], T],
        unit: str = "game",
    ) -> None:
        self._kind, self._write, self._read, self._unit = kind, write, read, unit
        text = json.dumps([__version__, asked], sort_keys=True)
        digest = hashlib.sha256(text.encode()).hexdigest()[:16]
        self.file = games_folder().parent / f"{kind}s" / f"{digest}.jsonl"
        self._handle = -1
        self.beside: Callable[[], Json] | None = None
        """What is kept beside each game, so that nobody who kills the run loses it."""

    def __enter__(self) -> Self:
        try:
            files.make_folders(self.file.parent)
            self._handle = files.open_plain(self.file, os.O_RDWR | os.O_CREAT | os.O_APPEND)
            free = files.lock(self._handle)
        except OSError as error:
            raise self._cannot_keep(error) from None
        if not free:
            raise Refusal(f"The same {self._kind} is already running.", "Wait for it, or stop it.")
        files.make_private(self._handle)
        return self

    def __exit__(self, *_: object) -> None:
        os.close(self._handle)

    def games(self) -> list[T]:
        """The games kept so far; a line that was cut short is played again."""
        return self.lines(self._read)

    def lines(self, read: Callable[[Json], R]) -> list[R]:
        """What the lines are read as, apart from those that are something else."""
        found: list[R] = []
        with open(self.file, encoding="utf-8", errors="replace") as opened:
            for line in opened:
                with contextlib.suppress(Exception):  # whatever somebody made of it
                    found.append(read(json.loads(line)))
        return found

    def earlier_games(self) -> list[T]:
        """The games kept by an earlier run, which is told to the user."""
        before = self.games()
        if before:
            count = count_text(len(before), self._unit)
            print(f"Going on after {count}, kept in {file_label(self.file)}.", file=sys.stderr)
        return before

    def add(self, game: T) -> None:
        """Keep a finished game."""
        self.add_line(self._write(game))
        if self.beside is not None:
            self.add_line(self.beside())

    def add_line(self, told: Json) -> None:
        """Keep something else about the run."""
        # A newline in front ends a line that was cut short.
        data = f"\n{json.dumps(told)}\n".encode()
        try:
            while data:
                data = data[os.write(self._handle, data) :]
        except OSError as error:
            raise self._cannot_keep(error) from None

    def keep_first(self, name: str, value: First) -> First:
        """What was kept under a name when this run began, which is this value if it begins now."""
        for found in self.lines(lambda data: data[name]):
            if isinstance(found, type(value)):
                return found
        self.add_line({name: value})
        return value

    def _cannot_keep(self, error: OSError) -> CannotSave:
        return CannotSave(f"Cannot keep the games in {file_label(self.file)}: {error.strerror}.")

    @contextlib.contextmanager
    def breaking_off(self) -> Iterator[None]:
        """Let a signal or a player who stops end the command, and tell how to go on."""
        why = "\n"
        try:
            with stoppable():
                yield
            return
        except KeyboardInterrupt:
            code = INTERRUPTED
        except Stopped as stopped:
            code = stopped.code
        except Stops as stops:
            code, why = FAILED, f"strongroom: {harmless(str(stops), 1000)} "
        kept = count_text(len(self.games()), self._unit)
        with contextlib.suppress(OSError):  # the terminal may be gone
            print(f"{why}{kept} kept; the same command goes on from there.", file=sys.stderr)
        raise Ended(code)

    def drop(self) -> None:
        """Remove the file, once the results are written."""
        self.file.unlink(missing_ok=True)


def count_text(count: int, unit: str = "game") -> str:
    """A number of games, or of something else, in words.

    >>> count_text(1), count_text(20)
    ('1 game', '20 games')
    """
    return f"{count} {unit}{'s' if count != 1 else ''}"


class Models:
    """The players of a run who are models, and what they may spend together."""

    def __init__(self, players: Iterable[str], chosen: Namespace) -> None:
        prices = chosen.price or os.environ.get(PRICE)
        budget = Budget.read(chosen.budget) if chosen.budget is not None else None
        self._allowance = Allowance(Prices.read(prices) if prices else None, budget)
        self._begins_at_once: bool = chosen.yes
        told = {"concurrency": chosen.parallel, "timeout": chosen.timeout}
        set_here = {name: value for name, value in told.items() if value is not None}
        self.settings = model_settings(chosen)
        """How they are asked."""
        self.seats: dict[str, ModelSeats] = {
            name: replace(
                find_entry("player", name),
                allowance=self._allowance,
                settings=self.settings,
                announce=announce_once(),
                **set_here,
            )
            for name in players
            if is_model(name)
        }
        """What seats each of them, by name."""

    @contextlib.contextmanager
    def spending(
        self,
        kept: RunJournal[Any],
        earlier: Iterable[Spent],
        forecast: Callable[[], Forecast] | None,
    ) -> Iterator[None]:
        """Let a run go on to the end of the block, or break off, within what it may spend.

        Of a run that was broken off, what it had spent counts, at least what its `earlier` games
        took. With a forecast, a person is asked whether to begin.
        """
        allowance = self._allowance
        told = kept.lines(lambda data: from_json(dict[str, Bill], data["spent"]))
        if len(self.seats) == 1:
            (seats,) = self.seats.values()
            told.append({seats.player: _bill_of(earlier)})
        allowance.bills = max(told, key=_tokens, default={})
        if self.seats:
            date = kept.keep_first("date", next(iter(self.seats.values())).date)
            self.seats |= {name: replace(each, date=date) for name, each in self.seats.items()}
            kept.beside = lambda: {"spent": to_json(allowance.bills)}
        if self.seats and forecast is not None:
            self._confirm(forecast())
        try:
            with kept.breaking_off():
                yield
        except Ended:
            if allowance.bills:  # also for games that are not finished
                kept.add_line({"spent": to_json(allowance.bills)})
            raise

    def _confirm(self, forecast: Forecast) -> None:
        """Tell what the run will take, and end it if a person who can answer does not want that."""
        print(forecast.sentence(self._allowance.prices), file=sys.stderr, flush=True)
        if self._begins_at_once or not (is_typed() and sys.stdout.isatty()):
            return
        if not confirms("Begin? (yes/no): "):
            raise Ended(INPUT_ENDED)


def announce_once() -> Callable[[str], None]:
    """Prints the first sentence that it is told."""
    lock, told = Lock(), list[str]()

    def announce(sentence: str) -> None:
        with lock:
            told.append(sentence)
            if len(told) == 1:
                print(harmless(sentence, 400), file=sys.stderr, flush=True)

    return announce


def _tokens(bills: Mapping[str, Bill]) -> int:
    """How many tokens players took together."""
    return sum(each.tokens for each in bills.values())


def _bill_of(games: Iterable[Spent]) -> Bill:
    """What finished games took, as far as they tell it."""
    spent = sum(games, Spent())
    return Bill(
        tokens_in=spent.tokens_in or 0,
        cached_tokens=spent.cached_tokens or 0,
        tokens_out=spent.tokens_out or 0,
        reasoning_tokens=spent.reasoning_tokens or 0,
        money=spent.money or 0.0,
        seconds=spent.seconds,
    )


class Outputs(Generic[T]):
    """The files that a result is written to."""

    def __init__(self, *wanted: tuple[str | None, str, Callable[[T], str]]) -> None:
        """For each file, how it begins and its text; a refusal if it could not be written."""
        self._texts = [(file, text) for file, _, text in wanted if file]
        for file, begins, _ in wanted:
            if file:
                check_output(file, begins)
        if len({Path(file).expanduser().resolve() for file, _ in self._texts}) < len(self._texts):
            raise Refusal("Two results cannot be the same file.", "Name two files.")

    def write(self, result: T) -> None:
        """Write the files."""
        for file, text in self._texts:
            write_output(file, text(result))

    def announce(self) -> None:
        """Print which files were written."""
        for file, _ in self._texts:
            print(f"Written: {file_label(file)}")


def json_line(result: Any) -> str:
    """The text of a JSON file."""
    return json.dumps(result.to_json()) + "\n"
