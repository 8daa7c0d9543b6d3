"""Finding saved games: what is in each file, and which was played last."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from strongroom.contract import Refusal, Seat, does
from strongroom.plugins.foreign import FAILURES, told
from strongroom.referee.record import Record
from strongroom.terminal.store.folder import CannotSave, played
from strongroom.terminal.store.journal import read
from strongroom.text.quoting import harmless, shown

START = "Start one: strongroom play GAME"


@dataclass(frozen=True)
class Saved:
    """A summary of a saved game; its words reveal nothing hidden."""

    file: Path
    """Where it is."""
    record: Record
    """What was played."""
    standing: str
    """The current state in words, or how it ended."""
    turns: int
    """How many turns were played."""
    seconds: float
    """When it was last played, in seconds since 1970."""

    @property
    def game(self) -> str:
        """The game's title, with the options that are not the default."""
        game = self.record.game
        return " ".join([game.title, *game.options.changed()])

    @property
    def sitters(self) -> str:
        """The players, Seat 1 first."""
        return " and ".join(each.described for each in self.record.sitters)

    @property
    def when(self) -> str:
        """When it was last played, in local time."""
        return time.strftime("%Y-%m-%d %H:%M", time.localtime(self.seconds))

    def to_json(self) -> dict[str, Any]:
        """The summary as JSON data."""
        record = self.record
        return {
            "file": str(self.file),
            "time": self.seconds,
            "game": record.game.name,
            "options": record.game.options.to_json(),
            "names": [each.name for each in record.sitters],
            "players": [each.player for each in record.sitters],
            "turns": self.turns,
            "end": None if record.outcome is None else record.game.outcome_to_json(record.outcome),
        }


def saved_games() -> Iterator[Saved | Refusal]:
    """The game in each file of the folder, last played first, or what is wrong with the file."""
    for file in played():
        try:
            yield look(file)
        except Refusal as trouble:
            yield trouble


def look(file: Path) -> Saved:
    """The game in a file; a failure in another package's code raises a refusal as well."""
    try:
        record = read(file)
        state = record.replay()
        seconds = record.steps[-1].time if record.steps else os.stat(file).st_mtime
        names = {seat: record.sitters[seat.index].name for seat in Seat}
        if record.outcome is not None:
            standing = record.game.words.ending(record.outcome, names)
        elif isinstance(state.actor, Seat):
            standing = does(names[state.actor], "is next", "are next")
        else:
            standing = "not over"
        return Saved(file, record, harmless(standing, 200), state.turns, seconds)
    except Refusal:
        raise
    except FAILURES as failure:
        why = shown(told(failure), 80)
        raise CannotSave(f"Cannot read {shown(str(file), 200)}: {why}.") from failure


def numbered(number: int) -> Path:
    """The file with this number, where 1 was played last."""
    files = played()
    if not 1 <= number <= len(files):
        raise CannotSave(f"There is no saved game {number}.", "List them: strongroom list")
    return files[number - 1]


def latest() -> Path:
    """The game last played."""
    return _latest(lambda record: True, "There are no saved games.")


def latest_finished() -> Path:
    """The finished game that was played last."""
    return _latest(lambda record: record.outcome is not None, "There is no finished game.")


def latest_unfinished() -> Path:
    """The unfinished game that was played last."""
    from strongroom.terminal.store import seats  # other commands need no links

    trouble, advice = "There is no unfinished game to resume.", START
    if online := seats.unfinished():
        trouble = "No unfinished game is saved here."
        advice = f"{online[0].title} on a server goes on with: strongroom join"
    return _latest(lambda record: record.outcome is None, trouble, advice)


def is_latest_unfinished(file: Path) -> bool:
    """Whether `strongroom resume` alone resumes the game in this file."""
    try:
        return os.path.samefile(latest_unfinished(), file)
    except (OSError, Refusal):
        return False


def _latest(wanted: Callable[[Record], bool], trouble: str, advice: str = START) -> Path:
    for file in played():
        try:
            if wanted(read(file)):
                return file
        except Refusal:
            continue
    raise CannotSave(trouble, advice)
