"""The choices before a game, at first those of last time, and asking for them line by line."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Mapping, Sequence
from dataclasses import Field, dataclass, field, fields, replace
from functools import lru_cache
from itertools import islice
from pathlib import Path
from typing import Any, Final

from strongroom.contract import NAMES, YOU, Game, Refusal, option_text, quote, whole_number
from strongroom.plugins import registry
from strongroom.referee.randomness import stream
from strongroom.referee.record import PERSON
from strongroom.terminal.arguments import bots_for, seat_players, typed_game
from strongroom.terminal.faces.face import Looks
from strongroom.terminal.lines import LineSource
from strongroom.terminal.printing import fit, paste
from strongroom.terminal.store import games, preferences
from strongroom.terminal.table.local import Wishes
from strongroom.text.quoting import harmless
from strongroom.text.spelling import did_you_mean


@dataclass(frozen=True, slots=True)
class Item:
    """An item that can be chosen."""

    value: str
    text: str
    """Its name on the screen."""
    detail: str = ""
    """Its meaning."""


TITLE: Final = "strongroom: duels of codes and nerve"
SEATS: Final = (
    Item("1", "you", "You move first."),
    Item("2", "your opponent", "You move second."),
    Item("toss", "a toss decides", "A coin toss decides who starts."),
)
DEFAULTS: Final = (YOU, *NAMES.values())
"""The names of those who give none."""
MOST_UNFINISHED: Final = 3
"""How many unfinished games are offered to resume."""


@dataclass
class Setup:
    """The choices so far; an empty name stands for the default one."""

    game: str = ""
    settings: dict[str, str] = field(default_factory=dict)
    opponent: str = ""
    seat: str = ""
    alone: str = ""
    """The person's name against a bot."""
    yours: str = ""
    """The person's name against another person."""
    others: str = ""
    """The other person's name."""
    agreed: bool = False
    """Whether two people have agreed on hints and a notebook; not remembered."""
    last: dict[str, Any] = field(default_factory=dict)
    """The choices of last time."""

    @classmethod
    def recall(cls) -> Setup:
        """The choices of last time, as far as they can still be made."""
        menu = preferences.recall().get("menu")
        last = menu if isinstance(menu, dict) else {}
        setup = cls(last=last)
        for name in ("opponent", "seat", "alone", "yours", "others"):
            value = last.get(name)
            if isinstance(value, str) and harmless(value) == value and value not in DEFAULTS:
                setattr(setup, name, value)
        game = last.get("game")
        setup.choose(game if game in registry.names("game") else "")
        return setup

    def choose(self, game: str) -> None:
        """Choose a game, in the variation in which it was played last."""
        self.game, self.settings = game, {}
        settings = self.last.get("settings")
        kept = settings.get(game) if isinstance(settings, dict) else None
        if isinstance(kept, dict):
            texts = {str(key): str(value) for key, value in kept.items()}
            with contextlib.suppress(Refusal):
                vary(game, texts)
                self.settings = texts

    def set_option(self, name: str, typed: str) -> None:
        """Set an option of the game, or refuse a value that does not fit the others."""
        settings = {**self.settings, name: typed}
        vary(self.game, settings)
        self.settings = settings

    @property
    def chosen_game(self) -> Game:
        """The game in its variation, or a refusal."""
        return vary(self.game, self.settings)

    @property
    def is_alone(self) -> bool:
        """Whether the person plays against a bot."""
        return self.opponent != PERSON

    @property
    def aids(self) -> bool:
        """Whether there will be hints and a notebook."""
        return preferences.aids_on() if self.is_alone else self.agreed

    @property
    def default_names(self) -> tuple[str, str]:
        """The names of the person and the opponent, if none are given."""
        if self.is_alone:
            return YOU, self.opponent.title()
        one, two = NAMES.values()
        return (two, one) if self.seat == "2" else (one, two)

    @property
    def names(self) -> list[str]:
        """The names of the person and the opponent."""
        given = (self.alone, "") if self.is_alone else (self.yours, self.others)
        return [name or usual for name, usual in zip(given, self.default_names, strict=True)]

    def wishes(self, looks: Looks) -> Wishes:
        """The series that was chosen, or a refusal."""
        sitters, toss = seat_players(self.opponent, self.seat, self.names, stream(None, "toss"))
        return Wishes(self.chosen_game, sitters, looks=replace(looks, aids=self.aids), toss=toss)

    def remember(self) -> None:
        """Save the choices for the next time."""
        names = ("alone",) if self.is_alone else ("yours", "others")
        chosen = {name: getattr(self, name) for name in ("game", "opponent", "seat", *names)}
        settings = self.last.get("settings")
        kept = settings if isinstance(settings, dict) else {}
        self.last |= {**chosen, "settings": {**kept, self.game: self.settings}}
        preferences.remember(menu=self.last)


