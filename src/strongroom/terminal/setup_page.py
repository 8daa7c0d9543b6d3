"""The choices before a game on one page: a form whose rows arrows and clicks change."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

from rich.cells import cell_len
from rich.text import Text

from strongroom.contract import NAMES, Game, Refusal, Seat
from strongroom.plugins import registry
from strongroom.terminal.faces.face import Looks
from strongroom.terminal.lines import plain_text
from strongroom.terminal.screen.display import Display
from strongroom.terminal.screen.keys import Editor, Key, Kind, Pressed, Target, mark
from strongroom.terminal.screen.layout import board, key_rows, margin, rule, spread, wrap
from strongroom.terminal.screen.pager import Pager, markdown
from strongroom.terminal.screen.palette import BRASS, BRIGHT, SOFT
from strongroom.terminal.setup import (
    SEATS,
    TITLE,
    Item,
    Setup,
    WantsNothing,
    all_games,
    opponents,
    option_label,
    option_range,
    option_text,
    options_of,
    rules_of,
    unfinished_games,
)
from strongroom.terminal.store import games, preferences
from strongroom.terminal.table.local import Wishes

HELP: Final = """\
The up and down arrows go from row to row, the left and right arrows change a row's value, and so
does a digit: the third value, or the number itself. A click does both. A name is typed in its
row; an empty one is the name shown in its place. **Enter** starts the game from any row, Tab shows
the rules of the chosen game, Escape or `q` leaves. Your choices are filled in next time. During a
game, `help` is always available.
"""
FIRST_OPPONENT: Final = "casual"
"""The opponent on the first page that somebody sees."""
OPTION: Final = "option "
"""Begins the key of each row for an option of the game."""
AIDS: Final = (
    Item("yes", "on", "The page counts what is left and dims what is ruled out; hints are given."),
    Item("no", "off", "The bare record. The word aids switches them on during the game."),
)


@dataclass
class SetupPage:
    """The page, with the choices made on it."""

    looks: Looks
    display: Display
    setup: Setup = field(default_factory=Setup.recall)
    resumed: str = ""
    """The file of the unfinished game to resume, if one is chosen."""
    _unfinished: list[games.SavedGame] = field(default_factory=unfinished_games)
    _games: list[Item] = field(default_factory=all_games)

    def __post_init__(self) -> None:
        setup = self.setup
        if not setup.game:
            setup.choose(registry.names("game")[0])
        setup.opponent = setup.opponent or FIRST_OPPONENT
        if setup.seat not in [item.value for item in SEATS]:
            setup.seat = SEATS[0].value
        name, _, motto = TITLE.partition(": ")
        self.form = Form(self.display, Text(name, "bold"), Text(motto, SOFT), marked="game")

    def read(self) -> Wishes | Path:
        """The game to play, or the saved game to resume, once Enter is pressed."""
        self._fill()
        while True:
            match self.form.key():
                case Row() as row:
                    self._take(row)
                    self._fill()
                case Key.ENTER:
                    try:
                        return self._accept()
                    except Refusal as refusal:
                        self.form.note = str(refusal)
                case Key.TAB:
                    self._show(*rules_of(self.setup.game))
                case "?":
                    self._show("help", HELP)
                case Key.ESCAPE | Key.END_OF_INPUT | "q":
                    raise WantsNothing

    def _show(self, title: str, text: str) -> None:
        Pager(self.display, title, markdown(text, self.display.unicode)).read()

    def _accept(self) -> Wishes | Path:
        if self.resumed:
            return Path(self.resumed)
        wishes = self.setup.wishes(self.looks)
        self.setup.remember()
        return wishes

    # --- the rows ---

    def _fill(self) -> None:
        """The rows for the choices made so far."""
        self.form.picture = ()
        self.form.rows = []
        if self._unfinished:
            self.form.rows.append(self._resuming())
        if self.resumed:
            return
        game = _choice("game", "Game", self._games, self.setup.game)
        game.below, game.detail = game.detail, ""
        game.opens_group = True
        self.form.rows.append(game)
        try:
            variation = self.setup.chosen_game
        except Refusal as refusal:
            game.detail = str(refusal)
            return
        game.detail = variation.words.goal
        drawing = variation.words.drawing(variation.start().view(None), Seat.ONE)
        if drawing is not None:
            self.form.picture = board(drawing, 60, self.display.unicode)
        self.form.rows += [*_variation(variation), *self._players(variation)]

    def _resuming(self) -> Row:
        items = [Item("", "a new game")]
        for each in self._unfinished:
            standing = f"{each.sitters}; {each.standing}, played {each.when}."
            items.append(Item(str(each.file), f"resume {each.record.game.title}", standing))
        return _choice("resume", "Play", items, self.resumed)

    def _players(self, variation: Game) -> list[Row]:
        setup = self.setup
        person, *bots = opponents(variation)
        against = [person, *(replace(each, text=each.text.title()) for each in bots)]
        if setup.opponent not in [item.value for item in against]:
            setup.opponent = against[-1].value
        rows = [
            _choice("opponent", "Opponent", against, setup.opponent),
            _choice("seat", "Who starts", _starters(setup), setup.seat),
        ]
        yours, others = setup.default_names
        if setup.is_alone:
            rows.append(Row("alone", "Your name", text=setup.alone, usual=yours))
        else:
            if setup.seat == "toss":
                yours = others = " or ".join(NAMES.values())
            rows.append(Row("yours", "Your name", text=setup.yours, usual=yours))
            rows.append(Row("others", "Other name", text=setup.others, usual=others))
        rows.append(_choice("aids", "Aids", AIDS, "yes" if setup.aids else "no"))
        rows[0].opens_group = rows[2].opens_group = rows[-1].opens_group = True
        return rows

    def _take(self, row: Row) -> None:
        """Make the choice that a row shows."""
        value = row.items[row.at].value if row.items else plain_text(row.text)
        match row.key:
            case "resume":
                self.resumed = value
            case "game":
                self.setup.choose(value)
            case "opponent" | "seat" | "alone" | "yours" | "others":
                setattr(self.setup, row.key, value)
            case "aids":
                if self.setup.is_alone:
                    preferences.remember_aids(value == "yes")
                else:
                    self.setup.agreed = value == "yes"
            case option:
                try:
                    self.setup.set_option(option.removeprefix(OPTION), value)
                except Refusal as refusal:  # the options do not fit together
                    self.form.note = str(refusal)


def _choice(key: str, label: str, items: Sequence[Item], value: str) -> Row:
    values = [item.value for item in items]
    at = values.index(value) if value in values else 0
    return Row(key, label, items, at, detail=items[at].detail)


def _starters(setup: Setup) -> list[Item]:
    """The choices of who starts: two people by their names, as both sit here."""
    if setup.is_alone:
        return [*SEATS]
    first, second, toss = SEATS
    yours, others = setup.yours or "the first of you", setup.others or "the second of you"
    return [
        Item(first.value, yours, f"{yours[:1].upper()}{yours[1:]} moves first."),
        Item(second.value, others, f"{others[:1].upper()}{others[1:]} moves first."),
        toss,
    ]


def _variation(variation: Game) -> list[Row]:
    rows = []
    for option, value in options_of(variation).items():
        why = option.metadata["why"]
        detail = f"{why[0].upper()}{why[1:]}"
        key, label = OPTION + option.name, option_label(option.name).capitalize()
        if not (allowed := option_range(option)):
            items = [Item(each, each, f"{detail}.") for each in ("no", "yes")]
            rows.append(_choice(key, label, items, option_text(value)))
            continue
        detail = f"{detail}: {allowed}."
        none = [Item("none", "none", detail)] if option.default is None else []
        low, high = option.metadata["low"], option.metadata["high"]
        numbers = Numbers(none, range(low, high + 1), detail)
        at = 0 if value is None else numbers.place(value) or 0
        rows.append(Row(key, label, numbers, at, detail=detail))
    return rows


HELP_KEY: Final = "? help"
KEYS: Final = ("Enter play", "↑↓ row", "←→ change", "Tab rules", HELP_KEY, "Esc leave")
ASCII_KEYS: Final = ("Enter play", "up/down row", "left/right change", *KEYS[3:])
FEW_KEYS: Final = ("Enter play", "↑↓←→", "Tab rules", "Esc leave")
ASCII_FEW_KEYS: Final = (FEW_KEYS[0], *FEW_KEYS[2:])
NARROW: Final = 60
"""On narrower pages, the columns stand closer together."""
WIDEST: Final = 78
"""The most columns that the rows take; a wider page centres them."""
LABELS: Final = 16
"""The columns of the labels on a wide page, so that the values stay in theirs."""
NOTES: Final = 2
"""The rows for what the marked value means."""
LOW: Final = 5
"""With fewer rows between the title and the keys, all rows of the page are the form's."""


