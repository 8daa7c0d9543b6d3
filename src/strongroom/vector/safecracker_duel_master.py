"""Safecracker Duel's certified player in batches, a best response to it, and what moves cost.

Both players draw their codes and the first three turns from mixtures. Afterwards they win where
they can and otherwise change back to the safe before: a best response too, because the certified
player has just failed to win from there.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from strongroom.plugins.extras import extra
from strongroom.theory.safecracker_duel.player import Dial, Floats
from strongroom.theory.safecracker_duel.solution import SafecrackerDuelSolution
from strongroom.theory.shelf import solution_of
from strongroom.theory.solution import Table
from strongroom.vector.environment import Env, State
from strongroom.vector.mixtures import drawn, mixture_words, odds_of
from strongroom.vector.packed_game import Tables
from strongroom.vector.players import BatchedPlayer
from strongroom.vector.safecracker_duel_survival import Survival, survival_of
from strongroom.vector.words import Array, Words, look_up, unsigned

with extra("vector", "strongroom.vector"):
    import jax.numpy as jnp

SEATS = 2
EARLY = ("one_code", "two_code", "one_first", "two_first")
"""The rows of decisions before the third turn, in their order."""
ROWS = (*EARLY, "one_second")


class Situation(NamedTuple):
    """What a decision depends on; codes and safes by number."""

    setting_up: Array
    turn: Array
    """How many turns have been made; 0 in the set-up."""
    own: Array
    here: Array
    previous: Array
    """The safe before the latest turn; the first safe before any."""
    first: Array
    """The safe after the first turn, and so on."""
    second: Array


class DialTables:
    """The dial of a game in flat tables, and where its decisions stand in others.

    A row is a decision that looks at the first safes alone: Seat.ONE's code, Seat.TWO's, then by
    own code and turns so far Seat.ONE's first turn, Seat.TWO's first, Seat.ONE's second. The rows
    of codes are as wide as there are codes; those of turns have a place for each safe within reach.
    """

    def __init__(self, env: Env) -> None:
        solution = solution_of(env.packed.game)
        assert isinstance(solution, SafecrackerDuelSolution)
        self.solution, self.packed = solution, env.packed
        self.dial: Dial = solution.player.dial
        self.codes, self.reach = self.dial.near.shape
        self.home = self.dial.home

    def tables(self) -> dict[str, NDArray[np.generic]]:
        """By two safes: the action between them, or 0, and the place of one beside the other.

        By safe and place: the action that leads there.
        """
        codes, near, index = self.codes, self.dial.near, self.packed.game.actions.index
        actions = np.zeros((codes, codes), np.uint8)
        for (before, after), change in self.dial.change.items():
            actions[before, after] = index(change)
        places = np.zeros((codes, codes), np.uint8)
        np.put_along_axis(places, near, np.arange(self.reach, dtype=np.uint8)[None], axis=1)
        moves = np.take_along_axis(actions, near, axis=1)
        return {"actions": actions.ravel(), "places": places.ravel(), "moves": moves.ravel()}

    def situation(self, state: State, seat: Array) -> Situation:
        """What a seat's decision depends on."""
        packed, position, memory = self.packed, state.position, state.memory
        number = packed.layout["number"].get(position)
        setting_up = number < packed.set_up
        own = packed.layout.of_seat("code", seat).get(position)

        def kept(name: str) -> Array:
            safe = packed.memory[name].get(memory)
            return jnp.where(safe == 0, unsigned(self.home), safe - 1)

        return Situation(
            setting_up,
            jnp.where(setting_up, unsigned(0), number - packed.set_up),
            own,
            packed.layout["safe"].get(position),
            kept("previous"),
            kept("first"),
            kept("second"),
        )

    def place(self, before: Array, after: Array, tables: Tables) -> Array:
        """The place of a safe among those within reach of another."""
        return look_up(tables["places"], before * self.codes + after)

    def action(self, before: Array, after: Array, tables: Tables) -> Array:
        """The action that changes one safe to another, or 0 if none does."""
        return look_up(tables["actions"], before * self.codes + after)

    def row(self, at: Situation, seat: Array, tables: Tables) -> Array:
        """The row of a decision; from the fourth turn on, any."""
        one = self.place(unsigned(self.home), at.first, tables)
        two = self.place(at.first, at.second, tables)
        first = at.own
        answer = self.codes + at.own * self.reach + one
        second = self.codes * (1 + self.reach) + (at.own * self.reach + one) * self.reach + two
        turn = jnp.where(at.turn == 0, first, jnp.where(at.turn == 1, answer, second))
        return jnp.where(at.setting_up, unsigned(seat), SEATS + turn)

    def start_of(self, row: Array, setting_up: Array) -> Array:
        """Where a row starts in a flat table."""
        turn = SEATS * self.codes + (row - SEATS) * self.reach
        return jnp.where(setting_up, row * self.codes, turn)


