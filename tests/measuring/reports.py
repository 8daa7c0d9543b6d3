"""A small report, as `strongroom measure --json` writes it, for tests of what is shown of it."""

from __future__ import annotations

from typing import Any

from strongroom.contract import Json
from strongroom.contract.codec import to_json
from strongroom.minds.allowance import Bill
from strongroom.minds.asking import Asking
from strongroom.minds.model import Experiment
from strongroom.minds.settings import Settings

BOARD = "[ X ] [ _ ]\n  1     2"


def mistake(**changes: Any) -> Json:
    """One of the worst moves."""
    tile = {"text": "X", "label": "1", "owner": 1, "look": "touched"}
    free = {"text": "", "label": "2", "owner": None, "look": "plain"}
    place = {"round": 3, "seat": 1, "number": 7, "turn": 4, "kind": "blocking late"}
    played = {"move": "1", "said": "cell 1", "cost": 0.31, "picture": f"{BOARD}\n\n1. Player 1: 1"}
    better = {"better": "2", "better_said": "cell 2", "why": "it keeps the opponent from four."}
    return place | played | better | {"drawing": {"framed": True, "rows": [[tile, free]]}} | changes


def result(**changes: Any) -> Json:
    """The figures of a game."""
    played = {"title": "Quantum Duel", "options": {}, "games": 200, "forfeits": 2, "illegal": 5}
    spent = {"seconds": 1.5, "tokens": 1234, "money": 0.5}
    score = {"score": 0.197, "error": 0.004, "interval": [0.189, 0.205], "exact": 0.19745}
    counted = {"counted": 0.21, "counted_error": 0.03, "counted_interval": [0.151, 0.269]}
    luck = {"ratio": 56.25, "luck_z": 0.31, "start": 0.5, "baseline": "what a best response wins"}
    luck |= {"by_costs": 0.2, "by_costs_error": 0.004}
    costs = {
        "cost_per_decision": 0.02,
        "decisions": 3000,
        "perfect": 0.6,
        "profile": [
            {"kind": "opening", "decisions": 1000, "cost": 20.0, "perfect": 0.9},
            {"kind": "blocking late", "decisions": 2000, "cost": 40.0, "perfect": 0.45},
        ],
        "costs": {"0": 2100, "0.01": 300, "0.05": 300, "0.1": 150, "0.15": 120, "0.3": 30},
        "worst": [mistake()],
    }
    return played | spent | score | counted | luck | costs | changes


def report(player: str = "casual", **changes: Any) -> Json:
    """The report of a player at one game; the changes are of the game's figures."""
    made = {"format": "strongroom measurement", "version": 2, "strongroom": "0.1.0"}
    by = {"python": "3.11.7", "numpy": "2.0.0"}
    asked = {"player": player, "against": "master", "rounds": 100, "seats": [1, 2]}
    terms = {"seed": 7, "seed_known": True, "turn_limit": 100}
    results = {"quantum-duel": result(**changes)}
    return made | by | asked | terms | {"results": results, "records": {"quantum-duel": []}}


def experiment(served: str = "model-2", /, **settings: object) -> Json:
    """How a model was asked."""
    libraries, spent = {"openai": "2.0"}, Bill(calls=1_042)
    date = "2026-11-19T20:00:00Z"
    how = Experiment(Settings.read(settings), served, Asking(), date, libraries, spent)
    return {**to_json(how)}


OF_COSTS = ("baseline", "start", "cost_per_decision", "decisions", "perfect", "profile", "costs")
UNMEASURED: Json = dict.fromkeys((*OF_COSTS, "worst", "error", "ratio", "exact"))
"""What is unknown against an opponent who is not certified."""
