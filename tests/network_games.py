"""Finished games as a server keeps them: with coins, commitments to secrets, and what was seen."""

from __future__ import annotations

import json
from random import Random
from typing import Any

from strongroom import load
from strongroom.contract import Seat
from strongroom.contract.codec import to_json
from strongroom.players import player
from strongroom.referee.fairness import Seen
from strongroom.referee.match import Match
from strongroom.referee.randomness import BOT_SEED, Coins, hash_of, nonces
from strongroom.referee.record import Record, Sitter
from strongroom.referee.table import Table

SITTERS = (Sitter("Ada"), Sitter("Bob"))
OPTIONS: dict[str, list[dict[str, Any]]] = {
    "safecracker-duel": [{}, {"allow_same_digit": True}],
    "safe-cracker": [{}, {"digits": 5, "length": 4}, {"attempts": 2}],
    "safe-code": [{}],
    "digit-deductions": [{}],
    "quantum-duel": [{}],
}
"""The five games, with options that change their answers or endings."""


def some_coins(random: Random, against_a_bot: bool = False) -> Coins:
    seed = random.randbytes(32).hex()
    second = BOT_SEED if against_a_bot else random.randbytes(16).hex()
    return Coins(hash_of(seed), (random.randbytes(16).hex(), second), seed)


def played(name: str, seed: int, options: dict[str, Any] | None = None) -> Record:
    """A whole game between two bots, recorded as one between two people on a server."""
    game, random = load(name, **(options or {})), Random(f"{name} {seed}")
    kind = "random" if seed % 2 else "casual"
    players = {seat: player(kind, game, Random(random.random())) for seat in Seat}
    match = Match.start(game, SITTERS, 400, nonce=nonces(seed), coins=some_coins(random))
    return Table(match, players, clock=lambda: 1e9).run().record


def seen_of(record: Record, seat: Seat | None = None) -> dict[str, Any]:
    """What a page that was open all the time has seen, in the form it stores."""
    assert record.coins is not None
    steps = [record.entry_to_json(step) for step in record.steps]
    private = [step for step in steps if "keeper" in step]
    return {
        "id": record.id,
        "game": record.game.name,
        "options": record.game.options.to_json(),
        "hash": record.coins.hash,
        "seeds": list(record.coins.seeds),
        "commitments": {str(step["step"]): step["commitment"] for step in private},
        "secrets": {
            str(step["step"]): step["move"]
            for step in private
            if seat is not None and step["keeper"] == seat.value
        },
        "events": [
            {part: step[part] for part in ("seat", "move", "answer")}
            for step in steps
            if "keeper" not in step
        ],
        "end": to_json(record.outcome),
    }


def as_seen(record: Record, seat: Seat | None = None) -> Seen:
    return Seen.from_json(seen_of(record, seat))


def bound_parts(text: str) -> list[Any]:
    """The parts of a record that commitments, rules, coins and what was seen pin down."""
    header, *lines = map(json.loads, text.split("\n")[: text.count("\n")])
    bound: list[Any] = [[header[part] for part in ("id", "game", "options", "coins")]]
    for line in lines:
        if "step" in line:
            parts = ("step", "seat", "move", "answer", "keeper", "nonce", "commitment")
            bound.append([line.get(part) for part in parts])
        elif "end" in line:
            bound.append(line["end"])
    return bound
