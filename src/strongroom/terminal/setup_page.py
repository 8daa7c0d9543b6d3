"""The set-up of a game on one page: what is played, by whom, who starts, the names and the aids."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Final

from rich.text import Text

from strongroom.contract import NAMES, Game, Refusal, Seat
from strongroom.plugins import registry
from strongroom.terminal import preferences, store
from strongroom.terminal.asking import Item, WantsNothing
from strongroom.terminal.faces import Looks
from strongroom.terminal.lines import plain_text
from strongroom.terminal.screen import boards
from strongroom.terminal.screen.display import Display
from strongroom.terminal.screen.form import Form, Numbers, Row
from strongroom.terminal.screen.keys import Key
from strongroom.terminal.screen.pager import Pager, markdown
from strongroom.terminal.screen.palette import SOFT
from strongroom.terminal.setup import (
    SEATS,
    TITLE,
    Setup,
    opponents,
    option_range,
    option_text,
    options_of,
    rules_of,
    spoken,
    title_of,
    unfinished,
    varied,
)
from strongroom.terminal.table.local_sitting import Wishes

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
NEW: Final = Item("", "a new game")
AIDS: Final = (
    Item("yes", "on", "The page counts what is left and dims what is ruled out; hints are given."),
    Item("no", "off", "The bare record. The word aids switches them on during the game."),
)


@dataclass
class SetupPage:
    """The page, with the choices made on it."""

    looks: Looks
    display: Display
    setup: Setup = field(default_factory=Setup.remembered)
    resumed: str = ""
    """The file of the unfinished game to resume, if one is chosen."""

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
        """What to play, or which saved game to resume, once Enter is pressed."""
        self._fill()
        while True:
            match self.form.key():
                case Row() as row:
                    self._take(row)
                    self._fill()
                case Key.ENTER:
                    try:
                        return self._accepted()
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

    def _accepted(self) -> Wishes | Path:
        if self.resumed:
            return Path(self.resumed)
        wishes = self.setup.wishes(self.looks)
        self.setup.remember()
        return wishes

    # --- the rows ---

    @cached_property
    def _unfinished(self) -> list[store.Saved]:
        return unfinished()

    @cached_property
    def _games(self) -> list[Item]:
        return [_item(name) for name in registry.names("game")]

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
            played = self.setup.played
        except Refusal as refusal:
            game.detail = str(refusal)
            return
        game.detail = played.words.goal
        self.form.picture = _picture(played, self.display.unicode)
        self.form.rows += [*_variation(played), *self._players(played)]

    def _resuming(self) -> Row:
        games = [
            Item(
                str(each.file),
                f"resume {each.record.game.title}",
                f"{each.sitters}; {each.standing}, played {each.when}.",
            )
            for each in self._unfinished
        ]
        return _choice("resume", "Play", [NEW, *games], self.resumed)

    def _players(self, played: Game) -> list[Row]:
        setup = self.setup
        against = [_titled(item) for item in opponents(played)]
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
                settings = {**self.setup.settings, option.removeprefix(OPTION): value}
                try:
                    varied(self.setup.game, settings)
                except Refusal as refusal:  # the options do not fit together
                    self.form.note = str(refusal)
                else:
                    self.setup.settings = settings


def _choice(key: str, label: str, items: list[Item] | tuple[Item, ...], value: str) -> Row:
    values = [item.value for item in items]
    at = values.index(value) if value in values else 0
    return Row(key, label, items, at, detail=items[at].detail)


def _item(name: str) -> Item:
    """A game by its title."""
    return Item(name, title_of(name), registry.summary("game", name))


def _starters(setup: Setup) -> list[Item]:
    """Who can start: two people by their names, as both sit here."""
    if setup.is_alone:
        return [*SEATS]
    first, second, toss = SEATS
    yours, others = setup.yours or "the first of you", setup.others or "the second of you"
    return [
        Item(first.value, yours, f"{yours[:1].upper()}{yours[1:]} moves first."),
        Item(second.value, others, f"{others[:1].upper()}{others[1:]} moves first."),
        toss,
    ]


def _titled(item: Item) -> Item:
    return item if item.text != item.value else Item(item.value, item.text.title(), item.detail)


def _variation(played: Game) -> list[Row]:
    rows = []
    for option, value in options_of(played).items():
        why = option.metadata["why"]
        detail = f"{why[0].upper()}{why[1:]}"
        key, label = OPTION + option.name, spoken(option.name).capitalize()
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


def _picture(played: Game, unicode: bool) -> list[Text]:
    """The board before the first turn."""
    drawing = played.words.drawing(played.start().view(None), Seat.ONE)
    return [] if drawing is None else boards.board(drawing, 60, unicode)