def vary(game: str, settings: Mapping[str, str]) -> Game:
    """A game with options as they are typed."""
    return typed_game(game, [f"{key}={value}" for key, value in settings.items()])


def opponents(game: Game) -> list[Item]:
    """The opponents for a game: another person, then the bots."""
    bots = [Item(name, name, registry.summary("player", name)) for name in _bots(game)]
    return [Item(PERSON, "another person", "Two people at this keyboard."), *bots]


@lru_cache(maxsize=64)  # whether a bot can play a variation may need its table
def _bots(game: Game) -> tuple[str, ...]:
    return tuple(bots_for(game))


def all_games() -> list[Item]:
    """Every game by its title, or by its name if its package does not load."""
    items = []
    for name in registry.names("game"):
        title = name
        with contextlib.suppress(Refusal):
            title = str(registry.load(name).title)
        items.append(Item(name, title, registry.summary("game", name)))
    return items


def unfinished_games() -> list[games.SavedGame]:
    """The games among those last played that were begun and not finished, as far as readable."""
    looked = islice(games.summaries(), 10)
    saved = (each for each in looked if isinstance(each, games.SavedGame))
    return [each for each in saved if each.record.steps and each.record.outcome is None]


def rules_of(game: str) -> tuple[str, str]:
    """The title and the text of a game's rules page, or why there is none."""
    try:
        found = typed_game(game, [])
    except Refusal as refusal:
        return game, str(refusal)
    return f"{found.title}: the rules", found.rules_page


def option_label(option: str) -> str:
    """The name of an option, in words."""
    return option.replace("_", " ")


def option_range(option: Field[Any]) -> str:
    """The range of an option that is a number; empty for yes or no."""
    if isinstance(option.default, bool):
        return ""
    none = "none, or " if option.default is None else ""
    return f"{none}{option.metadata['low']} to {option.metadata['high']}"


def options_of(game: Game) -> dict[Field[Any], Any]:
    """The options of a game, each with its value."""
    return {each: getattr(game.options, each.name) for each in fields(game.options)}


HELP = """\
Choose with a number or the beginning of a name; Enter accepts the default. `back`
returns to the previous question, `rules` shows the rules, `quit` leaves. During a game,
`help` is always available.
"""
RULES_WORDS = ("rules", "r")


class GoesBack(Exception):
    """The user wants to go back to the previous question."""


class WantsNothing(Exception):
    """The user leaves without answering."""


