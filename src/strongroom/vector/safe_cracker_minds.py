"""What the certified player of Safe Cracker has in mind, numbered, and where guesses lead it.

All of it is asked of the player of the theory, which knows nodes, names and memories; here they
only get numbers, so that a device can look them up.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from strongroom.theory.safe_cracker.board import Ints, typical
from strongroom.theory.safe_cracker.player import Memory, Mind, RaceGuesser
from strongroom.vector.renamings import Renamings

Floats = NDArray[np.float64]

FORGOTTEN: Final[Memory] = (-1,)
"""Stands for all memories for which the table has no mixture, now or later."""
START: Final = Mind(0, 0)


class Walk(NamedTuple):
    """Where guesses and answers lead from node to node.

    Guesses that differ only in digits that no code of the node has share their rows, one for each
    answer but a hit.
    """

    row: Ints
    """The first row of each guess: [node, guess]."""
    node: Ints
    """The node to which a row leads."""
    words: NDArray[np.uint32]
    """How codes are renamed on the way, packed: [row, word]."""


def walk(guesser: RaceGuesser, renamings: Renamings, remember: bool) -> Walk:
    """The rows of all nodes, with or without earlier types."""
    rows, nodes, words, begun = [], [], [], 0
    for node in range(len(guesser.sets)):
        row, there, names = _from(guesser, renamings, node, remember)
        rows.append(begun + row * there.shape[1])
        nodes.append(there.ravel())
        words.append(renamings.packed(names).reshape(there.size, -1))
        begun += there.size
    return Walk(np.array(rows), np.concatenate(nodes), np.concatenate(words))


def _from(
    guesser: RaceGuesser, renamings: Renamings, node: int, remember: bool
) -> tuple[Ints, Ints, Ints]:
    """For each guess at a node the group to which it belongs; then, for each group and answer,
    the next node, and the names of a renaming's probes there.
    """
    game, codes, orbit = guesser.space.game, guesser.sets[node], guesser.table["orbits"][node]
    firsts, told = guesser.firsts(node), range(game.options.length)
    like, group = np.unique(typical(guesser.space, codes), return_inverse=True)
    lines = game.answer_table[firsts][:, codes]
    answered = [(k, answer) for k in range(len(firsts)) for answer in told if answer in lines[k]]
    there = np.full((len(firsts) + 1, len(told)), node)  # the last row: guesses that tell nothing
    names = np.broadcast_to(guesser.same, (*there.shape, len(guesser.same))).copy()
    places = guesser.remains(node, [(firsts[k], answer) for k, answer in answered], remember)
    for at, (left, new) in zip(answered, places, strict=True):
        there[at], names[at] = left, new
    useful = like[orbit[like] >= 0]
    turned = np.broadcast_to(guesser.same, (len(like), len(guesser.same))).copy()
    if len(useful):
        pairs = [(guess, firsts[orbit[guess]]) for guess in useful.tolist()]
        turned[orbit[like] >= 0] = guesser.symmetries(node, pairs)
    probes = turned[:, None, renamings.probes]
    action = orbit[like]
    after = names[action[:, None, None, None], np.array(told)[:, None, None], probes]
    return group.reshape(-1), there[action], after


class Plan(NamedTuple):
    """What the strategy does at each mind: it draws a set of guesses, then one of its guesses."""

    sets: Ints
    """The set to which each guess belongs, in a node's names, or -1: [face, guess].

    A face is a node with its guesses grouped in one way; no two of them share a set.
    """
    drawn: Ints
    """The sets that may be drawn: [mind, part]."""
    shares: Floats
    """Their probabilities: [mind, part]."""


class PlainMinds:
    """Minds without memory: the number is that of the own node, times the nodes, plus the other."""

    def __init__(self, guesser: RaceGuesser) -> None:
        self.guesser = guesser

    def plan(self) -> Plan:
        """One set of guesses at each mind."""
        orbits, choice = self.guesser.table["orbits"], self.guesser.table["choice"]
        begins = np.cumsum([0, *(orbits.max(axis=1)[:-1] + 1)])[:, None]
        drawn = (begins + choice).reshape(-1, 1)
        return Plan(np.where(orbits < 0, -1, begins + orbits), drawn, np.ones(drawn.shape))


class RememberingMinds:
    """Minds that remember what was played since types mattered: all to which guesses can lead."""

    def __init__(self, guesser: RaceGuesser) -> None:
        self.guesser = guesser
        self._known = {
            memory[:end] for memory in guesser.mixtures for end in range(1, len(memory) + 1)
        }
        self.minds: list[Mind] = [START]
        self._numbers = {START: 0}
        heard, guessed = [], []
        for mind in self.minds:  # the list grows during the loop
            heard.append(self._after(guesser.mind_after_other, mind, mind.other))
            guessed.append(self._after(guesser.mind_after_own, mind, mind.own))
        self.heard: Ints = np.array(heard)
        """The mind after the opponent's guess, by its name and answer: [mind, guess, answer]."""
        self.guessed: Ints = np.array(guessed)
        """The same after the player's own."""

    def number(self, mind: Mind) -> int:
        """The number of a mind; memories without consequences are the same."""
        if mind.memory is not None and mind.memory not in self._known:
            mind = mind._replace(memory=FORGOTTEN)
        if mind not in self._numbers:
            self._numbers[mind] = len(self.minds)
            self.minds.append(mind)
        return self._numbers[mind]

    def _after(
        self, step: Callable[[Mind, int, int], tuple[Mind, Ints]], mind: Mind, node: int
    ) -> Ints:
        """The mind after each guess and answer at a node; the same mind if it cannot happen."""
        game, codes, orbit = self.guesser.space.game, self.guesser.sets[node], self._orbits[node]
        after = np.full((len(orbit), game.options.length), self.number(mind))
        for k in np.unique(orbit):
            alike = np.flatnonzero(orbit == k)
            first = int(alike[0])
            for answer in {*game.answer_table[first, codes].tolist()} - {game.options.length}:
                # Guesses that tell nothing have different answers, and lead to the same mind.
                told = slice(None) if k < 0 else answer
                after[alike, told] = self.number(step(mind, first, answer)[0])
        return after

    @property
    def _orbits(self) -> Ints:
        return self.guesser.table["orbits"].astype(np.int64)

    def plan(self) -> Plan:
        """Mixtures where the table has them; elsewhere one set of guesses."""
        faces: dict[tuple[int, int], int] = {}
        sets: list[Ints] = []
        mixtures: list[dict[int, float]] = []
        begun = 0
        for mind in self.minds:
            mixture, (node, names) = self.guesser.mixture(mind)
            if (mind.own, node) not in faces:
                faces[mind.own, node] = begun
                orbit = self._orbits[node, names]
                sets.append(np.where(orbit < 0, -1, begun + orbit))
                begun += int(orbit.max()) + 1
            begins = faces[mind.own, node]
            mixtures.append({begins + k: float(share) for k, share in mixture.items()})
        parts = max(map(len, mixtures))
        drawn = np.array([[*each, *[next(iter(each))] * (parts - len(each))] for each in mixtures])
        shares = np.array([[*each.values(), *[0.0] * (parts - len(each))] for each in mixtures])
        return Plan(np.array(sets), drawn, shares)
