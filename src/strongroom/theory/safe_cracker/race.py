"""The race of Safe Cracker: both players hide uniformly and ignore their own code.

Relabelling the digits of a position and reordering the positions leave the number of exact matches
unchanged, so what a guesser knows is a set of codes up to that symmetry: a *form*.

The race's chart has every form that guesses can reach, as a *node*; guesses that look alike there
are one *action*. Where the codes of a set are not all alike they fall into *types*; an opponent
knows the type of its own code.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property, lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from strongroom.games.safe_cracker.rules import SafeCracker, SafeCrackerOptions
from strongroom.theory.solution import Ints, Report

Hashes = NDArray[np.uint64]

MARK = 99  # the colour of the one code of a set that is singled out
UNUSED = 255  # in a form: a digit that no code of the set has in that position


@dataclass(frozen=True, eq=False)
class Space:
    """The codes of one game by index."""

    game: SafeCracker

    @cached_property
    def digits(self) -> Ints:
        """The digits of each code, from 0: [code, position]."""
        return np.array([code.digits for code in self.game.space.codes]) - 1

    @cached_property
    def symbols(self) -> Hashes:
        """Which digit each code has in which position: a row per code, a column per pair."""
        height = self.game.options.digits
        one_hot = self.digits[:, :, None] == np.arange(height)
        return np.asarray(one_hot.reshape(len(self.digits), -1), np.uint64)

    def number(self, digits: Ints) -> Ints:
        """The indices of the codes with these digits (last axis)."""
        power = self.game.options.digits ** np.arange(self.game.options.length)[::-1]
        return np.asarray(digits @ power, np.int64)


@lru_cache(maxsize=1)
def space_of(digits: int, length: int) -> Space:
    """The space of codes of this kind, cached."""
    return Space(SafeCracker(SafeCrackerOptions(digits=digits, length=length)))


class Form(NamedTuple):
    """A set of codes up to renaming, and how to rename a code to match it."""

    key: bytes
    columns: tuple[int, ...]
    ranks: Ints

    def rename(self, space: Space) -> Ints:
        """For every code of the space, its name in the form."""
        columns = list(self.columns)
        return space.number(self.ranks[columns, space.digits[:, columns]])


def codes_of(space: Space, key: bytes) -> tuple[Ints, Ints]:
    """The codes of a form in its own names, and their colours."""
    colours, *digits = np.frombuffer(key, np.uint8).reshape(space.game.options.length + 1, -1)
    return space.number(np.array(digits, np.int64).T), colours.astype(np.int64)


def typical(space: Space, codes: Ints) -> Ints:
    """The first guess equivalent to each: digits that no code has are interchangeable."""
    digits = space.digits.copy()
    for j in range(digits.shape[1]):
        unused = sorted(set(range(space.game.options.digits)) - set(digits[codes, j]))
        if unused:
            digits[np.isin(digits[:, j], unused), j] = unused[0]
    return space.number(digits)


def _scramble(x: Hashes) -> Hashes:
    x = (x ^ (x >> np.uint64(31))) * np.uint64(0x9E3779B97F4A7C15)
    x = (x ^ (x >> np.uint64(29))) * np.uint64(0xBF58476D1CE4E5B9)
    return x ^ (x >> np.uint64(32))


def _shades(symbols: Hashes, colours: Hashes, extra: Hashes, length: int) -> Hashes:
    """Refine the colours of the codes (0: not in the set) until no two codes share one.

    A code's shade depends on its digits, a digit's on the codes that have it. When that tells no
    more codes apart, the first of the smallest shared shade is singled out: if those codes are not
    truly alike, two equal sets may get two forms, which costs time but is never wrong.
    """
    final = _scramble(colours) * (colours > 0)
    active, known = np.arange(len(colours)), np.zeros(len(colours), np.int64)
    while len(active):
        shade, count = final[active], len(active)
        symbol = _scramble(shade @ symbols + extra[active])
        column = _scramble(_scramble(symbol).reshape(count, length, -1).sum(2))
        symbol = _scramble(symbol ^ np.repeat(column, symbol.shape[1] // length, axis=1))
        shade = _scramble(shade + symbol @ symbols.T) * (shade > 0)
        ranked = np.sort(shade, axis=1)
        tied = (ranked[:, 1:] == ranked[:, :-1]) & (ranked[:, 1:] > 0)
        ties = tied.sum(1)
        stuck = np.flatnonzero((ties > 0) & (ties == known))
        if len(stuck):
            least = ranked[stuck, tied[stuck].argmax(1)]
            chosen = (shade[stuck] == least[:, None]).argmax(1)
            shade[stuck, chosen] = _scramble(least + np.uint64(MARK))
            ties[stuck] = 0  # any further split counts as progress
        final[active] = shade
        going = tied.any(1)
        active, known = active[going], np.where(ties > 0, ties, -1)[going]
    return final


def forms(space: Space, rows: Ints, colours: Ints, guesses: Ints | None = None) -> list[Form]:
    """The form of each coloured set over `rows` (one per line), with a guess marked if given."""
    length, height = space.game.options.length, space.game.options.digits
    symbols, count = space.symbols[rows], len(rows)
    extra = np.zeros((len(colours), symbols.shape[1]), np.uint64)
    if guesses is not None:
        extra += space.symbols[guesses] * np.uint64(MARK)
    shades = _shades(symbols, colours.astype(np.uint64), extra, length)
    shades[colours == 0] = ~np.uint64(0)
    order = shades.argsort(1)
    place = order.argsort(1)
    inside = np.where(colours > 0, place, count)
    first = np.stack([np.where(has, inside, count).min(1) for has in symbols.T > 0], axis=1)
    first = first.reshape(len(colours), length, height)
    ranks = first.argsort(2, kind="stable").argsort(2)
    names = np.empty((len(colours), length, count), np.uint8)
    for j in range(length):
        names[:, j] = np.take_along_axis(ranks[:, j], space.digits[rows, j][order], 1)
    forms = []
    for i, line in enumerate(colours):
        size = int((line > 0).sum())
        texts = [names[i, j, :size].tobytes() for j in range(length)]
        if guesses is not None:
            digit = space.digits[guesses[i]]
            for j in range(length):
                used = first[i, j, digit[j]] < count
                texts[j] += bytes([ranks[i, j, digit[j]] if used else UNUSED])
        columns = sorted(range(length), key=texts.__getitem__)
        hues = line[order[i, :size]].astype(np.uint8).tobytes()
        key = hues + b"".join(texts[j] for j in columns)
        forms.append(Form(key, tuple(columns), ranks[i]))
    return forms


# --- the chart ---


class Remainder(NamedTuple):
    """What one answer leaves: a node, and the earlier type and new name of each code."""

    node: int
    kinds: Ints
    names: Ints


class Action(NamedTuple):
    """Guesses that look alike at a node: the type that they can hit (or -1), and what is left."""

    hit: int
    cells: tuple[Remainder, ...]


@dataclass
class Node:
    """A set of codes up to symmetry, in its form's names."""

    rows: Ints
    colours: Ints
    """The earlier types of the codes that still matter, as colours; all 1 if none do."""
    sort: int
    """The index of the same set without colours."""
    types: Ints = field(default_factory=lambda: np.empty(0, np.int64))
    """The type here of every code of the space, or -1."""
    orbit: Ints = field(default_factory=lambda: np.empty(0, np.int64))
    """The action that guesses each code of the space, or -1 if that guess tells nothing."""
    actions: tuple[Action, ...] = ()

    @property
    def sizes(self) -> list[int]:
        """The number of codes of each type."""
        return [int(count) for count in np.bincount(self.types[self.rows])]


