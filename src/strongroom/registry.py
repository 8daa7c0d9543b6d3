"""Which games and players there are: the five games, those that other packages add, the bots.

A package adds a game with an entry point in the group `strongroom.games`. This module is read by
every command, so it imports nothing heavy and opens a game's module only when it is asked for.
"""

from __future__ import annotations

import os
import sys
from importlib import import_module

TYPE_CHECKING = False  # typing's own constant would cost a tenth of the start
if TYPE_CHECKING:
    from typing import Any

    from strongroom.game import Game

GROUP = "strongroom.games"

BUILT_IN = {
    "safecracker-duel": (
        "strongroom.games.safecracker_duel:SafecrackerDuel",
        "Turn the shared safe to your own code, digit by digit.",
    ),
    "safe-cracker": (
        "strongroom.games.safe_cracker:SafeCracker",
        "Crack a three-digit code from its exact matches.",
    ),
    "safe-code": (
        "strongroom.games.safe_code:SafeCode",
        "Find a number from 1 to 30 with guesses and true clues.",
    ),
    "digit-deductions": (
        "strongroom.games.digit_deductions:DigitDeductions",
        "Find two digits from how far off each guess is.",
    ),
    "quantum-duel": (
        "strongroom.games.quantum_duel:QuantumDuel",
        "Four in a row of seven, against challenges and a coin.",
    ),
}


PLAYERS = {
    "master": "plays the certified strategy: over both seats, in the long run, nobody beats it",
    "expert": "thinks straight and fast, and follows a plan that two sentences can tell",
    "casual": "plays sensibly, forgets things and takes chances, as people do",
    "random": "makes any legal move, and does not mind",
}
"""The players by name, strongest first, each with a line of character."""


def game_names() -> list[str]:
    """The names of all games: the five, then added ones in alphabetical order."""
    return [*BUILT_IN, *sorted(_added())]


def game_type(name: str) -> type[Game]:
    """The class of the game with this name."""
    from strongroom.refusal import UnknownName

    target = BUILT_IN[name][0] if name in BUILT_IN else _added().get(name)
    if target is None:
        raise UnknownName(f"There is no game {name!r}.", f"There are: {', '.join(game_names())}.")
    module, _, attribute = target.partition(":")
    try:
        found: type[Game] = getattr(import_module(module), attribute)
    except Exception as error:  # whatever another package does wrong is its own
        raise UnknownName(f"The game {name!r} is installed but does not load: {error}.") from error
    return found


def load(name: str, **options: Any) -> Game:
    """The game with this name and these options.

    >>> load("safe-cracker", digits=4)
    load('safe-cracker', digits=4, length=3, attempts=None)
    """
    found = game_type(name)
    return found(found.options_type.named(options))


def summary(name: str) -> str:
    """One line on what the game is."""
    if name in BUILT_IN:
        return BUILT_IN[name][1]
    from strongroom.refusal import UnknownName

    try:
        return (game_type(name).__doc__ or "").partition("\n")[0]
    except UnknownName as trouble:
        return trouble.reason


def find(text: str) -> str:
    """The name of the game that a person means: any case, spaces for dashes, a unique beginning.

    >>> find("Quantum")
    'quantum-duel'
    """
    from strongroom.refusal import UnknownName, shown

    wanted = "-".join(text.lower().replace("_", " ").replace("-", " ").split())
    names = game_names()
    if text in names or wanted in names:
        return text if text in names else wanted
    fits = [name for name in names if wanted and name.startswith(wanted)]
    if len(fits) == 1:
        return fits[0]
    if fits:
        raise UnknownName(f"{shown(text)} could be {' or '.join(fits)}.", "Type more of the name.")
    raise UnknownName(f"There is no game {shown(text)}.", f"There are: {', '.join(names)}.")


def _added() -> dict[str, str]:
    """The entry points of other packages, by name.

    Read by hand: `importlib.metadata` alone would double the start of every command.
    """
    added: dict[str, str] = {}
    for folder in sys.path:
        try:
            entries = os.listdir(folder or ".")
        except OSError:
            continue
        for entry in entries:
            if entry.endswith(".dist-info"):
                found = _entry_points(os.path.join(folder, entry, "entry_points.txt"))
                added = found | added  # like an import, the first on the path wins
    return {name: target for name, target in added.items() if name not in BUILT_IN}


def _entry_points(path: str) -> dict[str, str]:
    try:
        with open(path, encoding="utf-8") as file:
            lines = [line.strip() for line in file]
    except (OSError, UnicodeDecodeError):
        return {}
    points: dict[str, str] = {}
    section = ""
    for line in lines:
        if line.startswith("["):
            section = line.strip("[] ")
        elif section == GROUP and "=" in line:
            name, target = line.split("=", 1)
            points[name.strip()] = target.strip()
    return points
