"""A menu on the display: arrow keys move the mark, Enter or a number chooses."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Self

from rich.text import Text

from strongroom.terminal.asking import BACK, QUIT, GoesBack, Item, RulesPage, WantsNothing
from strongroom.terminal.lines import plain_text
from strongroom.terminal.screen.display import Display
from strongroom.terminal.screen.editor import Editor
from strongroom.terminal.screen.keys import Key, Pressed
from strongroom.terminal.screen.layout import asked, between, key_rows, rule
from strongroom.terminal.screen.pager import Pager, markdown
from strongroom.terminal.screen.palette import BRASS, BRIGHT, SOFT
from strongroom.terminal.screen.wrapping import wrapped

DIGITS: Final = frozenset("0123456789")
KEYS: Final = ("↑↓ choose", "Enter take", "← back", "? help", "Tab rules", "Esc leave")
ASCII_KEYS: Final = ("up/down choose", "Enter take", "left back", *KEYS[3:])
TYPING: Final = ("Enter take", "Esc back", "? help")
LOW: Final = 12
"""On screens with fewer rows, only the question's first line is shown above the items."""


@dataclass
class Choosing:
    """A page on which the person chooses one of several items."""

    display: Display
    title: str
    question: str
    items: Sequence[Item]
    at: int = 0
    """The index of the marked item."""
    note: str = ""
    typed: str = ""
    """The letters typed so far, with which an item begins."""

    def key(self) -> Pressed | Item:
        """The next key that the page does not handle, or the item chosen with Enter or a number.

        Letters mark the first item that begins with them.
        """
        while True:
            if not self.display.is_pasted_into:
                self.draw()
            key = self.display.key()
            last = len(self.items) - 1
            self.note = ""
            if isinstance(key, str) and self._marks(self.typed + key):
                continue
            self.typed = ""
            match key:
                case Key.UP:
                    self.at = last if self.at == 0 else self.at - 1
                case Key.DOWN:
                    self.at = 0 if self.at == last else self.at + 1
                case Key.HOME | Key.PAGE_UP:
                    self.at = 0
                case Key.END | Key.PAGE_DOWN:
                    self.at = last
                case Key.ENTER | Key.RIGHT:
                    return self.items[self.at]
                case str() if key in DIGITS and 1 <= int(key) <= len(self.items):
                    return self.items[int(key) - 1]
                case "?" | Key.TAB | Key.LEFT | Key.ESCAPE | Key.END_OF_INPUT | Key.BACKSPACE:
                    return key

    def _marks(self, beginning: str) -> bool:
        """Mark the first item that begins with these letters; False if there is none."""
        for number, item in enumerate(self.items):
            if item.text.lower().startswith(beginning.lower()):
                self.at, self.typed = number, beginning
                return True
        return False

    def draw(self, prompt: str = "", line: Editor | None = None) -> None:
        """Draw the page, with the line being typed, if any, below it."""
        width, height = self.display.size
        edge = rule(width, self.display.unicode)
        keys = KEYS if self.display.unicode else ASCII_KEYS
        bottom = [edge, *key_rows(keys if line is None else TYPING, width)]
        note = [Text(f" {each}", BRIGHT) for each in wrapped(self.note, width - 2)]
        question = [Text(f" {each}", "bold") for each in wrapped(self.question, width - 2)]
        top = [between(Text(self.title, "bold"), Text(), width), edge, *question, Text()]
        if height < LOW:
            top, bottom = question[:1], []
        cursor = None
        if line is not None:
            typed, (column, _) = asked(prompt, line.text, line.at, width)
            bottom += typed
            cursor = (column, height - 1)
        room = height - len(top) - len(bottom) - (len(note) if self.note else 0)
        blocks = [self._block(number, width) for number in range(len(self.items))]
        body = _in_sight(blocks, self.at, max(1, room))
        blank = [Text()] * (room - len(body))
        self.display.draw([*top, *body, *blank, *(note if self.note else []), *bottom], cursor)

    def _block(self, number: int, width: int) -> list[Text]:
        item, marked = self.items[number], number == self.at
        pointer = ("›" if self.display.unicode else ">") if marked else " "
        style = f"bold {BRIGHT}" if marked else ""
        rows = [Text().append(f" {pointer} {number + 1}. ", BRASS).append(item.text, style)]
        rows += [Text(f"      {each}", SOFT) for each in wrapped(item.detail, width - 7)]
        return rows if item.detail else rows[:1]


class DrawnAsker:
    """Asks on a display of its own."""

    def __init__(self, title: str, help: str) -> None:
        self._title = title
        self._help = help
        self._display = Display()
        self._page = Choosing(self._display, title, "", ())

    def __enter__(self) -> Self:
        self._display.__enter__()
        return self

    def __exit__(self, *_: object) -> None:
        """Give the shell its screen back."""
        self._display.__exit__()

    def choose(self, question: str, items: Sequence[Item], usual: str, rules: RulesPage) -> str:
        """The value of the item chosen with Enter or its number."""
        values = [item.value for item in items]
        at = values.index(usual) if usual in values else 0
        page = self._page = Choosing(
            self._display, self._title, question, items, at, self._page.note
        )
        while True:
            match page.key():
                case Item() as chosen:
                    return chosen.value
                case Key.LEFT | Key.BACKSPACE:
                    raise GoesBack
                case Key.ESCAPE | Key.END_OF_INPUT:
                    raise WantsNothing
                case "?":
                    self._show("help", self._help)
                case Key.TAB:
                    self._show(*rules(items[page.at]))

    def _show(self, title: str, text: str) -> None:
        Pager(self._display, title, markdown(text, self._display.unicode)).read()

    def line(self, question: str, usual: str) -> str:
        """A line typed below the last menu; Escape goes back."""
        line = Editor()
        while True:
            if not self._display.is_pasted_into:
                self._page.draw(question, line)
            match self._display.key():
                case Key.ENTER:
                    typed = plain_text(line.text).strip()
                    if len(typed) > 1 and typed in BACK:  # one letter may be a name
                        raise GoesBack
                    if len(typed) > 1 and typed in QUIT:
                        raise WantsNothing
                    self._page.note = ""
                    return typed or usual
                case Key.ESCAPE:
                    raise GoesBack
                case Key.END_OF_INPUT:
                    raise WantsNothing
                case "?" if not line.text:
                    self._show("help", self._help)
                case None:
                    pass
                case key:
                    line.press(key)

    def note(self, text: str) -> None:
        """Show a note on the next page."""
        self._page.note = text


def _in_sight(blocks: Sequence[Sequence[Text]], at: int, room: int) -> list[Text]:
    """As many blocks as fit, including the marked one."""
    if sum(map(len, blocks)) > room:
        blocks = [block if number == at else block[:1] for number, block in enumerate(blocks)]
    start = 0
    while sum(map(len, blocks[start : at + 1])) > room:
        start += 1
    rows = [row for block in blocks[start:] for row in block]
    return rows[:room]