class Chart:
    """All nodes that guesses can reach; with `colour`, types are remembered."""

    def __init__(self, space: Space, colour: bool, report: Report = lambda done, words: None):
        self.space, self.colour = space, colour
        self.nodes: list[Node] = []
        self.ids: dict[bytes, int] = {}
        everything = np.arange(len(space.digits))
        self.find(everything, np.ones((1, len(everything)), np.int64))
        done = 0.0
        for number, node in enumerate(self.nodes):  # the list grows during the loop
            self._expand(node, plain=True)
            done = max(done, number / len(self.nodes))
            report(done, f"{len(self.nodes)} sets of codes that can be left")
        self.plain = len(self.nodes)
        for number, node in enumerate(self.nodes) if colour else ():
            if number >= self.plain or len(node.sizes) > 1:
                self._expand(node, plain=False)

    def find(self, rows: Ints, colours: Ints) -> list[tuple[int, Form]]:
        """The node of each coloured set over `rows`, with its form."""
        found = []
        for line, form in zip(colours, forms(self.space, rows, colours), strict=True):
            if form.key not in self.ids:
                self.ids[form.key] = len(self.nodes)
                names, kept = form.rename(self.space), line > 0
                uncoloured = (line > 0).astype(np.int64)
                sort = len(self.nodes)
                if (line[kept] > 1).any():
                    sort = self.find(rows, uncoloured[None])[0][0]
                codes, hues = names[rows[kept]], line[kept]
                if not self.colour:
                    # The order breaks ties between codes that only seem alike, and a player with
                    # a table knows only the key's order.
                    codes, hues = codes_of(self.space, form.key)
                self.nodes.append(Node(codes, hues, sort))
            found.append((self.ids[form.key], form))
        return found

    def _expand(self, node: Node, plain: bool) -> None:
        space, rows = self.space, node.rows
        node.types = np.full(len(space.digits), -1)
        node.types[rows] = self._alike(
            forms(space, rows, np.where(np.eye(len(rows)) > 0, MARK, node.colours))
        )
        like = typical(space, rows)
        reps = np.unique(like)
        alike = self._alike(forms(space, rows, np.tile(node.colours, (len(reps), 1)), reps))
        orbit = np.full(len(space.digits), -1)
        orbit[reps] = alike
        guesses = [int(reps[alike.index(k)]) for k in range(max(alike) + 1)]
        hues = node.colours if plain else node.types[rows] + 1
        actions = self._actions(node, guesses, hues)
        useful = [k for k, action in enumerate(actions) if action is not None]
        renumber = np.full(len(guesses) + 1, -1)
        renumber[useful] = np.arange(len(useful))
        node.orbit = renumber[orbit[like]]
        node.actions = tuple(action for action in actions if action is not None)

    @staticmethod
    def _alike(forms: list[Form]) -> list[int]:
        seen: dict[bytes, int] = {}
        return [seen.setdefault(form.key, len(seen)) for form in forms]

    def _actions(self, node: Node, guesses: list[int], hues: Ints) -> list[Action | None]:
        """The action of each guess; None where the guess tells nothing."""
        length, kinds = self.space.game.options.length, node.types[node.rows]
        answers = self.space.game.answer_table[guesses][:, node.rows]
        cells: dict[bytes, Ints] = {}
        for kept in (line == answer for line in answers for answer in range(length)):
            if kept.any() and not kept.all():
                one_type = len(set(hues[kept])) == 1
                cells[kept.tobytes()] = np.where(kept, 1 if one_type else hues, 0)
        found: dict[bytes, Remainder] = {}
        if cells:
            placed = self.find(node.rows, np.array(list(cells.values())))
            for (text, line), (number, form) in zip(cells.items(), placed, strict=True):
                names = form.rename(self.space)[node.rows[line > 0]]
                found[text] = Remainder(number, kinds[line > 0], names)
        actions: list[Action | None] = []
        for line in answers:
            kept = [(line == answer).tobytes() for answer in sorted(set(line.tolist()) - {length})]
            if len(set(line.tolist())) == 1 and line[0] < length:
                actions.append(None)
            else:
                hit = int(kinds[line.argmax()]) if line.max() == length else -1
                actions.append(Action(hit, tuple(found[text] for text in kept)))
        return actions

    def goes(self, node: Node, action: Action) -> list[dict[tuple[int, int], Fraction]]:
        """For each type of the node, the probability of each next node and type there."""
        chances: list[Counter[tuple[int, int]]] = [Counter() for _ in node.sizes]
        for cell in action.cells:
            types = self.nodes[cell.node].types[cell.names]
            for kind, now in zip(cell.kinds.tolist(), types.tolist(), strict=True):
                chances[kind][cell.node, now] += 1
        return [
            {there: Fraction(count, size) for there, count in each.items()}
            for each, size in zip(chances, node.sizes, strict=True)
        ]


