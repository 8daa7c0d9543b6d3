"""The catalog: the games with their options and rules, and the bots that play them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, fields
from functools import cache
from random import SystemRandom
from typing import Final

from markdown_it import MarkdownIt

from strongroom.contract import Game, Json, Refusal, Seat, quote
from strongroom.minds.engine import Engine
from strongroom.players import Player, player, stand_in
from strongroom.plugins.foreign import FAILURES
from strongroom.plugins.registry import PLAYERS, find_entry, load, names, summary
from strongroom.referee.randomness import BOT_SEED
from strongroom.referee.record import PERSON
from strongroom.server.files import BOARDS, GENERIC
from strongroom.server.monitoring import log
from strongroom.server.store import StoredSeat
from strongroom.theory.shelf import is_certified

SECTION: Final = r"^## {}$.*?(?=^## |\Z)"
TYPED: Final = re.compile(SECTION.format("What to type"), re.MULTILINE | re.DOTALL)
"""The section of a rules page that only a terminal needs."""
TRANSCRIPT: Final = re.compile(SECTION.format("A short game"), re.MULTILINE | re.DOTALL)
"""The section that shows a game at a terminal; the page draws one on its own board."""


@cache
def catalog() -> Json:
    """The games and the bots, as JSON data."""
    return {
        "games": [*games().values()],
        "bots": [
            {"name": name, "title": name.capitalize(), "line": summary("player", name)}
            for name in PLAYERS
        ],
    }


@cache
def games() -> dict[str, Json]:
    """The installed games by name, found once; a game that does not load is logged and left out."""
    found = {}
    for name in names("game"):
        try:
            found[name] = _game_entry(load(name))
        except FAILURES:
            log("fault", text=f"The game {name} does not load.", failed=True)
    return found


def _game_entry(game: Game) -> Json:
    words = game.words
    return {
        "name": game.name,
        "title": words.title,
        "summary": summary("game", game.name),
        "goal": words.goal,
        "secret_name": words.secret_name,
        "result_name": words.result_name,
        "symbols": list(words.symbols),
        "secrets": game.secrets_each,
        "aids": game.candidates(Seat.ONE) is not None,
        "hints": is_certified(game),
        "board": game.name if game.name in BOARDS else GENERIC,
        "bots": [*PLAYERS],
        "options": [
            {"name": each.name, "default": each.default, **each.metadata}
            for each in fields(game.options)
        ],
    }


@cache
def rules_page(name: str) -> Json:
    """The rules of a game as HTML, without what is typed at a terminal; HTML inside is escaped."""
    game = load(name)
    rules = TYPED.sub("", game.rules_page)
    if name in BOARDS:
        rules = TRANSCRIPT.sub("", rules)
    html = MarkdownIt("commonmark", {"html": False}).enable("table").render(rules)
    return {"title": game.title, "html": html}


PEOPLE: Final = ("link", "lobby")
"""The opponents that are people; any other is a bot's name."""
LINE: Final = "is a guest here, a program that the operator has invited"
"""What the page says about an engine; visitors never learn its command."""
ENGINES_ONLY: Final = "--bot takes an engine, like engine:./mybot."


@dataclass(frozen=True, slots=True)
class Guest:
    """An engine that the operator has added to the server's bots."""

    title: str
    """What it calls itself."""
    engine: Engine
    games: tuple[str, ...] | None
    """The games that it plays; None if it plays all."""

    def plays(self, game: str) -> bool:
        """Whether it plays the game with this name."""
        return self.games is None or game in self.games


class ServerBots:
    """All bots of a server, by name; visitors choose by these names and never see a command."""

    def __init__(self, engines: Sequence[str] = ()) -> None:
        self._guests: dict[str, Guest] = {}
        for each in engines:
            engine = find_entry("player", each)
            if not isinstance(engine, Engine):
                raise Refusal(f"{quote(each)} cannot be a server's bot.", ENGINES_ONLY)
            found = engine.introduction()
            name = _url_name(found.name)
            if name in (PERSON, *PEOPLE, *names("player"), *self._guests):
                told = f"Two bots would be called {name}."
                raise Refusal(told, "Let the engine say another name in its hello.")
            self._guests[name] = Guest(found.name, engine, found.games)

    def catalog(self) -> Json:
        """The games and the bots, as JSON data."""
        whole = catalog()
        if not self._guests:
            return whole
        games = [{**each, "bots": self.bots_for(each["name"])} for each in whole["games"]]
        guests = [
            {"name": name, "title": guest.title, "line": LINE}
            for name, guest in self._guests.items()
        ]
        return {"games": games, "bots": [*whole["bots"], *guests]}

    def bots_for(self, game: str) -> list[str]:
        """The names of the bots that play a game: our own, and guests, but no other package's."""
        return [*PLAYERS, *(name for name, each in self._guests.items() if each.plays(game))]

    def seat(self, name: str, game: Game, seat: Seat) -> StoredSeat:
        """The bot with this name in a seat of a game; or a refusal."""
        if name not in (able := self.bots_for(game.name)):
            reason = f"No bot {quote(name)} plays {game.title}."
            raise Refusal(reason, f"Choose from: {', '.join(able)}.")
        if name in self._guests:
            return StoredSeat(seat, self._guests[name].title, name, seed=BOT_SEED)
        name, _ = stand_in(name, game)
        return StoredSeat(seat, name.capitalize(), name, seed=BOT_SEED)

    def is_engine(self, name: str) -> bool:
        """Whether a bot is a program that may keep a thread waiting."""
        return name in self._guests

    def player(self, name: str, game: Game) -> Player:
        """The bot with this name, ready to play."""
        if name in self._guests:
            return self._guests[name].engine(game, SystemRandom())
        return player(name, game, SystemRandom())


def _url_name(title: str) -> str:
    """A name that fits into an address.

    >>> _url_name("Deep Fox 2")
    'deep-fox-2'
    """
    return re.sub(r"[^\w.]+", "-", title.casefold()).strip("-.") or "engine"
