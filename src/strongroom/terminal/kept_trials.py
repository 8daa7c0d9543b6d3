"""The finished games of a measurement that is still running, so that an interruption loses none."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
from collections.abc import Callable
from typing import Any, Self, TypeVar

from strongroom.contract import Json, Refusal
from strongroom.measuring.protocol import Protocol, Spent, Trial
from strongroom.terminal import files
from strongroom.terminal.store import CannotSave, folder
from strongroom.version import __version__

T = TypeVar("T")


class KeptTrials:
    """A private file with a line for each finished game of one measurement."""

    def __init__(self, protocol: Protocol) -> None:
        self._protocol = protocol
        games = [[game.name, game.options.to_json()] for game in protocol.games]
        asked = json.dumps([__version__, protocol.to_json(), games], sort_keys=True)
        digest = hashlib.sha256(asked.encode()).hexdigest()[:16]
        self.file = folder().parent / "measurements" / f"{digest}.jsonl"
        self._handle = -1

    def __enter__(self) -> Self:
        try:
            files.make_folders(self.file.parent)
            self._handle = files.open_plain(self.file, os.O_RDWR | os.O_CREAT | os.O_APPEND)
            free = files.lock(self._handle)
        except OSError as error:
            raise CannotSave(f"Cannot keep the games in {self.file}: {error.strerror}.") from None
        if not free:
            raise Refusal("The same measurement is already running.", "Wait for it, or stop it.")
        files.make_private(self._handle)
        return self

    def __exit__(self, *_: object) -> None:
        os.close(self._handle)

    def trials(self) -> list[Trial]:
        """The games kept so far; a line that was cut short is played again."""
        games = {game.name: game for game in self._protocol.games}
        return self._read(
            lambda data: Trial.from_json(data, games[data["game"]], self._protocol.seed)
        )

    def spent(self) -> Spent:
        """What was spent so far, also on games that were broken off."""
        told = self._read(lambda data: Spent.from_json(data["spent"]))
        return max([*told, self._finished()], key=lambda spent: spent.tokens or 0)

    def _finished(self) -> Spent:
        return sum((trial.spent for trial in self.trials()), Spent())

    def _read(self, meant: Callable[[Any], T]) -> list[T]:
        """What the lines mean that mean something."""
        found: list[T] = []
        with open(self.file, encoding="utf-8", errors="replace") as opened:
            for line in opened:
                with contextlib.suppress(ValueError, RecursionError, TypeError, KeyError):
                    found.append(meant(json.loads(line)))
        return found

    def add(self, trial: Trial) -> None:
        """Keep a finished game."""
        self._write({"game": trial.fixture.game.name} | trial.to_json())

    def add_spent(self, tokens: int, money: float) -> None:
        """Keep what was spent so far, also on games that were broken off."""
        self._write({"spent": Spent(tokens=tokens, money=money).to_json()})

    def _write(self, told: Json) -> None:
        # A newline in front ends a line that was cut short.
        data = f"\n{json.dumps(told)}\n".encode()
        while data:
            data = data[os.write(self._handle, data) :]

    def drop(self) -> None:
        """Remove the file, once the report is written."""
        self.file.unlink(missing_ok=True)
