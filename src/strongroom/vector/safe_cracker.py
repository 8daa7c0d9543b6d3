"""Safe Cracker in batches, limited attempts included; its certified player, and what guesses cost.

What the certified player has in mind is asked of the player of the theory, which knows nodes, names
and memories; here they only get numbers, so that a device can look them up. Its notes say where it
stands: both nodes, the number of its mind where it remembers more than those, and at each node the
names of all codes, as a packed renaming.

Who knows all that, and the name of the own code, looks up what it wins, to move or to wait; what a
guess wins follows from the nodes that its answers can leave. Where the turn limit cannot matter,
one layer of values suffices.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Final, NamedTuple

import jax.numpy as jnp
import numpy as np
from numpy.typing import NDArray

from strongroom.contract import Refusal
from strongroom.games.safe_cracker.rules import SafeCracker
from strongroom.theory.safe_cracker.player import Memory, Mind, RaceGuesser
from strongroom.theory.safe_cracker.race import Space, typical
from strongroom.theory.safe_cracker.solution import SafeCrackerSolution
from strongroom.theory.safe_cracker.worth import START, CodeResponse, RaceResponse, effective
from strongroom.theory.shelf import solution_of
from strongroom.theory.solution import Floats, Ints
from strongroom.theory.worth import Turns
from strongroom.vector.environment import Env, Result, State, Tables, win_of
from strongroom.vector.guessing import PackedGuessingGame
from strongroom.vector.players import BatchedPlayer, Certified, Costs, batched_player, layers_of
from strongroom.vector.words import (
    Array,
    Flags,
    Layout,
    Words,
    below,
    either,
    entry,
    flag,
    look_up,
    mix,
    unsigned,
)

BEST_BITS: Final = 3
"""The best guess so far is at most five exact matches, and 0 stands for none."""


class PackedSafeCracker(PackedGuessingGame, Certified):
    """All digits in place win; so does, when the attempts are used up, the best guess."""

    game: SafeCracker

    def __init__(self, game: SafeCracker, turn_limit: int) -> None:
        self.hit = game.options.length
        super().__init__(game, turn_limit)

    def position_layout(self) -> Layout:
        """With limited attempts also the best guess's matches plus 1, and who reached it first."""
        base = super().position_layout()
        if self.game.most_turns is None:
            return base
        return Layout(
            **{name: field.width for name, field in base.items()}, best=BEST_BITS, holder=1
        )

    def judge(
        self, after: Words, seat: Array, answer: Array, setting_up: Array
    ) -> tuple[Words, Array]:
        """A hit wins; after the last attempt, whoever reached the most matches first."""
        after, result = super().judge(after, seat, answer, setting_up)
        if self.game.most_turns is None:
            return after, result
        best, holder = self.layout["best"], self.layout["holder"]
        told = jnp.where(setting_up | (answer == self.hit), unsigned(0), answer + 1)
        better = told > best.get(after)
        leader = jnp.where(better, seat, holder.get(after))
        after = holder.put(best.put(after, jnp.maximum(told, best.get(after))), leader)
        last = self.layout["number"].get(after) == self.set_up + self.game.most_turns
        return after, jnp.where(last & (result == Result.NONE), win_of(leader), result)

    def knowledge(self, words: Words, memory: Words, seat: Array) -> dict[str, Flags]:
        """With limited attempts also the best guess's matches, and whether one reached it first."""
        parts = super().knowledge(words, memory, seat)
        if self.game.most_turns is not None:
            best = self.layout["best"].get(words)
            parts["best"] = Flags((best,), BEST_BITS)
            leads = (best > 0) & (self.layout["holder"].get(words) == seat)
            parts["best is mine"] = flag(leads)
        return parts

    def master(self, env: Env) -> BatchedPlayer:
        """The certified player; a Refusal where nothing is certified."""
        return SafeCrackerMaster(env)

    def costs(self, env: Env) -> Costs:
        """What guesses cost against it."""
        return make_costs(env)


# --- codes under other names ---

COLUMN_BITS: Final = 3
DIGIT_BITS: Final = 4
ROOM: Final = 8
"""How many digits a word has room for."""


