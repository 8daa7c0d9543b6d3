"""What the commands share that play many games: games in batches, and models."""

from __future__ import annotations

import argparse
import atexit
import os
import sys
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Final

from strongroom.plugins import registry
from strongroom.terminal.arguments import (
    MOST,
    add_number,
    add_option,
    names_of_all,
    refuse,
    refuse_unused,
)
from strongroom.terminal.exits import INTERRUPTED, Ended, Stopped, stoppable
from strongroom.text.quoting import quote

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from random import Random

    from strongroom.contests.schedule import Make
    from strongroom.contract import Game, Json
    from strongroom.minds.settings import Settings
    from strongroom.players import Player

PLAYERS: Final = ("master", "random")
"""The bots that play in batches."""
RESPONSE: Final = "response"
"""Plays only in batches: a best response to master."""
MOST_GAMES: Final = 2**31 - 1
"""The most games of a pair, or in a seat."""
LARGEST_BATCH: Final = 2**24
LIMITS: Final = f"at most {MOST:,}, or with --batches {MOST_GAMES:,}"


def add_batches(parser: argparse.ArgumentParser) -> None:
    """Add the options for games in batches."""
    whole = "play many games at once, on a GPU if JAX has one; needs the extra vector"
    add_option(parser, "--batches", whole)
    size = f"how many games are played at once, at most {LARGEST_BATCH:,}"
    add_number(parser, "--batch-size", size, most=LARGEST_BATCH)


def check_batch_options(
    chosen: argparse.Namespace, number: str, unused: Iterable[str] = ()
) -> None:
    """Refuse what only --batches allows, like a large `number` of games, and what it ignores."""
    if chosen.batches:
        refuse_unused(chosen, "--batches", unused)
    elif chosen.batch_size:
        refuse("--batch-size is for games in batches.", "Add --batches.")
    elif getattr(chosen, number) > MOST:
        told = f"--{number} is at most {MOST:,}, unless games are played in batches."
        refuse(told, "Choose a smaller number, or add --batches.")


def chosen_players(chosen: argparse.Namespace) -> list[str]:
    """The players of a tournament: those named, or all bots that can play in this way."""
    named: list[str] = chosen.players
    if chosen.batches:
        return [*PLAYERS] if named is chosen.parser.get_default("players") else named
    refuse_response(named)
    return named


def games_of_all(names: Sequence[str]) -> tuple[Game, ...]:
    """The games that all these players play in batches; prints the others."""
    from strongroom.vector.devices import on_device
    from strongroom.vector.players import can_be_seated

    why = "Not all of these players play them in batches."
    with on_device():
        found = names_of_all(lambda game: can_be_seated(game, names), why, needed=())
    return tuple(map(registry.load, found))


def refuse_response(names: Iterable[str]) -> None:
    """Refuse, for games played one by one, who plays only in batches."""
    if RESPONSE in names and not registry.is_registered("player", RESPONSE):
        refuse(f"{RESPONSE} plays only in batches.", "Add --batches.")


@contextmanager
def stoppable_batches() -> Iterator[None]:
    """Let Ctrl-C or a signal end the block, and say that no game is kept."""

    try:
        with stoppable():
            yield
    except (KeyboardInterrupt, Stopped) as stopped:
        with suppress(OSError):  # the terminal may be gone
            print("\nInterrupted; nothing is kept of games in batches.", file=sys.stderr)
        told = stopped if isinstance(stopped, Stopped) else Ended(INTERRUPTED)
        atexit.register(_leave_at_once, told.code)
        raise told from None


def _leave_at_once(code: int) -> None:
    """End the process before JAX is taken apart, which crashes while it still computes."""
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError):
            stream.flush()
    os._exit(code)


STYLES: Final = {
    "disguise": "tell a model the game in other words",
    "disguise_seed": "the same in words that a seed draws, a number or any word",
    "legal_moves": "list the legal moves for a model",
    "no_scratch": "let a model answer with the move alone",
}
"""The options that are settings of a model, by their names here."""
ASKING: Final = ("settings", "ask")
"""The options for how a model is asked."""
SPENDING: Final = ("price", "budget", "parallel", "timeout")
LARGEST_SETTINGS: Final = 2**22
"""The largest file of settings, in bytes."""
DAY: Final = 86_400
"""The longest time for an answer, in seconds."""


def add_styles(parser: argparse.ArgumentParser) -> None:
    """Add the options for how a game is put to a model."""
    for name, help in STYLES.items():
        value = " SEED" if name == "disguise_seed" else ""
        add_option(parser, f"--{name.replace('_', '-')}{value}", help)


def add_asking(parser: argparse.ArgumentParser) -> None:
    """Add the options for how a model is asked, in the API's own names."""
    add_option(parser, "--settings FILE", "how a model is asked, as TOML or JSON")
    ask = "set one of these settings, like temperature=0 or conversation=kept"
    add_option(parser, "--ask NAME=VALUE ...", ask)


