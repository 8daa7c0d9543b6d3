"""Sets of codes up to symmetry, and the race of two guessers over them.

Relabelling the digits of a position and reordering the positions changes no number of exact
matches, so what a guesser knows is a set of codes up to that symmetry: a *node* of the chart. The
*race* is the game in which both hide evenly and nobody looks at the own code. Where the codes of a
set are not all alike they fall into *types*; an opponent knows the type of its own code.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache, cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from strongroom.games.safe_cracker import SafeCracker, SafeCrackerOptions, exact_matches
from strongroom.theory import Report

Ints = NDArray[np.int64]
Words = NDArray[np.uint64]

MARK = 99  # the colour of the one code of a set that is being told apart
UNUSED = 255  # in a form: a digit that no code of the set has in that position


@dataclass(frozen=True, eq=False)
class Space:
    """The codes of one game as numbers, with the referee's answers between them."""

    game: SafeCracker

    @cached_property
    def digits(self) -> Ints:
        """Row by row the digits of a code, from 0."""
        return np.array([code.digits for code in self.game.space.codes]) - 1

    @cached_property
    def answers(self) -> NDArray[np.uint8]:
        """What the referee announces for each guess at each code."""
        codes = self.game.space.codes
        return np.array([[exact_matches(a, b) for b in codes] for a in codes], np.uint8)

    @cached_property
    def symbols(self) -> Words:
        """Row by row, which digit a code has in which position (one column for each pair)."""
        height = self.game.options.digits
        one_hot = self.digits[:, :, None] == np.arange(height)
        return np.asarray(one_hot.reshape(len(self.digits), -1), np.uint64)

    def number(self, digits: Ints) -> Ints:
        """The codes with these digits (last axis)."""
        power = self.game.options.digits ** np.arange(self.game.options.length)[::-1]
        return np.asarray(digits @ power, np.int64)


@cache
def space_of(digits: int, length: int) -> Space:
    """The one space of codes of this kind."""
    return Space(SafeCracker(SafeCrackerOptions(digits=digits, length=length)))


class Form(NamedTuple):
    """A set of codes with its names taken off, and how to take them off a code."""

    key: bytes
    columns: tuple[int, ...]
    ranks: Ints

    def rename(self, space: Space) -> Ints:
        """For every code of the space, what it is called in the form."""
        columns = list(self.columns)
        return space.number(self.ranks[columns, space.digits[:, columns]])


def _scramble(x: Words) -> Words:
    x = (x ^ (x >> np.uint64(31))) * np.uint64(0x9E3779B97F4A7C15)
    x = (x ^ (x >> np.uint64(29))) * np.uint64(0xBF58476D1CE4E5B9)
    return x ^ (x >> np.uint64(32))


def _shades(symbols: Words, colours: Words, extra: Words, length: int) -> Words:
    """Refine the colours of the codes (0: not in the set) until no two codes share one.

    A code is as its digits are, a digit as the codes that have it are. Where that tells no more
    codes apart, the first of the smallest shade is singled out: if those codes are not truly alike,
    two equal sets may get two forms, which costs time but is never wrong.
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
            ties[stuck] = 0  # any further news counts as progress
        final[active] = shade
        going = tied.any(1)
        active, known = active[going], np.where(ties > 0, ties, -1)[going]
    return final


def forms(space: Space, rows: Ints, colours: Ints, guesses: Ints | None = None) -> list[Form]:
    """The form of each coloured set over `rows` (one a line), with a guess told apart if given."""
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


class Cell(NamedTuple):
    """What can remain after one answer: a node, and for each code its type before and its name."""

    node: int
    kinds: Ints
    names: Ints


class Action(NamedTuple):
    """Guesses that look alike at a node: the type that they can hit (or -1), and what remains."""

    hit: int
    cells: tuple[Cell, ...]


@dataclass
class Node:
    """A set of codes up to symmetry, in its form's names."""

    rows: Ints
    colours: Ints
    """What the opponent's own code was worth telling apart before; all 1 if nothing was."""
    sort: int
    """The number of the same set with its colours forgotten."""
    types: Ints = field(default_factory=lambda: np.empty(0, np.int64))
    """For every code of the space its type here, or -1."""
    orbit: Ints = field(default_factory=lambda: np.empty(0, np.int64))
    """For every code of the space which action guesses it, or -1 if that tells nothing."""
    actions: tuple[Action, ...] = ()

    @property
    def sizes(self) -> list[int]:
        """How many codes each type has."""
        return [int(count) for count in np.bincount(self.types[self.rows])]


