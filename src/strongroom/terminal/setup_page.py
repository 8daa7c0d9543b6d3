"""The choices before a game on one page: a form whose rows arrows and clicks change."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from pathlib import Path
from typing import Final

from rich.cells import cell_len
from rich.text import Text

from strongroom.contract import NAMES, YOU, Game, Refusal, Seat, does, option_text
from strongroom.plugins import registry
from strongroom.puzzles.week import headline_of
from strongroom.terminal.faces.face import Looks
from strongroom.terminal.lines import plain_text
from strongroom.terminal.printing import program
from strongroom.terminal.screen.display import Display
from strongroom.terminal.screen.keys import Editor, Key, Kind, Pressed, Target, mark
from strongroom.terminal.screen.layout import (
    WIDE,
    board,
    key_rows,
    margin,
    rule,
    side_by_side,
    spread,
    wrap,
)
from strongroom.terminal.screen.pager import Pager, markdown, plain
from strongroom.terminal.screen.palette import BRASS, BRIGHT, SOFT
from strongroom.terminal.setup import (
    MOST_UNFINISHED,
    SEATS,
    TITLE,
    Item,
    Setup,
    WantsNothing,
    all_games,
    opponents,
    option_label,
    option_range,
    options_of,
    rules_of,
    unfinished_games,
)
from strongroom.terminal.store import games, preferences
from strongroom.terminal.table.local import Wishes

HELP: Final = """\
↑ ↓     a game, the vault, an unfinished game, or a choice below them
→       from a game: against whom it is played
← →     change a choice; a digit does, too
Enter   play the game, open the vault, or go on where you left
Tab     the rules of the game
n       how to play across a network
Esc q   leave
mouse   a click chooses, and a second one on a game starts it

More has the names and the game's variation. Your choices are filled in next time.
During a game, ? shows every key.
"""
NETWORK: Final = """\
On a server, two people play from two machines, in browsers and in terminals.

- `{0} serve --host 0.0.0.0` serves the games to your local network, and says at which address.
- `{0} host GAME --server http://ADDRESS:8000` creates a game there, and prints the link for the
  other player.