@dataclass(frozen=True, slots=True)
class Numbers:
    """Items that are numbers, however many there are, perhaps behind others."""

    first: Sequence[Item]
    numbers: range
    detail: str

    def __len__(self) -> int:
        return len(self.first) + len(self.numbers)

    def __getitem__(self, at: int) -> Item:
        if at < len(self.first):
            return self.first[at]
        number = str(self.numbers[at - len(self.first)])
        return Item(number, number, self.detail)

    def place(self, number: int) -> int | None:
        """The index of a number, if it is one of them."""
        return len(self.first) + self.numbers.index(number) if number in self.numbers else None

    def may_begin(self, number: int) -> bool:
        """Whether one of the numbers has more digits and begins with this one."""
        low, high = number * 10, number * 10 + 9
        while 0 < low < self.numbers.stop:
            if high >= self.numbers.start:
                return True
            low, high = low * 10, high * 10 + 9
        return False


@dataclass
class Row:
    """A row of a form: a value chosen from several, or a typed one."""

    key: str
    label: str
    items: Sequence[Item] | Numbers = ()
    """The choices; empty if the value is typed."""
    at: int = 0
    """The index of the chosen item."""
    text: str = ""
    """The typed value."""
    usual: str = ""
    """The meaning of an empty text."""
    below: str = ""
    """A sentence that always stands below the row."""
    detail: str = ""
    """The meaning of the value, shown while the row is marked."""
    opens_group: bool = False

    @property
    def value_text(self) -> str:
        """The value as it is shown."""
        return self.items[self.at].text if self.items else self.text or self.usual