class Chart:
    """Every node that any guesses can reach; with `colour`, types are remembered."""

    def __init__(self, space: Space, colour: bool, report: Report = lambda done, words: None):
        self.space, self.colour = space, colour
        self.nodes: list[Node] = []
        self.ids: dict[bytes, int] = {}
        everything = np.arange(len(space.digits))
        self.find(everything, np.ones((1, len(everything)), np.int64))
        for number, node in enumerate(self.nodes):  # grows while we walk
            self._expand(node, plain=True)
            report(number / len(self.nodes), f"{len(self.nodes)} candidate sets")
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
                self.nodes.append(Node(names[rows[kept]], line[kept], sort))
            found.append((self.ids[form.key], form))
        return found

    def _expand(self, node: Node, plain: bool) -> None:
        space, rows = self.space, node.rows
        node.types = np.full(len(space.digits), -1)
        node.types[rows] = self._alike(
            forms(space, rows, np.where(np.eye(len(rows)) > 0, MARK, node.colours))
        )
        typical = self._typical(rows)
        reps = np.unique(typical)
        alike = self._alike(forms(space, rows, np.tile(node.colours, (len(reps), 1)), reps))
        orbit = np.full(len(space.digits), -1)
        orbit[reps] = alike
        guesses = [int(reps[alike.index(k)]) for k in range(max(alike) + 1)]
        hues = node.colours if plain else node.types[rows] + 1
        actions = self._actions(node, guesses, hues)
        useful = [k for k, action in enumerate(actions) if action is not None]
        renumber = np.full(len(guesses) + 1, -1)
        renumber[useful] = np.arange(len(useful))
        node.orbit = renumber[orbit[typical]]
        node.actions = tuple(action for action in actions if action is not None)

    def _typical(self, rows: Ints) -> Ints:
        """For every guess the first one that gives the same answers: unused digits are alike."""
        digits = self.space.digits.copy()
        for j in range(digits.shape[1]):
            unused = sorted(set(range(self.space.game.options.digits)) - set(digits[rows, j]))
            if unused:
                digits[np.isin(digits[:, j], unused), j] = unused[0]
        return self.space.number(digits)

    @staticmethod
    def _alike(forms: list[Form]) -> list[int]:
        seen: dict[bytes, int] = {}
        return [seen.setdefault(form.key, len(seen)) for form in forms]

    def _actions(self, node: Node, guesses: list[int], hues: Ints) -> list[Action | None]:
        """What each guess does; None where it tells nothing."""
        length, kinds = self.space.game.options.length, node.types[node.rows]
        answers = self.space.answers[guesses][:, node.rows]
        cells: dict[bytes, Ints] = {}
        for kept in (line == answer for line in answers for answer in range(length)):
            if kept.any() and not kept.all():
                one_type = len(set(hues[kept])) == 1
                cells[kept.tobytes()] = np.where(kept, 1 if one_type else hues, 0)
        found: dict[bytes, Cell] = {}
        if cells:
            placed = self.find(node.rows, np.array(list(cells.values())))
            for (text, line), (number, form) in zip(cells.items(), placed, strict=True):
                names = form.rename(self.space)[node.rows[line > 0]]
                found[text] = Cell(number, kinds[line > 0], names)
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
        """For each type of the node, with what chance it is of which type at which next node."""
        chances: list[Counter[tuple[int, int]]] = [Counter() for _ in node.sizes]
        for cell in action.cells:
            types = self.nodes[cell.node].types[cell.names]
            for kind, now in zip(cell.kinds.tolist(), types.tolist(), strict=True):
                chances[kind][cell.node, now] += 1
        return [
            {there: Fraction(count, size) for there, count in each.items()}
            for each, size in zip(chances, node.sizes, strict=True)
        ]


