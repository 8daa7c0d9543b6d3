"""The catalog: the games with their options and rules, and the bots."""

from __future__ import annotations

import re
from dataclasses import fields
from functools import cache
from typing import Final

from markdown_it import MarkdownIt

from strongroom.contract import Game, Json, Seat
from strongroom.players import stand_in
from strongroom.plugins.foreign import FAILURES
from strongroom.plugins.registry import PLAYERS, find_entry, load, names, summary
from strongroom.server.files import BOARDS, GENERIC
from strongroom.server.logs import log
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
            found[name] = _game(load(name))
        except FAILURES:
            log("fault", text=f"The game {name} does not load.", failed=True)
    return found


def bots_for(game: Game) -> list[str]:
    """The server's bots that know a game: only our own, as others may need more than it has."""
    return [name for name in PLAYERS if _knows(name, game)]


def _knows(bot: str, game: Game) -> bool:
    """Whether a bot can play a game, found out without loading its strategy table."""
    name, _ = stand_in(bot, game)
    ideas = getattr(find_entry("player", name), "ideas", None)
    return is_certified(game) if name == "master" else ideas is None or game.name in ideas


def _game(game: Game) -> Json:
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
        "bots": bots_for(game),
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
