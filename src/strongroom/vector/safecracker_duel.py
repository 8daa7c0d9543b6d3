"""Safecracker Duel in batches: both codes and the safe, by the numbers of codes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from strongroom.games.safecracker_duel.rules import CHANGES, CODES, INITIAL_SAFE, SafecrackerDuel
from strongroom.plugins.extras import extra
from strongroom.vector.draws import below
from strongroom.vector.packed_game import RESULT_BITS, PackedGame, Tables, won_by
from strongroom.vector.words import (
    WIDTH,
    Array,
    Layout,
    Words,
    bits,
    bits_of_set,
    look_up,
    unsigned,
    words_of_set,
)

with extra("vector", "strongroom.vector"):
    import jax.numpy as jnp

if TYPE_CHECKING:
    from strongroom.vector.environment import Env
    from strongroom.vector.players import BatchedPlayer, Costs

COUNT = len(CODES.codes)
CODE_BITS = (COUNT - 1).bit_length()
DIGIT_BITS = CODES.length * CODES.highest
LIST = len(CHANGES) + 1
"""How many places a list of changes takes in its table."""
SAFES = ("previous", "first", "second")
"""The safes that a memory keeps: before the latest turn, after the first, after the second."""


class PackedSafecrackerDuel(PackedGame):
    """Both codes and the safe; a code has its number among all codes.

    The codes that were shown are kept, because they are nobody's, and so are the safe before the
    latest turn and the safes after the first two, because moves tell something about codes.
    """

    game: SafecrackerDuel

    def position_layout(self) -> Layout:
        """Both codes, 0 until they are chosen, and what the safe shows."""
        return Layout(
            result=RESULT_BITS,
            code_one=CODE_BITS,
            code_two=CODE_BITS,
            safe=CODE_BITS,
            number=self.counter,
        )

    def memory_layout(self) -> Layout:
        """Earlier safes plus 1, and the codes that the safe showed after a turn, a bit a code."""
        safes = dict.fromkeys(SAFES, COUNT.bit_length())
        shown = {f"shown_{n}": WIDTH for n in range(words_of_set(COUNT))}
        action = len(self.game.actions).bit_length()
        return Layout(action=action, **safes, answer=CODE_BITS, **shown)

    def made_tables(self) -> dict[str, NDArray[np.generic]]:
        """By safe: what each change shows, the changes allowed as bits, and the digits as bits.

        By safe and code, the changes that show it, and the number of a list: on a first turn, the
        changes allowed to whoever has that code. Lists with a safe's number have all its changes;
        a list takes 16 places, and the last says how many changes it has.
        """
        index = CODES.codes.index
        shows = np.array([[index(c.applied_to(s)) for c in CHANGES] for s in CODES.codes])
        place = 1 << np.arange(len(CHANGES))
        showing = ((shows[:, None, :] == np.arange(COUNT)[None, :, None]) * place).sum(-1)
        allowed = np.array(
            [
                sum(1 << CHANGES.index(change) for change in self.game.changes[safe.digits])
                for safe in CODES.codes
            ]
        )
        lists = {(safe, int(bits)): safe for safe, bits in enumerate(allowed)}
        first = [
            lists.setdefault((safe, int(allowed[safe] & ~showing[safe, own])), len(lists))
            for safe in range(COUNT)
            for own in range(COUNT)
        ]
        rows = np.zeros((len(lists), LIST), np.uint8)
        for row, (_, changes) in zip(rows, lists, strict=True):
            listed = [c for c in range(len(CHANGES)) if changes >> c & 1]
            row[: len(listed)], row[-1] = listed, len(listed)
        return {
            "shows": shows.astype(np.uint8).ravel(),
            "first": np.array(first, np.uint16),
            "lists": rows.ravel(),
            "allowed": allowed.astype(np.uint16),
            "showing": showing.astype(np.uint16).ravel(),
            "digits": np.array([_digit_bits(code.digits) for code in CODES.codes], np.uint16),
        }

    def start(self) -> tuple[int, ...]:
        """The safe shows the first combination."""
        words = (np.uint32(0),) * self.layout.words
        shown = self.layout["safe"].put(words, CODES.codes.index(INITIAL_SAFE))
        return tuple(map(int, shown))

    def _on_first_turn(self, words: Words) -> Array:
        return self.layout["number"].get(words) < self.set_up + 2

    def _changes(self, words: Words, tables: Tables) -> Array:
        """The legal changes of a turn, as bits; on a first turn, none that shows the own code."""
        safe = self.layout["safe"].get(words)
        own = self.layout.of_seat("code", self.actor(words)).get(words)
        showing = look_up(tables["showing"], safe * COUNT + own)
        forbidden = jnp.where(self._on_first_turn(words), showing, unsigned(0))
        return look_up(tables["allowed"], safe) & ~forbidden

    def chosen(self, words: Words, word: Array, tables: Tables) -> Array:
        """Any code in the set-up; then any legal change."""
        safe = self.layout["safe"].get(words)
        own = self.layout.of_seat("code", self.actor(words)).get(words)
        first = look_up(tables["first"], safe * COUNT + own)
        row = jnp.where(self._on_first_turn(words), first, safe) * LIST
        count = look_up(tables["lists"], row + (LIST - 1))
        change = look_up(tables["lists"], row + below(word, count, len(CHANGES)))
        return jnp.where(self.setting_up(words), below(word, COUNT), change + COUNT)

    def allows(self, words: Words, action: Array, tables: Tables) -> Array:
        """A code in the set-up; then a change of one digit that the rules allow."""
        is_code = action < COUNT
        change = jnp.where(is_code, unsigned(0), action - COUNT)
        legal = (self._changes(words, tables) >> change) & 1 != 0
        return jnp.where(self.setting_up(words), is_code, ~is_code & legal)

    def legal(self, words: Words, tables: Tables) -> Array:
        """The codes, or the legal changes."""
        setting_up = self.setting_up(words)[..., None]
        codes = jnp.broadcast_to(setting_up, (*words[0].shape, COUNT))
        changes = bits(self._changes(words, tables), len(CHANGES)) & ~setting_up
        return jnp.concatenate([codes, changes], axis=-1)

    def played(
        self, words: Words, action: Array, word: Array, tables: Tables
    ) -> tuple[Words, Array]:
        """Choose a code in the set-up; change the safe in a turn, and see whose code it shows."""
        seat, setting_up = self.actor(words), self.setting_up(words)
        code = jnp.where(setting_up, unsigned(action), unsigned(0))
        mine, others = (self.layout.of_seat("code", each) for each in (seat, seat ^ 1))
        after = self.layout["number"].add(mine.add(words, code), 1)
        shown = self.answer(words, action, words, tables)
        safe = jnp.where(setting_up, self.layout["safe"].get(words), shown)
        after = self.layout["safe"].put(after, safe)
        handed = jnp.where(safe == others.get(words), won_by(seat ^ 1), unsigned(0))
        result = jnp.where(safe == mine.get(words), won_by(seat), handed)
        return after, jnp.where(setting_up, unsigned(0), result)

    def answer(self, before: Words, action: Array, after: Words, tables: Tables) -> Array:
        """What the safe shows after a change."""
        change = jnp.where(action < COUNT, unsigned(0), unsigned(action) - COUNT)
        safe = self.layout["safe"].get(before)
        return look_up(tables["shows"], safe * len(CHANGES) + change)

    def learned(
        self, memory: Words, before: Words, action: Array, answer: Array, tables: Tables
    ) -> Words:
        """The safe before the turn, those after the first two turns, and another code shown."""
        fields, turn = self.memory, self.layout["number"].get(before) - self.set_up
        new = fields["previous"].put(memory, self.layout["safe"].get(before) + 1)
        for number, name in enumerate(("first", "second")):
            new = fields[name].put(
                new, jnp.where(turn == number, answer + 1, fields[name].get(new))
            )
        shown = words_of_set(COUNT)
        seen = [
            word | jnp.where(answer // WIDTH == place, unsigned(1) << (answer % WIDTH), unsigned(0))
            for place, word in enumerate(new[-shown:])
        ]
        return (*new[:-shown], *seen)

    def known(self, words: Words, memory: Words, seat: Array) -> dict[str, Array]:
        """Whether it is one's turn, the moves made, and codes, a bit for each digit's value.

        The codes are one's own, the safe's, and the safe's at the times that a memory keeps; what
        is not yet known has no bit set. Last, the codes that were shown.
        """
        number = self.layout["number"].get(words)
        digits = jnp.asarray(self.tables["digits"])
        own = self.layout.of_seat("code", seat).get(words)
        code = jnp.where(number > seat, look_up(digits, own), unsigned(0))
        parts = {
            "to move": (self.actor(words) == seat)[..., None],
            "number": bits(number, self.counter),
            "own code": bits(code, DIGIT_BITS),
            "safe": bits(look_up(digits, self.layout["safe"].get(words)), DIGIT_BITS),
        }
        for name in SAFES:
            safe = self.memory[name].get(memory)
            there = look_up(digits, jnp.where(safe == 0, safe, safe - 1))
            parts[f"{name} safe"] = bits(jnp.where(safe == 0, unsigned(0), there), DIGIT_BITS)
        parts["shown"] = bits_of_set(memory[-words_of_set(COUNT) :], COUNT)
        return parts

    def master(self, env: Env) -> BatchedPlayer:
        """The certified player."""
        from strongroom.vector.safecracker_duel_master import DuelMaster

        return DuelMaster(env)

    def response(self, env: Env) -> BatchedPlayer:
        """A best response to the certified player."""
        from strongroom.vector.safecracker_duel_master import DuelResponse

        return DuelResponse(env)

    def costs(self, env: Env) -> Costs:
        """What codes and changes cost against the certified player."""
        from strongroom.vector.safecracker_duel_costs import DuelCosts

        return DuelCosts(env)


def _digit_bits(digits: tuple[int, ...]) -> int:
    """A bit for each position and digit that a code has."""
    return sum(1 << (CODES.highest * place + digit - 1) for place, digit in enumerate(digits))