# --- the value of one guesser against another ---


class Split(NamedTuple):
    """The effect of a guess in the race: whether it may hit, and the nodes that can remain."""

    hit: bool
    cells: tuple[int, ...]


class ActionArrays:
    """The effects of all guesses at all nodes, as arrays, with the nodes in order of size.

    It is built from each node's size and the number of guesses with each split of it.
    """

    def __init__(self, sizes: Sequence[int], splits: Sequence[Mapping[Split, int]]) -> None:
        self.size = np.array([*sizes, 0])
        self.order = sorted(range(len(sizes)), key=lambda x: (sizes[x], x))
        self.starts = []
        lines: list[Split] = []
        weights: list[int] = []
        for x in self.order:
            self.starts.append(len(lines))
            lines += splits[x]
            weights += splits[x].values()
        width = max(len(split.cells) for split in lines)
        self.hit = np.array([int(split.hit) for split in lines])
        self.cells = np.array([(*c, *[len(sizes)] * (width - len(c))) for _, c in lines])
        self.weight = np.array(weights)
        """The number of guesses of each action; guesses not counted tell nothing."""

    def part(self, i: int) -> slice:
        """The actions of the i-th node in order."""
        return slice(self.starts[i], self.starts[i + 1] if i + 1 < len(self.starts) else None)