def add_spending(parser: argparse.ArgumentParser) -> None:
    """Add the options for what a model may cost, and how fast it is asked."""
    price = "a model's dollars per million tokens, like 2.50/10; then of cached ones and reasoning"
    add_option(parser, "--price IN/OUT", price)
    budget = "stop before this: dollars, or tokens like 500k-tokens"
    add_option(parser, "--budget AMOUNT", budget)
    add_number(parser, "--parallel", "how many games a model plays at once (8)")
    add_number(parser, "--timeout", "seconds for an answer, with all retries (600)", most=DAY)
    add_option(parser, "--yes", "begin without asking")


def is_model(player: str) -> bool:
    """Whether a player's name is that of a model."""
    return player.startswith("model:")


def refuse_models(players: Iterable[str], option: str) -> None:
    """Refuse models where there is no budget for them."""
    if any(map(is_model, players)):
        refuse(f"{option} cannot be a model.", "Let it play in a tournament.")


def styles_asked(chosen: argparse.Namespace) -> list[str]:
    """The settings of a style that options ask for, as they stand in a name."""
    given = {name: getattr(chosen, name, None) for name in STYLES}
    seed = given.pop("disguise_seed")
    asked = [name.replace("_", "-") for name, is_asked in given.items() if is_asked]
    return [*asked, f"disguise={seed}"] if seed else asked


def with_style(player: str, chosen: argparse.Namespace) -> str:
    """The player's name with the settings that options ask for; refused unless it is a model."""
    asked = styles_asked(chosen)
    if not is_model(player):
        others = [name for name in (*ASKING, *SPENDING) if getattr(chosen, name, None)]
        options = [name.replace("_", "-") for name in STYLES if getattr(chosen, name, None)]
        for name in (*options, *others):
            refuse(f"--{name} is for models, and {quote(player)} is none.", "Leave it out.")
        return player
    from dataclasses import fields

    from strongroom.minds.dialogue import Style

    name, _, settings = player.partition("?")
    written = {each.name for each in fields(Style)} & _written_settings(chosen).keys()
    asked += [_style_text(each, _written_settings(chosen)[each]) for each in sorted(written)]
    style = str(Style.read("&".join(filter(None, (settings, *asked)))))
    return f"{name}?{style}" if style else name


def model_settings(chosen: argparse.Namespace) -> Settings:
    """How models are asked, by the options; what they are told is in their names."""
    from dataclasses import fields

    from strongroom.minds.dialogue import Style
    from strongroom.minds.settings import Settings

    told = {each.name for each in fields(Style)}
    written = _written_settings(chosen)
    return Settings.read({name: value for name, value in written.items() if name not in told})


def seating(players: Sequence[str], chosen: argparse.Namespace) -> Make:
    """Seats players by their names; models are asked as the options say, if any of them do."""
    from dataclasses import replace

    from strongroom.players import player

    if not any(getattr(chosen, name) for name in ASKING):
        return player
    if with_styles(players, chosen) != tuple(players):
        refuse("What a model is told is part of the game's record.", "Leave it out.")
    settings = model_settings(chosen)

    def make(name: str, game: Game, rng: Random) -> Player:
        if not is_model(name):
            return player(name, game, rng)
        seated: Player = replace(registry.find_entry("player", name), settings=settings)(game, rng)
        return seated

    return make


def _written_settings(chosen: argparse.Namespace) -> Json:
    """The settings in the file and, before these, in the options."""
    from strongroom.contract import Refusal
    from strongroom.minds.settings import parse_setting, parse_settings
    from strongroom.terminal.printing import file_label
    from strongroom.terminal.store.files import read_input

    file, written = getattr(chosen, "settings", None), {}
    if file is not None:
        text = read_input(file, LARGEST_SETTINGS)
        try:
            written = parse_settings(text)
        except Refusal as refusal:
            told = f"{file_label(file)}: {refusal.reason}"
            raise type(refusal)(told, refusal.accepted) from None
    return written | dict(map(parse_setting, getattr(chosen, "ask", ())))


def _style_text(name: str, value: object) -> str:
    """A setting of a style as it stands in a name."""
    if name == "disguise" and isinstance(value, (str, int)) and type(value) is not bool:
        return f"{name}={value}"
    if type(value) is not bool:
        refuse(f"{name} must be true or false, not {quote(str(value))}.")
    return f"{'' if value else 'no-'}{name.replace('_', '-')}"


def with_styles(players: Sequence[str], chosen: argparse.Namespace) -> tuple[str, ...]:
    """The players' names, those of models with the settings that options ask for."""
    if not any(map(is_model, players)):
        with_style(players[0], chosen)  # a refusal, if there are options for models
    return tuple(with_style(each, chosen) if is_model(each) else each for each in players)
