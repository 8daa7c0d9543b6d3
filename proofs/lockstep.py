"""Play random games in batches and by the rules, in lockstep: both must agree at every move.

    python proofs/lockstep.py
    python proofs/lockstep.py --only quantum-duel --games 1000
    python proofs/lockstep.py --only "safe-cracker length=4" --seed 7 --batch 12 --jobs 1

Compared are the legal actions, who is to move, the number of moves, the referee's answers, the
outcome, and all that each seat is told. The batches play on JAX's default device, a CPU unless
JAX_PLATFORMS says otherwise. The exit code is 1 at the first difference.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Iterator, Mapping
from functools import lru_cache, partial
from itertools import count
from multiprocessing import get_context
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray
from seat_knowledge import Flags, Public, SeatKnowledge

from strongroom import load
from strongroom.agents.observation import Observer
from strongroom.contract import CHANCE, Event, Move, Refusal, Seat
from strongroom.contract.candidate_tracker import CandidateTracker
from strongroom.referee.bout import TURN_LIMIT, UNDECIDED, Bout

BATCH: Final = 500
"""How many games are played at a time."""
TRIED: Final = 32
"""Of how many random actions it is asked, at every move, whether `step` takes them for legal."""


class Case(NamedTuple):
    """A game with options and a turn limit."""

    game: str
    turn_limit: int = TURN_LIMIT
    options: tuple[tuple[str, Any], ...] = ()

    def __str__(self) -> str:
        chosen = [f"{name}={value}" for name, value in self.options]
        limit = [] if self.turn_limit == TURN_LIMIT else [f"turn_limit={self.turn_limit}"]
        return " ".join([self.game, *chosen, *limit])


CASES: Final = {
    str(case): case
    for case in (
        Case("safecracker-duel"),
        Case("safe-cracker"),
        Case("safe-code"),
        Case("digit-deductions"),
        Case("quantum-duel"),
        Case("safecracker-duel", options=(("allow_same_digit", True),)),
        Case("safe-cracker", options=(("attempts", 5), ("digits", 4))),
        Case("safe-cracker", options=(("length", 4),)),
        Case("quantum-duel", turn_limit=7),
    )
}
"""What is played, by name."""


class Difference(Exception):
    """The batch and the rules disagree; the text says how."""


class Shown(NamedTuple):
    """All that is compared before a move: of one game, or in a batch, an entry a game."""

    player: Any
    """Who is to move; -1 once the game is over."""
    number: Any
    latest_action: Any
    latest_answer: Any
    rewards: Any
    terminated: Any
    truncated: Any
    legal: Any
    known_to_one: Any
    known_to_two: Any


class Made(NamedTuple):
    """What happens next in a batch, an entry a game."""

    action: NDArray[np.int32]
    tried: NDArray[np.uint32]
    """Some actions, legal or not."""
    allowed: NDArray[np.bool_]
    """Whether `step` takes them for legal."""


class Batches:
    """Random games of one case in batches."""

    def __init__(self, case: Case) -> None:
        import jax

        from strongroom import vector

        self.env = vector.make(case.game, turn_limit=case.turn_limit, **dict(case.options))
        self._jax = jax
        self._turn = jax.jit(self._turned)

    def play(self, seed: int, batch: int, games: int) -> Iterator[tuple[Shown, Made]]:
        """What the games of a batch show before every move, and what is done then; forever."""
        jax, random = self._jax, self._jax.random
        key = random.fold_in(random.key(seed), batch)
        state = jax.vmap(self.env.init)(random.split(key, games))
        for number in count():
            told, state = self._turn(state, random.fold_in(key, number))
            yield jax.device_get(told)

    def _turned(self, state: Any, key: Any) -> tuple[tuple[Shown, Made], Any]:
        jax, env = self._jax, self.env
        games = state.terminated.shape[0]
        words = jax.random.bits(key, (2 + TRIED, games), "uint32")
        action = jax.vmap(env.random_action)(state, words[0])
        after = jax.vmap(env.step)(state, action, words[1])
        tried = words[2:].T % env.num_actions
        allows = partial(env.packed.allows, tables=env.tables)
        allowed = jax.vmap(jax.vmap(allows, (None, 0)))(state._position, tried)
        over = state.terminated | state.truncated
        turn = env.layout["to move"].start
        # After the end it does not matter whose turn it was.
        one, two = (
            jax.vmap(partial(env.observe, player_id=seat))(state).at[:, turn].min(~over)
            for seat in (0, 1)
        )
        shown = Shown(
            player=jax.numpy.where(over, -1, state.current_player),
            number=state._step_count,
            latest_action=state.latest_action,
            latest_answer=state.latest_answer,
            rewards=state.rewards,
            terminated=state.terminated,
            truncated=state.truncated,
            legal=state.legal_action_mask,
            known_to_one=one.at[:, turn].min(
                ~over
            ),  # after the end, whose turn it was is no matter
            known_to_two=two,
        )
        return (shown, Made(action, tried, allowed)), after


class Referee:
    """What the games of one case must show, by the rules."""

    def __init__(self, case: Case, layout: Mapping[str, slice]) -> None:
        self.game = load(case.game, **dict(case.options))
        self.turn_limit = case.turn_limit
        self.layout = layout
        self.observer = Observer(self.game, case.turn_limit)
        self.knowledge = SeatKnowledge(self.game, case.turn_limit)
        self.everything = np.ones(self.observer.actions, np.int8)

    def shown(self, refereed: Refereed) -> Shown:
        """All that a game must show."""
        bout = refereed.bout
        outcome, actor = bout.outcome, bout.actor
        assert actor is not CHANCE
        views, public = [bout.view(seat) for seat in Seat], refereed.public()
        known = [self._row(self.knowledge.parts(view, public)) for view in views]
        action, answer, events = -1, 0, public.events
        if events:
            made = events[-2] if events[-1].actor is CHANCE else events[-1]
            action = self.game.actions.index(made.move)
            answer = self.game.answers.index(events[-1].answer)
        return Shown(
            player=-1 if actor is None else actor.index,
            number=refereed.by_players,
            latest_action=action,
            latest_answer=answer,
            rewards=REWARDS[None if outcome is None else outcome.winner],
            terminated=outcome is not None and outcome != UNDECIDED,
            truncated=outcome == UNDECIDED,
            legal=self.everything if actor is None else self.observer.mask(views[actor.index]),
            known_to_one=known[0],
            known_to_two=known[1],
        )

    def _row(self, parts: Mapping[str, Flags]) -> Flags:
        if len(parts) != len(self.layout):
            names = f"{', '.join(self.layout)}, and not {', '.join(parts)}"
            raise Difference(f"the parts of an observation are {names}")
        return np.concatenate([parts[name] for name in self.layout])


class Refereed:
    """One game by the rules, with the moves of a game in a batch."""

    def __init__(self, referee: Referee) -> None:
        self.game = referee.game
        self.bout = Bout.start(referee.game, referee.turn_limit)
        self.tracker = CandidateTracker(referee.game)
        self.events: list[Event] = []
        self.moves: list[Move] = []
        self.by_players = 0

    def public(self) -> Public:
        """What follows from the public history."""
        history = self.bout.state.log
        self.events += history[len(self.events) :]
        return Public(self.events, {s: self.tracker.left_for(s, history) for s in Seat})

    def play(self, action: int) -> None:
        """Make a player's move, which must be legal."""
        move: Move = self.game.actions[action]
        try:
            self.bout = self.bout.play(move)
        except Refusal as refusal:
            raise Difference(f"the random action {action} is {move}: {refusal}") from refusal
        self.moves.append(move)
        self.by_players += 1

    def settle(self, answer: int) -> None:
        """Let chance, if it is to move, decide what was answered in the batch."""
        if self.bout.actor is not CHANCE:
            return
        for move in self.bout.state.moves:
            after = self.bout.play(move)
            if self.game.answers.index(after.state.past[1].answer) == answer:
                self.bout = after
                self.moves.append(move)
                return
        raise Difference(f"no move of chance has the answer with number {answer}")


