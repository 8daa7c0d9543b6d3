"""Asking a person to choose: what an asker offers, and the one that asks line by line."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol, Self

from strongroom.contract import shown, whole_number
from strongroom.spelling import did_you_mean
from strongroom.terminal.lines import Lines
from strongroom.terminal.signs import fitted

BACK = ("back", "b")
QUIT = ("quit", "q", "exit")
HELP = ("help", "?", "h")
RULES = ("rules", "r")


@dataclass(frozen=True, slots=True)
class Item:
    """Something that can be chosen."""

    value: str
    text: str
    """What it is called."""
    detail: str = ""
    """What it means."""


Page = tuple[str, str]
"""A page's title, and its text in Markdown."""


class GoesBack(Exception):
    """The person wants the question before."""


class WantsNothing(Exception):
    """The person leaves without an answer."""


class Asker(Protocol):
    """Asks a person: on a display, or line by line."""

    def __enter__(self) -> Self: ...

    def __exit__(self, *_: object) -> None: ...

    def choose(
        self, question: str, items: Sequence[Item], usual: str, rules: Callable[[Item | None], Page]
    ) -> str:
        """The value of one of the items; `rules`: the page that fits the one that is marked."""

    def line(self, question: str, usual: str) -> str:
        """A line; an empty one means what is usual."""

    def note(self, text: str) -> None:
        """Say something that the next question leaves in sight."""


class PlainAsker:
    """Asks line by line."""

    def __init__(self, lines: Lines, title: str, help: str) -> None:
        self._lines = lines
        self._title = title
        self._help = help

    def __enter__(self) -> Self:
        self._print(f"{self._title}\n")
        return self

    def __exit__(self, *_: object) -> None:
        """There is nothing to put back."""

    def choose(
        self, question: str, items: Sequence[Item], usual: str, rules: Callable[[Item | None], Page]
    ) -> str:
        """The item whose number, value or beginning of a name is typed; Enter: the usual one."""
        values = [item.value for item in items]
        default = values.index(usual) + 1 if usual in values else 1
        self._print(question)
        for number, item in enumerate(items, 1):
            self._print(f"  {number}. {item.text}" + (f": {item.detail}" if item.detail else ""), 5)
        while True:
            asked = f"Enter 1 to {len(items)} (Enter: {default}; back, help, rules, quit): "
            typed = self._lines.read(asked).strip()
            word = typed.lower()
            if not word:
                return values[default - 1]
            fits = [
                item for item in items if item.text.lower().startswith(word) or item.value == word
            ]
            if 1 <= (number := whole_number(word) or 0) <= len(items):
                return values[number - 1]
            if word in RULES and not (len(fits) == 1 and word == fits[0].text.lower()):
                self._print(rules(None)[1])
            elif not self._obeyed(word):
                if len(fits) == 1:
                    return fits[0].value
                meant = did_you_mean(typed, [item.text for item in items])
                told = meant or f"Type a number from 1 to {len(items)}."
                self._print(f"{shown(typed)} is none of these. {told}")

    def line(self, question: str, usual: str) -> str:
        """A line; back, help and quit are not taken for an answer, while a letter may be a name."""
        while True:
            typed = self._lines.read(question).strip()
            if (typed.isalpha() and len(typed) == 1) or not self._obeyed(typed.lower()):
                return typed or usual

    def note(self, text: str) -> None:
        """Print it."""
        self._print(text)

    def _print(self, text: str, indent: int = 0) -> None:
        print(fitted(text, sys.stdout, indent) if self._lines.interactive else text)

    def _obeyed(self, word: str) -> bool:
        if word in BACK:
            raise GoesBack
        if word in QUIT:
            raise WantsNothing
        if word in HELP:
            self._print(self._help)
        return word in HELP
