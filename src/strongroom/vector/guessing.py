"""Games of guessing codes, in batches: the answers are the rules' own table.

What a seat knows of the other's code is the set of codes that fit the answers to its guesses. Both
seats hear all guesses and answers, so each knows the other's set too.
"""

from __future__ import annotations

from typing import Final

import jax.numpy as jnp
import numpy as np
from numpy.typing import NDArray

from strongroom.contract import Refusal
from strongroom.games.guessing import GuessingGame
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
    only,
    pack_flags,
    unsigned,
    words_of_set,
)

MOST_CODES: Final = 1024
"""The most codes of which sets are kept in a state: 32 words a seat."""


class PackedGuessingGame(PackedGame):
    """A game in which each player hides a code and guesses the other's."""

    game: GuessingGame
    hit: int
    """The answer that wins."""

    def __init__(self, game: GuessingGame, turn_limit: int) -> None:
        self.codes = len(game.space.codes)
        if self.codes > MOST_CODES:
            raise Refusal(
                f"{game.title} with {self.codes:,} codes is too large to be played in batches.",
                f"Choose options with at most {MOST_CODES:,} codes.",
            )
        self.code_bits = (self.codes - 1).bit_length()
        super().__init__(game, turn_limit)

    def position_layout(self) -> Layout:
        """Both codes by number, 0 until they are hidden."""
        return Layout(
            result=RESULT_BITS,
            code_one=self.code_bits,
            code_two=self.code_bits,
            number=self.counter,
        )

    def memory_layout(self) -> Layout:
        """For each seat, the codes that fit the answers to its guesses, a bit a code."""
        count = words_of_set(self.codes)
        return Layout(
            action=self.codes.bit_length(),
            answer=len(self.game.answers).bit_length(),
            **{f"left_{seat}_{n}": WIDTH for seat in ("one", "two") for n in range(count)},
        )

    def make_tables(self) -> dict[str, NDArray[np.generic]]:
        """The answer to each guess at each code; the codes that fit each guess with its answer."""
        answers = self.game.answer_table
        told = np.arange(len(self.game.answers))
        fits = answers[:, None, :] == told[None, :, None]
        return {"answers": answers.astype(np.uint8).ravel(), "fits": pack_flags(fits).ravel()}

    def first_memory(self) -> tuple[int, ...]:
        """All codes are possible."""
        every = pack_flags(np.ones(self.codes, bool)).tolist()
        return (0, *every, *every)

    def random_action(self, words: Words, word: Array, tables: Tables) -> Array:
        """Any code, hidden or guessed."""
        return below(word, self.codes)

    def allows(self, words: Words, action: Array, tables: Tables) -> Array:
        """Any code may be hidden, and any may be guessed."""
        return jnp.ones_like(words[0], bool)

    def legal(self, words: Words, tables: Tables) -> Array:
        """Every code."""
        every = pack_flags(np.ones(self.codes, bool))
        return jnp.broadcast_to(every, (*words[0].shape, len(every)))

    def play(self, words: Words, action: Array, word: Array, tables: Tables) -> tuple[Words, Array]:
        """Hide a code in the set-up; guess the other's in a turn."""
        seat, setting_up = self.actor(words), self.setting_up(words)
        hidden = jnp.where(setting_up, unsigned(action), unsigned(0))
        after = self.layout["number"].add(self.layout.of_seat("code", seat).add(words, hidden), 1)
        answer = self.answer(words, action, words, tables)
        return self.judge(after, seat, answer, setting_up)

    def judge(
        self, after: Words, seat: Array, answer: Array, setting_up: Array
    ) -> tuple[Words, Array]:
        """The position and the result after a guess with this answer; a hit wins."""
        won = (answer == self.hit) & ~setting_up
        return after, jnp.where(won, win_of(seat), unsigned(0))

    def answer(self, before: Words, action: Array, after: Words, tables: Tables) -> Array:
        """The referee's answer to a guess."""
        hidden = self.layout.of_seat("code", self.actor(before) ^ 1).get(before)
        return look_up(tables["answers"], unsigned(action) * self.codes + hidden)

    def learn(
        self, memory: Words, before: Words, action: Array, answer: Array, tables: Tables
    ) -> Words:
        """The guesser keeps the codes that fit the answer."""
        head, one, two = self.sets(memory)
        row = (unsigned(action) * len(self.game.answers) + answer) * len(one)
        seat = self.actor(before)
        kept = [
            tuple(
                jnp.where(seat == guesser, left & look_up(tables["fits"], row + place), left)
                for place, left in enumerate(lefts)
            )
            for guesser, lefts in enumerate((one, two))
        ]
        return (*head, *kept[0], *kept[1])

    def sets(self, memory: Words) -> tuple[Words, Words, Words]:
        """The words before the sets of codes, then Seat.ONE's set, then Seat.TWO's."""
        count = words_of_set(self.codes)
        return memory[: -2 * count], memory[-2 * count : -count], memory[-count:]

    def knowledge(self, words: Words, memory: Words, seat: Array) -> dict[str, Flags]:
        """Whether it is one's turn, the moves made, one's code, and both sets of codes."""
        number = self.layout["number"].get(words)
        own = self.layout.of_seat("code", seat).get(words)
        _, one, two = self.sets(memory)
        mine = tuple(by_seat(seat, a, b) for a, b in zip(one, two, strict=True))
        theirs = tuple(by_seat(seat, b, a) for a, b in zip(one, two, strict=True))
        return {
            "to move": flag(self.actor(words) == seat),
            "number": Flags((number,), self.counter),
            "own code": only(own, self.codes, number > seat),
            "left to me": Flags(mine, self.codes),
            "left to the other": Flags(theirs, self.codes),
        }


class PackedDigitDeductions(PackedGuessingGame):
    """Digit Deductions: a guess that is off by nothing wins."""

    hit = 0
