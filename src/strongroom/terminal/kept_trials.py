"""The finished games of a measurement that is still running, so that an interruption loses none."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
from typing import Self

from strongroom.contract import Refusal
from strongroom.measuring.protocol import Protocol, Trial
from strongroom.terminal import files
from strongroom.terminal.filenames import named
from strongroom.terminal.store import CannotSave, folder
from strongroom.version import __version__


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
            raise self._cannot_keep(error) from None
        if not free:
            raise Refusal("The same measurement is already running.", "Wait for it, or stop it.")
        files.make_private(self._handle)
        return self

    def __exit__(self, *_: object) -> None:
        os.close(self._handle)

    def trials(self) -> list[Trial]:
        """The games kept so far; a line that was cut short is played again."""
        games = {game.name: game for game in self._protocol.games}
        found: list[Trial] = []
        with open(self.file, encoding="utf-8", errors="replace") as opened:
            for line in opened:
                with contextlib.suppress(ValueError, RecursionError, TypeError, KeyError):
                    data = json.loads(line)
                    game = games[data["game"]]
                    found.append(Trial.from_json(data, game, self._protocol.seed))
        return found

    def add(self, trial: Trial) -> None:
        """Keep a finished game."""
        line = json.dumps({"game": trial.fixture.game.name} | trial.to_json())
        # A newline in front ends a line that was cut short.
        data = f"\n{line}\n".encode()
        try:
            while data:
                data = data[os.write(self._handle, data) :]
        except OSError as error:
            raise self._cannot_keep(error) from None

    def _cannot_keep(self, error: OSError) -> CannotSave:
        return CannotSave(f"Cannot keep the games in {named(self.file)}: {error.strerror}.")

    def drop(self) -> None:
        """Remove the file, once the report is written."""
        self.file.unlink(missing_ok=True)
