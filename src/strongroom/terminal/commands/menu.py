"""The menu: what `strongroom` alone asks before it plays."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from itertools import islice
from pathlib import Path
from typing import Any

from strongroom.contract import NAMES, YOU, Game, Refusal
from strongroom.plugins import registry
from strongroom.referee.randomness import stream
from strongroom.terminal import preferences, store
from strongroom.terminal.arguments import bots_for, seated, typed_game
from strongroom.terminal.asking import Asker, GoesBack, Item, PlainAsker, WantsNothing
from strongroom.terminal.commands.resume import go_on
from strongroom.terminal.exits import FINISHED, INPUT_ENDED
from strongroom.terminal.faces import Looks
from strongroom.terminal.lines import InputEnded, can_page, open_lines
from strongroom.terminal.table.local_sitting import LocalSitting, Wishes
from strongroom.text.quoting import harmless

TITLE = "strongroom: five duels of codes and nerve"
HELP = """\
Choose with the arrow keys, a number or the beginning of a name; Enter accepts the
marked choice. The left arrow (or `back`) returns to the previous question, Tab (or
`rules`) shows the rules, Escape (or `quit`) leaves. During a game, `help` is always
available.
"""
MOST_UNFINISHED = 3
"""How many unfinished games the menu offers to resume."""
SEATS = (
    Item("1", "you", "You move first."),
    Item("2", "your opponent", "You move second."),
    Item("toss", "a toss decides", "A coin toss decides who starts."),
)


def run() -> int:
    """Ask for the game, the opponent, who starts and the names, then play."""
    looks = Looks(motion=preferences.remembered().get("motion") is not False)
    try:
        with _asker() as asker:
            wanted = Plan(asker, looks).asked()
    except InputEnded:
        return INPUT_ENDED
    except WantsNothing:
        return FINISHED
    if isinstance(wanted, Path):
        return go_on(wanted, looks)
    return LocalSitting(wanted).play()


def _asker() -> Asker:
    if can_page():
        from strongroom.terminal.screen.choice import DrawnAsker

        return DrawnAsker(TITLE, HELP)
    return PlainAsker(open_lines(), TITLE, HELP)


@dataclass
class Plan:
    """The user's choices so far, question by question."""

    asker: Asker
    looks: Looks
    game: str = ""
    settings: dict[str, str] = field(default_factory=dict)
    opponent: str = ""
    seat: str = ""
    yours: str = ""
    others: str = ""
    last: dict[str, Any] = field(default_factory=dict)
    """What was chosen last time."""

    def asked(self) -> Wishes | Path:
        """What to play, or which saved game to resume."""
        remembered = preferences.remembered().get("menu")
        self.last = remembered if isinstance(remembered, dict) else {}
        steps = (self._game, self._variation, self._opponent, self._seat, self._names)
        at, way = 0, 1
        while at < len(steps):
            try:
                answered = steps[at]()
                if isinstance(answered, Path):
                    return answered
                way = 1 if answered or way > 0 else -1  # on the way back, skip it if not asked
            except GoesBack:
                way = -1
            at = max(0, at + way)
        self._remember()
        return self._wishes()

    def _wishes(self) -> Wishes:
        names = [self.yours, self.others]
        sitters, toss = seated(self.opponent, self.seat, names, stream(None, "toss"))
        game = _varied(self.game, self.settings)
        return Wishes(game, sitters, looks=self.looks, toss=toss)

    def _usual(self, name: str, otherwise: str = "") -> str:
        usual = self.last.get(name, otherwise)
        is_sound = isinstance(usual, str) and usual and harmless(usual) == usual
        return usual if is_sound else otherwise

    def _own(self, name: str, of_the_seat: str) -> str:
        """The name given last time, or this seat's default if that was a seat's default."""
        usual = self._usual(name, of_the_seat)
        return of_the_seat if usual in NAMES.values() else usual

    def _enter(self, usual: str) -> str:
        """What Enter gives as a name; a seat's default name is unknown before the toss."""
        by_seat = self.seat == "toss" and usual in NAMES.values()
        return "Enter: named after the seat" if by_seat else f"Enter: {usual}"

    def _remember(self) -> None:
        chosen = {"game": self.game, "opponent": self.opponent, "seat": self.seat}
        names = {"alone": self.yours}
        if self.opponent == "person":
            names = {"yours": self.yours, "others": self.others}
        variations = self.last.get("settings")
        kept = variations if isinstance(variations, dict) else {}
        settings = {"settings": {**kept, self.game: self.settings}}
        preferences.remember(menu={**self.last, **chosen, **names, **settings})

    # --- the questions; each returns whether it asked anything ---

    def _game(self) -> bool | Path:
        games = [
            Item(name, name, registry.summary("game", name)) for name in registry.names("game")
        ]
        unfinished = _unfinished()
        going_on = [
            Item(str(each.file), f"resume: {each.game}", f"{each.sitters}; {each.standing}")
            for each in unfinished
        ]
        value = self.asker.choose(
            "Which game?", [*games, *going_on], self._usual("game"), self._rules
        )
        if any(value == str(each.file) for each in unfinished):
            return Path(value)
        if value != self.game:
            self.game, self.settings = value, self._settings_of(value)
        return True

    def _rules(self, marked: Item | None) -> tuple[str, str]:
        name = marked.value if marked and marked.value in registry.names("game") else self.game
        if not name:
            return "help", "Choose a game first, or: strongroom rules GAME\n"
        try:
            game = typed_game(name, [])
        except Refusal as refusal:
            return name, str(refusal)
        return f"{game.title}: the rules", game.rules_page

    def _settings_of(self, game: str) -> dict[str, str]:
        """The variation of a game that was played last, if it is still valid."""
        settings = self.last.get("settings")
        kept = settings.get(game) if isinstance(settings, dict) else None
        if not isinstance(kept, dict):
            return {}
        texts = {str(key): str(value) for key, value in kept.items()}
        with contextlib.suppress(Refusal):
            _varied(game, texts)
            return texts
        return {}

    def _variation(self) -> bool:
        asked = False
        while True:
            game = _varied(self.game, self.settings)
            options = fields(game.options)
            if not options:
                return asked
            asked = True
            values = {each.name: getattr(game.options, each.name) for each in options}
            as_it_is = ", ".join(
                f"{_spoken(name)} {_text(value)}" for name, value in values.items()
            )
            items = [Item("", "play it like this", as_it_is)]
            items += [
                Item(each.name, f"change {_spoken(each.name)}", _meaning(each, values[each.name]))
                for each in options
            ]
            asking = f"Which variation of {self.game}?"
            name = self.asker.choose(asking, items, "", self._rules)
            if not name:
                return True
            self._change(name, values[name])

    def _change(self, name: str, value: Any) -> None:
        """Ask for a value until it is valid."""
        while True:
            try:
                typed = "no" if value is True else "yes"
                if not isinstance(value, bool):
                    now = _text(value)
                    typed = self.asker.line(f"{_spoken(name)} (now {now}): ", now)
                settings = {**self.settings, name: typed}
                _varied(self.game, settings)
            except GoesBack:
                return
            except Refusal as refusal:
                self.asker.note(str(refusal))
            else:
                self.settings = settings
                return

    def _opponent(self) -> bool:
        game = _varied(self.game, self.settings)
        items = [Item("person", "another person", "Two people at this keyboard.")]
        items += [Item(name, name, registry.summary("player", name)) for name in bots_for(game)]
        usual = self._usual("opponent", "person")
        self.opponent = self.asker.choose("Against whom?", items, usual, self._rules)
        return True

    def _seat(self) -> bool:
        self.seat = self.asker.choose("Who starts?", SEATS, self._usual("seat", "1"), self._rules)
        return True

    def _names(self) -> bool:
        alone = self.opponent != "person"
        while True:
            one, two = NAMES.values()
            mine, other = (two, one) if self.seat == "2" else (one, two)
            usual = self._usual("alone", YOU) if alone else self._own("yours", mine)
            self.yours = self.asker.line(f"Your name ({self._enter(usual)}): ", usual)
            self.others = self.opponent.title()
            if not alone:
                usual = self._own("others", other)
                self.others = self.asker.line(f"Opponent's name ({self._enter(usual)}): ", usual)
            try:
                self._wishes()
            except Refusal as refusal:
                self.asker.note(str(refusal))
            else:
                return True


def _unfinished() -> list[store.Saved]:
    """The unfinished games among those last played; unreadable ones are left out."""
    looked = islice(store.saved_games(), 10)
    found = [
        each for each in looked if isinstance(each, store.Saved) and each.record.outcome is None
    ]
    return found[:MOST_UNFINISHED]


def _varied(game: str, settings: Mapping[str, str]) -> Game:
    return typed_game(game, [f"{key}={value}" for key, value in settings.items()])


def _spoken(option: str) -> str:
    return option.replace("_", " ")


def _text(value: Any) -> str:
    if value is None:
        return "none"
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)


def _meaning(option: Any, value: Any) -> str:
    why = f"{option.metadata['why']}; now {_text(value)}"
    if isinstance(option.default, bool):
        return why
    none = "none, or " if option.default is None else ""
    return f"{why} ({none}{option.metadata['low']} to {option.metadata['high']})"
