"""Exact counts of what can be played, so that a changed rule is noticed ("perft", as in chess).

The published counts, with the expressions that give them, are in `docs/perft.md`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from strongroom.contract import AnyState, Event
from strongroom.plugins.registry import load


def after(name: str, *texts: str, **options: Any) -> AnyState:
    """The state of a game with these options, after the moves with these texts.

    >>> str(after("safecracker-duel", "3-4-2", "5-1-3", "2 4").board)
    '1-4-1'
    """
    game = load(name, **options)
    state: AnyState = game.start()
    for text in texts:
        state = state.play(game.move(text))
    return state


def perft(state: AnyState, depth: int) -> int:
    """How many sequences of exactly `depth` moves can be played from a state.

    >>> perft(after("quantum-duel"), 2)
    42
    """
    if depth == 0:
        return 1
    if depth == 1:
        return len(state.moves)
    return sum(perft(state.play(move), depth - 1) for move in state.moves)


def histories(state: AnyState, depth: int) -> int:
    """How many different public histories there are after `depth` more moves.

    >>> histories(after("safe-cracker", "2-1-3"), 2)  # 27 guesses, 4 answers to each
    108
    """
    return _told_apart([state], depth)


def _told_apart(states: Sequence[AnyState], depth: int) -> int:
    """How many histories continue from states that have the same history so far."""
    if depth == 0:
        return 1
    groups: dict[tuple[Event, ...], list[AnyState]] = {}
    for state in states:
        for move in state.moves:
            played = state.play(move)
            groups.setdefault(played.log[len(state.log) :], []).append(played)
    return sum(_told_apart(group, depth - 1) for group in groups.values())


def positions(state: AnyState, memory: int = 0) -> int:
    """How many positions (board, actor, moves, outcome) can be reached from a state.

    `memory` is how many of the latest events the game's rules look back at.
    """
    seen = set()
    counted = set()
    waiting = [state]
    while waiting:
        here = waiting.pop()
        recent = here.log[max(0, len(here.log) - memory) :]
        key = (here.board, here.actor, here.outcome, recent)
        if key not in seen:
            seen.add(key)
            counted.add((here.board, here.actor, here.outcome, tuple(here.moves)))
            waiting += [here.play(move) for move in here.moves]
    return len(counted)
