"""The bench: the bots that sit down at a server's games, our own and the operator's engines."""

from __future__ import (annotations)
from collections.abc import (Sequence)
from dataclasses import (dataclass)
from random import (SystemRandom)
from strongroom.contract import (Game, Json, Refusal, Seat, shown)
from strongroom.minds.engine import (Engine)
from strongroom.players import (Player, player, stand_in)
from strongroom.plugins.registry import (find_entry, names)
from strongroom.referee.randomness import (BOT_SEED)
from strongroom.referee.record import (PERSON)
from strongroom.server import (catalog)
from strongroom.server.store import (StoredSeat)
from typing import (Final)
import re

PEOPLE: Final = ("link", "lobby")
"""The opponents that are people; any other is a bot's name."""
LINE: Final = "is a guest here, a program that the operator has invited"
"""What the page says of an engine; its command is nobody's business."""
ENGINES_ONLY: Final = "--bot takes an engine, like engine:./mybot."


@dataclass(frozen=True, slots=True)
class Guest:
    """An engine on the bench."""

    title: str
    """What it calls itself."""
    engine: Engine
    games: tuple[str, ...] | None
    """The games that it plays; None if it plays all."""

    def plays(self, game: str) -> bool:
        """Whether it plays the game with this name."""
        return self.games is None or game in self.games


class Bench:
    """All bots of a server, by name; visitors choose by these names and never see a command."""

    def __init__(self, engines: Sequence[str] = ()) -> None:
        self._guests: dict[str, Guest] = {}
        for each in engines:
            engine = find_entry("player", each)
            if not isinstance(engine, Engine):
                raise Refusal(f"{shown(each)} cannot be a server's bot.", ENGINES_ONLY)
            found = engine.introduction()
            name = _word(found.name)
            if name in (PERSON, *PEOPLE, *names("player"), *self._guests):
                told = f"Two bots would be called {name}."
                raise Refusal(told, "Let the engine say another name in its hello.")
            self._guests[name] = Guest(found.name, engine, found.games)

    def catalog(self) -> Json:
        """The games and the bots, as JSON data."""
        whole = catalog.catalog()
        if not self._guests:
            return whole
        games = [
            {**each, "bots": self._names(each["name"], each["bots"])} for each in whole["games"]
        ]
        guests = [
            {"name": name, "title": guest.title, "line": LINE}
            for name, guest in self._guests.items()
        ]
        return {"games": games, "bots": [*whole["bots"], *guests]}

    def _names(self, game: str, own: Sequence[str]) -> list[str]:
        return [*own, *(name for name, each in self._guests.items() if each.plays(game))]

    def bots_for(self, game: Game) -> list[str]:
        """The names of the bots that play a game."""
        return self._names(game.name, catalog.bots_for(game))

    def seat(self, name: str, game: Game, seat: Seat) -> StoredSeat:
        """The bot with this name in a seat of a game; or a refusal."""
        if name not in (able := self.bots_for(game)):
            reason = f"No bot {shown(name)} plays {game.title}."
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


def _word(title: str) -> str:
    """A name that fits into an address.

    >>> _word("Deep Fox 2")
    'deep-fox-2'
    """
    return re.sub(r"[^\w.]+", "-", title.casefold()).strip("-.") or "engine"