@dataclass
class Questions:
    """The set-up, question by question and line by line."""

    lines: LineSource
    looks: Looks
    setup: Setup = field(default_factory=Setup.recall)

    def ask(self) -> Wishes | Path:
        """The game to play, or the saved game to resume."""
        self.say(f"{TITLE}\n")
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
        self.setup.remember()
        return self.setup.wishes(self.looks)

    # --- the questions; each returns whether it asked anything ---

    def _game(self) -> bool | Path:
        unfinished = [
            Item(str(each.file), f"Resume {each.game}", f"{each.sitters}; {each.standing}")
            for each in unfinished_games()[:MOST_UNFINISHED]
        ]
        value = self.choose("Which game?", [*all_games(), *unfinished], self.setup.game)
        if value in [each.value for each in unfinished]:
            return Path(value)
        if value != self.setup.game:
            self.setup.choose(value)
        return True

    def _variation(self) -> bool:
        asked = False
        while options := options_of(self.setup.chosen_game):
            asked = True
            as_it_is = ", ".join(
                f"{option_label(each.name)} {option_text(value)}" for each, value in options.items()
            )
            items = [Item("", "play it like this", as_it_is)]
            for each, value in options.items():
                meaning = f"{each.metadata['why']}; now {option_text(value)}"
                if allowed := option_range(each):
                    meaning += f" ({allowed})"
                items.append(Item(each.name, f"change {option_label(each.name)}", meaning))
            name = self.choose(f"Which variation of {self.setup.chosen_game.title}?", items, "")
            if not name:
                break
            self._change(name, getattr(self.setup.chosen_game.options, name))
        return asked

    def _change(self, name: str, value: Any) -> None:
        """Ask for a value until it is valid."""
        while True:
            try:
                typed = "no" if value is True else "yes"
                if not isinstance(value, bool):
                    now = option_text(value)
                    typed = self.line(f"{option_label(name)} (now {now}): ", now)
                return self.setup.set_option(name, typed)
            except GoesBack:
                return None
            except Refusal as refusal:
                self.say(str(refusal))

    def _opponent(self) -> bool:
        items = opponents(self.setup.chosen_game)
        self.setup.opponent = self.choose("Against whom?", items, self.setup.opponent)
        return True

    def _seat(self) -> bool:
        self.setup.seat = self.choose("Who starts?", SEATS, self.setup.seat)
        return True

    def _names(self) -> bool:
        setup = self.setup
        own = "alone" if setup.is_alone else "yours"
        while True:
            setattr(setup, own, self._name("Your name", setup.names[0]))
            if not setup.is_alone:
                setup.others = self._name("Opponent's name", setup.names[1])
            try:
                setup.wishes(self.looks)
            except Refusal as refusal:
                self.say(str(refusal))
            else:
                return True

    def _name(self, question: str, usual: str) -> str:
        # A seat's default name is unknown before the toss.
        by_seat = self.setup.seat == "toss" and usual in NAMES.values()
        enter = "Enter: named after the seat" if by_seat else f"Enter: {usual}"
        typed = self.line(f"{question} ({enter}): ", usual)
        return "" if typed in self.setup.default_names else typed

    # --- asking ---

    def choose(self, question: str, items: Sequence[Item], usual: str) -> str:
        """Choose by number, value or the beginning of a name; Enter takes the usual one."""
        values = [item.value for item in items]
        default = values.index(usual) + 1 if usual in values else 1
        self.say(question)
        for number, item in enumerate(items, 1):
            self.say(f"  {number}. {item.text}" + (f": {item.detail}" if item.detail else ""), 5)
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
            if word in RULES_WORDS and not (len(fits) == 1 and word == fits[0].text.lower()):
                no_rules = "Choose a game first, or: strongroom rules GAME\n"
                self.say(rules_of(self.setup.game)[1] if self.setup.game else paste(no_rules))
            elif not self._obey(word):
                if len(fits) == 1:
                    return fits[0].value
                meant = did_you_mean(typed, [item.text for item in items])
                told = meant or f"Type a number from 1 to {len(items)}."
                self.say(f"{quote(typed)} is none of these. {told}")

    def line(self, question: str, usual: str) -> str:
        """Ask for a line; back, help and quit are commands, but a single letter may be a name."""
        while True:
            typed = self.lines.read(question).strip()
            if (typed.isalpha() and len(typed) == 1) or not self._obey(typed.lower()):
                return typed or usual

    def say(self, text: str, indent: int = 0) -> None:
        """Print a text, wrapped for a person."""
        print(fit(text, sys.stdout, indent) if self.lines.interactive else text)

    def _obey(self, word: str) -> bool:
        match word:
            case "back" | "b":
                raise GoesBack
            case "quit" | "q" | "exit":
                raise WantsNothing
            case "help" | "?" | "h":
                self.say(HELP)
                return True
        return False
