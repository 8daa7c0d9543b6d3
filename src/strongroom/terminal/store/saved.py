"""The saved games as people look for them: what is in each file, and which was played last."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from strongroom.contract import Refusal, Seat, does
from strongroom.foreign import FAILURES, told
from strongroom.quoting import harmless, shown
from strongroom.record import Record
from strongroom.terminal.store.folder import CannotSave, played
from strongroom.terminal.store.journal import read

START = "Start one: strongroom play GAME"


@dataclass(frozen=True)
class Saved:
    """A saved game in a few words, none of them hidden from anybody."""

    file: Path
    """Where it is."""
    record: Record
    """What was played."""
    standing: str
    """How it stands, or how it ended."""
    turns: int
    """How many turns were made."""
    seconds: float
    """When it was last played, in seconds since 1970."""

    @property
    def game(self) -> str:
        """What is played, with those options that are not the usual ones."""
        game = self.record.game
        usual = type(game)().options.to_json()
        changed = [f"{k}={v}" for k, v in game.options.to_json().items() if v != usual[k]]
        return " ".join([game.name, *changed])

    @property
    def sitters(self) -> str:
        """Who plays, Seat 1's name first."""
        return " and ".join(each.described for each in self.record.sitters)

    @property
    def when(self) -> str:
        """When it was last played, by the clock on the wall."""
        return time.strftime("%Y-%m-%d %H:%M", time.localtime(self.seconds))

    def to_json(self) -> dict[str, Any]:
        """The same as JSON data."""
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
    """What is in each file of the folder, the one last played first; or what is wrong with it."""
    for file in played():
        try:
            yield look(file)
        except Refusal as trouble:
            yield trouble


def look(file: Path) -> Saved:
    """The game in a file; a refusal also where the code of another package fails at it."""
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
    """The file that has this number where the one last played is 1."""
    files = played()
    if not 1 <= number <= len(files):
        raise CannotSave(f"There is no saved game {number}.", "Those there are: strongroom list")
    return files[number - 1]


def latest() -> Path:
    """The game last played."""
    return _latest(lambda record: True, "There is no saved game.")


def latest_finished() -> Path:
    """The game last played that is over."""
    return _latest(lambda record: record.outcome is not None, "There is no finished game.")


def latest_unfinished() -> Path:
    """The game last played that is not over."""
    trouble = "There is no unfinished game to resume."
    return _latest(lambda record: record.outcome is None, trouble)


def _latest(wanted: Callable[[Record], bool], trouble: str) -> Path:
    for file in played():
        try:
            if wanted(read(file)):
                return file
        except Refusal:
            continue
    raise CannotSave(trouble, START)
