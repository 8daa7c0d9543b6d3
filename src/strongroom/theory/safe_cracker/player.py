"""How the certified player of Safe Cracker plays, by its table.

It hides evenly, never looks at its own code, takes a guess that is best in the race and draws it
evenly among all guesses that look alike. In the default game one set of five codes has two types;
there it remembers what was played and mixes, until the types are alike again.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from strongroom.contract import Move, View
from strongroom.theory.safe_cracker.board import Ints, forms, space_of
from strongroom.theory.solution import Table

Memory = tuple[int, ...]
"""Where the types began to matter (node, opponent's node), and what was played and left since."""
Mixture = dict[int, Fraction]
"""With which probability each action of a node is taken."""


class Mind(NamedTuple):
    """All that the strategy goes by: both sets of codes, old types, and what was played since."""

    own: tuple[int, ...]
    """What the opponent's code can be."""
    other: tuple[int, ...]
    """What the opponent can think that the player's code is."""
    hues: tuple[int, ...]
    memory: Memory | None = None


class RaceGuesser:
    """The strategy of a table, for either seat."""

    def __init__(self, table: Table) -> None:
        self.table = table
        digits, length, self.coloured = (int(n) for n in table["options"])
        self.space = space_of(digits, length)
        text, ends = table["keys"].tobytes(), [0, *table["ends"].tolist()]
        self.ids = {text[a:b]: i for i, (a, b) in enumerate(pairwise(ends))}
        self.several = table["types"].max(axis=1) > 0
        self.mixtures: dict[Memory, Mixture] = {}
        for memory, over, under in zip(
            table["memories"].tolist(), table["numerators"], table["denominators"], strict=True
        ):
            mixture = {int(k): Fraction(int(over[k]), int(under[k])) for k in np.flatnonzero(over)}
            self.mixtures[tuple(n for n in memory if n >= 0)] = mixture
        self._places: dict[tuple[tuple[int, ...], tuple[int, ...]], tuple[int, Ints]] = {}

    def policy(self, view: View) -> dict[Move, Fraction]:
        """With which probability it hides each code or makes each guess; {} out of its turn."""
        if view.seat is None or view.actor is not view.seat:
            return {}
        moves = self.space.moves
        if view.setting_up:
            return dict.fromkeys(moves, Fraction(1, len(moves)))
        return {moves[guess]: share for guess, share in self.draw(self.follow(view)).items()}

    def follow(self, view: View) -> Mind:
        """The mind of the view's seat after the view's history."""
        mind = self.start
        for event in view.history:
            assert isinstance(event.answer, int)
            step = self.guessed if event.actor is view.seat else self.heard
            mind = step(mind, self.space.index(event.move), event.answer)
        return mind

    @property
    def start(self) -> Mind:
        """Before anything was guessed."""
        everything = tuple(range(len(self.space.digits)))
        return Mind(everything, everything, (1,) * len(everything))

    def place(self, codes: tuple[int, ...], hues: tuple[int, ...] = ()) -> tuple[int, Ints]:
        """The node of a set of codes, and what every code is called there."""
        hues = hues or (1,) * len(codes)
        if (codes, hues) not in self._places:
            form = forms(self.space, np.array(codes), np.array([hues]))[0]
            self._places[codes, hues] = self.ids[form.key], form.rename(self.space)
        return self._places[codes, hues]

    def kept(self, codes: tuple[int, ...], guess: int, answer: int) -> tuple[int, ...]:
        """The codes for which the guess would get the answer."""
        line = self.space.answers[guess]
        return tuple(code for code in codes if line[code] == answer)

    def heard(self, mind: Mind, guess: int, answer: int) -> Mind:
        """After the opponent's guess."""
        other = self.kept(mind.other, guess, answer)
        memory = mind.memory and (*mind.memory, self.place(other)[0])
        return mind._replace(other=other, memory=memory)

    def guessed(self, mind: Mind, guess: int, answer: int) -> Mind:
        """After the player's own guess."""
        own = self.kept(mind.own, guess, answer)
        if len(own) == len(mind.own):
            return mind._replace(memory=mind.memory and (-1,))  # nobody planned that
        x, names = self.place(mind.own, mind.hues)
        hues: tuple[int, ...] = (1,) * len(own)
        memory: Memory | None = None
        if self.coloured and self.several[x]:
            types = self.table["types"][x, names[list(own)]]
            if len(set(types.tolist())) > 1:
                hues = tuple((types + 1).tolist())
        there = self.place(own, hues)[0]
        if self.coloured and self.several[there]:
            action = int(self.table["orbits"][x, names[guess]])
            memory = (there, self.place(mind.other)[0])
            if mind.memory is not None:
                memory = (*mind.memory, action, there)
        return Mind(own, mind.other, hues, memory)

    def draw(self, mind: Mind) -> dict[int, Fraction]:
        """With what probability each code is guessed: evenly among those that look alike."""
        mixture = self.mixtures.get(mind.memory) if mind.memory else None
        x, names = self.place(mind.own, mind.hues if mixture else ())
        if mixture is None:
            y = self.place(mind.other)[0]
            mixture = {int(self.table["choice"][x, y]): Fraction(1)}
        orbit = self.table["orbits"][x, names]
        return {
            int(guess): share / int((orbit == k).sum())
            for k, share in mixture.items()
            for guess in np.flatnonzero(orbit == k)
        }
