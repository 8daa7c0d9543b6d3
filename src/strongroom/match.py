"""The referee, as a value: a match, and the match after each step.

It does no I/O and tells nobody. Whoever drives it stores the steps first, and announces afterwards.
"""

from __future__ import annotations

from typing import NamedTuple

from strongroom.coins import Coins, draw_by
from strongroom.contract import (
    CHANCE,
    Actor,
    AnyState,
    Ending,
    Game,
    Move,
    NotLegal,
    Outcome,
    Seat,
    View,
)
from strongroom.quoting import printable
from strongroom.randomness import Draw, Nonce, draws, nonces
from strongroom.record import (
    LONGEST_DETAIL,
    Entry,
    Hint,
    Record,
    Step,
    commit,
)
from strongroom.sitter import SITTERS, Sitter, check_names_differ


class Match(NamedTuple):
    """A game between two sitters at one moment: it checks moves and draws what chance decides.

    A named tuple, like a state, because one is made for every step.
    """

    state: AnyState
    """Where the game stands, whole: for the referee's eyes alone."""
    record: Record
    """What was played so far."""
    draw: Draw
    """Decides what is up to chance."""
    nonce: Nonce
    """Makes the nonces of private moves."""

    @classmethod
    def start(
        cls,
        game: Game,
        sitters: tuple[Sitter, Sitter] = SITTERS,
        turn_limit: int | None = None,
        draw: Draw | None = None,
        nonce: Nonce | None = None,
        aids: bool = False,
        score: tuple[float, float] = (0.0, 0.0),
        coins: Coins | None = None,
    ) -> Match:
        """A match before its first step; chance and nonces come from the sources handed in.

        The first nonce is the match's id. With `coins`, these decide by chance, unless a source is
        handed in nevertheless.
        """
        check_names_differ(*sitters)
        nonce = nonce or nonces()
        record = Record(game, sitters, turn_limit, nonce(0), aids, score, coins)
        return cls(game.start(), record, draw or _chance(record), nonce)

    @classmethod
    def resume(cls, record: Record, draw: Draw | None = None, nonce: Nonce | None = None) -> Match:
        """The match that a record broke off, ready to go on."""
        return cls(record.replay(), record, draw or _chance(record), nonce or nonces())

    @property
    def outcome(self) -> Outcome | None:
        """How the match ended, or None while it goes on."""
        return self.record.outcome

    @property
    def actor(self) -> Actor | None:
        """Who is to move; nobody once the match is over."""
        return None if self.outcome is not None else self.state.actor

    def view(self, seat: Seat | None) -> View:
        """What that seat may know of the match."""
        return self.state.view(seat, self.outcome)

    def step(self, seat: Seat, move: Move, at: float = 0.0) -> tuple[Match, tuple[Step, ...]]:
        """The match after a seat's move and what chance decides upon it, and the steps that were.

        A refusal leaves everything as it was; `at` is the time that the steps carry.
        """
        self._check_going_on()
        if not isinstance(seat, Seat):
            raise NotLegal("Only a seat can move.")
        if not isinstance(move, Move):
            raise NotLegal("That is not a move at all.")
        if self.state.actor is not seat:
            chance = self.state.actor is CHANCE
            raise NotLegal("Chance decides now." if chance else "It is the other's turn.")
        actions = self.record.game.actions
        try:
            # Played is the game's own move, whatever else a player's says that it is.
            move = actions[actions.index(move)]
        except ValueError:
            raise NotLegal(f"That is no move of {self.record.game.name}.") from None
        match = self._after(move, at)._settled(at)
        return match, match.record.steps[len(self.record.steps) :]

    def settle(self, at: float = 0.0) -> tuple[Match, tuple[Step, ...]]:
        """The match after chance has decided all that is due; only a beginning may need it."""
        match = self._settled(at)
        return match, match.record.steps[len(self.record.steps) :]

    def hinted(self, seat: Seat) -> Match:
        """The match after a seat took a hint."""
        self._check_going_on()
        return Match(self.state, self.record.then(Hint(seat)), self.draw, self.nonce)

    def resign(self, seat: Seat) -> Match:
        """The match after a seat gave up."""
        return self._ended(Outcome(seat.other, Ending.RESIGNED))

    def forfeit(self, seat: Seat, why: str = "") -> Match:
        """The match after a seat broke off or would not play by the rules; why is kept."""
        detail = printable(why[:LONGEST_DETAIL])
        return self._ended(Outcome(seat.other, Ending.FORFEITED, detail))

    def followed(self, entry: Entry) -> Match:
        """The match after an entry that was made of it elsewhere; or a refusal."""
        state = self.record.after(self.state, entry) if isinstance(entry, Step) else self.state
        return Match(state, self.record.then(entry), self.draw, self.nonce)

    def _settled(self, at: float) -> Match:
        match = self
        while match.actor is CHANCE:
            state, number = match.state, len(match.record.steps) + 1
            match = match._after(match.draw(number, state.moves, state.odds), at)
        return match

    def _after(self, move: Move, at: float) -> Match:
        before = self.state
        state, number, keeper = before.play(move), len(self.record.steps) + 1, before.keeper
        actor = before.actor
        assert actor is not None
        if keeper is None:
            step = Step(number, actor, move, state.past[1].answer, time=at)
        else:
            nonce = self.nonce(number)
            step = Step(number, actor, move, None, keeper, nonce, commit(nonce, move), at)
        match = Match(state, self.record.then(step), self.draw, self.nonce)
        outcome = match.record.due(state)
        return match if outcome is None else match._ended(outcome)

    def _ended(self, outcome: Outcome) -> Match:
        self._check_going_on()
        return Match(self.state, self.record.then(outcome), self.draw, self.nonce)

    def _check_going_on(self) -> None:
        if self.outcome is not None:
            raise NotLegal("The match is over.")


def _chance(record: Record) -> Draw:
    """What decides in a match to which no source of chance was handed in."""
    return draws() if record.coins is None else draw_by(record.coins, record.id)