def splits_of(chart: Chart, node: Node) -> Counter[Split]:
    """The number of guesses with each split of a node, without those that tell nothing."""
    splits: Counter[Split] = Counter()
    guesses = np.bincount(node.orbit[node.orbit >= 0])
    for action, count in zip(node.actions, guesses, strict=True):
        cells = sorted(chart.nodes[cell.node].sort for cell in action.cells)
        splits[Split(action.hit >= 0, tuple(cells))] += int(count)
    return splits


class CodeRace:
    """The race over the codes of one kind; each part is computed once, on first use."""

    def __init__(self, space: Space) -> None:
        self.space = space
        self._chart: Chart | None = None

    def draw(self, report: Report) -> Chart:
        """The chart of the race; drawing it the first time can take minutes."""
        if self._chart is None:
            self._chart = Chart(self.space, False, report)
        return self._chart

    @cached_property
    def chart(self) -> Chart:
        """The chart, drawn without progress reports if it is not there yet."""
        return self.draw(lambda done, words: None)

    @cached_property
    def actions(self) -> ActionArrays:
        """The actions of the chart."""
        nodes = self.chart.nodes[: self.chart.plain]
        splits = [splits_of(self.chart, node) for node in nodes]
        return ActionArrays([len(node.rows) for node in nodes], splits)

    @cached_property
    def winning_pairs(self) -> Ints:
        """The number of pairs of codes that the player to move wins: [own node, opponent's node].

        It is an integer by induction: the guesser wins the pairs it hits and, of those that remain,
        all that the opponent, now to move, does not win. The last row and column are zeros, for
        missing cells.
        """
        actions = self.actions
        size, cells, starts = actions.size, actions.cells, actions.starts
        own = actions.hit + size[cells].sum(1)
        won = np.zeros((len(size), len(size)), np.int64)
        for i, x in enumerate(actions.order):
            mine, before = actions.part(i), np.array(actions.order[:i], np.int64)
            if i:
                lost = won[before[:, None, None], cells[mine]].sum(2)
                won[x, before] = (own[mine] * size[before, None] - lost).max(1)
                theirs = own[: starts[i]] * size[x] - won[x, cells[: starts[i]]].sum(1)
                won[before, x] = np.maximum.reduceat(theirs, starts[:i])
            won[x, x] = (own[mine] * size[x] - won[x, cells[mine]].sum(1)).max()
        return won

    @property
    def value(self) -> Fraction:
        """The win probability of the player who guesses first."""
        return Fraction(int(self.winning_pairs[0, 0]), len(self.space.digits) ** 2)


@lru_cache(maxsize=1)
def race_of(digits: int, length: int) -> CodeRace:
    """The race of this kind of code; the last is cached, as a proof often follows its solution."""
    return CodeRace(space_of(digits, length))
