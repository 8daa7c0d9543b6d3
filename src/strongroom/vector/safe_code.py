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

import numpy as np
from numpy.typing import NDArray

from strongroom.contract import Event, Seat
from strongroom.games.safe_code.clues import CLUES, EVERY, PLACES, clues_about
from strongroom.games.safe_code.kinds import NUMBERS
from strongroom.games.safe_code.rules import (
    CLUES_EACH,
    PREPARED,
    REQUEST,
    SafeCode,
    guessed,
    numbers_after,
)
from strongroom.plugins.extras import extra
from strongroom.vector.draws import below
from strongroom.vector.guessing import packed
from strongroom.vector.packed_game import RESULT_BITS, PackedGame, Tables, chosen_by, won_by
from strongroom.vector.words import WIDTH, Array, Layout, Words, bits, look_up, unsigned

with extra("vector", "strongroom.vector"):
    import jax.numpy as jnp

CODES: Final = len(NUMBERS)
CODE_BITS: Final = (CODES - 1).bit_length()
GIVEN_BITS: Final = CLUES_EACH.bit_length()
CLUE_BITS: Final = len(CLUES).bit_length()
LAST_BITS: Final = WIDTH - 2 * CLUE_BITS
"""How many bits of the third clue stand beside the first two; the rest stand apart."""
RUN_BITS: Final = max(end - first for first, end in PLACES.values()).bit_length()
"""How many bits the number of clues with one meaning takes."""
RUN_MASK: Final = (1 << RUN_BITS) - 1
NO_RUN: Final = 0xFFFF & ~RUN_MASK
"""Stands for the run of a clue that is not true: no clues, behind all others."""
FIRST_NUMBER: Final = len(CLUES)
"""The action that names the lowest number; those before are clues."""
ASK: Final = FIRST_NUMBER + CODES
"""The action that requests a clue."""
FIRST_CLUE_ANSWER: Final = 2
"""The answer that is the first clue; those before say whether a guess is correct."""


