"""A policy that is linear in what a seat knows, for any game.

A view is a list of facts: what stands where on the board, the player's own secret, the last event.
Each fact has a weight for every action, and a softmax over the legal ones gives their odds; further
weights say how good it is to try what may still be right, depending on how much is left to find.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

import strongroom
from strongroom.contract import CandidateTracker, Game, View
from strongroom.plugins.registry import GAMES

Array = np.ndarray[Any, Any]
RATE, BASELINE_RATE, ENTROPY = 0.3, 0.05, 0.01
LEFT = (1, 2, 4, 8, 16, 32)
"""What is left to find is counted in these classes."""


class Decision(NamedTuple):
    """The odds of all actions, and what they follow from."""

    facts: list[int]
    tries: Array
    """For every action, whether it may name what the opponent hides."""
    left: int
    """How much is left to find for both, as a class."""
    odds: Array


class Policy:
    """The policy of one game."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.facts: dict[str, int] = {}
        self.weights = np.zeros((64, len(game.actions)), np.float32)
        self.baseline = np.zeros(64, np.float32)
        self.tries = np.zeros((len(LEFT) + 1) ** 2, np.float32)
        self._numbers = {str(move): number for number, move in enumerate(game.actions)}

    def decide(self, view: View, tracker: CandidateTracker) -> Decision:
        """The odds of all actions in a view."""
        facts, (tries, left) = self._rows(facts_of(view)), self._to_find(view, tracker)
        worth = self.weights[facts].sum(axis=0) + self.tries[left] * tries
        worth[~view.mask] = -np.inf
        odds = np.exp(worth - worth.max())
        return Decision(facts, tries, left, odds / odds.sum())

    def learn(self, decision: Decision, action: int, result: float) -> None:
        """Make an action likelier if the result was better than expected, otherwise less likely."""
        facts, tries, left, odds = decision
        surprise = result - float(self.baseline[facts].sum())
        logs = np.log(np.maximum(odds, 1e-12))
        step = -surprise * odds - ENTROPY * odds * (logs - odds @ logs)
        step[action] += surprise
        self.weights[facts] += RATE / len(facts) * step
        self.baseline[facts] += BASELINE_RATE / len(facts) * surprise
        self.tries[left] += RATE * float(step @ tries)

    def _rows(self, found: Iterator[str]) -> list[int]:
        """The rows of facts in the weights; a new fact gets a row of zeros."""
        rows = [self.facts.setdefault(fact, len(self.facts)) for fact in found]
        while len(self.facts) > len(self.weights):
            self.weights = np.concatenate([self.weights, np.zeros_like(self.weights)])
            self.baseline = np.concatenate([self.baseline, np.zeros_like(self.baseline)])
        return rows

    def _to_find(self, view: View, tracker: CandidateTracker) -> tuple[Array, int]:
        """What may name the opponent's secret, and how much is left to both."""
        assert view.seat is not None
        tries = np.zeros(len(self.game.actions), np.float32)
        mine, theirs = (tracker.left_for(s, view.history) for s in (view.seat, view.seat.other))
        if view.setting_up or mine is None or theirs is None:
            return tries, 0
        texts = ("-".join(map(str, each)) for each in mine)
        tries[[self._numbers[text] for text in texts if text in self._numbers]] = 1
        one, two = (int(np.searchsorted(LEFT, len(each))) for each in (mine, theirs))
        return tries, one + two * (len(LEFT) + 1)


def facts_of(view: View) -> Iterator[str]:
    """What a seat knows, fact by fact."""
    seat = f"{view.seat} {len(view.secret) if view.setting_up else ''}"
    board = re.findall(r"\w+", str(view.game.board_to_json(view.board)))
    own = re.findall(r"\w+", str(view.secret[0])) if view.secret else []
    yield seat
    yield f"{seat} board {board}"
    yield from (f"{seat} at {place}: {each}" for place, each in enumerate(board))
    yield from (f"{seat} from {place}: {each}" for place, each in enumerate(pairwise(board)))
    yield from (f"{seat} own {place}: {each} {board[place:][:1]}" for place, each in enumerate(own))
    if view.history:
        yield f"{seat} last {view.history[-1].move} {view.history[-1].answer}"


def write(policies: dict[str, Policy], file: str) -> None:
    """Write policies of several games to a file."""
    kept: dict[str, Any] = {}
    for name, policy in policies.items():
        kept[f"{name} facts"] = np.array([*policy.facts])
        kept[f"{name} weights"] = policy.weights[: len(policy.facts)]
        kept[f"{name} tries"] = policy.tries
    with open(file, "wb") as opened:
        np.savez_compressed(opened, **kept)


def read(file: str) -> dict[str, Policy]:
    """The policies in a file, by the names of their games."""
    policies = {}
    with np.load(file) as kept:
        for name in (name for name in GAMES if f"{name} facts" in kept):
            policy = policies[name] = Policy(strongroom.load(name))
            policy.facts = {str(fact): n for n, fact in enumerate(kept[f"{name} facts"])}
            policy.weights, policy.tries = kept[f"{name} weights"], kept[f"{name} tries"]
            policy.baseline = np.zeros(len(policy.weights), np.float32)
    return policies
