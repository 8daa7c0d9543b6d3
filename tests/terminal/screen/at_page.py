"""The command at a page in this process: keys in, rows that must fit out, no terminal between.

The command runs in a thread of its own, and only while the test waits for it."""

from __future__ import annotations

import os
import re
import sys
from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from io import TextIOWrapper
from itertools import count
from pathlib import Path
from queue import SimpleQueue
from tempfile import TemporaryFile
from threading import Thread
from types import SimpleNamespace
from typing import Any

import pytest
from rich.text import Text

from strongroom.terminal.faces import page
from strongroom.terminal.lines import EventSource, InputEnded
from strongroom.terminal.main import main
from strongroom.terminal.printing import spell
from strongroom.terminal.screen import display
from strongroom.terminal.screen.display import Display
from strongroom.terminal.screen.keys import Click, Key, Keys, Pressed, Sent, target_at
from tests.terminal.whole_games import Typing


class Paper(Display):
    """Keeps the last page as text, and checks that every page fits."""

    swapped = False

    def __init__(
        self,
        *lines: str,
        size: tuple[int, int] = (80, 24),
        unicode: bool = True,
        mouse: bool = True,
    ) -> None:
        self.unicode = unicode
        self._pressed = deque()
        self.private = False
        self.page = ""
        self.pages: list[str] = []
        self.cursor: tuple[int, int] | None = None
        self._size = size
        self._to_press: list[Pressed] = [key for line in lines for key in [*line, Key.ENTER]]

    def press(self, keys: Iterable[Pressed]) -> None:
        self._to_press += keys

    @property
    def size(self) -> tuple[int, int]:
        return self._size

    def draw(
        self, rows: Sequence[Text], cursor: tuple[int, int] | None = None, whole: bool = False
    ) -> None:
        columns, height = self._size
        assert len(rows) <= height
        assert max(row.cell_len for row in rows) <= columns, "a row is cut off"
        if cursor is not None:
            assert 0 <= cursor[0] < columns
            assert 0 <= cursor[1] < height
        self.cursor = cursor
        self.page = "\n".join(spell(row.plain.rstrip(), self.unicode) for row in rows)
        self.pages.append(self.page)

    def key(
        self, timeout: float | None = None, beside: EventSource | None = None
    ) -> Pressed | None:
        if not self._to_press:
            raise InputEnded
        return self._to_press.pop(0)

    def stale(self, timeout: float) -> bool:
        return False

    def forget_typed(self) -> None:
        """Nothing to forget: keys are pressed at the right moment here."""


LAST_PAGE = "q leave"

INTERRUPT, HANG_UP = object(), object()
"""Ctrl-C, and the end of the terminal."""


class Stream(TextIOWrapper):
    """A standard stream with a file descriptor, which may pass for a terminal."""

    def __init__(self, content: bytes = b"", is_terminal: bool = False) -> None:
        self._file = TemporaryFile()  # noqa: SIM115  # closed with it
        self._file.write(content)
        self._file.seek(0)
        super().__init__(self._file, "utf-8", newline="\n")
        self._is_terminal = is_terminal

    def isatty(self) -> bool:
        return self._is_terminal

    @property
    def content(self) -> bytes:
        self.seek(0)
        return self._file.read()


def in_place_of_a_process(
    environment: Mapping[str, str], folder: Path, *streams: Stream
) -> pytest.MonkeyPatch:
    """Give this process the variables, the folder and the standard streams of another."""
    patch = pytest.MonkeyPatch()
    for name, stream in zip(("stdin", "stdout", "stderr"), streams, strict=True):
        patch.setattr(sys, name, stream)
    for variable in os.environ.keys() - environment.keys():
        patch.delenv(variable)
    for variable, value in environment.items():
        patch.setenv(variable, value)
    patch.chdir(folder)
    return patch


class LivePaper(Paper):
    """Paper whose reader presses keys when the command waits for them."""

    def __init__(self, size: tuple[int, int]) -> None:
        super().__init__(size=size)
        self.rows: Sequence[Text] = ()
        self.drawn: list[object] = []
        """Everything that decides which bytes a terminal would get, page by page."""
        self.mouse = True
        self.sent: SimpleQueue[list[Any]] = SimpleQueue()
        self.waits: SimpleQueue[bool] = SimpleQueue()
        self.failures: list[BaseException] = []
        self._pending: list[Any] = []

    def __enter__(self) -> LivePaper:
        return self

    def __exit__(self, *_: object) -> None:
        """Nothing to restore."""

    def draw(
        self, rows: Sequence[Text], cursor: tuple[int, int] | None = None, whole: bool = False
    ) -> None:
        self.rows = rows
        looks = [(row.plain, str(row.style), [*row.spans]) for row in rows]
        self.drawn.append((looks, cursor, whole, self.swapped))
        try:
            super().draw(rows, cursor, whole)
        except AssertionError as failure:  # the command would report it as a bug of its own
            self.failures.append(failure)
            raise

    def key(
        self, timeout: float | None = None, beside: EventSource | None = None
    ) -> Pressed | None:
        while True:
            if not self._pending:
                self.waits.put(True)
                self._pending = self.sent.get()
                continue
            key: Sent | object = self._pending.pop(0)
            if key is INTERRUPT:
                raise KeyboardInterrupt
            if key is HANG_UP:
                raise InputEnded
            if not isinstance(key, Click):
                return key  # type: ignore[return-value]
            if self.mouse and key.row < len(self.rows):
                target = target_at(self.rows[key.row], key.column)
                if target is not None:
                    return target

    def forget_typed(self) -> None:
        self._pending.clear()


