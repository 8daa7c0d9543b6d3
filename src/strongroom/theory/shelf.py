"""The shelf of shipped tables: each a compressed numpy file that says where it comes from."""

from __future__ import annotations

import hashlib
import io
import json
import zipfile
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from strongroom import __version__
from strongroom.game import Game
from strongroom.refusal import Refusal
from strongroom.theory import NoTheory, Number, Table

SHELF = Path(__file__).with_name("tables")
PROVENANCE = "provenance"


class DamagedTable(Refusal):
    """A table that is not what its provenance says."""


def label(game: Game) -> str:
    """The name of a game with those of its options that are not the usual ones.

    >>> from strongroom import load
    >>> label(load("safecracker-duel", allow_same_digit=True))
    'safecracker-duel,allow_same_digit=True'
    """
    usual = type(game)().options.to_json()
    chosen = game.options.to_json()
    return ",".join([game.name, *(f"{k}={v}" for k, v in chosen.items() if v != usual[k])])


def file_of(game: Game) -> Path:
    """Where the table of a game stands."""
    return SHELF / f"{label(game)}.npz"


def fingerprint(table: Table) -> str:
    """A hash of everything in a table."""
    digest = hashlib.sha256()
    for name in sorted(table):
        array = np.ascontiguousarray(table[name])
        digest.update(f"{name} {array.dtype.str} {array.shape}\n".encode())
        digest.update(array.tobytes())
    return digest.hexdigest()


def write(game: Game, table: Table, lower: Number, upper: Number, file: Path) -> None:
    """Put a table on the shelf, with its provenance; the same table gives the same file."""
    settings = "".join(f" --set {each}" for each in label(game).split(",")[1:])
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
    file.write_bytes(buffer.getvalue())


@lru_cache(maxsize=8)
def table_of(game: Game) -> Table:
    """The shipped table of a game, checked against its hash."""
    return read(game)[0]


def read(game: Game) -> tuple[Table, dict[str, Any]]:
    """The shipped table of a game and its provenance."""
    file = file_of(game)
    try:
        with file.open("rb") as opened, np.load(opened, allow_pickle=False) as arrays:
            table = {name: arrays[name] for name in arrays.files}
        provenance: dict[str, Any] = json.loads(str(table.pop(PROVENANCE)))
    except FileNotFoundError:
        reason = f"There is no table for {label(game)}."
        raise NoTheory(reason, "The usual options of every game have one.") from None
    except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile) as error:
        raise DamagedTable(f"The table {file.name} is damaged: {error}.") from None
    if fingerprint(table) != provenance.get("sha256"):
        raise DamagedTable(f"The table {file.name} is damaged: its hash does not match.")
    return table, provenance
