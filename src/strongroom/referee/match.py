"""The referee, as a value: a match, and the match after each step.

It does no I/O and notifies nobody. The caller stores the steps first, then announces them.
"""

from __future__ import annotations

from typing import NamedTuple

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
from strongroom.referee.bout import Bout
from strongroom.referee.randomness import Coins, Draw, Nonce, draw_by, draws, nonces
from strongroom.referee.record import (
    LONGEST_DETAIL,
    SITTERS,
    AidsSwitched,
    Entry,
    Hint,
    Record,
    Sitter,
    Step,
    check_names_differ,
    commit,
)
from strongroom.text.quoting import printable


class Match(NamedTuple):
    """A game between two sitters at one moment: it checks moves and draws for chance.

    A named tuple, like a state, because one is made for every step.
    """

    bout: Bout
    """The game as it stands."""
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
        """A match before its first step, with these sources of chance and nonces.

        The first nonce is the match's id. Any coins given decide chance, unless `draw` is given.
        """
        check_names_differ(*sitters)
        nonce = nonce or nonces()
        record = Record(game, sitters, turn_limit, nonce(0), aids, score, coins)
        bout = Bout.start(game, turn_limit)
        return cls(bout, record, draw or _chance(record), nonce)

    @classmethod
    def resume(cls, record: Record, draw: Draw | None = None, nonce: Nonce | None = None) -> Match:
        """The unfinished match of a record, ready to continue."""
        bout = Bout(record.replay(), record.turn_limit)
        return cls(bout, record, draw or _chance(record), nonce or nonces())

    @property
    def state(self) -> AnyState:
        """The complete state of the game, for the referee only."""
        return self.bout.state

    @property
    def outcome(self) -> Outcome | None:
        """How the match ended, or None while it goes on."""
        return self.record.outcome

    @property
    def actor(self) -> Actor | None:
        """Who is to move; None once the match is over."""
        return None if self.outcome is not None else self.state.actor

    def view(self, seat: Seat | None) -> View:
        """What that seat may know of the match."""
        return self.state.view(seat, self.outcome)

    def step(self, seat: Seat, move: Move, at: float = 0.0) -> tuple[Match, tuple[Step, ...]]:
        """The match after a seat's move and the chance moves that follow it, and the new steps.

        A refusal leaves everything as it was; `at` is the time recorded in the steps.
        """
        self._check_going_on()
        if not isinstance(seat, Seat):
            raise NotLegal("Only a seat can move.")
        if not isinstance(move, Move):
            raise NotLegal("That is not a move at all.")
        if self.state.actor is not seat:
            chance = self.state.actor is CHANCE
            raise NotLegal("Chance decides now." if chance else "It is the other player's turn.")
        actions = self.record.game.actions
        try:
            # The game's own move is played, whatever a player's equal one pretends to be.
            move = actions[actions.index(move)]
        except ValueError:
            raise NotLegal(f"That is not a move of {self.record.game.name}.") from None
        match = self._after(move, at)._settled(at)
        return match, match.record.steps[len(self.record.steps) :]

    def settle(self, at: float = 0.0) -> tuple[Match, tuple[Step, ...]]:
        """The match after all pending chance moves; only the beginning of a match may need it."""
        match = self._settled(at)
        return match, match.record.steps[len(self.record.steps) :]

    def hinted(self, seat: Seat) -> Match:
        """The match after a seat took a hint."""
        self._check_going_on()
        return self._with(self.bout, Hint(seat))

    def switch_aids(self, on: bool) -> Match:
        """The match after the players switched hints and notebook on or off."""
        self._check_going_on()
        return self._with(self.bout, AidsSwitched(on))

    def resign(self, seat: Seat) -> Match:
        """The match after a seat resigned."""
        return self._ended(Outcome(seat.other, Ending.RESIGNED))

    def forfeit(self, seat: Seat, why: str = "") -> Match:
        """The match after a seat lost outside the rules, as by time; the record says why."""
        detail = printable(why[:LONGEST_DETAIL])
        return self._ended(Outcome(seat.other, Ending.FORFEITED, detail))

    def followed(self, entry: Entry) -> Match:
        """The match after an entry that was made elsewhere; or a refusal."""
        bout = self.bout
        if isinstance(entry, Step):
            bout = Bout(self.record.after(bout.state, entry), bout.turn_limit)
        return self._with(bout, entry)

    def _settled(self, at: float) -> Match:
        match = self
        while match.actor is CHANCE:
            match = match._after(match.bout.drawn(match.draw), at)
        return match

    def _after(self, move: Move, at: float) -> Match:
        before, bout = self.bout.state, self.bout.play(move)
        number, actor, keeper = before.number + 1, before.actor, before.keeper
        assert actor is not None
        if keeper is None:
            step = Step(number, actor, move, bout.state.past[1].answer, time=at)
        else:
            nonce = self.nonce(number)
            step = Step(number, actor, move, None, keeper, nonce, commit(nonce, move), at)
        match = self._with(bout, step)
        return match if bout.outcome is None else match._ended(bout.outcome)

    def _ended(self, outcome: Outcome) -> Match:
        self._check_going_on()
        return self._with(self.bout, outcome)

    def _with(self, bout: Bout, entry: Entry) -> Match:
        return Match(bout, self.record.then(entry), self.draw, self.nonce)

    def _check_going_on(self) -> None:
        if self.outcome is not None:
            raise NotLegal("The match is over.")


def _chance(record: Record) -> Draw:
    """The source of chance for a match that was given none."""
    return draws() if record.coins is None else draw_by(record.coins, record.id)