REWARDS: Final = {None: (0, 0), Seat.ONE: (1, -1), Seat.TWO: (-1, 1)}


class Tally(NamedTuple):
    """What was compared."""

    games: int = 0
    moves: int = 0
    undecided: int = 0

    def plus(self, other: Tally) -> Tally:
        """Both together."""
        return Tally(*map(sum, zip(self, other, strict=True)))


class Lockstep:
    """Batches of one case, compared with the rules."""

    def __init__(self, case: Case) -> None:
        self.case = case
        self.batches = Batches(case)
        self.layout: Mapping[str, slice] = self.batches.env.layout
        self.referee = Referee(case, self.layout)

    def play(self, seed: int, batch: int, games: int) -> Tally:
        """Play the games of a batch to their ends, or raise the first difference."""
        refereed = [Refereed(self.referee) for _ in range(games)]
        live, tally, at = list(range(games)), Tally(), 0
        for shown, made in self.batches.play(seed, batch, games):
            rows = []
            try:
                for at in live:
                    refereed[at].settle(int(shown.latest_answer[at]))
                    rows.append(self.referee.shown(refereed[at]))
                if (found := self._first_difference(rows, shown, made, live)) is not None:
                    at, told = found
                    raise Difference(told)
                for at in live:
                    if refereed[at].bout.outcome is None:
                        refereed[at].play(int(made.action[at]))
                        continue
                    undecided = refereed[at].bout.outcome == UNDECIDED
                    tally = tally.plus(Tally(1, refereed[at].by_players, undecided))
            except Difference as difference:
                raise Difference(self._told(difference, refereed[at], seed, batch, at)) from None
            live = [at for at, row in zip(live, rows, strict=True) if row.player >= 0]
            if not live:
                break
        return tally

    def _first_difference(
        self, rows: list[Shown], shown: Shown, made: Made, live: list[int]
    ) -> tuple[int, str] | None:
        """The first game that differs, and how; None if all agree."""
        for name, wanted, found in zip(Shown._fields, zip(*rows, strict=True), shown, strict=True):
            expected, got = np.array(wanted), found[live]
            if not np.array_equal(expected, got):
                wrong = (expected != got).reshape(len(live), -1).any(axis=-1)
                place = int(np.flatnonzero(wrong)[0])
                told = self._values(name, expected[place], got[place])
                return live[place], f"{name.replace('_', ' ')} should be {told}"
        going_on = np.array([row.player >= 0 for row in rows])
        legal = np.take_along_axis(shown.legal, made.tried, axis=1) == made.allowed
        wrong = ~legal[live].all(axis=-1) & going_on
        if wrong.any():
            place = live[int(np.flatnonzero(wrong)[0])]
            action = made.tried[place][~legal[place]][0]
            return place, f"the mask and `step` disagree on whether action {action} is legal"
        return None

    def _values(self, name: str, expected: NDArray[Any], got: NDArray[Any]) -> str:
        if name == "legal":
            return f"otherwise for the actions {np.flatnonzero(expected != got).tolist()}"
        if not name.startswith("known"):
            return f"{expected.tolist()}, and not {got.tolist()}"
        parts = [
            f"{part} {np.flatnonzero(expected[where]).tolist()}, "
            f"and not {np.flatnonzero(got[where]).tolist()}"
            for part, where in self.layout.items()
            if (expected[where] != got[where]).any()
        ]
        return "; ".join(parts) + " (the numbers of the flags that are set)"

    def _told(self, why: Difference, game: Refereed, seed: int, batch: int, at: int) -> str:
        moves = ", ".join(map(str, game.moves)) or "none"
        return (
            f"{self.case}, seed {seed}, batch {batch}, game {at}, "
            f"after {game.by_players} moves of players: {why}\n  moves: {moves}"
        )