class PackedSafeCode(PackedGame):
    """A number and three clues each; then requests and guesses.

    A state keeps, for each seat, the numbers left to it and the clues that it has been given. That
    is all that the theory uses: the value of the race depends on the numbers left to both, and
    beliefs about the other's number depend also on the clues seen. Forgotten is when a clue was
    given, and which numbers were guessed that had been ruled out before. The certified player
    spends what such moves give away, so it remembers its promise itself; a player without one, who
    only races, guarantees the same value from any position.
    """

    game: SafeCode

    def __init__(self, game: SafeCode, turn_limit: int) -> None:
        (self.true,) = {len(clues_about(code)) for code in NUMBERS}
        super().__init__(game, turn_limit)

    true: int
    """How many clues are true of a code: of each, the same number."""

    def position_layout(self) -> Layout:
        """Both codes and the six clues by number, and how many clues each seat has been given.

        The three clues of a seat take one bit more than a word has, which stands apart.
        """
        clues = {
            f"clue_{seat}_{place}": CLUE_BITS if place < CLUES_EACH else LAST_BITS
            for seat in ("one", "two")
            for place in range(1, CLUES_EACH + 1)
        }
        return Layout(
            result=RESULT_BITS,
            number=self.counter,
            code_one=CODE_BITS,
            code_two=CODE_BITS,
            given_one=GIVEN_BITS,
            given_two=GIVEN_BITS,
            rest_one=CLUE_BITS - LAST_BITS,
            rest_two=CLUE_BITS - LAST_BITS,
            **clues,
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
        words = [0] * self.memory.words
        for name in ("left_one", "left_two"):
            field = self.memory[name]
            words[field.word] |= field.mask << field.shift
        return tuple(words)

    def made_tables(self) -> dict[str, NDArray[np.generic]]:
        """The true clues of each code, in order, as numbers, as bits and as runs of one meaning.

        A run says where the clues with a clue's meaning begin among those that are true of a code,
        and how many they are. The last table has, for every clue and guess, the numbers that fit
        it.
        """
        clues = np.array([clues_about(code).listed() for code in NUMBERS])
        runs = np.full((CODES, len(CLUES)), NO_RUN)
        for first, end in PLACES.values():
            for code in range(CODES):
                if (place := int(np.searchsorted(clues[code], first))) < self.true:
                    if clues[code, place] == first:
                        runs[code, first:end] = place << RUN_BITS | end - first
        told = [Event(Seat.ONE, REQUEST, clue) for clue in CLUES]
        missed = [guessed(Seat.ONE, number, False) for number in NUMBERS]
        left = [numbers_after(EVERY, event) for event in (*told, *missed)]
        fits = np.array([[number in each for number in NUMBERS] for each in left])
        return {
            "clues": clues.astype(np.uint16).ravel(),
            "runs": runs.astype(np.uint16).ravel(),
            "truths": packed(runs != NO_RUN).ravel(),
            "fits": packed(fits).ravel(),
        }

    # --- playing ---

    def actor(self, words: Words) -> Array:
        """The seat to move: Seat.ONE prepares, then Seat.TWO; from then on they take turns."""
        number = self.layout["number"].get(words)
        return jnp.where(number < self.set_up, unsigned(number >= PREPARED), number & 1)

    def _of(self, name: str, words: Words, seat: Array) -> Array:
        """The field of this name that belongs to a seat."""
        one, two = (self.layout[f"{name}_{each}"].get(words) for each in ("one", "two"))
        return chosen_by(seat, one, two)

    def _clues(self, words: Words, seat: Array) -> tuple[Array, Array, Array]:
        """The three clues of a seat; 0 for one that is not written."""

        def clues(name: str) -> list[Array]:
            first, second, third = (
                self.layout[f"clue_{name}_{place}"].get(words) for place in (1, 2, 3)
            )
            return [first, second, third | (self.layout[f"rest_{name}"].get(words) << LAST_BITS)]

        one, two, three = map(chosen_by, [seat] * CLUES_EACH, clues("one"), clues("two"))
        return one, two, three

    def _writing(self, words: Words) -> tuple[Array, Array]:
        """Whether a clue is to be written, and which: 1, 2 or 3."""
        number = self.layout["number"].get(words)
        place = number - PREPARED * self.actor(words)
        return (number < self.set_up) & (place > 0), place

    def _may_ask(self, words: Words, seat: Array) -> Array:
        """Whether the game has begun and the seat has not been given all clues."""
        begun = self.layout["number"].get(words) >= self.set_up
        return begun & (self._of("given", words, seat) < CLUES_EACH)

    def _earlier_runs(self, words: Words, code: Array, tables: Tables) -> tuple[Array, Array]:
        """The runs of the first two clues of the seat that writes; NO_RUN before they are written.

        Only who writes looks anything up, so that the others read the same place of the table.
        """
        seat, (writing, place) = self.actor(words), self._writing(words)
        one, two, _ = self._clues(words, seat)
        runs = []
        for earlier, clue in enumerate((one, two), 1):
            written = writing & (place > earlier)
            index = jnp.where(written, code * len(CLUES) + clue, unsigned(0))
            runs.append(jnp.where(written, look_up(tables["runs"], index), unsigned(NO_RUN)))
        return runs[0], runs[1]

    def chosen(self, words: Words, word: Array, tables: Tables) -> Array:
        """Any number, for a code; any true clue that says something new; any guess or a request.

        One of the clues left is drawn by its place, and the runs of the earlier ones are skipped.
        """
        seat, (writing, _) = self.actor(words), self._writing(words)
        code = self._of("code", words, seat)
        runs = self._earlier_runs(words, code, tables)
        left = self.true - (runs[0] & RUN_MASK) - (runs[1] & RUN_MASK)
        others = CODES + unsigned(self._may_ask(words, seat))
        drawn = below(word, jnp.where(writing, left, others))
        place = drawn
        for run in (jnp.minimum(*runs), jnp.maximum(*runs)):
            place += jnp.where(place >= run >> RUN_BITS, run & RUN_MASK, unsigned(0))
        index = jnp.where(writing, code * self.true + place, unsigned(0))
        return jnp.where(writing, look_up(tables["clues"], index), drawn + FIRST_NUMBER)

    def allows(self, words: Words, action: Array, tables: Tables) -> Array:
        """Whether a clue is true and new, or a number or a request is due."""
        seat, (writing, _) = self.actor(words), self._writing(words)
        code, action = self._of("code", words, seat), unsigned(action)
        one, two = self._earlier_runs(words, code, tables)
        is_clue = writing & (action < FIRST_NUMBER)
        index = jnp.where(is_clue, code * len(CLUES) + action, unsigned(0))
        run = look_up(tables["runs"], index)
        new = is_clue & (run != NO_RUN) & (run != one) & (run != two)
        due = (action >= FIRST_NUMBER) & ((action < ASK) | self._may_ask(words, seat))
        return new | (due & ~writing)

    def played(
        self, words: Words, action: Array, word: Array, tables: Tables
    ) -> tuple[Words, Array]:
        """Choose a code and write clues in the set-up; request a clue or guess in a turn."""
        layout, number, action = self.layout, self.layout["number"].get(words), unsigned(action)
        seat, none = self.actor(words), unsigned(0)
        guess = action - FIRST_NUMBER
        after = layout["number"].add(words, 1)
        for first, name in ((0, "one"), (PREPARED, "two")):
            after = layout[f"code_{name}"].add(after, jnp.where(number == first, guess, none))
            for place in range(1, CLUES_EACH):
                clue = jnp.where(number == first + place, action, none)
                after = layout[f"clue_{name}_{place}"].add(after, clue)
            clue = jnp.where(number == first + CLUES_EACH, action, none)
            low = clue & layout[f"clue_{name}_{CLUES_EACH}"].mask
            after = layout[f"clue_{name}_{CLUES_EACH}"].add(after, low)
            after = layout[f"rest_{name}"].add(after, clue >> LAST_BITS)
        asked = unsigned(action == ASK)
        after = layout["given_one"].add(after, asked & ~seat)
        after = layout["given_two"].add(after, asked & seat)
        hit = (number >= self.set_up) & (guess == self._of("code", words, 1 - seat))
        return after, jnp.where(hit, won_by(seat), none)

    # --- what is known ---

    def legal(self, words: Words, tables: Tables) -> Array:
        """A code's number, the true clues that say something new, or a turn's actions."""
        seat, (writing, _) = self.actor(words), self._writing(words)
        code = self._of("code", words, seat)
        width = len(tables["truths"]) // CODES
        row = (code * width)[..., None] + jnp.arange(width, dtype=jnp.uint32)
        true = bits(look_up(tables["truths"], row), WIDTH)
        true = true.reshape(*code.shape, -1)[..., : len(CLUES)] & writing[..., None]
        actions = jnp.arange(len(CLUES), dtype=jnp.uint32)
        for run in self._earlier_runs(words, code, tables):
            some = run != NO_RUN
            index = jnp.where(some, code * self.true + (run >> RUN_BITS), unsigned(0))
            first = look_up(tables["clues"], index)
            end = jnp.where(some, first + (run & RUN_MASK), unsigned(0))
            true &= (actions < first[..., None]) | (actions >= end[..., None])
        may_ask = self._may_ask(words, seat)
        numbers = jnp.broadcast_to(~writing[..., None], (*code.shape, CODES))
        return jnp.concatenate([true, numbers, may_ask[..., None]], axis=-1)

    def answer(self, before: Words, action: Array, after: Words, tables: Tables) -> Array:
        """The next clue of the other seat, or whether a guess is correct."""
        seat = self.actor(before)
        given, clues = self._of("given", before, seat), self._clues(before, 1 - seat)
        clue = jnp.where(given == 0, clues[0], jnp.where(given == 1, clues[1], clues[2]))
        correct = unsigned(action) - FIRST_NUMBER == self._of("code", before, 1 - seat)
        return jnp.where(action == ASK, clue + FIRST_CLUE_ANSWER, unsigned(correct))

    def learned(
        self, memory: Words, before: Words, action: Array, answer: Array, tables: Tables
    ) -> Words:
        """Whoever moved keeps the numbers that fit the clue or the guess."""
        seat, asked = self.actor(before), action == ASK
        told = jnp.where(asked, answer - FIRST_CLUE_ANSWER, unsigned(action))
        public = self.layout["number"].get(before) >= self.set_up
        fits = look_up(tables["fits"], jnp.where(public, told, unsigned(0)))
        for owner, name in enumerate(("left_one", "left_two")):
            left = self.memory[name].get(memory)
            kept = jnp.where(seat == owner, left & fits, left)
            memory = self.memory[name].put(memory, kept)
        return memory

    def known(self, words: Words, memory: Words, seat: Array) -> dict[str, Array]:
        """Whose turn it is, one's secrets, the clues given, and both sets of numbers."""
        number, other = self.layout["number"].get(words), 1 - seat
        own, codes = self._of("code", words, seat), jnp.arange(CODES, dtype=jnp.uint32)
        prepared = [number > seat * PREPARED + place for place in range(PREPARED)]
        given = [self._of("given", words, seat) > place for place in range(CLUES_EACH)]
        one, two = (self.memory[name].get(memory) for name in ("left_one", "left_two"))
        return {
            "to move": (self.actor(words) == seat)[..., None],
            "number": bits(number, self.counter),
            "own code": (own[..., None] == codes) & prepared[0][..., None],
            "own clues": numbered(self._clues(words, seat), prepared[1:]),
            "clues given to me": numbered(self._clues(words, other), given),
            "clues given to the other": bits(self._of("given", words, other), GIVEN_BITS),
            "left to me": bits(chosen_by(seat, one, two), CODES),
            "left to the other": bits(chosen_by(other, one, two), CODES),
        }


def numbered(clues: Sequence[Array], shown: Sequence[Array]) -> Array:
    """The number of each clue plus 1, in bits along a new last axis; 0 for those not shown."""
    parts = [
        bits(jnp.where(show, clue + 1, unsigned(0)), CLUE_BITS)
        for clue, show in zip(clues, shown, strict=True)
    ]
    return jnp.concatenate(parts, axis=-1)
