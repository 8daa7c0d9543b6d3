"""What guesses cost against the certified player of Safe Cracker, looked up in tables.

A player knows the certified player's mind, the name of its own code there, and the turns left.
What it wins then, to move or to wait, stands in a table; what a guess wins follows from the nodes
that its answers can leave. Where the turn limit cannot matter, one layer of values suffices.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from strongroom.contract import Refusal
from strongroom.plugins.extras import extra
from strongroom.theory.safe_cracker.board import Ints
from strongroom.theory.safe_cracker.player import RaceGuesser
from strongroom.theory.safe_cracker.worth import RaceResponse, effective
from strongroom.theory.worth import Turns
from strongroom.vector.environment import Env, State
from strongroom.vector.packed_game import Tables
from strongroom.vector.players import Costs, batched_player, entry
from strongroom.vector.safe_cracker_master import SafeCrackerMaster
from strongroom.vector.safe_cracker_minds import START, Floats, RememberingMinds
from strongroom.vector.words import Array, Words, look_up, unsigned

with extra("vector", "strongroom.vector"):
    import jax.numpy as jnp

MOST_ENTRIES: Final = 1 << 28
"""The most entries of a table of values: a gigabyte."""


class Splits(NamedTuple):
    """What guesses do to nodes: a row for each action, and one for guesses that tell nothing."""

    row: Ints
    """The row of each guess: [node, guess]."""
    hit: Floats
    """How likely each row hits the code."""
    cells: Ints
    """The nodes that it can leave: [row, cell]; the first node stands where there are fewer."""
    shares: Floats
    """How likely it leaves them."""


def splits(guesser: RaceGuesser, nodes: int) -> Splits:
    """The rows of the first nodes of a table."""
    sizes = [len(codes) for codes in guesser.sets]
    orbits = guesser.table["orbits"].astype(np.int64)
    most = guesser.space.game.options.length
    rows: list[Ints] = []
    hits: list[float] = []
    cells: list[list[int]] = []
    shares: list[list[float]] = []
    for node in range(nodes):
        own = guesser.splits(node)
        rows.append(len(hits) + np.where(orbits[node] < 0, len(own), orbits[node]))
        for hit, left in [*own, (False, (node,))]:
            short = most - len(left)
            hits.append(hit / sizes[node])
            cells.append([*left, *[0] * short])
            shares.append([*(sizes[c] / sizes[node] for c in left), *[0.0] * short])
    return Splits(np.array(rows), np.array(hits), np.array(cells), np.array(shares))


class Values(ABC):
    """What a best response wins with each code at each mind, layer by layer of turns left."""

    longest: int
    """From this many turns on, a turn limit changes nothing against the certified player."""

    def __init__(self, master: SafeCrackerMaster) -> None:
        self.master, self.guesser = master, master.guesser
        self.nodes: int = len(self.guesser.table["choice"])
        """How many nodes the player's own codes can be left in."""

    @abstractmethod
    def layer(self, turns: Turns) -> tuple[Floats, Floats]:
        """The values to move and to wait, in flat arrays."""

    @abstractmethod
    def tables(self) -> dict[str, NDArray[np.generic]]:
        """What it takes to find entries."""

    @abstractmethod
    def now(self, notes: Words, name: Array, tables: Tables) -> Array:
        """The entry of a code, given by its name."""

    @abstractmethod
    def after(self, notes: Words, name: Array, node: Array, tables: Tables) -> Array:
        """The same after a guess of the player's that leaves this node of the other's codes."""


class PlainValues(Values):
    """Values against a strategy without memory: by the kind of the code, and the other node."""

    def __init__(self, master: SafeCrackerMaster) -> None:
        super().__init__(master)
        response = master.solution.worth.response
        assert isinstance(response, RaceResponse)
        self.response = response
        self.longest = 2 * response.most_guesses(START)

    def layer(self, turns: Turns) -> tuple[Floats, Floats]:
        """The values at all nodes of the strategy, side by side."""
        moves, waits = [], []
        for node in range(self.nodes):
            guesses = self.response.pursuit(node).most_guesses
            moves.append(self.response.move_values(node, effective(turns, 2 * guesses)))
            waits.append(self.response.wait_values(node, effective(turns, 2 * guesses - 1)))
        return np.hstack(moves).T.ravel(), np.hstack(waits).T.ravel()

    def tables(self) -> dict[str, NDArray[np.generic]]:
        """The kind of each code of each node, counted through all nodes."""
        kinds, begun = np.zeros((self.nodes, self.master.codes), np.uint16), 0
        for node, codes in enumerate(self.guesser.sets):
            own = self.response.pursuit(node).kinds
            kinds[node, codes] = begun + own
            begun += int(own.max()) + 1
        return {"kinds": kinds.ravel()}

    def now(self, notes: Words, name: Array, tables: Tables) -> Array:
        """By the kind of the code, and the other node."""
        return self.after(notes, name, self.master.notes["other"].get(notes), tables)

    def after(self, notes: Words, name: Array, node: Array, tables: Tables) -> Array:
        """By the kind of the code, and the node that is left."""
        own = self.master.notes["own"].get(notes)
        kind = look_up(tables["kinds"], own * unsigned(self.master.codes) + name)
        return kind * unsigned(self.nodes) + node


