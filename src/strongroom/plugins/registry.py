"""The registry of games, players and all that belongs to them, open to other packages.

A package adds to it with entry points in the groups `strongroom.games`, `strongroom.players`,
`strongroom.schemes`, `strongroom.theories`, `strongroom.responders`, `strongroom.symmetries`,
`strongroom.vectors` and `strongroom.words`. Every command imports this module, so it imports
nothing heavy, and the module of an entry only on demand.
A scheme is a function from what stands after the colon in a player's name to what seats the player.
"""

from __future__ import annotations

import re
import sys
from functools import lru_cache
from importlib import import_module

from strongroom.plugins.foreign import FAILURES, failure_text
from strongroom.text.quoting import printable, quote
from strongroom.text.spelling import did_you_mean

TYPE_CHECKING = False  # every import here delays the start of every command
if TYPE_CHECKING:
    from importlib.metadata import EntryPoint
    from typing import Any

    from strongroom.contract import Game, Refusal, Words

GAMES = {
    "safe-cracker": (
        "strongroom.games.safe_cracker.rules:SafeCracker",
        "Crack a three-digit code from its exact matches.",
    ),
    "digit-deductions": (
        "strongroom.games.digit_deductions.rules:DigitDeductions",
        "Find two digits from how far off each guess is.",
    ),
    "quantum-duel": (
        "strongroom.games.quantum_duel.rules:QuantumDuel",
        "Four in a row of seven cells, and a coin.",
    ),
    "safe-code": (
        "strongroom.games.safe_code.rules:SafeCode",
        "Find a number from 1 to 30 with guesses and true clues.",
    ),
    "safecracker-duel": (
        "strongroom.games.safecracker_duel.rules:SafecrackerDuel",
        "Turn the shared safe to your own code, digit by digit.",
    ),
}
"""The five games in the order in which they are listed, each with a one-line summary."""

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
        "strongroom.minds.engine:seats",
        "a program in any language that reads and writes JSON lines: engine:./mybot",
    ),
    "model": (
        "strongroom.minds.model:seats",
        "a language model behind an OpenAI-compatible endpoint: model:NAME",
    ),
    "policy": (
        "strongroom.minds.policy:seats",
        "a network that was trained in batches: policy:FILE",
    ),
    "openspiel": (
        "strongroom.doors.openspiel_bots:seats",
        "a search by OpenSpiel: openspiel:ismcts?simulations=1000, or mcts",
    ),
}
"""Players who are named by a scheme and, after a colon, by what it takes."""

PARTS = {
    "safecracker-duel": {
        "theory": "theory.safecracker_duel.solution:SafecrackerDuelSolution",
        "responder": "arena.responses:SafecrackerDuelResponder",
        "symmetry": "puzzles.symmetry:DuelSymmetry",
        "vector": "vector.safecracker_duel:PackedSafecrackerDuel",
        "words": "games.safecracker_duel.words:DuelDisguise",
    },
    "safe-cracker": {
        "theory": "theory.safe_cracker.solution:SafeCrackerSolution",
        "responder": "arena.responses:GuessingResponder",
        "symmetry": "puzzles.symmetry:MatchSymmetry",
        "vector": "vector.safe_cracker:PackedSafeCracker",
        "words": "games.safe_cracker.words:CrackerDisguise",
    },
    "safe-code": {
        "theory": "theory.safe_code.solution:SafeCodeSolution",
        "responder": "arena.responses:SafeCodeResponder",
        "vector": "vector.safe_code:PackedSafeCode",
        "words": "games.safe_code.words:SafeCodeDisguise",
    },
    "digit-deductions": {
        "theory": "theory.digit_deductions.solution:DigitDeductionsSolution",
        "responder": "arena.responses:GuessingResponder",
        "symmetry": "puzzles.symmetry:GuessingSymmetry",
        "vector": "vector.guessing:PackedDigitDeductions",
        "words": "games.digit_deductions.words:DeductionsDisguise",
    },
    "quantum-duel": {
        "theory": "theory.quantum_duel.solution:QuantumDuelSolution",
        "responder": "arena.responses:QuantumDuelResponder",
        "symmetry": "puzzles.symmetry:MirrorSymmetry",
        "vector": "vector.quantum_duel:PackedQuantumDuel",
        "words": "games.quantum_duel.words:QuantumDisguise",
    },
}
"""What else there is of each of the five games, by kind; its further words are a disguise."""


def _parts(kind: str, suffix: str = "") -> dict[str, tuple[str, str]]:
    """The entries of one kind, by the games' names with a suffix."""
    return {
        f"{name}{suffix}": (f"strongroom.{parts[kind]}", "")
        for name, parts in PARTS.items()
        if kind in parts
    }


TABLE: dict[str, dict[str, tuple[str, str]]] = {
    "game": GAMES,
    "player": PLAYERS,
    "scheme": SCHEMES,
    "theory": _parts("theory"),
    "responder": _parts("responder"),
    "symmetry": _parts("symmetry"),
    "vector": _parts("vector"),
    "words": _parts("words", ".disguise"),
}
"""The built-in entries, by kind."""

GROUPS = {
    "game": "strongroom.games",
    "player": "strongroom.players",
    "scheme": "strongroom.schemes",
    "theory": "strongroom.theories",
    "responder": "strongroom.responders",
    "symmetry": "strongroom.symmetries",
    "vector": "strongroom.vectors",
    "words": "strongroom.words",
}
"""The group of entry points with which other packages add to each kind."""

LONGEST_ENTRY = 60
"""The most characters in the name of an entry point; longer ones are ignored."""

