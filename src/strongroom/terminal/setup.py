"""The choices before a game: what is played, by whom, who starts; at first those of last time."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping
from dataclasses import Field, dataclass, field, fields, replace
from functools import lru_cache
from itertools import islice
from typing import Any, Final

from strongroom.contract import NAMES, YOU, Game, Refusal
from strongroom.plugins import registry
from strongroom.referee.randomness import stream
from strongroom.referee.record import PERSON
from strongroom.terminal import preferences, store
from strongroom.terminal.arguments import bots_for, seated, typed_game
from strongroom.terminal.asking import Item
from strongroom.terminal.faces import Looks
from strongroom.terminal.table.local_sitting import Wishes
from strongroom.text.quoting import harmless

TITLE: Final = "strongroom: five duels of codes and nerve"
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
    """What was chosen so far; a name that is empty is the default one."""

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
    """What was chosen last time."""

    @classmethod
    def remembered(cls) -> Setup:
        """The choices of last time, as far as they can still be made."""
        menu = preferences.remembered().get("menu")
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
                varied(game, texts)
                self.settings = texts

    @property
    def played(self) -> Game:
        """The game in its variation, or a refusal."""
        return varied(self.game, self.settings)

    @property
    def is_alone(self) -> bool:
        """Whether the person plays against a bot."""
        return self.opponent != PERSON

    @property
    def aids(self) -> bool:
        """Whether there will be hints and a notebook."""
        return preferences.aids() if self.is_alone else self.agreed

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
        """The sitting that was chosen, or a refusal."""
        sitters, toss = seated(self.opponent, self.seat, self.names, stream(None, "toss"))
        return Wishes(self.played, sitters, looks=replace(looks, aids=self.aids), toss=toss)

    def remember(self) -> None:
        """Save the choices for the next time."""
        names = ("alone",) if self.is_alone else ("yours", "others")
        chosen = {name: getattr(self, name) for name in ("game", "opponent", "seat", *names)}
        settings = self.last.get("settings")
        kept = settings if isinstance(settings, dict) else {}
        self.last |= {**chosen, "settings": {**kept, self.game: self.settings}}
        preferences.remember(menu=self.last)


def varied(game: str, settings: Mapping[str, str]) -> Game:
    """A game with options as they are typed."""
    return typed_game(game, [f"{key}={value}" for key, value in settings.items()])


def opponents(game: Game) -> list[Item]:
    """Who can play a game: another person, then the bots."""
    bots = [Item(name, name, registry.summary("player", name)) for name in _bots(game)]
    return [Item(PERSON, "another person", "Two people at this keyboard."), *bots]


@lru_cache(maxsize=64)  # whether a bot can play a variation may need its table
def _bots(game: Game) -> tuple[str, ...]:
    return tuple(bots_for(game))


def unfinished() -> list[store.Saved]:
    """The unfinished games among those last played; unreadable ones are left out."""
    looked = islice(store.saved_games(), 10)
    found = [
        each for each in looked if isinstance(each, store.Saved) and each.record.outcome is None
    ]
    return found[:MOST_UNFINISHED]


def title_of(game: str) -> str:
    """The title of a game; if its package does not load, its name."""
    try:
        return str(registry.load(game).title)
    except Refusal:
        return game


def rules_of(game: str) -> tuple[str, str]:
    """The title and the text of a game's rules page, or why there is none."""
    try:
        found = typed_game(game, [])
    except Refusal as refusal:
        return game, str(refusal)
    return f"{found.title}: the rules", found.rules_page


def spoken(option: str) -> str:
    """The name of an option, in words."""
    return option.replace("_", " ")


def option_text(value: Any) -> str:
    """The value of an option, as it is typed."""
    if value is None:
        return "none"
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)


def option_range(option: Field[Any]) -> str:
    """What a number can be; empty for yes or no."""
    if isinstance(option.default, bool):
        return ""
    none = "none, or " if option.default is None else ""
    return f"{none}{option.metadata['low']} to {option.metadata['high']}"


def options_of(game: Game) -> dict[Field[Any], Any]:
    """The options of a game, each with its value."""
    return {each: getattr(game.options, each.name) for each in fields(game.options)}
