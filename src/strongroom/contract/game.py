"""Games and their states: where play starts, which moves are legal, and what each seat sees."""

from __future__ import annotations

import sys
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Final, Generic, NamedTuple, Self, TypeVar

from strongroom.contract.history import NOTHING, History, Link, link_items
from strongroom.contract.moves import CHANCE, Actor, Event, Move, Outcome, Seat
from strongroom.contract.refusal import NotLegal, Refusal
from strongroom.contract.rules import Options, Rules, require_attributes
from strongroom.contract.view import View
from strongroom.contract.words import Words

if TYPE_CHECKING:
    from random import Random

SAMPLES_TRIED: Final = 10_000
"""How many drawn states are tried before a view is taken for one that no state fits."""
SAMPLES_WEIGHED: Final = 16
"""Out of how many states one is drawn by its odds, where chance's known moves depend on secrets."""


class Game(Rules):
    """A game: rules that can be played, and words to play them with."""

    words_type: ClassVar[type[Words[Any]]]
    """The words of the rule book."""

    def __init__(self, options: Options | None = None) -> None:
        why = "the enum of the reasons why it can end"
        require_attributes(type(self), name="the name of its entry point", reasons=why)
        super().__init__(options)

    @abstractmethod
    def start(self) -> State[Any, Any, Any]:
        """The state before the first move."""

    # --- what may be hidden ---

    def sample(self, view: View, rng: Random) -> AnyState:
        """A state that looks like a view to its seat; a search can continue from it.

        What somebody chose is any of the secrets that fit, each code with the same probability.
        What chance dealt is drawn by its odds, given all that the view shows.
        """
        for state in self.samples(view, rng):
            return state
        raise Refusal(f"No state of {self.title} was found that fits this view.")

    def samples(self, view: View, rng: Random, tries: int = SAMPLES_TRIED) -> Iterator[AnyState]:
        """States like that of `sample`, one after another, until `tries` have been drawn."""
        events, drawn = tuple(view.history), list[tuple[AnyState, float]]()
        for _ in range(tries):
            try:
                state, odds = self._draw_state(view, events, rng)
            except NotLegal:
                continue  # with those secrets it could not have been played
            if state.log == view.history and state.outcome in (None, view.outcome):
                drawn.append((state, odds))
                if odds == 1 or len(drawn) == SAMPLES_WEIGHED:
                    states, weights = zip(*drawn, strict=True)
                    yield rng.choices(states, weights)[0]
                    drawn.clear()

    def _draw_state(
        self, view: View, events: Sequence[Event], rng: Random
    ) -> tuple[AnyState, float]:
        """A state with drawn secrets, and how likely chance made its known moves."""
        state, likely = self.start(), 1.0
        while state.number < view.number:
            keeper = state.keeper
            if keeper is None:
                move = events[state.past[2]].move
            elif view.secrets is not None or keeper is view.seat:
                known = view.secret if view.secrets is None else view.secrets[keeper.index]
                move = known[len(state.secrets[keeper.index])]
            else:
                state = state.play(self.sample_secret(state, view, rng))
                continue
            if state.actor is CHANCE and self.secrets_each and view.secrets is None:
                if move not in state.moves:
                    raise NotLegal("Chance could not have decided that.")
                likely *= state.odds[state.moves.index(move)]
            state = state.play(move)
        return state, likely

    def sample_secret(self, state: AnyState, view: View, rng: Random) -> Move:
        """A secret that the keeper of a state may have chosen or been dealt, given a view.

        By default one of the candidates, or any legal move if none are counted. A game overrides
        this where that seldom fits what has happened since.
        """
        if state.actor is CHANCE:
            return rng.choices(state.moves, state.odds)[0]
        keeper = state.keeper
        assert keeper is not None
        left = None if state.secrets[keeper.index] else self.candidates(keeper.other)
        for event in view.history:
            left = left and left.after(event)
        if not left:
            return rng.choice(state.moves)
        return self.secret_of(left.nth(rng.randrange(len(left))))

    @cached_property
    def words(self) -> Words[Any]:
        """What is asked, announced and understood; by default, the rule book's words."""
        require_attributes(type(self), words_type="the class of its words")
        return self.words_type(self)

    def in_words(self, words_type: Callable[[Any], Words[Any]]) -> Self:
        """The same game, equal to this one, with another set of words."""
        other = type(self)(self.options)
        other.__dict__["words"] = words_type(other)
        return other

    @property
    def title(self) -> str:
        """The game's name as people write it."""
        return self.words.title

    @property
    def rules_page(self) -> str:
        """The rules in Markdown, in words of their own or in the rule book's file."""
        if self.words.rules:
            return f"{self.words.rules}\n"
        for page in self.rules_files():
            if page.is_file():
                return page.read_text(encoding="utf-8")
        return f"There is no rules page for {self.title}.\n"

    @classmethod
    def rules_files(cls) -> tuple[Path, Path]:
        """Where the rules page may be: beside the game's module, of its name or `rules.md`."""
        module = Path(sys.modules[cls.__module__].__file__ or "")
        return module.with_suffix(".md"), module.with_name("rules.md")


G = TypeVar("G", bound=Game)
B = TypeVar("B")
S = TypeVar("S", bound=Move)


