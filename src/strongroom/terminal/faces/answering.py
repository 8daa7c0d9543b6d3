"""Answering a prompt: a line that is typed, chosen on the board, or a command given by one key."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from strongroom.contract import Choices, Control, Spot, Way
from strongroom.terminal.lines import plain_text
from strongroom.terminal.screen.keys import Editor, Key, Kind, Pressed, Target

WAYS: Final = {Key.UP: Way.UP, Key.DOWN: Way.DOWN, Key.LEFT: Way.LEFT, Key.RIGHT: Way.RIGHT}
HELP: Final = "?"
FIRST: Final = {"help": HELP, "hint": "h", "quit": "q"}
"""The keys of these commands, whatever other commands there are."""
NO_CLICKS: Final = "Choose this with the arrows: the pointer would stay where you clicked."


def command_keys(commands: Sequence[str]) -> dict[str, str]:
    """A key for each command, one of its letters.

    >>> command_keys(("help", "rules", "hint", "history", "resign"))
    {'help': '?', 'rules': 'r', 'hint': 'h', 'history': 'i', 'resign': 'e'}
    """
    keys: dict[str, str] = {}
    for command in commands:
        taken = {*keys.values(), *FIRST.values()}
        own = next((letter for letter in command if letter not in taken), "")
        keys[command] = FIRST.get(command, own)
    return keys


def match_command(word: str, commands: Sequence[str]) -> str:
    """The command that a word is the beginning of, if there is one; `h` is the hint.

    >>> match_command("hin", ("help", "hint", "history"))
    'hint'
    >>> match_command("hi", ("help", "hint", "history"))
    ''
    """
    short = {letter: command for command, letter in FIRST.items() if command in commands}
    fits = [command for command in commands if word and command.startswith(word)]
    return short.get(word) or (fits[0] if len(fits) == 1 else "")


@dataclass
class Answering:
    """The answer to a prompt while it is being given."""

    prompt: str
    line: Editor = field(default_factory=Editor)
    unseen: bool = False
    """Whether what is typed shows dots."""
    silent: bool = False
    """Whether what is typed shows nothing at all."""
    control: Control | None = None
    """The choices that arrows make while nothing is typed, and clicks at any time."""
    commands: Sequence[str] = ()
    """The commands that have a key."""
    words: Sequence[str] = ()
    """The commands that can be typed."""
    spot: Spot | None = None
    """The spot chosen on the board."""
    hint: Spot | None = None
    """The spot that a hint suggests, until something else is typed or chosen."""
    marked: int | None = None
    """The command marked on the bar, while keys give commands; None while they type."""
    clicks: bool = True
    """Whether a click may choose; the pointer stays where the next person could see it."""
    note: str = ""
    """The commands that the line could become, or why a click does nothing."""

    @property
    def chosen(self) -> bool:
        """Whether the line was chosen with arrows or the mouse, and not typed."""
        return self.spot is not None

    @property
    def suggested(self) -> Spot | None:
        """The spot of the hint, while nothing is typed or chosen."""
        return None if self.chosen or self.line.text else self.hint

    def press(self, key: Pressed) -> str | None:
        """Apply a key; return the line once it is given."""
        self.note = ""
        if isinstance(key, Target):
            self._click(key)
            return None
        if self.marked is not None:
            return self._command(key)
        way = WAYS.get(key) if isinstance(key, Key) else None
        if way is not None and self.control is not None and (self.chosen or not self.line.text):
            self._choose(self.control.moved(self.spot, way))
            return None
        match key:
            case Key.ENTER:
                return plain_text(self.line.text)
            case Key.ESCAPE if self.line.text:
                self._choose(None)
            case Key.ESCAPE if self.commands:
                self.marked = 0
            case Key.TAB if self.suggested is not None:
                self._choose(self.suggested)
            case Key.TAB:
                self._complete()
            case "?" if self.commands and (self.chosen or not self.line.text):
                return HELP
            case _:
                if self.chosen and (isinstance(key, str) or key is Key.BACKSPACE):
                    self._choose(None)
                self.line.press(key)
        return None

    def _click(self, target: Target) -> None:
        """Choose what was clicked, or mark a command; Enter confirms it."""
        if target.kind is Kind.COMMAND:
            self.marked, self.spot = target.at[0], None
            self.line.text, self.line.at = "", 0
            return
        spot: Spot | None = None
        if target.kind is Kind.TILE and self.control is not None:
            spot = self.control.clicked(self.spot, *target.at)
        elif target.kind is Kind.CHOICE and isinstance(self.control, Choices):
            spot = target.at
        if spot is None:
            return
        if not self.clicks:
            self.note = NO_CLICKS
            return
        self.marked = None
        self._choose(spot)

    def _choose(self, spot: Spot | None) -> None:
        self.spot = spot
        text = "" if spot is None or self.control is None else self.control.answer(spot)
        self.line.text, self.line.at = text, len(text)

    def _command(self, key: Pressed) -> str | None:
        """Give a command by its key, or mark one with arrows."""
        assert self.marked is not None
        letters = command_keys(self.commands)
        by_key = {letter: command for command, letter in letters.items() if letter}
        if key is Key.ENTER:
            return self.commands[self.marked]
        if isinstance(key, str) and key.lower() in by_key:
            return by_key[key.lower()]
        if isinstance(key, Key) and key in WAYS:
            (self.marked,) = Choices(self.commands).moved((self.marked,), WAYS[key])
        elif key is not Key.REDRAW:
            self.marked = None
            return None if key is Key.ESCAPE else self.press(key)
        return None

    def _complete(self) -> None:
        """Complete a command as far as it is certain, and say what it could become."""
        if self.unseen or self.silent or self.chosen:
            return
        fits = [each for each in self.words if each.startswith(self.line.text.lower())]
        if fits:
            beginnings = (fits[0][:length] for length in range(len(fits[0]), 0, -1))
            text = next((x for x in beginnings if all(fit.startswith(x) for fit in fits)), "")
            self.line.text, self.line.at = text, len(text)
        if len(fits) > 1:
            self.note = ", ".join(fits)
