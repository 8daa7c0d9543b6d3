"""Asking the user to choose, line by line."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from strongroom.contract import shown, whole_number
from strongroom.terminal.lines import LineSource
from strongroom.terminal.signs import fitted
from strongroom.text.spelling import did_you_mean

BACK = ("back", "b")
QUIT = ("quit", "q", "exit")
HELP = ("help", "?", "h")
RULES = ("rules", "r")


@dataclass(frozen=True, slots=True)
class Item:
    """An item that can be chosen."""

    value: str
    text: str
    """Its name on the screen."""
    detail: str = ""
    """What it means."""


class GoesBack(Exception):
    """The user wants to go back to the previous question."""


class WantsNothing(Exception):
    """The user leaves without answering."""


@dataclass
class PlainAsker:
    """Asks line by line."""

    lines: LineSource
    title: str
    help: str

    def begin(self) -> None:
        """Print the title."""
        self._print(f"{self.title}\n")

    def choose(
        self, question: str, items: Sequence[Item], usual: str, rules: Callable[[], str]
    ) -> str:
        """Choose by number, value or the beginning of a name; Enter takes the usual one."""
        values = [item.value for item in items]
        default = values.index(usual) + 1 if usual in values else 1
        self._print(question)
        for number, item in enumerate(items, 1):
            self._print(f"  {number}. {item.text}" + (f": {item.detail}" if item.detail else ""), 5)
        while True:
            asked = f"Enter 1 to {len(items)} (Enter: {default}; back, help, rules, quit): "
            typed = self.lines.read(asked).strip()
            word = typed.lower()
            if not word:
                return values[default - 1]
            fits = [
                item for item in items if item.text.lower().startswith(word) or item.value == word
            ]
            if 1 <= (number := whole_number(word) or 0) <= len(items):
                return values[number - 1]
            if word in RULES and not (len(fits) == 1 and word == fits[0].text.lower()):
                self._print(rules())
            elif not self._obeyed(word):
                if len(fits) == 1:
                    return fits[0].value
                meant = did_you_mean(typed, [item.text for item in items])
                told = meant or f"Type a number from 1 to {len(items)}."
                self._print(f"{shown(typed)} is none of these. {told}")

    def line(self, question: str, usual: str) -> str:
        """Ask for a line; back, help and quit are commands, but a single letter may be a name."""
        while True:
            typed = self.lines.read(question).strip()
            if (typed.isalpha() and len(typed) == 1) or not self._obeyed(typed.lower()):
                return typed or usual

    def note(self, text: str) -> None:
        """Print it."""
        self._print(text)

    def _print(self, text: str, indent: int = 0) -> None:
        print(fitted(text, sys.stdout, indent) if self.lines.interactive else text)

    def _obeyed(self, word: str) -> bool:
        if word in BACK:
            raise GoesBack
        if word in QUIT:
            raise WantsNothing
        if word in HELP:
            self._print(self.help)
        return word in HELP
