"""A trained policy as a player: `policy:FILE`, a network in a file that needs numpy alone.

A file of numpy (`.npz`) has the arrays `weights_0`, `offsets_0`, `weights_1` and so on, and a text
`about`. Between layers stands a rectifier; a layer with as many more rows as there are inputs sees
the inputs, too. Nothing in a file is code: what is pickled is refused.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from random import Random
from typing import Any, Final
from zipfile import BadZipFile, ZipFile
from zlib import error as ZlibError  # noqa: N812 - it is a class

import numpy as np
from numpy.typing import ArrayLike, NDArray

from strongroom.contract import Game, Move, Refusal, View, quote
from strongroom.minds.knowledge import FlagObserver
from strongroom.plugins.registry import load
from strongroom.referee.bout import TURN_LIMIT

FORMAT: Final = "strongroom policy"
VERSION: Final = 1
LARGEST: Final = 1 << 30
"""The most bytes that the arrays of a file take."""
DAMAGED: Final = (
    *(BadZipFile, ZlibError, EOFError, MemoryError, NotImplementedError, RuntimeError),
    *(AttributeError, KeyError, TypeError, ValueError),
)
"""What reading a file raises that is none of ours."""
LAYER: Final = ("weights", "offsets")
"""The names of a layer's arrays, before their number."""
Layers = Sequence[tuple[ArrayLike, ArrayLike]]
"""The weights, a row an input, and the offsets of each layer."""


@dataclass(frozen=True)
class NetworkPolicy:
    """A network that says how good each action of a game is; called, it seats a player."""

    game: Game
    layers: tuple[tuple[NDArray[np.float32], NDArray[np.float32]], ...]
    parts: tuple[str, ...]
    """The parts of an observation that the network sees, in their order."""
    turn_limit: int = TURN_LIMIT
    """The turn limit with which it was trained; it decides how many bits numbers take."""
    seat_name: str = ""
    """What the player is called at a table."""

    def __post_init__(self) -> None:
        layout = FlagObserver(self.game, self.turn_limit).layout
        if unknown := [part for part in self.parts if part not in layout]:
            told = f"There are {', '.join(layout)}."
            raise Refusal(f"{self.game.title} has no part {quote(unknown[0])}.", told)
        inputs = before = sum(layout[part].stop - layout[part].start for part in self.parts)
        if not inputs or not self.layers:
            raise Refusal("A policy has at least one layer, and sees at least one part.")
        for number, (weights, offsets) in enumerate(self.layers):
            rows = {before, before + inputs} if number else {before}
            if weights.ndim != 2 or weights.shape[0] not in rows:
                told = f"{' or '.join(map(str, sorted(rows)))} rows, not the shape {weights.shape}"
                raise Refusal(f"weights_{number} should have {told}.")
            before = weights.shape[1]
            if offsets.shape != (before,):
                raise Refusal(f"offsets_{number} should have the shape {(before,)}.")
            if not (np.isfinite(weights).all() and np.isfinite(offsets).all()):
                raise Refusal(f"Layer {number} has numbers that are not finite.")
        if before != self.game.actions.by_players:
            told = f"{self.game.title} has {self.game.actions.by_players} actions"
            raise Refusal(f"{told}, and the last layer has {before} outputs.")

    def __call__(self, game: Game, rng: Random) -> NetworkPlayer:
        """The player at a game; a refusal if the network was trained at another."""
        if game != self.game:
            told = f"Choose that game: {self.game.name}."
            raise Refusal(f"This policy was trained at {self.game!r}, not at {game!r}.", told)
        return NetworkPlayer(self, rng)

    def columns(self, layout: Mapping[str, slice]) -> NDArray[np.intp]:
        """Where the flags that the network sees stand in an observation."""
        return np.concatenate([np.r_[layout[part]] for part in self.parts]).astype(np.intp)

    def scores(self, inputs: Any, layers: Sequence[tuple[Any, Any]] = (), xp: Any = np) -> Any:
        """A number for each action; the softmax over the legal ones is how likely it is chosen.

        In batches the layers are on a device, and `xp` is `jax.numpy`.
        """
        first = found = inputs.astype(np.float32)
        for number, (weights, offsets) in enumerate(layers or self.layers):
            if number:
                found = xp.maximum(found, 0.0)
            if weights.shape[0] > found.shape[-1]:
                found = xp.concatenate([found, first], axis=-1)
            found = found @ weights + offsets
        return found


