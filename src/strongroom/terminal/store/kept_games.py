"""The finished games of a run that is still going on, so that an interruption loses none."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import sys
from collections.abc import Callable, Iterator
from typing import Generic, Self, TypeVar

from strongroom.contract import Json, Refusal
from strongroom.players import Stops
from strongroom.terminal.exits import FAILED, INTERRUPTED, Stopped, stoppable
from strongroom.terminal.printing import file_label
from strongroom.terminal.store import files
from strongroom.terminal.store.files import CannotSave, games_folder
from strongroom.text.quoting import harmless
from strongroom.version import __version__

T = TypeVar("T")
R = TypeVar("R")


class KeptGames(Generic[T]):
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
        self.code = 0
        """The exit code of a run that was broken off; otherwise 0."""
        self._handle = -1

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

    def add_line(self, told: Json) -> None:
        """Keep something else about the run."""
        # A newline in front ends a line that was cut short.
        data = f"\n{json.dumps(told)}\n".encode()
        try:
            while data:
                data = data[os.write(self._handle, data) :]
        except OSError as error:
            raise self._cannot_keep(error) from None

    def keep_seed(self, seed: int) -> int:
        """The seed that this run drew when it began, which is this one if it begins now."""
        for found in self.lines(lambda data: data["seed"]):
            if type(found) is int:
                return found
        self.add_line({"seed": seed})
        return seed

    def _cannot_keep(self, error: OSError) -> CannotSave:
        return CannotSave(f"Cannot keep the games in {file_label(self.file)}: {error.strerror}.")

    @contextlib.contextmanager
    def breaking_off(self) -> Iterator[None]:
        """Let a signal or a player who stops end the block, and tell how to go on."""
        why = "\n"
        try:
            with stoppable():
                yield
            return
        except KeyboardInterrupt:
            self.code = INTERRUPTED
        except Stopped as stopped:
            self.code = stopped.code
        except Stops as stops:
            self.code, why = FAILED, f"strongroom: {harmless(str(stops), 1000)} "
        kept = count_text(len(self.games()), self._unit)
        with contextlib.suppress(OSError):  # the terminal may be gone
            print(f"{why}{kept} kept; the same command goes on from there.", file=sys.stderr)

    def drop(self) -> None:
        """Remove the file, once the results are written."""
        self.file.unlink(missing_ok=True)


def count_text(count: int, unit: str = "game") -> str:
    """A number of games, or of something else, in words.

    >>> count_text(1), count_text(20)
    ('1 game', '20 games')
    """
    return f"{count} {unit}{'s' if count != 1 else ''}"
