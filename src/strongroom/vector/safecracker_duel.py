"""Safecracker Duel in batches, its certified player, a best response to it, and what moves cost.

Both players draw their codes and the first three turns from mixtures. Afterwards they win where
they can and otherwise change back to the safe before: a best response too, because the certified
player has just failed to win from there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cached_property
from typing import Any, Final, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from numpy.typing import NDArray

from strongroom.contract import Seat
from strongroom.games.safecracker_duel.rules import CHANGES, CODES, INITIAL_SAFE, SafecrackerDuel
from strongroom.theory.safecracker_duel.player import Dial
from strongroom.theory.safecracker_duel.solution import SafecrackerDuelSolution
from strongroom.theory.safecracker_duel.worth import DuelWorth, shares
from strongroom.theory.shelf import solution_of
from strongroom.theory.solution import Floats, Ints, Table
from strongroom.vector.environment import (
    RESULT_BITS,
    Env,
    PackedGame,
    State,
    Tables,
    by_seat,
    win_of,
)
from strongroom.vector.players import BatchedPlayer, Certified, Costs
from strongroom.vector.words import (
    WIDTH,
    Array,
    Flags,
    Layout,
    Words,
    below,
    draw_from_mixture,
    entry,
    flag,
    join_flags,
    look_up,
    mixture_odds,
    mixture_words,
    pack_flags,
    unsigned,
    words_of_set,
)

COUNT: Final = len(CODES.codes)
CODE_BITS: Final = (COUNT - 1).bit_length()
DIGIT_BITS: Final = CODES.length * CODES.highest
SHOWN_WORDS: Final = words_of_set(COUNT)
"""How many words the set of codes that were shown takes."""
LIST: Final = len(CHANGES) + 1
"""How many places a list of changes takes in its table."""
SAFES: Final = ("previous", "first", "second")
"""The safes that a memory keeps: before the latest turn, after the first, after the second."""


class PackedSafecrackerDuel(PackedGame, Certified):
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
        shown = {f"shown_{n}": WIDTH for n in range(SHOWN_WORDS)}
        action = len(self.game.actions).bit_length()
        return Layout(action=action, **safes, answer=CODE_BITS, **shown)

    def make_tables(self) -> dict[str, NDArray[np.generic]]:
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
        return self.layout.constant(safe=CODES.codes.index(INITIAL_SAFE))

    def _on_first_turn(self, words: Words) -> Array:
        return self.layout["number"].get(words) < self.set_up + 2

    def _changes(self, words: Words, tables: Tables) -> Array:
        """The legal changes of a turn, as bits; on a first turn, none that shows the own code."""
        safe = self.layout["safe"].get(words)
        own = self.layout.of_seat("code", self.actor(words)).get(words)
        showing = look_up(tables["showing"], safe * COUNT + own)
        forbidden = jnp.where(self._on_first_turn(words), showing, unsigned(0))
        return look_up(tables["allowed"], safe) & ~forbidden

    def random_action(self, words: Words, word: Array, tables: Tables) -> Array:
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
        """Every code in the set-up; then the legal changes, which stand behind the codes."""
        setting_up = self.setting_up(words)
        codes = (
            jnp.where(setting_up, word, unsigned(0)) for word in pack_flags(np.ones(COUNT, bool))
        )
        changes = jnp.where(setting_up, unsigned(0), self._changes(words, tables))
        return join_flags([Flags(tuple(codes), COUNT), Flags((changes,), len(CHANGES))])

    def play(self, words: Words, action: Array, word: Array, tables: Tables) -> tuple[Words, Array]:
        """Choose a code in the set-up; change the safe in a turn, and see whose code it shows."""
        seat, setting_up = self.actor(words), self.setting_up(words)
        code = jnp.where(setting_up, unsigned(action), unsigned(0))
        mine, others = (self.layout.of_seat("code", each) for each in (seat, seat ^ 1))
        after = self.layout["number"].add(mine.add(words, code), 1)
        shown = self.answer(words, action, words, tables)
        safe = jnp.where(setting_up, self.layout["safe"].get(words), shown)
        after = self.layout["safe"].put(after, safe)
        handed = jnp.where(safe == others.get(words), win_of(seat ^ 1), unsigned(0))
        result = jnp.where(safe == mine.get(words), win_of(seat), handed)
        return after, jnp.where(setting_up, unsigned(0), result)

    def answer(self, before: Words, action: Array, after: Words, tables: Tables) -> Array:
        """What the safe shows after a change."""
        return self.changed_safe(self.layout["safe"].get(before), action, tables)

    def changed_safe(self, safe: Array, action: Array, tables: Tables) -> Array:
        """The number of the safe after a change; after a code, of any."""
        change = jnp.where(action < COUNT, unsigned(0), unsigned(action) - COUNT)
        return look_up(tables["shows"], safe * len(CHANGES) + change)

    def learn(
        self, memory: Words, before: Words, action: Array, answer: Array, tables: Tables
    ) -> Words:
        """The safe before the turn, those after the first two turns, and another code shown."""
        fields, turn = self.memory, self.layout["number"].get(before) - self.set_up
        new = fields["previous"].put(memory, self.layout["safe"].get(before) + 1)
        for number, name in enumerate(("first", "second")):
            new = fields[name].put(
                new, jnp.where(turn == number, answer + 1, fields[name].get(new))
            )
        seen = [
            word | jnp.where(answer // WIDTH == place, unsigned(1) << (answer % WIDTH), unsigned(0))
            for place, word in enumerate(new[-SHOWN_WORDS:])
        ]
        return (*new[:-SHOWN_WORDS], *seen)

    def knowledge(self, words: Words, memory: Words, seat: Array) -> dict[str, Flags]:
        """Whether it is one's turn, the moves made, and codes, a bit for each digit's value.

        The codes are one's own, the safe's, and the safe's at the times that a memory keeps; what
        is not yet known has no bit set. Last, the codes that were shown.
        """
        number = self.layout["number"].get(words)
        digits = jnp.asarray(self.tables["digits"])
        own = self.layout.of_seat("code", seat).get(words)
        code = jnp.where(number > seat, look_up(digits, own), unsigned(0))
        parts = {
            "to move": flag(self.actor(words) == seat),
            "number": Flags((number,), self.counter),
            "own code": Flags((code,), DIGIT_BITS),
            "safe": Flags((look_up(digits, self.layout["safe"].get(words)),), DIGIT_BITS),
        }
        for name in SAFES:
            safe = self.memory[name].get(memory)
            there = look_up(digits, jnp.where(safe == 0, safe, safe - 1))
            known = jnp.where(safe == 0, unsigned(0), there)
            parts[f"{name} safe"] = Flags((known,), DIGIT_BITS)
        parts["shown"] = Flags(memory[-SHOWN_WORDS:], COUNT)
        return parts

    def master(self, env: Env) -> BatchedPlayer:
        """The certified player."""
        return DuelPlayer(env, lambda dial: dial.solution.table)

    def response(self, env: Env) -> BatchedPlayer:
        """A best response to the certified player."""
        return DuelPlayer(env, best_choices)

    def costs(self, env: Env) -> Costs:
        """What codes and changes cost against the certified player."""
        return DuelCosts(env)


def _digit_bits(digits: tuple[int, ...]) -> int:
    """A bit for each position and digit that a code has."""
    return sum(1 << (CODES.highest * place + digit - 1) for place, digit in enumerate(digits))


# --- the certified player and a best response to it ---

SEATS: Final = 2
EARLY: Final = ("one_code", "two_code", "one_first", "two_first")
"""The rows of decisions before the third turn, in their order."""
ROWS: Final = (*EARLY, "one_second")


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
        own = packed.layout.of_seat("code", seat).get(position)

        def safe_of(name: str) -> Array:
            safe = packed.memory[name].get(memory)
            return jnp.where(safe == 0, unsigned(self.home), safe - 1)

        return Situation(
            packed.setting_up(position),
            packed.turns_made(position),
            own,
            packed.layout["safe"].get(position),
            safe_of("previous"),
            safe_of("first"),
            safe_of("second"),
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


def flatten(*parts: NDArray[Any]) -> NDArray[Any]:
    """Arrays one after the other, as a flat table."""
    return np.concatenate([part.ravel() for part in parts])


class DuelPlayer(BatchedPlayer):
    """Plays mixtures until the third turn; then wins where it can, or changes back.

    Its `strategy` gives the weights of codes and of the first three turns, under the names of the
    theory.
    """

    def __init__(self, env: Env, strategy: Callable[[DialTables], Table]) -> None:
        self.dial, self.strategy = DialTables(env), strategy
        super().__init__(env)

    def make_tables(self) -> Mapping[str, NDArray[np.generic]]:
        """The mixtures, and the dial."""
        weights = self.strategy(self.dial)
        return {**self.dial.tables(), "mixed": flatten(*(mixture_words(weights[n]) for n in ROWS))}

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
        choice = draw_from_mixture(tables["mixed"], first, width, word)
        place = jnp.where(at.setting_up, unsigned(0), choice)
        move = look_up(tables["moves"], at.here * dial.reach + place)
        certain, only = self._certain(at, tables)
        action = jnp.where(at.setting_up, choice, jnp.where(certain, only, move))
        return action.astype(jnp.int32)

    def odds(self, state: State, notes: Words, seat: Array, tables: Tables) -> Array:
        """How likely each action is drawn."""
        dial, at = self.dial, self.dial.situation(state, seat)
        first = dial.start_of(dial.row(at, seat, tables), at.setting_up)
        start = jnp.where(at.setting_up, first, unsigned(0))
        codes = mixture_odds(tables["mixed"], start, dial.codes)
        places = mixture_odds(tables["mixed"], first, dial.reach)
        changes = jnp.arange(dial.codes, self.env.num_actions, dtype=jnp.uint32)
        reach = jnp.arange(dial.reach, dtype=jnp.uint32)
        moves = look_up(tables["moves"], (at.here * dial.reach)[..., None] + reach)
        mixed = ((moves[..., None] == changes) * places[..., None]).sum(-2)
        certain, only = self._certain(at, tables)
        pure = (only[..., None] == changes).astype(jnp.float32)
        turns = jnp.where(certain[..., None], pure, mixed)
        setting_up = at.setting_up[..., None]
        return jnp.concatenate([codes * setting_up, turns * ~setting_up], axis=-1)


def worth_of_rows(dial: DialTables, limit: int) -> dict[str, Floats]:
    """What each choice of the rows is worth against the certified player, under a turn limit.

    Of Seat.ONE's second turn it is the worth to those whose code is out of reach; others win.
    """
    theory, reach = dial.solution.worth, dial.reach
    kept = Survival(theory).survival_table(is_last=limit == 3)[: reach**2] / 2
    return {
        "one_code": theory.codes(Seat.ONE, limit),
        "two_code": theory.codes(Seat.TWO, limit),
        "one_first": theory.first_turns(limit),
        "two_first": theory.answers(max(limit - 1, 1)).transpose(1, 0, 2),
        "one_second": np.tile(kept.reshape(reach, reach, reach), (dial.codes, 1, 1, 1)),
    }


def best_choices(dial: DialTables) -> Table:
    """The first of the best choices in each row, against the certified player."""
    worth = worth_of_rows(dial, dial.packed.turn_limit)
    return {
        name: each.argmax(-1)[..., None] == np.arange(each.shape[-1])
        for name, each in worth.items()
    }


# --- what moves cost against it ---


class DuelCosts(Costs):
    """What a best response wins, decision by decision.

    Codes and each seat's first turn are looked up. Later the belief about the certified code
    follows from the first turns and from the safes that one has left since, which stand in the
    notes. Where the certified player cannot have led, all codes that the safe has not shown are
    equally likely.
    """

    def __init__(self, env: Env) -> None:
        assert isinstance(env.packed, PackedSafecrackerDuel)
        self.packed: PackedSafecrackerDuel = env.packed
        self.dial = DialTables(env)
        self.limit = env.packed.turn_limit
        self.notes = Layout(left=self.dial.reach, strayed=1)
        super().__init__(env)

    def make_tables(self) -> Mapping[str, NDArray[np.generic]]:
        """The worth of early decisions, beliefs by the safes left, and what is in reach of safes.

        By path: its kind, `best` before the first safe is left, and by place how likely the code
        is `shown`, and the sets that have `excluded` it. By kind and set, `alive`.
        """
        dial, codes = self.dial.dial, self.dial.codes
        survival = Survival(self.dial.solution.worth)
        worth = worth_of_rows(self.dial, self.limit)
        shown, excluded = survival.shown
        kinds, alive = survival.alive
        # On the third turn Seat.ONE leaves the first of these safes, on the fourth Seat.TWO.
        best = [survival.survival_table(is_last=self.limit == turns).max(-1) for turns in (3, 4)]
        reach = pack_flags(np.array([dial.same, dial.ball]))
        return {
            **self.dial.tables(),
            "early": flatten(*(worth[name] for name in EARLY)).astype(np.float32),
            "early_best": flatten(*(worth[name].max(-1) for name in EARLY)).astype(np.float32),
            "kinds": kinds.astype(np.uint16),
            "alive": alive.ravel(),
            "best": np.where(survival.is_first, *best).astype(np.float32),
            "shown": shown.astype(np.float32).ravel(),
            "excluded": excluded.astype(np.uint16).ravel(),
            "reach": reach.reshape(2, codes, -1).ravel(),
            "shows": self.packed.tables["shows"],
            "near": dial.near.astype(np.uint8).ravel(),
        }

    def update_notes(
        self, notes: Words, seat: Array, before: State, action: Array, after: State, tables: Tables
    ) -> Words:
        """From the third turn on, the safes that one leaves, and whether the other changes back."""
        at = self.dial.situation(before, seat)
        acts = self.packed.actor(before.position) == seat
        safe = self.packed.changed_safe(at.here, action, tables)
        left = self.notes["left"].get(notes)
        added = left | unsigned(1) << self.dial.place(at.here, safe, tables)
        left = jnp.where(acts & (at.turn >= 2), added, left)
        strays = ~acts & (at.turn >= 3) & (safe != at.previous)
        strayed = self.notes["strayed"].get(notes) | unsigned(strays)
        return self.notes["strayed"].put(self.notes["left"].put(notes, left), strayed)

    def value(self, state: State, notes: Words, seat: Array, tables: Tables) -> Array:
        """What a best response wins from here."""
        at = self.dial.situation(state, seat)
        early, row = self._early_row(at, seat, tables)
        left, path = self.notes["left"].get(notes), self._path(at, seat, tables)
        best = jnp.where(left == 0, entry(tables["best"], path), jnp.float32(1))
        reach = jnp.arange(self.dial.reach, dtype=jnp.uint32)
        near = look_up(tables["near"], (at.here * self.dial.reach)[..., None] + reach)
        unknown = self._kept_if_unknown(state, at, near, tables).max(-1)
        late = jnp.where(self._is_known(notes, path, tables), best, unknown) / 2
        late = jnp.where(self._can_win(at, tables), jnp.float32(1), late)
        return jnp.where(early, entry(tables["early_best"], row), late)

    def worth(
        self, state: State, notes: Words, seat: Array, action: Array, tables: Tables
    ) -> Array:
        """The same if this legal action is made first."""
        at = self.dial.situation(state, seat)
        early, row = self._early_row(at, seat, tables)
        safe = self.packed.changed_safe(at.here, action, tables)
        place = self.dial.place(at.here, safe, tables)
        start = jnp.where(early, self.dial.start_of(row, at.setting_up), unsigned(0))
        choice = jnp.where(at.setting_up, unsigned(action), place)
        soon = entry(tables["early"], start + choice)
        known = self._survival_odds(at, notes, seat, place, tables)
        unknown = self._kept_if_unknown(state, at, safe[..., None], tables)[..., 0]
        path = self._path(at, seat, tables)
        kept = jnp.where(self._is_known(notes, path, tables), known, unknown)
        returns = self._can_win(at, tables) & (at.turn + 2 < self.limit)
        late = jnp.where(returns, kept, kept / 2)
        return jnp.where(early, soon, jnp.where(safe == at.own, jnp.float32(1), late))

    def _early_row(self, at: Situation, seat: Array, tables: Tables) -> tuple[Array, Array]:
        """Whether a decision is looked up, and its row; 0 if it is not."""
        early = at.turn < 2
        return early, jnp.where(early, self.dial.row(at, seat, tables), unsigned(0))

    def _can_win(self, at: Situation, tables: Tables) -> Array:
        return self.dial.action(at.here, at.own, tables) != 0

    def _path(self, at: Situation, seat: Array, tables: Tables) -> Array:
        """The number that `Survival` gives to the first safes."""
        reach, place = self.dial.reach, self.dial.place
        first = place(unsigned(self.dial.home), at.first, tables)
        second = place(at.first, at.second, tables)
        third = place(at.second, at.here, tables)
        by_two = ((first + 1) * reach + second) * reach + third
        return by_seat(seat, first * reach + second, by_two)

    def _alive(self, path: Array, left: Array, tables: Tables) -> Array:
        kind = look_up(tables["kinds"], path)
        return entry(tables["alive"], (kind << self.dial.reach) + left)

    def _is_known(self, notes: Words, path: Array, tables: Tables) -> Array:
        """Whether the certified player can have led here."""
        alive = self._alive(path, self.notes["left"].get(notes), tables)
        return (alive > 0) & (self.notes["strayed"].get(notes) == 0)

    def _survival_odds(
        self, at: Situation, notes: Words, seat: Array, place: Array, tables: Tables
    ) -> Array:
        """How likely leaving a safe loses nothing; on the last turn, unless it shows the code."""
        left, path = self.notes["left"].get(notes), self._path(at, seat, tables)
        alive = self._alive(path, left, tables)
        after = self._alive(path, left | (unsigned(1) << place), tables)
        index = path * self.dial.reach + place
        possible = look_up(tables["excluded"], index) & left == 0
        shown = jnp.where(possible, entry(tables["shown"], index), 0)
        after = jnp.where(at.turn + 1 < self.limit, after, alive - shown)
        return after / jnp.where(alive > 0, alive, 1)

    def _kept_if_unknown(self, state: State, at: Situation, safes: Array, tables: Tables) -> Array:
        """The same for safes along the last axis, if any code not shown is as likely."""
        possible = [~word for word in state.memory[-SHOWN_WORDS:]]
        possible[-1] = possible[-1] & np.uint32((1 << len(CODES.codes) % 32) - 1)
        table = jnp.where(at.turn + 1 < self.limit, unsigned(self.dial.codes), unsigned(0))
        first = (table[..., None] + safes) * SHOWN_WORDS
        losing = sum(
            jax.lax.population_count(word[..., None] & look_up(tables["reach"], first + place))
            for place, word in enumerate(possible)
        )
        every = sum(jax.lax.population_count(word) for word in possible)[..., None]
        return 1 - losing.astype(jnp.float32) / jnp.maximum(every, 1).astype(jnp.float32)


# --- what a responder can still believe ---

DECIMALS: Final = 12
"""Beliefs that agree to this many decimals are equal."""


class Survival:
    """What remains of a responder's belief after the first turns, by the safes that it has left.

    From the fourth turn on the certified player wins where it can and otherwise changes back. So a
    responder always meets the same safe again, and what it learns is that the certified code is not
    in reach of the safes that it has left so far, a set of its neighbours.

    A path is a number for the first safes: of Seat.ONE, who decides on the third turn, those after
    two turns; then of Seat.TWO, those after three.
    """

    def __init__(self, theory: DuelWorth) -> None:
        self.dial = theory.dial
        reach = self.reach = self.dial.near.shape[1]
        self.is_first = np.arange(reach**2 + reach**3) < reach**2
        """By path, whether it is Seat.ONE's."""
        self.beliefs: Floats = np.zeros((len(self.is_first), len(self.dial.codes)))
        """By path, the probability of each code."""
        self.here: Ints = np.zeros(len(self.is_first), np.int64)
        """By path, the latest safe."""
        home, (one, two), turns = self.dial.home, theory.strategy.hidden, theory.strategy.turns
        for i, s1, hidden in self._left((home,), turns((home,), one)):
            for j, s2, answered in self._left((home, s1), turns((home, s1), two)):
                self._add(i * reach + j, (s1, s2), answered)
                path = (home, s1, s2)
                for k, s3, left in self._left(path, turns(path, hidden)):
                    self._add(((1 + i) * reach + j) * reach + k, (s1, s2, s3), left)
        neighbours = self.dial.near[self.here]
        odds = np.take_along_axis(self.beliefs, neighbours, axis=1)
        sets = np.take_along_axis(self._reaching[self.here], neighbours, axis=1)
        self.shown: tuple[Floats, Ints] = odds, sets
        """By path and place: how likely that safe shows the code, and the sets that exclude it."""

    def _left(self, path: tuple[int, ...], weights: Floats) -> Iterator[tuple[int, int, Floats]]:
        """The place and number of each safe that can be left, with the weights of the codes."""
        return zip(range(self.reach), self.dial.near[path[-1]].tolist(), weights, strict=True)

    def _add(self, path: int, safes: tuple[int, ...], weights: Floats) -> None:
        """Note the belief of a path, in which no safe shows the code."""
        hidden = ~np.isin(np.arange(len(weights)), safes)
        self.beliefs[path], self.here[path] = shares(weights * hidden), safes[-1]

    @cached_property
    def _reaching(self) -> Ints:
        """By safe and code, the set of the safe's neighbours that have the code in reach."""
        return np.asarray((1 << np.arange(self.reach)) @ self.dial.ball[self.dial.near])

    @cached_property
    def alive(self) -> tuple[Ints, NDArray[np.float32]]:
        """By path, a number; by it and a set: how likely none of these safes has it in reach."""
        sets = np.zeros((len(self.beliefs), 1 << self.reach))
        np.add.at(sets, (np.arange(len(sets))[:, None], self._reaching[self.here]), self.beliefs)
        numbers: dict[bytes, int] = {}
        rows = np.round(sets, DECIMALS)
        kinds = np.array([numbers.setdefault(row.tobytes(), len(numbers)) for row in rows])
        alive = rows[np.unique(kinds, return_index=True)[1]]
        for bit in range(self.reach):  # sums over all subsets
            halves = alive.reshape(len(alive), -1, 2, 1 << bit)
            halves[:, :, 1] += halves[:, :, 0]
        # The codes of its complement avoid a set.
        return kinds, alive[:, ::-1].astype(np.float32)

    def survival_table(self, is_last: bool) -> Floats:
        """By path and place: how likely leaving that safe, the first so left, loses nothing.

        On the last turn of a match only showing the code loses.
        """
        losing = (self.dial.same if is_last else self.dial.ball)[self.dial.near[self.here]]
        some = self.beliefs.sum(1, keepdims=True)
        return np.asarray(some - np.einsum("prc,pc->pr", losing, self.beliefs))