class NetworkPlayer:
    """Draws its moves with the odds of a network."""

    def __init__(self, network: NetworkPolicy, rng: Random) -> None:
        self._network, self._rng = network, rng

    @cached_property
    def _observer(self) -> FlagObserver:
        return FlagObserver(self._network.game, self._network.turn_limit)

    def policy(self, view: View) -> dict[Move, float]:
        """How likely each legal move is."""
        parts = self._observer.parts(view)
        seen = np.concatenate([parts[name] for name in self._network.parts])
        legal = np.flatnonzero(self._observer.mask(view))
        scores = self._network.scores(seen)[legal].astype(np.float64)
        odds = np.exp(scores - scores.max())
        moves = self._observer.moves
        shares = (odds / odds.sum()).tolist()
        return {moves[n]: share for n, share in zip(legal.tolist(), shares, strict=True)}

    def choose(self, view: View) -> Move:
        """A move, drawn."""
        odds = self.policy(view)
        return self._rng.choices([*odds], [*odds.values()])[0]


def write_policy(
    file: str | Path,
    game: Game,
    layers: Layers,
    *,
    parts: Sequence[str] | None = None,
    turn_limit: int = TURN_LIMIT,
) -> NetworkPolicy:
    """Write a network to a file from which `policy:FILE` seats it; without `parts` it sees all."""
    seen = FlagObserver(game, turn_limit).layout if parts is None else parts
    arrays = tuple(
        (np.asarray(weights, np.float32), np.asarray(offsets, np.float32))
        for weights, offsets in layers
    )
    policy = NetworkPolicy(game, arrays, (*seen,), turn_limit)
    about = {
        "format": FORMAT,
        "version": VERSION,
        "game": game.name,
        "options": game.options.to_json(),
        "turn_limit": turn_limit,
        "parts": [*seen],
    }
    named = {
        f"{name}_{number}": array
        for number, layer in enumerate(arrays)
        for name, array in zip(LAYER, layer, strict=True)
    }
    new = Path(f"{file}.new")
    with new.open("wb") as opened:
        np.savez_compressed(opened, about=np.array(json.dumps(about)), **named)  # type: ignore[arg-type]
    os.replace(new, file)
    return policy


def read_policy(file: str | Path) -> NetworkPolicy:
    """The policy in a file; a refusal if it is none."""
    called = quote(str(file), 200)
    try:
        with ZipFile(file) as zipped:
            if sum(each.file_size for each in zipped.infolist()) > LARGEST:
                raise Refusal(f"It takes more than {LARGEST:,} bytes.")
        with np.load(file, allow_pickle=False) as arrays:
            about = json.loads(str(arrays["about"]))
            if (about["format"], about["version"]) != (FORMAT, VERSION):
                raise Refusal("It was written by another version.", "Write it again.")
            layers = tuple(
                tuple(np.asarray(arrays[f"{name}_{n}"], np.float32) for name in LAYER)
                for n in range(sum(name.startswith("weights_") for name in arrays.files))
            )
        game = load(about["game"], **about["options"])
        return NetworkPolicy(game, layers, (*about["parts"],), about["turn_limit"], Path(file).stem)  # type: ignore[arg-type]
    except Refusal as refusal:
        reason = f"The policy {called} cannot be used. {refusal.reason}"
        raise Refusal(reason, refusal.accepted) from None
    except OSError as trouble:
        told = trouble.strerror or str(trouble)
        raise Refusal(f"The policy {called} cannot be read: {told}.") from None
    except DAMAGED:
        told = "strongroom.minds.policy.write_policy writes one; examples/vector/ppo.py trains one."
        raise Refusal(f"{called} is not a policy.", told) from None


def seats(text: str) -> NetworkPolicy:
    """What the file named after `policy:` seats; or a refusal.

    >>> seats("no such file")
    Traceback (most recent call last):
    ...
    strongroom.contract.refusal.Refusal: The policy 'no such file' cannot be read: \
No such file or directory.
    """
    return read_policy(os.path.expanduser(text))
