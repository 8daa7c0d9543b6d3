"""The shelf of shipped tables: each is a compressed numpy file with its provenance.

Players, advisers and proofs take a game's solution from here.
"""

from __future__ import annotations

import hashlib
import io
import json
import zipfile
from fractions import Fraction
from functools import cache
from math import floor
from pathlib import Path
from typing import Any

import numpy as np

from strongroom.contract import Game, Refusal, Rules, UnknownName
from strongroom.plugins.registry import find_entry, is_registered, names
from strongroom.theory.solution import NoTheory, Solution, Table
from strongroom.theory.worth import Probability
from strongroom.version import __version__

PROVENANCE = "provenance"


class DamagedTable(Refusal):
    """A table that is not what its provenance says."""


def label(game: Game) -> str:
    """The name of a game with its non-default options.

    >>> from strongroom import load
    >>> label(load("safecracker-duel", allow_same_digit=True))
    'safecracker-duel,allow_same_digit=True'
    """
    return ",".join([game.name, *game.options.changes()])


def file_of(game: Game) -> Path:
    """The path of a game's table."""
    return solution_type(game.name).tables / f"{label(game)}.npz"


def fingerprint(table: Table) -> str:
    """The SHA-256 hash of a table's contents."""
    digest = hashlib.sha256()
    for name in sorted(table):
        array = np.ascontiguousarray(table[name])
        digest.update(f"{name} {array.dtype.str} {array.shape}\n".encode())
        digest.update(array.tobytes())
    return digest.hexdigest()


def write(game: Game, table: Table, lower: Probability, upper: Probability, file: Path) -> None:
    """Write a table with its provenance; the same table gives the same file."""
    settings = "".join(f" --set {each}" for each in game.options.changes())
    provenance = {
        "command": f"strongroom solve {game.name}{settings} --write",
        "version": __version__,
        "sha256": fingerprint(table),
        "lower": str(lower),
        "upper": str(upper),
    }
    arrays: dict[str, Any] = {PROVENANCE: np.array(json.dumps(provenance)), **table}
    buffer = io.BytesIO()
    np.savez_compressed(buffer, **arrays)
    part = file.with_suffix(".part")
    try:
        part.write_bytes(buffer.getvalue())
        part.replace(file)  # atomic
    except OSError as error:
        part.unlink(missing_ok=True)
        raise Refusal(f"Cannot write the table {file.name}: {error.strerror}.") from None


def read(game: Game) -> tuple[Table, dict[str, str]]:
    """The shipped table of a game and its provenance."""
    file = file_of(game)
    try:
        with file.open("rb") as opened, np.load(opened, allow_pickle=False) as arrays:
            table = {name: arrays[name] for name in arrays.files}
        provenance: dict[str, str] = json.loads(str(table.pop(PROVENANCE)))
        if not {"sha256", "lower", "upper"} <= {*provenance}:
            raise ValueError("it does not say where it comes from")
    except FileNotFoundError:
        raise NoTheory(f"Nothing is certified for {label(game)}.", _certified_are(game)) from None
    except (OSError, ValueError, TypeError, KeyError, EOFError, zipfile.BadZipFile) as error:
        raise DamagedTable(f"The table {file.name} is damaged: {error}.") from None
    if fingerprint(table) != provenance["sha256"]:
        raise DamagedTable(f"The table {file.name} is damaged: its hash does not match.")
    return table, provenance


def _certified_are(game: Game) -> str:
    """The options of a game for which there are tables."""
    labels = [file.stem for file in solution_type(game.name).tables.glob("*.npz")]
    parts = sorted(tuple(text.split(",")) for text in labels)
    others = [" ".join(options) for name, *options in parts if name == game.name and options]
    if (game.name,) not in parts:
        return f"Create it: strongroom solve {game.name} --write"
    return "; ".join(["Certified: the default options", *others]) + "."


def is_certified(game: Game) -> bool:
    """Whether there is a table for a game with these options."""
    return is_registered("theory", game.name) and file_of(game).exists()


def guarantee_text(game: Game) -> str:
    """One sentence on what the shipped strategy of a game guarantees in each seat.

    >>> from strongroom import load
    >>> guarantee_text(load("safe-cracker", digits=4))
    'Certified: against anybody master scores at least 64.6 % as Player 1, 35.1 % as Player 2.'
    """
    provenance = read(game)[1]
    # Rounded down: never claim more than is proved.
    shares = Fraction(provenance["lower"]), 1 - Fraction(provenance["upper"])
    one, two = (f"{floor(1000 * share) / 10} % as Player {n}" for n, share in enumerate(shares, 1))
    return f"Certified: against anybody master scores at least {one}, {two}."


def solution_type(name: str) -> type[Solution]:
    """The class that solves the game with this name."""
    try:
        found: type[Solution] = find_entry("theory", name)
    except UnknownName:
        solved = ", ".join(names("theory"))
        raise NoTheory(f"Nobody has solved {name} yet.", f"Solved games: {solved}.") from None
    return found


def solution_of(game: Rules) -> Solution:
    """The solution in a game's shipped table, which is checked against its hash."""
    return _solution(solution_type(game.name), game)


@cache  # few tables are shipped, and a server would spend its time rereading them
def _solution(kind: type[Solution], game: Any) -> Solution:
    return kind(game, read(game)[0])