class RememberingValues(Values):
    """Values against a strategy with memory: by the number of the mind, and the name of the code.

    They are computed turn by turn, until another turn changes nothing.
    """

    def __init__(self, master: SafeCrackerMaster) -> None:
        super().__init__(master)
        assert isinstance(master.minds, RememberingMinds)
        self.minds = master.minds
        self.splits: Splits = splits(self.guesser, self.nodes)
        self._own = np.array([mind.own for mind in self.minds.minds])
        self._other = np.array([mind.other for mind in self.minds.minds])
        self._hearing = self._after_hearing()
        self._odds, self._names = self._draws(), self._next_names()
        sets = np.zeros((len(self.guesser.sets), master.codes), bool)
        for node, codes in enumerate(self.guesser.sets):
            sets[node, codes] = True
        start = np.where(sets[self._own], 0.5, 0.0)
        layers = [(start, start)]
        while len(layers) < 2 or any((a != b).any() for a, b in zip(*layers[-2:], strict=True)):
            moves, waits = layers[-1]
            now = self._moved(waits), self._waited(moves)
            layers.append(
                (np.where(sets[self._own], now[0], 0), np.where(sets[self._own], now[1], 0))
            )
        self._layers: list[tuple[Floats, Floats]] = layers
        self.longest = len(layers) - 2

    def layer(self, turns: Turns) -> tuple[Floats, Floats]:
        """The values of all minds."""
        move, wait = self._layers[-1 if turns is None else min(turns, self.longest)]
        return move.ravel(), wait.ravel()

    def tables(self) -> dict[str, NDArray[np.generic]]:
        """The mind after a guess of the player's that leaves each node."""
        return {"hearing": self._hearing.astype(np.uint16).ravel()}

    def now(self, notes: Words, name: Array, tables: Tables) -> Array:
        """By the mind, and the name of the code."""
        return self.master.mind(notes) * unsigned(self.master.codes) + name

    def after(self, notes: Words, name: Array, node: Array, tables: Tables) -> Array:
        """By the mind that hears the guess, and the name of the code."""
        mind = look_up(tables["hearing"], self.master.mind(notes) * unsigned(self.nodes) + node)
        return mind * unsigned(self.master.codes) + name

    def _after_hearing(self) -> Ints:
        """The mind after a guess that leaves each node, where one can: [mind, node]."""
        hearing = np.zeros((len(self.minds.minds), self.nodes), np.int64)
        for number, mind in enumerate(self.minds.minds):
            rows = np.unique(self.splits.row[mind.other])
            left = {*self.splits.cells[rows][self.splits.shares[rows] > 0].tolist()}
            for node in left:
                hearing[number, node] = self.minds.number(mind.hearing(node))
        return hearing

    def _draws(self) -> Floats:
        """The strategy's probability of each guess, by its name: [mind, guess]."""
        plan, odds = self.master.plan, np.zeros((len(self.minds.minds), self.master.codes))
        for number, (drawn, shares) in enumerate(zip(plan.drawn, plan.shares, strict=True)):
            for each, share in zip(drawn, shares, strict=True):
                among = (plan.sets == each).any(axis=0)
                odds[number] += share * among / among.sum()
        return odds

    def _next_names(self) -> Ints:
        """What each code is called after each guess of the strategy: [node, guess, code]."""
        answers, hit = self.guesser.space.game.answer_table, self.master.told
        names = np.zeros((len(self.guesser.sets), *answers.shape), np.int64)
        for node, codes in enumerate(self.guesser.sets):
            for guess, line in enumerate(answers):
                for code in codes[line[codes] != hit]:
                    names[node, guess, code] = self.guesser.after(
                        node, guess, int(line[code]), remember=True
                    )[1][code]
        return names

    def _moved(self, waits: Floats) -> Floats:
        """What the best guess wins, given what is won after it."""
        best = np.zeros_like(waits)
        for node in range(self.nodes):
            minds = np.flatnonzero(self._other == node)
            for row in np.unique(self.splits.row[node]):
                then = waits[self._hearing[minds][:, self.splits.cells[row]]]
                wins = self.splits.hit[row] + np.einsum("j,mjc->mc", self.splits.shares[row], then)
                best[minds] = np.maximum(best[minds], wins)
        return best

    def _waited(self, moves: Floats) -> Floats:
        """What is won if the strategy guesses now, given what is won after it."""
        answers, hit = self.guesser.space.game.answer_table, self.master.told
        wins = np.zeros_like(moves)
        for guess, line in enumerate(answers):
            open_answers = np.minimum(line, hit - 1)
            then = moves[self.minds.guessed[:, guess, open_answers], self._names[self._own, guess]]
            wins += self._odds[:, guess, None] * np.where(line == hit, 0.0, then)
        return wins