class Flat:
    """The actions of all plain nodes in arrays, nodes in order of size."""

    def __init__(self, chart: Chart) -> None:
        nodes = chart.nodes[: chart.plain]
        self.size = np.array([len(node.rows) for node in nodes] + [0])
        self.order = sorted(range(chart.plain), key=lambda x: (self.size[x], x))
        lines: list[tuple[int, int, tuple[int, ...]]] = []
        self.starts = []
        weights: list[int] = []
        for x in self.order:
            self.starts.append(len(lines))
            guesses = np.bincount(nodes[x].orbit[nodes[x].orbit >= 0])
            merged: Counter[tuple[int, tuple[int, ...]]] = Counter()
            for action, count in zip(nodes[x].actions, guesses, strict=True):
                cells = sorted(chart.nodes[cell.node].sort for cell in action.cells)
                merged[int(action.hit >= 0), tuple(cells)] += int(count)
            lines += [(x, hit, cells) for hit, cells in merged]
            weights += merged.values()
        width = max(len(cells) for _, _, cells in lines)
        self.hit = np.array([hit for _, hit, _ in lines])
        self.cells = np.array([(*c, *[chart.plain] * (width - len(c))) for _, _, c in lines])
        self.weight = np.array(weights)
        """How many guesses an action has; what is missing to all of them tells nothing."""

    def part(self, i: int) -> slice:
        """The actions of the i-th node in order."""
        return slice(self.starts[i], self.starts[i + 1] if i + 1 < len(self.starts) else None)


def count_race(flat: Flat) -> Ints:
    """Of all pairs of codes, how many the player to move wins: [own node, opponent's node].

    By induction an integer: the guesser wins the pairs it hits, and of those that remain all
    that the opponent, now to move, does not win.
    """
    size, cells, starts = flat.size, flat.cells, flat.starts
    own = flat.hit + size[cells].sum(1)
    won = np.zeros((len(size), len(size)), np.int64)
    for i, x in enumerate(flat.order):
        mine, before = flat.part(i), np.array(flat.order[:i], np.int64)
        if i:
            lost = won[before[:, None, None], cells[mine]].sum(2)
            won[x, before] = (own[mine] * size[before, None] - lost).max(1)
            theirs = own[: starts[i]] * size[x] - won[x, cells[: starts[i]]].sum(1)
            won[before, x] = np.maximum.reduceat(theirs, starts[:i])
        won[x, x] = (own[mine] * size[x] - won[x, cells[mine]].sum(1)).max()
    return won


def exploited(
    chart: Chart, flat: Flat, won: Ints, choice: Ints | None, report: Report
) -> tuple[Ints, float, float]:
    """The race strategy that a responder who knows its own type exploits least, and both bounds.

    Every responder's guess is tried, those that tell nothing too. With `choice` given, that
    strategy is examined. Among equals, the action is taken that leaves the most to win when the
    opponent's next guess is drawn at random.
    """
    count, size = chart.plain, flat.size
    place = np.empty(count, np.int64)
    place[flat.order] = np.arange(count)
    lengths = np.diff([*flat.starts, len(flat.hit)])
    owner = np.repeat(np.array(flat.order), lengths)
    slack = np.zeros_like(won)
    for i, y in enumerate(flat.order if choice is None else ()):
        weight, idle = flat.weight[flat.part(i)], len(chart.space.digits)
        slack[:, y] = won[:, flat.cells[flat.part(i)]].sum(2) @ weight
        slack[:, y] += (idle - weight.sum()) * won[:, y]
    chosen = np.zeros((count, count), np.int64) if choice is None else choice
    replies: dict[int, NDArray[np.float64]] = {}
    for done, x in enumerate(flat.order):
        node = chart.nodes[x]
        share = np.array(node.sizes) / size[x]
        if choice is None:
            cells = [[cell.node for cell in action.cells] for action in node.actions]
            hits = np.array([action.hit >= 0 for action in node.actions])
            kept = [size[c].sum() * size[:-1] - won[:-1, c].sum(1) for c in cells]
            best = hits[:, None] * size[:-1] + np.array(kept) == won[x, :-1]
            needed = np.flatnonzero(best.any(1))
        else:
            needed = np.unique(chosen[x])
        lost = np.zeros((len(node.actions), count, len(share)))
        for k in needed:
            for kind, chances in enumerate(chart.goes(node, node.actions[k])):
                for (c, now), chance in chances.items():
                    lost[k, :, kind] += float(chance) * replies[c][:, now]
        if choice is None:
            mean = np.where(best, lost @ share, np.inf)
            equal = mean <= mean.min(0) + 1e-12
            spare = np.array([slack[c, :-1].sum(0) for c in cells])
            chosen[x] = np.where(equal, spare, -1).argmax(0)
        turn = np.zeros((count + 1, len(share)))
        turn[:-1] = lost[chosen[x], np.arange(count)]
        wins = flat.hit[:, None] + (size[flat.cells][:, :, None] * turn[flat.cells]).sum(1)
        wins /= size[owner][:, None]
        replies[x] = np.maximum(turn[:-1], np.maximum.reduceat(wins, flat.starts)[place])
        report((done + 1) / count, "best responses")
    return chosen, 1 - float(turn[0].max()), float(replies[0][0].max())
