"""The proof for Safe Cracker: full best responses to the strategy of a table, as it is.

The responder knows its own code and may make any guess. The strategy ignores its own code and hides
uniformly, so to the responder all codes that fit are equally likely. Both are at nodes of the
table, and each step from node to node is computed by the player itself.

The default game is proved in fractions; its variations, which have no memory, in floats.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from fractions import Fraction
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from strongroom.contract import Seat
from strongroom.theory.safe_cracker.board import Ints, typical
from strongroom.theory.safe_cracker.player import Mind, RaceGuesser
from strongroom.theory.safe_cracker.race import ActionArrays, Split
from strongroom.theory.safe_cracker.response import Floats, Response
from strongroom.theory.solution import NotProved, Report

ROUNDING: Final = 1e-9
"""Bounds in floats are widened by this: a hundred times their largest possible rounding error."""


def exact_bounds(guesser: RaceGuesser, report: Report) -> tuple[Fraction, Fraction]:
    """Lower and upper bound on Seat.ONE's value: what the strategy guarantees and concedes."""
    response = CodeResponse(guesser)
    report(0.0, "trying everything against Player 2")
    upper = response.wins(Seat.ONE)
    report(0.99, "trying everything against Player 1")  # mostly cached by now
    lower = 1 - response.wins(Seat.TWO)
    report(1.0, "done")
    return lower, upper


class CodeResponse:
    """The best response in fractions, for few nodes, to a strategy with or without memory."""

    def __init__(self, guesser: RaceGuesser) -> None:
        _check_start(guesser)
        self.guesser, self.answers = guesser, guesser.space.game.answer_table.tolist()
        self.sets = [codes.tolist() for codes in guesser.sets]
        self.length = guesser.space.game.options.length
        self.moves: dict[Mind, list[Fraction]] = {}
        self.waits: dict[Mind, list[Fraction]] = {}

    def wins(self, seat: Seat) -> Fraction:
        """The responder's win probability in this seat, with its best code."""
        start = Mind(0, 0)
        return max(self.to_move(start) if seat is Seat.ONE else self.to_wait(start))

    def to_move(self, mind: Mind) -> list[Fraction]:
        """The responder to move: its win probability with each code of the node `mind.own`."""
        codes, count = self.sets[mind.other], len(self.sets[mind.own])
        if len(codes) == 1:
            return [Fraction(1)] * count
        if mind not in self.moves:
            best = [Fraction(0)] * count
            # Guesses with the same consequences are tried once.
            for hits, thens in {self._leads(mind, guess) for guess in range(len(self.answers))}:
                total = [Fraction(hits)] * count
                for size, then in thens:
                    waits = self.to_wait(then)
                    total = [t + size * v for t, v in zip(total, waits, strict=True)]
                best = list(map(max, best, total))
            self.moves[mind] = [value / len(codes) for value in best]
        return self.moves[mind]

    def to_wait(self, mind: Mind) -> list[Fraction]:
        """The same while the player is to move."""
        if mind not in self.waits:
            codes = self.sets[mind.own]
            total = dict.fromkeys(codes, Fraction(0))
            for guess, share in self._draw(mind).items():
                line = self.answers[guess]
                for answer in {line[code] for code in codes} - {self.length}:
                    then, names = self.guesser.guessed(mind, guess, answer)
                    if then.own == mind.own:  # rules out endless games
                        raise NotProved("The strategy guesses what tells it nothing.")
                    kept = [code for code in codes if line[code] == answer]
                    self._check_left(then.own, names[kept])
                    values = dict(zip(self.sets[then.own], self.to_move(then), strict=True))
                    for code in kept:
                        total[code] += share * values[int(names[code])]
            self.waits[mind] = list(total.values())
        return self.waits[mind]

    def _leads(self, mind: Mind, guess: int) -> tuple[int, tuple[tuple[int, Mind], ...]]:
        """How many codes a responder's guess hits, and where it leads for how many others."""
        parts: defaultdict[int, list[int]] = defaultdict(list)
        for code in self.sets[mind.other]:
            parts[self.answers[guess][code]].append(code)
        hits, thens = len(parts.pop(self.length, ())), []
        for answer, kept in sorted(parts.items()):
            then, names = self.guesser.heard(mind, guess, answer)
            self._check_left(then.other, names[kept])
            thens.append((len(kept), then))
        return hits, tuple(thens)

    def _check_left(self, node: int, named: Ints) -> None:
        """Check that the codes left are the set that the table takes them for."""
        _where(self.guesser.sets[node], named)

    def _draw(self, mind: Mind) -> dict[int, Fraction]:
        """The player's probability of each guess, checked to be a distribution."""
        draw = self.guesser.draw(mind, self.guesser.same)
        if sum(draw.values()) != 1 or min(draw.values()) < 0:
            raise NotProved("The chances of some guesses do not add up to 1.")
        return draw


def race_bounds(guesser: RaceGuesser, report: Report) -> tuple[float, float]:
    """Lower and upper bound on Seat.ONE's value, for a strategy of one action per pair of nodes."""
    lower, upper = race_response(guesser, report).bounds
    return lower - ROUNDING, upper + ROUNDING