ENTRY_NAME = f"one word of at most {LONGEST_ENTRY} plain letters, digits, dots, - and _"
"""What the name of an entry point is; one with any other name is ignored."""


def names(kind: str) -> list[str]:
    """The names of all entries of a kind: built-in ones, then added ones in alphabetical order."""
    return [*TABLE[kind], *sorted(_entry_points(kind))]


def find_entry(kind: str, name: str) -> Any:
    """The object registered under a name, its module imported; or a refusal."""
    from strongroom.contract.refusal import UnknownName

    if kind == "player" and is_by_scheme(name):
        scheme, _, what = name.partition(":")
        return find_entry("scheme", scheme)(what)
    own = TABLE[kind].get(name) if isinstance(name, str) else None
    if own is None and not is_registered(kind, name):
        there_are = f"Choose from: {', '.join(names(kind)) or 'none'}."
        what = "set of words" if kind == "words" else kind
        meant = did_you_mean(str(name), names(kind)) or there_are
        raise UnknownName(f"There is no {what} {quote(str(name))}.", meant)
    try:
        return _require_kind(
            kind, _load_object(own[0]) if own else _entry_points(kind)[name].load()
        )
    except FAILURES as error:
        raise _refusal_of(kind, name, error) from error


def _refusal_of(kind: str, name: str, error: BaseException) -> Refusal:
    """The refusal of an entry that does not load."""
    from strongroom.contract.refusal import Refusal, UnknownName

    why = quote(failure_text(error), 120)
    if name in TABLE[kind]:
        damage = f"strongroom itself is damaged: its {kind} {name} does not load: {why}."
        return Refusal(damage, "Reinstall strongroom.")
    return UnknownName(
        f"The {kind} {quote(name)} is installed, but its package does not load: {why}."
    )


def is_registered(kind: str, name: str) -> bool:
    """Whether there is an entry with this name; other packages are searched only if need be.

    >>> is_registered("game", "quantum-duel"), is_registered("game", "chess")
    (True, False)
    """
    return isinstance(name, str) and (name in TABLE[kind] or name in _entry_points(kind))


def is_by_scheme(name: str) -> bool:
    """Whether a player's name begins with a scheme.

    >>> is_by_scheme("engine:./mybot"), is_by_scheme("master")
    (True, False)
    """
    scheme, colon, _ = str(name).partition(":")
    return bool(colon) and is_registered("scheme", scheme)


def _load_object(target: str) -> Any:
    """The object that a built-in entry names, as `MODULE:NAME`."""
    module, _, attribute = target.partition(":")
    return getattr(import_module(module), attribute)


def _require_kind(kind: str, found: Any) -> Any:
    """The object found, if it has the type of its kind; all others are called."""
    from strongroom.contract import Game, Words

    wanted = {"game": Game, "words": Words}.get(kind)
    if wanted is not None and not (isinstance(found, type) and issubclass(found, wanted)):
        raise TypeError(f"it is no {wanted.__name__}")
    if not callable(found):
        raise TypeError("it cannot be called")
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
    from strongroom.contract.refusal import Refusal

    found: type[Game] = find_entry("game", name)
    try:
        game = found(found.options_type.from_values(options))
        if game.name != name:  # a saved game would be looked for by the wrong name
            raise TypeError(f"its name is {game.name}")
        game.words  # noqa: B018 - what they lack is said here, not where they are first shown
    except Refusal:
        raise
    except FAILURES as error:
        raise _refusal_of("game", name, error) from error
    return game


def load_all() -> list[Game]:
    """The five games, and those of other packages that load, with their default options."""
    from strongroom.contract.refusal import Refusal

    found = []
    for name in names("game"):
        try:
            found.append(load(name))
        except Refusal:
            if name in GAMES:
                raise
    return found


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
    for exact in (text, wanted):
        if is_registered("game", exact):
            return exact
    games = names("game")
    fits = [name for name in games if wanted and name.startswith(wanted)]
    if len(fits) == 1:
        return fits[0]
    if fits:
        raise UnknownName(f"{quote(text)} could be {' or '.join(fits)}.", "Type more of the name.")
    meant = did_you_mean(wanted, games) or f"Choose from: {', '.join(games)}."
    raise UnknownName(f"There is no game {quote(text)}.", meant)


def _entry_points(kind: str) -> dict[str, EntryPoint]:
    """The entry points of other packages, by name."""
    return _plugins_on(tuple(sys.path))[kind]


@lru_cache(maxsize=1)
def _plugins_on(path: tuple[str, ...]) -> dict[str, dict[str, EntryPoint]]:
    """What other packages add, by kind and name; `path` is where they are looked for."""
    # Imported here, because importing it takes as long as a command without entry points does.
    from importlib.metadata import distributions

    kinds = {group: kind for kind, group in GROUPS.items()}
    added: dict[str, dict[str, EntryPoint]] = {kind: {} for kind in GROUPS}
    for package in distributions(path=[*path]):
        try:
            points = package.entry_points
        except FAILURES:  # one damaged package takes no other away
            continue
        for point in points:
            kind = kinds.get(point.group)
            if kind is not None and point.name not in TABLE[kind] and is_entry_name(point.name):
                added[kind].setdefault(point.name, point)  # like an import: the first on the path
    return added


def is_entry_name(text: str) -> bool:
    """Whether a name is one safe word in a shell, a help page and a file name."""
    return 0 < len(text) <= LONGEST_ENTRY and re.fullmatch(r"[\w.-]+", text, re.ASCII) is not None