class SafeCrackerCosts(Costs):
    """What codes and guesses cost; the notes are the certified player's, in the other seat.

    No game against the certified player reaches a high turn limit, so the table leaves it out, even
    for positions in which others have wasted turns.
    """

    def __init__(self, env: Env) -> None:
        master = batched_player(env, "master")
        assert isinstance(master, SafeCrackerMaster)
        self.master = master
        self.notes = master.notes
        kind = RememberingValues if master.remembers else PlainValues
        self.values: Values = kind(master)
        limit = env.packed.turn_limit
        self.limited: bool = limit < self.values.longest
        """Whether the turn limit can end a game against the certified player."""
        super().__init__(env)

    def made_tables(self) -> Mapping[str, NDArray[np.generic]]:
        """The certified player's tables, what guesses leave, and all values."""
        turns: list[Turns] = [*range(self.env.packed.turn_limit + 1)] if self.limited else [None]
        first = self.values.layer(turns[-1])
        self.size = first[0].size
        if self.size * len(turns) > MOST_ENTRIES:
            raise Refusal(
                f"{self.size * len(turns):,} values are too many for a table.",
                f"Choose a turn limit of at least {self.values.longest}, or fewer digits.",
            )
        layers = [self.values.layer(left) for left in turns[:-1]] + [first]
        left = splits(self.master.guesser, self.values.nodes)
        moving, waiting = (np.array(each, np.float32).ravel() for each in zip(*layers, strict=True))
        names = np.arange(self.master.codes)
        hidden = [each[self._first_entries(names)] for each in first]
        return {
            **self.master.tables,
            **self.values.tables(),
            "split": left.row.astype(np.uint32).ravel(),
            "hit": left.hit.astype(np.float32),
            "cells": left.cells.astype(np.uint16).ravel(),
            "cell_shares": left.shares.astype(np.float32).ravel(),
            "moving": moving,
            "waiting": waiting,
            "hidden": np.array(hidden, np.float32).ravel(),
            "best_hidden": np.array([each.max() for each in hidden], np.float32),
        }

    def _first_entries(self, names: Ints) -> Ints:
        """The entries of codes before the first guess."""
        tables = {name: jnp.asarray(table) for name, table in self.values.tables().items()}
        notes = tuple(jnp.uint32(word) for word in self.first_notes())
        return np.asarray(self.values.now(notes, jnp.asarray(names, jnp.uint32), tables))

    def first_notes(self) -> tuple[int, ...]:
        """Those of the certified player."""
        return self.master.first_notes()

    def noted(
        self, notes: Words, seat: Array, before: State, action: Array, after: State, tables: Tables
    ) -> Words:
        """Those of the certified player in the other seat."""
        return self.master.noted(notes, 1 - seat, before, action, after, tables)

    def value(self, state: State, notes: Words, seat: Array, tables: Tables) -> Array:
        """What a best response wins from here."""
        turns, setting_up = self._turns(state)
        place = self.values.now(notes, self._own_name(state, notes, seat), tables)
        won = entry(tables["moving"], self._layer(turns) + place)
        return jnp.where(setting_up, entry(tables["best_hidden"], seat), won)

    def worth(
        self, state: State, notes: Words, seat: Array, action: Array, tables: Tables
    ) -> Array:
        """What it wins after hiding this code, or making this guess."""
        turns, setting_up = self._turns(state)
        own, codes = self._own_name(state, notes, seat), unsigned(self.master.codes)
        names = self.master.names(notes, "other")
        guess = self.master.renamings.name(names, unsigned(action))
        row = look_up(tables["split"], self.notes["other"].get(notes) * codes + guess)
        won, later = entry(tables["hit"], row), self._layer(turns - 1)
        for place in range(self.master.told):
            cell = row * unsigned(self.master.told) + unsigned(place)
            after = self.values.after(notes, own, look_up(tables["cells"], cell), tables)
            share = entry(tables["cell_shares"], cell)
            won = won + share * entry(tables["waiting"], later + after)
        hidden = entry(tables["hidden"], unsigned(seat) * codes + unsigned(action))
        return jnp.where(setting_up, hidden, won)

    def _own_name(self, state: State, notes: Words, seat: Array) -> Array:
        own = self.env.packed.layout.of_seat("code", seat).get(state.position)
        return self.master.renamings.name(self.master.names(notes, "own"), own)

    def _turns(self, state: State) -> tuple[Array, Array]:
        """How many turns are left, and whether codes are still being hidden."""
        packed = self.env.packed
        number = packed.layout["number"].get(state.position)
        setting_up = number < packed.set_up
        made = jnp.where(setting_up, unsigned(0), number - unsigned(packed.set_up))
        return unsigned(packed.turn_limit) - made, setting_up

    def _layer(self, turns: Array) -> Array:
        """Where the layer of some turns left begins."""
        return turns * unsigned(self.size) if self.limited else unsigned(0)
