"""Safe Code in batches: clues by number, and tables of which are true of which codes.

What a seat knows stands in these parts:

- `to move`: 1 flag, whether it is one's turn;
- `number`: how many moves have been made, set-up included, in bits;
- `own code`: 30 flags, of which none is set before the code is chosen;
- `own clues`: for each of the three, its number plus 1 in bits, or 0 before it is written;
- `clues given to me`: the same for each clue of the other that one has been given;
- `clues given to the other`: how many of one's own clues have been given, in bits;
- `left to me` and `left to the other`: 30 flags each, the numbers that fit the clues that a seat
  has been given and its guesses.

The lowest bit comes first, and a clue's number is that of its action.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import jax.numpy as jnp
import numpy as np
from jax import lax
from numpy.typing import NDArray

from strongroom.contract import Event, Seat
from strongroom.games.safe_code.clues import CLUES, EVERY, FIRST_CLUES, MEANINGS, clues_about
from strongroom.games.safe_code.kinds import HIGHEST, LOWEST, NUMBERS
from strongroom.games.safe_code.rules import (
    CLUES_EACH,
    PREPARED,
    REQUEST,
    WRONG_GUESSES,
    SafeCode,
    numbers_after,
)
from strongroom.vector.environment import RESULT_BITS, PackedGame, Tables, by_seat, win_of
from strongroom.vector.words import (
    WIDTH,
    Array,
    Flags,
    Layout,
    Words,
    below,
    flag,
    look_up,
    pack_flags,
    unsigned,
    words_of_set,
)

SEATS: Final = ("one", "two")
CODES: Final = len(NUMBERS)
CODE_BITS: Final = HIGHEST.bit_length()
GIVEN_BITS: Final = CLUES_EACH.bit_length()
CLUE_BITS: Final = (len(CLUES) + CODES + 1).bit_length()
"""How many bits a clue takes: its action plus 1."""
SPARE_BITS: Final = CLUES_EACH * CLUE_BITS - WIDTH
"""How many bits of three clues do not fit into a word."""
SEAT_BITS: Final = CODE_BITS + GIVEN_BITS + SPARE_BITS
"""How many bits each seat takes beside its clues."""
RUN_BITS: Final = max(map(len, MEANINGS.values())).bit_length()
"""How many bits the number of clues with one meaning takes."""
RUN_MASK: Final = (1 << RUN_BITS) - 1
NO_RUN: Final = 0xFFFF & ~RUN_MASK
"""Stands for the run of what is not legal: no clues, behind all others."""
FIRST_NUMBER: Final = len(FIRST_CLUES)
"""The action that names the lowest number; those before are clues."""
ASK: Final = FIRST_NUMBER + CODES
"""The action that requests a clue; clues of later kinds come after it."""
NO_REQUEST: Final = HIGHEST + 1
"""The row of legal actions of whoever may only guess."""
MASK_WORDS: Final = words_of_set(len(CLUES) + CODES + 1)
"""How many words a mask of actions takes."""
FIRST_CLUE: Final = 2
"""The answer that is the first clue; those before say whether a guess is correct."""


class PackedSafeCode(PackedGame):
    """A number and three clues each; then requests and guesses.

    A state keeps, for each seat, the numbers left to it and the clues that it has been given. That
    is all that the theory uses: the value of the race depends on the numbers left to both, and
    beliefs about the other's number depend also on the clues seen. It forgets when a clue was
    given, and which numbers were guessed that had been ruled out before. The certified player
    spends what such moves give away, so it remembers its promise itself. A player who wrote the
    weakest clues and only tries the numbers left guarantees the value of the race from anywhere.
    """

    game: SafeCode
    most = max(CODES + 1, *(len(clues_about(code)) for code in NUMBERS))
    """The most actions that are legal."""

    def position_layout(self) -> Layout:
        """Each seat's clues, code (0 before it is chosen) and how many clues it has been given.

        A clue is its action plus 1. The latest stands lowest; three take a bit more than a word
        has, which is spare. The fields of Seat.TWO stand just as those of Seat.ONE do, SEAT_BITS
        higher.
        """
        seats = {
            f"{name}_{seat}": width
            for seat in SEATS
            for name, width in (("code", CODE_BITS), ("given", GIVEN_BITS), ("spare", SPARE_BITS))
        }
        rest = WIDTH - 2 * SEAT_BITS - RESULT_BITS
        return Layout(
            clues_one=WIDTH,
            clues_two=WIDTH,
            **seats,
            result=RESULT_BITS,
            number=max(rest, self.counter),
        )

    def memory_layout(self) -> Layout:
        """For each seat, the numbers that fit its clues and guesses, a bit a number."""
        return Layout(
            action=len(self.game.actions).bit_length(),
            answer=len(self.game.answers).bit_length(),
            left_one=CODES,
            left_two=CODES,
        )

    def first_memory(self) -> tuple[int, ...]:
        """All numbers are possible."""
        every = (1 << CODES) - 1
        return self.memory.constant(left_one=every, left_two=every)

    def make_tables(self) -> dict[str, NDArray[np.generic]]:
        """Rows by the code that a clue is written about; row 0 is for all other moves.

        `actions` has the legal actions of a row, clues with one meaning side by side, and `counts`
        how many they are, but for the request. `runs` has, for every action plus 1, where the clues
        with its meaning begin in its row, and how many they are; no clues for an action that is not
        legal. `fits` has the numbers that fit each clue, as its action, and each wrong guess. In
        bits, `legal` has the legal actions of a row, in a last one the numbers without a request,
        and `alike` has, for every action plus 1, the clues with its meaning.
        """
        every = self.game.actions
        actions = np.zeros((HIGHEST + 1, self.most), np.uint16)
        counts = np.full(HIGHEST + 1, CODES, np.uint16)
        runs = np.full((HIGHEST + 1, 1 + len(every)), NO_RUN, np.uint16)
        actions[0, : CODES + 1] = range(FIRST_NUMBER, ASK + 1)
        runs[0, 1 + FIRST_NUMBER : 2 + ASK] = 0
        for code in NUMBERS:
            counts[code] = 0
            for meaning, clues in MEANINGS.items():
                if code in meaning:
                    place, alike = int(counts[code]), [every.index(clue) for clue in clues]
                    actions[code, place : place + len(alike)] = alike
                    runs[code, 1 + np.array(alike)] = place << RUN_BITS | len(alike)
                    counts[code] += len(alike)
        fits = np.ones((len(every), CODES), bool)
        for clue in CLUES:
            fits[every.index(clue)] = self._left(Event(Seat.ONE, REQUEST, clue))
        for number in NUMBERS:
            fits[FIRST_NUMBER + number - LOWEST] = self._left(WRONG_GUESSES[Seat.ONE][number])
        numbers = (runs[0, 1:] != NO_RUN) & (np.arange(len(every)) != ASK)
        same = np.zeros((1 + len(every), len(every)), bool)
        for clues in MEANINGS.values():
            places = np.array([every.index(clue) for clue in clues])
            same[np.ix_(1 + places, places)] = True
        return {
            "actions": actions.ravel(),
            "counts": counts,
            "runs": runs.ravel(),
            "fits": pack_flags(fits).ravel(),
            "legal": pack_flags(np.array([*(runs[:, 1:] != NO_RUN), numbers])).ravel(),
            "alike": pack_flags(same).ravel(),
        }

    def _left(self, event: Event) -> list[bool]:
        """For every number, whether an event leaves it."""
        left = numbers_after(EVERY, event)
        return [number in left for number in NUMBERS]

    # --- playing ---

    def actor(self, words: Words) -> Array:
        """The seat to move: Seat.ONE prepares, then Seat.TWO; from then on they take turns."""
        number = self.layout["number"].get(words)
        return jnp.where(number < self.set_up, number // PREPARED, number) & 1

    def _writing(self, words: Words) -> Array:
        """Whether a clue is to be written."""
        chosen = self.layout["number"].get(words) != PREPARED * self.actor(words)
        return self.setting_up(words) & chosen

    def _run(self, code: Array, action_plus_1: Array, tables: Tables) -> Array:
        """The clues with an action's meaning: where they begin among the legal ones, how many."""
        width = 1 + len(self.game.actions)
        return look_up(tables["runs"], code * width + action_plus_1)

    def _earlier(self, words: Words, tables: Tables) -> tuple[Array, Array, Array]:
        """The code of the seat that is to write a clue, 0 if none is, and its latest clues' runs.

        Games in which none is look up the same entry, which a cache answers at once.
        """
        seat, writing = self.actor(words), self._writing(words)
        code = jnp.where(writing, self.layout.of_seat("code", seat).get(words), unsigned(0))
        clues = jnp.where(writing, by_seat(seat, *words[:2]), unsigned(0))
        runs = (self._run(code, clue, tables) for clue in (second(clues), latest(clues)))
        return code, *runs

    def _may_ask(self, words: Words) -> Array:
        """Whether the game has begun and the seat to move has not been given all clues."""
        given = self.layout.of_seat("given", self.actor(words)).get(words)
        return ~self.setting_up(words) & (given < CLUES_EACH)

    def random_action(self, words: Words, word: Array, tables: Tables) -> Array:
        """Any number, for a code; any true clue that says something new; any guess or a request.

        One of the clues left is drawn by its place, and the runs of the earlier ones are skipped.
        """
        code, one, two = self._earlier(words, tables)
        left = look_up(tables["counts"], code) + unsigned(self._may_ask(words))
        place = below(word, left - (one & RUN_MASK) - (two & RUN_MASK), self.most)
        for run in (jnp.minimum(one, two), jnp.maximum(one, two)):
            place += jnp.where(place >= run >> RUN_BITS, run & RUN_MASK, unsigned(0))
        return look_up(tables["actions"], code * self.most + place)

    def allows(self, words: Words, action: Array, tables: Tables) -> Array:
        """Whether a clue is true and new, or a number or a request is due."""
        code, one, two = self._earlier(words, tables)
        run = self._run(code, unsigned(action) + 1, tables)
        new = (run != NO_RUN) & (run != one) & (run != two)
        return new & ((action != ASK) | self._may_ask(words))

    def legal(self, words: Words, tables: Tables) -> Array:
        """The clues that are true and not said yet; or the numbers, and a request if it is due."""
        seat, writing, none = self.actor(words), self._writing(words), unsigned(0)
        code = self.layout.of_seat("code", seat).get(words)
        row = jnp.where(writing, code, jnp.where(self._may_ask(words), none, unsigned(NO_REQUEST)))
        clues = jnp.where(writing, by_seat(seat, *words[:2]), none)
        # These are computed once, and not again for each word of the mask.
        row, one, two = lax.optimization_barrier((row, second(clues), latest(clues)))
        said = _row(tables["alike"], one) | _row(tables["alike"], two)
        return _row(tables["legal"], row) & ~said

    def play(self, words: Words, action: Array, word: Array, tables: Tables) -> tuple[Words, Array]:
        """Choose a code and write clues in the set-up; request a clue or guess in a turn."""
        seat, setting_up, writing = self.actor(words), self.setting_up(words), self._writing(words)
        action, number, none = unsigned(action), number_of(action), unsigned(0)
        clues = by_seat(seat, *words[:2])
        # What a third clue pushes out of the word is the highest bit of the first.
        spare = jnp.where(writing, clues >> (2 * CLUE_BITS - SPARE_BITS), none)
        clues = jnp.where(writing, (clues << CLUE_BITS) + action + 1, clues)
        after = (by_seat(seat, clues, words[0]), by_seat(seat, words[1], clues), *words[2:])
        hidden = jnp.where(setting_up & ~writing, number, none)
        new = self.layout.pack(code_one=hidden, given_one=action == ASK, spare_one=spare)
        after = self.layout.of_seat("code", seat).add(after, new[2])
        hit = ~setting_up & (number == self.layout.of_seat("code", seat ^ 1).get(words))
        return self.layout["number"].add(after, 1), jnp.where(hit, win_of(seat), none)

    # --- what is known ---

    def _clues(self, words: Words, seat: Array) -> tuple[Array, Array, Array]:
        """The three clues of a seat in the order in which they are given; 0 before all stand."""
        clues, spare = by_seat(seat, *words[:2]), self.layout.of_seat("spare", seat).get(words)
        first = clues >> (2 * CLUE_BITS) | spare << (CLUE_BITS - SPARE_BITS)
        return first, second(clues), latest(clues)

    def answer(self, before: Words, action: Array, after: Words, tables: Tables) -> Array:
        """The next clue of the other seat, or whether a guess is correct."""
        seat = self.actor(before)
        given = self.layout.of_seat("given", seat).get(before)
        one, two, three = self._clues(before, seat ^ 1)
        clue = jnp.where(given == 0, one, jnp.where(given == 1, two, three))
        correct = number_of(action) == self.layout.of_seat("code", seat ^ 1).get(before)
        place = clue - jnp.where(clue > ASK, unsigned(CODES + 2), unsigned(1))
        return jnp.where(action == ASK, place + FIRST_CLUE, unsigned(correct))

    def learn(
        self, memory: Words, before: Words, action: Array, answer: Array, tables: Tables
    ) -> Words:
        """Whoever moved keeps the numbers that fit the clue or the guess."""
        seat = self.actor(before)
        place = answer - FIRST_CLUE
        clue = place + jnp.where(place < FIRST_NUMBER, unsigned(0), unsigned(CODES + 1))
        told = jnp.where(action == ASK, clue, unsigned(action))
        fits = look_up(tables["fits"], jnp.where(self.setting_up(before), unsigned(0), told))
        for owner, field in enumerate((self.memory["left_one"], self.memory["left_two"])):
            left = field.get(memory)
            memory = field.put(memory, jnp.where(seat == owner, left & fits, left))
        return memory

    def knowledge(self, words: Words, memory: Words, seat: Array) -> dict[str, Flags]:
        """Whose turn it is, one's secrets, the clues given, and both sets of numbers."""
        number, none = self.layout["number"].get(words), unsigned(0)
        code, given = (self.layout.of_seat(name, seat).get(words) for name in ("code", "given"))
        first, then, last = self._clues(words, seat)
        written = (first != 0, then != 0)
        clues = (
            jnp.where(written[0], first, jnp.where(written[1], then, last)),
            jnp.where(written[0], then, jnp.where(written[1], last, none)),
            jnp.where(written[0], last, none),
        )
        told = [
            jnp.where(given > place, clue, none)
            for place, clue in enumerate(self._clues(words, seat ^ 1))
        ]
        one, two = self.memory["left_one"].get(memory), self.memory["left_two"].get(memory)
        return {
            "to move": flag(self.actor(words) == seat),
            "number": Flags((number,), self.counter),
            "own code": Flags(((unsigned(1) << code) >> LOWEST,), CODES),
            "own clues": one_after_another(clues),
            "clues given to me": one_after_another(told),
            "clues given to the other": Flags(
                (self.layout.of_seat("given", seat ^ 1).get(words),), GIVEN_BITS
            ),
            "left to me": Flags((by_seat(seat, one, two),), CODES),
            "left to the other": Flags((by_seat(seat, two, one),), CODES),
        }


def _row(table: Array, number: Array) -> Array:
    """A row of words of a table, along a new last axis."""
    return look_up(table, number[..., None] * MASK_WORDS + jnp.arange(MASK_WORDS, dtype=jnp.uint32))


def number_of(action: Array) -> Array:
    """The number that an action names; of a clue or a request, none of those that can be hidden."""
    return unsigned(action) - (FIRST_NUMBER - LOWEST)


def latest(clues: Array) -> Array:
    """The clue that was written last; 0 if there is none."""
    return clues & ((1 << CLUE_BITS) - 1)


def second(clues: Array) -> Array:
    """The clue that was written before the latest; 0 if there is none."""
    return latest(clues >> CLUE_BITS)


def one_after_another(clues: Sequence[Array]) -> Flags:
    """Clues in bits, each behind the one before."""
    one, two, three = clues
    low = one | two << CLUE_BITS | three << (2 * CLUE_BITS)
    return Flags((low, three >> (CLUE_BITS - SPARE_BITS)), CLUES_EACH * CLUE_BITS)