- `{0} join LINK` takes a seat; the link opens in a browser, too.
"""
AGAINST: Final = "→ chooses against whom: a bot, or a person beside you."
FIRST_OPPONENT: Final = "casual"
"""The opponent on the first page that somebody sees."""
OPTION: Final = "option "
"""Begins the key of each row for an option of the game."""
GAME: Final = "game "
"""Begins the key of each row of a game."""
RESUME: Final = "resume "
"""Begins the key of each row of an unfinished game."""
VAULT: Final = "vault"
MORE: Final = "more"
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
        marked = GAME + setup.game
        self.form = Form(self.display, Text(name, "bold"), Text(motto, SOFT), marked=marked)

    def read(self) -> Wishes | Path | date:
        """The game to play, the saved game to resume, or the day whose puzzle is to be put."""
        form = self.form
        self._fill()
        while True:
            match form.key():
                case Row() as row:
                    self._take(row, form)
                    self._fill()
                case Key.RIGHT if form.marked.startswith(GAME):
                    form.marked = "opponent"
                case Key.RIGHT | Key.LEFT | Key.ENTER as key if form.marked == MORE:
                    if key is not Key.LEFT:
                        self._read_more()
                        self._fill()
                case Key.ENTER if form.marked == VAULT:
                    return date.today()
                case Key.ENTER if form.marked.startswith(RESUME):
                    return Path(form.marked.removeprefix(RESUME))
                case Key.ENTER:
                    try:
                        wishes = self.setup.wishes(self.looks)
                    except Refusal as refusal:
                        form.note = str(refusal)
                    else:
                        self.setup.remember()
                        return wishes
                case Key.TAB:
                    self._show(*rules_of(self.setup.game))
                case "?" | Key.HELP:
                    Pager(self.display, "Keys", plain(HELP)).read()
                case "n":
                    self._show("Across a network", NETWORK.format(program()))
                case str() as typed if typed.isdecimal() and 0 < int(typed) <= len(self._games):
                    form.marked = GAME + self._games[int(typed) - 1].value
                    self._fill()
                case Key.ESCAPE | Key.END_OF_INPUT | "q":
                    raise WantsNothing

    def _show(self, title: str, text: str) -> None:
        Pager(self.display, title, markdown(text, self.display.unicode)).read()

    # --- the rows ---

    def _fill(self) -> None:
        """The rows for the choices made so far; none of them moves if another is marked."""
        form, setup = self.form, self.setup
        if form.marked.startswith(GAME) and form.marked != GAME + setup.game:
            setup.choose(form.marked.removeprefix(GAME))
        form.picture, told = (), ""
        variation: Game | None = None
        shown = {RESUME + str(each.file): each.record.game for each in self._unfinished}
        try:
            variation = setup.chosen_game
        except Refusal as refusal:
            told = str(refusal)
        if variation is not None:
            told = variation.words.goal
            told += f"\n{AGAINST}" if setup.is_alone else ""
            pictured = shown.get(form.marked, variation)
            drawing = pictured.words.drawing(pictured.start().view(None), Seat.ONE)
            form.picture = () if drawing is None else board(drawing, 40, self.display.unicode)
        form.rows = [
            Row(GAME + each.value, each.text, text=each.detail, plain=True, detail=told)
            for each in self._games
        ]
        form.chosen = GAME + setup.game
        day = date.today()
        headline = headline_of(day)
        vault = f"{headline}  {preferences.vault_signs(day)}"
        short = headline.partition(":")[0]
        meant = "The puzzle of the day, the same for everybody; beside it is your week."
        form.rows.append(Row(VAULT, "Today's vault", (), 0, vault, short, meant, plain=True))
        more = len(self._unfinished) - MOST_UNFINISHED
        others = f" {more} more: {program()} list." if more > 0 else ""
        for each in self._unfinished[:MOST_UNFINISHED]:
            where = _standing(each)
            meant = f"Played {each.when}.{others}"
            key, short = RESUME + str(each.file), str(each.game)
            form.rows.append(Row(key, "Continue", (), 0, where, short, meant, plain=True))
        form.rows[len(self._games)].opens_group = True
        if variation is not None:
            form.rows += self._choices(variation)

    def _choices(self, variation: Game) -> list[Row]:
        """Against whom, who starts, and the aids, side by side."""
        setup = self.setup
        person, *bots = opponents(variation)
        against = [person, *map(_introduced, bots)]
        if setup.opponent not in [item.value for item in against]:
            setup.opponent = against[-1].value
        changes = [option_label(each.name) for each in options_of(variation)]
        more = Row(MORE, "More", plain=True, detail=f"Names{', '.join(['', *changes])}.")
        rows = [
            _choice("opponent", "Against", against, setup.opponent),
            _choice("seat", "First", _starters(setup), setup.seat),
            _choice("aids", "Hints", AIDS, "yes" if setup.aids else "no"),
            more,
        ]
        for row in rows:
            row.inline = row is not rows[0]
        rows[0].opens_group, rows[0].above = True, GAME + setup.game
        return rows

    def _read_more(self) -> None:
        """Let the person choose names and a variation, until they go back."""
        game = self.setup.chosen_game
        form = Form(self.display, Text(game.title, "bold"), Text("more", SOFT), keys=MORE_KEYS)
        while True:
            form.rows = [*_variation(self.setup.chosen_game), *self._names()]
            match form.key():
                case Row() as row:
                    self._take(row, form)
                case Key.ENTER | Key.ESCAPE | Key.END_OF_INPUT | "q":
                    return

    def _names(self) -> list[Row]:
        setup = self.setup
        yours, others = setup.default_names
        if setup.is_alone:
            rows = [Row("alone", "Your name", text=setup.alone, usual=yours)]
        else:
            if setup.seat == "toss":
                yours = others = " or ".join(NAMES.values())
            rows = [
                Row("yours", "Your name", text=setup.yours, usual=yours),
                Row("others", "Other name", text=setup.others, usual=others),
            ]
        rows[0].opens_group = True
        return rows

    def _take(self, row: Row, form: Form) -> None:
        """Make the choice that a row shows."""
        value = row.items[row.at].value if row.items else plain_text(row.text)
        match row.key:
            case "opponent" | "seat" | "alone" | "yours" | "others":
                setattr(self.setup, row.key, value)
            case "aids":
                if self.setup.is_alone:
                    preferences.remember_aids(value == "yes")
                else:
                    self.setup.agreed = value == "yes"
            case option if option.startswith(OPTION):
                try:
                    self.setup.set_option(option.removeprefix(OPTION), value)
                except Refusal as refusal:  # the options do not fit together
                    form.note = str(refusal)


def _introduced(bot: Item) -> Item:
    """A bot by its name; what is said of one of ours begins with it."""
    name = bot.text.title()
    detail = f"{name} {bot.detail}." if bot.value in registry.PLAYERS else bot.detail
    return replace(bot, text=name, detail=detail)


def _standing(saved: games.SavedGame) -> str:
    """Against whom an unfinished game is played, and who is next."""
    others = [each.description for each in saved.record.sitters if each.name != YOU]
    if len(others) > 1:
        return f"{saved.game}: {saved.sitters}; {saved.standing}"
    own = saved.standing == does(YOU, "is next", "are next")
    return f"{saved.game} against {others[0]}, {'your turn' if own else saved.standing}"


def _first_rows(text: str, width: int, room: int) -> list[str]:
    """The paragraphs of a text that fit, and of the first one as much as does."""
    rows: list[str] = []
    for each in text.split("\n"):
        more = wrap(each, width)
        if rows and len(rows) + len(more) > room:
            break
        rows += more
    if len(rows) <= room:
        return rows
    return [*rows[: room - 1], f"{rows[room - 1][: width - 1]}…"][:room]


def _choice(key: str, label: str, items: Sequence[Item], value: str) -> Row:
    values = [item.value for item in items]
    at = values.index(value) if value in values else 0
    return Row(key, label, items, at, detail=items[at].detail)


def _starters(setup: Setup) -> list[Item]:
    """The choices of who starts: two people by their names, as both sit here."""
    if setup.is_alone:
        return [*SEATS]
    first, second, toss = SEATS
    yours, others = setup.yours or "one of you", setup.others or "the other one"
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


HELP_KEY: Final = "? keys"
TO_CHANGE, CHANGE = "→ change", "←→ change"
KEYS: Final = (
    *("↑↓ choose", TO_CHANGE, CHANGE, "Tab rules", "n network", HELP_KEY, "Enter plays"),
    "Esc leave",
)
DROPPED: Final = ("n network", "Tab rules", TO_CHANGE, CHANGE, "↑↓ choose")
"""The keys that are not listed on a narrow page, the first first."""
MORE_KEYS: Final = ("↑↓ row", CHANGE, "Enter back")
NARROW: Final = 60
"""On narrower pages, the columns stand closer together."""
WIDEST: Final = 78
"""The most columns that the rows take; a wider page centres them."""
LABELS: Final = 16
"""The columns of the labels on a wide page, so that the values stay in theirs."""
NOTES: Final = 2
"""The rows for what the marked value means, at least."""
LONG_NOTES: Final = 3
"""The rows for it on a narrow page whose form scrolls, if that leaves it `MOST_NEEDED`."""
MOST_NEEDED: Final = 7
"""The rows of five games, the vault and an unfinished game."""
BESIDE: Final = 24
"""The fewest columns in which that stands beside a picture."""
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
    """The meaning of an empty text; of a plain row, what is shown where its text does not fit."""
    detail: str = ""
    """The meaning of the value, shown while the row is marked."""
    opens_group: bool = False
    plain: bool = False
    """Whether nothing in the row can be changed; its text says more about it."""
    above: str = ""
    """The key of the row above, if it is not the one before."""
    inline: bool = False
    """Whether it stands beside the row before, if the page is wide enough."""

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
    keys: Sequence[str] = KEYS
    """The keys listed below."""
    picture: Sequence[Text] = ()
    """A drawing below the rows, if there is room."""
    chosen: str = ""
    """The key of a plain row that stays chosen while another is marked."""
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
            plain = self.row.plain
            match key:
                case Key.UP | Key.DOWN:
                    self._move(-1 if key is Key.UP else 1)
                    if plain or self.row.plain:
                        return self.row
                case Key.PAGE_UP | Key.PAGE_DOWN:
                    self._move(-self._at if key is Key.PAGE_UP else -1 - self._at)
                case Key.ENTER | Key.TAB | Key.ESCAPE | Key.HELP | Key.END_OF_INPUT:
                    self._number = ""
                    return key
                case Target():
                    was = self.row.key
                    if self._click(key):
                        return self.row
                    if self.row.plain:
                        return Key.ENTER if was == self.row.key else self.row
                case Key() | str() if plain:
                    return key
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
        above = self.row.above if rows == -1 else ""
        self.marked = above or self.rows[(self._at + rows) % len(self.rows)].key
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
        lines = self._lines(inner)
        top, bottom = self._edges(width)
        if len(lines) + NOTES > height - len(top) - len(bottom):
            top, bottom = top[:1], bottom[-1:]
        if (room := height - len(top) - len(bottom)) < LOW:
            top, bottom, room = [], [], height
        below = min(NOTES, max(1, room - len(lines))) if room >= LOW else 0
        if self._is_narrow and len(lines) >= room >= MOST_NEEDED + LONG_NOTES:
            below = LONG_NOTES  # and the rows scroll
        body, at = self._body(lines, room - below)
        stage = self._stage(inner, room - len(body))
        told = _first_rows(self.note or self.row.detail, inner, below)
        style = f"bold {BRIGHT}" if self.note else SOFT
        body += stage or [*[Text()] * (room > len(body) + below), *(Text(x, style) for x in told)]
        rows = [margin(row, left) for row in body] + [Text()] * (room - len(body))
        column = left + self._values + 2 + cell_len(self._line.text[: self._line.at])
        typed = not (self.row.items or self.row.plain)
        cursor = (min(column, width - 1), len(top) + at) if typed else None
        page = [*top, *rows, *bottom]
        for row in page:
            row.truncate(width, overflow="crop")
        self.display.draw(page, cursor)

    def _edges(self, width: int) -> tuple[list[Text], list[Text]]:
        """The title and the keys, each with a rule."""
        fits = self.title.cell_len + self.subtitle.cell_len + 4 <= width
        title = spread(self.title, self.subtitle if fits else Text(), width)
        # Where a name is typed, a question mark is part of it.
        useless = {CHANGE if not self.row.items else TO_CHANGE}
        if not (self.row.items or self.row.plain):
            useless |= {HELP_KEY, TO_CHANGE}
        keys = [each for each in self.keys if each not in useless]
        for drop in DROPPED:
            if len(key_rows(keys, width)) > 1:
                keys = [each for each in keys if each != drop]
        return [title, rule(width)], [rule(width), *key_rows(keys, width)[:1]]

    @property
    def _is_narrow(self) -> bool:
        return self.display.size[0] < NARROW

    @property
    def _values(self) -> int:
        """The column of the values, counted from the margin."""
        widest = max(cell_len(row.label) for row in self.rows)
        return widest + 3 if self._is_narrow else max(widest, LABELS) + 4

    def _lines(self, width: int) -> list[tuple[Text, list[int]]]:
        """The lines of the form, each with the numbers of its rows."""
        lines: list[tuple[Text, list[int]]] = []
        room = width - self._values
        of_games = [cell_len(row.text) for row in self.rows if row.plain and not row.usual]
        for number, row in enumerate(self.rows):
            inline = row.inline or any(each.inline for each in self.rows[number + 1 : number + 2])
            beside = inline and width >= WIDE
            longest = cell_len(row.text) if row.usual else max(of_games, default=0)
            text = self._row(number, beside, longest <= room)
            if beside and row.inline:
                text = lines[-1][0].append_text(text)
                lines[-1] = (text, [*lines[-1][1], number])
            else:
                lines.append((text, [number]))
        for text, _ in lines:
            text.truncate(width, overflow="ellipsis")
        return lines

    def _row(self, number: int, beside: bool, is_whole: bool) -> Text:
        """A row; beside others it takes as many columns whatever it shows.

        `is_whole`: there is room for the text of a plain row, and for those of all games.
        """
        row = self.rows[number]
        marked = number == self._at
        left, right, pointer = "‹››"
        lit = marked or row.key == self.chosen
        sign = pointer if marked else "•" if row.key == self.chosen else " "
        text = Text().append(f"{sign} ", BRASS)
        label = f"{row.label} " if beside else f"{row.label:{self._values - 2}}"
        text.append(label, f"bold {BRIGHT}" if lit else "" if row.plain else SOFT)
        if row.plain:
            text.append(row.text if is_whole else row.usual, "" if marked else SOFT)
            return mark(text, Target(Kind.ROW, (number,)))
        arrows = marked and row.items
        style = f"bold {BRIGHT}" if marked else "bold"
        typing = self._number if marked else ""
        values = len(text)
        text.append(f"{left} " if arrows else "  ", BRASS)
        text.append(typing or row.value_text, style if row.items or row.text else SOFT)
        text.append("_" if typing and typing != row.value_text else "", BRASS)
        text.append(f" {right}" if arrows else "", BRASS)
        mark(text, Target(Kind.ROW, (number,)))
        if arrows:
            mark(text, Target(Kind.BACK, (number,)), values, values + 2)
            mark(text, Target(Kind.NEXT, (number,)), len(text) - 2)
        if beside:
            widest = max(cell_len(row.items[at].text) for at in range(len(row.items)))
            text.pad_right(max(0, values + widest + 4 - text.cell_len))
        return text

    def _body(self, lines: list[tuple[Text, list[int]]], room: int) -> tuple[list[Text], int]:
        """The lines, as far as they fit, and where the marked row is among them."""
        at = next(line for line, (_, numbers) in enumerate(lines) if self._at in numbers)
        first = max(0, min(at - room + 2, len(lines) - room))
        gaps = sum(self.rows[numbers[0]].opens_group for _, numbers in lines[1:])
        airy = room >= len(lines) + gaps
        drawn: list[Text] = []
        row = 0
        for number, (text, numbers) in enumerate(lines[first : first + room], first):
            if airy and number and self.rows[numbers[0]].opens_group:
                drawn.append(Text())
            if number == at:
                row = len(drawn)
            drawn.append(text)
        return drawn, row

    def _stage(self, width: int, room: int) -> list[Text]:
        """The picture with what the marked row means beside it, if there is room for both."""
        wide = max((row.cell_len for row in self.picture), default=0) + 5
        if not self.picture or room < len(self.picture) + 1 or width - wide < BESIDE:
            return []
        style = f"bold {BRIGHT}" if self.note else SOFT
        told = [Text(x, style) for x in wrap(self.note or self.row.detail, width - wide)]
        picture = [margin(row, 2) for row in self.picture]
        beside = [*[Text()] * (len(picture) > 2), *told][: room - 1]
        return [Text(), *side_by_side(picture, beside, wide)]