class Position(NamedTuple, Generic[G, B, S]):
    """The fields of a state: a named tuple, because every single move creates a state."""

    game: G
    """The game being played."""
    board: B
    """The public board, apart from the log."""
    secrets: tuple[tuple[S, ...], tuple[S, ...]]
    """What each player chose or was dealt privately, in order."""
    past: Link
    """All public events, linked from the latest back to the first."""
    turns: int
    """How many turns have been completed, by both players together."""
    actor: Actor | None
    """Who is to move; None if the game is over."""
    outcome: Outcome | None
    """How the game ended, or None while it goes on."""


ONE, TWO = Seat  # looking them up in the enum takes longer than half a move
new_tuple = tuple.__new__  # the named tuple's own constructor costs one more call at every move


class State(Position[G, B, S], ABC):
    """The complete state of a game; only the referee holds it, everyone else gets a view."""

    __slots__ = ()

    @classmethod
    def first(cls, game: G, board: B, actor: Actor = Seat.ONE) -> Self:
        """The state before the first move."""
        return cls(game, board, ((), ()), NOTHING, 0, actor, None)

    @property
    @abstractmethod
    def moves(self) -> Sequence[Move]:
        """The actor's legal moves, in the order of their numbers."""

    @abstractmethod
    def play(self, move: Move) -> Self:
        """The state after the actor's move, or a refusal."""

    @property
    def odds(self) -> tuple[float, ...]:
        """At a chance state, the probability of each of `moves`."""
        raise NotLegal("Nothing is drawn by chance here.")

    @property
    def log(self) -> History[Event]:
        """All public events, in order."""
        return History.of(self.past)

    @property
    def keeper(self) -> Seat | None:
        """The only player who will know the next move; None if it is public."""
        one, two = self.secrets
        if len(one) < self.game.secrets_each:
            return Seat.ONE
        return Seat.TWO if len(two) < self.game.secrets_each else None

    @property
    def setting_up(self) -> bool:
        """Whether secrets are still being chosen or dealt."""
        return len(self.secrets[1]) < self.game.secrets_each

    @property
    def private(self) -> bool:
        """Whether refusing the actor's line could reveal something hidden to the opponent."""
        return self.setting_up

    @property
    def number(self) -> int:
        """How many moves have been made, private ones included."""
        return len(self.secrets[0]) + len(self.secrets[1]) + self.past[2]

    # --- making the next state ---

    def keep(self, secret: S) -> Self:
        """The state after `secret` has been chosen by, or dealt to, the keeper."""
        one, two = self.secrets
        each = self.game.secrets_each
        if len(one) < each:
            one = (*one, secret)
        else:
            two = (*two, secret)
        if len(two) == each:
            actor: Actor = ONE
        elif self.actor is CHANCE:
            actor = CHANCE
        else:
            actor = ONE if len(one) < each else TWO
        fields = (self.game, self.board, (one, two), NOTHING, 0, actor, None)
        return new_tuple(type(self), fields)

    def after(
        self,
        event: Event,
        board: B,
        actor: Actor | None,
        outcome: Outcome | None = None,
        turn_goes_on: bool = False,
    ) -> Self:
        """The state after a public event, which completes the turn unless `turn_goes_on`."""
        game, _, secrets, past, turns, _, _ = self
        past = (past, event, past[2] + 1)
        if not turn_goes_on:
            turns += 1
        return new_tuple(type(self), (game, board, secrets, past, turns, actor, outcome))

    # --- what others see ---

    def view(self, seat: Seat | None, ended: Outcome | None = None) -> View:
        """What that seat may know; for None, what a spectator may know.

        `ended` is how the match ended if not by the rules: by resignation, for example.
        """
        game, board, secrets, past, turns, actor, outcome = self
        outcome = outcome or ended
        if outcome is not None:
            actor = None
        one, two = secrets
        fields: tuple[Any, ...] = (
            game,
            seat,
            actor,
            len(one) + len(two) + past[2],  # number
            outcome is None and len(two) < game.secrets_each,  # setting_up
            outcome is None and self.private,  # private
            turns,
            self.moves if seat is not None and seat is actor else (),
            History.of(past),
            () if seat is None else secrets[seat.index],
            board,
            outcome,
            None if outcome is None else secrets,
        )
        return new_tuple(View, fields)

    # --- a state is compared, hashed, printed and pickled by its fields, the log as a history ---

    def _value(self) -> tuple[Any, ...]:
        return (*self[:3], self.log, *self[4:])

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and self._value() == other._value()

    def __ne__(self, other: object) -> bool:
        # A tuple would compare the links, which are nested as deep as the game is long.
        return not self == other

    def __hash__(self) -> int:
        return hash(self._value())

    def __repr__(self) -> str:
        return f"{type(self).__name__}{self._value()!r}"

    def __deepcopy__(self, memo: object) -> Self:
        return self  # it never changes

    def __reduce__(self) -> tuple[Any, ...]:
        return _remade, (type(self), self._value())


def _remade(kind: type[AnyState], value: tuple[Any, ...]) -> AnyState:
    """The unpickled state; it was pickled without its links, which are nested too deep."""
    game, board, secrets, log, turns, actor, outcome = value
    return kind(game, board, secrets, link_items(log), turns, actor, outcome)


AnyState = State[Any, Any, Any]
"""A state of any game."""