def race_response(guesser: RaceGuesser, report: Report) -> Response:
    """The best response to such a strategy by a player who knows its own code, in floats."""
    _check_start(guesser)
    choice = guesser.table["choice"]
    nodes = []
    for x in range(len(choice)):
        nodes.append(NodeProof(guesser, x))
        report(0.8 * len(nodes) / len(choice), "symmetries of the table")
    actions = ActionArrays([len(node.codes) for node in nodes], [node.splits for node in nodes])
    response = Response(actions)
    for done, x in enumerate(actions.order, 1):
        turn = np.empty((len(nodes), len(nodes[x].codes)))
        for k in np.unique(choice[x]).tolist():
            turn[choice[x] == k] = nodes[x].after(k, response)[choice[x] == k]
        response.meet(x, turn)
        report(0.8 + 0.2 * done / len(nodes), "trying everything against the strategy")
    return response


class NodeProof:
    """What every guess does at a node of a table, checked against the answers of the rules."""

    def __init__(self, guesser: RaceGuesser, x: int) -> None:
        self.codes, self.orbit = guesser.sets[x], guesser.table["orbits"][x]
        self.full = guesser.space.game.options.length
        self.lines = guesser.space.game.answer_table[:, self.codes]
        """The answer to each guess at each code."""
        self.firsts = guesser.firsts(x)
        self._check(guesser)
        self.remains = self._remains(guesser, x)
        """What the first guess of each action leaves: nodes, the codes kept, their places there."""
        chosen = {*guesser.table["choice"][x].tolist()}
        if not chosen <= {*range(len(self.firsts))}:
            raise NotProved("The table chooses a guess that does not exist.")
        self.turned = self._turned(guesser, x, chosen)
        """By chosen action, how often a symmetry that takes one of its guesses to the first of them
        maps a code (column) to a code (row), as a share of its guesses."""

    @property
    def splits(self) -> Counter[Split]:
        """The number of guesses with each split of the node."""
        splits: Counter[Split] = Counter()
        for k, first in enumerate(self.firsts):
            cells = tuple(sorted(node for node, _, _ in self.remains[k]))
            hit = bool((self.lines[first] == self.full).any())
            splits[Split(hit, cells)] += int((self.orbit == k).sum())
        return splits

    def after(self, k: int, response: Response) -> Floats:
        """What the responder wins after an action: [its own node, its code]."""
        first = np.zeros((response.count, len(self.codes)))
        for node, kept, there in self.remains[k]:
            first[:, kept] = response.to_move[node][:, there]
        return first @ self.turned[k]

    def _check(self, guesser: RaceGuesser) -> None:
        """Check that exactly the guesses that tell something belong to an action."""
        idle = (self.lines == self.lines[:, :1]).all(1) & (self.lines[:, 0] < self.full)
        like = typical(guesser.space, self.codes)
        _alike(self.orbit[like], self.orbit)
        _alike(self.lines[like], self.lines)
        _alike(idle, self.orbit < 0)
        _alike(self.orbit[self.firsts], np.arange(len(self.firsts)))

    def _remains(self, guesser: RaceGuesser, x: int) -> list[list[tuple[int, Ints, Ints]]]:
        answered = {
            (k, answer): first
            for k, first in enumerate(self.firsts)
            for answer in sorted({*self.lines[first].tolist()} - {self.full})
        }
        remains: list[list[tuple[int, Ints, Ints]]] = [[] for _ in self.firsts]
        places = guesser.remains(x, [(g, a) for (_, a), g in answered.items()], False)
        for ((k, answer), first), (node, names) in zip(answered.items(), places, strict=True):
            kept = np.flatnonzero(self.lines[first] == answer)
            there = _where(guesser.sets[node], names[self.codes[kept]])
            remains[k].append((node, kept, there))
        return remains

    def _turned(self, guesser: RaceGuesser, x: int, chosen: set[int]) -> dict[int, Floats]:
        like, count = typical(guesser.space, self.codes), np.arange(len(self.codes))
        guesses, times = np.unique(like[self.orbit >= 0], return_counts=True)
        pairs = [(guess, self.firsts[self.orbit[guess]]) for guess in guesses.tolist()]
        symmetries = guesser.symmetries(x, pairs)
        turned = {k: np.zeros((len(count), len(count))) for k in chosen}
        for (guess, first), often, names in zip(pairs, times.tolist(), symmetries, strict=True):
            place = _where(self.codes, names[self.codes])
            _alike(self.lines[first][place], self.lines[guess])
            if (k := int(self.orbit[guess])) in chosen:
                turned[k][place, count] += often / (self.orbit == k).sum()
        return turned


def _where(codes: Ints, wanted: Ints) -> Ints:
    """The index of each wanted code among the codes; each code must be wanted exactly once."""
    order = codes.argsort()
    if not np.array_equal(codes[order], np.sort(wanted)):
        raise NotProved("The table takes a set of codes for another.")
    return np.asarray(order[np.searchsorted(codes[order], wanted)], np.int64)


def _alike(one: NDArray[Any], other: NDArray[Any]) -> None:
    if not np.array_equal(one, other):
        raise NotProved("The table takes guesses for alike that are not.")


def _check_start(guesser: RaceGuesser) -> None:
    """Check that every code is possible before any guess."""
    if not np.array_equal(np.sort(guesser.sets[0]), guesser.same):
        raise NotProved("The table does not begin with every code.")