def flat(*parts: NDArray[Any]) -> NDArray[Any]:
    """Arrays one after the other, as a flat table."""
    return np.concatenate([part.ravel() for part in parts])


class DuelPlayer(BatchedPlayer):
    """Plays mixtures until the third turn; then wins where it can, or changes back."""

    def __init__(self, env: Env) -> None:
        self.dial = DialTables(env)
        super().__init__(env)

    @abstractmethod
    def strategy(self) -> Table:
        """The weights of codes and of the first three turns, under the names of the theory."""

    def made_tables(self) -> Mapping[str, NDArray[np.generic]]:
        """The mixtures, and the dial."""
        weights = self.strategy()
        return {**self.dial.tables(), "mixed": flat(*(mixture_words(weights[n]) for n in ROWS))}

    def _certain(self, at: Situation, tables: Tables) -> tuple[Array, Array]:
        """Whether the choice is not drawn, and what it is then."""
        win = self.dial.action(at.here, at.own, tables)
        back = self.dial.action(at.here, at.previous, tables)
        wins = (at.turn >= 2) & (win != 0)
        return wins | (at.turn >= 3), jnp.where(wins, win, back)

    def choose(self, state: State, notes: Words, seat: Array, word: Array, tables: Tables) -> Array:
        """A code or a change, drawn from its mixture."""
        dial, at = self.dial, self.dial.situation(state, seat)
        first = dial.start_of(dial.row(at, seat, tables), at.setting_up)
        width = jnp.where(at.setting_up, unsigned(dial.codes), unsigned(dial.reach))
        choice = drawn(tables["mixed"], first, width, word)
        place = jnp.where(at.setting_up, unsigned(0), choice)
        move = look_up(tables["moves"], at.here * dial.reach + place)
        certain, only = self._certain(at, tables)
        action = jnp.where(at.setting_up, choice, jnp.where(certain, only, move))
        return action.astype(jnp.int32)

    def odds(self, state: State, notes: Words, seat: Array, tables: Tables) -> Array:
        """How likely each action is drawn."""
        dial, at = self.dial, self.dial.situation(state, seat)
        first = dial.start_of(dial.row(at, seat, tables), at.setting_up)
        codes = odds_of(tables["mixed"], jnp.where(at.setting_up, first, unsigned(0)), dial.codes)
        places = odds_of(tables["mixed"], first, dial.reach)
        changes = jnp.arange(dial.codes, self.env.num_actions, dtype=jnp.uint32)
        reach = jnp.arange(dial.reach, dtype=jnp.uint32)
        moves = look_up(tables["moves"], (at.here * dial.reach)[..., None] + reach)
        mixed = ((moves[..., None] == changes) * places[..., None]).sum(-2)
        certain, only = self._certain(at, tables)
        pure = (only[..., None] == changes).astype(jnp.float32)
        turns = jnp.where(certain[..., None], pure, mixed)
        setting_up = at.setting_up[..., None]
        return jnp.concatenate([codes * setting_up, turns * ~setting_up], axis=-1)


class DuelMaster(DuelPlayer):
    """Plays the certified strategy."""

    def strategy(self) -> Table:
        """The certified weights."""
        return self.dial.solution.table


class DuelResponse(DuelPlayer):
    """Plays a best response to the certified strategy, under the turn limit of its environment."""

    def strategy(self) -> Table:
        """A best choice in each row."""
        survival = survival_of(self.env.packed.game)
        worth = worth_of_rows(self.dial, survival, self.env.packed.turn_limit)
        return {name: best_choice(each) for name, each in worth.items()}


def worth_of_rows(dial: DialTables, survival: Survival, limit: int) -> dict[str, Floats]:
    """What each choice of the rows is worth against the certified player, under a turn limit.

    Of Seat.ONE's second turn it is the worth to those whose code is out of reach; others win.
    """
    beliefs, every = survival.beliefs, np.ones((dial.codes, 1, 1, 1))
    codes = beliefs.codes(limit)
    return {
        "one_code": codes[0],
        "two_code": codes[1],
        "one_first": beliefs.first_turns(limit),
        "two_first": beliefs.answers(max(limit - 1, 1)).transpose(1, 0, 2),
        "one_second": survival.kept_at_first(is_last=limit == 3) / 2 * every,
    }


def best_choice(worth: Floats) -> NDArray[np.bool_]:
    """The first of the best choices along the last axis."""
    best: NDArray[np.bool_] = worth.argmax(-1)[..., None] == np.arange(worth.shape[-1])
    return best
