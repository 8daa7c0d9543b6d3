"""The two sides of `lockstep`: random games in batches, and the same games by the rules."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from itertools import count
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from strongroom import load
from strongroom.contract import CHANCE, CandidateTracker, Event, Move, Refusal, Seat
from strongroom.minds.knowledge import Flags, Public, SeatKnowledge
from strongroom.minds.observation import Observer
from strongroom.referee.bout import TURN_LIMIT, UNDECIDED, Bout

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
            known_to_one=one,
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
        if [*parts] != [*self.layout]:
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
