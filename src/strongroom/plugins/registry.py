"""The registry of games, players and all that belongs to them, open to other packages.

A package adds to it with entry points in the groups `strongroom.games`, `strongroom.players`,
`strongroom.schemes`, `strongroom.theories`, `strongroom.responders`, `strongroom.vectors` and
`strongroom.words`. Every command imports this module, so it imports nothing heavy, and the module
of an entry only on demand.
A scheme is a function from what stands after the colon in a player's name to what seats the player.
"""

from __future__ import annotations

import os
import re
import sys
from importlib import import_module
from typing import TYPE_CHECKING, Any

from strongroom.plugins.foreign import FAILURES, told
from strongroom.text.quoting import printable, shown
from strongroom.text.spelling import did_you_mean

if TYPE_CHECKING:  # the contract, with dataclasses and enums, would double the startup time
    from strongroom.contract import Game, Words

GAMES = {
    "safecracker-duel": (
        "strongroom.games.safecracker_duel.rules:SafecrackerDuel",
        "Turn the shared safe to your own code, digit by digit.",
    ),
    "safe-cracker": (
        "strongroom.games.safe_cracker.rules:SafeCracker",
        "Crack a three-digit code from its exact matches.",
    ),
    "safe-code": (
        "strongroom.games.safe_code.rules:SafeCode",
        "Find a number from 1 to 30 with guesses and true clues.",
    ),
    "digit-deductions": (
        "strongroom.games.digit_deductions.rules:DigitDeductions",
        "Find two digits from how far off each guess is.",
    ),
    "quantum-duel": (
        "strongroom.games.quantum_duel.rules:QuantumDuel",
        "Four in a row of seven, against challenges and a coin.",
    ),
}
"""The five games, each with a one-line summary."""

PLAYERS = {
    "master": (
        "strongroom.players.master:MasterPlayer",
        "plays the certified strategy; in the long run, over both seats, nobody beats it",
    ),
    "expert": (
        "strongroom.players.expert:ExpertPlayer",
        "follows one or two good ideas without error",
    ),
    "casual": (
        "strongroom.players.casual:CasualPlayer",
        "plays sensibly, but forgets and overlooks things",
    ),
    "random": (
        "strongroom.players.random:RandomPlayer",
        "makes random legal moves",
    ),
}
"""The bots, strongest first, each with a line on its character."""

SCHEMES = {
    "engine": (
        "strongroom.agents.engine:seats",
        "a program in any language that reads and writes JSON lines: engine:./mybot",
    ),
    "model": (
        "strongroom.agents.model:seats",
        "a language model behind an OpenAI-compatible endpoint: model:NAME",
    ),
    "openspiel": (
        "strongroom.agents.openspiel_bots:seats",
        "a search by OpenSpiel: openspiel:ismcts?simulations=1000, or mcts",
    ),
}
"""Players who are named by a scheme and, after a colon, by what it takes."""

THEORIES = {
    name: (f"strongroom.theory.{name.replace('-', '_')}.solution:{solution}", "")
    for name, solution in {
        "safecracker-duel": "SafecrackerDuelSolution",
        "safe-cracker": "SafeCrackerSolution",
        "safe-code": "SafeCodeSolution",
        "digit-deductions": "DigitDeductionsSolution",
        "quantum-duel": "QuantumDuelSolution",
    }.items()
}
"""The solution of each game, by the game's name."""

RESPONDERS = {
    name: (f"strongroom.arena.responses.{responder}", "")
    for name, responder in {
        "safecracker-duel": "duel:SafecrackerDuelResponder",
        "safe-cracker": "race:GuessingResponder",
        "safe-code": "clues:SafeCodeResponder",
        "digit-deductions": "race:GuessingResponder",
        "quantum-duel": "chain:QuantumDuelResponder",
    }.items()
}
"""What responds to the players of each game, by the game's name."""

VECTORS = {
    name: (f"strongroom.vector.{name.replace('-', '_')}:{packed}", "")
    for name, packed in {
        "safecracker-duel": "PackedSafecrackerDuel",
        "safe-cracker": "PackedSafeCracker",
        "safe-code": "PackedSafeCode",
        "digit-deductions": "PackedDigitDeductions",
        "quantum-duel": "PackedQuantumDuel",
    }.items()
}
"""The packed form of each game, which is played in batches, by the game's name."""

TABLE: dict[str, dict[str, tuple[str, str]]] = {
    "game": GAMES,
    "player": PLAYERS,
    "scheme": SCHEMES,
    "theory": THEORIES,
    "responder": RESPONDERS,
    "vector": VECTORS,
    "words": {},
}
"""The built-in entries, by kind; `words` are named `GAME.NAME`."""

GROUPS = {
    "game": "strongroom.games",
    "player": "strongroom.players",
    "scheme": "strongroom.schemes",
    "theory": "strongroom.theories",
    "responder": "strongroom.responders",
    "vector": "strongroom.vectors",
    "words": "strongroom.words",
}
"""The group of entry points with which other packages add to each kind."""

LONGEST_ENTRY = 60
"""The most characters in the name of an entry point; longer ones are ignored."""


