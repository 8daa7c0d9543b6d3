"""What can be played here, and how: the games, their options and rules, the bots."""

from __future__ import annotations

from dataclasses import fields
from functools import cache

from markdown_it import MarkdownIt

from strongroom.contract import Json
from strongroom.registry import PLAYERS, load, names, summary
from strongroom.theory.shelf import is_certified


@cache
def catalog() -> Json:
    """The games and the bots, as JSON data."""
    return {
        "games": [_game(name) for name in games()],
        "bots": [{"name": name, "line": summary("player", name)} for name in bots()],
    }


@cache
def games() -> tuple[str, ...]:
    """The games that are installed; to look for them again would keep everybody waiting."""
    return tuple(names("game"))


@cache
def bots() -> tuple[str, ...]:
    """The bots that the server plays for; what others add may need more than a server has."""
    return tuple(PLAYERS)


def _game(name: str) -> Json:
    game = load(name)
    words = game.words
    return {
        "name": name,
        "title": words.title,
        "summary": summary("game", name),
        "goal": words.goal,
        "secret_name": words.secret_name,
        "result_name": words.result_name,
        "symbols": list(words.symbols),
        "hides": game.secrets_each > 0,
        "hints": is_certified(game),
        "options": [
            {"name": each.name, "default": each.default, **each.metadata}
            for each in fields(game.options)
        ],
    }


@cache
def rules_page(name: str) -> Json:
    """The rules of a game as HTML; they are ours, and no HTML in them counts."""
    game = load(name)
    html = MarkdownIt("commonmark", {"html": False}).enable("table").render(game.rules_page)
    return {"title": game.title, "html": html}