@lru_cache(maxsize=4)
def lockstep(case: Case) -> Lockstep:
    """The comparison of one case, compiled once a process."""
    return Lockstep(case)


class Task(NamedTuple):
    """A batch to be compared."""

    case: Case
    seed: int
    batch: int
    games: int


def done(task: Task) -> Tally | str:
    """What was compared in a batch, or the difference."""
    try:
        return lockstep(task.case).play(task.seed, task.batch, task.games)
    except Difference as difference:
        return str(difference)


def tasks(case: Case, seed: int, games: int) -> list[Task]:
    """The batches that make so many games."""
    return [
        Task(case, seed, batch, min(BATCH, games - first))
        for batch, first in enumerate(range(0, games, BATCH))
    ]


def prove(case: Case, work: list[Task], pool: Any) -> bool:
    """Compare all batches of a case, and say how it goes; False at the first difference."""
    begin, tally, total = time.monotonic(), Tally(), sum(task.games for task in work)
    for outcome in pool.imap_unordered(done, work):
        if isinstance(outcome, str):
            print(f"\nDIFFERENT: {outcome}", flush=True)
            return False
        tally = tally.plus(outcome)
        show_progress(case, tally, total)
    seconds = time.monotonic() - begin
    print(
        f"{case}: {tally.games:,} games with {tally.moves:,} moves agree, {tally.undecided:,} of "
        f"them undecided (seed {work[0].seed}, {seconds:.0f} s)",
        flush=True,
    )
    return True


def show_progress(case: Case, tally: Tally, total: int) -> None:
    """How many games are done: a line that is written over, and nothing where nobody looks."""
    if sys.stderr.isatty():
        end = "\r" if tally.games < total else "\r\033[K"
        print(f"{case}: {tally.games:,} of {total:,} games", end=end, file=sys.stderr, flush=True)


def main() -> int:
    """Run the proof with the options of the command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    cases = ", ".join(CASES)
    parser.add_argument("--games", type=int, default=100_000, help="games a case (100000)")
    parser.add_argument("--only", action="append", choices=CASES, metavar="CASE", help=cases)
    parser.add_argument("--seed", type=int, default=1, help="seed of the games (1)")
    parser.add_argument("--batch", type=int, help=f"only this batch of {BATCH} games, from 0")
    parser.add_argument(
        "--jobs", type=int, default=os.cpu_count() or 1, help="processes (one for each core)"
    )
    chosen = parser.parse_args()
    os.environ.setdefault("JAX_PLATFORMS", "cpu")
    begin = time.monotonic()
    with get_context("spawn").Pool(chosen.jobs) as pool:
        for name in chosen.only or CASES:
            work = tasks(CASES[name], chosen.seed, chosen.games)
            work = work if chosen.batch is None else work[chosen.batch :][:1]
            if not work:
                parser.error(f"There is no batch {chosen.batch} among {chosen.games:,} games.")
            if not prove(CASES[name], work, pool):
                print("FAILED: the batches and the rules disagree")
                return 1
    print(f"PASSED: the batches and the rules agree ({time.monotonic() - begin:.0f} s)")
    return 0


if __name__ == "__main__":
    sys.exit(main())
