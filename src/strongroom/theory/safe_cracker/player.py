"""How the certified player of Safe Cracker plays, by its table.

It hides uniformly, ignores its own code, takes an action that is optimal in the race and draws
uniformly among its guesses, which all look alike. In the default game one set of five codes has two
types; there it remembers what was played and mixes, until the types are alike again.

What it knows about a code is a node of the table and the name of every code there. It never goes
back to the codes themselves, because two equal sets may have two forms: so it visits only the nodes
that the proof visits.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cache, cached_property, lru_cache, partial
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from strongroom.contract import Event, Move, Seat, View
from strongroom.contract.history import HistoryFold
from strongroom.theory.safe_cracker.race import Split, codes_of, forms, space_of, typical
from strongroom.theory.solution import Ints, Table

Memory = tuple[int, ...]
"""Where types began to matter (node, opponent's node), and the actions and nodes since."""
Mixture = dict[int, Fraction]
"""The probability of each action of a node."""
Place = tuple[int, Ints]
"""A node, and the name of every code there."""


class Mind(NamedTuple):
    """All that the strategy depends on: both nodes, and what was played since types mattered."""

    own: int
    """The node of the opponent's possible codes; if types mattered, one that remembers them."""
    other: int
    """The node of the player's own codes that the opponent considers possible."""
    memory: Memory | None = None

    def hearing(self, other: int) -> Mind:
        """The mind after a guess of the opponent that leaves this node of the player's codes."""
        return self._replace(other=other, memory=self.memory and (*self.memory, other))


class Stand(NamedTuple):
    """The state of a game for the player: its mind, and the name of every code at both nodes."""

    mind: Mind
    own: Ints
    other: Ints


class RaceGuesser:
    """The strategy of a table, for either seat."""

    def __init__(self, table: Table) -> None:
        self.table = table
        digits, length, self.coloured = (int(n) for n in table["options"])
        self.space = space_of(digits, length)
        text, ends = table["keys"].tobytes(), [0, *table["ends"].tolist()]
        self.ids = {text[a:b]: i for i, (a, b) in enumerate(pairwise(ends))}
        self.sets, self.hues = zip(*(codes_of(self.space, key) for key in self.ids), strict=True)
        """The codes of each node, by their names there, and their colours."""
        self.mixtures: dict[Memory, Mixture] = {}
        if self.coloured:
            self.several = table["types"].max(axis=1) > 0
            for memory, over, under in zip(
                table["memories"].tolist(), table["numerators"], table["denominators"], strict=True
            ):
                taken = np.flatnonzero(over).tolist()
                mixture = {k: Fraction(int(over[k]), int(under[k])) for k in taken}
                self.mixtures[tuple(n for n in memory if n >= 0)] = mixture
        start = Stand(Mind(0, 0), self.same, self.same)
        self._stands = {
            seat: HistoryFold[Event, Stand](start, partial(self._step, seat)) for seat in Seat
        }
        # A few thousand are enough for a sitting; all of them would take hundreds of megabytes.
        self.after = lru_cache(maxsize=1 << 12)(self._after)
        self.left = lru_cache(maxsize=1 << 12)(self._left)
        self.plain = cache(self._plain)
        self.race, self.splits = cache(self._race), cache(self._splits)
        self._starts = np.cumsum([0, *(table["orbits"].max(axis=1) + 1)])

    def policy(self, view: View) -> dict[Move, Fraction]:
        """The probability of hiding each code or making each guess; {} out of its turn."""
        if view.seat is None or view.actor is not view.seat:
            return {}
        moves = self.space.game.actions
        if view.setting_up:
            return dict.fromkeys(moves, Fraction(1, len(moves)))
        stand = self.follow(view)
        return {moves[guess]: share for guess, share in self.draw(stand.mind, stand.own).items()}

    def follow(self, view: View) -> Stand:
        """The stand of the view's seat after the view's history."""
        assert view.seat is not None
        return self._stands[view.seat].after(view.history)

    def _step(self, seat: Seat, stand: Stand, event: Event) -> Stand:
        assert isinstance(event.answer, int)
        step = self.after_own if event.actor is seat else self.after_other
        return step(stand, self.space.game.actions.index(event.move), event.answer)

    def after_own(self, stand: Stand, guess: int, answer: int) -> Stand:
        """The stand after a guess of the player's own."""
        mind, names = self.mind_after_own(stand.mind, int(stand.own[guess]), answer)
        return Stand(mind, names[stand.own], stand.other)

    def after_other(self, stand: Stand, guess: int, answer: int) -> Stand:
        """The stand after a guess of the opponent's."""
        mind, names = self.mind_after_other(stand.mind, int(stand.other[guess]), answer)
        return Stand(mind, stand.own, names[stand.other])

    def mind_after_other(self, mind: Mind, guess: int, answer: int) -> tuple[Mind, Ints]:
        """The mind after the opponent's guess, in the node's names, and every code's new name."""
        other, names = self.after(mind.other, guess, answer, False)
        return mind.hearing(other), names

    def mind_after_own(self, mind: Mind, guess: int, answer: int) -> tuple[Mind, Ints]:
        """The mind after the player's own guess, in the node's names, and every code's new name."""
        own, names = self.after(mind.own, guess, answer, self.coloured > 0)
        if own == mind.own:
            return mind._replace(memory=mind.memory and (-1,)), names  # off the plan
        memory: Memory | None = None
        if self.coloured and self.several[own]:
            memory = (own, mind.other)
            if mind.memory is not None:
                memory = (*mind.memory, int(self.table["orbits"][mind.own, guess]), own)
        return Mind(own, mind.other, memory), names

    def draw(self, mind: Mind, names: Ints) -> dict[int, Fraction]:
        """The probability of each guess, uniform among guesses that look alike.

        `names` are the names of the codes at the mind's own node.
        """
        mixture, (x, there) = self.mixture(mind)
        orbit = self.table["orbits"][x, there[names]]
        alike = {k: np.flatnonzero(orbit == k).tolist() for k in mixture}
        each = {k: share / max(1, len(alike[k])) for k, share in mixture.items()}
        return {guess: each[k] for k in mixture for guess in alike[k]}

    def mixture(self, mind: Mind) -> tuple[Mixture, Place]:
        """The probability of each action, at the mind's own node with or without earlier types."""
        mixture = self.mixtures.get(mind.memory) if mind.memory else None
        if mixture is not None:
            return mixture, (mind.own, self.same)
        x, names = self.plain(mind.own)
        return {int(self.table["choice"][x, mind.other]): Fraction(1)}, (x, names)

    # --- what the race is worth ---

    def _race(self, x: int, y: int) -> int:
        """The number of pairs of codes that the player to move at `x` wins against `y`."""
        if "race" in self.table:
            return int(self.table["race"][x, y])
        return self.won_with(x, y, int(self.table["choice"][x, y]))

    def won_with(self, x: int, y: int, k: int) -> int:
        """The same, if the player starts with this action."""
        split, other = self.splits(x)[k], len(self.sets[y])
        kept = (len(self.sets[c]) * other - self.race(y, c) for c in split.cells)
        return split.hit * other + sum(kept)

    def _splits(self, node: int) -> list[Split]:
        """How each action splits a node in the race."""
        codes, firsts = {*self.sets[node].tolist()}, self.firsts(node)
        lines = self.table["cells"][self._starts[node] :][: len(firsts)].tolist()
        return [
            Split(first in codes, tuple(c for c in line if c >= 0))
            for first, line in zip(firsts, lines, strict=True)
        ]

    # --- from node to node ---

    @cached_property
    def same(self) -> Ints:
        """Every code under its own name."""
        return np.arange(len(self.space.digits))

    def _after(self, node: int, guess: int, answer: int, remember: bool) -> Place:
        """Where a guess and its answer lead from a node, in its names, with or without types.

        A symmetry of the node maps the guess to the first of those that look alike.
        """
        k = int(self.table["orbits"][node, guess])
        if k < 0:
            return node, self.same
        first, like = self.firsts(node)[k], typical(self.space, self.sets[node])[guess]
        there, names = self.left(node, first, answer, remember)
        if like == first:
            return there, names
        return there, names[self.symmetries(node, [(like, first)])[0]]

    def _left(self, node: int, guess: int, answer: int, remember: bool) -> Place:
        return self.remains(node, [(guess, answer)], remember)[0]

    def _plain(self, node: int) -> Place:
        """A node without its earlier types."""
        if not (self.hues[node] > 1).any():
            return node, self.same
        return self._places(self.sets[node], np.ones_like(self.hues[node])[None])[0]

    def firsts(self, node: int) -> list[int]:
        """The first guess of each action."""
        actions, firsts = np.unique(self.table["orbits"][node], return_index=True)
        return [int(first) for k, first in zip(actions, firsts, strict=True) if k >= 0]

    def remains(
        self, node: int, answered: Sequence[tuple[int, int]], remember: bool
    ) -> list[Place]:
        """What each of these guesses, with its answer, leaves of a node."""
        codes, lines = self.sets[node], []
        for guess, answer in answered:
            kept = self.space.game.answer_table[guess, codes] == answer
            hues = kept.astype(np.int64)
            if remember and self.several[node]:
                types = self.table["types"][node, codes].astype(np.int64)
                if len(set(types[kept].tolist())) > 1:
                    hues *= types + 1
            lines.append(hues)
        return self._places(codes, np.array(lines).reshape(-1, len(codes)))

    def symmetries(self, node: int, pairs: Sequence[tuple[int, int]]) -> list[Ints]:
        """Renamings of all codes that keep a node and map each pair's first guess to its second.

        Guesses that differ only in digits that no code has are given by the first of them.
        """
        guesses = sorted({guess for pair in pairs for guess in pair})
        hues = np.tile(self.hues[node], (len(guesses), 1))
        found = forms(self.space, self.sets[node], hues, np.array(guesses))
        seen = dict(zip(guesses, found, strict=True))
        if any(seen[guess].key != seen[other].key for guess, other in pairs):
            raise LookupError("guesses that do not look alike are taken for each other")
        names = {guess: form.rename(self.space) for guess, form in seen.items()}
        back = {other: names[other].argsort() for _, other in pairs}
        return [back[other][names[guess]] for guess, other in pairs]

    def _places(self, codes: Ints, hues: Ints) -> list[Place]:
        found = forms(self.space, codes, hues)
        return [(self.ids[form.key], form.rename(self.space)) for form in found]