class Renamings:
    """The renamings of the codes of one space, in packed form; the theory calls them names.

    A renaming moves positions and replaces digits: place `p` of the name of a code is
    `digits_p[code[columns_p]]`. It is packed into a word of columns, three bits each, and a word of
    digits for each place, four bits each. A ninth digit has no room; it is the one that is left.
    """

    def __init__(self, space: Space) -> None:
        self.space = space
        self.height: int = space.game.options.digits
        self.length: int = space.game.options.length
        self.powers: list[int] = [self.height**n for n in reversed(range(self.length))]
        """What a digit counts in each position of a code's number."""
        self.kept = min(self.height, ROOM)
        self.widths: tuple[int, ...] = (
            COLUMN_BITS * self.length,
            *[DIGIT_BITS * self.kept] * self.length,
        )
        """How many bits each word of a renaming takes."""
        self._ninth = int(np.bitwise_xor.reduce(np.arange(self.height)))
        self.probes: Ints = np.array(self.powers)[:, None] * np.arange(self.height)
        """The codes by whose names a renaming is known: [position, digit], else the first digit."""
        self.same: tuple[int, ...] = tuple(
            int(word) for word in self.pack(np.arange(len(space.digits))[self.probes])
        )
        """The renaming that leaves every code its name."""

    def pack(self, names: Ints) -> NDArray[np.uint32]:
        """Renamings, given by the names of the probes (last two axes), as words (last axis)."""
        digits = self.space.digits[names]  # [..., position, digit, place]
        moved = digits[..., 1, :] != digits[..., 0, :]
        column = moved.argmax(axis=-2)  # the position that shows in each place
        shown = np.take_along_axis(
            np.moveaxis(digits, -1, -3), column[..., None, None].repeat(self.height, -1), -2
        )[..., 0, : self.kept]  # [..., place, digit]
        places, bits = np.arange(self.length), np.arange(self.kept)
        columns = (column << (COLUMN_BITS * places)).sum(-1)
        replaced = (shown << (DIGIT_BITS * bits)).sum(-1)
        words = np.concatenate([columns[..., None], replaced], axis=-1)
        return words.astype(np.uint32)

    def name(self, renaming: Words, code: Array) -> Array:
        """A code's name."""
        digits, total = self._digits(code), unsigned(0)
        for place, power in enumerate(self.powers):
            digit = _pick(self._column(renaming, place), digits)
            total = total + self._replace(renaming[1 + place], digit) * unsigned(power)
        return total

    def origin(self, renaming: Words, name: Array) -> Array:
        """The code with a name."""
        total = unsigned(0)
        for place, shown in enumerate(self._digits(name)):
            digit = unsigned(self.height - 1)  # the ninth, unless another is found
            for each in range(self.kept):
                here = (renaming[1 + place] >> (DIGIT_BITS * each)) & 15
                digit = jnp.where(here == shown, unsigned(each), digit)
            powers = [unsigned(power) for power in self.powers]
            total = total + digit * _pick(self._column(renaming, place), powers)
        return total

    def compose(self, first: Words, then: Words) -> Words:
        """The renaming by one and then by the other."""
        columns, words = unsigned(0), []
        for place in range(self.length):
            moved = self._column(then, place)
            inner = [self._column(first, each) for each in range(self.length)]
            columns = columns | (_pick(moved, inner) << (COLUMN_BITS * place))
            before, word = _pick(moved, [*first[1:]]), unsigned(0)
            for each in range(self.kept):
                digit = (before >> (DIGIT_BITS * each)) & 15
                word = word | (self._replace(then[1 + place], digit) << (DIGIT_BITS * each))
            words.append(word)
        return columns, *words

    def _digits(self, code: Array) -> list[Array]:
        return [code // unsigned(power) % unsigned(self.height) for power in self.powers]

    def _column(self, renaming: Words, place: int) -> Array:
        return (renaming[0] >> (COLUMN_BITS * place)) & ((1 << COLUMN_BITS) - 1)

    def _replace(self, word: Array, digit: Array) -> Array:
        shown = (word >> (digit * DIGIT_BITS & 31)) & 15
        if self.height == self.kept:
            return shown
        # All digits together give a known parity, so the missing one is what the others lack.
        parity = word ^ (word >> 16)
        parity = parity ^ (parity >> 8)
        ninth = ((parity ^ (parity >> 4)) & 15) ^ unsigned(self._ninth)
        return jnp.where(digit == ROOM, ninth, shown)


def _pick(index: Array, values: list[Array]) -> Array:
    picked = values[0]
    for place, value in enumerate(values[1:], 1):
        picked = jnp.where(index == place, value, picked)
    return picked


# --- where the certified player can stand ---

FORGOTTEN: Final[Memory] = (-1,)
"""Stands for all memories for which the table has no mixture, now or later."""


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


def walk_nodes(guesser: RaceGuesser, renamings: Renamings, remember: bool) -> Walk:
    """The rows of all nodes, with or without earlier types."""
    rows, nodes, words, begun = [], [], [], 0
    for node in range(len(guesser.sets)):
        row, there, names = _walk_from(guesser, renamings, node, remember)
        rows.append(begun + row * there.shape[1])
        nodes.append(there.ravel())
        words.append(renamings.pack(names).reshape(there.size, -1))
        begun += there.size
    return Walk(np.array(rows), np.concatenate(nodes), np.concatenate(words))


def _walk_from(
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


def plain_plan(guesser: RaceGuesser) -> Plan:
    """One set of guesses at each mind without memory.

    Its number is that of the own node, times the nodes, plus the other.
    """
    orbits, choice = guesser.table["orbits"], guesser.table["choice"]
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


# --- the certified player ---

SIDES: Final = ("own", "other")


class SafeCrackerMaster(BatchedPlayer):
    """Hides any code, and draws guesses as the certified player does.

    Its tables take a second to make in the default game, and a minute or two with nine digits.
    """

    def __init__(self, env: Env) -> None:
        solution = solution_of(env.packed.game)
        assert isinstance(solution, SafeCrackerSolution)
        self.solution = solution
        self.guesser: RaceGuesser = solution.guesser
        self.renamings = Renamings(self.guesser.space)
        self.codes: int = len(self.guesser.same)
        self.told: int = self.guesser.space.game.options.length
        """How many answers leave the game open: all but a hit."""
        self.minds = RememberingMinds(self.guesser) if self.guesser.coloured else None
        """Its minds, where it remembers more than the two nodes."""
        self.plan: Plan = self.minds.plan() if self.minds else plain_plan(self.guesser)
        widths = self.renamings.widths
        self.fields: dict[str, list[str]] = {
            side: [f"{side}_{place}" for place in range(len(widths))] for side in SIDES
        }
        """The fields of the notes, and the tables, with the words of a renaming."""
        node = (len(self.guesser.sets) - 1).bit_length()
        mind = {"mind": (len(self.plan.drawn) - 1).bit_length()} if self.minds else {}
        names = {k: v for side in SIDES for k, v in zip(self.fields[side], widths, strict=True)}
        self.notes = Layout(own=node, other=node, **mind, **names)
        super().__init__(env)

    def make_tables(self) -> Mapping[str, NDArray[np.generic]]:
        """Where guesses lead from node to node and from mind to mind, and what is drawn there."""
        tables: dict[str, NDArray[np.generic]] = {}
        walks = {
            side: walk_nodes(self.guesser, self.renamings, remember)
            for side, remember in (("own", self.minds is not None), ("other", False))
            if self.minds or side == "own"
        }
        for side, each in walks.items():
            tables[f"{side}_row"] = each.row.astype(np.uint32).ravel()
            tables[f"{side}_node"] = each.node.astype(np.uint16)
            for field, words in zip(self.fields[side], each.words.T, strict=True):
                tables[field] = words.copy()
        if self.minds:
            tables["guessed"] = self.minds.guessed.astype(np.uint16).ravel()
            tables["heard"] = self.minds.heard.astype(np.uint16).ravel()
        return {**tables, **self._drawing()}

    def _drawing(self) -> dict[str, NDArray[np.generic]]:
        sets, drawn, shares = self.plan
        flat = sets.ravel()
        order = flat.argsort(kind="stable")[(flat < 0).sum() :]
        count = np.bincount(flat[flat >= 0])
        reached = np.minimum(shares.cumsum(axis=1) * 2.0**32, 2**32 - 1)
        return {
            "drawn": drawn.astype(np.uint16).ravel(),
            "reached": reached.astype(np.uint32).ravel(),
            "shares": shares.astype(np.float32).ravel(),
            "first": (count.cumsum() - count).astype(np.uint32),
            "count": count.astype(np.uint16),
            "guesses": (order % self.codes).astype(np.uint16),
            "face": (order // self.codes)[count.cumsum() - count].astype(np.uint16),
            "sets": flat.astype(np.uint16),  # a guess that is not drawn has the highest number
        }

    @cached_property
    def parts(self) -> int:
        """How many sets of guesses a mixture has at most."""
        return int(self.plan.drawn.shape[1])

    def first_notes(self) -> tuple[int, ...]:
        """Any code is possible, under its own name."""
        same = self.renamings.same
        return self.notes.constant(
            **{k: v for side in SIDES for k, v in zip(self.fields[side], same, strict=True)}
        )

    # --- reading notes ---

    def names(self, notes: Words, side: str) -> Words:
        """The renaming by which codes got their names at the own or the other node."""
        return tuple(self.notes[field].get(notes) for field in self.fields[side])

    def mind(self, notes: Words) -> Array:
        """The number of the mind."""
        if self.minds:
            return self.notes["mind"].get(notes)
        own, other = (self.notes[side].get(notes) for side in SIDES)
        return own * unsigned(len(self.guesser.sets)) + other

    # --- playing ---

    def choose(self, state: State, notes: Words, seat: Array, word: Array, tables: Tables) -> Array:
        """A code to hide, any of them; or a set of guesses, and one of its guesses."""
        mind = self.mind(notes)
        part = unsigned(0)
        for each in range(self.parts - 1):
            part = part + unsigned(word >= self._part(tables["reached"], mind, unsigned(each)))
        drawn = self._part(tables["drawn"], mind, part)
        # The first draw looked at the highest bits of the word; the second needs others.
        again = mix(word + np.uint32(0x9E3779B9)) if self.parts > 1 else word
        place = below(again, look_up(tables["count"], drawn))
        name = look_up(tables["guesses"], look_up(tables["first"], drawn) + place)
        guess = self.renamings.origin(self.names(notes, "own"), name)
        hidden = below(word, unsigned(self.codes))
        setting_up = self.env.packed.setting_up(state.position)
        return jnp.where(setting_up, hidden, guess).astype(jnp.int32)

    def odds(self, state: State, notes: Words, seat: Array, tables: Tables) -> Array:
        """Uniform among the guesses of a set."""
        mind, odds = self.mind(notes), jnp.zeros(self.codes, jnp.float32)
        every = jnp.arange(self.codes, dtype=jnp.uint32)
        names = self.renamings.name(self.names(notes, "own"), every)
        for part in range(self.parts):
            drawn = self._part(tables["drawn"], mind, unsigned(part))
            face = look_up(tables["face"], drawn)
            among = look_up(tables["sets"], face * unsigned(self.codes) + names) == drawn
            share = entry(tables["shares"], mind * unsigned(self.parts) + unsigned(part))
            odds = odds + jnp.where(among, share / look_up(tables["count"], drawn), 0.0)
        return jnp.where(self.env.packed.setting_up(state.position), 1 / self.codes, odds)

    def _part(self, table: Array, mind: Array, part: Array) -> Array:
        return look_up(table, mind * unsigned(self.parts) + part)

    def update_notes(
        self, notes: Words, seat: Array, before: State, action: Array, after: State, tables: Tables
    ) -> Words:
        """The node and names of whoever guessed, after a guess of either seat."""
        mine = before.current_player == seat
        guess = unsigned(action)
        # A hit ends the game; then it does not matter which open answer is looked up.
        answer = jnp.minimum(unsigned(after.latest_answer), unsigned(self.told - 1))
        node = jnp.where(mine, *(self.notes[side].get(notes) for side in SIDES))
        names = either(mine, *(self.names(notes, side) for side in SIDES))
        name = self.renamings.name(names, guess)
        at = node * unsigned(self.codes) + name
        there, *renaming = self._follow(mine, at, answer, tables)
        new = self.renamings.compose(names, tuple(renaming))
        gone = self._put(notes, "own", there, new)
        told = either(mine, gone, self._put(notes, "other", there, new))
        if self.minds:
            place = (self.mind(notes) * unsigned(self.codes) + name) * unsigned(self.told) + answer
            minds = [look_up(tables[table], place) for table in ("guessed", "heard")]
            told = self.notes["mind"].put(told, jnp.where(mine, *minds))
        return either(self.env.packed.setting_up(before.position), notes, told)

    def _follow(self, mine: Array, at: Array, answer: Array, tables: Tables) -> Words:
        """The next node, and how codes are renamed on the way there."""
        found = []
        for side in SIDES if self.minds else SIDES[:1]:
            row = look_up(tables[f"{side}_row"], at) + answer
            names = (f"{side}_node", *self.fields[side])
            found.append(tuple(look_up(tables[name], row) for name in names))
        return either(mine, found[0], found[-1])

    def _put(self, notes: Words, side: str, node: Array, names: Words) -> Words:
        notes = self.notes[side].put(notes, node)
        for field, word in zip(self.fields[side], names, strict=True):
            notes = self.notes[field].put(notes, word)
        return notes


# --- what guesses cost against it ---

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


def split_nodes(guesser: RaceGuesser, nodes: int) -> Splits:
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


class SafeCrackerCosts(Costs):
    """What codes and guesses cost; the notes are the certified player's, in the other seat.

    Values are the theory's, layer by layer of turns left. No game against the certified player
    reaches a high turn limit, so the table leaves it out, even for positions in which others have
    wasted turns.
    """

    def __init__(self, env: Env, master: SafeCrackerMaster) -> None:
        self.master, self.guesser = master, master.guesser
        self.notes = master.notes
        self.nodes: int = len(self.guesser.table["choice"])
        """How many nodes the player's own codes can be left in."""
        self.splits: Splits = split_nodes(self.guesser, self.nodes)
        self.response: CodeResponse = master.solution.worth.response
        self.limited: bool = env.packed.turn_limit < 2 * self.response.most_guesses(START)
        """Whether the turn limit can end a game against the certified player."""
        super().__init__(env)

    @abstractmethod
    def layer(self, turns: Turns) -> Floats:
        """What a best response wins with each code at each mind: to move, then to wait."""

    @abstractmethod
    def places(self) -> dict[str, NDArray[np.generic]]:
        """What it takes to find an entry of a layer."""

    @abstractmethod
    def now(self, notes: Words, name: Array, tables: Tables) -> Array:
        """The entry of a code, given by its name."""

    @abstractmethod
    def after(self, notes: Words, name: Array, node: Array, tables: Tables) -> Array:
        """The same after a guess of the player's that leaves this node of the other's codes."""

    def make_tables(self) -> Mapping[str, NDArray[np.generic]]:
        """The certified player's tables, what guesses leave, and all values."""
        limit = self.env.packed.turn_limit
        last = self.layer(limit if self.limited else None)
        self.size = last.shape[1]
        if self.limited and self.size * (limit + 1) > MOST_ENTRIES:
            raise Refusal(
                f"{self.size * (limit + 1):,} values are too many for a table.",
                f"Choose a turn limit of at least {2 * self.response.most_guesses(START)}, or "
                "fewer digits.",
            )
        layers = layers_of(self.layer, limit) if self.limited else [last]
        self.layers = len(layers)
        moving, waiting = np.array(layers, np.float32).swapaxes(0, 1).reshape(2, -1)
        left, hidden = self.splits, last[:, self._first_entries()]
        return {
            **self.master.tables,
            **self.places(),
            "split": left.row.astype(np.uint32).ravel(),
            "hit": left.hit.astype(np.float32),
            "cells": left.cells.astype(np.uint16).ravel(),
            "cell_shares": left.shares.astype(np.float32).ravel(),
            "moving": moving,
            "waiting": waiting,
            "hidden": hidden.astype(np.float32).ravel(),
            "best_hidden": hidden.max(axis=1).astype(np.float32),
        }

    def _first_entries(self) -> Ints:
        """The entries of codes before the first guess."""
        tables = {name: jnp.asarray(table) for name, table in self.places().items()}
        notes = tuple(jnp.uint32(word) for word in self.first_notes())
        names = jnp.arange(self.master.codes, dtype=jnp.uint32)
        return np.asarray(self.now(notes, names, tables))

    def first_notes(self) -> tuple[int, ...]:
        """The certified player's notes before the first move."""
        return self.master.first_notes()

    def update_notes(
        self, notes: Words, seat: Array, before: State, action: Array, after: State, tables: Tables
    ) -> Words:
        """The notes of the certified player in the other seat."""
        return self.master.update_notes(notes, 1 - seat, before, action, after, tables)

    def value(self, state: State, notes: Words, seat: Array, tables: Tables) -> Array:
        """What a best response wins from here."""
        turns, setting_up = self._turns(state)
        place = self.now(notes, self._own_name(state, notes, seat), tables)
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
            after = self.after(notes, own, look_up(tables["cells"], cell), tables)
            share = entry(tables["cell_shares"], cell)
            won = won + share * entry(tables["waiting"], later + after)
        hidden = entry(tables["hidden"], unsigned(seat) * codes + unsigned(action))
        return jnp.where(setting_up, hidden, won)

    def _own_name(self, state: State, notes: Words, seat: Array) -> Array:
        own = self.env.packed.layout.of_seat("code", seat).get(state.position)
        return self.master.renamings.name(self.master.names(notes, "own"), own)

    def _turns(self, state: State) -> tuple[Array, Array]:
        """How many turns are left, and whether codes are still being hidden."""
        packed, position = self.env.packed, state.position
        left = unsigned(packed.turn_limit) - packed.turns_made(position)
        return left, packed.setting_up(position)

    def _layer(self, turns: Array) -> Array:
        """Where the layer of some turns left begins."""
        return jnp.minimum(turns, unsigned(self.layers - 1)) * unsigned(self.size)


class PlainCosts(SafeCrackerCosts):
    """Against a strategy without memory: by the kind of the code, and the other node."""

    response: RaceResponse

    def layer(self, turns: Turns) -> Floats:
        """The values at all nodes of the strategy, side by side."""
        moves, waits = [], []
        for node in range(self.nodes):
            guesses = self.response.pursuit(node).most_guesses
            moves.append(self.response.move_values(node, effective(turns, 2 * guesses)))
            waits.append(self.response.wait_values(node, effective(turns, 2 * guesses - 1)))
        return np.array([np.hstack(each).T.ravel() for each in (moves, waits)])

    def places(self) -> dict[str, NDArray[np.generic]]:
        """The kind of each code of each node, counted through all nodes."""
        kinds, begun = np.zeros((self.nodes, self.master.codes), np.uint16), 0
        for node, codes in enumerate(self.guesser.sets):
            own = self.response.pursuit(node).kinds
            kinds[node, codes] = begun + own
            begun += int(own.max()) + 1
        return {"kinds": kinds.ravel()}

    def now(self, notes: Words, name: Array, tables: Tables) -> Array:
        """By the kind of the code, and the other node."""
        return self.after(notes, name, self.notes["other"].get(notes), tables)

    def after(self, notes: Words, name: Array, node: Array, tables: Tables) -> Array:
        """By the kind of the code, and the node that is left."""
        own = self.notes["own"].get(notes)
        kind = look_up(tables["kinds"], own * unsigned(self.master.codes) + name)
        return kind * unsigned(self.nodes) + node


class RememberingCosts(SafeCrackerCosts):
    """Against a strategy with memory: by the number of the mind, and the name of the code."""

    @property
    def minds(self) -> RememberingMinds:
        """The minds of the strategy."""
        assert self.master.minds is not None
        return self.master.minds

    def layer(self, turns: Turns) -> Floats:
        """The values of all minds."""
        values = np.zeros((2, len(self.minds.minds), self.master.codes))
        for number, mind in enumerate(self.minds.minds):
            for row, wins in zip(
                values, (self.response.to_move, self.response.to_wait), strict=True
            ):
                row[number, self.guesser.sets[mind.own]] = [
                    float(each) for each in wins(mind, turns)
                ]
        return values.reshape(2, -1)

    def places(self) -> dict[str, NDArray[np.generic]]:
        """The mind after a guess that leaves each node, where one can: [mind, node]."""
        hearing = np.zeros((len(self.minds.minds), self.nodes), np.uint16)
        for number, mind in enumerate(self.minds.minds):
            rows = np.unique(self.splits.row[mind.other])
            for node in {*self.splits.cells[rows][self.splits.shares[rows] > 0].tolist()}:
                hearing[number, node] = self.minds.number(mind.hearing(node))
        return {"hearing": hearing.ravel()}

    def now(self, notes: Words, name: Array, tables: Tables) -> Array:
        """By the mind, and the name of the code."""
        return self.master.mind(notes) * unsigned(self.master.codes) + name

    def after(self, notes: Words, name: Array, node: Array, tables: Tables) -> Array:
        """By the mind that hears the guess, and the name of the code."""
        mind = look_up(tables["hearing"], self.master.mind(notes) * unsigned(self.nodes) + node)
        return mind * unsigned(self.master.codes) + name


def make_costs(env: Env) -> SafeCrackerCosts:
    """What codes and guesses cost against the certified player of these options."""
    master = batched_player(env, "master")
    assert isinstance(master, SafeCrackerMaster)
    return (RememberingCosts if master.minds else PlainCosts)(env, master)