class AtPage(Typing):
    """Somebody at a page: what is on it, and what is pressed there."""

    def __init__(
        self,
        arguments: Sequence[str],
        environment: Mapping[str, str],
        folder: Path,
        size: tuple[int, int],
    ) -> None:
        self.paper = LivePaper(size)
        self._seen = 0
        self._code: int | None = None
        self._in, self._out = Stream(is_terminal=True), Stream(is_terminal=True)
        streams = (self._in, self._out, self._out)
        self._patch = in_place_of_a_process(environment, folder, *streams)
        self._patch.setattr(os, "get_terminal_size", lambda *_: os.terminal_size(size))
        self._patch.setattr(page, "time", SimpleNamespace(monotonic=count(step=0.1).__next__))
        self._patch.setattr(page, "Display", self._display)
        self._patch.setattr(display, "Display", self._display)
        self._thread = Thread(target=self._run, args=[[*arguments]])
        self._thread.start()
        self._until_it_waits()

    def _display(self, mouse: bool = True) -> LivePaper:
        self.paper.mouse = mouse
        self.paper.private = False
        return self.paper

    def _run(self, arguments: list[str]) -> None:
        try:
            self._code = main(arguments)
        except BaseException as failure:  # raised again where the test waits
            self.paper.failures.append(failure)
        finally:
            self.paper.waits.put(False)

    def _until_it_waits(self) -> None:
        if not self.paper.waits.get():
            self._thread.join()
            self._patch.undo()
        if self.paper.failures:
            raise self.paper.failures[0]

    def _send(self, keys: list[Any]) -> None:
        assert self._thread.is_alive(), f"the command has ended: {self.printed}"
        self._seen = len(self.paper.pages)
        self.paper.sent.put(keys)
        self._until_it_waits()

    def presses(self, keys: str, *told: str, code: int | None = None) -> None:
        """Press keys, as a terminal sends them, and see what is told then, or the exit code."""
        pressed = Keys()
        self._send([*pressed.read(keys.encode()), *pressed.give_up()])
        self.sees(*told)
        assert code in (None, self._code), f"it goes on:\n{self.shown}"

    def types(self, *lines: str, code: int | None = None) -> None:
        for line in lines:
            self._send([*line, Key.ENTER])
        assert code in (None, self._code), f"it goes on:\n{self.shown}"

    def interrupts(self) -> None:
        self._send([INTERRUPT])

    def clicks(self, pattern: str, *told: str) -> None:
        """Click on the group of a pattern that is shown, or on its first character."""
        found = self.shows(pattern)
        before = self.shown[: found.start(found.re.groups)]
        self._send([Click(len(before.rpartition("\n")[2]), before.count("\n"))])
        self.sees(*told)

    def resigns(self, prompt: str) -> None:
        self.answers(prompt, "resign")
        self.answers("Resign? (yes/no):", "yes", LAST_PAGE)

    def leaves(self) -> int:
        """Hang up if the command still runs; its exit code."""
        while self._thread.is_alive():
            self._send([HANG_UP])
        return self.code

    def close(self) -> None:
        try:
            self.leaves()
        finally:
            self._in.close()
            self._out.close()

    def sees(self, *texts: str) -> None:
        """Check that each text has been shown since the last key."""
        passed = "\n".join([*self.paper.pages[self._seen :], self.shown])
        for text in texts:
            assert text.rstrip() in passed, f"{text!r} is not on the page:\n{self.shown}"

    def shows(self, pattern: str) -> re.Match[str]:
        found = re.search(pattern, self.shown)
        assert found, f"{pattern!r} is not on the page:\n{self.shown}"
        return found

    @property
    def shown(self) -> str:
        """The page as it is now, or what is left in the shell."""
        return self.paper.page if self._thread.is_alive() else self.printed

    @property
    def pages(self) -> str:
        return "\n".join(self.paper.pages)

    @property
    def plainly(self) -> str:
        """The page in one line, without frames."""
        return " ".join(re.sub("[│╭╮╰╯─]", " ", self.shown).split())

    @property
    def printed(self) -> str:
        return self._out.content.decode()

    @property
    def code(self) -> int:
        assert self._code is not None, f"it goes on:\n{self.shown}"
        return self._code
