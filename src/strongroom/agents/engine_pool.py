"""The engines' processes, kept from game to game; idle ones are used again."""

from __future__ import annotations

import atexit
import os
import threading
import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import count
from time import monotonic
from typing import Final

from strongroom.agents.engine_process import GRACE, EngineProcess
from strongroom.contract import Json

MOST: Final = 8
"""How many processes one engine has here at most; further games take them in turns."""

Start = Callable[[], EngineProcess]
"""Starts an engine, and greets it."""


@dataclass(eq=False)
class Running:
    """A process, and the game that it plays."""

    process: EngineProcess | None = None
    """None while it is started."""
    game: weakref.ref[object] | None = None
    """Who is told about the game that it plays; dead, if nobody is any more."""
    is_busy: bool = True
    used: int = 0
    """When it was used last, in uses of the pool."""

    @property
    def is_idle(self) -> bool:
        """Whether it plays no game."""
        return not self.is_busy and (self.game is None or self.game() is None)


class Pool:
    """Processes by engine; a game has one until it is over, or until others need it more."""

    def __init__(self, most: int = MOST) -> None:
        self._most = most
        self._running: dict[object, list[Running]] = {}
        self._changed = threading.Condition()
        self._uses = count(1)

    @contextmanager
    def lent(
        self, engine: object, player: object, start: Start
    ) -> Iterator[tuple[EngineProcess, bool]]:
        """A process for a player's game, and whether it has to be told of the game first.

        The process is ended if what is done with it fails.
        """
        running, is_new = self._taken(engine, player)
        try:
            if running.process is None:
                running.process = start()
            yield running.process, is_new
        except BaseException:
            with self._changed:
                if running in (those := self._running.get(engine, [])):
                    those.remove(running)
                self._changed.notify_all()
            if running.process is not None:
                running.process.kill()
            raise
        with self._changed:
            running.game, running.is_busy = weakref.ref(player), False
            self._changed.notify_all()

    def leave(self, engine: object, player: object, message: Json | None = None) -> None:
        """Let a player's process go, if it has one, with a last message."""
        with self._changed:  # so that nobody else takes it before it has the message
            running = self._own(engine, player)
            if running is None or running.is_busy or running.process is None:
                return
            if message is not None:
                running.process.tell(message)
            running.game = None
            self._changed.notify_all()

    def close(self, engine: object | None = None) -> None:
        """End all processes, or one engine's; those that are not thinking have a moment for it."""
        with self._changed:
            engines = [*self._running] if engine is None else [engine]
            found = [each for key in engines for each in self._running.pop(key, [])]
        for each in found:
            if each.process is not None:
                each.process.cut() if each.is_busy else each.process.say_goodbye()
        until = monotonic() + GRACE
        for each in found:
            if each.process is not None and not each.is_busy:
                each.process.close(max(0.0, until - monotonic()))

    def forget(self) -> None:
        """Start empty in a process that was forked; the processes are the parent's."""
        self._running, self._changed = {}, threading.Condition()

    def _own(self, engine: object, player: object) -> Running | None:
        return next((each for each in self._running.get(engine, ()) if _is_of(each, player)), None)

    def _taken(self, engine: object, player: object) -> tuple[Running, bool]:
        """The process to use, marked as busy, and whether it did not play this game before."""
        with self._changed:
            while (taken := self._own(engine, player) or self._other(engine)) is None:
                self._changed.wait()
            is_new = not _is_of(taken, player)
            if is_new:
                taken.game = None
            taken.is_busy, taken.used = True, next(self._uses)
            return taken, is_new

    def _other(self, engine: object) -> Running | None:
        """An idle process, a new one, or the one whose game has waited longest for a move."""
        those = self._running.setdefault(engine, [])
        free = [each for each in those if not each.is_busy]
        if idle := next((each for each in free if each.is_idle), None):
            return idle
        if len(those) < self._most:
            those.append(new := Running())
            return new
        return min(free, key=lambda each: each.used, default=None)


def _is_of(running: Running, player: object) -> bool:
    return running.game is not None and running.game() is player


POOL: Final = Pool()
"""The processes of all engines."""
atexit.register(POOL.close)
os.register_at_fork(after_in_child=POOL.forget)