@dataclass
class Form:
    """The rows, the marked one of them, and the line being typed in it."""

    display: Display
    title: Text
    subtitle: Text
    rows: list[Row] = field(default_factory=list)
    picture: Sequence[Text] = ()
    """A drawing above the rows, if there is room."""
    marked: str = ""
    """The key of the marked row."""
    note: str = ""
    """Why the form is not accepted; the next key removes it."""
    _line: Editor = field(default_factory=Editor)
    _number: str = ""
    """The digits typed so far to choose a value."""

    @property
    def row(self) -> Row:
        """The marked row."""
        return self.rows[self._at]

    @property
    def _at(self) -> int:
        keys = [row.key for row in self.rows]
        return keys.index(self.marked) if self.marked in keys else 0

    def key(self) -> Row | Pressed:
        """The row that was changed, or a key that no row handles."""
        for key in self.display.keys(self.draw):
            self.note = ""
            match key:
                case Key.UP | Key.DOWN:
                    self._move(-1 if key is Key.UP else 1)
                case Key.PAGE_UP | Key.PAGE_DOWN:
                    self._move(-self._at if key is Key.PAGE_UP else -1 - self._at)
                case Key.ENTER | Key.TAB | Key.ESCAPE | Key.END_OF_INPUT:
                    self._number = ""
                    return key
                case Target():
                    if self._click(key):
                        return self.row
                case Key() | str() if self.row.items:
                    if self._choose_value(key):
                        return self.row
                    if isinstance(key, str) and not self._number:
                        return key
                case Key() | str():
                    self._line.press(key)
                    if self.row.text != self._line.text:
                        self.row.text = self._line.text
                        return self.row
        return Key.END_OF_INPUT

    def _click(self, target: Target) -> bool:
        """Mark the row that was clicked; whether the click chose another value of it."""
        if target.kind not in (Kind.ROW, Kind.BACK, Kind.NEXT):
            return False
        was, (at,) = self._at, target.at
        self._move(at - was)
        if target.kind is Kind.ROW and at != was:
            return False
        return bool(self.row.items) and self._choose_value(
            Key.LEFT if target.kind is Kind.BACK else Key.RIGHT
        )

    def _move(self, rows: int) -> None:
        self.marked = self.rows[(self._at + rows) % len(self.rows)].key
        self._number = ""

    def _choose_value(self, key: Pressed) -> bool:
        """Whether the key chose a value: an arrow the next one, digits the value or its place."""
        row, before = self.row, self.row.at
        digits = self._number + key if isinstance(key, str) and key in "0123456789" else ""
        self._number = ""
        match key:
            case Key.LEFT | Key.RIGHT | " ":
                row.at = (before + (-1 if key is Key.LEFT else 1)) % len(row.items)
            case Key.HOME | Key.END:
                row.at = 0 if key is Key.HOME else len(row.items) - 1
            case _ if digits:
                row.at, self._number = self._item_at(digits)
        return row.at != before

    def _item_at(self, digits: str) -> tuple[int, str]:
        """The item that the digits mean, and the digits that the next one may continue."""
        items = self.row.items
        if not isinstance(items, Numbers):
            at = int(digits[-1]) - 1
            return (at if 0 <= at < len(items) else self.row.at), ""
        for typed in (digits, digits[-1]):
            place = items.place(int(typed))
            if place is not None or items.may_begin(int(typed)):
                return self.row.at if place is None else place, typed
        return self.row.at, ""

    # --- drawing ---

    def draw(self) -> None:
        """Draw the form at the size of the display."""
        if not self.row.items and self._line.text != self.row.text:
            self._line = Editor(self.row.text, len(self.row.text))
        width, height = self.display.size
        left = max(1, (width - WIDEST) // 2)
        inner = max(1, min(WIDEST, width - left))
        told = wrap(self.note or self.row.detail, inner)
        style = f"bold {BRIGHT}" if self.note else SOFT
        blocks = [self._block(number, inner) for number in range(len(self.rows))]
        top, bottom = self._edges(width)
        if sum(map(len, blocks)) + NOTES > height - len(top) - len(bottom):
            top, bottom = top[:1], bottom[-1:]
        if (room := height - len(top) - len(bottom)) < LOW:
            top, bottom, told, room = [], [], [], height
        below = min(NOTES, max(1, room - len(blocks))) if room >= LOW else 0
        body, at = self._body(blocks, room - below)
        body += [Text()] * min(1, room - len(body) - below)
        body += [Text(each, style) for each in told[:below]]
        rows = [margin(row, left) for row in body] + [Text()] * (room - len(body))
        column = left + self._values + 2 + cell_len(self._line.text[: self._line.at])
        cursor = None if self.row.items else (min(column, width - 1), len(top) + at)
        page = [*top, *rows, *bottom]
        for row in page:
            row.truncate(width, overflow="crop")
        self.display.draw(page, cursor)

    def _edges(self, width: int) -> tuple[list[Text], list[Text]]:
        """The title and the keys, each with a rule."""
        wide, few = (KEYS, FEW_KEYS) if self.display.unicode else (ASCII_KEYS, ASCII_FEW_KEYS)
        fits = self.title.cell_len + self.subtitle.cell_len + 4 <= width
        title = spread(self.title, self.subtitle if fits else Text(), width)
        # Where a name is typed, a question mark is part of it.
        keys = key_rows([each for each in wide if self.row.items or each != HELP_KEY], width)
        if len(keys) > 1:
            keys = key_rows(few, width)[:1]
        return [title, rule(width)], [rule(width), *keys]

    @property
    def _is_narrow(self) -> bool:
        return self.display.size[0] < NARROW

    @property
    def _values(self) -> int:
        """The column of the values, counted from the margin."""
        widest = max(cell_len(row.label) for row in self.rows)
        return widest + 3 if self._is_narrow else max(widest, LABELS) + 4

    def _block(self, number: int, width: int) -> list[Text]:
        """A row with the sentence below it."""
        row, values = self.rows[number], self._values
        marked = number == self._at
        left, right, pointer = "‹››"
        text = Text().append(f"{pointer} " if marked else "  ", BRASS)
        text.append(f"{row.label:{values - 2}}", BRIGHT if marked else SOFT)
        arrows = marked and row.items
        style = f"bold {BRIGHT}" if marked else "bold"
        typing = self._number if marked else ""
        text.append(f"{left} " if arrows else "  ", BRASS)
        text.append(typing or row.value_text, style if row.items or row.text else SOFT)
        text.append("_" if typing and typing != row.value_text else "", BRASS)
        text.append(f" {right}" if arrows else "", BRASS)
        mark(text, Target(Kind.ROW, (number,)))
        if arrows:
            mark(text, Target(Kind.BACK, (number,)), values, values + 2)
            mark(text, Target(Kind.NEXT, (number,)), len(text) - 2)
        text.truncate(width, overflow="ellipsis")
        indent = 2 if self._is_narrow else values + 2
        below = wrap(row.below, max(1, width - indent)) if row.below else []
        return [text, *(margin(Text(each, SOFT), indent) for each in below)]

    def _body(self, blocks: list[list[Text]], room: int) -> tuple[list[Text], int]:
        """The picture and the rows, as far as they fit, and where the marked row is among them."""
        if sum(map(len, blocks)) > room:
            blocks = [block[:1] for block in blocks]
        first = max(0, min(self._at - room // 2, len(blocks) - room))
        blocks = blocks[first : first + room]
        gaps = sum(row.opens_group for row in self.rows[1:]) + 1
        spare = room - sum(map(len, blocks))
        airy = spare > gaps
        spare -= gaps if airy else 0
        drawn: list[Text] = []
        wide = max((row.cell_len for row in self.picture), default=0) + self._values + 2
        fits = wide <= min(WIDEST, self.display.size[0])
        if self.picture and fits and airy and spare > len(self.picture):
            indent = 2 if self._is_narrow else self._values + 2
            drawn = [*(margin(row, indent) for row in self.picture), Text()]
            spare -= len(drawn)
        drawn = [Text()] * (1 + spare // 3 if airy else 0) + drawn
        at = 0
        for number, block in enumerate(blocks, first):
            if airy and number and self.rows[number].opens_group:
                drawn.append(Text())
            if number == self._at:
                at = len(drawn)
            drawn += block
        return drawn, at