def names(kind: str) -> list[str]:
    """The names of all entries of a kind: built-in ones, then added ones in alphabetical order."""
    return [*TABLE[kind], *sorted(_added(kind))]


def find_entry(kind: str, name: str) -> Any:
    """The object registered under a name, its module imported; or a refusal."""
    from strongroom.contract.refusal import Refusal, UnknownName

    if kind == "player" and is_by_scheme(name):
        scheme, _, what = name.partition(":")
        return find_entry("scheme", scheme)(what)
    own = TABLE[kind].get(name) if isinstance(name, str) else None
    target = own[0] if own else _added(kind).get(str(name))
    if target is None:
        there_are = f"Choose from: {', '.join(names(kind)) or 'none'}."
        what = "set of words" if kind == "words" else kind
        meant = did_you_mean(str(name), names(kind)) or there_are
        raise UnknownName(f"There is no {what} {shown(str(name))}.", meant)
    module, _, attribute = target.partition(":")
    try:
        return _checked(kind, getattr(import_module(module), attribute))
    except FAILURES as error:
        why = shown(told(error), 80)
        if own:
            damage = f"strongroom itself is damaged: its {kind} {name} does not load: {why}."
            raise Refusal(damage, "Reinstall strongroom.") from error
        reason = f"The {kind} {shown(name)} is installed, but its package does not load: {why}."
        raise UnknownName(reason) from error


def is_by_scheme(name: str) -> bool:
    """Whether a player's name begins with a scheme.

    >>> is_by_scheme("engine:./mybot"), is_by_scheme("master")
    (True, False)
    """
    scheme, colon, _ = str(name).partition(":")
    return bool(colon) and scheme in names("scheme")


def _checked(kind: str, found: Any) -> Any:
    """The object found, if it has the type of its kind; all others may be of any type."""
    from strongroom.contract import Game, Words

    wanted = {"game": Game, "words": Words}.get(kind)
    if wanted is not None and not (isinstance(found, type) and issubclass(found, wanted)):
        raise TypeError(f"it is no {wanted.__name__}")
    return found


def summary(kind: str, name: str) -> str:
    """One line on an entry: a built-in one's own, or the first line of an added one's docstring."""
    if name in TABLE[kind]:
        return TABLE[kind][name][1]
    from strongroom.contract.refusal import UnknownName

    try:
        line = (find_entry(kind, name).__doc__ or "").partition("\n")[0]
    except UnknownName as trouble:
        line = trouble.reason
    return printable(line[:200])


def load(name: str, /, **options: Any) -> Game:
    """The game with this name and these options.

    >>> load("safe-cracker", digits=4)
    load('safe-cracker', digits=4, length=3, attempts=None)
    """
    found: type[Game] = find_entry("game", name)
    return found(found.options_type.named(options))


def env_id(name: str) -> str:
    """The name of a game's environment in Gymnasium and in TextArena.

    >>> env_id("safe-cracker")
    'strongroom/SafeCracker-v0'
    """
    words = re.split("[-_]", name)
    return f"strongroom/{''.join(word[:1].upper() + word[1:] for word in words)}-v0"


def words_of(game: Game, name: str) -> type[Words[Any]]:
    """The set of words with this name for a game, to be used with `game.in_words`."""
    found: type[Words[Any]] = find_entry("words", f"{game.name}.{name}")
    return found


def find(text: str) -> str:
    """The name of the game that a person means: any case, spaces for dashes, a unique prefix.

    >>> find("Quantum")
    'quantum-duel'
    """
    from strongroom.contract.refusal import UnknownName

    wanted = "-".join(text.lower().replace("_", " ").replace("-", " ").split())
    games = names("game")
    if text in games or wanted in games:
        return text if text in games else wanted
    fits = [name for name in games if wanted and name.startswith(wanted)]
    if len(fits) == 1:
        return fits[0]
    if fits:
        raise UnknownName(f"{shown(text)} could be {' or '.join(fits)}.", "Type more of the name.")
    meant = did_you_mean(wanted, games) or f"Choose from: {', '.join(games)}."
    raise UnknownName(f"There is no game {shown(text)}.", meant)


def _added(kind: str) -> dict[str, str]:
    """The entry points of other packages, by name.

    Read by hand: `importlib.metadata` alone would double the startup time of every command.
    """
    added: dict[str, str] = {}
    for folder in sys.path:
        try:
            entries = os.listdir(folder or ".")
        except OSError:
            continue
        for entry in entries:
            if entry.endswith(".dist-info"):
                found = _entry_points(GROUPS[kind], os.path.join(folder, entry, "entry_points.txt"))
                added = found | added  # like an import, the first on the path wins
    return {name: target for name, target in added.items() if name not in TABLE[kind]}


def _entry_points(group: str, path: str) -> dict[str, str]:
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
        elif section == group and "=" in line:
            name, target = line.split("=", 1)
            if _is_name(name.strip()):
                points[name.strip()] = target.strip()
    return points


def _is_name(text: str) -> bool:
    """Whether a name is one safe word in a shell, a help page and a file name."""
    return 0 < len(text) <= LONGEST_ENTRY and re.fullmatch(r"[\w.-]+", text, re.ASCII) is not None
